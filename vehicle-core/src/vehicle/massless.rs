//! Wheels that are relieved of their masses while nobody looks closely, and get them back.

use std::sync::Arc;

use crate::SimulationParams;
use crate::body::WheelInertia;
use crate::constraint_rows::WheelRows;
use crate::math::{Clamped, Real};
use crate::mount::WheelTravel;
use crate::suspension::unsprung::{SuspensionDynamics, UnsprungParams};
use crate::suspension::{
    Compression, WheelDrop, WheelStance, suspension_compliance, suspension_compression,
};
use crate::tire::{TireForce, TireModel};
use crate::vehicle::lanes::Massless;
use crate::vehicle::{MechanicalLanes, MechanicalParams, MechanicalState};

impl<Tire: TireModel> Massless<Tire> {
    /// Jounce of `wheel` of a vehicle in `state` (m): where its road, as it was last found,
    /// compresses the suspension.
    fn jounce(
        &self,
        wheel: usize,
        state: &MechanicalState<Tire>,
        world: &SimulationParams,
    ) -> Real {
        let Self { params, lanes, .. } = self;
        let (suspension, frame) = (&params.suspensions[wheel], &world.coordinates.frame);
        let stance = WheelStance::steered(suspension, state.steer_angles[wheel], frame);
        let shape = lanes.road_wheels.of(wheel);
        let body = &state.rigid_body;
        let travel = WheelTravel::of_body(suspension, &shape, body, &stance.compressed_pose);
        let plane = state.roads.of(wheel).map(|road| road.plane);
        let spring = &params.suspension_forces[wheel];
        let drop = WheelDrop {
            stiffness: spring.stiffness,
            damping: spring.damping,
            wheel_mass: params.wheels[wheel].mass,
            gravity: world.gravity,
        };
        let (jounce_params, before) = (&params.jounce, Compression::default());
        let found = suspension_compression(
            jounce_params,
            &travel,
            frame,
            plane.as_ref(),
            &drop,
            &before,
            state.suspensions.of(wheel).compression.step,
        );
        found.jounce.unwrap_or(0.0)
    }

    /// Jounce of a `wheel` that gets its mass back (m): the tire yields to the load of spring and
    /// damper, as far as the memory of the vehicle knows it.
    ///
    /// ```text
    /// jounce with mass = jounce - N/k_t - m_w g/k
    /// ```
    ///
    /// with the load `N`, the spring `k`, the tire `k_t` and the mass `m_w` of the wheel.
    fn jounce_with_mass(
        &self,
        wheel: usize,
        compression: &Compression,
        with_mass: &MechanicalParams<Tire>,
        unsprung: &UnsprungParams,
    ) -> Option<Real> {
        let spring = &self.params.suspension_forces[wheel];
        let jounce = compression.jounce?;
        let load = spring.stiffness * jounce + spring.damping * compression.jounce_speed;
        let load = if compression.is_on_ground() { load.max(0.0) } else { 0.0 };
        let lower = unsprung.mass * self.gravity / with_mass.suspension_forces[wheel].stiffness;
        let travel = with_mass.suspensions[wheel].travel_distance;
        Some((jounce - load / unsprung.tire_stiffness - lower).clamped(0.0, travel))
    }
}

impl<Tire: TireModel> MechanicalLanes<Tire> {
    /// Takes the masses of the wheels away from a vehicle of `params` in `state` in this `world`,
    /// or gives them back. Its body stays as it is. Nothing happens if it has no such masses or is
    /// so already.
    ///
    /// It takes memory the first time under a gravity other than 9.81 length units/s².
    pub fn set_wheel_mass(
        self: &mut Arc<Self>,
        has_mass: bool,
        world: &SimulationParams,
        params: &MechanicalParams<Tire>,
        state: &mut MechanicalState<Tire>,
    ) {
        let SuspensionDynamics::Unsprung(wheels) = &params.suspension_dynamics else { return };
        if state.wheel_inertia.is_some() == has_mass {
            return;
        }
        let gravity = world.gravity.length();
        if self.massless.as_ref().is_none_or(|massless| massless.gravity != gravity) {
            let massless = Massless::of(params, gravity);
            let revision = self.revision;
            *self = Arc::new(Self { massless, revision, ..Self::without_alternative(params) });
        }
        let Some(massless) = &self.massless else { return };
        for (wheel, unsprung) in wheels.iter().enumerate() {
            forget_road_force(state, wheel);
            let compression = state.suspensions.of(wheel).compression;
            let jounce = if has_mass {
                massless.jounce_with_mass(wheel, &compression, params, unsprung)
            } else {
                compression.jounce.map(|_| massless.jounce(wheel, state, world))
            };
            let of = if has_mass { params } else { &massless.params };
            state.suspensions.edit(wheel, |suspension| {
                let travel = of.suspensions[wheel].travel_distance;
                let compliance = &of.compliances[wheel];
                let at = jounce.unwrap_or(0.0);
                suspension.compression.jounce = jounce;
                suspension.compliance = suspension_compliance(compliance, at, travel);
                // It is found anew, for an axle may have leaned the wheel.
                suspension.stance = WheelStance::default();
            });
        }
        state.obstacles.forget();
        state.wheel_inertia = has_mass.then(WheelInertia::default);
    }
}

/// Leaves no force along the road for wheels that get a mass: the memory of a vehicle without holds
/// none, and one that is restored drives on as this one.
fn forget_road_force<Tire: TireModel>(state: &mut MechanicalState<Tire>, wheel: usize) {
    let remembered = WheelRows::remembered(state.rows.of(wheel).stop_impulse());
    state.rows.set(wheel, remembered);
    state.tires.edit(wheel, |tire| tire.force = TireForce::default());
}
