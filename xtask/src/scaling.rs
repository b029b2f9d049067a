//! `cargo xtask scaling`: how the time of code generation grows with the number of statements.
use crate::deliver::deliver;
use crate::least_time::least_milliseconds;
use crate::repository;
use loopwright::{CodegenInput, CodegenOptions, codegen_file};
use loopwright_astgen::Options;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USAGE: &str = "usage: cargo xtask scaling [--peer COMMAND] [--out docs/scaling.md]

With --peer: the time of a command that reads the same input, with its start.";

const HEADER: &str = "\
# How code generation scales

Written by `cargo xtask scaling`; do not edit.

Milliseconds. *Code*: to read the schedule and to generate the code. *Proof*: with the check that
every instance is executed once and in order, and what it found. Unions of 10, 100, 1000 statements:

- *sequence*: nests one after the other;
- *same loops*: statements in one nest;
- *shifted*: statements in one nest, each an iteration of the outer loop later than the one before;
- *chains*: nests of ten statements each;
- *interleaved*: statements in turn in one dimension of the schedule;
- *ragged*: statements in one nest whose domains all differ.

*lu*: LU decomposition in blocks of 64, its update unrolled `u` by `u` times: *copies* with a
statement for each of the copies, *unrolled* with one statement and the option `unroll`.

*peer*: the command given with `--peer`, with its start (in the table kept here: a program around
isl 0.25 with GMP that reads, generates and prints, without a proof). Compare columns, which are
measured in turn; other work on the machine slows all of them down.
";

/// How often each time is measured.
const RUNS: usize = 3;

struct Case {
    name: String,
    input: String,
}

/// Measures and prints, or writes, the table.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    let (mut peer, mut out) = (None, None);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            lexopt::Arg::Long("peer") => {
                let command = parser.value().map_err(wrong)?;
                peer = Some(command.to_str().ok_or(USAGE)?.to_string());
            }
            lexopt::Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let text = table(peer.as_deref())?;
    deliver(&text, out.as_deref())
}

fn table(peer: Option<&str>) -> Result<String, String> {
    let mut text = HEADER.to_string();
    let peer_column = if peer.is_some() { (" peer |", "---:|") } else { ("", "") };
    let _ = writeln!(text, "\n| input | code | proof | |{}", peer_column.0);
    let _ = writeln!(text, "|---|---:|---:|---|{}", peer_column.1);
    let sizes = [10, 100, 1000].into_iter();
    let unions = sizes.flat_map(|n| unions(n).map(move |(name, maps)| union_case(name, n, &maps)));
    let unrolled = [2, 4, 8].into_iter().flat_map(lu);
    for case in unions.chain(unrolled) {
        let failed = |e: String| format!("{}: {e}", case.name);
        let generate = || CodegenInput::read(&case.input)?.code(&Options::STANDARD);
        let (code, _) = least_milliseconds(RUNS, generate).map_err(|e| failed(e.to_string()))?;
        let prove = || codegen_file(&case.input, &CodegenOptions::STANDARD);
        let (proof, generated) =
            least_milliseconds(RUNS, prove).map_err(|e| failed(e.to_string()))?;
        let is_proved = generated.verdict.starts_with("proved");
        let verdict = if is_proved { "proved" } else { "not proved" };
        let _ = write!(text, "| {} | {code:.1} | {proof:.1} | {verdict} |", case.name);
        if let Some(command) = peer {
            let _ = write!(text, " {:.1} |", peer_milliseconds(command, &case.input)?);
        }
        text.push('\n');
    }
    Ok(text)
}

/// The least time of three runs of a command that reads the input from a file.
fn peer_milliseconds(command: &str, input: &str) -> Result<f64, String> {
    let path = std::env::temp_dir().join(format!("loopwright-scaling-{}", std::process::id()));
    std::fs::write(&path, input).map_err(|e| e.to_string())?;
    let time = least_milliseconds(RUNS, || run_with_input(command, &path));
    let _ = std::fs::remove_file(&path);
    time.map(|(time, ())| time)
}

fn run_with_input(command: &str, input: &Path) -> Result<(), String> {
    let file = std::fs::File::open(input).map_err(|e| e.to_string())?;
    let status = Command::new("sh")
        .args(["-c", command])
        .current_dir(repository::root())
        .stdin(file)
        .stdout(Stdio::null())
        .status()
        .map_err(|e| e.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("`{command}` fails")) }
}

/// The unions of `n` statements, by name.
fn unions(n: usize) -> [(&'static str, Vec<String>); 6] {
    let each = |map: &dyn Fn(usize) -> String| (0..n).map(map).collect::<Vec<_>>();
    let square = "0 <= i, j < n";
    [
        ("sequence", each(&|s| format!("S{s}[i, j] -> [{s}, i, j] : {square}"))),
        ("same loops", each(&|s| format!("S{s}[i, j] -> [i, j, {s}] : {square}"))),
        ("shifted", each(&|s| format!("S{s}[i, j] -> [i + {s}, j, {s}] : {square}"))),
        ("chains", each(&|s| format!("S{s}[i, j] -> [{}, i, j, {}] : {square}", s / 10, s % 10))),
        ("interleaved", each(&|s| format!("S{s}[i] -> [{n} i + {s}] : 0 <= i < n"))),
        (
            "ragged",
            each(&|s| {
                let (from, to, more, shift) = (s * 3 % 4, s * 5 % 3, s % 3, s * 7 % 5);
                format!(
                    "S{s}[i, j] -> [i, j + {shift}, {s}] : \
                     {from} <= i < n - {to} and 0 <= j <= i + {more}"
                )
            }),
        ),
    ]
}

fn union_case(name: &str, n: usize, maps: &[String]) -> Case {
    let name = format!("{name}, {n} statements");
    let input = format!("[n] -> {{ {} }}\n[n] -> {{ : n >= 1 }}\n{{ }}\n", maps.join("; "));
    Case { name, input }
}

/// LU decomposition with its update unrolled `u` by `u` times, in both ways.
fn lu(u: usize) -> [Case; 2] {
    let tile = "64*floor((k - 1)/64) + 1, 64*floor(i/64)";
    let update = "1 <= k < i and k < j and i <= n and j <= n";
    let mut copies = vec![format!("S[k, i] -> [{tile}, k, k, i, 0] : 1 <= k < i <= n")];
    for (a, b) in (0..u).flat_map(|a| (0..u).map(move |b| (a, b))) {
        copies.push(format!(
            "U{a}_{b}[k, i, j] -> [{tile}, {u}*floor(j/{u}), k, {u}*floor(i/{u}), {}] : \
             {update} and i mod {u} = {a} and j mod {u} = {b}",
            1 + a * u + b
        ));
    }
    let context = "[n] -> { : n >= 2 }";
    let copies = format!("[n] -> {{ {} }}\n{context}\n{{ }}\n", copies.join("; "));
    let unrolled = format!(
        "[n] -> {{ S[k, i] -> [{tile}, k, k, i, 0, 0, 0] : 1 <= k < i <= n; \
         U[k, i, j] -> [{tile}, {u}*floor(j/{u}), k, {u}*floor(i/{u}), 1, i mod {u}, j mod {u}] : \
         {update} }}\n{context}\n\
         [n] -> {{ [a, b, c, d, e, f, g, h] -> unroll[x] : 6 <= x <= 7 }}\n"
    );
    [
        Case { name: format!("lu, {u} x {u} copies"), input: copies },
        Case { name: format!("lu, unrolled {u} x {u}"), input: unrolled },
    ]
}
