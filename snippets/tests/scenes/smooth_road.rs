//! What smooth normals do for the ride over a curved road of triangles.

use anyhow::Result;
use snippets::smooth_road::{Roughness, Surface, record};
use vehicle_rapier::RoadQueryShape;

#[test]
fn a_smooth_road_rides_smoothly() -> Result<()> {
    for shape in [RoadQueryShape::Ray, RoadQueryShape::Cylinder] {
        let telemetry = record(None, shape, || ())?;
        let [triangles, smooth] = Surface::ALL.map(|surface| Roughness::of(&telemetry, surface));
        let (triangles, smooth) = (triangles?, smooth?);
        // By how many times smooth normals lower what the driver feels. The arcs themselves ask for
        // the rest: for 20² / 50 = 8 m/s² up and down, and for a turn of 20 / 60 / 50 = 6.7 mrad.
        let factors = [
            ("vertical acceleration", triangles.acceleration, smooth.acceleration, 1.1),
            ("its change", triangles.acceleration_change, smooth.acceleration_change, 3.0),
            ("change of load", triangles.load_change, smooth.load_change, 2.5),
            ("turn of the normal", triangles.turn, smooth.turn, 1.7),
        ];
        for (what, triangles, smooth, factor) in factors {
            let actual = triangles / smooth;
            assert!(
                factor < actual,
                "{shape:?}, {what}: {triangles} on triangles, {smooth} smooth: {actual} times"
            );
        }
        assert!(smooth.turn < 20.0 / 60.0 / 50.0, "{shape:?}: {} rad", smooth.turn);
    }
    Ok(())
}
