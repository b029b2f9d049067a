//! Which block and which thread of a kernel an instance belongs to: the values of the marked loops around it.
use crate::order::kernels::spread;
use crate::order::schedule::{Comparison, Times};
use loopwright_dataflow::Dependence;
use loopwright_presburger::{Budget, Map, Name, Result, UnionMap};
use loopwright_schedule::{LoopKind, LoopMark, Node, Reaching};
use loopwright_scop::{ArrayId, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// The axes of a kernel.
#[derive(Default)]
pub(super) struct Axes {
    /// For each axis that loops are spread over, the values of the statements that are in one of them.
    pub(super) values: Vec<(LoopKind, Times)>,
    /// The statements in a marked loop, with the variables that all loops around name as private.
    own: BTreeMap<Name, BTreeSet<Name>>,
    /// The statements that stand outside of marked loops.
    outside: BTreeSet<Name>,
}

impl Axes {
    /// Those of the kernel with a subtree.
    pub(super) fn of_kernel(scop: &Scop, node: &Node, whole: &Reaching) -> Result<Axes> {
        let mut axes = Axes::default();
        let mut values = Vec::new();
        axes.collect(node, whole, None, &mut values)?;
        axes.values =
            values.into_iter().map(|(kind, map)| (kind, Times::new(scop, &map))).collect();
        Ok(axes)
    }

    fn collect(
        &mut self,
        node: &Node,
        whole: &Reaching,
        private: Option<&BTreeSet<Name>>,
        values: &mut Vec<(LoopKind, UnionMap)>,
    ) -> Result<()> {
        let mark = match node {
            Node::Mark(name, _) if spread(name).is_some() => LoopMark::parse(name),
            _ => None,
        };
        if let (Some(mark), [Node::Band(band, _)]) = (&mark, node.children()) {
            let first = band.schedule.slice(0..1).to_union_map()?;
            let own = first.intersect_domain(&whole.domain()?)?;
            match values.iter_mut().find(|(kind, _)| *kind == mark.kind) {
                Some((_, all)) => *all = all.union(&own)?,
                None => values.push((mark.kind, own)),
            }
        }
        let named = mark.map(|mark| {
            let named: BTreeSet<Name> = mark.private.into_iter().collect();
            match private {
                None => named,
                Some(outer) => named.intersection(outer).cloned().collect(),
            }
        });
        let private = named.as_ref().or(private);
        if node.is_leaf() {
            self.statements(whole, private);
        }
        for (child, below) in node.children().iter().zip(whole.below(node)?) {
            self.collect(child, &below, private, values)?;
        }
        Ok(())
    }

    fn statements(&mut self, whole: &Reaching, private: Option<&BTreeSet<Name>>) {
        let names = whole.pieces.iter().filter_map(|piece| piece.domain.space().output()?.name());
        for name in names {
            match private {
                None => {
                    self.outside.insert(name.clone());
                }
                Some(private) => {
                    let own = self.own.entry(name.clone()).or_insert_with(|| private.clone());
                    own.retain(|variable| private.contains(variable));
                }
            }
        }
    }

    /// The variables of which each thread has its own: all marked loops around statements of the kernel that
    /// access them name them.
    pub(super) fn private(&self, scop: &Scop) -> BTreeSet<ArrayId> {
        let is_private = |id: ArrayId| {
            let name = &scop.array(id).tuple_name;
            scop.statements.iter().all(|statement| {
                let uses = statement.accesses.iter().any(|access| access.array == id);
                let own = self.own.get(&statement.name);
                !uses
                    || !self.outside.contains(&statement.name)
                        && own.is_none_or(|own| own.contains(name))
            })
        };
        (0u32..).map(ArrayId).take(scop.arrays.len()).filter(|id| is_private(*id)).collect()
    }

    /// The values along the axes of some kinds.
    pub(super) fn of(&self, is_wanted: impl Fn(&LoopKind) -> bool) -> Vec<&Times> {
        let wanted = self.values.iter().filter(|(kind, _)| is_wanted(kind));
        wanted.map(|(_, values)| values).collect()
    }

    /// The pairs of a relation with equal values along an axis or none on both sides, and the others, in
    /// parts.
    pub(super) fn divided(
        relation: &Map,
        dependence: &Dependence,
        values: &Times,
        budget: &Budget,
    ) -> Result<(Map, Vec<Map>)> {
        let ends = (dependence.source.0, dependence.sink.0);
        let (source, sink) = match (values.of(ends.0), values.of(ends.1)) {
            (None, None) => return Ok((relation.clone(), Vec::new())),
            (Some(_), None) | (None, Some(_)) => {
                return Ok((Map::empty(relation.space().clone()), vec![relation.clone()]));
            }
            (Some(source), Some(sink)) => (source, sink),
        };
        let (first, second) = (source.domain(), sink.domain());
        let with_source = relation.intersect_domain(&first)?;
        let without_source = relation.subtract_domain(&first, budget)?;
        let with_both = with_source.intersect_range(&second)?;
        let compared = |comparison| -> Result<Map> {
            with_both.intersect(&values.compared_at(ends, 0, comparison, budget)?)
        };
        let neither = without_source.subtract_range(&second, budget)?;
        let same = compared(Comparison::Equal)?.union(&neither)?;
        let different = vec![
            compared(Comparison::Less)?,
            compared(Comparison::Greater)?,
            with_source.subtract_range(&second, budget)?,
            without_source.intersect_range(&second)?,
        ];
        Ok((same, different))
    }

    /// The pairs of a relation that are in different threads of a block, in parts that are not empty.
    pub(super) fn different_threads(
        &self,
        mut relation: Map,
        dependence: &Dependence,
        budget: &Budget,
    ) -> Result<Vec<Map>> {
        let mut all = Vec::new();
        for values in self.of(|kind| matches!(kind, LoopKind::Thread(_))) {
            let (same, different) = Axes::divided(&relation, dependence, values, budget)?;
            for part in different {
                if !part.plain_is_empty() && !part.is_empty(budget)? {
                    all.push(part);
                }
            }
            relation = same;
        }
        Ok(all)
    }
}
