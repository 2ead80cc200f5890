//! Requirements of a vehicle on its body.
//!
//! A [`Chassis`](crate::Chassis) makes a body that fits, or makes one fit that is in the world
//! already ([`Chassis::adopt`](crate::Chassis::adopt)). A body of other origin, in an
//! [`Actor::new`](crate::Actor::new), is compared with its vehicle in the vehicle's first step, and
//! refused by an error that names all that does not fit.
//!
//! Mass and center of mass are compared in every step. A collider has the density 1 unless it says
//! otherwise, and adds its mass to the body also as a sensor. Give it `.density(0.0)`. If it is a
//! load, then add its mass to the vehicle by
//! [`RapierVehicle::set_mass`](crate::RapierVehicle::set_mass), which is that of body and colliders
//! together.
//!
//! | of the body | must be | because |
//! |---|---|---|
//! | type | dynamic | the vehicle moves it by velocities and forces |
//! | gravity scale | 0, in every step | the vehicle brings its own gravity |
//! | mass and center of mass, those of all its colliders included | the vehicle's, in every step | both move the same body |
//! | inertia, that of all its colliders included | the vehicle's | both move the same body |
//! | damping | 0 | the vehicle has its own resistance to air and rolling |
//! | locked axes | none | the vehicle would push against them |
//!
//! Of the body of a chassis, damping and locked axes are its user's own choice.

use rapier3d::prelude::*;
use vehicle_core::error::ParamCheck;
use vehicle_core::rigid_body::RigidBodyParams;

/// Largest error of masses and moments of inertia, as a part of the vehicle's (dimensionless): far
/// more than rounding, and far less than what could be meant.
const TOLERANCE: Real = 1e-3;

/// Reports a body with gravity.
pub(crate) fn check_gravity(body: &RigidBody, check: &mut ParamCheck) {
    let scale = body.gravity_scale();
    let requirement = "0, because the vehicle brings its own gravity";
    check.require("gravity_scale", scale == 0.0, requirement, scale);
}

/// Whether `body` has the mass of `params`, with its center at `center_of_mass` (m).
pub(crate) fn has_mass(body: &RigidBody, params: &RigidBodyParams, center_of_mass: Vector) -> bool {
    let properties = &body.mass_properties().local_mprops;
    is_mass_of(properties.mass(), params)
        && is_center_of(properties.local_com, params, center_of_mass)
}

fn is_mass_of(mass: Real, params: &RigidBodyParams) -> bool {
    (mass - params.mass).abs() <= TOLERANCE * params.mass
}

fn is_center_of(center: Vector, params: &RigidBodyParams, expected: Vector) -> bool {
    // The radius of gyration tells how large the body is.
    let size_squared = params.inertia.max_element() / params.mass;
    center.distance_squared(expected) <= TOLERANCE * TOLERANCE * size_squared
}

/// Reports colliders of `body` with which it would have another mass than `params`, or its center
/// elsewhere, after it got these properties as its `own`.
pub(crate) fn check_collider_masses(
    body: &RigidBody,
    colliders: &ColliderSet,
    params: &RigidBodyParams,
    own: MassProperties,
    check: &mut ParamCheck,
) {
    let enabled = body.colliders().iter().filter_map(|&handle| colliders.get(handle));
    let properties = enabled.filter(|it| it.is_enabled()).map(|collider| {
        let place = collider.position_wrt_parent().copied().unwrap_or_default();
        collider.mass_properties().transform_by(&place)
    });
    let of_colliders = properties.fold(MassProperties::default(), std::ops::Add::add);
    let whole = own + of_colliders;
    let is_met =
        is_mass_of(whole.mass(), params) && is_center_of(whole.local_com, params, own.local_com);
    let requirement = "0 kg in all, as the vehicle's mass is that of body and colliders together: \
                       give them .density(0.0)";
    check.require("colliders.mass", is_met, requirement, of_colliders.mass());
}

/// Reports a body of another mass than `params`, or with its center of mass or its inertia
/// elsewhere than at `center_of_mass` (m).
pub(crate) fn check_mass(
    body: &RigidBody,
    params: &RigidBodyParams,
    center_of_mass: &Pose,
    check: &mut ParamCheck,
) {
    let properties = &body.mass_properties().local_mprops;
    let mass = properties.mass();
    let is_met = is_mass_of(mass, params);
    check.require("mass", is_met, format_args!("{} as the vehicle's (kg)", params.mass), mass);

    let expected = center_of_mass.translation;
    let is_met = is_center_of(properties.local_com, params, expected);
    let requirement = format_args!("{expected} as the actor's (m)");
    check.require("center_of_mass", is_met, requirement, properties.local_com);

    let inertia = params.inertia;
    let actual = properties.reconstruct_inertia_matrix();
    let axes = Matrix::from_quat(center_of_mass.rotation);
    let expected = axes * Matrix::from_diagonal(inertia) * axes.transpose();
    let most = TOLERANCE * inertia.max_element();
    let is_met = expected.abs_diff_eq(actual, most);
    let requirement = format_args!("{inertia} about the vehicle's axes (kg m²)");
    // The body's own principal axes may be in another order.
    let about = axes.transpose() * actual * axes;
    let about = Vector::new(about.x_axis.x, about.y_axis.y, about.z_axis.z);
    check.require("inertia", is_met, requirement, about);
}

/// Reports a body that is damped, or that cannot move freely.
pub(crate) fn check_freedom(body: &RigidBody, check: &mut ParamCheck) {
    let damping =
        [("linear_damping", body.linear_damping()), ("angular_damping", body.angular_damping())];
    for (name, damping) in damping {
        let requirement = "0, because the vehicle brings its own resistance";
        check.require(name, damping == 0.0, requirement, damping);
    }
    let locked = body.locked_axes();
    check.require("locked_axes", locked.is_empty(), "none", format_args!("{locked:?}"));
}
