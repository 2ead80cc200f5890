//! The motion of a wheel with mass in one step, and the straight pieces on which its forces lie.

use super::implicitness::{damper_implicitness, spring_implicitness};
use super::laws::{DampedPiece, DampedStop, DamperLaw, Piece, Stop};
use super::rim::{Rim, RimSpring};
use super::scalar::{Scalar, Vector3};
use super::spatial::{BodyMass, Spatial};
use super::wheel::{Implicitness, RideWheel, SpringSeat, StrutForces, TireSpring};
use crate::math::lanes::Mask;

/// `force - rate Δė`: a force as it depends on the change of the extension speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Line<S> {
    pub(super) force: S,
    pub(super) rate: S,
}

impl<S: Scalar> Line<S> {
    #[inline]
    pub(super) fn at(&self, change: S) -> S {
        self.force - self.rate * change
    }
}

/// Where on their laws the forces of a wheel are at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places<S> {
    /// Deflection of the tire (m), and its load if it pushes (N).
    deflection: S,
    load: S,
    /// Deflections at which its rim is (m), if the tire is near it.
    rim: [S; 2],
    /// Speed of the tire's deflection (m/s).
    tire_speed: S,
    /// Jounce speed, and those at the seat of the spring and of the damper (m/s).
    speed: S,
    seat_speed: S,
    damper_speed: S,
    /// Jounces of the main spring and the stops (m).
    spring: S,
    bump_stop: S,
    end_stop: S,
    droop_stop: S,
}

impl<S: Scalar> Places<S> {
    /// Whether the tire of `wheel` pushes.
    #[inline]
    fn is_closed(&self, wheel: &RideWheel<'_, S>) -> S::Mask {
        let zero = S::of(0.0);
        let is_pushed = zero.is_less(self.deflection) & zero.is_less(self.load);
        wheel.has_road & wheel.is_there & is_pushed
    }

    /// Whether all forces of `wheel` are on the same pieces as at the `other` places. Lanes that
    /// are left over are not asked: nothing depends on them.
    #[inline]
    pub(super) fn are_on_pieces_of(
        &self,
        other: &Self,
        motion: &RideMotion<S>,
        wheel: &RideWheel<'_, S>,
    ) -> bool {
        let (laws, zero) = (wheel.laws, S::of(0.0));
        let DamperLaw { bump, rebound } = &laws.damper;
        let crossed = |edge: S, here: S, there: S| edge.is_less(here) ^ edge.is_less(there);
        let [speed, other_speed] = [self.damper_speed, other.damper_speed];
        let [seat_speed, other_seat_speed] = [self.seat_speed, other.seat_speed];
        // A damper of one rate is a single piece.
        let is_damper_elsewhere = bump.rate.differs(rebound.rate)
            & crossed(zero, speed, other_speed)
            | bump.rate.differs(bump.rate_beyond) & crossed(bump.knee, speed, other_speed)
            | rebound.rate.differs(rebound.rate_beyond)
                & crossed(rebound.knee, -speed, -other_speed);
        let is_stop_elsewhere = laws
            .bump_stop
            .is_elsewhere([self.bump_stop, seat_speed], [other.bump_stop, other_seat_speed])
            | laws
                .end_stop
                .is_elsewhere([self.end_stop, self.speed], [other.end_stop, other.speed])
            | crossed(zero, -self.droop_stop, -other.droop_stop);
        let is_elsewhere = is_damper_elsewhere
            | is_stop_elsewhere
            | self.is_closed(wheel) ^ other.is_closed(wheel);
        let bends = laws.spring.bends().iter();
        let is_elsewhere = bends.fold(is_elsewhere, |is_elsewhere, bend| {
            is_elsewhere | crossed(bend.edge, self.spring, other.spring)
        });
        let rims = motion.rim.iter().flatten().zip(self.rim).zip(other.rim);
        let is_elsewhere = rims.fold(is_elsewhere, |is_elsewhere, ((spring, here), there)| {
            let [here, there] = [[here, self.tire_speed], [there, other.tire_speed]];
            is_elsewhere | spring.stop.is_elsewhere(here, there)
        });
        !(is_elsewhere & wheel.is_wheel).any()
    }
}

/// Lines of all forces of a strut but its bar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StrutLines<S> {
    spring: Line<S>,
    damper: Line<S>,
    bump_stop: Line<S>,
    end_stop: Line<S>,
    droop_stop: Line<S>,
}

impl<S: Scalar> StrutLines<S> {
    #[inline]
    pub(super) fn sum(&self) -> Line<S> {
        let sum = |of: fn(&Line<S>) -> S| {
            of(&self.spring)
                + of(&self.damper)
                + of(&self.bump_stop)
                + of(&self.end_stop)
                + of(&self.droop_stop)
        };
        Line { force: sum(|line| line.force), rate: sum(|line| line.rate) }
    }

    /// Lines at the seat: of spring and bump stop, and of the damper.
    #[inline]
    pub(super) fn at_seat(&self) -> [Line<S>; 2] {
        let sum = |of: fn(&Line<S>) -> S| of(&self.spring) + of(&self.bump_stop);
        [Line { force: sum(|line| line.force), rate: sum(|line| line.rate) }, self.damper]
    }

    /// The forces after changes of the extension speed, of the wheel, at its seat and of its
    /// damper.
    #[inline]
    pub(super) fn at(
        &self,
        [change, seat_change, damper_change]: [S; 3],
        bar: S,
    ) -> StrutForces<S> {
        StrutForces {
            spring: self.spring.at(seat_change),
            damper: self.damper.at(damper_change),
            bump_stop: self.bump_stop.at(seat_change),
            end_stop: self.end_stop.at(change),
            droop_stop: self.droop_stop.at(change),
            bar,
        }
    }
}

/// Motion of a wheel that stays constant over all iterations of a step.
#[derive(Clone, Copy, Debug)]
pub struct RideMotion<S> {
    /// `J`: the path with its moment about the center of mass.
    pub path: Spatial<S>,
    /// `L`: the road's normal with its moment about the center of mass.
    pub normal: Spatial<S>,
    /// `ν`: the path along the road's normal.
    pub slope: S,
    /// Inverse of the mass that a force on the wheel along its path moves (1/kg).
    pub inverse_mass: S,
    /// How implicit each force is.
    pub implicitness: Implicitness<S>,
    /// Deflection of the tire, with the road's rise of a part of the step (m).
    pub deflection: S,
    /// Speed at which the tire is compressed at the start of the step (m/s).
    pub(super) deflection_speed: S,
    /// Springs of the rim, if the tire is near it.
    rim: Option<[RimSpring<S>; 2]>,
    /// Force of the damper at the start of the step (N).
    damper_force: S,
}

impl<S: Scalar> RideMotion<S> {
    /// The motion of `wheel` on a body of `mass` at the `velocity`, for a step of `dt` (s).
    #[inline]
    pub fn new(
        wheel: &RideWheel<'_, S>,
        mass: &BodyMass<S::Single>,
        velocity: &Spatial<S>,
        dt: S,
    ) -> Self {
        let path = Spatial::at(&wheel.center_arm, &wheel.path);
        let normal = Spatial::at(&wheel.contact_arm, &wheel.plane.normal);
        let slope = wheel.plane.normal.dot(&wheel.path);
        let inverse_mass = S::of(1.0) / wheel.least_mass + mass.inverse_mass_along(&path);
        let implicitness = implicitness(wheel, inverse_mass, dt);
        let road_speed = wheel.plane.normal.dot(&wheel.plane.velocity);
        let is_any_missing = (!wheel.is_there).any();
        let there = |line: Spatial<S>| {
            if is_any_missing { line.where_true(wheel.is_there) } else { line }
        };
        Self {
            path: there(path),
            normal: there(normal),
            slope,
            inverse_mass,
            implicitness,
            deflection: centered_deflection(wheel, velocity, implicitness.tire, dt),
            deflection_speed: road_speed - normal.dot(velocity) + slope * wheel.jounce_speed,
            rim: None,
            damper_force: wheel
                .laws
                .damper
                .piece(wheel.seat.damper_speed)
                .at(wheel.seat.damper_speed),
        }
    }

    /// Lets the tire of `wheel` push by its mean load where it comes to its road or leaves it
    /// within a step of `dt` (s). The body moves at `velocity`.
    ///
    /// ```text
    /// c = δ + θ w,  w = dt δ̇          k c  ->  k (c + |w|/2)² / (2 |w|)          where |c| < |w|/2
    /// ```
    ///
    /// That is the mean of `max(0, k x)` over a way of `|w|` about `c`, and goes over into `k c`
    /// and 0 at its ends. It is the same on the way in and out, so that a wheel that hops gets from
    /// its tire what it has given. With another law for tires that are open at the start, as the
    /// solution alone has it, the road would take or give the difference.
    #[inline]
    pub(super) fn touch(&mut self, wheel: &RideWheel<'_, S>, velocity: &Spatial<S>, dt: S) {
        let (zero, half) = (S::of(0.0), S::of(0.5));
        let way = dt * self.deflection_speed;
        let reach = half * way.larger(-way);
        let is_open = !zero.is_less(wheel.deflection);
        let center = self.deflection + self.implicitness.tire * way;
        let is_at_edge = wheel.has_road & wheel.is_there & (is_open | center.is_less(reach));
        if !is_at_edge.any() {
            return;
        }
        let theta = spring_implicitness(wheel.tire.stiffness, self.inverse_mass, dt);
        let rise = (half - theta) * dt * road_rise(wheel, velocity);
        let deflection = S::choose(is_open, wheel.deflection + rise, self.deflection);
        let center = deflection + theta * way;
        let touches = is_at_edge & (-reach).is_less(center) & center.is_less(reach);
        let mean = (center + reach) * (center + reach) / (S::of(4.0) * reach);
        self.deflection = S::choose(touches, mean - theta * way, deflection);
        self.implicitness.tire = theta;
    }

    /// Lets the tire of `wheel`, on a body that moves at `velocity`, be pressed onto its `rim` in a
    /// step of `dt` (s), if it comes near. The ground could `give` way by so much per force (m/N).
    #[inline]
    pub(super) fn reach_rim(
        &mut self,
        rim: &Rim<S>,
        wheel: &RideWheel<'_, S>,
        velocity: &Spatial<S>,
        dt: S,
        give: impl FnOnce() -> S,
    ) {
        let way = dt * self.deflection_speed;
        let deepest = wheel.deflection + (way + way).larger(-way);
        let is_near = wheel.has_road & wheel.is_there & rim.0[0].spring.edge.is_less(deepest);
        if is_near.any() {
            let rim = rim.softer_by(give());
            self.rim = Some(rim.0.map(|stop| self.rim_spring(stop, wheel, velocity, dt)));
        }
    }

    #[cold]
    fn rim_spring(
        &self,
        stop: DampedStop<S>,
        wheel: &RideWheel<'_, S>,
        velocity: &Spatial<S>,
        dt: S,
    ) -> RimSpring<S> {
        let (deflection, half) = (wheel.deflection, S::of(0.5));
        let closed = spring_implicitness(stop.spring.stiffness, self.inverse_mass, dt);
        let rise = (half - closed) * dt * road_rise(wheel, velocity);
        let is_open = stop.spring.is_open(deflection);
        RimSpring {
            stop,
            theta: S::choose(is_open, S::of(1.0), closed),
            deflection: S::choose(is_open, deflection, deflection + rise),
        }
    }

    /// Where the forces are after changes of the extension speed, of the wheel, at its seat and of
    /// its damper (m/s), and one of `L·V + ν ė` by `tire_change` (m/s).
    #[inline]
    pub(super) fn places(
        &self,
        wheel: &RideWheel<'_, S>,
        [change, seat_change, damper_change]: [S; 3],
        tire_change: S,
        dt: S,
    ) -> Places<S> {
        let (theta, TireSpring { stiffness, damping }) = (&self.implicitness, wheel.tire);
        let speed = wheel.jounce_speed - change;
        let seat_speed = wheel.seat.speed - seat_change;
        let at = |theta: S| wheel.jounce + theta * dt * speed;
        let at_seat = |theta: S| wheel.seat.jounce + theta * dt * seat_speed;
        let tire_speed = self.deflection_speed - tire_change;
        let deflection = self.deflection + theta.tire * dt * tire_speed;
        let rim = self.rim.map_or([S::of(0.0); 2], |rim| {
            rim.map(|spring| spring.deflection + spring.theta * dt * tire_speed)
        });
        Places {
            deflection,
            rim,
            load: stiffness * deflection + damping * tire_speed,
            tire_speed,
            speed,
            seat_speed,
            damper_speed: wheel.seat.damper_speed - damper_change,
            spring: at_seat(theta.spring),
            bump_stop: at_seat(theta.bump_stop),
            end_stop: at(theta.end_stop),
            droop_stop: at(theta.droop_stop),
        }
    }

    /// The load of the tire as `force - rate (L·ΔV + ν Δė)`, on the piece where it is.
    #[inline]
    pub(super) fn tire_line(&self, wheel: &RideWheel<'_, S>, places: &Places<S>, dt: S) -> Line<S> {
        let TireSpring { stiffness, damping } = wheel.tire;
        let is_closed = places.is_closed(wheel);
        let rate = self.implicitness.tire * dt * stiffness + damping;
        let line = Line {
            force: (stiffness * self.deflection + rate * self.deflection_speed)
                .where_true(is_closed),
            rate: rate.where_true(is_closed),
        };
        let Some(rim) = &self.rim else { return line };
        rim.iter().zip(places.rim).fold(line, |line, (spring, place)| {
            let &RimSpring { theta, deflection, .. } = spring;
            let start = [wheel.deflection, self.deflection_speed];
            let DampedPiece { spring: Piece { slope, offset }, damping } =
                spring.stop.piece(place, places.tire_speed, start);
            let rate = slope * theta * dt + damping;
            let force = slope * deflection + offset + rate * self.deflection_speed;
            Line {
                force: line.force + force.where_true(is_closed),
                rate: line.rate + rate.where_true(is_closed),
            }
        })
    }

    /// The forces of the strut, on the pieces where they are.
    #[inline]
    pub(super) fn strut_lines(
        &self,
        wheel: &RideWheel<'_, S>,
        places: &Places<S>,
        dt: S,
    ) -> StrutLines<S> {
        let (laws, theta) = (wheel.laws, &self.implicitness);
        let hub = SpringSeat::at_wheel(wheel.jounce, wheel.jounce_speed);
        let line = |theta: S, piece: Piece<S>, start: SpringSeat<S>| {
            let rate = piece.slope * theta * dt;
            Line { force: piece.at(start.jounce) + rate * start.speed, rate }
        };
        let stop =
            |theta: S, stop: &DampedStop<S>, [place, speed]: [S; 2], start: SpringSeat<S>| {
                let DampedPiece { spring, damping } =
                    stop.piece(place, speed, [start.jounce, start.speed]);
                let Line { force, rate } = line(theta, spring, start);
                Line { force: force + damping * start.speed, rate: rate + damping }
            };
        let (seat, at_seat) = (wheel.seat, [places.bump_stop, places.seat_speed]);
        let droop = laws.droop_stop.where_true(places.droop_stop.is_less(S::of(0.0)));
        let damper = laws.damper.piece(places.damper_speed);
        let rest = S::of(1.0) - theta.damper;
        StrutLines {
            spring: line(theta.spring, laws.spring.piece(places.spring), seat),
            damper: Line {
                force: theta.damper * damper.at(seat.damper_speed) + rest * self.damper_force,
                rate: theta.damper * damper.slope,
            },
            bump_stop: stop(theta.bump_stop, &laws.bump_stop, at_seat, seat),
            end_stop: stop(theta.end_stop, &laws.end_stop, [places.end_stop, places.speed], hub),
            droop_stop: line(theta.droop_stop, Piece { slope: droop, offset: S::of(0.0) }, hub),
        }
    }
}

/// How implicit the forces of `wheel` are. A spring that pushes on one side only and is open at the
/// start is fully implicit. Otherwise it would take up, at the end, what it has not felt on the
/// way.
#[inline]
fn implicitness<S: Scalar>(wheel: &RideWheel<'_, S>, inverse_mass: S, dt: S) -> Implicitness<S> {
    let (zero, one, laws) = (S::of(0.0), S::of(1.0), wheel.laws);
    let spring = |stiffness: S, is_open: S::Mask| {
        S::choose(is_open, one, spring_implicitness(stiffness, inverse_mass, dt))
    };
    let stop = |stop: &Stop<S>, jounce: S| spring(stop.stiffness, stop.is_open(jounce));
    let is_drooping = !zero.is_less(wheel.seat.jounce);
    Implicitness {
        spring: spring(laws.spring.steepest(), is_drooping),
        damper: damper_implicitness(laws.damper.steepest(), inverse_mass, dt),
        bump_stop: stop(&laws.bump_stop.spring, wheel.seat.jounce),
        end_stop: stop(&laws.end_stop.spring, wheel.jounce),
        droop_stop: spring(laws.droop_stop, !wheel.jounce.is_less(zero)),
        tire: spring(wheel.tire.stiffness, !zero.is_less(wheel.deflection)),
        bar: zero,
    }
}

/// The deflection with the part of the road's rise within the step that the tire's implicitness
/// leaves out. Without it the load lags behind the slope, and the road pushes the car.
///
/// ```text
/// δ + (1/2 - θ) dt r          where δ > 0
/// ```
#[inline]
fn centered_deflection<S: Scalar>(
    wheel: &RideWheel<'_, S>,
    velocity: &Spatial<S>,
    theta: S,
    dt: S,
) -> S {
    let added = (S::of(0.5) - theta) * dt * road_rise(wheel, velocity);
    wheel.deflection + added.where_true(S::of(0.0).is_less(wheel.deflection))
}

/// The speed at which the road rises below a wheel (m/s).
///
/// ```text
/// w = v + ω × r_c - v_road
/// ```
///
/// The harmonic mean of `-n·(w - u (u·w))`, the rise below a wheel that goes across its travel `u`,
/// and the same across the `vertical` instead; none if they differ in sign. A body that leans by
/// `φ` as it goes along a level road at `v` would have a rise of `v φ` by its travel alone. At 80
/// m/s and a braking car's pitch that is as much as all of the tire's deflection, so the wheel
/// would come and go with every step.
#[inline]
fn road_rise<S: Scalar>(wheel: &RideWheel<'_, S>, velocity: &Spatial<S>) -> S {
    let zero = S::of(0.0);
    let slip = velocity.linear + velocity.angular.cross(&wheel.contact_arm) - wheel.plane.velocity;
    let approach = -wheel.plane.normal.dot(&slip);
    let across = |axis: &Vector3<S>| approach + wheel.plane.normal.dot(axis) * axis.dot(&slip);
    let (one, other) = (across(&wheel.direction), across(&wheel.vertical));
    let product = one * other;
    let mean = S::of(2.0) * product / (one + other);
    S::choose(zero.is_less(product), mean, zero)
}

#[cfg(test)]
mod tests;
