//! The table of a tire from the command line: its forces, and clear answers to bad input.

use std::fs;
use std::process::Command;

use anyhow::Result;

const TIRE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicle-core/tests/data/205_60R15.tir");

/// What the program prints to the standard output, or to the other if it fails.
fn table(tire: &str, points: &str, options: &[&str]) -> Result<(bool, String)> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("points.csv");
    fs::write(&path, points)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tire_table"));
    let output = command.args(["--tir", tire]).arg("--points").arg(path).args(options).output()?;
    let has_worked = output.status.success();
    let text = if has_worked { output.stdout } else { output.stderr };
    Ok((has_worked, String::from_utf8(text)?))
}

#[test]
fn forces_are_added_to_the_columns() -> Result<()> {
    let points = "name,Fz,camber,slip_angle,slip_ratio\na,4000,0,0.02,0\nb,4000,0,0.10,-0.10\n";
    let (has_worked, text) = table(TIRE, points, &[])?;
    assert!(has_worked, "{text}");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("name,Fz,camber,slip_angle,slip_ratio,Fx,Fy,Mz"));
    // Fx and Fy (N)
    for (start, along, across) in
        [("a,4000,0,0.02,0,", None, -981.05), ("b,4000,0,0.10,-0.10,", Some(-2891.18), -2653.45)]
    {
        let line = lines.next().unwrap_or_default();
        let forces = line.strip_prefix(start).unwrap_or_else(|| panic!("{line}, {start}"));
        let forces: Vec<f64> = forces.split(',').map(str::parse).collect::<Result<_, _>>()?;
        assert_eq!(forces.len(), 3, "{line}");
        assert!((forces[1] - across).abs() < 0.5, "{line}");
        assert!(along.is_none_or(|along: f64| (forces[0] - along).abs() < 0.5), "{line}");
    }
    assert_eq!(lines.next(), None);
    Ok(())
}

#[test]
fn bad_input_is_named() -> Result<()> {
    let header = "camber,Fz,slip_ratio,slip_angle\n";
    let with = |line: &str| format!("{header}0,4000,0,0\n{line}\n");
    let cases = [
        (TIRE, "camber,Fz,slip_ratio\n".to_owned(), "no column `slip_angle`, only `camber`, `Fz`"),
        (TIRE, "Fz,camber,Fz,slip_ratio,slip_angle\n".to_owned(), "two columns `Fz`"),
        (
            TIRE,
            with("0,much,0,0"),
            "line 3 of the table of points: Fz must be a finite number, got `much`",
        ),
        (TIRE, with("0,NaN,0,0"), "Fz must be a finite number, got `NaN`"),
        (TIRE, with("0,-5,0,0"), "Fz must not be negative, got -5"),
        (TIRE, with("0,4000,0,1.6"), "slip_angle must be within a right angle, got 1.6 rad"),
        (TIRE, with("0,4000,0"), "the table of points is no CSV"),
        ("no.tir", with("0,4000,0,0"), "cannot read no.tir"),
    ];
    for (tire, points, expected) in cases {
        let (has_worked, text) = table(tire, &points, &[])?;
        assert!(!has_worked && text.contains(expected), "{points}: {text}, expected {expected}");
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("bad.tir");
    fs::write(&path, "[MODEL]\nFITTYP = 7\n")?;
    let (has_worked, text) = table(&path.to_string_lossy(), header, &[])?;
    assert!(!has_worked && text.contains("line 2, column 10: FITTYP must be 5"), "{text}");
    Ok(())
}
