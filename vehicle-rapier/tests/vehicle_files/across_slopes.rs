//! Presets that stand on their brakes across slopes, up to those on which their tires slide.

use std::error::Error;

use rapier3d::prelude::*;
use snippets::measurements::{ProvingGround, Setting};
use snippets::presets::driven;
use vehicle_rapier::RoadQueryShape;
use vehicle_rapier::core::tire::{GripInput, TireModel, TireSlip};

/// Steepest slopes, as parts of the angle of friction (dimensionless).
const SHARES: [Real; 3] = [0.5, 0.7, 0.9];
/// Steps per second and substeps.
pub(crate) const STEPS: [(Real, u32); 6] =
    [(30.0, 1), (30.0, 3), (60.0, 1), (60.0, 3), (240.0, 1), (240.0, 3)];
/// Part of the slope on which a vehicle of stiff springs would fall over, up to which it stands on
/// soft ones.
const STABLE: Real = 0.7;
/// Time in which a vehicle comes to rest on its springs (s), and that in which it must not move
/// (s).
const TIMES: [Real; 2] = [7.0, 2.0];

/// Friction of the tires of a train that slide at this tangent of a slip angle, the least
/// (dimensionless).
fn least_friction(ground: &ProvingGround, road: Real, tangent: Real) -> Real {
    let slip = TireSlip { longitudinal: 0.0, tangent };
    let input = GripInput { normal_load: 1_000.0, road_friction: road, slip };
    let tires = ground.train.iter().flat_map(|car| &car.mechanics().params.tires);
    tires.map(|tire| tire.grip(&input).friction).fold(Real::INFINITY, Real::min)
}

/// Slope on which the first vehicle of a train on stiff springs would fall over (dimensionless): of
/// one with two wheels, whose rider stands on feet, none.
fn tipping(ground: &ProvingGround) -> Real {
    let tipping = |index: usize| {
        let params = ground.train[index].mechanics().params;
        let places = params.suspensions.iter().map(|it| it.attachment.translation.x.abs());
        places.fold(0.0, Real::max) / ground.motion_of(index).position.y
    };
    (0..ground.train.len()).map(tipping).fold(Real::INFINITY, Real::min)
}

/// How far a train that has come to rest moves across a slope of this angle (m).
fn moved(name: &str, setting: &Setting, slope: Real) -> Result<Real, Box<dyn Error>> {
    let mut ground = ProvingGround::with_plane(name, setting, Rotation::from_rotation_z(slope))?;
    ground.steps_for(TIMES[0])?;
    let before = ground.motion().position;
    ground.steps_for(TIMES[1])?;
    Ok(ground.motion().position.distance(before))
}

#[test]
fn braked_presets_hold_across_slopes_as_their_friction_says() {
    for name in driven() {
        for (friction, shape) in [
            (0.3, RoadQueryShape::Ray),
            (0.75, RoadQueryShape::Ray),
            (0.4, RoadQueryShape::Cylinder),
        ] {
            let setting = Setting { friction, shape, ..Setting::default() };
            let flat = ProvingGround::new(name, &setting, 0.0).expect("a preset");
            // A trailer sways on its springs for long, and pushes its tractor as it does.
            if 1 < flat.train.len() {
                continue;
            }
            let (own, tipping) = (least_friction(&flat, friction, 0.0), tipping(&flat));
            for share in SHARES {
                let slope = share * own.atan();
                let is_stable = slope.tan() < STABLE * tipping;
                let stands_on_feet = name == "motorcycle" && slope < 0.3;
                if !(is_stable || stands_on_feet) {
                    continue;
                }
                for (rate, substeps) in STEPS {
                    let setting = Setting { dt: 1.0 / rate, substeps: Some(substeps), ..setting };
                    let case = format!("{name}, {setting:?}, {} degrees", slope.to_degrees());
                    let way = moved(name, &setting, slope);
                    let way = way.unwrap_or_else(|error| panic!("{case}: {error}"));
                    assert!(way < 1e-3, "{case}: moves by {way} m in {} s", TIMES[1]);
                }
            }
        }
    }
}

#[test]
fn a_braked_tank_slides_across_what_is_too_steep() {
    for (rate, substeps) in STEPS {
        let setting = Setting {
            dt: 1.0 / rate,
            friction: 0.75,
            substeps: Some(substeps),
            ..Setting::default()
        };
        let flat = ProvingGround::new("tank", &setting, 0.0).expect("a preset");
        let [own, sliding] = [0.0, 5.0].map(|slip| least_friction(&flat, setting.friction, slip));
        let slope = 1.1 * own.atan();
        let way = moved("tank", &setting, slope).unwrap_or_else(|error| panic!("{error}"));
        let acceleration = 9.81 * (slope.sin() - sliding * slope.cos());
        let [first, then] = TIMES;
        let expected = 0.5 * acceleration * ((first + then).powi(2) - first.powi(2));
        assert!((0.85..1.15).contains(&(way / expected)), "{setting:?}: {way} m, not {expected} m");
    }
}
