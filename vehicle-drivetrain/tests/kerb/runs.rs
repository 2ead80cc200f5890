//! The runs: read, driven by our car, and compared.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail};
use flate2::read::GzDecoder;
use serde_json::Value;
use vehicle_core::frame::Frame;
use vehicle_core::math::{Real, Vec3};
use vehicle_core::stages::RigidBody;
use vehicle_core::{ComponentSequence, Context, SimulationParams};
use vehicle_drivetrain::DirectDriveVehicle;

use super::car::Half;
use super::profile::Profile;

/// Time step (s), and its substeps.
const DT: Real = 1.0 / 60.0;
const SUBSTEPS: u32 = 3;
const GRAVITY: f64 = 9.81;
/// Pitch at which a run ends (rad).
const MOST_PITCH: f64 = 1.4;
/// How far the rear axle must be beyond the step for the car to be over it (m).
const OVER: f64 = 0.3;

/// What comes of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// Largest change of the velocity over 1/60 s, up and along (g).
    pub(crate) peaks: [f64; 2],
    /// Speed at the end (m/s).
    pub(crate) speed: f64,
    /// How far the center of mass rises (m).
    pub(crate) rise: f64,
    pub(crate) is_over: bool,
}

/// A run of the fine model.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) family: String,
    pub(crate) vehicle: String,
    pub(crate) speed: f64,
    pub(crate) height: f64,
    width: f64,
    radius: f64,
    drop: f64,
    friction: f64,
    torque: [f64; 2],
    brake: [f64; 2],
    start: f64,
    stop: f64,
    time: f64,
    pub(crate) out: Outcome,
    /// What both resolutions of the fine model agree in: peaks up, peaks along, speed.
    pub(crate) is_converged: [bool; 3],
}

fn number(value: &Value, name: &str) -> Result<f64> {
    value[name].as_f64().with_context(|| format!("{name} must be a number, got {}", value[name]))
}

fn text(value: &Value, name: &str) -> Result<String> {
    let text = value[name].as_str();
    Ok(text.with_context(|| format!("{name} must be a text, got {}", value[name]))?.to_owned())
}

fn pair(value: &Value, name: &str) -> Result<[f64; 2]> {
    let of = |index: usize| value[name][index].as_f64();
    let both = of(0).zip(of(1)).map(|(a, b)| [a, b]);
    both.with_context(|| format!("{name} must be two numbers, got {}", value[name]))
}

fn outcome(out: &Value) -> Result<Outcome> {
    Ok(Outcome {
        peaks: [number(out, "peak_gz")?, number(out, "peak_gx")?],
        speed: number(out, "v_end")?,
        rise: number(out, "rise")?,
        is_over: number(out, "over")? != 0.0,
    })
}

impl Run {
    fn read(line: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(line)?;
        let out = outcome(&value["out"])?;
        let is_converged = match value["converged"].as_str() {
            None | Some("yes" | "not_checked") => [true; 3],
            Some("no") => {
                let coarse = outcome(&value["out_12khz"])?;
                let near = |a: f64, b: f64, part: f64| (a - b).abs() <= part * a.abs().max(0.3);
                let along = near(out.peaks[1], coarse.peaks[1], 0.1);
                [false, along, near(out.speed, coarse.speed, 0.05)]
            }
            Some(other) => bail!("unknown converged {other:?}"),
        };
        let numbers = |name| number(&value, name);
        Ok(Self {
            id: text(&value, "id")?,
            family: text(&value, "family")?,
            vehicle: text(&value, "vehicle")?,
            speed: numbers("speed")?,
            height: numbers("height")?,
            width: numbers("width")?,
            radius: numbers("radius")?,
            drop: numbers("drop")?,
            friction: numbers("mu")?,
            torque: pair(&value, "torque")?,
            brake: pair(&value, "brake")?,
            start: numbers("x_start")?,
            stop: numbers("x_stop")?,
            time: numbers("t_max")?,
            out,
            is_converged,
        })
    }

    fn road(&self) -> Result<Profile> {
        let (height, friction) = (self.height, self.friction);
        Ok(match self.family.as_str() {
            "up" | "brake" | "drive" => Profile::step(height, friction),
            "off" => Profile::step(-height, friction),
            "cleat" => Profile::lath(height, self.width, friction),
            "dip" => Profile::wave(self.width, self.radius, -1.0, friction),
            "crest" => Profile::wave(self.width, self.radius, 1.0, friction),
            "fall" => Profile::level(friction),
            other => bail!("unknown family {other:?}"),
        })
    }

    /// Height of the step by the radius of the front wheel.
    pub(crate) fn by_radius(&self) -> Result<f64> {
        Ok(self.height / Half::named(&self.vehicle)?.radii[0])
    }

    /// Drives our car.
    pub(crate) fn drive(&self) -> Result<Outcome> {
        let (half, road) = (Half::named(&self.vehicle)?, self.road()?);
        let mut car = half.car(self.start, self.speed, self.drop)?;
        let velocities = Arc::new(Mutex::new(vec![Vec3::X * self.speed as Real]));
        let stages = recorded_sequence(Arc::clone(&velocities))?;
        let params =
            SimulationParams { meets_obstacles: true, ..SimulationParams::new(Frame::Z_UP) };
        for wheel in 0..4 {
            car.state.drive.torques[wheel] = self.torque[wheel / 2] as Real;
            car.state.mechanics.brake_torques[wheel] = self.brake[wheel / 2] as Real;
        }
        let start = f64::from(car.state.mechanics.rigid_body.pose.translation.z);
        let mut out = Outcome { peaks: [0.0; 2], speed: self.speed, rise: 0.0, is_over: false };
        let rear = half.axles()[1];
        for _ in 0..(self.time / f64::from(DT)).ceil() as usize {
            let context = Context::new(&params, &road);
            let flow = stages.update_checked(&mut car, DT, &context);
            let _ = flow.with_context(|| format!("run {}", self.id))?;
            let body = &car.state.mechanics.rigid_body;
            out.speed = f64::from(body.linear_velocity.x);
            out.rise = out.rise.max(f64::from(body.pose.translation.z) - start);
            let mount = body.pose * Vec3::new(rear as Real, 0.0, 0.0);
            out.is_over = OVER < f64::from(mount.x);
            let forward = body.pose.rotation * Vec3::X;
            if self.stop < f64::from(mount.x) || MOST_PITCH.sin() < f64::from(forward.z.abs()) {
                break;
            }
        }
        let velocities = velocities.lock().expect("nobody else writes");
        let frames = velocities.windows(SUBSTEPS as usize + 1);
        let by_gravity = |change: Real| f64::from(change.abs()) / f64::from(DT) / GRAVITY;
        for change in frames.map(|frame| frame[SUBSTEPS as usize] - frame[0]) {
            out.peaks[0] = out.peaks[0].max(by_gravity(change.z));
            out.peaks[1] = out.peaks[1].max(by_gravity(change.x));
        }
        Ok(out)
    }
}

/// The stages of the car, and one that writes down its velocity in each substep (m/s).
fn recorded_sequence(
    velocities: Arc<Mutex<Vec<Vec3>>>,
) -> Result<ComponentSequence<DirectDriveVehicle>> {
    let record = move |car: &mut DirectDriveVehicle, _: Real, _: &Context<'_>| {
        let velocity = car.state.mechanics.rigid_body.linear_velocity;
        velocities.lock().expect("nobody else writes").push(velocity);
        ControlFlow::Continue(())
    };
    let stages = DirectDriveVehicle::sequence_of_written_torques(|_| SUBSTEPS);
    Ok(stages.insert_after::<RigidBody>(record)?)
}

/// All runs.
pub(crate) fn runs() -> Result<Vec<Run>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kerb");
    let folder = std::env::var_os("VEHICLE_KERB_DIR").map_or(own, PathBuf::from);
    let mut runs = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let bytes = std::fs::read(&path)?;
        let text = if name.ends_with(".jsonl") {
            String::from_utf8(bytes)?
        } else if name.ends_with(".jsonl.gz") {
            let mut text = String::new();
            GzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
            text
        } else if name.ends_with(".md") {
            continue;
        } else {
            bail!("{} is no file of runs", path.display());
        };
        for (index, line) in text.lines().enumerate() {
            let run = Run::read(line);
            runs.push(run.with_context(|| format!("{name}, line {}", index + 1))?);
        }
    }
    if runs.is_empty() {
        bail!("no runs in {}", folder.display());
    }
    Ok(runs)
}
