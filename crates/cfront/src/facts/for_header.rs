//! The head of a `for` loop: the parts for its iterator, and those for other variables.
//!
//! In `for (i = 0, k = 5; i < n; i++, k += 2)` the iterator is `i`. The other parts are statements: `k = 5` before the
//! loop, `k += 2` at the end of its body, where `k` may be an induction variable. So the other parts must not
//! mention the iterator, which has another value there, nor change what the condition mentions.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{NameSet, changed_names, mentioned_names, strip_parentheses, text};
use crate::syntax::tree::Node;
use smallvec::{SmallVec, smallvec};

/// The expressions of a list; most lists have one.
pub(crate) type Operands<'t> = SmallVec<[Node<'t>; 2]>;

/// The parts of a head.
pub(crate) struct Header<'s, 't> {
    /// The name of the iterator.
    pub(crate) iterator: &'s str,
    /// The assignment of its first value.
    pub(crate) start: Node<'t>,
    /// What changes it.
    pub(crate) step: Option<Node<'t>>,
    /// The other assignments before the loop.
    pub(crate) starts: Vec<Node<'t>>,
    /// What else is done after each iteration.
    pub(crate) steps: Vec<Node<'t>>,
}

/// The parts of the head of a loop that sets its iterator by an assignment; none if it is not clear what
/// its iterator is, or if the order of the parts matters.
pub(crate) fn header<'s, 't>(source: &'s str, node: Node<'t>) -> Option<Header<'s, 't>> {
    let initializer = node.field(Field::Initializer)?;
    let starts = operands(initializer);
    let steps = node.field(Field::Update).map_or(Operands::new(), operands);
    let set = |start: &Node<'t>| {
        let left = strip_parentheses(start.field(Field::Left)?);
        let is_plain = start.kind() == Kind::AssignmentExpression
            && start.operator()? == token!("=")
            && left.kind() == Kind::Identifier;
        is_plain.then(|| text(source, left))
    };
    if let ([start], [_] | []) = (&starts[..], &steps[..]) {
        let iterator = set(start)?;
        let step = steps.first().copied();
        let (start, starts, steps) = (*start, Vec::new(), Vec::new());
        return Some(Header { iterator, start, step, starts, steps });
    }
    let condition = node.field(Field::Condition);
    let tested = condition.map(|condition| mentioned_names(source, condition)).unwrap_or_default();
    let is_changed = |name: &str, part: &Node<'t>| changed_names(source, *part).contains(name);
    let is_iterator = |start: &Node<'t>| {
        let changing = |name| steps.iter().filter(|step| is_changed(name, step)).count();
        set(start).is_some_and(|name| tested.contains(name) && changing(name) == 1)
    };
    let chosen = match starts.len() {
        1 => 0,
        _ => starts.iter().position(is_iterator)?,
    };
    let (start, iterator) = (starts[chosen], set(&starts[chosen])?);
    let (own, others): (Vec<_>, Vec<_>) = match steps.len() {
        1 => (steps.to_vec(), Vec::new()),
        _ => steps.iter().partition(|step| is_changed(iterator, step)),
    };
    let later: Vec<Node<'t>> = starts[chosen + 1..].to_vec();
    let starts: Vec<Node<'t>> = starts.into_iter().filter(|s| s.id() != start.id()).collect();
    let mentions = |part: &Node<'t>| mentioned_names(source, *part).contains(iterator);
    let first = start.field(Field::Right).map(|right| mentioned_names(source, right));
    let is_early = |part: &Node<'t>| {
        first.as_ref().is_some_and(|names| !names.is_disjoint(&changed_names(source, *part)))
    };
    let is_tested = |part: &Node<'t>| !tested.is_disjoint(&changed_names(source, *part));
    let depends = starts.iter().chain(&others).any(mentions)
        || later.iter().any(is_early)
        || others.iter().any(is_tested);
    (!depends).then_some(Header {
        iterator,
        start,
        step: own.first().copied(),
        starts,
        steps: others,
    })
}

/// The expressions that commas separate.
pub(crate) fn operands(node: Node<'_>) -> Operands<'_> {
    let node = strip_parentheses(node);
    let sides = [Field::Left, Field::Right].map(|field| node.field(field));
    match (node.kind(), sides) {
        (Kind::CommaExpression, [Some(left), Some(right)]) => {
            let mut parts = operands(left);
            parts.extend(operands(right));
            parts
        }
        _ => smallvec![node],
    }
}

/// The names that are iterators of some loops, and changed by the other parts of the heads of others.
pub(crate) fn names_of_both_kinds<'s>(source: &'s str, nodes: &[Node<'_>]) -> NameSet<'s> {
    let (mut iterators, mut others) = (NameSet::default(), NameSet::default());
    for node in nodes.iter().flat_map(|root| root.of_kind(Kind::ForStatement)) {
        if let Some(header) = header(source, node) {
            iterators.insert(header.iterator);
            let parts = header.starts.iter().chain(&header.steps);
            others.extend(parts.flat_map(|part| changed_names(source, *part)));
        }
    }
    iterators.intersection(&others).copied().collect()
}
