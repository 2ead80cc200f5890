//! What comes of trees, whatever their format.

use serde::Deserialize;

use super::super::format::FileFormat;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Axle {
    track: Width,
    #[serde(default)]
    camber: Option<f32>,
    kind: Kind,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Width(f32);

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Rigid,
    Sprung { rates: [f32; 2] },
}

fn read(format: FileFormat, text: &str) -> Result<Vec<Axle>, (String, String)> {
    #[derive(Deserialize)]
    struct Axles {
        axles: Vec<Axle>,
    }
    let read: Result<Axles, _> = format.read(text);
    read.map(|it| it.axles).map_err(|fault| (fault.path, fault.message))
}

#[test]
fn all_formats_say_the_same() {
    let axles = [
        Axle { track: Width(1.5), camber: Some(0.1), kind: Kind::Rigid },
        Axle { track: Width(2.0), camber: None, kind: Kind::Sprung { rates: [1e4, 2.5] } },
    ];
    let json = r#"{ "axles": [
        { "track": 1.5, "camber": 0.1, "kind": "rigid" },
        { "track": 2, "camber": null, "kind": { "sprung": { "rates": [1e4, 2.5] } } }
    ] }"#;
    assert_eq!(read(FileFormat::Json, json), Ok(axles.into()));
    #[cfg(feature = "all-formats")]
    for axle in ["Axle", ""] {
        let axles = [
            Axle { track: Width(1.5), camber: Some(0.1), kind: Kind::Rigid },
            Axle { track: Width(2.0), camber: None, kind: Kind::Sprung { rates: [1e4, 2.5] } },
        ];
        let ron = format!(
            "(axles: [{axle}(track: (1.5), camber: 0.1, kind: rigid), {axle}(track: Width(2), \
             camber: None, kind: sprung(rates: (1e4, 2.5)))])"
        );
        assert_eq!(read(FileFormat::Ron, &ron), Ok(axles.into()), "{ron}");
    }
}

#[test]
fn faults_name_the_value_and_where_it_is() {
    let axle = |track: &str, rest: &str| {
        let text = format!(r#"{{ "axles": [{{ "track": {track}, {rest} }}] }}"#);
        read(FileFormat::Json, &text).unwrap_err()
    };
    let rigid = r#""kind": "rigid""#;
    for (track, rest, path, message) in [
        ("[1.5]", rigid, "axles[0].track", "invalid type: sequence, expected f32"),
        ("1e300", rigid, "axles[0].track", "number out of range"),
        ("\"wide\"", rigid, "axles[0].track", "invalid type: string \"wide\", expected f32"),
        (
            "1",
            r#""kind": { "sprung": { "rates": [1, 2, 3] } }"#,
            "axles[0].kind.sprung.rates",
            "invalid length 3, expected 2 elements",
        ),
        (
            "1",
            r#""kind": { "sprung": { "rates": [1, true] } }"#,
            "axles[0].kind.sprung.rates[1]",
            "invalid type: boolean `true`, expected f32",
        ),
        (
            "1",
            r#""kind": { "rigid": null, "sprung": null }"#,
            "axles[0].kind",
            "expected one of `rigid` or `sprung`, got `rigid` and `sprung`",
        ),
        ("1", "\"camber\": 0", "axles[0]", "missing field `kind`"),
        ("1, \"track\": 2", rigid, "axles[0]", "duplicate field `track`"),
    ] {
        assert_eq!(axle(track, rest), (path.to_owned(), message.to_owned()));
    }
}
