//! What the documentation shows of files: each piece is read, and is one of a vehicle without
//! faults.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vehicle_rapier::core::math::Real;
use vehicle_rapier::core::tire::{NoLanes, TireInput, TireOutput};
use vehicle_rapier::prelude::*;
use vehicle_rapier::vehicle_file::{FileFormat, OwnTires, VehicleFile};

const PAGE: &str = include_str!("../../../docs/vehicle_files.md");

/// Where the page's tire file is.
const TIRES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicle-core/tests/data");

/// The fields that a block of code shows, with braces around it or not.
fn fields(block: &str) -> Map<String, Value> {
    let text = if block.starts_with('{') { block.to_owned() } else { format!("{{ {block} }}") };
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {block}"))
}

/// The tire of a program's own that the page names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Slick {
    stiffness: Real,
}

impl TireModel for Slick {
    type State = ();
    type Lanes = NoLanes;

    fn forces(&self, input: &TireInput<'_>, (): &mut ()) -> TireOutput {
        let longitudinal_force = self.stiffness * input.grip.load * input.slip.longitudinal;
        TireOutput { longitudinal_force, ..TireOutput::default() }
    }

    fn check(&self, check: &mut ParamCheck) {
        check.number("stiffness", self.stiffness, Bound::Positive);
    }
}

#[test]
fn pieces_of_files_on_the_page_are_those_of_vehicles_without_faults() {
    let blocks = PAGE.split("```json\n").skip(1).filter_map(|part| part.split("```").next());
    let blocks: Vec<_> = blocks.collect();
    let whole = fields(blocks.first().expect("a whole file"));
    let own = OwnTires::new().with::<Slick>("slick");
    let mut kinds = Vec::new();
    for block in &blocks {
        let mut file = whole.clone();
        let shown = fields(block);
        kinds.extend(shown.keys().cloned());
        file.extend(shown);
        let text = Value::Object(file).to_string();
        let file = VehicleFile::from_str(FileFormat::Json, &text)
            .unwrap_or_else(|error| panic!("{error}: {block}"));
        AnyVehicle::new_with(file, TIRES, &own).unwrap_or_else(|error| panic!("{error}: {block}"));
    }
    for field in ["version", "mechanics", "drive", "tires", "chassis"] {
        assert!(kinds.iter().any(|kind| kind == field), "{field} is shown: {kinds:?}");
    }
}
