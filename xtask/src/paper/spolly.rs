//! `cargo xtask paper spolly`: the table of run times of Doerfert, Hammacher, Streit, Hack, "SPolly:
//! speculative optimizations in the polyhedral model" (IMPACT 2013), remade with this repository's kernels.
use crate::counted::Workplace;
use crate::deliver::deliver;
use loopwright::{Adaptive, CompileOptions, Measurements, ProfileUse, Profiling, compile_file};
use loopwright_testkit::kernel_forms::{Form, in_form};
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "usage: cargo xtask paper spolly [--runs 5] [--size LARGE] [--kernels a,b] \
                     [--out docs/paper-spolly.md]";

const HEADER: &str = "\
# The table of the paper on SPolly, remade

Written by `cargo xtask paper spolly`; do not edit.

Doerfert, Hammacher, Streit, Hack, \"SPolly: speculative optimizations in the polyhedral model\" (IMPACT 2013),
figure 5, measures PolyBench with arrays on the heap, which kernels get as pointers: Polly alone finds no region. Here
the kernels of this repository do the same: extents are parameters, arrays are pointers to rows (`double (*A)[m]`) or to elements (`double
*A` with `A[i * m + j]`), nothing says that they differ, and the kernel is not inlined or cloned. Speed-ups over `gcc -O3`:

* *checks*: what overlaps is checked when the program runs (the paper's first run, *sp1*),
* *profile*: with versions for the sizes that a run before had (the second run, *sp2*),
* *adaptive*: the kernel is called 12 times at size MEDIUM, and both texts are timed (`--adaptive always`); beside `gcc -O3` at this size,
* *instructions*: those that the dispatch costs in a call, counted at the smallest size, where the text as it was runs
  (negative if gcc has chosen other code for that text).

All programs print the same bits. Medians of runs taken in turn, double precision, `-O3 -march=native -ffp-contract=off`, all cores, with
`OMP_PROC_BIND=true`: on virtual machines the first call of threads takes milliseconds otherwise, more than most of these kernels.
PolyBench 4.2 has other kernels than 3.2, which the paper used: — stands for those without a published value.
";

/// The speed-ups of the paper, in the first and in the second run.
const PUBLISHED: [(&str, f64, f64); 22] = [
    ("2mm", 3.18, 3.88),
    ("3mm", 3.19, 7.95),
    ("adi", 0.57, 1.18),
    ("bicg", 0.72, 0.99),
    ("correlation", 1.00, 1.00),
    ("covariance", 1.00, 1.00),
    ("doitgen", 0.73, 5.46),
    ("fdtd-2d", 0.57, 0.85),
    ("floyd-warshall", 0.98, 0.98),
    ("gemm", 3.16, 10.98),
    ("gemver", 2.36, 2.28),
    ("jacobi-1d", 0.93, 0.93),
    ("jacobi-2d", 0.97, 0.97),
    ("lu", 0.99, 0.99),
    ("ludcmp", 0.94, 0.94),
    ("mvt", 5.13, 4.06),
    ("seidel-2d", 1.00, 1.00),
    ("syr2k", 2.57, 3.40),
    ("syrk", 2.21, 2.21),
    ("trmm", 0.80, 0.80),
    ("atax", 1.57, f64::NAN),
    ("durbin", 1.06, f64::NAN),
];

/// Flags by which the function of a kernel stays one.
const FLAGS: [&str; 8] = [
    "-O3",
    "-ffp-contract=off",
    "-fopenmp",
    "-w",
    "-DSYMBOLIC",
    "-fno-ipa-cp",
    "-fno-inline-functions",
    "-fno-inline-functions-called-once",
];

/// How often a kernel is called for the column *adaptive*.
const CALLS: usize = 12;

struct Request {
    runs: usize,
    size: String,
    kernels: Vec<String>,
    out: Option<PathBuf>,
}

/// Measures and prints, or writes, the table.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    let mut request =
        Request { runs: 5, size: "LARGE".to_string(), kernels: Vec::new(), out: None };
    while let Some(argument) = parser.next().map_err(wrong)? {
        let lexopt::Arg::Long(name) = argument else { return Err(wrong(argument.unexpected())) };
        let name = name.to_string();
        let value = parser.value().map_err(wrong)?.to_string_lossy().into_owned();
        match &*name {
            "out" => request.out = Some(PathBuf::from(value)),
            "size" => request.size = value,
            "kernels" => request.kernels = value.split(',').map(String::from).collect(),
            "runs" => {
                let number = value.parse().ok().filter(|runs| *runs > 0);
                request.runs = number.ok_or("--runs wants a number")?;
            }
            _ => return Err(USAGE.to_string()),
        }
    }
    let mut text =
        format!("{HEADER}\nThis machine: {}. Size: {}.\n", crate::kernels::machine(), request.size);
    let _ = write!(text, "\n| kernel | sp1 | sp2 |");
    for form in ["rows", "flat"] {
        let _ = write!(text, " {form}: gcc, s | checks | profile | adaptive | instructions |");
    }
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(12));
    for name in names(&request)? {
        let published = PUBLISHED.iter().find(|(kernel, _, _)| *kernel == name);
        let cell = |value: Option<f64>| match value {
            Some(value) if value.is_finite() => format!("{value:.2}"),
            _ => "—".to_string(),
        };
        let _ = write!(
            text,
            "| {name} | {} | {} |",
            cell(published.map(|p| p.1)),
            cell(published.map(|p| p.2))
        );
        for form in [Form::Rows, Form::Flat] {
            let row = measured(&name, form, &request);
            let _ = match row {
                Ok(row) => write!(
                    text,
                    " {:.3} | {:.2} | {:.2} | {:.2} | {:.0} |",
                    row.plain, row.checks, row.profile, row.adaptive, row.instructions
                ),
                Err(reason) => {
                    eprintln!("{name}, {form:?}: {reason}");
                    write!(text, " – | – | – | – | – |")
                }
            };
        }
        text.push('\n');
        eprintln!("{}", text.lines().last().unwrap_or(""));
    }
    deliver(&text, request.out.as_deref())
}

/// The kernels that are asked for.
fn names(request: &Request) -> Result<Vec<String>, String> {
    let names = super::kernel_files()?.into_iter().map(|(name, _)| name);
    let wanted = |name: &String| request.kernels.is_empty() || request.kernels.contains(name);
    Ok(names.filter(wanted).collect())
}

/// The values of a kernel in a form: seconds of the plain program, speed-ups, instructions.
struct Row {
    plain: f64,
    checks: f64,
    profile: f64,
    adaptive: f64,
    instructions: f64,
}

fn measured(name: &str, form: Form, request: &Request) -> Result<Row, String> {
    let place = Workplace::new(&format!("spolly-{name}-{form:?}"))?;
    let read = |file: String| {
        std::fs::read_to_string(super::kernel_folder().join(file)).map_err(|e| e.to_string())
    };
    let kernel = in_form(&read(format!("{name}.c"))?, form).ok_or("there is no kernel")?;
    place.write("kernels.h", &read("kernels.h".to_string())?)?;
    place.write("plain.c", &kernel)?;
    let repeated = repeated(&kernel).ok_or("the kernel is not called")?;
    place.write("repeated.c", &repeated)?;
    let size = &*request.size;
    transformed(&place, "plain", "checks", size, &CompileOptions::new())?;
    let profiled = with_profile(&place, size)?;
    transformed(&place, "plain", "profile", size, &profiled)?;
    let adaptive = CompileOptions { adaptive: Adaptive::Always, ..CompileOptions::new() };
    transformed(&place, "repeated", "adaptive", "MEDIUM", &adaptive)?;
    let once = ["plain", "checks", "profile"];
    once.iter().try_for_each(|program| built(&place, program, size))?;
    let printed = |program: &str| place.output(&format!("./{program}"), &[]);
    let wanted = printed("plain")?;
    if printed("checks")? != wanted || printed("profile")? != wanted {
        return Err("the programs print something else".to_string());
    }
    let seconds = times(&place, &once, request.runs)?;
    let again = ["repeated", "adaptive"];
    again.iter().try_for_each(|program| built(&place, program, "MEDIUM"))?;
    if printed("repeated")? != printed("adaptive")? {
        return Err("the adaptive program prints something else".to_string());
    }
    let repeated = times(&place, &again, request.runs)?;
    let function = function_of(&kernel).ok_or("there is no function")?;
    let instructions = ["checks", "plain"].map(|program| {
        built_for(&place, program, "MINI", "-march=x86-64-v3")?;
        place.output("cp", &[program, "program"])?;
        place.executed_instructions(&function)
    });
    let [with, without] = instructions;
    Ok(Row {
        plain: seconds[0],
        checks: seconds[0] / seconds[1],
        profile: seconds[0] / seconds[2],
        adaptive: repeated[0] / repeated[1],
        instructions: with? - without?,
    })
}

/// The name of a kernel's function.
fn function_of(kernel: &str) -> Option<String> {
    let start = kernel.find("\nvoid ")?;
    let name = kernel[start + "\nvoid ".len()..].split('(').next()?;
    Some(name.to_string())
}

/// The program with many calls.
fn repeated(kernel: &str) -> Option<String> {
    let call = format!("  {}(", function_of(kernel)?);
    let main = kernel.find("int main(")?;
    let at = main + kernel[main..].find(&call)?;
    let (before, after) = kernel.split_at(at);
    Some(format!("{before}  for (int call = 0; call < {CALLS}; call++)\n{after}"))
}

/// Writes what the compiler makes of a file.
fn transformed(
    place: &Workplace,
    from: &str,
    to: &str,
    size: &str,
    options: &CompileOptions,
) -> Result<(), String> {
    let mut options = options.clone();
    options.front_end.defines = vec!["SYMBOLIC".to_string(), size.to_string()];
    let compiled = compile_file(&place.path(&format!("{from}.c")), &options);
    let compiled = compiled.map_err(|failure| failure.to_string())?;
    place.write(&format!("{to}.c"), &compiled.code)
}

/// Options with the profile of a run.
fn with_profile(place: &Workplace, size: &str) -> Result<CompileOptions, String> {
    let profile = place.path("times");
    let profiling = Profiling::Record { file: profile.display().to_string() };
    transformed(
        place,
        "plain",
        "measuring",
        size,
        &CompileOptions { profiling, ..CompileOptions::new() },
    )?;
    built(place, "measuring", size)?;
    place.output("./measuring", &[])?;
    let measurements = Measurements::read(&[profile]).map_err(|error| error.to_string())?;
    let profiling = Profiling::Use(ProfileUse::new(measurements));
    Ok(CompileOptions { profiling, ..CompileOptions::new() })
}

fn built(place: &Workplace, program: &str, size: &str) -> Result<(), String> {
    built_for(place, program, size, "-march=native")
}

/// Compiles a program for an architecture: instructions are counted by a tool that does not know all of them.
fn built_for(
    place: &Workplace,
    program: &str,
    size: &str,
    architecture: &str,
) -> Result<(), String> {
    let (source, size) = (format!("{program}.c"), format!("-D{size}"));
    let files = [architecture, &*size, &*source, "-o", program, "-lm"];
    place.output("gcc", &[&FLAGS[..], &files].concat()).map(drop)
}

/// The medians of the seconds that programs print.
fn times(place: &Workplace, programs: &[&str], runs: usize) -> Result<Vec<f64>, String> {
    let mut seconds = vec![Vec::new(); programs.len()];
    for _ in 0..runs {
        for (program, seconds) in programs.iter().zip(&mut seconds) {
            let program = format!("./{program}");
            let printed =
                place.output("env", &["KERNEL_TIME=1", "OMP_PROC_BIND=true", &program])?;
            seconds.push(printed.trim().parse::<f64>().map_err(|e| e.to_string())?);
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2].max(1e-6)
    };
    Ok(seconds.into_iter().map(median).collect())
}
