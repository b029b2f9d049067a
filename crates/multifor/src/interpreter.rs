//! The reference interpreter: what a multifor statement means, point by point.
//!
//! It knows no sets and no schedules, so what these say is tested against it. Section 2 of the paper:
//! iteration `n` of a loop happens at point `offset + n * grain` of the referential domain, of nests in each
//! dimension by itself. Points are visited in lexicographic order. What the paper leaves open is fixed here:
//! at a point of a level the statements in front of the level inside come first, then that level, then those
//! behind it; among statements those of the loop with the lower number are first, and those of one loop are
//! in the order of the text.
use crate::affine::value;
use loopwright_cfront::{MultiforItem, MultiforLoop, MultiforRelation, MultiforSyntax};
use std::collections::BTreeMap;

/// The execution of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// The number of the body, in the order of the text.
    pub body: usize,
    /// The values of the indices of its nest, the outermost first.
    pub indices: Vec<i64>,
    /// The point of the referential domain.
    pub position: Vec<i64>,
}

/// Why the interpreter gives no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTrace {
    /// A name in a bound has no value, or there is a division by zero or an overflow.
    NoValue,
    /// More points or events than allowed.
    TooLong,
}

/// What a multifor statement executes, in its order, for given values of symbolic constants.
///
/// ```
/// use loopwright_cfront::multifor_statements;
/// use loopwright_multifor::trace;
/// let text = "multifor (i = 0, j = 10; i < 2, j < 12; i++, j++; 1, 1; 0, 1) { 0: S(i); 1: T(j); }";
/// let found = multifor_statements("f.c".as_ref(), text).unwrap();
/// let events = trace(&found[0].statement, &Default::default(), 100).unwrap();
/// let order: Vec<(usize, i64)> = events.iter().map(|e| (e.body, e.indices[0])).collect();
/// assert_eq!(order, [(0, 0), (0, 1), (1, 10), (1, 11)]);
/// ```
///
/// *Cost.* Linear in the points between the first and the last one, of which there may be `most`.
///
/// # Errors
/// [`NoTrace`].
pub fn trace(
    statement: &MultiforSyntax,
    parameters: &BTreeMap<String, i64>,
    most: usize,
) -> Result<Vec<Event>, NoTrace> {
    let mut interpreter = Interpreter { parameters, left: most, events: Vec::new() };
    let nests = vec![Some(Nest::default()); statement.loops.len()];
    interpreter.level(statement, &nests, &[], 0)?;
    Ok(interpreter.events)
}

/// What a multifor statement executes whose nests advance by the ranks of their iterations: iteration `K` of
/// each nest, counted from its offset on, at point `K`. Of each nest it takes the loops as they are written.
///
/// *Cost.* As [`trace`].
///
/// # Errors
/// [`NoTrace`].
pub fn trace_by_ranks(
    statement: &MultiforSyntax,
    parameters: &BTreeMap<String, i64>,
    most: usize,
) -> Result<Vec<Event>, NoTrace> {
    let mut events = Vec::new();
    for nest in 0..statement.loops.len() {
        let mut alone = without_offsets(statement);
        keep_nest(&mut alone, nest);
        let own = trace(&alone, parameters, most)?;
        let (mut rank, mut last) = (statement.loops[nest].offset - 1, None);
        for event in own {
            if last.as_ref() != Some(&event.indices) {
                rank += 1;
                last = Some(event.indices.clone());
            }
            events.push((rank, nest, Event { position: vec![rank], ..event }));
        }
    }
    // Stable: bodies of one iteration stay in order.
    events.sort_by_key(|(rank, nest, _)| (*rank, *nest));
    Ok(events.into_iter().map(|(_, _, event)| event).collect())
}

/// The statement with offsets of zero and grains of one.
fn without_offsets(level: &MultiforSyntax) -> MultiforSyntax {
    let mut level = level.clone();
    for each in &mut level.loops {
        (each.offset, each.grain) = (0, 1);
    }
    for item in &mut level.items {
        if let MultiforItem::Inner(inner) = item {
            *inner = without_offsets(inner);
        }
    }
    level
}

/// Leaves iterations to one nest only; the others have none.
fn keep_nest(level: &mut MultiforSyntax, nest: usize) {
    for (number, each) in level.loops.iter_mut().enumerate() {
        if number != nest {
            each.bound = each.first.clone();
            each.relation =
                if each.step > 0 { MultiforRelation::Less } else { MultiforRelation::Greater };
        }
    }
}

/// The indices of a nest that is active, by name, the outermost first.
#[derive(Clone, Debug, Default)]
struct Nest {
    indices: Vec<(String, i64)>,
}

/// The iterations of a loop: the first value and how many there are.
#[derive(Clone, Copy)]
struct Iterations {
    first: i128,
    count: i128,
}

struct Interpreter<'a> {
    parameters: &'a BTreeMap<String, i64>,
    /// How many points may still be visited.
    left: usize,
    events: Vec<Event>,
}

impl Interpreter<'_> {
    /// All points of a level; `nests` are those that are active around it, and `first_body` is the number of
    /// its first body.
    fn level(
        &mut self,
        level: &MultiforSyntax,
        nests: &[Option<Nest>],
        around: &[i64],
        first_body: usize,
    ) -> Result<(), NoTrace> {
        let mut iterations = Vec::new();
        for (each, nest) in level.loops.iter().zip(nests) {
            iterations.push(match nest {
                Some(nest) => Some(self.iterations(each, nest)?),
                None => None,
            });
        }
        let mut last = -1i128;
        for (each, n) in level.loops.iter().zip(&iterations) {
            if let Some(n) = n.filter(|n| n.count > 0) {
                last = last.max(i128::from(each.offset) + (n.count - 1) * i128::from(each.grain));
            }
        }
        let mut point = 0;
        while point <= last {
            self.left = self.left.checked_sub(1).ok_or(NoTrace::TooLong)?;
            let active: Vec<Option<Nest>> = level
                .loops
                .iter()
                .enumerate()
                .map(|(k, each)| active_at(point, each, iterations[k], nests[k].as_ref()?))
                .collect();
            let position = i64::try_from(point).map_err(|_| NoTrace::TooLong)?;
            self.point(level, &active, &[around, &[position]].concat(), first_body)?;
            point += 1;
        }
        Ok(())
    }

    /// What happens at a point.
    fn point(
        &mut self,
        level: &MultiforSyntax,
        active: &[Option<Nest>],
        position: &[i64],
        first_body: usize,
    ) -> Result<(), NoTrace> {
        let mut body = first_body;
        let mut waiting: Vec<Event> = Vec::new();
        let mut waiting_nests: Vec<usize> = Vec::new();
        for item in &level.items {
            match item {
                MultiforItem::Statement(statement) => {
                    if let Some(nest) = &active[statement.nest] {
                        let indices = nest.indices.iter().map(|(_, value)| *value).collect();
                        waiting.push(Event { body, indices, position: position.to_vec() });
                        waiting_nests.push(statement.nest);
                    }
                    body += 1;
                }
                MultiforItem::Inner(inner) => {
                    self.execute(&mut waiting, &mut waiting_nests)?;
                    self.level(inner, active, position, body)?;
                    body += n_bodies(inner);
                }
            }
        }
        self.execute(&mut waiting, &mut waiting_nests)
    }

    /// Statements at one point, those of lower loops first.
    fn execute(&mut self, waiting: &mut Vec<Event>, nests: &mut Vec<usize>) -> Result<(), NoTrace> {
        self.left = self.left.checked_sub(waiting.len()).ok_or(NoTrace::TooLong)?;
        let n_nests = nests.iter().max().map_or(0, |last| last + 1);
        for nest in 0..n_nests {
            for (event, own) in waiting.iter().zip(nests.iter()) {
                if *own == nest {
                    self.events.push(event.clone());
                }
            }
        }
        waiting.clear();
        nests.clear();
        Ok(())
    }

    fn iterations(&self, each: &MultiforLoop, nest: &Nest) -> Result<Iterations, NoTrace> {
        let names = |name: &str| {
            let index = nest.indices.iter().find(|(index, _)| index == name);
            let value = index.map(|(_, value)| value).or_else(|| self.parameters.get(name));
            value.map(|value| i128::from(*value))
        };
        let first = value(&each.first, &names).ok_or(NoTrace::NoValue)?;
        let bound = value(&each.bound, &names).ok_or(NoTrace::NoValue)?;
        let mut count = 0;
        while each.relation.holds(first + count * i128::from(each.step), bound) {
            count += 1;
            if count > self.left as i128 {
                return Err(NoTrace::TooLong);
            }
        }
        Ok(Iterations { first, count })
    }
}

/// The nest with the index that its loop has at a point; none if the loop does not run there.
fn active_at(
    point: i128,
    each: &MultiforLoop,
    iterations: Option<Iterations>,
    nest: &Nest,
) -> Option<Nest> {
    let iterations = iterations?;
    let way = point - i128::from(each.offset);
    let (n, rest) = (way.div_euclid(each.grain.into()), way.rem_euclid(each.grain.into()));
    if way < 0 || rest != 0 || n >= iterations.count {
        return None;
    }
    let value = i64::try_from(iterations.first + n * i128::from(each.step)).ok()?;
    let mut nest = nest.clone();
    nest.indices.push((each.index.clone(), value));
    Some(nest)
}

/// The number of bodies in a level.
fn n_bodies(level: &MultiforSyntax) -> usize {
    let of_item = |item: &MultiforItem| match item {
        MultiforItem::Statement(_) => 1,
        MultiforItem::Inner(inner) => n_bodies(inner),
    };
    level.items.iter().map(of_item).sum()
}
