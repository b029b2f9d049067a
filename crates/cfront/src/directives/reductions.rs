//! Operators of reductions.
use super::meaning::ClauseMeaning;
use super::read::{Clause, Directive};

/// The operators of reductions that the language has.
pub const REDUCTIONS: [&str; 10] = ["+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"];

/// The operator and the items of a clause `reduction`; none if it has modifiers that are not known, or an
/// operator of the program.
///
/// ```
/// use loopwright_cfront::directives::{read, reduction_list};
/// let found = read("#pragma omp for reduction(default, +: s, t)\n#pragma omp for reduction(mine: s)\n");
/// assert_eq!(reduction_list(&found[0].clauses[0]), Some(("+".to_string(), vec!["s".to_string(), "t".to_string()])));
/// assert_eq!(reduction_list(&found[1].clauses[0]), None);
/// ```
pub fn reduction_list(clause: &Clause) -> Option<(String, Vec<String>)> {
    let modifier = clause.modifier()?;
    let operator = match modifier.split_once(',') {
        Some((kind, operator)) if kind.trim() == "default" => operator.trim(),
        Some(_) => return None,
        None => modifier,
    };
    REDUCTIONS.contains(&operator).then(|| (operator.to_string(), clause.items()))
}

impl Directive {
    /// The items of its clauses of a meaning.
    pub fn items_of(&self, meaning: ClauseMeaning) -> Vec<String> {
        let of_meaning = |clause: &&Clause| self.clause(clause).0 == meaning;
        self.clauses.iter().filter(of_meaning).flat_map(Clause::items).collect()
    }
}
