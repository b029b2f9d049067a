//! What a part of a tree combines, and what stands around that.
use crate::promotion::{Site, SiteStatement, of_outer};
use crate::select::inside_of;
use crate::strides::{Stride, stride};
use loopwright_dataflow::{Dependences, Reduction, ReductionOperator, wraps_around};
use loopwright_presburger::{Aff, DimKind, PwAff, Set, Space, Tuple, UnionPwAff, UnionSet};
use loopwright_schedule::{Band, Node};
use loopwright_scop::{AccessKind, ArrayId, Scop, StatementId};

/// A statement of a loop that combines.
#[derive(Clone)]
pub(super) struct Reduced {
    pub(super) id: StatementId,
    pub(super) array: ArrayId,
    pub(super) operator: ReductionOperator,
    /// Whether it is computed modulo a power of two.
    pub(super) wraps_around: bool,
    /// The element, over the values of the loops outside.
    pub(super) subscripts: Vec<Aff>,
    /// The value of the loop that threads share, and of the one that blocks share.
    pub(super) along: Aff,
    pub(super) across: Aff,
    /// Whether these are one loop.
    pub(super) is_one_loop: bool,
}

/// A part of a tree.
pub(super) enum Part {
    /// Statements without loops.
    Single(StatementId),
    /// Loops that combine.
    Combined(Box<Node>, Vec<Reduced>),
}

/// Loops that combine, with the statements in front of them and behind.
pub(super) struct Group {
    pub(super) before: Vec<StatementId>,
    pub(super) node: Node,
    pub(super) reduced: Vec<Reduced>,
    pub(super) after: Vec<StatementId>,
}

/// What is known of a program whose updates may run in any order.
pub(super) struct Updates<'a> {
    pub(super) scop: &'a Scop,
    pub(super) dependences: &'a Dependences,
    pub(super) updates: &'a [Reduction],
}

impl Updates<'_> {
    /// The parts of a subtree, in order; none if there are others.
    pub(super) fn parts(&self, node: &Node, site: &Site, ids: &[StatementId]) -> Option<Vec<Part>> {
        match node {
            Node::Leaf => Some(ids.iter().copied().map(Part::Single).collect()),
            Node::Sequence(children) => {
                let mut parts = Vec::new();
                for child in children {
                    parts.extend(self.parts(child, site, ids)?);
                }
                Some(parts)
            }
            Node::Filter(filter, below) => {
                let passes = |id: &&StatementId| {
                    let space = self.scop.statement(**id).domain.space();
                    filter.sets().iter().any(|set| set.space().has_equal_tuples(space))
                };
                let own: Vec<StatementId> = ids.iter().filter(passes).copied().collect();
                self.parts(below, site, &own)
            }
            Node::Band(..) => self.combined(node, site, ids),
            _ => None,
        }
    }

    /// A nest of loops that combine, perhaps with statements that have one iteration of it: these stand in
    /// front of it, or behind it if they depend on it.
    fn combined(&self, node: &Node, site: &Site, ids: &[StatementId]) -> Option<Vec<Part>> {
        let mut members = Vec::new();
        loops(node, &mut members)?;
        let has_loops = |id: &StatementId| {
            let own = site.statement(*id);
            own.is_some_and(|own| members.iter().any(|member| value_of(member, own).is_some()))
        };
        let (inside, outside): (Vec<StatementId>, Vec<StatementId>) =
            ids.iter().copied().partition(has_loops);
        let reduced = inside.iter().map(|id| self.reduced(site.statement(*id)?, &members));
        let reduced: Vec<Reduced> = reduced.collect::<Option<_>>()?;
        let arrays: Vec<ArrayId> = reduced.iter().map(|own| own.array).collect();
        // What is combined may not be an operand.
        let is_operand = |own: &Reduced| {
            let accesses = &self.scop.statement(own.id).accesses;
            accesses.iter().any(|a| a.array != own.array && arrays.contains(&a.array))
        };
        if reduced.is_empty() || reduced.iter().any(is_operand) {
            return None;
        }
        let Dependences { flow, order, forced, .. } = self.dependences;
        let is_behind = |id: &StatementId| {
            let mut all = flow.iter().chain(order).chain(forced);
            all.any(|d| d.sink.0 == *id && inside.contains(&d.source.0))
        };
        let (behind, front): (Vec<StatementId>, Vec<StatementId>) =
            outside.into_iter().partition(is_behind);
        let mut parts: Vec<Part> = front.into_iter().map(Part::Single).collect();
        parts.push(Part::Combined(Box::new(self.restricted(node, &inside)?), reduced));
        parts.extend(behind.into_iter().map(Part::Single));
        Some(parts)
    }

    /// The part of a nest that runs some statements.
    fn restricted(&self, node: &Node, ids: &[StatementId]) -> Option<Node> {
        let spaces = ids.iter().map(|id| self.scop.statement(*id).domain.space().clone());
        let whole = UnionSet::from_sets(&Space::params(&[]), spaces.map(Set::universe));
        match node {
            Node::Band(band, child) => {
                let band = band.intersect_domain(&whole).ok()?;
                Some(Node::band(band, self.restricted(child, ids)?))
            }
            Node::Sequence(children) => {
                let passes = |child: &&Node| match child {
                    Node::Filter(filter, _) => ids.iter().any(|id| {
                        let space = self.scop.statement(*id).domain.space();
                        filter.sets().iter().any(|set| set.space().has_equal_tuples(space))
                    }),
                    _ => false,
                };
                let left: Vec<Node> = children.iter().filter(passes).cloned().collect();
                Some(if left.len() == 1 { Node::Leaf } else { Node::Sequence(left) })
            }
            other => Some(other.clone()),
        }
    }

    /// The statement as one that combines an element of the loops outside.
    fn reduced(&self, own: &SiteStatement, members: &[UnionPwAff]) -> Option<Reduced> {
        let update = self.updates.iter().find(|update| update.statement == own.id)?;
        let is_free = |id: StatementId| {
            let pairs = self.dependences.reassociated().iter();
            pairs.clone().any(|pair| pair.source.0 == id && pair.sink.0 == id)
        };
        let statement = self.scop.statement(own.id);
        let array = self.scop.array(update.array);
        if !is_free(own.id) || array.is_member || !statement.body.hidden().is_empty() {
            return None;
        }
        let values: Vec<Aff> = members.iter().map(|m| value_of(m, own)).collect::<Option<_>>()?;
        let all = statement.body.elements();
        let element = all.iter().find(|element| element.array == update.array)?;
        let (n, params) = (own.outer().count(), self.scop.context.space().param_names());
        let space = Space::set(params, Tuple::named("outer", n));
        let subscripts = of_outer(own, element, &space)?;
        if subscripts.len() != array.extents.len() {
            return None;
        }
        let others: Vec<_> = all.into_iter().filter(|e| e.array != update.array).collect();
        let score = |at: &usize| {
            let form = PwAff::from_aff(values[*at].clone());
            let of = |element: &&loopwright_scop::Element| match stride(element, &form) {
                Stride::None => 0,
                Stride::Unit => 1,
                Stride::Apart => -1,
            };
            others.iter().map(of).sum::<i64>()
        };
        let along = (0..values.len()).max_by_key(score)?;
        let across = (0..values.len()).find(|at| *at != along);
        Some(Reduced {
            id: own.id,
            array: update.array,
            operator: update.operator,
            wraps_around: wraps_around(self.scop, update),
            subscripts,
            along: values[along].clone(),
            across: values[across.unwrap_or(along)].clone(),
            is_one_loop: across.is_none(),
        })
    }

    /// The groups of parts in a row: what sets an element that a group combines belongs to it.
    pub(super) fn groups(&self, parts: Vec<Part>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut waiting: Vec<StatementId> = Vec::new();
        for part in parts {
            match part {
                Part::Single(id) => waiting.push(id),
                Part::Combined(node, reduced) => {
                    let sets = |id: &StatementId| {
                        self.scop.statement(*id).accesses.iter().any(|access| {
                            access.kind != AccessKind::Read
                                && reduced.iter().any(|own| own.array == access.array)
                        })
                    };
                    let before = match groups.last_mut() {
                        None => std::mem::take(&mut waiting),
                        Some(last) => {
                            let first = waiting.iter().position(sets).unwrap_or(waiting.len());
                            let before = waiting.split_off(first);
                            last.after.append(&mut waiting);
                            before
                        }
                    };
                    groups.push(Group { before, node: *node, reduced, after: Vec::new() });
                }
            }
        }
        if let Some(last) = groups.last_mut() {
            last.after.append(&mut waiting);
        }
        groups
    }

    /// Whether what stands in front of loops that combine may run after them, right before their result is
    /// added: nothing that they combine depends on it.
    pub(super) fn may_be_late(&self, group: &Group) -> bool {
        let leads_in = |dependence: &&loopwright_dataflow::Dependence| {
            group.before.contains(&dependence.source.0)
                && group
                    .reduced
                    .iter()
                    .any(|own| own.id == dependence.sink.0 && own.array != dependence.array)
        };
        !starts_from_element(group) && !self.dependences.flow.iter().any(|d| leads_in(&d))
    }

    /// Whether threads side by side should share the loops of a group and not one loop around them: elements
    /// of rows lie side by side for the one, and apart for the other.
    pub(super) fn is_along_rows(&self, group: &Group, site: &Site) -> bool {
        let of = |own: &Reduced| -> Option<bool> {
            let row = PwAff::from_aff(site.statement(own.id)?.members.last()?.clone());
            let along = PwAff::from_aff(own.along.clone());
            let elements = self.scop.statement(own.id).body.elements();
            let others = elements.into_iter().filter(|element| element.array != own.array);
            let strides = others.map(|element| (stride(element, &along), stride(element, &row)));
            let strides: Vec<(Stride, Stride)> = strides.collect();
            Some(
                strides.contains(&(Stride::Unit, Stride::Apart))
                    && !strides.contains(&(Stride::Apart, Stride::Unit)),
            )
        };
        group.reduced.iter().all(|own| of(own) == Some(true))
    }
}

/// Whether the partial results of a group begin with the element itself: combining it several times does no
/// harm.
fn starts_from_element(group: &Group) -> bool {
    group.reduced.iter().any(|own| super::combination::neutral(own.operator).is_none())
}

/// The loops of a nest of statements without anything else between them.
fn loops(node: &Node, members: &mut Vec<UnionPwAff>) -> Option<()> {
    let is_leaf = |child: &Node| matches!(child, Node::Filter(_, below) if below.is_leaf());
    match node {
        Node::Band(band, child) => {
            members.extend(band.schedule.members().iter().cloned());
            loops(child, members)
        }
        Node::Leaf => Some(()),
        Node::Sequence(children) if children.iter().all(is_leaf) => Some(()),
        _ => None,
    }
}

/// The value of a member for a statement, if it depends on the instance.
fn value_of(member: &UnionPwAff, own: &SiteStatement) -> Option<Aff> {
    let part = member.parts().iter().find(|p| p.domain_space().has_equal_tuples(own.space()))?;
    let value = part.as_aff()?;
    let n = own.space().n(DimKind::Out);
    value.involves_dims(DimKind::Out, 0, n).then_some(value)
}

/// What is inside of the only independent member of a band.
pub(super) fn inside_of_rows(band: &Band, row: usize, child: &Node) -> Option<Node> {
    inside_of(band, &[row], child).ok()
}
