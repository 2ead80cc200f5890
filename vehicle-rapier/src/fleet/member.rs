//! What a fleet takes in.

use rapier3d::prelude::*;

use self::steps::Steps;
use crate::actor::{Activity, Actor};
use crate::advance::{Outcome, advance_side_by_side};
use crate::detail::Detail;
use crate::drivable::Drivable;
use crate::queries::Queries;
use crate::scene::Scene;
use crate::towing::is_pulling;
use crate::vehicle::{RapierVehicle, StepError};

/// A vehicle in a world that a [`Fleet`](super::Fleet) takes in: a [`RapierVehicle`] of any type,
/// or one that was made of a file, an [`AnyRapierVehicle`](crate::AnyRapierVehicle).
pub trait Member: Steps + Sized + Send + Sync + 'static {
    /// The kind by which a fleet tells it from others.
    type Kind: Kind<Member = Self>;
}

/// A kind of vehicles in a fleet: a type that is [`Drivable`], or vehicles that were made of files,
/// [`AnyRapierVehicle`](crate::AnyRapierVehicle).
pub trait Kind: 'static {
    /// A vehicle of this kind in a world.
    type Member: Member<Kind = Self>;
}

impl<V: Drivable + Send + Sync + 'static> Member for RapierVehicle<V> {
    type Kind = V;
}

impl<V: Drivable + Send + Sync + 'static> Kind for V {
    type Member = RapierVehicle<V>;
}

/// The steps of a member, which a fleet alone takes.
pub(crate) mod steps {
    use super::{Activity, Actor, Detail, Outcome, Queries, RigidBodySet, Scene, StepError};

    /// The three phases of a step, and what they are told.
    pub trait Steps: Sized {
        /// Its body in the world.
        fn actor(&self) -> &Actor;
        /// Says how closely it is looked at.
        fn set_detail(&mut self, detail: Detail);
        /// Whether its driver pulls, as its last step says.
        fn is_pulling(&self) -> bool;
        /// Lets go of the road with its tires, and wakes its body.
        fn let_go(&mut self, bodies: &mut RigidBodySet);
        /// The first phase.
        fn begin(&mut self, scene: &mut Scene<'_>) -> Result<Activity, StepError>;
        /// The second phase of members that are awake, at most
        /// [`SIDE_BY_SIDE`](vehicle_core::sequence::SIDE_BY_SIDE).
        fn advance<'a>(
            members: impl Iterator<Item = (&'a mut Self, &'a mut Outcome)>,
            world: &Queries<'_>,
        ) where
            Self: 'a;
        /// The last phase.
        fn end(&mut self, scene: &mut Scene<'_>) -> Result<(), StepError>;
    }
}

impl<V: Drivable> Steps for RapierVehicle<V> {
    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn set_detail(&mut self, detail: Detail) {
        self.detail = detail;
    }

    fn is_pulling(&self) -> bool {
        is_pulling(&self.vehicle)
    }

    fn let_go(&mut self, bodies: &mut RigidBodySet) {
        self.let_go(bodies);
    }

    fn begin(&mut self, scene: &mut Scene<'_>) -> Result<Activity, StepError> {
        self.begin(scene)
    }

    fn advance<'a>(
        members: impl Iterator<Item = (&'a mut Self, &'a mut Outcome)>,
        world: &Queries<'_>,
    ) where
        Self: 'a,
    {
        advance_side_by_side(members, world);
    }

    fn end(&mut self, scene: &mut Scene<'_>) -> Result<(), StepError> {
        self.end(scene)
    }
}
