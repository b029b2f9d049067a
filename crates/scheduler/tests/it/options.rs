//! The options by their names.
use loopwright_scheduler::Options;

#[test]
fn every_option_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scheduling.md");
    let text = std::fs::read_to_string(path).expect("the documentation is there");
    for name in Options::names() {
        let entry = format!("| `--schedule-{name}");
        assert!(text.lines().any(|line| line.starts_with(&entry)), "no row for {name}");
    }
}

#[test]
fn flags_are_set_and_unset() {
    for name in Options::names() {
        if Options::takes_value(&format!("schedule-{name}")) == Some(true) {
            continue;
        }
        let (mut on, mut off) = (Options::tiling(), Options::tiling());
        on.set(&format!("schedule-{name}"), None).expect("a flag");
        off.set(&format!("no-schedule-{name}"), None).expect("a flag");
        assert_ne!(on, off, "{name} does nothing");
    }
}

#[test]
fn values_that_are_none_are_refused() {
    let mut options = Options::tiling();
    for (name, value) in [
        ("schedule-algorithm", Some("fast")),
        ("schedule-max-coefficient", Some("x")),
        ("schedule-max-coefficient", None),
        ("schedule-split-scaled", Some("1")),
        ("no-schedule-algorithm", None),
        ("schedule-unknown", None),
        ("algorithm", Some("isl")),
    ] {
        assert!(options.set(name, value).is_err(), "{name} {value:?}");
    }
    assert_eq!(options, Options::tiling());
}
