//! Cameras: where the eye is, moved in fixed steps, so that pictures are as smooth as their frames
//! are fast.

use rapier3d::prelude::*;
use vehicle_rapier::core::math::{PI, sin_cos};

/// How far above and ahead of the body's center the chase camera looks, in lengths of the body
/// (dimensionless).
const LOOK: [Real; 2] = [0.16, 0.35];
/// Time in which the chase camera follows the heading (s).
const FOLLOW_TIME: Real = 0.22;
/// Speed from which on the chase camera looks along the motion, not along the car (m/s).
const FOLLOW_SPEED: Real = 3.0;
/// Lowest and highest pitch of the orbit and of the free camera (rad).
const PITCH: [Real; 2] = [-0.45 * PI, 0.49 * PI];
/// Nearest and farthest distance of the eye (m).
const DISTANCE: [Real; 2] = [0.5, 80.0];

/// From where the driver looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// From behind, following.
    #[default]
    Chase,
    /// From the driver's seat.
    Cockpit,
    /// From around the car, turned by hand.
    Orbit,
    /// From anywhere, flown by hand.
    Free,
}

/// Where the eye is, and where it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraPose {
    /// The eye (m).
    pub eye: Vector,
    /// The point that it looks at (m).
    pub target: Vector,
    /// Up (unit vector).
    pub up: Vector,
}

impl CameraPose {
    /// A part `share` in [0, 1] of the way to `other`.
    fn lerp(&self, other: &Self, share: Real) -> Self {
        Self {
            eye: self.eye.lerp(other.eye, share),
            target: self.target.lerp(other.target, share),
            up: self.up.lerp(other.up, share).normalize_or(Vector::Y),
        }
    }
}

/// A camera at the last two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    mode: CameraMode,
    /// Direction in which the chase camera looks (unit vector, level).
    heading: Vector,
    yaw: Real,
    pitch: Real,
    distance: Real,
    /// Eye of the free camera (m).
    free: Vector,
    poses: [CameraPose; 2],
}

/// What the camera sees of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Subject {
    /// Pose of the body (m).
    pub(crate) pose: Pose,
    /// Velocity of the body (m/s).
    pub(crate) velocity: Vector,
    /// Length and height of the body (m).
    pub(crate) size: [Real; 2],
}

impl Camera {
    pub(crate) fn new(subject: &Subject) -> Self {
        let mut camera = Self {
            mode: CameraMode::Chase,
            heading: level(subject.pose.rotation * Vector::Z).unwrap_or(Vector::Z),
            yaw: 0.6,
            pitch: 0.3,
            distance: 1.0,
            free: Vector::ZERO,
            poses: [CameraPose::default(); 2],
        };
        camera.cut(subject);
        camera
    }

    pub(crate) fn mode(&self) -> CameraMode {
        self.mode
    }

    pub(crate) fn set_mode(&mut self, mode: CameraMode, subject: &Subject) {
        if mode == CameraMode::Free {
            self.free = self.poses[1].eye;
            let ahead = (self.poses[1].target - self.free).normalize_or(Vector::Z);
            (self.yaw, self.pitch) = (ahead.x.atan2(ahead.z), -ahead.y.clamp(-1.0, 1.0).asin());
        } else if mode == CameraMode::Orbit {
            self.pitch = 0.3;
        }
        self.mode = mode;
        self.cut(subject);
    }

    /// Jumps to where it is to be, without following.
    pub(crate) fn cut(&mut self, subject: &Subject) {
        self.heading = level(subject.pose.rotation * Vector::Z).unwrap_or(self.heading);
        let pose = self.pose(subject);
        self.poses = [pose; 2];
    }

    /// Turns by hand (rad), and changes the distance by a factor.
    pub(crate) fn turn(&mut self, yaw: Real, pitch: Real, zoom: Real) {
        self.yaw = (self.yaw + yaw).rem_euclid(2.0 * PI);
        self.pitch = (self.pitch + pitch).clamp(PITCH[0], PITCH[1]);
        self.distance = (self.distance * zoom).clamp(0.3, 8.0);
    }

    /// Flies the free camera: forward, to the left and up (m).
    pub(crate) fn fly(&mut self, [forward, left, up]: [Real; 3]) {
        let ahead = self.direction();
        let aside = Vector::Y.cross(ahead).normalize_or(Vector::X);
        self.free += ahead * forward + aside * left + Vector::Y * up;
    }

    /// Follows for a step of `dt` (s).
    pub(crate) fn advance(&mut self, subject: &Subject, dt: Real) {
        let aim = self.aim(subject);
        let share = dt / (FOLLOW_TIME + dt);
        self.heading = level(self.heading.lerp(aim, share)).unwrap_or(aim);
        self.poses = [self.poses[1], self.pose(subject)];
    }

    pub(crate) fn at(&self, share: Real) -> CameraPose {
        self.poses[0].lerp(&self.poses[1], share)
    }

    /// Direction in which the chase camera wants to look: along the motion, in reverse along the
    /// car.
    fn aim(&self, subject: &Subject) -> Vector {
        let nose = level(subject.pose.rotation * Vector::Z).unwrap_or(self.heading);
        let motion = level(subject.velocity).unwrap_or(nose);
        let speed = subject.velocity.dot(nose);
        let share = (0.5 * (speed / FOLLOW_SPEED - 1.0)).clamp(0.0, 0.5);
        level(nose.lerp(motion, share)).unwrap_or(nose)
    }

    /// Where the orbit and the free camera look (unit vector).
    fn direction(&self) -> Vector {
        let ((sine, cosine), (rise, flat)) = (sin_cos(self.yaw), sin_cos(self.pitch));
        Vector::new(sine * flat, -rise, cosine * flat)
    }

    fn pose(&self, subject: &Subject) -> CameraPose {
        let [length, height] = subject.size;
        let place = subject.pose.translation;
        let near = |distance: Real| (distance * self.distance).clamp(DISTANCE[0], DISTANCE[1]);
        match self.mode {
            CameraMode::Chase => {
                let target = place + (Vector::Y * LOOK[0] + self.heading * LOOK[1]) * length;
                let back = near(1.5 * length + 0.4);
                let eye = place - self.heading * back + Vector::Y * (0.27 * back + 0.5 * height);
                CameraPose { eye, target, up: Vector::Y }
            }
            CameraMode::Cockpit => {
                let seat = Vector::new(0.085 * length, 0.38 * height, -0.04 * length);
                let eye = subject.pose.transform_point(seat);
                let ahead = subject.pose.rotation * Vector::new(0.0, -0.06, 1.0);
                CameraPose {
                    eye,
                    target: eye + ahead * 10.0,
                    up: subject.pose.rotation * Vector::Y,
                }
            }
            CameraMode::Orbit => {
                let target = place + Vector::Y * (0.07 * length);
                let eye = target - self.direction() * near(1.5 * length);
                CameraPose { eye, target, up: Vector::Y }
            }
            CameraMode::Free => CameraPose {
                eye: self.free,
                target: self.free + self.direction() * 10.0,
                up: Vector::Y,
            },
        }
    }
}

/// The level direction of a vector; `None` if it has none.
fn level(direction: Vector) -> Option<Vector> {
    let flat = Vector::new(direction.x, 0.0, direction.z);
    (1e-3 < flat.length()).then(|| flat.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(pose: Pose, velocity: Vector) -> Subject {
        Subject { pose, velocity, size: [4.2, 1.1] }
    }

    fn follow(camera: &mut Camera, subject: &Subject, seconds: Real, rate: u32) {
        for _ in 0..(seconds * rate as Real) as u32 {
            camera.advance(subject, 1.0 / rate as Real);
        }
    }

    #[test]
    fn the_chase_camera_is_behind_and_above_the_car() {
        let turned = Pose::from_rotation(Rotation::from_rotation_y(0.5 * PI));
        let car = subject(turned, Vector::X * 10.0);
        let mut camera = Camera::new(&subject(Pose::IDENTITY, Vector::ZERO));
        follow(&mut camera, &car, 3.0, 60);
        let CameraPose { eye, target, .. } = camera.at(1.0);
        assert!(eye.x < -4.0 && 1.0 < eye.y && eye.z.abs() < 0.1, "{eye}");
        assert!(0.0 < target.x, "{target}");
    }

    #[test]
    fn the_cockpit_tilts_with_the_car() {
        let tilted = Pose::from_rotation(Rotation::from_rotation_z(0.2));
        let mut camera = Camera::new(&subject(tilted, Vector::ZERO));
        camera.set_mode(CameraMode::Cockpit, &subject(tilted, Vector::ZERO));
        let up = camera.at(1.0).up;
        assert!((up.angle_between(tilted.rotation * Vector::Y)).abs() < 1e-3, "{up}");
    }

    #[test]
    fn the_free_camera_stays_where_the_eye_was_and_flies_where_it_looks() {
        let car = subject(Pose::IDENTITY, Vector::ZERO);
        let mut camera = Camera::new(&car);
        let before = camera.at(1.0);
        camera.set_mode(CameraMode::Free, &car);
        let CameraPose { eye, target, .. } = camera.at(1.0);
        let (ahead, ahead_before) = (target - eye, before.target - before.eye);
        assert!(eye.distance(before.eye) < 1e-4, "{eye}, {}", before.eye);
        assert!(ahead.angle_between(ahead_before) < 1e-2, "{ahead}, {ahead_before}");
        camera.fly([2.0, 0.0, 0.0]);
        camera.advance(&car, 1.0 / 60.0);
        let moved = camera.at(1.0).eye - eye;
        assert!(
            (moved.length() - 2.0).abs() < 1e-3 && moved.angle_between(ahead) < 1e-2,
            "{moved}"
        );
    }

    #[test]
    fn between_two_steps_the_eye_is_in_between() {
        let mut camera = Camera::new(&subject(Pose::IDENTITY, Vector::ZERO));
        let moved = Pose::from_translation(Vector::Z);
        camera.advance(&subject(moved, Vector::Z * 60.0), 1.0 / 60.0);
        let [before, half, after] = [0.0, 0.5, 1.0].map(|share| camera.at(share).eye.z);
        assert!((half - 0.5 * (before + after)).abs() < 1e-4 && before < after, "{before} {after}");
    }
}
