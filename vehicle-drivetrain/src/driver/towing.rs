//! A trailer that is pushed backward along a path.

use serde::{Deserialize, Serialize};
use vehicle_core::Frame;
use vehicle_core::error::{Bound, ParamCheck, ParamErrors, Validate};
use vehicle_core::math::{Clamped, Real, Vec3, atan, tan};
use vehicle_core::vehicle::MechanicalParams;

use super::path::Path;
use super::path_driver::{PathDriver, Sight, usable};
use super::view::{DriverView, angle_between};
use crate::inputs::{Direction, DrivingCommands};

/// How far a driver looks along the path for the trailer, by its drawbar (dimensionless).
const LOOKS: Real = 1.2;
/// Heading towards a path that is far aside (rad).
const MOST_APPROACH: Real = 0.5;
/// Largest angle between tractor and trailer that a driver makes (rad): beyond, it folds up.
const MOST_ANGLE: Real = 0.8;
/// How fast an angle that is wrong goes back, by the drawbar (dimensionless): by itself it grows at
/// 1.
const RETURN: Real = 2.5;
/// Speed of the regulated way (m/s): below it, steering is that of this speed.
const LOWEST: Real = 1.0;

/// Where a trailer hangs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Towing {
    /// How far the hitch is behind the middle of the tractor's rear wheels (m), negative if it is
    /// ahead of it, as of a fifth wheel.
    pub overhang: Real,
    /// From the hitch to the middle of the trailer's wheels (m).
    pub drawbar: Real,
    /// How far the middle of the trailer's wheels is behind its center of mass (m).
    pub axle: Real,
}

impl Towing {
    /// A `trailer` whose point `hitches[1]` is on that of its `tractor`, `hitches[0]` (m, body
    /// frames), both of the axes of `frame`.
    ///
    /// # Errors
    ///
    /// All faults of the lengths, such as a hitch that is not ahead of the trailer's wheels.
    pub fn of<A, B>(
        tractor: &MechanicalParams<A>,
        trailer: &MechanicalParams<B>,
        hitches: [Vec3; 2],
        frame: &Frame,
    ) -> Result<Self, ParamErrors> {
        let [front, back] = hitches.map(|point| point.dot(frame.longitudinal()));
        let axle = middle(trailer, frame, |_| true);
        let towing = Self {
            overhang: middle(tractor, frame, |along| along < 0.0) - front,
            drawbar: back - axle,
            axle: -axle,
        };
        towing.validate()?;
        Ok(towing)
    }

    /// Each length with its name, and between which ones it must be (m).
    fn lengths(&self) -> [(&'static str, Real, [Real; 2]); 3] {
        [
            ("overhang", self.overhang, [-20.0, 20.0]),
            ("drawbar", self.drawbar, [0.01, 50.0]),
            ("axle", self.axle, [-50.0, 50.0]),
        ]
    }

    fn is_valid(&self) -> bool {
        self.lengths().iter().all(|(_, length, [low, high])| (low..=high).contains(&length))
    }
}

/// Mean place of those wheels ahead of the center of mass (m) that count.
fn middle<T>(
    mechanics: &MechanicalParams<T>,
    frame: &Frame,
    counts: impl Fn(Real) -> bool,
) -> Real {
    let places = mechanics
        .axles
        .wheels()
        .map(|wheel| mechanics.suspensions[wheel].wheel_mount().dot(frame.longitudinal()))
        .filter(|&along| counts(along));
    let (sum, count) = places.fold((0.0, 0.0), |(sum, count), along| (sum + along, count + 1.0));
    if 0.0 < count { sum / count } else { 0.0 }
}

impl Validate for Towing {
    fn check(&self, check: &mut ParamCheck) {
        for (name, length, [low, high]) in self.lengths() {
            check.number(name, length, Bound::Within(low, high));
        }
    }
}

impl PathDriver {
    /// What the driver of a tractor does for a step of `dt` (s), with its view and that of the
    /// trailer. Forward, the tractor follows the path; backward, the trailer does, pushed by the
    /// tractor.
    ///
    /// The way of the trailer's wheels has the offset `e` and the heading `χ` to the left of the
    /// path, seen the way that it goes. `l` is the drawbar, `h` the overhang and `φ` the angle from
    /// trailer to tractor:
    ///
    /// ```text
    /// κ_t* = κ - 2 e/d² - 2 χ/d,   φ* = -atan(l κ_t*) - atan(h κ_c*)
    /// φ' = κ_c + sin φ/l          unstable by itself
    /// κ_c = κ_c* - (k/l) (φ - φ*)
    /// ```
    ///
    /// A vehicle that is not steered by its wheels drives as if there were no trailer, and so does
    /// one whose `towing` is not [valid](Validate).
    pub fn update_towing(
        &mut self,
        path: &Path,
        view: &DriverView,
        (trailer, towing): (&DriverView, &Towing),
        dt: Real,
    ) -> DrivingCommands {
        let is_backward = self.state.direction == Direction::Reverse && towing.is_valid();
        let Some(handling) = self.model().handling().copied().filter(|_| is_backward) else {
            return self.update(path, view, dt);
        };
        let dt = usable(dt);
        let mut axle = *trailer;
        axle.place = trailer.point(-towing.axle);
        let here = self.find(path, &axle);
        let back = here.direction.map(|it| -it);
        let heading = trailer.heading_error(back);
        let offset = self.state.place.offset;
        let looks = LOOKS * towing.drawbar;
        let approach = (2.0 * offset / looks).clamped(-MOST_APPROACH, MOST_APPROACH);
        let wanted = here.curvature - (approach + 2.0 * heading) / looks;

        let Towing { overhang, drawbar, .. } = *towing;
        let turn = tan(MOST_ANGLE) / drawbar;
        let wanted = wanted.clamped(-turn, turn);
        let radii = 1.0 + (drawbar * drawbar - overhang * overhang) * wanted * wanted;
        let of_tractor = wanted / radii.max(0.1).sqrt();
        let angle = angle_between(trailer.heading, view.heading);
        let wanted_angle = -atan(drawbar * wanted) - atan(overhang * of_tractor);
        let curvature = of_tractor - RETURN / drawbar * (angle - wanted_angle);
        let speed = view.speed.min(-LOWEST);
        let most = tan(handling.lock) / handling.wheel_base;
        let bend = handling.steady_bend(curvature.clamped(-most, most), speed);
        let steer = self.model().through_table(handling.command_of(bend.angle), view.speed);
        let sight = Sight {
            sign: -1.0,
            along: -view.speed,
            offset: -offset,
            heading,
            curvature: here.curvature,
        };
        self.driven(path, &sight, steer, (view, None), dt)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use vehicle_core::blueprint::CarBlueprint;
    use vehicle_core::commands::CommandResponseParams;
    use vehicle_core::math::sin_cos;

    use super::super::figures::DriveFigures;
    use super::super::model::DriverModel;
    use super::*;

    #[test]
    fn a_hitch_behind_the_wheels_of_the_trailer_is_refused_and_pushes_nothing() {
        let (frame, mechanics) = (Frame::Y_UP, CarBlueprint::default().mechanics().expect("a car"));
        let hitches = [-2.0, -5.0].map(|way| frame.translation(way, 0.0, 0.0));
        let error = Towing::of(&mechanics, &mechanics, hitches, &frame).expect_err("no drawbar");
        let text = error.to_string();
        assert!(text.starts_with("drawbar must be within [0.01, 50], got -"), "{text}");
        let drive =
            DriveFigures::direct(&CommandResponseParams::linear(600.0, [1.0; 4]), &mechanics);
        let model = Arc::new(DriverModel::car(&mechanics, drive, 800.0, &frame).expect("a car"));
        let points = [0.0, -20.0, -40.0].map(|way| frame.translation(way, 0.0, 0.0));
        let path = Path::open(&points, &frame).expect("a path").with_speed(1.5).expect("a speed");
        let view = DriverView {
            heading: [1.0, 0.0],
            place: [0.0, 0.5],
            friction: 1.0,
            ..DriverView::default()
        };
        let steer = |towing: Option<Towing>| {
            let mut driver = PathDriver::new(model.clone()).backward();
            let commands = match towing {
                Some(towing) => driver.update_towing(&path, &view, (&view, &towing), 0.02),
                None => driver.update(&path, &view, 0.02),
            };
            commands.commands.steer
        };
        for drawbar in [0.0, -4.0, Real::NAN] {
            let towing = Towing { overhang: 1.0, drawbar, axle: 0.5 };
            assert_eq!(steer(Some(towing)), steer(None), "a drawbar of {drawbar} m");
        }
        let good = Towing { overhang: 1.0, drawbar: 4.0, axle: 0.5 };
        assert_ne!(steer(Some(good)), steer(None));
    }

    #[test]
    fn a_kinematic_trailer_is_pushed_along_a_bend_onto_its_path() {
        let frame = Frame::Y_UP;
        let mechanics = CarBlueprint::default().mechanics().expect("a car");
        let throttle = CommandResponseParams::linear(600.0, [0.0, 0.0, 1.0, 1.0]);
        let drive = DriveFigures::direct(&throttle, &mechanics);
        let model = DriverModel::car(&mechanics, drive, 800.0, &frame).expect("a car");
        let handling = *model.handling().expect("steered by wheels");
        let towing = Towing { overhang: 1.0, drawbar: 4.0, axle: 0.5 };
        // Backward along -x, then to its left, which is -y.
        let places = [[0.0, 0.0], [-10.0, 0.0], [-20.0, 0.0], [-30.0, -4.0], [-36.0, -14.0]];
        let mut points = places.to_vec();
        points.extend([[-38.0, -26.0], [-38.0, -38.0]]);
        let points: Vec<Vec3> = points.iter().map(|&[x, y]| frame.translation(x, y, 0.0)).collect();
        let path = Path::open(&points, &frame).expect("a path").with_speed(1.5).expect("a speed");
        let mut driver = PathDriver::new(Arc::new(model)).backward();

        let dt = 0.02;
        let rear = handling.groups[1].moment / handling.groups[1].stiffness;
        // Trailer wheels 0.3 m beside the path, both headed along +x.
        let (mut axle, mut headings) = ([-1.0, 0.3], [0.0_f32, 0.1]);
        let mut steps = 0;
        while !driver.is_at_end(&path) && steps < 4_000 {
            let unit = headings.map(|angle| {
                let (sine, cosine) = sin_cos(angle);
                [cosine, sine]
            });
            let trailer = DriverView { heading: unit[0], friction: 1.0, ..DriverView::default() };
            let trailer = DriverView { place: axle, ..trailer };
            let trailer = DriverView { place: trailer.point(towing.axle), ..trailer };
            let hitch = [0, 1].map(|axis| axle[axis] + towing.drawbar * unit[0][axis]);
            let tractor = DriverView { place: hitch, heading: unit[1], ..trailer };
            let tractor =
                DriverView { place: tractor.point(towing.overhang - rear), speed: -1.5, ..tractor };
            let commands = driver.update_towing(&path, &tractor, (&trailer, &towing), dt);
            let angle = commands.commands.steer * handling.lock;
            // Kinematics of the rear axle of the tractor, its hitch and the trailer.
            let yaw = -1.5 * tan(angle) / handling.wheel_base;
            let fold = headings[1] - headings[0];
            let (sine, cosine) = sin_cos(fold);
            let aside = -1.5 * sine - towing.overhang * yaw * cosine;
            let along = -1.5 * cosine + towing.overhang * yaw * sine;
            headings[0] += aside / towing.drawbar * dt;
            headings[1] += yaw * dt;
            for (place, direction) in axle.iter_mut().zip(unit[0]) {
                *place += along * direction * dt;
            }
            steps += 1;
            assert!(fold.abs() < 1.2, "it folds up after {steps} steps: {fold} rad");
        }
        let place = driver.state.place;
        assert!(driver.is_at_end(&path), "not there after {steps} steps: {place:?}");
        assert!(place.offset.abs() < 0.15, "{place:?}");
        let back = path.at(place.way).direction.map(|it| -it);
        let (sine, cosine) = sin_cos(headings[0]);
        let heading: Real = angle_between(back, [cosine, sine]);
        assert!(heading.abs() < 0.08, "{heading} rad");
    }
}
