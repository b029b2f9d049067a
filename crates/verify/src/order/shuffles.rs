//! Copies of registers of other lanes of a warp.
//!
//! A shuffle orders what lanes do like a barrier of their warp does, but only for the register that is read:
//! all lanes come to it, and what each of them gets is what the other one has in its register at that place
//! of its own order. So a dependence that ends in such a read, or begins with one, needs no barrier, if
//!
//! * all lanes of a warp execute the copy for the same values of all other loops: the mark stands directly in
//!   a loop over threads along the fastest axis, and of 32 values of this loop from a multiple of 32 on,
//!   either all have an instance or none;
//! * what is read is a register: an array of each thread's own that was added, by a statement that copies it
//!   to another one. Whose thread that is belongs to [`check_promotion`] and [`check_partial_results`], where
//!   such a read is one by the lane that the mark means;
//! * the other end of the dependence is outside of the loop over threads, since no such loop carries a
//!   dependence ([`check_parallel_loops`]). So it is in front of the copies of all lanes, or behind them.
//!
//! [`check_parallel_loops`]: crate::check_parallel_loops
//! [`check_partial_results`]: crate::check_partial_results
//! [`check_promotion`]: crate::check_promotion
use crate::verdict::{Violation, violation, violation_if_any};
use loopwright_presburger::{Aff, Budget, Int, Map, MultiAff, Name, Result, Space, Tuple};
use loopwright_schedule::{
    Axis, LocalMark, LoopKind, LoopMark, MemorySpace, Node, Reaching, ShuffleMark,
};
use loopwright_scop::{AccessKind, ReferenceId, Scop, Statement, StatementId};
use std::collections::BTreeSet;

/// The statements of a kernel that copy registers of other lanes.
pub(super) struct Shuffles {
    names: BTreeSet<Name>,
}

impl Shuffles {
    /// Those of the kernel with a subtree.
    pub(super) fn of_kernel(node: &Node, reaching: &Reaching) -> Result<Shuffles> {
        let mut names = BTreeSet::new();
        collect(node, reaching, &mut names)?;
        Ok(Shuffles { names })
    }

    /// Whether an access is what such a statement reads.
    pub(super) fn read(&self, scop: &Scop, (id, reference): (StatementId, ReferenceId)) -> bool {
        let statement = scop.statement(id);
        let access = statement.accesses.iter().find(|access| access.reference == reference);
        self.names.contains(&statement.name)
            && access.is_some_and(|access| access.kind == AccessKind::Read)
    }
}

fn collect(node: &Node, reaching: &Reaching, found: &mut BTreeSet<Name>) -> Result<()> {
    if matches!(node, Node::Mark(name, _) if ShuffleMark::parse(name).is_some()) {
        let spaces = reaching.pieces.iter().map(|piece| piece.domain.space());
        found.extend(spaces.filter_map(|space| space.output()?.name().cloned()));
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        collect(child, &below, found)?;
    }
    Ok(())
}

/// The nodes around one.
#[derive(Clone, Default)]
struct Around {
    registers: Vec<Name>,
    /// The position of the loop over the threads along the fastest axis, if there is nothing but sequences
    /// between.
    lanes: Option<usize>,
    /// Whether the next band is this loop.
    is_lanes: bool,
}

/// What is wrong with the shuffles of a kernel; `reaching` are the instances.
pub(super) fn wrong_shuffles(
    scop: &Scop,
    node: &Node,
    reaching: &Reaching,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    visit((scop, budget), node, reaching, &Around::default(), &mut violations)?;
    Ok(violations)
}

fn visit(
    known: (&Scop, &Budget),
    node: &Node,
    reaching: &Reaching,
    around: &Around,
    violations: &mut Vec<Violation>,
) -> Result<()> {
    let mut inside = around.clone();
    inside.is_lanes = false;
    match node {
        Node::Mark(name, child) => {
            if ShuffleMark::parse(name).is_some() {
                shuffle(known, child, reaching, around, violations)?;
            }
            let local = LocalMark::parse(name).filter(|own| own.space == MemorySpace::Registers);
            inside.registers.extend(local.map(|own| own.array));
            let kind = LoopMark::parse(name).map(|mark| mark.kind);
            inside.is_lanes = kind == Some(LoopKind::Thread(Axis::X));
            inside.lanes = None;
        }
        Node::Band(band, _) => {
            let is_lanes = around.is_lanes && band.n_members() == 1;
            inside.lanes = is_lanes.then(|| reaching.depth());
        }
        Node::Sequence(_) | Node::Filter(..) => {}
        _ => inside.lanes = None,
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        visit(known, child, &below, &inside, violations)?;
    }
    Ok(())
}

/// A mark of shuffles.
fn shuffle(
    (scop, budget): (&Scop, &Budget),
    child: &Node,
    reaching: &Reaching,
    around: &Around,
    violations: &mut Vec<Violation>,
) -> Result<()> {
    let is_leaf = |child: &Node| matches!(child, Node::Filter(_, below) if below.is_leaf());
    let are_statements = match child {
        Node::Leaf => true,
        Node::Sequence(children) => children.iter().all(is_leaf),
        _ => false,
    };
    let Some(lanes) = around.lanes.filter(|_| are_statements) else {
        let message = "a shuffle does not stand directly in a loop over threads along the x axis";
        violations.push(violation(message.to_string()));
        return Ok(());
    };
    for piece in &reaching.pieces {
        let name = piece.domain.space().output().and_then(Tuple::name);
        let statement = name.and_then(|name| scop.statement_named(name));
        let Some(statement) = statement.filter(|own| copies_register(scop, own, &around.registers))
        else {
            violations.push(violation("a shuffle copies no register".to_string()));
            continue;
        };
        let domain = piece.domain.intersect_params(&scop.context)?;
        let values = to_values(piece.domain.space(), &piece.schedule)?.intersect_domain(&domain)?;
        let warps = warp_of(&values, lanes)?;
        let all = values.apply_range(&warps.apply_range(&warps.reverse())?)?;
        let missing = all.range().subtract(&values.range(), budget)?;
        let message = || format!("not all lanes of a warp execute {}", statement.name);
        violations.extend(violation_if_any(missing.as_map(), message, budget)?);
    }
    Ok(())
}

/// Whether a statement that was added assigns a register to another one.
fn copies_register(scop: &Scop, statement: &Statement, registers: &[Name]) -> bool {
    let Some(assigned) = statement.body.plain_assignment() else { return false };
    let Some(from) = assigned.value.as_element() else { return false };
    let (to, from) = (assigned.target.array, from.array);
    let is_register = |array| registers.contains(&scop.array(array).tuple_name);
    // The elements that are accessed are others than the cells that the text names: so these are those of a
    // promoted array.
    let is_added =
        statement.accesses.iter().all(|access| access.array != to && access.array != from);
    to != from && is_register(to) && is_register(from) && is_added
}

fn to_values(space: &Space, values: &[Aff]) -> Result<Map> {
    let from = values.iter().fold(space.clone(), |space, v| space.merge_params(v.domain_space()));
    let to = Space::set(from.param_names(), Tuple::anonymous(values.len()));
    let values = values.iter().map(|value| value.align_params(&from)).collect();
    Ok(MultiAff::new(from.map_to(&to), values)?.to_map())
}

/// From the values of loops to the same with the number of the warp in place of that of the lane.
fn warp_of(values: &Map, lanes: usize) -> Result<Map> {
    let space = values.space().range();
    let value = |at| Aff::variable(&space, loopwright_presburger::DimKind::Out, at);
    let n = values.n(loopwright_presburger::DimKind::Out);
    let warp = |at: usize| match at == lanes {
        true => value(at).scale_down(&Int::from(ShuffleMark::LANES)).floor(),
        false => value(at),
    };
    Ok(MultiAff::new(space.map_to(&space), (0..n).map(warp).collect())?.to_map())
}
