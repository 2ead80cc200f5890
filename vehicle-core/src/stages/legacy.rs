//! Stages with the laws of the [legacy](crate::legacy), as components.

use std::ops::ControlFlow::{self, Continue};

use crate::error::{ParamCheck, ParamErrors, Validate};
use crate::legacy::LegacySuspensionForceParams;
use crate::math::Real;
use crate::math::lanes::{MAX_LANES, each_lane};
use crate::vehicle::HasMechanics;
use crate::wheel_list::MAX_WHEELS;
use crate::{Component, Context};

/// The tire stage with legacy directions and slips, as a component.
#[derive(Clone, Copy, Debug)]
pub struct LegacyTire;

impl<V: HasMechanics + ?Sized> Component<V> for LegacyTire {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().tires().update_legacy(dt, context);
        Continue(())
    }
}

/// The suspension stage with the legacy law, as a component: it takes the place of
/// [`Suspension`](super::Suspension) in the sequence of any vehicle, and brings its
/// springs along.
///
/// They are those of one model of vehicles. All else that the stage reads is the vehicle's, such as
/// mounts, travel and anti-roll bars.
///
/// ```
/// use vehicle_core::ComponentSequence;
/// use vehicle_core::legacy::LegacySuspensionForceParams;
/// use vehicle_core::stages::{LegacySuspension, Suspension};
/// # use vehicle_core::vehicle::HasMechanics;
///
/// # fn sequence<V: HasMechanics + 'static>() -> Result<(), Box<dyn std::error::Error>> {
/// let spring = LegacySuspensionForceParams {
///     stiffness: 35_000.0,
///     damping: 4_000.0,
///     rest_distance: 0.12,
///     sprung_mass: 400.0,
/// };
/// # let sequence = ComponentSequence::<V>::new().then(Suspension);
/// let sequence = sequence.replace::<Suspension>(LegacySuspension::new(&[spring; 4])?)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct LegacySuspension {
    springs: Box<[[LegacySuspensionForceParams; MAX_LANES]; MAX_WHEELS / MAX_LANES]>,
}

impl LegacySuspension {
    /// The stage with these `springs`, one per wheel; the last is that of all wheels beyond, too.
    ///
    /// # Errors
    ///
    /// If there is none, or there are more than [`MAX_WHEELS`]; and all faults of the springs.
    pub fn new(springs: &[LegacySuspensionForceParams]) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        let requirement = format_args!("1 to {MAX_WHEELS}, one per wheel");
        check.require(
            "springs",
            (1..=MAX_WHEELS).contains(&springs.len()),
            requirement,
            springs.len(),
        );
        check.each("springs", springs, LegacySuspensionForceParams::check);
        check.finish()?;
        let last = springs.len() - 1;
        let spring = |wheel: usize| springs[wheel.min(last)];
        let four = |four| each_lane(|lane| spring(four * MAX_LANES + lane));
        Ok(Self { springs: Box::new(std::array::from_fn(four)) })
    }
}

impl<V: HasMechanics + ?Sized> Component<V> for LegacySuspension {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.mechanics().suspension().update_on(self.springs.as_slice(), dt, context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::context::TireSlipParams;
    use crate::legacy::suspension::tests::PARAMS;
    use crate::math::{Pose, Vec3};
    use crate::road::{ConstantPlane, FlatRoad};
    use crate::stages::{RoadGeometry, Suspension, Tire};
    use crate::tire::{TireDirections, TireForce, TireGrip, TireState};
    use crate::vehicle::test_car::TestCar;
    use crate::{ComponentSequence, Frame, SimulationParams};

    /// Tire 0, standard and legacy, of a car that is lifted by `height` (m) from its place of rest.
    /// It moves forward at 10 m/s, while the rim runs at 12 m/s and steers by 0.1 rad.
    fn tires_at(height: Real) -> [TireState; 2] {
        let frame = Frame::Z_UP;
        let blueprint = CarBlueprint { frame, ride: None, ..CarBlueprint::default() };
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let center = frame.vertical() * (blueprint.center_of_mass_height + height);
        let state = &mut car.state;
        state.rigid_body.pose = Pose::from_translation(center);
        state.rigid_body.linear_velocity = frame.longitudinal() * 10.0;
        state.steer_angles[0] = 0.1;
        state.wheels.edit(0, |wheel| wheel.rotation_speed = 12.0 / blueprint.wheel.radius);

        let contact = FlatRoad::new(&frame).contact;
        let (mut world, road) = (SimulationParams::new(frame), ConstantPlane { contact });
        world.tire_slip = TireSlipParams::REFERENCE;
        let context = Context::new(&world, &road);
        let standard = ComponentSequence::new().then(RoadGeometry).then(Suspension).then(Tire);
        let legacy = standard.clone().replace::<Tire>(LegacyTire).unwrap();
        [standard, legacy].map(|sequence| {
            let _completed = sequence.update(&mut car, 0.01, &context).unwrap();
            car.state.tires.of(0)
        })
    }

    #[test]
    fn legacy_tire_takes_the_place_of_the_standard_one() {
        let [standard, legacy] = tires_at(0.0);
        let v = 10.0 * (0.1 as Real).cos();
        assert!((legacy.speeds.longitudinal - v).abs() < 1e-4, "{legacy:?}");
        assert!((legacy.slip.longitudinal - (12.0 - v) / 12.0).abs() < 1e-5, "{legacy:?}");
        assert!((standard.slip.longitudinal - (12.0 - v) / (v + 4.0)).abs() < 1e-5);
        assert!((legacy.slip_denominator - 12.0).abs() < 1e-5, "{legacy:?}");
        assert!(legacy.directions.lateral.distance(standard.directions.lateral) < 1e-5);
        assert_eq!(legacy.grip.load, standard.grip.load);
        assert!(standard.force.force().dot(legacy.directions.longitudinal) > 0.0, "{standard:?}");
        assert!(legacy.force.force().dot(legacy.directions.longitudinal) > 0.0, "{legacy:?}");
    }

    #[test]
    fn tire_above_a_road_in_reach_has_directions_but_no_force() {
        let [standard, legacy] = tires_at(0.5);
        assert_eq!(standard.directions, TireDirections::default());
        let forward = Vec3::new((0.1 as Real).cos(), (0.1 as Real).sin(), 0.0);
        assert!(legacy.directions.longitudinal.distance(forward) < 1e-6, "{legacy:?}");
        assert!((legacy.speeds.lateral + 10.0 * (0.1 as Real).sin()).abs() < 1e-5, "{legacy:?}");
        assert_eq!(legacy.grip, TireGrip::default());
        assert_eq!(legacy.force, TireForce::default());
    }

    #[test]
    fn springs_are_checked_as_they_are_given() {
        let error = |springs: &[_]| LegacySuspension::new(springs).unwrap_err().to_string();
        assert_eq!(error(&[]), "springs must be 1 to 64, one per wheel, got 0");
        let bad = LegacySuspensionForceParams { stiffness: 0.0, ..PARAMS };
        let expected = "springs[1].stiffness must be positive and finite, got 0";
        assert_eq!(error(&[PARAMS, bad]), expected);
    }

    #[test]
    fn legacy_suspension_takes_the_place_of_the_standard_one() {
        let blueprint = CarBlueprint { ride: None, ..CarBlueprint::default() };
        let frame = blueprint.frame;
        let (world, road) = (SimulationParams::new(frame), FlatRoad::new(&frame));
        let context = Context::new(&world, &road);
        let standard = ComponentSequence::new().then(RoadGeometry).then(Suspension);

        // At the height at which the car rests on its own springs.
        let mut car = TestCar::new(blueprint.mechanics().unwrap());
        let center = frame.vertical() * blueprint.center_of_mass_height;
        car.state.rigid_body.pose = Pose::from_translation(center);
        let _completed = standard.update(&mut car, 0.01, &context).unwrap();
        let springs: Vec<_> = std::iter::zip(&car.params.suspensions, &car.state.suspensions)
            .map(|(suspension, state)| LegacySuspensionForceParams {
                rest_distance: suspension.travel_distance - state.compression.jounce.unwrap(),
                ..PARAMS
            })
            .collect();
        let stage = LegacySuspension::new(&springs).unwrap();
        let legacy = standard.replace::<Suspension>(stage).unwrap();
        let _completed = legacy.update(&mut car, 0.01, &context).unwrap();
        for force in &car.state.suspensions {
            let weight = PARAMS.sprung_mass * 9.81;
            assert!((force.force.normal_load - weight).abs() < 1e-1, "{force:?}, {weight} N");
        }
    }
}
