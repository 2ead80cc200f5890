//! The window as a driver has it: on a display, with keys and a mouse. Needs Xvfb and xdotool.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::Value;

/// Frames after which the window closes by itself.
const FRAMES: u64 = 300;
/// Gravity (m/s²).
const GRAVITY: f64 = 9.81;

/// A process that does not outlive its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _waited = self.0.wait();
    }
}

/// A display without a screen, and its name.
fn display() -> (Process, String) {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb is installed");
    let mut number = String::new();
    let output = server.stdout.take().expect("piped");
    BufReader::new(output).read_line(&mut number).expect("the number of the display");
    (Process(server), format!(":{}", number.trim()))
}

/// A window on a display, and what it tells.
struct Driven {
    display: String,
    requests: ChildStdin,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    now: Value,
    viewer: Process,
    _server: Process,
}

impl Driven {
    fn new(options: &[&str]) -> Self {
        let (server, display) = display();
        let mut viewer = Command::new(env!("CARGO_BIN_EXE_viewer"))
            .args(["--plain", "--size", "400x320", "--tell", "--frames", &FRAMES.to_string()])
            .args(options)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the viewer runs");
        let requests = viewer.stdin.take().expect("piped");
        let lines = BufReader::new(viewer.stdout.take().expect("piped")).lines();
        let now = Value::Null;
        Self { display, requests, lines, now, viewer: Process(viewer), _server: server }
    }

    /// The next frame; `None` when the window has closed.
    fn next(&mut self) -> Option<&Value> {
        // The window may have closed already: then it tells nothing more.
        let _sent = self.requests.write_all(b"\n");
        let line = self.lines.next()?.expect("a line");
        self.now = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Some(&self.now)
    }

    /// Waits for a frame of which that is so.
    fn wait(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) {
        loop {
            let Some(frame) = self.next() else {
                panic!("until the window closed, not {what}: {}", self.now);
            };
            if is_so(frame) {
                return;
            }
        }
    }

    fn do_it(&self, arguments: &[&str]) {
        let tool = Command::new("xdotool").args(arguments).env("DISPLAY", &self.display).output();
        let output = tool.expect("xdotool is installed");
        assert!(output.status.success(), "xdotool {arguments:?}: {output:?}");
    }

    /// Clicks at the field of this name, and beside it by `across` (points).
    fn click(&mut self, name: &str, across: f64) {
        let mut place = Value::Null;
        // Panels come to rest.
        loop {
            self.wait(name, |frame| frame["places"].get(name).is_some());
            let now = self.now["places"][name].clone();
            if std::mem::replace(&mut place, now) == self.now["places"][name] {
                break;
            }
        }
        let [x, y] = [0, 1].map(|axis| place[axis].as_f64().expect("a number"));
        let [x, y] = [x + across, y].map(|part| format!("{part:.0}"));
        self.do_it(&["mousemove", &x, &y]);
        self.next();
        for action in ["mousedown", "mouseup"] {
            self.next();
            self.do_it(&[action, "1"]);
            self.next();
            self.next();
        }
    }

    /// Fills the field of this name.
    fn fill(&mut self, name: &str, text: &str) {
        self.click(name, 0.0);
        for keys in [["keydown", "ctrl"], ["key", "a"], ["keyup", "ctrl"]] {
            self.do_it(&keys);
            self.next();
            self.next();
        }
        self.do_it(&["type", "--", text]);
        self.next();
        self.do_it(&["key", "Return"]);
        self.next();
        self.next();
    }
}

fn number(frame: &Value, name: &str) -> f64 {
    frame[name].as_f64().unwrap_or(f64::NAN)
}

#[test]
fn keys_drive_and_sliders_change_the_car() {
    let mut window = Driven::new(&["--world", "soft_ground"]);
    window.wait("a few frames", |frame| 5.0 <= number(frame, "frame"));
    window.do_it(&["search", "--sync", "--name", "^Drive$", "windowfocus"]);

    window.do_it(&["keydown", "w"]);
    window.wait("fast", |frame| 1.0 < number(frame, "speed"));
    window.do_it(&["keydown", "a"]);
    window.wait("turned to the left", |frame| 0.03 < number(frame, "heading"));
    window.do_it(&["keyup", "a", "keyup", "w", "keydown", "s"]);
    window.wait("slow", |frame| number(frame, "speed") < 0.5);
    window.do_it(&["keyup", "s"]);

    let weight = |frame: &Value| number(frame, "load") / GRAVITY;
    window.fill("filter", "mass");
    window.fill("data sheet/mass", "2800");
    window.wait("as heavy as typed", |frame| number(frame, "mass") == 2800.0);
    window.wait("on its springs", |frame| (weight(frame) / 2800.0 - 1.0).abs() < 0.05);
    // The slider is on the left of its field.
    window.click("data sheet/mass", -75.0);
    window.wait("heavier by the slider", |frame| 2800.0 < number(frame, "mass"));
    let mass = number(&window.now, "mass");

    window.fill("data sheet/mass", "-5");
    window.wait("refused", |frame| {
        let fault = frame["fault"].as_str().unwrap_or_default();
        fault == "mechanics.data_sheet.mass: must be positive and finite, got -5"
    });
    assert_eq!(number(&window.now, "mass"), mass);

    window.do_it(&["key", "g"]);
    window.wait("beside a ghost", |frame| frame["has_ghost"] == true);
    window.do_it(&["key", "c"]);
    window.wait("in the cockpit", |frame| frame["camera"] == "Cockpit");
    while window.next().is_some() {}
    assert_eq!(number(&window.now, "frame"), FRAMES as f64);
    let status = window.viewer.0.wait().expect("an end");
    assert!(status.success(), "{status}");
}
