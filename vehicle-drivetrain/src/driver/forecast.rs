//! A drive along a path by a point mass: how fast a vehicle will be at each place.
//!
//! The mass has the drive, the brakes and the resistances of the vehicle's figures, and the feet of
//! its driver. Where there is an engine, its gearbox shifts as the real one does: power is missing
//! until a gear is in and the clutch bears it.
//!
//! ```text
//! (M + J G²/R²) dv/dt = T_c G/R - B - D v² - m g (f + tan θ) - F_bend,   ds/dt = v
//! J dω/dt = T(θ, ω) - T_c,   |T_c| ≤ κ C
//! ```
//!
//! with the torque `T_c` of the clutch, of the engagement `κ` and the capacity `C`, and the overall
//! ratio `G` of the gear. `J` moves with the mass while the clutch does not slip. If the force is
//! more than tires bear, wheels spin, until the driver's foot has given way:
//!
//! ```text
//! M_w dw/dt = F - F_max,   w ≥ 0
//! ```
//!
//! with the speed `w` of their treads over the ground and the mass `M_w` that turns with them.

use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, Real};

use super::demand::planned_demand;
use super::figures::VehicleFigures;
use super::gearing::Gearing;
use super::path::Path;
use super::pedals::Feet;
use super::profile_params::ProfileParams;
use super::view::DriverView;
use crate::autobox::{AutoboxInput, AutoboxState, autobox};
use crate::engine::{engine_damping_rate, engine_torque};
use crate::gearbox::{
    GearCommand, GearboxState, commanded_gearbox, overall_gear_ratio, updated_gearbox,
};
use crate::shift_law::ShiftLaw;
use crate::shift_map::{ShiftMapInput, mapped_autobox};

/// Time of a step (s).
const STEP: Real = 1.0 / 60.0;
/// Least mass that turns with the wheels by that of the vehicle (dimensionless).
const LEAST_TURNING: Real = 1e-3;
/// Most steps of a forecast: 19 hours. What is beyond keeps the speeds of the path.
const MOST_STEPS: u32 = 1 << 22;
/// Slowest speed, at which a drive that can go no further creeps on (m/s).
const SLOWEST: Real = 0.5;

/// Speeds at the places of `path` (m/s), of a vehicle of these `figures` that is driven at its
/// speeds: those of the second lap of a closed one.
pub(super) fn reached_speeds(
    path: &Path,
    figures: &VehicleFigures,
    params: &ProfileParams,
) -> Vec<Real> {
    reached_within(MOST_STEPS, path, figures, params)
}

/// Speeds at the places of `path` (m/s), as far as a vehicle of these `figures` comes within
/// `most_steps`.
fn reached_within(
    most_steps: u32,
    path: &Path,
    figures: &VehicleFigures,
    params: &ProfileParams,
) -> Vec<Real> {
    let places = path.places();
    let mut reached: Vec<Real> = places.iter().map(|place| place.speed).collect();
    let laps = if path.is_closed() { 2.0 } else { 1.0 };
    let mut mass = PointMass::new(figures, places[0].speed.max(SLOWEST));
    let spacing = f64::from(path.spacing());
    let end = laps * spacing * (places.len() - usize::from(!path.is_closed())) as f64;
    for _ in 0..most_steps {
        if end <= mass.way {
            break;
        }
        let from = mass.way;
        mass.step(path, params);
        let place = |way: f64| (way / spacing) as usize;
        for index in place(from) + 1..=place(mass.way) {
            let index = if path.is_closed() { index % places.len() } else { index };
            if let Some(reached) = reached.get_mut(index) {
                *reached = mass.speed;
            }
        }
    }
    reached
}

struct PointMass<'a> {
    figures: &'a VehicleFigures,
    /// Way along the path (m), a sum of many short steps, and speed (m/s).
    way: f64,
    speed: Real,
    /// Speed of the treads of driven wheels over the ground (m/s).
    spin: Real,
    feet: Feet,
    engine: Option<Shifted<'a>>,
}

impl<'a> PointMass<'a> {
    fn new(figures: &'a VehicleFigures, speed: Real) -> Self {
        let engine = figures.drive.gearing.as_deref();
        let engine = engine.map(|gearing| Shifted::new(gearing, speed));
        Self { figures, way: 0.0, speed, spin: 0.0, feet: Feet::default(), engine }
    }

    fn step(&mut self, path: &Path, params: &ProfileParams) {
        let (figures, speed) = (self.figures, self.speed);
        let way = self.way as Real;
        let here = path.at(way);
        let yaw_rate = speed * here.curvature;
        let (friction, slips) = (params.friction, [self.spin, 0.0]);
        let view = DriverView { speed, yaw_rate, friction, slips, ..Default::default() };
        let demand = planned_demand(path, figures, (way, speed), &view);
        let [throttle, brake] = self.feet.update(figures, &demand, speed, &view, STEP);
        let lateral = (speed * yaw_rate).abs();
        let grip = params.friction * (GRAVITY + figures.downforce / figures.mass * speed * speed);
        let weight = grip * figures.mass;
        let (drive, carried) = match &mut self.engine {
            Some(engine) => engine.drive(throttle, [speed + self.spin, speed]),
            None => (throttle * figures.drive.force(speed), 0.0),
        };
        let left = figures.left_along(lateral, params.friction);
        let borne = figures.traction * left * weight;
        let turning = (figures.turning_mass + carried).max(LEAST_TURNING * figures.mass);
        let spin = (self.spin + (drive - borne) / turning * STEP).max(0.0);
        let drive = if 0.0 < self.spin.max(spin) { borne } else { drive };
        self.spin = spin;
        let brakes = (brake * figures.brake_force).min(figures.braking * weight);
        let held = held_by_inner_track(figures, here.curvature, drive);
        let bend = figures.bend_resistance(lateral, here.curvature);
        let force = drive - brakes - held - bend - figures.resistance(speed, here.slope);
        let change = force / (figures.inertial_mass() + carried) * STEP;
        self.speed = (speed + change).max(SLOWEST);
        self.way += f64::from(0.5 * (speed + self.speed) * STEP);
    }
}

/// What the inner track of a tank takes of its `drive` (N) in a bend of this `curvature` (1/m), to
/// turn it by the difference `ΔF` of the tracks.
///
/// ```text
/// F - F_held = max( F - ΔF, min(F/2, 2 F - ΔF) )
/// ```
///
/// Its thrust falls until it has none of the half that is its own. Then its brake helps, and its
/// clutch gives the outer track what it has no more. The rest is braked.
fn held_by_inner_track(figures: &VehicleFigures, curvature: Real, drive: Real) -> Real {
    let (difference, drive) = (figures.thrust_difference * curvature.abs(), drive.max(0.0));
    difference.min(0.5 * drive).max(difference - drive)
}

/// An engine whose gears shift.
struct Shifted<'a> {
    gearing: &'a Gearing,
    gears: GearboxState,
    autobox: AutoboxState,
    /// Engagement of the clutch, in [0, 1].
    engagement: Real,
    /// Speed of the engine (rad/s).
    engine_speed: Real,
}

impl<'a> Shifted<'a> {
    /// At `speed` (m/s), in the lowest gear in which the engine does not turn too fast.
    fn new(gearing: &'a Gearing, speed: Real) -> Self {
        let Gearing { engine, gearbox, radius, .. } = gearing;
        let forward = gearbox.neutral + 1..gearbox.ratios.len();
        let turning = |gear| overall_gear_ratio(gearbox, gear) * speed / radius;
        let fits = |gear: &usize| turning(*gear) < engine.max_speed;
        let highest = forward.end - 1;
        let gear = forward.clone().find(fits).unwrap_or(highest);
        Self {
            gearing,
            gears: GearboxState::in_gear(gear),
            autobox: AutoboxState::default(),
            engagement: 1.0,
            engine_speed: turning(gear).max(engine.idle_speed),
        }
    }

    /// Force at the wheels (N) after a step at the speeds of their treads and of the vehicle (m/s),
    /// and mass that the engine is worth there (kg).
    fn drive(&mut self, pedal: Real, speeds: [Real; 2]) -> (Real, Real) {
        let Gearing { engine, clutch, gearbox, radius, .. } = self.gearing;
        let throttle = self.shift(pedal, speeds.map(|speed| speed / radius));
        self.gears = updated_gearbox(gearbox, &self.gears, STEP);
        let per_length = overall_gear_ratio(gearbox, self.gears.current) / radius;
        let rate = STEP / clutch.engagement_time.max(STEP);
        let is_in = !self.gears.is_switching() && 0.0 < per_length;
        self.engagement = if is_in { (self.engagement + rate).min(1.0) } else { 0.0 };
        let damping = engine_damping_rate(&engine.damping, throttle, self.engagement);
        let fuel = if self.engine_speed < engine.max_speed { throttle } else { 0.0 };
        let torque = engine_torque(engine, fuel, self.engine_speed) - damping * self.engine_speed;
        let turning = speeds[0] * per_length;
        let slip = self.engine_speed - turning;
        let most = self.capacity();
        // Within this a step closes the gap.
        let closes = slip.abs() <= (most + torque.abs()) * STEP / engine.inertia;
        if is_in && closes && torque.abs() <= most && engine.idle_speed <= turning {
            self.engine_speed = turning;
            self.autobox.drive_power = torque * turning;
            return (torque * per_length, engine.inertia * per_length * per_length);
        }
        let passed = most.min(Real::MAX).copysign(slip);
        let after = slip + (torque - passed) * STEP / engine.inertia;
        self.engine_speed = if is_in && after * slip < 0.0 { turning } else { turning + after };
        self.engine_speed = self.engine_speed.clamped(engine.idle_speed, engine.max_speed);
        self.autobox.drive_power = passed * turning;
        (passed * per_length, 0.0)
    }

    /// Largest torque of the clutch now (N·m).
    fn capacity(&self) -> Real {
        let clutch = &self.gearing.clutch;
        let all = clutch.capacity.unwrap_or(self.gearing.engine.peak_torque);
        let closed = clutch.automatic.map_or(1.0, |it| {
            let range = (it.closed_speed - it.open_speed).max(Real::MIN_POSITIVE);
            ((self.engine_speed - it.open_speed) / range).clamped(0.0, 1.0)
        });
        self.engagement * closed * all
    }

    /// Shifts as the gearbox does, at these speeds of the driven wheels, as they turn and as they
    /// would roll (rad/s). Returns the throttle of the engine.
    fn shift(&mut self, throttle: Real, [driven_speed, rolling_speed]: [Real; 2]) -> Real {
        let Gearing { engine, clutch, gearbox, law, radius, mass } = self.gearing;
        let (gear, engine_speed) = (GearCommand::Automatic, self.engine_speed);
        let response = match law {
            ShiftLaw::EngineSpeed(params) => {
                let engine_speed_fraction = engine.speed_fraction(engine_speed);
                let lowest_gear = gearbox.first_gear();
                let input = AutoboxInput { gear, throttle, engine_speed_fraction, lowest_gear };
                autobox(params, gearbox, &self.gears, &input, &self.autobox, STEP)
            }
            ShiftLaw::Map(params) => {
                let input = ShiftMapInput {
                    gear,
                    throttle,
                    brake: 0.0,
                    engine_speed,
                    engine,
                    driven_speed,
                    rolling_speed,
                    carried_inertia: mass * radius * radius,
                    gap: gearbox.switch_time + clutch.engagement_time,
                };
                mapped_autobox(params, gearbox, &self.gears, &input, &self.autobox, STEP)
            }
        };
        self.autobox = response.state;
        self.gears = commanded_gearbox(gearbox, &self.gears, response.gear);
        response.throttle
    }
}

#[cfg(test)]
mod tests {
    use vehicle_core::Frame;

    use super::*;

    #[test]
    fn a_vehicle_creeps_on_where_single_precision_does_not_resolve_its_steps() {
        // At 270 km a step of single precision is 3 cm, one at 0.5 m/s is 8 mm.
        let points = [0.0, 135e3, 270e3].map(|way| Frame::Y_UP.translation(way, 0.0, 0.0));
        let path = Path::open(&points, &Frame::Y_UP).expect("a path");
        // Braked by 5 m/s² to rest 20 m before its end.
        let speed = |way: Real| (10.0 * (269_980.0 - way)).max(0.0).sqrt().min(300.0);
        let path = path.with_speeds(speed);
        let (path, figures) = (path.expect("speeds"), VehicleFigures::plain(4_000.0));
        let last = reached_speeds(&path, &figures, &ProfileParams::default()).pop();
        assert!(last.is_some_and(|speed| 0.0 < speed && speed < 1.0), "{last:?} m/s");
    }

    #[test]
    fn a_forecast_ends_after_its_most_steps() {
        let points = [0.0, 50.0, 100.0].map(|way| Frame::Y_UP.translation(way, 0.0, 0.0));
        let path = Path::open(&points, &Frame::Y_UP).expect("a path");
        let path = path.with_speeds(|way| if way < 1.0 { 0.0 } else { 60.0 }).expect("speeds");
        let (figures, params) = (VehicleFigures::plain(4_000.0), ProfileParams::default());
        let last = |most| reached_within(most, &path, &figures, &params).last().copied();
        assert_eq!(last(100), Some(60.0), "not reached");
        assert!(last(MOST_STEPS).is_some_and(|speed| speed < 50.0), "{:?} m/s", last(MOST_STEPS));
    }
}
