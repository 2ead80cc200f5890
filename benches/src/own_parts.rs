//! Cars of which one part is another.

use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

use rapier3d::prelude::*;
use snippets::anti_lock::{AntiLock, AntiLockBrake, AntiLockParams};
use snippets::lowrider::{Dance, HydraulicSuspension};
use snippets::vehicles::{sample_direct_drive, sample_hydraulics};
use vehicle_rapier::core::commands::Commands;
use vehicle_rapier::core::math::lanes::{Lanes, Real4, Vec3x4};
use vehicle_rapier::core::rigid_body::RigidBodyState;
use vehicle_rapier::core::sequence::Recoverable;
use vehicle_rapier::core::stages::{Suspension, Tire};
use vehicle_rapier::core::suspension::{
    SpringLanes, SuspensionForceParams, SuspensionLoad, SuspensionParams,
};
use vehicle_rapier::core::tire::BrushTire;
use vehicle_rapier::core::vehicle::{HasMechanics, OwnState};
use vehicle_rapier::core::{Component, ComponentSequence, Context};
use vehicle_rapier::drivetrain::direct_drive::Gear;
use vehicle_rapier::drivetrain::{DirectDriveParams, DirectDriveVehicleWith};

use crate::{COMMANDS, FlatRoadFleet, Fleet, START_SPEED};

/// A spring that grows stiffer as it is compressed, written for four wheels at once.
#[derive(Clone, Copy, Debug)]
struct ProgressiveSpring {
    base: SuspensionForceParams<Real4>,
    /// Growth of the load (N/m²).
    rate: Real4,
}

impl SpringLanes for ProgressiveSpring {
    #[inline]
    fn stiffness(&self) -> Real4 {
        self.base.stiffness()
    }

    #[inline]
    fn damping(&self) -> Real4 {
        self.base.damping()
    }

    #[inline]
    fn normal_load(
        &self,
        suspension: &SuspensionParams<Vec3x4>,
        body: &RigidBodyState<Vec3x4>,
        jounce: Real4,
        jounce_speed: Real4,
        load: &SuspensionLoad<Vec3x4>,
    ) -> Real4 {
        let linear = self.base.normal_load(suspension, body, jounce, jounce_speed, load);
        linear + self.rate * jounce * jounce
    }
}

/// The suspension with progressive springs, in the place of the library's.
struct ProgressiveSuspension(Vec<ProgressiveSpring>);

impl<V: HasMechanics> Component<V> for ProgressiveSuspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().suspension().update_on(&self.0, dt, context);
        Continue(())
    }
}

/// Which part of a car is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The sample car with direct drive.
    None,
    /// Progressive springs, written for four wheels at once.
    Springs,
    /// The lowrider's suspension: the library's, and hydraulics written for one wheel.
    Hydraulics,
    /// An anti-lock brake in the substep, written for one wheel.
    AntiLock,
}

impl Edit {
    /// All that are measured.
    pub const ALL: [Self; 4] = [Self::None, Self::Springs, Self::Hydraulics, Self::AntiLock];

    /// Its name in the results.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Springs => "springs, written for four wheels",
            Self::Hydraulics => "hydraulics beside the suspension, written for one",
            Self::AntiLock => "anti-lock brake, written for one",
        }
    }

    /// A settled fleet of `count` such cars on a plane, each with `substeps` substeps.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn fleet(self, count: usize, substeps: u32) -> anyhow::Result<Box<dyn Fleet>> {
        let car = sample_direct_drive()?;
        let wheel_count = car.mechanics.axles.wheel_count();
        Ok(match self {
            Self::None => driven::<()>(car, (), count, substeps, Ok)?,
            Self::Springs => {
                let base = Lanes::from_lanes(|wheel| car.mechanics.suspension_forces[wheel]);
                let spring = ProgressiveSpring { base, rate: Real4::splat(10e3) };
                let springs = vec![spring; wheel_count.div_ceil(4)];
                driven::<()>(car, (), count, substeps, |sequence| {
                    Ok(sequence.replace::<Suspension>(ProgressiveSuspension(springs))?)
                })?
            }
            Self::Hydraulics => {
                let hydraulics = sample_hydraulics()?.to_vec();
                driven::<Dance>(car, hydraulics.into(), count, substeps, |sequence| {
                    Ok(sequence.replace::<Suspension>(HydraulicSuspension)?)
                })?
            }
            Self::AntiLock => {
                driven::<AntiLock>(car, AntiLockParams::default(), count, substeps, |sequence| {
                    Ok(sequence.insert_after::<Tire>(AntiLockBrake)?)
                })?
            }
        })
    }
}

type Car<Own> = DirectDriveVehicleWith<BrushTire, Own>;

/// A settled fleet of `count` cars, with their stages `edit`ed.
fn driven<Own>(
    params: DirectDriveParams,
    own: Own::Params,
    count: usize,
    substeps: u32,
    edit: impl FnOnce(ComponentSequence<Car<Own>>) -> anyhow::Result<ComponentSequence<Car<Own>>>,
) -> anyhow::Result<Box<dyn Fleet>>
where
    Own: OwnState + 'static,
    Car<Own>: HasMechanics<Tire = BrushTire> + Recoverable + Clone,
{
    let rolling = START_SPEED / params.mechanics.wheels[0].radius;
    let mut model = Car::<Own>::with_own(Arc::new(params), own)?;
    model.controls.gear = Gear::Forward;
    model.commands = Commands { throttle: COMMANDS.throttle, ..COMMANDS };
    model.state.mechanics.wheels.edit_all(|wheel| wheel.rotation_speed = rolling);
    let stages = edit(Car::<Own>::sequence_with_substeps(move |_| substeps))?;
    Ok(Box::new(FlatRoadFleet::of(&model, stages, count)?))
}
