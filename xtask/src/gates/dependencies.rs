//! Dependencies that nothing uses.
//!
//! A dependency is used if its name is a word of the code that it is declared for. `cargo machete` does the
//! same; here nothing has to be installed.
use super::source::{Source, roots};
use super::workspace::{Package, read_toml, rust_files};
use crate::repository;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

/// The folders of a crate that may use dependencies for development.
const DEVELOPMENT: [&str; 4] = ["src", "tests", "examples", "benches"];

/// A line per dependency that is not used.
pub(super) fn unused(packages: &[Package]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut declared = BTreeSet::new();
    for package in packages {
        let used = words_without_tests(package)?;
        for table in dependency_tables(&package.manifest, "dependencies") {
            declared.extend(table.keys().cloned());
            let unused = table.keys().filter(|name| !used.contains(&name.replace('-', "_")));
            found.extend(unused.map(|name| format!("{}: {name}", package.name)));
        }
        let used = DEVELOPMENT.iter().map(|folder| words(&package.folder.join(folder)));
        let used: BTreeSet<String> =
            used.collect::<Result<Vec<_>, _>>()?.concat().into_iter().collect();
        for table in dependency_tables(&package.manifest, "dev-dependencies") {
            declared.extend(table.keys().cloned());
            let unused = table.keys().filter(|name| !used.contains(&name.replace('-', "_")));
            found.extend(unused.map(|name| format!("{} (for development): {name}", package.name)));
        }
    }
    let workspace = read_toml(&repository::root().join("Cargo.toml"))?;
    let shared = workspace.get("workspace").and_then(|table| table.get("dependencies"));
    let shared = shared.and_then(Value::as_table).ok_or("no shared dependencies")?;
    let unused = shared.keys().filter(|name| !declared.contains(*name));
    found.extend(unused.map(|name| format!("no crate: {name} (of the workspace)")));
    Ok(found)
}

/// The table of a kind of dependencies, for all targets and for some.
fn dependency_tables<'m>(manifest: &'m Table, kind: &str) -> Vec<&'m Table> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let of_targets =
        targets.into_iter().flat_map(|table| table.values()).filter_map(Value::as_table);
    let all = [manifest].into_iter().chain(of_targets);
    all.filter_map(|table| table.get(kind)?.as_table()).collect()
}

/// The words of a crate's code that is no test.
fn words_without_tests(package: &Package) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    for root in roots(&package.folder) {
        for module in &Source::read(&root)?.modules {
            for item in &module.items {
                add_words(item.to_token_stream(), &mut found);
            }
            let segments = module.imports.iter().flat_map(|import| &import.segments);
            found.extend(segments.cloned());
        }
    }
    Ok(found)
}

/// The words of all code in a folder.
fn words(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = BTreeSet::new();
    for file in rust_files(folder) {
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let tokens: TokenStream = text.parse().map_err(|e| format!("{}: {e}", file.display()))?;
        add_words(tokens, &mut found);
    }
    Ok(found.into_iter().collect())
}

fn add_words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                found.insert(word.to_string());
            }
            TokenTree::Group(group) => add_words(group.stream(), found),
            _ => {}
        }
    }
}
