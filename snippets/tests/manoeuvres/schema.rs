//! The schema in the documentation is that of the files, and the page knows all ready manoeuvres.

use std::fs;

use anyhow::Result;
use snippets::manoeuvres::json_schema;
use snippets::manoeuvres::ready::READY;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

#[test]
fn the_schema_in_the_documentation_is_current() -> Result<()> {
    let path = format!("{DOCS}/manoeuvre.schema.json");
    let current = serde_json::to_string_pretty(&json_schema())? + "\n";
    if fs::read_to_string(&path).unwrap_or_default() != current {
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&path, current)?;
            return Ok(());
        }
        panic!("docs/manoeuvre.schema.json is not current: run this test with UPDATE_SCHEMA=1");
    }
    Ok(())
}

#[test]
fn every_ready_manoeuvre_is_on_the_page_and_in_the_folder() -> Result<()> {
    let page = fs::read_to_string(format!("{DOCS}/manoeuvres.md"))?;
    for ready in &READY {
        let manoeuvre = ready.manoeuvre()?;
        assert!(page.contains(&format!("`{}`", ready.name)), "{} is not on the page", ready.name);
        assert!(
            !manoeuvre.source.is_empty() && !manoeuvre.description.is_empty(),
            "{}",
            ready.name
        );
        assert!(manoeuvre.figures.len() > 1, "{} has figures", ready.name);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/manoeuvres");
    assert_eq!(fs::read_dir(folder)?.count(), READY.len());
    Ok(())
}

/// What the page shows as a scenario is one.
#[test]
fn scenarios_of_the_page_can_be_driven() -> Result<()> {
    let page = fs::read_to_string(format!("{DOCS}/manoeuvres.md"))?;
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("steering.csv"), "t_s,handwheel_deg\n0,0\n0.5,-90\n")?;
    let blocks: Vec<_> = page.split("```json\n").skip(1).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let text = block.split("```").next().unwrap_or_default();
        let manoeuvre = snippets::manoeuvres::Manoeuvre::from_json(text, folder.path())?;
        let driven = manoeuvre.drive("hot_hatch", &snippets::measurements::Setting::default())?;
        assert!(matches!(driven, snippets::manoeuvres::Outcome::Driven(_)), "{driven:?}");
    }
    Ok(())
}
