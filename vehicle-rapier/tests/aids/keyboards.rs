//! Players who press keys at random: what aids are worth to them, and what they cost.

use rapier3d::prelude::*;
use vehicle_rapier::drivetrain::aids::AidsParams;
use vehicle_rapier::drivetrain::handling::Handling;
use vehicle_rapier::drivetrain::inputs::{DriverInputs, InputParams, RawInputs};
use vehicle_rapier::prelude::*;

use crate::scene::{Result, all_aids, on_road, side_slip};

/// Number of players.
const PLAYERS: u32 = 100;
/// Time that each drives for (s).
const TIME: Real = 60.0;
const RATE: Real = 60.0;
/// Every preset that a driver drives on four wheels.
const PRESETS: [&str; 11] = [
    "city_car",
    "drift_car",
    "electric_car",
    "gt",
    "hot_hatch",
    "kart",
    "pick_up",
    "rally_car",
    "rc_car",
    "semi_tractor",
    "sports_car",
];

/// Numbers at random, of a seed.
struct Dice(u32);

impl Dice {
    /// A number in [0, 1).
    fn roll(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as Real / 16_777_216.0
    }
}

/// Keys of pedals and steering that are pressed at random, each for a while. The hand brake is not
/// among them: who pulls it wants to turn, and stability control lets him.
struct Keys {
    dice: Dice,
    pressed: RawInputs,
    /// Time until pedals and steering are pressed anew (s).
    left: [Real; 2],
}

impl Keys {
    fn of(seed: u32) -> Self {
        let dice = Dice(seed.wrapping_mul(2_654_435_761));
        Self { dice, pressed: RawInputs::default(), left: [0.0; 2] }
    }

    fn pressed(&mut self, dt: Real) -> RawInputs {
        self.left = self.left.map(|left| left - dt);
        if self.left[0] <= 0.0 {
            let chance = self.dice.roll();
            self.pressed.forward = if chance < 0.65 { 1.0 } else { 0.0 };
            self.pressed.backward = if (0.65..0.85).contains(&chance) { 1.0 } else { 0.0 };
            self.left[0] = 0.3 + 2.0 * self.dice.roll();
        }
        if self.left[1] <= 0.0 {
            self.pressed.steer = (3.0 * self.dice.roll()).floor() - 1.0;
            self.left[1] = 0.1 + 1.4 * self.dice.roll();
        }
        self.pressed
    }
}

/// What a player has done.
#[derive(Clone, Copy, Debug, Default)]
struct Drive {
    spins: u32,
    rolls: u32,
    /// (m)
    distance: Real,
}

impl Drive {
    fn with(self, other: Self) -> Self {
        Self {
            spins: self.spins + other.spins,
            rolls: self.rolls + other.rolls,
            distance: self.distance + other.distance,
        }
    }
}

fn play(preset: &str, seed: u32, aids: AidsParams, friction: Real) -> Result<Drive> {
    let (mut world, mut car) = on_road(preset, aids, [friction; 2], 0.0, RATE)?;
    // On a cuboid of kilometers Rapier finds contacts that are not there, 3 cm below the hull of a
    // model car. They throw it into the air.
    let alone = InteractionGroups::new(Group::GROUP_2, Group::NONE, InteractionTestMode::And);
    for &hull in world.bodies[car.body()].colliders() {
        world.colliders[hull].set_collision_groups(alone);
    }
    let handling = Handling::of(car.vehicle.read_mechanics().params, car.vehicle.frame());
    let mut inputs = DriverInputs::new(InputParams::keyboard(handling.as_ref()))?;
    let (mut keys, mut drive) = (Keys::of(seed), Drive::default());
    let mut was_straight = true;
    for _ in 0..(TIME * RATE) as u32 {
        let driven = inputs.update(&keys.pressed(1.0 / RATE), &car.seen_motion(), 1.0 / RATE)?;
        car.drive_by(&driven);
        car.step(&mut world)?;
        let body = car.vehicle.body();
        let speed = body.linear_velocity.length();
        drive.distance += speed / RATE;
        let slip = side_slip(&car).abs().to_degrees();
        if 5.0 < speed {
            if was_straight && 90.0 < slip {
                drive.spins += 1;
            }
            if !(45.0..=90.0).contains(&slip) {
                was_straight = slip < 45.0;
            }
        } else if speed < 2.0 {
            // Who stops and drives backward has not spun.
            was_straight = false;
        }
        if (body.pose.rotation * Vector::Y).y < 0.5 {
            drive.rolls = 1;
            break;
        }
    }
    Ok(drive)
}

#[test]
fn random_keyboards_spin_a_tenth_as_often_and_drive_as_far() -> Result {
    // Without aids and with them, on roads of many frictions and on a dry one.
    let mut of_presets = [[[Drive::default(); 2]; 2]; PRESETS.len()];
    for player in 0..PLAYERS {
        let number = player as usize % PRESETS.len();
        let friction = 0.3 + 0.8 * player as Real / (PLAYERS - 1) as Real;
        for (help, aids) in [AidsParams::default(), all_aids()].into_iter().enumerate() {
            for (road, friction) in [friction, 1.1].into_iter().enumerate() {
                let drive = play(PRESETS[number], player, aids, friction)?;
                let sum = &mut of_presets[number][road][help];
                *sum = sum.with(drive);
            }
        }
    }
    for (preset, [many, dry]) in PRESETS.iter().zip(of_presets) {
        println!("{preset}: {many:?}, dry {dry:?}");
        let [without, with] = dry.map(|drive| drive.distance);
        assert!(0.97 * without <= with, "{preset}: {with} m, {without} m without");
    }
    let sum = |road: usize, help: usize| {
        of_presets.iter().map(|of| of[road][help]).fold(Drive::default(), Drive::with)
    };
    for road in 0..2 {
        let (without, with) = (sum(road, 0), sum(road, 1));
        let shown = format!("{with:?}, without {without:?}");
        println!("{shown}");
        assert_eq!(with.rolls, 0, "{shown}");
        assert!(20 < without.spins && 10 * with.spins <= without.spins, "{shown}");
    }
    Ok(())
}
