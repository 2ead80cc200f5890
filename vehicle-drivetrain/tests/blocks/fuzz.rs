//! Random inputs and broken trees: no panic, nothing that is not finite, every fault named.

use vehicle_drivetrain::blocks::{
    BlockDriveline, BlockTree, Capacity, Differential, Engine, FixedGear, FrictionClutch, Gearbox,
    Shaft, Wheel, WheelLoad, ready_made,
};

/// Numbers that look random and are the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    fn load(&mut self) -> WheelLoad {
        WheelLoad {
            inertia: self.within(0.1, 20.0),
            damping: self.within(0.0, 1.0),
            torque: self.within(-500.0, 500.0),
            tire_torque: self.within(-2e4, 2e4),
            tire_stiffness: self.within(0.0, 2e4),
            max_tire_torque: self.within(0.0, 1e4),
            brake_torque: if self.unit() < 0.5 { 0.0 } else { self.within(0.0, 1e4) },
            is_lost: self.unit() < 0.1,
        }
    }

    /// What no driver asks for.
    fn wild(&mut self) -> f64 {
        match self.below(12) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1e30,
            3 => 1e9,
            4..=6 => self.within(-3.0, 8.0).round(),
            _ => self.within(-0.2, 1.2),
        }
    }
}

#[test]
fn a_million_random_inputs_leave_all_numbers_finite() {
    let mut random = Random(7);
    let (mut inputs_written, mut inconsistent, mut steps, mut most) = (0, 0, 0, 0);
    while inputs_written < 1_000_000 {
        for (name, build) in ready_made::ALL {
            let driveline = BlockDriveline::new(build().unwrap()).unwrap();
            let (mut state, mut workspace) = (driveline.start(), driveline.workspace());
            let mut inputs = Vec::new();
            for named in &driveline.tree().blocks {
                for channel in named.block.as_block().channels().inputs {
                    inputs.push(driveline.input(&named.name, channel.name).unwrap());
                }
            }
            for _ in 0..400 {
                for input in &inputs {
                    let value = random.wild();
                    state.set_input(*input, value);
                    inputs_written += 1;
                }
                let loads: Vec<_> = (0..8).map(|_| random.load()).collect();
                let dt = [1.0 / 60.0, 1e-3, 0.2][random.below(3)];
                let outcome = driveline.step(&mut state, &loads, dt, &mut workspace).unwrap();
                steps += 1;
                inconsistent += u64::from(!outcome.is_consistent);
                most = most.max(outcome.passes);
                let sensors = driveline.sensors().map(|(_, _, id)| state.sensor(id));
                let all_finite = state.speeds.iter().copied().chain(sensors).all(f64::is_finite);
                assert!(all_finite, "{name}: {state:?}");
            }
        }
    }
    println!("{inputs_written} inputs, {steps} steps, most passes {most}, {inconsistent} unsolved");
    assert_eq!(inconsistent, 0, "of {steps} steps");
}

/// Breaks a good tree somewhere.
fn broken(random: &mut Random) -> BlockTree {
    let (_, build) = ready_made::ALL[random.below(ready_made::ALL.len())];
    let mut tree = build().expect("a ready-made driveline");
    let count = tree.blocks.len();
    let shaft = random.below(tree.shafts.len());
    let block = random.below(count);
    match random.below(9) {
        0 => {
            tree.shafts.remove(shaft);
        }
        1 => {
            let again = tree.shafts[shaft];
            tree.shafts.push(again);
        }
        2 => tree.shafts[shaft].to.1 += 5,
        3 => tree.shafts[shaft].from.0 += count,
        4 => tree.blocks[block].name = tree.blocks[(block + 1) % count].name.clone(),
        5 => tree.blocks[block].block = FixedGear { ratio: f32::NAN, ..FixedGear::new(1.0) }.into(),
        6 => {
            let from = tree.shafts[shaft];
            tree.shafts[shaft] = Shaft { from: (from.to.0, 0), to: (from.from.0, 0) };
        }
        7 => {
            tree.add(Wheel { wheel: 0 });
            tree.add(Wheel { wheel: 0 });
        }
        _ => {
            tree.blocks[block].block = match random.below(4) {
                0 => Engine { inertia: 0.0, ..Engine::default() }.into(),
                1 => FrictionClutch { capacity: Capacity(f32::NAN), ..FrictionClutch::default() }
                    .into(),
                2 => Gearbox { forward: vec![], ..Gearbox::default() }.into(),
                _ => Differential { share: 1.5, ..Differential::open(3.0) }.into(),
            };
        }
    }
    tree
}

#[test]
fn a_thousand_broken_trees_are_refused_by_name() {
    let mut random = Random(11);
    for number in 0..1000 {
        let tree = broken(&mut random);
        let names: Vec<_> = tree.blocks.iter().map(|block| block.name.clone()).collect();
        let error = match BlockDriveline::new(tree.clone()) {
            Ok(_) => panic!("number {number} is accepted: {tree:?}"),
            Err(error) => error.to_string(),
        };
        let is_named = names.iter().any(|name| error.contains(&format!("{name:?}")))
            || error.contains("there is no block number")
            || error.contains("ring");
        assert!(is_named, "number {number}: {error}");
    }
}
