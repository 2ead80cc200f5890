//! What a vehicle is checked for before a step, and how it is put back.

use vehicle_core::error::ParamCheck;
use vehicle_core::frame::CoordinateSystem;
use vehicle_core::sequence::{Recoverable, first_not_finite};
use vehicle_core::vehicle::OwnState;

use super::{Drive, StateOf, Vehicle, VehicleState};
use crate::aided::AidsMemory;
use crate::model::Model;

impl<D: Drive, Own: OwnState> Recoverable for Vehicle<D, Own> {
    type Snapshot = StateOf<D, Own>;

    fn check_inputs(&self, check: &mut ParamCheck) {
        self.check_commands(check);
        let Model { params, prepared, own_params, .. } = &self.model;
        let VehicleState { mechanics, drive, own, .. } = &self.state;
        let wheel_count = self.model.wheel_count();
        check.field("state.mechanics", |inner| mechanics.check_lengths(wheel_count, inner));
        check.field("state.drive", |inner| params.check_state(prepared, drive, inner));
        check.field("state.mechanics", |inner| params.check_wheel_inputs(mechanics, inner));
        check.field("state.aids", |inner| self.state.aids.check(wheel_count, inner));
        check.field("state.own", |inner| own.check(own_params, wheel_count, inner));
    }

    fn check_axes(&self, coordinates: &CoordinateSystem, check: &mut ParamCheck) {
        let CoordinateSystem { frame, length_scale } = coordinates;
        let mechanics = self.model.params.mechanics();
        check.field("params.mechanics", |inner| mechanics.check_axes(frame, inner));
        if let Some(aids) = self.aids() {
            let (of_aids, is_same) = (aids.coordinates.frame, aids.coordinates.frame == *frame);
            let requirement = format_args!("{frame:?}, that of the world");
            let found = format_args!("{of_aids:?}");
            check.require("aids.coordinates.frame", is_same, requirement, found);
            let found = aids.coordinates.length_scale;
            let requirement = format_args!("{length_scale}, that of the world");
            check.require(
                "aids.coordinates.length_scale",
                found == *length_scale,
                requirement,
                found,
            );
        }
    }

    fn snapshot(&self) -> StateOf<D, Own> {
        self.state.clone()
    }

    fn snapshot_into(&self, snapshot: &mut StateOf<D, Own>) {
        snapshot.clone_from(&self.state);
    }

    fn restore(&mut self, snapshot: StateOf<D, Own>) {
        self.state = snapshot;
        self.aid_room = None;
    }

    fn is_finite(&self) -> bool {
        let VehicleState { mechanics, drive, aids, own } = &self.state;
        let are_aids_finite = aids.memory().is_none_or(AidsMemory::is_finite);
        mechanics.is_finite() && D::is_finite(drive) && are_aids_finite && own.is_finite()
    }

    fn not_finite(&self) -> Option<String> {
        first_not_finite(&self.state)
    }

    fn stage_fault(&self) -> Option<&'static str> {
        self.state.mechanics.stage_fault()
    }
}
