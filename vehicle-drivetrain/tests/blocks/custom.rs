//! Blocks of a user's own: one that answers implicitly, one that gives a torque.

use vehicle_core::driveline::{Element, Friction, Inertia, Ratio};
use vehicle_core::error::{Bound, ParamCheck, Validate};
use vehicle_core::math::Real;
use vehicle_drivetrain::blocks::{
    Block, BlockDriveline, BlockResult, BlockShaft, BlockStep, BlockTree, Channel, Channels,
    DrivelineBlock, Dynamometer, DynamometerEnd, Sketch, Slots, chain,
};

const INPUT: BlockShaft = BlockShaft::Input(0);
const OUTPUT: BlockShaft = BlockShaft::Output(0);

/// A user's own blocks.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Own {
    /// An overdrive: a gear that a dog clutch puts in, or else a direct drive.
    Overdrive { ratio: Real },
    /// A fan on a shaft: `T = c ω²`, as an explicit torque.
    Fan { drag: Real },
}

impl Validate for Own {
    fn check(&self, check: &mut ParamCheck) {
        match self {
            Self::Overdrive { ratio } => check.number("ratio", *ratio, Bound::Positive),
            Self::Fan { drag } => check.number("drag", *drag, Bound::NotNegative),
        }
    }
}

impl DrivelineBlock for Own {
    fn kind(&self) -> &'static str {
        match self {
            Self::Overdrive { .. } => "overdrive",
            Self::Fan { .. } => "fan",
        }
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn channels(&self) -> Channels {
        const ENGAGED: &[Channel] = &[Channel::new("engaged", "")];
        const LOSS: &[Channel] = &[Channel::new("loss", "W")];
        match self {
            Self::Overdrive { .. } => Channels { inputs: ENGAGED, ..Channels::default() },
            Self::Fan { .. } => Channels { sensors: LOSS, ..Channels::default() },
        }
    }

    fn sketch(&self, sketch: &mut Sketch) {
        match self {
            Self::Overdrive { .. } => {
                let inner = sketch.inner_shaft();
                sketch.add(Element::Friction(Friction::RIGID), [INPUT, inner]);
                sketch.add(Element::Ratio(Ratio { ratio: 1.0, efficiency: 1.0 }), [inner, OUTPUT]);
            }
            Self::Fan { .. } => {
                sketch.add(Element::Friction(Friction::RIGID), [INPUT, OUTPUT]);
                sketch.add(Element::Inertia(Inertia::default()), [OUTPUT]);
            }
        }
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        match self {
            Self::Overdrive { ratio } => {
                // Before each step, the element is as it was sketched: direct.
                if 0.5 < step.inputs[0] {
                    let ratio = f64::from(*ratio);
                    step.elements[1] = Element::Ratio(Ratio { ratio, efficiency: 1.0 });
                }
            }
            Self::Fan { drag } => {
                let speed = step.speed(OUTPUT);
                let torque = -f64::from(*drag) * speed * speed.abs();
                step.elements[1] = Element::Inertia(Inertia { torque, ..Inertia::default() });
            }
        }
    }

    fn set_state(&self, result: &mut BlockResult<'_>) {
        if let Self::Fan { .. } = self {
            result.sensors[0] = result.element_torque(1, 0) * result.speed(OUTPUT);
        }
    }
}

fn tree() -> BlockTree<Own> {
    let dynamometer = |inertia, end| Dynamometer { inertia, damping: 0.0, end };
    chain(dynamometer(1.0, DynamometerEnd::Source))
        .named("motor")
        .then(Block::Custom(Own::Overdrive { ratio: 0.8 }))
        .then(Block::Custom(Own::Fan { drag: 0.01 }))
        .then(chain(dynamometer(2.0, DynamometerEnd::Load)).named("load"))
        .build()
        .expect("a driveline")
}

#[test]
fn own_blocks_are_solved_with_the_others() {
    let driveline = BlockDriveline::new(tree()).unwrap();
    let (mut state, mut workspace) = (driveline.start(), driveline.workspace());
    state.set_input(driveline.input("motor", "torque").unwrap(), 40.0);
    let engaged = driveline.input("overdrive", "engaged").unwrap();
    let motor = driveline.sensor("motor", "speed").unwrap();
    let load = driveline.sensor("load", "speed").unwrap();
    let step = |state: &mut _, workspace: &mut _| {
        driveline.step(state, &[], 0.01, workspace).unwrap();
    };
    step(&mut state, &mut workspace);
    // Both inertias at first, without wind: 40/(1 + 2) N·m per kg·m².
    let expected = 0.01 * 40.0 / 3.0;
    assert!((state.sensor(motor) - expected).abs() < 1e-12, "{}", state.sensor(motor));
    for _ in 0..20_000 {
        step(&mut state, &mut workspace);
    }
    // The fan takes all of the torque.
    let terminal = (40.0_f64 / 0.01).sqrt();
    assert!((state.sensor(load) - terminal).abs() < 1e-6 * terminal, "{}", state.sensor(load));
    let loss = state.sensor(driveline.sensor("fan", "loss").unwrap());
    assert!((loss - 40.0 * terminal).abs() < 1e-6 * loss, "{loss}");

    state.set_input(engaged, 1.0);
    step(&mut state, &mut workspace);
    let ratio = state.sensor(motor) / state.sensor(load);
    assert!((ratio - 0.8).abs() < 1e-7, "{ratio}");

    state.set_input(engaged, 0.0);
    step(&mut state, &mut workspace);
    let ratio = state.sensor(motor) / state.sensor(load);
    assert!((ratio - 1.0).abs() < 1e-7, "{ratio}");
}

#[test]
fn own_blocks_are_files_and_are_validated() {
    let tree = tree();
    let text = serde_json::to_string(&tree).unwrap();
    let read: BlockTree<Own> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, tree);
    let mut bad = tree;
    bad.blocks[1].block = Block::Custom(Own::Overdrive { ratio: -1.0 });
    let error = BlockDriveline::new(bad).unwrap_err().to_string();
    assert_eq!(error, "\"overdrive\".ratio must be positive and finite, got -1");
}

/// A block that is written wrongly.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Wrong {
    /// It has no such output.
    Shaft,
    /// Nothing is at its input.
    Loose,
    /// It makes an inertia of its coupling.
    Kind,
    /// Its inertia is negative.
    Number,
}

impl Validate for Wrong {
    fn check(&self, _: &mut ParamCheck) {}
}

impl DrivelineBlock for Wrong {
    fn kind(&self) -> &'static str {
        "wrong"
    }

    fn initialize(&self) -> Slots {
        Slots::new(1, 1)
    }

    fn sketch(&self, sketch: &mut Sketch) {
        let coupling = Element::Friction(Friction::RIGID);
        match self {
            Self::Shaft => sketch.add(coupling, [INPUT, BlockShaft::Output(3)]),
            Self::Loose => sketch.add(Element::Inertia(Inertia::default()), [OUTPUT]),
            Self::Kind | Self::Number => {
                sketch.add(coupling, [INPUT, OUTPUT]);
                sketch.add(Element::Inertia(Inertia::default()), [OUTPUT]);
            }
        }
    }

    fn pre_step(&self, step: &mut BlockStep<'_>) {
        let inertia = |inertia| Element::Inertia(Inertia { inertia, ..Inertia::default() });
        match self {
            Self::Kind => step.elements[0] = inertia(1.0),
            Self::Number => step.elements[1] = inertia(-1.0),
            _ => (),
        }
    }
}

#[test]
fn a_block_that_is_written_wrongly_is_named() {
    let tree = |block: Wrong| {
        let load = Dynamometer { inertia: 2.0, damping: 0.0, end: DynamometerEnd::Load };
        let source = Dynamometer { end: DynamometerEnd::Source, ..load };
        chain(source)
            .named("motor")
            .then(Block::Custom(block))
            .then(chain(load).named("load"))
            .build()
    };
    for (block, fault) in [
        (Wrong::Shaft, "an element of \"wrong\" is on Output(3), of 1 output(s) that it has"),
        (Wrong::Loose, "input 0 of \"wrong\" has no element of its block on its shaft"),
    ] {
        assert_eq!(tree(block).unwrap_err().to_string(), fault);
    }
    for (block, fault) in [
        (
            Wrong::Kind,
            "\"wrong\".elements[0] must be of the kind that it was sketched as, friction coupling, got inertia",
        ),
        (Wrong::Number, "\"wrong\".elements[1].inertia must be finite and not negative, got -1"),
    ] {
        let tree = tree(block).expect("it is sketched well");
        let driveline = BlockDriveline::new(tree).expect("a driveline");
        let (mut state, mut workspace) = (driveline.start(), driveline.workspace());
        let error = driveline.step(&mut state, &[], 0.01, &mut workspace).unwrap_err();
        assert_eq!(error.to_string(), fault);
    }
}
