//! Text forms other than isl's own.
use super::{c_text, latex, omega, polylib};
use crate::{Budget, Error, Map, PwAff, PwMultiAff, Result, Set, UnionMap, UnionSet};

/// A text form of sets, relations and functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// isl's notation, which everything has.
    Isl,
    /// Constraint matrices without a word about what the columns are: outputs or dimensions of a
    /// set, inputs, existentials, parameters. Of one space.
    PolyLib,
    /// Constraint matrices with the numbers of columns of each kind; read back by [`Set::parse`]
    /// and [`Map::parse`] (names are lost). Of one space.
    ExtPolyLib,
    /// The notation of the Omega calculator, without names of tuples. Of one space.
    Omega,
    /// LaTeX for mathematics mode.
    Latex,
    /// A condition in C for sets, an expression for piecewise expressions.
    C,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Isl => "isl",
            Format::PolyLib => "polylib",
            Format::ExtPolyLib => "ext-polylib",
            Format::Omega => "omega",
            Format::Latex => "latex",
            Format::C => "C",
        }
    }

    /// The form with isl's name for it: `isl`, `polylib`, `ext-polylib`, `omega`, `latex`, `C`.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Format::Isl,
            Format::PolyLib,
            Format::ExtPolyLib,
            Format::Omega,
            Format::Latex,
            Format::C,
        ];
        all.into_iter().find(|format| format.name() == name)
    }

    fn refuse(self, what: &str) -> Result<String> {
        Err(Error::Invalid {
            operation: "print",
            reason: format!("the format {} has no text for {what}", self.name()),
        })
    }
}

impl Map {
    /// The relation in a text form.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Format, Map};
    /// let map = Map::parse("{ [i] -> [i + 1] : i > 0 }")?;
    /// let text = map.to_text(Format::ExtPolyLib, &Budget::unlimited())?;
    /// assert!(Map::parse(&text)?.is_equal(&map, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form has no text for relations, [`Error::Exceeded`].
    pub fn to_text(&self, format: Format, _budget: &Budget) -> Result<String> {
        match format {
            Format::Isl => Ok(self.to_string()),
            Format::PolyLib => Ok(polylib::text(self, false)),
            Format::ExtPolyLib => Ok(polylib::text(self, true)),
            Format::Omega => Ok(omega::text(self)),
            Format::Latex => latex::from_isl(&self.to_string()),
            Format::C => format.refuse("a relation"),
        }
    }
}

impl Set {
    /// The set in a text form.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if its floors cannot be found (for C).
    pub fn to_text(&self, format: Format, budget: &Budget) -> Result<String> {
        match format {
            Format::C => c_text::set(self, &c_text::names(self), budget),
            _ => self.0.to_text(format, budget),
        }
    }
}

impl UnionMap {
    /// The relation in a text form.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form has no text for relations of several spaces.
    pub fn to_text(&self, format: Format, budget: &Budget) -> Result<String> {
        match (format, self.maps()) {
            (Format::Isl, _) => Ok(self.to_string()),
            (Format::Latex, _) => latex::from_isl(&self.to_string()),
            (_, [single]) => single.to_text(format, budget),
            _ => format.refuse("elements of several spaces"),
        }
    }
}

impl UnionSet {
    /// The set in a text form.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form has no text for sets of several spaces.
    pub fn to_text(&self, format: Format, budget: &Budget) -> Result<String> {
        match (format, self.sets().as_slice()) {
            (Format::C, [single]) => single.to_text(format, budget),
            _ => self.0.to_text(format, budget),
        }
    }
}

impl PwAff {
    /// The expression in a text form.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form has no text for expressions.
    pub fn to_text(&self, format: Format, budget: &Budget) -> Result<String> {
        match format {
            Format::Isl => Ok(self.to_string()),
            Format::Latex => latex::from_isl(&self.to_string()),
            Format::C => c_text::pw_aff(self, budget),
            _ => format.refuse("an expression"),
        }
    }
}

impl PwMultiAff {
    /// The function in a text form.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the form has no text for functions.
    pub fn to_text(&self, format: Format) -> Result<String> {
        match format {
            Format::Isl => Ok(self.to_string()),
            Format::Latex => latex::from_isl(&self.to_string()),
            _ => format.refuse("a tuple of expressions"),
        }
    }
}
