//! No text makes what reads it panic: what fuzzing has found, and changed versions of programs.
use crate::support::readers;

use loopwright_testkit::cases::{seed, seeds};
use loopwright_testkit::{Choices, mutated};
use readers::Reader;
use std::path::{Path, PathBuf};

/// The files of a folder, in order.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("it is read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    assert!(!files.is_empty(), "{} has files", folder.display());
    files
}

#[test]
fn what_fuzzing_has_found_stays_repaired() {
    for file in files("../../fuzz/regressions", "txt") {
        let text = std::fs::read_to_string(&file).expect("it is text");
        let letter = text.as_bytes()[0];
        let reader = Reader::LETTERS.iter().find(|(known, _)| *known == letter);
        let (_, reader) = reader.expect("the first letter names a reader");
        reader.run(&text[1..]);
    }
}

#[test]
fn changed_programs_are_read_or_refused() {
    let programs: Vec<String> = files("tests/programs", "c")
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("it is text"))
        .map(|text| without_directives(&text))
        .collect();
    for (seed, text) in seeds(1, programs.len() as u64).zip(&programs) {
        let mut choices = Choices::from_seed(seed);
        for _ in 0..3 {
            let other = &programs[choices.below(programs.len())];
            let changed = mutated(text, other, 4, &mut choices);
            Reader::C.run(&changed);
            Reader::DetectedC.run(&changed);
        }
    }
}

#[test]
fn changed_sets_and_schedules_are_read_or_refused() {
    let texts = [
        (Reader::Notation, "[n, m] -> { S[i, j] : 0 <= i < n and exists (k : 2k = i + j) }"),
        (Reader::Notation, "[n] -> { S[i] -> [floor(i/4), i mod 4] : i >= 0; T[] -> [0, n] }"),
        (
            Reader::Schedule,
            "domain: \"{ S[i] : 0 <= i < 10 }\"\nchild:\n  schedule: \"[{ S[i] -> [i] }]\"\n  \
             permutable: 1\n  coincident: [ 1 ]\n",
        ),
        (
            Reader::Jscop,
            "{ \"name\": \"f\", \"context\": \"{ : }\", \"arrays\": [], \"statements\": [ { \"name\": \"S\", \
             \"domain\": \"{ S[i] : 0 <= i < 9 }\", \"schedule\": \"{ S[i] -> [i] }\", \"accesses\": [ ] } ] }",
        ),
    ];
    for (reader, text) in texts {
        let mut choices = Choices::from_seed(seed(7));
        for _ in 0..150 {
            reader.run(&mutated(text, texts[0].1, 3, &mut choices));
        }
    }
}

/// A program that needs no preprocessor.
fn without_directives(text: &str) -> String {
    let kept = |line: &&str| !line.starts_with('#') || line.starts_with("#pragma");
    text.split_inclusive('\n').filter(kept).collect()
}
