//! What vehicles of one model share.

use std::sync::Arc;

use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::vehicle::{MechanicalLanes, MechanicalState, Mechanics, OwnState, check_own};
use vehicle_core::{ParamErrors, Validate};

use crate::aided::{AidSystem, measure};
use crate::aids::{AidDrive, AidsParams};
use crate::drive::Drive;

/// Parameters that have been checked, and what steps need of them, shared by the vehicles of a
/// model; and what the state of their user's own is made of.
#[derive(Debug)]
pub(crate) struct Model<D: Drive, Own: OwnState> {
    pub(crate) params: Arc<D>,
    pub(crate) lanes: Arc<MechanicalLanes<D::Tire>>,
    pub(crate) prepared: D::Prepared,
    /// Aids of the vehicle, if it has any.
    pub(crate) aids: Option<Arc<AidSystem>>,
    pub(crate) own_params: Own::Params,
}

impl<D: Drive, Own: OwnState> Clone for Model<D, Own> {
    fn clone(&self) -> Self {
        Self {
            params: Arc::clone(&self.params),
            lanes: Arc::clone(&self.lanes),
            prepared: self.prepared.clone(),
            aids: self.aids.clone(),
            own_params: self.own_params.clone(),
        }
    }
}

impl<D: Drive, Own: OwnState> Model<D, Own> {
    /// The model of `params` and `own_params`, or all of their faults.
    pub(crate) fn new(params: Arc<D>, own_params: Own::Params) -> Result<Self, ParamErrors> {
        let mechanics = params.mechanics();
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.field("own", |inner| {
            Own::check_params(&own_params, mechanics.axles.wheel_count(), inner);
        });
        check.finish()?;
        let lanes = Arc::new(MechanicalLanes::new(mechanics));
        let prepared = params.prepare()?;
        Ok(Self { params, lanes, prepared, aids: None, own_params })
    }

    /// Becomes the model of `params`, if a vehicle whose drive is in `state` can: what steps have
    /// needed before.
    pub(crate) fn set_params(
        &mut self,
        params: Arc<D>,
        state: &D::State,
    ) -> Result<D::Prepared, ParamErrors> {
        let (mechanics, present) = (params.mechanics(), self.wheel_count());
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.field("mechanics", |inner| mechanics.check_wheel_count(present, inner));
        check.finish()?;
        let prepared = params.prepare()?;
        let mut check = ParamCheck::default();
        params.check_change(&prepared, (&self.params, &self.prepared), state, &mut check);
        check.finish()?;
        let is_changed = mechanics != self.params.mechanics();
        self.lanes = Arc::new(self.lanes.changed_to(mechanics, is_changed));
        self.params = params;
        let before = std::mem::replace(&mut self.prepared, prepared);
        if let Some(system) = &self.aids {
            self.aids = Some(self.aid_system(system.params));
        }
        Ok(before)
    }

    /// Gives the model these aids.
    pub(crate) fn set_aids(&mut self, aids: AidsParams) -> Result<(), ParamErrors> {
        aids.validate()?;
        self.aids = (!aids.is_none()).then(|| self.aid_system(aids));
        Ok(())
    }

    fn aid_system(&self, aids: AidsParams) -> Arc<AidSystem> {
        let mechanics = self.params.mechanics();
        let is_laden = aids.train_mass.is_some_and(|mass| mechanics.rigid_body.mass < mass);
        let mut vehicle = measure(mechanics, &aids.coordinates, is_laden);
        self.params.describe(&self.prepared, &mut vehicle);
        if let (AidDrive::Engine(engine), false) = (&mut vehicle.drive, D::IS_IN_SI_UNITS) {
            *engine = engine.in_si_units(aids.coordinates.length_scale.powi(2));
        }
        Arc::new(AidSystem::new(aids, vehicle, mechanics))
    }

    pub(crate) fn wheel_count(&self) -> usize {
        self.params.mechanics().axles.wheel_count()
    }

    /// The state of a user's own at rest.
    pub(crate) fn own_at_rest(&self) -> Own {
        Own::at_rest(&self.own_params, self.wheel_count())
    }

    /// Becomes the model of `own_params`, if neither they nor `own` with them have faults.
    pub(crate) fn set_own_params(
        &mut self,
        own_params: Own::Params,
        own: &Own,
    ) -> Result<(), ParamErrors> {
        check_own(&own_params, own, self.wheel_count())?;
        self.own_params = own_params;
        Ok(())
    }

    /// The mechanical base of a vehicle that does what `state` says.
    #[inline]
    pub(crate) fn mechanics<'a>(
        &'a self,
        commands: &'a Commands,
        state: &'a mut MechanicalState<D::Tire>,
    ) -> Mechanics<'a, D::Tire> {
        let (params, lanes) = self.lanes.in_use(self.params.mechanics(), state);
        Mechanics { params, lanes, commands, state }
    }
}
