//! The table of isl's names: every name of ours in it exists.

use std::collections::BTreeSet;

const TABLE: &str = include_str!("../../../../docs/isl-names.md");

/// The text of all sources of this crate and of the crates that the table names.
fn sources() -> String {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut text = String::new();
    let names = ["presburger", "exact", "schedule", "scheduler", "astgen", "dataflow"];
    let mut pending: Vec<_> = names.iter().map(|name| crates.join(name).join("src")).collect();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => pending.push(path),
                false => text.push_str(&std::fs::read_to_string(path).unwrap()),
            }
        }
    }
    text
}

/// The type that an `impl` line is about.
fn owner_of(line: &str) -> Option<String> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        rest = rest.split_once("> ")?.1;
    }
    let subject = rest.split_once(" for ").map_or(rest, |(_, subject)| subject).trim_start();
    let end = subject.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(subject.len());
    Some(subject[..end].to_owned())
}

/// `Type::method` for all public methods; methods that macros make have no type.
fn methods(sources: &str) -> BTreeSet<String> {
    let mut methods = BTreeSet::new();
    let mut owner = String::new();
    for line in sources.lines() {
        if let Some(found) = owner_of(line) {
            owner = found;
        }
        let method =
            line.trim_start().strip_prefix("pub fn ").and_then(|l| l.split(['(', '<']).next());
        if let Some(method) = method {
            methods.insert(format!("{owner}::{method}"));
        }
    }
    methods
}

#[test]
fn every_name_exists() {
    let sources = sources();
    let methods = methods(&sources);
    let mut n_names = 0;
    for row in TABLE.lines().filter(|line| line.starts_with("| `")) {
        let ours = row.split(" | ").nth(1).unwrap();
        for name in ours.split('`').skip(1).step_by(2) {
            n_names += 1;
            let is_item = || {
                let kinds = ["struct", "enum", "type", "fn"];
                kinds.iter().any(|kind| sources.contains(&format!("pub {kind} {name}")))
            };
            let method = name.rsplit("::").next().unwrap();
            let is_made_by_macro = || {
                sources.contains(&format!("    {method},\n"))
                    || sources.contains(&format!(" {method}, "))
            };
            let is_elsewhere =
                ["to_string", "zip"].contains(&name) || name.starts_with("loopwright-");
            let exists = is_elsewhere || methods.contains(name) || is_item() || is_made_by_macro();
            assert!(exists, "{row}: {name}");
        }
    }
    assert!(n_names > 90, "{n_names} names");
}
