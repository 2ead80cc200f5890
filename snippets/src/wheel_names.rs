//! Names of wheels, and of the channels of what is recorded of them.

use rapier3d::prelude::*;
use vehicle_rapier::prelude::*;

/// Names of the wheels of a car with two axles, by number.
pub const CAR_WHEELS: [&str; 4] = ["front right", "front left", "rear right", "rear left"];

/// Names of the wheels of a vehicle, by number: their axle, counted from the front, and the side on
/// which they are. Two axles are `front` and `rear`. A wheel in the middle has no side; wheels on
/// one side of an axle have numbers.
pub fn wheel_names<Tire: TireModel>(params: &MechanicalParams<Tire>) -> Vec<String> {
    let mount = |wheel: usize| params.suspensions[wheel].attachment.translation;
    let place = |axle: &[usize]| {
        axle.iter().map(|wheel| mount(*wheel).z).sum::<Real>() / axle.len().max(1) as Real
    };
    let places: Vec<_> = params.axles.axles().map(place).collect();
    let axle = |wheel: usize| {
        let own = params.axles.axle_of(wheel).map_or(Real::INFINITY, |axle| places[axle]);
        let ahead = places.iter().filter(|place| own < **place).count();
        match (ahead, places.len()) {
            (0, 2) => "front".to_owned(),
            (1, 2) => "rear".to_owned(),
            _ => format!("axle {}", ahead + 1),
        }
    };
    let name = |wheel: usize| match mount(wheel).x {
        aside if MIDDLE <= aside => format!("{} left", axle(wheel)),
        aside if aside <= -MIDDLE => format!("{} right", axle(wheel)),
        _ => axle(wheel),
    };
    let names: Vec<_> = (0..params.axles.wheel_count()).map(name).collect();
    let numbered = |(index, name): (usize, &String)| {
        let alike = |names: &[String]| names.iter().filter(|other| *other == name).count();
        if alike(&names) == 1 {
            name.clone()
        } else {
            format!("{name} {}", alike(&names[..index]) + 1)
        }
    };
    names.iter().enumerate().map(numbered).collect()
}

/// How far from the middle a wheel is on a side (m).
const MIDDLE: Real = 1e-3;

/// Name of the channel of a `quantity` of `wheel`.
pub fn wheel_channel(quantity: &str, wheel: &str) -> String {
    format!("{quantity} {wheel}")
}

#[cfg(test)]
mod tests {
    use anyhow::Result;

    use super::*;

    #[test]
    fn wheels_are_named_by_their_axle_and_side() -> Result<()> {
        for (preset, first, last) in [
            ("hot_hatch", "front right", "rear left"),
            ("motorcycle", "front", "rear"),
            ("tandem_trailer", "front right", "rear left"),
            ("truck_6x6", "axle 1 right", "axle 3 left"),
            ("tank", "axle 1 right", "axle 7 left"),
        ] {
            let names = wheel_names(AnyVehicle::preset(preset)?.mechanics());
            let ends = [names.first(), names.last()].map(|name| name.map(String::as_str));
            assert_eq!(ends, [Some(first), Some(last)], "{preset}: {names:?}");
        }
        // Twin wheels at the rear, and those of the left side first.
        let mut twins = AnyVehicle::preset("truck_6x6")?.mechanics().clone();
        twins.axles = AxleDescription::new([&[1, 0][..], &[2, 3, 4, 5]])?;
        for suspension in &mut twins.suspensions {
            suspension.attachment.translation.x *= -1.0;
        }
        let names = wheel_names(&twins);
        let expected = [
            "front left",
            "front right",
            "rear left 1",
            "rear right 1",
            "rear left 2",
            "rear right 2",
        ];
        assert_eq!(names, expected);
        Ok(())
    }
}
