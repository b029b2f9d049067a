//! Two hundred random single faults in the printed text of ten kernels: bounds, conditions, subscripts,
//! dropped statements, waits that are missing, wrong clauses, threads that race. Reading the text back
//! refutes them, or the text still computes the same: it is proved to, and prints the same when it is run.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Compiled, Emit, compile_file};
use loopwright_machine::Machine;
use loopwright_testkit::cases::seed;
use loopwright_verify::Proof;
use std::path::Path;

const KERNELS: [&str; 10] = [
    "gemm",
    "symm",
    "lu",
    "cholesky",
    "correlation",
    "seidel-2d",
    "jacobi-2d",
    "fdtd-2d",
    "gemver",
    "trisolv",
];

/// Faults in each kernel.
const FAULTS: usize = 20;

/// The kinds of faults, in the order in which they are planted.
const KINDS: [Kind; 8] = [
    Kind::Bound,
    Kind::Subscript,
    Kind::Dropped,
    Kind::Iterator,
    Kind::Comparison,
    Kind::Clause,
    Kind::Sign,
    Kind::Threads,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A number in the head of a loop or in a condition is one more.
    Bound,
    /// A number between brackets is one more.
    Subscript,
    /// An assignment is not there.
    Dropped,
    /// An iterator between brackets is another one of the line.
    Iterator,
    /// `<` for `<=` and the other way round.
    Comparison,
    /// A wait for other threads, or a clause that makes variables private or combines them, is not there.
    Clause,
    /// A sum between brackets is a difference.
    Sign,
    /// Threads share a loop that they did not share.
    Threads,
}

/// A fault: a line, and what it is instead.
struct Fault {
    kind: Kind,
    line: usize,
    faulty: String,
}

/// A generator of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

pub(crate) fn replaced(line: &str, at: usize, length: usize, by: &str) -> String {
    format!("{}{by}{}", &line[..at], &line[at + length..])
}

/// The numbers of a line that are no part of a word, with their places.
pub(crate) fn numbers(line: &str) -> Vec<(usize, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut found = Vec::new();
    let mut at = 0;
    for word in line.split(|c| !is_word(c)) {
        if !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) {
            found.push((at, word.len()));
        }
        at += word.len() + 1;
    }
    found
}

/// Whether a place is between brackets.
pub(crate) fn is_in_brackets(line: &str, at: usize) -> bool {
    line[..at].matches('[').count() > line[..at].matches(']').count()
}

/// All faults of a text that are thought of here.
fn faults(text: &str) -> Vec<Fault> {
    let mut found = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let mut add = |kind, faulty| found.push(Fault { kind, line, faulty });
        let trimmed = content.trim_start();
        let is_head = trimmed.starts_with("for (") || trimmed.starts_with("if (");
        let is_assignment = trimmed.ends_with(';')
            && trimmed.contains("= ")
            && !is_head
            && !trimmed.starts_with('#')
            && !trimmed.contains("aligned");
        for (at, length) in numbers(content) {
            let more = content[at..at + length].parse::<i64>().map(|n| (n + 1).to_string());
            let Ok(more) = more else { continue };
            let faulty = replaced(content, at, length, &more);
            if is_head {
                add(Kind::Bound, faulty);
            } else if is_assignment && is_in_brackets(content, at) {
                add(Kind::Subscript, faulty);
            }
        }
        if is_head {
            for (at, _) in content.match_indices('<') {
                let is_equal = content[at + 1..].starts_with('=');
                let (length, by) = if is_equal { (2, "<") } else { (1, "<=") };
                add(Kind::Comparison, replaced(content, at, length, by));
            }
        }
        if is_assignment {
            if !trimmed.starts_with("const ") && !trimmed.starts_with("double") {
                add(Kind::Dropped, String::new());
            }
            for (at, _) in
                content.match_indices(" + ").filter(|(at, _)| is_in_brackets(content, *at))
            {
                add(Kind::Sign, replaced(content, at, 3, " - "));
            }
            let names: Vec<&str> = content
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|word| is_iterator(word))
                .collect();
            for (at, _) in content.match_indices('c').filter(|(at, _)| is_in_brackets(content, *at))
            {
                let rest = &content[at..];
                let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                let other = names.iter().find(|name| **name != &rest[..length]);
                if let (true, Some(other)) = (is_iterator(&rest[..length]), other) {
                    add(Kind::Iterator, replaced(content, at, length, other));
                }
            }
        }
        if trimmed.starts_with("#pragma omp ordered") {
            add(Kind::Clause, String::new());
        }
        for clause in [" private(", " reduction("] {
            if let Some(at) = content.find(clause).filter(|_| trimmed.starts_with("#pragma")) {
                let end = content[at..].find(')').map_or(content.len(), |end| at + end + 1);
                add(Kind::Clause, replaced(content, at, end - at, ""));
            }
        }
        let before = line.checked_sub(1).and_then(|line| text.lines().nth(line)).unwrap_or("");
        if trimmed.starts_with("for (long") && !before.trim_start().starts_with('#') {
            add(Kind::Threads, format!("#pragma omp parallel for\n{content}"));
        }
    }
    found
}

fn is_iterator(word: &str) -> bool {
    let digits = word.strip_prefix('c').unwrap_or("");
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// Faults in turn of all kinds that there are.
fn chosen(text: &str, random: &mut Random) -> Vec<Fault> {
    let mut all = faults(text);
    let mut chosen = Vec::new();
    let mut kind = 0;
    while chosen.len() < FAULTS && !all.is_empty() {
        let own = |fault: &Fault| fault.kind == KINDS[kind % KINDS.len()];
        let places: Vec<usize> = (0..all.len()).filter(|at| own(&all[*at])).collect();
        if !places.is_empty() {
            chosen.push(all.swap_remove(places[random.below(places.len())]));
        }
        kind += 1;
    }
    chosen
}

fn with_fault(text: &str, fault: &Fault) -> String {
    let line = |(at, content): (usize, &str)| match at == fault.line {
        true => format!("{}\n", fault.faulty),
        false => format!("{content}\n"),
    };
    text.lines().enumerate().map(line).collect()
}

/// The program with another text in the place of the region's.
fn in_program(code: &str, text: &str, faulty: &str) -> String {
    let lines: Vec<&str> = code.lines().collect();
    let own: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let n = own.len();
    let starts = 0..=lines.len().saturating_sub(n);
    let is_here = |at: &usize| lines[*at..at + n].iter().zip(&own).all(|(a, b)| a.trim() == *b);
    let at = starts.into_iter().find(is_here).expect("the text of the region is in the program");
    [&lines[..at].join("\n"), faulty, &lines[at + n..].join("\n")].join("\n")
}

fn compiled(source: &Path) -> Compiled {
    let mut options = CompileOptions::new();
    options.front_end.defines = vec!["SMALL".to_string(), "SYMBOLIC".to_string()];
    options.always_rewrite = true;
    options.machine = Machine { vector_bytes: 64, vector_registers: 32, ..Machine::generic() };
    compile_file(source, &options).expect("the kernel compiles")
}

#[test]
fn planted_faults_are_refuted_or_harmless() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    let header = std::fs::read_to_string(kernels.join("kernels.h")).expect("it is here");
    let folder = scratch("mutations");
    std::fs::write(folder.join("kernels.h"), header).expect("the folder can be written");
    let mut random = Random(seed(20));
    let (mut planted, mut harmless) = (0, Vec::new());
    for name in KERNELS {
        let source = kernels.join(format!("{name}.c"));
        let compiled = compiled(&source);
        let text = compiled.emit_region(0, Emit::Code).expect("there is code");
        let read = compiled.check_text(0, &text).expect("no operation fails");
        assert_eq!((&read.proof, &read.not_read[..]), (&Some(Proof::Proved), &[][..]), "{name}");
        let chosen = chosen(&text, &mut random);
        assert_eq!(chosen.len(), FAULTS, "{name}:\n{text}");
        for fault in &chosen {
            planted += 1;
            let faulty = with_fault(&text, fault);
            let read = compiled.check_text(0, &faulty).expect("no operation fails");
            match read.proof {
                Some(Proof::Refuted(_)) => {}
                Some(Proof::Proved) if read.not_read.is_empty() => {
                    harmless.push((name, compiled.code.clone(), text.clone(), faulty, fault.kind));
                }
                other => panic!(
                    "{name}, line {}: {other:?}, {:?}\n{faulty}",
                    fault.line + 1,
                    read.not_read
                ),
            }
        }
    }
    assert_eq!(planted, 200);
    let kinds: Vec<_> = harmless.iter().map(|(name, .., kind)| (*name, *kind)).collect();
    println!("{} of {planted} are refuted; harmless: {kinds:?}", planted - harmless.len());
    assert!(harmless.len() <= 20, "{kinds:?}");
    let defined = |code: &str| format!("#define SMALL 1\n#define SYMBOLIC 1\n{code}");
    for (number, (name, code, text, faulty, kind)) in harmless.iter().enumerate() {
        let other = defined(&in_program(code, text, faulty));
        let own = run_c(&defined(code), &folder, &format!("own{number}")).expect("it is C");
        let found = run_c(&other, &folder, &format!("other{number}")).expect("it is C");
        assert_eq!(own, found, "{name}, {kind:?}:\n{faulty}");
    }
}
