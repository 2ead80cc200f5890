//! Sample vehicles on a plane, without a physics engine.

use rapier3d::prelude::*;
use snippets::vehicles::{SAMPLE_CENTER_OF_MASS, SAMPLE_FRAME};
use vehicle_rapier::core::rigid_body::RigidBodyState;
use vehicle_rapier::core::road_geometry::FlatRoad;
use vehicle_rapier::core::sequence::Recoverable;
use vehicle_rapier::core::stages::ConstraintRows;
use vehicle_rapier::core::suspension::SuspensionState;
use vehicle_rapier::core::vehicle::{HasMechanics, ReadVehicle};
use vehicle_rapier::core::{ComponentSequence, Context, SimulationParams, WheelCoupling};

use crate::parade_ground::{START_VELOCITY, start_pose};
use crate::{DT, Errand, Fleet, START_SPEED, SampleVehicle, Step, settle};

/// Sample cars on a plane: the vehicles alone, with no queries and no bodies to exchange with.
pub struct FlatRoadFleet<V> {
    cars: Vec<V>,
    settled: Vec<V>,
    sequence: ComponentSequence<V>,
    params: SimulationParams,
    road: FlatRoad,
    step: Step,
}

impl<V: SampleVehicle> FlatRoadFleet<V> {
    /// A settled fleet of `count` cars in the bend, each with `substeps` substeps.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn new(count: usize, substeps: u32) -> anyhow::Result<Self> {
        Self::with(count, substeps, Errand::Driving, Step::Coupled)
    }

    /// A settled fleet of `count` cars on an `errand`, each with `substeps` substeps.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn with(count: usize, substeps: u32, errand: Errand, step: Step) -> anyhow::Result<Self> {
        let params = V::sample_params()?;
        let (model, linear_velocity) = match errand {
            Errand::Driving => (V::driven(&params, START_SPEED)?, START_VELOCITY),
            Errand::Parked | Errand::Sleeping => (V::parked(&params)?, Vector::ZERO),
        };
        let sequence = V::stages(substeps);
        let sequence = match step {
            Step::Coupled | Step::Checked => sequence,
            Step::Plain => sequence.remove::<ConstraintRows>()?,
        };
        let height = SAMPLE_CENTER_OF_MASS;
        Self::settled(&model, (height, linear_velocity), sequence, count, step)
    }

    /// Number of wheels with a constraint row.
    pub fn held_wheels(&self) -> usize {
        let rows = self.cars.iter().flat_map(|car| &car.state().rows);
        rows.filter(|rows| rows.longitudinal.is_some() || rows.lateral.is_some()).count()
    }
}

impl<V: HasMechanics + Recoverable + Clone> FlatRoadFleet<V> {
    /// A settled fleet of `count` cars like `model` in the bend, of these stages.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn of(model: &V, sequence: ComponentSequence<V>, count: usize) -> anyhow::Result<Self> {
        Self::at_height(model, SAMPLE_CENTER_OF_MASS, sequence, count)
    }

    /// A settled fleet of `count` cars like `model` in the bend, of these stages, whose center of
    /// mass is at `center_of_mass` (m) from where the sample car's origin is.
    ///
    /// # Errors
    ///
    /// None with the data as they are.
    pub fn at_height(
        model: &V,
        center_of_mass: Vector,
        sequence: ComponentSequence<V>,
        count: usize,
    ) -> anyhow::Result<Self> {
        Self::settled(model, (center_of_mass, START_VELOCITY), sequence, count, Step::Coupled)
    }

    fn settled(
        model: &V,
        (center_of_mass, linear_velocity): (Vector, Vector),
        sequence: ComponentSequence<V>,
        count: usize,
        step: Step,
    ) -> anyhow::Result<Self> {
        let center_of_mass = Pose::from_translation(center_of_mass);
        // Vehicles of a model share what they are made of.
        let mut cars = vec![model.clone(); count];
        for (index, car) in cars.iter_mut().enumerate() {
            car.mechanics().state.rigid_body = RigidBodyState {
                linear_velocity,
                ..RigidBodyState::at_rest(start_pose(index) * center_of_mass)
            };
        }
        let params = SimulationParams::new(SAMPLE_FRAME);
        let params = if step == Step::Plain { plain(&params) } else { params };
        let road = FlatRoad::new(&SAMPLE_FRAME);
        let mut fleet = Self { cars, settled: Vec::new(), sequence, params, road, step };
        settle(&mut fleet)?;
        fleet.settled = fleet.cars.clone();
        Ok(fleet)
    }
}

/// Explicit wheels, and tires that never stick.
fn plain(params: &SimulationParams) -> SimulationParams {
    SimulationParams { tire_sticky: None, wheel_coupling: WheelCoupling::Explicit, ..*params }
}

impl<V: HasMechanics + Recoverable + Clone> Fleet for FlatRoadFleet<V> {
    fn update(&mut self) -> anyhow::Result<()> {
        let context = Context::new(&self.params, &self.road);
        for car in &mut self.cars {
            let _reached = match self.step {
                Step::Checked => self.sequence.update_checked(car, DT, &context)?,
                Step::Coupled | Step::Plain => self.sequence.update(car, DT, &context)?,
            };
        }
        Ok(())
    }

    fn step_world(&mut self) {}

    fn restore(&mut self) {
        self.cars.clone_from(&self.settled);
    }

    fn velocities(&self) -> Vec<Vector> {
        self.cars.iter().map(|car| car.body().linear_velocity).collect()
    }

    fn grounded_wheels(&self) -> usize {
        let suspensions = self.cars.iter().flat_map(|car| &car.read_mechanics().state.suspensions);
        suspensions.filter(SuspensionState::is_on_ground).count()
    }
}
