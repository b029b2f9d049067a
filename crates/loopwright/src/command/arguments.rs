//! The words of a command line, and which options they were.
use super::console::{COLORS, Console, FORMATS};
use super::help::help;
use super::table::{CommandTable, Row, Value};
use lexopt::{Arg, Error, Parser};
use loopwright::nearest_word;
use std::ffi::OsString;

/// An option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// Its name without dashes; of those with a single letter, the letter.
    pub(super) name: String,
    /// Its value, if it has one.
    pub(super) value: Option<String>,
}

/// A parser of the command line of a subcommand that remembers all options. Those that are not in its table
/// are refused, and those about messages are taken here.
pub(super) struct Arguments {
    parser: Parser,
    table: &'static CommandTable,
    given: Vec<Given>,
    console: Console,
    /// The name of the option that has just been read.
    name: String,
    /// Its value, if it is known already.
    value: Option<OsString>,
}

/// First letters of options that only compilers have (`-O3`, `-fopenmp`, `-march=native`, `-lm`).
const LETTERS_OF_COMPILERS: &str = "OfmlLWgcSsw";

/// A word with its text.
enum Word {
    Long(String),
    Letter(char),
    Value(OsString),
}

/// The value that follows the name of an option of compilers in the same word, if there is one; nothing where
/// the word is another option. Names of files and folders may follow without `=`.
fn attached_value<'t>(row: &Row, text: &'t str) -> Option<Option<&'t str>> {
    let rest = text.strip_prefix(&*row.name)?;
    match (rest.strip_prefix('='), row.value) {
        _ if rest.is_empty() => Some(None),
        (Some(value), _) => Some(Some(value)),
        (None, Value::File(_) | Value::Folder(_)) => Some(Some(rest)),
        (None, _) => None,
    }
}

/// Whether an option is about how messages are printed, which all commands have.
pub(super) fn is_about_messages(name: &str) -> bool {
    matches!(name, "q" | "quiet" | "v" | "verbose" | "color" | "message-format")
}

impl Arguments {
    pub(super) fn new(parser: Parser, table: &'static CommandTable) -> Self {
        let (given, console) = (Vec::new(), Console::default());
        Arguments { parser, table, given, console, name: String::new(), value: None }
    }

    /// What `--help` prints.
    pub(super) fn help(&self) -> String {
        help(self.table)
    }

    /// How messages are to be printed, as far as it has been read.
    pub(super) fn console(&self) -> Console {
        self.console
    }

    /// The next word that is not about messages.
    ///
    /// # Errors
    /// If it is an option that the command does not have.
    pub(super) fn next(&mut self) -> Result<Option<Arg<'_>>, Error> {
        loop {
            let word = match self.word()? {
                None => return Ok(None),
                Some(word) => word,
            };
            let name = match &word {
                Word::Long(name) => name.clone(),
                Word::Letter(letter) => letter.to_string(),
                Word::Value(_) => String::new(),
            };
            match word {
                Word::Value(value) => return Ok(Some(Arg::Value(value))),
                Word::Long(_) if !self.table.has_name(&name) => return Err(self.unknown(name)),
                Word::Letter(letter) if !self.table.has_letter(letter) => {
                    return Err(self.unknown_letter(letter));
                }
                Word::Long(_) | Word::Letter(_) => {}
            }
            self.given.push(Given { name: name.clone(), value: None });
            if self.accepts_about_messages(&name)? {
                continue;
            }
            return Ok(Some(match word {
                Word::Letter(letter) => Arg::Short(letter),
                _ => {
                    self.name = name;
                    Arg::Long(&self.name)
                }
            }));
        }
    }

    /// The next word. Options that compilers of C have with one dash are read as such, where the command has
    /// them.
    fn word(&mut self) -> Result<Option<Word>, Error> {
        self.value = None;
        let letter = match self.parser.next()? {
            None => return Ok(None),
            Some(Arg::Value(value)) => return Ok(Some(Word::Value(value))),
            Some(Arg::Long(name)) => return Ok(Some(Word::Long(name.to_string()))),
            Some(Arg::Short(letter)) => letter,
        };
        let mut names = self.table.own_rows().filter(|row| row.is_of_compilers);
        if self.table.has_letter(letter) || !names.any(|row| row.name.starts_with(letter)) {
            return Ok(Some(Word::Letter(letter)));
        }
        let rest = self.parser.optional_value().unwrap_or_default();
        let rest = rest.into_string().map_err(Error::NonUnicodeValue)?;
        let text = format!("{letter}{rest}");
        let mut names = self.table.own_rows().filter(|row| row.is_of_compilers);
        let Some((row, value)) = names.find_map(|row| Some((row, attached_value(row, &text)?)))
        else {
            return Err(self.unknown_single(&text));
        };
        if value == Some("") {
            return Err(Error::MissingValue { option: Some(format!("-{}", row.name)) });
        }
        self.value = value.map(OsString::from);
        Ok(Some(Word::Long(row.name.to_string())))
    }

    /// An option of one letter that the command does not have.
    fn unknown_letter(&mut self, letter: char) -> Error {
        if !LETTERS_OF_COMPILERS.contains(letter) {
            return Error::UnexpectedOption(format!("-{letter}"));
        }
        let rest = self.parser.optional_value().unwrap_or_default();
        let option = format!("-{letter}{}", rest.to_string_lossy());
        Error::from(format!(
            "invalid option '{option}': options of the compiler go to the compiler, or to `loopwright cc gcc \
             {option} FILE.c`"
        ))
    }

    /// An option that the command does not have.
    fn unknown(&self, name: String) -> Error {
        if matches!(&*name, "threads" | "num-threads") {
            return Error::from(format!(
                "invalid option '--{name}': OMP_NUM_THREADS sets the number of threads when the program runs"
            ));
        }
        let rows = self.table.all_rows();
        let names: Vec<String> =
            rows.iter().flat_map(|row| row.names()).map(|name| name.to_string()).collect();
        match nearest_word(&name, names.iter().map(String::as_str)) {
            Some(meant) => {
                Error::from(format!("invalid option '--{name}'; did you mean `--{meant}`?"))
            }
            None => Error::UnexpectedOption(format!("--{name}")),
        }
    }

    /// An option with one dash that the command does not have.
    fn unknown_single(&self, text: &str) -> Error {
        let names = self.table.own_rows().filter(|row| row.is_of_compilers);
        let names: Vec<&str> = names.map(|row| &*row.name).collect();
        let name = text.split('=').next().unwrap_or_default();
        match nearest_word(name, names.iter().copied()) {
            Some(meant) => {
                Error::from(format!("invalid option '-{name}'; did you mean `-{meant}`?"))
            }
            None => Error::UnexpectedOption(format!("-{name}")),
        }
    }

    /// Takes an option about messages, unless it is none.
    fn accepts_about_messages(&mut self, name: &str) -> Result<bool, Error> {
        match name {
            "q" | "quiet" => self.console.is_quiet = true,
            "v" | "verbose" => self.console.is_verbose = true,
            "color" => self.console.color = self.one_of(name, &COLORS)?,
            "message-format" => self.console.format = self.one_of(name, &FORMATS)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn one_of<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Result<T, Error> {
        let value = self.value()?;
        let value = value.to_string_lossy();
        super::usage::choice(&format!("--{name}"), &value, words).map_err(Error::from)
    }

    /// The value of the option that has just been read.
    pub(super) fn value(&mut self) -> Result<OsString, Error> {
        let value = match self.value.take() {
            Some(value) => value,
            None => self.parser.value()?,
        };
        if let Some(last) = self.given.last_mut() {
            last.value = Some(value.to_string_lossy().into_owned());
        }
        Ok(value)
    }

    /// All words that are left, as they are.
    pub(super) fn rest(&mut self) -> Result<Vec<OsString>, Error> {
        Ok(self.parser.raw_args()?.collect())
    }

    /// All options so far, in their order.
    pub(super) fn given(&self) -> &[Given] {
        &self.given
    }
}
