//! Names for iterators.
use loopwright_presburger::Name;
use std::collections::BTreeSet;

/// Names for the loops from outside in: those that the user gives, then invented ones.
#[derive(Clone, Debug)]
pub(crate) struct IteratorNames {
    given: Vec<Name>,
    /// The number of loops around the first of them.
    outer: usize,
    prefix: String,
}

impl IteratorNames {
    /// The names `given` for loops that have `outer` or more loops around, changed where one of them
    /// is in `used` or repeated; and others that are in neither.
    ///
    /// Dimensions from `level` on get invented names.
    pub(crate) fn new(given: &[Name], outer: usize, level: usize, used: &[Name]) -> Self {
        let mut taken: BTreeSet<Name> = used.iter().cloned().collect();
        let mut own = Vec::with_capacity(given.len());
        for name in given {
            let candidates = (1..).map(|n| Name::from(format!("{name}_{n}")));
            let free = std::iter::once(name.clone()).chain(candidates);
            let name = free.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
            taken.insert(name.clone());
            own.push(name);
        }
        let prefix = free_prefix(&taken, level);
        IteratorNames { given: own, outer, prefix }
    }

    /// The name of the loop over dimension `level` that has `loops` loops around it.
    pub(crate) fn of_loop(&self, level: usize, loops: usize) -> Name {
        self.given.get(loops - self.outer).cloned().unwrap_or_else(|| self.of_dimension(level))
    }

    /// The name of a dimension without a loop.
    pub(crate) fn of_dimension(&self, level: usize) -> Name {
        Name::from(format!("{}{level}", self.prefix))
    }
}

/// `c`, or more, so that no name is that and a number of `level` or more.
fn free_prefix(taken: &BTreeSet<Name>, level: usize) -> String {
    let is_number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        digits && text.parse::<usize>().map_or(true, |number| number >= level)
    };
    let is_taken =
        |prefix: &str| taken.iter().any(|name| name.strip_prefix(prefix).is_some_and(is_number));
    let mut prefix = String::from("c");
    while is_taken(&prefix) {
        prefix.push('_');
    }
    prefix
}
