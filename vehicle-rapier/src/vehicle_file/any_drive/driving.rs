//! Drivers and players of a vehicle with any drive.

use vehicle_core::math::Real;
use vehicle_core::vehicle::OwnState;
use vehicle_core::{Frame, ParamErrors};
use vehicle_drivetrain::driver::{DriveFigures, DriverModel, DriverView};
use vehicle_drivetrain::handling::Handling;
use vehicle_drivetrain::inputs::{
    DrivingCommands, InputParams, SeenMotion, ShifterParams, Shifting, TrackSides,
};

use super::{AnyDrive, AnyDriveVehicle, AnyRapierVehicle};

impl<Own: OwnState> AnyDriveVehicle<Own> {
    /// Axes of the vehicle.
    pub fn frame(&self) -> &Frame {
        &self.origin().file.frame
    }

    /// Model of this vehicle, with these `trailers`, for a
    /// [`PathDriver`](vehicle_drivetrain::driver::PathDriver). It follows from parameters alone.
    ///
    /// # Errors
    ///
    /// If it cannot be driven along a path: a trailer, or a vehicle with all wheels at one place.
    pub fn driver_model(&self, trailers: &[&Self]) -> Result<DriverModel, ParamErrors> {
        let mechanics = |car: &Self| car.drive.mechanics().rigid_body.mass;
        let model = self.model_towing(trailers.iter().map(|car| mechanics(car)).sum())?;
        Ok(trailers
            .iter()
            .fold(model, |model, car| model.pulling(car.drive.mechanics(), car.frame())))
    }

    /// The vehicle as a driver knows it who pulls so much (kg).
    fn model_towing(&self, towed: Real) -> Result<DriverModel, ParamErrors> {
        let frame = self.frame();
        match &self.drive {
            AnyDrive::Direct(car) => {
                let params = car.params();
                let drive = DriveFigures::direct(&params.throttle, &params.mechanics);
                DriverModel::car(&params.mechanics, drive, towed, frame)
            }
            AnyDrive::Engine(car) => {
                let params = car.params();
                let drive = DriveFigures::engine(&params.drivetrain, &params.mechanics);
                DriverModel::car(&params.mechanics, drive, towed, frame)
            }
            AnyDrive::Motorcycle(car) => {
                let params = car.params();
                let drive = DriveFigures::engine(&params.drivetrain, &params.mechanics);
                Ok(DriverModel::motorcycle(&params.mechanics, drive, car.own_params(), frame))
            }
            AnyDrive::Tank(car) => {
                let params = car.params();
                let drive = DriveFigures::engine(&params.drivetrain, &params.mechanics);
                DriverModel::tank(&params.mechanics, drive, frame)
            }
            AnyDrive::Blocks(car) => {
                let params = car.params();
                let drive = DriveFigures::blocks(&params.driveline, &params.mechanics);
                DriverModel::car(&params.mechanics, drive, towed, frame)
            }
        }
    }

    /// How it handles, if its wheels steer it; `None` of motorcycles and tanks.
    pub fn handling(&self) -> Option<Handling> {
        match &self.drive {
            AnyDrive::Motorcycle(_) | AnyDrive::Tank(_) => None,
            drive => Handling::of(drive.mechanics(), self.frame()),
        }
    }

    /// Inputs from `device`, such as [`InputParams::keyboard`], with the gears of this vehicle.
    ///
    /// With [`Shifting::Automatic`], the inputs shift a gearbox that does not shift by itself. They
    /// press the pedal of a clutch that is not automatic.
    pub fn input_params(
        &self,
        device: impl FnOnce(Option<&Handling>) -> InputParams,
        shifting: Shifting,
    ) -> InputParams {
        let params = device(self.handling().as_ref());
        match &self.drive {
            AnyDrive::Direct(_) => {
                InputParams { shifter: ShifterParams { shifting, ..params.shifter }, ..params }
            }
            AnyDrive::Engine(car) => params.for_drivetrain(&car.params().drivetrain, shifting),
            AnyDrive::Motorcycle(car) => params.for_drivetrain(&car.params().drivetrain, shifting),
            AnyDrive::Tank(car) => params.for_drivetrain(&car.params().drivetrain, shifting),
            AnyDrive::Blocks(car) => params.for_driveline(car.driveline(), shifting),
        }
    }

    /// Applies pedals, steering, gear, clutch and thrusts to the vehicle, whatever its drive.
    pub fn drive_by(&mut self, driven: &DrivingCommands) {
        let frame = *self.frame();
        *self.commands_mut() = driven.commands;
        match &mut self.drive {
            AnyDrive::Direct(car) => car.controls.gear = driven.direct_gear(),
            AnyDrive::Engine(car) => {
                car.controls = driven.transmission(&car.params().drivetrain, &car.controls);
            }
            AnyDrive::Motorcycle(car) => {
                car.controls = driven.transmission(&car.params().drivetrain, &car.controls);
            }
            AnyDrive::Tank(car) => {
                let params = car.params();
                let differential = &params.drivetrain.differential;
                let sides = TrackSides::of(differential, &params.mechanics, &frame);
                car.controls = driven.tank(&params.drivetrain, &sides, &car.controls);
                car.commands.steer = 0.0;
            }
            AnyDrive::Blocks(car) => car.controls = driven.levers(&car.controls),
        }
    }
}

impl<Own: OwnState> AnyRapierVehicle<Own> {
    /// Model of this vehicle for a driver, see [`AnyDriveVehicle::driver_model`].
    ///
    /// # Errors
    ///
    /// As of [`AnyDriveVehicle::driver_model`].
    pub fn driver_model(&self, trailers: &[&Self]) -> Result<DriverModel, ParamErrors> {
        let trailers: Vec<_> = trailers.iter().map(|car| &car.vehicle).collect();
        self.vehicle.driver_model(&trailers)
    }

    /// Applies pedals, steering, gear, clutch and thrusts, see [`AnyDriveVehicle::drive_by`].
    pub fn drive_by(&mut self, driven: &DrivingCommands) {
        self.vehicle.drive_by(driven);
    }

    /// The vehicle as its driver sees it, by the end of the last step; before the first one, it is
    /// at the origin.
    pub fn driver_view(&self) -> DriverView {
        DriverView::of(&self.vehicle, self.vehicle.frame())
    }

    /// The motion of the vehicle as inputs of a player need it, by the end of the last step.
    pub fn seen_motion(&self) -> SeenMotion {
        SeenMotion::of(&self.vehicle, self.vehicle.frame())
    }
}
