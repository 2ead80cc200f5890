//! The panel of parameters: sliders that act at once, fields for numbers, and why a number was
//! refused.

use std::collections::BTreeMap;

use kiss3d::egui::{
    self, Align2, CollapsingHeader, Color32, ComboBox, Context, Key, Response, RichText,
    ScrollArea, Slider, TextEdit, Ui,
};
use playground::{AidSwitch, Event, Setup};

use crate::app::App;
use crate::choice;
use crate::parameters::Parameter;

/// Width of the panel (points).
const WIDTH: f32 = 330.0;
const FAULT: Color32 = Color32::from_rgb(255, 120, 105);

/// What the panels remember between two frames.
#[derive(Default)]
pub struct Panel {
    /// Parameters whose name or group has this in it are shown.
    filter: String,
    /// The field that is being filled, and its text.
    edited: Option<(usize, String)>,
    /// Where fields are (points): of the filter, and of parameters by group and name.
    places: BTreeMap<String, [f32; 2]>,
}

/// What the driver wants of a parameter.
enum Wish {
    Value(usize, f64),
    Text(usize, String),
    Reset,
    Save,
}

impl Panel {
    /// Where the fields are that were shown last (points).
    pub fn places(&self) -> &BTreeMap<String, [f32; 2]> {
        &self.places
    }

    /// Shows choosers and parameters, and does what the driver wants. Returns where the room on the
    /// right of the parameters begins (points).
    pub fn show(&mut self, ctx: &Context, app: &mut App) -> f32 {
        self.places.clear();
        show_choosers(ctx, app);
        if !app.shown.parameters {
            self.edited = None;
            return 0.0;
        }
        let mut wish = None;
        let height = ctx.content_rect().height();
        let shown = egui::Window::new("Parameters")
            .anchor(Align2::LEFT_TOP, [10.0, 10.0])
            .default_size([WIDTH, height - 40.0])
            .resizable(false)
            .show(ctx, |ui| {
                ui.set_width(WIDTH);
                wish = self.head(ui, app);
                let most = (height - ui.next_widget_position().y - 30.0).max(60.0);
                ScrollArea::vertical().max_height(most).auto_shrink([false, true]).show(ui, |ui| {
                    if let Some(inner) = self.groups(ui, app) {
                        wish = Some(inner);
                    }
                });
            });
        if let Some(wish) = wish {
            self.fulfill(wish, app);
        }
        shown.map_or(0.0, |shown| shown.response.rect.right())
    }

    fn head(&mut self, ui: &mut Ui, app: &App) -> Option<Wish> {
        let mut wish = None;
        ui.horizontal(|ui| {
            let filter = TextEdit::singleline(&mut self.filter).hint_text("find, such as mass");
            let filter = ui.add(filter.desired_width(150.0));
            self.places.insert("filter".to_owned(), center(&filter));
            if ui.add_enabled(app.tuning.is_changed(), egui::Button::new("Reset")).clicked() {
                wish = Some(Wish::Reset);
            }
            if ui
                .button("Save")
                .on_hover_text("As a vehicle file, beside that of the car")
                .clicked()
            {
                wish = Some(Wish::Save);
            }
        });
        if let Some(fault) = app.tuning.fault() {
            ui.label(RichText::new(fault).color(FAULT));
        }
        wish
    }

    fn groups(&mut self, ui: &mut Ui, app: &App) -> Option<Wish> {
        let parameters = app.tuning.parameters();
        let wanted = self.filter.trim().to_lowercase().replace(' ', "_");
        let is_found = |parameter: &Parameter| {
            let words = format!("{} {}", parameter.group, parameter.name).replace(' ', "_");
            words.to_lowercase().contains(&wanted)
        };
        let mut groups: Vec<&str> = Vec::new();
        // What the mechanics are made of comes first, then the drive.
        for is_drive in [false, true] {
            let all = parameters.iter().filter(|each| each.is_of_drive() == is_drive);
            for parameter in all.filter(|each| is_found(each)) {
                if !groups.contains(&parameter.group.as_str()) {
                    groups.push(&parameter.group);
                }
            }
        }
        let mut wish = None;
        for (place, group) in groups.into_iter().enumerate() {
            let is_open = if wanted.is_empty() { None } else { Some(true) };
            let header = CollapsingHeader::new(group).default_open(place == 0).open(is_open);
            header.show(ui, |ui| {
                for (number, parameter) in parameters.iter().enumerate() {
                    if parameter.group == group && is_found(parameter) {
                        wish = self.row(ui, number, parameter).or(wish.take());
                    }
                }
            });
        }
        wish
    }

    fn row(&mut self, ui: &mut Ui, number: usize, parameter: &Parameter) -> Option<Wish> {
        let Parameter { name, doc, unit, bound, range, value, original, .. } = parameter;
        let mut wish = None;
        let label = if unit.is_empty() { name.clone() } else { format!("{name} ({unit})") };
        let label = RichText::new(label);
        let label = if parameter.is_changed() { label.strong() } else { label };
        let [low, high] = range.map(|end| Short(end).to_string());
        let about = format!(
            "{doc}\n\nMust be {bound}.\nThe slider goes from {low} to {high}; the file says {original}."
        );
        ui.label(label).on_hover_text(about);
        ui.horizontal(|ui| {
            let mut turned = *value;
            ui.spacing_mut().slider_width = 200.0;
            let slider = Slider::new(&mut turned, range[0]..=range[1]).show_value(false);
            if ui.add(slider.logarithmic(0.0 < range[0])).changed() {
                wish = Some(Wish::Value(number, turned));
            }
            let mut text = match &self.edited {
                Some((edited, text)) if *edited == number => text.clone(),
                _ => Short(*value).to_string(),
            };
            let field = TextEdit::singleline(&mut text).id_salt(("field", number));
            let field = ui.add(field.desired_width(85.0));
            self.places.insert(format!("{}/{name}", parameter.group), center(&field));
            if field.changed() {
                self.edited = Some((number, text));
            }
            if field.lost_focus() {
                let text = self.edited.take().filter(|(edited, _)| *edited == number);
                let is_left = ui.input(|input| input.key_pressed(Key::Escape));
                wish = text
                    .filter(|_| !is_left)
                    .map(|(_, text)| Wish::Text(number, text))
                    .or(wish.take());
            }
        });
        wish
    }

    fn fulfill(&mut self, wish: Wish, app: &mut App) {
        match wish {
            Wish::Value(number, value) => {
                app.tuning.set(number, value, &mut app.session);
            }
            Wish::Text(number, text) => {
                app.tuning.set_text(number, &text, &mut app.session);
            }
            Wish::Reset => app.tuning.reset(&mut app.session),
            Wish::Save => {
                let name = app.session.setup().vehicle.clone();
                let saved = app.tuning.save(&name, &app.session);
                app.say(match saved {
                    Ok(path) => format!("Saved as {}", path.display()),
                    Err(error) => format!("{error:#}"),
                });
            }
        }
    }
}

/// A number with as many digits as a slider needs.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(value) = *self;
        let size = value.abs();
        if size != 0.0 && !(1e-4..1e9).contains(&size) {
            return write!(f, "{value:e}");
        }
        let digits = if size == 0.0 { 0.0 } else { 5.0 - size.log10().floor() };
        let unit = 10_f64.powf(digits.max(0.0));
        write!(f, "{}", (value * unit).round() / unit)
    }
}

fn center(response: &Response) -> [f32; 2] {
    response.rect.center().into()
}

/// Choosers of vehicle, world and start.
fn show_choosers(ctx: &Context, app: &mut App) {
    let setup = app.session.setup().clone();
    let mut chosen = setup.clone();
    let area = egui::Window::new("Choice").title_bar(false).resizable(false);
    area.anchor(Align2::RIGHT_TOP, [-10.0, 10.0]).show(ctx, |ui| {
        ui.horizontal(|ui| {
            chooser(ui, "vehicle", &mut chosen.vehicle, app.vehicles());
            chooser(ui, "world", &mut chosen.world, &choice::world_names());
            let starts = &app.session.world().starts;
            let names: Vec<_> = starts.iter().map(|start| start.name.as_str()).collect();
            let mut name = names[setup.start].to_owned();
            chooser(ui, "start", &mut name, &names);
            chosen.start = names.iter().position(|each| *each == name).unwrap_or(setup.start);
            ui.menu_button("aids", |ui| aid_switches(ui, app));
        });
    });
    if (&chosen.vehicle, &chosen.world) != (&setup.vehicle, &setup.world) {
        let start = if chosen.world == setup.world { setup.start } else { 0 };
        app.begin(&Setup { start, ..chosen });
    } else if chosen.start != setup.start
        && let Ok(start) = u8::try_from(chosen.start)
    {
        app.session.push_event(Event::Start(start));
    }
}

fn aid_switches(ui: &mut Ui, app: &mut App) {
    for aid in AidSwitch::ALL {
        let mut is_on = app.session.aids().has(aid);
        let text = format!("{}: {}", aid.label(), aid.about());
        if ui.checkbox(&mut is_on, text).changed() {
            app.session.push_event(Event::SwitchAid(aid, is_on));
        }
    }
}

fn chooser<T: AsRef<str>>(ui: &mut Ui, id: &str, chosen: &mut String, names: &[T]) {
    ComboBox::from_id_salt(id).selected_text(chosen.as_str()).show_ui(ui, |ui| {
        for name in names {
            ui.selectable_value(chosen, name.as_ref().to_owned(), name.as_ref());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_must_be() {
        for (value, text) in [
            (0.0, "0"),
            (1400.0, "1400"),
            (0.1 + 0.2, "0.3"),
            (12_345.678_9, "12345.7"),
            (-3.36, "-3.36"),
            (5e-7, "5e-7"),
        ] {
            assert_eq!(Short(value).to_string(), text);
        }
    }
}
