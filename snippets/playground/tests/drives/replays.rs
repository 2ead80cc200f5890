//! Record and replay.

use playground::{DriverInput, Event, Gamepad, Key, Recording, Session, Setup};

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

/// A replay of two seconds ahead, and half a second into it.
fn replay() -> Session {
    let mut driven = Session::new(Setup::default()).expect("a session");
    for _ in 0..120 {
        driven.step_with(DriverInput::new(0.3, 0.0, 0.0, 0.0)).expect("a step");
    }
    let mut replay = Session::replay(driven.recording()).expect("a session");
    go(&mut replay, 30);
    replay
}

fn go(session: &mut Session, steps: u32) {
    for _ in 0..steps {
        session.step().expect("a step");
    }
}

#[test]
fn an_event_ends_a_replay_and_happens_once_at_once() {
    let mut session = replay();
    session.push_event(Event::Start(3));
    session.step().expect("a step");
    assert!(!session.is_replaying() && session.setup().start == 3, "{:?}", session.setup());
    let events: Vec<_> = session.recording().inputs().filter_map(|input| input.event).collect();
    assert_eq!(events, [Event::Start(3)]);
}

#[test]
fn whoever_presses_a_key_or_moves_a_gamepad_takes_a_replay_over() {
    for key in [Key::Forward, Key::Backward, Key::Left, Key::Right, Key::HandBrake] {
        let mut session = replay();
        session.keyboard.set(key, false);
        go(&mut session, 1);
        assert!(session.is_replaying(), "{key:?} is let go");
        session.keyboard.set(key, true);
        go(&mut session, 1);
        assert!(!session.is_replaying(), "{key:?} is pressed");
    }
    let rest = Gamepad::default();
    for moved in [
        Gamepad { throttle: 0.5, ..rest },
        Gamepad { brake: 0.5, ..rest },
        Gamepad { steer: -0.5, ..rest },
        Gamepad { hand_brake: 0.5, ..rest },
    ] {
        let mut session = replay();
        session.gamepad = Gamepad { steer: 0.05, throttle: 0.1, ..rest };
        go(&mut session, 2);
        assert!(session.is_replaying(), "a gamepad at rest");
        session.gamepad = moved;
        go(&mut session, 1);
        assert!(!session.is_replaying(), "{moved:?}");
    }
}

#[test]
fn what_is_held_as_a_replay_begins_does_not_end_it() {
    let recording = replay().recording().clone();
    let mut session = Session::replay(&recording).expect("a session");
    session.gamepad.throttle = 1.0;
    go(&mut session, 10);
    assert!(session.is_replaying());
    session.gamepad.throttle = 0.0;
    go(&mut session, 10);
    assert!(session.is_replaying(), "it is let go");
}
