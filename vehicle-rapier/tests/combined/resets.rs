//! Vehicles that begin anew after they have been changed.

use rapier3d::prelude::*;
use snippets::scenes::level_world;
use vehicle_rapier::core::error::ParamCheck;
use vehicle_rapier::core::vehicle::{HasOwn, OwnState};
use vehicle_rapier::drivetrain::aids::{AidsParams, AntiLockParams, CruiseParams};
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle, AnyVehicle, VehicleFile};

use crate::common::{DT, drive};

fn preset(name: &str) -> AnyVehicle {
    AnyVehicle::preset(name).expect("a preset")
}

fn insert(world: &mut PhysicsWorld, model: &AnyVehicle) -> AnyRapierVehicle {
    model.insert(world, Pose::from_translation(Vector::Y * model.standing_height(9.81)))
}

fn aids() -> AidsParams {
    let (anti_lock, cruise) = (Some(AntiLockParams::default()), Some(CruiseParams::default()));
    AidsParams { anti_lock, cruise, ..AidsParams::default() }
}

/// A preset whose file has aids.
fn aided(name: &str) -> AnyVehicle {
    let file = VehicleFile { aids: aids(), ..preset(name).file().clone() };
    AnyVehicle::new(file, "").expect("a vehicle")
}

#[test]
fn a_vehicle_begins_anew_whatever_has_been_changed() {
    type Change = fn(&mut PhysicsWorld, &mut AnyRapierVehicle);
    let changes: [(&str, AnyVehicle, Change); 4] = [
        ("aids are given", preset("hot_hatch"), |_, car| {
            car.vehicle.set_aids(aids()).expect("aids");
        }),
        ("aids are taken away", aided("hot_hatch"), |_, car| {
            car.vehicle.set_aids(AidsParams::default()).expect("no aids");
        }),
        ("made anew with aids", preset("hot_hatch"), |world, car| {
            car.vehicle.set_aids(aids()).expect("aids");
            car.remake(&preset("hot_hatch"), world).expect("the same vehicle");
        }),
        ("another driveline", preset("electric_car"), |world, car| {
            let other = insert(&mut PhysicsWorld::new(), &preset("rc_car"));
            let (AnyDrive::Blocks(other), AnyDrive::Blocks(own)) =
                (&other.vehicle.drive, &mut car.vehicle.drive)
            else {
                panic!("both are of blocks")
            };
            let mut params = (**own.params()).clone();
            params.driveline = other.params().driveline.clone();
            params.spin_axes.clear();
            own.set_params(params).expect("a driveline");
            drive(world, car, DT);
        }),
    ];
    for (name, model, change) in changes {
        let mut world = level_world(DT, 1.0);
        let mut car = insert(&mut world, &model);
        car.commands_mut().throttle = 0.6;
        drive(&mut world, &mut car, 0.5);
        let start = car.pose(&world.bodies).expect("a body");
        change(&mut world, &mut car);
        let start = if name.starts_with("made anew") { start } else { model_place(&model) };
        if let Some(memory) = car.vehicle.aided_mut().memory_mut() {
            memory.aids.cruise.set(30.0);
        }
        let aids = car.vehicle.aids().copied();
        drive(&mut world, &mut car, 0.5);
        car.reset(&mut world.bodies).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(car.pose(&world.bodies).expect("a body"), start, "{name}");
        assert_eq!(car.commands().throttle, 0.0, "{name}");
        assert_eq!(car.vehicle.aids().copied(), aids, "{name}");
        let memory = car.vehicle.aided().memory();
        assert_eq!(memory.is_some(), aids.is_some(), "{name}");
        assert!(memory.is_none_or(|memory| !memory.aids.cruise.is_active()), "{name}");
        car.commands_mut().throttle = 0.6;
        drive(&mut world, &mut car, 0.5);
        // That of a model car is too weak for it.
        let moves = 0.5 < car.forward_speed() || name == "another driveline";
        assert!(moves, "{name}: {} m/s", car.forward_speed());
    }
}

fn model_place(model: &AnyVehicle) -> Pose {
    Pose::from_translation(Vector::Y * model.standing_height(9.81))
}

/// A state whose list is as long as its parameters say.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Counters(Vec<Real>);

impl OwnState for Counters {
    type Params = usize;

    fn at_rest(count: &usize, _: usize) -> Self {
        Self(vec![0.0; *count])
    }

    fn check(&self, count: &usize, _: usize, check: &mut ParamCheck) {
        check.require("counters", self.0.len() <= *count, "no more than asked for", self.0.len());
    }

    fn is_finite(&self) -> bool {
        self.0.iter().copied().all(f32::is_finite)
    }
}

#[test]
fn a_part_of_ones_own_begins_anew_with_its_present_parameters() {
    let mut world = level_world(DT, 1.0);
    let model = preset("hot_hatch");
    let stages = model.sequence::<Counters>();
    let mut car = model
        .insert_with_own(&mut world, model_place(&model), 3, stages)
        .expect("valid parameters");
    car.vehicle.own().state.0 = vec![1.0];
    car.vehicle.set_own_params(2).expect("enough for one");
    car.reset(&mut world.bodies).expect("its start");
    assert_eq!(car.vehicle.own_state(), &Counters(vec![0.0; 2]));
    drive(&mut world, &mut car, DT);
}
