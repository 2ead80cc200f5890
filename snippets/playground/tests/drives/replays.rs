//! Record and replay.

use playground::{DriverInput, Event, Recording, Session, Setup};

/// A drive of a minute: pedals and steering wheel never rest, as those of a gamepad.
fn nervous_minute() -> Session {
    let mut session = Session::new(Setup::default()).expect("a session");
    for step in 0..3_600_u32 {
        let phase = step as f32 * 0.05;
        session.gamepad.throttle = 0.5 + 0.5 * (0.37 * phase).sin();
        session.gamepad.brake = (0.1 * phase).sin() - 0.6;
        session.gamepad.steer = 0.6 * (0.61 * phase).sin();
        if step == 1_800 {
            session.push_event(Event::Start(2));
        }
        session.step().expect("a step");
    }
    session
}

#[test]
fn a_minute_is_below_100_kb_and_replays_with_the_same_bits() {
    let driven = nervous_minute();
    let bytes = driven.recording().to_bytes().expect("bytes");
    println!("a minute takes {} bytes", bytes.len());
    assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
    let recording = Recording::from_bytes(&bytes).expect("a recording");
    assert_eq!(recording.step_count(), 3_600);
    let mut replayed = Session::replay(&recording).expect("a session");
    for _ in 0..3_600 {
        assert!(replayed.is_replaying());
        replayed.step().expect("a step");
    }
    assert_eq!(replayed.fingerprint(), driven.fingerprint());
    replayed.step().expect("a step");
    assert!(!replayed.is_replaying(), "the driver takes over");
}

#[test]
fn bytes_that_are_no_recording_are_refused() {
    let recording = Session::new(Setup::default()).expect("a session").recording().to_bytes();
    let bytes = recording.expect("bytes");
    let refused = |bytes: &[u8]| Recording::from_bytes(bytes).err().map(|error| error.to_string());
    assert!(refused(&bytes).is_none());
    assert!(refused(b"").expect("a refusal").contains("VRP1"));
    assert!(refused(&bytes[..bytes.len() - 1]).is_some());
    let mut endless = b"VRP1".to_vec();
    endless.extend(&bytes[4..bytes.len() - 1]);
    endless.extend([1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0]);
    assert!(refused(&endless).expect("a refusal").contains("longer"), "{:?}", refused(&endless));
}

/// The drive of which the bits are known: slopes, bends and boxes.
fn golden_drive() -> Session {
    let mut session = Session::new(Setup::default()).expect("a session");
    for step in 0..900_i32 {
        let steer = (((step * 37) % 400) - 200) as f32 / 500.0;
        let throttle = if step % 300 < 220 { 0.8 } else { 0.0 };
        let brake = if step % 300 < 260 { 0.0 } else { 0.7 };
        let mut input = DriverInput::new(throttle, brake, steer, 0.0);
        input.event = match step {
            300 => Some(Event::Start(5)),
            600 => Some(Event::Start(14)),
            _ => None,
        };
        session.step_with(input).expect("a step");
    }
    session
}

#[test]
fn the_same_inputs_give_the_same_bits_twice() {
    assert_eq!(golden_drive().fingerprint(), golden_drive().fingerprint());
}
