//! Names that the program does not use.
use std::collections::{BTreeMap, BTreeSet};

/// Gives every wanted name a form that is free in the program, the same form each time.
///
/// ```
/// use loopwright_astgen::FreshNames;
/// let used = ["c0", "min"].map(String::from).into_iter().collect();
/// let mut names = FreshNames::new(used);
/// assert_eq!(names.get("c1"), "c1");
/// assert_eq!(names.get("c0"), "c0_1");
/// assert_eq!(names.get("c0"), "c0_1");
/// ```
#[derive(Clone, Debug)]
pub struct FreshNames {
    used: BTreeSet<String>,
    given: BTreeMap<String, String>,
}

impl FreshNames {
    /// Names besides those of `used`.
    pub fn new(used: BTreeSet<String>) -> Self {
        FreshNames { used, given: BTreeMap::new() }
    }

    /// The free form of `wanted`.
    pub fn get(&mut self, wanted: &str) -> String {
        if let Some(name) = self.given.get(wanted) {
            return name.clone();
        }
        let candidates = (1..).map(|n| format!("{wanted}_{n}"));
        let is_free = |name: &String| !self.used.contains(name);
        let name = std::iter::once(wanted.to_string()).chain(candidates).find(is_free);
        let name = name.expect("there are infinitely many candidates");
        self.used.insert(name.clone());
        self.given.insert(wanted.to_string(), name.clone());
        name
    }
}
