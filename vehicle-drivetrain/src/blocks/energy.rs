//! Where the energy of a driveline goes.

use vehicle_core::driveline::{DrivelinePlan, DrivelineSolution, Element};

/// Energies of a driveline over some steps (J).
///
/// ```text
/// sources = kinetic + tires + brakes + couplings + converters + gears + damping + motors + step
/// ```
///
/// The implicit step itself loses `½ I (Δω)²` of every inertia.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyAccount {
    /// Work of the torques of engines, motors without battery and others that drive, and energy out
    /// of batteries, less what went back into them (J).
    pub sources: f64,
    /// The part of it that came out of batteries, less what went back into them (J).
    pub batteries: f64,
    /// Change of the kinetic energy of all inertias (J).
    pub kinetic: f64,
    /// Work given to the tires (J).
    pub tires: f64,
    /// Heat of brakes at rest against the housing, and work of holds (J).
    pub brakes: f64,
    /// Heat of clutches, differentials and other couplings (J).
    pub couplings: f64,
    /// Heat of converters (J).
    pub converters: f64,
    /// Heat of gears (J).
    pub gears: f64,
    /// Heat of bearings and retarders (J).
    pub damping: f64,
    /// Heat of motors on batteries and of their electronics (J).
    pub motors: f64,
    /// Energy that the implicit step loses (J).
    pub step: f64,
}

impl EnergyAccount {
    /// Energy that is missing or too much (J): rounding.
    pub fn imbalance(&self) -> f64 {
        self.sources
            - (self.kinetic
                + self.tires
                + self.brakes
                + self.couplings
                + self.converters
                + self.gears
                + self.damping
                + self.motors
                + self.step)
    }

    /// All that is lost as heat, and by the step (J).
    pub fn losses(&self) -> f64 {
        let mechanical = self.brakes + self.couplings + self.converters + self.gears + self.damping;
        mechanical + self.motors + self.step
    }

    /// Adds the energy that has gone `out` of batteries in a step, for so much work and heat of
    /// motors (J).
    pub(super) fn add_batteries(&mut self, out: f64, [work, heat]: [f64; 2]) {
        self.batteries += out;
        self.sources += out - work;
        self.motors += heat;
    }

    /// Adds a step of `dt` (s) that began with the speeds `start` (rad/s).
    pub(super) fn add(
        &mut self,
        plan: &DrivelinePlan,
        elements: &[Element],
        start: &[f64],
        solution: &DrivelineSolution,
        dt: f64,
    ) {
        for (index, element) in elements.iter().enumerate() {
            let ports = plan.ports_of(index);
            let torques = solution.torques(plan, index);
            let power: f64 = ports
                .iter()
                .zip(torques)
                .map(|(shaft, torque)| solution.speeds[*shaft] * torque)
                .sum();
            let work = power * dt;
            match element {
                Element::Inertia(parts) => {
                    let (before, after) = (start[ports[0]], solution.speeds[ports[0]]);
                    let change = after - before;
                    let kinetic = 0.5 * parts.inertia * (after * after - before * before);
                    let lost = 0.5 * parts.inertia * change * change;
                    let driving = parts.torque + parts.slope.min(0.0) * change;
                    self.kinetic += kinetic;
                    self.step += lost;
                    self.damping += parts.damping * after * after * dt;
                    self.sources += driving * after * dt;
                }
                Element::Tire(_) => self.tires += work,
                Element::Brake(_) | Element::SpeedRange(_) => self.brakes += work,
                Element::Damper(_) => self.damping += work,
                Element::Ratio(_) => self.gears += work,
                Element::LinearConverter(_) | Element::CapacityConverter(_) => {
                    self.converters += work;
                }
                _ => self.couplings += work,
            }
        }
    }
}
