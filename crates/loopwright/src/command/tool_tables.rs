//! The options of subcommands that take no program: tools around schedules, dependences and sets, and for the
//! shell.
use super::table::{Choices, CommandTable, Row, Value};
use Value::{File, Nothing, Text, Words};

const COLORS: &[&str] = &["auto", "always", "never"];

pub(super) const COLOR: Row =
    Row::new("color", Words(COLORS), "colours in messages (default auto: on a terminal)");

pub(super) const COLOR_ONLY: &[Row] = &[COLOR];

pub(super) static FLOW: CommandTable = CommandTable {
    name: "flow",
    operands: &["FILE.ai"],
    summary: "print the dependences of isl's access information",
    about: "\
Prints the dependences of isl's access information: a YAML mapping of `sink`, `must_source`,
`may_source` and `kill` to relations from instances to elements, and of `schedule` to a schedule
tree or `schedule_map` to a relation from instances to times.

  must_dependence   T[j] -> [S[i] -> A[x]]: from the source that is surely the last one
  may_dependence    T[j] -> [S[i] -> A[x]]: from every source that may be the last one
  must_no_source    S[i] -> A[x]: sink accesses without any source or kill before
  may_no_source     S[i] -> A[x]: sink accesses without a sure source or kill before",
    rows: &[COLOR_ONLY],
    choices: Choices::None,
    after: "",
};

pub(super) static SCHEDULE: CommandTable = CommandTable {
    name: "schedule",
    operands: &["FILE.sc"],
    summary: "print a schedule tree for isl's schedule constraints",
    about: "\
Prints a schedule tree for isl's schedule constraints. The options are those of isl; docs/scheduling.md
has their meaning and defaults.",
    rows: &[
        &[
            Row::new(
                "schedule",
                File("FILE"),
                "instead of computing a schedule, check this one (a tree or a map) and print it with the flags of \
                 its bands that are true",
            ),
            Row::new(
                "ignore-options",
                Nothing,
                "pass over a comment `# OPTIONS: ...` in the file, which otherwise comes before the options of the \
                 command",
            ),
        ],
        COLOR_ONLY,
    ],
    choices: Choices::OfScheduler,
    after: "",
};

pub(super) static MACHINE: CommandTable = CommandTable {
    name: "machine",
    operands: &[],
    summary: "print what is known about this machine, or check a description",
    about: "\
Prints a description of this machine, one `key = value` per line, and in a comment where each fact
comes from. `loopwright compile --machine FILE` takes such a description; docs/machine.md has the
meaning of the keys.",
    rows: &[
        &[
            Row::new(
                "machine",
                File("FILE"),
                "check FILE, and print this machine with the facts that it gives",
            ),
            Row::new("generic", Nothing, "start from a modest machine instead of this one"),
            Row::new(
                "device",
                Text("NAME|FILE"),
                "print a device with its own memory instead: hopper, ampere, ada or generic, with the facts that FILE gives",
            ),
        ],
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "",
};

pub(super) static CALC: CommandTable = CommandTable {
    name: "calc",
    operands: &["[FILE ...]"],
    summary: "a calculator for sets and relations in the language of iscc",
    about: "\
Evaluates statements about sets, relations, schedules and code in the language of iscc. Without FILE,
statements come from the standard input: from a terminal with history and completion (Tab), until
end of input (Ctrl-D); otherwise as a script. A statement that fails is reported, and the next one
follows; the exit status of scripts is then 1, or 3 if one of them reached a limit.",
    rows: &[
        &[
            Row::letter('e', "execute", Text("TEXT"), "execute this text (before the files)"),
            Row::new(
                "format",
                Words(&["isl", "polylib", "ext-polylib", "omega", "latex", "C"]),
                "how values are printed (default isl)",
            ),
            Row::new(
                "steps",
                Text("N"),
                "the work allowed for one statement (default 400000000)",
            ),
            Row::new("no-files", Nothing, "no reading and writing of files by statements"),
        ],
        COLOR_ONLY,
    ],
    choices: Choices::None,
    after: "`help;` lists the functions; docs/calc.md describes the language.",
};

pub(super) static COMPLETIONS: CommandTable = CommandTable {
    name: "completions",
    operands: &["bash|zsh|fish"],
    summary: "print a script by which a shell completes commands and options",
    about: "\
Prints a script by which a shell completes commands and options, for example
`source <(loopwright completions bash)` in ~/.bashrc, or
`loopwright completions fish > ~/.config/fish/completions/loopwright.fish`.",
    rows: &[],
    choices: Choices::None,
    after: "",
};

pub(super) static MAN: CommandTable = CommandTable {
    name: "man",
    operands: &[],
    summary: "print the manual page",
    about: "Prints the manual page: `loopwright man | man -l -`.",
    rows: &[],
    choices: Choices::None,
    after: "",
};
