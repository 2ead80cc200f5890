//! How vehicles look: one description, which the page, the window and reports draw.
//!
//! A [`Look`] is made of [parts](LookPart), side views that are pulled across and rods, and of
//! wheels, in the body of the vehicle. What a preset looks like stands in a table here and not in
//! its file. Looks are no physics, and files of vehicles have nothing that the physics does not
//! read. Other vehicles look like a preset of their kind.

mod cars;
mod mesh;
mod others;
mod piece;
mod place;

use rapier3d::prelude::*;
use vehicle_rapier::core::Frame;
use vehicle_rapier::core::context::GRAVITY;
use vehicle_rapier::core::tire::TireModel;
use vehicle_rapier::core::vehicle::MechanicalParams;
use vehicle_rapier::vehicle_file::{AnyDrive, AnyRapierVehicle};

pub use self::piece::Paint;
use self::piece::Shape;
use self::place::Place;

/// Parts, wheels and colors of a vehicle, in its body (m): forward is +z, left +x, up +y.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Length, width and height of the body without what is below its floor (m).
    pub size: [Real; 3],
    /// Height of the ground on which it stands (m).
    pub ground: Real,
    /// Colors of [`Paint::Body`] and [`Paint::Load`], as three bytes of the sRGB, red first.
    pub colors: [u32; 2],
    /// Parts of the vehicle, which move with the body.
    pub parts: Vec<LookPart>,
    /// Wheels of the vehicle.
    pub wheels: Vec<WheelLook>,
}

/// A part of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct LookPart {
    /// Material of the part.
    pub paint: Paint,
    /// Shape of the part.
    pub shape: PartLook,
}

/// The shape of a part (m).
#[derive(Clone, Debug, PartialEq)]
pub enum PartLook {
    /// A side view that is pulled across to both sides.
    Profile {
        /// Corners along and up, from the tail over the top to the nose: clockwise where along
        /// leads to the right.
        outline: Vec<[Real; 2]>,
        /// Middle of the part across.
        across: Real,
        /// Half of its width at its lowest and its highest corner; it is as much wider or narrower
        /// between them as it is higher.
        half_width: [Real; 2],
    },
    /// A rod with round ends.
    Rod {
        /// Ends of the rod.
        ends: [Vector; 2],
        /// Radius of the rod.
        radius: Real,
    },
}

/// A wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelLook {
    /// Center of the wheel as the vehicle stands (m).
    pub place: Vector,
    /// Radius (m).
    pub radius: Real,
    /// Half of its width (m).
    pub half_width: Real,
}

/// What kind of vehicle is drawn, as far as its wheels do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookKind {
    /// The vehicle drives on wheels.
    Car,
    /// The vehicle drives on tracks.
    Tank,
    /// The vehicle is pulled.
    Trailer,
}

/// Shapes and colors by the name that a file gives to its vehicle.
const PRESETS: [(&str, &Shape, [u32; 2]); 16] = [
    ("City car", &cars::HATCH, [0xf0_c2_3b, 0x2a_2c_30]),
    ("Rear-drive drift car", &cars::DRIFT, [0x7a_3f_b8, 0xf2_f2_f2]),
    ("Electric car", &cars::ELECTRIC, [0xdf_e6_ea, 0x2f_7f_d0]),
    ("GT race car with downforce", &cars::RACE, [0xe8_6a_10, 0xf2_f2_f2]),
    ("Hot hatch", &cars::HATCH, [0xc8_20_2f, 0x2a_2c_30]),
    ("Gearbox kart", &others::KART, [0xd9_2b_1c, 0x24_4f_a0]),
    ("Road motorcycle", &others::MOTORCYCLE, [0x1d_55_b8, 0xb0_45_2f]),
    ("Pick-up", &cars::PICK_UP, [0x2f_5d_4a, 0x3a_3c_3e]),
    ("All-wheel-drive rally car", &cars::RALLY, [0xe8_e8_ea, 0xc8_20_2f]),
    ("1:10 race car", &cars::REMOTE, [0x2f_9f_4f, 0xf0_c2_3b]),
    ("Tractor of a semi-trailer", &others::TRACTOR, [0x24_5c_8c, 0x3a_3c_3e]),
    ("Semi-trailer, laden", &others::SEMI_TRAILER, [0x24_5c_8c, 0xd8_dc_de]),
    ("Rear-drive sports car", &cars::SPORTS, [0x1f_5f_d6, 0x2a_2c_30]),
    ("Tandem-axle trailer", &others::TANDEM_TRAILER, [0x66_70_3f, 0x8a_82_62]),
    ("Main battle tank", &others::TANK, [0x5b_63_44, 0x3a_3c_3e]),
    ("6x6 truck", &others::TRUCK, [0x66_70_3f, 0x8a_82_62]),
];

/// Colors of vehicles that are no preset.
const OTHER_COLORS: [u32; 2] = [0x4a_6d_8c, 0xc9_cd_d0];

impl Look {
    /// What a vehicle of this name and kind looks like, whose colliders have these `bounds`, and
    /// whose center of mass is there (m), both in its body.
    ///
    /// A name of a preset is that in its file. Others look as the kind and the wheels are.
    pub fn new<Tire: TireModel>(
        name: &str,
        kind: LookKind,
        mechanics: &MechanicalParams<Tire>,
        bounds: Option<Aabb>,
        center_of_mass: Vector,
    ) -> Self {
        let ground = center_of_mass.y - mechanics.standing_height(&Frame::Y_UP, GRAVITY);
        let suspensions = mechanics.suspensions.iter().zip(&mechanics.wheels);
        let wheels: Vec<_> = suspensions
            .map(|(suspension, wheel)| {
                let mount = center_of_mass + suspension.wheel_mount();
                let place = Vector::new(mount.x, ground + wheel.radius, mount.z);
                WheelLook { place, radius: wheel.radius, half_width: wheel.half_width }
            })
            .collect();
        let bounds = bounds.unwrap_or_else(|| around(&wheels));
        Self::of_wheels(name, kind, wheels, bounds, ground)
    }

    fn of_wheels(
        name: &str,
        kind: LookKind,
        wheels: Vec<WheelLook>,
        bounds: Aabb,
        ground: Real,
    ) -> Self {
        let preset = PRESETS.iter().find(|(preset, ..)| *preset == name);
        let size = (bounds.maxs - bounds.mins).to_array();
        let size = [size[2], size[0], size[1]];
        let (shape, colors) = preset
            .map_or((usual(kind, &wheels, size), OTHER_COLORS), |(_, shape, colors)| {
                (*shape, *colors)
            });
        let place = Place::new(shape.measure, &wheels, &bounds, ground);
        let mut parts = Vec::new();
        shape.pieces.iter().copied().flatten().for_each(|piece| place.add(piece, &mut parts));
        Self { size, ground, colors, parts, wheels }
    }

    /// A car of the crowd, whose body is so long, wide and high, and so far above the center of
    /// mass (m).
    pub(crate) fn of_crowd([length, width, height, up]: [Real; 4]) -> Self {
        let (floor, radius) = (up - 0.5 * height, 0.32);
        let places = [[0.765, 1.315], [-0.765, 1.315], [0.765, -1.315], [-0.765, -1.315]];
        let wheels = places.map(|[x, z]| WheelLook {
            place: Vector::new(x, floor, z),
            radius,
            half_width: 0.11,
        });
        let half = Vector::new(0.5 * width, 0.5 * height, 0.5 * length);
        let bounds = Aabb::from_half_extents(Vector::Y * up, half);
        Self::of_wheels("Hot hatch", LookKind::Car, wheels.into(), bounds, floor - radius)
    }
}

/// The shape of a vehicle that is no preset.
fn usual(kind: LookKind, wheels: &[WheelLook], [length, ..]: [Real; 3]) -> &'static Shape {
    match kind {
        LookKind::Tank => &others::TANK,
        LookKind::Trailer => &others::TRAILER,
        LookKind::Car if wheels.len() == 2 => &others::MOTORCYCLE,
        LookKind::Car if 4 < wheels.len() || 5.6 < length => &others::TRUCK,
        LookKind::Car => &cars::HATCH,
    }
}

/// A body around wheels, for a vehicle without colliders.
fn around(wheels: &[WheelLook]) -> Aabb {
    let mut bounds = Aabb::new_invalid();
    for WheelLook { place, radius, half_width } in wheels {
        let reach = Vector::new(*half_width, 0.0, 2.2 * radius);
        bounds.take_point(*place - reach);
        bounds.take_point(*place + reach + Vector::Y * (3.2 * radius));
    }
    bounds
}

/// The box of a body's colliders in its own axes (m).
pub fn bounds_of(body: &RigidBody, colliders: &ColliderSet) -> Option<Aabb> {
    let own = body.colliders().iter().filter_map(|&collider| {
        let collider = colliders.get(collider)?;
        let pose = collider.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
        Some(collider.shape().compute_aabb(&pose))
    });
    own.reduce(|all, own| all.merged(&own))
}

/// What the vehicle in a world looks like; the name is that in its file.
///
/// # Panics
///
/// If its body is not among `bodies`.
pub fn look_of(
    name: &str,
    car: &AnyRapierVehicle,
    bodies: &RigidBodySet,
    colliders: &ColliderSet,
) -> Look {
    let body = &bodies[car.body()];
    let is_tank = matches!(car.vehicle.drive, AnyDrive::Tank(_));
    let kind = if is_tank { LookKind::Tank } else { LookKind::Car };
    let center = body.local_center_of_mass();
    Look::new(name, kind, car.mechanics().params, bounds_of(body, colliders), center)
}

#[cfg(test)]
mod tests {
    use vehicle_rapier::vehicle_file::{AnyVehicle, Preset};

    use super::*;

    fn look(name: &str) -> Look {
        let vehicle = AnyVehicle::preset(name).unwrap();
        let mut world = PhysicsWorld::new();
        let car = vehicle.insert(&mut world, Pose::IDENTITY);
        look_of(&vehicle.file().name, &car, &world.bodies, &world.colliders)
    }

    /// From and to, across, up and along, of what is drawn of a part.
    fn reach(part: &LookPart) -> [[Real; 2]; 3] {
        let mut reach = [[Real::MAX, Real::MIN]; 3];
        let mut take = |point: [Real; 3]| {
            for (reach, value) in reach.iter_mut().zip(point) {
                *reach = [reach[0].min(value), reach[1].max(value)];
            }
        };
        match &part.shape {
            PartLook::Profile { outline, across, half_width } => {
                for [along, up] in outline {
                    for half in half_width {
                        take([across - half, *up, *along]);
                        take([across + half, *up, *along]);
                    }
                }
            }
            PartLook::Rod { ends, radius } => {
                for end in ends {
                    take((*end - Vector::splat(*radius)).to_array());
                    take((*end + Vector::splat(*radius)).to_array());
                }
            }
        }
        reach
    }

    #[test]
    fn every_preset_has_a_look_of_its_own_name() {
        for preset in Preset::ALL {
            let name = preset.file().unwrap().name;
            assert!(PRESETS.iter().any(|(known, ..)| *known == name), "{name} has no look");
        }
        assert_eq!(PRESETS.len(), Preset::ALL.len());
    }

    #[test]
    fn bodies_stand_over_their_wheels_and_above_the_ground() {
        for preset in Preset::ALL {
            let Look { size, ground, parts, wheels, .. } = look(preset.name);
            assert!(8 < parts.len(), "{}: {} parts", preset.name, parts.len());
            let ends = wheels.iter().flat_map(|wheel| [wheel.place.z, wheel.place.z]);
            let [first, last] =
                ends.fold([Real::MAX, Real::MIN], |[first, last], z| [first.min(z), last.max(z)]);
            let all = parts.iter().map(reach).fold([[Real::MAX, Real::MIN]; 3], |mut all, part| {
                for (all, part) in all.iter_mut().zip(part) {
                    *all = [all[0].min(part[0]), all[1].max(part[1])];
                }
                all
            });
            let [across, up, along] = all;
            let name = preset.name;
            assert!(along[0] <= first && last <= along[1] + 0.01, "{name}: {along:?}");
            assert!(ground - 0.01 <= up[0] && up[0] < ground + 0.6, "{name}: {up:?} on {ground}");
            assert!((across[0] + across[1]).abs() < 0.01, "{name}: {across:?}");
            // Mirrors of a motorcycle are wider apart than the rest of it.
            let widest = 1.4 * size[1].max(0.62);
            assert!(across[1] - across[0] < widest, "{name}: {across:?}, not {widest} m");
        }
    }

    #[test]
    fn outlines_run_from_the_tail_over_the_top_to_the_nose() {
        for preset in Preset::ALL {
            for part in look(preset.name).parts {
                let PartLook::Profile { outline, half_width, .. } = &part.shape else { continue };
                let next = outline.iter().cycle().skip(1);
                let area: Real =
                    outline.iter().zip(next).map(|(a, b)| 0.5 * (b[0] * a[1] - a[0] * b[1])).sum();
                assert!(0.0 < area, "{}: {area} m² of {part:?}", preset.name);
                assert!(half_width.iter().all(|half| 0.0 < *half), "{}: {part:?}", preset.name);
            }
        }
    }

    #[test]
    fn a_motorcycle_has_a_rider_and_a_tank_has_tracks_around_all_its_wheels() {
        let motorcycle = look("motorcycle");
        let head = motorcycle.parts.iter().map(|part| reach(part)[1][1]).fold(0.0, Real::max);
        let height = head - motorcycle.ground;
        assert!(1.6 < height && height < 1.85, "the rider's head is {height} m above the ground");
        let tank = look("tank");
        let tracks = tank.parts.iter().filter(|part| part.paint == Paint::Dark).map(reach);
        let lowest = tracks.fold(Real::MAX, |lowest, part| lowest.min(part[1][0]));
        assert!((lowest - tank.ground).abs() < 0.02, "{lowest} and {}", tank.ground);
        assert_eq!(tank.wheels.len(), 14);
    }

    #[test]
    fn an_unknown_vehicle_looks_like_its_kind() {
        let vehicle = AnyVehicle::preset("truck_6x6").unwrap();
        let mut world = PhysicsWorld::new();
        let car = vehicle.insert(&mut world, Pose::IDENTITY);
        let other = look_of("mine", &car, &world.bodies, &world.colliders);
        let preset = look("truck_6x6");
        assert_eq!(other.parts, preset.parts);
        assert_ne!(other.colors, preset.colors);
    }
}
