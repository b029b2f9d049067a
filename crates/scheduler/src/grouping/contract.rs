//! Schedule constraints between groups.
use crate::ScheduleConstraints;
use crate::grouping::{Group, Grouping};
use loopwright_presburger::{Budget, DimKind, Map, Result, Set, Space, Tuple, UnionMap, UnionSet};

impl Grouping {
    /// The constraints with an instance of a group in the place of the instances of its members.
    ///
    /// Pairs within one instance of a group are dropped: its members keep their order, and nothing
    /// comes between them. Ends of conditions and of conditional validity keep their statement in their
    /// tag, so that what is adjacent stays the same: `[S[i] -> R[]]` becomes `[G[i] -> [S[] -> R[]]]`, and
    /// `S[i]` becomes `[G[i] -> S[]]`. A prefix is applied first, see
    /// [`ScheduleConstraints::prefix`].
    ///
    /// *Cost.* Linear in the number of pairs of relations and groups; a composition each.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn contract(
        &self,
        constraints: &ScheduleConstraints,
        budget: &Budget,
    ) -> Result<ScheduleConstraints> {
        if self.is_empty() {
            return Ok(constraints.clone());
        }
        let constraints = constraints.below_prefix(budget)?;
        let plain = |relation: &UnionMap| self.relation(relation, Ends::Plain, budget);
        let tagged = |relation: &UnionMap| self.relation(relation, Ends::Tagged, budget);
        Ok(ScheduleConstraints {
            domain: self.domain(&constraints.domain)?,
            validity: plain(&constraints.validity)?,
            proximity: plain(&constraints.proximity)?,
            coincidence: plain(&constraints.coincidence)?,
            condition: tagged(&constraints.condition)?,
            conditional_validity: tagged(&constraints.conditional_validity)?,
            context: constraints.context,
            prefix: None,
        })
    }

    fn domain(&self, instances: &UnionSet) -> Result<UnionSet> {
        let stays = |tuple: Option<&Tuple>| tuple.is_none_or(|t| self.of_statement(t).is_none());
        let kept = instances.sets().into_iter().filter(|set| stays(set.space().output()));
        let kept = UnionSet::from_sets(instances.params_space(), kept);
        self.groups.iter().try_fold(kept, |all, group| all.union(&group.domain()?))
    }

    fn relation(&self, relation: &UnionMap, ends: Ends, budget: &Budget) -> Result<UnionMap> {
        let maps = relation.maps().iter().map(|map| self.map(map, ends, budget));
        let maps = maps.collect::<Result<Vec<_>>>()?;
        Ok(UnionMap::from_maps(relation.params_space(), maps))
    }

    /// One relation with groups at its ends, without pairs of an instance of a group with itself.
    fn map(&self, map: &Map, ends: Ends, budget: &Budget) -> Result<Map> {
        let from = map.space().input().and_then(|tuple| self.end(tuple, ends));
        let to = map.space().output().and_then(|tuple| self.end(tuple, ends));
        let mut contracted = map.clone();
        if let Some((_, function)) = &from {
            contracted = contracted.apply_domain_within(&function.clone()?, budget)?;
        }
        if let Some((_, function)) = &to {
            contracted = contracted.apply_range_within(&function.clone()?, budget)?;
        }
        match (from, to) {
            (Some((from, _)), Some((to, _))) if from.name == to.name => {
                let n = from.members[0].contraction.affs().len();
                let everything = Map::universe(contracted.space().clone());
                let same = |pairs: Map, dim| pairs.equate(DimKind::In, dim, DimKind::Out, dim);
                contracted.subtract(&(0..n).fold(everything, same), budget)
            }
            _ => Ok(contracted),
        }
    }

    /// The group of a tuple at the end of a relation, and the function that puts it there.
    fn end(&self, tuple: &Tuple, ends: Ends) -> Option<(&Group, Result<Map>)> {
        if let Some((group, member)) = self.of_statement(tuple) {
            let contraction = member.contraction.to_map();
            let function = match ends {
                Ends::Plain => Ok(contraction),
                Ends::Tagged => constant(&contraction.space().domain(), tuple)
                    .and_then(|name| contraction.range_product(&name)),
            };
            return Some((group, function));
        }
        let (statement, tag) = tuple.as_nested()?;
        let (group, member) = self.of_statement(statement)?;
        Some((group, tagged(&member.contraction.to_map(), statement, tag)))
    }
}

/// What the ends of a relation may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Instances.
    Plain,
    /// Instances or tagged instances: they keep their statement.
    Tagged,
}

/// `[S[i] -> R[]] -> [G[i] -> [S[] -> R[]]]` for a contraction `S[i] -> G[i]`.
fn tagged(contraction: &Map, statement: &Tuple, tag: &Tuple) -> Result<Map> {
    let tag = Space::set(&[], tag.clone());
    let name = constant(&tag, statement)?;
    contraction.product(&name.range_product(&Map::identity(&tag))?)
}

/// From all points of a space to the name of a statement, `S[]`.
fn constant(from: &Space, statement: &Tuple) -> Result<Map> {
    let name = Tuple::anonymous(0).with_name(statement.name().cloned());
    let name = Space::set(from.param_names(), name);
    Map::from_domain_and_range(&Set::universe(from.clone()), &Set::universe(name))
}
