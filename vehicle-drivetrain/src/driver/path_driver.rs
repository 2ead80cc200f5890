//! A driver who follows a path at its speeds.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vehicle_core::commands::Commands;
use vehicle_core::context::GRAVITY;
use vehicle_core::math::{Clamped, Real, atan};
use vehicle_core::sequence::TimeStepError;

use super::demand::{held_demand, planned_demand};
use super::following::following_acceleration;
use super::model::{DriverModel, SteeredBy};
use super::path::{Path, PathPlace, PathPoint};
use super::pedals::{Feet, PedalDemand};
use super::steering::{GainTable, yaw_time};
use super::view::DriverView;
use crate::handling::Handling;
use crate::inputs::{Direction, DrivingCommands, GearChoice};
use crate::leader::Leader;
use crate::pacing::{faded_in, pace_of};
use crate::rider::RiderModel;

/// Heading towards a path that is far aside, by the gains (rad).
const MOST_APPROACH: Real = 0.6;
/// Rate at which a driver learns how a vehicle understeers (1/s). Lateral acceleration below which
/// there is little to learn (m/s²), and the part of the lock that is believed (dimensionless).
const LEARNING: Real = 0.4;
const LITTLE: Real = 1.5;
const MOST_LEARNED: Real = 0.3;
/// How much less of it is believed by the brake pedal (dimensionless).
const BRAKED: Real = 5.0;
/// Slip angle to which front tires are steered at most (rad), and the speed around which this comes
/// in, of a usual car (m/s).
const MOST_SLIP: Real = 0.2;
const SLIP_SPEED: Real = 5.0;
/// How much a driver slows down off the path: by offset over the wheel base, and by heading
/// (1/rad); and no further than to this speed (m/s).
const CAUTION: [Real; 2] = [0.15, 1.0];
const CAREFUL_SPEED: Real = 3.0;
/// Speed below which a vehicle that is to stand is held (m/s).
const STOP: Real = 0.15;
/// Brake of a vehicle that is to stand (dimensionless).
const HELD: Real = 0.5;
/// Least ways that drivers of motorcycles and tanks look ahead, by the wheel base (dimensionless),
/// and times (s).
const LEANING: [Real; 2] = [2.0, 1.3];
const LEAN_LEAD: Real = 0.3;
const TRACKS: [Real; 2] = [1.5, 0.7];
/// Time in which a tank makes up for a yaw rate that is missing (s). Time in which its driver
/// learns what that takes (s), and the most of it (dimensionless).
const TURN_TIME: Real = 0.25;
const TURN_LEARNING: Real = 0.5;
const MOST_TURN: Real = 0.3;

/// A driver between two steps: part of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathDriverState {
    /// Which way the vehicle is driven along the path.
    pub direction: Direction,
    /// Where it is on the path.
    pub place: PathPlace,
    /// How often it has come around a closed path.
    pub laps: u32,
    /// Whether the vehicle has rolled back over the line before its first lap: the next crossing
    /// begins that lap, and ends none.
    #[serde(default)]
    pub is_behind_start: bool,
    /// Steer angle by lateral acceleration beyond what the model says, as learned (rad s²/m).
    pub understeer: Real,
    /// Steering command of a tank beyond what the model says, as learned (dimensionless).
    pub turn: Real,
    /// The brake pedal in the last step, in [0, 1].
    pub brake: Real,
    /// The feet.
    pub feet: Feet,
}

/// A driver who follows a path at its speeds: a car, a truck, a motorcycle by its rider, a tank by
/// its thrusts; forward or backward.
///
/// A steered vehicle is led by an optimal regulator of its single-track model, around the steer
/// angle that the curvature of the path ahead takes:
///
/// ```text
/// δ = δ_0(κ(s + v τ), v) + u a_y - K (x - x_0),   x = (v_y, r, e, ψ)
/// u' = -ω K_e e a_y/(a_y² + a_0²)
/// ```
///
/// with the time `τ` in which its yaw rate follows, and an understeer gradient `u` that is learned
/// in bends. Riders and tanks are asked for a curvature,
///
/// ```text
/// κ* = κ(s + v τ) - 2 e/d² - 2 ψ/d,   d = max(d_0, T v)
/// ```
///
/// All gains follow from the vehicle's mass, inertia, geometry and tires.
///
/// The driver leaves gears to the gearbox: one that does not shift by itself stays in its first.
///
/// ```
/// use std::sync::Arc;
/// use vehicle_core::Frame;
/// use vehicle_core::prelude::*;
/// use vehicle_drivetrain::driver::*;
/// use vehicle_drivetrain::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let frame = Frame::Y_UP;
/// let mechanics = CarBlueprint::default().mechanics()?;
/// let mut car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
/// let drive = DriveFigures::engine(&car.params().drivetrain, &car.params().mechanics);
/// let model = Arc::new(DriverModel::car(&car.params().mechanics, drive, 0.0, &frame)?);
///
/// let corners = [[0.0, 0.0], [150.0, 0.0], [180.0, 60.0], [0.0, 70.0]];
/// let points = corners.map(|[ahead, left]| frame.translation(ahead, left, 0.0));
/// let path = Path::closed(&points, &frame)?
///     .with_profile(model.figures(), &ProfileParams::default())?;
///
/// // Each frame:
/// let mut driver = PathDriver::new(model);
/// let driven = driver.update(&path, &DriverView::of(&car, &frame), 1.0 / 60.0);
/// car.commands = driven.commands;
/// car.controls = driven.transmission(&car.params().drivetrain, &car.controls);
/// assert!(0.0 < car.commands.throttle);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PathDriver {
    model: Arc<DriverModel>,
    /// What changes from step to step.
    pub state: PathDriverState,
}

/// `dt` (s) if that is the time of a step, else 0.
pub(super) fn usable(dt: Real) -> Real {
    if TimeStepError::check(dt).is_ok() { dt } else { 0.0 }
}

impl PathDriver {
    /// A driver at the beginning of a path. One who begins elsewhere is
    /// [put there](Self::put).
    pub fn new(model: Arc<DriverModel>) -> Self {
        Self { model, state: PathDriverState::default() }
    }

    /// This driver, who drives backward along the path.
    #[must_use]
    pub fn backward(mut self) -> Self {
        self.state.direction = Direction::Reverse;
        self
    }

    /// The vehicle as the driver knows it.
    pub fn model(&self) -> &Arc<DriverModel> {
        &self.model
    }

    /// Finds the driver's place: the point of `path` that is nearest to the vehicle. Before the
    /// first step in a physics engine the view is still at the origin: set `state.place.way`
    /// instead.
    pub fn put(&mut self, path: &Path, view: &DriverView) {
        self.state.place = path.nearest(view.place);
    }

    /// Whether the end of an open path is reached.
    pub fn is_at_end(&self, path: &Path) -> bool {
        !path.is_closed() && path.length() - path.spacing() <= self.state.place.way
    }

    /// What the driver does for a step of `dt` (s), which counts as 0 if it is not positive and
    /// finite.
    pub fn update(&mut self, path: &Path, view: &DriverView, dt: Real) -> DrivingCommands {
        self.update_behind(path, view, None, dt)
    }

    /// What the driver does for a step of `dt` (s) behind a vehicle, if there is one ahead: keeps
    /// the distance.
    pub fn update_behind(
        &mut self,
        path: &Path,
        view: &DriverView,
        leader: Option<Leader>,
        dt: Real,
    ) -> DrivingCommands {
        let dt = usable(dt);
        let here = self.find(path, view);
        let sight = self.sight(&here, view);
        let steer = self.steer(path, &sight, view, dt);
        self.driven(path, &sight, steer, (view, leader), dt)
    }

    /// Steers along the path for a step of `dt` (s), with `pedals` as given: accelerator and brake,
    /// in [0, 1]. It is for starts and emergency stops.
    pub fn update_with_pedals(
        &mut self,
        path: &Path,
        view: &DriverView,
        pedals: [Real; 2],
        dt: Real,
    ) -> DrivingCommands {
        let dt = usable(dt);
        let here = self.find(path, view);
        let sight = self.sight(&here, view);
        let steer = self.steer(path, &sight, view, dt);
        self.commands(steer, pedals)
    }

    /// Accelerator and brake, in [0, 1], that hold a `speed` (m/s) for a step of `dt` (s). It needs
    /// no path: the ground is taken for level, and in a bend feet do what tires bear.
    pub fn hold_speed(&mut self, speed: Real, view: &DriverView, dt: Real) -> [Real; 2] {
        let dt = usable(dt);
        let along = self.state.direction.sign() * view.speed;
        let demand = held_demand(&self.model.figures, speed, along, view);
        self.state.feet.update(&self.model.figures, &demand, along, view, dt)
    }

    /// Finds where the vehicle is.
    pub(super) fn find(&mut self, path: &Path, view: &DriverView) -> PathPoint {
        let before = self.state.place.way;
        self.state.place = path.beside(view.place, before);
        let (way, half) = (self.state.place.way, 0.5 * path.length());
        if path.is_closed() && way + half < before {
            self.state.laps += u32::from(!self.state.is_behind_start);
            self.state.is_behind_start = false;
        } else if path.is_closed() && before + half < way {
            self.state.is_behind_start = self.state.laps == 0;
            self.state.laps = self.state.laps.saturating_sub(1);
        }
        path.at(way)
    }

    fn sight(&self, here: &PathPoint, view: &DriverView) -> Sight {
        let sign = self.state.direction.sign();
        Sight {
            sign,
            along: sign * view.speed,
            offset: sign * self.state.place.offset,
            heading: view.heading_error(here.direction.map(|it| sign * it)),
            curvature: here.curvature,
        }
    }

    /// The steering command, in [-1, 1].
    fn steer(&mut self, path: &Path, sight: &Sight, view: &DriverView, dt: Real) -> Real {
        let model = Arc::clone(&self.model);
        match &model.steered_by {
            SteeredBy::Wheels { handling, gains, .. } => {
                self.steer_wheels((handling, gains), path, sight, view, dt)
            }
            SteeredBy::Rider { rider } => self.steer_rider(rider, path, sight, view),
            SteeredBy::Tracks { track_width, yaw_inertia } => {
                self.steer_tracks((*track_width, *yaw_inertia), path, sight, view, dt)
            }
        }
    }

    fn steer_wheels(
        &mut self,
        (handling, gains): (&Handling, &GainTable),
        path: &Path,
        sight: &Sight,
        view: &DriverView,
        dt: Real,
    ) -> Real {
        let lowest = 0.3 * (GRAVITY * handling.wheel_base).sqrt();
        let distance = sight.along.max(lowest);
        let speed = sight.sign * distance;
        let ahead = self.state.place.way + distance * yaw_time(handling, speed);
        let curvature = path.at(ahead).curvature;
        let now = handling.steady_bend(sight.curvature, speed);
        let lateral = distance * distance * curvature;
        let [on_speed, on_yaw, on_offset, on_heading] = gains.at(speed);
        let share = (view.speed * sight.sign / lowest).clamped(0.0, 1.0);
        let approach = MOST_APPROACH * on_heading.abs();
        let by_offset = (on_offset * sight.offset).clamped(-approach, approach);
        let correction = share
            * (on_speed * (view.lateral_speed - now.lateral_speed)
                + on_yaw * (view.yaw_rate - distance * sight.curvature))
            + by_offset
            + on_heading * (sight.heading + now.lateral_speed / speed);
        // Under brakes, the front carries more and understeers less: what was learned is of no use.
        let free = (1.0 - BRAKED * self.state.brake).max(0.0);
        if lowest < sight.along && 0.0 < sight.sign {
            let step =
                free * LEARNING * dt * by_offset * lateral / (lateral * lateral + LITTLE * LITTLE);
            let most = MOST_LEARNED * handling.lock / lateral.abs().max(LITTLE);
            self.state.understeer = (self.state.understeer - step).clamped(-most, most);
        }
        let wanted = handling.steady_bend(curvature, speed).angle
            + free * self.state.understeer * lateral * sight.sign
            - correction;
        let wanted = borne(handling, wanted, view).clamped(-handling.lock, handling.lock);
        self.model.through_table(handling.command_of(wanted), view.speed)
    }

    /// The curvature that leads back to the path from `way` ahead of where the vehicle is.
    fn wanted_curvature(&self, path: &Path, sight: &Sight, lead: Real, looks: Real) -> Real {
        let ahead = path.at(self.state.place.way + lead).curvature;
        // Seen the way that it goes, not from its front.
        let aside = sight.sign * sight.offset;
        let offset = (2.0 * aside / looks).clamped(-MOST_APPROACH, MOST_APPROACH);
        ahead - (offset + 2.0 * sight.heading) / looks
    }

    fn steer_rider(
        &self,
        rider: &RiderModel,
        path: &Path,
        sight: &Sight,
        view: &DriverView,
    ) -> Real {
        let speed = sight.along.max(1.0);
        let looks = (LEANING[0] * self.model.base).max(LEANING[1] * speed);
        let lateral =
            speed * speed * self.wanted_curvature(path, sight, LEAN_LEAD * speed, looks) / GRAVITY;
        let most = rider.most_lateral(speed, view.friction.max(0.1), GRAVITY);
        (lateral / most.max(1e-3)).clamped(-1.0, 1.0)
    }

    fn steer_tracks(
        &mut self,
        (track_width, yaw_inertia): (Real, Real),
        path: &Path,
        sight: &Sight,
        view: &DriverView,
        dt: Real,
    ) -> Real {
        let speed = sight.along.max(1.0);
        let looks = (TRACKS[0] * self.model.base).max(TRACKS[1] * speed);
        let curvature = self.wanted_curvature(path, sight, 0.2 * speed, looks);
        // How much slower the inner track is, by the speed; and what turns the hull to that, by all
        // that the thrusts can do.
        let half = 0.5 * track_width;
        let missing = speed * curvature - view.yaw_rate;
        let moment = half * self.model.figures.drive.force(speed);
        let turning = yaw_inertia / (TURN_TIME * moment.max(1e-3 * yaw_inertia));
        let change = turning * missing * dt / TURN_LEARNING;
        self.state.turn = (self.state.turn + change).clamped(-MOST_TURN, MOST_TURN);
        let most = Self::MOST_STEER;
        (half * curvature + turning * missing + self.state.turn).clamped(-most, most)
    }

    /// Largest steering command to tracks: at it, the inner one runs backward at full thrust.
    const MOST_STEER: Real = 0.4;

    /// All commands, with the steering command `steer`.
    pub(super) fn driven(
        &mut self,
        path: &Path,
        sight: &Sight,
        steer: Real,
        (view, leader): (&DriverView, Option<Leader>),
        dt: Real,
    ) -> DrivingCommands {
        let demand = self.demand(path, sight, view, leader);
        let figures = &self.model.figures;
        let [throttle, brake] = self.state.feet.update(figures, &demand, sight.along, view, dt);
        let is_to_stand = demand.speed < STOP && demand.acceleration <= 0.0;
        let stands = is_to_stand && sight.along < 2.0 * STOP;
        let pedals = if stands { [0.0, brake.max(HELD)] } else { [throttle, brake] };
        self.commands(steer, pedals)
    }

    fn commands(&mut self, steer: Real, [throttle, brake]: [Real; 2]) -> DrivingCommands {
        self.state.brake = brake;
        let commands = Commands { throttle, brakes: [brake, 0.0], steer, steering_torque: None };
        let gear = GearChoice::Automatic(self.state.direction);
        // In reverse, a tank turns the other way by the same thrusts.
        let turn = self.state.direction.sign() * steer;
        DrivingCommands::new(commands, gear).with_tracks_steered(turn)
    }

    fn demand(
        &self,
        path: &Path,
        sight: &Sight,
        view: &DriverView,
        leader: Option<Leader>,
    ) -> PedalDemand {
        let (way, along) = (self.state.place.way, sight.along.max(0.0));
        let figures = &self.model.figures;
        let mut demand = planned_demand(path, figures, (way, along), view);
        let planned = path.at(way).speed;
        let aside = sight.offset / self.model.base;
        let caution = 1.0 + CAUTION[0] * aside * aside + CAUTION[1] * sight.heading * sight.heading;
        let careful = (planned / caution).max(planned.min(CAREFUL_SPEED));
        demand.speed = demand.speed.min(careful);
        if let Some(leader) = leader {
            let most = following_acceleration(figures, leader, along, demand.speed);
            let own = demand.acceleration + demand.speed - along;
            if most < own {
                (demand.speed, demand.acceleration) = (along, most);
            }
            if leader.is_standing_close(along) {
                (demand.speed, demand.acceleration) = (0.0, -1.0);
            }
        }
        demand
    }
}

/// How the vehicle is beside its path, seen the way that it is driven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// 1 forward, -1 backward.
    pub(super) sign: Real,
    /// Speed along the way (m/s).
    pub(super) along: Real,
    /// Offset to the left of the vehicle's own heading (m).
    pub(super) offset: Real,
    /// Heading to the left of the one that the path asks for (rad).
    pub(super) heading: Real,
    /// Curvature of the path here (1/m).
    pub(super) curvature: Real,
}

/// The steer angle nearest to `wanted` (rad) with which front tires do not plough: they have no
/// more than a slip angle.
fn borne(handling: &Handling, wanted: Real, view: &DriverView) -> Real {
    let share = faded_in(view.speed, SLIP_SPEED * pace_of(handling.wheel_base));
    if share == 0.0 {
        return wanted;
    }
    let [front, _] = handling.groups;
    let place = front.moment / front.stiffness;
    let way = atan((view.lateral_speed + place * view.yaw_rate) / view.speed);
    let most = MOST_SLIP / share;
    wanted.clamped(way - most, way + most)
}

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;

    use super::*;

    #[test]
    fn front_tires_are_spared_from_a_band_of_speeds_on() {
        let sheet = CarBlueprint::default();
        let car = Handling::of(&sheet.mechanics().expect("a car"), &sheet.frame).expect("wheels");
        let angle = |speed: Real| borne(&car, 1.0, &DriverView { speed, ..DriverView::default() });
        let angles = (0..1_000).map(|step| angle(0.01 * step as Real));
        let angles: Vec<_> = angles.collect();
        let jump = angles.windows(2).fold(0.0, |jump: Real, two| jump.max(two[0] - two[1]));
        assert_eq!([angle(1.0), angle(10.0)], [1.0, MOST_SLIP]);
        assert!(jump < 0.05, "{jump} rad from a centimeter per second to the next");
    }
}
