//! The interface of a block: slots, channels, elements, and its part in a step.

use serde::{Deserialize, Serialize};
use vehicle_core::driveline::Element;
use vehicle_core::error::{ParamCheck, Validate};

use super::battery::Batteries;
use super::command::DriverCommand;

/// A number that goes into a block or comes out of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Name of the channel, of the field's words.
    pub name: &'static str,
    /// Unit of the channel; empty where it has none.
    pub unit: &'static str,
    /// Value before anything was written to it.
    pub default: f64,
    /// The control of the driver that an input answers to, unless a
    /// [`DriverLink`](super::DriverLink) says otherwise.
    pub command: DriverCommand,
}

impl Channel {
    /// A channel that is 0 at first.
    pub const fn new(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, default: 0.0, command: DriverCommand::Nothing }
    }

    /// This channel with another value at first.
    pub const fn with_default(self, default: f64) -> Self {
        Self { default, ..self }
    }

    /// This input under a control of the driver.
    pub const fn under(self, command: DriverCommand) -> Self {
        Self { command, ..self }
    }
}

/// The channels of a block.
///
/// *Inputs* are what the driver asks for. *States* are what the vehicle tells the block in each
/// step, such as its own speed. *Sensors* are what the block tells after each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Channels {
    /// Commands of the driver.
    pub inputs: &'static [Channel],
    /// Values that the vehicle or other blocks tell.
    pub states: &'static [Channel],
    /// Values that the block tells.
    pub sensors: &'static [Channel],
    /// Count of numbers that the block keeps from step to step.
    pub memory: usize,
}

/// The slots of a block: shafts come in from the engine's side and go out towards the wheels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Whether inputs may stay open.
    pub inputs_are_optional: bool,
    /// Whether outputs may stay open.
    pub outputs_are_optional: bool,
}

impl Slots {
    /// Slots that must all be connected.
    pub const fn new(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, inputs_are_optional: false, outputs_are_optional: false }
    }

    /// These slots with outputs that may stay open.
    pub const fn with_optional_outputs(self) -> Self {
        Self { outputs_are_optional: true, ..self }
    }

    /// These slots with inputs that may stay open.
    pub const fn with_optional_inputs(self) -> Self {
        Self { inputs_are_optional: true, ..self }
    }
}

/// A shaft of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockShaft {
    /// The shaft at an input slot.
    Input(usize),
    /// The shaft at an output slot.
    Output(usize),
    /// A shaft within the block.
    Inner(usize),
}

/// The elements of a block, as they are put together once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    pub(super) inner: usize,
    pub(super) elements: Vec<(Element, Vec<BlockShaft>)>,
}

impl Sketch {
    /// A shaft within the block.
    pub fn inner_shaft(&mut self) -> BlockShaft {
        self.inner += 1;
        BlockShaft::Inner(self.inner - 1)
    }

    /// Puts an element on shafts, one for each of its ports. Elements are numbered from 0 on.
    pub fn add(&mut self, element: Element, shafts: impl Into<Vec<BlockShaft>>) {
        self.elements.push((element, shafts.into()));
    }
}

/// Load and torques of a wheel, for one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelLoad {
    /// Moment of inertia (kg·m²).
    pub inertia: f64,
    /// Friction torque per speed of its bearings (N·m·s).
    pub damping: f64,
    /// Torque that is not of tire, brake or driveline (N·m).
    pub torque: f64,
    /// Torque of the tire at the speed at the start of the step (N·m).
    pub tire_torque: f64,
    /// Tire torque that is lost per gain of speed, at least 0 (N·m·s).
    pub tire_stiffness: f64,
    /// Largest torque of the tire (N·m).
    pub max_tire_torque: f64,
    /// Torque of the brake, at least 0 (N·m).
    pub brake_torque: f64,
    /// Whether the wheel is lost. Its hub is held behind a differential, so that the other output
    /// keeps its torque; where it turns as one with others, and behind a locked differential, it
    /// turns along.
    pub is_lost: bool,
}

/// A block before a step.
#[derive(Debug)]
pub struct BlockStep<'a> {
    /// The step (s).
    pub dt: f64,
    /// Commands of the driver.
    pub inputs: &'a [f64],
    /// Values that the vehicle tells.
    pub states: &'a [f64],
    /// Values that the block keeps between steps.
    pub memory: &'a mut [f64],
    /// Elements of the block, whose numbers are to be set. Those of a block of your own are as it
    /// has [sketched](DrivelineBlock::sketch) them before each step.
    pub elements: &'a mut [Element],
    /// The batteries of the driveline.
    pub batteries: &'a mut Batteries,
    pub(super) loads: &'a [WheelLoad],
    pub(super) speeds: &'a [f64],
    pub(super) layout: &'a BlockLayout,
    /// Power of the brakes of its wheels (W).
    pub(super) brake_power: f64,
    /// Part of it that the block takes over (W).
    pub(super) taken_brake_power: f64,
}

impl BlockStep<'_> {
    /// Power that the brakes of the wheels that turn with the block are to take (W); 0 for a block
    /// that does not [share braking](DrivelineBlock::shares_braking).
    pub fn brake_power(&self) -> f64 {
        self.brake_power
    }

    /// Brakes these wheels by `power` (W) in the place of their brakes, which give way by as much;
    /// by no more than [they are to take](Self::brake_power).
    pub fn take_brake_power(&mut self, power: f64) {
        self.taken_brake_power = power.min(self.brake_power).max(0.0);
    }

    /// Speed of a shaft at the start of the step (rad/s).
    pub fn speed(&self, shaft: BlockShaft) -> f64 {
        self.speeds[self.layout.shaft(shaft)]
    }

    /// Load and torques of a wheel of the vehicle; nothing where there is no such wheel.
    pub fn load(&self, wheel: usize) -> WheelLoad {
        self.loads.get(wheel).copied().unwrap_or_default()
    }
}

/// A block after a step.
#[derive(Debug)]
pub struct BlockResult<'a> {
    /// The step (s).
    pub dt: f64,
    /// Commands of the driver.
    pub inputs: &'a [f64],
    /// Values that the block keeps between steps.
    pub memory: &'a mut [f64],
    /// Values that the block tells, to be written.
    pub sensors: &'a mut [f64],
    /// Elements of the block.
    pub elements: &'a [Element],
    /// The batteries of the driveline.
    pub batteries: &'a mut Batteries,
    pub(super) start: &'a [f64],
    pub(super) speeds: &'a [f64],
    pub(super) torques: &'a [f64],
    pub(super) layout: &'a BlockLayout,
}

impl BlockResult<'_> {
    /// Speed of a shaft at the end of the step (rad/s).
    pub fn speed(&self, shaft: BlockShaft) -> f64 {
        self.speeds[self.layout.shaft(shaft)]
    }

    /// Speed of a shaft at the start of the step (rad/s).
    pub fn start_speed(&self, shaft: BlockShaft) -> f64 {
        self.start[self.layout.shaft(shaft)]
    }

    /// Torque into a port of one of its elements (N·m).
    pub fn element_torque(&self, element: usize, port: usize) -> f64 {
        self.torques[self.layout.first_ports[element] + port]
    }

    /// Torque into the block from a shaft (N·m).
    pub fn torque(&self, shaft: BlockShaft) -> f64 {
        self.layout.torque(self.torques, shaft)
    }
}

/// Where the parts of a block are in the lists of its driveline.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BlockLayout {
    /// Shafts of inputs, outputs, and inner ones.
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
    pub inner: Vec<usize>,
    pub elements: std::ops::Range<usize>,
    /// For each element, where its ports begin in the list of all torques.
    pub first_ports: Vec<usize>,
    /// The shafts of all ports, element by element.
    pub ports: Vec<BlockShaft>,
    pub input_channels: std::ops::Range<usize>,
    pub state_channels: std::ops::Range<usize>,
    pub sensor_channels: std::ops::Range<usize>,
    pub memory: std::ops::Range<usize>,
}

impl BlockLayout {
    pub(super) fn shaft(&self, shaft: BlockShaft) -> usize {
        match shaft {
            BlockShaft::Input(slot) => self.inputs[slot],
            BlockShaft::Output(slot) => self.outputs[slot],
            BlockShaft::Inner(shaft) => self.inner[shaft],
        }
    }

    /// Torque into the block from a shaft (N·m), of the list of all torques.
    pub(super) fn torque(&self, torques: &[f64], shaft: BlockShaft) -> f64 {
        let first = self.first_ports.first().copied().unwrap_or_default();
        let ports = self.ports.iter().zip(&torques[first..]);
        ports.filter(|(at, _)| **at == shaft).map(|(_, torque)| torque).sum()
    }
}

/// A unit of a driveline: it has slots, is built of elements, and has a part in each step.
///
/// A block of your own implements this. It answers either *implicitly* or *explicitly*. Implicitly
/// means by elements whose numbers it sets in [`pre_step`](Self::pre_step), such as a clutch or a
/// gear. Explicitly means by a torque that it computes from the speeds at the start of the step and
/// gives to an [`Inertia`](vehicle_core::driveline::Inertia) without inertia. Both mix. An explicit
/// torque is stable while `dt |∂T/∂ω|` is below the inertia that its shaft has; a `slope` makes it
/// implicit.
pub trait DrivelineBlock: Validate + 'static {
    /// Name of the kind of block.
    fn kind(&self) -> &'static str;

    /// Slots of the block.
    fn initialize(&self) -> Slots;

    /// Channels of the block.
    fn channels(&self) -> Channels {
        Channels::default()
    }

    /// Elements of the block.
    fn sketch(&self, sketch: &mut Sketch);

    /// The wheel of the vehicle that it is, if it is one.
    fn wheel(&self) -> Option<usize> {
        None
    }

    /// Whether the tree may end with it.
    fn is_end(&self) -> bool {
        self.wheel().is_some()
    }

    /// Whether the block brakes the wheels that turn with its outputs in the place of their brakes.
    fn shares_braking(&self) -> bool {
        false
    }

    /// Writes the values that it keeps between steps, before the first step.
    fn start(&self, _memory: &mut [f64]) {}

    /// Speed of its output shafts before the first step (rad/s).
    fn start_speed(&self) -> f64 {
        0.0
    }

    /// Checks what only the block itself knows about its connections: which slots are connected.
    ///
    /// # Errors
    ///
    /// What is missing.
    fn check_connections(&self, _inputs: &[bool], _outputs: &[bool]) -> Result<(), &'static str> {
        Ok(())
    }

    /// Before a step: advances what the block keeps, and sets the numbers of its elements. They
    /// remain of the kinds that it has sketched, and within the ranges of their numbers: else the
    /// step fails.
    fn pre_step(&self, step: &mut BlockStep<'_>);

    /// Whether a vehicle at rest must stay awake on its account, by what its `sensors` tell.
    /// Reasons are an engine that is faster than idle by more than the part `overspeed` of its
    /// largest speed, and a gearbox that shifts.
    fn is_busy(&self, _sensors: &[f64], _overspeed: f64) -> bool {
        false
    }

    /// After a step: writes the sensors.
    fn set_state(&self, _result: &mut BlockResult<'_>) {}
}

/// No block of your own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum NoCustomBlock {}

impl Validate for NoCustomBlock {
    fn check(&self, _: &mut ParamCheck) {
        match *self {}
    }
}

impl DrivelineBlock for NoCustomBlock {
    fn kind(&self) -> &'static str {
        match *self {}
    }

    fn initialize(&self) -> Slots {
        match *self {}
    }

    fn sketch(&self, _: &mut Sketch) {
        match *self {}
    }

    fn pre_step(&self, _: &mut BlockStep<'_>) {
        match *self {}
    }
}
