//! Inputs that fit gearbox, engine and clutch of a vehicle.

use super::clutch::ClutchFootParams;
use super::driver_inputs::InputParams;
use super::shifter::{GearAssistParams, ShifterParams, Shifting};
use crate::blocks::{Block, BlockDriveline, DrivelineBlock, DriverCommand};
use crate::drivetrain::DrivetrainParams;

impl InputParams {
    /// These inputs for a vehicle of this `drivetrain`, whose gears are shifted by `shifting`.
    ///
    /// With [`Shifting::Automatic`], they shift a gearbox that does not shift by itself. They press
    /// the pedal of a clutch that is not automatic.
    #[must_use]
    pub fn for_drivetrain<D>(self, drivetrain: &DrivetrainParams<D>, shifting: Shifting) -> Self {
        let DrivetrainParams { engine, clutch, gearbox, autobox, .. } = drivetrain;
        let is_helped = shifting == Shifting::Automatic && autobox.is_none();
        let assist = is_helped.then(|| GearAssistParams::of(engine, gearbox));
        let has_foot = clutch.automatic.is_none();
        Self {
            shifter: ShifterParams { assist, ..ShifterParams::of(gearbox, shifting) },
            clutch: has_foot.then(|| ClutchFootParams::of(engine)),
            ..self
        }
    }

    /// These inputs for a vehicle of this `driveline` from blocks, as
    /// [`for_drivetrain`](Self::for_drivetrain). The gears are those of the gearbox that the driver
    /// shifts. Without one, they are the ways that the driveline goes: 1 forward, -1 backward.
    #[must_use]
    pub fn for_driveline<C: DrivelineBlock>(
        self,
        driveline: &BlockDriveline<C>,
        shifting: Shifting,
    ) -> Self {
        let gearbox = driveline.gearbox_by_hand();
        let reverse = i32::from(driveline.can_reverse());
        let gears = gearbox.map_or([-reverse, 1], |gearbox| {
            let [back, ahead] =
                [&gearbox.reverse, &gearbox.forward].map(|gears| gears.len() as i32);
            [-reverse.max(back), ahead]
        });
        let helped = gearbox.filter(|_| shifting == Shifting::Automatic);
        let assist = helped.zip(driveline.source_speeds()).map(|(gearbox, [idle, most])| {
            let speeds = [idle, most.min(gearbox.max_input_speed)];
            GearAssistParams::between(speeds, &gearbox.forward, gearbox.shift_time)
        });
        let has_foot = driveline.tree().blocks.iter().any(|named| match &named.block {
            Block::FrictionClutch(clutch) => {
                let pedal = [DriverCommand::Clutch];
                clutch.needs_foot() && driveline.is_commanded(&named.name, "pedal", &pedal)
            }
            _ => false,
        });
        let foot = driveline.engine_speeds().filter(|_| has_foot).map(ClutchFootParams::between);
        let shifter = ShifterParams { shifting, gears, assist, ..ShifterParams::default() };
        Self { shifter, clutch: foot, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{BlockTree, Gearbox, NoCustomBlock, ready_made};
    use crate::inputs::{DriverInputs, GearChoice, RawInputs, SeenMotion, ShiftInput};

    fn fitted(tree: BlockTree, shifting: Shifting) -> InputParams {
        let driveline = BlockDriveline::<NoCustomBlock>::new(tree).expect("can be solved");
        InputParams::keyboard(None).for_driveline(&driveline, shifting)
    }

    #[test]
    fn gears_and_pedals_of_a_driveline_are_those_of_its_blocks() {
        // (driveline, gears, whether it is helped, whether a foot is on the clutch pedal)
        for (name, gears, is_helped, has_foot) in [
            ("rear", [-1, 6], true, true),
            ("front", [-1, 1], false, false),
            ("truck-6x4", [-1, 12], true, false),
            ("tank", [-1, 12], true, false),
            ("electric", [-1, 1], false, false),
            ("hybrid-parallel", [-1, 6], true, true),
            ("hybrid-power-split", [-1, 1], false, false),
        ] {
            let build = ready_made::ALL.iter().find(|(each, _)| *each == name).expect("a name").1;
            for shifting in [Shifting::Automatic, Shifting::Sequential] {
                let params = fitted(build().expect("no faults"), shifting);
                let shifter = params.shifter;
                assert_eq!((shifter.shifting, shifter.gears), (shifting, gears), "{name}");
                let is_helped = is_helped && shifting == Shifting::Automatic;
                let found = (shifter.assist.is_some(), params.clutch.is_some());
                assert_eq!(found, (is_helped, has_foot), "{name}, {shifting:?}");
                DriverInputs::new(params).unwrap_or_else(|errors| panic!("{name}: {errors}"));
            }
        }
    }

    #[test]
    fn a_driveline_without_reverse_has_no_reverse_gear() {
        for gearbox in [Gearbox::default(), Gearbox::automatic()] {
            let highest = if gearbox.power_shift.is_some() { 1 } else { 6 };
            let mut tree = ready_made::rear_drive().expect("no faults");
            tree.blocks[2].block = Gearbox { reverse: Vec::new(), ..gearbox }.into();
            assert_eq!(fitted(tree, Shifting::Automatic).shifter.gears, [0, highest]);
        }
    }

    #[test]
    fn a_gearbox_of_blocks_goes_through_its_gears() {
        for shifting in [Shifting::Automatic, Shifting::Sequential] {
            let params = fitted(ready_made::rear_drive().expect("no faults"), shifting);
            let mut inputs = DriverInputs::new(params).expect("valid");
            let seen = SeenMotion { engine_speed: Some(650.0), ..SeenMotion::default() };
            let mut gears = Vec::new();
            for step in 0..40 {
                let shift = ShiftInput { up: step % 2 == 0, ..ShiftInput::default() };
                let raw = RawInputs { forward: 1.0, shift, ..RawInputs::default() };
                let driven = inputs.update(&raw, &seen, 0.5).expect("valid");
                let GearChoice::Manual(gear) = driven.gear else { panic!("{driven:?}") };
                if gears.last() != Some(&gear) {
                    gears.push(gear);
                }
            }
            assert_eq!(gears, [1, 2, 3, 4, 5, 6], "{shifting:?}");
        }
    }
}
