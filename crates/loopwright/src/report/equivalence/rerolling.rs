//! Consecutive statements that differ in numbers alone, as loops.
//!
//! `a[0] = x[i]; a[1] = x[i + 2]; a[2] = x[i + 4];` is `for (r = 0; r < 3; r++) a[r] = x[i + 2 r];`: the
//! statements have the same tokens but for numbers, and each number grows by the same amount from one
//! statement to the next. Groups of statements become loops in the same way, loops among them. The order of
//! execution stays as it is.
use std::fmt::Write;

/// A token, or a number as a function of the iterators of the loops around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Number(Number),
}

/// `base + sum of factor * iterator`, the iterators by their heights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    base: i64,
    factors: Vec<(usize, i64)>,
}

/// A statement or a loop of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A statement, for so many lanes if it is one about vectors.
    Statement { parts: Vec<Part>, lanes: Option<Lanes> },
    /// So often these, with the iterator of a height.
    Repeat { count: i64, height: usize, items: Vec<Item> },
}

/// Lanes from zero to `count`. A vector has `width` of them; `places` are the numbers of the statement that
/// lanes are added to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    pub(super) count: i64,
    pub(super) width: i64,
    pub(super) places: Vec<usize>,
}

/// The most statements of a group that is repeated.
const MOST_IN_GROUP: usize = 12;

impl Part {
    pub(super) fn number(base: i64) -> Self {
        Part::Number(Number { base, factors: Vec::new() })
    }
}

impl Item {
    fn height(&self) -> usize {
        match self {
            Item::Statement { .. } => 0,
            Item::Repeat { height, .. } => height + 1,
        }
    }

    /// Its numbers, in order.
    fn numbers(&self) -> Vec<&Number> {
        match self {
            Item::Statement { parts, .. } => parts.iter().filter_map(Part::as_number).collect(),
            Item::Repeat { items, .. } => items.iter().flat_map(Item::numbers).collect(),
        }
    }

    /// Changes all numbers, in order.
    fn change(&mut self, change: &mut dyn FnMut(&mut Number)) {
        match self {
            Item::Statement { parts, .. } => parts.iter_mut().for_each(|part| {
                if let Part::Number(number) = part {
                    change(number);
                }
            }),
            Item::Repeat { items, .. } => items.iter_mut().for_each(|item| item.change(change)),
        }
    }

    /// The same with zeros in place of what numbers begin with.
    fn shape(&self) -> Item {
        let mut shape = self.clone();
        shape.change(&mut |number| number.base = 0);
        shape
    }
}

impl Part {
    fn as_number(&self) -> Option<&Number> {
        match self {
            Part::Number(number) => Some(number),
            Part::Text(_) => None,
        }
    }
}

/// The same statements with loops in place of repetitions.
pub(super) fn rerolled(items: Vec<Item>) -> Vec<Item> {
    let mut items = with_more_lanes(items);
    for size in 1..=MOST_IN_GROUP {
        items = folded(items, size);
    }
    items
}

/// Joins statements about neighbouring vectors.
fn with_more_lanes(items: Vec<Item>) -> Vec<Item> {
    let mut result: Vec<Item> = Vec::new();
    for item in items {
        if let Some(last) = result.last_mut()
            && last.takes_lanes_of(&item)
        {
            continue;
        }
        result.push(item);
    }
    result
}

impl Item {
    /// Takes the lanes of the next statement, if they are those behind its own.
    fn takes_lanes_of(&mut self, next: &Item) -> bool {
        let steps =
            steps(std::slice::from_ref(self), std::slice::from_ref(&next.with_lanes_of(self)));
        let (Some(steps), Item::Statement { lanes: Some(own), .. }) = (steps, &mut *self) else {
            return false;
        };
        let Item::Statement { lanes: Some(other), .. } = next else { return false };
        let is_step = |(at, step): (usize, &i64)| {
            *step == if own.places.contains(&at) { own.count } else { 0 }
        };
        let fits =
            own.places == other.places && own.width == other.width && other.count == other.width;
        if !fits || !steps.iter().enumerate().all(is_step) {
            return false;
        }
        own.count += other.count;
        true
    }

    fn with_lanes_of(&self, other: &Item) -> Item {
        match (self, other) {
            (Item::Statement { parts, .. }, Item::Statement { lanes, .. }) => {
                Item::Statement { parts: parts.clone(), lanes: lanes.clone() }
            }
            _ => self.clone(),
        }
    }
}

/// By how much each number grows from one group to the next; none if they differ in anything else.
fn steps(first: &[Item], second: &[Item]) -> Option<Vec<i64>> {
    let shapes = |items: &[Item]| items.iter().map(Item::shape).collect::<Vec<_>>();
    if shapes(first) != shapes(second) {
        return None;
    }
    let numbers = |items: &[Item]| -> Vec<i64> {
        items.iter().flat_map(Item::numbers).map(|number| number.base).collect()
    };
    let pairs = numbers(first).into_iter().zip(numbers(second));
    pairs.map(|(a, b)| b.checked_sub(a)).collect()
}

/// Folds repetitions of groups of so many statements.
fn folded(items: Vec<Item>, size: usize) -> Vec<Item> {
    let mut result = Vec::new();
    let mut at = 0;
    while at < items.len() {
        match repetition(&items[at..], size) {
            Some((count, item)) => {
                result.push(item);
                at += count * size;
            }
            None => {
                result.push(items[at].clone());
                at += 1;
            }
        }
    }
    result
}

/// How often the first group is repeated, and the loop that does it.
fn repetition(items: &[Item], size: usize) -> Option<(usize, Item)> {
    let mut groups = items.chunks_exact(size);
    let first = groups.next()?;
    let step = steps(first, groups.next()?)?;
    let mut count = 2;
    while let Some(next) = items.get(count * size..(count + 1) * size)
        && steps(&items[(count - 1) * size..count * size], next).as_ref() == Some(&step)
    {
        count += 1;
    }
    let height = first.iter().map(Item::height).max().unwrap_or(0);
    let mut own = first.to_vec();
    let mut steps = step.iter();
    for item in &mut own {
        item.change(&mut |number| {
            let step = steps.next().copied().unwrap_or(0);
            if step != 0 {
                number.factors.push((height, step));
            }
        });
    }
    Some((count, Item::Repeat { count: count as i64, height, items: own }))
}

/// Statements and loops in C, in one line. `lane` is the iterator of lanes, `iterator` begins the names of
/// others.
pub(super) fn text(items: &[Item], lane: &str, iterator: &str) -> String {
    let mut result = String::new();
    items.iter().for_each(|item| item.write(lane, iterator, &mut result));
    result
}

impl Item {
    fn write(&self, lane: &str, iterator: &str, result: &mut String) {
        match self {
            Item::Repeat { count, height, items } => {
                let name = format!("{iterator}{height}");
                let _ = write!(result, "for (long {name} = 0; {name} < {count}; {name}++) {{ ");
                items.iter().for_each(|item| item.write(lane, iterator, result));
                result.push_str("} ");
            }
            Item::Statement { parts, lanes } => {
                if let Some(lanes) = lanes {
                    let count = lanes.count;
                    let _ = write!(result, "for (long {lane} = 0; {lane} < {count}; {lane}++) ");
                }
                let mut n_numbers = 0;
                for part in parts {
                    match part {
                        Part::Text(text) => result.push_str(text),
                        Part::Number(number) => {
                            let is_place = |own: &Lanes| own.places.contains(&n_numbers);
                            let has_lane = lanes.as_ref().is_some_and(is_place);
                            number.write(iterator, has_lane.then_some(lane), result);
                            n_numbers += 1;
                        }
                    }
                    result.push(' ');
                }
                result.push_str("; ");
            }
        }
    }
}

impl Number {
    fn write(&self, iterator: &str, lane: Option<&str>, result: &mut String) {
        if self.factors.is_empty() && lane.is_none() && self.base >= 0 {
            let _ = write!(result, "{}", self.base);
            return;
        }
        let _ = write!(result, "({}", self.base);
        for (height, factor) in &self.factors {
            let _ = write!(result, " + {factor} * {iterator}{height}");
        }
        if let Some(lane) = lane {
            let _ = write!(result, " + {lane}");
        }
        result.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(words: &str) -> Item {
        let part = |word: &str| match word.parse() {
            Ok(number) => Part::number(number),
            Err(_) => Part::Text(word.to_string()),
        };
        Item::Statement { parts: words.split(' ').map(part).collect(), lanes: None }
    }

    fn all(statements: &[&str]) -> String {
        text(&rerolled(statements.iter().map(|own| statement(own)).collect()), "l", "r")
    }

    #[test]
    fn progressions_are_loops() {
        let found = all(&["a [ 0 ] = x [ 1 ]", "a [ 1 ] = x [ 3 ]", "a [ 2 ] = x [ 5 ]", "b = 1"]);
        let expected = "for (long r0 = 0; r0 < 3; r0++) { a [ (0 + 1 * r0) ] = x [ (1 + 2 * r0) ] ; } b = 1 ; ";
        assert_eq!(found, expected);
    }

    #[test]
    fn groups_are_loops_of_loops() {
        let group = |r: i64| {
            [format!("s = {r}"), format!("a [ {r} ] [ 0 ] = s"), format!("a [ {r} ] [ 1 ] = s")]
        };
        let statements: Vec<String> = (0..4).flat_map(group).collect();
        let found = all(&statements.iter().map(String::as_str).collect::<Vec<_>>());
        let expected = "for (long r1 = 0; r1 < 4; r1++) { s = (0 + 1 * r1) ; for (long r0 = 0; r0 < 2; r0++) { a [ (0 + 1 * r1) ] [ (0 + 1 * r0) ] = s ; } } ";
        assert_eq!(found, expected);
    }

    #[test]
    fn neighbouring_vectors_are_one() {
        let vector = |at: i64| {
            let Item::Statement { parts, .. } = statement(&format!("x [ {at} ] = y [ i + {at} ]"))
            else {
                unreachable!()
            };
            Item::Statement { parts, lanes: Some(Lanes { count: 8, width: 8, places: vec![0, 1] }) }
        };
        let found = text(&rerolled(vec![vector(0), vector(8), vector(16), vector(32)]), "l", "r");
        let expected = "for (long l = 0; l < 24; l++) x [ (0 + l) ] = y [ i + (0 + l) ] ; for (long l = 0; l < 8; l++) x [ (32 + l) ] = y [ i + (32 + l) ] ; ";
        assert_eq!(found, expected);
    }
}
