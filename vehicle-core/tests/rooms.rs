//! The rooms of this crate, its top-level modules, use each other in one direction: there is no
//! circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms each room names, and in which files.
type Graph = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// `source` without comments and without its tests, which may name any room.
fn code_of(source: &str) -> String {
    let library = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let line = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    library.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The rooms, and the room of each name that the crate's root exports.
fn rooms_and_exports(root: &str) -> (BTreeSet<String>, BTreeMap<String, String>) {
    let root = code_of(root);
    let declarations = root.split(';').map(str::trim);
    let mut rooms = BTreeSet::new();
    let mut exports = BTreeMap::new();
    for declaration in declarations {
        let declaration = declaration.strip_prefix("pub ").unwrap_or(declaration);
        if let Some(room) = declaration.strip_prefix("mod ") {
            rooms.insert(room.to_owned());
        } else if let Some(export) = declaration.strip_prefix("use ") {
            let mut words = words(export);
            let room = words.next().expect("a room").to_owned();
            exports.extend(words.map(|name| (name.to_owned(), room.clone())));
        }
    }
    (rooms, exports)
}

/// The names that `code` takes from the crate's root: `a` and `b` of `crate::a::X` and `crate::{b,
/// c::Y}`.
fn root_names(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = 0;
            for (index, c) in group.char_indices() {
                match c {
                    ',' | '}' if depth == 0 => {
                        names.extend(words(&group[start..index]).next().map(str::to_owned));
                        start = index + 1;
                        if c == '}' {
                            break;
                        }
                    }
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
            }
        } else {
            names.extend(words(rest).next().map(str::to_owned));
        }
    }
    names
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn graph() -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = fs::read_to_string(folder.join("lib.rs")).expect("the crate's root");
    let (rooms, exports) = rooms_and_exports(&root);
    let mut files = Vec::new();
    sources(&folder, &mut files);
    let mut graph = Graph::new();
    for file in files {
        let name = file.strip_prefix(&folder).expect("inside").display().to_string();
        let first = name.split(['/', '\\']).next().unwrap_or_default();
        let room = first.strip_suffix(".rs").unwrap_or(first);
        let is_test = name.ends_with("tests.rs")
            || name.ends_with("test_car.rs")
            || name.split(['/', '\\']).any(|part| part == "tests");
        // A prelude names whatever there is, and nothing of the crate names it.
        if is_test || matches!(room, "lib" | "prelude") {
            continue;
        }
        let code = code_of(&fs::read_to_string(&file).expect("a source file"));
        for used in root_names(&code) {
            let target = if rooms.contains(&used) { Some(&used) } else { exports.get(&used) };
            if let Some(target) = target.filter(|target| *target != room) {
                let uses = graph.entry(room.to_owned()).or_default();
                uses.entry(target.clone()).or_default().insert(name.clone());
            }
        }
    }
    graph
}

/// The rooms that can be reached from `room`.
fn reached(graph: &Graph, room: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![room.to_owned()];
    while let Some(next) = open.pop() {
        for used in graph.get(&next).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    found
}

/// Each use within a circle of rooms, with the files that make it.
fn circles(graph: &Graph) -> Vec<String> {
    let reach: BTreeMap<&str, _> =
        graph.keys().map(|room| (room.as_str(), reached(graph, room))).collect();
    let comes_back = |from: &str, to: &str| reach.get(to).is_some_and(|rooms| rooms.contains(from));
    graph
        .iter()
        .flat_map(|(from, uses)| uses.iter().map(move |(to, files)| (from, to, files)))
        .filter(|(from, to, _)| comes_back(from, to))
        .map(|(from, to, files)| format!("{from} -> {to} in {files:?}"))
        .collect()
}

#[test]
fn no_two_rooms_use_each_other() {
    let graph = graph();
    let circles = circles(&graph);
    assert!(circles.is_empty(), "rooms in a circle:\n{}", circles.join("\n"));
    // The whole crate has been read.
    let context_of_all = graph.values().filter(|uses| uses.contains_key("math")).count();
    assert!(30 < context_of_all, "{context_of_all} rooms that compute");
    assert!(graph["tire"].contains_key("suspension") && graph["vehicle"].contains_key("tire"));
}

#[test]
fn a_circle_is_told() {
    let files = || BTreeSet::from(["a.rs".to_owned()]);
    let uses =
        |room: &str, used: &str| (room.to_owned(), BTreeMap::from([(used.to_owned(), files())]));
    let graph = Graph::from([uses("a", "b"), uses("b", "c"), uses("c", "a"), uses("d", "a")]);
    let found = circles(&graph);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("a -> b in"), "{found:?}");
    let names = root_names("use crate::{A, b::{c, d}, e};\nlet x = crate::f::g();");
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["A", "b", "e", "f"]);
}
