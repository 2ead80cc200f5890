//! Shared values: a vehicle whose wheels are all of one make, and whose motion lies elsewhere, each
//! wheel in a place of its own.

use std::cell::RefCell;
use std::rc::Rc;

use vehicle_core::ComponentSequence;
use vehicle_core::commands::Commands;
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::suspension::{
    SuspensionComplianceParams, SuspensionForceParams, SuspensionParams,
};
use vehicle_core::tire::BrushTire;
use vehicle_core::vehicle::{
    HasMechanics, MechanicalLanes, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
    WheelMotion,
};
use vehicle_core::wheel::WheelParams;

use crate::stages::{DriveView, HasDrive};
use crate::test_drive::{Motion, TestVehicle};

/// A vehicle whose wheels are all of one make: they differ in where they are mounted.
///
/// It lends its wheels for a whole step: whoever drives it calls [`lend`](Self::lend) before and
/// [`take_back`](Self::take_back) after.
pub struct OneMake {
    make: Make,
    mounts: Vec<SuspensionParams>,
    /// Last wheel first, each behind a reference that others may share.
    motions: Vec<Rc<RefCell<WheelMotion>>>,
    body: RigidBodyState,
    commands: Commands,
    params: MechanicalParams,
    lanes: MechanicalLanes<BrushTire>,
    work: MechanicalState,
}

/// What all wheels have in common.
struct Make {
    wheel: WheelParams,
    compliance: SuspensionComplianceParams,
    spring: SuspensionForceParams,
    tire: BrushTire,
}

impl OneMake {
    fn lend(&mut self) {
        self.work.rigid_body = self.body;
        for (wheel, motion) in self.motions.iter().rev().enumerate() {
            self.work.set_wheel(wheel, &motion.borrow());
        }
    }

    fn take_back(&mut self) {
        self.body = self.work.rigid_body;
        for (wheel, motion) in self.motions.iter().rev().enumerate() {
            *motion.borrow_mut() = self.work.wheel(wheel);
        }
    }
}

impl HasMechanics for OneMake {
    type Tire = BrushTire;

    fn mechanics(&mut self) -> Mechanics<'_, BrushTire> {
        let Self { params, lanes, commands, work, .. } = self;
        Mechanics { params, lanes, commands, state: work }
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, BrushTire> {
        let Self { params, commands, work, .. } = self;
        MechanicsRef { params, commands, state: work }
    }
}

impl HasDrive for OneMake {
    fn drive(&mut self) -> DriveView<'_> {
        DriveView::of(self.mechanics())
    }
}

impl TestVehicle for OneMake {
    fn build(params: &MechanicalParams) -> Self {
        let make = Make {
            wheel: only(&params.wheels),
            compliance: only(&params.compliances),
            spring: only(&params.suspension_forces),
            tire: only(&params.tires),
        };
        let mounts = params.suspensions.clone();
        let count = mounts.len();
        let params = MechanicalParams {
            wheels: vec![make.wheel; count],
            suspensions: mounts.clone(),
            compliances: vec![make.compliance.clone(); count],
            suspension_forces: vec![make.spring; count],
            tires: vec![make.tire; count],
            ..params.clone()
        };
        Self {
            make,
            mounts,
            motions: (0..count).map(|_| Rc::default()).collect(),
            body: RigidBodyState::default(),
            commands: Commands::default(),
            lanes: MechanicalLanes::new(&params),
            params,
            work: MechanicalState::at_rest(count),
        }
    }

    fn sequence() -> ComponentSequence<Self> {
        Self::stages()
    }

    fn drive(&mut self, commands: Commands) {
        self.commands = commands;
    }

    fn before_step(&mut self) {
        self.lend();
    }

    fn after_step(&mut self) {
        self.take_back();
    }

    fn body(&mut self) -> &mut RigidBodyState {
        &mut self.body
    }

    fn motion(&self) -> Motion<BrushTire> {
        assert_eq!(self.lanes.road_wheels().len(), self.mounts.len());
        assert_eq!(self.params.wheels[0], self.make.wheel);
        let wheels = self.motions.iter().rev().map(|motion| motion.borrow().clone()).collect();
        let MechanicalState { anchor, anti_roll_torque, .. } = self.work;
        Motion { body: self.body, anti_roll_torque, anchor, wheels }
    }
}

/// The value that all wheels share.
fn only<T: Clone + PartialEq + std::fmt::Debug>(values: &[T]) -> T {
    assert!(values.iter().all(|value| *value == values[0]), "not of one make: {values:?}");
    values[0].clone()
}
