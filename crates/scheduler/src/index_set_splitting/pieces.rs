//! The pieces of cut statements as statements of their own, and back.
use crate::ScheduleConstraints;
use crate::index_set_splitting::cuts::{CutStatement, halves, mirrored};
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, Name, PwMultiAff, Result, Set, Space, Tuple, UnionMap,
    UnionPwMultiAff, UnionSet,
};
use loopwright_schedule::{Band, Node, ScheduleTree};

/// Schedule constraints between pieces of statements.
#[derive(Clone, Debug)]
pub struct SplitIndexSets {
    /// The constraints; statements that are not cut are as they were.
    pub constraints: ScheduleConstraints,
    /// From the instances of the statements to those of the pieces. Upper halves are mirrored, so that
    /// the coordinates of both halves count from the ends of the domain to the cut.
    pub pieces: UnionPwMultiAff,
    domain: UnionSet,
    /// The tuples of cut statements and of their pieces.
    cut: Vec<(Tuple, Vec<Tuple>)>,
}

impl SplitIndexSets {
    /// The schedule of the statements whose pieces are scheduled by `tree`, a tree for
    /// [`SplitIndexSets::constraints`].
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_scheduler::{Options, ScheduleConstraints, schedule, split_index_sets};
    /// let constraints = ScheduleConstraints::parse(
    ///     "domain: '[n] -> { S[i] : 0 <= i < n }'
    /// validity: '[n] -> { S[i] -> S[n - 1 - i] : 0 <= i < n - 1 - i }'",
    /// )?;
    /// let budget = Budget::unlimited();
    /// let split = split_index_sets(&constraints, &budget)?.expect("the dependence mirrors");
    /// let halves = schedule(&split.constraints, &Options::tiling(), &budget)?;
    /// let tree = split.join(&halves.tree, &budget)?;
    /// assert!(tree.domain.is_equal(&constraints.domain, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* Linear in the tree, with a composition per cut statement and band.
    ///
    /// # Errors
    /// Those of [`ScheduleTree::pullback`]; [`loopwright_presburger::Error::Exceeded`].
    pub fn join(&self, tree: &ScheduleTree, budget: &Budget) -> Result<ScheduleTree> {
        let root = tree.pullback(&self.pieces)?.root;
        let mut simplify = |node: Node| -> Result<Node> {
            Ok(match node {
                Node::Band(band, child) => {
                    let schedule = band.schedule.coalesce(budget)?;
                    Node::Band(Band { schedule, ..band }, child)
                }
                Node::Filter(filter, child) => Node::Filter(filter.coalesce(budget)?, child),
                other => other,
            })
        };
        let root = root.map_bottom_up(&mut simplify)?;
        Ok(ScheduleTree { domain: self.domain.clone(), root })
    }

    /// The tuples of the statements with several pieces.
    pub fn statements(&self) -> Vec<String> {
        let several = self.cut.iter().filter(|(_, pieces)| pieces.len() > 1);
        let name = |tuple: &Tuple| tuple.name().map_or_else(String::new, |name| name.to_string());
        several.map(|(tuple, _)| name(tuple)).collect()
    }

    /// The tuples of the pieces of a statement; its own if it is not cut.
    pub(super) fn pieces_of(&self, statement: &Tuple) -> Vec<Tuple> {
        let found = self.cut.iter().find(|(tuple, _)| tuple == statement);
        found.map_or_else(|| vec![statement.clone()], |(_, pieces)| pieces.clone())
    }
}

/// The constraints between the pieces of cut statements.
pub(super) fn split(
    constraints: &ScheduleConstraints,
    statements: &[CutStatement],
    budget: &Budget,
) -> Result<SplitIndexSets> {
    let taken: Vec<&Tuple> = statements.iter().filter_map(|s| s.domain.space().output()).collect();
    let (mut parts, mut cut) = (Vec::new(), Vec::new());
    for statement in statements {
        let pieces = pieces(statement, &taken, budget)?;
        if !statement.cuts.is_empty() {
            let tuples = pieces.iter().filter_map(|piece| piece.space().output().cloned());
            let tuple = statement.domain.space().output().cloned();
            cut.extend(tuple.map(|tuple| (tuple, tuples.collect())));
        }
        parts.extend(pieces);
    }
    let pieces = UnionPwMultiAff::from_parts(parts);
    let function = pieces.to_union_map();
    let on_instances =
        function.intersect_domain(&constraints.domain.intersect_params(&constraints.context)?)?;
    let between = |relation: &UnionMap| -> Result<UnionMap> {
        let of_pieces = with_tags(&function, relation)?;
        let instances = with_tags(&on_instances, relation)?.range();
        let of_sources = relation.apply_domain_within(&of_pieces, budget)?;
        let all = of_sources.apply_range_within(&of_pieces, budget)?;
        // With the context, what only holds for one value of a parameter says so by an equality.
        among(&all.intersect_params(&constraints.context)?, &instances, budget)
    };
    let constraints = ScheduleConstraints {
        domain: constraints.domain.apply_within(&function, budget)?,
        context: constraints.context.clone(),
        prefix: None,
        validity: between(&constraints.validity)?,
        proximity: between(&constraints.proximity)?,
        coincidence: between(&constraints.coincidence)?,
        condition: between(&constraints.condition)?,
        conditional_validity: between(&constraints.conditional_validity)?,
    };
    let domain = statements.iter().map(|s| UnionSet::from_set(s.domain.clone()));
    let domain = domain.into_iter().try_fold(UnionSet::empty(), |all, set| all.union(&set))?;
    Ok(SplitIndexSets { constraints, pieces, domain, cut })
}

/// The functions to the pieces of a statement that have instances; to itself if it is not cut.
fn pieces(statement: &CutStatement, taken: &[&Tuple], budget: &Budget) -> Result<Vec<PwMultiAff>> {
    let space = statement.domain.space();
    if statement.cuts.is_empty() {
        return Ok(vec![PwMultiAff::from_multi_aff(MultiAff::identity(space))]);
    }
    let n_dims = space.n(DimKind::Out);
    let mut pieces = Vec::new();
    for number in 0..1usize << statement.cuts.len() {
        let mut domain = Set::universe(space.clone());
        let mut values: Vec<Aff> =
            (0..n_dims).map(|dim| Aff::variable(space, DimKind::Out, dim)).collect();
        for (position, cut) in statement.cuts.iter().enumerate() {
            let is_upper = number >> position & 1 == 1;
            domain = domain.intersect(&halves(space, cut)[usize::from(is_upper)])?;
            if is_upper {
                values[cut.dim] = mirrored(space, cut);
            }
        }
        if statement.domain.intersect(&domain)?.is_empty(budget)? {
            continue;
        }
        let tuple = Tuple::anonymous(n_dims).with_name(Some(fresh_name(space, number, taken)));
        let piece = space.map_to(&Space::set(space.param_names(), tuple));
        pieces.push((domain, MultiAff::new(piece, values)?));
    }
    if let [(domain, _)] = pieces.as_mut_slice() {
        *domain = Set::universe(space.clone());
    }
    let of_piece = |(domain, function): (Set, MultiAff)| {
        PwMultiAff::from_pieces(function.space().clone(), vec![(domain, function)])
    };
    Ok(pieces.into_iter().map(of_piece).collect())
}

/// The name of a piece: that of its statement with a number, different from all statements'.
fn fresh_name(space: &Space, number: usize, taken: &[&Tuple]) -> Name {
    let name = space.output().and_then(Tuple::name).map_or("piece", |name| name);
    let mut fresh = format!("{name}.{number}");
    while taken.iter().any(|tuple| tuple.name().is_some_and(|name| **name == *fresh)) {
        fresh.insert(name.len(), '.');
    }
    fresh.as_str().into()
}

/// The pieces of a relation that have pairs of instances, as they are.
fn among(relation: &UnionMap, instances: &UnionSet, budget: &Budget) -> Result<UnionMap> {
    let mut kept = UnionMap::empty();
    for map in relation.maps() {
        for piece in map.basic_maps() {
            let piece = UnionMap::from_map(Map::from_basic_map(piece.clone()));
            let inside = piece.intersect_domain(instances)?.intersect_range(instances)?;
            if !inside.is_empty(budget)? {
                kept = kept.union(&piece)?;
            }
        }
    }
    Ok(kept)
}

/// The function, also on the instances with tags that a relation mentions.
fn with_tags(function: &UnionMap, relation: &UnionMap) -> Result<UnionMap> {
    let mut all = function.clone();
    let mut seen: Vec<Tuple> = Vec::new();
    let tuples = relation.maps().iter().flat_map(|map| [map.space().input(), map.space().output()]);
    for tuple in tuples.flatten() {
        let Some((instance, tag)) = tuple.as_nested() else { continue };
        if tuple.name().is_some() || seen.contains(tuple) {
            continue;
        }
        seen.push(tuple.clone());
        let instances = Space::set(&[], instance.clone());
        let of_instance =
            function.intersect_domain(&UnionSet::from_set(Set::universe(instances)))?;
        let tags = UnionSet::from_set(Set::universe(Space::set(&[], tag.clone())));
        all = all.union(&of_instance.product(&UnionMap::identity_on(&tags))?)?;
    }
    Ok(all)
}
