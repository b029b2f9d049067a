//! Text forms other than isl's own.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use crate::notation::{c_text, latex, omega, polylib};

/// A text form of sets, relations and functions.
///
/// ```
/// # use loopwright_presburger::{Budget, Format, Set};
/// let budget = &Budget::unlimited();
/// let set = Set::parse("{ [i] : 0 <= i <= 9 }")?;
/// assert_eq!(set.to_text(Format::Isl, budget)?, "{ [i] : 0 <= i <= 9 }");
/// assert_eq!(set.to_text(Format::C, budget)?, "i >= 0 && -i + 9 >= 0");
/// assert_eq!(set.to_text(Format::Latex, budget)?, "\\{\\, ( i ) \\mid 0 \\le i \\le 9 \\,\\}");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    ///
    /// ```
    /// # use loopwright_presburger::Format;
    /// assert_eq!(Format::from_name("ext-polylib"), Some(Format::ExtPolyLib));
    /// assert_eq!(Format::from_name("pdf"), None);
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, Format, Set};
    /// let set = Set::parse("[n] -> { S[i] : 0 <= i < n and i mod 2 = 0 }")?;
    /// assert_eq!(
    ///     set.to_text(Format::C, &Budget::unlimited())?,
    ///     "-i + 2 * floord(i, 2) == 0 && n - i - 1 >= 0 && i >= 0"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, Format, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let union = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// assert_eq!(union.to_text(Format::Isl, budget)?, "{ S[i] -> A[i]; T[] -> A[0] }");
    /// assert!(union.to_text(Format::PolyLib, budget).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, Format, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// assert_eq!(
    ///     union.to_text(Format::Latex, &Budget::unlimited())?,
    ///     "\\{\\, \\mathrm{S} ( i ) \\mid i > 0 \\,\\} \\cup \\{\\, \\mathrm{T} ( ) \\,\\}"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, Format, PwAff};
    /// let least = PwAff::parse("[n] -> { [i] -> [min(i, n)] }")?;
    /// assert_eq!(least.to_text(Format::C, &Budget::unlimited())?, "n - i >= 0 ? i : n");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Format, PwMultiAff};
    /// let function = PwMultiAff::parse("{ S[i] -> A[(i), (2)] : i > 0 }")?;
    /// assert_eq!(function.to_text(Format::Isl)?, "{ S[i] -> A[(i), (2)] : i > 0 }");
    /// assert!(function.to_text(Format::PolyLib).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
