//! Ready-made vehicles at kerbs: their wheels meet what is in front of them.

use rapier3d::prelude::*;
use snippets::presets::{self, driven};
use snippets::scenes::strip;
use vehicle_rapier::Detail;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

/// Steps per second and most substeps.
const RATES: [(Real, u32); 5] = [(30.0, 3), (60.0, 1), (60.0, 2), (60.0, 3), (240.0, 1)];

/// What a kerb is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Box,
    Mesh,
    Hull,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Box, Kind::Mesh, Kind::Hull];

/// A kerb across the way, its edge through the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kerb {
    pub(crate) kind: Kind,
    /// Height, negative for a step down (m).
    pub(crate) height: Real,
    /// Angle to the way (rad).
    pub(crate) angle: Real,
}

/// How far a kerb reaches (m).
const FAR: Real = 60.0;

impl Kerb {
    pub(crate) fn ground(&self) -> Vec<ColliderBuilder> {
        let turn = Vector::Y * self.angle;
        let high = self.height.max(0.0);
        let block = Vector::new(FAR, 1.0, FAR);
        // Before the kerb, and behind it; the lower one reaches below the higher one.
        let (before, behind) = ((self.height - high).abs(), high);
        let place = |side: Real, top: Real| {
            Rotation::from_rotation_y(self.angle) * Vector::new(0.0, top - 1.0, side * FAR)
        };
        let boxed = |side: Real, top: Real| {
            ColliderBuilder::cuboid(block.x, block.y, block.z)
                .translation(place(side, top))
                .rotation(turn)
        };
        let hull = |side: Real, top: Real| {
            let signs = [-1.0, 1.0];
            let corners = signs.into_iter().flat_map(|x| {
                signs.into_iter().flat_map(move |y| signs.map(|z| Vector::new(x, y, z) * block))
            });
            let corners: Vec<_> = corners.collect();
            ColliderBuilder::convex_hull(&corners)
                .expect("a hull")
                .translation(place(side, top))
                .rotation(turn)
        };
        match self.kind {
            Kind::Box => vec![boxed(-1.0, before), boxed(1.0, behind)],
            Kind::Hull => vec![boxed(-1.0, before), hull(1.0, behind)],
            Kind::Mesh => {
                let profile = [[-FAR, before], [0.0, before], [0.0, behind], [FAR, behind]];
                vec![strip(&profile, FAR).expect("a mesh").rotation(turn)]
            }
        }
    }

    fn start_height(&self) -> Real {
        (-self.height).max(0.0)
    }
}

/// What comes of a ride.
#[derive(Clone, Copy, Debug)]
struct Ride {
    /// Largest change of the velocity over 1/60 s, up and along (g).
    peaks: [Real; 2],
    /// Speed before, and after both axles are over or time is up (m/s).
    speeds: [Real; 2],
    /// Least speed ahead (m/s).
    slowest: Real,
    /// How far the body has risen above where it stands, and where it is at the end (m).
    rise: Real,
    height: Real,
    /// How far it has come (m).
    place: Real,
    /// Least cosine of the angle between the roof's normal and the vertical.
    upright: Real,
}

pub(crate) fn radius_of(car: &AnyRapierVehicle) -> Real {
    car.mechanics().params.wheels[0].radius
}

/// Half of the length of a vehicle between its axles and a bit more (m).
fn reach_of(car: &AnyRapierVehicle) -> Real {
    let suspensions = &car.mechanics().params.suspensions;
    suspensions.iter().map(|it| it.wheel_mount().z.abs()).fold(0.0, Real::max)
}

/// The preset rolls over a kerb of `height` radii of its wheels at `speed` (m/s).
fn ride(
    name: &str,
    (kind, height, angle): (Kind, Real, Real),
    speed: Real,
    (rate, substeps): (Real, u32),
    meets: bool,
) -> Ride {
    let vehicle = presets::vehicle(name).expect("a preset");
    let radius = radius_of(&vehicle.insert(&mut PhysicsWorld::new(), Pose::IDENTITY));
    let kerb = Kerb { kind, height: height * radius, angle };
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = 1.0 / rate;
    for collider in kerb.ground() {
        world.insert_collider(collider.friction(1.0), None);
    }
    world.detect_collisions(&(), &());
    let standing = vehicle.standing_height(GRAVITY) + kerb.start_height();
    let mut car = vehicle.insert(&mut world, Pose::IDENTITY);
    // Nothing but its wheels meets the kerb.
    let hull: Vec<_> = world.bodies[car.body()].colliders().to_vec();
    for collider in hull {
        world.colliders[collider].set_collision_groups(InteractionGroups::none());
    }
    let reach = reach_of(&car) + radius;
    let start = Vector::new(0.0, standing, -(reach + 1.0 + 0.3 * speed));
    world.bodies[car.body()].set_translation(start, true);
    world.detect_collisions(&(), &());
    car.params.meets_obstacles = meets;
    car.detail = Detail { max_substeps: substeps, ..Detail::FULL };
    car.select(Selector::Neutral);
    for _ in 0..(0.5 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
    }
    let body = car.body();
    world.bodies[body].set_linvel(Vector::Z * speed, true);
    for wheel in 0..car.wheel_count() {
        let radius = car.mechanics().params.wheels[wheel].radius;
        let wheels = &mut car.vehicle.mechanics().state.wheels;
        wheels.edit(wheel, |wheel| wheel.rotation_speed = speed / radius);
    }
    let window = (rate / 60.0).round().max(1.0) as usize;
    let mut velocities = vec![world.bodies[body].linvel()];
    let mut ride = Ride {
        peaks: [0.0; 2],
        speeds: [speed; 2],
        slowest: speed,
        rise: 0.0,
        height: 0.0,
        place: start.z,
        upright: 1.0,
    };
    let mut was_before = true;
    for _ in 0..((2.0 * reach + 4.0) / speed * rate + 1.5 * rate) as usize {
        car.step(&mut world).expect("the car can be driven");
        let body = &world.bodies[body];
        velocities.push(body.linvel());
        let (place, height) = (body.translation().z, body.translation().y - standing);
        if was_before && -reach < place {
            (was_before, ride.speeds[0]) = (false, body.linvel().z);
        }
        if place < reach + 0.5 {
            ride.speeds[1] = body.linvel().z;
        }
        ride.slowest = ride.slowest.min(body.linvel().z);
        ride.rise = ride.rise.max(height);
        (ride.place, ride.height) = (place, height);
        ride.upright = ride.upright.min((body.rotation() * Vector::Y).y);
    }
    for change in velocities.windows(window + 1).map(|frame| frame[window] - frame[0]) {
        let by_gravity = rate / window as Real / GRAVITY;
        ride.peaks[0] = ride.peaks[0].max(change.y.abs() * by_gravity);
        ride.peaks[1] = ride.peaks[1].max(change.z.abs() * by_gravity);
    }
    ride
}

/// Presets on wheels that roll over kerbs.
pub(crate) fn wheeled() -> impl Iterator<Item = &'static str> {
    driven().into_iter().filter(|name| !["motorcycle", "tank"].contains(name))
}

/// Part of its speed that a vehicle keeps at least over a kerb of 0.3 radii at 10 m/s
/// (dimensionless). Tires of trucks are hard, and without load they take more of it. Half of a
/// truck of 3.75 t, in a fine model, comes over 15 cm at 5 m/s with 3.9 m/s. Of the others the
/// electric car keeps least, 0.9395.
fn least_kept(name: &str) -> Real {
    if ["semi_tractor", "truck_6x6"].contains(&name) { 0.88 } else { 0.939 }
}

#[test]
fn a_low_kerb_is_taken_softly_at_any_rate_and_angle() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().enumerate() {
        for (trial, rate) in RATES.into_iter().enumerate() {
            let kind = KINDS[(index + trial) % KINDS.len()];
            let angle = [0.0, 30_f32.to_radians()][(index + trial) % 2];
            let ride = ride(name, (kind, 0.3, angle), 10.0, rate, true);
            let [before, after] = ride.speeds;
            let is_soft = ride.peaks[0] < 4.0 && ride.peaks[1] < 4.0;
            let is_over = least_kept(name) * before < after && 0.9 < ride.upright;
            if !is_soft || !is_over {
                faults.push(format!("{name}, {kind:?}, {angle} rad, {rate:?}: {ride:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Kerbs of 120 m, met near the middle of their length: what they are made of does not matter.
#[test]
fn a_kerb_is_met_alike_whatever_it_is_made_of() {
    let mut faults = Vec::new();
    for name in ["hot_hatch", "pick_up", "kart", "truck_6x6"] {
        for rate in RATES {
            for (height, angle) in [(0.3, 0.0), (0.5, 0.0), (0.3, 0.5)] {
                let rides = KINDS.map(|kind| ride(name, (kind, height, angle), 10.0, rate, true));
                let speeds = rides.map(|ride| ride.speeds[1]);
                let rises = rides.map(|ride| ride.rise);
                let spread = |[one, two, three]: [Real; 3]| {
                    one.max(two).max(three) - one.min(two).min(three)
                };
                if 0.05 < spread(speeds) || 0.02 < spread(rises) {
                    faults.push(format!("{name}, {height} R, {angle} rad, {rate:?}: {rides:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Not the small car: a wall of friction 1 lifts its four driven wheels by a tenth of their radius,
/// 3 mm. So its front is over from some 2.5 m/s on, also at 960 steps per second.
#[test]
fn a_kerb_higher_than_the_wheel_is_not_climbed() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().filter(|&name| name != "rc_car").enumerate() {
        for (trial, rate) in RATES.into_iter().enumerate() {
            let kind = KINDS[(index + trial) % KINDS.len()];
            let ride = ride(name, (kind, 1.1, 0.0), 10.0, rate, true);
            if 0.0 < ride.place {
                faults.push(format!("{name}, {kind:?}, {rate:?}: {ride:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Wheels look for obstacles from a twentieth of their radius on. Whether a kerb of just that
/// height is one is rounding; it is no wall either way.
#[test]
fn a_kerb_as_high_as_wheels_begin_to_look_is_rolled_over() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().enumerate() {
        for (trial, part) in [0.9999, 1.0 - 2e-7, 1.0, 1.0 + 2e-7, 1.0001].into_iter().enumerate() {
            for (kind, rate) in KINDS.into_iter().zip([(60.0, 3), (60.0, 1), (240.0, 1)]) {
                let kind = KINDS[(index + trial + kind as usize) % KINDS.len()];
                let ride = ride(name, (kind, 0.05 * part, 0.0), 20.0, rate, true);
                if ride.speeds[1] < 0.98 * ride.speeds[0] || 4.0 < ride.peaks[1] {
                    faults.push(format!("{name}, {part}, {kind:?}, {rate:?}: {ride:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Bushes that a wall has pressed give little back. What throws a car back is its tires: at 3 m/s
/// that is a third of the energy, at 10 m/s a fifth.
#[test]
fn a_wall_takes_most_of_the_energy() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().enumerate() {
        let speeds = if name == "rc_car" { [1.0, 3.0] } else { [3.0, 10.0] };
        for (trial, rate) in RATES.into_iter().enumerate() {
            for speed in speeds {
                let kind = KINDS[(index + trial) % KINDS.len()];
                let ride = ride(name, (kind, 1.5, 0.0), speed, rate, true);
                let part = -ride.slowest / ride.speeds[0];
                if !(0.1..0.7).contains(&part) {
                    faults.push(format!("{name}, {speed}, {kind:?}, {rate:?}: {ride:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// A model of a tenth of the length is as fast at a third of the speed: both could throw themselves
/// up by as many of their wheels' radii.
#[test]
fn a_vehicle_that_coasts_slowly_does_not_climb_a_kerb_higher_than_its_wheels() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().enumerate() {
        let speeds = if name == "rc_car" { [1.0, 1.3] } else { [3.0, 4.0] };
        for (trial, rate) in RATES.into_iter().enumerate() {
            for (height, speed) in [1.1, 1.5].into_iter().zip(speeds) {
                let kind = KINDS[(index + trial) % KINDS.len()];
                let ride = ride(name, (kind, height, 0.0), speed, rate, true);
                if 0.0 < ride.place || ride.upright < 0.8 || 0.1 * speed * speed < ride.rise {
                    faults.push(format!("{name}, {height}, {kind:?}, {rate:?}: {ride:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

/// Not the tractor without its trailer, which pitches over one of 0.55 radii at 10 m/s, also at
/// 3,840 steps per second.
#[test]
fn no_vehicle_turns_over_at_a_kerb_that_it_meets_straight() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().filter(|&name| name != "semi_tractor").enumerate() {
        for (trial, rate) in RATES.into_iter().enumerate() {
            let kind = KINDS[(index + trial) % KINDS.len()];
            for (height, speed) in [(0.3, 20.0), (0.55, 5.0), (0.55, 10.0)] {
                let ride = ride(name, (kind, height, 0.0), speed, rate, true);
                if ride.upright < 0.5 {
                    faults.push(format!("{name}, {height}, {speed}, {kind:?}, {rate:?}: {ride:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_car_that_rolls_off_a_kerb_ends_on_its_wheels() {
    let mut faults = Vec::new();
    for (index, name) in wheeled().enumerate() {
        for (trial, rate) in RATES.into_iter().enumerate() {
            let kind = KINDS[(index + trial) % KINDS.len()];
            let ride = ride(name, (kind, -0.3, 0.0), 10.0, rate, true);
            let radius = radius_of(
                &presets::vehicle(name)
                    .expect("a preset")
                    .insert(&mut PhysicsWorld::new(), Pose::IDENTITY),
            );
            let [before, after] = ride.speeds;
            let height = ride.height + 0.3 * radius;
            let is_right = 0.95 < ride.upright && height.abs() < 0.2 * radius;
            if !is_right || after < 0.95 * before {
                faults.push(format!("{name}, {kind:?}, {rate:?}: {height} m, {ride:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn without_obstacles_a_car_climbs_what_it_must_not() {
    let [with, without] =
        [true, false].map(|meets| ride("pick_up", (Kind::Box, 1.05, 0.0), 10.0, (60.0, 3), meets));
    assert!(with.place < 0.0 && 0.0 < without.place, "{with:?}, {without:?}");
}

#[test]
fn a_kerb_is_the_same_to_a_car_of_any_heading() {
    let height = 0.08;
    let climb = |heading: Real| {
        let turn = Rotation::from_rotation_y(heading);
        let mut world = PhysicsWorld::new();
        let kerb = Kerb { kind: Kind::Box, height, angle: heading };
        for ground in kerb.ground() {
            world.insert_collider(ground.friction(1.0), None);
        }
        world.detect_collisions(&(), &());
        let model = AnyVehicle::preset("hot_hatch").expect("a preset");
        let start = Vector::new(0.0, model.standing_height(GRAVITY), -3.0);
        let mut car = model.insert(&mut world, Pose::from_parts(turn * start, turn));
        car.set_velocity(&mut world.bodies, turn * Vector::Z * 1.5).expect("a body");
        for _ in 0..90 {
            car.commands_mut().throttle = 0.3;
            car.step(&mut world).expect("it drives");
        }
        turn.inverse() * world.bodies[car.body()].translation()
    };
    let straight = climb(0.0);
    for heading in [1.0, 1.5707964, 3.0] {
        let place = climb(heading);
        // Rounding alone makes a difference.
        let error = place.distance(straight);
        assert!(error < 5e-3, "heading {heading}: at {place} m, not {straight} m");
    }
}
