//! The documentation of the codes: each has a section, its examples do what they are said to do.
use loopwright_cfront::{Code, Diagnostic, Options, Region, read_file};
use std::path::{Path, PathBuf};

const DOCUMENTATION: &str = include_str!("../../../../docs/diagnostics.md");

/// The fenced texts of a section with their languages.
fn examples(section: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut is_open = false;
    for line in section.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(language), false) => found.push((language, String::new())),
            (None, true) => {
                if let Some((_, text)) = found.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            _ => {}
        }
        is_open ^= line.starts_with("```");
    }
    found
}

fn file(code: Code, position: usize) -> PathBuf {
    std::env::temp_dir().join(format!("{code}-{position}-{}.c", std::process::id()))
}

/// What is said about a text; regions are searched for if there is no pragma and the section is not
/// about that.
fn extract(path: &Path, text: &str, code: Code) -> Result<Vec<Region>, Vec<Diagnostic>> {
    std::fs::write(path, text).expect("a file can be written");
    let searched = [Code::Placement, Code::LoopForm, Code::NonAffineCondition, Code::Iterator];
    let autodetect = searched.contains(&code) && !text.contains("#pragma scop");
    let options = Options { autodetect, ..Options::default() };
    let result = read_file(path, &options).and_then(|file| file.extract());
    std::fs::remove_file(path).expect("it can be removed");
    result
}

#[test]
fn every_code_is_documented_in_order() {
    let headings: Vec<&str> = DOCUMENTATION.lines().filter_map(|l| l.strip_prefix("## ")).collect();
    let expected: Vec<String> =
        Code::ALL.iter().map(|code| format!("{code}: {}", code.title())).collect();
    assert_eq!(headings, expected);
    for code in Code::ALL {
        assert_eq!(Code::parse(code.as_str()), Some(*code));
        assert!(code.documentation().contains("**The way out:**"), "{code}");
    }
}

#[test]
fn examples_are_refused_with_their_code_and_their_way_out_is_accepted() {
    for &code in Code::ALL {
        let examples = examples(code.documentation());
        let (language, text) = &examples[0];
        let found = match *language {
            "sh" => {
                let path = text.split_whitespace().last().expect("a file name");
                read_file(path.as_ref(), &Options::default()).expect_err("it is missing")
            }
            _ => extract(&file(code, 0), text, code).expect_err(text),
        };
        assert!(found.iter().any(|d| d.code == code), "{code}: {}\n{text}", found[0]);
        for (position, (_, text)) in examples.iter().enumerate().skip(1) {
            let accepted = extract(&file(code, position), text, code);
            assert!(accepted.is_ok(), "{code}: {}\n{text}", accepted.unwrap_err()[0]);
        }
    }
}

#[test]
fn messages_look_like_those_of_rustc() {
    let text = "void f(int n, double A[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                A[i] = unknown + rand();\n#pragma endscop\n}\n";
    let found = extract(&file(Code::UnknownName, 7), text, Code::UnknownName).unwrap_err();
    let text = found[0].to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "error[CF11]: `unknown` is not declared in this file");
    assert!(lines[1].starts_with(" --> ") && lines[1].ends_with(".c:4:12"), "{}", lines[1]);
    let source = &lines[2..5];
    assert_eq!(source, ["  |", "4 |     A[i] = unknown + rand();", "  |            ^^^^^^^"]);
    assert!(lines[5].starts_with("  = reason: ") && lines[6].starts_with("  = hint: "));
}
