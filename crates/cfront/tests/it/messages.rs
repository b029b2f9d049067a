//! Every message as a set: `messages/` has programs as users write them, what is said about them, and what
//! they become when the advice is followed.
//!
//! A case is a heading and two or three fenced texts: a program that is refused, all that is printed about
//! it, and a program that is accepted. With `UPDATE_EXPECT=1` the messages in the files are written anew, to
//! be read.
use loopwright_cfront::{Code, Diagnostic, Options, Region, read_file};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages")
}

/// A fenced text: what stands behind the opening fence, and its lines.
struct Block {
    info: String,
    text: String,
}

/// The parts of a case.
struct Case {
    title: String,
    blocks: Vec<Block>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let Some(case) = cases.last_mut().filter(|_| is_open || !line.starts_with("## ")) else {
            if let Some(title) = line.strip_prefix("## ") {
                cases.push(Case { title: title.to_string(), blocks: Vec::new() });
            }
            continue;
        };
        match (line.strip_prefix("```"), case.blocks.last_mut()) {
            (Some(info), _) if !is_open => {
                case.blocks.push(Block { info: info.to_string(), text: String::new() });
                is_open = true;
            }
            (Some(_), _) => is_open = false,
            (None, Some(block)) if is_open => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            _ => {}
        }
    }
    cases
}

/// What is found in a program, in a file of its own.
fn extract(name: &str, program: &Block) -> Result<Vec<Region>, Vec<Diagnostic>> {
    let path = std::env::temp_dir().join(format!("messages-{name}-{}.c", std::process::id()));
    std::fs::write(&path, &program.text).expect("a file can be written");
    let autodetect =
        !program.text.contains("#pragma scop") && !program.text.contains("#pragma endscop");
    let autodetect = autodetect && !program.info.ends_with("without a search");
    let options = Options { autodetect, ..Options::default() };
    let result = read_file(&path, &options).and_then(|file| file.extract());
    std::fs::remove_file(&path).expect("it can be removed");
    result.map_err(|mut found| {
        for diagnostic in &mut found {
            diagnostic.message = diagnostic.message.replace(&*path.to_string_lossy(), "example.c");
            if let Some(place) = &mut diagnostic.place {
                place.file = "example.c".into();
            }
        }
        found
    })
}

/// All that is printed about a program; the first line of a search without result is about the file only.
fn said(found: &[Diagnostic]) -> String {
    let texts = found.iter().filter(|d| found.len() == 1 || d.code != Code::NoRegion);
    texts.map(|d| format!("{d}\n")).collect::<Vec<_>>().join("\n")
}

/// What every message must have, and this one does not.
fn check(code: Code, case: &Case, found: &[Diagnostic], wrong: &mut Vec<String>) {
    let mut demand = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{code} {}: {what}\n{}", case.title, said(found)));
        }
    };
    demand(found.iter().any(|d| d.code == code), "another code");
    for diagnostic in found.iter().filter(|d| d.code != Code::NoRegion) {
        demand(diagnostic.place.is_some(), "no place");
        demand(diagnostic.reason.is_some(), "no reason");
    }
    for diagnostic in found {
        demand(diagnostic.hint.is_some(), "no hint");
        let texts =
            [Some(&diagnostic.message), diagnostic.reason.as_ref(), diagnostic.hint.as_ref()];
        let is_plain = |text: &&String| !text.ends_with('.') && !text.contains("  ");
        demand(texts.into_iter().flatten().all(|text| is_plain(&text)), "not in the usual form");
    }
}

/// The file of a code with the messages of today; what is wrong with them is added.
fn file_of(code: Code, cases: &[Case], wrong: &mut Vec<String>) -> String {
    let mut file = format!("# {code}\n");
    for (position, case) in cases.iter().enumerate() {
        let title = &case.title;
        let [program, _, rest @ ..] = &case.blocks[..] else {
            panic!("{code} {title}: no message")
        };
        let Err(found) = extract(&format!("{code}-{position}"), program) else {
            wrong.push(format!("{code} {title}: accepted"));
            continue;
        };
        check(code, case, &found, wrong);
        let _ = write!(file, "\n## {title}\n\n```{}\n{}```\n", program.info, program.text);
        let _ = write!(file, "\n```text\n{}```\n", said(&found));
        for repaired in rest {
            let result = extract(&format!("{code}-{position}"), repaired);
            if let Err(found) = result {
                wrong.push(format!("{code} {title}: the advice does not help\n{}", said(&found)));
            }
            let _ = write!(file, "\n```{}\n{}```\n", repaired.info, repaired.text);
        }
    }
    file
}

#[test]
fn messages_are_as_written_and_their_advice_helps() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let path = folder().join(format!("{code}.md"));
        // What is not about the text of a program is tested with the command.
        let Ok(text) = std::fs::read_to_string(&path) else {
            assert!(code <= Code::Preprocessor, "no cases of {code}");
            continue;
        };
        let cases = cases(&text);
        assert!(cases.len() > 1, "{code}: a code needs more than one program");
        let file = file_of(code, &cases, &mut wrong);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &file).expect("the file can be written");
        } else {
            assert_eq!(text, file, "{}", path.display());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
