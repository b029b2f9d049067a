//! Options that other options make meaningless.
//!
//! What is asked for and cannot be had is refused; what is switched off where it is off anyway, or comes
//! after the stage that is printed, is only remarked. So no option is taken in silence. All of it is one
//! table, [`RULES`].
use super::arguments::Given;
use super::program_options::is_about_kernels;
use super::streams::print_remarks;
use super::usage::usage_error;
use loopwright::{Choices, Diagnostic, Failure};

/// What becomes of an option without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is an error.
    Refused,
    /// It is remarked.
    Remarked,
}
use Verdict::{Refused, Remarked};

/// The other option that takes the effect away.
#[derive(Clone, Copy, Debug)]
enum Beside {
    /// One of these options, whatever its value.
    Any(&'static [&'static str]),
    /// An option with one of these values.
    Value(&'static str, &'static [&'static str]),
    /// There is none of these options.
    Without(&'static [&'static str]),
}
use Beside::{Any, Value, Without};

/// Options of some commands that have no effect beside another one.
struct Rule {
    commands: &'static [&'static str],
    options: &'static [&'static str],
    beside: Beside,
    verdict: Verdict,
    why: &'static str,
}

/// The commands that compile.
const COMPILING: &[&str] = &["cc", "compile", "explain", "report", "tune"];

const SIZES: &[&str] =
    &["tile-sizes", "tile-factors", "tile-model", "sica-levels", "sica-share", "sica-blocks"];
const SICA: &[&str] = &["sica-levels", "sica-share", "sica-blocks"];
/// What is about the schedule that is looked for, or about what is made of it. `schedule-*` is any option
/// that begins so.
const OF_OWN_SCHEDULES: &[&str] = &[
    "tile-sizes",
    "tile-factors",
    "tile-model",
    "sica-levels",
    "sica-share",
    "sica-blocks",
    "tiling",
    "parametric-tiles",
    "concurrent-start",
    "fuse",
    "input-reuse",
    "schedule-*",
];
/// The same that are switched off where they are off in any case.
const OFF_FOR_GIVEN_ORDERS: &[&str] = &[
    "no-tile",
    "no-register-tiles",
    "no-panels",
    "no-expansion",
    "no-group-chains",
    "no-point-to-point",
    "point-to-point",
    "synchronisation",
    "register-tiles",
    "panels",
    "expansion",
    "group-chains",
];
const OF_SEARCH: &[&str] =
    &["fuse", "input-reuse", "group-chains", "no-group-chains", "schedule-*"];
const SCHEDULES: &[&str] = &["schedule", "transform", "scheduler", "no-reschedule"];
const EARLY_STAGES: &[&str] = &["scop", "deps", "constraints", "multifor", "network"];
const BEFORE_CODE: &[&str] =
    &["multifor", "network", "scop", "deps", "constraints", "schedule", "mapping"];
const STRATEGY: &[&str] = &[
    "strategy",
    "separate-from",
    "separate-to",
    "sequential-levels",
    "copy-cost",
    "remove-dead-loops",
];
const OF_C: &[&str] = &[
    "I",
    "D",
    "U",
    "isystem",
    "include",
    "std",
    "autodetect",
    "assume-no-alias",
    "pure",
    "no-keep-going",
    "multifor",
    "multifor-check",
    "multifor-offsets",
];
const OF_PREPROCESSING: &[&str] = &["I", "D", "U", "isystem", "include"];
const OF_ONE_FILE: &[&str] =
    &["report", "write-choices", "choices", "emit", "schedule", "from", "into"];

/// Which options have no effect beside which others.
const RULES: &[Rule] = &[
    Rule {
        commands: COMPILING,
        options: OF_OWN_SCHEDULES,
        beside: Value("scheduler", &["none"]),
        verdict: Refused,
        why: "the program's order is kept as it is; --no-reschedule tiles it",
    },
    Rule {
        commands: COMPILING,
        options: OFF_FOR_GIVEN_ORDERS,
        beside: Value("scheduler", &["none"]),
        verdict: Remarked,
        why: "the program's order is kept as it is",
    },
    Rule {
        commands: &["compile"],
        options: OF_OWN_SCHEDULES,
        beside: Any(&["schedule", "transform"]),
        verdict: Refused,
        why: "the order is the given one",
    },
    Rule {
        commands: &["compile"],
        options: OFF_FOR_GIVEN_ORDERS,
        beside: Any(&["schedule", "transform"]),
        verdict: Remarked,
        why: "the order is the given one",
    },
    Rule {
        commands: &["compile"],
        options: SCHEDULES,
        beside: Any(&["schedule", "transform"]),
        verdict: Refused,
        why: "a region has one order",
    },
    Rule {
        commands: COMPILING,
        options: &["scheduler"],
        beside: Any(&["no-reschedule"]),
        verdict: Refused,
        why: "the program's order is kept",
    },
    Rule {
        commands: COMPILING,
        options: OF_SEARCH,
        beside: Any(&["no-reschedule"]),
        verdict: Refused,
        why: "no schedule is looked for",
    },
    Rule {
        commands: COMPILING,
        options: SIZES,
        beside: Any(&["no-tile"]),
        verdict: Refused,
        why: "nothing is tiled",
    },
    Rule {
        commands: COMPILING,
        options: &[
            "tile-factors",
            "tile-model",
            "sica-levels",
            "sica-share",
            "sica-blocks",
            "concurrent-start",
            "no-tile",
        ],
        beside: Value(
            "tiling",
            &["pipelined", "tube", "diamond", "trapezoid", "hexagonal", "overlapped", "auto"],
        ),
        verdict: Refused,
        why: "the shape of tiles is chosen, and --tile-sizes are its sizes",
    },
    Rule {
        commands: COMPILING,
        options: &["point-to-point", "no-point-to-point"],
        beside: Any(&["synchronisation"]),
        verdict: Refused,
        why: "it says how tiles wait",
    },
    Rule {
        commands: COMPILING,
        options: &["tile-factors", "tiling", "concurrent-start", "no-tile"],
        beside: Any(&["parametric-tiles"]),
        verdict: Refused,
        why: "the sizes of tiles are variables of the result",
    },
    Rule {
        commands: COMPILING,
        options: &["parametric-tiles"],
        beside: Value("storage", &["expand"]),
        verdict: Refused,
        why: "copies of arrays are for the loops of the program without them",
    },
    Rule {
        commands: COMPILING,
        options: &["storage"],
        beside: Value("tiling", &["overlapped"]),
        verdict: Refused,
        why: "overlapped tiles have arrays of their own",
    },
    Rule {
        commands: COMPILING,
        options: &["tile-factors", "tile-model", "sica-levels", "sica-share", "sica-blocks"],
        beside: Value("tile-sizes", &["none"]),
        verdict: Refused,
        why: "nothing is tiled",
    },
    Rule {
        commands: COMPILING,
        options: &["tile-model", "sica-levels", "sica-share", "sica-blocks"],
        beside: Any(&["tile-sizes"]),
        verdict: Refused,
        why: "the sizes are given",
    },
    Rule {
        commands: COMPILING,
        options: SICA,
        beside: Value("tile-model", &["default", "fixed", "footprint"]),
        verdict: Refused,
        why: "another model chooses the sizes",
    },
    Rule {
        commands: COMPILING,
        options: &["point-to-point", "no-point-to-point", "synchronisation"],
        beside: Value("target", &["c"]),
        verdict: Remarked,
        why: "there are no threads that could wait",
    },
    Rule {
        commands: COMPILING,
        options: &["expansion", "no-expansion"],
        beside: Any(&["no-register-tiles"]),
        verdict: Remarked,
        why: "scalars are only expanded for results in registers",
    },
    Rule {
        commands: COMPILING,
        options: &["schedule-merge-complete", "schedule-max-constant-term"],
        beside: Value("scheduler", &["feautrier"]),
        verdict: Remarked,
        why: "there are no bands",
    },
    Rule {
        commands: COMPILING,
        options: &["unchanged"],
        beside: Any(&["always-rewrite"]),
        verdict: Refused,
        why: "regions are either left or rewritten",
    },
    Rule {
        commands: &["compile"],
        options: &["from", "report", "write-choices"],
        beside: Value("emit", &["multifor", "network"]),
        verdict: Refused,
        why: "multifor statements and networks are made of the text of a C file, which is not compiled",
    },
    Rule {
        commands: &["compile"],
        options: &["scalability-report"],
        beside: Any(&["from", "profile-gen", "q", "quiet"]),
        verdict: Refused,
        why: "it needs a C file, and the report that is printed",
    },
    Rule {
        commands: &["compile"],
        options: &["profile-gen", "profile-use"],
        beside: Any(&["from", "unchanged", "schedule", "transform"]),
        verdict: Refused,
        why: "profiles are about the regions of C files that are given new loops",
    },
    Rule {
        commands: &["cc", "compile"],
        options: &[
            "profile-use",
            "adaptive",
            "always-rewrite",
            "no-verify",
            "choices",
            "write-choices",
            "report",
        ],
        beside: Any(&["profile-gen"]),
        verdict: Refused,
        why: "the result is the program as it was",
    },
    Rule {
        commands: &["compile"],
        options: &["choices", "write-choices"],
        beside: Any(&["profile-use"]),
        verdict: Refused,
        why: "choices are for the regions that a file has without a profile",
    },
    Rule {
        commands: &["cc", "compile"],
        options: &["profile-file"],
        beside: Without(&["profile-gen"]),
        verdict: Refused,
        why: "it goes with --profile-gen",
    },
    Rule {
        commands: &["cc", "compile", "report"],
        options: &["profile-share", "profile-versions"],
        beside: Without(&["profile-use"]),
        verdict: Refused,
        why: "they go with --profile-use",
    },
    Rule {
        commands: &["compile"],
        options: &["profile-gen", "profile-use"],
        beside: Value("emit", BEFORE_CODE),
        verdict: Refused,
        why: "profiles are about the code",
    },
    Rule {
        commands: COMPILING,
        options: &["adaptive"],
        beside: Any(&["unchanged"]),
        verdict: Refused,
        why: "there is no new text to time",
    },
    Rule {
        commands: &["compile"],
        options: &["adaptive"],
        beside: Any(&["from"]),
        verdict: Refused,
        why: "there is no text as it was",
    },
    Rule {
        commands: &["compile"],
        options: &["adaptive"],
        beside: Value("emit", BEFORE_CODE),
        verdict: Remarked,
        why: "what is printed is known before there is text",
    },
    Rule {
        commands: &["explain", "report"],
        options: &["adaptive"],
        beside: Without(&[]),
        verdict: Remarked,
        why: "nothing runs",
    },
    Rule {
        commands: &["compile"],
        options: OF_OWN_SCHEDULES,
        beside: Any(&["unchanged"]),
        verdict: Refused,
        why: "all regions stay as they were",
    },
    Rule {
        commands: &["compile"],
        options: OF_OWN_SCHEDULES,
        beside: Value("emit", EARLY_STAGES),
        verdict: Remarked,
        why: "what is printed is known before there is a schedule",
    },
    Rule {
        commands: &["compile"],
        options: STRATEGY,
        beside: Value("emit", BEFORE_CODE),
        verdict: Remarked,
        why: "what is printed is known before there are loops",
    },
    Rule {
        commands: &["compile"],
        options: &["vector-pragma"],
        beside: Value("emit", BEFORE_CODE),
        verdict: Remarked,
        why: "what is printed is known before there is text",
    },
    Rule {
        commands: &["compile"],
        options: &["no-verify"],
        beside: Value("emit", EARLY_STAGES),
        verdict: Remarked,
        why: "what is printed is known before there is anything to prove",
    },
    Rule {
        commands: &["compile"],
        options: &["always-rewrite"],
        beside: Value("emit", BEFORE_CODE),
        verdict: Remarked,
        why: "what is printed is known before there is text",
    },
    Rule {
        commands: &["compile"],
        options: OF_C,
        beside: Any(&["from"]),
        verdict: Refused,
        why: "the input is a model, not C",
    },
    Rule {
        commands: &["compile", "report"],
        options: &["sizes"],
        beside: Without(&["amounts"]),
        verdict: Refused,
        why: "they go with --amounts",
    },
    Rule {
        commands: &["compile"],
        options: &["amounts"],
        beside: Any(&["profile-gen"]),
        verdict: Refused,
        why: "the result is the program as it was",
    },
    Rule {
        commands: &["compile"],
        options: &["into"],
        beside: Without(&["from"]),
        verdict: Refused,
        why: "--into goes with --from",
    },
    Rule {
        commands: &["compile"],
        options: &["write-choices"],
        beside: Any(&["schedule", "transform"]),
        verdict: Refused,
        why: "--write-choices does not go with --schedule or --transform",
    },
    Rule {
        commands: &["compile", "explain", "report"],
        options: &["machine"],
        beside: Value("scheduler", &["none"]),
        verdict: Remarked,
        why: "no model of a machine is asked",
    },
    Rule {
        commands: &["compile", "report"],
        options: &["v", "verbose"],
        beside: Any(&["q", "quiet"]),
        verdict: Refused,
        why: "nothing is printed but errors",
    },
    Rule {
        commands: &["compile", "report"],
        options: &["color", "v", "verbose"],
        beside: Value("message-format", &["json", "sarif"]),
        verdict: Refused,
        why: "messages are data",
    },
    Rule {
        commands: &["cc"],
        options: &["loopwright-report", "no-cache", "time-limit", "no-verify"],
        beside: Any(&["summary"]),
        verdict: Refused,
        why: "nothing is compiled",
    },
    Rule {
        commands: &["report"],
        options: &["allow-compiler"],
        beside: Without(&["p"]),
        verdict: Refused,
        why: "only the commands of a build (-p) name programs",
    },
    Rule {
        commands: &["report"],
        options: &["amounts", "sizes"],
        beside: Any(&["p"]),
        verdict: Refused,
        why: "amounts are about files that are named",
    },
    Rule {
        commands: &["report"],
        options: OF_PREPROCESSING,
        beside: Any(&["p"]),
        verdict: Refused,
        why: "flags are those of the build",
    },
    Rule {
        commands: &["tune"],
        options: &["cache"],
        beside: Any(&["no-cache"]),
        verdict: Refused,
        why: "results are kept or not",
    },
    Rule {
        commands: &["schedule"],
        options: &["schedule-*", "ignore-options"],
        beside: Any(&["schedule"]),
        verdict: Refused,
        why: "the schedule is the given one",
    },
    Rule {
        commands: &["schedule"],
        options: &["schedule-outer-coincidence", "schedule-fallback", "schedule-wavefront"],
        beside: Value("schedule-algorithm", &["feautrier"]),
        verdict: Refused,
        why: "each member carries as much as possible",
    },
    Rule {
        commands: &["codegen"],
        options: &["no-macros", "iterator-type", "always-print-block", "no-outermost-block"],
        beside: Value("format", &["tree", "json"]),
        verdict: Refused,
        why: "it is about text in C",
    },
    Rule {
        commands: &["codegen"],
        options: &["no-verify"],
        beside: Any(&["sequential-levels"]),
        verdict: Remarked,
        why: "with an order that is not the schedule's there is no check in any case",
    },
    Rule {
        commands: &["scalability"],
        options: &["tile-sizes"],
        beside: Without(&["tiling"]),
        verdict: Refused,
        why: "it goes with --tiling",
    },
    Rule {
        commands: &["scalability"],
        options: &["tile-size"],
        beside: Any(&["tile-sizes"]),
        verdict: Refused,
        why: "the sizes are given",
    },
    Rule {
        commands: &["scalability"],
        options: &["machine"],
        beside: Without(&[]),
        verdict: Remarked,
        why: "sizes are those of the tile graph and not of a machine",
    },
    Rule {
        commands: &["dataflow"],
        options: &["machine"],
        beside: Without(&[]),
        verdict: Remarked,
        why: "where values come from is the same on all machines",
    },
    Rule {
        commands: &["verify"],
        options: &["machine"],
        beside: Without(&[]),
        verdict: Remarked,
        why: "what programs compute is the same on all machines",
    },
    Rule {
        commands: &["storage"],
        options: &["machine"],
        beside: Without(&[]),
        verdict: Remarked,
        why: "cells are those of tiles of any size",
    },
    Rule {
        commands: &["machine"],
        options: &["machine", "generic"],
        beside: Any(&["device"]),
        verdict: Refused,
        why: "what is printed is the device",
    },
    Rule {
        commands: &["codegen"],
        options: &["separation-bounds"],
        beside: Value("strategy", &["kelly-pugh", "bounding-box", "hull", "separation"]),
        verdict: Remarked,
        why: "it is about the strategy `components`",
    },
];

/// Options that may come several times, each with an effect.
const REPEATED: &[(&str, &[&str])] = &[
    ("calc", &["e", "execute"]),
    ("compile", OF_PREPROCESSING),
    ("compile", &["device"]),
    ("explain", &["device"]),
    ("dataflow", OF_PREPROCESSING),
    ("explain", OF_PREPROCESSING),
    ("machine", &["machine", "device"]),
    ("report", OF_PREPROCESSING),
    ("scalability", OF_PREPROCESSING),
    ("storage", OF_PREPROCESSING),
    ("tune", &["I", "D", "U", "isystem", "include", "with", "link", "run-args"]),
    ("verify", &["I", "D", "U", "isystem", "include", "layout"]),
];

/// Refuses options of a command line that have no effect, or remarks them: the remarks are printed.
///
/// # Errors
/// The first option that is refused.
pub(super) fn check_and_say(command: &str, given: &[Given]) -> Result<(), Failure> {
    let remarks = check(command, given)?;
    remarks.iter().for_each(|remark| print_remarks(&format!("{remark}\n")));
    Ok(())
}

/// Refuses options of a command line that have no effect, or remarks them.
///
/// # Errors
/// The first option that is refused.
pub(super) fn check(command: &str, given: &[Given]) -> Result<Vec<Diagnostic>, Failure> {
    let (refused, remarks) = judged(command, given);
    match refused {
        Some(message) => Err(usage_error(message)),
        None => Ok(remarks.into_iter().map(Diagnostic::warning).collect()),
    }
}

/// Refuses options that are about one file, where there are several.
///
/// # Errors
/// The first of them.
pub(super) fn about_one_file(given: &[Given]) -> Result<(), Failure> {
    match given.iter().find(|option| OF_ONE_FILE.contains(&&*option.name)) {
        Some(option) => Err(usage_error(format!("{} is about one input file", text(option)))),
        None => Ok(()),
    }
}

/// Refuses all options.
///
/// # Errors
/// If there is an option.
pub(super) fn none_but_input(given: &[Given], why: &str) -> Result<(), Failure> {
    match given.first() {
        Some(option) => Err(usage_error(format!("{} has no effect: {why}", text(option)))),
        None => Ok(()),
    }
}

/// The first reason to refuse a command line, and what is to be remarked.
fn judged(command: &str, given: &[Given]) -> (Option<String>, Vec<String>) {
    let (mut refused, mut remarks) = (super::second_file::why_not(command, given), Vec::new());
    let mut say = |verdict, message: String| match verdict {
        Refused if refused.is_none() => refused = Some(message),
        Refused => {}
        Remarked => remarks.push(message),
    };
    for (verdict, message) in said_twice(command, given) {
        say(verdict, message);
    }
    for rule in RULES.iter().filter(|rule| rule.commands.contains(&command)) {
        let Some(reason) = rule.beside.found(given) else { continue };
        let meant = |option: &&Given| rule.options.iter().any(|name| is_named(option, name));
        for option in given.iter().filter(meant) {
            if reason.is_some_and(|reason| std::ptr::eq(reason, option)) {
                continue;
            }
            let beside = reason.map(|other| format!(" beside {}", text(other)));
            let (beside, option) = (beside.unwrap_or_default(), text(option));
            say(rule.verdict, format!("{option} has no effect{beside}: {}", rule.why));
        }
    }
    (refused, remarks)
}

impl Beside {
    /// Whether the other option is there; which one, if it is one that is there.
    fn found(self, given: &[Given]) -> Option<Option<&Given>> {
        let has = |option: &&Given, values: &[&str]| {
            // A format belongs to its word: `scop=pet`.
            let word = |value: &str| value.split('=').next().unwrap_or_default().to_string();
            option.value.as_deref().is_some_and(|value| {
                values.contains(&value) || values.contains(&word(value).as_str())
            })
        };
        match self {
            Any(names) => {
                let is_one = |option: &&Given| names.iter().any(|name| is_named(option, name));
                given.iter().find(is_one).map(Some)
            }
            Value(name, values) => {
                given.iter().find(|option| option.name == name && has(option, values)).map(Some)
            }
            Without(names) => {
                let is_one = |option: &Given| names.iter().any(|name| is_named(option, name));
                (!given.iter().any(is_one)).then_some(None)
            }
        }
    }
}

/// Whether an option is meant by a name, which may end in `*`.
fn is_named(option: &Given, name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => option.name.strip_prefix("no-").unwrap_or(&option.name).starts_with(start),
        None => own_name(option) == name,
    }
}

/// The name of an option, by its value where one name stands for two options.
pub(super) fn own_name(option: &Given) -> &str {
    match (option.name.as_str(), &option.value) {
        ("sizes", Some(value)) if is_about_kernels(value) => "sizes of kernels",
        (name, _) => name,
    }
}

/// An option as the command line has it.
pub(super) fn text(option: &Given) -> String {
    let dashes = if option.name.chars().count() == 1 { "-" } else { "--" };
    match &option.value {
        Some(value) if !value.contains('\n') && value.len() < 40 => {
            format!("{dashes}{} {value}", option.name)
        }
        _ => format!("{dashes}{}", option.name),
    }
}

/// What an option is about: its name without `no-`; of macros, the name of the macro, too.
fn subject(option: &Given) -> String {
    match (option.name.as_str(), &option.value) {
        ("D" | "U", Some(value)) => {
            format!("D {}", value.split(['=', '(']).next().unwrap_or_default())
        }
        ("o", _) => "output".to_string(),
        ("q", _) => "quiet".to_string(),
        ("v", _) => "verbose".to_string(),
        ("sizes", _) => own_name(option).to_string(),
        (name, _) => name.strip_prefix("no-").unwrap_or(name).to_string(),
    }
}

/// Options that say something else than an earlier one, or the same once more.
fn said_twice(command: &str, given: &[Given]) -> Vec<(Verdict, String)> {
    let mut found = Vec::new();
    let repeated = REPEATED.iter().filter(|(name, _)| *name == command);
    let repeated: Vec<&str> = repeated.flat_map(|(_, options)| options.iter().copied()).collect();
    for (position, option) in given.iter().enumerate() {
        let same = |other: &&Given| subject(other) == subject(option);
        let Some(other) = given[..position].iter().find(same) else { continue };
        let is_list = repeated.contains(&option.name.as_str());
        let is_macro = matches!(&*option.name, "D" | "U");
        if is_list && (!is_macro || option == other) {
            continue;
        }
        found.push(match other == option {
            true => (Remarked, format!("{} is given twice", text(option))),
            false => {
                (Refused, format!("{} and {} contradict each other", text(other), text(option)))
            }
        });
    }
    found
}

/// Remarks about options that choices of a file overrule.
pub(super) fn overruled(given: &[Given], choices: &Choices, n_regions: usize) -> Vec<Diagnostic> {
    let mut remarks = Vec::new();
    for option in given {
        let (name, value) = match (option.name.strip_prefix("no-"), &option.value) {
            (_, Some(value)) => (option.name.as_str(), value.as_str()),
            (Some("tile"), None) => ("tile-sizes", "none"),
            (Some(name), None) => (name, "no"),
            (None, None) => (option.name.as_str(), "yes"),
        };
        for position in 0..n_regions {
            let chosen = choices.region(position).and_then(|region| region.get(name));
            if let Some(chosen) = chosen.filter(|chosen| *chosen != value) {
                remarks.push(Diagnostic::warning(format!(
                    "{} has no effect on region {}: the choices say {name} = {chosen}",
                    text(option),
                    position + 1
                )));
            }
        }
    }
    remarks
}

#[cfg(test)]
mod tests;
