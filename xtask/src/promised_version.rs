//! What the promised version of Rust does not have, and no lint looks for.
//!
//! Library items are guarded by `clippy::incompatible_msrv`; here is the syntax that newer compilers
//! accept without a word.

/// The numbers of the lines of a source that have a guard of a pattern with `if let` (Rust 1.95).
fn pattern_guards(source: &str) -> Vec<usize> {
    let is_guard = |line: &str| {
        let (head, _) = line.split_once("=>")?;
        let guard = head.find("if let ")?;
        let before = head[..guard].trim_end();
        (!line.trim_start().starts_with("//") && !before.ends_with("else") && !head.contains('"'))
            .then_some(())
    };
    let lines = source.lines().enumerate();
    lines.filter(|(_, line)| is_guard(line).is_some()).map(|(index, _)| index + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::pattern_guards;
    use std::path::Path;

    #[test]
    fn guards_with_patterns_are_found() {
        let source = "match a {\n    Some(b) if let Some(c) = b => c,\n    Some(b)\n        if let Some(c) = f(b) =>\n    {}\n}\n\
                      if let Some(b) = a {\n} else if let Some(c) = map(|x| x) {}\n";
        assert_eq!(pattern_guards(source), [2, 4]);
    }

    #[test]
    fn no_source_has_syntax_newer_than_promised() {
        let mut found = Vec::new();
        visit(crate::repository::root(), &mut found);
        assert!(
            found.is_empty(),
            "guards with `if let`, newer than the promised version of Rust: {found:?}"
        );
    }

    fn visit(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                visit(&path, found);
            } else if name.ends_with(".rs") && name != "promised_version.rs" {
                let source = std::fs::read_to_string(&path).unwrap();
                found.extend(
                    pattern_guards(&source).iter().map(|line| format!("{}:{line}", path.display())),
                );
            }
        }
    }
}
