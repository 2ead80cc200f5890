use std::path::Path;
use rapier3d::prelude::*;
use snippets::measurements::*;
use snippets::presets;
use vehicle_rapier::core::suspension::unsprung::SuspensionDynamics;
use vehicle_rapier::vehicle_file::*;
use vehicle_rapier::core::tire::models::AnyTire;
use vehicle_rapier::{Detail, RoadQueryShape};

fn set_detail(car: &mut AnyRapierVehicle, substeps: u32) {
    let d = Detail { max_substeps: substeps, ..Detail::FULL };
    match &mut car.drive {
        AnyDrive::Direct(c) => c.detail = d,
        AnyDrive::Engine(c) => c.detail = d,
        AnyDrive::Motorcycle(c) => c.detail = d,
        AnyDrive::Tank(c) => c.detail = d,
        AnyDrive::Blocks(c) => c.detail = d,
        _ => {}
    }
}

fn vehicle(name: &str, scale: f32, massless: bool) -> AnyVehicle {
    let v = presets::vehicle(name).unwrap();
    let mut file = v.insert(&mut PhysicsWorld::new(), Pose::IDENTITY).to_file();
    if let MechanicsSource::Parameters(m) = &mut file.mechanics {
        if massless && let SuspensionDynamics::Unsprung(_) = m.suspension_dynamics { m.suspension_dynamics = SuspensionDynamics::default(); }
        for t in &mut m.tires { if let AnyTire::Brush(b) = t { b.lateral_stiffness *= scale; } }
    }
    AnyVehicle::new(file, Path::new("")).unwrap()
}

/// returns (moved in last 2 s, max tilt cos, total moved, any unstuck)
fn park(v: &AnyVehicle, turn: Rotation, friction: f32, dt: f32, substeps: u32, time: f32, brake: f32) -> (f32, f32, f32) {
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = dt;
    world.insert_collider(ColliderBuilder::new(SharedShape::halfspace(turn * Vector::Y)).friction(friction), None);
    world.detect_collisions(&(), &());
    let pose = Pose::from_parts(turn * (Vector::Y * v.standing_height(9.81)), turn);
    let mut car = v.insert(&mut world, pose);
    set_detail(&mut car, substeps);
    car.commands_mut().brakes[0] = brake;
    car.select(vehicle_rapier::drivetrain::blocks::Selector::Neutral);
    let start = world.bodies[car.body()].translation();
    let mut mid = start;
    let n = (time / dt).round() as usize;
    for i in 0..n {
        car.step(&mut world).unwrap();
        if i == n * 6 / 10 { mid = world.bodies[car.body()].translation(); }
        if std::env::var("TRACE").is_ok() {
            let b=&world.bodies[car.body()];
            println!("{i} {:?} v {:?} w {:?}", b.translation(), b.linvel(), b.angvel());
        }
    }
    let end = world.bodies[car.body()].translation();
    let up = (world.bodies[car.body()].rotation() * Vector::Y).dot(turn * Vector::Y);
    ((end - mid).length(), up, (end - start).length())
}

fn names() -> Vec<String> {
    match std::env::var("NAMES") { Ok(s) => s.split(',').map(String::from).collect(), _ => presets::driven().iter().map(|s| s.to_string()).collect() }
}
fn list(key: &str, default: &str) -> Vec<f32> {
    std::env::var(key).unwrap_or(default.into()).split(',').map(|s| s.parse().unwrap()).collect()
}

fn main() {
    let what = std::env::args().nth(1).unwrap();
    match what.as_str() {
        "park" => {
            let mu = list("MU", "1.0")[0];
            for name in names() { for scale in list("SCALE", "1,0.1") { for massless in list("MASSLESS", "0") {
                let v = vehicle(&name, scale, massless > 0.0);
                for deg in list("DEG", "20") { for heading in list("HEADING", "0,90") {
                    let h = heading.to_radians();
                    let axis = Vector::new(-h.cos(), 0.0, h.sin());
                    let turn = Rotation::from_axis_angle(axis, deg.to_radians());
                    for rate in list("RATE", "30,60,240") { for sub in list("SUB", "1,3") {
                        let (moved, up, total) = park(&v, turn, mu, 1.0 / rate, sub as u32, list("TIME", "5")[0], list("BRAKE","1")[0]);
                        if moved > list("MIN", "1e-3")[0] { println!("{name} scale {scale} massless {massless} slope {deg} heading {heading} rate {rate} sub {sub}: late {moved} total {total} up {up}"); }
                    } }
                } }
            } } }
        }
        "straight" => for name in names() { for mu in list("MU", "1.0,0.4") { for pedal in list("PEDAL", "0.2,0.35,0.5,0.7,1.0") {
            let setting = Setting { dt: 1.0 / list("RATE", "60")[0], friction: mu, shape: RoadQueryShape::Ray };
            let fast = std::env::var("SPEED").ok().map(|s| s.parse().unwrap()).unwrap_or(if name == "rc_car" { 10.0 } else { 22.0 });
            println!("{name} mu {mu} pedal {pedal}: {}", straight(&name, &setting, fast, pedal));
        } } }
        "bend" => for name in names() { for mu in list("MU", "1.0") { for lat in list("LAT", "0.3,0.5") { for pedal in list("PEDAL", "0.3,0.5,0.7,1.0") {
            let setting = Setting { dt: 1.0 / list("RATE", "60")[0], friction: mu, shape: RoadQueryShape::Ray };
            println!("{name} mu {mu} lat {lat} pedal {pedal}: {}", bend(&name, &setting, lat, pedal));
        } } } }
        _ => panic!(),
    }
}

fn hitch(g: &ProvingGround) -> f32 {
    if g.train.len() < 2 { return 0.0; }
    let (a, b) = (g.motion_of(0).forward, g.motion_of(1).forward);
    let (a, b) = (a.x.atan2(a.z), b.x.atan2(b.z));
    let d = (a - b).abs(); d.min(6.2831855 - d).to_degrees()
}

fn ground(name: &str, setting: &Setting) -> ProvingGround {
    let mut g = ProvingGround::ready(&name.replace("+solo", ""), setting).unwrap();
    if name.contains("+solo") { while g.train.len() > 1 { let t = g.train.pop().unwrap(); t.remove(&mut g.world); } }
    g
}

fn straight(name: &str, setting: &Setting, speed: f32, pedal: f32) -> String {
    let mut g = ground(name, setting);
    g.train[0].select(vehicle_rapier::drivetrain::blocks::Selector::Neutral);
    for car in &g.train { let h = car.body(); g.world.bodies.get_mut(h).unwrap().set_linvel(Vector::Z * speed, true); }
    g.steps_for(0.5).unwrap();
    g.drive(0.0, pedal, 0.0);
    let axles: Vec<Vec<usize>> = g.front().mechanics().params.axles.axles().map(<[usize]>::to_vec).collect();
    let mut locked: Vec<Option<f32>> = vec![None; axles.len()];
    let mut tl: Option<f32> = None;
    let t0 = g.time; let z0 = g.motion().position.z;
    let (mut worst, mut slip) = (0.0f32, 0.0f32);
    while g.motion().speed() > 2.0 && g.time - t0 < 25.0 {
        g.step().unwrap();
        worst = worst.max(hitch(&g));
        slip = slip.max(g.motion().side_slip().abs().to_degrees());
        let m = g.front().mechanics();
        for (i, axle) in axles.iter().enumerate() {
            if locked[i].is_none() && axle.iter().any(|&w| m.state.wheels.of(w).rotation_speed.abs() * m.params.wheels[w].radius < 0.5 * g.motion().speed()) { locked[i] = Some(g.time - t0); }
        }
        if g.train.len() > 1 && tl.is_none() { let m = g.train[1].mechanics(); for w in 0..m.params.axles.wheel_count() { if m.state.wheels.of(w).rotation_speed.abs() * m.params.wheels[w].radius < 0.5 * g.motion().speed() { tl = Some(g.time - t0); } } }
    }
    let first = |i: usize| locked[i].unwrap_or(99.0);
    let bad = (1..axles.len()).any(|i| first(i) < first(0));
    format!("{} lock {locked:?} trailer {tl:?} hitch {worst:.1} slip {slip:.1} dist {:.1} t {:.1}", if bad || worst > 15.0 || slip > 8.0 {"BAD"} else {"ok"}, g.motion().position.z - z0, g.time - t0)
}

fn bend(name: &str, setting: &Setting, lat: f32, pedal: f32) -> String {
    let mut g = ground(name, setting);
    let leans = matches!(g.front().drive, AnyDrive::Motorcycle(_));
    let speed: f32 = match name { "rc_car" => 6.0, "kart" => 12.0, _ => 20.0 };
    let speed = std::env::var("SPEED").ok().map(|s| s.parse().unwrap()).unwrap_or(speed);
    for car in &g.train { let h = car.body(); g.world.bodies.get_mut(h).unwrap().set_linvel(Vector::Z * speed, true); }
    let wanted = lat * 9.81 / speed;
    let (base, lock) = (g.wheel_base(), g.full_lock());
    let kin = if leans { lat } else { base * wanted / speed / lock };
    let (mut sum, dt) = (0.0, g.dt());
    let mut thr = 0.0f32;
    for i in 0..(6.0 / dt) as usize {
        let ramp = (i as f32 * dt / 1.0).min(1.0);
        let m = g.motion();
        let miss = 1.0 - m.yaw_rate / (wanted * ramp.max(0.01));
        if i as f32 * dt > 1.0 { sum += if leans {0.8} else {1.5} * miss * dt; }
        let e = (speed - m.speed()) / speed;
        thr = (thr + 2.0 * e * dt).clamp(0.0, 1.0);
        let steer = (ramp * kin * (1.0 + 0.3 * miss.clamp(-1.0, 1.0) + sum)).clamp(-1.0, 1.0);
        g.drive((4.0 * e + thr).clamp(0.0, 1.0), 0.0, steer);
        if i as f32 * dt > 5.0 { g.train[0].commands_mut().steer = steer; }
        g.step().unwrap();
    }
    let steer = g.front().commands().steer;
    let (mut r0, mut b0) = (0.0, 0.0);
    let n = (0.3 / dt) as usize;
    for _ in 0..n { g.step().unwrap(); r0 += g.motion().yaw_rate / n as f32; b0 += g.motion().side_slip() / n as f32; }
    let v0 = g.motion().speed();
    g.drive(0.0, pedal, steer);
    let t0 = g.time;
    let (mut most, mut slip, mut h, mut dslip) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
    while g.motion().speed() > 0.25 * v0 && g.time - t0 < 8.0 {
        g.step().unwrap();
        most = most.max(g.motion().yaw_rate / r0);
        slip = slip.max(g.motion().side_slip().abs().to_degrees());
        dslip = dslip.max((g.motion().side_slip() - b0).abs().to_degrees());
        h = h.max(hitch(&g));
        if g.motion().up.y < 0.5 { return format!("BAD fell; steady {:.2} g", r0 * v0 / 9.81); }
    }
    format!("{} yaw {:+.0} % slip {slip:.1} change {dslip:.1} hitch {h:.1}; steady {:.2} g, slip {:.1} v {v0:.1} t {:.1}", if most > 1.18 || slip > 8.0 {"BAD"} else {"ok"}, (most - 1.0) * 100.0, r0 * v0 / 9.81, b0.to_degrees(), g.time - t0)
}
