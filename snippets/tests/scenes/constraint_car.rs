//! The car by constraints, against closed forms.

use rapier3d::glamx::{DQuat, DVec3};
use snippets::three_models::car::{
    BodyMotion, CarData, Contact, Orders, RoadHit, STIFFNESS, WHEELS, WheelOrder, mechanics,
};
use snippets::three_models::constraints::{ConstraintCar, ConstraintParams};

const GRAVITY: f64 = 9.81;
const DT: f64 = 1.0 / 60.0;

/// A car on a plane.
struct Drive {
    data: CarData,
    car: ConstraintCar,
    motion: BodyMotion,
    normal: DVec3,
    friction: f64,
    dt: f64,
    contacts: [Option<Contact>; WHEELS],
}

impl Drive {
    /// At rest on a plane of this normal through the origin, facing along `heading`.
    fn new(normal: DVec3, turn: DQuat, friction: f64) -> Self {
        let data = CarData::of(&mechanics().expect("the car")).expect("the car");
        let jounce = data.rest_jounces(GRAVITY)[0];
        let wheel = &data.wheels[0];
        let height = wheel.travel - jounce + wheel.radius - wheel.mount.y;
        let motion = BodyMotion { turn, ..BodyMotion::at(normal * height) };
        let car = ConstraintCar::default();
        Self { data, car, motion, normal, friction, dt: DT, contacts: [None; WHEELS] }
    }

    fn level(friction: f64) -> Self {
        Self::new(DVec3::Y, DQuat::IDENTITY, friction)
    }

    /// On a slope, facing up it or across it.
    fn on_slope(degrees: f64, is_across: bool, friction: f64) -> Self {
        let tilt = DQuat::from_rotation_x(-degrees.to_radians());
        let heading = DQuat::from_rotation_y(if is_across { 90_f64.to_radians() } else { 0.0 });
        Self::new(tilt * DVec3::Y, tilt * heading, friction)
    }

    fn rolling(mut self, speed: f64) -> Self {
        self.motion.velocity = self.motion.turn * DVec3::Z * speed;
        for (wheel, data) in self.car.wheels.iter_mut().zip(&self.data.wheels) {
            wheel.speed = speed / data.radius;
        }
        self
    }

    /// Finds the road.
    fn look(&mut self) {
        let (normal, friction) = (self.normal, self.friction);
        let road = |origin: DVec3, direction: DVec3, reach: f64| -> Option<RoadHit> {
            let distance = -normal.dot(origin) / normal.dot(direction);
            (0.0..=reach).contains(&distance).then_some((distance, normal, friction, DVec3::ZERO))
        };
        self.contacts = std::array::from_fn(|wheel| self.data.contact(wheel, &self.motion, &road));
    }

    fn step(&mut self, orders: &Orders) {
        self.look();
        let gravity = DVec3::NEG_Y * GRAVITY;
        let Self { data, car, motion, contacts, .. } = self;
        car.step(data, motion, (orders, contacts), gravity, self.dt);
        self.motion.advance(self.dt);
    }

    fn run(&mut self, orders: &Orders, seconds: f64) {
        for _ in 0..(seconds / self.dt).round() as usize {
            self.step(orders);
        }
    }
}

fn told(order: WheelOrder) -> Orders {
    [order; WHEELS]
}

const FREE: WheelOrder = WheelOrder { drive: 0.0, brake: 0.0, steer: 0.0 };
const HELD: WheelOrder = WheelOrder { brake: 5_000.0, ..FREE };

#[test]
fn wheels_carry_the_weight_at_rest() {
    let mut drive = Drive::level(0.8);
    drive.run(&told(FREE), 8.0);
    let weight = drive.data.mass * GRAVITY;
    let carried: f64 = drive.car.wheels.iter().map(|wheel| wheel.load(DT)).sum();
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} N of {weight} N");
    let rest = drive.data.rest_jounces(GRAVITY);
    for (contact, rest) in drive.contacts.iter().zip(rest) {
        let jounce = contact.expect("a contact").jounce;
        assert!((jounce - rest).abs() < 1e-6, "{jounce} m, at rest {rest} m");
    }
}

#[test]
fn a_parked_car_stays_on_a_slope() {
    for (is_across, friction, iterations, rate) in [true, false]
        .into_iter()
        .flat_map(|across| [0.35, 0.8].map(|friction| (across, friction)))
        .flat_map(|(across, friction)| [1, 4].map(|count| (across, friction, count)))
        .flat_map(|(across, friction, count)| [60.0, 240.0].map(|it| (across, friction, count, it)))
    {
        let mut drive = Drive::on_slope(15.0, is_across, friction);
        drive.car.params.iterations = iterations;
        drive.dt = 1.0 / rate;
        drive.run(&told(HELD), 5.0);
        let before = drive.motion.place;
        drive.run(&told(HELD), 7.0);
        let moved = drive.motion.place.distance(before);
        let what = format!("across {is_across}, {friction}, {iterations} times, {rate} Hz");
        assert!(moved < 1e-5, "{what}: {moved} m in 7 s");
    }
    // Across, without brakes: a car that is as heavy in front as in the rear, or it turns a little
    // on its tires, and rolls down.
    let mut drive = Drive::on_slope(15.0, true, 0.8);
    let front = drive.data.wheels[0];
    for wheel in &mut drive.data.wheels {
        wheel.mount.z = front.mount.z * wheel.mount.z.signum();
        (wheel.stiffness, wheel.damping) = (front.stiffness, front.damping);
    }
    drive.run(&told(FREE), 5.0);
    let before = drive.motion.place;
    drive.run(&told(FREE), 7.0);
    let moved = drive.motion.place.distance(before);
    assert!(moved < 1e-4, "across, without brakes: {moved} m in 7 s");
}

#[test]
fn a_slope_that_is_too_slippery_is_slid_down() {
    for friction in [0.1, 0.2] {
        let mut drive = Drive::on_slope(15.0, false, friction);
        drive.run(&told(HELD), 3.0);
        let angle = 15_f64.to_radians();
        let expected = 3.0 * GRAVITY * (angle.sin() - friction * angle.cos());
        let speed = drive.motion.velocity.length();
        assert!((speed / expected - 1.0).abs() < 0.03, "{friction}: {speed} m/s, {expected} m/s");
    }
}

#[test]
fn locked_wheels_stop_as_friction_says() {
    for friction in [1.0, 0.7, 0.3] {
        let mut drive = Drive::level(friction).rolling(100.0 / 3.6);
        let before = drive.motion.place.z;
        drive.run(&told(HELD), 12.0);
        let way = drive.motion.place.z - before;
        let expected = (100.0_f64 / 3.6).powi(2) / (2.0 * friction * GRAVITY);
        assert!((way / expected - 1.0).abs() < 0.01, "{friction}: {way} m, {expected} m");
    }
}

#[test]
fn no_wheel_chatters() {
    let orders = [FREE, WheelOrder { drive: 400.0, ..FREE }, WheelOrder { brake: 600.0, ..FREE }];
    for (speed, inertia) in
        [0.0, 1.0, 5.0, 20.0, 40.0, 80.0].into_iter().flat_map(|v| [1.2, 0.3].map(|j| (v, j)))
    {
        for order in orders {
            let mut drive = Drive::level(0.9).rolling(speed);
            for wheel in &mut drive.data.wheels {
                wheel.inertia = inertia;
            }
            let speeds: Vec<[f64; WHEELS]> = (0..90)
                .map(|_| {
                    drive.step(&told(order));
                    drive.car.wheels.map(|wheel| wheel.speed)
                })
                .collect();
            for wheel in 0..WHEELS {
                let line: Vec<f64> = speeds.iter().map(|all| all[wheel]).collect();
                // A wheel that rolls to and fro with a body that pitches changes its sign, too, but
                // not in two steps that follow each other.
                let turns_back =
                    |it: &&[f64]| it[0] * it[1] < 0.0 && it[1] * it[2] < 0.0 && 1e-6 < it[1].abs();
                let signs = line.windows(3).filter(turns_back).count();
                let turns: Vec<f64> = line.windows(2).map(|pair| pair[1] - pair[0]).collect();
                let alternating = turns
                    .windows(2)
                    .filter(|pair| pair[0] * pair[1] < 0.0 && 1e-6 < pair[1].abs())
                    .count();
                let what = format!("{speed} m/s, {inertia} kg·m², {order:?}, wheel {wheel}");
                assert_eq!(signs, 0, "{what}");
                assert!(alternating <= 8, "{what}: {alternating} times");
            }
        }
    }
}

#[test]
fn momentum_goes_from_the_road_to_body_and_wheels_and_nowhere_else() {
    let mut drive = Drive::level(0.9).rolling(15.0);
    drive.motion.angular = DVec3::new(0.1, 0.4, -0.2);
    let order = WheelOrder { drive: 300.0, brake: 0.0, steer: 0.1 };
    for _ in 0..120 {
        let (before, wheels) = (drive.motion, drive.car.wheels);
        drive.step(&told(order));
        let mut linear = DVec3::NEG_Y * GRAVITY * drive.data.mass * DT;
        let mut angular = DVec3::ZERO;
        for (wheel, state) in drive.car.wheels.iter().enumerate() {
            let Some(contact) = drive.contacts[wheel] else { continue };
            let [forward, left] = drive.car.directions[wheel];
            let impulse = contact.normal * (state.impulses[0] + state.impulses[1])
                + forward * state.impulses[2]
                + left * state.impulses[3];
            linear += impulse;
            angular += (contact.point - before.place).cross(impulse);
            let data = &drive.data.wheels[wheel];
            let spun = data.inertia * (state.speed - wheels[wheel].speed);
            let expected = order.drive * DT - data.radius * state.impulses[2];
            assert!((spun - expected).abs() < 1e-12 * data.inertia * state.speed.abs().max(1.0));
        }
        let gained = (drive.motion.velocity - before.velocity) * drive.data.mass;
        let error = (gained - linear).length() / (drive.data.mass * before.velocity.length());
        assert!(error < 1e-12, "{error}");
        let turn = before.turn;
        let inertia = |rate: DVec3| turn * (drive.data.inertia * (turn.inverse() * rate));
        let turned = inertia(drive.motion.angular - before.angular);
        let error = (turned - angular).length() / drive.data.inertia.y;
        assert!(error < 1e-12, "{error}");
    }
}

/// A car on tires of one stiffness understeers by what its front axle carries more.
#[test]
fn understeer_is_that_of_the_linear_single_track_model() {
    let steer = 0.012;
    let mut drive = Drive::level(1.0).rolling(20.0);
    let mut orders = told(FREE);
    for order in &mut orders[..2] {
        order.steer = steer;
    }
    let mut sums = [0.0; 2];
    for step in 0..1_200 {
        let speed = (drive.motion.turn.inverse() * drive.motion.velocity).z;
        for order in &mut orders[2..] {
            order.drive = 2_000.0 * (20.0 - speed);
        }
        drive.step(&orders);
        if 900 <= step {
            sums[0] += speed / 300.0;
            sums[1] += drive.motion.angular.y / 300.0;
        }
    }
    let [speed, rate] = sums;
    let (front, rear) = (drive.data.wheels[0].mount.z, -drive.data.wheels[2].mount.z);
    let base = front + rear;
    let acceleration = speed * rate;
    let expected = drive.data.mass * (rear - front) / base / (2.0 * STIFFNESS[1]);
    let gradient = (steer - base * rate / speed) / acceleration;
    assert!(acceleration < 0.2 * GRAVITY);
    assert!((gradient / expected - 1.0).abs() < 0.02, "{gradient} rad s²/m, {expected} rad s²/m");
}

#[test]
fn locked_wheels_slide_against_their_velocity_whatever_its_direction() {
    let friction = 0.6;
    let mut drive = Drive::level(friction);
    drive.run(&told(HELD), 2.0);
    drive.motion.velocity = DVec3::new(7.0, 0.0, 7.0);
    drive.run(&told(HELD), 0.2);
    let before = drive.motion.velocity;
    drive.run(&told(HELD), 0.3);
    let change = (drive.motion.velocity - before) / 0.3;
    let deceleration = change.length();
    let angle = (-change).angle_between(before).to_degrees();
    assert!((deceleration / (friction * GRAVITY) - 1.0).abs() < 0.01, "{deceleration} m/s²");
    assert!(angle < 0.5, "{angle} degrees");
}

/// Each step's friction is against the velocity that the contact is left with.
#[test]
fn a_hand_brake_pulls_against_the_slide() {
    let mut drive = Drive::level(0.8).rolling(15.0);
    drive.run(&told(FREE), 1.0);
    let mut orders = told(FREE);
    for order in &mut orders[..2] {
        order.steer = 0.4;
    }
    for order in &mut orders[2..] {
        order.brake = 5_000.0;
    }
    let mut worst: f64 = 0.0;
    let mut seen = 0;
    for _ in 0..90 {
        let before = drive.motion.place;
        drive.step(&orders);
        for wheel in 2..WHEELS {
            let Some(contact) = drive.contacts[wheel] else { continue };
            let state = &drive.car.wheels[wheel];
            let bound = drive.friction * state.load(DT) * DT;
            let [forward, left] = drive.car.directions[wheel];
            let friction = forward * state.impulses[2] + left * state.impulses[3];
            let speed = drive.motion.velocity_at(contact.point - before);
            let slide = forward * forward.dot(speed) + left * left.dot(speed);
            if state.speed == 0.0 && friction.length() > 0.999 * bound && 1.0 < slide.length() {
                seen += 1;
                worst = worst.max((-friction).angle_between(slide).to_degrees());
            }
        }
    }
    assert!(60 < seen, "{seen} steps of sliding wheels");
    assert!(worst < 0.5, "{worst} degrees");
}

#[test]
fn a_fall_on_soft_springs_ends_on_the_stops_without_a_rebound_above_the_start() {
    let mut drive = Drive::level(0.8);
    drive.motion.place.y += 3.0;
    let (top, mut beyond, mut rebound): (f64, f64, f64) = (drive.motion.place.y, 0.0, 0.0);
    let rest = top - 3.0;
    let mut was_down = false;
    for _ in 0..300 {
        drive.step(&told(FREE));
        for (contact, wheel) in drive.contacts.iter().zip(&drive.data.wheels) {
            beyond = beyond.max(contact.map_or(0.0, |contact| contact.jounce - wheel.travel));
        }
        was_down |= drive.motion.place.y < rest;
        if was_down {
            rebound = rebound.max(drive.motion.place.y - rest);
        }
    }
    assert!(beyond < 0.02, "{beyond} m beyond the stops");
    assert!(rebound < 0.5, "{rebound} m");
}

#[test]
fn springs_a_hundred_times_as_stiff_add_no_energy() {
    let mut drive = Drive::level(0.8);
    for wheel in &mut drive.data.wheels {
        wheel.stiffness *= 100.0;
        wheel.damping = [0.0; 2];
    }
    drive.run(&told(FREE), 0.1);
    let rest = drive.data.rest_jounces(GRAVITY)[0];
    let wheel = drive.data.wheels[0];
    let height = wheel.travel - rest + wheel.radius - wheel.mount.y;
    drive.motion = BodyMotion::at(DVec3::Y * (height + 0.1));
    let energy = |drive: &mut Drive| {
        drive.look();
        let motion = &drive.motion;
        let spring = |(contact, stiffness): (&Option<Contact>, f64)| {
            0.5 * stiffness * contact.map_or(0.0, |it| it.jounce.max(0.0).powi(2))
        };
        let stiffnesses = drive.data.wheels.iter().map(|wheel| wheel.stiffness);
        let springs: f64 = drive.contacts.iter().zip(stiffnesses).map(spring).sum();
        let turning = motion.turn.inverse() * motion.angular;
        0.5 * drive.data.mass * motion.velocity.length_squared()
            + 0.5 * (drive.data.inertia * turning).dot(turning)
            + drive.data.mass * GRAVITY * (motion.place.y - height)
            + springs
    };
    let first = energy(&mut drive);
    for step in 0..600 {
        drive.step(&told(FREE));
        let now = energy(&mut drive);
        assert!(now <= first * (1.0 + 1e-9), "step {step}: {now} J, {first} J at first");
    }
    let settled = energy(&mut drive);
    assert!(settled < 0.1 * first, "{settled} J, {first} J at first");
}

/// Two damping rates are seen in the two halves of a heave that dies away.
#[test]
fn bump_and_rebound_are_damped_by_their_own_rates() {
    let decay = |damping: [f64; 2]| {
        let mut drive = Drive::level(0.8);
        drive.dt = 1.0 / 2_400.0;
        for wheel in &mut drive.data.wheels {
            wheel.damping = damping;
        }
        drive.run(&told(HELD), 0.2);
        drive.motion.velocity.y = -0.3;
        let mut losses = [0.0; 2];
        for _ in 0..4_800 {
            let before = drive.motion.velocity.y;
            drive.step(&told(HELD));
            let force: f64 = drive
                .car
                .wheels
                .iter()
                .zip(&drive.contacts)
                .zip(&drive.data.wheels)
                .map(|((state, contact), wheel)| {
                    state.load(drive.dt)
                        - wheel.stiffness
                            * (contact.map_or(0.0, |it| it.jounce)
                                - drive.dt * drive.motion.velocity.y)
                })
                .sum();
            let speed = 0.5 * (before + drive.motion.velocity.y);
            if 0.02 < speed.abs() {
                let rate = -force / drive.motion.velocity.y / WHEELS as f64;
                losses[usize::from(0.0 < speed)] = rate;
            }
        }
        losses
    };
    let found = decay([1_500.0, 4_500.0]);
    assert!((found[0] / 1_500.0 - 1.0).abs() < 0.03, "{found:?}");
    assert!((found[1] / 4_500.0 - 1.0).abs() < 0.03, "{found:?}");
}

#[test]
fn soft_rows_approach_the_explicit_force_at_first_order() {
    let load = |dt: f64| {
        let mut drive = Drive::level(0.8);
        drive.dt = dt;
        drive.step(&told(HELD));
        let contact = drive.contacts[0].expect("a contact");
        drive.motion.velocity.y = -0.4;
        let expected =
            drive.data.wheels[0].stiffness * contact.jounce + drive.data.wheels[0].damping[0] * 0.4;
        drive.step(&told(HELD));
        (drive.car.wheels[0].load(dt) - expected).abs() / expected
    };
    let [coarse, fine] = [load(1e-3), load(5e-4)];
    assert!(coarse < 0.05 && (coarse / fine - 2.0).abs() < 0.2, "{coarse}, {fine}");
}

#[test]
fn slip_builds_up_over_the_relaxation_length_at_any_step() {
    for rate in [30.0, 60.0, 240.0] {
        let mut drive = Drive::level(2.0).rolling(2.0);
        drive.dt = 1.0 / rate;
        drive.car.params = ConstraintParams { iterations: 12, ..ConstraintParams::default() };
        drive.data.mass = 1.5e6;
        drive.data.inertia *= 1e3;
        for wheel in &mut drive.data.wheels {
            wheel.stiffness *= 1e3;
            wheel.damping = wheel.damping.map(|it| it * 1e3);
        }
        drive.motion.velocity.x = 0.02;
        let steps = (0.2 * rate) as usize;
        for _ in 0..steps {
            drive.step(&told(FREE));
        }
        let force = -drive.car.wheels[0].impulses[3] / drive.dt;
        let way = 2.0 * steps as f64 / rate;
        let expected = STIFFNESS[1] * 0.01 * (1.0 - (-way / 0.4).exp());
        assert!((force / expected - 1.0).abs() < 0.02, "{rate} Hz: {force} N, {expected} N");
    }
}
