//! Which statements make a chain.
use crate::ScheduleConstraints;
use crate::grouping::{Group, GroupMember, Grouping};
use loopwright_presburger::{
    Budget, Error, Map, MultiAff, Name, Result, Set, Space, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{Node, Piece, Reaching, ScheduleTree};
use rustc_hash::{FxHashMap, FxHashSet};

impl Grouping {
    /// The chains of a program that runs in the `original` order and has to respect `constraints`.
    ///
    /// Two statements that follow each other directly (as leaves below neighbouring children of a
    /// sequence) are put into one group if every instance of both is in a pair that is both validity and
    /// proximity, and all such pairs are at the same values of the loops outside, where each statement runs
    /// only once. Groups grow from the last child of a sequence to the first: groups that are next to
    /// each other become one if some statement of the first fits to some statement of the second.
    /// Statements that run less often than their neighbours (behind a condition) stay out.
    ///
    /// `original` has to respect the constraints: a group keeps its statements in this order.
    /// Statements that reach several leaves, leaves with several statements, and what is below
    /// extensions and expansions stay as they are.
    ///
    /// Cost: one inclusion test, two tests of the domains and two of injectivity per pair of
    /// neighbouring statements with such a dependence.
    ///
    /// # Errors
    /// If a band of `original` is not defined for a statement. A pair for which the budget does not
    /// suffice is not put together.
    pub fn of_chains(
        original: &ScheduleTree,
        constraints: &ScheduleConstraints,
        budget: &Budget,
    ) -> Result<Grouping> {
        let constraints = constraints.below_prefix(budget)?;
        let mut finder = ChainFinder {
            budget,
            domain: &constraints.domain,
            close: Pairs::new(&constraints.validity, &constraints.proximity),
            n_leaves: FxHashMap::default(),
            chains: Vec::new(),
        };
        finder.count(&original.root, &Reaching::root(original))?;
        finder.visit(&original.root, &Reaching::root(original))?;
        finder.grouping()
    }
}

/// A leaf with a single statement.
struct Leaf {
    statement: Name,
    piece: Piece,
}

impl Leaf {
    /// From the statement to `name[values of the loops outside]`.
    fn contraction(&self, name: Option<&Name>) -> Result<MultiAff> {
        let merge =
            |space: Space, aff: &loopwright_presburger::Aff| space.merge_params(aff.domain_space());
        let space = self.piece.schedule.iter().fold(self.piece.domain.space().clone(), merge);
        let tuple = Tuple::anonymous(self.piece.schedule.len()).with_name(name.cloned());
        let group = Space::set(space.param_names(), tuple);
        let values = self.piece.schedule.iter().map(|aff| aff.align_params(&space)).collect();
        MultiAff::new(space.map_to(&group), values)
    }
}

struct ChainFinder<'a> {
    budget: &'a Budget,
    domain: &'a UnionSet,
    close: Pairs<'a>,
    /// At how many leaves statements are.
    n_leaves: FxHashMap<Name, usize>,
    chains: Vec<Vec<Leaf>>,
}

impl ChainFinder<'_> {
    fn count(&mut self, node: &Node, reaching: &Reaching) -> Result<()> {
        if node.is_leaf() {
            for name in reaching.pieces.iter().filter_map(statement) {
                *self.n_leaves.entry(name.clone()).or_default() += 1;
            }
        }
        for (child, below) in node.children().iter().zip(reaching.below(node)?) {
            self.count(child, &below)?;
        }
        Ok(())
    }

    /// Finds the chains below a node.
    fn visit(&mut self, node: &Node, reaching: &Reaching) -> Result<()> {
        if matches!(node, Node::Extension(..) | Node::Expansion { .. }) {
            return Ok(());
        }
        let mut neighbours = Vec::new();
        for (child, below) in node.children().iter().zip(reaching.below(node)?) {
            match (node, child) {
                (Node::Sequence(_), Node::Filter(_, leaf)) if leaf.is_leaf() => {
                    match self.single_statement(below.descend(child, 0)?) {
                        Some(leaf) => neighbours.push(leaf),
                        None => self.chain(std::mem::take(&mut neighbours))?,
                    }
                }
                _ => {
                    self.chain(std::mem::take(&mut neighbours))?;
                    self.visit(child, &below)?;
                }
            }
        }
        self.chain(neighbours)
    }

    /// What reaches a leaf, if it is one statement that is at no other leaf.
    fn single_statement(&self, reaching: Reaching) -> Option<Leaf> {
        let [piece] = <[Piece; 1]>::try_from(reaching.pieces).ok()?;
        let statement = statement(&piece)?.clone();
        (self.n_leaves.get(&statement) == Some(&1)).then_some(Leaf { statement, piece })
    }

    /// Puts statements that follow each other directly into groups.
    fn chain(&mut self, neighbours: Vec<Leaf>) -> Result<()> {
        // Last to first: the group next to the current leaf is at the end.
        let mut groups: Vec<Vec<Leaf>> = Vec::new();
        for leaf in neighbours.into_iter().rev() {
            let mut group = vec![leaf];
            while let Some(next) = groups.last()
                && self.fit(&group, next)?
            {
                group.extend(groups.pop().unwrap_or_default());
            }
            groups.push(group);
        }
        self.chains.extend(groups.into_iter().rev().filter(|group| group.len() > 1));
        Ok(())
    }

    /// Whether some statement of `first` fits to some statement of `second`.
    fn fit(&self, first: &[Leaf], second: &[Leaf]) -> Result<bool> {
        for source in first {
            for sink in second {
                match self.is_close(source, sink) {
                    Ok(false) | Err(Error::Exceeded { .. }) => {}
                    other => return other,
                }
            }
        }
        Ok(false)
    }

    /// Whether all instances of both leaves are in pairs that should be close, which are at the same
    /// values of the loops outside; at these each statement runs once, so the pairs are one to one.
    fn is_close(&self, source: &Leaf, sink: &Leaf) -> Result<bool> {
        let Some(pairs) = self.close.between(source, sink, self.budget)? else { return Ok(false) };
        let (before, after) =
            (source.contraction(None)?.to_map(), sink.contraction(None)?.to_map());
        let same_iteration = before.apply_range_within(&after.reverse(), self.budget)?;
        let runs_once = |contraction: &Map, domain: &Set| -> Result<bool> {
            contraction.intersect_domain(domain)?.is_injective(self.budget)
        };
        Ok(pairs.is_subset(&same_iteration, self.budget)?
            && source.piece.domain.is_subset(&pairs.domain(), self.budget)?
            && sink.piece.domain.is_subset(&pairs.range(), self.budget)?
            && runs_once(&before, &source.piece.domain)?
            && runs_once(&after, &sink.piece.domain)?
            && self.is_whole(source)?
            && self.is_whole(sink)?)
    }

    /// Whether all instances of the leaf's statement are at the leaf.
    fn is_whole(&self, leaf: &Leaf) -> Result<bool> {
        let all = self.domain.extract(leaf.piece.domain.space());
        all.is_equal(&leaf.piece.domain, self.budget)
    }

    /// The groups with their names: those of their first statements, so that they keep their place in the
    /// order of names.
    fn grouping(self) -> Result<Grouping> {
        let mut used: FxHashSet<Name> = self.n_leaves.into_keys().collect();
        let mut groups = Vec::with_capacity(self.chains.len());
        for chain in self.chains {
            let mut name = format!("{}_chain", chain[0].statement);
            while used.contains(&Name::from(&*name)) {
                name.push('_');
            }
            let name = Name::from(&*name);
            used.insert(name.clone());
            let member = |leaf: Leaf| -> Result<GroupMember> {
                let contraction = leaf.contraction(Some(&name))?;
                Ok(GroupMember { domain: leaf.piece.domain, contraction })
            };
            let members = chain.into_iter().map(member).collect::<Result<_>>()?;
            groups.push(Group { name, members });
        }
        Ok(Grouping { groups })
    }
}

fn statement(piece: &Piece) -> Option<&Name> {
    piece.domain.space().output()?.name()
}

/// The pairs that are both validity and proximity, by the names of the statements.
struct Pairs<'a>([FxHashMap<(&'a Name, &'a Name), &'a Map>; 2]);

impl<'a> Pairs<'a> {
    fn new(validity: &'a UnionMap, proximity: &'a UnionMap) -> Self {
        let names =
            |map: &'a Map| Some((map.space().input()?.name()?, map.space().output()?.name()?));
        let by_names = |relation: &'a UnionMap| {
            let maps = relation.maps().iter();
            maps.filter_map(|map| Some((names(map)?, map))).collect()
        };
        Pairs([by_names(validity), by_names(proximity)])
    }

    /// The pairs of instances of two leaves; none if there are plainly none.
    fn between(&self, source: &Leaf, sink: &Leaf, budget: &Budget) -> Result<Option<Map>> {
        let key = (&source.statement, &sink.statement);
        let [Some(validity), Some(proximity)] = [0, 1].map(|kind: usize| self.0[kind].get(&key))
        else {
            return Ok(None);
        };
        let space = source.piece.domain.space().map_to(sink.piece.domain.space());
        if !validity.space().has_equal_tuples(&space) || !proximity.space().has_equal_tuples(&space)
        {
            return Ok(None);
        }
        let both = validity.intersect_within(proximity, budget)?;
        let pairs = both
            .intersect_domain_within(&source.piece.domain, budget)?
            .intersect_range_within(&sink.piece.domain, budget)?;
        Ok((!pairs.plain_is_empty()).then_some(pairs))
    }
}
