//! Drives off the road, as the program `off_road` records them.

use anyhow::Result;
use playground::worlds::Lane;
use snippets::off_road::{VEHICLE, Wheels, record};
use snippets::presets;

#[test]
fn a_pick_up_gets_through_all_but_kerbs_that_are_too_high() -> Result<()> {
    let drive = record(&presets::vehicle(VEHICLE)?, || ())?;
    for wheels in Wheels::ALL {
        for lane in Lane::ALL {
            let passage = drive.passage(lane, wheels)?;
            let what = format!("{}, {wheels}: {passage:?}", lane.name());
            // Wheels that the road only lifts climb any kerb. Those that meet it come over what is
            // a good deal lower than their hub, at 0.39 m.
            let is_stopped = lane == Lane::Kerbs && wheels == Wheels::Yield;
            assert_eq!(passage.is_through, !is_stopped, "{what}");
            assert_eq!(passage.is_stuck, is_stopped, "{what}");
            assert!((0.3..1.5).contains(&passage.speed_kept) || is_stopped, "{what}");
            assert!(passage.peaks.iter().all(|peak| (0.5..150.0).contains(peak)), "{what}");
        }
    }
    let climbed = |wheels| anyhow::Ok(drive.passage(Lane::Kerbs, wheels)?.climbed);
    let [yielding, following] = [climbed(Wheels::Yield)?, climbed(Wheels::Follow)?];
    assert!((following - 0.4).abs() < 5e-3, "{following} m");
    assert!((0.2..0.36).contains(&yielding), "{yielding} m");
    Ok(())
}

#[test]
fn a_tank_gets_through_all_lanes() -> Result<()> {
    let drive = record(&presets::vehicle("tank")?, || ())?;
    for (lane, wheels) in Lane::ALL.into_iter().flat_map(|lane| Wheels::ALL.map(|it| (lane, it))) {
        let passage = drive.passage(lane, wheels)?;
        assert!(passage.is_through, "{}, {wheels}: {passage:?}", lane.name());
    }
    Ok(())
}

/// Waves and fields without edges are no obstacles: there, both kinds of wheels are one.
#[test]
fn wheels_that_yield_ride_over_what_is_not_steep_as_others_do() -> Result<()> {
    let drive = record(&presets::vehicle(VEHICLE)?, || ())?;
    for lane in [Lane::Washboard, Lane::Field] {
        let [yielding, following] = Wheels::ALL.map(|wheels| drive.passage(lane, wheels));
        let (yielding, following) = (yielding?, following?);
        for (one, other) in yielding.peaks.iter().zip(following.peaks) {
            let what = format!("{}: {yielding:?}, {following:?}", lane.name());
            assert!((one / other - 1.0).abs() < 0.05, "{what}");
        }
    }
    Ok(())
}
