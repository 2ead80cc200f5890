//! Hill start and auto-hold on grades, forward, in reverse and with trailers.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::{Aid, AidsParams, HillStartParams};
use vehicle_rapier::drivetrain::blocks::Selector;
use vehicle_rapier::drivetrain::inputs::{Direction, DrivingCommands, GearChoice};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{AnyRapierVehicle, Preset};

use crate::scene::{GRAVITY, Result, on_road};

const RATE: Real = 60.0;

/// A preset, with its trailer if it has one and that is asked for, at rest.
struct Train {
    world: PhysicsWorld,
    vehicles: Vec<AnyRapierVehicle>,
}

impl Train {
    fn new(preset: &str, aids: AidsParams, has_trailer: bool, rate: Real) -> Result<Self> {
        let (mut world, tractor) = on_road(preset, aids, [1.0; 2], 0.0, rate)?;
        let mut vehicles = vec![tractor];
        let coupling = Preset::ALL.iter().find(|it| it.name == preset).and_then(|it| it.coupling);
        if let Some(coupling) = coupling.filter(|_| has_trailer) {
            let trailer = AnyVehicle::preset(coupling.trailer)?;
            let trailer =
                vehicles[0].insert_trailer(coupling.own, &trailer, coupling.theirs, &mut world)?;
            vehicles.push(trailer);
        }
        Ok(Self { world, vehicles })
    }

    fn mass(&self) -> Real {
        self.vehicles.iter().map(|it| it.vehicle.read_mechanics().params.rigid_body.mass).sum()
    }

    fn step(&mut self) -> Result {
        let commands = *self.vehicles[0].commands_mut();
        for vehicle in &mut self.vehicles {
            vehicle.commands_mut().brakes = commands.brakes;
            vehicle.update(&mut self.world)?;
        }
        self.world.step();
        Ok(())
    }

    /// Tilts the world, uphill along `way`.
    fn tilt(&mut self, grade: Real, way: Real) {
        let angle = grade.atan();
        self.world.gravity = Vector::new(0.0, -angle.cos(), -way * angle.sin()) * GRAVITY;
    }
}

/// How far it rolls back (m), and the speed along its way at the end (m/s).
#[derive(Clone, Copy, Debug)]
struct Start {
    back: Real,
    end: Real,
}

/// A start on a `grade` along `way`, 1 forward and -1 in reverse, half a second after the brake.
fn start(
    preset: &str,
    hill_start: Option<HillStartParams>,
    grade: Real,
    way: Real,
    (has_trailer, rate): (bool, Real),
) -> Result<Start> {
    let aids = AidsParams { hill_start, ..AidsParams::default() };
    let mut train = Train::new(preset, aids, has_trailer, rate)?;
    if let Some(hill_start) = hill_start.filter(|_| has_trailer) {
        let train_mass = Some(train.mass());
        let hill_start = Some(HillStartParams { train_mass, ..hill_start });
        train.vehicles[0].vehicle.set_aids(AidsParams { hill_start, ..aids })?;
    }
    train.tilt(grade, way);
    train.vehicles[0].select(if way < 0.0 { Selector::Reverse } else { Selector::Drive });
    let (mut from, mut back): (Real, Real) = (0.0, 0.0);
    let (standing, pause) = ((3.0 * rate) as usize, (0.5 * rate) as usize);
    for step in 0..standing + (6.0 * rate) as usize {
        let commands = train.vehicles[0].commands_mut();
        commands.brakes[0] = if step < standing { 1.0 } else { 0.0 };
        let pressed = step.saturating_sub(standing + pause) as Real / (0.5 * rate);
        commands.throttle = (0.6 * pressed).min(0.6);
        train.step()?;
        let place = train.vehicles[0].pose(&train.world.bodies)?.translation.z;
        if step + 1 == standing {
            from = place;
        }
        if standing <= step {
            back = back.max(way * (from - place));
        }
    }
    Ok(Start { back, end: way * train.vehicles[0].forward_speed() })
}

#[test]
fn vehicles_start_on_grades_without_rolling_back() -> Result {
    let hill_start = Some(HillStartParams::default());
    for (preset, grades) in [
        ("hot_hatch", &[0.05, 0.12, 0.2, 0.3][..]),
        ("sports_car", &[0.05, 0.2]),
        ("pick_up", &[0.05, 0.2]),
        ("electric_car", &[0.05, 0.2, 0.3]),
        ("truck_6x6", &[0.05, 0.15]),
    ] {
        let without = start(preset, None, 0.2, 1.0, (false, RATE))?;
        println!("{preset}: {without:?} without on a grade of 0.2");
        assert!(0.1 < without.back, "{preset} stands without: {without:?}");
        for &grade in grades {
            for way in [1.0, -1.0] {
                for rate in [30.0, 60.0, 240.0] {
                    let with = start(preset, hill_start, grade, way, (false, rate))?;
                    println!("{preset} {grade} way {way} {rate} Hz: {with:?}");
                    assert!(with.back < 0.01, "{preset} {grade} {way} {rate} Hz: {with:?}");
                    assert!(0.5 < with.end, "{preset} {grade} {way} {rate} Hz: {with:?}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn trains_start_on_grades_without_rolling_back() -> Result {
    let hill_start = Some(HillStartParams::default());
    for (preset, grade) in [("semi_tractor", 0.08), ("pick_up", 0.12)] {
        let without = start(preset, None, grade, 1.0, (true, RATE))?;
        let with = start(preset, hill_start, grade, 1.0, (true, RATE))?;
        println!("{preset} with its trailer: {with:?}, without {without:?}");
        assert!(with.back < 0.02 && 0.3 < with.end, "{preset}: {with:?}");
    }
    Ok(())
}

#[test]
fn holds_time_out_and_auto_hold_does_not() -> Result {
    for preset in ["hot_hatch", "electric_car", "truck_6x6"] {
        let rolled = |hill_start: HillStartParams, grade: Real, seconds: Real| -> Result<Real> {
            let aids = AidsParams { hill_start: Some(hill_start), ..AidsParams::default() };
            let mut train = Train::new(preset, aids, false, RATE)?;
            train.tilt(grade, 1.0);
            if let Some(transmission) = train.vehicles[0].transmission_mut() {
                // The clutch would hold a car in gear for a while by its creeping.
                transmission.clutch = 1.0;
            }
            for step in 0..(seconds * RATE) as usize {
                let is_braked = (step as Real) < 2.0 * RATE;
                train.vehicles[0].commands_mut().brakes[0] = if is_braked { 1.0 } else { 0.0 };
                train.step()?;
            }
            Ok(-train.vehicles[0].pose(&train.world.bodies)?.translation.z)
        };
        let usual = HillStartParams::default();
        let auto_hold = HillStartParams { auto_hold: true, ..usual };
        let (held, over) = (rolled(usual, 0.15, 3.9)?, rolled(usual, 0.15, 8.0)?);
        let kept = rolled(auto_hold, 0.15, 30.0)?;
        let downhill = rolled(auto_hold, -0.1, 30.0)?.abs();
        println!("{preset}: {held} m at 1.9 s, {over} m at 6 s; auto-hold {kept}, {downhill} m");
        assert!(held.abs() < 0.02 && 1.0 < over, "{preset}: {held} m, then {over} m");
        assert!(kept.abs() < 0.02 && downhill < 0.02, "{preset}: {kept} m, {downhill} m");
    }
    Ok(())
}

#[test]
fn level_roads_are_left_alone() -> Result {
    let hill_start = Some(HillStartParams::default());
    let aids = AidsParams { hill_start, ..AidsParams::default() };
    let mut train = Train::new("hot_hatch", aids, false, RATE)?;
    for step in 0..240 {
        let commands = train.vehicles[0].commands_mut();
        commands.brakes[0] = if step < 120 { 1.0 } else { 0.0 };
        train.step()?;
        assert!(!train.vehicles[0].vehicle.aided().report().is_active(Aid::HillStart));
    }
    Ok(())
}

#[test]
fn auto_hold_lets_a_car_go_that_is_driven_downhill() -> Result {
    let hill_start = Some(HillStartParams { auto_hold: true, ..HillStartParams::default() });
    let aids = AidsParams { hill_start, ..AidsParams::default() };
    for preset in ["hot_hatch", "electric_car"] {
        for way in [1.0, -1.0] {
            let mut train = Train::new(preset, aids, false, RATE)?;
            // Downhill along `way`.
            train.tilt(-0.2, way);
            train.vehicles[0].select(if way < 0.0 { Selector::Reverse } else { Selector::Drive });
            let mut pressed_for = 0;
            for step in 0..420 {
                let commands = train.vehicles[0].commands_mut();
                commands.brakes[0] = if step < 120 { 1.0 } else { 0.0 };
                commands.throttle = if step < 300 { 0.0 } else { 0.05 };
                train.step()?;
                let is_held = train.vehicles[0].vehicle.aided().report().is_active(Aid::HillStart);
                if step == 299 {
                    assert!(is_held, "{preset} {way}: it rolls without throttle");
                }
                pressed_for += usize::from(300 <= step && is_held);
            }
            let speed = way * train.vehicles[0].forward_speed();
            println!("{preset} {way}: held for {pressed_for} steps of throttle, {speed} m/s");
            assert!(pressed_for < 30, "{preset} {way}: held for {pressed_for} steps");
            assert!(1.0 < speed, "{preset} {way}: {speed} m/s");
        }
    }
    Ok(())
}

#[test]
fn a_tank_that_turns_on_the_spot_gets_free_of_its_hold() -> Result {
    let hill_start = Some(HillStartParams { auto_hold: true, ..HillStartParams::default() });
    let turned = |hill_start| -> Result<(Real, bool)> {
        let aids = AidsParams { hill_start, ..AidsParams::default() };
        let (mut world, mut tank) = on_road("tank", aids, [1.0; 2], 0.0, RATE)?;
        let angle = 0.1_f32.atan();
        world.gravity = Vector::new(0.0, -angle.cos(), -angle.sin()) * GRAVITY;
        let gear = GearChoice::Automatic(Direction::Forward);
        for step in 0..360 {
            let is_braked = step < 120;
            let throttle = if is_braked { 0.0 } else { 1.0 };
            let steer = if is_braked { 0.0 } else { 0.4 };
            let commands = Commands { throttle, steer, ..Commands::default() };
            let mut driven = DrivingCommands::new(commands, gear);
            driven.commands.brakes[0] = if is_braked { 1.0 } else { 0.0 };
            tank.drive_by(&driven);
            tank.step(&mut world)?;
        }
        let is_held = tank.vehicle.aided().report().is_active(Aid::HillStart);
        Ok((tank.vehicle.body().angular_velocity.y.abs(), is_held))
    };
    let ((free, _), (held, is_held)) = (turned(None)?, turned(hill_start)?);
    println!("{held} rad/s after a hold, {free} rad/s without");
    assert!(!is_held && 0.1 < free && 0.9 * free < held, "{held} rad/s, {free} rad/s without");
    Ok(())
}
