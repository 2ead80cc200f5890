//! Roll of cars, and bars that let them roll as asked.

use super::*;
use crate::blueprint::AxleRide;

/// A car whose rear axle has a roll center above the ground.
fn sheet() -> CarBlueprint {
    let ride = AxleRide { tire_stiffness: Some(220e3), ..AxleRide::default() };
    let rear = AxleRide { unsprung_mass: Some(36.0), roll_center_height: Some(0.1), ..ride };
    CarBlueprint { ride: Some([ride, rear]), ..CarBlueprint::default() }
}

#[test]
fn default_saloon_rolls_as_its_page_says() {
    let saloon = CarBlueprint::default();
    assert!((saloon.roll_gradient() - 4.0).abs() < 0.1, "{}", saloon.roll_gradient());
}

#[test]
fn bars_make_the_car_roll_as_asked() {
    for sheet in [CarBlueprint::default(), sheet()] {
        for (gradient, share) in [(2.5, 0.55), (4.0, 0.6), (4.5, 0.6)] {
            let car = sheet.clone().with_roll_gradient(gradient, share).unwrap();
            assert!((car.roll_gradient() / gradient - 1.0).abs() < 1e-4, "{gradient}");
            let [front, rear] = [0, 1].map(|axle| car.roll_stiffness(axle));
            assert!((front / (front + rear) - share).abs() < 1e-4, "{front}, {rear}");
            car.mechanics().unwrap();
        }
    }
}

#[test]
fn gradients_that_no_bar_gives_are_refused() {
    let refused = |gradient, share| {
        let errors = sheet().with_roll_gradient(gradient, share).unwrap_err();
        errors.to_string()
    };
    let soft = refused(20.0, 0.6);
    assert!(soft.contains("degrees_per_g must be at most "), "{soft}");
    let stiff = refused(0.05, 0.6);
    assert!(stiff.contains("tires of axle 0 let it be reached"), "{stiff}");
    assert!(refused(-1.0, 0.6).contains("degrees_per_g must be positive"), "{soft}");
    assert!(refused(4.0, 1.5).contains("front_share must be"), "{soft}");
    // The axle that is stiffest without a bar has none at the gradient that the message tells.
    let told = soft.split("at most ").skip(1).map(|rest| rest.split(',').next().unwrap());
    let softest = told.map(|text| text.parse().unwrap()).fold(Real::INFINITY, Real::min);
    let car = sheet().with_roll_gradient(softest * 0.9999, 0.6).unwrap();
    let least = car.anti_roll_stiffness.into_iter().fold(Real::INFINITY, Real::min);
    assert!((0.0..100.0).contains(&least), "{:?}", car.anti_roll_stiffness);
}
