//! Groups of coefficients: their names in files, their units, and their numbers in lanes.

use crate::math::Real;

/// Physical quantity of a number of a tire's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Nothing that has a unit.
    Dimensionless,
    /// An angle (rad).
    Angle,
    /// A length (m).
    Length,
    /// A mass (kg).
    Mass,
    /// A moment of inertia (kg·m²).
    Inertia,
    /// A force (N).
    Force,
    /// A pressure (Pa).
    Pressure,
    /// A speed (m/s).
    Speed,
    /// An acceleration (m/s²).
    Acceleration,
    /// A force per length (N/m).
    Stiffness,
    /// A force per speed (N·s/m).
    Damping,
    /// A torque per angle (N·m/rad).
    TorsionalStiffness,
    /// Oscillations per time (Hz).
    Frequency,
}

/// A group of coefficients: a section of a tire's file.
pub trait CoefficientGroup {
    /// Name of the section.
    const SECTION: &'static str;

    /// The coefficient of `name`, in lower case, and what it measures.
    fn find(&mut self, name: &str) -> Option<(&mut Real, Quantity)>;

    /// Calls `visit` with name, value and quantity of each coefficient, in the order of the file.
    fn visit(&self, visit: &mut dyn FnMut(&'static str, Real, Quantity));
}

/// Declares a [`CoefficientGroup`]: `name: Quantity = default` for each coefficient.
macro_rules! coefficient_group {
    (
        $(#[$doc:meta])*
        $group:ident in $section:literal {
            $($(#[$field_doc:meta])* $field:ident: $quantity:ident = $default:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        #[serde(default)]
        pub struct $group<N: $crate::math::lanes::Number = $crate::math::Real> {
            $($(#[$field_doc])* pub $field: N,)+
        }

        impl<N: $crate::math::lanes::Number> Default for $group<N> {
            fn default() -> Self {
                Self { $($field: N::splat($default),)+ }
            }
        }

        impl<N: $crate::math::lanes::Number> $group<N> {
            /// The coefficients of each lane.
            #[inline]
            pub fn from_lanes<'a>(group: impl Fn(usize) -> &'a $group) -> Self {
                Self { $($field: N::from_lanes(|lane| group(lane).$field),)+ }
            }
        }

        impl $crate::tire::magic_formula::CoefficientGroup for $group {
            const SECTION: &'static str = $section;

            fn find(
                &mut self,
                name: &str,
            ) -> Option<(&mut $crate::math::Real, $crate::tire::magic_formula::Quantity)> {
                use $crate::tire::magic_formula::Quantity;
                match name {
                    $(stringify!($field) => Some((&mut self.$field, Quantity::$quantity)),)+
                    _ => None,
                }
            }

            fn visit(
                &self,
                visit: &mut dyn FnMut(
                    &'static str,
                    $crate::math::Real,
                    $crate::tire::magic_formula::Quantity,
                ),
            ) {
                use $crate::tire::magic_formula::Quantity;
                $(visit(stringify!($field), self.$field, Quantity::$quantity);)+
            }
        }
    };
}

pub(crate) use coefficient_group;
