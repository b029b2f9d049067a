//! The command language for edits of mappings.
use crate::error::EditError;
use crate::mapping::Mapping;
use loopwright_presburger::{Budget, Int};
use std::fmt;
use std::str::FromStr;

/// A list of edits as text: one step per line or between semicolons; what follows `#` on a line
/// is a comment. A step is a command, or several with `&` between them, which count as one.
///
/// Statements are named as in the mapping, separated by commas; `*` means all of them, and pieces of
/// split statements are `S0.1`, `S0.2`. Components are counted from 1, the outermost.
///
/// | command | effect |
/// |---|---|
/// | `interchange S A B` | exchanges the loops A and B |
/// | `reverse S A` | runs loop A backwards |
/// | `skew S A B K` | adds K times loop B to loop A |
/// | `unimodular S A [[a, b], [c, d]]` | multiplies the loops from A on by a matrix |
/// | `distribute S / T A` | gives the groups of statements before and after each `/` loops A of their own |
/// | `fuse S A` | makes one loop of the loops A after different constants |
/// | `reorder S / T A` | puts groups of statements in this order at the constant A |
/// | `split S where CONDITION` | splits the instances; the pieces become `S.1` and `S.2` |
/// | `tile S A N, M, ...` | cuts the loops A, A+1, ... into blocks |
/// | `interleave S A N` | runs the iterations of loop A by their remainder modulo N |
/// | `scale S A N` | multiplies loop A by N |
/// | `shift S A EXPRESSION` | adds an expression to component A |
/// | `coalesce S A` | makes one loop of the loops A and A+1 |
/// | `map S [E, F, ...]` | replaces all components by expressions |
/// | `parallel S A` | executes the loop A in parallel |
///
/// ```
/// use loopwright_mappings::{Mapping, Script};
/// use loopwright_presburger::{Budget, UnionMap};
/// let budget = Budget::unlimited();
/// let order = UnionMap::parse("{ S[i, j] -> [i, j] : 0 <= i, j < 9 }")?;
/// let mut mapping = Mapping::of_relation(&order, &budget).unwrap();
/// for step in Script::parse("interchange S 1 2; reverse S 1").unwrap().steps() {
///     mapping = step.apply(&mapping, &budget).unwrap();
/// }
/// assert_eq!(mapping.to_string(), "S: { S[i, j] -> [(-j), (i)] }\n");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    steps: Vec<Step>,
}

/// One step of a [`Script`].
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    text: String,
    commands: Vec<Command>,
}

/// Labels of statements.
type Labels = Vec<String>;

#[derive(Clone, Debug, PartialEq)]
enum Command {
    Interchange(Labels, usize, usize),
    Reverse(Labels, usize),
    Skew(Labels, usize, usize, Int),
    Unimodular(Labels, usize, Vec<Vec<Int>>),
    Distribute(Vec<Labels>, usize),
    Fuse(Labels, usize),
    Reorder(Vec<Labels>, usize),
    Split(Labels, String),
    Tile(Labels, usize, Vec<Int>),
    Interleave(Labels, usize, Int),
    Scale(Labels, usize, Int),
    Shift(Labels, usize, String),
    Coalesce(Labels, usize),
    Map(Labels, Vec<String>),
    Parallel(Labels, usize),
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// If a command is unknown or its arguments are not as expected; the message names it.
    pub fn parse(text: &str) -> Result<Script, EditError> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let commands = lines.flat_map(|line| line.split(';')).map(str::trim);
        let steps = commands.filter(|command| !command.is_empty()).map(Step::parse);
        Ok(Script { steps: steps.collect::<Result<_, _>>()? })
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

impl FromStr for Script {
    type Err = EditError;

    /// [`Script::parse`].
    fn from_str(text: &str) -> Result<Script, EditError> {
        Script::parse(text)
    }
}

/// The steps between semicolons.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            f.write_str(if position == 0 { "" } else { "; " })?;
            f.write_str(&step.text)?;
        }
        Ok(())
    }
}

impl Step {
    /// The text of the step.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The mapping after the step.
    ///
    /// # Errors
    /// If a command does not fit the mapping; the message names the step.
    pub fn apply(&self, mapping: &Mapping, budget: &Budget) -> Result<Mapping, EditError> {
        let mut result = mapping.clone();
        for command in &self.commands {
            result = command.apply(&result, budget).map_err(|error| match error {
                EditError::Refused(reason) => refused(&self.text, &reason),
                other => other,
            })?;
        }
        Ok(result)
    }

    fn parse(text: &str) -> Result<Step, EditError> {
        let read = |text: &str| {
            let text = text.trim();
            let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            command(name, rest.trim())
        };
        let commands: Result<_, Reason> = text.split('&').map(read).collect();
        let commands = commands.map_err(|reason| refused(text, &reason))?;
        Ok(Step { text: text.to_string(), commands })
    }
}

/// A step that is refused.
fn refused(text: &str, reason: &str) -> EditError {
    EditError::refused(format!("`{}`: {reason}", shown(text)))
}

/// A text as messages show it: its beginning, if it is long.
fn shown(text: &str) -> String {
    const MOST: usize = 100;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

impl Command {
    fn apply(&self, mapping: &Mapping, budget: &Budget) -> Result<Mapping, EditError> {
        match self {
            Command::Interchange(s, a, b) => mapping.interchange(s, *a, *b),
            Command::Reverse(s, a) => mapping.reverse(s, *a),
            Command::Skew(s, a, b, factor) => mapping.skew(s, *a, *b, factor),
            Command::Unimodular(s, a, matrix) => mapping.unimodular(s, *a, matrix),
            Command::Distribute(groups, a) => mapping.distribute(groups, *a),
            Command::Fuse(s, a) => mapping.fuse(s, *a),
            Command::Reorder(groups, a) => mapping.reorder(groups, *a),
            Command::Split(s, condition) => mapping.split(s, condition, budget),
            Command::Tile(s, a, sizes) => mapping.tile(s, *a, sizes),
            Command::Interleave(s, a, count) => mapping.interleave(s, *a, count),
            Command::Scale(s, a, factor) => mapping.scale(s, *a, factor),
            Command::Shift(s, a, amount) => mapping.shift(s, *a, amount),
            Command::Coalesce(s, a) => mapping.coalesce_loops(s, *a, budget),
            Command::Map(s, texts) => {
                mapping.with_components(s, &texts.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Command::Parallel(s, a) => mapping.parallel(s, *a),
        }
    }
}

/// Why a command cannot be read.
type Reason = String;

fn command(name: &str, rest: &str) -> Result<Command, Reason> {
    let arguments = Arguments { usage: usage(name)?, rest };
    Ok(match name {
        "interchange" => {
            let (s, [a, b]) = arguments.levels()?;
            Command::Interchange(s, a, b)
        }
        "reverse" => arguments.levels().map(|(s, [a])| Command::Reverse(s, a))?,
        "fuse" => arguments.levels().map(|(s, [a])| Command::Fuse(s, a))?,
        "coalesce" => arguments.levels().map(|(s, [a])| Command::Coalesce(s, a))?,
        "parallel" => arguments.levels().map(|(s, [a])| Command::Parallel(s, a))?,
        "skew" => {
            let (s, [a, b], factor) = arguments.levels_and_rest()?;
            Command::Skew(s, a, b, arguments.number(&factor)?)
        }
        "scale" => {
            let (s, [a], factor) = arguments.levels_and_rest()?;
            Command::Scale(s, a, arguments.number(&factor)?)
        }
        "interleave" => {
            let (s, [a], count) = arguments.levels_and_rest()?;
            Command::Interleave(s, a, arguments.number(&count)?)
        }
        "tile" => {
            let (s, [a], sizes) = arguments.levels_and_rest()?;
            Command::Tile(s, a, arguments.numbers(&sizes)?)
        }
        "shift" => {
            let (s, [a], amount) = arguments.levels_and_rest()?;
            Command::Shift(s, a, amount)
        }
        "unimodular" => {
            let (s, [a], matrix) = arguments.levels_and_rest()?;
            Command::Unimodular(s, a, arguments.matrix(&matrix)?)
        }
        "distribute" => arguments.groups().map(|(groups, a)| Command::Distribute(groups, a))?,
        "reorder" => arguments.groups().map(|(groups, a)| Command::Reorder(groups, a))?,
        "split" => {
            let (statements, condition) =
                rest.split_once(" where ").ok_or_else(|| arguments.wrong())?;
            Command::Split(arguments.labels(statements)?, condition.trim().to_string())
        }
        _ => {
            let (statements, tuple) = rest.split_once('[').ok_or_else(|| arguments.wrong())?;
            let tuple = tuple.strip_suffix(']').ok_or_else(|| arguments.wrong())?;
            Command::Map(arguments.labels(statements)?, top_level_parts(tuple))
        }
    })
}

/// How a command is written.
fn usage(name: &str) -> Result<&'static str, Reason> {
    const COMMANDS: [&str; 15] = [
        "interchange S A B",
        "reverse S A",
        "skew S A B K",
        "unimodular S A [[a, b], [c, d]]",
        "distribute S / T A",
        "fuse S A",
        "reorder S / T A",
        "split S where CONDITION",
        "tile S A N, M, ...",
        "interleave S A N",
        "scale S A N",
        "shift S A EXPRESSION",
        "coalesce S A",
        "map S [E, F, ...]",
        "parallel S A",
    ];
    let is_named = |usage: &&&str| usage.split(' ').next() == Some(name);
    COMMANDS.iter().find(is_named).copied().ok_or_else(|| {
        let names: Vec<&str> =
            COMMANDS.iter().filter_map(|usage| usage.split(' ').next()).collect();
        format!("there is no command `{}`; there are {}", shown(name), names.join(", "))
    })
}

/// The text after the name of a command.
struct Arguments<'a> {
    usage: &'static str,
    rest: &'a str,
}

impl Arguments<'_> {
    fn wrong(&self) -> Reason {
        format!("write `{}`", self.usage)
    }

    /// `S, T`.
    fn labels(&self, text: &str) -> Result<Labels, Reason> {
        let labels: Labels = text.split(',').map(|label| label.trim().to_string()).collect();
        let is_label = |label: &String| !label.is_empty() && !label.contains(char::is_whitespace);
        if labels.iter().all(is_label) { Ok(labels) } else { Err(self.wrong()) }
    }

    /// Statements and as many components as wanted, and nothing after them.
    fn levels<const N: usize>(&self) -> Result<(Labels, [usize; N]), Reason> {
        let (labels, levels, rest) = self.parts()?;
        if rest.is_empty() { Ok((labels, levels)) } else { Err(self.wrong()) }
    }

    /// Statements, components, and the text after them.
    fn levels_and_rest<const N: usize>(&self) -> Result<(Labels, [usize; N], String), Reason> {
        let (labels, levels, rest) = self.parts()?;
        if rest.is_empty() { Err(self.wrong()) } else { Ok((labels, levels, rest)) }
    }

    fn parts<const N: usize>(&self) -> Result<(Labels, [usize; N], String), Reason> {
        let is_level = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        let words: Vec<&str> = self.rest.split_whitespace().collect();
        let first = words.iter().position(|word| is_level(word)).ok_or_else(|| self.wrong())?;
        let labels = self.labels(&words[..first].join(" ").replace(", ", ","))?;
        let mut levels = [0; N];
        for (offset, level) in levels.iter_mut().enumerate() {
            *level = self.level(words.get(first + offset))?;
        }
        Ok((labels, levels, words[first + N..].join(" ")))
    }

    /// A component, counted from 1 in the text and from 0 in the result.
    fn level(&self, word: Option<&&str>) -> Result<usize, Reason> {
        let number = word.and_then(|word| word.parse::<usize>().ok());
        number.and_then(|number| number.checked_sub(1)).ok_or_else(|| self.wrong())
    }

    /// `S, T / U 2`.
    fn groups(&self) -> Result<(Vec<Labels>, usize), Reason> {
        let (groups, level) =
            self.rest.rsplit_once(char::is_whitespace).ok_or_else(|| self.wrong())?;
        let groups: Result<Vec<Labels>, Reason> =
            groups.split('/').map(|group| self.labels(group)).collect();
        Ok((groups?, self.level(Some(&level))?))
    }

    fn number(&self, text: &str) -> Result<Int, Reason> {
        text.trim().parse::<i64>().map(Int::from).map_err(|_| self.wrong())
    }

    fn numbers(&self, text: &str) -> Result<Vec<Int>, Reason> {
        text.split(',').map(|part| self.number(part)).collect()
    }

    /// `[[1, 0], [1, 1]]`.
    fn matrix(&self, text: &str) -> Result<Vec<Vec<Int>>, Reason> {
        let inside = |text: &str| -> Option<String> {
            Some(text.trim().strip_prefix('[')?.strip_suffix(']')?.to_string())
        };
        let rows = inside(text).ok_or_else(|| self.wrong())?;
        let row = |row: String| {
            let numbers = inside(&row).ok_or_else(|| self.wrong())?;
            self.numbers(&numbers)
        };
        top_level_parts(&rows).into_iter().map(row).collect()
    }
}

/// The parts between commas that are in no brackets or parentheses.
fn top_level_parts(text: &str) -> Vec<String> {
    let mut depth = 0usize;
    let mut parts = vec![String::new()];
    for character in text.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(character);
        }
    }
    parts.into_iter().map(|part| part.trim().to_string()).collect()
}
