//! The brakes of the tracks of a tank, one by one.

use std::ops::ControlFlow::{self, Continue};

use vehicle_core::brakes::HasBrakes;
use vehicle_core::math::Real;
use vehicle_core::{Component, Context, WheelRefs};

use super::{DifferentialKind, DifferentialView, HasDifferential};

/// The stage that brakes the tracks of a tank by its driver's
/// [`track_brakes`](crate::transmission::TransmissionCommands::track_brakes); nothing in any other
/// vehicle. It comes right after [`Brakes`](vehicle_core::brakes::Brakes).
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
///   [`clutched`](super::TankDifferentialParams::clutched).
/// - Where the first of the brakes acts on some wheels only, such as one track of two, levers brake
///   no others.
#[derive(Clone, Copy, Debug)]
pub struct TrackBrakes;

impl<V: HasBrakes + HasDifferential + ?Sized> Component<V> for TrackBrakes {
    fn update(&self, vehicle: &mut V, _dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        let Some(pedals) = vehicle.differential().track_pedals() else { return Continue(()) };
        for (wheel, pedal) in pedals.into_iter().enumerate() {
            vehicle.brakes().press(wheel, pedal, context);
        }
        Continue(())
    }
}

impl DifferentialView<'_> {
    /// How far the foot brake of each wheel is pressed by the brakes of the tracks, in [0, 1], if
    /// any is.
    fn track_pedals(&self) -> Option<WheelRefs<Real>> {
        let DifferentialKind::Tank(params) = self.params else { return None };
        if self.track_brakes == [0.0; 2] {
            return None;
        }
        let wheels = 0..self.shares.len();
        Some(wheels.map(|wheel| params.track_brake(wheel, self.track_brakes)).collect())
    }
}
