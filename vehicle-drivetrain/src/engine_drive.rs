//! Engine drive: wheels that an engine turns through clutch, gearbox and differential.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::actuation::WheelActuation;
use vehicle_core::implicit_clutch::explicit::ExplicitSolver;
use vehicle_core::implicit_clutch::{
    ClutchSolution, ClutchSystem, ClutchWheel, WheelConstraint, solve,
};
use vehicle_core::math::Real;
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::tire::TireState;
use vehicle_core::wheel::{WheelParams, WheelState};
use vehicle_core::wheel_rotation::{SoleWheel, TireTorque, WheelTorques};
use vehicle_core::{
    AxleDescription, Component, Context, PerWheel, PerWheelMut, WheelCoupling, WheelRefs,
};

use crate::actuation::engine_drive_actuation;
use crate::clutch::{ClutchParams, ClutchState, automatic_clutch, effective_clutch};
use crate::differential::{
    DifferentialKind, FourWheelDifferentialParams, LimitedSlips, TestedSpeeds, WheelShare,
    limited_slip_groups,
};
use crate::engine::{EngineParams, EngineState};
use crate::engine_control::{EngineDemand, controlled_engine, is_fuel_cut};
use crate::gearbox::{GearboxParams, GearboxState, overall_gear_ratio, updated_gearbox};

/// How often limited slip is tested within a step: the second solution may bring another axle
/// beyond its bias, the third both axles against each other.
const LIMITED_SLIP_TESTS: usize = 3;

/// What the actuation stage needs from a vehicle.
#[derive(Debug)]
pub struct EngineActuationView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// The gearbox.
    pub gearbox: &'a GearboxParams,
    /// The gear.
    pub gearbox_state: &'a GearboxState,
    /// How the clutch answers to its pedal.
    pub clutch: ClutchState,
    /// Throttle of the engine, in [0, 1].
    pub throttle: Real,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: PerWheel<'a, Real>,
    /// The part of each wheel in the differential.
    pub shares: PerWheel<'a, WheelShare>,
    /// Written: whether each wheel drives or brakes.
    pub actuations: PerWheelMut<'a, WheelActuation>,
}

impl EngineActuationView<'_> {
    /// Updates the actuation of every wheel.
    pub fn update(mut self) {
        let gear = self.gearbox_state.current;
        let strength = effective_clutch(self.gearbox, gear, self.clutch).strength;
        for wheel in self.axles.wheels() {
            let (brake, share) = (self.brake_torques[wheel], self.shares[wheel].torque);
            self.actuations[wheel] = engine_drive_actuation(brake, strength, share, self.throttle);
        }
    }
}

/// What the wheel integration needs from a vehicle.
#[derive(Debug)]
pub struct EngineDriveView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Inertia of each wheel.
    pub wheel_params: PerWheel<'a, WheelParams>,
    /// The engine.
    pub engine: &'a EngineParams,
    /// The clutch.
    pub clutch_params: &'a ClutchParams,
    /// The gearbox.
    pub gearbox: &'a GearboxParams,
    /// The differential, which may limit the slip between wheels.
    pub differential: DifferentialKind<'a>,
    /// How the system is solved where wheels are coupled explicitly.
    pub explicit_solver: ExplicitSolver,
    /// How the clutch answers to its pedal.
    pub clutch: ClutchState,
    /// Throttle of the engine, in [0, 1].
    pub throttle: Real,
    /// Whether the starter turns.
    pub is_starting: bool,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: PerWheel<'a, Real>,
    /// The part of each wheel in the differential.
    pub shares: PerWheel<'a, WheelShare>,
    /// Whether each wheel is forced to turn with others.
    pub constraints: PerWheel<'a, Option<WheelConstraint>>,
    /// Read and written: motion of the engine.
    pub engine_state: &'a mut EngineState,
    /// Read and written: the gear.
    pub gearbox_state: &'a mut GearboxState,
    /// Written: slip of the clutch at the start of the step (rad/s), positive if the wheels overrun
    /// the engine.
    pub clutch_slip: &'a mut Real,
    /// Written: torque that the clutch gives to each wheel (N·m). Wheels that turn together pass
    /// torque to each other beside it.
    pub drive_torques: PerWheelMut<'a, Real>,
    /// Read and written: force of each tire on its wheel and on the body.
    pub tires: PerWheelMut<'a, TireState>,
    /// Read and written: rotation speed of each wheel.
    pub wheels: PerWheelMut<'a, WheelState>,
}

impl EngineDriveView<'_> {
    /// Lets the gearbox switch, then updates the rotation speeds of engine and wheels, and the
    /// forces of tires that are coupled with their wheels.
    pub fn update(mut self, dt: Real, context: &Context<'_>) {
        let coupling = context.params.wheel_coupling;
        *self.gearbox_state = updated_gearbox(self.gearbox, self.gearbox_state, dt);
        self.engine_state.is_fuel_cut = is_fuel_cut(self.engine, self.engine_state);
        let connected: WheelRefs<usize> =
            self.axles.wheels().filter(|&wheel| self.shares[wheel].is_connected).collect();
        let mut system = self.system(&connected, coupling, dt);
        *self.clutch_slip = system.slip();
        let solution = match coupling {
            WheelCoupling::Implicit => self.solve(&mut system, &connected, dt),
            WheelCoupling::Explicit => self.explicit_solver.solve(&system, dt),
        };
        self.engine_state.rotation_speed = solution.engine_speed;
        for (solved, &wheel) in solution.wheels.iter().zip(&connected) {
            self.wheels[wheel].rotation_speed = solved.rotation_speed;
            let torque = -solution.clutch_torque * system.gear_ratio * self.shares[wheel].torque;
            self.drive_torques[wheel] = torque;
            if coupling == WheelCoupling::Implicit {
                let radius = self.radius(wheel);
                self.tires[wheel].set_wheel_torque(solved.tire_torque, radius);
            }
        }
        for wheel in self.axles.wheels() {
            if !self.shares[wheel].is_connected {
                self.turn_freely(wheel, coupling, dt);
            }
        }
    }

    /// Engine, clutch and the `connected` wheels.
    fn system(&self, connected: &[usize], coupling: WheelCoupling, dt: Real) -> ClutchSystem {
        let gear = self.gearbox_state.current;
        let clutch = effective_clutch(self.gearbox, gear, self.clutch);
        let engine_speed = self.engine_state.rotation_speed;
        let clutch = automatic_clutch(self.clutch_params, clutch, engine_speed);
        let demand = EngineDemand {
            throttle: self.throttle,
            engagement: clutch.engagement,
            is_started: self.is_starting,
        };
        ClutchSystem {
            strength: clutch.strength,
            gear_ratio: overall_gear_ratio(self.gearbox, gear),
            engine: controlled_engine(self.engine, self.engine_state, &demand),
            wheels: connected.iter().map(|&wheel| self.clutch_wheel(wheel, coupling, dt)).collect(),
        }
    }

    fn clutch_wheel(&self, wheel: usize, coupling: WheelCoupling, dt: Real) -> ClutchWheel {
        let (params, share) = (&self.wheel_params[wheel], &self.shares[wheel]);
        let (torques, tire) = self.torques(wheel, coupling, dt);
        ClutchWheel {
            rotation_speed: self.wheels[wheel].rotation_speed,
            inertia: params.inertia,
            damping_rate: params.damping_rate,
            torques,
            tire,
            torque_ratio: share.torque,
            speed_ratio: share.speed,
            constraint: self.constraints[wheel],
        }
    }

    /// Torques on a wheel but that of the clutch.
    fn torques(
        &self,
        wheel: usize,
        coupling: WheelCoupling,
        dt: Real,
    ) -> (WheelTorques, TireTorque) {
        let (tire, brake) = (&self.tires[wheel], self.brake_torques[wheel]);
        match coupling {
            WheelCoupling::Implicit => {
                let drive = tire.force.rolling_moment(self.radius(wheel));
                let tire = TireTorque::new(tire, self.radius(wheel), self.carried_mass(), dt);
                (WheelTorques { drive, brake }, tire)
            }
            WheelCoupling::Explicit => {
                let torque = tire.force.wheel_torque;
                (WheelTorques { drive: 0.0, brake }, TireTorque { torque, ..Default::default() })
            }
        }
    }

    fn radius(&self, wheel: usize) -> Real {
        self.wheel_params[wheel].radius
    }

    /// Solves `system`, and once more with the wheels forced together whose slip is to be limited.
    fn solve(&self, system: &mut ClutchSystem, connected: &[usize], dt: Real) -> ClutchSolution {
        let mut solution = solve(system, dt);
        let DifferentialKind::FourWheel(params) = self.differential else {
            return solution;
        };
        let mut open = params.limited_slip;
        for _ in 0..LIMITED_SLIP_TESTS {
            if open.is_open() || !limit_slip(params, &mut open, &solution, system, connected, dt) {
                break;
            }
            solution = solve(system, dt);
        }
        solution
    }

    /// Updates a wheel that is not connected to the engine.
    fn turn_freely(&mut self, wheel: usize, coupling: WheelCoupling, dt: Real) {
        self.drive_torques[wheel] = 0.0;
        if self.wheels[wheel].is_detached {
            self.wheels[wheel].rotation_speed = 0.0;
            return;
        }
        let torques = WheelTorques { drive: 0.0, brake: self.brake_torques[wheel] };
        let sole = SoleWheel {
            params: &self.wheel_params[wheel],
            torques,
            actuation: WheelActuation::from_torques(torques.brake, 0.0),
            carried_mass: self.carried_mass(),
        };
        let (tire, speed) = (&mut self.tires[wheel], &mut self.wheels[wheel].rotation_speed);
        sole.update(tire, speed, coupling, dt);
    }

    /// The part of the vehicle's mass that a wheel carries (kg).
    fn carried_mass(&self) -> Real {
        self.rigid_body_params.mass / self.axles.wheel_count() as Real
    }
}

/// Forces the wheels of `system` together that end beyond a bias of `open`, which is not tested
/// again then; whether there are any.
fn limit_slip(
    params: &FourWheelDifferentialParams,
    open: &mut LimitedSlips,
    solution: &ClutchSolution,
    system: &mut ClutchSystem,
    connected: &[usize],
    dt: Real,
) -> bool {
    let place = |wheel| connected.iter().position(|&other| other == wheel);
    let places = params.wheels().map(place);
    let speed = |place: usize| solution.wheels.get(place).map(|wheel| wheel.rotation_speed);
    let [first, second, third, fourth] = places.map(|place| place.and_then(speed));
    // The shaft of a lost wheel turns as the other of its axle.
    let axle = |one: Option<Real>, other| one.or(other).unwrap_or(0.0);
    let speeds =
        [axle(first, second), axle(second, first), axle(third, fourth), axle(fourth, third)];
    let groups = limited_slip_groups(open, speeds, TestedSpeeds::Solved, dt);
    for (place, group) in places.into_iter().zip(groups) {
        let wheel = place.and_then(|place| system.wheels.get_mut(place));
        if let (Some(wheel), Some(_)) = (wheel, group) {
            wheel.constraint = group;
        }
    }
    let [front, _, rear, _] = groups.map(|group| group.map(|group| group.group));
    if front.is_some() && front == rear {
        *open = LimitedSlips::default();
    }
    open.front = open.front.filter(|_| front.is_none());
    open.rear = open.rear.filter(|_| rear.is_none());
    front.is_some() || rear.is_some()
}

/// A vehicle whose wheels an engine turns.
pub trait HasEngineDrive {
    /// Borrows what the actuation stage reads and writes.
    fn engine_actuation(&mut self) -> EngineActuationView<'_>;

    /// Borrows what the wheel integration reads and writes.
    fn engine_drive(&mut self) -> EngineDriveView<'_>;
}

/// The actuation stage as a component: which wheels drive and brake. It follows brakes,
/// transmission and differential.
#[derive(Clone, Copy, Debug)]
pub struct EngineActuation;

impl<V: HasEngineDrive + ?Sized> Component<V> for EngineActuation {
    fn update(&self, vehicle: &mut V, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        vehicle.engine_actuation().update();
        Continue(())
    }
}

/// The wheel integration as a component: from the throttle to the rotation speeds of engine and
/// wheels. It follows the tires.
#[derive(Clone, Copy, Debug)]
pub struct EngineDrive;

impl<V: HasEngineDrive + ?Sized> Component<V> for EngineDrive {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.engine_drive().update(dt, context);
        Continue(())
    }
}
