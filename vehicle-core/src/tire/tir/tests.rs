//! Files of all dialects, their errors, and what mutations make of them.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::math::Real;
use crate::tire::magic_formula::{MagicFormulaInput, MagicFormulaVersion, OutOfRange};

const PUBLISHED: &str = include_str!("../../../tests/data/205_60R15.tir");

/// A file in the dialect of MSC, in other units, with tables, quotes and comments of all kinds.
const PAC2002: &str = "\
! a truck
$ in units of its own
[MDI_HEADER]
FILE_TYPE     ='tir'
FILE_VERSION  =3.0
[UNITS]
LENGTH = 'mm'   $all lengths
FORCE  = 'kilonewton'
ANGLE  = 'degrees'
MASS   = 'kg'
TIME   = 'second'
PRESSURE = 'bar'
[MODEL]
PROPERTY_FILE_FORMAT = 'PAC2002'
USE_MODE  = 14
VXLOW     = 1e3
LONGVL    = 16700
TYRESIDE  = 'RIGHT'
[DIMENSION]
UNLOADED_RADIUS = 5.1D+02
WIDTH   = 315  ! not the rim's
[SHAPE]
{radial width}
 1.0    0.0
 0.9    1.0
[VERTICAL]
VERTICAL_STIFFNESS = 0.9
FNOMIN  = 30
[OPERATING_CONDITIONS]
IP = 8
NOMPRES = 8
[SLIP_ANGLE_RANGE]
ALPMIN = -15
ALPMAX = 15
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.5
PKX1 = 12
[LATERAL_COEFFICIENTS]
PKY1 = -8
PHY3 = .03
[ALIGNING_COEFFICIENTS]
QBZ4 = 0.1
";

/// The line that tells the version in the published file.
const FITTYP: &str = "FITTYP                   = 61";

/// A file of every dialect: the published tire by the versions of the formulas, as its number says
/// or as the name of the format does, and the truck's.
fn dialects() -> Vec<String> {
    let versions = ["5", "6", "21", "51", "52", "60", "61", "62"];
    let published = versions.map(|version| {
        let text = PUBLISHED.replace(FITTYP, &FITTYP.replace("61", version));
        assert!(version == "61" || text != PUBLISHED);
        text
    });
    let named = PUBLISHED.replace(FITTYP, "PROPERTY_FILE_FORMAT = 'MF_05'");
    published.into_iter().chain([named, PAC2002.to_owned()]).collect()
}

#[test]
fn files_of_every_dialect_are_tires() {
    let versions: Vec<_> = dialects()
        .iter()
        .map(|text| {
            let file = TirFile::parse(text).unwrap();
            assert!(answers(&file), "{text}");
            assert_eq!(TirFile::parse(&file.write()).unwrap().tire, file.tire);
            file.tire.version
        })
        .collect();
    use MagicFormulaVersion::{V5_2, V6_0, V6_1, V6_2};
    assert_eq!(versions, [V5_2, V5_2, V5_2, V5_2, V5_2, V6_0, V6_1, V6_2, V5_2, V5_2]);
}

fn remarks(file: &TirFile) -> Vec<String> {
    file.notices.iter().map(ToString::to_string).collect()
}

#[test]
fn published_tire_is_read() {
    let file = TirFile::parse(PUBLISHED).unwrap();
    assert_eq!(file.tire.version, MagicFormulaVersion::V6_1);
    assert_eq!(file.side, Some(TireSide::Left));
    assert_eq!(file.tire.dimension.unloaded_radius, 0.3135);
    assert_eq!(file.tire.lateral.pey4, -6.697);
    assert_eq!(file.tire.aligning.qdz9, 0.00915);
    assert_eq!(remarks(&file).join("; "), "");
}

#[test]
fn units_of_the_file_are_honored() {
    let file = TirFile::parse(PAC2002).unwrap();
    let tire = &file.tire;
    let close = |actual: Real, expected: Real| {
        assert!((actual / expected - 1.0).abs() < 1e-6, "{actual}, {expected}");
    };
    assert_eq!(tire.version, MagicFormulaVersion::V5_2);
    close(tire.dimension.unloaded_radius, 0.51);
    close(tire.dimension.width, 0.315);
    close(tire.vertical.fnomin, 30e3);
    close(tire.vertical.vertical_stiffness, 900e3);
    close(tire.pressure.inflpres, 8e5);
    close(tire.model.longvl, 16.7);
    close(tire.slip_angle_range.alpmax, 15.0_f32.to_radians());
    assert_eq!(tire.lateral.pky1, -8.0);
    assert_eq!(file.use_mode, Some(14));
    assert_eq!(file.side, Some(TireSide::Right));
    assert_eq!(file.comments, ["a truck", "in units of its own"]);
    assert_eq!(file.tables[0].columns, ["radial", "width"]);
    assert_eq!(file.tables[0].rows, [[1.0, 0.0], [0.9, 1.0]]);
    assert_eq!(file.texts[0].text, "tir");
}

#[test]
fn units_hold_wherever_their_section_is() {
    let text = "[MODEL]\nFITTYP=62\n[DIMENSION]\nUNLOADED_RADIUS=30\n[VERTICAL]\nFNOMIN=4000\n\
                VERTICAL_STIFFNESS=2000\n[UNITS]\nLENGTH='cm'\n";
    let tire = TirFile::parse(text).unwrap().tire;
    assert!((tire.dimension.unloaded_radius - 0.3).abs() < 1e-6);
    assert!((tire.vertical.vertical_stiffness - 200e3).abs() < 0.1);
}

#[test]
fn what_is_written_is_read_again() {
    let versions = ["5", "6", "60", "61", "62"];
    let others = versions.map(|version| PUBLISHED.replace("= 61", &format!("= {version}")));
    let mf05 = PAC2002.replace("PAC2002", "MF_05").replace("USE_MODE", "FITTYP = 5\nUSE_MODE");
    for text in others.iter().map(String::as_str).chain([PAC2002, &mf05]) {
        let file = TirFile::parse(text).unwrap();
        let written = file.write();
        let again = TirFile::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again, TirFile { notices: Vec::new(), ..file }, "{written}");
    }
}

#[test]
fn faults_have_line_and_column() {
    let cases = [
        (
            "UNLOADED_RADIUS          = 0.3135",
            "UNLOADED_RADIUS = x3",
            "line 18, column 19: UNLOADED_RADIUS must be a number, got `x3`",
        ),
        (
            "FNOMIN                   = 4000",
            "FNOMIN = -4",
            "line 26, column 10: FNOMIN must be within [1, 1e7], got -4",
        ),
        ("[VERTICAL]", "[VERTICAL", "line 25, column 1: a section must be a name in brackets"),
        ("'newton'", "'newto", "line 8, column 28: the text is not closed by a quote"),
        ("'newton'", "'mutton'", "line 8, column 29: FORCE must be one of newton"),
        (
            "= 61",
            "= 7",
            "line 13, column 28: FITTYP must be 5, 6, 21, 51, 52, 60, 61 or 62, got `7`",
        ),
        (
            "PCX1                     = 1.579",
            "PCX1 1.579",
            "line 50, column 1: expected `KEY = value`",
        ),
        (
            "PCX1                     = 1.579",
            "PCX1 = 1.579 2",
            "line 50, column 14: expected the end",
        ),
        (
            "PCX1                     = 1.579",
            "PCX1 = 'a'",
            "line 50, column 9: PCX1 must be a number, got `'a'`",
        ),
        (
            "PCX1                     = 1.579",
            "PCX1 = nan",
            "line 50, column 8: PCX1 must be a number, got `nan`",
        ),
        ("FNOMIN ", "FNOMINAL ", "FNOMIN must be given"),
        ("[MDI_HEADER]", "A = 3", "line 1, column 1: expected a section before the first value"),
    ];
    for (from, to, expected) in cases {
        assert!(PUBLISHED.contains(from), "{from}");
        let error = TirFile::parse(&PUBLISHED.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn what_is_odd_is_told() {
    let text = PUBLISHED
        .replacen("PCX1 ", "PCX9 ", 1)
        .replacen("PDX2 ", "PDX1 ", 1)
        .replacen("PDX3                     = 0", "PDX3 =", 1)
        .replacen("'LEFT'", "'UNKNOWN'", 1);
    let file = TirFile::parse(&text).unwrap();
    assert_eq!(
        remarks(&file),
        [
            "line 14, column 29: the side `UNKNOWN` of the vehicle is not known",
            "line 50, column 1: PCX9 is not known and has no influence",
            "line 52, column 1: PDX1 is given again, after line 51; this value counts",
            "line 53, column 1: PDX3 has no value; the usual one is taken",
        ]
    );
}

/// Ranges as files have them: of one side of zero, of next to one, and of nothing, each with what
/// is told of it.
const RANGES: [(&str, &str); 8] = [
    (
        "[LONG_SLIP_RANGE]\nKPUMIN = -1\nKPUMAX = 0\n",
        "KPUMAX: the tire was measured at a slip ratio from -1 to 0 only",
    ),
    (
        "[LONG_SLIP_RANGE]\nKPUMIN = -0.8\nKPUMAX = 0.01\n",
        "KPUMAX: the tire was measured at a slip ratio from -0.8 to 0.01 only",
    ),
    (
        "[LONG_SLIP_RANGE]\nKPUMIN = 0.02\nKPUMAX = 0.4\n",
        "KPUMIN: the tire was measured at a slip ratio from 0.02 to 0.4 only",
    ),
    (
        "[LONG_SLIP_RANGE]\nKPUMIN = 0\nKPUMAX = 0\n",
        "KPUMIN: the tire was not measured at a slip ratio",
    ),
    (
        "[SLIP_ANGLE_RANGE]\nALPMIN = 0\nALPMAX = 0.25\n",
        "ALPMIN: the tire was measured at a slip angle from 0 to 0.25 only",
    ),
    (
        "[SLIP_ANGLE_RANGE]\nALPMIN = -0.25\nALPMAX = -0.01\n",
        "ALPMAX: the tire was measured at a slip angle from -0.25 to -0.01 only",
    ),
    (
        "[INCLINATION_ANGLE_RANGE]\nCAMMIN = 0\nCAMMAX = 0.1\n",
        "CAMMIN: the tire was measured at a camber from 0 to 0.1 only",
    ),
    ("[INCLINATION_ANGLE_RANGE]\nCAMMIN = 0\nCAMMAX = 0\n", ""),
];

#[test]
fn files_of_every_dialect_and_range_drive_brake_and_corner_both_ways() {
    for dialect in dialects() {
        // Numbers of this length unit are angles in radians.
        let dialect = dialect.replace("ANGLE  = 'degrees'", "ANGLE = 'radians'");
        let dialect = dialect.replace("ALPMIN = -15\nALPMAX = 15\n", "");
        for (range, told) in RANGES {
            let file = TirFile::parse(&format!("{dialect}{range}")).unwrap();
            let remarks = remarks(&file).join("; ");
            let is_told = if told.is_empty() { remarks.is_empty() } else { remarks.contains(told) };
            assert!(is_told, "{range}: {remarks}");
            let tire = file.tire.formulas(OutOfRange::default());
            let load = file.tire.vertical.fnomin;
            let at = |slip_ratio: Real, slip_tangent: Real, inclination: Real| {
                let asked = MagicFormulaInput {
                    load,
                    slip_ratio,
                    slip_tangent,
                    inclination,
                    inflation_pressure: 0.0,
                    friction: 1.0,
                    forward_speed: 20.0,
                };
                tire.output(&asked)
            };
            for side in [-1.0, 1.0] {
                let along = side * at(side * 0.1, 0.0, 0.0).longitudinal_force / load;
                assert!(0.5 < along, "{range}: {along} of the load at a slip of {}", side * 0.1);
                let across = -side * at(0.0, side * 0.1, 0.0).lateral_force / load;
                assert!(
                    0.4 < across,
                    "{range}: {across} of the load at a tangent of {}",
                    side * 0.1
                );
            }
            let rolls = at(0.0, 0.0, 0.0);
            let pushes = rolls.longitudinal_force.hypot(rolls.lateral_force) / load;
            assert!(pushes < 0.03, "{range}: {pushes} of the load without slip");
            // Camber pushes to one side as to the other, if it does.
            let [right, left] = [0.05, -0.05].map(|camber| at(0.0, 0.0, camber).lateral_force);
            let [right, left] = [right - rolls.lateral_force, left - rolls.lateral_force];
            assert!((right + left).abs() < 0.02 * load, "{range}: {right} N, {left} N");
        }
    }
}

#[test]
fn formulas_of_another_kind_are_told() {
    for format in ["PAC89", "pac94", "FIALA"] {
        let text = PAC2002.replace("PAC2002", format);
        let error = TirFile::parse(&text).unwrap_err().to_string();
        let expected = format!(
            "PROPERTY_FILE_FORMAT must be a Magic Formula of 5.2 or later, such as PAC2002, got `{format}`"
        );
        assert!(error.contains(&expected), "{error}");
    }
}

/// Whether the tire of a file answers with numbers.
fn answers(file: &TirFile) -> bool {
    let load = file.tire.vertical.fnomin;
    [OutOfRange::Mirror, OutOfRange::Clamp, OutOfRange::Extrapolate].into_iter().all(
        |out_of_range| {
            let tire = file.tire.formulas(out_of_range);
            [(0.0, 0.0), (0.1, -0.1), (-1.0, 0.3), (1e9, 1e9)].into_iter().all(
                |(ratio, tangent)| {
                    [0.0, 0.3, 1.0, 50.0].into_iter().all(|share| {
                        let output = tire.output(&MagicFormulaInput {
                            load: load * share,
                            slip_ratio: ratio,
                            slip_tangent: tangent,
                            inclination: 0.1,
                            inflation_pressure: 150e3,
                            friction: 0.8,
                            forward_speed: 20.0,
                        });
                        let forces = output.longitudinal_force + output.lateral_force;
                        let moments = output.aligning_moment
                            + output.overturning_moment
                            + output.rolling_moment;
                        forces.is_finite() && moments.is_finite()
                    })
                },
            )
        },
    )
}

/// The text with the bytes at `places` replaced, removed, doubled or swapped for another part of
/// it.
fn mutated(text: &str, changes: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for &(place, kind, byte) in changes {
        let place = place % bytes.len().max(1);
        if bytes.is_empty() {
            bytes.push(byte);
        }
        match kind % 6 {
            0 => bytes[place] = byte,
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, byte),
            3 => bytes.truncate(place.max(1)),
            4 => {
                let end = bytes.len().min(place + usize::from(byte));
                bytes.drain(place..end.max(place + 1).min(bytes.len()));
                if bytes.is_empty() {
                    bytes.push(b'\n');
                }
            }
            _ => {
                // Digits make other numbers, most of them far off.
                let digits = b"0123456789eE-+.";
                bytes[place] = digits[usize::from(byte) % digits.len()];
            }
        }
    }
    bytes
}

/// A reproducible run of so many cases.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::with_cases(count)
    }
}

proptest! {
    #![proptest_config(cases(12_000))]

    #[test]
    fn mutations_are_an_error_or_a_tire(
        dialect in prop::sample::select(dialects()),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..6),
    ) {
        let bytes = mutated(&dialect, &changes);
        match TirFile::parse_bytes(&bytes) {
            Ok(file) => {
                prop_assert!(answers(&file), "no number:\n{}", String::from_utf8_lossy(&bytes));
                prop_assert!(TirFile::parse(&file.write()).is_ok(), "{}", file.write());
            }
            Err(error) => {
                let lines = bytes.split(|byte| *byte == b'\n').count();
                prop_assert!((1..=lines).contains(&error.position.line), "{error}");
                prop_assert!(1 <= error.position.column && !error.to_string().is_empty());
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn numbers_out_of_all_bounds_are_an_error_or_a_tire(
        line in 20_usize..200,
        number in prop_oneof![-1e6..1e6_f64, -100.0..100.0_f64, Just(1e30), Just(0.0), Just(1e-30)],
        others in prop::collection::vec((20_usize..200, -1e5..1e5_f64), 0..30),
    ) {
        let mut lines: Vec<String> = PUBLISHED.lines().map(str::to_string).collect();
        for (line, number) in others.into_iter().chain([(line, number)]) {
            let line = line % lines.len();
            if let Some(sign) = lines[line].find('=') {
                lines[line] = format!("{}= {number}", &lines[line][..sign]);
            }
        }
        if let Ok(file) = TirFile::parse(&lines.join("\n")) {
            prop_assert!(answers(&file), "{}", lines.join("\n"));
        }
    }
}
