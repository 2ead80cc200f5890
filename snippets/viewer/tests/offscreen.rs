//! Pictures without a display, and what the program says of wrong options.

use std::path::Path;
use std::process::{Command, Output};

use image::{Rgb, RgbImage};

/// Runs the program without a display.
fn viewer(options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_viewer"))
        .args(options)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the viewer runs")
}

fn refused(options: &[&str]) -> String {
    let output = viewer(options);
    assert!(!output.status.success(), "{options:?}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn picture(folder: &Path, name: &str) -> RgbImage {
    image::open(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}")).to_rgb8()
}

/// The share of a part of the picture, in shares of its width and height, whose pixels are so.
fn share(
    image: &RgbImage,
    [left, top, right, bottom]: [f32; 4],
    is_so: fn([f32; 3]) -> bool,
) -> f32 {
    let (width, height) = image.dimensions();
    let inside = |x: u32, y: u32| {
        let (x, y) = (x as f32 / width as f32, y as f32 / height as f32);
        left <= x && x < right && top <= y && y < bottom
    };
    let pixels = image.enumerate_pixels().filter(|(x, y, _)| inside(*x, *y));
    let colors: Vec<_> =
        pixels.map(|(_, _, Rgb(color))| color.map(|part| f32::from(part) / 255.0)).collect();
    colors.iter().filter(|color| is_so(**color)).count() as f32 / colors.len() as f32
}

fn is_sky([red, green, blue]: [f32; 3]) -> bool {
    0.6 < blue && red < green && green < blue
}

fn is_gray([red, green, blue]: [f32; 3]) -> bool {
    (red - green).abs() < 0.08 && (green - blue).abs() < 0.08 && (0.1..0.9).contains(&green)
}

fn is_red([red, green, blue]: [f32; 3]) -> bool {
    0.3 < red && 2.0 * green < red && 2.0 * blue < red
}

fn is_green([red, green, blue]: [f32; 3]) -> bool {
    0.4 < green && 1.4 * red < green && 1.3 * blue < green
}

fn is_blue([red, green, blue]: [f32; 3]) -> bool {
    0.3 < blue && 1.8 * red < blue && green < blue
}

#[test]
fn pictures_show_the_car_on_the_ground_below_the_sky() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let output = viewer(&["--offscreen", path, "--size", "1280x720"]);
    assert!(output.status.success(), "{output:?}");
    let picture = |name: &str| picture(folder.path(), name);
    // What no panel covers.
    let (sky, ground, middle) =
        ([0.3, 0.13, 0.68, 0.17], [0.3, 0.4, 0.7, 1.0], [0.44, 0.55, 0.6, 0.8]);
    for name in ["start.png", "drive.png", "forces.png", "cockpit.png", "ghost.png"] {
        let image = picture(name);
        assert_eq!(image.dimensions(), (1280, 720), "{name}");
        let part = share(&image, sky, is_sky);
        assert!(0.9 < part, "{name}: {part} of the sky");
    }
    let start = picture("start.png");
    assert!(0.3 < share(&start, ground, is_gray), "{}", share(&start, ground, is_gray));
    assert!(0.3 < share(&start, middle, is_red), "{}", share(&start, middle, is_red));
    // Nothing of the car is seen from its seat.
    let seat = picture("cockpit.png");
    assert!(share(&seat, middle, is_red) < 0.01, "{}", share(&seat, middle, is_red));
    assert!(0.8 < share(&seat, ground, is_gray), "{}", share(&seat, ground, is_gray));
    // Loads are green, ghosts are blue.
    let whole = [0.3, 0.3, 0.7, 1.0];
    let forces = picture("forces.png");
    assert!(0.0005 < share(&forces, whole, is_green), "{}", share(&forces, whole, is_green));
    assert_eq!(share(&start, whole, is_green), 0.0);
    let ghost = picture("ghost.png");
    assert!(0.02 < share(&ghost, whole, is_blue), "{}", share(&ghost, whole, is_blue));
    assert!(share(&start, whole, is_blue) < 0.002, "{}", share(&start, whole, is_blue));
}

#[test]
fn files_from_elsewhere_are_replaced_by_force_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drive.png");
    std::fs::write(&file, "mine").unwrap();
    let path = folder.path().to_str().unwrap();
    let error = refused(&["--offscreen", path]);
    assert!(error.contains(file.to_str().unwrap()) && error.contains("--force"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let small = ["--offscreen", path, "--size", "64x64", "--plain", "--world", "ship"];
    let forced = viewer(&[small.as_slice(), &["--force"]].concat());
    assert!(forced.status.success(), "{forced:?}");
    let again = viewer(&small);
    assert!(again.status.success(), "{again:?}");
}

#[test]
fn wrong_options_are_refused_before_a_window_opens() {
    for (options, said) in [
        (["--vehicle", "hothatch"], "did you mean \"hot_hatch\"?"),
        (["--vehicle", "missing.json"], "missing.json"),
        (["--world", "provin_ground"], "did you mean \"proving_ground\"?"),
        (["--start", "99"], "(`start`) must be below "),
        (["--size", "12x40000"], "must be within [64, 8192]"),
        (["--world", "ship"], "there is no display: --offscreen DIR"),
    ] {
        let error = refused(&options);
        assert!(error.contains(said), "{options:?}: {error}");
    }
}

#[test]
fn vehicles_and_worlds_are_listed() {
    let output = viewer(&["--list"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for name in ["hot_hatch", "semi_tractor", "proving_ground", "crowd"] {
        assert!(text.contains(name), "{text}");
    }
}
