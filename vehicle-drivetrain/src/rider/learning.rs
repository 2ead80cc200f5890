//! How a rider learns what its motorcycle is: from mass and geometry, and by asking its tires.

use vehicle_core::Frame;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;
use vehicle_core::wheel::WheelParams;

use super::single_track::{SHARE, SHARES};
use super::{GRAVITY, SingleTrack};
use crate::probed_tire::{PROBE, ProbedTire, USUAL_STIFFNESS};

impl SingleTrack {
    /// The model of a vehicle with a front and a rear wheel, of the axes of `frame`; `None` if it
    /// has others, or does not steer the front one.
    pub fn of<Tire: TireModel>(mechanics: &MechanicalParams<Tire>, frame: &Frame) -> Option<Self> {
        let MechanicalParams { axles, rigid_body, wheels, suspensions, .. } = mechanics;
        let mut order = axles.wheels();
        let numbers = [order.next()?, order.next()?];
        let places = numbers.map(|wheel| suspensions[wheel].wheel_mount());
        let [front, rear] = places.map(|place| place.dot(frame.longitudinal()));
        let largest = |wheel: usize| {
            (mechanics.steering.max_response * mechanics.steering.wheel_multipliers[wheel]).abs()
        };
        let steers = 0.0 < largest(numbers[0]) && largest(numbers[1]) == 0.0;
        if axles.wheel_count() != 2 || !(rear < 0.0 && 0.0 < front && steers) {
            return None;
        }
        let weight = rigid_body.mass * GRAVITY;
        let base = front - rear;
        let loads = [-rear * weight / base, front * weight / base];
        let answers = [0, 1].map(|end| {
            let wheel = numbers[end];
            let tire = ProbedTire::of(mechanics, wheel, loads[end]);
            let force = |slip, lean| tire.lateral_force(slip, lean);
            let slope = |slip, lean| (force(slip, lean) - force(-slip, -lean)) / (2.0 * PROBE);
            let cornering = slope(-PROBE, 0.0);
            // A tire without a law for hard ground, such as one of soil, is taken for a usual one.
            if 0.0 < cornering {
                [cornering, -slope(0.0, PROBE)]
            } else {
                [USUAL_STIFFNESS * loads[end], 0.0]
            }
        });
        let heights = [0, 1].map(|end| {
            let (wheel, suspension) = (numbers[end], &suspensions[numbers[end]]);
            let jounce = loads[end] / mechanics.suspension_forces[wheel].stiffness;
            let left = (suspension.travel_distance - jounce).max(0.0);
            let hub = places[end] + suspension.travel_direction * left;
            wheels[wheel].radius - hub.dot(frame.vertical())
        });
        let by_load = |values: [Real; 2]| (values[0] * loads[0] + values[1] * loads[1]) / weight;
        let slip_angles = [0, 1].map(|end| {
            let tire = ProbedTire::of(mechanics, numbers[end], loads[end]);
            tire.slip_angles::<SHARES>(SHARE, answers[end][0], 0.0)
        });
        let about = |axis: Vec3| (rigid_body.inertia * axis).dot(axis);
        let of_wheels =
            |value: fn(&WheelParams) -> Real| numbers.map(|wheel| value(&wheels[wheel]));
        Some(Self {
            wheels: numbers,
            mass: rigid_body.mass,
            roll_inertia: about(frame.longitudinal()),
            yaw_inertia: about(frame.vertical()),
            height: by_load(heights),
            tread_radius: by_load(of_wheels(|wheel| wheel.shoulder_radius)),
            distances: [front, -rear],
            cornering_stiffness: answers.map(|[cornering, _]| cornering),
            camber_stiffness: answers.map(|[_, camber]| camber),
            spin_inertia: of_wheels(|wheel| wheel.inertia / wheel.radius).iter().sum(),
            radii: of_wheels(|wheel| wheel.radius),
            largest_steer_angle: largest(numbers[0]),
            slip_angles,
        })
    }
}
