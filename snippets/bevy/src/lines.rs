//! Vehicles as lines: suspensions, wheels, contacts with the road, loads and forces of tires.

use bevy_math::Vec3;
use rapier3d::pipeline::{DebugColor, DebugRenderBackend, DebugRenderObject};
use rapier3d::prelude::*;
use vehicle_rapier::ActorError;
use vehicle_rapier::debug_render::VehicleDebugStyle;

use crate::{RapierWorld, VehicleInWorld};

impl VehicleInWorld {
    /// Draws the vehicle as lines by `draw`, from one point to another (m) in a color: hue in
    /// [0, 360], saturation, lightness and opacity in [0, 1]. `share` in [0, 1] is how far the time
    /// of the app has gone from the last step but one to the last: lines are where meshes are.
    ///
    /// # Errors
    ///
    /// If its body is not in the world.
    pub fn draw_lines(
        &self,
        world: &RapierWorld,
        style: &VehicleDebugStyle,
        share: Real,
        draw: impl FnMut(Vec3, Vec3, DebugColor),
    ) -> Result<(), ActorError> {
        let bodies = &world.0.bodies;
        let shift = self.poses.chassis(share) * self.car.pose(bodies)?.inverse();
        self.car.debug_render(bodies, style, &mut Shifted { shift, draw })
    }
}

/// Draws lines moved by `shift`.
struct Shifted<Draw> {
    shift: Pose,
    draw: Draw,
}

impl<Draw: FnMut(Vec3, Vec3, DebugColor)> DebugRenderBackend for Shifted<Draw> {
    fn draw_line(&mut self, _: DebugRenderObject<'_>, from: Vector, to: Vector, color: DebugColor) {
        let [from, to] =
            [from, to].map(|point| Vec3::from_array(self.shift.transform_point(point).to_array()));
        (self.draw)(from, to, color);
    }
}

/// Draws all vehicles as lines by Bevy's gizmos, forces at 1 m per 10 kN. Add it to `Update`, or to
/// a schedule of your own, where and when you want to see them.
#[cfg(feature = "gizmos")]
pub fn draw_forces(
    mut gizmos: bevy_gizmos::prelude::Gizmos,
    time: bevy_ecs::prelude::Res<bevy_time::Time<bevy_time::Fixed>>,
    world: bevy_ecs::prelude::Res<RapierWorld>,
    vehicles: bevy_ecs::prelude::Query<&VehicleInWorld>,
) {
    let (style, share) = (VehicleDebugStyle::default(), time.overstep_fraction());
    for vehicle in &vehicles {
        let line = |from, to, [hue, saturation, lightness, opacity]: DebugColor| {
            gizmos.line(from, to, bevy_color::Color::hsla(hue, saturation, lightness, opacity));
        };
        // A vehicle without its body is drawn no more.
        let _ = vehicle.draw_lines(&world, &style, share, line);
    }
}
