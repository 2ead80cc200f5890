//! The picture: a drive as nodes of a scene, and the eye that looks at it.

use kiss3d::camera::FirstPersonCamera3d;
use kiss3d::glamx::Vec3;
use kiss3d::scene::SceneNode3d;
use kiss3d::window::Window;
use playground::CameraMode;

use crate::app::App;
use crate::car::{Car, Finish};
use crate::forces;
use crate::instruments;
use crate::panel::Panel;
use crate::scenery::{self, Scenery};

/// Nearest and farthest point that is seen (m).
const DEPTHS: [f32; 2] = [0.1, 1_600.0];
/// Angle of view at rest, and with speed (degrees), and the gain between the two (degrees per m/s).
const VIEW: [f32; 3] = [52.0, 68.0, 0.25];

/// Brake pedal from which on the lamps are lit (dimensionless).
const BRAKING: f32 = 0.02;

/// What is drawn.
pub struct Picture {
    /// The scene.
    pub scene: SceneNode3d,
    /// The eye.
    pub eye: FirstPersonCamera3d,
    /// The panels in front of it.
    pub panel: Panel,
    scenery: Scenery,
    car: Car,
    trailer: Option<Car>,
    ghost: Option<Car>,
    /// The scene that is drawn, and whether with forces.
    drawn: (u64, bool),
}

impl Picture {
    /// The picture of `app` in `window`.
    pub fn new(window: &mut Window, app: &App) -> Self {
        let mut scene = SceneNode3d::empty();
        scenery::light(window, &mut scene);
        let scenery = Scenery::new(&mut scene, &app.session);
        let car = driven(&mut scene, app);
        let trailer = pulled(&mut scene, app);
        let (eye, panel) = (eye(app), Panel::default());
        let drawn = (app.scene(), app.shown.forces);
        Self { scene, eye, panel, scenery, car, trailer, ghost: None, drawn }
    }

    /// Puts everything where it is now, with the panels in front.
    pub fn update(&mut self, window: &mut Window, app: &mut App) {
        window.draw_ui(|ctx| {
            let left = self.panel.show(ctx, app);
            instruments::show(ctx, app, left);
        });
        self.rebuild(app);
        let session = &app.session;
        let share = session.share();
        self.scenery.update(session);
        // From the driver's seat, nothing of the car is seen.
        let is_seen = session.camera_mode() != CameraMode::Cockpit;
        let body = Some(session.body_pose(share)).filter(|_| is_seen);
        self.car.place(body, |wheel| session.wheel_pose(wheel, share));
        let is_braking = BRAKING < session.readings().controls[1];
        for car in std::iter::once(&mut self.car).chain(&mut self.trailer) {
            car.light(is_braking);
        }
        if let Some(trailer) = &mut self.trailer {
            let wheel = |wheel| session.trailer_wheel_pose(wheel, share);
            trailer.place(session.trailer_pose(share), wheel);
        }
        if let Some(ghost) = &mut self.ghost {
            let wheel = |wheel| session.ghost_wheel_pose(wheel, share);
            ghost.place(session.ghost_pose(share), wheel);
        }
        if app.shown.forces {
            for (from, to, color, width) in forces::lines(session) {
                window.draw_line(from, to, color, width, false);
            }
        }
        self.eye = eye(app);
    }

    /// Makes nodes anew where the drive is another, or the car looks otherwise.
    fn rebuild(&mut self, app: &App) {
        let session = &app.session;
        let drawn = (app.scene(), app.shown.forces);
        let before = std::mem::replace(&mut self.drawn, drawn);
        if before.0 != drawn.0 {
            let scenery = Scenery::new(&mut self.scene, session);
            std::mem::replace(&mut self.scenery, scenery).remove();
        }
        let look = session.look();
        let is_other = self.car.look() != look;
        if is_other || before != drawn {
            let car = driven(&mut self.scene, app);
            std::mem::replace(&mut self.car, car).remove();
            let trailer = pulled(&mut self.scene, app);
            if let Some(before) = std::mem::replace(&mut self.trailer, trailer) {
                before.remove();
            }
        }
        if (self.ghost.is_some() && is_other) || self.ghost.is_some() != session.has_ghost() {
            if let Some(ghost) = self.ghost.take() {
                ghost.remove();
            }
            let new = || Car::new(&mut self.scene, look.clone(), Finish::Ghost);
            self.ghost = session.has_ghost().then(new);
        }
    }
}

/// The car that is driven: one can look through it at its forces.
fn driven(scene: &mut SceneNode3d, app: &App) -> Car {
    let finish = if app.shown.forces { Finish::Glass } else { Finish::Solid };
    Car::new(scene, app.session.look().clone(), finish)
}

/// The trailer that it pulls.
fn pulled(scene: &mut SceneNode3d, app: &App) -> Option<Car> {
    let look = app.session.trailer_look()?;
    Some(Car::new(scene, look.clone(), Finish::Solid))
}

/// The eye of the drive's camera.
fn eye(app: &App) -> FirstPersonCamera3d {
    let session = &app.session;
    let camera = session.camera(session.share());
    let [rest, most, gain] = VIEW;
    let angle = (rest + gain * session.readings().speed.abs()).min(most).to_radians();
    let [near, far] = DEPTHS;
    let mut eye =
        FirstPersonCamera3d::new_with_frustum(angle, near, far, camera.eye, camera.target);
    if camera.up.distance(Vec3::Y) > 1e-4 {
        eye.set_up_axis(camera.up);
    }
    // It is moved by the drive alone.
    eye.unbind_movement_keys();
    eye.rebind_rotate_button(None);
    eye.rebind_drag_button(None);
    eye.set_move_step(0.0);
    eye
}
