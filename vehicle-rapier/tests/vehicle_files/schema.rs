//! The schema in the documentation is that of the files, and files keep to it.

use std::fs;

use serde_json::Value;
use vehicle_rapier::vehicle_file::{FileFormat, json_schema};

use super::TESTS;
use super::fleet_of_kinds::all;

#[test]
fn the_schema_in_the_documentation_is_current() {
    let path = format!("{TESTS}/../../docs/vehicle.schema.json");
    let current = serde_json::to_string_pretty(&json_schema()).expect("plain data") + "\n";
    let written = fs::read_to_string(&path).unwrap_or_default();
    if written != current {
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&path, current).expect("a folder that can be written");
            return;
        }
        panic!("docs/vehicle.schema.json is not current: run this test with UPDATE_SCHEMA=1");
    }
}

/// What in `value` is not as `schema` says, as far as this small reader of schemas knows.
fn fault(value: &Value, schema: &Value, root: &Value, path: &str) -> Option<String> {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(name.trim_start_matches('#')).expect("a definition");
        return fault(value, target, root, path);
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(Value::Array(choices)) = schema.get(choice) {
            let faults: Vec<_> =
                choices.iter().map(|each| fault(value, each, root, path)).collect();
            if faults.iter().all(Option::is_some) {
                let deepest = faults.into_iter().flatten().max_by_key(String::len);
                return deepest;
            }
        }
    }
    if let Some(expected) = schema.get("const") {
        return (value != expected).then(|| format!("{path}: {value} is not {expected}"));
    }
    if let Some(Value::Array(names)) = schema.get("enum") {
        return (!names.contains(value)).then(|| format!("{path}: {value} is none of {names:?}"));
    }
    let kinds: Vec<_> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"));
    if !is_kind {
        return Some(format!("{path}: {kind}, expected {kinds:?}"));
    }
    if let (Value::Array(items), Some(each)) = (value, schema.get("items")) {
        let numbered = items.iter().enumerate();
        return numbered
            .filter_map(|(index, item)| fault(item, each, root, &format!("{path}[{index}]")))
            .next();
    }
    let Value::Object(fields) = value else { return None };
    let known = schema.get("properties").and_then(Value::as_object);
    for (name, field) in fields {
        let path = format!("{path}.{name}");
        let found = match known.and_then(|known| known.get(name)) {
            Some(each) => fault(field, each, root, &path),
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                Some(format!("{path}: not known"))
            }
            None => None,
        };
        if found.is_some() {
            return found;
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let missing = required.filter_map(Value::as_str).find(|name| !fields.contains_key(*name));
    missing.map(|name| format!("{path}.{name}: missing"))
}

#[test]
fn files_of_every_kind_keep_to_the_schema() {
    let schema = json_schema();
    for (name, file) in all() {
        let text = file.to_text(FileFormat::Json).expect("a text");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let found = fault(&value, &schema, &schema, "");
        assert_eq!(found, None, "{name}");
    }
}

#[test]
fn the_schema_finds_misspelled_names() {
    let schema = json_schema();
    let (_, file) = all().swap_remove(0);
    let text = file.to_text(FileFormat::Json).expect("a text").replace("wheel_base", "wheelbase");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let found = fault(&value, &schema, &schema, "").expect("a fault");
    assert!(found.contains("wheelbase"), "{found}");
}
