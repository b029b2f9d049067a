//! Runs the user's compiler as a preprocessor.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::text::file_bytes::{bytes_of, text_of};
use crate::text::options::Options;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// Headers define `__pencil_kill` and its like as nothing for compilers that do not know them.
const PENCIL: &str = "-D__PENCIL__=1";

/// A preprocessor that prints more is stopped. Large amalgamations of C have 10 MB with their headers.
const MAX_OUTPUT: u64 = 128 << 20;

/// Kilobytes of data that a preprocessor may have: one that reads a device without end is stopped by the
/// system. GCC keeps the text of a file, in a buffer that it doubles where it does not know its size, and
/// clang some 60 MB of its own; a file of 64 MB is the largest that is read.
const MOST_DATA: u64 = 160 << 10;

/// Seconds of processor time that it may take, a thousand times the usual: macros that double at each level
/// end only in theory.
const MOST_SECONDS: u64 = 15;

/// Of what a compiler complains only the beginning is read.
const MAX_COMPLAINT: u64 = 1 << 16;

/// What is preprocessed.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// The file.
    File,
    /// This text in place of the file's.
    Text(&'a str),
}

/// The words of a compiler command: those of a shell's line, or the path of a program.
///
/// ```
/// use loopwright_cfront::compiler_words;
/// assert_eq!(compiler_words("'/a folder/cc' -std=gnu11"), ["/a folder/cc", "-std=gnu11"]);
/// assert_eq!(compiler_words("gcc  -O2"), ["gcc", "-O2"]);
/// ```
pub fn compiler_words(command: &str) -> Vec<String> {
    let command = command.trim();
    if command.contains(char::is_whitespace) && Path::new(command).is_file() {
        return vec![command.to_string()];
    }
    let words = shell_words::split(command);
    words.unwrap_or_else(|_| command.split_whitespace().map(String::from).collect())
}

/// What the preprocessor makes of a file.
///
/// # Errors
/// A diagnostic if the compiler cannot be started, fails, or prints without end.
pub(crate) fn preprocessed(
    path: &Path,
    given: Given<'_>,
    options: &Options,
) -> Result<String, Box<Diagnostic>> {
    if options.openmp
        && let Ok(output) = run(path, given, options, &["-fopenmp"])
    {
        return Ok(output);
    }
    // A compiler without OpenMP passes over the pragmas of the result.
    run(path, given, options, &[])
}

/// The macros that are defined before a file begins, with their texts: those of the compiler with its flags,
/// or of the compiler alone without what the options define.
///
/// # Errors
/// As [`preprocessed`].
pub(crate) fn predefined(
    options: &Options,
    with_flags: bool,
) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
    let words = compiler_words(&options.cc);
    let alone = Options {
        cc: words.first().map_or_else(String::new, |program| shell_words::quote(program).into()),
        defines: Vec::new(),
        undefines: Vec::new(),
        included: Vec::new(),
        standard: None,
        ..options.clone()
    };
    let options = if with_flags { options } else { &alone };
    let openmp = if options.openmp { &["-fopenmp", "-dM"][..] } else { &["-dM"] };
    let text = run(Path::new("-"), Given::Text(""), options, openmp)?;
    let defined = text.lines().filter_map(|line| {
        let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
        Some((name.to_string(), value.trim().to_string()))
    });
    Ok(defined.collect())
}

/// Whether compilers know by its name that a file is to be preprocessed. Any other file is one for the linker
/// to them, and nothing is printed for it.
fn has_name_of_source(path: &Path) -> bool {
    const ENDINGS: [&str; 12] =
        ["c", "h", "i", "cc", "cp", "cxx", "cpp", "c++", "C", "hh", "hpp", "cu"];
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

fn run(
    path: &Path,
    given: Given<'_>,
    options: &Options,
    flags: &[&str],
) -> Result<String, Box<Diagnostic>> {
    let words = compiler_words(&options.cc);
    let program = words.first().map_or("cc", String::as_str);
    let mut command = limited(program);
    command.args(words.get(1..).unwrap_or_default()).args(flags).args(["-E", PENCIL]);
    command.args(options.preprocessor_words());
    if matches!(given, Given::File) && !has_name_of_source(path) {
        command.args(["-x", "c"]);
    }
    let input = match given {
        // A path that starts with `-` is not an option.
        Given::File if path.to_string_lossy().starts_with('-') => {
            command.arg(Path::new(".").join(path));
            Vec::new()
        }
        Given::File => {
            command.arg(path);
            Vec::new()
        }
        Given::Text(text) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            command.arg("-iquote").arg(folder.unwrap_or(Path::new(".")));
            command.args(["-x", "c", "-"]);
            bytes_of(text)
        }
    };
    let cannot_run = |error: &str| {
        let message = format!("cannot run the compiler `{program}`: {error}");
        let hint = "set CC to a C compiler that understands -E";
        Box::new(Diagnostic::new(Code::Preprocessor, message).hint(hint))
    };
    let ran =
        output_of(&mut command, &input).map_err(|error| cannot_run(error.to_string().as_str()))?;
    let refuse = |message: String, reason: String| {
        let diagnostic = Diagnostic::new(Code::Preprocessor, message).because(reason);
        Box::new(diagnostic.hint("pass the -I and -D options that the file is compiled with"))
    };
    let Some(status) = ran.status else {
        let message = format!("`{program} -E` prints without end on {}", path.display());
        let reason = format!("it was stopped after {} MB", MAX_OUTPUT >> 20);
        return Err(refuse(message, reason));
    };
    if matches!(status.code(), Some(NOT_FOUND | NOT_RUN)) {
        let text = String::from_utf8_lossy(&ran.complaint);
        return Err(cannot_run(text.lines().last().unwrap_or("it was not found")));
    }
    if !status.success() {
        let text = String::from_utf8_lossy(&ran.complaint);
        let first: Vec<&str> = text.lines().take(8).collect();
        let message = format!("`{program} -E` failed on {}", path.display());
        return Err(refuse(message, first.join("\n")));
    }
    text_of(&ran.output).ok_or_else(|| {
        let message = format!("the text of `{program} -E` on {} is not understood", path.display());
        let reason = "it has characters of a private plane, which stand for bytes here";
        Box::new(Diagnostic::new(Code::Preprocessor, message).because(reason))
    })
}

/// What a compiler did.
struct Ran {
    /// None if it was stopped because it printed too much.
    status: Option<ExitStatus>,
    output: Vec<u8>,
    complaint: Vec<u8>,
}

/// The exit statuses of a shell for programs that are not there, or that cannot be run.
const NOT_FOUND: i32 = 127;
const NOT_RUN: i32 = 126;

/// A program for which data and processor time are limited, and for all processes that it starts. A shell
/// sets the limits before it becomes the program: drivers start the preprocessor proper so soon that limits
/// from outside may come too late.
#[cfg(unix)]
fn limited(program: &str) -> Command {
    let limits = format!("ulimit -d {MOST_DATA}; ulimit -t {MOST_SECONDS}; exec \"$0\" \"$@\"");
    // Where a limit is lower already it stays.
    let limits = limits.replace(';', " 2>/dev/null;");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &limits, program]);
    command
}

#[cfg(not(unix))]
fn limited(program: &str) -> Command {
    let _ = (MOST_DATA, MOST_SECONDS);
    Command::new(program)
}

/// Runs a command on an input; it is stopped if it prints too much.
fn output_of(command: &mut Command, input: &[u8]) -> std::io::Result<Ran> {
    let (stdout, stderr) = (Stdio::piped(), Stdio::piped());
    let mut child = command.stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // All ends move at once, so that no pipe fills up.
        std::thread::Builder::new().spawn_scoped(scope, move || {
            if let Some(mut stdin) = stdin {
                // A preprocessor that stops reading says why by its status.
                let _ = stdin.write_all(input);
            }
        })?;
        let complaints = std::thread::Builder::new().spawn_scoped(scope, move || {
            let Some(mut stderr) = stderr else { return Vec::new() };
            let mut complaint = Vec::new();
            let _ = stderr.by_ref().take(MAX_COMPLAINT).read_to_end(&mut complaint);
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            complaint
        })?;
        let mut output = Vec::new();
        let read = match stdout {
            Some(stdout) => stdout.take(MAX_OUTPUT + 1).read_to_end(&mut output).map(|n| n as u64),
            None => Ok(0),
        };
        let is_endless = !matches!(read, Ok(read) if read <= MAX_OUTPUT);
        if is_endless {
            child.kill()?;
        }
        let status = child.wait()?;
        read?;
        let complaint = complaints.join().unwrap_or_default();
        Ok(Ran { status: (!is_endless).then_some(status), output, complaint })
    })
}
