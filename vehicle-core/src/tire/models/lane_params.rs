//! Parameters of one tire, or of the tires in lanes.

/// Declares parameters that are numbers, for one tire or for one in each lane, with what each must
/// be.
macro_rules! lane_params {
    (
        $(#[$doc:meta])*
        $params:ident {
            $($(#[$field_doc:meta])* $field:ident: $bound:expr,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $params<N = $crate::math::Real> {
            $($(#[$field_doc])* pub $field: N,)+
        }

        impl<N: $crate::math::lanes::Number> $params<N> {
            /// The parameters of each lane.
            #[inline]
            pub fn from_lanes<'a>(tire: impl Fn(usize) -> &'a $params) -> Self {
                Self { $($field: N::from_lanes(|lane| tire(lane).$field),)+ }
            }
        }

        impl $params {
            fn check_bounds(&self, check: &mut $crate::error::ParamCheck) {
                $(check.number(stringify!($field), self.$field, $bound);)+
            }
        }
    };
}

/// Makes [`lane_params`] with constant relaxation lengths the parameters of a force law.
macro_rules! steady_law {
    ($law:ident) => {
        impl $crate::tire::models::steady::SteadyLaw for $law {
            type Lanes<N: $crate::math::lanes::Number> = $law<N>;

            #[inline]
            fn in_lanes<N: $crate::math::lanes::Number>(
                laws: [&Self; $crate::math::lanes::MAX_LANES],
            ) -> $law<N> {
                $law::from_lanes(|lane| laws[lane])
            }

            fn check(&self, check: &mut $crate::error::ParamCheck) {
                self.check_bounds(check);
            }
        }

        impl<N: $crate::math::lanes::Number> $law<N> {
            /// The lengths, which depend on nothing.
            #[inline]
            fn constant_relaxation(&self) -> $crate::tire::magic_formula::RelaxationLengths<N> {
                $crate::tire::magic_formula::RelaxationLengths {
                    longitudinal: self.longitudinal_relaxation_length,
                    lateral: self.lateral_relaxation_length,
                }
            }
        }
    };
}

pub(super) use {lane_params, steady_law};
