//! The generator's entry points.
use crate::descent::{Descent, Reaching};
use crate::emit::Emission;
use crate::guard::{assembled, common_guard, under};
use crate::scope::Scope;
use crate::{AstNode, Options};
use loopwright_presburger::*;
use loopwright_schedule::{Band, Node, ScheduleTree};
use std::sync::Arc;

/// The code that executes the instances of a schedule tree in its order.
///
/// `context` is what is known about the parameters (a parameter set, or a set without dimensions).
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
    let mut reaching = Vec::new();
    for set in tree.domain.sets() {
        let set = set.align_params(&params);
        let nothing = Set::universe(Space::set(set.space().param_names(), Tuple::anonymous(0)));
        let executed = Map::from_domain_and_range(&nothing, &set)?;
        reaching.push(Reaching { executed, domain: None });
    }
    let known = if context.space().is_params() {
        context.from_params(Tuple::anonymous(0))
    } else {
        context.flatten()
    };
    let known = known.align_params(&params);
    let space = known.space().clone();
    let descent = Descent { options, budget, params, domain: &tree.domain };
    let grafts = descent.node(&tree.root, &reaching, &known, 0)?;
    let (guard, grafts) = common_guard(grafts, &space, budget)?;
    let nest = assembled(grafts, &known.intersect(&guard)?, options.allow_else, budget)?;
    let nest = under(guard, nest);
    let names = iterator_names(&descent.params);
    let scope = Scope { names: Vec::new(), known, substitution: None };
    Emission { options, name: &names }.node(&nest, &scope)
}

/// The code that executes the domain of a flat schedule in lexicographic order of its images.
///
/// `schedule` is a relation from instances to one anonymous tuple; it need not be single-valued.
///
/// # Errors
/// As [`generate`].
pub fn generate_from_map(
    schedule: &UnionMap,
    context: &Set,
    settings: &UnionMap,
    options: &Options,
    budget: &Budget,
) -> Result<AstNode> {
    let _ = (schedule, context, settings, options, budget);
    Err(Error::Invalid { operation: "AST generation", reason: "flat schedules".into() })
}

/// All parameters of a tree and a context.
fn all_params(tree: &ScheduleTree, context: &Set) -> Space {
    let mut space = context.space().to_params();
    let mut add = |names: &[Name]| space = space.merge_params(&Space::params(names));
    add(&tree.domain.param_names());
    tree.root.for_each(&mut |node| match node {
        Node::Band(Band { schedule, isolate, .. }, _) => {
            add(&schedule.domain().param_names());
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
