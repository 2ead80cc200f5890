//! Pieces that shapes are made of, in the numbers of their shape: thousandths, of two bytes each,
//! since a browser loads them.

/// What a part of a vehicle is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Painted in the color of the vehicle.
    Body,
    /// The second color: tarpaulins, seats, clothes.
    Load,
    /// Windows.
    Glass,
    /// Rubber, frames, whatever is in the dark.
    Dark,
    /// Bare metal.
    Metal,
    /// Headlamps.
    Head,
    /// Lamps that are bright while it brakes.
    Brake,
    /// Lamps that are bright while it goes back, and plates.
    Back,
}

impl Paint {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Body,
        Self::Load,
        Self::Glass,
        Self::Dark,
        Self::Metal,
        Self::Head,
        Self::Brake,
        Self::Back,
    ];
}

/// A thousandth of what a [`Measure`] says.
pub(super) type Milli = i16;

/// A point of a side view: along and up.
pub(super) type Point = [Milli; 2];

/// The side view of a piece, or a rod.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// Corners, from the tail over the top to the nose.
    View(&'static [Point]),
    /// Corners of a side view with arches for wheels in its lower edge.
    Hull(&'static [Point]),
    /// From and to along, from and to up.
    Slab([Milli; 2], [Milli; 2]),
    /// A disc around a center.
    Disc(Point, Milli),
    /// A sheet of this thickness below a line.
    Strip(&'static [Point], Milli),
    /// A track around all wheels of a side, with the wheels at its ends that are off the ground.
    Track,
    /// A rod with round ends: ends (across, up, along) and radius.
    Rod([Milli; 3], [Milli; 3], Milli),
}

/// A piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) paint: Paint,
    pub(super) form: Form,
    /// Its middle across.
    pub(super) across: Milli,
    /// Half of its width at its lowest and at its highest point.
    pub(super) half: [Milli; 2],
    /// Whether there is another one on the other side.
    pub(super) is_pair: bool,
}

/// A piece in the middle, which is half as wide as `half` at its lowest and its highest point.
pub(super) const fn mid(paint: Paint, form: Form, half: [Milli; 2]) -> Piece {
    Piece { paint, form, across: 0, half, is_pair: false }
}

/// A piece on each side.
pub(super) const fn pair(paint: Paint, form: Form, across: Milli, half: Milli) -> Piece {
    Piece { paint, form, across, half: [half; 2], is_pair: true }
}

/// A rod.
pub(super) const fn rod(paint: Paint, from: [Milli; 3], to: [Milli; 3], radius: Milli) -> Piece {
    Piece { paint, form: Form::Rod(from, to, radius), across: 0, half: [0; 2], is_pair: false }
}

/// A rod on each side.
pub(super) const fn rods(paint: Paint, from: [Milli; 3], to: [Milli; 3], radius: Milli) -> Piece {
    Piece { is_pair: true, ..rod(paint, from, to, radius) }
}

/// What the numbers of a shape mean.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    /// Along in lengths of the body from its middle, up from 0 below its floor to 1000 at its top,
    /// across in half widths.
    Body,
    /// Millimeters, along from the middle of the outer axles and up from the ground, for a vehicle
    /// whose outer axles are this far apart. Others are larger or smaller as a whole.
    Axles(Milli),
}

/// How a kind of vehicle looks.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) measure: Measure,
    pub(super) pieces: &'static [&'static [Piece]],
}
