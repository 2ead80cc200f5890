//! A truck: a tractor with an engine that pulls a trailer, which has none, on a joint.
//!
//! A trailer has no drive that would release its sticky tires: it would hold the tractor back for
//! ever. So the tractor's intention to accelerate releases them, before or after its own update.

use anyhow::Result;
use playground::LookKind;
use rapier3d::prelude::*;
use vehicle_rapier::core::suspension::SuspensionParams;
use vehicle_rapier::core::{Frame, SimulationParams};
use vehicle_rapier::prelude::*;

use crate::drive::{Controlled, Driven};
use crate::recorder::Recorded;
use crate::schedule::Controls;
use crate::telemetry::Channel;
use crate::vehicle_figure::VehicleFigure;

/// Start of the names of the trailer's channels.
pub const TRAILER: &str = "trailer ";

/// Channels of the joint: the trailer's heading and pitch as the tractor sees them.
pub const HITCH_CHANNELS: [(&str, &str); 2] = [("hitch yaw", "rad"), ("hitch pitch", "rad")];

/// Largest pitch between tractor and trailer (rad).
const MAX_HITCH_PITCH: Real = 0.35;

/// Distance of the joint from the axle before it and from that behind it (m).
const HITCH_DISTANCE: Real = 1.5;

/// What the tractor looks like: it has the size of a car.
const TRACTOR_LOOK: &str = "Pick-up";

/// How tractor and trailer are coupled. They always turn and roll freely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hitch {
    /// They pitch freely, up to 0.35 rad.
    #[default]
    Free,
    /// They pitch as one, as the reference's do.
    LockedPitch,
}

/// In which order the vehicles of a truck are updated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateOrder {
    /// The tractor's intention of the step before releases the trailer, then both are updated, in
    /// any order, or at the same time by two threads.
    #[default]
    ReleaseFirst,
    /// The tractor is updated, its intention releases the trailer in the same step, then the
    /// trailer is updated: no step is lost, but one update waits for the other.
    TractorFirst,
}

/// A tractor and its trailer.
pub struct Truck {
    /// Pulls.
    pub tractor: RapierVehicle<EngineDriveVehicle>,
    /// Is pulled, and brakes.
    pub trailer: RapierVehicle<DirectDriveVehicle>,
    /// In which order both are updated.
    pub order: UpdateOrder,
}

/// Heading and pitch of the body of a `trailer` as that of its `tractor` sees them, whose axes are
/// those of `frame` (rad); `None` if one is gone.
pub(crate) fn hitch_angles(
    world: &PhysicsWorld,
    tractor: RigidBodyHandle,
    trailer: RigidBodyHandle,
    frame: &Frame,
) -> Option<[Real; 2]> {
    let rotation = |body| world.bodies.get(body).map(RigidBody::rotation);
    let forward = rotation(tractor)?.inverse() * (rotation(trailer)? * frame.longitudinal());
    let along = |axis: Vector| forward.dot(axis);
    let yaw = along(frame.lateral()).atan2(along(frame.longitudinal()));
    Some([yaw, along(frame.vertical()).clamp(-1.0, 1.0).asin()])
}

/// Channels of the hitch, and of what it pulls, which has these `channels` by itself.
pub(crate) fn trailer_channels(channels: Vec<Channel>) -> impl Iterator<Item = Channel> {
    let of_hitch = HITCH_CHANNELS.map(|(name, unit)| Channel::new(name, unit));
    let of_trailer = channels.into_iter().map(|channel| {
        let name = format!("{TRAILER}{}", channel.name);
        Channel { name, ..channel }
    });
    of_hitch.into_iter().chain(of_trailer)
}

impl Driven for Truck {
    fn update(&mut self, controls: &Controls, world: &mut PhysicsWorld) -> Result<(), StepError> {
        self.tractor.vehicle.take(controls);
        self.trailer.vehicle.commands.brakes = controls.commands.brakes;
        match self.order {
            UpdateOrder::ReleaseFirst => {
                self.trailer.follow(&self.tractor.vehicle, &mut world.bodies);
                self.tractor.update(&mut *world)?;
            }
            UpdateOrder::TractorFirst => {
                self.tractor.update(&mut *world)?;
                self.trailer.follow(&self.tractor.vehicle, &mut world.bodies);
            }
        }
        self.trailer.update(world)?;
        Ok(())
    }

    fn simulations_mut(&mut self) -> Vec<&mut SimulationParams> {
        vec![&mut self.tractor.params, &mut self.trailer.params]
    }
}

impl Recorded for Truck {
    fn channels(&self, wheels: &[&str]) -> Vec<Channel> {
        let of_trailer = trailer_channels(self.trailer.channels(wheels));
        self.tractor.channels(wheels).into_iter().chain(of_trailer).collect()
    }

    fn add_values(&self, world: &PhysicsWorld, row: &mut Vec<f64>) -> Result<()> {
        self.tractor.add_values(world, row)?;
        let (tractor, frame) = (&self.tractor.actor, &self.tractor.params.coordinates.frame);
        let angles = hitch_angles(world, tractor.body, self.trailer.actor.body, frame);
        row.extend(angles.into_iter().flatten().map(f64::from));
        self.trailer.add_values(world, row)
    }

    fn figures(&self, world: &PhysicsWorld) -> Vec<VehicleFigure> {
        let tractor = VehicleFigure::of(&self.tractor, world, TRACTOR_LOOK, LookKind::Car);
        let trailer = VehicleFigure::of(&self.trailer, world, "trailer", LookKind::Trailer);
        vec![tractor.titled("tractor"), trailer]
    }
}

/// Where the joint is in the bodies of a tractor and a trailer of these suspensions (m): behind the
/// tractor's rear axle, and before the trailer's front axle.
pub fn hitch_anchors(suspensions: &[SuspensionParams], center_of_mass: Vector) -> [Vector; 2] {
    let (front, rear) = suspensions.split_at(suspensions.len() / 2);
    let distance = Vector::Z * HITCH_DISTANCE;
    [center_of_mass + middle(rear) - distance, center_of_mass + middle(front) + distance]
}

/// Mean of the attachments (m).
fn middle(suspensions: &[SuspensionParams]) -> Vector {
    let sum =
        suspensions.iter().map(|suspension| suspension.attachment.translation).sum::<Vector>();
    sum / suspensions.len() as Real
}

/// The joint between a tractor and a trailer with these anchors (m).
pub fn hitch_joint(hitch: Hitch, anchors: [Vector; 2]) -> GenericJoint {
    let [tractor, trailer] = anchors;
    let joint = GenericJointBuilder::new(JointAxesMask::LOCKED_SPHERICAL_AXES)
        .local_anchor1(tractor)
        .local_anchor2(trailer)
        .contacts_enabled(false);
    // The lateral axis is x.
    let joint = match hitch {
        Hitch::Free => joint.limits(JointAxis::AngX, [-MAX_HITCH_PITCH, MAX_HITCH_PITCH]),
        Hitch::LockedPitch => {
            joint.locked_axes(JointAxesMask::LOCKED_SPHERICAL_AXES | JointAxesMask::ANG_X)
        }
    };
    joint.build()
}
