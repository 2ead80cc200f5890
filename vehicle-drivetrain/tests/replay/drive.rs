//! Replaying a recorded drive: a vehicle is put into the state of a row and runs the next.

use std::sync::Arc;

use anyhow::{Result, bail};
use vehicle_core::commands::Commands;
use vehicle_core::constraint_rows::ConstraintRows;
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::{Plane, RoadContact, RoadProbe, RoadSurface};
use vehicle_core::tire::StickyState;
use vehicle_core::{Context, SimulationParams};
use vehicle_drivetrain::direct_drive::Gear;
use vehicle_drivetrain::{DirectDriveParams, DirectDriveVehicle};

use super::parameters;
use crate::support::motion::{Axes, Sample, nudge};
use crate::support::scenarios::Scenario;
use crate::support::traces::Row;

/// A recorded direct drive, ready to be replayed.
pub struct Drive {
    /// Gravity, axes and limits.
    pub simulation: SimulationParams,
    /// The vehicle with all its brakes.
    pub params: DirectDriveParams,
}

/// The roads that a row records, by wheel.
struct RecordedRoads(Vec<Option<RoadContact>>);

impl RoadSurface for RecordedRoads {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        self.0[probe.wheel]
    }
}

impl Drive {
    pub fn new(scenario: &Scenario) -> Result<Self> {
        Ok(Self {
            simulation: parameters::simulation(&scenario.parameters)?,
            params: parameters::direct_drive(&scenario.parameters)?,
        })
    }

    fn wheel_count(&self) -> usize {
        self.params.mechanics.axles.wheel_count()
    }

    /// A vehicle in the state of `row`.
    pub fn vehicle_at(&self, row: Row<'_>) -> Result<DirectDriveVehicle> {
        let mut vehicle = DirectDriveVehicle::new(self.params.clone())?;
        let state = &mut vehicle.state.mechanics;
        let rotation = Quat::from_array(row.array(["qx", "qy", "qz", "qw"])?);
        let position = Vec3::from_array(row.array(["px", "py", "pz"])?);
        state.rigid_body = RigidBodyState {
            linear_velocity: Vec3::from_array(row.array(["vx", "vy", "vz"])?),
            angular_velocity: Vec3::from_array(row.array(["wx", "wy", "wz"])?),
            ..RigidBodyState::at_rest(Pose::from_parts(position, rotation))
        };
        for wheel in 0..self.wheel_count() {
            let recorded = &mut state.wheels[wheel];
            recorded.rotation_speed = row.wheel(wheel, "omega")?;
            recorded.displayed_rotation_speed = row.wheel(wheel, "omegaCorrected")?;
            recorded.rotation_angle = row.wheel(wheel, "rotAngle")?;
            let jounce = row.wheel(wheel, "jounce")?;
            state.suspensions[wheel].jounce = (jounce != Real::MAX).then_some(jounce);
            state.suspensions[wheel].jounce_speed = row.wheel(wheel, "jounceSpeed")?;
            let timer = |low_speed_time| StickyState { low_speed_time, is_active: false };
            let sticky = &mut state.sticky_tires[wheel];
            sticky.longitudinal = timer(row.wheel(wheel, "lowSpeedTimeLng")?);
            sticky.lateral = timer(row.wheel(wheel, "lowSpeedTimeLat")?);
        }
        Ok(vehicle)
    }

    /// Runs one step with the commands, substeps and roads of `row`.
    pub fn step(&self, vehicle: &mut DirectDriveVehicle, row: Row<'_>) -> Result<()> {
        self.apply_commands(vehicle, row)?;
        let roads = RecordedRoads(
            (0..self.wheel_count()).map(|wheel| road(row, wheel)).collect::<Result<_>>()?,
        );
        let substeps = row.get("substeps")? as u32;
        // No engine took part in the recorded drives: suspensions are not stopped.
        let sequence = DirectDriveVehicle::sequence_with_substeps(move |_| substeps)
            .remove::<ConstraintRows>()?;
        let context = Context::new(&self.simulation, &roads);
        let _completed = sequence.update(vehicle, row.get("dt")?, &context)?;
        Ok(())
    }

    fn apply_commands(&self, vehicle: &mut DirectDriveVehicle, row: Row<'_>) -> Result<()> {
        let brakes = (row.get("c_nbBrakes")? as usize).min(self.params.mechanics.brakes.len());
        if brakes != vehicle.params().mechanics.brakes.len() {
            let mut params = self.params.clone();
            params.mechanics.brakes.truncate(brakes);
            vehicle.set_params(Arc::new(params))?;
        }
        vehicle.commands = Commands {
            throttle: row.get("c_throttle")?,
            brakes: row.array(["c_brake0", "c_brake1"])?,
            steer: row.get("c_steer")?,
        };
        vehicle.gear = match row.get("c_gear")? {
            0.0 => Gear::Reverse,
            1.0 => Gear::Neutral,
            2.0 => Gear::Forward,
            other => bail!("`c_gear`: {other} is no gear of a direct drive"),
        };
        Ok(())
    }

    /// Runs `steps` from the state of `start`, with the initial state moved by one unit in the last
    /// place for every `member` but the first, which is not moved.
    ///
    /// `steps` are the rows after `start`; their commands, and after them the last ones, last
    /// until `count` steps are done.
    pub fn run(
        &self,
        start: Row<'_>,
        steps: &[Row<'_>],
        count: usize,
        member: Option<u64>,
        axes: &Axes,
    ) -> Result<Vec<Sample>> {
        let mut vehicle = self.vehicle_at(start)?;
        if let Some(member) = member {
            nudge_state(&mut vehicle, member);
        }
        let mut time = f64::from(start.get("t")?);
        let mut samples = vec![sample(&vehicle, time, axes)];
        for index in 0..count {
            let Some(&row) = steps.get(index).or(steps.last()) else { break };
            self.step(&mut vehicle, row)?;
            time = match steps.get(index) {
                Some(row) => row.get("t")?.into(),
                None => time + f64::from(row.get("dt")?),
            };
            samples.push(sample(&vehicle, time, axes));
        }
        Ok(samples)
    }
}

fn road(row: Row<'_>, wheel: usize) -> Result<Option<RoadContact>> {
    if row.wheel(wheel, "hit")? == 0.0 {
        return Ok(None);
    }
    let normal = row.wheel_array(wheel, ["plane_nx", "plane_ny", "plane_nz"])?;
    let plane = Plane { normal: Vec3::from_array(normal), offset: row.wheel(wheel, "plane_d")? };
    Ok(Some(RoadContact::new(plane, row.wheel(wheel, "roadFriction")?)))
}

fn nudge_state(vehicle: &mut DirectDriveVehicle, member: u64) {
    // Every component of every member has a seed of its own.
    let mut seed = member << 32;
    let mut nudged = |value: &mut Real| {
        seed += 1;
        *value = nudge(*value, seed);
    };
    let state = &mut vehicle.state.mechanics;
    let body = &mut state.rigid_body;
    for vector in
        [&mut body.pose.translation, &mut body.linear_velocity, &mut body.angular_velocity]
    {
        vector.as_mut().iter_mut().for_each(&mut nudged);
    }
    let mut rotation = body.pose.rotation.to_array();
    rotation.iter_mut().for_each(&mut nudged);
    body.pose.rotation = Quat::from_array(rotation);
    for wheel in &mut state.wheels {
        nudged(&mut wheel.rotation_speed);
    }
    for suspension in &mut state.suspensions {
        suspension.jounce.as_mut().map(&mut nudged);
    }
}

fn sample(vehicle: &DirectDriveVehicle, time: f64, axes: &Axes) -> Sample {
    let state = &vehicle.state.mechanics;
    let body = &state.rigid_body;
    Sample {
        time,
        position: body.pose.translation.to_array().map(f64::from),
        velocity: body.linear_velocity.to_array().map(f64::from),
        yaw: axes.yaw(body.pose.rotation.to_array()),
        wheel_speed: state.wheels[0].rotation_speed.into(),
    }
}
