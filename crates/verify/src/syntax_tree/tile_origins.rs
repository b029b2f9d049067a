//! Loops over tiles of variable sizes run every instance once, in the order of the schedule.
//!
//! # Two programs
//! A syntax tree calls statements with the origins of tiles in front, `S(T, i)`. Taken with loops over *all*
//! integers `T` it is a program of affine loops, whose instances are the `(T, i)` with
//! `T_k <= v_k(i) < T_k + s_k`, `v_k` being the values that are tiled. This is checked as for every syntax
//! tree: each `(T, i)` once, in lexicographic order of the times, in which `T_k` takes the place of `v_k`.
//!
//! The program that is meant has loops over the multiples of the sizes only ([`ForLoop::multiples_of`]). If
//! each of these loops gives its iterator to the coordinate of its size, and each coordinate comes from such
//! a loop, then exactly the calls `(T, i)` in which all `T_k` are multiples of `s_k` are left, in the same
//! order. And for each `i` that is one: a half-open interval of `s_k` integers has one multiple of `s_k`,
//! `s_k * floor(v_k(i) / s_k)`.
use crate::syntax_tree::ast::find_violations;
use crate::syntax_tree::loops::Loops;
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{
    Aff, BasicMap, Budget, Constraint, DimKind, Error, Int, Map, MultiAff, Name, Result, Row, Set,
    Space, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{OriginLoops, ScheduleTree, UnorderedLevel};

/// Checks that `ast`, whose statements have the origins of their tiles as coordinates in front, executes
/// every instance of the domain of `tree` once, in the order of the tree with tiles of variable sizes
/// ([`OriginMark`](loopwright_schedule::OriginMark)), for parameters in `context`.
///
/// *Exactness.* Exact for all sizes and parameters in the context, but that sizes are positive, which the
/// context has to say. *Cost.* As [`check_ast`](crate::check_ast), with a dimension more per loop over tiles.
///
/// # Errors
/// Those of [`ScheduleTree::origin_loops`].
pub fn check_tiles(
    ast: &AstNode,
    tree: &ScheduleTree,
    context: &Set,
    budget: &Budget,
) -> Result<Proof> {
    let loops = tree.origin_loops()?;
    let check = || {
        let statements = statements(tree, &loops, context, budget)?;
        let mut violations = Vec::new();
        multiples(ast, &statements, &mut Vec::new(), &mut violations);
        violations.extend(not_positive(&statements, context, budget)?);
        let params = Space::params(context.space().param_names());
        let schedule = UnionMap::from_maps(&params, statements.iter().map(|s| s.time.clone()));
        let unordered = unordered(tree, &statements)?;
        let read = Loops::read(ast, &schedule, context, budget)?;
        violations.extend(find_violations(&read, &schedule.domain(), &unordered, context, budget)?);
        Ok(violations)
    };
    Proof::from_violations(check())
}

/// A statement with the origins of its tiles in front.
struct InTiles {
    name: Name,
    /// One size per origin.
    sizes: Vec<Name>,
    /// `{ S[T, i] -> S[i] }`.
    instance: MultiAff,
    /// `{ S[T, i] -> [t] }`, the origins in place of the values that are tiled.
    time: Map,
}

fn statements(
    tree: &ScheduleTree,
    loops: &[OriginLoops],
    context: &Set,
    budget: &Budget,
) -> Result<Vec<InTiles>> {
    let schedule = tree.flatten()?;
    let of_map = |time: &Map| in_tiles(time, loops, context, budget);
    schedule.maps().iter().map(of_map).collect()
}

fn in_tiles(time: &Map, loops: &[OriginLoops], context: &Set, budget: &Budget) -> Result<InTiles> {
    let tuple = time.space().input().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let mut origins: Vec<(usize, Name)> = Vec::new();
    for around in loops {
        let own = around.below.pieces.iter().filter(|p| p.domain.space().output() == Some(&tuple));
        let own: Vec<&Set> = own.map(|piece| &piece.domain).collect();
        if own.is_empty() {
            continue;
        }
        let mut missing = time.domain();
        for set in own {
            missing = missing.subtract(set, budget)?;
        }
        if !missing.is_empty(budget)? {
            return Err(invalid("only some instances of a statement are in tiles"));
        }
        origins.extend((around.level..).zip(around.sizes.iter().cloned()));
    }
    origins.sort();
    let (n, n_own) = (origins.len(), tuple.n_dims());
    let params = Space::params(context.space().param_names());
    let own = time.domain().align_params(&params).space().clone();
    let name = tuple.name().cloned().unwrap_or_else(|| "".into());
    let space = own.with_tuples(None, Some(Tuple::named(&name, n + n_own)));
    let coordinates = (n..n + n_own).map(|at| Aff::variable(&space, DimKind::Out, at)).collect();
    let instance = MultiAff::new(space.map_to(&own), coordinates)?;
    let mut lifted = instance.to_map().apply_range(time)?;
    for (coordinate, (level, size)) in origins.iter().enumerate() {
        lifted = with_origin(&lifted, coordinate, *level, size)?;
    }
    let sizes = origins.into_iter().map(|(_, size)| size).collect();
    Ok(InTiles { name, sizes, instance, time: lifted })
}

/// `time` with a coordinate as its component at a level, where that is in the tile which begins at the
/// coordinate.
fn with_origin(time: &Map, coordinate: usize, level: usize, size: &Name) -> Result<Map> {
    let space = time.space();
    let size = space.find_param(size).ok_or_else(|| invalid("a size is no parameter"))?;
    let universe = BasicMap::universe(space.clone());
    let column = |kind, at| universe.offset(kind) + at;
    let (origin, value) = (column(DimKind::In, coordinate), column(DimKind::Out, level));
    let n = column(DimKind::Out, space.n(DimKind::Out));
    let row = |entries: &[(usize, i64)]| {
        let mut row = vec![0; n];
        entries.iter().for_each(|&(at, factor)| row[at] = factor);
        Constraint { is_equality: false, row: Row::from_i64s(&row) }
    };
    let inside = [
        row(&[(value, 1), (origin, -1)]),
        row(&[(0, -1), (origin, 1), (column(DimKind::Param, size), 1), (value, -1)]),
    ];
    let inside = BasicMap::from_constraints(space.clone(), Vec::new(), inside.to_vec());
    let inside = time.intersect(&Map::from_basic_map(inside))?;
    let without = inside.project_out(DimKind::Out, level, 1).insert_dims(DimKind::Out, level, 1);
    Ok(without.equate(DimKind::In, coordinate, DimKind::Out, level))
}

/// One violation for each size that may not be positive.
fn not_positive(statements: &[InTiles], context: &Set, budget: &Budget) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let mut sizes: Vec<&Name> = statements.iter().flat_map(|s| &s.sizes).collect();
    sizes.sort();
    sizes.dedup();
    for size in sizes {
        let position = context.find_param(size).ok_or_else(|| invalid("a size is no parameter"))?;
        let space = context.space();
        let negative = Aff::variable(space, DimKind::Param, position).neg().nonneg_set();
        let message = || format!("the size `{size}` of a tile may not be positive");
        violations.extend(violation_if_any(
            context.intersect(&negative)?.as_map(),
            message,
            budget,
        )?);
    }
    Ok(violations)
}

/// The dimensions at which some instances may come in any order, with origins in front of the instances.
fn unordered(tree: &ScheduleTree, statements: &[InTiles]) -> Result<Vec<UnorderedLevel>> {
    let lifted = |level: UnorderedLevel| {
        let mut instances = Vec::new();
        for set in level.instances.sets() {
            let own = statements
                .iter()
                .find(|s| set.space().output().and_then(Tuple::name) == Some(&s.name));
            if let Some(own) = own {
                let params = Space::params(own.instance.space().param_names());
                instances.push(set.align_params(&params).preimage_multi_aff(&own.instance)?);
            }
        }
        let instances = UnionSet::from_sets(&Space::params(&[]), instances);
        Ok(UnorderedLevel { instances, ..level })
    };
    tree.unordered_levels()?.into_iter().map(lifted).collect()
}

/// Checks that the origins of each call are the iterators of loops over multiples of their sizes, and that
/// there are no other such loops around it.
fn multiples<'a>(
    node: &'a AstNode,
    statements: &[InTiles],
    around: &mut Vec<&'a ForLoop>,
    violations: &mut Vec<Violation>,
) {
    match node {
        AstNode::For(each) => {
            around.push(each);
            multiples(&each.body, statements, around, violations);
            around.pop();
        }
        AstNode::If { then, otherwise, .. } => {
            multiples(then, statements, around, violations);
            otherwise.iter().for_each(|node| multiples(node, statements, around, violations));
        }
        AstNode::Block(children) => {
            children.iter().for_each(|child| multiples(child, statements, around, violations));
        }
        AstNode::Mark { child, .. } => multiples(child, statements, around, violations),
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(Tuple::name);
            let sizes =
                statements.iter().find(|s| Some(&s.name) == name).map_or(&[][..], |s| &s.sizes);
            let mut left: Vec<&ForLoop> =
                around.iter().copied().filter(|each| each.multiples_of.is_some()).collect();
            let is_right = arguments.len() >= sizes.len()
                && sizes.iter().zip(arguments).all(|(size, argument)| {
                    let is_own = |each: &&ForLoop| {
                        *argument == AstExpr::Id(each.iterator.clone())
                            && each.multiples_of.as_ref() == Some(size)
                            && !each.degenerate
                            && each.increment == Int::ONE
                    };
                    let found = left.iter().position(is_own);
                    found.map(|at| left.remove(at)).is_some()
                });
            if !is_right || !left.is_empty() {
                let name = name.map_or("", |name| name);
                let message = format!(
                    "the origins of tiles of {name} are not the iterators of loops over multiples of their sizes"
                );
                violations.push(Violation { message, example: None });
            }
        }
    }
}

fn invalid(reason: &str) -> Error {
    Error::Invalid { operation: "checking tiles of variable sizes", reason: reason.to_string() }
}
