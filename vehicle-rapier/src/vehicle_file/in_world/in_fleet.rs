//! Vehicles from files in a fleet.

use arrayvec::ArrayVec;
use rapier3d::prelude::*;
use vehicle_core::sequence::SIDE_BY_SIDE;

use super::{AnyDrive, AnyRapierVehicle, each};
use crate::actor::{Activity, Actor};
use crate::advance::{Outcome, advance_side_by_side};
use crate::detail::Detail;
use crate::fleet::member::steps::Steps;
use crate::fleet::{Kind, Member};
use crate::queries::Queries;
use crate::scene::Scene;
use crate::vehicle::StepError;

impl Member for AnyRapierVehicle {
    type Kind = Self;
}

impl Kind for AnyRapierVehicle {
    type Member = Self;
}

impl Steps for AnyRapierVehicle {
    fn actor(&self) -> &Actor {
        each!(&self.drive, car => &car.actor)
    }

    fn set_detail(&mut self, detail: Detail) {
        each!(&mut self.drive, car => car.set_detail(detail));
    }

    fn is_pulling(&self) -> bool {
        each!(&self.drive, car => Steps::is_pulling(&**car))
    }

    fn let_go(&mut self, bodies: &mut RigidBodySet) {
        each!(&mut self.drive, car => car.let_go(bodies));
    }

    fn begin(&mut self, scene: &mut Scene<'_>) -> Result<Activity, StepError> {
        each!(&mut self.drive, car => car.begin(scene))
    }

    /// Those of one kind side by side, with the bits that each gets alone.
    fn advance<'a>(
        members: impl Iterator<Item = (&'a mut Self, &'a mut Outcome)>,
        world: &Queries<'_>,
    ) {
        let mut direct = ArrayVec::<_, SIDE_BY_SIDE>::new();
        let mut engine = ArrayVec::<_, SIDE_BY_SIDE>::new();
        let mut motorcycle = ArrayVec::<_, SIDE_BY_SIDE>::new();
        let mut tank = ArrayVec::<_, SIDE_BY_SIDE>::new();
        let mut blocks = ArrayVec::<_, SIDE_BY_SIDE>::new();
        for (member, outcome) in members {
            match &mut member.drive {
                AnyDrive::Direct(car) => direct.push((&mut **car, outcome)),
                AnyDrive::Engine(car) => engine.push((&mut **car, outcome)),
                AnyDrive::Motorcycle(car) => motorcycle.push((&mut **car, outcome)),
                AnyDrive::Tank(car) => tank.push((&mut **car, outcome)),
                AnyDrive::Blocks(car) => blocks.push((&mut **car, outcome)),
            }
        }
        advance_side_by_side(direct, world);
        advance_side_by_side(engine, world);
        advance_side_by_side(motorcycle, world);
        advance_side_by_side(tank, world);
        advance_side_by_side(blocks, world);
    }

    fn end(&mut self, scene: &mut Scene<'_>) -> Result<(), StepError> {
        each!(&mut self.drive, car => car.end(scene))
    }
}
