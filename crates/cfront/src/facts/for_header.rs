//! The head of a `for` loop: the parts for its iterator, and those for other variables.
//!
//! In `for (i = 0, k = 5; i < n; i++, k += 2)` the iterator is `i`. The other parts are statements: `k = 5`
//! before the loop, `k += 2` at the end of its body, where `k` may be an induction variable. So the other
//! parts must not mention the iterator, which has another value there, nor change what the condition
//! mentions. So it is in `for (int i = 0, k = 5; ..)`, where the head declares the variables.
use crate::facts::ctypes::declarator;
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
    /// Where the head names it first.
    pub(crate) place: Node<'t>,
    /// Its first value.
    pub(crate) value: Node<'t>,
    /// What changes it.
    pub(crate) step: Option<Node<'t>>,
    /// The other assignments, or declarators, before the loop.
    pub(crate) starts: Vec<Node<'t>>,
    /// What else is done after each iteration.
    pub(crate) steps: Vec<Node<'t>>,
    /// The declaration that the head begins with, if it is one.
    pub(crate) declaration: Option<Node<'t>>,
}

/// What a part of the start of a loop sets: a name, where it stands, and the value.
type Set<'s, 't> = (&'s str, Node<'t>, Option<Node<'t>>);

fn set_by<'s, 't>(source: &'s str, start: Node<'t>) -> Option<Set<'s, 't>> {
    if start.kind() != Kind::AssignmentExpression {
        let parts = declarator(source, start).filter(|parts| !parts.is_function)?;
        let value = start.field(Field::Value).filter(|_| start.kind() == Kind::InitDeclarator);
        return Some((text(source, parts.name), parts.name, value));
    }
    let left = strip_parentheses(start.field(Field::Left)?);
    let is_plain = start.operator()? == token!("=") && left.kind() == Kind::Identifier;
    is_plain.then_some((text(source, left), left, start.field(Field::Right)))
}

/// The parts of the head of a loop that sets its iterator by an assignment or declares it; none if it is not
/// clear what its iterator is, or if the order of the parts matters.
pub(crate) fn header<'s, 't>(source: &'s str, node: Node<'t>) -> Option<Header<'s, 't>> {
    let initializer = node.field(Field::Initializer)?;
    let declaration = Some(initializer).filter(|part| part.kind() == Kind::Declaration);
    let starts: Operands<'t> = match declaration {
        Some(declaration) => declaration.all_in_field(Field::Declarator).collect(),
        None => operands(initializer),
    };
    let steps = node.field(Field::Update).map_or(Operands::new(), operands);
    let set = |start: &Node<'t>| match declaration {
        None if start.kind() != Kind::AssignmentExpression => None,
        _ => set_by(source, *start),
    };
    if let ([start], [_] | []) = (&starts[..], &steps[..]) {
        let (iterator, place, value) = set(start)?;
        let (value, step) = (value?, steps.first().copied());
        let (starts, steps) = (Vec::new(), Vec::new());
        return Some(Header { iterator, place, value, step, starts, steps, declaration });
    }
    let condition = node.field(Field::Condition);
    let tested = condition.map(|condition| mentioned_names(source, condition)).unwrap_or_default();
    let is_changed = |name: &str, part: &Node<'t>| changed_names(source, *part).contains(name);
    let is_iterator = |start: &Node<'t>| {
        let changing = |name| steps.iter().filter(|step| is_changed(name, step)).count();
        set(start).is_some_and(|(name, ..)| tested.contains(name) && changing(name) == 1)
    };
    let chosen = match starts.len() {
        1 => 0,
        _ => starts.iter().position(is_iterator)?,
    };
    let (start, (iterator, place, value)) = (starts[chosen], set(&starts[chosen])?);
    let value = value?;
    let (own, others): (Vec<_>, Vec<_>) = match steps.len() {
        1 => (steps.to_vec(), Vec::new()),
        _ => steps.iter().partition(|step| is_changed(iterator, step)),
    };
    let later: Vec<Node<'t>> = starts[chosen + 1..].to_vec();
    let is_blind = declaration.is_some() && mentions_later_names(source, &starts);
    let starts: Vec<Node<'t>> = starts.into_iter().filter(|s| s.id() != start.id()).collect();
    let mentions = |part: &Node<'t>| mentioned_names(source, *part).contains(iterator);
    let first = mentioned_names(source, value);
    let is_early = |part: &Node<'t>| !first.is_disjoint(&changed_names(source, *part));
    let is_tested = |part: &Node<'t>| !tested.is_disjoint(&changed_names(source, *part));
    let depends = is_blind
        || starts.iter().chain(&others).any(mentions)
        || later.iter().any(is_early)
        || others.iter().any(is_tested);
    (!depends).then_some(Header {
        iterator,
        place,
        value,
        step: own.first().copied(),
        starts,
        steps: others,
        declaration,
    })
}

/// Whether a value in a declaration mentions a name that is declared by it or behind it: the name means
/// something else there than in the loop.
pub(crate) fn mentions_later_names(source: &str, declarators: &[Node<'_>]) -> bool {
    let sets =
        || declarators.iter().enumerate().filter_map(|(k, d)| Some((k, set_by(source, *d)?)));
    sets().any(|(k, (.., value))| {
        let mentioned = value.map(|value| mentioned_names(source, value)).unwrap_or_default();
        sets().any(|(other, (name, ..))| other >= k && mentioned.contains(name))
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
        let assigned = header(source, node).filter(|header| header.declaration.is_none());
        if let Some(header) = assigned {
            iterators.insert(header.iterator);
            let parts = header.starts.iter().chain(&header.steps);
            others.extend(parts.flat_map(|part| changed_names(source, *part)));
        }
    }
    iterators.intersection(&others).copied().collect()
}
