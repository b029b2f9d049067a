//! `loopwright compile`.
use super::arguments::{Arguments, Given};
use super::console::Console;
use super::ended::Ended;
use super::profile_options::ProfileArguments;
use super::program_options::{accept_amounts, accept_choice, accept_preprocessing, read_choices};
use super::results::{Results, results_of_files};
use super::streams::{print_remarks, print_text, read_text, write_text};
use super::usage::{choice, usage_error};
use super::values::{path, text};
use super::without_effect;
use loopwright::{
    CompileOptions, Compiled, Diagnostic, Emit, Failure, ForeignFormat, MultiforCheck,
    NetworkFormat, ScalabilityOptions, Scheduler, Status, StrategyArguments, compile_file,
    compile_foreign, compile_source_text, html_report, json_report, multifor_of_file,
    multifor_of_text, network_of_file, network_of_text, scalability_of_file,
};
use loopwright_cfront::{not_c, read_bytes_of, text_of};
use loopwright_multifor::{OffsetChoice, Scheme};
use loopwright_transform::{Decision, Tiling};
use std::path::{Path, PathBuf};

/// The name of the standard input in messages.
const STANDARD_INPUT: &str = "stdin";

struct Request {
    /// What is compiled, and where the result goes.
    files: Vec<Results>,
    emit: Emit,
    /// The format of the input, if it is a model instead of C.
    from: Option<ForeignFormat>,
    /// The C file that the code of a model belongs into.
    into: Option<PathBuf>,
    options: CompileOptions,
    /// The options as they were given.
    given: Vec<Given>,
    /// Whether it is reported how far the tiles of the regions scale.
    with_scalability: bool,
    /// Remarks about them.
    remarks: Vec<Diagnostic>,
    console: Console,
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Ended {
    match parse(parser) {
        Ok(Some(request)) => compile_files(&request),
        Ok(None) => print_text(&parser.help()).into(),
        Err(failure) => Err(failure).into(),
    }
}

/// Compiles all files, whatever comes of each; the status is the worst.
fn compile_files(request: &Request) -> Ended {
    let console = request.console;
    let mut unsaid = console.say(request.remarks.clone());
    if let [file] = &request.files[..] {
        let (more, result) = compile_one(request, file);
        unsaid.extend(more);
        return Ended::with(unsaid, result);
    }
    let mut status = Status::Done;
    for (position, file) in request.files.iter().enumerate() {
        if console.shows_progress() {
            let n_files = request.files.len();
            let name = file.input.display();
            print_remarks(&format!("\r\x1b[K[{}/{n_files}] {name}", position + 1));
        }
        let (more, result) = compile_one(request, file);
        unsaid.extend(more);
        if let Err(failure) = result {
            status = status.max(failure.status);
            match console.is_text() {
                true => console.finish(Vec::new(), Some(&failure)),
                false => unsaid.extend(failure.diagnostics),
            }
        }
    }
    if console.shows_progress() {
        print_remarks("\r\x1b[K");
    }
    Ended { unsaid, failure: None, status }
}

/// Compiles a file, writes what is asked for, and returns the messages that have not been printed.
fn compile_one(request: &Request, file: &Results) -> (Vec<Diagnostic>, Result<(), Failure>) {
    let console = request.console;
    let compiled = match compiled(request, file) {
        Ok(compiled) => compiled,
        Err(failure) => return (Vec::new(), Err(failure)),
    };
    let n_regions = compiled.report.regions.len();
    let overruled = without_effect::overruled(&request.given, &request.options.choices, n_regions);
    let mut unsaid = console.say(overruled);
    if !console.is_text() && !console.is_quiet {
        unsaid.extend(compiled.report.diagnostics(&file.input.to_string_lossy()));
    }
    let result = write_results(request, file, &compiled);
    let refusals = compiled.refusals().map_or(Ok(()), |refusals| Err(refusals.clone()));
    (unsaid, result.and(refusals))
}

/// Writes the code and the reports.
fn write_results(request: &Request, file: &Results, compiled: &Compiled) -> Result<(), Failure> {
    let text = match request.emit {
        Emit::Multifor | Emit::Network(_) => compiled.code.clone(),
        stage => compiled.emit(stage)?,
    };
    let kernels = compiled.device_file().filter(|_| request.emit == Emit::Code);
    let kernels = kernels.map(|own| Ok((file.beside_code_for(own.suffix, &own.text)?, &own.text)));
    if let Some((path, text)) = kernels.transpose()? {
        write_text(&path, text)?;
    }
    match &file.output {
        Some(path) => write_text(path, &text)?,
        None => print_text(&text)?,
    }
    if let Some(path) = &file.report {
        write_text(path, &report_text(path, request, file, compiled))?;
    }
    if let Some(path) = &file.choices {
        write_text(path, &compiled.choices().to_string())?;
    }
    let console = request.console;
    if console.is_quiet || !console.is_text() {
        return Ok(());
    }
    if console.is_verbose {
        print_remarks(&verbose_text(request, file));
    }
    let mut report = match request.files.len() {
        1 => compiled.report.to_string(),
        _ => format!("{}: {}", file.input.display(), compiled.report),
    };
    if request.with_scalability {
        report += &scalability_text(request, file, compiled)?;
    }
    match file.output {
        Some(_) => print_text(&report),
        None => {
            print_remarks(&report);
            Ok(())
        }
    }
}

/// How far the tiles scale that the regions have got: the shape that was asked for, or that `auto` has taken
/// for the most regions first.
fn scalability_text(
    request: &Request,
    file: &Results,
    compiled: &Compiled,
) -> Result<String, Failure> {
    let bands = compiled.report.regions.iter().flat_map(|region| &region.bands.bands);
    let taken = bands.flat_map(|band| &band.decisions).find_map(|decision| match decision {
        Decision::Shaped { tiling, .. } => Some(*tiling),
        Decision::Overlapped { .. } => Some(Tiling::Overlapped),
        _ => None,
    });
    let tiling = match request.options.tiling {
        Some(Tiling::Auto) => taken,
        asked => asked,
    };
    if file.input.as_os_str() == "-" {
        return Err(usage_error("--scalability-report reads a file, not the standard input"));
    }
    let wanted = ScalabilityOptions { tiling, ..ScalabilityOptions::default() };
    let regions = scalability_of_file(&file.input, &request.options, &wanted)?;
    Ok(regions.iter().map(ToString::to_string).collect())
}

/// What `-v` adds: the version, what is read by which preprocessor, and the settings.
fn verbose_text(request: &Request, file: &Results) -> String {
    let front_end = &request.options.front_end;
    let words = front_end.preprocessor_words();
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut text = format!(
        "loopwright {}\n{}: preprocessed by `{}`\n",
        env!("CARGO_PKG_VERSION"),
        file.input.display(),
        [&[front_end.cc.clone(), "-E".to_string()], &words[..]].concat().join(" ")
    );
    for (name, value) in request.options.settings() {
        text.push_str(&format!("setting: {name} = {value}\n"));
    }
    text
}

/// What comes of the input, a C file or a model.
fn compiled(request: &Request, file: &Results) -> Result<Compiled, Failure> {
    if request.emit == Emit::Multifor {
        return match file.is_standard_input {
            false => multifor_of_file(&file.input, &request.options),
            true => {
                multifor_of_text(Path::new(STANDARD_INPUT), &standard_input()?, &request.options)
            }
        };
    }
    if let Emit::Network(format) = request.emit {
        return match file.is_standard_input {
            false => network_of_file(&file.input, &request.options, format),
            true => {
                let (name, text) = (Path::new(STANDARD_INPUT), standard_input()?);
                network_of_text(name, &text, &request.options, format)
            }
        };
    }
    let Some(format) = request.from else {
        return match file.is_standard_input {
            false => compile_file(&file.input, &request.options),
            true => {
                let text = standard_input()?;
                compile_source_text(Path::new(STANDARD_INPUT), &text, &request.options)
            }
        };
    };
    let text = match file.is_standard_input {
        true => standard_input()?,
        false => read_text(&file.input)?,
    };
    let into = request.into.as_ref().map(|path| Ok((path, read_text(path)?))).transpose()?;
    let into = into.as_ref().map(|(path, text)| (path.as_path(), text.as_str()));
    compile_foreign(&file.input, &text, format, into, &request.options)
}

fn standard_input() -> Result<String, Failure> {
    let refuse = |why: &dyn std::fmt::Display| {
        Failure::refused(format!("cannot read the standard input: {why}"))
    };
    let bytes = read_bytes_of(std::io::stdin()).map_err(|error| refuse(&error))?;
    if let Some(what) = not_c("-".as_ref(), &bytes) {
        return Err(Failure::refused(format!("the standard input is not C: it is {what}")));
    }
    text_of(&bytes)
        .ok_or_else(|| refuse(&"it has characters of a private plane, which stand for bytes here"))
}

/// The report for a file of this name: JSON, or a page.
fn report_text(path: &Path, request: &Request, file: &Results, compiled: &Compiled) -> String {
    let input = file.input.to_string_lossy();
    match path.extension().is_some_and(|extension| extension == "json") {
        true => format!("{:#}\n", json_report(&input, compiled, &request.options.machine)),
        false => html_report(&file.input, compiled, &request.options),
    }
}

/// The request; none if the user asks how to make one.
fn parse(parser: &mut Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut inputs, mut emit, mut from, mut into) = (Vec::new(), Emit::Code, None, None);
    let (mut output, mut report, mut written_choices) = (None, None, None);
    let mut with_scalability = false;
    let mut options = CompileOptions::new();
    let mut strategy = StrategyArguments::default();
    let mut profiling = ProfileArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) => inputs.push(PathBuf::from(path)),
            Short('o') | Long("output") => output = Some(path(parser)?),
            Long("report") => report = Some(path(parser)?),
            Long("write-choices") => written_choices = Some(path(parser)?),
            Long("choices") => options.choices = read_choices(&path(parser)?)?,
            Short('h') | Long("help") => return Ok(None),
            Short(letter) => accept_preprocessing(&mut options, &letter.to_string(), parser)?,
            Long("autodetect") => options.front_end.autodetect = true,
            Long(name) if profiling.accepts(name) => {
                let name = name.to_string();
                profiling.accept(&name, parser)?;
            }
            Long("no-verify") => options.verify = false,
            Long("scalability-report") => with_scalability = true,
            Long("no-keep-going") => options.keep_going = false,
            Long("emit") => {
                emit = choice("--emit", &text(parser)?, &EMITS).map_err(usage_error)?;
            }
            Long("schedule") => {
                options.scheduler = Scheduler::Given(read_text(&path(parser)?)?);
            }
            Long("from") => {
                let word = text(parser)?;
                let format = choice("--from", &word, &ForeignFormat::WORDS);
                from = Some(format.map_err(usage_error)?);
            }
            Long("multifor") => {
                let word = choice("--multifor", &text(parser)?, &SCHEMES);
                options.multifor.scheme = word.map_err(usage_error)?;
            }
            Long("multifor-check") => {
                options.multifor.check = match text(parser)?.as_str() {
                    "loops" => MultiforCheck::Loops,
                    file => MultiforCheck::File(PathBuf::from(file)),
                };
            }
            Long("multifor-offsets") => {
                let word = choice("--multifor-offsets", &text(parser)?, &OFFSETS);
                options.multifor.offsets = word.map_err(usage_error)?;
            }
            Long("into") => into = Some(path(parser)?),
            Long("transform") => options.scheduler = Scheduler::Transformed(text(parser)?),
            Long(name @ ("amounts" | "sizes")) => {
                let name = name.to_string();
                accept_amounts(&mut options, &name, parser)?;
            }
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut options, &mut strategy, &name, parser)?;
            }
        }
    }
    let remarks = without_effect::check("compile", parser.given())?;
    options.profiling = profiling.profiling()?;
    options.front_end.without_loops = emit != Emit::Code;
    options.strategy = strategy.strategy().map_err(usage_error)?;
    let files = match &inputs[..] {
        [] => return Err(usage_error("no input file")),
        [input] => vec![Results::of_file(input, output, report, written_choices)?],
        inputs => {
            without_effect::about_one_file(parser.given())?;
            results_of_files(inputs, output.as_deref())?
        }
    };
    for file in &files {
        file.refuse_overwriting(&inputs)?;
    }
    let (given, console) = (parser.given().to_vec(), parser.console());
    Ok(Some(Request {
        files,
        emit,
        from,
        into,
        options,
        given,
        with_scalability,
        remarks,
        console,
    }))
}

const SCHEMES: [(&str, Scheme); 2] = [("guards", Scheme::Guards), ("separated", Scheme::Separated)];

const OFFSETS: [(&str, OffsetChoice); 3] = [
    ("written", OffsetChoice::Written),
    ("smallest", OffsetChoice::Smallest),
    ("raised", OffsetChoice::Raised),
];

const EMITS: [(&str, Emit); 17] = [
    ("scop", Emit::Scop),
    ("deps", Emit::Deps),
    ("constraints", Emit::Constraints),
    ("schedule", Emit::Schedule),
    ("mapping", Emit::Mapping),
    ("ast", Emit::Ast),
    ("code", Emit::Code),
    ("multifor", Emit::Multifor),
    ("network", Emit::Network(NetworkFormat::Json)),
    ("network=dot", Emit::Network(NetworkFormat::Dot)),
    ("network=c", Emit::Network(NetworkFormat::C)),
    ("scop=openscop", Emit::ScopIn(ForeignFormat::OpenScop)),
    ("scop=jscop", Emit::ScopIn(ForeignFormat::Jscop)),
    ("scop=pet", Emit::ScopIn(ForeignFormat::Pet)),
    ("schedule=openscop", Emit::ScheduleIn(ForeignFormat::OpenScop)),
    ("schedule=jscop", Emit::ScheduleIn(ForeignFormat::Jscop)),
    ("schedule=pet", Emit::ScheduleIn(ForeignFormat::Pet)),
];
