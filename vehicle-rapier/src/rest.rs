//! What a vehicle remembers as it rests, to notice what changes: what its driver did, and what it
//! stands on.
//!
//! Rapier wakes bodies by their contacts, and a wheel has none. So a vehicle at rest keeps a mark
//! that tells whether collider and body below it are still the same. What a mark cannot tell,
//! things that come under its wheels and shapes that are edited in place, its rays find in every
//! 16th step.

use std::fmt;

use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use vehicle_core::commands::MAX_BRAKES;
use vehicle_core::error::{Bound, ParamCheck};
use vehicle_core::suspension::StrutParams;
use vehicle_core::suspension::unsprung::SuspensionDynamics;
use vehicle_core::vehicle::{HasMechanics, MechanicalParams, ReadVehicle};

use crate::drivable::DriverIntent;
use crate::mark::Marker;
use crate::road_query::{RoadMark, ground_collider};

/// Whether a vehicle stands on one ground or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stand {
    #[default]
    Unknown,
    /// All wheels on one ground: it is known without a look at the wheels.
    OnOne,
    /// On several grounds, or none.
    OnSeveral,
}

/// Changes of a ground since the last look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroundChange {
    None,
    /// The ground is not as it was.
    IsAnother,
    /// The ground moves now, or is not there any more.
    MovesOrIsGone,
}

/// A mark that is not saved, as that of where shapes are in memory: it differs from run to run. So
/// it is equal to any other, and is not shown.
#[derive(Clone, Copy, Default)]
struct TransientMark(u32);

impl PartialEq for TransientMark {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for TransientMark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TransientMark")
    }
}

/// Memory of a vehicle that rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rest {
    brakes: [Real; MAX_BRAKES],
    #[serde(default)]
    track_brakes: [Real; 2],
    /// [Mark](Marker) of the driver's other controls, 0 before the first step.
    controls: u32,
    /// Mark of the ground that it stands on, and of gravity; 0 if they are not known.
    ground_mark: u32,
    /// Mark of the shapes of that ground, which are others in a world that was saved and loaded; 0
    /// if they are not known.
    #[serde(skip)]
    shape_mark: TransientMark,
    /// Mark of the parameters on which it stands, 0 if they are not known.
    #[serde(skip)]
    params_mark: TransientMark,
    /// Mark of what road queries find, 0 if it is not known.
    pub(crate) road_mark: u32,
    /// The ground, if it is one.
    ground: u64,
    stand: Stand,
    /// Steps since it rests.
    pub(crate) steps: u8,
    /// Whether the vehicle has come to rest since its body fell asleep.
    pub(crate) is_resting: bool,
    /// Whether something may come to its wheels before it looks for that: it looks in each step.
    #[serde(default)]
    pub(crate) has_company: bool,
}

/// How a ground is.
#[derive(Clone, Copy)]
struct Marks {
    ground: Marker,
    shape: Marker,
}

impl Rest {
    /// The part of it that stays valid in a world that was saved and loaded.
    pub(crate) fn to_save(self) -> Self {
        Self { shape_mark: TransientMark(0), params_mark: TransientMark(0), ..self }
    }

    /// Reports numbers that are not finite.
    pub(crate) fn check(&self, check: &mut ParamCheck) {
        for (index, &brake) in self.brakes.iter().enumerate() {
            check.number(format_args!("brakes[{index}]"), brake, Bound::Finite);
        }
        for (index, &brake) in self.track_brakes.iter().enumerate() {
            check.number(format_args!("track_brakes[{index}]"), brake, Bound::Finite);
        }
    }

    /// Notes what the driver does.
    pub(crate) fn note_driver(&mut self, intent: &DriverIntent) {
        (self.brakes, self.track_brakes) = (intent.brakes, intent.track_brakes);
        self.controls = intent.mark();
    }

    /// Whether the driver has been noted.
    pub(crate) fn knows_driver(&self) -> bool {
        self.controls != 0
    }

    /// Whether `intent` keeps the vehicle from resting on.
    pub(crate) fn is_stirred_by(&self, intent: &DriverIntent) -> bool {
        let is_less = |now: &[Real], then: &[Real]| now.iter().zip(then).any(|(a, b)| a < b);
        let is_released = || {
            is_less(&intent.brakes, &self.brakes)
                || is_less(&intent.track_brakes, &self.track_brakes)
        };
        let is_changed = || is_released() || intent.mark() != self.controls;
        intent.drives() || (self.knows_driver() && is_changed())
    }

    /// The body is awake, and not about to sleep.
    pub(crate) fn forget_ground(&mut self) {
        (self.stand, self.ground_mark) = (Stand::Unknown, 0);
        self.shape_mark = TransientMark(0);
    }

    /// The world has another origin: its places are to be noted anew.
    pub(crate) fn forget_places(&mut self) {
        (self.ground_mark, self.road_mark) = (0, 0);
    }

    /// Notes what its wheels find.
    pub(crate) fn note_road(&mut self, found: RoadMark) {
        (self.road_mark, self.has_company) = (found.mark, found.has_company);
    }

    /// The body is awake: it does not rest.
    pub(crate) fn end(&mut self) {
        (self.is_resting, self.road_mark, self.steps) = (false, 0, 0);
        (self.has_company, self.params_mark) = (false, TransientMark(0));
    }

    /// Notes the parameters of `vehicle`; whether they were known and are others now.
    pub(crate) fn note_params<V: HasMechanics + ?Sized>(&mut self, vehicle: &V) -> bool {
        let before = self.params_mark.0;
        let mut marker = Marker::new();
        marker.word(vehicle.params_revision());
        add_params(&mut marker, vehicle.mechanical_params());
        self.params_mark = TransientMark(marker.mark());
        before != 0 && before != self.params_mark.0
    }

    /// Looks at what `vehicle` stands on.
    pub(crate) fn look_at_ground<V: ReadVehicle + ?Sized>(
        &mut self,
        vehicle: &V,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        gravity: Vector,
    ) -> GroundChange {
        if self.stand == Stand::Unknown || !self.is_resting {
            let sole = sole_ground(vehicle);
            self.stand = if sole.is_some() { Stand::OnOne } else { Stand::OnSeveral };
            self.ground = sole.unwrap_or_default();
        }
        let mut marks = Marks { ground: Marker::new(), shape: Marker::new() };
        marks.ground.vector(gravity);
        let mut stays = |ground| marks.add(ground, bodies, colliders);
        let stays = if self.stand == Stand::OnOne {
            stays(self.ground)
        } else {
            let mut roads = vehicle.axles().wheels().filter_map(|wheel| vehicle.road(wheel));
            roads.all(|road| stays(road.ground))
        };
        if !stays {
            self.forget_ground();
            return GroundChange::MovesOrIsGone;
        }
        let (ground, shape) = (marks.ground.mark(), marks.shape.mark());
        let is_other = |before: u32, now: u32| before != 0 && before != now;
        let has_changed = is_other(self.ground_mark, ground) || is_other(self.shape_mark.0, shape);
        (self.ground_mark, self.shape_mark) = (ground, TransientMark(shape));
        if has_changed { GroundChange::IsAnother } else { GroundChange::None }
    }
}

impl Marks {
    /// Adds the ground of this number; `false` if it moves or is gone.
    fn add(&mut self, ground: u64, bodies: &RigidBodySet, colliders: &ColliderSet) -> bool {
        let handle = ground_collider(ground);
        let Some(collider) = colliders.get(handle) else { return false };
        let body = collider.parent().and_then(|body| bodies.get(body));
        if body.is_some_and(is_on_the_move) {
            return false;
        }
        let marker = &mut self.ground;
        marker.wide(ground);
        let groups = collider.collision_groups();
        let flags = u32::from(collider.is_enabled()) | u32::from(collider.is_sensor()) << 1;
        marker.words([flags | (groups.test_mode as u32) << 2]);
        marker.words([groups.memberships.bits(), groups.filter.bits()]);
        marker.number(collider.friction());
        let user_data = collider.user_data;
        marker.wide(user_data as u64);
        marker.wide((user_data >> 64) as u64);
        let bounds = collider.shape().compute_local_aabb();
        marker.vector(bounds.mins);
        marker.vector(bounds.maxs);
        if let (Some(body), Some(parent)) = (body, collider.parent()) {
            let (index, generation) = parent.into_raw_parts();
            marker.words([index, generation, u32::from(body.is_enabled())]);
            marker.word(body.body_type() as u32);
            marker.pose(collider.position_wrt_parent().unwrap_or(&Pose::IDENTITY));
            // Dynamic bodies are never quite still until they sleep.
            if !body.is_dynamic() {
                marker.pose(body.position());
                marker.pose(collider.position());
            }
        } else {
            marker.pose(collider.position());
        }
        let shape: *const dyn Shape = collider.shape();
        self.shape.wide(shape.cast::<()>().addr() as u64);
        true
    }
}

/// Marks the parameters that say how a vehicle stands, and whether it does. Vehicles that do not
/// count their changes are known by them.
fn add_params<Tire>(marker: &mut Marker, params: &MechanicalParams<Tire>) {
    marker.number(params.rigid_body.mass);
    marker.vector(params.rigid_body.inertia);
    for suspension in &params.suspensions {
        marker.pose(&suspension.attachment);
        marker.vector(suspension.travel_direction);
        marker.number(suspension.travel_distance);
        marker.pose(&suspension.wheel_attachment);
    }
    for force in &params.suspension_forces {
        marker.numbers([force.stiffness, force.damping, force.sprung_mass]);
    }
    for wheel in &params.wheels {
        marker.numbers([wheel.radius, wheel.half_width, wheel.mass, wheel.stiffness()]);
    }
    for brake in &params.brakes {
        marker.number(brake.max_response);
        marker.numbers(brake.wheel_multipliers.iter().copied());
    }
    marker.numbers(params.anti_roll_bars.iter().map(|bar| bar.stiffness));
    let mut strut = |strut: &StrutParams| {
        marker.numbers(strut.spring.iter().flat_map(|&(jounce, force)| [jounce, force]));
        marker.numbers(strut.bump_stop.iter().flat_map(|stop| [stop.edge, stop.stiffness]));
    };
    match &params.suspension_dynamics {
        SuspensionDynamics::Struts(struts) => struts.iter().for_each(strut),
        SuspensionDynamics::Unsprung(wheels) => {
            wheels.iter().for_each(|wheel| strut(&wheel.strut));
            for wheel in wheels {
                marker.numbers([wheel.mass, wheel.tire_stiffness]);
            }
        }
        _ => {}
    }
}

/// Whether `body` moves what stands on it.
pub(crate) fn is_on_the_move(body: &RigidBody) -> bool {
    let is_awake = body.is_kinematic() || !body.is_sleeping();
    !body.is_fixed() && body.is_enabled() && is_awake && body.is_moving()
}

/// The number of the ground on which all wheels of `vehicle` stand that stand at all.
fn sole_ground<V: ReadVehicle + ?Sized>(vehicle: &V) -> Option<u64> {
    let mut roads = vehicle.axles().wheels().filter_map(|wheel| vehicle.road(wheel));
    let first = roads.next()?.ground;
    roads.all(|road| road.ground == first).then_some(first)
}
