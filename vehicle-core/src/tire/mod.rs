//! Tire: from slip and load to a force on the body and a torque on the wheel.
//!
//! For each wheel the stage finds [directions and speeds](kinematics), [slip], [grip], whether the
//! tire is [sticky], and then asks the [model] for its forces.

pub mod force;
pub mod grip;
pub mod kinematics;
mod law;
pub mod legacy;
pub mod magic_formula;
pub mod model;
pub mod models;
mod rolling;
pub mod slip;
pub mod soil;
pub mod sticky;
pub mod tir;

use std::ops::ControlFlow::{self, Continue};

pub use force::{TireContact, TireForce, tire_force};
pub use grip::{GripInput, TireGrip};
pub use kinematics::{TireDirections, TireSpeeds, camber_angle, tire_directions, tire_speeds};
pub use legacy::{
    LegacyTire, legacy_longitudinal_slip_denominator, legacy_tire_directions, legacy_tire_slip,
};
pub use model::{NoLanes, SlipInput, TireInput, TireLanes, TireModel, TireOutput, TireWheel};
pub use models::BrushTire;
use serde::{Deserialize, Serialize};
pub use slip::{TireSlip, TireSlipParams, longitudinal_slip_denominator, tire_slip};
pub use sticky::{
    StickyHold, StickyInput, StickyLimits, StickyState, TireStickyParams, TireStickyState,
    slip_beside_sticky, tire_sticky_state,
};

pub(crate) use self::law::{KinematicLaw, OnGround};
pub(crate) use self::rolling::{DriverIntent, RollingTires};
use crate::actuation::{WheelActuation, has_acceleration_intent, is_any_wheel_braked};
use crate::axle::WheelLanes;
use crate::math::lanes::{MAX_LANES, Mask, Number, RigidPose, Vec3x4, Vector, each_lane};
use crate::math::{Real, Vec3, compose};
use crate::rigid_body::RigidBodyState;
use crate::road_geometry::{RoadContact, RoadLanes};
use crate::suspension::{
    SuspensionCompliance, SuspensionForce, SuspensionParams, SuspensionState, force_arm,
    wheel_travel_in_lanes,
};
use crate::wheel::{WheelAngles, WheelAxes, WheelParams, WheelShape, WheelState, wheel_local_pose};
use crate::{AxleDescription, Component, Context, PerWheel, PerWheelMut};

/// What a tire does at present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TireState<V: Vector = Vec3> {
    /// Rolling and lateral direction.
    pub directions: TireDirections<V>,
    /// Unit vector along the axle of the wheel, to the left.
    pub axle: V,
    /// Speeds over the road.
    pub speeds: TireSpeeds<V::Number>,
    /// Slip; zero in a direction in which the tire sticks.
    pub slip: TireSlip<V::Number>,
    /// What the longitudinal slip was divided by (m/s).
    pub slip_denominator: V::Number,
    /// Inclination to the road (rad).
    pub camber: V::Number,
    /// Load and friction.
    pub grip: TireGrip<V::Number>,
    /// Force on body and wheel.
    pub force: TireForce<V>,
}

impl<V: Vector> TireState<V> {
    /// The tire in each lane.
    #[inline]
    pub(crate) fn lanes(&self) -> [TireState; MAX_LANES] {
        let (directions, speeds) = (self.directions.lanes(), self.speeds.lanes());
        let (slip, grip) = (self.slip.lanes(), self.grip.lanes());
        let (slip_denominator, camber) = (self.slip_denominator.lanes(), self.camber.lanes());
        let (axle, force) = (self.axle.lanes(), self.force.lanes());
        each_lane(|lane| TireState {
            directions: directions[lane],
            axle: axle[lane],
            speeds: speeds[lane],
            slip: slip[lane],
            slip_denominator: slip_denominator[lane],
            camber: camber[lane],
            grip: grip[lane],
            force: force[lane],
        })
    }

    /// The tire in `lane`.
    #[inline]
    pub(crate) fn lane(&self, lane: usize) -> TireState {
        TireState {
            directions: self.directions.lane(lane),
            axle: self.axle.lane(lane),
            speeds: self.speeds.lane(lane),
            slip: self.slip.lane(lane),
            slip_denominator: self.slip_denominator.lane(lane),
            camber: self.camber.lane(lane),
            grip: self.grip.lane(lane),
            force: self.force.lane(lane),
        }
    }
}

impl<V: Vector> TireState<V> {
    /// Changes the longitudinal force to that of `torque` (N·m) on a wheel of `radius` (m).
    #[inline]
    pub fn set_wheel_torque(&mut self, torque: V::Number, radius: V::Number) {
        self.force.set_longitudinal_force(-torque / radius, self.directions.longitudinal, radius);
    }

    /// Turns the body by a further `torque` about the axle (N·m), see
    /// [`TurningWheel::reaction`](crate::wheel_rotation::TurningWheel::reaction).
    #[inline]
    pub fn turn_body(&mut self, torque: V::Number) {
        self.force.moment = self.force.moment + self.axle * torque;
    }
}

/// What the stage needs from a vehicle.
pub struct TireView<'a, M: TireModel> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// Shape of each wheel.
    pub wheel_params: PerWheel<'a, WheelParams>,
    /// Mount of each suspension.
    pub suspension_params: PerWheel<'a, SuspensionParams>,
    /// Force law of each tire.
    pub models: PerWheel<'a, M>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: PerWheel<'a, Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: PerWheel<'a, WheelActuation>,
    /// Road under each wheel.
    pub roads: PerWheel<'a, Option<RoadContact>>,
    /// Compression of each suspension.
    pub suspension_states: PerWheel<'a, SuspensionState>,
    /// Toe, camber and force point of each suspension.
    pub compliances: PerWheel<'a, SuspensionCompliance>,
    /// Load of each suspension.
    pub suspension_forces: PerWheel<'a, SuspensionForce>,
    /// Rotation speed of each wheel.
    pub wheels: PerWheel<'a, WheelState>,
    /// Written: what each tire does.
    pub states: PerWheelMut<'a, TireState>,
    /// Read and written: whether each tire sticks.
    pub sticky_states: PerWheelMut<'a, TireStickyState>,
    /// Read and written: what each tire's model remembers.
    pub model_states: PerWheelMut<'a, M::State>,
}

impl<M: TireModel> TireView<'_, M> {
    /// Updates every tire.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        self.update_by::<OnGround, Vec3x4>(dt, context);
    }

    fn update_by<L: KinematicLaw, V: Vector>(mut self, dt: Real, context: &Context<'_>) {
        let intent = DriverIntent {
            drives: has_acceleration_intent(self.axles, &self.actuations),
            brakes: is_any_wheel_braked(self.axles, &self.actuations),
        };
        let body = self.rigid_body.splat::<V>();
        for wheels in self.axles.in_lanes(V::Number::LANES) {
            let suspension = SuspensionParams::from_lanes(self.suspension_params.in_lanes(&wheels));
            let (tires, pose) = self.rolling_tires::<L, V>(&wheels, &suspension, &body, context);
            let models = self.models.in_lanes(&wheels);
            let lanes = M::in_lanes::<V::Number>(models);
            let directions = L::directions(&suspension, &body, &tires, context.frame());
            let mut states = tires.motion::<L>(&directions, &body, context, |input| match &lanes {
                Some(lanes) => lanes.grips(input),
                None => grips_one_by_one(models, input),
            });
            let sticky = TireStickyState::from_lanes(self.sticky_states.in_lanes(&wheels));
            let sticky = tires.stick(&mut states, &sticky, intent, context, dt);
            let slip =
                SlipInput { grip: states.grip, slip: states.slip, inclination: states.camber };
            let output = match lanes {
                Some(lanes) => lanes.outputs(&slip),
                None => self.outputs_one_by_one(&wheels, &tires, &pose, &states, dt),
            };
            let compliances = self.compliances.in_lanes(&wheels);
            let force_point = V::from_lanes(|lane| compliances[lane].tire_force_point);
            let arm = force_arm(&suspension, &body, force_point);
            states.force = tires.force::<M>(&output, &states, &body, arm, context);
            for (lane, wheel) in wheels.iter() {
                self.states[wheel] = states.lane(lane);
                self.sticky_states[wheel] = sticky.lane(lane);
            }
        }
    }

    /// The tires of `wheels` as they roll, and the poses of the wheels without their rotation (m).
    fn rolling_tires<L: KinematicLaw, V: Vector>(
        &self,
        wheels: &WheelLanes,
        suspension: &SuspensionParams<V>,
        body: &RigidBodyState<V>,
        context: &Context<'_>,
    ) -> (RollingTires<V>, V::Pose) {
        let roads = self.roads.in_lanes(wheels);
        let states = self.suspension_states.in_lanes(wheels);
        let compliances = self.compliances.in_lanes(wheels);
        let steer_angles = self.steer_angles.in_lanes(wheels);
        let loads = self.suspension_forces.in_lanes(wheels);
        let (turning, wheel_params) =
            (self.wheels.in_lanes(wheels), self.wheel_params.in_lanes(wheels));
        let actuations = self.actuations.in_lanes(wheels);
        let is_on_ground = |lane: usize| roads[lane].is_some() && states[lane].is_on_ground();
        let is_seen = |lane: usize| {
            let has_position = roads[lane].is_some() && states[lane].jounce.is_some();
            has_position && (is_on_ground(lane) || L::SEES_ROAD_FROM_THE_AIR)
        };
        let jounce = Number::from_lanes(|lane| states[lane].jounce.unwrap_or(0.0));
        let steer = V::Number::from_lanes(|lane| *steer_angles[lane]);
        let angles = WheelAngles {
            steer,
            toe: Number::from_lanes(|lane| compliances[lane].toe),
            camber: Number::from_lanes(|lane| compliances[lane].camber),
            rotation: Number::zero(),
        };
        let local_pose = wheel_local_pose(suspension, jounce, &angles, context.frame());
        let pose = compose(&body.pose, &local_pose);
        let tires = RollingTires {
            road: RoadLanes::from_lanes(roads),
            jounce,
            normal_load: Number::from_lanes(|lane| loads[lane].normal_load),
            steer,
            axes: WheelAxes::oriented(local_pose.rotation(), context.frame()).in_world(body),
            travel: wheel_travel_in_lanes(
                suspension,
                &WheelShape::of(wheel_params),
                body,
                steer,
                context.frame(),
            ),
            rotation_speed: Number::from_lanes(|lane| turning[lane].rotation_speed),
            inertia: Number::from_lanes(|lane| wheel_params[lane].inertia),
            is_active: Mask::from_lanes(|lane| actuations[lane].is_active()),
            is_on_ground: Mask::from_lanes(is_on_ground),
            is_seen: Mask::from_lanes(is_seen),
        };
        (tires, pose)
    }

    fn outputs_one_by_one<V: Vector>(
        &mut self,
        wheels: &WheelLanes,
        tires: &RollingTires<V>,
        pose: &V::Pose,
        states: &TireState<V>,
        dt: Real,
    ) -> TireOutput<V::Number> {
        let mut outputs = [TireOutput::default(); MAX_LANES];
        for (lane, wheel) in wheels.iter() {
            let on_ground = self.roads[wheel].as_ref().filter(|_| tires.is_on_ground.lane(lane));
            let Some(ground) = on_ground else { continue };
            let params = &self.wheel_params[wheel];
            let input = TireInput {
                wheel: TireWheel {
                    pose: pose.lane(lane),
                    contact_speeds: states.speeds.lane(lane),
                    rotation_speed: self.wheels[wheel].rotation_speed,
                    radius: params.radius,
                    half_width: params.half_width,
                    inclination: states.camber.lane(lane),
                    inflation_pressure: params.inflation_pressure,
                    radial_stiffness: params.radial_stiffness,
                },
                ground,
                normal_load: self.suspension_forces[wheel].normal_load,
                grip: states.grip.lane(lane),
                slip: states.slip.lane(lane),
                dt,
            };
            outputs[lane] = self.models[wheel].forces(&input, &mut self.model_states[wheel]);
        }
        TireOutput::from_lanes(|lane| &outputs[lane])
    }
}

/// What [`TireModel::grip`] of the tire in each lane answers.
fn grips_one_by_one<M: TireModel, N: Number>(
    tires: [&M; MAX_LANES],
    input: &GripInput<N>,
) -> TireGrip<N> {
    let mut grips = [TireGrip::default(); MAX_LANES];
    for (lane, grip) in grips.iter_mut().enumerate().take(N::LANES) {
        *grip = tires[lane].grip(&GripInput {
            normal_load: input.normal_load.lane(lane),
            road_friction: input.road_friction.lane(lane),
            slip: input.slip.lane(lane),
        });
    }
    TireGrip {
        load: N::from_lanes(|lane| grips[lane].load),
        friction: N::from_lanes(|lane| grips[lane].friction),
    }
}

/// A vehicle with tires.
pub trait HasTires {
    /// The force law of its tires.
    type Model: TireModel;

    /// Borrows what the stage reads and writes.
    fn tires(&mut self) -> TireView<'_, Self::Model>;
}

/// The tire stage as a component.
#[derive(Clone, Copy, Debug)]
pub struct Tire;

impl<V: HasTires + ?Sized> Component<V> for Tire {
    fn update(&self, vehicle: &mut V, dt: Real, context: &Context<'_>) -> ControlFlow<()> {
        vehicle.tires().update(dt, context);
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulationParams;
    use crate::blueprint::CarBlueprint;
    use crate::commands::Commands;
    use crate::math::{Pose, Quat};
    use crate::road_geometry::{FlatRoad, HasRoadGeometry};
    use crate::suspension::HasSuspension;
    use crate::vehicle::{
        HasMechanics, MechanicalParams, MechanicalState, Mechanics, MechanicsRef,
    };

    struct Car<'a> {
        params: &'a MechanicalParams,
        state: MechanicalState,
    }

    const COMMANDS: &Commands = &Commands { throttle: 0.0, brakes: [0.0; 2], steer: 0.0 };

    impl HasMechanics for Car<'_> {
        type Tire = BrushTire;

        fn mechanics(&mut self) -> Mechanics<'_, BrushTire> {
            Mechanics { params: self.params, commands: COMMANDS, state: &mut self.state }
        }

        fn read_mechanics(&self) -> MechanicsRef<'_, BrushTire> {
            MechanicsRef { params: self.params, commands: COMMANDS, state: &self.state }
        }
    }

    /// A car on its way through a bend, tilted by `roll` (rad) so that some wheels are in the air.
    fn cornering(params: &MechanicalParams, roll: Real, speed: Real) -> Car<'_> {
        let mut state = MechanicalState::at_rest(4);
        let attitude = Quat::from_scaled_axis(Vec3::new(0.02, 0.3, roll));
        state.rigid_body = RigidBodyState {
            linear_velocity: Vec3::new(0.4, -0.1, speed),
            angular_velocity: Vec3::new(0.1, 0.3, -0.2),
            ..RigidBodyState::at_rest(Pose::from_parts(Vec3::Y * 0.55, attitude))
        };
        for (wheel, motion) in state.wheels.iter_mut().enumerate() {
            motion.rotation_speed = speed / (0.3 + 0.02 * wheel as Real);
            state.steer_angles[wheel] = 0.05 * wheel as Real;
        }
        Car { params, state }
    }

    #[test]
    fn a_single_wheel_has_the_bits_of_four_in_lanes() {
        let params = CarBlueprint::default().mechanics().unwrap();
        let simulation = SimulationParams::default();
        let road = FlatRoad::new(&simulation.coordinates.frame);
        let context = Context::new(&simulation, &road);
        let dt = 0.01;
        let mut grounded = [false; 5];
        for (roll, speed) in [(0.0, 20.0), (0.1, 5.0), (0.2, 0.1), (-0.25, 0.0), (1.5, 10.0)] {
            let [mut single, mut lanes] = [(); 2].map(|()| cornering(&params, roll, speed));
            for _ in 0..3 {
                for car in [&mut single, &mut lanes] {
                    car.state.rigid_body.pose.translation -= Vec3::Y * 0.01;
                    car.road_geometry().update(&context);
                }
                single.suspension().update_in_lanes::<Vec3>(dt, &context);
                single.tires().update_by::<OnGround, Vec3>(dt, &context);
                lanes.suspension().update(dt, &context);
                lanes.tires().update(dt, &context);
                assert_eq!(single.state, lanes.state, "roll {roll}, speed {speed}");
            }
            let suspensions = lanes.state.suspensions.iter();
            grounded[suspensions.filter(|state| state.is_on_ground()).count()] = true;
        }
        // All on the ground, some, none.
        assert!(grounded[0] && grounded[4] && grounded[1..4].contains(&true), "{grounded:?}");
    }
}
