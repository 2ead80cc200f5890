//! Pictures of a drive without a display.

use anyhow::{Context, Result};
use kiss3d::event::Key;
use kiss3d::window::Window;
use playground::DT;
use snippets::console::say;
use snippets::output_folder::{OutputFolder, REPORT};
use snippets::report::Report;

use crate::app::App;
use crate::picture::Picture;
use crate::window::View;

/// A picture: its file, what is done before, and what is seen.
struct Shot {
    file: &'static str,
    /// Keys that are held, and for how long (s), in turn.
    drive: &'static [(&'static [Key], f64)],
    about: &'static str,
}

const SHOTS: [Shot; 5] = [
    Shot { file: "start.png", drive: &[(&[], 1.0)], about: "at its start" },
    Shot {
        file: "drive.png",
        drive: &[(&[Key::W], 3.0), (&[Key::W, Key::A], 0.9)],
        about: "through a bend at full throttle",
    },
    Shot {
        file: "forces.png",
        drive: &[(&[Key::F, Key::X], 0.1), (&[Key::S, Key::D], 0.4)],
        about: "forces of its tires as it brakes",
    },
    Shot {
        file: "cockpit.png",
        drive: &[(&[Key::C, Key::F], 0.1), (&[Key::W], 1.0)],
        about: "from the driver's seat",
    },
    Shot {
        file: "ghost.png",
        drive: &[(&[Key::C], 0.1), (&[Key::S], 1.0), (&[Key::G], 0.1), (&[Key::S], 0.8)],
        about: "beside Rapier's own controller",
    },
];

/// Names of all files of [`write`].
#[must_use]
pub fn results() -> Vec<&'static str> {
    SHOTS.iter().map(|shot| shot.file).chain([REPORT]).collect()
}

/// Drives, and writes pictures on the way and a report that tells what they show into `folder`.
///
/// # Errors
///
/// If a step fails, or a file cannot be written.
pub async fn write(mut app: App, view: View, folder: &OutputFolder) -> Result<()> {
    let [width, height] = view.size;
    let mut window = Window::new_headless_with_setup(width, height, view.canvas()).await;
    window.set_shadows_enabled(view.is_fine);
    let mut picture = Picture::new(&mut window, &app);
    let title = format!("Pictures of {}", app.session.vehicle().file().name);
    let mut report = Report::new(title, format!("In the world {}.", app.session.setup().world));
    for Shot { file, drive, about } in &SHOTS {
        for (keys, seconds) in *drive {
            hold(&mut app, keys, *seconds)?;
        }
        take(&mut window, &mut picture, &mut app, folder, file).await?;
        let speed = 3.6 * app.session.readings().speed;
        report = report.summary(format!("{file}: {about}"), format_args!("{speed:.1}"), "km/h");
    }
    report.write(folder.path(REPORT))
}

/// Drives with these keys held for a time (s).
fn hold(app: &mut App, keys: &[Key], seconds: f64) -> Result<()> {
    for key in keys {
        app.key(*key, true);
    }
    for _ in 0..(60.0 * seconds) as u32 {
        app.advance(f64::from(DT))?;
    }
    for key in keys {
        app.key(*key, false);
    }
    Ok(())
}

async fn take(
    window: &mut Window,
    picture: &mut Picture,
    app: &mut App,
    folder: &OutputFolder,
    file: &str,
) -> Result<()> {
    // Panels find their sizes in a first frame.
    for _ in 0..2 {
        picture.update(window, app);
        window.render_3d(&mut picture.scene, &mut picture.eye).await;
    }
    let path = folder.path(file);
    let image = window.snap_image();
    image.save(&path).with_context(|| format!("cannot write {}", path.display()))?;
    say(path.display())
}
