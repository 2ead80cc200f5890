//! The size of a tire as its sidewall says it: `205/60R15`.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, ParamErrors};
use crate::math::Real;
use crate::mount::{WheelParams, usual_rolling_resistance};

/// Millimeters per inch.
const INCH: Real = 25.4;
/// Weight of a kilogram where forces are given in kilograms (m/s²).
const STANDARD_GRAVITY: Real = 9.806_65;

/// Size of a tire in the metric notation of its sidewall, `width/aspect R rim`: 205/60R15 is 205 mm
/// wide, its sidewall is 60 % of that high, on a rim of 15 inches. It reads and writes as that
/// text, in files too.
///
/// Letters before the width (`P`, `LT`) and what follows the rim (load index and speed symbol,
/// `91V`) are read over. `ZR`, `B`, `-` and `D` stand for `R` as well.
///
/// ```
/// use vehicle_core::tire_code::TireCode;
///
/// let code: TireCode = "P205/60R15 91V".parse()?;
/// assert!((code.radius() - 0.3135).abs() < 1e-4); // m
/// assert_eq!(code.to_string(), "205/60R15");
/// # Ok::<(), vehicle_core::ParamErrors>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TireCode {
    /// Width of the section (mm).
    width: Real,
    /// Height of the sidewall by the width (%).
    aspect: Real,
    /// Diameter of the rim (inches).
    rim: Real,
}

impl TireCode {
    /// A tire of this `width` (mm) and `aspect` (%) on a rim of diameter `rim` (inches).
    ///
    /// # Errors
    ///
    /// If a number is beyond what tires have: 20 to 1,000 mm, 10 to 130 %, 3 to 60 inches.
    pub fn new(width: Real, aspect: Real, rim: Real) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        check.number("width", width, Bound::Within(20.0, 1_000.0));
        check.number("aspect", aspect, Bound::Within(10.0, 130.0));
        check.number("rim", rim, Bound::Within(3.0, 60.0));
        check.finish()?;
        Ok(Self { width, aspect, rim })
    }

    /// Radius of the free tire (m).
    ///
    /// ```text
    /// R = d/2 + a w
    /// ```
    ///
    /// with the rim's diameter `d`, the width `w` and the aspect `a`.
    pub fn radius(&self) -> Real {
        1e-3 * (0.5 * INCH * self.rim + 0.01 * self.aspect * self.width)
    }

    /// Width of the section (m).
    pub fn width(&self) -> Real {
        1e-3 * self.width
    }

    /// Radius of the rim (m).
    pub fn rim_radius(&self) -> Real {
        0.5e-3 * INCH * self.rim
    }

    /// Vertical stiffness of a belted radial tire of this size at an inflation `pressure` (Pa)
    /// (N/m).
    ///
    /// ```text
    /// k/g = 0.00028 p √((1.03 - 0.004 a) w d) + 3.45
    /// ```
    ///
    /// with `k/g` in kg/mm, the pressure `p` in kPa, the aspect `a` in %, and the width `w` and the
    /// outer diameter `d` in mm.
    ///
    /// Source: T. B. Rhyne, Development of a Vertical Stiffness Relationship for Belted Radial
    /// Tires, Tire Science and Technology 33 (2005) 136-155, as J. W. Daws quotes it in Inflation
    /// Pressures at Less-Than-Maximum Tire Loads (Tire Society, 2009).
    ///
    /// ```
    /// use vehicle_core::tire_code::TireCode;
    ///
    /// let code: TireCode = "205/55R16".parse()?;
    /// assert!((code.radial_stiffness(220e3) - 229.5e3).abs() < 100.0);
    /// # Ok::<(), vehicle_core::ParamErrors>(())
    /// ```
    pub fn radial_stiffness(&self, pressure: Real) -> Real {
        let diameter = 2e3 * self.radius();
        let size = ((1.03 - 0.004 * self.aspect) * self.width * diameter).sqrt();
        1e3 * STANDARD_GRAVITY * (0.000_28 * 1e-3 * pressure * size + 3.45)
    }

    /// Force that resists rolling by load, see
    /// [`usual_rolling_resistance`] (dimensionless).
    pub fn rolling_resistance(&self) -> Real {
        usual_rolling_resistance(self.radius())
    }

    /// Starting values for a wheel with this tire, at the usual inflation pressure.
    ///
    /// Its vertical stiffness is that of [`WheelParams::default`]: a data sheet takes that of a
    /// tire that is inflated for its load. Where the pressure is known, say `radial_stiffness:
    /// code.radial_stiffness(pressure)`.
    ///
    /// Mass and inertia are those of a 20 kg wheel of 205/55R16, of the same build in another size.
    /// The mass of the tire lies in its tread and that of the rim in its barrel, so that
    ///
    /// ```text
    /// m = 20 kg (R/0.316 m)² (w/0.205 m),   I = 0.6 m R²
    /// d = 0.05 N·m·s (R/0.316 m)³ (w/0.205 m)
    /// ```
    ///
    /// The damping rate `d` is that of a tire that bears a load by its radius and width, whose
    /// [resistance](Self::rolling_resistance) grows with the speed by the same part.
    pub fn wheel(&self) -> WheelParams {
        let (radius, width) = (self.radius(), self.width());
        let size = radius / 0.316;
        let wideness = width / 0.205;
        let mass = 20.0 * size * size * wideness;
        let usual = WheelParams::default();
        WheelParams {
            radius,
            half_width: 0.5 * width,
            mass,
            inertia: 0.6 * mass * radius * radius,
            damping_rate: usual.damping_rate * size * size * size * wideness,
            ..usual
        }
    }
}

impl Display for TireCode {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.pad(&format!("{}/{}R{}", self.width, self.aspect, self.rim))
    }
}

impl From<TireCode> for String {
    fn from(code: TireCode) -> Self {
        code.to_string()
    }
}

impl TryFrom<String> for TireCode {
    type Error = ParamErrors;

    fn try_from(text: String) -> Result<Self, ParamErrors> {
        text.parse()
    }
}

impl FromStr for TireCode {
    type Err = ParamErrors;

    fn from_str(text: &str) -> Result<Self, ParamErrors> {
        let Some([width, aspect, rim]) = numbers_of(text) else {
            let mut check = ParamCheck::default();
            let requirement = "width in mm, aspect in % and rim in inches, such as 205/60R15";
            check.require("tire code", false, requirement, format_args!("{text:?}"));
            check.finish()?;
            return Self::new(Real::NAN, Real::NAN, Real::NAN);
        };
        Self::new(width, aspect, rim)
    }
}

/// Width, aspect and rim of a code; what follows is read over.
fn numbers_of(text: &str) -> Option<[Real; 3]> {
    let text = text.trim().trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).trim();
    let (width, rest) = text.split_once('/')?;
    let build = |letter: char| letter.is_ascii_alphabetic() || letter == '-' || letter == ' ';
    let (aspect, rest) = rest.trim_start().split_once(build)?;
    let rest = rest.trim_start_matches(build);
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let rim = rest.split(|letter| !is_number(letter)).next()?;
    let number = |digits: &str| digits.trim().parse().ok();
    Some([number(width)?, number(aspect)?, number(rim)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_sizes_have_their_radius() {
        // Radii of free tires as tables of the trade have them (mm).
        for (code, radius) in [
            ("205/55R16", 316.0),
            ("205/60R15", 313.5),
            ("P245/45ZR18 96W", 338.9),
            ("LT265/70 R17", 401.4),
            ("315/80R22.5", 537.8),
            ("120/70-17", 299.9),
            ("  175/65 R 14 82T ", 291.6),
        ] {
            let code: TireCode = code.parse().unwrap();
            assert!((1e3 * code.radius() - radius).abs() < 0.2, "{code}: {} m", code.radius());
        }
    }

    #[test]
    fn larger_tires_resist_less() {
        for (code, resistance) in
            [("205/55R16", 0.0104), ("315/80R22.5", 0.0061), ("100/60R5", 0.02)]
        {
            let code: TireCode = code.parse().unwrap();
            let found = code.rolling_resistance();
            assert!((found - resistance).abs() < 1e-4, "{code}: {found}, not {resistance}");
        }
    }

    #[test]
    fn text_and_numbers_come_back() {
        for text in ["205/60R15", "315/80R22.5", "62.5/40R3"] {
            let code: TireCode = text.parse().unwrap();
            assert_eq!(code.to_string(), text);
            let json = serde_json::to_string(&code).unwrap();
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<TireCode>(&json).unwrap(), code);
        }
    }

    /// Stiffnesses that others have worked out by the same formula (kg/mm).
    #[test]
    fn stiffness_is_that_of_the_source() {
        for (code, pressure, expected) in [("235/70R16", 351e3, 38.83), ("245/75R16", 551e3, 60.84)]
        {
            let code: TireCode = code.parse().unwrap();
            let found = code.radial_stiffness(pressure) / (1e3 * STANDARD_GRAVITY);
            assert!((found / expected - 1.0).abs() < 2e-3, "{code}: {found} kg/mm, not {expected}");
        }
    }

    #[test]
    fn malformed_codes_are_refused() {
        for text in ["", "205", "205/60", "205/R15", "a/bRc", "205/60R", "205//60R15", "R15"] {
            let fault = text.parse::<TireCode>().unwrap_err().to_string();
            let expected = "tire code must be width in mm, aspect in % and rim in inches, such as \
                            205/60R15, got ";
            assert_eq!(fault, format!("{expected}{text:?}"));
        }
        let fault = "2/60R15".parse::<TireCode>().unwrap_err().to_string();
        assert_eq!(fault, "width must be within [20, 1000], got 2");
        let fault = "205/600R15".parse::<TireCode>().unwrap_err().to_string();
        assert_eq!(fault, "aspect must be within [10, 130], got 600");
        assert!(serde_json::from_str::<TireCode>("\"fast\"").is_err());
    }

    #[test]
    fn wheel_of_a_usual_tire_is_the_usual_one() {
        let wheel = "205/55R16".parse::<TireCode>().unwrap().wheel();
        assert!(
            (wheel.mass - 20.0).abs() < 0.05 && (wheel.inertia - 1.2).abs() < 0.01,
            "{wheel:?}"
        );
        assert!((wheel.half_width - 0.1025).abs() < 1e-6);
    }
}
