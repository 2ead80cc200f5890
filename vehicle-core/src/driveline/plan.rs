//! Which elements sit on which shafts, and the order in which passes visit them.

use super::element::{Brake, Element, Inertia, TireElement, check_elements};
use super::mode::Mode;
use crate::error::ParamErrors;

/// Most shafts of a driveline.
const MAX_SHAFTS: usize = 10_000;

/// Why elements and shafts are no driveline, or why a step was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrivelineError {
    /// Too many shafts, or none.
    #[error("the number of shafts must be within [1, {MAX_SHAFTS}], got {0}")]
    Shafts(usize),
    /// The root is a shaft that does not exist.
    #[error("the root must be a shaft below {shafts}, their number, got {root}")]
    NoRoot {
        /// The shaft that is to be the root.
        root: usize,
        /// Number of shafts.
        shafts: usize,
    },
    /// An element is on a shaft that does not exist.
    #[error("elements[{element}] is on shaft {shaft}, but there are {shafts}")]
    NoShaft {
        /// Number of the element.
        element: usize,
        /// The shaft that it names.
        shaft: usize,
        /// Number of shafts.
        shafts: usize,
    },
    /// An element is not on as many shafts as it has ports.
    #[error("elements[{element}] must be on {ports} shafts, one per port, got {got}")]
    Ports {
        /// Number of the element.
        element: usize,
        /// Ports that it has.
        ports: usize,
        /// Shafts that it is on.
        got: usize,
    },
    /// Elements form a ring, which no tree has.
    #[error("elements[{element}] closes a ring at shaft {shaft}")]
    Ring {
        /// Number of an element of the ring.
        element: usize,
        /// A shaft of the ring.
        shaft: usize,
    },
    /// A list does not have the length that the plan asks for.
    #[error("{list} must be of {expected} elements, got {got}")]
    Length {
        /// Name of the list.
        list: &'static str,
        /// Length that it must have.
        expected: usize,
        /// Length that it has.
        got: usize,
    },
    /// The step is not positive and finite.
    #[error("dt must be positive and finite")]
    TimeStep,
    /// Elements have numbers out of their ranges.
    #[error(transparent)]
    Params(#[from] ParamErrors),
}

/// A shaft, with the elements that hang on it as seen from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub shaft: usize,
    /// Range in `DrivelinePlan::hung`.
    pub first: usize,
    pub end: usize,
    pub is_root: bool,
    /// Whether one of these elements leads on to other shafts.
    pub leads_on: bool,
}

/// A shaft on which a wheel is all that hangs: inertia, tire and brake, which follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WheelShaft {
    pub shaft: usize,
    /// Number of its first element.
    pub element: usize,
    /// Place of the first element's port in the list of all.
    pub port: usize,
    pub is_root: bool,
}

impl WheelShaft {
    /// The shaft of `visit`, if the elements that hang on it have as many ports as those of a
    /// wheel.
    fn of(visit: &Visit, hung: &[Hung]) -> Option<Self> {
        let [first, second, third] = hung else { return None };
        let follows = |next: &Hung, count| next.element == first.element + count;
        let is_row = follows(second, 1) && follows(third, 2);
        (is_row && !visit.leads_on).then_some(Self {
            shaft: visit.shaft,
            element: first.element,
            port: first.first_port,
            is_root: visit.is_root,
        })
    }

    /// The modes of tire and brake.
    #[inline]
    pub(super) fn modes(&self, modes: &[Mode]) -> [Mode; 2] {
        let modes = &modes[self.element..self.element + 3];
        [modes[1], modes[2]]
    }

    /// Changes the modes of tire and brake.
    #[inline]
    pub(super) fn set_modes(&self, modes: &mut [Mode], of_wheel: [Mode; 2]) {
        modes[self.element + 1..self.element + 3].copy_from_slice(&of_wheel);
    }

    /// Place of the brake's port in the list of all.
    #[inline]
    pub(super) fn brake_port(&self) -> usize {
        self.port + 2
    }

    /// Its elements; `None` if they are not those of a wheel.
    #[inline]
    pub(super) fn parts<'a>(&self, elements: &'a [Element]) -> Option<WheelParts<'a>> {
        match elements.get(self.element..self.element + 3)? {
            [Element::Inertia(inertia), Element::Tire(tire), Element::Brake(brake)] => {
                Some(WheelParts { inertia, tire, brake })
            }
            _ => None,
        }
    }
}

/// The elements of a wheel.
#[derive(Clone, Copy)]
pub(super) struct WheelParts<'a> {
    pub inertia: &'a Inertia,
    pub tire: &'a TireElement,
    pub brake: &'a Brake,
}

/// What passes visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Route {
    /// Shafts with nothing but a wheel: most of a car's driveline. Their passes are the same
    /// numbers without asking element by element of which kind it is.
    pub wheels: Vec<WheelShaft>,
    /// All other shafts, from the root on.
    pub visits: Vec<Visit>,
    /// The elements on these.
    pub elements: Vec<usize>,
}

impl Route {
    fn add(&mut self, visit: Visit, hung: &[Hung]) {
        self.visits.push(visit);
        self.elements.extend(hung.iter().map(|hung| hung.element));
    }
}

/// An element, and its port towards the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hung {
    pub element: usize,
    pub facing: usize,
    /// Range of its ports in the list of all.
    pub first_port: usize,
    pub end_port: usize,
}

impl Hung {
    /// Place of the port towards the root in the list of all ports.
    #[inline]
    pub(super) fn facing_port(&self) -> usize {
        self.first_port + self.facing
    }

    /// Whether the element leads on to other shafts.
    #[inline]
    pub(super) fn leads_on(&self) -> bool {
        self.first_port + 1 < self.end_port
    }
}

/// Elements on shafts, in the order in which passes visit them: built once per driveline.
///
/// Parts that no element connects are solved side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrivelinePlan {
    shafts: usize,
    /// Shafts of all ports, element by element.
    ports: Vec<usize>,
    /// Where the ports of each element begin, and where the last ones end.
    first_port: Vec<usize>,
    pub(super) hung: Vec<Hung>,
    /// The way of passes where all elements that could be those of wheels are.
    with_wheels: Route,
    /// Their way where elements may be anything.
    without_wheels: Route,
}

impl DrivelinePlan {
    /// A driveline of `shafts` shafts whose elements have their ports on `ports`, one list per
    /// element.
    ///
    /// # Errors
    ///
    /// If there is no shaft, if an element is on no shaft or on one that does not exist, or if
    /// elements form a ring.
    pub fn new<P: AsRef<[usize]>>(shafts: usize, ports: &[P]) -> Result<Self, DrivelineError> {
        Self::with_root(shafts, ports, 0)
    }

    /// Plans the elimination with the root at the shaft `root`. Solutions are the same from any
    /// root, but for rounding.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`], and if the root does not exist.
    pub fn with_root<P: AsRef<[usize]>>(
        shafts: usize,
        ports: &[P],
        root: usize,
    ) -> Result<Self, DrivelineError> {
        if shafts == 0 || MAX_SHAFTS < shafts {
            return Err(DrivelineError::Shafts(shafts));
        }
        if shafts <= root {
            return Err(DrivelineError::NoRoot { root, shafts });
        }
        let mut plan = Self {
            shafts,
            ports: Vec::new(),
            first_port: vec![0],
            hung: Vec::with_capacity(ports.len()),
            with_wheels: Route::default(),
            without_wheels: Route::default(),
        };
        for (element, ports) in ports.iter().enumerate() {
            let ports = ports.as_ref();
            if ports.is_empty() {
                return Err(DrivelineError::Ports { element, ports: 1, got: 0 });
            }
            if let Some(&shaft) = ports.iter().find(|&&shaft| shafts <= shaft) {
                return Err(DrivelineError::NoShaft { element, shaft, shafts });
            }
            plan.ports.extend_from_slice(ports);
            plan.first_port.push(plan.ports.len());
        }
        plan.order(root)?;
        Ok(plan)
    }

    /// Visits the shafts from the root on, breadth first.
    fn order(&mut self, root: usize) -> Result<(), DrivelineError> {
        let mut on_shaft = vec![Vec::new(); self.shafts];
        for element in 0..self.elements() {
            let std::ops::Range { start: first_port, end: end_port } = self.range_of(element);
            for (facing, &shaft) in self.ports_of(element).iter().enumerate() {
                on_shaft[shaft].push(Hung { element, facing, first_port, end_port });
            }
        }
        let mut is_found = vec![false; self.shafts];
        let mut is_hung = vec![false; self.elements()];
        for start in std::iter::once(root).chain(0..self.shafts) {
            if is_found[start] {
                continue;
            }
            is_found[start] = true;
            let mut queue = vec![start];
            let mut next = 0;
            while let Some(&shaft) = queue.get(next) {
                next += 1;
                let first = self.hung.len();
                for &hung in &on_shaft[shaft] {
                    if is_hung[hung.element] {
                        continue;
                    }
                    is_hung[hung.element] = true;
                    self.hung.push(hung);
                    let ports = self.ports_of_hung(&hung);
                    for (port, &beyond) in ports.iter().enumerate() {
                        if port == hung.facing {
                            continue;
                        }
                        if is_found[beyond] {
                            let element = hung.element;
                            return Err(DrivelineError::Ring { element, shaft: beyond });
                        }
                        is_found[beyond] = true;
                        queue.push(beyond);
                    }
                }
                let (end, is_root) = (self.hung.len(), shaft == start);
                let leads_on = self.hung[first..].iter().any(Hung::leads_on);
                self.add_visit(Visit { shaft, first, end, is_root, leads_on });
            }
        }
        Ok(())
    }

    fn add_visit(&mut self, visit: Visit) {
        let hung = &self.hung[visit.first..visit.end];
        self.without_wheels.add(visit, hung);
        match WheelShaft::of(&visit, hung) {
            Some(wheel) => self.with_wheels.wheels.push(wheel),
            None => self.with_wheels.add(visit, hung),
        }
    }

    /// Number of shafts that may have nothing but a wheel.
    pub(super) fn most_wheels(&self) -> usize {
        self.with_wheels.wheels.len()
    }

    /// What passes over `elements` visit.
    #[inline]
    pub(super) fn route(&self, elements: &[Element]) -> &Route {
        let is_wheel = |wheel: &WheelShaft| wheel.parts(elements).is_some();
        let are_wheels = self.with_wheels.wheels.iter().all(is_wheel);
        if are_wheels { &self.with_wheels } else { &self.without_wheels }
    }

    /// Number of shafts.
    pub fn shafts(&self) -> usize {
        self.shafts
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.first_port.len() - 1
    }

    /// Number of ports of all elements.
    pub fn ports(&self) -> usize {
        self.ports.len()
    }

    /// The shafts of the ports of an element.
    #[inline]
    pub fn ports_of(&self, element: usize) -> &[usize] {
        &self.ports[self.first_port[element]..self.first_port[element + 1]]
    }

    /// The shafts of the ports of an element that hangs on one.
    #[inline]
    pub(super) fn ports_of_hung(&self, hung: &Hung) -> &[usize] {
        &self.ports[hung.first_port..hung.end_port]
    }

    /// Where the ports of an element are in a list of all.
    #[inline]
    pub(super) fn range_of(&self, element: usize) -> std::ops::Range<usize> {
        self.first_port[element]..self.first_port[element + 1]
    }

    /// Checks that `elements` fit the plan and have numbers that a step can be made with.
    ///
    /// # Errors
    ///
    /// If their number or that of their ports is another, and every number out of its range.
    pub fn check(&self, elements: &[Element]) -> Result<(), DrivelineError> {
        self.check_ports(elements)?;
        Ok(check_elements(elements)?)
    }

    pub(super) fn check_ports(&self, elements: &[Element]) -> Result<(), DrivelineError> {
        let (expected, got) = (self.elements(), elements.len());
        if expected != got {
            return Err(DrivelineError::Length { list: "elements", expected, got });
        }
        for &element in &self.route(elements).elements {
            let (ports, got) = (elements[element].ports(), self.range_of(element).len());
            if ports != got {
                return Err(DrivelineError::Ports { element, ports, got });
            }
        }
        Ok(())
    }
}
