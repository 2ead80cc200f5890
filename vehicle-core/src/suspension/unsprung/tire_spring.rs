//! The tire of a wheel with mass, as a spring.

/// Spring and damper of a tire, along the normal of its road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TireSpring<S> {
    /// Stiffness (N/m).
    pub stiffness: S,
    /// Damping rate (N·s/m).
    pub damping: S,
}
