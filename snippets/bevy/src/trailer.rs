//! Trailers: which vehicle pulls which, and by which hitches.

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use rapier3d::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, AnyVehicle, CouplingError, VehicleFile};

use crate::{RapierWorld, VehicleFault, VehicleInWorld};

/// Most vehicles of a train.
const LONGEST_TRAIN: usize = 16;

/// Couples a vehicle, such as a trailer, to the one that pulls it. Spawned with the trailer's
/// model, it puts the trailer behind its tractor, wherever its own transform is. Given to a trailer
/// that stands, it couples it there, if the hitches are within half a meter. A trailer waits for a
/// tractor that is not in the world yet. Taking this away, or the tractor, uncouples it. To change
/// it, insert it anew.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use vehicle_bevy::{TowedBy, VehicleModel};
/// fn set_up(mut commands: Commands) -> Result {
///     let tractor = commands.spawn(VehicleModel::preset("semi_tractor")?).id();
///     commands.spawn((VehicleModel::preset("semi_trailer")?, TowedBy::new(tractor)));
///     Ok(())
/// }
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[relationship(relationship_target = Tows)]
pub struct TowedBy {
    /// The vehicle that pulls.
    #[relationship]
    pub tractor: Entity,
    /// The hitch of the one that pulls; the first of its file if none is named.
    pub hitch: Option<String>,
    /// The hitch of the one that is pulled; the first of its file if none is named.
    pub own_hitch: Option<String>,
}

impl TowedBy {
    /// Coupled to `tractor` by the first hitches of both.
    pub fn new(tractor: Entity) -> Self {
        Self { tractor, hitch: None, own_hitch: None }
    }

    /// Coupled to this `hitch` of the one that pulls.
    #[must_use]
    pub fn at(self, hitch: impl Into<String>) -> Self {
        Self { hitch: Some(hitch.into()), ..self }
    }

    /// Coupled by this `hitch` of the one that is pulled.
    #[must_use]
    pub fn by(self, hitch: impl Into<String>) -> Self {
        Self { own_hitch: Some(hitch.into()), ..self }
    }

    /// Names of the hitches of two vehicles.
    fn hitches<'a>(&'a self, tractor: &'a VehicleFile, own: &'a VehicleFile) -> [&'a str; 2] {
        [named(self.hitch.as_ref(), tractor), named(self.own_hitch.as_ref(), own)]
    }

    /// Where a trailer of `model` is put into the world, behind `tractor`.
    pub(crate) fn place(
        &self,
        tractor: &AnyRapierVehicle,
        model: &AnyVehicle,
        world: &PhysicsWorld,
    ) -> Result<Pose, CouplingError> {
        let [hitch, own] = self.hitches(tractor.vehicle.file(), model.file());
        tractor.trailer_pose(hitch, model, own, &world.bodies)
    }

    /// Couples `trailer` to `tractor` where both stand.
    fn couple(
        &self,
        tractor: &AnyRapierVehicle,
        trailer: &AnyRapierVehicle,
        world: &mut PhysicsWorld,
    ) -> Result<ImpulseJointHandle, VehicleFault> {
        let [hitch, own] = self.hitches(tractor.vehicle.file(), trailer.vehicle.file());
        Ok(tractor.couple(hitch, trailer, own, world)?)
    }
}

/// The hitch of this `name`; the first of `file` if none is named.
fn named<'a>(name: Option<&'a String>, file: &'a VehicleFile) -> &'a str {
    let first = || file.hitches.first().map_or("", |hitch| &hitch.name);
    name.map_or_else(first, String::as_str)
}

/// The vehicles that a vehicle pulls, by their [`TowedBy`].
#[derive(Component, Reflect, Debug, Default)]
#[reflect(Component, Debug, Default)]
#[relationship_target(relationship = TowedBy)]
pub struct Tows(Vec<Entity>);

impl std::ops::Deref for Tows {
    type Target = [Entity];

    fn deref(&self) -> &[Entity] {
        &self.0
    }
}

/// The joint of a trailer that is coupled.
#[derive(Component, Clone, PartialEq)]
pub(crate) struct Coupled {
    towed: TowedBy,
    bodies: [RigidBodyHandle; 2],
    joint: ImpulseJointHandle,
}

/// A vehicle that is coupled, or should be.
type Trailer<'a> = (Entity, &'a VehicleInWorld, Option<&'a TowedBy>, Option<&'a Coupled>);

/// Trailers that can be coupled or uncoupled.
type IsCoupled = (Or<(With<TowedBy>, With<Coupled>)>, Without<VehicleFault>);

/// Couples and uncouples, as [`TowedBy`] says.
pub(crate) fn couple(
    mut world: ResMut<RapierWorld>,
    trailers: Query<Trailer, IsCoupled>,
    vehicles: Query<&VehicleInWorld>,
    mut commands: Commands,
) {
    let world = &mut world.0;
    let mut wanted_anew = Vec::new();
    for (entity, trailer, towed, coupled) in &trailers {
        let tractor = towed.and_then(|towed| vehicles.get(towed.tractor).ok());
        let wanted = towed
            .zip(tractor)
            .map(|(towed, tractor)| (towed, tractor, [tractor.car.body(), trailer.car.body()]));
        let is_done = coupled.is_some_and(|coupled| {
            let is_wanted = wanted.as_ref().is_some_and(|(towed, _, bodies)| {
                (*towed, bodies) == (&coupled.towed, &coupled.bodies)
            });
            is_wanted && world.impulse_joints.contains(coupled.joint)
        });
        if is_done {
            continue;
        }
        if let Some(coupled) = coupled {
            world.impulse_joints.remove(coupled.joint, true);
            commands.entity(entity).remove::<Coupled>();
        }
        wanted_anew.extend(wanted.map(|wanted| (entity, trailer, wanted)));
    }
    // A hitch may have been that of another trailer until now.
    for (entity, trailer, (towed, tractor, bodies)) in wanted_anew {
        match towed.couple(&tractor.car, &trailer.car, world) {
            Ok(joint) => {
                let towed = towed.clone();
                commands.entity(entity).insert(Coupled { towed, bodies, joint });
            }
            Err(fault) => {
                commands.entity(entity).insert(fault);
            }
        }
    }
}

/// Lets trailers roll off with the tractors of their trains.
pub(crate) fn follow(
    mut world: ResMut<RapierWorld>,
    trailers: Query<(Entity, &TowedBy), With<Coupled>>,
    pulled: Query<&TowedBy, With<Coupled>>,
    mut vehicles: Query<&mut VehicleInWorld, Without<VehicleFault>>,
) {
    for (entity, towed) in &trailers {
        let mut tractor = towed.tractor;
        for _ in 0..LONGEST_TRAIN {
            let Ok(next) = pulled.get(tractor) else { break };
            tractor = next.tractor;
        }
        if let Ok([mut trailer, tractor]) = vehicles.get_many_mut([entity, tractor]) {
            trailer.car.follow(&tractor.car.vehicle, &mut world.0.bodies);
        }
    }
}
