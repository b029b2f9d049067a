//! Jumps that only skip statements, as conditions ("if-conversion").
//!
//! In a block a `goto` to a label further down in the same block, `continue` and `break` skip what stands
//! between. Where each such jump ends a branch of an `if`, the skipped statements are the other branch:
//!
//! ```c
//! if (c) goto L;                        if (c) ; else { S; }
//! S;
//! L: T;                                 T;
//!
//! if (c) goto L; S; goto M;             if (c) { T; } else { S; }
//! L: T;
//! M: U;                                 U;
//! ```
//!
//! Where a jump stands elsewhere, in a loop or in an `if` that goes on behind it, everything from there to
//! the jump's aim is one statement with the jump in it:
//!
//! ```c
//! for (..) for (..) if (c) goto L;      { __label__ L; for (..) for (..) if (c) goto L; S; L: ; }
//! S;
//! L: T;                                 T;
//!
//! if (c) { S; if (d) continue; T; }     do { if (c) { S; if (d) continue; T; } U; } while (0);
//! U;
//! ```
//!
//! `break` skips the rest of its iteration in the same way; which iterations come after it is found out in
//! `breaks.rs`. ("Conversion of control dependence to data dependence", J. R. Allen, K. Kennedy, C.
//! Porterfield and J. Warren, POPL 1983, calls these exit and forward branches.)
use crate::facts::control::{Leaving, is_jumped_into, leaving_at};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, text};
use crate::syntax::tree::Node;

/// The kinds of statements that jump, other than `return`.
pub(crate) const JUMPS: [Kind; 3] =
    [Kind::GotoStatement, Kind::ContinueStatement, Kind::BreakStatement];

/// A part of a block without jumps in it.
#[derive(Clone, Debug)]
pub(crate) enum Part<'t> {
    Statement(Node<'t>),
    Branch(Branch<'t>),
    Jumping(Jumping<'t>),
    /// The loop around ends here.
    Break(Node<'t>),
}

/// Statements of which a condition chooses one list.
#[derive(Clone, Debug)]
pub(crate) struct Branch<'t> {
    /// The `if` that the condition is from.
    pub(crate) node: Node<'t>,
    pub(crate) condition: Node<'t>,
    pub(crate) then: Vec<Part<'t>>,
    pub(crate) otherwise: Vec<Part<'t>>,
}

/// Statements with jumps to their end.
#[derive(Clone, Debug)]
pub(crate) struct Jumping<'t> {
    /// One or more.
    pub(crate) nodes: Vec<Node<'t>>,
    /// The jumps.
    pub(crate) jumps: Vec<Node<'t>>,
}

impl<'t> Branch<'t> {
    /// The statements of both lists, and the conditions in them.
    pub(crate) fn nodes(&self) -> Vec<Node<'t>> {
        let mut found = nodes(&self.then);
        found.extend(nodes(&self.otherwise));
        found
    }

    /// The end of the text that depends on the condition.
    pub(crate) fn end_byte(&self) -> usize {
        let ends = self.nodes().into_iter().map(|node| node.end_byte());
        ends.chain([self.node.end_byte()]).max().unwrap_or_default()
    }
}

/// The statements of parts, and the conditions in them.
fn nodes<'t>(parts: &[Part<'t>]) -> Vec<Node<'t>> {
    let of_part = |part: &Part<'t>| match part {
        Part::Statement(node) => vec![*node],
        Part::Branch(branch) => [vec![branch.condition], branch.nodes()].concat(),
        Part::Jumping(jumping) => jumping.nodes.clone(),
        Part::Break(_) => Vec::new(),
    };
    parts.iter().flat_map(of_part).collect()
}

/// A statement of a block and the labels before it.
#[derive(Clone)]
struct Item<'s, 't> {
    labels: Vec<&'s str>,
    node: Node<'t>,
}

/// More jumps in a row than this are left alone: each is a branch inside of the one before.
const MAX_DEPTH: usize = 24;

/// What the jumps to the end of a list name: labels, `continue`, `break`.
type Ends<'s> = Vec<&'s str>;

/// A block without its jumps; none if there are no jumps in it that lead to the block's own labels or the
/// end of the loop whose body it is, or if some of these do more than to skip statements.
///
/// *Cost.* Linear in the text of the block for each level of its nested `if`s.
pub(crate) fn structured<'t>(source: &str, block: Node<'t>) -> Option<Vec<Part<'t>>> {
    let items: Vec<Item<'_, 't>> =
        named_children(block).map(|node| unlabelled(source, node)).collect();
    let parent = block.parent().filter(|parent| parent.kind() == Kind::ForStatement);
    let is_body = parent.is_some_and(|p| p.field(Field::Body) == Some(block));
    let has_labels = items.iter().any(|item| !item.labels.is_empty());
    if !items.iter().any(|item| leaves(source, item.node)) || !(is_body || has_labels) {
        return None;
    }
    if has_labels && is_jumped_into(source, &[block]) {
        return None;
    }
    let ends = if is_body { vec!["continue", "break"] } else { Vec::new() };
    converted(source, &items, &ends, 0)
}

/// The same for some statements of a block that follow each other, and the jumps to labels between them.
pub(crate) fn structured_run<'t>(source: &str, run: &[Node<'t>]) -> Option<Vec<Part<'t>>> {
    let items: Vec<Item<'_, 't>> = run.iter().map(|node| unlabelled(source, *node)).collect();
    let is_meant = items.iter().any(|item| !item.labels.is_empty())
        && items.iter().any(|item| leaves(source, item.node))
        && !is_jumped_into(source, run);
    is_meant.then(|| converted(source, &items, &Vec::new(), 0)).flatten()
}

/// A statement without the labels before it.
fn unlabelled<'s, 't>(source: &'s str, mut node: Node<'t>) -> Item<'s, 't> {
    let mut labels = Vec::new();
    while node.kind() == Kind::LabeledStatement
        && let Some(label) = node.field(Field::Label)
        && let Some(inner) = named_children(node).last().filter(|inner| *inner != label)
    {
        labels.push(text(source, label));
        node = inner;
    }
    Item { labels, node }
}

/// Whether a statement contains a jump to a place outside of it (other than `return`).
fn leaves(source: &str, statement: Node<'_>) -> bool {
    !leaving_jumps(source, statement).is_empty()
}

/// The jumps in a statement to places outside of it (other than `return`).
fn leaving_jumps<'t>(source: &str, statement: Node<'t>) -> Vec<Node<'t>> {
    let mut jumps = statement.of_kinds(&JUMPS);
    jumps.retain(|jump| match jump.kind() {
        Kind::BreakStatement => leaving_at(*jump, statement).breaks,
        Kind::ContinueStatement => leaving_at(*jump, statement).continues,
        _ => !is_label_of(source, statement, target(source, *jump)),
    });
    jumps
}

fn is_label_of(source: &str, statement: Node<'_>, label: &str) -> bool {
    let mut labels = statement.of_kind(Kind::LabeledStatement);
    labels.any(|node| node.field(Field::Label).is_some_and(|own| text(source, own) == label))
}

/// The name of the place to which a jump leads.
fn target<'s>(source: &'s str, jump: Node<'_>) -> &'s str {
    match jump.kind() {
        Kind::ContinueStatement => "continue",
        Kind::BreakStatement => "break",
        _ => jump.field(Field::Label).map_or("", |label| text(source, label)),
    }
}

/// The place to which a statement jumps, if it is a jump.
fn jump<'s>(source: &'s str, item: &Item<'s, '_>) -> Option<&'s str> {
    JUMPS.contains(&item.node.kind()).then(|| target(source, item.node))
}

/// The list of a branch: the statements of a block, or a statement alone.
fn listed<'s, 't>(source: &'s str, branch: Option<Node<'t>>) -> Vec<Item<'s, 't>> {
    match branch {
        Some(node) if node.kind() == Kind::CompoundStatement => {
            named_children(node).map(|node| unlabelled(source, node)).collect()
        }
        Some(node) => vec![unlabelled(source, node)],
        None => Vec::new(),
    }
}

/// Whether a list can be put next to others: its names stay what they are.
fn has_declarations(items: &[Item<'_, '_>]) -> bool {
    items.iter().any(|item| item.node.kind() == Kind::Declaration)
}

/// The position in a list, from `from` on, where a jump lands.
fn position(items: &[Item<'_, '_>], from: usize, target: &str, ends: &Ends<'_>) -> Option<usize> {
    let label = items.iter().skip(from).position(|item| item.labels.contains(&target));
    label.map(|offset| from + offset).or_else(|| ends.contains(&target).then_some(items.len()))
}

/// A list without jumps; those to its end may name one of `ends`.
fn converted<'s, 't>(
    source: &'s str,
    items: &[Item<'s, 't>],
    ends: &Ends<'s>,
    depth: usize,
) -> Option<Vec<Part<'t>>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(item) = items.get(at) {
        at += 1;
        if let Some(target) = jump(source, item) {
            let reached = position(items, at, target, ends)?;
            // What is skipped always, unless something leads to it.
            if items[at..reached].iter().any(|item| !item.labels.is_empty()) {
                return None;
            }
            parts.extend((target == "break").then_some(Part::Break(item.node)));
            at = reached;
        } else if leaves(source, item.node) {
            let (part, next) = match branch(source, items, at, ends, depth) {
                Some((branch, next)) => (Part::Branch(branch), next),
                None => jumping(source, items, at, ends)?,
            };
            parts.push(part);
            at = next;
        } else {
            parts.push(Part::Statement(item.node));
        }
    }
    Some(parts)
}

/// The `if` with jumps before the position `at` of a list as a branch, and the position after it.
fn branch<'s, 't>(
    source: &'s str,
    items: &[Item<'s, 't>],
    at: usize,
    ends: &Ends<'s>,
    depth: usize,
) -> Option<(Branch<'t>, usize)> {
    let node = items[at - 1].node;
    let condition = node.field(Field::Condition)?;
    if node.kind() != Kind::IfStatement {
        return None;
    }
    let alternative = node.field(Field::Alternative);
    let alternative = alternative.and_then(|clause| named_children(clause).next());
    let mut then = listed(source, node.field(Field::Consequence));
    let mut otherwise = listed(source, alternative);
    let exit = |list: &[Item<'s, 't>]| list.last().and_then(|last| jump(source, last));
    let (first, second) = (exit(&then), exit(&otherwise));
    let mut reached = match (first, second) {
        (Some(target), _) | (None, Some(target)) => position(items, at, target, ends)?,
        (None, None) => at,
    };
    // The skipped statements, which the other branch goes on with.
    let skipped = &items[at..reached];
    let (leaving, staying) = match (first, second) {
        (None, Some(_)) => (&mut otherwise, &mut then),
        _ => (&mut then, &mut otherwise),
    };
    let is_alone = first.is_some() && second.is_some();
    let is_used_after = reached < items.len() && has_declarations(skipped);
    if !skipped.is_empty() && (is_alone || has_declarations(staying) || is_used_after) {
        return None;
    }
    staying.extend(skipped.iter().cloned());
    // The other branch may skip what the first leads to in turn.
    if reached < items.len()
        && let Some(beyond) = skipped.last().and_then(|last| jump(source, last))
        && let Some(second) = position(items, reached, beyond, ends).filter(|s| *s > reached)
    {
        let others = &items[reached..second];
        if has_declarations(leaving) || has_declarations(others) {
            return None;
        }
        leaving.pop();
        leaving.extend(others.iter().cloned());
        reached = second;
    }
    let ends: Ends<'s> = match items.get(reached) {
        Some(next) => next.labels.clone(),
        None => ends.clone(),
    };
    let then = converted(source, &then, &ends, depth + 1)?;
    let otherwise = converted(source, &otherwise, &ends, depth + 1)?;
    Some((Branch { node, condition, then, otherwise }, reached))
}

/// The statement before the position `at` of a list, and those after it that its jumps skip, as one part; and
/// the position after it.
fn jumping<'s, 't>(
    source: &'s str,
    items: &[Item<'s, 't>],
    at: usize,
    ends: &Ends<'s>,
) -> Option<(Part<'t>, usize)> {
    let reached = |after: usize, jump: &Node<'t>| match target(source, *jump) {
        "break" => None,
        target => position(items, after, target, ends),
    };
    let own = leaving_jumps(source, items[at - 1].node);
    let end = own.first().and_then(|jump| reached(at, jump))?;
    let inside = &items[at - 1..end];
    let mut jumps = Vec::new();
    for (after, item) in (at..).zip(inside) {
        let own = leaving_jumps(source, item.node);
        let is_aim = after > at && !item.labels.is_empty();
        let is_left = item.node.has_kind(&[Kind::ReturnStatement]);
        if is_aim || is_left || own.iter().any(|jump| reached(after, jump) != Some(end)) {
            return None;
        }
        jumps.extend(own);
    }
    let nodes = inside.iter().map(|item| item.node).collect();
    let is_alone = end == items.len() || !has_declarations(inside);
    is_alone.then_some((Part::Jumping(Jumping { nodes, jumps }), end))
}

/// Whether a loop's body has jumps that decide about its iterations, other than those of [`structured`].
pub(crate) fn has_other_jumps(source: &str, node: Node<'_>) -> bool {
    other_jumps(source, node, Leaving::BOTH)
}

fn other_jumps(source: &str, node: Node<'_>, leaving: Leaving) -> bool {
    let inner = match node.kind() {
        Kind::BreakStatement => return leaving.breaks,
        Kind::ContinueStatement => return leaving.continues,
        Kind::GotoStatement | Kind::ReturnStatement => return true,
        kind => leaving.below(kind),
    };
    if node.kind() == Kind::CompoundStatement
        && let Some(parts) = structured(source, node)
    {
        return other_jumps_in(source, &parts, inner);
    }
    named_children(node).any(|child| other_jumps(source, child, inner))
}

fn other_jumps_in(source: &str, parts: &[Part<'_>], leaving: Leaving) -> bool {
    parts.iter().any(|part| match part {
        Part::Statement(node) => other_jumps(source, *node, leaving),
        Part::Branch(Branch { condition, then, otherwise, .. }) => {
            other_jumps(source, *condition, leaving)
                || [then, otherwise].into_iter().any(|list| other_jumps_in(source, list, leaving))
        }
        Part::Jumping(_) | Part::Break(_) => false,
    })
}
