//! Room for the steps of a driveline, and what they tell beside its sensors.

use std::sync::{Arc, Weak};

use vehicle_core::driveline::{DrivelineError, DrivelineSolution, Element, Outcome};
use vehicle_core::spare;

use super::super::battery::Batteries;
use super::super::block::{DrivelineBlock, WheelLoad};
use super::super::energy::EnergyAccount;
use super::super::state::BlockDrivelineState;
use super::BlockDriveline;

/// How a driveline was solved in its last step, for who looks at it. It is no part of its state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// How the last step was solved; `None` before the first one.
    pub outcome: Option<Outcome>,
    /// Why the last step failed, if it did: what a block of your own has done to its elements. The
    /// vehicle then has speeds that are not finite, so that a checked step ends with an error.
    pub fault: Option<DrivelineError>,
    /// Most passes that a step has taken.
    pub most_passes: u32,
    /// Where the energy goes, as long as it is kept account of.
    pub energy: Option<Box<EnergyAccount>>,
    /// Torque into the element at each port in the last step (N·m).
    pub(in super::super) torques: Vec<f64>,
}

/// Room for a step: nothing is allocated in it. Each step writes all that it reads of it, but the
/// report, so drivelines of one model may take turns in one.
#[derive(Clone, Debug)]
pub struct BlockWorkspace {
    pub(in super::super) elements: Vec<Element>,
    pub(in super::super) solution: DrivelineSolution,
    pub(in super::super) batteries: Batteries,
    /// Part of its torque that is left to the brake of each wheel.
    pub(in super::super) brakes_left: Vec<f64>,
    /// How the last step was solved.
    pub report: SolveReport,
}

impl BlockWorkspace {
    /// Adds the energies of the last step to `account`.
    pub fn account<C: DrivelineBlock>(
        &self,
        driveline: &BlockDriveline<C>,
        start: &BlockDrivelineState,
        dt: f64,
        account: &mut EnergyAccount,
    ) {
        account.add(&driveline.plan, &self.elements, &start.speeds, &self.solution, dt);
        account.add_batteries(self.batteries.out_of(&start.battery_energies), self.batteries.used);
    }
}

impl<C: DrivelineBlock> BlockDriveline<C> {
    /// Room for steps.
    pub fn workspace(&self) -> BlockWorkspace {
        BlockWorkspace {
            elements: self.elements.clone(),
            solution: DrivelineSolution::new(&self.plan),
            batteries: Batteries::new(&self.tree.batteries),
            brakes_left: vec![1.0; self.places.len()],
            report: self.report(),
        }
    }

    /// The report of a driveline before its first step.
    pub(crate) fn report(&self) -> SolveReport {
        SolveReport { torques: vec![0.0; self.plan.ports()], ..SolveReport::default() }
    }
}

/// Room for the step of a vehicle with a driveline. Vehicles of one model that step on one thread
/// take turns in it. So it stays in the memory that is nearest to the processor.
#[derive(Clone, Debug)]
pub(crate) struct SharedRoom {
    /// Identity of the driveline that it is for.
    driveline: Weak<()>,
    pub(crate) workspace: BlockWorkspace,
    /// What each wheel of the vehicle is under.
    pub(crate) loads: Vec<WheelLoad>,
    /// Speeds of all shafts at the start of the step (rad/s).
    pub(crate) speeds: Vec<f64>,
}

impl SharedRoom {
    /// The room for `driveline` on this thread. It is made in the first step of a model on a
    /// thread, when that of models that are gone is given back.
    pub(crate) fn take<C: DrivelineBlock>(
        driveline: &BlockDriveline<C>,
        wheel_count: usize,
    ) -> Box<Self> {
        let identity = Arc::as_ptr(&driveline.identity);
        let spare = spare::take_if(|room: &Self| Weak::as_ptr(&room.driveline) == identity);
        let mut room = spare.unwrap_or_else(|| {
            spare::retain(|room: &Self| 0 < room.driveline.strong_count());
            Box::new(Self::new(driveline))
        });
        room.loads.resize(wheel_count, WheelLoad::default());
        room
    }

    fn new<C: DrivelineBlock>(driveline: &BlockDriveline<C>) -> Self {
        Self {
            driveline: Arc::downgrade(&driveline.identity),
            workspace: driveline.workspace(),
            loads: Vec::new(),
            speeds: vec![0.0; driveline.plan.shafts()],
        }
    }
}
