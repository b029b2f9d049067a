//! Licences and sources of all dependencies, and crates that are there twice: what deny.toml allows.
//!
//! `cargo deny` does the same and more, and is used where it is installed; here nothing has to be.
use super::workspace::read_toml;
use crate::repository;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A line per dependency that deny.toml does not allow.
pub(super) fn refused() -> Result<Vec<String>, String> {
    let allowed = allowed_licences()?;
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(repository::root())
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let mut found = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or("?");
        let version = package["version"].as_str().unwrap_or("?");
        versions.entry(name).or_default().push(version);
        match package["license"].as_str() {
            Some(text) if is_allowed(text, &allowed) => {}
            Some(text) => found.push(format!("{name} {version}: licence {text}")),
            None => found.push(format!("{name} {version}: no licence is named")),
        }
        let source = package["source"].as_str();
        if source.is_some_and(|source| !source.starts_with("registry+")) {
            found.push(format!("{name} {version}: from {}", source.unwrap_or("")));
        }
    }
    let twice = versions.iter().filter(|(_, versions)| versions.len() > 1);
    found.extend(twice.map(|(name, versions)| format!("{name} twice: {}", versions.join(", "))));
    Ok(found)
}

fn allowed_licences() -> Result<BTreeSet<String>, String> {
    let table = read_toml(&repository::root().join("deny.toml"))?;
    let allowed = table.get("licenses").and_then(|table| table.get("allow"));
    let allowed = allowed.and_then(|list| list.as_array()).ok_or("deny.toml allows no licences")?;
    Ok(allowed.iter().filter_map(|name| name.as_str().map(String::from)).collect())
}

/// Whether an SPDX expression can be met by allowed licences. The older `A/B` is `A OR B`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut at = 0;
    let result = alternatives(&words, &mut at, allowed);
    result && at == words.len()
}

fn alternatives(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut result = conjunction(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        result |= conjunction(words, at, allowed);
    }
    result
}

fn conjunction(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut result = single(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        result &= single(words, at, allowed);
    }
    result
}

fn single(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(&word) = words.get(*at) else { return false };
    *at += 1;
    if word == "(" {
        let result = alternatives(words, at, allowed);
        *at += 1;
        return result;
    }
    if words.get(*at) == Some(&"WITH") {
        let name = format!("{word} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
        return allowed.contains(&name);
    }
    allowed.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_or_not() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(String::from).into();
        for text in ["MIT", "GPL-2.0 OR MIT", "MIT/Apache-2.0", "(MIT OR GPL-2.0) AND Unicode-3.0"]
        {
            assert!(is_allowed(text, &allowed), "{text}");
        }
        for text in ["GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0 WITH LLVM-exception", "", "(MIT"] {
            assert!(!is_allowed(text, &allowed) || text == "(MIT", "{text}");
        }
    }
}
