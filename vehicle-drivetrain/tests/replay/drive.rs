//! Replaying a recorded drive: a vehicle is put into the state of a row and runs the next.

use anyhow::Result;
use vehicle_core::commands::Commands;
use vehicle_core::convert::Convert;
use vehicle_core::frame::{CoordinateConversion, CoordinateSystem};
use vehicle_core::math::{Pose, Quat, Real, Vec3};
use vehicle_core::rigid_body::RigidBodyState;
use vehicle_core::road_geometry::{Plane, RoadContact, RoadProbe, RoadSurface};
use vehicle_core::tire::StickyState;
use vehicle_core::{Context, SimulationParams};

use super::parameters;
use super::vehicle::ReplayedVehicle;
use crate::support::motion::{Axes, Sample, nudge};
use crate::support::scenarios::Scenario;
use crate::support::traces::Row;

/// A recorded drive of a vehicle of the kind `V`, ready to be replayed.
pub struct Drive<V: ReplayedVehicle> {
    /// Gravity, axes and limits.
    simulation: SimulationParams,
    /// The vehicle with all its brakes.
    params: V::Params,
    brake_count: usize,
}

/// The roads that a row records, by wheel.
struct RecordedRoads(Vec<Option<RoadContact>>);

impl RoadSurface for RecordedRoads {
    fn probe(&self, probe: &RoadProbe) -> Option<RoadContact> {
        self.0[probe.wheel]
    }
}

impl<V: ReplayedVehicle> Drive<V> {
    pub fn new(scenario: &Scenario) -> Result<Self> {
        let simulation = parameters::simulation(&scenario.parameters)?;
        let mut params = V::params(&scenario.parameters)?;
        let brake_count = V::mechanics(&mut params).brakes.len();
        Ok(Self { simulation, params, brake_count })
    }

    /// The axes of the vehicle and of the world.
    pub fn coordinates(&self) -> &CoordinateSystem {
        &self.simulation.coordinates
    }

    /// This drive in the target of `conversion`.
    pub fn moved(&self, conversion: &CoordinateConversion) -> Self {
        Self {
            simulation: self.simulation.converted(conversion),
            params: self.params.converted(conversion),
            brake_count: self.brake_count,
        }
    }

    /// A vehicle in the state of `row`.
    pub fn vehicle_at(&self, row: Row<'_>) -> Result<V> {
        let mut vehicle = V::at_rest(self.params.clone())?;
        vehicle.load(row)?;
        let state = vehicle.state_mut();
        let rotation = Quat::from_array(row.array(["qx", "qy", "qz", "qw"])?);
        let position = Vec3::from_array(row.array(["px", "py", "pz"])?);
        state.rigid_body = RigidBodyState {
            linear_velocity: Vec3::from_array(row.array(["vx", "vy", "vz"])?),
            angular_velocity: Vec3::from_array(row.array(["wx", "wy", "wz"])?),
            ..RigidBodyState::at_rest(Pose::from_parts(position, rotation))
        };
        for wheel in 0..state.wheels.len() {
            let mut motion = state.wheel(wheel);
            motion.wheel.rotation_speed = row.wheel(wheel, "omega")?;
            motion.wheel.displayed_rotation_speed = row.wheel(wheel, "omegaCorrected")?;
            motion.wheel.rotation_angle = row.wheel(wheel, "rotAngle")?;
            let jounce = row.wheel(wheel, "jounce")?;
            motion.suspension.compression.jounce = (jounce != Real::MAX).then_some(jounce);
            motion.suspension.compression.jounce_speed = row.wheel(wheel, "jounceSpeed")?;
            let timer = |low_speed_time| StickyState { low_speed_time, is_active: false };
            motion.tire.sticky.longitudinal = timer(row.wheel(wheel, "lowSpeedTimeLng")?);
            motion.tire.sticky.lateral = timer(row.wheel(wheel, "lowSpeedTimeLat")?);
            state.set_wheel(wheel, &motion);
        }
        Ok(vehicle)
    }

    /// Runs one step with the commands, substeps and roads of `row`.
    pub fn step(&self, vehicle: &mut V, row: Row<'_>) -> Result<()> {
        self.command(vehicle, row)?;
        let wheels = 0..vehicle.state().wheels.len();
        let roads = RecordedRoads(wheels.map(|wheel| road(row, wheel)).collect::<Result<_>>()?);
        let context = Context::new(&self.simulation, &roads);
        vehicle.step(row.get("substeps")? as u32, row.get("dt")?, &context)
    }

    /// Hands the commands of `row` to `vehicle`, which has as many brakes as there are commands.
    fn command(&self, vehicle: &mut V, row: Row<'_>) -> Result<()> {
        let mut params = self.params.clone();
        let count = (row.get("c_nbBrakes")? as usize).min(self.brake_count);
        V::mechanics(&mut params).brakes.truncate(count);
        vehicle.change(params)?;
        let commands = Commands {
            throttle: row.get("c_throttle")?,
            brakes: row.array(["c_brake0", "c_brake1"])?,
            steer: row.get("c_steer")?,
            steering_torque: None,
        };
        vehicle.command(commands, row)
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

fn nudge_state(vehicle: &mut impl ReplayedVehicle, member: u64) {
    // Every component of every member has a seed of its own.
    let mut seed = member << 32;
    let mut nudged = |value: &mut Real| {
        seed += 1;
        *value = nudge(*value, seed);
    };
    vehicle.for_each_number(&mut nudged);
    let state = vehicle.state_mut();
    let body = &mut state.rigid_body;
    for vector in
        [&mut body.pose.translation, &mut body.linear_velocity, &mut body.angular_velocity]
    {
        vector.as_mut().iter_mut().for_each(&mut nudged);
    }
    let mut rotation = body.pose.rotation.to_array();
    rotation.iter_mut().for_each(&mut nudged);
    body.pose.rotation = Quat::from_array(rotation);
    state.wheels.edit_all(|wheel| nudged(&mut wheel.rotation_speed));
    state.suspensions.edit_all(|suspension| {
        suspension.compression.jounce.as_mut().map(&mut nudged);
    });
}

fn sample(vehicle: &impl ReplayedVehicle, time: f64, axes: &Axes) -> Sample {
    let state = vehicle.state();
    let body = &state.rigid_body;
    Sample {
        time,
        position: body.pose.translation.to_array().map(f64::from),
        velocity: body.linear_velocity.to_array().map(f64::from),
        yaw: axes.yaw(body.pose.rotation.to_array()),
        wheel_speed: state.wheels.of(0).rotation_speed.into(),
    }
}
