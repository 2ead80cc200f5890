//! The ghost car: Rapier's own `DynamicRayCastVehicleController` on the same chassis, with the same
//! inputs, in a world of its own.

use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::prelude::*;
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::math::{PI, sin_cos};
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::engine::{EngineParams, engine_torque};
use vehicle_rapier::drivetrain::gearbox::GearboxParams;
use vehicle_rapier::drivetrain::instruments::{DisplayedGear, Instruments};
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle};

use crate::worlds::World;
use crate::{DT, Error};

/// Power per mass of a ghost whose original has no single engine (W/kg), and its largest
/// acceleration (m/s²).
const USUAL_DRIVE: [Real; 2] = [80.0, 4.5];

/// What pulls the ghost: an engine of constant power, up to a largest force.
///
/// ```text
/// F = c min(P / |v|, F_max)
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pull {
    power: Real,
    max_force: Real,
}

impl Pull {
    fn of_engine(engine: &EngineParams, gearbox: &GearboxParams, radius: Real) -> Self {
        let speeds = (1..=20).map(|part| part as Real / 20.0);
        let power = speeds.map(|share| {
            let speed = share * engine.max_speed;
            speed * engine_torque(engine, 1.0, speed)
        });
        let first = gearbox.ratios.get(gearbox.neutral + 1).copied().unwrap_or(1.0);
        Self {
            power: power.fold(0.0, Real::max),
            max_force: engine.peak_torque * first * gearbox.final_ratio / radius,
        }
    }

    fn of(car: &AnyRapierVehicle) -> Self {
        let params = car.mechanics().params;
        let radius = params.wheels.first().map_or(0.3, |wheel| wheel.radius);
        if let (Some(engine), Some(gearbox)) = (car.vehicle.engine(), car.vehicle.gearbox()) {
            return Self::of_engine(engine, gearbox, radius);
        }
        let [power, acceleration] = USUAL_DRIVE.map(|each| each * params.rigid_body.mass);
        Self { power, max_force: acceleration }
    }

    fn force(&self, throttle: Real, speed: Real) -> Real {
        throttle * (self.power / speed.abs().max(0.1)).min(self.max_force)
    }
}

/// Rapier's own vehicle, beside the one that is driven.
pub(crate) struct Ghost {
    world: World,
    controller: DynamicRayCastVehicleController,
    pull: Pull,
    poses: [Pose; 2],
    /// How far each wheel has turned (rad), in the last step but one and the last.
    angles: [Vec<Real>; 2],
}

impl Ghost {
    /// A ghost of `car` where it is, in a world as the one that it is `beside`.
    pub(crate) fn new(
        beside: &World,
        vehicle: &AnyVehicle,
        car: &AnyRapierVehicle,
        motion: &RigidBody,
    ) -> Result<Self, Error> {
        // Loose parts are as they were at first.
        let mut world = World::after(beside.kind, beside.steps(), DT)?;
        let original = vehicle.insert(&mut world.physics, *motion.position());
        let body = original.body();
        let chassis = &mut world.physics.bodies[body];
        // The controller leaves gravity to the world.
        chassis.set_gravity_scale(1.0, true);
        chassis.set_linvel(motion.linvel(), true);
        chassis.set_angvel(motion.angvel(), true);
        let mechanics = vehicle.mechanics();
        let center = world.physics.bodies[body].local_center_of_mass();
        let controller = controller(body, center, mechanics);
        let wheel_count = mechanics.axles.wheel_count();
        let pose = *motion.position();
        Ok(Self {
            world,
            controller,
            pull: Pull::of(car),
            poses: [pose; 2],
            angles: [vec![0.0; wheel_count], vec![0.0; wheel_count]],
        })
    }

    /// Puts it at rest where its original is.
    pub(crate) fn put(&mut self, pose: Pose) {
        let body = &mut self.world.physics.bodies[self.controller.chassis];
        body.set_position(pose, true);
        body.set_vels(RigidBodyVelocity::zero(), true);
        self.poses = [pose; 2];
    }

    /// A step with the controls that its original has.
    pub(crate) fn step(&mut self, car: &AnyRapierVehicle) {
        let mechanics = car.mechanics();
        let commands = car.commands();
        let is_reverse = matches!(car.displayed_gear(), DisplayedGear::Reverse(_));
        let sign = if is_reverse { -1.0 } else { 1.0 };
        let speed = self.controller.current_vehicle_speed;
        let force = sign * self.pull.force(commands.throttle, speed);
        let actuations = &mechanics.state.actuations;
        let driven_count = actuations.iter().filter(|wheel| wheel.is_driven).count().max(1);
        for (index, wheel) in self.controller.wheels_mut().iter_mut().enumerate() {
            let share =
                if actuations.of(index).is_driven { 1.0 / driven_count as Real } else { 0.0 };
            wheel.engine_force = force * share;
            wheel.brake = brake_torque(mechanics.params, commands, index) / wheel.radius * DT;
            wheel.steering = mechanics.state.steer_angles.of(index);
        }
        self.world.move_parts();
        let chassis = self.controller.chassis;
        let physics = &mut self.world.physics;
        physics.bodies[chassis].wake_up(true);
        let filter = QueryFilter::default().exclude_sensors().exclude_rigid_body(chassis);
        let queries = physics.broad_phase.as_query_pipeline_mut(
            physics.narrow_phase.query_dispatcher(),
            &mut physics.bodies,
            &mut physics.colliders,
            filter,
        );
        self.controller.update_vehicle(DT, queries);
        physics.step();
        self.poses = [self.poses[1], *physics.bodies[chassis].position()];
        self.angles.swap(0, 1);
        for (angle, wheel) in self.angles[1].iter_mut().zip(self.controller.wheels()) {
            *angle = wheel.rotation;
        }
    }

    /// Pose of its body (m) at the part `share` of the way between the last two steps.
    pub(crate) fn pose(&self, share: Real) -> Pose {
        self.poses[0].lerp(&self.poses[1], share)
    }

    /// Pose of a wheel (m), turned about its axle, +x.
    pub(crate) fn wheel_pose(&self, wheel: usize, share: Real) -> Option<Pose> {
        let shown = self.controller.wheels().get(wheel)?;
        let down = shown.direction_cs * shown.raycast_info().suspension_length;
        let place = shown.chassis_connection_point_cs + down;
        let [before, after] = [&self.angles[0], &self.angles[1]].map(|angles| angles[wheel]);
        // The angle is brought back into one turn from time to time.
        let turn = (after - before + PI).rem_euclid(2.0 * PI) - PI;
        let angle = before + share * turn;
        let steered = Rotation::from_rotation_y(shown.steering);
        let (sine, cosine) = sin_cos(0.5 * angle);
        let spin = Rotation::from_xyzw(sine, 0.0, 0.0, cosine);
        Some(self.pose(share) * Pose::from_parts(place, steered * spin))
    }

    /// Forward speed (m/s).
    pub(crate) fn speed(&self) -> Real {
        let body = &self.world.physics.bodies[self.controller.chassis];
        body.linvel().dot(*body.rotation() * Vector::Z)
    }
}

/// Brake torque of a wheel (N·m).
fn brake_torque(params: &MechanicalParams<AnyTire>, commands: &Commands, wheel: usize) -> Real {
    let brakes = params.brakes.iter().zip(commands.brakes);
    brakes
        .map(|(response, command)| {
            let multiplier = response.wheel_multipliers.get(wheel).copied().unwrap_or(0.0);
            response.max_response * multiplier * command
        })
        .sum()
}

/// Rapier's controller with the numbers of `mechanics`, whose center of mass is at `center` (m).
fn controller(
    body: RigidBodyHandle,
    center: Vector,
    mechanics: &MechanicalParams<AnyTire>,
) -> DynamicRayCastVehicleController {
    let mut controller = DynamicRayCastVehicleController::new(body);
    (controller.index_up_axis, controller.index_forward_axis) = (1, 2);
    for (wheel, suspension) in mechanics.suspensions.iter().enumerate() {
        let travel = suspension.travel_distance;
        // The controller takes a stiffness about the length at rest, without the load of the
        // vehicle: the spring is so long that it carries its wheel's share where the original does.
        let spring = &mechanics.suspension_forces[wheel];
        let mass = mechanics.rigid_body.mass;
        let tuning = WheelTuning {
            suspension_stiffness: spring.stiffness / mass,
            suspension_compression: spring.damping / mass,
            suspension_damping: spring.damping / mass,
            max_suspension_travel: travel,
            side_friction_stiffness: 1.0,
            friction_slip: 1.0,
            max_suspension_force: Real::MAX,
        };
        controller.add_wheel(
            center + suspension.wheel_mount(),
            suspension.travel_direction,
            // Forward is the normal of the road × the axle.
            -Vector::X,
            travel,
            mechanics.wheels[wheel].radius,
            &tuning,
        );
    }
    controller
}
