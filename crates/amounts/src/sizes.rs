//! Values of symbolic constants.
use loopwright_presburger::{DimKind, Int, Set, Space};
use std::collections::BTreeMap;
use std::fmt;

/// Values of symbolic constants, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    values: BTreeMap<String, Int>,
}

/// What is wrong with a list of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizesError(String);

impl fmt::Display for SizesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SizesError {}

impl Sizes {
    /// Reads `n=1000,m=20`.
    ///
    /// ```
    /// use loopwright_amounts::Sizes;
    /// assert_eq!(Sizes::parse("n=3, m = 4").unwrap().to_string(), "m=4, n=3");
    /// assert_eq!(Sizes::parse("n").unwrap_err().to_string(), "'n' is not NAME=VALUE");
    /// assert!(Sizes::parse("n=1,n=2").is_err());
    /// ```
    ///
    /// # Errors
    /// A part that is not a name with an integer, or a name that is there twice.
    pub fn parse(text: &str) -> Result<Sizes, SizesError> {
        let mut sizes = Sizes::default();
        for part in text.split(',') {
            let wrong = || SizesError(format!("'{}' is not NAME=VALUE", part.trim()));
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let (name, value) = (name.trim(), value.trim().parse::<i64>().map_err(|_| wrong())?);
            if name.is_empty() {
                return Err(wrong());
            }
            if sizes.values.insert(name.to_string(), Int::from(value)).is_some() {
                return Err(SizesError(format!("'{name}' is given twice")));
            }
        }
        Ok(sizes)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The values of the parameters of a space, in its order; none if one of them is missing.
    pub(crate) fn point(&self, space: &Space) -> Option<Vec<Int>> {
        space.param_names().iter().map(|name| self.values.get(&**name).cloned()).collect()
    }

    /// A set with the parameters at their values; none if one of them is missing.
    pub(crate) fn fix(&self, set: &Set) -> Option<Set> {
        let values = self.point(set.space())?;
        let fixed = values.iter().enumerate();
        Some(fixed.fold(set.clone(), |set, (at, value)| set.fix(DimKind::Param, at, value)))
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&parts.join(", "))
    }
}
