//! Struct per wheel: a vehicle that keeps all of a wheel together, and lends its wheels to the
//! stages for a frame.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::commands::Commands;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::stages::{Brakes, WheelRotation};
use vehicle_core::suspension::{
    SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{
    HasMechanics, MechanicalLanes, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
    WheelMotion,
};
use vehicle_core::wheel::WheelParams;
use vehicle_core::{ComponentSequence, Context};

use crate::stages::{DriveView, HasDrive};
use crate::test_drive::{Motion, TestVehicle};

/// A vehicle that keeps a struct per wheel.
///
/// Its sequence begins with [`lend_wheels`] and ends with [`take_wheels_back`].
pub struct Corners<M: TireModel> {
    body: RigidBodyState,
    corners: Vec<Corner<M>>,
    commands: Commands,
    /// What the vehicle is made of beside its corners, and these as the stages read them.
    params: MechanicalParams<M>,
    lanes: MechanicalLanes<M>,
    /// What the stages work on within a frame.
    work: MechanicalState<M>,
}

/// All of one wheel: what it is made of and what it does.
struct Corner<M: TireModel> {
    wheel: WheelParams,
    suspension: SuspensionParams,
    compliance: SuspensionComplianceParams,
    spring: SuspensionForceParams,
    tire: M,
    motion: WheelMotion<M>,
}

/// Puts all wheels into lanes.
fn lend_wheels<M: TireModel>(
    vehicle: &mut Corners<M>,
    _: Real,
    _: &Context<'_>,
) -> ControlFlow<()> {
    vehicle.work.rigid_body = vehicle.body;
    for (wheel, corner) in vehicle.corners.iter().enumerate() {
        vehicle.work.set_wheel(wheel, &corner.motion);
    }
    Continue(())
}

/// Takes all wheels out of their lanes.
fn take_wheels_back<M: TireModel>(
    vehicle: &mut Corners<M>,
    _: Real,
    _: &Context<'_>,
) -> ControlFlow<()> {
    vehicle.body = vehicle.work.rigid_body;
    for (wheel, corner) in vehicle.corners.iter_mut().enumerate() {
        corner.motion = vehicle.work.wheel(wheel);
    }
    Continue(())
}

impl<M: TireModel> HasMechanics for Corners<M> {
    type Tire = M;

    fn mechanics(&mut self) -> Mechanics<'_, M> {
        let Self { params, lanes, commands, work, .. } = self;
        Mechanics { params, lanes, commands, state: work }
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, M> {
        let Self { params, commands, work, .. } = self;
        MechanicsRef { params, commands, state: work }
    }
}

impl<M: TireModel> HasDrive for Corners<M> {
    fn drive(&mut self) -> DriveView<'_> {
        DriveView::of(self.mechanics())
    }
}

impl<M: TireModel> TestVehicle for Corners<M> {
    fn build(params: &MechanicalParams<M>) -> Self {
        let corner = |wheel: usize| Corner {
            wheel: params.wheels[wheel],
            suspension: params.suspensions[wheel],
            compliance: params.compliances[wheel].clone(),
            spring: params.suspension_forces[wheel],
            tire: params.tires[wheel].clone(),
            motion: WheelMotion::default(),
        };
        let wheel_count = params.axles.wheel_count();
        let corners: Vec<_> = (0..wheel_count).map(corner).collect();
        let each = || corners.iter();
        let params = MechanicalParams {
            wheels: each().map(|corner| corner.wheel).collect(),
            suspensions: each().map(|corner| corner.suspension).collect(),
            compliances: each().map(|corner| corner.compliance.clone()).collect(),
            suspension_forces: each().map(|corner| corner.spring).collect(),
            tires: each().map(|corner| corner.tire.clone()).collect(),
            ..params.clone()
        };
        Self {
            body: RigidBodyState::default(),
            corners,
            commands: Commands::default(),
            lanes: MechanicalLanes::new(&params),
            params,
            work: MechanicalState::at_rest(wheel_count),
        }
    }

    fn sequence() -> ComponentSequence<Self> {
        let stages = Self::stages();
        let lent = stages.insert_before::<Brakes>(lend_wheels::<M>).expect("brakes");
        lent.insert_after::<WheelRotation>(take_wheels_back::<M>).expect("wheels")
    }

    fn drive(&mut self, commands: Commands) {
        self.commands = commands;
    }

    fn body(&mut self) -> &mut RigidBodyState {
        &mut self.body
    }

    fn motion(&self) -> Motion<M> {
        let wheels = self.corners.iter().map(|corner| corner.motion.clone()).collect();
        let MechanicalState { anchor, anti_roll_torque, .. } = self.work;
        let anti_roll_torque: Vec3 = anti_roll_torque;
        Motion { body: self.body, anti_roll_torque, anchor, wheels }
    }
}
