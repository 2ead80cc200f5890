//! A vehicle of nothing but its ride: a body, wheels with mass, and planes under them.

use vehicle_core::math::lanes::MAX_LANES;
use vehicle_core::suspension::unsprung::contact::{
    RideContact, RidePlane, cylinder_contact, placed_jounce, ray_contact,
};
use vehicle_core::suspension::unsprung::laws::{
    DampedStop, DamperLaw, DamperSide, SpringLaw, Stop, StrutLaws,
};
use vehicle_core::suspension::unsprung::solve::{
    RideBars, RideBody, RideJoints, RideSolution, bar_force, solve,
};
use vehicle_core::suspension::unsprung::wheel::{
    Implicitness, RideWheel, SpringSeat, StrutForces, TireSpring,
};
use vehicle_core::suspension::unsprung::{BodyMass, Scalar, Spatial, Vector3};

/// The number of one wheel.
pub(crate) trait Single: Scalar<Single = Self, Mask = bool> + PartialOrd + 'static {
    fn to_f64(self) -> f64;
}

impl Single for f32 {
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Single for f64 {
    fn to_f64(self) -> f64 {
        self
    }
}

/// The shape of the wheels that meets the road.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Ray,
    Cylinder,
}

/// A suspension, in the axes and from the origin of the body.
#[derive(Clone)]
pub(crate) struct Strut<T> {
    pub(crate) mount: Vector3<T>,
    pub(crate) direction: Vector3<T>,
    pub(crate) travel: T,
    pub(crate) radius: T,
    pub(crate) half_width: T,
    pub(crate) axle: Vector3<T>,
    pub(crate) mass: T,
    pub(crate) spring: Vec<(T, T)>,
    pub(crate) damper: DamperLaw<T>,
    pub(crate) bump_stop: Stop<T>,
    pub(crate) end_stop: T,
    pub(crate) droop_stop: T,
    pub(crate) tire: TireSpring<T>,
    pub(crate) path_slope: [T; 2],
}

/// What changes of a wheel.
#[derive(Clone, Copy, Default)]
pub(crate) struct WheelMotion<T> {
    pub(crate) jounce: T,
    pub(crate) jounce_speed: T,
    pub(crate) tire_force: Vector3<T>,
}

/// The road under a wheel.
#[derive(Clone, Copy)]
pub(crate) struct Road<T> {
    pub(crate) plane: RidePlane<T>,
    /// Whether there was none before.
    pub(crate) is_new: bool,
}

/// What a wheel has done in a substep.
#[derive(Clone, Copy)]
pub(crate) struct WheelReport<T> {
    pub(crate) has_contact: bool,
    pub(crate) jounce_placed: T,
    pub(crate) deflection: T,
    pub(crate) deflection_centered: T,
    pub(crate) center_arm: Vector3<T>,
    pub(crate) contact_arm: Vector3<T>,
    pub(crate) inverse_mass: T,
    pub(crate) implicitness: Implicitness<T>,
    pub(crate) extension_speed: T,
    pub(crate) load: T,
    pub(crate) strut: StrutForces<T>,
}

/// What a substep came to.
pub(crate) struct Report<T> {
    pub(crate) solved: Spatial<T>,
    pub(crate) before_turn: Vector3<T>,
    pub(crate) wheels: Vec<WheelReport<T>>,
}

/// The vehicle. Its body is given by a frame, in which the center of mass has a pose of its own.
#[derive(Clone)]
pub(crate) struct Model<T> {
    pub(crate) gravity: Vector3<T>,
    pub(crate) mass: T,
    pub(crate) inertia: Vector3<T>,
    pub(crate) center: Vector3<T>,
    pub(crate) principal_axes: [T; 4],
    pub(crate) external: Spatial<T>,
    pub(crate) struts: Vec<Strut<T>>,
    pub(crate) bars: Vec<([usize; 2], T)>,
    pub(crate) shape: Shape,
    pub(crate) position: Vector3<T>,
    pub(crate) orientation: [T; 4],
    pub(crate) velocity: Spatial<T>,
    pub(crate) wheels: Vec<WheelMotion<T>>,
}

impl<T: Single> Model<T> {
    fn turned(&self, local: &Vector3<T>) -> Vector3<T> {
        rotate(&self.orientation, local)
    }

    /// Position of the center of mass (m).
    pub(crate) fn center_of_mass(&self) -> Vector3<T> {
        self.position + self.turned(&self.center)
    }

    pub(crate) fn body_mass(&self) -> BodyMass<T> {
        let axis = |axis: usize| {
            let unit = std::array::from_fn(|row| T::of(f64::from(row == axis)));
            self.turned(&rotate(&self.principal_axes, &Vector3(unit)))
        };
        BodyMass::new(self.mass, &self.inertia, &[axis(0), axis(1), axis(2)])
    }

    /// Center of `wheel` (m).
    pub(crate) fn wheel_center(&self, wheel: usize) -> Vector3<T> {
        let strut = &self.struts[wheel];
        let extension = strut.travel - self.wheels[wheel].jounce;
        self.position + self.turned(&(strut.mount + strut.direction * extension))
    }

    /// Lowest point of `wheel` along its travel (m).
    pub(crate) fn bottom(&self, wheel: usize) -> Vector3<T> {
        let strut = &self.struts[wheel];
        self.wheel_center(wheel) + self.turned(&strut.direction) * strut.radius
    }

    /// Path of the contact of `wheel`, in the axes of the body.
    fn local_path(&self, wheel: usize) -> Vector3<T> {
        let Strut { direction, path_slope: [along, across], .. } = &self.struts[wheel];
        *direction + Vector3([*along, *across, T::of(0.0)])
    }

    /// Momentum of body and wheels (kg·m/s).
    pub(crate) fn momentum(&self) -> Vector3<T> {
        (0..self.struts.len()).fold(self.velocity.linear * self.mass, |sum, wheel| {
            let speed = -(self.struts[wheel].mass * self.wheels[wheel].jounce_speed);
            sum + self.turned(&self.local_path(wheel)) * speed
        })
    }

    /// Puts wheels onto roads that they did not have; the roads that are left.
    fn place(&mut self, roads: &[Option<Road<T>>]) -> Vec<Option<RidePlane<T>>> {
        let place = |(wheel, road): (usize, &Option<Road<T>>)| {
            let Road { plane, is_new } = (*road)?;
            let strut = self.struts[wheel].clone();
            let direction = self.turned(&strut.direction);
            if !plane.is_road(&direction) {
                return None;
            }
            if is_new {
                let contact = self.contact(wheel, &plane);
                let jounce = self.wheels[wheel].jounce;
                let placed = placed_jounce(jounce, contact.deflection, &direction, &plane.normal);
                if strut.travel < placed && jounce < placed {
                    return None;
                }
                self.wheels[wheel].jounce = placed;
            }
            Some(plane)
        };
        roads.iter().enumerate().map(place).collect()
    }

    fn contact(&self, wheel: usize, plane: &RidePlane<T>) -> RideContact<T> {
        let strut = &self.struts[wheel];
        let (center, direction) = (self.wheel_center(wheel), self.turned(&strut.direction));
        match self.shape {
            Shape::Ray => ray_contact(&center, &direction, strut.radius, plane),
            Shape::Cylinder => {
                let sizes = [strut.radius, strut.half_width, T::of(0.0)];
                cylinder_contact(&center, &direction, &self.turned(&strut.axle), sizes, plane)
            }
        }
    }

    /// Goes on by `dt` over `roads`, under `tire_forces` along them. `S` has the wheels in its
    /// lanes.
    pub(crate) fn substep<S: Scalar<Single = T>>(
        &mut self,
        dt: T,
        roads: &[Option<Road<T>>],
        tire_forces: &[Vector3<T>],
    ) -> Report<T> {
        let planes = self.place(roads);
        let center = self.center_of_mass();
        let body = RideBody {
            mass: self.body_mass(),
            velocity: self.velocity,
            load: Spatial {
                linear: self.gravity * self.mass + self.external.linear,
                angular: self.external.angular,
            },
            gravity: self.gravity,
            dt,
        };
        let contacts: Vec<_> = (0..self.struts.len())
            .map(|wheel| {
                let Some(plane) = &planes[wheel] else {
                    let point = self.bottom(wheel);
                    return RideContact { point, deflection: T::of(0.0) };
                };
                let mut contact = self.contact(wheel, plane);
                if roads[wheel].is_some_and(|road| road.is_new) {
                    // Placed wheels touch their road.
                    contact.deflection =
                        contact.deflection.where_true(contact.deflection < T::of(0.0));
                }
                contact
            })
            .collect();
        let laws: Vec<StrutLaws<S>> = self.groups::<S, _>(|model, of| model.laws(of));
        let arms: Vec<_> = (0..self.struts.len()).map(|w| self.wheel_center(w) - center).collect();
        let vector = |of: &dyn Fn(usize) -> T, wheel: &dyn Fn(usize) -> usize| {
            S::from_lanes(|lane| of(wheel(lane)))
        };
        let vectors = |of: &dyn Fn(usize) -> Vector3<T>, wheel: &dyn Fn(usize) -> usize| {
            Vector3([0, 1, 2].map(|row| vector(&|wheel| of(wheel).0[row], wheel)))
        };
        let mut group = 0;
        let wheels: Vec<RideWheel<'_, S>> = self.groups::<S, _>(|model, wheel| {
            let here = |of: &dyn Fn(usize) -> T| vector(of, wheel);
            let vectors = |of: &dyn Fn(usize) -> Vector3<T>| vectors(of, wheel);
            let first = group * S::LANES;
            let struts = &model.struts;
            let (zero, one) = (T::of(0.0), T::of(1.0));
            let mask = |is: &dyn Fn(usize) -> bool| {
                S::of(0.5).is_less(S::from_lanes(|lane| if is(lane) { one } else { zero }))
            };
            group += 1;
            let up = Vector3([zero, zero, one]);
            RideWheel {
                is_there: mask(&|lane| first + lane < struts.len()),
                is_wheel: mask(&|lane| first + lane < struts.len()),
                mass: here(&|w| struts[w].mass),
                least_mass: here(&|w| struts[w].mass),
                laws: &laws[group - 1],
                tire: TireSpring {
                    stiffness: here(&|w| struts[w].tire.stiffness),
                    damping: here(&|w| struts[w].tire.damping),
                },
                direction: vectors(&|w| model.turned(&struts[w].direction)),
                vertical: vectors(&|w| model.turned(&struts[w].direction)),
                path: vectors(&|w| model.turned(&model.local_path(w))),
                center_arm: vectors(&|w| arms[w]),
                jounce: here(&|w| model.wheels[w].jounce),
                jounce_speed: here(&|w| model.wheels[w].jounce_speed),
                seat: SpringSeat::at_wheel(
                    here(&|w| model.wheels[w].jounce),
                    here(&|w| model.wheels[w].jounce_speed),
                ),
                has_road: mask(&|lane| planes[wheel(lane)].is_some()),
                plane: RidePlane {
                    normal: vectors(&|w| planes[w].map_or(up, |plane| plane.normal)),
                    offset: here(&|w| planes[w].map_or(zero, |plane| plane.offset)),
                    velocity: vectors(&|w| planes[w].map_or(Vector3::zero(), |p| p.velocity)),
                },
                deflection: here(&|w| contacts[w].deflection),
                contact_arm: vectors(&|w| contacts[w].point - center),
                tire_force: vectors(&|w| model.wheels[w].tire_force),
            }
        });
        let bars = self.ride_bars::<S>();
        let mut solutions: Vec<_> = wheels.iter().map(|w| RideSolution::new(w, &body)).collect();
        let solved = solve(&body, &wheels, RideJoints { bars: &bars, beams: &[] }, &mut solutions);
        let reports = (0..self.struts.len()).map(|number| {
            let (group, lane) = (number / S::LANES, number % S::LANES);
            let (wheel, solution) = (&wheels[group], &solutions[group]);
            let motion = &solution.motion;
            let of = |value: S| value.lane(lane);
            let theta = &motion.implicitness;
            let bar = bars.get(group).map_or(S::of(0.0), |bar| bar_force(bar, &solutions, group));
            let strut = solution.strut(wheel, bar, S::splat(dt));
            WheelReport {
                has_contact: planes[number].is_some(),
                jounce_placed: self.wheels[number].jounce,
                deflection: contacts[number].deflection,
                deflection_centered: of(motion.deflection),
                center_arm: arms[number],
                contact_arm: contacts[number].point - center,
                inverse_mass: of(motion.inverse_mass),
                implicitness: Implicitness {
                    spring: of(theta.spring),
                    damper: of(theta.damper),
                    bump_stop: of(theta.bump_stop),
                    end_stop: of(theta.end_stop),
                    droop_stop: of(theta.droop_stop),
                    tire: of(theta.tire),
                    bar: of(theta.bar),
                },
                extension_speed: of(solution.extension_speed(wheel)),
                load: of(solution.load),
                strut: StrutForces {
                    spring: of(strut.spring),
                    damper: of(strut.damper),
                    bump_stop: of(strut.bump_stop),
                    end_stop: of(strut.end_stop),
                    droop_stop: of(strut.droop_stop),
                    bar: of(strut.bar),
                },
            }
        });
        let reports: Vec<_> = reports.collect();
        let mut load = Spatial::<S>::zero();
        for solution in &solutions {
            load = load + solution.wrench(S::splat(dt));
        }
        let load = Spatial::from_array(load.to_array().map(S::sum));
        drop(wheels);
        let before_turn = self.go_on(&body, &load, tire_forces, &reports, &contacts, dt);
        Report { solved, before_turn, wheels: reports }
    }

    /// Moves body and wheels on; the velocity of the body before its turn moves the wheels along.
    fn go_on(
        &mut self,
        body: &RideBody<T>,
        load: &Spatial<T>,
        tire_forces: &[Vector3<T>],
        reports: &[WheelReport<T>],
        contacts: &[RideContact<T>],
        dt: T,
    ) -> Vector3<T> {
        let center = self.center_of_mass();
        let mut load = *load + body.load;
        for (contact, force) in contacts.iter().zip(tire_forces) {
            load = load + Spatial::at(&(contact.point - center), force);
        }
        self.velocity = body.velocity + body.mass.accelerated(&(load * dt));
        let before_turn = self.velocity.linear;
        let relative = |model: &Self| {
            reports.iter().enumerate().fold(Vector3::zero(), |sum, (wheel, report)| {
                let path = model.turned(&model.local_path(wheel));
                sum + path * (model.struts[wheel].mass * report.extension_speed)
            })
        };
        let start = relative(self);
        let end = center + self.velocity.linear * dt;
        self.orientation = advanced(&self.orientation, &self.velocity.angular, dt);
        self.position = end - self.turned(&self.center);
        let turn = (relative(self) - start) * (T::of(1.0) / self.mass);
        self.velocity.linear = self.velocity.linear - turn;
        for ((wheel, report), force) in self.wheels.iter_mut().zip(reports).zip(tire_forces) {
            wheel.jounce_speed = -report.extension_speed;
            wheel.jounce = wheel.jounce + dt * wheel.jounce_speed;
            wheel.tire_force = *force;
        }
        before_turn
    }

    /// `value` of each group of wheels side by side.
    fn groups<S: Scalar<Single = T>, V>(
        &self,
        mut value: impl FnMut(&Self, &dyn Fn(usize) -> usize) -> V,
    ) -> Vec<V> {
        let last = self.struts.len() - 1;
        (0..self.struts.len().div_ceil(S::LANES))
            .map(|group| value(self, &|lane| (group * S::LANES + lane).min(last)))
            .collect()
    }

    fn laws<S: Scalar<Single = T>>(&self, wheel: &dyn Fn(usize) -> usize) -> StrutLaws<S> {
        let number = |of: fn(&Strut<T>) -> T| S::from_lanes(|lane| of(&self.struts[wheel(lane)]));
        StrutLaws {
            spring: SpringLaw::through(|lane| &self.struts[wheel(lane)].spring[..]),
            damper: DamperLaw {
                bump: DamperSide {
                    rate: number(|strut| strut.damper.bump.rate),
                    knee: number(|strut| strut.damper.bump.knee),
                    rate_beyond: number(|strut| strut.damper.bump.rate_beyond),
                },
                rebound: DamperSide {
                    rate: number(|strut| strut.damper.rebound.rate),
                    knee: number(|strut| strut.damper.rebound.knee),
                    rate_beyond: number(|strut| strut.damper.rebound.rate_beyond),
                },
            },
            bump_stop: DampedStop::elastic(Stop {
                edge: number(|strut| strut.bump_stop.edge),
                stiffness: number(|strut| strut.bump_stop.stiffness),
            }),
            end_stop: DampedStop::elastic(Stop {
                edge: number(|strut| strut.travel),
                stiffness: number(|strut| strut.end_stop),
            }),
            droop_stop: number(|strut| strut.droop_stop),
        }
    }

    fn ride_bars<S: Scalar<Single = T>>(&self) -> Vec<RideBars<S>> {
        if self.bars.is_empty() {
            return Vec::new();
        }
        let end = |wheel: usize| {
            let bar = self.bars.iter().find(|(wheels, _)| wheels.contains(&wheel))?;
            let other = bar.0.into_iter().find(|&other| other != wheel)?;
            Some((other, bar.1))
        };
        self.groups::<S, _>(|_, wheel| RideBars {
            stiffness: S::from_lanes(|lane| end(wheel(lane)).map_or(T::of(0.0), |end| end.1)),
            other: std::array::from_fn::<_, MAX_LANES, _>(|lane| {
                let wheel = wheel(lane.min(S::LANES - 1));
                end(wheel).map_or(wheel, |end| end.0)
            }),
        })
    }
}

pub(crate) fn rotate<T: Single>(&[x, y, z, w]: &[T; 4], vector: &Vector3<T>) -> Vector3<T> {
    let axis = Vector3([x, y, z]);
    let turn = axis.cross(vector) * T::of(2.0);
    *vector + turn * w + axis.cross(&turn)
}

fn advanced<T: Single>(&[x, y, z, w]: &[T; 4], omega: &Vector3<T>, dt: T) -> [T; 4] {
    let ([a, b, c], half) = (omega.0, dt * T::of(0.5));
    let rate = [
        a * w + b * z - c * y,
        b * w + c * x - a * z,
        c * w + a * y - b * x,
        -(a * x + b * y + c * z),
    ];
    let next: [T; 4] = std::array::from_fn(|row| [x, y, z, w][row] + rate[row] * half);
    let square = next.iter().fold(T::of(0.0), |sum, &number| sum + number * number);
    next.map(|number| number / square.square_root())
}
