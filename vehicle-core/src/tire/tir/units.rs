//! Units of a file.

use serde::{Deserialize, Serialize};

use crate::tire::magic_formula::Quantity;

/// Declares a unit: its variants, what they are called in files, and their size in SI units.
macro_rules! unit {
    ($(#[$doc:meta])* $unit:ident {
        $($(#[$variant_doc:meta])* $variant:ident = $size:literal: $($name:literal)|+,)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum $unit {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $unit {
            /// Names that files give to these units.
            pub(super) const NAMES: &'static [&'static str] = &[$($($name,)+)+];

            /// The unit called `name`, in lower case.
            pub(super) fn named(name: &str) -> Option<Self> {
                match name {
                    $($($name)|+ => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// Name of the unit.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => [$($name,)+][0],)+
                }
            }

            /// Size of the unit (SI).
            pub fn size(self) -> f64 {
                match self {
                    $(Self::$variant => $size,)+
                }
            }
        }
    };
}

unit! {
    /// Unit of lengths.
    LengthUnit {
        /// Meter.
        #[default]
        Meter = 1.0: "meter" | "meters" | "metre" | "metres" | "m",
        /// Millimeter.
        Millimeter = 1e-3: "mm" | "millimeter" | "millimeters" | "millimetre",
        /// Centimeter.
        Centimeter = 1e-2: "cm" | "centimeter" | "centimeters" | "centimetre",
        /// Kilometer.
        Kilometer = 1e3: "km" | "kilometer" | "kilometers" | "kilometre",
        /// Inch.
        Inch = 0.0254: "inch" | "inches" | "in",
        /// Foot.
        Foot = 0.3048: "foot" | "feet" | "ft",
        /// Mile.
        Mile = 1609.344: "mile" | "miles",
    }
}

unit! {
    /// Unit of forces.
    ForceUnit {
        /// Newton.
        #[default]
        Newton = 1.0: "newton" | "newtons" | "n",
        /// Kilonewton.
        Kilonewton = 1e3: "kilonewton" | "knewton" | "kn" | "kilo_newton",
        /// Pound-force.
        PoundForce = 4.448_221_615_260_5: "pound_force" | "lbf" | "lb_force",
        /// Kilogram-force.
        KilogramForce = 9.806_65: "kg_force" | "kgf" | "kilogram_force",
        /// Ounce-force.
        OunceForce = 0.278_013_850_953_781: "ounce_force" | "ozf",
        /// Dyne.
        Dyne = 1e-5: "dyne" | "dynes",
    }
}

unit! {
    /// Unit of angles.
    AngleUnit {
        /// Radian.
        #[default]
        Radian = 1.0: "radians" | "radian" | "rad",
        /// Degree.
        Degree = 0.017_453_292_519_943_295: "degrees" | "degree" | "deg",
    }
}

unit! {
    /// Unit of masses.
    MassUnit {
        /// Kilogram.
        #[default]
        Kilogram = 1.0: "kg" | "kilogram" | "kilograms",
        /// Gram.
        Gram = 1e-3: "gram" | "grams" | "g",
        /// Ton of 1000 kg.
        Tonne = 1e3: "tonne" | "ton" | "megagram",
        /// Pound.
        Pound = 0.453_592_37: "pound_mass" | "pound" | "lbm" | "lb",
        /// Slug.
        Slug = 14.593_902_937_206: "slug" | "slugs",
        /// Ounce.
        Ounce = 0.028_349_523_125: "ounce_mass" | "ounce",
    }
}

unit! {
    /// Unit of times.
    TimeUnit {
        /// Second.
        #[default]
        Second = 1.0: "second" | "seconds" | "sec" | "s",
        /// Millisecond.
        Millisecond = 1e-3: "millisecond" | "milliseconds" | "ms",
        /// Minute.
        Minute = 60.0: "minute" | "minutes" | "min",
        /// Hour.
        Hour = 3600.0: "hour" | "hours" | "h",
    }
}

unit! {
    /// Unit of pressures.
    PressureUnit {
        /// Pascal.
        #[default]
        Pascal = 1.0: "pascal" | "pa" | "pascals",
        /// Kilopascal.
        Kilopascal = 1e3: "kpascal" | "kpa" | "kilopascal",
        /// Megapascal.
        Megapascal = 1e6: "mpascal" | "mpa" | "megapascal",
        /// Bar.
        Bar = 1e5: "bar",
        /// Pound-force per square inch.
        Psi = 6_894.757_293_168: "psi",
    }
}

/// The units of a file; SI unless it says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Units {
    /// Unit of lengths.
    pub length: LengthUnit,
    /// Unit of forces.
    pub force: ForceUnit,
    /// Unit of angles.
    pub angle: AngleUnit,
    /// Unit of masses.
    pub mass: MassUnit,
    /// Unit of times.
    pub time: TimeUnit,
    /// Unit of pressures; none for force per length squared.
    pub pressure: Option<PressureUnit>,
}

impl Units {
    /// Sets the unit `key`, in lower case, to that called `name`, in lower case.
    ///
    /// # Errors
    ///
    /// The known names, if this is none of them; none if there is no such key.
    pub(super) fn set(
        &mut self,
        key: &str,
        name: &str,
    ) -> Result<(), Option<&'static [&'static str]>> {
        fn put<T>(
            unit: &mut T,
            found: Option<T>,
            known: &'static [&'static str],
        ) -> Result<(), Option<&'static [&'static str]>> {
            *unit = found.ok_or(Some(known))?;
            Ok(())
        }
        match key {
            "length" => put(&mut self.length, LengthUnit::named(name), LengthUnit::NAMES),
            "force" => put(&mut self.force, ForceUnit::named(name), ForceUnit::NAMES),
            "angle" => put(&mut self.angle, AngleUnit::named(name), AngleUnit::NAMES),
            "mass" => put(&mut self.mass, MassUnit::named(name), MassUnit::NAMES),
            "time" => put(&mut self.time, TimeUnit::named(name), TimeUnit::NAMES),
            "pressure" => {
                let unit = PressureUnit::named(name).map(Some);
                put(&mut self.pressure, unit, PressureUnit::NAMES)
            }
            _ => Err(None),
        }
    }

    /// Keys and names.
    pub(super) fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let pressure = self.pressure.map(|unit| ("PRESSURE", unit.name()));
        let others = [
            ("LENGTH", self.length.name()),
            ("FORCE", self.force.name()),
            ("ANGLE", self.angle.name()),
            ("MASS", self.mass.name()),
            ("TIME", self.time.name()),
        ];
        others.into_iter().chain(pressure)
    }

    /// Size of the unit of `quantity` (SI).
    pub fn size(&self, quantity: Quantity) -> f64 {
        let (length, force, time) = (self.length.size(), self.force.size(), self.time.size());
        let (mass, angle) = (self.mass.size(), self.angle.size());
        match quantity {
            Quantity::Dimensionless => 1.0,
            Quantity::Angle => angle,
            Quantity::Length => length,
            Quantity::Mass => mass,
            Quantity::Inertia => mass * length * length,
            Quantity::Force => force,
            Quantity::Pressure => {
                self.pressure.map_or(force / (length * length), PressureUnit::size)
            }
            Quantity::Speed => length / time,
            Quantity::Acceleration => length / (time * time),
            Quantity::Stiffness => force / length,
            Quantity::Damping => force * time / length,
            Quantity::TorsionalStiffness => force * length / angle,
            Quantity::Frequency => 1.0 / time,
        }
    }
}
