//! What the schema of vehicle files says of the numbers in one.

use serde_json::Value;

/// The schema, which is made of the documentation of all parameters.
const SCHEMA: &str = include_str!("../../../docs/vehicle.schema.json");

/// What is no number to turn: names of fields.
const SKIPPED: [&str; 9] = [
    "version",
    "frame",
    "chassis",
    "hitches",
    "road_query",
    "attachment",
    "wheel_attachment",
    "travel_direction",
    "spin_axes",
];

/// A number in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// Where it is: a JSON pointer.
    pub(crate) pointer: String,
    /// What it is.
    pub(crate) doc: String,
}

/// The schema as data.
pub(crate) struct Schema(Value);

impl Schema {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self(serde_json::from_str(SCHEMA)?))
    }

    /// All real numbers of `file` that can be turned one by one, without the points of long curves.
    pub(crate) fn leaves(&self, file: &Value) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.walk(file, &self.0, String::new(), "", &mut leaves);
        leaves
    }

    fn walk(
        &self,
        value: &Value,
        node: &Value,
        pointer: String,
        doc: &str,
        leaves: &mut Vec<Leaf>,
    ) {
        let doc = node["description"].as_str().unwrap_or(doc);
        match value {
            Value::Number(_) if self.any(node, &|node| node["format"] == "float") => {
                leaves.push(Leaf { pointer, doc: first_paragraph(doc) });
            }
            Value::Object(fields) => {
                for (key, inner) in
                    fields.iter().filter(|(key, _)| !SKIPPED.contains(&key.as_str()))
                {
                    if let Some(found) = self.find(node, &|node| node["properties"].get(key)) {
                        self.walk(inner, found, format!("{pointer}/{key}"), doc, leaves);
                    }
                }
            }
            Value::Array(items) if !self.any(node, &is_curve) => {
                for (index, inner) in items.iter().enumerate() {
                    let of_pair = |node: &Value| node.get("prefixItems").is_some();
                    if self.any(node, &of_pair) && index + 1 < items.len() {
                        continue; // Of a point, what depends.
                    }
                    let item = |node| item(node, index);
                    if let Some(found) = self.find(node, &item) {
                        self.walk(inner, found, format!("{pointer}/{index}"), doc, leaves);
                    }
                }
            }
            _ => {}
        }
    }

    /// What `of` finds in `node`, in what it refers to or in one of its variants.
    fn find<'a>(
        &'a self,
        node: &'a Value,
        of: &dyn Fn(&'a Value) -> Option<&'a Value>,
    ) -> Option<&'a Value> {
        if let Some(found) = of(node) {
            return Some(found);
        }
        let named = node["$ref"].as_str().and_then(|name| self.0.pointer(name.strip_prefix('#')?));
        let variants = ["oneOf", "anyOf"].into_iter().filter_map(|key| node[key].as_array());
        named.into_iter().chain(variants.flatten()).find_map(|inner| self.find(inner, of))
    }

    /// Whether that is so of `node`, of what it refers to or of one of its variants.
    fn any<'a>(&'a self, node: &'a Value, is_so: &dyn Fn(&'a Value) -> bool) -> bool {
        self.find(node, &|node| is_so(node).then_some(node)).is_some()
    }
}

/// A list of any number of points.
fn is_curve(node: &Value) -> bool {
    node["items"].get("prefixItems").is_some() && node.get("maxItems").is_none()
}

fn item(node: &Value, index: usize) -> Option<&Value> {
    node.get("prefixItems").and_then(|items| items.get(index)).or_else(|| node.get("items"))
}

fn first_paragraph(doc: &str) -> String {
    let paragraph = doc.split("\n\n").next().unwrap_or_default();
    paragraph.replace('\n', " ").replace('`', "")
}

/// The unit in a description, which stands in parentheses: empty for numbers without one.
///
/// A range, such as `(0, 1)`, is none.
pub(crate) fn unit(doc: &str) -> &str {
    let inside = doc.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    let first = |text: &'_ str| text.split([',', ';']).next().unwrap_or_default().len();
    let units = inside.map(|text| text[..first(text)].trim());
    let is_unit = |text: &&str| {
        text.chars().next().is_some_and(|letter| !letter.is_ascii_digit()) && !text.contains(' ')
    };
    units.filter(is_unit).last().filter(|unit| *unit != "dimensionless").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_found_through_references_variants_and_lists() {
        let file = json!({
            "version": 1,
            "mechanics": { "data_sheet": { "mass": 1.0, "size": [4.0, 2.0, 1.0], "front_share": 0.5 } },
            "tires": [{ "brush": { "friction_vs_slip": [[0.0, 1.0], [0.1, 1.1], [1.0, 0.9]] } }],
            "drive": { "engine": {
                "engine": { "torque_curve": [[0.0, 1.0], [1.0, 1.0]], "peak_torque": 200.0 },
                "clutch": { "capacity": 300.0 }, "gearbox": { "neutral": 1, "ratios": [-3.0, 0.0, 3.0] }
            } }
        });
        let leaves = Schema::new().unwrap().leaves(&file);
        let pointers: Vec<_> = leaves.iter().map(|leaf| leaf.pointer.as_str()).collect();
        let expected = [
            "/drive/engine/clutch/capacity",
            "/drive/engine/engine/peak_torque",
            "/drive/engine/gearbox/ratios/0",
            "/drive/engine/gearbox/ratios/1",
            "/drive/engine/gearbox/ratios/2",
            "/mechanics/data_sheet/front_share",
            "/mechanics/data_sheet/mass",
            "/mechanics/data_sheet/size/0",
            "/mechanics/data_sheet/size/1",
            "/mechanics/data_sheet/size/2",
            "/tires/0/brush/friction_vs_slip/0/1",
            "/tires/0/brush/friction_vs_slip/1/1",
            "/tires/0/brush/friction_vs_slip/2/1",
        ];
        assert_eq!(pointers, expected);
        assert_eq!(leaves[6].doc, "Mass, wheels included (kg).");
        assert!(leaves[0].doc.starts_with("Largest torque when engaged"), "{}", leaves[0].doc);
    }

    #[test]
    fn no_unit_is_a_path_in_the_code() {
        fn check(node: &Value) {
            if let Some(doc) = node["description"].as_str() {
                let doc = first_paragraph(doc);
                assert!(!unit(&doc).contains("::"), "{doc}");
            }
            match node {
                Value::Object(fields) => fields.values().for_each(check),
                Value::Array(items) => items.iter().for_each(check),
                _ => {}
            }
        }
        check(&Schema::new().unwrap().0);
    }

    #[test]
    fn units_stand_in_the_last_parentheses() {
        for (doc, expected) in [
            ("Mass, wheels included (kg).", "kg"),
            ("Stiffness of the bar (N/m), 0 for none.", "N/m"),
            ("Part of the weight that the front axle carries, in (0, 1).", ""),
            ("Principal moments (kg·m², body frame). In no body is one above.", "kg·m²"),
            ("Damping of the suspension, 1 for critical (dimensionless).", ""),
            ("How it is.", ""),
        ] {
            assert_eq!(unit(doc), expected, "{doc}");
        }
    }
}
