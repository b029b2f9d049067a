//! Loops whose iterations run in parts, each in order, and whose results are put together in the order of the
//! parts.
//!
//! *The best values.* One statement keeps them ([`Leader`]) and nothing else in the loop uses them. The parts
//! begin with the values from in front of the loop, and what they leave is compared in turn by the
//! statement's own comparison, which gives what the loop gives in sequence: with `<` and `>` the first of the
//! best values is kept, and a part that finds no better one leaves what is not better. With `<=` and `>=`
//! such a part would undo what parts before it have found.
//!
//! *Places.* One statement is all that the loop has inside. It writes elements behind each other
//! ([`Compaction`]), one at each place, and what its conditions read is written by nothing in the loop: so
//! counting first is right, parts write to different places, and the last place is the sum.
use crate::verdict::Violation;
use loopwright_schedule::{LoopKind, LoopMark, LoopReduction};
use loopwright_scop::{ArrayId, Compaction, Leader, Scop, Statement};

/// The arrays of which parts of a loop put results together: none if the mark does not say so.
///
/// # Errors
/// If what the mark says is not so, which is a violation.
pub(super) fn put_together(
    scop: &Scop,
    mark: &LoopMark,
    inside: &[&Statement],
) -> Result<Vec<ArrayId>, Violation> {
    let own = || mark.reductions.iter().filter(|reduction| reduction.is_in_parts());
    let Some(first) = own().next() else { return Ok(Vec::new()) };
    let wrong = || Violation {
        message: format!(
            "`{}` cannot be put together by `{}` from the parts of a loop",
            first.variable, first.operator
        ),
        example: None,
    };
    let ids = (0u32..).map(ArrayId).zip(&scop.arrays);
    let named = |reduction: &LoopReduction| {
        ids.clone().find(|(_, array)| array.tuple_name == reduction.variable).map(|(id, _)| id)
    };
    let arrays: Option<Vec<ArrayId>> = own().map(named).collect();
    let arrays = arrays.ok_or_else(wrong)?;
    let is_private = |id: &ArrayId| mark.private.contains(&scop.array(*id).tuple_name);
    let is_one = own().all(|other| other.operator == first.operator);
    if mark.kind != LoopKind::Parallel || !is_one || arrays.iter().any(is_private) {
        return Err(wrong());
    }
    let uses = |s: &&&Statement| s.accesses.iter().any(|access| arrays.contains(&access.array));
    let using: Vec<&&Statement> = inside.iter().filter(uses).collect();
    let [statement] = using[..] else { return Err(wrong()) };
    let found = match &*first.operator {
        LoopReduction::PLACE => places(scop, statement, inside, &arrays),
        comparison => best(scop, statement, comparison, &arrays),
    };
    found.ok_or_else(wrong)
}

/// The first of `arrays` is the key of what the statement keeps, the others what follows it.
fn best(
    scop: &Scop,
    statement: &Statement,
    comparison: &str,
    arrays: &[ArrayId],
) -> Option<Vec<ArrayId>> {
    let leader = Leader::of(scop, statement)?;
    let (key, followers) = arrays.split_first()?;
    let is_right = matches!(comparison, "<" | ">")
        && leader.comparison.symbol() == comparison
        && leader.key == *key
        && leader.followers.len() == followers.len()
        && leader.followers.iter().all(|follower| followers.contains(follower));
    is_right.then(|| arrays.to_vec())
}

fn places(
    scop: &Scop,
    statement: &Statement,
    inside: &[&Statement],
    arrays: &[ArrayId],
) -> Option<Vec<ArrayId>> {
    let found = Compaction::of(scop, statement)?;
    let is_right =
        inside.len() == 1 && arrays == [found.place] && found.is_apart(statement, inside);
    let own = std::iter::once(found.place).chain(found.arrays);
    is_right.then(|| own.collect())
}
