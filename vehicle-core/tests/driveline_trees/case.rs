//! One case of a file of solved trees.

use anyhow::{Result, bail};
use serde::Deserialize;
use serde_json::{Map, Value};
use vehicle_core::driveline::{
    Brake, CapacityConverter, DifferentialElement, DoubleDifferentialElement, DrivelinePlan,
    DrivelineSolution, Element, Friction, Inertia, Junction, LinearConverter, Mode, Ratio, Side,
    SpeedRange, TireElement, TorqueSign, Weighted,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: String,
    #[serde(rename = "note", default)]
    _note: String,
    #[serde(rename = "class")]
    _class: String,
    pub(crate) h: f64,
    pub(crate) shafts: Vec<f64>,
    #[serde(rename = "names", default)]
    _names: Vec<String>,
    elements: Vec<Fields>,
    expected: Expected,
    scale: Scale,
    tol: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    speeds: Vec<Option<f64>>,
    torques: Vec<Vec<Option<f64>>>,
    modes: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct Scale {
    speed: f64,
    torque: f64,
}

#[derive(Deserialize)]
struct Fields {
    kind: String,
    at: Vec<usize>,
    #[serde(flatten)]
    numbers: Map<String, Value>,
}

impl Fields {
    fn list(&self, name: &str) -> Result<Vec<f64>> {
        match self.numbers.get(name) {
            Some(Value::Array(values)) => values.iter().map(number).collect(),
            other => bail!("{}.{name} is {other:?}, no list", self.kind),
        }
    }

    fn three(&self, name: &str) -> Result<[f64; 3]> {
        let list = self.list(name)?;
        let Ok(three) = list.as_slice().try_into() else {
            bail!("{}.{name} has {} numbers", self.kind, list.len());
        };
        Ok(three)
    }

    fn number(&self, name: &str) -> Result<f64> {
        match self.numbers.get(name) {
            Some(value) => number(value),
            None => bail!("{} has no {name}", self.kind),
        }
    }

    /// The element, and an error where it has a field or is of a kind that is not known.
    fn element(&self) -> Result<Element> {
        let (element, names): (Element, &[&str]) = self.known()?;
        if let Some(name) = self.numbers.keys().find(|name| !names.contains(&name.as_str())) {
            bail!("{} has a field {name} that is not known", self.kind);
        }
        Ok(element)
    }

    fn known(&self) -> Result<(Element, &'static [&'static str])> {
        let get = |name: &str| self.number(name);
        Ok(match self.kind.as_str() {
            "inertia" => (
                Element::Inertia(Inertia {
                    inertia: get("I")?,
                    torque: get("torque")?,
                    damping: get("damping")?,
                    slope: if self.numbers.contains_key("slope") { get("slope")? } else { 0.0 },
                }),
                &["I", "torque", "damping", "slope", "omega0"],
            ),
            "tire" => (
                Element::Tire(TireElement {
                    stiffness: get("kappa")?,
                    torque: get("tau0")?,
                    max_torque: get("tau_max")?,
                }),
                &["kappa", "tau0", "tau_max", "omega0"],
            ),
            "brake" => {
                let (low, high, target) = (get("lo")?, get("hi")?, get("target")?);
                (Element::Brake(Brake { low, high, target }), &["lo", "hi", "target"])
            }
            "speed_range" => {
                let (low, high) = (get("lo")?, get("hi")?);
                (Element::SpeedRange(SpeedRange { low, high }), &["lo", "hi"])
            }
            "retarder" => {
                (Element::Damper(get("torque")? / get("omega0")?.abs()), &["torque", "omega0"])
            }
            "viscous" => (Element::Viscous(get("k")?), &["k"]),
            "friction" => {
                let (low, high, strength) = (get("lo")?, get("hi")?, get("k")?);
                (Element::Friction(Friction { low, high, strength }), &["lo", "hi", "k"])
            }
            "freewheel" => {
                let friction = Friction { strength: get("k")?, ..Friction::freewheel(get("hi")?) };
                (Element::Friction(friction), &["hi", "k"])
            }
            "hang_on" => (Element::Friction(Friction::clutch(get("cap")?)), &["cap"]),
            "ratio" => {
                let (ratio, efficiency) = (get("rho")?, get("eta")?);
                (Element::Ratio(Ratio { ratio, efficiency }), &["rho", "eta"])
            }
            "junction" => (Element::Junction(Junction { coefficients: self.list("n")? }), &["n"]),
            "weighted" => (
                Element::Weighted(Weighted {
                    speed_shares: self.list("q")?,
                    torque_shares: self.list("p")?,
                }),
                &["q", "p"],
            ),
            "differential" => (
                Element::Differential(DifferentialElement {
                    ratio: get("rho")?,
                    share: get("s")?,
                    preload: get("T0")?,
                    bias: get("ct")?,
                    reverse_bias: get("ct")?,
                }),
                &["rho", "s", "T0", "ct"],
            ),
            "double_differential" => (
                Element::DoubleDifferential(DoubleDifferentialElement {
                    drive_ratio: get("rho_d")?,
                    steer_ratio: get("rho_s")?,
                }),
                &["rho_d", "rho_s"],
            ),
            "converter" => {
                let (pump, turbine) = (self.three("p")?, self.three("t")?);
                (Element::LinearConverter(LinearConverter { pump, turbine }), &["p", "t"])
            }
            "converter_capacity" => (
                Element::CapacityConverter(CapacityConverter {
                    capacity: get("lambda0")?,
                    stall_torque_ratio: get("mu0")?,
                    coupling_point: get("nu_c")?,
                    reverse_capacity: get("c_r")?,
                    lock_up: 0.0,
                }),
                &["lambda0", "mu0", "nu_c", "c_r"],
            ),
            other => bail!("elements of the kind {other} are not known"),
        })
    }
}

fn number(value: &Value) -> Result<f64> {
    match value {
        Value::Number(number) => Ok(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) if text == "inf" => Ok(f64::INFINITY),
        Value::String(text) if text == "-inf" => Ok(f64::NEG_INFINITY),
        other => bail!("{other} is no number"),
    }
}

impl Case {
    pub(crate) fn elements(&self) -> Result<Vec<Element>> {
        self.elements.iter().map(Fields::element).collect()
    }

    pub(crate) fn ports(&self) -> Vec<Vec<usize>> {
        self.elements.iter().map(|element| element.at.clone()).collect()
    }

    /// Reports name, value found, value expected and allowed difference of every number.
    pub(crate) fn compare(
        &self,
        plan: &DrivelinePlan,
        solution: &DrivelineSolution,
        modes: &[Mode],
        report: &mut dyn FnMut(String, f64, f64, f64),
    ) {
        assert_eq!(modes.len(), self.expected.torques.len(), "{}", self.id);
        assert_eq!(solution.speeds.len(), self.expected.speeds.len(), "{}", self.id);
        for (shaft, expected) in self.expected.speeds.iter().enumerate() {
            if let Some(expected) = expected {
                let found = solution.speeds[shaft];
                let name = format!("speed of shaft {shaft}");
                report(name, found, *expected, self.tol * self.scale.speed);
            }
        }
        for (element, expected) in self.expected.torques.iter().enumerate() {
            let found = solution.torques(plan, element);
            assert_eq!(found.len(), expected.len(), "{}: ports of element {element}", self.id);
            for (port, (found, expected)) in found.iter().zip(expected).enumerate() {
                if let Some(expected) = expected {
                    let kind = &self.elements[element].kind;
                    let name = format!("torque of element {element} ({kind}) at port {port}");
                    report(name, *found, *expected, self.tol * self.scale.torque);
                }
            }
        }
    }

    /// Reports modes that are not the expected ones.
    pub(crate) fn compare_modes(&self, modes: &[Mode], report: &mut dyn FnMut(String)) {
        for (element, expected) in self.expected.modes.iter().enumerate() {
            let Some(expected) = expected else { continue };
            let found = modes[element];
            let names: &[&str] = match (self.elements[element].kind.as_str(), found.side) {
                ("ratio", Side::Above) if found.torque == TorqueSign::Positive => &["drive"],
                ("ratio", Side::Below) if found.torque == TorqueSign::Negative => &["drive"],
                ("ratio", Side::Above | Side::Below) => &["coast"],
                (_, Side::Within) => &["grip", "held", "free", "stuck"],
                (_, Side::Above) => &["slide+", "slip+", "high"],
                (_, Side::Below) => &["slide-", "slip-", "low"],
            };
            if !names.contains(&expected.as_str()) {
                let kind = &self.elements[element].kind;
                report(format!("element {element} ({kind}) is {found:?}, not {expected}"));
            }
        }
    }
}
