//! Shift of the world's origin, which keeps coordinates small on long journeys.
//!
//! The new origin is at the *shift* in the old coordinates (m). Only what is a place in the world
//! moves: the body, the road's planes, the points of contact, the anchor of sticky tires and where
//! rows act. Velocities, forces, jounces and poses in the body stay. Shift whole vehicles between
//! steps, with the rest of the world: [ruts](crate::vehicle::Ruts::shift), too.

use crate::body::RigidBodyState;
use crate::constraint_rows::StickyAnchor;
use crate::math::{Real, Vec3};
use crate::plane::Plane;
use crate::road::RoadContact;
use crate::tire::TireModel;
use crate::vehicle::MechanicalState;

/// Shifts the origin of a vehicle by `shift` (m).
///
/// What a tire's model remembers is left as it is; it must not hold a place in the world.
pub fn shift_vehicle<Tire: TireModel>(state: &mut MechanicalState<Tire>, shift: Vec3) {
    shift_body(&mut state.rigid_body, shift);
    state.roads.edit_all(|road| {
        if let Some(road) = road {
            shift_road(road, shift);
        }
    });
    let obstacles = state.obstacles.acting_mut().iter_mut();
    for obstacle in obstacles.filter_map(|wheel| wheel.obstacle.as_mut()) {
        obstacle.advance(-shift);
    }
    if let Some(anchor) = &mut state.anchor
        && anchor.ground == StickyAnchor::WORLD
    {
        anchor.point -= shift;
    }
    state.rows.edit_hosts(|stand| stand.point -= shift);
    state.suspensions.edit_all(|suspension| suspension.contact.point -= shift);
}

/// Shifts the origin of a body by `shift` (m).
pub fn shift_body(body: &mut RigidBodyState, shift: Vec3) {
    body.pose.translation -= shift;
}

/// Shifts the origin of the road under a wheel by `shift` (m).
pub fn shift_road(road: &mut RoadContact, shift: Vec3) {
    road.plane = shifted_plane(&road.plane, shift);
}

/// The plane seen from an origin at `shift` (m).
///
/// ```text
/// d' = -n·(Z - shift) = d + n·shift
/// ```
///
/// with `Z` the plane's point on the axis along which the normal `n` is largest.
pub fn shifted_plane(plane: &Plane, shift: Vec3) -> Plane {
    let (axis, along) = largest_component(plane.normal);
    Plane::through(axis * (-plane.offset / along) - shift, plane.normal)
}

/// The axis along which `vector` has its largest component, and this component.
fn largest_component(vector: Vec3) -> (Vec3, Real) {
    let components = [(Vec3::X, vector.x), (Vec3::Y, vector.y), (Vec3::Z, vector.z)];
    let larger = |a: (Vec3, Real), b: (Vec3, Real)| if a.1.abs() < b.1.abs() { b } else { a };
    components.into_iter().fold(components[0], larger)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::frame::Frame;
    use crate::math::Pose;
    use crate::road::FlatRoad;
    use crate::stages::{RigidBody, Suspension, Tire};
    use crate::vehicle::test_car::TestCar;
    use crate::{ComponentSequence, Context, SimulationParams};

    const SHIFT: Vec3 = Vec3::new(64.0, -32.0, 128.0);

    #[test]
    fn points_of_a_plane_stay_on_it() {
        let normals =
            [Vec3::X, Vec3::NEG_Y, Vec3::new(0.6, 0.0, -0.8), Vec3::new(0.48, -0.64, 0.6)];
        for normal in normals {
            let point = Vec3::new(1.0, 2.0, 3.0);
            let plane = shifted_plane(&Plane::through(point, normal), SHIFT);
            let distance = plane.distance(point - SHIFT);
            assert!(distance.abs() < 1e-4, "{normal}: {distance} m");
        }
    }

    #[test]
    fn level_plane_is_lowered_by_the_height_of_the_origin() {
        // y = 2, seen from the height 0.5, is y = 1.5
        let plane = Plane { normal: Vec3::Y, offset: -2.0 };
        let shifted = shifted_plane(&plane, Vec3::new(7.0, 0.5, -3.0));
        assert_eq!(shifted, Plane { normal: Vec3::Y, offset: -1.5 });
    }

    #[test]
    fn anchor_of_a_resting_car_moves_with_it() {
        let anchor = StickyAnchor {
            wheels: [0b1111; 2],
            point: Vec3::ONE,
            forward: Vec3::X,
            ground: StickyAnchor::WORLD,
        };
        let at_rest: MechanicalState = MechanicalState::at_rest(4);
        let mut state = MechanicalState { anchor: Some(anchor), ..at_rest.clone() };
        shift_vehicle(&mut state, Vec3::X);
        let point = Vec3::new(0.0, 1.0, 1.0);
        assert_eq!(state.anchor, Some(StickyAnchor { point, ..anchor }));
        assert_eq!(state.rigid_body.pose.translation, Vec3::NEG_X);
        assert_eq!(state.wheels, at_rest.wheels, "poses in the body stay");
    }

    /// A car that drifts over a level road whose plane it knows.
    fn car(frame: Frame) -> TestCar {
        let blueprint = CarBlueprint { frame, ..CarBlueprint::default() };
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let height = frame.vertical() * blueprint.center_of_mass_height;
        car.state.rigid_body = RigidBodyState::at_rest(Pose::from_translation(height));
        car.state.rigid_body.linear_velocity = frame.translation(10.0, 1.0, 0.0);
        car.state.roads.fill(Some(FlatRoad::new(&frame).contact));
        car
    }

    #[test]
    fn shifted_car_drives_the_shifted_path() {
        let frame = Frame::Y_UP;
        let (world, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
        let context = Context::new(&world, &road);
        let sequence = ComponentSequence::new().then(Suspension).then(Tire).then(RigidBody);
        let (mut here, mut there) = (car(frame), car(frame));
        shift_vehicle(&mut there.state, SHIFT);
        for _ in 0..20 {
            for car in [&mut here, &mut there] {
                let _completed = sequence.update(car, 0.005, &context).unwrap();
            }
        }
        let (here, there) = (here.state.rigid_body, there.state.rigid_body);
        // Coordinates of 100 m have steps of 8 µm; dampers see them as speeds.
        let moved = there.pose.translation + SHIFT - here.pose.translation;
        assert!(moved.length() < 2e-4, "{moved} m");
        let faster = there.linear_velocity - here.linear_velocity;
        assert!(faster.length() < 2e-3, "{faster} m/s");
    }
}
