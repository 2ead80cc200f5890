//! Values that have a form in lanes, and structs that have it by their fields.

use super::{Lanes, Mask4, Posex4, Quatx4, Real4, Vec3x4};
use crate::math::{Pose, Quat, Real, Vec3};

/// The value of one wheel that can lie beside those of others.
pub trait InLanes: Copy {
    /// Values of this kind, one in each lane.
    type Lanes: Lanes<Single = Self>;
}

impl InLanes for bool {
    type Lanes = Mask4;
}

impl InLanes for Real {
    type Lanes = Real4;
}

impl InLanes for Vec3 {
    type Lanes = Vec3x4;
}

impl InLanes for Quat {
    type Lanes = Quatx4;
}

impl InLanes for Pose {
    type Lanes = Posex4;
}

/// Makes a struct that is generic over its numbers or vectors one of lanes, field by field, and
/// tells the sum of its [numbers](crate::math::finite::Finite).
macro_rules! lanes_by_field {
    ($name:ident<Number> { $($field:ident),* $(,)? }) => {
        $crate::math::lanes::lanes_by_field! {
            @ $name, N, Number, $crate::math::Real, $crate::math::lanes::Real4, { $($field),* }
        }
    };
    ($name:ident<Vector> { $($field:ident),* $(,)? }) => {
        $crate::math::lanes::lanes_by_field! {
            @ $name, V, Vector, $crate::math::Vec3, $crate::math::lanes::Vec3x4, { $($field),* }
        }
    };
    ($name:ident<Mask> { $($field:ident),* $(,)? }) => {
        $crate::math::lanes::lanes_by_field! {
            @ $name, M, Mask, bool, $crate::math::lanes::Mask4, { $($field),* }
        }
    };
    (@ $name:ident, $param:ident, $bound:ident, $single:ty, $four:ty, { $($field:ident),* }) => {
        impl<$param: $crate::math::lanes::$bound> $crate::math::lanes::Lanes for $name<$param> {
            type Single = $name<$single>;

            #[inline]
            fn from_lanes(value: impl FnMut(usize) -> Self::Single) -> Self {
                let values = $crate::math::lanes::each_lane(value);
                Self { $($field: $crate::math::lanes::Lanes::from_lanes(|lane| values[lane].$field)),* }
            }

            #[inline]
            fn lane(&self, lane: usize) -> Self::Single {
                $name { $($field: $crate::math::lanes::Lanes::lane(&self.$field, lane)),* }
            }

            #[inline]
            fn set_lane(&mut self, lane: usize, value: Self::Single) {
                $($crate::math::lanes::Lanes::set_lane(&mut self.$field, lane, value.$field);)*
            }

            #[inline]
            fn lanes(&self) -> [Self::Single; $crate::math::lanes::MAX_LANES] {
                $(let $field = $crate::math::lanes::Lanes::lanes(&self.$field);)*
                $crate::math::lanes::each_lane(|lane| $name { $($field: $field[lane]),* })
            }
        }

        impl $crate::math::lanes::InLanes for $name<$single> {
            type Lanes = $name<$four>;
        }

        impl $crate::math::finite::Finite for $name<$four> {
            #[inline]
            fn total(&self) -> $crate::math::lanes::Real4 {
                $crate::math::finite::NOTHING $(+ self.$field.total())*
            }
        }
    };
}

pub(crate) use lanes_by_field;
