//! Wheels that turn as one: on a shaft that they share, each with its own tire.

use std::cell::Cell;

use arrayvec::ArrayVec;

use super::side_by_side::{ClutchFours, CoupledFours, FourClutchWheels};
use super::{ClutchSystem, ClutchWheel};
use crate::math::Real;
use crate::math::bracket::Bracket;
use crate::math::lanes::Lanes;
use crate::wheel_list::{MAX_WHEELS, place};
use crate::wheel_rotation::CoupledWheel;

/// Most steps towards the speed of a shaft. Each but the last finds a tire that grips or slides, or
/// halves what is left.
const MAX_STEPS: usize = 4 * MAX_WHEELS;
/// Largest residual of the balance of a shaft, as a part of its torques (dimensionless).
const TOLERANCE: f64 = 1e-14;

/// The wheels of a system that turn with others, shaft by shaft.
pub(super) struct JoinedWheels {
    members: ArrayVec<Member, MAX_WHEELS>,
    shafts: ArrayVec<Shaft, MAX_WHEELS>,
}

/// A wheel on a shaft.
pub(super) struct Member {
    number: usize,
    /// Speed per speed of the shaft, m (dimensionless).
    multiplier: f64,
    rotation_speed: f64,
    tire_torque: f64,
    tire_resistance: f64,
    max_tire_torque: f64,
    /// I ω₀/dt + T (N·m).
    torque: f64,
    /// I/dt + c (N·m·s).
    resistance: f64,
    brake: f64,
    /// G r (dimensionless).
    pub(super) torque_ratio: f64,
    /// G α g (dimensionless).
    pub(super) speed_ratio: f64,
}

/// A shaft that wheels share, which are next to each other, and sums over them.
pub(super) struct Shaft {
    first: usize,
    end: usize,
    /// Σ |m| B (N·m).
    brake: f64,
    /// Σ m G r (dimensionless).
    pub(super) torque_ratio: f64,
    /// Σ m G α g (dimensionless).
    speed_ratio: f64,
    /// Torque while it stands, but for clutch and brake (N·m).
    at_rest: f64,
    /// How it turns without clutch and brake, if all grips and slides that does at the start.
    open: Motion,
    /// Where it was looked at last.
    last: Cell<Option<Look>>,
}

/// The torque under which a shaft has been looked at (N·m), and how it turns there.
#[derive(Clone, Copy)]
struct Look {
    drive: f64,
    motion: Motion,
}

/// A shaft under the torque of the clutch.
#[derive(Clone, Copy, Default)]
pub(super) struct Motion {
    pub(super) speed: f64,
    /// 1/A if it turns, 0 if it is held (rad/s per N·m).
    pub(super) mobility: f64,
}

/// Residual of the torques on a shaft at some speed.
struct Balance {
    torque: f64,
    /// How fast it falls with the speed, A (N·m·s).
    resistance: f64,
    /// Sum of the torques without their signs (N·m).
    size: f64,
}

impl JoinedWheels {
    /// No wheels.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { members: ArrayVec::new(), shafts: ArrayVec::new() }
    }

    /// Adds the wheels of `system` that turn with others; `per_dt` is 1/dt (1/s).
    #[inline]
    pub(super) fn add<const FOURS: usize>(
        &mut self,
        system: &ClutchSystem<ClutchFours<FOURS>>,
        per_dt: f64,
    ) {
        if system.wheels.fours.iter().any(FourClutchWheels::has_constraint) {
            self.join(system, per_dt);
        }
    }

    #[cold]
    fn join<const FOURS: usize>(&mut self, system: &ClutchSystem<ClutchFours<FOURS>>, per_dt: f64) {
        let gear_ratio = f64::from(system.gear_ratio);
        let mut is_known = [false; MAX_WHEELS];
        for number in 0..system.wheels.wheel_count {
            let Some(group) = system.wheels.group_of(number) else { continue };
            if std::mem::replace(&mut is_known[group], true) {
                continue;
            }
            let first = self.members.len();
            for number in number..system.wheels.wheel_count {
                if system.wheels.group_of(number) != Some(group) {
                    continue;
                }
                let Some(wheel) = system.wheels.get(number) else { continue };
                self.members.push(Member::new(number, &wheel, gear_ratio, per_dt));
            }
            self.shafts.push(Shaft::new(&self.members, first));
        }
    }

    /// Sums over the shafts of the rotation speed at an open clutch, and of how fast it falls with
    /// the torque of the clutch. They hold if all grips and slides that does at the start.
    #[inline]
    pub(super) fn at_open_clutch(&self) -> [f64; 2] {
        self.shafts.iter().map(Shaft::at_open_clutch).fold([0.0; 2], added)
    }

    /// Sums over the shafts under the torque `clutch`: rotation speed at the clutch, how fast it
    /// falls with the torque, and the speed without signs.
    #[inline]
    pub(super) fn at_clutch(&self, clutch: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for shaft in &self.shafts {
            let [speed, response] = shaft.at_clutch(shaft.turned(&self.members, clutch));
            sums = [sums[0] + speed, sums[1] + response, sums[2] + speed.abs()];
        }
        sums
    }

    /// Overwrites what those of `wheels` do that turn with others, under the torque `clutch`.
    #[inline]
    pub(super) fn write<const FOURS: usize>(&self, clutch: f64, wheels: &mut CoupledFours<FOURS>) {
        for shaft in &self.shafts {
            let motion = shaft.turned(&self.members, clutch);
            for member in &self.members[shaft.first..shaft.end] {
                member.write(motion.speed, wheels);
            }
        }
    }
}

/// Two sums with what is added to each.
#[inline]
pub(super) fn added(sums: [f64; 2], [first, second]: [f64; 2]) -> [f64; 2] {
    [sums[0] + first, sums[1] + second]
}

impl Shaft {
    /// A shaft of all `members` from the `first` on.
    #[inline]
    pub(super) fn new(members: &[Member], first: usize) -> Self {
        let end = members.len();
        let members = &members[first..];
        let sum = |value: fn(&Member) -> f64| members.iter().map(value).sum();
        // Most tires grip at the speed of the start.
        let start = members.first().map_or(0.0, |first| first.rotation_speed / first.multiplier);
        let Balance { torque, resistance, .. } = balance(members, 0.0, start);
        let mobility = 1.0 / resistance;
        Self {
            first,
            end,
            brake: sum(|member| member.multiplier.abs() * member.brake),
            torque_ratio: sum(|member| member.multiplier * member.torque_ratio),
            speed_ratio: sum(|member| member.multiplier * member.speed_ratio),
            at_rest: balance(members, 0.0, 0.0).torque,
            open: Motion { speed: start + torque * mobility, mobility },
            last: Cell::new(None),
        }
    }

    /// Rotation speed at an open clutch, and how fast it falls with the torque of the clutch, if
    /// all grips and slides that does at the start.
    #[inline]
    pub(super) fn at_open_clutch(&self) -> [f64; 2] {
        self.at_clutch(self.open)
    }

    /// Rotation speed of the shaft's `motion` at the clutch, and how fast it falls with the torque
    /// of the clutch.
    #[inline]
    fn at_clutch(&self, Motion { speed, mobility }: Motion) -> [f64; 2] {
        // Shares of opposite signs would make a machine that drives itself.
        let product = (self.speed_ratio * self.torque_ratio).max(0.0);
        [self.speed_ratio * speed, product * mobility]
    }

    /// This shaft with its `members` under the torque `clutch`: sought from where it would turn if
    /// all grips and slides that did at the last look.
    pub(super) fn turned(&self, members: &[Member], clutch: f64) -> Motion {
        let drive = -self.torque_ratio * clutch;
        let last = self.last.get();
        if let Some(last) = last.filter(|last| last.drive == drive) {
            return last.motion;
        }
        let Look { drive: known, motion } = last.unwrap_or(Look { drive: 0.0, motion: self.open });
        let start = motion.speed + motion.mobility * (drive - known);
        let members = &members[self.first..self.end];
        let motion = turned_as_one(members, start, self.brake, (self.at_rest, drive));
        self.last.set(Some(Look { drive, motion }));
        motion
    }
}

/// A shaft with `members` under its torque `at_rest`, the torque `drive` and a `brake` (N·m), which
/// turns at about `start` (rad/s).
///
/// ```text
/// Σ m (F - I/dt ω - c ω + T_tire(ω)) + T_drive ± B = 0,   ω = m Ω
/// ```
///
/// falls with Ω, in straight pieces.
fn turned_as_one(
    members: &[Member],
    start: f64,
    brake: f64,
    (at_rest, drive): (f64, f64),
) -> Motion {
    let at_rest = at_rest + drive;
    if at_rest.abs() <= brake {
        return Motion { speed: 0.0, mobility: 0.0 };
    }
    let direction = 1.0_f64.copysign(at_rest);
    let mut bracket = Bracket::new(0.0, f64::INFINITY);
    let mut size = if start.is_finite() { (direction * start).max(0.0) } else { 0.0 };
    let mut mobility = 0.0;
    for _ in 0..MAX_STEPS {
        let balance = balance(members, drive - direction * brake, direction * size);
        mobility = 1.0 / balance.resistance;
        let excess = -direction * balance.torque;
        let is_left = TOLERANCE * balance.size < excess.abs();
        if !is_left {
            break;
        }
        let next = bracket.step(size, excess, balance.resistance);
        if next == size {
            break;
        }
        size = next;
    }
    Motion { speed: direction * size, mobility }
}

/// The torques on a shaft with `members` and the torque `drive` (N·m) that turns at `speed`
/// (rad/s).
#[inline]
fn balance(members: &[Member], drive: f64, speed: f64) -> Balance {
    let start = Balance { torque: drive, resistance: 0.0, size: drive.abs() };
    members.iter().fold(start, |balance, member| {
        let multiplier = member.multiplier;
        let wheel_speed = multiplier * speed;
        let (tire_torque, tire_resistance) = member.tire_torque(wheel_speed);
        let braking = member.resistance * wheel_speed;
        let size = member.torque.abs() + tire_torque.abs() + braking.abs();
        let resistance = member.resistance + tire_resistance;
        Balance {
            torque: balance.torque + multiplier * (member.torque + tire_torque - braking),
            resistance: balance.resistance + multiplier * multiplier * resistance,
            size: balance.size + multiplier.abs() * size,
        }
    })
}

impl Member {
    /// The `wheel` of this number, which turns `gear_ratio` times slower than the clutch
    /// (dimensionless); `per_dt` is 1/dt (1/s).
    #[inline]
    pub(super) fn new(number: usize, wheel: &ClutchWheel, gear_ratio: f64, per_dt: f64) -> Self {
        let per_time = f64::from(wheel.inertia) * per_dt;
        let rotation_speed = f64::from(wheel.rotation_speed);
        Self {
            number,
            multiplier: f64::from(wheel.speed_multiplier()),
            rotation_speed,
            tire_torque: f64::from(wheel.tire.torque),
            tire_resistance: f64::from(wheel.tire.resistance),
            max_tire_torque: f64::from(wheel.tire.max_torque),
            torque: per_time * rotation_speed + f64::from(wheel.torques.drive),
            resistance: per_time + f64::from(wheel.damping_rate),
            brake: f64::from(wheel.torques.brake),
            torque_ratio: gear_ratio * f64::from(wheel.torque_ratio),
            speed_ratio: gear_ratio * f64::from(wheel.signed_speed_ratio()),
        }
    }

    /// 1/A of the wheel on its own, with its tire in one of two modes: gripping and sliding (rad/s
    /// per N·m).
    #[inline]
    pub(super) fn mobilities(&self) -> [f64; 2] {
        [1.0 / (self.resistance + self.tire_resistance), 1.0 / self.resistance]
    }

    /// The wheel on its own, of these [mobilities](Self::mobilities), under the torque `drive` and
    /// its brake (N·m). It is in the first of the two modes of its tire, if that does not ask for
    /// more than friction allows.
    #[inline]
    pub(super) fn turned(&self, [gripping, sliding]: [f64; 2], drive: f64) -> Motion {
        let turned = |torque: f64, mobility: f64| {
            let torque = self.torque + drive + torque;
            if torque.abs() <= self.brake {
                return Motion { speed: 0.0, mobility: 0.0 };
            }
            Motion { speed: (torque.abs() - self.brake).copysign(torque) * mobility, mobility }
        };
        let at_rest = self.tire_torque + self.tire_resistance * self.rotation_speed;
        let gripping = turned(at_rest, gripping);
        let (limit, tire_resistance) = self.tire_torque(gripping.speed);
        if tire_resistance == self.tire_resistance && tire_resistance != 0.0 {
            return gripping;
        }
        turned(limit, sliding)
    }

    /// Overwrites what the wheel does on a shaft that turns at `speed` (rad/s).
    pub(super) fn write<const FOURS: usize>(&self, speed: f64, wheels: &mut CoupledFours<FOURS>) {
        let speed = self.multiplier * speed;
        let tire_torque = self.tire_torque(speed).0 as Real;
        let (four, lane) = place(self.number);
        wheels[four].set_lane(lane, CoupledWheel { rotation_speed: speed as Real, tire_torque });
    }

    /// Torque of the tire at `speed` (rad/s), and how fast it falls with it: not at all if it
    /// slides.
    fn tire_torque(&self, speed: f64) -> (f64, f64) {
        let wanted = self.tire_torque - self.tire_resistance * (speed - self.rotation_speed);
        if self.max_tire_torque < wanted.abs() {
            (self.max_tire_torque.copysign(wanted), 0.0)
        } else {
            (wanted, self.tire_resistance)
        }
    }
}
