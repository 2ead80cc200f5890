//! Instruments: speed, engine speed, gear, pedals, and what each tire does.

use kiss3d::egui::{
    Align2, Area, Color32, Context, FontId, Frame, Id, Order, ProgressBar, Rect, RichText, Sense,
    TextWrapMode, Ui, Vec2,
};
use playground::{AidSwitch, GearMode, LapTimes, Readings, Session, WheelReading};

use crate::app::App;
use crate::keys::HELP;
use crate::paint;

/// Wheels up to which all is told of each; of more, load and friction in use.
const MOST_IN_FULL: usize = 6;
/// Radians per second as revolutions per minute.
const PER_MINUTE: f32 = 9.549_297;
/// Distance of panels from the edges of the window, and of what is in them from theirs (points).
const MARGIN: f32 = 10.0;
/// Room that a note needs beside the parameters (points): with less, it lies behind them.
const NOTE_ROOM: f32 = 200.0;

fn dark() -> Frame {
    let fill = Color32::from_rgba_unmultiplied(16, 20, 26, 205);
    Frame::new().fill(fill).corner_radius(8.0).inner_margin(MARGIN)
}

/// A panel without a title at a corner or an edge of the window, for the eyes only: in a small
/// window, what can be clicked lies above it.
fn panel(ctx: &Context, name: &str, align: Align2, offset: [f32; 2], add: impl FnOnce(&mut Ui)) {
    let area = Area::new(Id::new(name)).anchor(align, offset);
    area.order(Order::Background).interactable(false).show(ctx, |ui| {
        ui.style_mut().interaction.selectable_labels = false;
        dark().show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            ui.visuals_mut().override_text_color = Some(Color32::from_gray(225));
            add(ui);
        });
    });
}

/// All instruments, the note and the list of keys. Parameters cover what is on the left of `left`
/// (points).
pub(crate) fn show(ctx: &Context, app: &App, left: f32) {
    let session = &app.session;
    panel(ctx, "drive", Align2::RIGHT_BOTTOM, [-MARGIN; 2], |ui| {
        if let Some(times) = session.lap_times() {
            laps(ui, times);
        }
        tires(ui, session);
        driver(ui, session);
        ui.horizontal_wrapped(|ui| lamps(ui, session));
    });
    if !app.note().is_empty() {
        note(ctx, app.note(), left);
    }
    if app.shown.help {
        panel(ctx, "help", Align2::CENTER_CENTER, [0.0; 2], help);
    }
}

/// A note in the middle of what parameters leave free, in as many lines as it needs.
fn note(ctx: &Context, text: &str, left: f32) {
    let width = ctx.content_rect().width();
    let left = if left + NOTE_ROOM <= width { left } else { 0.0 };
    panel(ctx, "note", Align2::CENTER_TOP, [0.5 * left, 4.5 * MARGIN], |ui| {
        ui.set_max_width(width - left - 4.0 * MARGIN);
        ui.style_mut().wrap_mode = Some(TextWrapMode::Wrap);
        ui.label(RichText::new(text).size(15.0));
    });
}

fn driver(ui: &mut Ui, session: &Session) {
    let Readings { speed, engine_speed, gear, controls, accelerations, .. } = session.readings();
    ui.set_width(324.0);
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(format!("{:.0}", 3.6 * speed.abs())).font(FontId::proportional(46.0)),
        );
        ui.label("km/h");
        ui.label(
            RichText::new(gear)
                .font(FontId::proportional(34.0))
                .color(Color32::from_rgb(255, 182, 72)),
        );
        let mode = session.gear_mode();
        ui.label(if mode == GearMode::Manual { "manual" } else { "automatic" });
    });
    if let Some(engine_speed) = engine_speed {
        let most = session.engine_range().map_or(14_000.0, |[_, most]| most * PER_MINUTE);
        let text = format!("{:.0} rpm", engine_speed.abs() / 10.0 * 10.0);
        bar(ui, &text, engine_speed.abs() / most, Color32::from_rgb(200, 130, 40));
    }
    bar(ui, "gas", controls[0], Color32::from_rgb(60, 150, 90));
    bar(ui, "brake", controls[1], Color32::from_rgb(190, 60, 55));
    steering(ui, controls[2], Color32::from_rgb(50, 120, 170));
    let [left, forward] = accelerations.map(|part| fixed(part, 2));
    ui.label(format!("{left:+.2} g left, {forward:+.2} g ahead"));
    if let Some(ghost) = session.ghost_speed() {
        ui.label(format!("ghost {:.0} km/h", 3.6 * ghost.abs()));
    }
}

/// Times of this lap, the last and the best one.
fn laps(ui: &mut Ui, times: &LapTimes) {
    let told = |time: Option<f32>| match time {
        Some(time) => format!("{:.0}:{:06.3}", (time / 60.0).floor(), time % 60.0),
        None => "-:--.---".to_owned(),
    };
    let [last, best] = [times.last, times.best].map(|lap| told(lap.map(|lap| lap.time)));
    ui.label(RichText::new(told(times.current)).size(24.0));
    ui.label(format!("last {last}"));
    ui.label(format!("best {best}"));
    if times.has_missed {
        ui.label("a gate is left out: this lap does not count");
    }
}

/// A lamp for each driver aid: dark if it is off, bright while it acts.
fn lamps(ui: &mut Ui, session: &Session) {
    let (aids, acting) = (session.aids(), session.readings().acting_aids);
    for aid in AidSwitch::ALL {
        let label = RichText::new(aid.label()).size(12.0).strong();
        ui.label(if acting.has(aid) {
            label.color(Color32::BLACK).background_color(Color32::from_rgb(255, 182, 72))
        } else if aids.has(aid) {
            label.color(Color32::from_gray(225))
        } else {
            label.color(Color32::from_gray(110))
        });
    }
}

fn bar(ui: &mut Ui, text: &str, share: f32, color: Color32) {
    ui.add(ProgressBar::new(share).fill(color).corner_radius(2.0).desired_height(15.0).text(text));
}

/// A bar that is filled from its middle to the side to which the wheels are steered.
fn steering(ui: &mut Ui, steer: f32, color: Color32) {
    let size = Vec2::new(ui.available_width(), 15.0);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(area, 2.0, ui.visuals().extreme_bg_color);
    painter.rect_filled(steered(area, steer), 2.0, color);
    let (place, text_color) = (area.left_center() + Vec2::new(4.0, 0.0), ui.visuals().text_color());
    painter.text(place, Align2::LEFT_CENTER, "steer", FontId::proportional(12.5), text_color);
}

/// The part of `area` from its middle to where `steer` is: 1 is its left end, -1 its right one.
fn steered(area: Rect, steer: f32) -> Rect {
    let middle = area.center().x;
    let end = middle - 0.5 * area.width() * steer.clamp(-1.0, 1.0);
    Rect::from_x_y_ranges(middle.min(end)..=middle.max(end), area.y_range())
}

/// A force in newtons, in the unit that shows it.
fn force(newtons: f32) -> String {
    if newtons < 1000.0 {
        format!("{:.0} N", fixed(newtons, 0))
    } else {
        format!("{:.1} kN", newtons / 1000.0)
    }
}

fn tires(ui: &mut Ui, session: &Session) {
    let look = session.look();
    // Front axle first, the left wheel on the left.
    let mut order: Vec<usize> = (0..look.wheels.len()).collect();
    order.sort_by(|&one, &other| {
        let [one, other] = [one, other].map(|wheel| look.wheels[wheel].place);
        let near = 0.8 * look.wheels[0].radius;
        let rows = [one.z, other.z].map(|along| (along / near).round());
        rows[1].total_cmp(&rows[0]).then(other.x.total_cmp(&one.x))
    });
    let is_full = order.len() <= MOST_IN_FULL;
    for pair in order.chunks(2) {
        ui.horizontal(|ui| {
            for &wheel in pair {
                tire(ui, &session.readings().wheels[wheel], is_full);
            }
        });
    }
}

/// A number as `digits` show it, whose zero has no sign.
fn fixed(value: f32, digits: i32) -> f32 {
    let scale = 10_f32.powi(digits);
    (value * scale).round() / scale + 0.0
}

fn tire(ui: &mut Ui, wheel: &WheelReading, is_full: bool) {
    let WheelReading { load, longitudinal_slip, slip_angle, friction_used, .. } = *wheel;
    let slip = fixed((100.0 * longitudinal_slip).clamp(-999.0, 999.0), 0);
    ui.vertical(|ui| {
        ui.set_width(158.0);
        ui.spacing_mut().item_spacing = Vec2::new(4.0, 1.0);
        let degrees = fixed(slip_angle.to_degrees(), 1);
        if is_full {
            ui.label(format!("{}  slip {slip:.0} %", force(load)));
            ui.label(format!("slip angle {degrees:.1}°"));
        }
        let color = paint::friction(friction_used);
        let part = |share: f32| (190.0 * share) as u8;
        let color = Color32::from_rgb(part(color.r), part(color.g), part(color.b));
        let left = (100.0 * (1.0 - friction_used)).max(0.0);
        let text = if is_full {
            format!("grip left {left:.0} %")
        } else {
            format!("{}, grip left {left:.0} %", force(load))
        };
        bar(ui, &text, friction_used.min(1.0), color);
    });
}

fn help(ui: &mut Ui) {
    kiss3d::egui::Grid::new("keys").num_columns(2).spacing([18.0, 5.0]).show(ui, |ui| {
        for (keys, what) in HELP {
            ui.label(RichText::new(keys).strong());
            ui.label(what);
            ui.end_row();
        }
    });
    ui.label(
        "A gamepad drives, too: triggers, left stick, A for the hand brake, bumpers for gears.",
    );
}

#[cfg(test)]
mod tests {
    use kiss3d::egui::RawInput;
    use playground::Setup;

    use super::*;
    use crate::panel::Panel;

    /// Draws some frames of a window of this size (points): panels find their places in the first.
    fn draw(ctx: &Context, app: &mut App, size: [f32; 2]) -> Rect {
        let screen = Rect::from_min_size([0.0; 2].into(), Vec2::from(size));
        let mut panel = Panel::default();
        for _ in 0..4 {
            let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
            let _shapes = ctx.run_ui(input, |ui| {
                let left = panel.show(ui.ctx(), app);
                show(ui.ctx(), app, left);
            });
        }
        screen
    }

    #[test]
    fn steering_is_shown_from_the_middle_and_small_loads_in_newtons() {
        let area = Rect::from_min_max([10.0, 0.0].into(), [110.0, 15.0].into());
        for (steer, from, to) in
            [(0.0, 60.0, 60.0), (1.0, 10.0, 60.0), (-0.5, 60.0, 85.0), (3.0, 10.0, 60.0)]
        {
            let filled = steered(area, steer);
            assert_eq!([filled.left(), filled.right()], [from, to], "{steer}");
        }
        let forces = [-0.2, 5.4, 999.0, 1000.0, 4312.0].map(force);
        assert_eq!(forces, ["0 N", "5 N", "999 N", "1.0 kN", "4.3 kN"]);
    }

    #[test]
    fn notes_are_beside_the_parameters_and_below_the_choosers() {
        let long = "my_car.json: line 8, column 15: mechanics.data_sheet.mass: must be ".repeat(3);
        for (size, has_parameters) in
            [([960.0, 540.0], true), ([960.0, 540.0], false), ([1280.0, 720.0], true)]
        {
            let (ctx, mut app) = (Context::default(), App::new(&Setup::default()).unwrap());
            app.shown.parameters = has_parameters;
            for (text, width) in [(long.as_str(), 400.0..950.0), ("Camera: orbit", 50.0..150.0)] {
                app.say(text);
                let screen = draw(&ctx, &mut app, size);
                let place = |name: &str| ctx.memory(|memory| memory.area_rect(Id::new(name)));
                let note = place("note").unwrap();
                assert!(screen.contains_rect(note), "{size:?}: {note}");
                assert!(width.contains(&note.width()), "{size:?}: {note}, {text}");
                assert_eq!(place("Parameters").is_some(), has_parameters);
                for other in ["Parameters", "Choice", "drive"].map(place).into_iter().flatten() {
                    assert!(!note.intersects(other), "{size:?}: {note} and {other}");
                }
            }
        }
    }
}
