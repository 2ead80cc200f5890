//! Vehicles of one's own around ready-made ones.

use super::{
    ChangeMechanics, HasMechanics, HasOwn, MechanicalParams, Mechanics, MechanicsRef,
    MechanicsWithOwn,
};
use crate::error::{ParamCheck, ParamErrors};
use crate::frame::Frame;
use crate::sequence::Recoverable;

/// A vehicle of one's own around another one.
///
/// All that the vehicle within lends and does is the outer one's: the views of all stages, checked
/// steps, snapshots and findings. So it takes part in any sequence that the vehicle within does, as
/// in those of the drivetrains' crate. State that is to be saved and put back with the vehicle
/// belongs into the [place](super::OwnState) that the vehicle within has for it.
pub trait Wraps {
    /// The type of the vehicle within.
    type Vehicle;

    /// The vehicle within.
    fn vehicle(&self) -> &Self::Vehicle;

    /// The vehicle within, to be changed.
    fn vehicle_mut(&mut self) -> &mut Self::Vehicle;
}

impl<W: Wraps<Vehicle: HasMechanics> + ?Sized> HasMechanics for W {
    type Tire = <W::Vehicle as HasMechanics>::Tire;

    fn mechanics(&mut self) -> Mechanics<'_, Self::Tire> {
        self.vehicle_mut().mechanics()
    }

    fn read_mechanics(&self) -> MechanicsRef<'_, Self::Tire> {
        self.vehicle().read_mechanics()
    }
}

impl<W: Wraps<Vehicle: ChangeMechanics> + ?Sized> ChangeMechanics for W {
    fn set_mechanics(
        &mut self,
        mechanics: MechanicalParams<Self::Tire>,
    ) -> Result<(), ParamErrors> {
        self.vehicle_mut().set_mechanics(mechanics)
    }
}

impl<W: Wraps<Vehicle: HasOwn> + ?Sized> HasOwn for W {
    type Own = <W::Vehicle as HasOwn>::Own;

    fn own(&mut self) -> MechanicsWithOwn<'_, Self::Tire, Self::Own> {
        self.vehicle_mut().own()
    }
}

impl<W: Wraps<Vehicle: Recoverable> + ?Sized> Recoverable for W {
    type Snapshot = <W::Vehicle as Recoverable>::Snapshot;

    fn check_inputs(&self, check: &mut ParamCheck) {
        self.vehicle().check_inputs(check);
    }

    fn check_axes(&self, frame: &Frame, check: &mut ParamCheck) {
        self.vehicle().check_axes(frame, check);
    }

    fn snapshot(&self) -> Self::Snapshot {
        self.vehicle().snapshot()
    }

    fn restore(&mut self, snapshot: Self::Snapshot) {
        self.vehicle_mut().restore(snapshot);
    }

    fn snapshot_into(&self, snapshot: &mut Self::Snapshot) {
        self.vehicle().snapshot_into(snapshot);
    }

    fn is_finite(&self) -> bool {
        self.vehicle().is_finite()
    }

    fn stage_fault(&self) -> Option<&'static str> {
        self.vehicle().stage_fault()
    }
}
