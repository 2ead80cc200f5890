//! Tire: from slip and load to a force on the body and a torque on the wheel.
//!
//! For each wheel the stage finds [directions and speeds](kinematics), [slip], [grip], whether the
//! tire is [sticky], and then asks the [model] for its forces.

pub mod force;
mod four;
pub mod grip;
mod gyroscope;
pub mod kinematics;
mod law;
pub mod magic_formula;
mod materials;
pub mod model;
pub mod models;
mod rolling;
pub mod slip;
mod smooth_sign;
pub mod soil;
mod steady_rolling;
pub mod sticky;
pub mod tir;

pub use force::{TireContact, TireForce, tire_force};
pub use grip::{GripInput, TireGrip};
pub use kinematics::{TireDirections, TireSpeeds, camber_angle, tire_directions, tire_speeds};
pub use materials::{MaterialNames, ModelOnMaterials, TireOnMaterials, TireOnMaterialsState};
pub use model::{
    LaneInput, NoLanes, RollingTorques, TireInput, TireLanes, TireModel, TireOutput, TireWheel,
};
pub use models::BrushTire;
use serde::{Deserialize, Serialize};
pub use slip::{
    SlipLimit, TireSlip, TireSlipParams, lateral_slip_denominator, longitudinal_slip_denominator,
    slip_denominator, tire_slip,
};
pub use steady_rolling::SteadyRolling;
pub use sticky::{
    StickyHold, StickyInput, StickyLimits, StickyState, TireStickyParams, TireStickyState,
    release_sticky_tires, slip_beside_sticky, tire_sticky_state,
};

use self::four::FourTires;
use self::gyroscope::mean_angular_velocity;
pub(crate) use self::law::{KinematicLaw, OnGround, RollingTires};
pub(crate) use self::rolling::DriverIntent;
use crate::actuation::{WheelActuation, has_acceleration_intent, is_any_wheel_braked};
use crate::body::{RigidBodyParams, RigidBodyState};
use crate::context::WheelReaction;
use crate::math::lanes::{
    Lanes, MAX_LANES, Mask, Number, Posex4, Real4, Vec3x4, Vector, lanes_by_field,
};
use crate::math::{Real, Vec3, compose};
use crate::mount::SuspensionParams;
use crate::mount::{RoadWheel, WheelAngles, wheel_local_pose};
use crate::road::RoadContact;
use crate::rows::VehicleRows;
use crate::suspension::SuspensionState;
use crate::turning_wheel::WheelState;
use crate::wheel_list::place;
use crate::{AxleDescription, Context, WheelList};

/// State of a tire: slips, grip and forces at present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "V: Serialize, V::Number: Serialize, <V::Number as Number>::Mask: Serialize",
    deserialize = "V: Deserialize<'de>, V::Number: Deserialize<'de>, <V::Number as Number>::Mask: Deserialize<'de>"
))]
pub struct TireState<V: Vector = Vec3> {
    /// Rolling and lateral direction.
    pub directions: TireDirections<V>,
    /// Unit vector along the axle of the wheel, to the left.
    pub axle: V,
    /// Speeds over the road.
    pub speeds: TireSpeeds<V::Number>,
    /// Slip; zero in a direction in which the tire sticks.
    pub slip: TireSlip<V::Number>,
    /// Denominator of the longitudinal slip (m/s).
    pub slip_denominator: V::Number,
    /// Inclination to the road (rad).
    pub camber: V::Number,
    /// Load and friction.
    pub grip: TireGrip<V::Number>,
    /// Force on body and wheel.
    pub force: TireForce<V>,
    /// Whether the tire sticks.
    pub sticky: TireStickyState<V::Number>,
}

lanes_by_field!(TireState<Vector> {
    directions,
    axle,
    speeds,
    slip,
    slip_denominator,
    camber,
    grip,
    force,
    sticky,
});

impl<V: Vector> TireState<V> {
    /// Force on the body along the rolling direction that the wheel does not feel (N).
    #[inline]
    pub fn resistance_force(&self) -> V::Number {
        self.force.longitudinal.dot(self.directions.longitudinal) - self.force.longitudinal_force
    }

    /// Slope of the longitudinal force against the speed of the rim, not negative (N·s/m); times
    /// the wheel's radius, that against its rotation speed.
    #[inline]
    pub fn force_by_rim_speed(&self) -> V::Number {
        self.force.longitudinal_stiffness * (V::Number::splat(1.0) / self.slip_denominator)
    }

    /// Changes the longitudinal force to that of `torque` (N·m) on a wheel of `radius` (m).
    #[inline]
    pub fn set_wheel_torque(&mut self, torque: V::Number, radius: V::Number) {
        let force = -torque * (V::Number::splat(1.0) / radius);
        self.force.set_longitudinal_force(force, self.directions.longitudinal, radius);
    }

    /// Turns the body by a further `torque` about the axle (N·m), see
    /// [`RoadWheel::reaction`](crate::wheel_rotation::RoadWheel::reaction).
    #[inline]
    pub fn turn_body(&mut self, torque: V::Number) {
        self.force.moment = self.force.moment + self.axle * torque;
    }
}

/// Motion of the whole vehicle as tires see it.
struct VehicleMotion {
    intent: DriverIntent,
    /// How the axles of the wheels turn (rad/s).
    turning: Vec3x4,
}

/// Tires of a vehicle, and what loads and turns them.
#[derive(Debug)]
pub struct TireView<'a, M: TireModel> {
    /// Wheels in order of update.
    pub axles: &'a AxleDescription,
    /// Mass of the body.
    pub rigid_body_params: &'a RigidBodyParams,
    /// Motion of the body.
    pub rigid_body: &'a RigidBodyState,
    /// The wheel of each tire.
    pub road_wheels: &'a WheelList<RoadWheel>,
    /// Mount of each suspension.
    pub suspension_params: &'a WheelList<SuspensionParams>,
    /// Force law of each tire.
    pub models: &'a [M],
    /// Force laws of four tires each, if the model is written for lanes.
    pub model_lanes: Option<&'a [M::Lanes]>,
    /// Steer angle of each wheel (rad).
    pub steer_angles: &'a WheelList<Real>,
    /// Whether each wheel drives or brakes.
    pub actuations: &'a WheelList<WheelActuation>,
    /// Road under each wheel.
    pub roads: &'a WheelList<Option<RoadContact>>,
    /// State of each suspension, from its compression to its force.
    pub suspensions: &'a WheelList<SuspensionState>,
    /// Rows of the last substep, whose stops have pressed on the tires.
    pub rows: &'a VehicleRows,
    /// Rotation speed of each wheel.
    pub wheels: &'a WheelList<WheelState>,
    /// Written: what each tire does; read: whether it sticks.
    pub states: &'a mut WheelList<TireState>,
    /// Read and written: what each tire's model remembers.
    pub model_states: &'a mut [M::State],
}

impl<M: TireModel> TireView<'_, M> {
    /// Updates every tire.
    pub fn update(self, dt: Real, context: &Context<'_>) {
        self.update_by::<OnGround>(dt, context);
    }

    /// Updates every tire by the law `L`.
    pub(crate) fn update_by<L: KinematicLaw>(mut self, dt: Real, context: &Context<'_>) {
        let motion = VehicleMotion {
            intent: DriverIntent {
                drives: has_acceleration_intent(self.actuations),
                brakes: is_any_wheel_braked(self.actuations),
            },
            turning: Vector::splat(self.turning(dt, context)),
        };
        match self.model_lanes {
            Some(models) => self.update_in_lanes::<L>(models, &motion, dt, context),
            None => self.update_one_by_one::<L>(&motion, dt, context),
        }
    }

    /// Angular velocity with which the body turns its wheels in a step of `dt` (rad/s), if they are
    /// gyroscopes.
    fn turning(&self, dt: Real, context: &Context<'_>) -> Vec3 {
        let body = self.rigid_body;
        if context.params.wheel_reaction != WheelReaction::Gyroscopic {
            return body.angular_velocity;
        }
        let momentum = self.axles.wheels().fold(Vec3::ZERO, |sum, wheel| {
            let (four, lane) = place(wheel);
            let inertia = self.road_wheels.four(four).inertia.lane(lane);
            let spin = inertia * self.wheels.four(four).rotation_speed.lane(lane);
            sum + self.suspensions.four(four).stance.axes.lateral.lane(lane) * spin
        });
        mean_angular_velocity(self.rigid_body_params, body, momentum, dt)
    }

    #[inline]
    fn update_in_lanes<L: KinematicLaw>(
        &mut self,
        models: &[M::Lanes],
        motion: &VehicleMotion,
        dt: Real,
        context: &Context<'_>,
    ) {
        let states = std::mem::take(&mut self.model_states).chunks_mut(MAX_LANES);
        for ((four, model), states) in models.iter().enumerate().zip(states) {
            let grips = |input: &_| model.grips(input);
            let outputs = |_: &_, input: &_| model.outputs(input, states);
            self.update_four::<L>((four, motion), grips, outputs, dt, context);
        }
    }

    /// Updates the tires of one four.
    // A call takes less than a loop that counts on in each of the lists.
    #[inline(never)]
    fn update_four<L: KinematicLaw>(
        &mut self,
        (four, motion): (usize, &VehicleMotion),
        grips: impl FnOnce(&GripInput<Real4>) -> TireGrip<Real4>,
        outputs: impl FnOnce(&RollingTires<Vec3x4>, &LaneInput<Real4>) -> TireOutput<Real4>,
        dt: Real,
        context: &Context<'_>,
    ) {
        let body = self.rigid_body.splat();
        let tires = self.four(four, motion.turning, dt);
        tires.update::<L>(&body, motion.intent, grips, outputs, dt, context);
    }

    /// The tires of this four, in a step of `dt` (s), whose axles turn with `turning` (rad/s).
    #[inline(always)]
    fn four(&mut self, four: usize, turning: Vec3x4, dt: Real) -> FourTires<'_> {
        let load = self.suspensions.four(four).force.normal_load;
        let has_stops = self.rows.four(four).out.is_there.any();
        let normal_load = if has_stops { self.with_stops(four, load, dt) } else { load };
        FourTires {
            wheel: self.road_wheels.four(four),
            mount: self.suspension_params.four(four),
            steer: *self.steer_angles.four(four),
            actuation: self.actuations.four(four),
            road: &self.roads.four(four).road,
            suspension: self.suspensions.four(four),
            normal_load,
            turning,
            rotation_speed: self.wheels.four(four).rotation_speed,
            state: self.states.four_mut(four),
        }
    }

    /// The `load` of four suspensions (N) with what their stops have added in the last substep, for
    /// tires that [feel](TireModel::feels_stops) it; `dt` is the step (s).
    #[cold]
    #[inline(never)]
    fn with_stops(&self, four: usize, load: Real4, dt: Real) -> Real4 {
        let stops = &self.rows.four(four).out;
        Lanes::from_lanes(|lane| {
            let wheel = four * MAX_LANES + lane;
            let is_felt = self.models.get(wheel).is_some_and(TireModel::feels_stops);
            load.lane(lane) + if is_felt { stops.impulse.lane(lane) / dt } else { 0.0 }
        })
    }

    /// Asks the model of each tire by itself.
    fn update_one_by_one<L: KinematicLaw>(
        &mut self,
        motion: &VehicleMotion,
        dt: Real,
        context: &Context<'_>,
    ) {
        let model_states = std::mem::take(&mut self.model_states);
        let one_body = self.rigid_body;
        let body = one_body.splat::<Vec3x4>();
        for (index, model_states) in model_states.chunks_mut(MAX_LANES).enumerate() {
            let models = &self.models[index * MAX_LANES..];
            let count = model_states.len();
            let wheels = || models.iter().enumerate().take(count);
            let (road_wheels, roads) = (self.road_wheels, self.roads);
            let local_pose = self.unspun_pose(index, context);
            let pose = compose(&body.pose, &local_pose);
            let grips = |input: &GripInput<Real4>| {
                let mut grips = TireGrip::default();
                for (lane, model) in wheels() {
                    let Some(ground) = &roads.of(index * MAX_LANES + lane) else { continue };
                    let soil = context.road.soil(ground.material);
                    let grip = model.grip_on(&input.lane(lane), ground, soil.as_ref());
                    Lanes::set_lane(&mut grips, lane, grip);
                }
                grips
            };
            let wheel_centers = &self.suspensions.four(index).contact.axle_arm;
            let outputs = |tires: &RollingTires<Vec3x4>, lanes: &LaneInput<Real4>| {
                let mut outputs = TireOutput::<Real4>::default();
                for ((lane, model), memory) in wheels().zip(model_states) {
                    let wheel = index * MAX_LANES + lane;
                    let ground = roads.of(wheel).filter(|_| tires.is_on_ground.lane(lane));
                    let Some(ground) = &ground else { continue };
                    let params = road_wheels.of(wheel);
                    let states = lanes.lane(lane);
                    let spin = tires.axes.lateral.lane(lane) * states.rotation_speed;
                    let arm = wheel_centers.lane(lane);
                    let input = TireInput {
                        wheel: TireWheel {
                            pose: pose.lane(lane),
                            linear_velocity: one_body.linear_velocity
                                + one_body.angular_velocity.cross(arm),
                            angular_velocity: one_body.angular_velocity + spin,
                            contact_speeds: states.contact_speeds,
                            rotation_speed: states.rotation_speed,
                            radius: params.radius,
                            half_width: params.half_width,
                            inclination: states.inclination,
                            inflation_pressure: params.inflation_pressure,
                            radial_stiffness: params.radial_stiffness,
                        },
                        ground,
                        soil: context.road.soil(ground.material),
                        normal_load: states.normal_load,
                        grip: states.grip,
                        slip: states.slip,
                        stopping_force: states.stopping_force,
                        dt,
                    };
                    outputs.set_lane(lane, model.forces(&input, memory));
                }
                outputs
            };
            let tires = self.four(index, motion.turning, dt);
            tires.update::<L>(&body, motion.intent, grips, outputs, dt, context);
        }
    }

    /// Poses of four wheels without their rotation (m, body frame).
    fn unspun_pose(&self, four: usize, context: &Context<'_>) -> Posex4 {
        let compliance = &self.suspensions.four(four).compliance;
        let angles = WheelAngles {
            steer: *self.steer_angles.four(four),
            toe: compliance.toe,
            camber: compliance.camber,
            rotation: Real4::zero(),
        };
        let jounce = self.suspensions.four(four).compression.jounce;
        let suspension = self.suspension_params.four(four);
        wheel_local_pose(suspension, jounce, &angles, context.frame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::CarBlueprint;
    use crate::error::ParamCheck;
    use crate::math::{Pose, Quat};
    use crate::road::FlatRoad;
    use crate::stages::{RoadGeometry, Suspension, Tire};
    use crate::tire::models::{AnyTire, RollingTire, TireSize, TireUse};
    use crate::vehicle::HasMechanics;
    use crate::vehicle::test_car::TestCar;
    use crate::{ComponentSequence, SimulationParams};

    /// A tire, asked wheel by wheel.
    #[derive(Clone, Debug, PartialEq)]
    struct OneByOne<M>(M);

    impl<M: TireModel> TireModel for OneByOne<M> {
        type State = M::State;
        type Lanes = NoLanes;

        fn grip(&self, input: &GripInput) -> TireGrip {
            self.0.grip(input)
        }

        fn forces(&self, input: &TireInput<'_>, state: &mut M::State) -> TireOutput {
            self.0.forces(input, state)
        }

        fn feels_stops(&self) -> bool {
            self.0.feels_stops()
        }

        fn check(&self, check: &mut ParamCheck) {
            self.0.check(check);
        }
    }

    /// Puts `car` on its way through a bend, tilted by `roll` (rad) so that some wheels are in the
    /// air.
    fn corner<M: TireModel>(car: &mut TestCar<M>, roll: Real, speed: Real) {
        let attitude = Quat::from_scaled_axis(Vec3::new(0.02, 0.3, roll));
        let state = &mut car.state;
        state.rigid_body = RigidBodyState {
            linear_velocity: Vec3::new(0.4, -0.1, speed),
            angular_velocity: Vec3::new(0.1, 0.3, -0.2),
            ..RigidBodyState::at_rest(Pose::from_parts(Vec3::Y * 0.55, attitude))
        };
        for wheel in 0..4 {
            let rotation_speed = speed / (0.3 + 0.02 * wheel as Real);
            state.wheels.edit(wheel, |motion| motion.rotation_speed = rotation_speed);
            state.steer_angles[wheel] = 0.05 * wheel as Real;
        }
    }

    /// Drives a car on these tires by lanes and wheel by wheel, also as tires of any model.
    fn compare_with_one_by_one<M: TireModel + Into<AnyTire>>(tires: Vec<M>) {
        compare(tires.iter().cloned().map(Into::into).collect::<Vec<AnyTire>>());
        compare(tires);
    }

    fn compare<M: TireModel>(tires: Vec<M>) {
        let params = CarBlueprint::default().mechanics().unwrap().with_tires(tires);
        let simulation = SimulationParams::default();
        let road = FlatRoad::new(&simulation.coordinates.frame);
        let context = Context::new(&simulation, &road);
        let one_by_one: Vec<_> = params.tires.iter().cloned().map(OneByOne).collect();
        let mut single = TestCar::new(params.clone().with_tires(one_by_one));
        let mut lanes = TestCar::new(params);
        assert!(lanes.mechanics().tires().model_lanes.is_some());
        let of_single = ComponentSequence::new().then(RoadGeometry).then(Suspension).then(Tire);
        let of_lanes = ComponentSequence::new().then(RoadGeometry).then(Suspension).then(Tire);
        let mut grounded = [false; 5];
        for (roll, speed) in [(0.0, 20.0), (0.1, 5.0), (0.2, 0.1), (-0.25, 0.0), (1.5, 10.0)] {
            corner(&mut single, roll, speed);
            corner(&mut lanes, roll, speed);
            for _ in 0..3 {
                for state in [&mut single.state.rigid_body, &mut lanes.state.rigid_body] {
                    state.pose.translation -= Vec3::Y * 0.01;
                }
                let _completed = of_single.update(&mut single, 0.01, &context).unwrap();
                let _completed = of_lanes.update(&mut lanes, 0.01, &context).unwrap();
                assert_eq!(single.state.tires, lanes.state.tires, "roll {roll}, speed {speed}");
                assert_eq!(single.state.tire_models, lanes.state.tire_models);
            }
            let suspensions = lanes.state.suspensions.iter();
            grounded[suspensions.filter(SuspensionState::is_on_ground).count()] = true;
        }
        // All on the ground, some, none.
        assert!(grounded[0] && grounded[4] && grounded[1..4].contains(&true), "{grounded:?}");
    }

    #[test]
    fn tires_asked_one_by_one_have_the_bits_of_four_in_lanes() {
        compare_with_one_by_one(CarBlueprint::default().mechanics().unwrap().tires);
        let size =
            TireSize { made_for: TireUse::PassengerCar, load: 4_000.0, radius: 0.31, width: 0.2 };
        let rolling_resistance = size.rolling_resistance();
        compare_with_one_by_one(vec![size.magic_formula(); 4]);
        compare_with_one_by_one(vec![RollingTire { law: size.fiala(), rolling_resistance }; 4]);
        let brush = RollingTire { law: size.parabolic_brush(), rolling_resistance };
        compare_with_one_by_one(vec![brush; 4]);
        compare_with_one_by_one(vec![RollingTire { law: size.tmeasy(), rolling_resistance }; 4]);
        let ellipse = RollingTire { law: size.friction_ellipse(), rolling_resistance };
        compare_with_one_by_one(vec![ellipse; 4]);
    }
}
