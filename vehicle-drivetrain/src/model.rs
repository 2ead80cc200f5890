//! What vehicles of one model share, and what every ready-made vehicle does with it.

use std::sync::Arc;

use vehicle_core::commands::Commands;
use vehicle_core::error::ParamCheck;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::{
    MechanicalLanes, MechanicalParams, MechanicalState, Mechanics, MechanicsRef, OwnState,
    check_own,
};
use vehicle_core::{ParamErrors, Validate};

/// Parameters of a ready-made vehicle: the mechanical base and a drivetrain.
pub(crate) trait ModelParams {
    /// The force law of the tires.
    type Tire: TireModel;

    /// The mechanical base.
    fn mechanics(&self) -> &MechanicalParams<Self::Tire>;
}

/// Parameters that have been checked, and the same in lanes, shared by the vehicles of a model; and
/// what the state of their user's own is made of.
#[derive(Clone, Debug)]
pub(crate) struct Model<Params: ModelParams, Own: OwnState> {
    pub(crate) params: Arc<Params>,
    pub(crate) lanes: Arc<MechanicalLanes<Params::Tire>>,
    pub(crate) own_params: Own::Params,
}

impl<Params: ModelParams + Validate, Own: OwnState> Model<Params, Own> {
    /// The model of `params` and `own_params`, or all of their faults.
    pub(crate) fn new(params: Arc<Params>, own_params: Own::Params) -> Result<Self, ParamErrors> {
        let mechanics = params.mechanics();
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.field("own", |inner| {
            Own::check_params(&own_params, mechanics.axles.wheel_count(), inner);
        });
        check.finish()?;
        let lanes = Arc::new(MechanicalLanes::new(mechanics));
        Ok(Self { params, lanes, own_params })
    }

    /// Becomes the model of `params`, if neither they nor `check_more` have faults.
    pub(crate) fn set_params(
        &mut self,
        params: Arc<Params>,
        check_more: impl FnOnce(&Params, &mut ParamCheck),
    ) -> Result<(), ParamErrors> {
        let (mechanics, present) = (params.mechanics(), self.wheel_count());
        let mut check = ParamCheck::default();
        params.check(&mut check);
        check.field("mechanics", |inner| mechanics.check_wheel_count(present, inner));
        check_more(&params, &mut check);
        check.finish()?;
        self.lanes = Arc::new(MechanicalLanes::new(mechanics));
        self.params = params;
        Ok(())
    }
}

impl<Params: ModelParams, Own: OwnState> Model<Params, Own> {
    /// This model for another vehicle.
    pub(crate) fn share(&self) -> Self {
        let Self { params, lanes, own_params } = self;
        Self {
            params: Arc::clone(params),
            lanes: Arc::clone(lanes),
            own_params: own_params.clone(),
        }
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
    pub(crate) fn mechanics<'a>(
        &'a self,
        commands: &'a Commands,
        state: &'a mut MechanicalState<Params::Tire>,
    ) -> Mechanics<'a, Params::Tire> {
        Mechanics { params: self.params.mechanics(), lanes: &self.lanes, commands, state }
    }

    /// The mechanical base of a vehicle that does what `state` says, read-only.
    pub(crate) fn read_mechanics<'a>(
        &'a self,
        commands: &'a Commands,
        state: &'a MechanicalState<Params::Tire>,
    ) -> MechanicsRef<'a, Params::Tire> {
        MechanicsRef { params: self.params.mechanics(), commands, state }
    }
}

/// What every ready-made vehicle does with its model: what it is made of, its mechanical base, and
/// what its user has added.
macro_rules! impl_model {
    (impl[$($generics:tt)*] $vehicle:ty, $params:ty) => {
        impl<$($generics)*> $vehicle {
            /// Parameters of the vehicle.
            pub fn params(&self) -> &Arc<$params> {
                &self.model.params
            }

            /// Parameters of the state of one's own.
            pub fn own_params(&self) -> &Own::Params {
                &self.model.own_params
            }

            /// Changes what the state of one's own is made of, at any time between steps.
            ///
            /// # Errors
            ///
            /// All faults of `own_params`, and of the state with them; nothing has changed then.
            pub fn set_own_params(&mut self, own_params: Own::Params) -> Result<(), ParamErrors> {
                self.model.set_own_params(own_params, &self.state.own)
            }
        }

        impl<$($generics)*> HasMechanics for $vehicle {
            type Tire = Tire;

            fn mechanics(&mut self) -> Mechanics<'_, Tire> {
                self.model.mechanics(&self.commands, &mut self.state.mechanics)
            }

            fn read_mechanics(&self) -> MechanicsRef<'_, Tire> {
                self.model.read_mechanics(&self.commands, &self.state.mechanics)
            }
        }

        impl<$($generics)*> HasOwn for $vehicle {
            type Own = Own;

            fn own(&mut self) -> MechanicsWithOwn<'_, Tire, Own> {
                let mechanics = self.model.mechanics(&self.commands, &mut self.state.mechanics);
                let (params, state) = (&self.model.own_params, &mut self.state.own);
                MechanicsWithOwn { mechanics, params, state }
            }
        }
    };
}

pub(crate) use impl_model;
