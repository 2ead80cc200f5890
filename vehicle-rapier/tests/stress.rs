//! Many vehicles among loose boxes, driven at random, while vehicles come and go and are recorded.
//!
//! `cargo run --release -p vehicle-benches --bin stress` does the same with 1,024 vehicles and
//! 2,000 boxes for a minute.

use snippets::crowd::{CrowdSetting, drive};

const SETTING: CrowdSetting = CrowdSetting { vehicles: 96, boxes: 200, steps: 300, seed: 7 };

#[test]
fn a_crowd_has_no_faults_loses_no_sample_and_ends_alike_with_one_and_two_threads() {
    let [one, two] = [1, 2].map(|threads| drive(&SETTING, threads, || ()).expect("no fault"));
    for outcome in [one, two] {
        eprintln!("{outcome:?}");
        assert_eq!(outcome.received + outcome.dropped, outcome.told, "{outcome:?}");
        assert_eq!(outcome.told, (SETTING.vehicles * SETTING.steps) as u64);
        assert!(SETTING.steps as u64 <= outcome.left, "{outcome:?}");
    }
    assert_eq!(one.fingerprint, two.fingerprint);
    assert_eq!((one.left, one.fallen), (two.left, two.fallen));
}
