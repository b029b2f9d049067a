//! `loopwright compile`.
use super::arguments::{Arguments, Given};
use super::program_options::{accept_fact, accept_preprocessing};
use super::{
    output_path, print_remarks, print_text, read_text, usage_error, without_effect, write_text,
};
use loopwright::{
    Choices, CompileOptions, Compiled, Emit, Failure, ForeignFormat, Scheduler, StrategyArguments,
    compile_file, compile_foreign, html_report, json_report,
};
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: loopwright compile FILE.c [options]

Turns the regions between `#pragma scop` and `#pragma endscop` of FILE.c into fast parallel code
and proves that it does the same. Without -o the code goes to the standard output.

  -o, --output OUT.c           write the code there (whole or not at all); the report is printed.
                               - is the standard output, as without the option
  --assume-no-alias            pointers that may lead to the same memory never do
  --ctx '[n] -> { : n > 1 }'   what holds for symbolic constants, as a set in isl's notation
  --assume-non-negative-parameters
                               symbolic constants are not negative
  --autodetect                 find regions where there are no pragmas, too; with --emit also code without
                               loops, in a file where nothing else is found
  --target c|openmp            sequential C, or C with OpenMP pragmas (default)
  --tile-sizes 32,32,32        tile sizes, outermost loop first; loops beyond are as the last; none
                               and default are sizes as well
  --tile-factors 8             tiles of so many tiles along each loop, too
  --tile-model default|fixed|footprint|sica
                               how tile sizes are chosen: 32 and, for the vector loop, 256 (default, fixed);
                               by what tiles load into each cache; or by SICA, with
  --sica-levels 1|2            the vector loop or also the outermost other loop tiled (default 2),
  --sica-share 0.9             the share of the first level cache that a tile fills, and
  --sica-blocks own|min|max    sizes by block, or the least or greatest of them for all
  --no-tile                    no tiling
  --concurrent-start partial|full|none
                               tiles of time loops are diamonds that start at the same time along one
                               dimension of the data (default), along all, or not
  --machine FILE               the machine that the code is to be fast on, as printed by `loopwright
                               machine`; facts that FILE does not give are those of this machine
  --no-register-tiles          no further tiles inside of these that keep results in registers
  --vector-pragma omp|gcc|clang
                               what stands before vector loops (default omp, with --target openmp)
  --fuse model|min|max|smart|typed   which statements share loops (default model: by estimated cost)
  --schedule-NAME[=VALUE]      further choices of the scheduler, see docs/scheduling.md
  --no-panels                  no part of a statement is computed ahead into a buffer per tile
  --no-expansion               no scalar becomes an array with an element per point of a tile
  --no-group-chains            statements that hand on values to each other are scheduled one by one
  --input-reuse                loops are also chosen for instances that read the same value
  --scheduler pluto|feautrier|none
                               how loops are found (default pluto); none keeps the program's order
  --transform SCRIPT           edit the program's order, for example `interchange S0 1 2`, see
                               docs/transform.md; `--emit mapping` shows what there is to edit
  --schedule FILE              use this schedule if it is legal: a tree, as printed by --emit schedule,
                               a map from instances to times, or a file of another tool (see --from)
  --from openscop|jscop|pet    the input is a model in the format of another tool instead of C: OpenScop,
                               the JSCoP of Polly, the YAML of pet; see docs/interchange.md
  --into FILE.c                with --from: the code takes the place of the regions of FILE.c
  --no-keep-going              write nothing if a region is refused; otherwise the others are compiled, and
                               the exit status is 1
  --eliminate-dead-code        leave out what does not matter for what is seen after the region
  --reassociate                sums, products and the like may be computed in any order
  --no-reschedule              no schedule is looked for: tiles and parallel loops in the program's own order
  --no-live-range-reordering   values keep their order in one place of memory, as anti and output
                               dependences say
  --always-rewrite             new loops also where nothing is gained, and for all sizes; otherwise such
                               regions stay byte for byte, and small ones run as they were
  --no-verify                  leave out the proofs
  --report OUT.html, --report OUT.json
                               write a report, as a page or as JSON
  --write-choices FILE         write all choices that were made, see docs/tuning.md
  --choices FILE               make these choices, which come before those of other options
  --strategy components|separation|kelly-pugh|bounding-box|hull
                               how loops are generated, with the options of `loopwright codegen`
  --emit scop|deps|constraints|schedule|mapping|ast|code
                               what to print (default code)
  --emit scop=FORMAT, --emit schedule=FORMAT
                               print the model for another tool (openscop, jscop or pet), in the
                               program's order or with the schedule that was found
  -I DIR, -D NAME[=VALUE]      as for the C compiler

The preprocessor is `$CC -E` (default cc).
";

struct Request {
    input: PathBuf,
    output: Option<PathBuf>,
    report: Option<PathBuf>,
    written_choices: Option<PathBuf>,
    emit: Emit,
    /// The format of the input, if it is a model instead of C.
    from: Option<ForeignFormat>,
    /// The C file that the code of a model belongs into.
    into: Option<PathBuf>,
    options: CompileOptions,
    /// The options as they were given.
    given: Vec<Given>,
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: Arguments) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else { return print_text(USAGE) };
    refuse_overwriting(&request)?;
    let compiled = compiled(&request)?;
    let n_regions = compiled.report.regions.len();
    for remark in without_effect::overruled(&request.given, &request.options.choices, n_regions) {
        print_remarks(&format!("warning: {remark}\n"));
    }
    let text = compiled.emit(request.emit)?;
    match &request.output {
        Some(path) => write_text(path, &text)?,
        None => print_text(&text)?,
    }
    if let Some(path) = &request.report {
        write_text(path, &report_text(path, &request, &compiled))?;
    }
    if let Some(path) = &request.written_choices {
        write_text(path, &compiled.choices().to_string())?;
    }
    match request.output {
        Some(_) => print_text(&compiled.report.to_string())?,
        None => print_remarks(&compiled.report.to_string()),
    }
    compiled.refusals().map_or(Ok(()), |refusals| Err(refusals.clone()))
}

/// What comes of the input, a C file or a model.
fn compiled(request: &Request) -> Result<Compiled, Failure> {
    let Some(format) = request.from else {
        return compile_file(&request.input, &request.options);
    };
    let text = read_text(&request.input)?;
    let into = request.into.as_ref().map(|path| Ok((path, read_text(path)?))).transpose()?;
    let into = into.as_ref().map(|(path, text)| (path.as_path(), text.as_str()));
    compile_foreign(&request.input, &text, format, into, &request.options)
}

/// The report for a file of this name: JSON, or a page.
fn report_text(path: &Path, request: &Request, compiled: &Compiled) -> String {
    let input = request.input.to_string_lossy();
    match path.extension().is_some_and(|extension| extension == "json") {
        true => format!("{:#}\n", json_report(&input, compiled, &request.options.machine)),
        false => html_report(&request.input, compiled, &request.options),
    }
}

/// The results must not take the place of the input or of each other.
fn refuse_overwriting(request: &Request) -> Result<(), Failure> {
    let results = [
        ("the code", &request.output),
        ("the report", &request.report),
        ("the choices", &request.written_choices),
    ];
    distinct_results(&request.input, &results)
}

/// Refuses names of results that are the input's, or the same.
pub(super) fn distinct_results(
    input: &Path,
    results: &[(&str, &Option<PathBuf>)],
) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => a == b,
    };
    let results: Vec<(&str, &PathBuf)> =
        results.iter().filter_map(|(what, path)| path.as_ref().map(|path| (*what, path))).collect();
    for (position, (what, path)) in results.iter().enumerate() {
        if same(path, input) {
            let path = path.display();
            return Err(usage_error(format!("{path} is the input file and would be overwritten")));
        }
        if let Some((other, _)) = results[..position].iter().find(|(_, known)| same(known, path)) {
            return Err(usage_error(format!("{other} and {what} cannot go to one file")));
        }
    }
    Ok(())
}

/// The request; none if the user asks how to make one.
fn parse(mut parser: Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut input = None;
    let mut request = Request {
        input: PathBuf::new(),
        output: None,
        report: None,
        written_choices: None,
        emit: Emit::Code,
        from: None,
        into: None,
        options: CompileOptions::new(),
        given: Vec::new(),
    };
    let mut strategy = StrategyArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Value(path) => {
                return Err(usage_error(format!("a second input file: {}", path.display())));
            }
            Short('o') | Long("output") => {
                request.output = output_path(&mut parser)?;
            }
            Long("report") => {
                request.report = Some(PathBuf::from(parser.value().map_err(usage_error)?));
            }
            Long("write-choices") => {
                request.written_choices = Some(PathBuf::from(parser.value().map_err(usage_error)?));
            }
            Long("choices") => {
                let path = PathBuf::from(parser.value().map_err(usage_error)?);
                request.options.choices = read_choices(&path)?;
            }
            Short('h') | Long("help") => return Ok(None),
            Short(letter) => {
                accept_preprocessing(&mut request.options, letter, &mut parser)?;
            }
            Long("autodetect") => request.options.front_end.autodetect = true,
            Long("no-verify") => request.options.verify = false,
            Long("no-keep-going") => request.options.keep_going = false,
            Long("emit") => request.emit = choice("--emit", &text(&mut parser)?, &EMITS)?,
            Long("schedule") => {
                let path = PathBuf::from(parser.value().map_err(usage_error)?);
                request.options.scheduler = Scheduler::Given(read_text(&path)?);
            }
            Long("from") => {
                let word = text(&mut parser)?;
                request.from = Some(choice("--from", &word, &ForeignFormat::WORDS)?);
            }
            Long("into") => {
                request.into = Some(PathBuf::from(parser.value().map_err(usage_error)?));
            }
            Long("transform") => {
                request.options.scheduler = Scheduler::Transformed(text(&mut parser)?);
            }
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut request.options, &mut strategy, &name, &mut parser)?;
            }
        }
    }
    without_effect::check("compile", parser.given())?;
    request.given = parser.given().to_vec();
    request.options.front_end.without_loops = request.emit != Emit::Code;
    request.options.strategy = strategy.strategy().map_err(usage_error)?;
    request.input = input.ok_or_else(|| usage_error("no input file"))?;
    Ok(Some(request))
}

/// Takes a choice of a compilation, or what is said about the program or the machine.
pub(super) fn accept_choice(
    options: &mut CompileOptions,
    strategy: &mut StrategyArguments,
    name: &str,
    parser: &mut Arguments,
) -> Result<(), Failure> {
    if accept_fact(options, name, parser)? {
        return Ok(());
    }
    let needs = CompileOptions::takes_value(name)
        .or(StrategyArguments::takes_value(name))
        .ok_or_else(|| usage_error(lexopt::Arg::Long(name).unexpected()))?;
    let value = needs.then(|| text(parser)).transpose()?;
    match StrategyArguments::takes_value(name) {
        Some(_) => strategy.set(name, value.as_deref()),
        None => options.set(name, value.as_deref()),
    }
    .map_err(usage_error)
}

/// A file of choices.
pub(super) fn read_choices(path: &Path) -> Result<Choices, Failure> {
    Choices::parse(&read_text(path)?)
        .map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
}

const EMITS: [(&str, Emit); 13] = [
    ("scop", Emit::Scop),
    ("deps", Emit::Deps),
    ("constraints", Emit::Constraints),
    ("schedule", Emit::Schedule),
    ("mapping", Emit::Mapping),
    ("ast", Emit::Ast),
    ("code", Emit::Code),
    ("scop=openscop", Emit::ScopIn(ForeignFormat::OpenScop)),
    ("scop=jscop", Emit::ScopIn(ForeignFormat::Jscop)),
    ("scop=pet", Emit::ScopIn(ForeignFormat::Pet)),
    ("schedule=openscop", Emit::ScheduleIn(ForeignFormat::OpenScop)),
    ("schedule=jscop", Emit::ScheduleIn(ForeignFormat::Jscop)),
    ("schedule=pet", Emit::ScheduleIn(ForeignFormat::Pet)),
];
pub(super) fn text(parser: &mut Arguments) -> Result<String, Failure> {
    let value = parser.value().map_err(usage_error)?;
    value.into_string().map_err(|value| usage_error(format!("{value:?} is not a text")))
}

pub(super) fn choice<T: Clone>(
    option: &str,
    value: &str,
    choices: &[(&str, T)],
) -> Result<T, Failure> {
    let found = choices.iter().find(|(name, _)| *name == value);
    found.map(|(_, choice)| choice.clone()).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        usage_error(format!("{option} takes one of {}, not `{value}`", names.join(", ")))
    })
}
