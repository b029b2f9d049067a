//! The documents show what the command does: their commands are run, and what they print is what is shown.
//!
//! * In a block ```` ```console ````, a line `$ COMMAND` is run by the shell, and the lines below it are what
//!   it prints, on both streams.
//! * A block after `<!-- $ COMMAND -->` is what the command prints on the standard output.
//! * A block after `<!-- FILE -->` is a part of the file, one after `<!-- > FILE -->` becomes the file.
//!
//! Commands run one after the other in a folder with a copy of `examples`. Times are not compared. With
//! `UPDATE_EXPECT=1` the blocks are written anew, to be read.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with the examples, in which the commands of a document are run.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let examples = folder.path().join("examples");
        std::fs::create_dir(&examples).unwrap();
        for entry in std::fs::read_dir(root().join("examples")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, examples.join(path.file_name().unwrap())).unwrap();
            }
        }
        Place { folder }
    }

    /// What a command prints; both streams in the order of writing, or the standard output alone.
    fn run(&self, command: &str, both: bool) -> Vec<String> {
        let folder = Path::new(env!("CARGO_BIN_EXE_loopwright")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let script = if both { format!("exec 2>&1\n{command}") } else { command.to_string() };
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", folder.display()))
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.trim_end().lines().map(|line| line.trim_end().to_string()).collect()
    }
}

/// Lines without their times: numbers with a decimal point in lines about times.
fn without_times(lines: &[String]) -> Vec<String> {
    let is_about_time = |line: &str| line.starts_with("time (ms)") || line.starts_with("seconds");
    let without = |line: &String| match is_about_time(line) {
        true => line.chars().filter(|c| !c.is_ascii_digit()).collect(),
        false => line.clone(),
    };
    lines.iter().map(without).collect()
}

/// The commands of a block with what the document says that they print.
fn steps(block: &[String]) -> Vec<(String, Vec<String>)> {
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push((command.to_string(), Vec::new())),
            (None, Some((_, shown))) => shown.push(line.clone()),
            (None, None) => panic!("a block does not begin with a command: {line}"),
        }
    }
    steps
}

/// What is right in the place of a block, by the line before it.
fn block_as_it_is(place: &Place, before: &str, fence: &str, block: &[String]) -> Vec<String> {
    let comment = before.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
    let kept_if_same = |shown: &[String], printed: Vec<String>| match without_times(shown)
        == without_times(&printed)
    {
        true => shown.to_vec(),
        false => printed,
    };
    match comment {
        _ if fence == "```console" => {
            let run = |(command, shown): (String, Vec<String>)| {
                let printed = kept_if_same(&shown, place.run(&command, true));
                std::iter::once(format!("$ {command}")).chain(printed)
            };
            steps(block).into_iter().flat_map(run).collect()
        }
        Some(comment) => match comment.split_once(' ') {
            Some(("$", command)) => kept_if_same(block, place.run(command, false)),
            Some((">", name)) => {
                std::fs::write(place.folder.path().join(name), block.join("\n") + "\n").unwrap();
                block.to_vec()
            }
            _ => {
                let text = std::fs::read_to_string(root().join(comment)).unwrap();
                let part = block.join("\n");
                assert!(text.contains(&part), "{comment} has no\n{part}");
                block.to_vec()
            }
        },
        None => block.to_vec(),
    }
}

/// The document with all blocks as they are today.
fn document_as_it_is(text: &str) -> String {
    let place = Place::new();
    let mut lines = text.lines();
    let mut result: Vec<String> = Vec::new();
    while let Some(line) = lines.next() {
        let before = result.last().cloned().unwrap_or_default();
        result.push(line.to_string());
        if line.starts_with("```") {
            let block: Vec<String> =
                lines.by_ref().take_while(|line| *line != "```").map(str::to_string).collect();
            result.extend(block_as_it_is(&place, &before, line, &block));
            result.push("```".to_string());
        }
    }
    result.join("\n") + "\n"
}

#[track_caller]
fn check(path: &str) {
    let file = root().join(path);
    let text = std::fs::read_to_string(&file).unwrap();
    let right = document_as_it_is(&text);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return std::fs::write(&file, right).unwrap();
    }
    let differs = text.lines().zip(right.lines()).position(|(shown, is)| shown != is);
    if let Some(at) = differs {
        let (shown, is) = (text.lines().nth(at).unwrap(), right.lines().nth(at).unwrap());
        panic!("{path}:{}: the document has\n  {shown}\nbut it is\n  {is}", at + 1);
    }
    assert_eq!(text.lines().count(), right.lines().count(), "{path}: its end is not shown");
}

#[test]
fn the_readme_shows_what_is_printed() {
    check("README.md");
}

#[test]
fn the_tutorial_shows_what_is_printed() {
    check("docs/tutorial.md");
}

#[test]
fn causes_of_serial_loops_are_as_they_are_described() {
    check("docs/why-not-parallel.md");
}

/// The first command of the readme does the main job, the second runs the tests.
#[test]
fn the_readme_begins_with_two_commands() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let block = text.split("```").nth(1).unwrap();
    let commands: Vec<&str> = block.trim().lines().collect();
    let [compile, test] = commands[..] else { panic!("{block}") };
    assert!(test.starts_with("cargo test "), "{test}");
    let arguments = compile.strip_prefix("cargo run --release -- ").unwrap();
    let place = Place::new();
    let report = place.run(&format!("loopwright {arguments}"), true).join("\n");
    assert!(report.contains("proved: "), "{report}");
    let code = place.run("cat gemm.opt.c", false).join("\n");
    assert!(code.contains("#pragma omp parallel for"), "{code}");
}

/// A picture of a page as a file of its own, with the colours of the page.
fn picture(page: &str, caption: &str) -> String {
    let part = |text: &str, from: &str, to: &str| {
        let start = text.find(from).unwrap() + from.len();
        text[start..start + text[start..].find(to).unwrap()].to_string()
    };
    let style = part(page, "<style>", "</style>");
    let figures = page.split("<figure").skip(1);
    let mut wanted =
        figures.filter(|figure| part(figure, "<figcaption>", "</figcaption>").contains(caption));
    let svg = part(wanted.next().unwrap_or_else(|| panic!("no `{caption}`")), "<svg ", "</svg>");
    let (attributes, shapes) = svg.split_once('>').unwrap();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes}>\n<style>{style}</style>\n\
         <rect width=\"100%\" height=\"100%\" style=\"fill: var(--paper)\"/>{shapes}</svg>\n"
    )
}

#[test]
fn the_pictures_are_those_of_the_page() {
    let place = Place::new();
    for (name, program, caption) in [
        ("heat-instances.svg", "heat", "steps = 7, n = 7, t = 0"),
        ("heat-tiles.svg", "heat", "Tiles of <code>S0</code>"),
        ("columns-statements.svg", "columns", "Names are those of the variables"),
    ] {
        let options = "--machine examples/example.machine -o out.c --report page.html";
        place.run(&format!("loopwright compile examples/{program}.c {options}"), true);
        let page = std::fs::read_to_string(place.folder.path().join("page.html")).unwrap();
        let file = root().join("docs/pictures").join(name);
        let right = picture(&page, caption);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, right).unwrap();
        } else {
            assert_eq!(std::fs::read_to_string(&file).unwrap(), right, "{name}");
        }
    }
}

/// Each link of a document leads to a file, and to a heading of it.
#[test]
fn links_of_documents_lead_somewhere() {
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    let documents = std::fs::read_dir(root().join("docs")).unwrap();
    let documents = documents.map(|entry| entry.unwrap().path()).chain([root().join("README.md")]);
    for document in documents.filter(|path| path.extension().is_some_and(|e| e == "md")) {
        let text = std::fs::read_to_string(&document).unwrap();
        let outside = text.split("```").step_by(2);
        for link in outside.flat_map(|part| part.split("](").skip(1)) {
            let target = link.split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => document.clone(),
                file => document.parent().unwrap().join(file),
            };
            assert!(file.exists(), "{}: {target}", document.display());
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&file).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                assert!(
                    headings.any(|line| anchor(line) == heading),
                    "{}: {target}",
                    document.display()
                );
            }
        }
    }
}
