//! A vehicle as its driver knows it.

use vehicle_core::Frame;
use vehicle_core::commands::ResponseTable;
use vehicle_core::error::{ParamError, ParamErrors};
use vehicle_core::math::Real;
use vehicle_core::tire::TireModel;
use vehicle_core::vehicle::MechanicalParams;

use super::figures::{DriveFigures, VehicleFigures};
use super::steering::GainTable;
use crate::handling::{Handling, tipping};
use crate::rider::RiderModel;
use crate::steering_table::{steer_for, table_of};

/// How a vehicle is steered.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SteeredBy {
    /// By its wheels, through a table by speed if there is one.
    Wheels { handling: Handling, gains: Box<GainTable>, table: Option<ResponseTable> },
    /// By a rider, who leans.
    Rider { rider: RiderModel },
    /// By the thrusts of its tracks, so far apart (m), of a hull of this inertia (kg·m²).
    Tracks { track_width: Real, yaw_inertia: Real },
}

/// A vehicle as its driver knows it: what it can, and how it answers to steering. All numbers
/// follow from its parameters. It is made once, and shared by the drivers of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverModel {
    pub(super) figures: VehicleFigures,
    pub(super) steered_by: SteeredBy,
    /// Distance of its foremost from its rearmost wheels (m).
    pub(super) base: Real,
}

impl DriverModel {
    /// A vehicle that is steered by its wheels, of these `mechanics` and `drive`, of the axes of
    /// `frame`, which pulls `towed` (kg).
    ///
    /// # Errors
    ///
    /// If none of its wheels is steered, all are steered alike, or all are on one side of the
    /// center of mass.
    pub fn car<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        drive: DriveFigures,
        towed: Real,
        frame: &Frame,
    ) -> Result<Self, ParamErrors> {
        let handling = if 0.0 < towed {
            Handling::laden(mechanics, frame)
        } else {
            Handling::of(mechanics, frame)
        };
        let Some(handling) = handling.filter(Handling::is_turned_by_steering) else {
            let requirement = "of a vehicle with wheels ahead of the center of mass and behind it, of \
                               which the front ones are steered otherwise than the rear ones";
            let got = format_args!("a vehicle of {} wheels", mechanics.axles.wheel_count());
            return Err(ParamError::new("mechanics", requirement, got).into());
        };
        let gains = Box::new(GainTable::of(&handling));
        let table = table_of(mechanics).cloned();
        Ok(Self {
            figures: VehicleFigures::of(mechanics, drive, towed, frame),
            base: handling.wheel_base,
            steered_by: SteeredBy::Wheels { handling, gains, table },
        })
    }

    /// A motorcycle that its `rider` keeps upright.
    pub fn motorcycle<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        drive: DriveFigures,
        rider: &RiderModel,
        frame: &Frame,
    ) -> Self {
        // What the rider uses in bends at speed, under no more than gravity.
        let fast = 100.0;
        let gravity = vehicle_core::context::GRAVITY;
        let lean = rider.most_lateral(fast, Real::MAX, gravity);
        // It leans as fast as its rider rolls: half of the time goes by until that rate is there.
        let jerk = 0.5 * gravity * rider.params().max_roll_rate;
        let mut figures = VehicleFigures::of(mechanics, drive, 0.0, frame)
            .cornering_at_most(lean)
            .turning_in_at_most(jerk);
        figures.cornering = figures.cornering.min(rider.params().bend_share);
        let base = rider.track().wheel_base();
        Self { figures, base, steered_by: SteeredBy::Rider { rider: rider.clone() } }
    }

    /// A vehicle on tracks, which their thrusts steer.
    ///
    /// # Errors
    ///
    /// If its wheels are not on two sides.
    pub fn tank<Tire: TireModel>(
        mechanics: &MechanicalParams<Tire>,
        drive: DriveFigures,
        frame: &Frame,
    ) -> Result<Self, ParamErrors> {
        let has_sides = |handling: &Handling| 0.0 < handling.track_width;
        let Some(handling) = Handling::of(mechanics, frame).filter(has_sides) else {
            let requirement = "of a vehicle with wheels on both sides, some ahead of the center of \
                               mass and some behind it";
            let got = format_args!("a vehicle of {} wheels", mechanics.axles.wheel_count());
            return Err(ParamError::new("mechanics", requirement, got).into());
        };
        // In a turn, tracks slide sideways: half of the grip is left for the bend.
        let mut figures =
            VehicleFigures::of(mechanics, drive, 0.0, frame).turned_by_tracks(&handling);
        figures.cornering *= SCRUBBED;
        Ok(Self {
            figures,
            base: handling.wheel_base,
            steered_by: SteeredBy::Tracks {
                track_width: handling.track_width,
                yaw_inertia: handling.yaw_inertia,
            },
        })
    }

    /// This vehicle with a trailer of these `mechanics`, of the axes of `frame`: it corners so that
    /// the trailer does not tip over. One whose wheels are in line cannot.
    #[must_use]
    pub fn pulling<Tire>(mut self, mechanics: &MechanicalParams<Tire>, frame: &Frame) -> Self {
        let most = TIPPING * tipping(mechanics, frame);
        if 0.0 < most {
            self.figures = self.figures.cornering_at_most(most);
        }
        self
    }

    /// What the vehicle can.
    pub fn figures(&self) -> &VehicleFigures {
        &self.figures
    }

    /// The steering command, in [-1, 1], that turns the wheels of a vehicle which drives at `speed`
    /// (m/s, negative backward) as far as `command` does without a table by speed.
    pub(super) fn through_table(&self, command: Real, speed: Real) -> Real {
        match &self.steered_by {
            SteeredBy::Wheels { table, .. } => steer_for(table.as_ref(), command, speed),
            SteeredBy::Rider { .. } | SteeredBy::Tracks { .. } => command,
        }
    }

    /// How it handles, if its wheels steer it.
    pub fn handling(&self) -> Option<&Handling> {
        match &self.steered_by {
            SteeredBy::Wheels { handling, .. } => Some(handling),
            SteeredBy::Rider { .. } | SteeredBy::Tracks { .. } => None,
        }
    }
}

/// Part of the lateral acceleration that tips a stiff trailer over at which a loaded one on springs
/// does (dimensionless).
const TIPPING: Real = 0.75;
/// Part of the grip that tracks have for a bend (dimensionless).
const SCRUBBED: Real = 0.35;

#[cfg(test)]
mod tests {
    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::commands::CommandResponseParams;

    use super::*;
    use crate::steering_table::tests::table;

    #[test]
    fn a_trailer_on_wheels_in_line_does_not_slow_its_tractor_down() {
        let mechanics = CarBlueprint::default().mechanics().expect("a car");
        let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
        let drive = DriveFigures::direct(&throttle, &mechanics);
        let frame = Frame::Y_UP;
        let model = DriverModel::car(&mechanics, drive, 800.0, &frame).expect("a car");
        let mut trailer = mechanics.clone();
        for suspension in &mut trailer.suspensions {
            let aside = suspension.wheel_mount().dot(frame.lateral());
            suspension.attachment.translation -= frame.lateral() * aside;
        }
        assert_eq!(model.clone().pulling(&trailer, &frame), model);
        trailer = mechanics;
        trailer.suspensions.iter_mut().for_each(|it| it.attachment.translation *= 0.4);
        assert_ne!(model.clone().pulling(&trailer, &frame), model, "a narrow one");
    }

    #[test]
    fn drivers_steer_more_where_a_table_makes_less_of_it() {
        let halved = table([(0.0, &[(0.0, 0.0)]), (1.0, &[(0.0, 1.0), (20.0, 0.5)])]);
        let mut mechanics = CarBlueprint::default().mechanics().expect("a car");
        let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
        let model = |mechanics: &MechanicalParams| {
            let drive = DriveFigures::direct(&throttle, mechanics);
            DriverModel::car(mechanics, drive, 0.0, &Frame::Y_UP).expect("a car")
        };
        assert_eq!(model(&mechanics).through_table(0.3, 20.0), 0.3);
        mechanics.steering.table = Some(halved);
        let tabled = model(&mechanics);
        for (speed, command) in [(0.0, 0.3), (10.0, 0.4), (20.0, 0.6), (-5.0, 0.3)] {
            for side in [1.0, -1.0] {
                let found = tabled.through_table(side * 0.3, speed);
                assert!((found - side * command).abs() < 1e-6, "{found} at {speed} m/s");
            }
        }
    }
}
