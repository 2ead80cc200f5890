//! The course: where on the proving ground a vehicle accelerates, weaves between cones and climbs,
//! by its size.

use anyhow::{Context, Result, ensure};
use playground::worlds::{Surface, World};
use rapier3d::prelude::*;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::math::{PI, asin_clamped, cos};
use vehicle_rapier::drivetrain::driver::{Path, VehicleFigures};
use vehicle_rapier::vehicle_file::AnyRapierVehicle;

use super::route::Route;

/// Places of the proving ground where the course begins, has its cones and its hill.
const START: &str = "Long straight";
const CONES: &str = "Slalom";
const HILL: &str = "On 10 degrees";

/// Where an emergency stop begins at the latest, from the start (m).
pub(super) const LAST_BRAKING: Real = 370.0;
/// How far the hill is climbed from where the vehicle has stopped (m).
const CLIMB: Real = 8.0;
/// How far the path goes on beyond the end of the course (m).
const BEYOND: Real = 4.0;
/// Speeds on straights, on the way to the hill and up (m/s).
const CRUISE: Real = 25.0;
const TO_HILL: Real = 8.0;
const UPHILL: Real = 4.0;

/// Lateral acceleration in the slalom at most: of gravity, and of that at which the vehicle tips
/// over (dimensionless).
const LATERAL: [Real; 2] = [0.6, 0.5];
/// Lateral acceleration in bends, as a part of that in the slalom (dimensionless).
const IN_BENDS: Real = 0.6;
/// Distance of cones, as a multiple of the reach behind the center of mass (dimensionless).
const CONE_DISTANCE: Real = 5.0;
/// Room between a cone and the vehicle (m).
const ROOM: Real = 0.4;
/// Radius of a cone (m).
const CONE_RADIUS: Real = 0.14;
/// Radius of the turn before the hill (m).
const LAST_TURN: Real = 17.0;
/// Room between the slalom and the turn behind it, and the one before it (m).
const RUN_OUT: Real = 18.0;
const RUN_IN: Real = 10.0;
/// Where the straight of the start ends, along z, at the latest (m).
const TURN: Real = -60.0;

/// What of a vehicle decides its course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    /// Half of its width (m).
    half_width: Real,
    /// From its center of mass to its last wheel, or that of its trailer (m).
    reach: Real,
    /// Lateral acceleration in the slalom (m/s²).
    lateral: Real,
}

impl Size {
    /// Size of a train that stands on level ground, heading -z, and is this wide (m), and whose
    /// driver knows these `figures`.
    pub(super) fn of(
        train: &[AnyRapierVehicle],
        width: Real,
        figures: &VehicleFigures,
        bodies: &RigidBodySet,
    ) -> Result<Self> {
        let (mut reach, mut stability) = (0.0_f32, Real::INFINITY);
        let front = train.first().context("a train has a vehicle")?;
        let center = bodies[front.body()].center_of_mass();
        for car in train {
            let height = bodies[car.body()].center_of_mass().y;
            let (mut right, mut left) = (Real::INFINITY, -Real::INFINITY);
            for wheel in 0..car.wheel_count() {
                let hub = car.wheel_pose(wheel, bodies)?.translation;
                reach = reach.max(hub.z - center.z);
                (right, left) = (right.min(hub.x), left.max(hub.x));
            }
            stability = stability.min(0.5 * (left - right) / height);
        }
        ensure!(0.05 < stability, "it falls over by itself: its wheels are in a line");
        let share = LATERAL[0].min(LATERAL[1] * stability).min(figures.lateral_limit(1.0));
        Ok(Self { half_width: 0.5 * width, reach, lateral: GRAVITY * share })
    }

    fn bend_speed(&self, radius: Real) -> Real {
        (IN_BENDS * self.lateral * radius).sqrt().min(CRUISE)
    }
}

/// A cone that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cone {
    body: RigidBodyHandle,
    /// Where it was put (m).
    place: Vector,
}

impl Cone {
    /// Whether it was moved by more than its radius.
    pub(super) fn is_hit(&self, bodies: &RigidBodySet) -> bool {
        CONE_RADIUS < bodies[self.body].translation().distance(self.place)
    }
}

/// The course of a vehicle.
pub(super) struct Layout {
    pub(super) path: Path,
    pub(super) cones: Vec<Cone>,
    /// Distance of two cones (m).
    pub(super) cone_distance: Real,
    /// Where on the path the first and the last cone are (m).
    pub(super) slalom: [Real; 2],
    /// Where on the path the vehicle stops on the hill, and where the course ends (m).
    pub(super) hill: Real,
    pub(super) end: Real,
    /// How steep the hill is (rad).
    pub(super) slope: Real,
}

/// Place and heading on the ground of the start of this `name`.
pub(super) fn start(world: &World, name: &str) -> Result<Pose> {
    let number = world.starts.iter().position(|start| start.name == name);
    let number = number.with_context(|| format!("the proving ground has no place {name:?}"))?;
    Ok(world.start(number)?)
}

/// Where the course begins.
pub(super) fn beginning(world: &World) -> Result<Pose> {
    start(world, START)
}

impl Layout {
    /// The course for a vehicle of this `size`; cones that are too close for it are taken away.
    pub(super) fn new(world: &mut World, size: &Size) -> Result<Self> {
        let (begin, lane, hill) = (beginning(world)?, start(world, CONES)?, start(world, HILL)?);
        let (cones, spacing) = set_cones(world, size)?;
        let (first, last) = (cones[0].place.z, cones[cones.len() - 1].place.z);

        // y = A cos(k z) beside the cones; wheels that follow cut it to A/(1 + (k r)²).
        let wave = PI / spacing;
        let cut = 1.0 + (wave * size.reach).powi(2);
        let amplitude = (size.half_width + CONE_RADIUS + ROOM) * cut;
        let speed = (size.lateral / amplitude).sqrt() / wave;
        let length = last - first + 2.0 * spacing;
        let beside = |way: Real| {
            let is_outside = way < spacing || length - spacing < way;
            let side = if way < spacing { 1.0 } else { cos((last - first) * wave) };
            let swing = cos(wave * (way - spacing));
            amplitude * if is_outside { 0.5 * (side + swing) } else { swing }
        };

        let slope = asin_clamped((hill.rotation * Vector::Z).y);
        let [lane, hill_lane] = [lane.translation.x, hill.translation.x];
        let back = hill_lane + 2.0 * LAST_TURN;
        let radius = 0.5 * (begin.translation.x - lane);
        let up = first - spacing;
        let down = TURN.min(up - RUN_IN);
        let top = (last + spacing + RUN_OUT).max(190.0);
        let at_start = [begin.translation.x, begin.translation.z];
        let route = Route::from(at_start, PI)
            .straight(at_start[1] - down, CRUISE)
            .turn_around(radius, 1.0, size.bend_speed(radius))
            .straight(up - down, CRUISE);
        let route = route.weave(length, speed, beside);
        let turn = 0.5 * (lane - back);
        let route = route
            .straight(top - last - spacing, CRUISE)
            .turn_around(turn, -1.0, size.bend_speed(turn))
            .straight(top - 10.0, CRUISE)
            .turn_around(LAST_TURN, 1.0, size.bend_speed(LAST_TURN))
            .straight(40.0, TO_HILL)
            .straight(hill.translation.z - 50.0, UPHILL);
        let hill = route.end();
        let route = route.stop().straight(CLIMB, UPHILL).stop();
        let end = route.end();
        let path = route.straight(BEYOND, UPHILL).path()?;
        let way = |[x, z]: [Real; 2]| path.nearest([z, x]).way;
        let slalom = [first, last].map(|z| way([lane, z]));
        let (hill, end) = (way(hill), way(end));
        Ok(Self { path, cones, cone_distance: spacing, slalom, hill, end, slope })
    }
}

/// The cones in the order of the way, and their distance (m): as many as leave room for the
/// vehicle.
fn set_cones(world: &mut World, size: &Size) -> Result<(Vec<Cone>, Real)> {
    let cones = world.parts.iter().filter(|part| part.surface == Surface::Cone);
    let mut cones: Vec<Cone> = cones
        .filter_map(|part| part.body)
        .map(|body| Cone { body, place: world.physics.bodies[body].translation() })
        .collect();
    cones.sort_by(|one, other| one.place.z.total_cmp(&other.place.z));
    ensure!(2 < cones.len(), "the proving ground has no slalom");
    let spacing = cones[1].place.z - cones[0].place.z;
    let every = (CONE_DISTANCE * size.reach / spacing).ceil().max(1.0) as usize;
    ensure!(every < cones.len(), "it is too long for the slalom: {:.1} m", size.reach);
    let kept: Vec<Cone> = cones.iter().copied().step_by(every).collect();
    for cone in cones.iter().filter(|cone| !kept.contains(cone)) {
        world.physics.remove_body(cone.body);
    }
    Ok((kept, spacing * every as Real))
}
