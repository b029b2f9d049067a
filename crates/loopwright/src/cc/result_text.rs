//! Transformed text as a compiler takes preprocessed text.
use crate::cc::command_line::CommandLine;
use crate::cc::compiler::Target;
use crate::cc::flags::Kind;
use crate::cc::job::BEGIN;
use crate::pipeline::versions::floats::BITS_DIFFER;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Flags that give C with declarations in loops, and otherwise the language of the user's.
pub(super) fn standard(line: &CommandLine) -> Vec<OsString> {
    let words = line.words(|kind| kind == Kind::Standard);
    let chosen = words.iter().filter_map(|word| word.to_str()).next_back();
    let same: Vec<OsString> = words.clone();
    let old = |standard: &str| [standard, "-fgnu89-inline"].map(OsString::from).to_vec();
    match chosen.map(|word| word.strip_prefix("-std=").unwrap_or(word)) {
        Some("-ansi" | "c89" | "c90" | "iso9899:1990" | "iso9899:199409") => old("-std=c99"),
        Some("gnu89" | "gnu90") => old("-std=gnu99"),
        _ => same,
    }
}

/// Whether the compiler says something about transformed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Messages {
    /// What the user's flags ask for.
    Shown,
    /// Nothing but errors.
    Hidden,
}

/// Loops of a file begin elsewhere once others become longer, and a loop of some instructions that lies
/// across a boundary of 64 bytes may take a quarter longer. So they begin at one.
const ALIGNED_LOOPS: &str = "-falign-loops=64";

/// The flags with which transformed text is compiled, without inputs and outputs.
pub(super) fn flags(
    line: &CommandLine,
    target: &Target,
    text: &str,
    messages: Messages,
) -> Vec<OsString> {
    let mut flags = line.words(|kind| kind == Kind::Other);
    flags.extend(standard(line));
    match messages {
        Messages::Shown => {
            let asked_for = line.words(|kind| kind == Kind::Warnings);
            flags.extend(asked_for.into_iter().filter_map(as_warning));
        }
        Messages::Hidden => flags.push("-w".into()),
    }
    let aligns = |flag: &OsString| flag.to_str().is_some_and(|f| f.contains("falign-loops"));
    if !target.is_clang && !flags.iter().any(aligns) {
        flags.push(ALIGNED_LOOPS.into());
    }
    if !target.openmp && text.contains("#pragma omp") {
        let threads = text.contains("#pragma omp parallel");
        flags.push(if threads { "-fopenmp" } else { "-fopenmp-simd" }.into());
    }
    flags
}

/// Whether the user's flags say that products are not fused with sums.
fn never_fuses(line: &CommandLine) -> bool {
    let words = line.words(|kind| kind == Kind::Other);
    let mut chosen = words.iter().filter_map(|word| word.to_str()?.strip_prefix("-ffp-contract="));
    chosen.next_back() == Some("off")
}

/// A flag for warnings such that none of them is an error.
fn as_warning(flag: OsString) -> Option<OsString> {
    let Some(text) = flag.to_str() else { return Some(flag) };
    match text.strip_prefix("-Werror") {
        Some("") => None,
        Some(name) => name.strip_prefix('=').map(|name| format!("-W{name}").into()),
        None if text == "-pedantic-errors" => Some("-pedantic".into()),
        None => Some(flag),
    }
}

/// The text without directives but markers and pragmas, in a file.
///
/// # Errors
/// Why there is none.
pub(super) fn without_directives(
    line: &CommandLine,
    target: &Target,
    file: &Path,
    text: &str,
) -> Result<String, String> {
    let is_directive = |line: &str| {
        let word = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        ["define", "undef", "if", "endif", "else"].iter().any(|name| word.starts_with(name))
    };
    let (start, body) = text.split_once('\n').unwrap_or((BEGIN, text));
    if start != BEGIN {
        return Err("the transformed text does not begin as it should".to_string());
    }
    if !body.lines().any(is_directive) {
        return Ok(body.to_string());
    }
    let mut command = Command::new(line.own_compiler());
    command.args(flags(line, target, text, Messages::Hidden)).args(["-g0", "-E", "-undef"]);
    command.args(target.macros.iter().map(|name| format!("-D{name}")));
    if never_fuses(line) && !target.reassociates {
        command.arg(format!("-D{BITS_DIFFER}=0"));
    }
    let output = command.args(["-x", "c"]).arg(file).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("the preprocessor does not run: {error}"))?;
    if !output.status.success() {
        return Err("the preprocessor fails on the transformed text".to_string());
    }
    let printed =
        String::from_utf8(output.stdout).map_err(|_| "the text is not UTF-8".to_string())?;
    let body = printed.split_once(&format!("{BEGIN}\n")).map(|(_, body)| body.to_string());
    // The first marker names the user's file.
    let first = text.lines().nth(1).unwrap_or("");
    let body = body.ok_or_else(|| "the preprocessor loses the beginning".to_string())?;
    Ok(format!("{first}\n{body}"))
}
