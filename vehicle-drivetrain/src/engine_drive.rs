//! Engine drive: wheels that an engine turns through clutch, gearbox and differential.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::actuation::WheelActuation;
use vehicle_core::implicit_clutch::{
    ClutchSolution, ClutchSystem, ClutchWheel, FrictionCouplers, WheelConstraint, solve,
};
use vehicle_core::legacy::clutch::ExplicitSolver;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::{Lanes, MAX_LANES};
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::tire::TireState;
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_list::{Fours, MAX_FOURS, place};
use vehicle_core::wheel_rotation::{CoupledWheel, TurningWheel};
use vehicle_core::{
    AxleDescription, Component, Context, MAX_WHEELS, WheelCoupling, WheelList, WheelRefs,
};

use crate::actuation::engine_drive_actuation;
use crate::clutch::{
    ClutchParams, ClutchState, automatic_clutch, closing_clutch, effective_clutch,
};
use crate::differential::{
    DifferentialKind, FourWheelDifferentialParams, LimitedSlips, TestedSpeeds, WheelShare,
    limited_slip_groups,
};
use crate::engine::{EngineParams, EngineState};
use crate::engine_control::{EngineDemand, controlled_engine, is_fuel_cut};
use crate::gearbox::{GearboxParams, GearboxState, overall_gear_ratio, updated_gearbox};
use crate::turning::{TurnedWheels, UnturnedWheels, turned_freely};

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
    /// The clutch.
    pub clutch_params: &'a ClutchParams,
    /// How the clutch answers to its pedal.
    pub clutch: ClutchState,
    /// Throttle of the engine, in [0, 1].
    pub throttle: Real,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// The part of each wheel in the differential.
    pub shares: &'a [WheelShare],
    /// Written: whether each wheel drives or brakes.
    pub actuations: &'a mut WheelList<WheelActuation>,
}

impl EngineActuationView<'_> {
    /// Updates the actuation of every wheel.
    pub fn update(self) {
        let gear = self.gearbox_state.current;
        let strength = effective_clutch(self.gearbox, gear, self.clutch).strength;
        // A clutch that drags drives without throttle.
        let throttle = if self.clutch_params.creeps() { 1.0 } else { self.throttle };
        for wheel in self.axles.wheels() {
            let (brake, share) = (self.brake_torques[wheel], self.shares[wheel].torque);
            let actuation = engine_drive_actuation(brake, strength, share, throttle);
            self.actuations.set(wheel, actuation);
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
    /// Radius and inertia of each wheel.
    pub turning_wheels: &'a WheelList<TurningWheel>,
    /// What turns the wheels.
    pub powertrain: PowertrainView<'a>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// Read and written: force of each tire on its wheel and on the body.
    pub tires: &'a mut WheelList<TireState>,
    /// Read and written: rotation speed of each wheel.
    pub wheels: &'a mut WheelList<WheelState>,
}

/// Engine, clutch, gearbox and differential of a vehicle.
#[derive(Debug)]
pub struct PowertrainView<'a> {
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
    /// The part of each wheel in the differential.
    pub shares: &'a [WheelShare],
    /// Whether each wheel is forced to turn with others.
    pub constraints: &'a [Option<WheelConstraint>],
    /// Read and written: motion of the engine.
    pub engine_state: &'a mut EngineState,
    /// Read and written: the gear.
    pub gearbox_state: &'a mut GearboxState,
    /// Read and written: how far the clutch has closed, in [0, 1].
    pub clutch_engagement: &'a mut Real,
    /// Written: slip of the clutch at the start of the step (rad/s), positive if the wheels overrun
    /// the engine.
    pub clutch_slip: &'a mut Real,
    /// Written: torque that the clutch gives to each wheel (N·m). Wheels that turn together pass
    /// torque to each other beside it.
    pub drive_torques: &'a mut [Real],
}

impl EngineDriveView<'_> {
    /// Lets the gearbox switch, then updates the rotation speeds of engine and wheels, and the
    /// forces of tires that are coupled with their wheels.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        // Lists for a few wheels are filled faster.
        if self.axles.wheel_count() <= MAX_LANES {
            self.update_with_room::<MAX_LANES, 1>(dt, context);
        } else {
            self.update_with_room::<MAX_WHEELS, MAX_FOURS>(dt, context);
        }
    }

    fn update_with_room<const WHEELS: usize, const FOURS: usize>(
        mut self,
        dt: Real,
        context: &Context<'_>,
    ) {
        let coupling = context.params.wheel_coupling;
        // Lists are filled where they stand, not moved.
        let mut unturned = Fours::<UnturnedWheels, FOURS>::new();
        let mut turned = Fours::<TurnedWheels, FOURS>::new();
        for four in 0..self.tires.fours().len() {
            unturned.push(self.unturned(four, coupling, dt));
            turned.push(TurnedWheels::default());
        }
        self.turn::<WHEELS>(&unturned, &mut turned, coupling, dt);
        for (four, (before, turned)) in unturned.iter().zip(&turned).enumerate() {
            let wheel = self.turning_wheels.four(four);
            let tire = self.tires.four_mut(four);
            let state = self.wheels.four_mut(four);
            turned.write(before, wheel, tire, state, dt, context);
        }
    }

    #[inline(always)]
    fn unturned(&self, four: usize, coupling: WheelCoupling, dt: Real) -> UnturnedWheels {
        let (tire, wheel) = (self.tires.four(four), self.turning_wheels.four(four));
        let brake = *self.brake_torques.four(four);
        let body = self.rigid_body_params;
        UnturnedWheels::new(self.axles, body, wheel, tire, brake, (coupling, dt))
    }

    /// Lets the gearbox switch, then updates the rotation speed of the engine; writes into `turned` what
    /// each wheel does at the end of the step of `dt` (s).
    #[inline]
    fn turn<const WHEELS: usize>(
        &mut self,
        unturned: &[UnturnedWheels],
        turned: &mut [TurnedWheels],
        coupling: WheelCoupling,
        dt: Real,
    ) {
        let mut system = self.powertrain.system::<WHEELS>(dt);
        let (mut connected, mut others) =
            (WheelRefs::<usize, WHEELS>::new(), WheelRefs::<usize, WHEELS>::new());
        for wheel in self.axles.wheels() {
            if self.powertrain.shares[wheel].is_connected {
                system.wheels.push(self.clutch_wheel(wheel, unturned));
                connected.push(wheel);
            } else {
                others.push(wheel);
            }
        }
        let solution = self.powertrain.turn(&mut system, &connected, coupling, dt);
        let clutch_torque = -solution.clutch_torque * system.gear_ratio;
        let solved = system.wheels.iter().zip(&solution.wheels);
        for (&wheel, (before, after)) in connected.iter().zip(solved) {
            self.powertrain.drive_torques[wheel] = clutch_torque * before.torque_ratio;
            TurnedWheels::set(turned, wheel, after);
        }
        for &wheel in &others {
            self.powertrain.drive_torques[wheel] = clutch_torque * 0.0;
            TurnedWheels::set(turned, wheel, &self.turned_freely(wheel, unturned, coupling, dt));
        }
    }

    /// `wheel` with its share.
    #[inline(always)]
    fn clutch_wheel(&self, wheel: usize, unturned: &[UnturnedWheels]) -> ClutchWheel {
        let (four, lane) = place(wheel);
        let UnturnedWheels { torques, tire, .. } = &unturned[four];
        let params = self.turning_wheels.four(four);
        let share = &self.powertrain.shares[wheel];
        ClutchWheel {
            rotation_speed: self.wheels.four(four).rotation_speed.lane(lane),
            inertia: params.inertia.lane(lane),
            damping_rate: params.damping_rate.lane(lane),
            torques: torques.lane(lane),
            tire: tire.lane(lane),
            torque_ratio: share.torque,
            speed_ratio: share.speed,
            constraint: self.powertrain.constraints[wheel],
        }
    }

    /// `wheel` after `dt` (s) without the engine.
    fn turned_freely(
        &self,
        wheel: usize,
        unturned: &[UnturnedWheels],
        coupling: WheelCoupling,
        dt: Real,
    ) -> CoupledWheel {
        let (four, lane) = place(wheel);
        let state = self.wheels.four(four);
        if state.is_detached.lane(lane) {
            return CoupledWheel::default();
        }
        let UnturnedWheels { torques, tire, .. } = &unturned[four];
        let (params, speed) = (self.turning_wheels.of(wheel), state.rotation_speed.lane(lane));
        turned_freely(&params, &torques.lane(lane), &tire.lane(lane), speed, (coupling, dt))
    }
}

impl PowertrainView<'_> {
    /// Updates the rotation speed of the engine, and tells what the wheels of `system` do at the end of the
    /// step of `dt` (s); `connected` are their numbers.
    #[inline]
    fn turn<const WHEELS: usize>(
        &mut self,
        system: &mut ClutchSystem<WHEELS>,
        connected: &[usize],
        coupling: WheelCoupling,
        dt: Real,
    ) -> ClutchSolution<WHEELS> {
        if let DifferentialKind::FourWheel(differential) = self.differential {
            system.couplers = differential.couplers(connected);
        }
        *self.clutch_slip = system.slip();
        let solution = match coupling {
            WheelCoupling::Implicit => self.solve(system, connected, dt),
            WheelCoupling::Explicit => self.explicit_solver.solve(system, dt),
        };
        self.engine_state.rotation_speed = solution.engine_speed;
        solution
    }

    /// Lets the gearbox switch: engine, and clutch as it has closed in `dt` (s), without a wheel yet.
    #[inline]
    fn system<const WHEELS: usize>(&mut self, dt: Real) -> ClutchSystem<WHEELS> {
        *self.gearbox_state = updated_gearbox(self.gearbox, self.gearbox_state, dt);
        self.engine_state.is_fuel_cut = is_fuel_cut(self.engine, self.engine_state);
        let gear = self.gearbox_state.current;
        let clutch = effective_clutch(self.gearbox, gear, self.clutch);
        let clutch = closing_clutch(self.clutch_params, clutch, *self.clutch_engagement, dt);
        *self.clutch_engagement = clutch.engagement;
        let engine_speed = self.engine_state.rotation_speed;
        let clutch = automatic_clutch(self.clutch_params, clutch, engine_speed);
        let demand = EngineDemand {
            throttle: self.throttle,
            engagement: clutch.engagement,
            is_started: self.is_starting,
        };
        ClutchSystem {
            strength: clutch.strength,
            capacity: self.clutch_params.capacity(clutch),
            gear_ratio: overall_gear_ratio(self.gearbox, gear),
            engine: controlled_engine(self.engine, self.engine_state, &demand),
            wheels: WheelRefs::new(),
            couplers: FrictionCouplers::new(),
        }
    }

    /// Solves `system`, and once more with the wheels forced together whose slip is to be limited.
    #[inline]
    fn solve<const WHEELS: usize>(
        &self,
        system: &mut ClutchSystem<WHEELS>,
        connected: &[usize],
        dt: Real,
    ) -> ClutchSolution<WHEELS> {
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
}

/// Forces the wheels of `system` together that end beyond a bias of `open`, which is not tested
/// again then; whether there are any.
fn limit_slip<const WHEELS: usize>(
    params: &FourWheelDifferentialParams,
    open: &mut LimitedSlips,
    solution: &ClutchSolution<WHEELS>,
    system: &mut ClutchSystem<WHEELS>,
    connected: &[usize],
    dt: Real,
) -> bool {
    // Where all wheels are connected, most of them are in their places.
    let place = |wheel| match connected.get(wheel) {
        Some(&other) if other == wheel => Some(wheel),
        _ => connected.iter().position(|&other| other == wheel),
    };
    let places = params.wheels().map(place);
    let speed = |place: usize| solution.wheels.get(place).map(|wheel| wheel.rotation_speed);
    let [first, second, third, fourth] = places.map(|place| place.and_then(speed));
    // The shaft of a lost wheel turns as the other of its axle.
    let axle = |one: Option<Real>, other| one.or(other).unwrap_or(0.0);
    let speeds =
        [axle(first, second), axle(second, first), axle(third, fourth), axle(fourth, third)];
    let groups = limited_slip_groups(open, speeds, TestedSpeeds::Solved, dt);
    if groups == [None; 4] {
        return false;
    }
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
