//! What a table of options is: help, completions, the manual page and the check of names are made from it.
use loopwright_scheduler::Options as SchedulerOptions;
use std::borrow::Cow;

/// What follows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing.
    Nothing,
    /// A text, by what it stands for.
    Text(&'static str),
    /// The name of a file.
    File(&'static str),
    /// The name of a folder.
    Folder(&'static str),
    /// One of these words.
    Words(&'static [&'static str]),
}

impl Value {
    /// How the value is written in help.
    pub(super) fn text(self) -> String {
        match self {
            Value::Nothing => String::new(),
            Value::Text(name) | Value::File(name) | Value::Folder(name) => name.to_string(),
            Value::Words(words) => words.join("|"),
        }
    }
}

/// An option.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Its letter.
    pub(super) letter: Option<char>,
    /// Its name without dashes; empty if it has a letter only.
    pub(super) name: Cow<'static, str>,
    /// Whether compilers of C have it, with a single dash.
    pub(super) is_of_compilers: bool,
    /// What follows it.
    pub(super) value: Value,
    /// Whether it has a counterpart that says the opposite: `no-NAME`, or `NAME` of `no-NAME`.
    pub(super) has_opposite: bool,
    /// What it does.
    pub(super) help: &'static str,
}

impl Row {
    pub(super) const fn new(name: &'static str, value: Value, help: &'static str) -> Self {
        let name = Cow::Borrowed(name);
        Row { letter: None, name, is_of_compilers: false, value, has_opposite: false, help }
    }

    /// An option that is on or off.
    pub(super) const fn switch(name: &'static str, help: &'static str) -> Self {
        let name = Cow::Borrowed(name);
        let value = Value::Nothing;
        Row { letter: None, name, is_of_compilers: false, value, has_opposite: true, help }
    }

    /// An option of a letter and perhaps a name.
    pub(super) const fn letter(
        letter: char,
        name: &'static str,
        value: Value,
        help: &'static str,
    ) -> Self {
        let (letter, name) = (Some(letter), Cow::Borrowed(name));
        Row { letter, name, is_of_compilers: false, value, has_opposite: false, help }
    }

    /// An option that compilers of C have with one dash, such as `-isystem DIR`.
    pub(super) const fn of_compilers(name: &'static str, value: Value, help: &'static str) -> Self {
        let name = Cow::Borrowed(name);
        Row { letter: None, name, is_of_compilers: true, value, has_opposite: false, help }
    }

    /// The option as the command line has it, without its value.
    pub(super) fn forms(&self) -> Vec<String> {
        let mut forms = Vec::from_iter(self.letter.map(|letter| format!("-{letter}")));
        forms.extend(self.names().map(|name| match self.is_of_compilers {
            true => format!("-{name}"),
            false => format!("--{name}"),
        }));
        forms
    }

    /// All its names of more than a letter.
    pub(super) fn names(&self) -> impl Iterator<Item = Cow<'static, str>> {
        let own = Some(self.name.clone()).filter(|name| !name.is_empty());
        let opposite =
            own.clone().filter(|_| self.has_opposite).map(|name| match name.strip_prefix("no-") {
                Some(name) => Cow::Owned(name.to_string()),
                None => Cow::Owned(format!("no-{name}")),
            });
        own.into_iter().chain(opposite)
    }
}

/// The option that all commands have.
static HELP: Row = Row::letter('h', "help", Value::Nothing, "these lines");

/// How help shows the choices of a compilation, if the command has them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choices {
    /// The command has none.
    None,
    /// It has those of the scheduler only.
    OfScheduler,
    /// One by one.
    Listed(&'static [Row]),
    /// By their names.
    Named(&'static [Row]),
}

/// A subcommand.
#[derive(Debug)]
pub(super) struct CommandTable {
    pub(super) name: &'static str,
    /// What comes after the name.
    pub(super) operands: &'static [&'static str],
    /// What it does, in a line.
    pub(super) summary: &'static str,
    /// What it does.
    pub(super) about: &'static str,
    /// Its options.
    pub(super) rows: &'static [&'static [Row]],
    /// Which choices of a compilation it has as well.
    pub(super) choices: Choices,
    /// What there is to say after the options.
    pub(super) after: &'static str,
}

impl CommandTable {
    /// The options of its own.
    pub(super) fn own_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().copied().flatten().chain([&HELP])
    }

    /// All options.
    pub(super) fn all_rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.own_rows().cloned().collect();
        if let Choices::Listed(choices) | Choices::Named(choices) = self.choices {
            rows.extend(choices.iter().cloned());
        }
        if !matches!(self.choices, Choices::None) {
            rows.extend(scheduler_rows());
        }
        rows
    }

    /// Whether there is an option of this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.all_rows().iter().any(|row| row.names().any(|known| known == name))
    }

    /// Whether there is an option of this letter.
    pub(super) fn has_letter(&self, letter: char) -> bool {
        self.own_rows().any(|row| row.letter == Some(letter))
    }
}

/// The scheduler's own options.
pub(super) fn scheduler_rows() -> impl Iterator<Item = Row> {
    SchedulerOptions::names().map(|name| {
        let name = format!("schedule-{name}");
        let takes_value = SchedulerOptions::takes_value(&name) == Some(true);
        let value = match SchedulerOptions::words(&name) {
            Some(words) => Value::Words(words),
            None if takes_value => Value::Text("N"),
            None => Value::Nothing,
        };
        Row {
            letter: None,
            value,
            has_opposite: !takes_value,
            is_of_compilers: false,
            help: "a choice of the scheduler, see docs/scheduling.md",
            name: Cow::Owned(name),
        }
    })
}
