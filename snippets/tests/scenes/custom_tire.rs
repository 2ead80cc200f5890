//! A tire of one's own beside a measured one.

use anyhow::Result;
use snippets::custom_tire::{NAMES, Tires, record};
use snippets::tanh_tire::TanhTire;
use vehicle_rapier::core::tire::models::steady::{SteadyInput, SteadyLaw};

const TIRE: &str = include_str!("../../../vehicle-core/tests/data/205_60R15.tir");

#[test]
fn both_tires_work_up_to_their_peaks() -> Result<()> {
    let telemetry = record(&Tires::read(TIRE)?, || ())?;
    for name in NAMES {
        let column = |quantity: &str| telemetry.column(&format!("{quantity}, {name}"));
        let (angles, loads) = (column("slip angle")?, column("load")?);
        let forces = column("lateral force")?;
        let most = angles.iter().fold(0.0_f64, |most, angle| most.max(angle.abs()));
        assert!(0.08 < most, "{name}: {most} rad");
        let used = forces.iter().zip(loads).filter(|(_, load)| 1_000.0 < **load);
        let used = used.fold(0.0_f64, |most, (force, load)| most.max((force / load).abs()));
        assert!((0.7..1.2).contains(&used), "{name}: {used} of the load");
    }
    Ok(())
}

#[test]
fn a_tire_of_ones_own_takes_less_than_a_hundred_lines_and_keeps_to_its_friction() {
    let source = include_str!("../../src/tanh_tire.rs");
    assert!(source.lines().count() < 100);
    for slip_ratio in [-2.0, -0.1, 0.0, 0.05, 10.0] {
        for slip_tangent in [-3.0, -0.05, 0.0, 0.02, 1.0] {
            let input = SteadyInput {
                load: 4_000.0,
                friction: 0.8,
                slip_ratio,
                slip_tangent,
                ..SteadyInput::default()
            };
            let output = TanhTire::default().output(&input);
            let force = output.longitudinal_force.hypot(output.lateral_force);
            assert!(force <= 3_200.0 * 1.000_01, "{force} N at {slip_ratio}, {slip_tangent}");
            assert!(0.0 <= output.longitudinal_force * slip_ratio);
            assert!(output.lateral_force * slip_tangent <= 0.0);
        }
    }
}
