//! The examples of `docs/constructs.md` are what the words above them say.
use loopwright_cfront::{Diagnostic, Options, Region, read_file};

const DOCUMENTATION: &str = include_str!("../../../../docs/constructs.md");

/// The fenced texts, each with the last words in bold before it.
fn examples() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let (mut verdict, mut is_open) = (String::new(), false);
    for line in DOCUMENTATION.lines() {
        match (line, is_open) {
            ("```c", _) => {
                found.push((verdict.clone(), String::new()));
                is_open = true;
            }
            ("```", _) => is_open = false,
            (line, true) => {
                let text = &mut found.last_mut().expect("a text is open").1;
                text.push_str(line);
                text.push('\n');
            }
            (line, false) => {
                if let Some((word, _)) = line.strip_prefix("**").and_then(|l| l.split_once("**")) {
                    verdict = word.to_string();
                }
            }
        }
    }
    found
}

fn extract(position: usize, text: &str) -> Result<Vec<Region>, Vec<Diagnostic>> {
    let name = format!("constructs-{position}-{}.c", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    let options = Options { autodetect: !text.contains("#pragma scop"), ..Options::default() };
    let result = read_file(&path, &options).and_then(|file| file.extract());
    std::fs::remove_file(&path).expect("it can be removed");
    result
}

/// What became of an example, in the words of the page.
fn verdict(position: usize, text: &str) -> String {
    match extract(position, text) {
        Err(found) => {
            let mut codes: Vec<&str> = found.iter().map(|d| d.code.as_str()).collect();
            codes.retain(|code| *code != "CF03");
            codes.dedup();
            format!("refused {}", codes.join(", "))
        }
        Ok(regions) => {
            let statements = regions.iter().flat_map(|region| &region.scop.statements);
            let is_loop = |text: &str| ["for (", "while (", "do "].iter().any(|l| text.contains(l));
            let is_kept = statements.clone().any(|statement| {
                let text = statement.body.pieces().into_iter().map(|piece| match piece {
                    loopwright_scop::BodyPiece::Text(text) => text.into_owned(),
                    _ => String::new(),
                });
                is_loop(&text.collect::<String>())
            });
            let has_loops = statements.clone().any(|statement| statement.domain.n_dims() > 0);
            let is_apart = |c: &loopwright_cfront::RunTimeCondition| {
                use loopwright_cfront::Fact;
                matches!(c.fact, Fact::Apart { .. } | Fact::RowsApart { .. })
            };
            match (is_kept, has_loops) {
                _ if regions.iter().flat_map(|region| &region.conditions).any(is_apart) => {
                    "checked".to_string()
                }
                (true, _) => "one statement".to_string(),
                (false, true) => "loops".to_string(),
                (false, false) => "no loops".to_string(),
            }
        }
    }
}

#[test]
fn examples_are_what_the_words_above_them_say() {
    let examples = examples();
    assert!(examples.len() > 20, "{}", examples.len());
    let mut wrong = Vec::new();
    for (position, (expected, text)) in examples.iter().enumerate() {
        let found = verdict(position, text);
        if found != *expected {
            wrong.push(format!("{expected} is {found}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
