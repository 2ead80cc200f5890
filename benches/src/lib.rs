//! The scenes whose speed is measured.
//!
//! A [`Fleet`] is a number of like vehicles, all driving in the same gentle left-hand bend, and one
//! way to simulate them. The fleets differ in nothing else: same masses, springs, wheel positions,
//! pedals and time step. [`time`] runs a fleet and reads the clock.

pub mod aided_fleet;
pub mod controller_fleet;
pub mod driveline_fleet;
pub mod flat_road_fleet;
pub mod long_vehicles;
pub mod own_parts;
pub mod path_drivers;
pub mod rapier_fleet;
pub mod rolling_wheel;
pub mod sample_vehicle;
pub mod threaded_fleet;
pub mod tire_fleets;

mod parade_ground;

use std::time::{Duration, Instant};

use anyhow::Context;

pub use aided_fleet::{AIDED_PRESET, aided_fleet, aids_named, each_aid};
pub use controller_fleet::ControllerFleet;
pub use driveline_fleet::{DrivelineFleet, tree_of};
pub use flat_road_fleet::FlatRoadFleet;
pub use long_vehicles::LongVehicle;
pub use own_parts::Edit;
pub use path_drivers::PathDrivers;
pub use rapier_fleet::{RapierFleet, Turns};
use rapier3d::prelude::*;
pub use rolling_wheel::RollingWheel;
pub use sample_vehicle::SampleVehicle;
pub use threaded_fleet::{PartTimes, ThreadedFleet};
pub use tire_fleets::{Asked, OfEachModel, of_each_model, time_per_wheel, tire_fleet};
use vehicle_rapier::core::commands::{Commands, MAX_BRAKES};

/// Time step (s).
pub const DT: Real = 1.0 / 60.0;

/// Numbers of vehicles that are measured: one, whose data stay in the nearest cache, and many.
pub const FLEET_SIZES: [usize; 2] = [1, 1_000];

/// Numbers of substeps that are measured.
pub const SUBSTEPS: [u32; 2] = [1, 3];

/// Name of Rapier's own vehicle in the results: everything else is compared with it.
pub const CONTROLLER: &str = "DynamicRayCastVehicleController";

/// Name of vehicles of type `V` in a Rapier world in the results, by number of substeps.
pub fn rapier_world_name<V: SampleVehicle>(substeps: u32) -> String {
    format!("{}, Rapier world, substeps {substeps}", V::NAME)
}

/// Name of vehicles of type `V` that stand in a Rapier world in the results.
pub fn standing_name<V: SampleVehicle>(errand: Errand) -> String {
    format!("{}, Rapier world, {errand:?}", V::NAME)
}

/// Name of vehicles of type `V` on a plane in the results, by number of substeps.
pub fn flat_road_name<V: SampleVehicle>(substeps: u32) -> String {
    format!("{}, flat road, substeps {substeps}", V::NAME)
}

/// What the cars of a fleet do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Errand {
    /// They drive through the bend.
    Driving,
    /// They stand, braked and awake.
    Parked,
    /// They stand, braked, and sleep where there is a world to sleep in.
    Sleeping,
}

/// What a step of a fleet on a plane does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Explicit wheels, and no constraint rows.
    Plain,
    /// Implicit wheels and constraint rows.
    Coupled,
    /// Implicit wheels and constraint rows, with inputs and outcome checked.
    Checked,
}

/// What every driver does.
const COMMANDS: Commands =
    Commands { throttle: 0.3, brakes: [0.0; MAX_BRAKES], steer: 0.1, steering_torque: None };

/// What every driver does who stands.
const PARK: Commands =
    Commands { throttle: 0.0, brakes: [1.0, 0.0], steer: 0.0, steering_torque: None };

/// Speed of every vehicle when its fleet is built (m/s).
const START_SPEED: Real = 10.0;

/// Steps after which springs and tires have settled.
const STEPS_TO_SETTLE: u32 = 60;

/// Steps after which a fleet returns to its settled state, so that speeds stay alike however long
/// the clock runs.
const STEPS_PER_RUN: u64 = 120;

/// Vehicles, and one way to simulate them.
pub trait Fleet {
    /// Updates every vehicle: all of a step but the world's own part.
    ///
    /// # Errors
    ///
    /// If a vehicle cannot be updated.
    fn update(&mut self) -> anyhow::Result<()>;

    /// Steps the world, if there is one.
    fn step_world(&mut self);

    /// Returns to the settled state in which the fleet was built.
    fn restore(&mut self);

    /// Number of its vehicles.
    fn vehicles(&self) -> usize {
        self.velocities().len()
    }

    /// Velocity of each vehicle's center of mass (m/s).
    fn velocities(&self) -> Vec<Vector>;

    /// Number of wheels on the ground.
    fn grounded_wheels(&self) -> usize;
}

/// What the clock sees of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// The update of the vehicles; the world steps while the clock stands.
    Update,
    /// The update of the vehicles and the world's step.
    UpdateAndWorldStep,
}

impl Timed {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Update, Self::UpdateAndWorldStep];

    /// Its name in the results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::UpdateAndWorldStep => "update and world step",
        }
    }
}

/// Time that `steps` steps of `fleet` take, beginning at its settled state.
///
/// # Errors
///
/// If a vehicle cannot be updated.
pub fn time(
    fleet: &mut (impl Fleet + ?Sized),
    timed: Timed,
    steps: u64,
) -> anyhow::Result<Duration> {
    let mut elapsed = Duration::ZERO;
    let mut steps_left = steps;
    while 0 < steps_left {
        fleet.restore();
        // The first step after a restoration costs the world more: every body was teleported.
        fleet.update()?;
        fleet.step_world();
        let run = steps_left.min(STEPS_PER_RUN);
        elapsed += time_run(fleet, timed, run)?;
        steps_left -= run;
    }
    Ok(elapsed)
}

fn time_run(
    fleet: &mut (impl Fleet + ?Sized),
    timed: Timed,
    steps: u64,
) -> anyhow::Result<Duration> {
    let mut updates = Duration::ZERO;
    let start = Instant::now();
    for _ in 0..steps {
        if timed == Timed::Update {
            let update_start = Instant::now();
            fleet.update()?;
            updates += update_start.elapsed();
        } else {
            fleet.update()?;
        }
        fleet.step_world();
    }
    Ok(if timed == Timed::Update { updates } else { start.elapsed() })
}

/// The median of `values`.
///
/// # Errors
///
/// If there are none.
pub fn median(mut values: Vec<f64>) -> anyhow::Result<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().context("a median of no values")
}

fn settle(fleet: &mut impl Fleet) -> anyhow::Result<()> {
    for _ in 0..STEPS_TO_SETTLE {
        fleet.update()?;
        fleet.step_world();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::core::constraint_rows::RowExecution;
    use vehicle_rapier::core::tire::TireModel;
    use vehicle_rapier::core::tire::models::AnyTire;
    use vehicle_rapier::drivetrain::{DirectDriveVehicle, EngineDriveVehicle};
    use vehicle_rapier::vehicle_file::Preset;

    use super::*;

    fn check(name: &str, mut fleet: impl Fleet) {
        let [before, after] = [0, STEPS_PER_RUN].map(|steps| {
            time(&mut fleet, Timed::Update, steps).unwrap();
            fleet.velocities()
        });
        assert_eq!(fleet.grounded_wheels(), 2 * 4, "{name}");
        for (before, after) in before.into_iter().zip(after) {
            let (first, last) = (before.length(), after.length());
            assert!(START_SPEED < first, "{name}: {first} m/s at first");
            // 0.3 · 4 · 750 N·m, or what the engine leaves of 0.6 · 500 N·m in
            // third gear, / 0.343 m drive 2 t for 2 s.
            assert!((1.5..3.0).contains(&(last - first)), "{name}: {first} to {last} m/s");
            let turn = before.cross(after).y / (first * last);
            assert!(0.2 < turn, "{name}: from {before} to {after}");
            assert!(after.y.abs() < 0.1, "{name}: {after}");
        }
    }

    fn check_both<V: SampleVehicle>(substeps: u32) {
        let (on_plane, in_world) =
            (flat_road_name::<V>(substeps), rapier_world_name::<V>(substeps));
        check(&on_plane, FlatRoadFleet::<V>::new(2, substeps).unwrap());
        check(&in_world, RapierFleet::<V>::new(2, substeps).unwrap());
    }

    #[test]
    fn every_fleet_accelerates_through_the_bend_on_all_wheels() {
        for substeps in SUBSTEPS {
            check_both::<DirectDriveVehicle>(substeps);
            check_both::<EngineDriveVehicle>(substeps);
        }
        check("controller", ControllerFleet::new(2).unwrap());
    }

    #[test]
    fn presets_drive_on_and_stand_on_all_wheels() {
        for preset in Preset::ALL.iter().filter(|preset| preset.is_driven()) {
            let new = |errand, turns| {
                RapierFleet::preset(preset.name, 2, errand).unwrap().in_turns(turns)
            };
            let mut driving = new(Errand::Driving, Turns::SideBySide);
            time(&mut driving, Timed::Update, STEPS_PER_RUN).unwrap();
            let velocities = driving.velocities();
            assert!(velocities.iter().all(|velocity| 5.0 < velocity.length()), "{}", preset.name);
            let mut alone = new(Errand::Driving, Turns::OneByOne);
            time(&mut alone, Timed::Update, STEPS_PER_RUN).unwrap();
            assert_eq!(velocities, alone.velocities(), "{}", preset.name);
            let mut parked = new(Errand::Parked, Turns::SideBySide);
            time(&mut parked, Timed::Update, STEPS_PER_RUN).unwrap();
            let is_still = |velocity: &Vector| velocity.length() < 0.01;
            assert!(parked.velocities().iter().all(is_still), "{}", preset.name);
        }
    }

    #[test]
    fn cars_on_every_tire_stay_in_the_bend_on_all_wheels() {
        struct Drive;
        impl OfEachModel for Drive {
            type Answer = ();

            fn with<M: TireModel>(&mut self, name: &'static str, tire: &M) -> anyhow::Result<()>
            where
                AnyTire: From<M>,
            {
                let mut velocities = Vec::new();
                for asked in [Asked::InLanes, Asked::Alone, Asked::AsAny] {
                    let mut fleet = tire_fleet(tire, asked, 2, 3)?;
                    time(fleet.as_mut(), Timed::Update, STEPS_PER_RUN)?;
                    assert_eq!(fleet.grounded_wheels(), 2 * 4, "{name}, {asked:?}");
                    velocities.push(fleet.velocities());
                }
                let bends = velocities[0].iter().all(|velocity| 5.0 < velocity.length());
                assert!(bends, "{name}: {velocities:?}");
                assert_eq!(velocities[0], velocities[1], "{name}");
                assert_eq!(velocities[0], velocities[2], "{name}");
                let times = time_per_wheel(tire, 1);
                assert!(times.into_iter().flatten().all(|time| 0.0 < time), "{name}: {times:?}");
                Ok(())
            }
        }
        assert_eq!(of_each_model(&mut Drive).unwrap().len(), 8);
    }

    #[test]
    fn parked_fleet_stays_awake_and_sleeping_fleet_asleep() {
        for (errand, expected) in [(Errand::Parked, 0), (Errand::Sleeping, 2)] {
            let mut fleet =
                RapierFleet::<EngineDriveVehicle>::with(2, 3, errand, RowExecution::Local).unwrap();
            for _ in 0..2 {
                assert_eq!(fleet.sleeping_cars(), expected, "{errand:?}");
                time(&mut fleet, Timed::Update, STEPS_PER_RUN).unwrap();
                assert_eq!(fleet.grounded_wheels(), 2 * 4, "{errand:?}");
                assert!(fleet.velocities().iter().all(|velocity| velocity.length() < 1e-3));
            }
        }
    }

    #[test]
    fn only_coupled_and_parked_cars_are_held_by_rows() {
        for substeps in SUBSTEPS {
            for (errand, step, expected) in [
                (Errand::Parked, Step::Checked, 2 * 4),
                (Errand::Parked, Step::Coupled, 2 * 4),
                (Errand::Parked, Step::Plain, 0),
                (Errand::Driving, Step::Plain, 0),
            ] {
                let fleet = FlatRoadFleet::<DirectDriveVehicle>::with(2, substeps, errand, step);
                let mut fleet = fleet.unwrap();
                time(&mut fleet, Timed::Update, STEPS_PER_RUN).unwrap();
                assert_eq!(fleet.held_wheels(), expected, "{errand:?}, {step:?}, {substeps}");
                assert_eq!(fleet.grounded_wheels(), 2 * 4);
            }
        }
    }

    #[test]
    fn cars_that_take_turns_get_the_same_bits() {
        for errand in [Errand::Driving, Errand::Parked] {
            let [together, alone] = [Turns::SideBySide, Turns::OneByOne].map(|turns| {
                let cars =
                    RapierFleet::<EngineDriveVehicle>::with(11, 3, errand, RowExecution::Local);
                let mut fleet = cars.unwrap().in_turns(turns);
                time(&mut fleet, Timed::Update, STEPS_PER_RUN).unwrap();
                fleet.velocities()
            });
            assert_eq!(together, alone, "{errand:?}");
        }
    }

    #[test]
    fn fleet_restores_its_settled_state() {
        let mut fleet = RapierFleet::<EngineDriveVehicle>::new(2, 1).unwrap();
        let settled = fleet.velocities();
        time(&mut fleet, Timed::UpdateAndWorldStep, 10).unwrap();
        assert_ne!(fleet.velocities(), settled);
        fleet.restore();
        assert_eq!(fleet.velocities(), settled);
    }
}
