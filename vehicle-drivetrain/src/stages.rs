//! The stages of drivetrains as components; [`sequences`](crate::sequences) puts them in order.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::math::Real;
use vehicle_core::{Component, Context, WheelCoupling};

use crate::aided::{AidPhase, HasAids};
use crate::block_drive::HasBlockDrive;
use crate::differential::TestedSpeeds;
use crate::direct_drive::HasDirectDrive;
use crate::drivetrain::HasDrivetrain;

/// Lets the [aids](crate::aids) of a vehicle act in one of the phases of a frame; those without
/// aids have nothing to do.
#[derive(Clone, Copy, Debug)]
pub struct AidIntervention(pub AidPhase);

impl<V: HasAids + ?Sized> Component<V> for AidIntervention {
    #[inline]
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.update_aids(self.0, dt, context);
        Continue(())
    }
}

/// From throttle and gear of a direct drive to drive torques and actuations. It follows the brakes.
#[derive(Clone, Copy, Debug)]
pub struct DirectThrottle;

impl<V: HasDirectDrive + ?Sized> Component<V> for DirectThrottle {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.direct_throttle().update(context);
        Continue(())
    }
}

/// From drive torques that are written from outside to actuations, in the place of
/// [`DirectThrottle`].
#[derive(Clone, Copy, Debug)]
pub struct WrittenTorques;

impl<V: HasDirectDrive + ?Sized> Component<V> for WrittenTorques {
    fn update(&self, vehicle: &mut V, _dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        vehicle.direct_throttle().update_actuations();
        Continue(())
    }
}

/// From torques of a direct drive to the rotation speeds of wheels. It follows the tires.
#[derive(Clone, Copy, Debug)]
pub struct DirectDrive;

impl<V: HasDirectDrive + ?Sized> Component<V> for DirectDrive {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.direct_drive().update(dt, context);
        Continue(())
    }
}

/// Brakes the tracks of a tank by its driver's
/// [`track_brakes`](crate::transmission::TransmissionCommands::track_brakes); nothing in any other
/// vehicle. It comes right after [`Brakes`](vehicle_core::stages::Brakes).
///
/// A lever presses the foot brake of the wheels of its tracks alone, so that a tank that has a foot
/// brake needs nothing else. The larger of the two commands counts, wheel by wheel:
///
/// ```text
/// T = response(max(c_foot, c_track)) + response(c_hand)
/// ```
///
/// - Whoever presses both does not brake with more than the brakes have, and both levers are the
///   foot brake.
/// - The command passes through what the foot brake has: its table at the speed of the vehicle, a
///   dead zone, and the load-sensing valves of its axles. The hand brake adds to it, as it does to
///   the foot brake.
/// - A track that is braked with more than its tires can give locks and slides, and turns the tank
///   by no more than that. A track on ice hardly turns it.
/// - The engine turns a track that is braked alone the less, and the other one the more: see
///   [`clutched`](crate::differential::TankDifferentialParams::clutched).
/// - Where the first of the brakes acts on some wheels only, such as one track of two, levers brake
///   no others.
#[derive(Clone, Copy, Debug)]
pub struct TrackBrakes;

impl<V: HasDrivetrain + ?Sized> Component<V> for TrackBrakes {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let Some(pedals) = vehicle.drivetrain().differential().track_pedals() else {
            return Continue(());
        };
        for (wheel, pedal) in pedals.into_iter().enumerate() {
            vehicle.mechanics().brakes().press(wheel, pedal, context);
        }
        Continue(())
    }
}

/// From wheel speeds and thrusts to the shares of a differential and the groups of its wheels: once
/// per frame, before the actuation.
#[derive(Clone, Copy, Debug)]
pub struct TorqueDistribution;

impl<V: HasDrivetrain + ?Sized> Component<V> for TorqueDistribution {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let tested = match context.params.wheel_coupling {
            WheelCoupling::Implicit => TestedSpeeds::Solved,
            WheelCoupling::Explicit => TestedSpeeds::StartOfFrame,
        };
        vehicle.drivetrain().differential().update(tested, dt);
        Continue(())
    }
}

/// From the driver's controls to gear, clutch and throttle: once per frame, after the differential,
/// which says how the wheels turn the gearbox. The gearbox's clock runs in the substeps.
#[derive(Clone, Copy, Debug)]
pub struct Transmission;

impl<V: HasDrivetrain + ?Sized> Component<V> for Transmission {
    fn update(&self, vehicle: &mut V, dt: Real, _: &Context<'_>) -> ControlFlow<()> {
        vehicle.drivetrain().transmission().update(dt);
        Continue(())
    }
}

/// From engine and brakes to actuations: which wheels drive and brake. It follows brakes,
/// transmission and differential.
#[derive(Clone, Copy, Debug)]
pub struct EngineActuation;

impl<V: HasDrivetrain + ?Sized> Component<V> for EngineActuation {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.drivetrain().engine_actuation().update(context);
        Continue(())
    }
}

/// From the throttle to the rotation speeds of engine and wheels. It follows the tires.
#[derive(Clone, Copy, Debug)]
pub struct EngineDrive;

impl<V: HasDrivetrain + ?Sized> Component<V> for EngineDrive {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.drivetrain().engine_drive().update(dt, context);
        Continue(())
    }
}

/// From the driver's controls to the inputs of blocks and to actuations. It follows the brakes.
/// Inputs that a driver aid writes after it hold.
#[derive(Clone, Copy, Debug)]
pub struct BlockCommands;

impl<V: HasBlockDrive + ?Sized> Component<V> for BlockCommands {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.block_drive().command(context);
        Continue(())
    }
}

/// From the inputs of blocks to the rotation speeds of all shafts and wheels. It follows the tires.
#[derive(Clone, Copy, Debug)]
pub struct BlockDrive;

impl<V: HasBlockDrive + ?Sized> Component<V> for BlockDrive {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.block_drive().update(dt, context);
        Continue(())
    }
}
