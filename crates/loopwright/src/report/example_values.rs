//! Points of a relation as examples: values of symbolic constants that can be had together.
//!
//! A constant may stand for an expression over others (`n * m`). In sets it is a value of its own, so that
//! any point of a relation is an example only if its value is what the expression has.
use loopwright_presburger::{Budget, DimKind, Int, Map};
use loopwright_scop::{Parameter, Scop};
use std::collections::BTreeMap;

/// Steps for a point.
const STEPS: u64 = 500_000;

/// So many values of the constants that others depend on are tried.
const MOST_TRIED: usize = 400;

/// The greatest value of one of them.
const GREATEST: i64 = 12;

/// A point of a relation, without negative numbers if there is one; none if a limit is reached, or no values
/// are found that go together.
pub(crate) fn example_point(scop: &Scop, relation: &Map) -> Option<Vec<Int>> {
    let names: Vec<&str> = scop.parameters.iter().map(|p| &*p.name).collect();
    let is_used = |p: &&Parameter| relation.find_param(&p.name).is_some();
    let derived: Vec<(&Parameter, Vec<String>)> = (scop.parameters.iter().filter(is_used))
        .filter_map(|parameter| Some((parameter, tokens(parameter.value.as_deref()?))))
        .filter(|(parameter, tokens)| {
            tokens.iter().any(|token| **token != *parameter.name && names.contains(&&**token))
        })
        .collect();
    if derived.is_empty() {
        return natural_point(relation);
    }
    let mut bases: Vec<&str> = names
        .into_iter()
        .filter(|name| derived.iter().any(|(_, tokens)| tokens.iter().any(|token| token == name)))
        .filter(|name| !derived.iter().any(|(parameter, _)| *parameter.name == **name))
        .collect();
    bases.sort_unstable();
    let fixed = |values: &BTreeMap<&str, i64>| {
        let mut map = relation.clone();
        for (name, value) in values {
            if let Some(position) = map.find_param(name) {
                map = map.fix(DimKind::Param, position, &Int::from(*value));
            }
        }
        for (parameter, tokens) in &derived {
            let value = Expression { tokens, at: 0, values }.whole()?;
            map = map.fix(DimKind::Param, map.find_param(&parameter.name)?, &Int::from(value));
        }
        natural_point(&map)
    };
    let combinations = small_values(bases.len()).take(MOST_TRIED);
    combinations
        .map(|values| bases.iter().copied().zip(values).collect::<BTreeMap<&str, i64>>())
        .find_map(|values| fixed(&values))
}

/// Tuples of small numbers, by their sums.
fn small_values(n: usize) -> impl Iterator<Item = Vec<i64>> {
    let most = GREATEST.saturating_mul(n as i64);
    (0..=most).flat_map(move |sum| with_sum(n, sum))
}

fn with_sum(n: usize, sum: i64) -> Vec<Vec<i64>> {
    match n {
        0 => {
            if sum == 0 {
                vec![Vec::new()]
            } else {
                Vec::new()
            }
        }
        _ => (0..=sum.min(GREATEST))
            .flat_map(|first| {
                let rest = with_sum(n - 1, sum - first).into_iter().take(MOST_TRIED);
                rest.map(move |rest| [vec![first], rest].concat())
            })
            .take(MOST_TRIED)
            .collect(),
    }
}

/// A point, without negative numbers if there is one.
fn natural_point(relation: &Map) -> Option<Vec<Int>> {
    let mut natural = relation.clone();
    for kind in [DimKind::Param, DimKind::In, DimKind::Out] {
        for position in 0..relation.n(kind) {
            natural = natural.lower_bound(kind, position, &Int::from(0));
        }
    }
    let point = |map: &Map| map.sample_point(&Budget::steps(STEPS)).ok().flatten();
    point(&natural).or_else(|| point(relation))
}

/// The words and signs of an expression.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || !c.is_ascii();
    let mut found: Vec<String> = Vec::new();
    let mut continues = false;
    for c in text.chars() {
        match found.last_mut() {
            Some(last) if continues && is_word(c) => last.push(c),
            _ if c.is_whitespace() => {}
            _ => found.push(c.to_string()),
        }
        continues = is_word(c);
    }
    found
}

/// An expression of C over integers with values, from one of its tokens on.
struct Expression<'a> {
    tokens: &'a [String],
    at: usize,
    values: &'a BTreeMap<&'a str, i64>,
}

const TYPE_WORDS: [&str; 9] =
    ["long", "int", "short", "char", "unsigned", "signed", "size_t", "ptrdiff_t", "const"];

impl Expression<'_> {
    /// The value of all of it; none if it is not understood.
    fn whole(mut self) -> Option<i64> {
        let value = self.sum()?;
        (self.at == self.tokens.len()).then_some(value)
    }

    fn next(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn takes(&mut self, token: &str) -> bool {
        let found = self.next() == token;
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.takes("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.takes("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.factor()?;
        loop {
            if self.takes("*") {
                value = value.checked_mul(self.factor()?)?;
            } else if self.takes("/") {
                value = value.checked_div(self.factor()?)?;
            } else if self.takes("%") {
                value = value.checked_rem(self.factor()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<i64> {
        if self.takes("-") {
            return self.factor()?.checked_neg();
        }
        if self.takes("(") {
            if TYPE_WORDS.contains(&self.next()) {
                while TYPE_WORDS.contains(&self.next()) {
                    self.at += 1;
                }
                return self.takes(")").then(|| self.factor())?;
            }
            let value = self.sum()?;
            return self.takes(")").then_some(value);
        }
        let token = self.next().to_string();
        self.at += 1;
        match self.values.get(&*token) {
            Some(value) => Some(*value),
            None => token.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Expression, small_values, tokens};
    use std::collections::BTreeMap;

    #[test]
    fn expressions_have_the_values_of_c() {
        let values: BTreeMap<&str, i64> = [("n", 7), ("m", 3)].into();
        for (text, wanted) in [
            ("n * m", Some(21)),
            ("(long) n * (m + 1) - 2L", Some(26)),
            ("n / m % 2", Some(0)),
            ("-(n - m)", Some(-4)),
            ("n / (m - 3)", None),
            ("p->n * m", None),
            ("n m", None),
        ] {
            let tokens = tokens(text);
            let expression = Expression { tokens: &tokens, at: 0, values: &values };
            assert_eq!(expression.whole(), wanted, "{text}");
        }
    }

    #[test]
    fn small_values_come_first() {
        let first: Vec<Vec<i64>> = small_values(2).take(4).collect();
        assert_eq!(first, [[0, 0], [0, 1], [1, 0], [0, 2]]);
        assert_eq!(small_values(0).count(), 1);
    }
}
