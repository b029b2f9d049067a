//! The generator's entry points.
use crate::conditions::assembled;
use crate::descent::{Descent, Reaching};
use crate::emit::Emission;
use crate::guard::{common_guard, under};
use crate::nest::Graft;
use crate::prefix::Prefix;
use crate::scope::Scope;
use crate::separation::with_parallel_marks;
use crate::{AstNode, Options};
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Band, Node, ScheduleTree};
use std::sync::Arc;

/// The code that executes the instances of a schedule tree in its order.
///
/// `context` is what is known about the parameters (a parameter set, or a set without dimensions).
///
/// ```
/// use loopwright_astgen::{Options, generate};
/// use loopwright_presburger::{Budget, Set};
/// use loopwright_schedule::ScheduleTree;
/// let tree = ScheduleTree::parse(
///     r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
///          schedule: "[{ S[i] -> [32*floor(i/32)] }, { S[i] -> [i] }]" } }"#,
/// )?;
/// let context = Set::parse("{ : }")?;
/// let ast = generate(&tree, &context, &Options::STANDARD, &Budget::steps(1_000_000))?;
/// let expected = "\
/// for (int c0 = 0; c0 < n; c0 += 32)
///   for (int c1 = c0; c1 < min(n, c0 + 32); c1 += 1)
///     S(c1);
/// ";
/// assert_eq!(ast.to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// [`Error::Exceeded`] if `budget` is used up; [`Error::Invalid`] if a dimension has no lower
/// bound.
pub fn generate(
    tree: &ScheduleTree,
    context: &Set,
    options: &Options,
    budget: &Budget,
) -> Result<AstNode> {
    let params = all_params(tree, context);
    let known = at_root(context).align_params(&params);
    let mut reaching = Vec::new();
    for set in tree.domain.sets() {
        let set = set.align_params(&params);
        let nothing = Set::universe(Space::set(set.space().param_names(), Tuple::anonymous(0)));
        let executed = Map::from_domain_and_range(&nothing, &set)?;
        reaching.push(Reaching { executed, domain: None, prefix: Some(Prefix::root(set)) });
    }
    let descent = Descent { options, budget, params, domain: &tree.domain };
    let grafts = descent.node(&tree.root, &reaching, &known, 0)?;
    emitted(&descent, grafts, known)
}

/// The code that executes the domain of a flat schedule in lexicographic order of its images.
///
/// `schedule` is a relation from instances to one anonymous tuple; it need not be single-valued.
/// `settings` are isl's options of a flat schedule, `{ [i, j] -> unroll[0] : i < 4 }` and the like
/// with `atomic` and `separate`; other ranges are ignored.
///
/// # Errors
/// As [`generate`]; and if the images are not in one space.
pub fn generate_from_map(
    schedule: &UnionMap,
    context: &Set,
    settings: &UnionMap,
    options: &Options,
    budget: &Budget,
) -> Result<AstNode> {
    let mut params = context.space().to_params();
    for names in [schedule.param_names(), settings.param_names()] {
        params = params.merge_params(&Space::params(&names));
    }
    let known = at_root(context).align_params(&params);
    let depth = schedule.maps().first().map_or(0, |map| map.n(DimKind::Out));
    let mut maps = Vec::new();
    for map in schedule.maps() {
        let map = map.align_params(&params);
        if map.n(DimKind::Out) != depth {
            return Err(Error::Invalid {
                operation: "AST generation",
                reason: "the schedule has images in several spaces".into(),
            });
        }
        if !map.is_empty(budget)? {
            let space = map.space().domain().map_to(known.space());
            let anonymous = Space::map(
                space.param_names(),
                space.input().cloned().unwrap_or_else(|| Tuple::anonymous(0)),
                Tuple::anonymous(depth),
            );
            maps.push(map.with_space_tuples(&anonymous)?);
        }
    }
    let settings = loop_types(settings, &params, depth)?;
    let domain = schedule.domain();
    let descent = Descent { options, budget, params, domain: &domain };
    let grafts = descent.flat(&maps, depth, settings, &known)?;
    emitted(&descent, grafts, known)
}

/// The second pass over the grafts of the root.
fn emitted(descent: &Descent<'_>, grafts: Vec<Graft>, known: Set) -> Result<AstNode> {
    let Descent { options, budget, .. } = descent;
    let (guard, grafts) = common_guard(grafts, known.space(), budget)?;
    let nest = assembled(grafts, &known.intersect(&guard)?, options.allow_else, budget)?;
    let mut nest = under(guard, nest);
    if let Some(first) = descent.first_parallel_level() {
        nest = with_parallel_marks(nest, first);
    }
    let names = iterator_names(&descent.params);
    let scope = Scope { names: Vec::new(), known, substitution: None };
    Emission { options, name: &names }.node(&nest, &scope)
}

/// A context as a set at depth 0.
fn at_root(context: &Set) -> Set {
    match context.space().is_params() {
        true => context.from_params(Tuple::anonymous(0)),
        false => context.clone(),
    }
}

/// For every dimension the parts of the schedule space that have a loop type, projected to the
/// dimensions up to that one.
fn loop_types(
    settings: &UnionMap,
    params: &Space,
    depth: usize,
) -> Result<Vec<Vec<(AstLoopType, Set)>>> {
    let mut result = vec![Vec::new(); depth];
    for map in settings.maps() {
        let name = map.space().output().and_then(|tuple| tuple.name().cloned());
        let kind = match name.as_deref() {
            Some("atomic") => AstLoopType::Atomic,
            Some("separate") => AstLoopType::Separate,
            Some("unroll") => AstLoopType::Unroll,
            _ => continue,
        };
        if map.n(DimKind::In) != depth || map.n(DimKind::Out) != 1 {
            continue;
        }
        let map = map.align_params(params);
        for (level, parts) in result.iter_mut().enumerate() {
            let part = map.fix(DimKind::Out, 0, &Int::from(level)).domain();
            let part = part.project_out(DimKind::Out, level + 1, depth - level - 1);
            if !part.plain_is_empty() {
                parts.push((kind, part));
            }
        }
    }
    Ok(result)
}

/// All parameters of a tree and a context.
fn all_params(tree: &ScheduleTree, context: &Set) -> Space {
    let mut space = context.space().to_params();
    let mut add = |names: &[Name]| space = space.merge_params(&Space::params(names));
    add(&tree.domain.param_names());
    tree.root.for_each(&mut |node| match node {
        Node::Band(Band { schedule, isolate, .. }, _) => {
            add(schedule.params_space().param_names());
            if let Some(set) = isolate {
                add(set.space().param_names());
            }
        }
        Node::Filter(set, _) => add(&set.param_names()),
        Node::Context(set, _) | Node::Guard(set, _) => add(set.space().param_names()),
        Node::Extension(map, _) => add(&map.param_names()),
        Node::Expansion { expansion, .. } => add(&expansion.param_names()),
        _ => {}
    });
    space
}

/// `c0`, `c1`, ... by level; with another prefix if a parameter has such a name.
fn iterator_names(params: &Space) -> impl Fn(usize) -> Name + use<> {
    let taken = |prefix: &str| {
        params.param_names().iter().any(|name| {
            name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    let mut prefix = String::from("c");
    while taken(&prefix) {
        prefix.push('_');
    }
    move |level| Arc::from(format!("{prefix}{level}"))
}
