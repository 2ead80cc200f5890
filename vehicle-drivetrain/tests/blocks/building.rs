//! Trees of blocks: sentences, files, and what is refused.

use vehicle_core::lookup_table::LookupTable;
use vehicle_drivetrain::blocks::{
    BatterySettings, Block, BlockDriveline, BlockError, BlockTree, BusLink, Capacity, Chain,
    Differential, DifferentialMode, Dynamometer, DynamometerEnd, ElectricMotor, Engine, FixedGear,
    FrictionClutch, Gearbox, Shaft, SlotName, Wheel, chain, ready_made, wheel,
};

fn car() -> Chain {
    chain(Engine::default())
        .then(FrictionClutch::default())
        .then(Gearbox::default())
        .then(Differential::open(3.7))
        .to([wheel(2), wheel(3)])
}

#[test]
fn a_driveline_reads_like_the_sentence() {
    let tree = car().build().unwrap();
    let names: Vec<_> = tree.blocks.iter().map(|block| block.name.as_str()).collect();
    let expected = ["engine", "friction clutch", "gearbox", "differential", "wheel 2", "wheel 3"];
    assert_eq!(names, expected);
    let shaft = |from, to| Shaft { from, to };
    let shafts = [
        shaft((0, 0), (1, 0)),
        shaft((1, 0), (2, 0)),
        shaft((2, 0), (3, 0)),
        shaft((3, 0), (4, 0)),
        shaft((3, 1), (5, 0)),
    ];
    assert_eq!(tree.shafts, shafts);
}

#[test]
fn all_ready_made_drivelines_are_files_and_come_back_to_the_bit() {
    for (name, build) in ready_made::ALL {
        let tree = build().unwrap_or_else(|error| panic!("{name}: {error}"));
        BlockDriveline::new(tree.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = serde_json::to_string_pretty(&tree).unwrap();
        let read: BlockTree = serde_json::from_str(&text).unwrap();
        assert_eq!(tree, read, "{name}");
        assert_eq!(text, serde_json::to_string_pretty(&read).unwrap(), "{name}");
    }
}

#[test]
fn infinite_capacities_are_spelt_in_files() {
    let tree: BlockTree =
        chain(Engine::default()).then(FrictionClutch::rigid()).then(wheel(0)).build().unwrap();
    let text = serde_json::to_string(&tree).unwrap();
    assert!(text.contains("\"capacity\":\"inf\""), "{text}");
    assert_eq!(serde_json::from_str::<BlockTree>(&text).unwrap(), tree);
}

#[test]
fn slots_are_connected_and_disconnected() {
    let mut tree: BlockTree = BlockTree::default();
    let engine = tree.add(Engine::default());
    let first = tree.add(Wheel { wheel: 0 });
    let second = tree.add(Wheel { wheel: 1 });
    tree.connect((engine, 0), (first, 0)).unwrap();
    let occupied = tree.connect((engine, 0), (second, 0)).unwrap_err();
    assert_eq!(occupied.to_string(), "output 0 of \"engine\" has a shaft already");
    assert!(tree.disconnect_output(engine, 0));
    assert!(!tree.disconnect_output(engine, 0));
    tree.connect((engine, 0), (second, 0)).unwrap();
    let occupied = tree.connect((engine, 0), (second, 0)).unwrap_err();
    assert!(matches!(occupied, BlockError::Occupied(_)));
    assert!(tree.disconnect_input(second, 0));
    assert!(tree.shafts.is_empty());
    let none = tree.connect((engine, 1), (second, 0)).unwrap_err();
    assert_eq!(none.to_string(), "there is no output 1 of \"engine\": it has 1 outputs");
    assert_eq!(tree.connect((7, 0), (second, 0)), Err(BlockError::NoBlock(7)));
}

#[test]
fn errors_name_block_and_slot() {
    let message = |tree: Result<BlockTree, BlockError>| tree.unwrap_err().to_string();
    let cases = [
        (message(chain(Engine::default()).build()), "output 0 of \"engine\" has no shaft"),
        (
            message(chain(FrictionClutch::default()).then(wheel(0)).build()),
            "input 0 of \"friction clutch\" has no shaft",
        ),
        (
            message(chain(Engine::default()).then(Differential::open(3.0)).to([wheel(0)]).build()),
            "output 1 of \"differential\" has no shaft",
        ),
        (
            message(chain(Engine::default()).to([wheel(0), wheel(1)]).build()),
            "there is no output 1 of \"engine\": it has 1 outputs",
        ),
        (
            message(chain(Engine::default()).then(FixedGear::new(2.0)).build()),
            "\"gear\" has nothing behind it, and a gear is no end of a driveline",
        ),
        (
            message(
                chain(Engine::default())
                    .then(Differential::open(3.0))
                    .to([wheel(1), chain(Wheel { wheel: 1 }).named("spare")])
                    .build(),
            ),
            "\"wheel 1\" and \"spare\" are both wheel 1 of the vehicle",
        ),
        (
            message(
                chain(Engine::default())
                    .named("x")
                    .then(chain(FixedGear::new(2.0)).named("x"))
                    .then(wheel(0))
                    .build(),
            ),
            "two blocks have the name \"x\"",
        ),
        (
            message(chain(ElectricMotor::default()).then(wheel(0)).build()),
            "\"electric motor\" is on battery 0, which there is not",
        ),
        (
            message(
                chain(Engine { inertia: -1.0, ..Engine::default() })
                    .then(FixedGear { ratio: 0.0, ..FixedGear::new(1.0) })
                    .then(wheel(0))
                    .build(),
            ),
            "\"engine\".inertia must be positive and finite, got -1; \
             \"gear\".ratio must be within [0.001, 1000] or [-1000, -0.001], got 0",
        ),
        (
            message(
                Ok(BlockTree::default())
                    .and_then(|tree: BlockTree| tree.check_connections().map(|()| tree)),
            ),
            "a driveline must have at least one block",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn cycles_are_found() {
    let mut tree: BlockTree = BlockTree::default();
    let gear = |tree: &mut BlockTree| tree.add(FixedGear::new(2.0));
    let (first, second) = (gear(&mut tree), gear(&mut tree));
    tree.connect((first, 0), (second, 0)).unwrap();
    tree.connect((second, 0), (first, 0)).unwrap();
    let error = tree.check_connections().unwrap_err();
    assert_eq!(error, BlockError::Cycle { block: "gear".to_owned() });
}

/// Two ways from one block to another, which no tree has.
#[test]
fn rings_are_found() {
    let mut tree: BlockTree = BlockTree::default();
    let engine = tree.add(Engine::default());
    let differential = tree.add(Differential::open(3.0));
    let joint = tree.add(vehicle_drivetrain::blocks::Joint);
    let last = tree.add(Wheel { wheel: 0 });
    tree.connect((engine, 0), (differential, 0)).unwrap();
    tree.connect((differential, 0), (joint, 0)).unwrap();
    tree.connect((differential, 1), (joint, 1)).unwrap();
    tree.connect((joint, 0), (last, 0)).unwrap();
    let error = BlockDriveline::new(tree).unwrap_err();
    assert!(matches!(error, BlockError::Driveline(_)), "{error}");
    assert!(error.to_string().contains("ring"), "{error}");
}

#[test]
fn a_share_of_friction_with_several_solutions_is_refused_with_the_reason() {
    let mode = DifferentialMode::ClutchPack { preload: 50.0, drive: 0.55, coast: 0.2 };
    let error = chain::<vehicle_drivetrain::blocks::NoCustomBlock>(Engine::default())
        .then(Differential::open(3.0).with_mode(mode))
        .to([wheel(0), wheel(1)])
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"differential\".mode.drive must be within [0, min(share, 1 - share) = 0.5], or one output \
         would get less torque the more goes in and a step could have several solutions, got 0.55"
    );
}

#[test]
fn the_bus_carries_sensors_to_inputs() {
    let dynamometer = |end| Dynamometer { inertia: 1.0, damping: 0.0, end };
    let tree: BlockTree = chain(dynamometer(DynamometerEnd::Source))
        .named("motor")
        .then(chain(dynamometer(DynamometerEnd::Load)).named("load"))
        .with_link(("motor", "speed"), ("load", "torque"), -3.0)
        .build()
        .unwrap();
    let driveline = BlockDriveline::new(tree.clone()).unwrap();
    let (mut state, mut workspace) = (driveline.start(), driveline.workspace());
    let load = driveline.input("load", "torque").unwrap();
    state.set_input(driveline.input("motor", "torque").unwrap(), 10.0);
    driveline.step(&mut state, &[], 0.1, &mut workspace).unwrap();
    let speed = state.sensor(driveline.sensor("motor", "speed").unwrap());
    assert!((speed - 0.5).abs() < 1e-12, "{speed}");
    driveline.step(&mut state, &[], 0.1, &mut workspace).unwrap();
    assert!((state.input(load) + 3.0 * speed).abs() < 1e-12, "{}", state.input(load));

    let bus = vec![BusLink {
        from: ("motor".to_owned(), "color".to_owned()),
        to: ("load".to_owned(), "torque".to_owned()),
        factor: 1.0,
    }];
    let error = BlockDriveline::new(BlockTree { bus, ..tree }).unwrap_err();
    assert_eq!(error.to_string(), "there is no channel \"color\" of a block \"motor\"");
}

#[test]
fn states_of_another_driveline_are_refused() {
    let first = BlockDriveline::new(car().build().unwrap()).unwrap();
    let second = BlockDriveline::new(ready_made::truck_8x8().unwrap()).unwrap();
    let (mut state, mut workspace) = (second.start(), first.workspace());
    let before = state.clone();
    assert!(first.step(&mut state, &[], 0.01, &mut workspace).is_err());
    assert!(first.step(&mut first.start(), &[], -0.01, &mut workspace).is_err());
    assert_eq!(state, before);
}

#[test]
fn slots_have_readable_names() {
    let slot = SlotName { block: "engine".to_owned(), is_input: false, slot: 0 };
    assert_eq!(slot.to_string(), "output 0 of \"engine\"");
    let battery = BatterySettings { capacity: -1.0, ..BatterySettings::default() };
    let error = car().with_battery(battery).build().unwrap_err().to_string();
    assert_eq!(error, "batteries[0].capacity must be positive and finite, got -1");
    let clutch = FrictionClutch { capacity: Capacity(-1.0), ..FrictionClutch::default() };
    let block: Block = clutch.into();
    let error = vehicle_core::error::Validate::validate(&block).unwrap_err().to_string();
    assert_eq!(error, "capacity must be not negative, or infinite, got -1");
    let lines = LookupTable::constant(500.0);
    let mut gearbox = Gearbox::automatic();
    if let vehicle_drivetrain::blocks::GearControl::Automatic(shift) = &mut gearbox.control {
        shift.down = lines;
    }
    let block: Block = gearbox.into();
    let error = vehicle_core::error::Validate::validate(&block).unwrap_err().to_string();
    assert!(
        error.contains("control.down must be below up = 190 rad/s at the throttle 0"),
        "{error}"
    );
}
