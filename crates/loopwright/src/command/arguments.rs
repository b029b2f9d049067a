//! The words of a command line, and which options they were.
use lexopt::{Arg, Error, Parser};
use std::ffi::OsString;

/// An option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// Its name without dashes; of those with a single letter, the letter.
    pub(super) name: String,
    /// Its value, if it has one.
    pub(super) value: Option<String>,
}

/// A parser of a command line that remembers all options.
pub(super) struct Arguments {
    parser: Parser,
    given: Vec<Given>,
}

impl Arguments {
    pub(super) fn new(parser: Parser) -> Self {
        Arguments { parser, given: Vec::new() }
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Result<Option<Arg<'_>>, Error> {
        let Arguments { parser, given } = self;
        let argument = parser.next()?;
        let name = match &argument {
            Some(Arg::Long(name)) => Some((*name).to_string()),
            Some(Arg::Short(letter)) => Some(letter.to_string()),
            Some(Arg::Value(_)) | None => None,
        };
        given.extend(name.map(|name| Given { name, value: None }));
        Ok(argument)
    }

    /// The value of the option that has just been read.
    pub(super) fn value(&mut self) -> Result<OsString, Error> {
        let value = self.parser.value()?;
        if let Some(last) = self.given.last_mut() {
            last.value = Some(value.to_string_lossy().into_owned());
        }
        Ok(value)
    }

    /// All options so far, in their order.
    pub(super) fn given(&self) -> &[Given] {
        &self.given
    }
}
