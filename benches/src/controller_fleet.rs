//! Rapier's own vehicle, fitted out as the sample car.

use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::prelude::*;
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME};
use vehicle_rapier::core::commands::linear_response;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::drivetrain::DirectDriveParams;
use vehicle_rapier::drivetrain::DirectDriveVehicle;

use crate::parade_ground::{Motion, insert_body, world};
use crate::{COMMANDS, DT, Errand, Fleet, SampleVehicle, settle};

/// Vehicles of Rapier's `DynamicRayCastVehicleController`: a ray per wheel, and a body per vehicle.
pub struct ControllerFleet {
    world: PhysicsWorld,
    controllers: Vec<DynamicRayCastVehicleController>,
    settled: Vec<(DynamicRayCastVehicleController, Motion)>,
}

impl ControllerFleet {
    /// A settled fleet of `count` vehicles.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn new(count: usize) -> anyhow::Result<Self> {
        let params = DirectDriveVehicle::sample_params()?;
        let mut world = world();
        let mut controllers = Vec::with_capacity(count);
        for index in 0..count {
            let body =
                insert_body(&mut world, &params.mechanics.rigid_body, index, Errand::Driving).body;
            // The controller leaves gravity to the world.
            world.bodies[body].set_gravity_scale(1.0, false);
            controllers.push(controller(body, &params));
        }
        world.detect_collisions(&(), &());
        let mut fleet = Self { world, controllers, settled: Vec::new() };
        settle(&mut fleet)?;
        let bodies = &fleet.world.bodies;
        let record = |controller: &DynamicRayCastVehicleController| {
            (controller.clone(), Motion::of(controller.chassis, bodies))
        };
        fleet.settled = fleet.controllers.iter().map(record).collect();
        Ok(fleet)
    }
}

fn controller(
    body: RigidBodyHandle,
    params: &DirectDriveParams,
) -> DynamicRayCastVehicleController {
    let DirectDriveParams { mechanics, throttle } = params;
    let mut controller = DynamicRayCastVehicleController::new(body);
    (controller.index_up_axis, controller.index_forward_axis) = (1, 2);
    for (wheel, suspension) in mechanics.suspensions.iter().enumerate() {
        let radius = mechanics.wheels[wheel].radius;
        // Forward is the normal of the road × the axle.
        let added = controller.add_wheel(
            SAMPLE_CENTER_OF_MASS + suspension.attachment.translation,
            suspension.travel_direction,
            -SAMPLE_FRAME.lateral(),
            suspension.travel_distance,
            radius,
            &tuning(mechanics, wheel),
        );
        added.steering = linear_response(&mechanics.steering, COMMANDS.steer, wheel);
        added.engine_force = linear_response(throttle, COMMANDS.throttle, wheel) / radius;
    }
    controller
}

/// The sample car's spring and damper, which the controller divides by the vehicle's mass, with
/// friction 1.
fn tuning(mechanics: &MechanicalParams, wheel: usize) -> WheelTuning {
    let mass = mechanics.rigid_body.mass;
    let spring = &mechanics.suspension_forces[wheel];
    WheelTuning {
        suspension_stiffness: spring.stiffness / mass,
        suspension_compression: spring.damping / mass,
        suspension_damping: spring.damping / mass,
        max_suspension_travel: mechanics.suspensions[wheel].travel_distance,
        side_friction_stiffness: 1.0,
        friction_slip: 1.0,
        max_suspension_force: Real::MAX,
    }
}

impl Fleet for ControllerFleet {
    fn update(&mut self) -> anyhow::Result<()> {
        let world = &mut self.world;
        for controller in &mut self.controllers {
            let filter =
                QueryFilter::default().exclude_sensors().exclude_rigid_body(controller.chassis);
            let queries = world.broad_phase.as_query_pipeline_mut(
                world.narrow_phase.query_dispatcher(),
                &mut world.bodies,
                &mut world.colliders,
                filter,
            );
            controller.update_vehicle(DT, queries);
        }
        Ok(())
    }

    fn step_world(&mut self) {
        self.world.step();
    }

    fn restore(&mut self) {
        for (controller, (settled, motion)) in self.controllers.iter_mut().zip(&self.settled) {
            controller.clone_from(settled);
            motion.restore(&mut self.world.bodies);
        }
    }

    fn velocities(&self) -> Vec<Vector> {
        let velocity = |controller: &DynamicRayCastVehicleController| {
            self.world.bodies[controller.chassis].linvel()
        };
        self.controllers.iter().map(velocity).collect()
    }

    fn grounded_wheels(&self) -> usize {
        let wheels = self.controllers.iter().flat_map(DynamicRayCastVehicleController::wheels);
        wheels.filter(|wheel| wheel.raycast_info().is_in_contact).count()
    }
}
