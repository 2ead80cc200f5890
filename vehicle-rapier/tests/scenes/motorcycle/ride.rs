//! A motorcycle in a world of its own, and who drives it.

use rapier3d::prelude::*;
use snippets::presets;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::math::Vec3;
use vehicle_rapier::core::vehicle::HasMechanics;
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::rider::{Rider, SingleTrack};
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle, AnyVehicle};
use vehicle_rapier::{Activity, RoadQueryShape};

/// How a ride is simulated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Steps per second.
    pub(crate) rate: Real,
    /// Substeps per step; as many as usual if none.
    pub(crate) substeps: Option<u32>,
    pub(crate) shape: RoadQueryShape,
}

pub(crate) const USUAL: Setting =
    Setting { rate: 60.0, substeps: None, shape: RoadQueryShape::Cylinder };

/// Frame rates, substeps and road queries.
pub(crate) const SETTINGS: [Setting; 6] = [
    USUAL,
    Setting { shape: RoadQueryShape::Ray, ..USUAL },
    Setting { rate: 30.0, substeps: Some(1), ..USUAL },
    Setting { rate: 30.0, substeps: Some(3), shape: RoadQueryShape::Ray },
    Setting { rate: 240.0, substeps: Some(1), shape: RoadQueryShape::Ray },
    Setting { rate: 240.0, substeps: Some(3), ..USUAL },
];

/// Lateral acceleration by gravity that full steering asks for on a road of friction 1.1, where the
/// steering lock does not bound it.
pub(crate) const FULL_STEER: Real = 0.62 * 1.1;

/// Notes what is wrong, so that a test tells all of it.
macro_rules! note {
    ($faults:expr, $holds:expr, $($what:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            $faults.push(format!($($what)+));
        }
    };
}

pub(crate) use note;

/// A motorcycle on a plane of friction 1.1.
pub(crate) struct Ride {
    pub(crate) world: PhysicsWorld,
    pub(crate) motorcycle: AnyRapierVehicle,
    pub(crate) time: Real,
    pub(crate) ground: ColliderHandle,
}

pub(crate) fn motorcycle(setting: &Setting) -> AnyVehicle {
    let mut file = presets::vehicle("motorcycle").expect("no faults").file().clone();
    file.substeps = setting.substeps;
    file.road_query = setting.shape;
    AnyVehicle::new(file, "").expect("no faults")
}

impl Ride {
    /// At rest on a plane that goes up by `slope` (rad) ahead and by `bank` to the right.
    pub(crate) fn at_rest(setting: &Setting, slope: Real, bank: Real) -> Self {
        let turn = Rotation::from_rotation_x(-slope) * Rotation::from_rotation_z(-bank);
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = 1.0 / setting.rate;
        let ground = SharedShape::halfspace(turn * Vector::Y);
        let ground = world.insert_collider(ColliderBuilder::new(ground).friction(1.1), None);
        world.detect_collisions(&(), &());
        let model = motorcycle(setting);
        let height = model.standing_height(GRAVITY);
        let upright = Rotation::from_rotation_x(-slope);
        let place = turn * (Vector::Y * height / bank.cos());
        let motorcycle = model.insert(&mut world, Pose::from_parts(place, upright));
        Self { world, motorcycle, time: 0.0, ground }
    }

    /// Upright on level ground at `speed` (m/s), in neutral.
    pub(crate) fn rolling(setting: &Setting, speed: Real) -> Self {
        let mut ride = Self::at_rest(setting, 0.0, 0.0);
        ride.motorcycle.select(Selector::Neutral);
        ride.run(1.0, |_| {});
        let body = ride.motorcycle.body();
        ride.world.bodies[body].set_linvel(Vector::Z * speed, true);
        let AnyDrive::Motorcycle(bike) = &mut ride.motorcycle.vehicle.drive else {
            panic!("a motorcycle")
        };
        let radii = bike.params().mechanics.wheels.iter().map(|wheel| wheel.radius);
        let radii: Vec<_> = radii.collect();
        for (wheel, radius) in radii.into_iter().enumerate() {
            let states = &mut bike.mechanics().state.wheels;
            states.edit(wheel, |motion| motion.rotation_speed = speed / radius);
        }
        ride
    }

    pub(crate) fn step(&mut self) -> Activity {
        self.time += self.world.integration_parameters.dt;
        self.motorcycle.step(&mut self.world).expect("it can be ridden")
    }

    /// Rides for `seconds`, controlled by `control` before each step.
    pub(crate) fn run(&mut self, seconds: Real, mut control: impl FnMut(&mut Self)) -> Activity {
        let steps = (seconds / self.world.integration_parameters.dt).round() as usize;
        let mut activity = Activity::Awake;
        for _ in 0..steps {
            control(self);
            activity = self.step();
        }
        activity
    }

    pub(crate) fn body(&self) -> &RigidBody {
        &self.world.bodies[self.motorcycle.body()]
    }

    pub(crate) fn place(&self) -> Vector {
        self.body().center_of_mass()
    }

    pub(crate) fn speed(&self) -> Real {
        let velocity = self.body().linvel();
        velocity.x.hypot(velocity.z)
    }

    /// Unit vector along the heading, level.
    pub(crate) fn heading(&self) -> Vector {
        let forward = self.body().rotation() * Vector::Z;
        Vector::new(forward.x, 0.0, forward.z).normalize()
    }

    /// Lean to the left (rad).
    pub(crate) fn lean(&self) -> Real {
        let rotation = *self.body().rotation();
        (-(rotation * Vector::X).y).atan2((rotation * Vector::Y).y)
    }

    /// Lean of the line from the contacts to the center of mass, seen along the heading, to the
    /// left (rad).
    pub(crate) fn lean_of_line(&self) -> Real {
        let state = self.motorcycle.mechanics().state;
        let (mut arm, mut weight) = (Vec3::ZERO, 0.0);
        for wheel in 0..2 {
            let load = state.suspensions.of(wheel).force.normal_load;
            arm += state.tires.of(wheel).force.arm * load;
            weight += load;
        }
        let up = -arm / weight;
        let left = Vector::Y.cross(self.heading());
        up.dot(left).atan2(up.y)
    }

    /// Holds `speed` (m/s) as the air and the tires slow it down, by a force at the center of mass
    /// along its way.
    pub(crate) fn hold_speed(&mut self, speed: Real) {
        let body = self.motorcycle.body();
        let pull = (speed - self.speed()) * 2.0 * self.body().mass();
        let velocity = self.body().linvel();
        let force = Vector::new(velocity.x, 0.0, velocity.z).normalize_or_zero() * pull;
        let body = &mut self.world.bodies[body];
        body.reset_forces(true);
        body.reset_torques(true);
        body.add_force(force, true);
    }

    /// Its rider.
    pub(crate) fn rider(&self) -> &Rider {
        let AnyDrive::Motorcycle(bike) = &self.motorcycle.vehicle.drive else {
            panic!("a motorcycle")
        };
        &bike.state.own
    }

    pub(crate) fn steer(&mut self, steer: Real) {
        self.motorcycle.commands_mut().steer = steer;
    }

    pub(crate) fn pedals(&mut self, throttle: Real, brake: Real) {
        let commands = self.motorcycle.commands_mut();
        (commands.throttle, commands.brakes[0]) = (throttle, brake);
    }
}

pub(crate) fn track(ride: &Ride) -> SingleTrack {
    let AnyDrive::Motorcycle(bike) = &ride.motorcycle.vehicle.drive else { panic!("a motorcycle") };
    *bike.own_params().track()
}
