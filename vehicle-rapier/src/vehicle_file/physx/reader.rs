//! Reads fields of a JSON tree by name, and keeps what is wrong with them and what was not asked
//! for.

use std::cell::{Cell, RefCell};

use vehicle_core::math::{Pose, Quat, Real, Vec3};

use crate::vehicle_file::fault::FileFault;
use crate::vehicle_file::tree::Tree;

/// Faults and unused fields that are found on the way.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) faults: RefCell<Vec<FileFault>>,
    pub(super) unused: RefCell<Vec<String>>,
}

impl Notes {
    pub(super) fn fault(&self, path: &str, requirement: &str, value: impl std::fmt::Display) {
        let message = format!("must be {requirement}, got {value}");
        self.faults.borrow_mut().push(FileFault::new(path, message));
    }
}

/// A value and its path; one that is not there gives values that are none, after it has been
/// reported.
#[derive(Clone)]
pub(super) struct Value<'a> {
    node: Option<&'a Tree>,
    pub(super) path: String,
    notes: &'a Notes,
}

/// The fields of an object, of which those that nobody asks for are reported when they are dropped.
pub(super) struct Fields<'a> {
    fields: &'a [(String, Tree)],
    asked: Vec<Cell<bool>>,
    path: String,
    notes: &'a Notes,
    is_missing: bool,
}

impl<'a> Value<'a> {
    pub(super) fn root(node: &'a Tree, path: &str, notes: &'a Notes) -> Self {
        Self { node: Some(node), path: path.to_owned(), notes }
    }

    pub(super) fn fault(&self, requirement: &str, value: impl std::fmt::Display) {
        self.notes.fault(&self.path, requirement, value);
    }

    /// A fault of what is `below` the value, such as `[2].x`.
    pub(super) fn fault_below(&self, below: &str, requirement: &str, value: &str) {
        self.notes.fault(&format!("{}{below}", self.path), requirement, value);
    }

    fn is_none_of(&self, requirement: &str) {
        if let Some(node) = self.node {
            self.fault(requirement, node);
        }
    }

    /// The object's fields.
    pub(super) fn fields(&self) -> Fields<'a> {
        let (fields, is_missing) = match self.node {
            Some(Tree::Fields(fields)) => (&fields[..], false),
            _ => {
                self.is_none_of("an object");
                (&[][..], true)
            }
        };
        let asked = vec![Cell::new(false); fields.len()];
        for (index, (name, _)) in fields.iter().enumerate() {
            if fields[..index].iter().any(|(other, _)| other == name) {
                self.notes.fault(&join(&self.path, name), "there once", "it twice");
            }
        }
        Fields { fields, asked, path: self.path.clone(), notes: self.notes, is_missing }
    }

    /// The list's elements.
    pub(super) fn list(&self) -> Vec<Self> {
        let Some(Tree::List(items)) = self.node else {
            self.is_none_of("a list");
            return Vec::new();
        };
        let value = |(index, node)| Self {
            node: Some(node),
            path: format!("{}[{index}]", self.path),
            notes: self.notes,
        };
        items.iter().enumerate().map(value).collect()
    }

    /// A number that is finite as a [`Real`].
    pub(super) fn number(&self) -> Real {
        match self.node.and_then(Tree::number) {
            Some(value) => {
                let number = value as Real;
                if !number.is_finite() {
                    self.fault("finite", value);
                }
                number
            }
            None => {
                self.is_none_of("a number");
                0.0
            }
        }
    }

    /// A number that counts.
    pub(super) fn index(&self) -> usize {
        match self.node.and_then(Tree::number) {
            Some(value) if value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value) => {
                value as usize
            }
            _ => {
                self.is_none_of("a whole number that is not negative");
                0
            }
        }
    }

    pub(super) fn boolean(&self) -> bool {
        match self.node {
            Some(Tree::Bool(value)) => *value,
            _ => {
                self.is_none_of("true or false");
                false
            }
        }
    }

    pub(super) fn numbers(&self) -> Vec<Real> {
        self.list().iter().map(Self::number).collect()
    }

    pub(super) fn indices(&self) -> Vec<usize> {
        self.list().iter().map(Self::index).collect()
    }

    /// Exactly `N` numbers.
    pub(super) fn array<const N: usize>(&self) -> [Real; N] {
        self.exactly(&self.numbers())
    }

    /// Two whole numbers.
    pub(super) fn pair(&self) -> [usize; 2] {
        self.exactly(&self.indices())
    }

    fn exactly<T: Copy + Default, const N: usize>(&self, values: &[T]) -> [T; N] {
        match values.try_into() {
            Ok(array) => array,
            Err(_) => {
                if matches!(self.node, Some(Tree::List(_))) {
                    self.fault(&format!("a list of {N}"), format_args!("{}", values.len()));
                }
                [T::default(); N]
            }
        }
    }

    pub(super) fn vector(&self) -> Vec3 {
        Vec3::from(self.array::<3>())
    }

    /// The rows of a table, `N` numbers each.
    pub(super) fn rows<const N: usize>(&self) -> Vec<[Real; N]> {
        self.list().iter().map(Self::array).collect()
    }

    /// A pose of `Pos` and `Quat`.
    pub(super) fn pose(&self) -> Pose {
        let fields = self.fields();
        let rotation = fields.get("Quat").array::<4>();
        let is_there = !fields.is_missing && rotation != [0.0; 4];
        let rotation = if is_there { Quat::from_array(rotation) } else { Quat::IDENTITY };
        Pose::from_parts(fields.get("Pos").vector(), rotation)
    }
}

impl<'a> Fields<'a> {
    /// The field `name`, which must be there.
    pub(super) fn get(&self, name: &str) -> Value<'a> {
        let value = self.find(name);
        if value.is_none() && !self.is_missing {
            self.notes.fault(&join(&self.path, name), "there", "nothing");
        }
        let node = value.and_then(|value| value.node);
        Value { node, path: join(&self.path, name), notes: self.notes }
    }

    /// The field `name`, if it is there.
    pub(super) fn find(&self, name: &str) -> Option<Value<'a>> {
        let mut found = None;
        for ((each, node), asked) in self.fields.iter().zip(&self.asked) {
            if each == name {
                asked.set(true);
                found = found.or(Some(node));
            }
        }
        let path = join(&self.path, name);
        found.map(|node| Value { node: Some(node), path, notes: self.notes })
    }

    /// Tells why the field `name` is not used, if it is there.
    pub(super) fn leave(&self, name: &str, reason: &str) {
        if let Some(value) = self.find(name) {
            self.notes.unused.borrow_mut().push(format!("{}: {reason}", value.path));
        }
    }

    /// Values that `read` makes of the entries of the list `name`, by their `WheelId`, one for each
    /// of `count` wheels.
    pub(super) fn by_wheel<T>(
        &self,
        name: &str,
        count: usize,
        read: impl Fn(&Fields<'a>) -> T,
    ) -> Vec<T> {
        let list = self.get(name);
        let mut found: Vec<Option<T>> = (0..count).map(|_| None).collect();
        for entry in list.list() {
            let fields = entry.fields();
            let id = fields.get("WheelId");
            let wheel = id.index();
            let value = read(&fields);
            match found.get_mut(wheel) {
                None => id.fault(&format!("a wheel below {count}"), wheel),
                Some(Some(_)) => id.fault("a wheel that has no other entry", wheel),
                Some(place) => *place = Some(value),
            }
        }
        if list.node.is_some() {
            for (wheel, value) in found.iter().enumerate() {
                if value.is_none() {
                    list.fault(
                        "a list with an entry for each wheel",
                        format!("none for wheel {wheel}"),
                    );
                }
            }
        }
        found.into_iter().flatten().collect()
    }
}

impl Drop for Fields<'_> {
    fn drop(&mut self) {
        for ((name, _), asked) in self.fields.iter().zip(&self.asked) {
            if !asked.get() {
                let path = join(&self.path, name);
                self.notes.unused.borrow_mut().push(format!("{path}: not known"));
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
