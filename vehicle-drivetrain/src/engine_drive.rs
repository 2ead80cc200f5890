//! Engine drive: wheels that an engine turns through clutch, gearbox and differential.

mod actuation;

use vehicle_core::actuation::WheelActuation;
use vehicle_core::implicit_clutch::{
    ClutchFours, ClutchSolution, ClutchSystem, CoupledFours, FourClutchWheels, FrictionCouplers,
    WheelConstraint, solve_side_by_side,
};
use vehicle_core::legacy::clutch::ExplicitSolver;
use vehicle_core::math::Real;
use vehicle_core::math::lanes::{Lanes, MAX_LANES, Mask, Number, Real4};
use vehicle_core::rigid_body::RigidBodyParams;
use vehicle_core::tire::TireState;
use vehicle_core::wheel::WheelState;
use vehicle_core::wheel_list::{Fours, MAX_FOURS, place};
use vehicle_core::wheel_rotation::{CoupledWheel, RoadWheel};
use vehicle_core::{AxleDescription, Context, WheelCoupling, WheelList};

pub use self::actuation::EngineActuationView;
use crate::clutch::{
    ClutchParams, ClutchState, automatic_clutch, closing_clutch, effective_clutch,
};
use crate::differential::{
    DifferentialKind, FourWheelDifferentialParams, LimitedSlips, TestedSpeeds, WheelShare,
    is_connected, limited_slip_groups,
};
use crate::engine::{EngineParams, EngineState};
use crate::engine_control::{EngineDemand, controlled_engine, is_fuel_cut};
use crate::gearbox::{GearboxParams, GearboxState, overall_gear_ratio, updated_gearbox};
use crate::turning::{MovedParts, UnturnedWheels, turned_freely};

/// How often limited slip is tested within a step: the second solution may bring another axle
/// beyond its bias, the third both axles against each other.
const LIMITED_SLIP_TESTS: usize = 3;

/// Engine, clutch and wheels of a vehicle as one system.
#[derive(Debug)]
pub struct EngineDriveView<'a> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Radius and inertia of each wheel.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// The powertrain that turns the wheels.
    pub powertrain: PowertrainView<'a>,
    /// Brake torque of each wheel (N·m).
    pub brake_torques: &'a WheelList<Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: &'a WheelList<WheelActuation>,
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
    /// Whether its center is free.
    pub is_center_free: bool,
    /// How the system is solved where wheels are coupled explicitly.
    pub explicit_solver: ExplicitSolver,
    /// How the clutch answers to its pedal.
    pub clutch: ClutchState,
    /// Whether the hand brake keeps a slow engine from dragging the vehicle along.
    pub is_held_by_hand: bool,
    /// Throttle of the engine, in [0, 1].
    pub throttle: Real,
    /// Whether the starter turns.
    pub is_starting: bool,
    /// The part of each wheel in the differential.
    pub shares: &'a WheelList<WheelShare>,
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
    pub drive_torques: &'a mut WheelList<Real>,
    /// Written: power of these torques at the end of the step (W).
    pub drive_power: &'a mut Real,
}

impl EngineDriveView<'_> {
    /// Lets the gearbox switch, then updates the rotation speeds of engine and wheels, and the
    /// forces of tires that are coupled with their wheels.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        // Lists for a few wheels are filled faster.
        if self.axles.wheel_count() <= MAX_LANES {
            self.update_with_room::<1>(dt, context);
        } else {
            self.update_with_room::<MAX_FOURS>(dt, context);
        }
    }

    fn update_with_room<const FOURS: usize>(mut self, dt: Real, context: &Context<'_>) {
        let coupling = context.params.wheel_coupling;
        // Lists are filled where they stand, not moved.
        let mut unturned = Fours::<UnturnedWheels, FOURS>::new();
        let moved = MovedParts::new(self.axles, self.rigid_body_params, self.actuations, context);
        for four in 0..self.tires.fours().len() {
            unturned.push(self.unturned(four, &moved, coupling, dt));
        }
        let turned = self.turn(&unturned, coupling, dt);
        for (four, (before, turned)) in unturned.iter().zip(&turned).enumerate() {
            let wheel = self.road_wheels.four(four);
            let tire = self.tires.four_mut(four);
            let state = self.wheels.four_mut(four);
            before.write(turned, wheel, tire, state, dt, context);
        }
    }

    #[inline(always)]
    fn unturned(
        &self,
        four: usize,
        moved: &MovedParts,
        coupling: WheelCoupling,
        dt: Real,
    ) -> UnturnedWheels {
        let (tire, wheel) = (self.tires.four(four), self.road_wheels.four(four));
        let (actuation, brake) = (self.actuations.four(four), *self.brake_torques.four(four));
        UnturnedWheels::new(moved, actuation, wheel, tire, brake, (coupling, dt))
    }

    /// Lets the gearbox switch, then updates the rotation speed of the engine; what each wheel does
    /// at the end of the step of `dt` (s).
    #[inline]
    fn turn<const FOURS: usize>(
        &mut self,
        unturned: &Fours<UnturnedWheels, FOURS>,
        coupling: WheelCoupling,
        dt: Real,
    ) -> CoupledFours<FOURS> {
        let mut system = self.powertrain.system(dt);
        for (four, unturned) in unturned.iter().enumerate() {
            // Filled where it stays, not moved.
            system.wheels.fours.push(FourClutchWheels::default());
            self.write_clutch_wheels(four, unturned, &mut system.wheels.fours[four]);
        }
        system.wheels.wheel_count = self.axles.wheel_count();
        let connected = self.powertrain.connected();
        let mut solution = self.powertrain.turn(&mut system, connected, coupling, dt);
        let clutch_torque = -solution.clutch_torque * system.gear_ratio;
        for (four, wheels) in system.wheels.fours.iter().enumerate() {
            let torques = self.powertrain.drive_torques.four_mut(four);
            *torques = Real4::splat(clutch_torque) * wheels.torque_ratio;
        }
        if connected.count_ones() as usize != system.wheels.wheel_count {
            let wheels = system.wheels.fours.iter().zip(&mut solution.wheels);
            for (four, (wheels, turned)) in wheels.enumerate() {
                *turned = self.with_free_wheels(four, turned, wheels, (coupling, dt));
            }
        }
        *self.powertrain.drive_power = self.powertrain.power(&solution.wheels);
        solution.wheels
    }

    /// Writes four wheels with their shares into `wheels`.
    #[inline(always)]
    fn write_clutch_wheels(
        &self,
        four: usize,
        unturned: &UnturnedWheels,
        wheels: &mut FourClutchWheels,
    ) {
        let params = self.road_wheels.four(four);
        let (shares, constraints) = (self.powertrain.shares, self.powertrain.constraints);
        let &WheelShare { torque, speed, is_connected } = shares.four(four);
        let ratio = |share: Real4| Number::select(is_connected, share, Real4::default());
        wheels.rotation_speed = self.wheels.four(four).rotation_speed;
        wheels.inertia = params.inertia;
        wheels.damping_rate = params.damping_rate;
        wheels.torques = unturned.torques;
        wheels.tire = unturned.tire;
        wheels.torque_ratio = ratio(torque);
        wheels.speed_ratio = ratio(speed);
        let known = constraints.iter().skip(four * MAX_LANES).zip(&mut wheels.constraints);
        for (lane, (known, constraint)) in known.enumerate() {
            // A wheel that is not connected turns with no other.
            if known.is_some() && is_connected.lane(lane) {
                *constraint = *known;
            }
        }
    }

    /// The four wheels of this number at the end of a step. They are as they have been `turned`
    /// where they are connected with the engine, and without it elsewhere; lost wheels stand.
    fn with_free_wheels(
        &self,
        four: usize,
        turned: &CoupledWheel<Real4>,
        wheels: &FourClutchWheels,
        step: (WheelCoupling, Real),
    ) -> CoupledWheel<Real4> {
        let params = self.road_wheels.four(four);
        let is_turned = self.powertrain.shares.four(four).is_connected;
        let is_lost = self.wheels.four(four).is_detached;
        let FourClutchWheels { torques, tire, rotation_speed, .. } = wheels;
        let free = turned_freely(params, torques, tire, *rotation_speed, step);
        let of_each = |turned: Real4, free: Real4| {
            let free = Number::select(is_lost, Real4::default(), free);
            Number::select(is_turned, turned, free)
        };
        CoupledWheel {
            rotation_speed: of_each(turned.rotation_speed, free.rotation_speed),
            tire_torque: of_each(turned.tire_torque, free.tire_torque),
        }
    }
}

impl PowertrainView<'_> {
    /// Power that the clutch gives to the wheels as they are `turned` (W).
    #[inline]
    fn power<const FOURS: usize>(&self, turned: &CoupledFours<FOURS>) -> Real {
        let fours = self.drive_torques.fours().iter().zip(turned);
        let of_fours = fours.map(|(&torques, turned)| torques * turned.rotation_speed);
        of_fours.fold(0.0, |sum, four: Real4| sum + four.to_array().into_iter().sum::<Real>())
    }

    /// The wheels that are connected with the engine or with others, a bit for each.
    #[inline]
    fn connected(&self) -> u64 {
        let shares = self.shares.fours().iter().enumerate();
        shares.fold(0, |bits, (four, share)| bits | share.is_connected.bits() << (four * MAX_LANES))
    }

    /// Updates the rotation speed of the engine, and tells what the wheels of `system` do at the
    /// end of the step of `dt` (s). `connected` has a bit for each that is connected.
    #[inline]
    fn turn<const FOURS: usize>(
        &mut self,
        system: &mut ClutchSystem<ClutchFours<FOURS>>,
        connected: u64,
        coupling: WheelCoupling,
        dt: Real,
    ) -> ClutchSolution<CoupledFours<FOURS>> {
        if let DifferentialKind::FourWheel(differential) = self.differential {
            system.couplers = differential.couplers(connected);
        }
        *self.clutch_slip = system.slip();
        let solution = match coupling {
            WheelCoupling::Implicit => self.solve(system, connected, dt),
            WheelCoupling::Explicit => self.solve_explicitly(system, connected, dt),
        };
        self.engine_state.rotation_speed = solution.engine_speed;
        solution
    }

    /// Lets the gearbox switch: engine, and clutch as it has closed in `dt` (s), without a wheel
    /// yet.
    #[inline]
    fn system<const FOURS: usize>(&mut self, dt: Real) -> ClutchSystem<ClutchFours<FOURS>> {
        *self.gearbox_state = updated_gearbox(self.gearbox, self.gearbox_state, dt);
        self.engine_state.is_fuel_cut = is_fuel_cut(self.engine, self.engine_state);
        let gear = self.gearbox_state.current;
        let clutch = effective_clutch(self.gearbox, gear, self.clutch);
        let clutch = closing_clutch(self.clutch_params, clutch, *self.clutch_engagement, dt);
        *self.clutch_engagement = clutch.engagement;
        let engine_speed = self.engine_state.rotation_speed;
        let of_automatic = self.clutch_params.held_by_hand(self.is_held_by_hand);
        let clutch = automatic_clutch(&of_automatic, clutch, engine_speed);
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
            wheels: ClutchFours { wheel_count: 0, fours: Fours::new() },
            couplers: FrictionCouplers::new(),
        }
    }

    /// Solves `system`, and once more with the wheels forced together whose slip is to be limited.
    #[inline]
    fn solve<const FOURS: usize>(
        &self,
        system: &mut ClutchSystem<ClutchFours<FOURS>>,
        connected: u64,
        dt: Real,
    ) -> ClutchSolution<CoupledFours<FOURS>> {
        let mut limits = match self.differential {
            DifferentialKind::FourWheel(params) => {
                Some((params, params.limited_slip.with_center(!self.is_center_free)))
            }
            _ => None,
        };
        if let Some((params, slips)) = &mut limits
            && let Some(groups) = slips.locked_groups()
        {
            force_together(params, groups, &mut system.wheels, connected);
            *slips = LimitedSlips::default();
        }
        let mut tests = 0..LIMITED_SLIP_TESTS;
        loop {
            let solution = solve_side_by_side(system, dt);
            let to_test = limits.as_mut().filter(|(_, open)| !open.is_open());
            let Some(((params, open), _)) = to_test.zip(tests.next()) else {
                return solution;
            };
            let speeds = shaft_speeds(params, &solution.wheels, connected);
            // So it is most of the time.
            if open.allow(speeds) {
                return solution;
            }
            if !limit_slip(params, open, speeds, &mut system.wheels, (connected, dt)) {
                return solution;
            }
        }
    }

    /// Solves `system` as the reference does, of the wheels that are connected only.
    #[cold]
    fn solve_explicitly<const FOURS: usize>(
        &self,
        system: &ClutchSystem<ClutchFours<FOURS>>,
        connected: u64,
        dt: Real,
    ) -> ClutchSolution<CoupledFours<FOURS>> {
        let is_solved = |wheel: &usize| is_connected(connected, *wheel);
        let numbers = || (0..system.wheels.wheel_count).filter(is_solved);
        let wheels = numbers().filter_map(|wheel| system.wheels.get(wheel)).collect();
        let solution = self.explicit_solver.solve(&system.with_wheels(wheels), dt);
        let mut fours: CoupledFours<FOURS> =
            system.wheels.fours.iter().map(|_| CoupledWheel::default()).collect();
        for (wheel, &solved) in numbers().zip(&solution.wheels) {
            let (four, lane) = place(wheel);
            fours[four].set_lane(lane, solved);
        }
        let ClutchSolution { engine_speed, clutch_torque, .. } = solution;
        ClutchSolution { engine_speed, clutch_torque, wheels: fours }
    }
}

/// Speeds [front, rear] (rad/s) of the shafts to wheels that are `turned`; `connected` has a bit
/// for each wheel that is connected.
#[inline]
fn shaft_speeds<const FOURS: usize>(
    params: &FourWheelDifferentialParams,
    turned: &CoupledFours<FOURS>,
    connected: u64,
) -> [Real; 4] {
    let numbers = params.wheels();
    let speed = |wheel: usize| {
        let (four, lane) = place(wheel);
        turned[four].rotation_speed.as_array()[lane]
    };
    let mut speeds = numbers.map(speed);
    for [one, other] in [[0, 1], [1, 0], [2, 3], [3, 2]] {
        // The shaft of a lost wheel turns as the other of its axle.
        if !is_connected(connected, numbers[one]) {
            let is_other = is_connected(connected, numbers[other]);
            speeds[one] = if is_other { speed(numbers[other]) } else { 0.0 };
        }
    }
    speeds
}

/// Forces those of `wheels` [front, rear] together that are in `groups`; `connected` has a bit for
/// each wheel that is connected.
fn force_together<const FOURS: usize>(
    params: &FourWheelDifferentialParams,
    groups: [Option<WheelConstraint>; 4],
    wheels: &mut ClutchFours<FOURS>,
    connected: u64,
) {
    for (wheel, group) in params.wheels().into_iter().zip(groups) {
        if let Some(group) = group.filter(|_| is_connected(connected, wheel)) {
            wheels.constrain(wheel, group);
        }
    }
}

/// Forces those of `wheels` together whose shafts' `speeds` (rad/s) are beyond a bias of `open`,
/// which is not tested again then; whether there are any. `connected` has a bit for each wheel that
/// is connected.
#[cold]
fn limit_slip<const FOURS: usize>(
    params: &FourWheelDifferentialParams,
    open: &mut LimitedSlips,
    speeds: [Real; 4],
    wheels: &mut ClutchFours<FOURS>,
    (connected, dt): (u64, Real),
) -> bool {
    let groups = limited_slip_groups(open, speeds, TestedSpeeds::Solved, dt);
    force_together(params, groups, wheels, connected);
    let [front, _, rear, _] = groups.map(|group| group.map(|group| group.group));
    if front.is_some() && front == rear {
        *open = LimitedSlips::default();
    }
    open.front = open.front.filter(|_| front.is_none());
    open.rear = open.rear.filter(|_| rear.is_none());
    front.is_some() || rear.is_some()
}
