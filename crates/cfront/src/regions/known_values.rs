//! Values that integers are taken to have where regions begin, which somebody checks when the program runs.
use crate::facts::integer_type::IntegerType;
use crate::facts::scope::{Entity, Scopes};
use crate::walk::extractor::Extractor;
use crate::walk::walk_context::Purpose;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Which integers that a region does not change are numbers instead of symbolic constants.
///
/// They are named as the program writes them: variables, and integers in memory (`g->n`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KnownValues {
    /// None.
    #[default]
    Nothing,
    /// All of them have this value, but not those of these names: what could become a region if values were
    /// known.
    All {
        /// The value.
        value: i64,
        /// The names of those that stay symbolic.
        but: BTreeSet<String>,
    },
    /// Some of them, in the regions that begin in certain lines.
    InLines(Vec<LineValues>),
}

/// Integers that are numbers in the regions that begin in some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineValues {
    /// The lines.
    pub lines: RangeInclusive<u32>,
    /// The integers by their names.
    pub values: BTreeMap<String, i64>,
    /// Whether they are numbers in subscripts, too. Otherwise subscripts have symbolic constants, so that
    /// `a[i * n + j]` is an element of a matrix.
    pub in_subscripts: bool,
}

/// An integer that a region takes to be a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// How the program writes it.
    pub name: String,
    /// An expression that has its value in front of the region.
    pub text: String,
    /// The name of the symbolic constant that it would be.
    pub parameter: String,
    /// The number.
    pub value: i64,
}

/// What is known in one region.
#[derive(Clone, Debug, Default)]
pub(crate) enum KnownHere {
    /// Nothing.
    #[default]
    Nothing,
    /// Everything has a value, but not these names.
    All(Arc<KnownValues>),
    /// Some names.
    Some(Vec<NameHere>),
}

/// A name with a value.
#[derive(Clone, Debug)]
pub(crate) struct NameHere {
    name: String,
    /// The variable that it stands for in front of the region.
    variable: Option<u32>,
    value: i64,
    in_subscripts: bool,
}

impl KnownHere {
    /// What is known in a region that begins in a line, with the meaning of names there.
    pub(crate) fn new(values: &Arc<KnownValues>, line: u32, scopes: &Scopes<'_>) -> Self {
        match &**values {
            KnownValues::Nothing => KnownHere::Nothing,
            KnownValues::All { .. } => KnownHere::All(values.clone()),
            KnownValues::InLines(all) => {
                let here = all.iter().filter(|values| values.lines.contains(&line));
                let variable = |name: &str| match scopes.lookup(name) {
                    Some(Entity::Variable(variable)) => Some(variable),
                    _ => None,
                };
                let named = |values: &LineValues| -> Vec<NameHere> {
                    let in_subscripts = values.in_subscripts;
                    let one = |(name, value): (&String, &i64)| NameHere {
                        name: name.clone(),
                        variable: variable(name),
                        value: *value,
                        in_subscripts,
                    };
                    values.values.iter().map(one).collect()
                };
                KnownHere::Some(here.flat_map(named).collect())
            }
        }
    }

    /// The value of what a name stands for, a variable or a place in memory, and whether it is a number in
    /// subscripts.
    fn value(&self, name: &str, variable: Option<u32>) -> Option<(i64, bool)> {
        match self {
            KnownHere::Nothing => None,
            KnownHere::All(values) => match &**values {
                KnownValues::All { value, but } => (!but.contains(name)).then_some((*value, true)),
                _ => None,
            },
            KnownHere::Some(all) => {
                let is_meant = |known: &&NameHere| {
                    known.name == name && (variable.is_none() || known.variable == variable)
                };
                all.iter().find(is_meant).map(|known| (known.value, known.in_subscripts))
            }
        }
    }
}

impl Extractor<'_, '_> {
    /// The number that a symbolic constant is where the region's own text uses it; that it is one is then
    /// checked in front of the region, also if what is read here is taken back. Its name is that of a
    /// variable, or of an integer in memory.
    pub(crate) fn known_number(
        &mut self,
        name: &str,
        variable: Option<u32>,
        parameter: u32,
    ) -> Option<i64> {
        let is_own_text = self.at.inlined == 0 && self.at.active_calls.is_empty();
        let (value, in_subscripts) = self.checked_value(name, variable, parameter)?;
        let is_symbolic = matches!(self.at.purpose, Purpose::Subscript | Purpose::Extent);
        if !is_own_text || is_symbolic && !in_subscripts {
            return None;
        }
        self.out.known_numbers.insert(parameter);
        Some(value)
    }

    /// The value that is checked in front of the region, and whether it is a number in subscripts.
    fn checked_value(
        &self,
        name: &str,
        variable: Option<u32>,
        parameter: u32,
    ) -> Option<(i64, bool)> {
        let integer_type = IntegerType::of(&self.variable(parameter).declared.scalar);
        let known = self.facts.known.value(name, variable);
        // What is compared with an unsigned value is converted to its type.
        known.filter(|(value, _)| *value >= 0 || integer_type.signed)
    }

    /// The integers that the region takes to be numbers.
    pub(crate) fn known_values(&self) -> Vec<KnownValue> {
        let of = |parameter: u32| {
            let variable = self.variable(parameter);
            let loaded = self.out.loaded.iter().find(|loaded| loaded.parameter == parameter);
            let (name, own) = match loaded {
                Some(loaded) => (&loaded.text, None),
                None => (&variable.name, Some(parameter)),
            };
            let (value, _) = self.checked_value(name, own, parameter)?;
            let text =
                loaded.map_or_else(|| name.clone(), |loaded| format!("({})", loaded.value()));
            let parameter = variable.name.clone();
            Some(KnownValue { name: name.clone(), text, parameter, value })
        };
        let is_test = |p: &u32| self.out.null_tests().iter().any(|test| test.parameter == *p);
        let is_integer = |p: &u32| self.variable(*p).is_integer() && !is_test(p);
        let mut used = self.out.known_numbers.clone();
        used.extend(self.out.affine_uses().variables());
        used.into_iter().filter(is_integer).filter_map(of).collect()
    }
}
