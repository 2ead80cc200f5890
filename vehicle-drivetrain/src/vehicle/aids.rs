//! The aids of a vehicle.

use vehicle_core::math::Real;
use vehicle_core::vehicle::OwnState;
use vehicle_core::{Context, ParamErrors, spare};

use super::{Drive, Vehicle};
use crate::aided::{AidPhase, AidRoom, Aided, AidedState, HasAids};
use crate::aids::AidsParams;

impl<D: Drive, Own: OwnState> Vehicle<D, Own> {
    /// Parameters of its aids; `None` without aids.
    pub fn aids(&self) -> Option<&AidsParams> {
        self.model.aids.as_deref().map(|system| &system.params)
    }

    /// Names in a file of the aids that can do nothing for it: launch control without an engine
    /// behind a clutch, torque vectoring by motors that it does not have.
    pub(crate) fn idle_aids(&self) -> impl Iterator<Item = &'static str> {
        self.model.aids.iter().flat_map(|system| system.aids.idle(&system.params))
    }

    /// Replaces the driver aids, at any time between steps; [`AidsParams::default`] removes them.
    /// Measurements are kept; interventions end.
    ///
    /// ```
    /// use vehicle_core::prelude::*;
    /// use vehicle_drivetrain::aids::{AidsParams, AntiLockParams};
    /// use vehicle_drivetrain::prelude::*;
    ///
    /// let mechanics = CarBlueprint::default().mechanics()?;
    /// let mut car = EngineDriveVehicle::new(EngineDriveParams::automatic(mechanics, &[2, 3]))?;
    /// let anti_lock = Some(AntiLockParams::default());
    /// car.set_aids(AidsParams { anti_lock, ..AidsParams::default() })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All faults of `aids`; nothing has changed then.
    pub fn set_aids(&mut self, aids: AidsParams) -> Result<(), ParamErrors> {
        self.model.set_aids(aids)?;
        self.state.aids = AidedState::replaced(self.model.aids.as_deref(), &self.state.aids);
        self.aid_room = None;
        Ok(())
    }
}

impl<D: Drive, Own: OwnState> HasAids for Vehicle<D, Own> {
    #[inline]
    fn update_aids(&mut self, phase: AidPhase, dt: Real, context: &Context<'_>) {
        let Self { model, commands, controls, state, aid_room, .. } = self;
        let (Some(system), Some(memory)) = (model.aids.as_deref(), state.aids.memory_mut()) else {
            return;
        };
        if phase == AidPhase::Command {
            let wheel_count = model.params.mechanics().axles.wheel_count();
            *aid_room = Some(AidRoom::take(wheel_count, *commands, *controls));
        }
        let Some(room) = aid_room else { return };
        let (params, prepared) = (&*model.params, &model.prepared);
        let (mechanics, drive) = (&mut state.mechanics, &mut state.drive);
        let mut aided =
            Aided { system, params, prepared, commands, controls, mechanics, drive, memory, room };
        aided.act(phase, dt, context);
        if phase == AidPhase::Release {
            aid_room.take().into_iter().for_each(spare::leave);
        }
    }
}
