//! Every public item of this crate and of the exact numbers shows in an example what it does.
//!
//! The sources are read line by line: an item is a line that starts with `pub` (or a method of a
//! public trait), its documentation is what stands in comments and attributes directly above it.

use std::path::{Path, PathBuf};

/// The kinds of items that need an example. Fields and variants are shown where their type is.
const KINDS: [&str; 7] = ["const fn ", "fn ", "struct ", "enum ", "trait ", "type ", "const "];

/// Fences of examples that are not compiled into one program with all others, or not run.
const FORBIDDEN: [&str; 4] = ["```ignore", "```no_run", "```should_panic", "```compile_fail"];

/// The lines of a source, numbered, without its module of tests.
fn lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_tests = |line: &str| line.starts_with("mod ") && line.ends_with("tests {");
    source.lines().enumerate().take_while(move |(_, line)| !is_tests(line))
}

/// Whether a line starts a public item; in a public trait all methods are public.
fn is_public_item(line: &str, in_trait: bool) -> bool {
    let line = line.trim_start();
    let item = if in_trait { Some(line) } else { line.strip_prefix("pub ") };
    item.is_some_and(|item| KINDS.iter().any(|kind| item.starts_with(kind)))
}

/// The numbers of the lines with a public item that has no example.
fn items_without_example(source: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut has_example, mut in_trait) = (false, false);
    for (index, line) in lines(source) {
        let text = line.trim_start();
        if text.starts_with("///") || text.starts_with("#[") {
            has_example |= text == "/// ```";
            continue;
        }
        if is_public_item(line, in_trait) && !has_example {
            found.push(index + 1);
        }
        in_trait = line.starts_with("pub trait ") || in_trait && line != "}";
        has_example = false;
    }
    found
}

/// All sources below a folder but those that are compiled for tests only.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    let mut test_modules = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(self::sources(&path));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let declarations = text.split("#[cfg(test)]\nmod ").skip(1);
        test_modules.extend(declarations.filter_map(|rest| {
            let (name, _) = rest.split_once(";\n")?;
            Some(folder.join(format!("{name}.rs")))
        }));
        sources.push((path, text));
    }
    sources.retain(|(path, _)| !test_modules.contains(path));
    sources
}

#[test]
fn every_public_item_has_an_example() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut missing = Vec::new();
    for (path, text) in
        ["exact", "presburger"].iter().flat_map(|c| sources(&crates.join(c).join("src")))
    {
        let place = path.strip_prefix(crates).unwrap().display().to_string();
        for number in items_without_example(&text) {
            let item = text.lines().nth(number - 1).unwrap().trim();
            missing.push(format!("{place}:{number}: {item}"));
        }
        for fence in FORBIDDEN {
            assert!(!text.contains(fence), "{place}: {fence}");
        }
    }
    assert!(missing.is_empty(), "public items without an example:\n{}", missing.join("\n"));
}

#[test]
fn items_and_examples_are_recognized() {
    let source = "\
/// Has one.
///
/// ```
/// assert!(true);
/// ```
#[derive(Clone)]
pub struct Shown;

/// Has none.
pub struct Hidden;

pub(crate) struct Inner;

/// ```
/// ```
pub trait Shape {
    /// Has none.
    fn area(&self) -> u64;
}

impl Hidden {
    pub fn undocumented(&self) {}
    fn inner(&self) {}
}

#[cfg(test)]
mod tests {
    pub fn helper() {}
}
";
    assert_eq!(items_without_example(source), [10, 18, 22]);
}
