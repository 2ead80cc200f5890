//! The window: events in, pictures out.

use std::time::Instant;

use anyhow::Result;
use kiss3d::event::{Action, Key, MouseButton, WindowEvent};
use kiss3d::window::{CanvasSetup, NumSamples, Window};
use playground::DT;
use serde_json::json;
use snippets::console::say;

use crate::app::App;
use crate::pad::Pads;
use crate::picture::Picture;

/// How a drive is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width and height (pixels).
    pub size: [u32; 2],
    /// Whether edges are smooth and there are shadows.
    pub is_fine: bool,
    /// Number of frames after which the window closes, each a sixtieth of a second, however long it
    /// takes.
    pub frames: Option<u64>,
    /// Whether each frame waits for a line on the standard input and is told on the standard
    /// output, for programs that drive. However slow the machine, each sees what it has done.
    pub is_told: bool,
}

impl View {
    /// What a canvas needs to know.
    pub(crate) fn canvas(&self) -> CanvasSetup {
        let samples = if self.is_fine { NumSamples::Four } else { NumSamples::One };
        CanvasSetup { samples, ..CanvasSetup::default() }
    }
}

/// Shows a drive in a window until that is closed.
///
/// # Errors
///
/// If a step fails.
pub async fn run(mut app: App, view: View) -> Result<()> {
    let [width, height] = view.size;
    let mut window = Window::new_with_setup("Drive", width, height, view.canvas()).await;
    window.set_shadows_enabled(view.is_fine);
    let mut picture = Picture::new(&mut window, &app);
    let mut pads = Pads::new();
    let mut mouse = None;
    let mut last = Instant::now();
    let mut frame = 0;
    let mut requests = std::io::stdin().lines();
    while !view.is_told || requests.next().transpose()?.is_some() {
        if !window.render_3d(&mut picture.scene, &mut picture.eye).await {
            break;
        }
        frame += 1;
        for mut event in window.events().iter() {
            // A key with Control writes no letter.
            event.inhibited = is_letter_of_shortcut(&window, event.value);
            handle(&mut app, &window, &mut mouse, event.value);
        }
        pads.update(&mut app);
        let elapsed = last.elapsed().as_secs_f64();
        last = Instant::now();
        app.advance(if view.frames.is_some() { f64::from(DT) } else { elapsed })?;
        picture.update(&mut window, &mut app);
        if view.is_told {
            tell(&app, &picture, frame)?;
        }
        if view.frames.is_some_and(|frames| frames <= frame) {
            break;
        }
    }
    Ok(())
}

fn is_letter_of_shortcut(window: &Window, event: WindowEvent) -> bool {
    let is_letter = matches!(event, WindowEvent::Char(_) | WindowEvent::CharModifiers(..));
    let is_held = |key| window.get_key(key) == Action::Press;
    is_letter && [Key::LControl, Key::RControl].into_iter().any(is_held)
}

/// Hands an event to the drive, unless a panel takes it.
fn handle(app: &mut App, window: &Window, mouse: &mut Option<[f32; 2]>, event: WindowEvent) {
    match event {
        WindowEvent::Key(key, Action::Release, _) => app.key(key, false),
        WindowEvent::Key(key, Action::Press, _) if !window.is_egui_capturing_keyboard() => {
            app.key(key, true);
        }
        WindowEvent::CursorPos(across, down, _) => {
            let now = [across as f32, down as f32];
            let is_dragging = window.get_mouse_button(MouseButton::Button1) == Action::Press;
            if let Some(before) = mouse.replace(now)
                && is_dragging
                && !window.is_egui_capturing_mouse()
            {
                app.drag([now[0] - before[0], now[1] - before[1]]);
            }
        }
        WindowEvent::Scroll(_, by, _) if !window.is_egui_capturing_mouse() => app.scroll(by as f32),
        WindowEvent::Focus(false) => app.release_keys(),
        _ => {}
    }
}

/// Tells what a frame shows, as a line of JSON.
fn tell(app: &App, picture: &Picture, frame: u64) -> Result<()> {
    let session = &app.session;
    let readings = session.readings();
    let pose = session.body_pose(session.share());
    let ahead = pose.rotation * kiss3d::glamx::Vec3::Z;
    let load: f32 = readings.wheels.iter().map(|wheel| wheel.load).sum();
    let line = json!({
        "frame": frame,
        "steps": session.steps(),
        "speed": readings.speed,
        "place": pose.translation.to_array(),
        "heading": ahead.x.atan2(ahead.z),
        "load": load,
        "camera": format!("{:?}", session.camera_mode()),
        "has_ghost": session.has_ghost(),
        "vehicle": session.setup().vehicle,
        "world": session.setup().world,
        "mass": session.car().mechanics().params.rigid_body.mass,
        "fault": app.tuning.fault(),
        "note": app.note(),
        "places": picture.panel.places(),
    });
    say(line)
}
