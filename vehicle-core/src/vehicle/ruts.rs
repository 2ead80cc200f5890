//! Ruts: what wheels leave in soft ground, and find there.

use std::ops::ControlFlow::{self, Continue};

use serde::{Deserialize, Serialize};

use crate::error::{Bound, ParamCheck, ParamErrors};
use crate::frame::Frame;
use crate::math::lanes::{Lanes, MAX_LANES, Number, Real4};
use crate::math::{Real, Vec3};
use crate::tire::TireModel;
use crate::vehicle::{HasMechanics, Mechanics};
use crate::{Component, Context};

/// How far from the center of a cell a wheel must be to have left it, in cells (dimensionless): a
/// wheel on an edge does not go to and fro.
const LEFT: Real = 0.75;
/// Most cells of a field.
const MOST_CELLS: Real = 1e8;

/// A field of soft ground that remembers how deep wheels have pressed it, cell by cell.
///
/// Call [`roll`](Self::roll) for each vehicle between two steps. Its wheels are told how deep the
/// ground under them has been pressed before they came, and press the cells that they leave.
/// Vehicles in the same order leave the same ruts, on however many threads they step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruts {
    frame: Frame,
    corner: Vec3,
    counts: [usize; 2],
    cell: Real,
    depths: Vec<Real>,
}

/// Where a wheel is in a field of [`Ruts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelInRut {
    /// The cell, by numbers along and across the frame's axes.
    cell: Option<[usize; 2]>,
    /// Depth of the cell before the wheel came (m).
    before: Real,
    /// Largest depth to which the wheel has pressed it (m).
    pressed: Real,
}

impl Ruts {
    /// Even ground: a rectangle of `size` (m) forward and to the left of `corner` (m, world), by
    /// the axes of `frame`. Its squares have sides of `cell` (m), about the width of a tire.
    ///
    /// # Errors
    ///
    /// Numbers that are no such rectangle, or more than 100 million squares.
    pub fn new(
        frame: Frame,
        corner: Vec3,
        size: [Real; 2],
        cell: Real,
    ) -> Result<Self, ParamErrors> {
        let mut check = ParamCheck::default();
        check.vector_within("corner", corner, 1e9);
        check.number("cell", cell, Bound::Within(0.01, 100.0));
        let most = (MOST_CELLS.sqrt() * cell).max(cell);
        check.number("size.longitudinal", size[0], Bound::Within(cell, most));
        check.number("size.lateral", size[1], Bound::Within(cell, most));
        check.finish()?;
        let counts = size.map(|length| (length / cell).ceil() as usize);
        Ok(Self { frame, corner, counts, cell, depths: vec![0.0; counts[0] * counts[1]] })
    }

    /// Number of cells forward and to the left.
    pub fn counts(&self) -> [usize; 2] {
        self.counts
    }

    /// Side of a cell (m).
    pub fn cell_size(&self) -> Real {
        self.cell
    }

    /// Depth of the rut in the cell of these numbers (m); 0 beyond the field.
    pub fn depth(&self, [along, across]: [usize; 2]) -> Real {
        if along < self.counts[0] && across < self.counts[1] {
            self.depths[along * self.counts[1] + across]
        } else {
            0.0
        }
    }

    /// Depth of the rut at `point` (m).
    pub fn depth_at(&self, point: Vec3) -> Real {
        self.cell_at(point).map_or(0.0, |cell| self.depth(cell))
    }

    /// Center of the cell of these numbers, as high as the field's corner (m).
    pub fn center(&self, [along, across]: [usize; 2]) -> Vec3 {
        let [forward, left] = [along, across].map(|number| (number as Real + 0.5) * self.cell);
        self.corner + self.frame.longitudinal() * forward + self.frame.lateral() * left
    }

    /// Shifts the origin of the field by `shift` (m), with the rest of the world. Cells and depths
    /// stay.
    pub fn shift(&mut self, shift: Vec3) {
        self.corner -= shift;
    }

    fn cell_at(&self, point: Vec3) -> Option<[usize; 2]> {
        let from = point - self.corner;
        let numbers = [self.frame.longitudinal(), self.frame.lateral()]
            .map(|axis| (from.dot(axis) / self.cell).floor());
        let is_there = |number: Real, count: usize| 0.0 <= number && number < count as Real;
        (is_there(numbers[0], self.counts[0]) && is_there(numbers[1], self.counts[1]))
            .then(|| numbers.map(|number| number as usize))
    }

    fn press(&mut self, [along, across]: [usize; 2], depth: Real) {
        let before = &mut self.depths[along * self.counts[1] + across];
        *before = before.max(depth);
    }

    /// Lets the wheels of `vehicle` roll on: those that have come into another cell press the one
    /// that they leave, and find what is in the new one. `wheels` is what the field knows of this
    /// vehicle from before, with one element per wheel.
    pub fn roll<V: HasMechanics + ?Sized>(&mut self, vehicle: &mut V, wheels: &mut [WheelInRut]) {
        let Mechanics { params, state, .. } = vehicle.mechanics();
        let tires = params.tires.iter().zip(&mut state.tire_models);
        for (wheel, ((tire, memory), known)) in tires.zip(wheels).enumerate() {
            let suspension = state.suspensions.of(wheel);
            let (is_on_ground, point) = (suspension.is_on_ground(), suspension.contact.point);
            let cell = if is_on_ground { self.cell_at(point) } else { None };
            known.pressed = known.pressed.max(tire.sinkage(memory));
            if !self.has_left(known.cell, point, is_on_ground) {
                continue;
            }
            if let Some(left) = known.cell {
                self.press(left, known.pressed);
            }
            let before = cell.map_or(0.0, |cell| self.depth(cell));
            *known = WheelInRut { cell, before, pressed: 0.0 };
            tire.roll_in_rut(known.before, memory);
        }
    }

    /// Whether a wheel that touches the ground at `point` (m), or nothing, is no more in `cell`.
    fn has_left(&self, cell: Option<[usize; 2]>, point: Vec3, is_on_ground: bool) -> bool {
        let Some(cell) = cell else { return true };
        let from = point - self.center(cell);
        let axes = [self.frame.longitudinal(), self.frame.lateral()];
        !is_on_ground || axes.iter().any(|axis| LEFT * self.cell < from.dot(*axis).abs())
    }
}

/// Lowers the road under each wheel by what its tire sinks into it; after
/// [`RoadGeometry`](crate::stages::RoadGeometry).
///
/// Each wheel stands on a plane of its own, as deep as its [tire](TireModel::sinkage) has sunk: the
/// body comes down with it. Wheels with mass look ahead onto a road that is as deep.
#[derive(Clone, Copy, Debug)]
pub struct SoftGround;

impl<V: HasMechanics + ?Sized> Component<V> for SoftGround {
    fn update(&self, vehicle: &mut V, _: Real, context: &Context<'_>) -> ControlFlow<()> {
        // A road that is not found anew has been lowered.
        if !context.detail.finds_road {
            return Continue(());
        }
        let Mechanics { params, lanes, state, .. } = vehicle.mechanics();
        let has_mass = params.suspension_dynamics.has_mass();
        let length_scale = context.params.coordinates.length_scale;
        let paths = context.notes.filter(|_| has_mass).map(|notes| &notes.paths);
        let tires = params.tires.chunks(MAX_LANES).zip(state.tire_models.chunks(MAX_LANES));
        for (four, (tires, memories)) in tires.enumerate() {
            let depth: Real4 = Lanes::from_lanes(|lane| {
                let wheel = tires.get(lane).zip(memories.get(lane));
                wheel.map_or(0.0, |(tire, memory)| tire.sinkage(memory))
            });
            let road = &mut state.roads.four_mut(four).road;
            if let Some(paths) = paths {
                let shape = lanes.road_wheels.four(four);
                paths.borrow_mut().sink(four, depth, shape, road, length_scale);
            } else {
                let offset = &mut road.plane.offset;
                *offset = Number::select(road.is_there, *offset + depth, *offset);
            }
        }
        Continue(())
    }
}
