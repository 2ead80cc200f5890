//! Vehicles from the files of presets in a Rapier world.

use anyhow::bail;
use rapier3d::prelude::*;
use vehicle_rapier::core::suspension::SuspensionState;
use vehicle_rapier::fleet::VehicleHandle;
use vehicle_rapier::vehicle_file::{AnyDriveVehicle, AnyRapierVehicle, AnyVehicle};

use crate::parade_ground::{Motion, START_VELOCITY, start_pose, world};
use crate::rapier_fleet::{Turns, on_this_thread};
use crate::{COMMANDS, Errand, Fleet, PARK, settle};

/// Vehicles of one preset in a Rapier world, made of its file and with all of its settings. This
/// thread does all of the work.
pub struct PresetFleet {
    world: PhysicsWorld,
    vehicles: vehicle_rapier::Fleet,
    handles: Vec<VehicleHandle<AnyDriveVehicle>>,
    turns: Turns,
    settled: Vec<(AnyRapierVehicle, Motion)>,
}

impl PresetFleet {
    /// A settled fleet of `count` vehicles of the preset `name` on an `errand`, that take these
    /// `turns`.
    ///
    /// # Errors
    ///
    /// If there is no such preset.
    pub fn new(name: &str, count: usize, errand: Errand, turns: Turns) -> anyhow::Result<Self> {
        let model = AnyVehicle::preset(name)?;
        let mut world = world();
        let mut vehicles = vehicle_rapier::Fleet::new();
        let mut handles = Vec::with_capacity(count);
        for index in 0..count {
            let mut pose = start_pose(index);
            pose.translation.y = model.standing_height(9.81);
            let mut vehicle = model.insert(&mut world, pose);
            *vehicle.commands_mut() = if errand == Errand::Driving { COMMANDS } else { PARK };
            if errand == Errand::Driving {
                vehicle.set_velocity(&mut world.bodies, START_VELOCITY)?;
            }
            let body = &mut world.bodies[vehicle.body()];
            if errand != Errand::Sleeping {
                *body.activation_mut() = RigidBodyActivation::cannot_sleep();
            }
            // Contacts are not what is measured.
            let alone =
                InteractionGroups::new(Group::GROUP_2, Group::NONE, InteractionTestMode::And);
            for &hull in body.colliders() {
                world.colliders[hull].set_collision_groups(alone);
            }
            handles.push(vehicles.insert(vehicle));
        }
        world.detect_collisions(&(), &());
        let mut fleet = Self { world, vehicles, handles, turns, settled: Vec::new() };
        settle(&mut fleet)?;
        if errand != Errand::Driving {
            settle(&mut fleet)?;
            settle(&mut fleet)?;
        }
        let bodies = &fleet.world.bodies;
        let vehicles = fleet.vehicles.iter::<AnyDriveVehicle>();
        let record = |(_, vehicle): (_, &AnyRapierVehicle)| {
            (vehicle.clone(), Motion::of(vehicle.body(), bodies))
        };
        fleet.settled = vehicles.map(record).collect();
        Ok(fleet)
    }
}

impl Fleet for PresetFleet {
    fn update(&mut self) -> anyhow::Result<()> {
        let Self { world, vehicles, turns, .. } = self;
        match turns {
            Turns::OneByOne => {
                for (_, vehicle) in vehicles.iter_mut::<AnyDriveVehicle>() {
                    vehicle.update(&mut *world)?;
                }
            }
            Turns::SideBySide => {
                if let Some(fault) = on_this_thread(|| vehicles.update(world).first().cloned()) {
                    bail!("{fault}");
                }
            }
        }
        Ok(())
    }

    fn step_world(&mut self) {
        self.world.step();
    }

    fn restore(&mut self) {
        for (&handle, (settled, motion)) in self.handles.iter().zip(&self.settled) {
            self.vehicles[handle].clone_from(settled);
            motion.restore(&mut self.world.bodies);
        }
    }

    fn velocities(&self) -> Vec<Vector> {
        let vehicles = self.vehicles.iter::<AnyDriveVehicle>();
        vehicles.map(|(_, vehicle)| self.world.bodies[vehicle.body()].linvel()).collect()
    }

    fn grounded_wheels(&self) -> usize {
        let vehicles = self.vehicles.iter::<AnyDriveVehicle>();
        let suspensions = vehicles.flat_map(|(_, vehicle)| &vehicle.mechanics().state.suspensions);
        suspensions.filter(SuspensionState::is_on_ground).count()
    }
}
