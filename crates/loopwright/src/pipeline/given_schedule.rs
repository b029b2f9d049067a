//! Schedules that the user gives: reading them, checking them, and finding the flags of their bands.
use crate::diagnostics::failure::Failure;
use crate::pipeline::given_nodes::{refused_condition, refused_extension};
use loopwright_interchange::{Format, schedule_for};
use loopwright_presburger::{Budget, Error, MultiUnionPwAff, Result, Set, UnionMap, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scheduler::ScheduleConstraints;
use loopwright_scop::Scop;
use loopwright_verify::with_true_flags;

/// The tree for the text of a schedule of `domain`: a tree in isl's notation, or a map from instances
/// to times, which becomes one band.
///
/// # Errors
/// With a text for the user if the schedule is for other instances, malformed, or gives an instance no
/// time or several.
pub fn read_schedule(
    text: &str,
    domain: &UnionSet,
    context: &Set,
    budget: &Budget,
) -> std::result::Result<ScheduleTree, Failure> {
    let in_stage = |e: Error| Failure::in_stage("reading the given schedule", &e);
    let is_map = text.trim_start().starts_with(['{', '[']) && !text.contains("domain");
    let tree = if is_map {
        let map = UnionMap::parse(text).map_err(in_stage)?;
        from_map(&map, domain, context, budget).map_err(in_stage)??
    } else {
        let tree = ScheduleTree::parse(text).map_err(in_stage)?;
        tree.without_expansions().map_err(in_stage)?
    };
    checked(tree, domain, context, budget)
}

/// The tree for the order of the same statements in a file of another tool.
///
/// # Errors
/// As [`read_schedule`]; if the file is not for these statements.
pub(crate) fn read_schedule_of(
    scop: &Scop,
    format: Format,
    text: &str,
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> std::result::Result<ScheduleTree, Failure> {
    let in_stage = |e: Error| Failure::in_stage("reading the given schedule", &e);
    let tree = schedule_for(scop, format, text, budget).map_err(in_stage)?;
    let tree = tree.intersect_domain(&constraints.domain).map_err(in_stage)?;
    checked(tree, &constraints.domain, &scop.context, budget)
}

/// The tree, if it is well formed and for these instances.
fn checked(
    tree: ScheduleTree,
    domain: &UnionSet,
    context: &Set,
    budget: &Budget,
) -> std::result::Result<ScheduleTree, Failure> {
    let in_stage = |e: Error| Failure::in_stage("reading the given schedule", &e);
    let given = tree.domain.intersect_params(context).map_err(in_stage)?;
    let wanted = domain.intersect_params(context).map_err(in_stage)?;
    if !given.is_equal(&wanted, budget).map_err(in_stage)? {
        return Err(Failure::refused(format!(
            "the given schedule is for other instances: its domain is\n  {given}\ninstead of\n  \
             {wanted}"
        )));
    }
    if let Some(refused) = refused_extension(&tree) {
        return Err(refused);
    }
    let problems = tree.check(budget).map_err(in_stage)?;
    match problems.first() {
        Some(problem) => {
            Err(Failure::refused(format!("the given schedule is malformed: {problem}")))
        }
        None => match refused_condition(&tree, context, budget).map_err(in_stage)? {
            Some(refused) => Err(refused),
            None => Ok(tree),
        },
    }
}

/// One band with the values of a map.
fn from_map(
    map: &UnionMap,
    domain: &UnionSet,
    context: &Set,
    budget: &Budget,
) -> Result<std::result::Result<ScheduleTree, Failure>> {
    let missing = domain.intersect_params(context)?.subtract(&map.domain(), budget)?;
    if !missing.is_empty(budget)? {
        let text = format!("the given schedule has no times for {missing}");
        return Ok(Err(Failure::refused(text)));
    }
    let map = map.intersect_domain(domain)?;
    let dims: Vec<usize> = map.maps().iter().map(|m| m.range().n_dims()).collect();
    if dims.windows(2).any(|pair| pair[0] != pair[1]) {
        let text = "the times of the given schedule do not all have the same number of dimensions";
        return Ok(Err(Failure::refused(text)));
    }
    if !map.is_single_valued(budget)? {
        let text = "the given schedule has several times for one instance";
        return Ok(Err(Failure::refused(text)));
    }
    let times = UnionMap::from_maps(
        map.params_space(),
        map.maps().iter().map(anonymous).collect::<Result<Vec<_>>>()?,
    );
    let schedule = MultiUnionPwAff::from_union_map(&times, budget)?;
    let schedule = schedule.coalesce(budget)?.gist(domain, budget)?;
    let root = match schedule.n_members() {
        0 => Node::Leaf,
        _ => Node::band(Band::new(schedule), Node::Leaf),
    };
    Ok(Ok(ScheduleTree { domain: domain.clone(), root }))
}

/// The map into a tuple without name and structure.
fn anonymous(map: &loopwright_presburger::Map) -> Result<loopwright_presburger::Map> {
    let n_dims = map.range().n_dims();
    let times = loopwright_presburger::Tuple::anonymous(n_dims);
    map.with_space_tuples(&map.space().with_tuples(map.space().input().cloned(), Some(times)))
}

/// The schedule with this text, with the flags of its bands that are true, if it respects the
/// constraints (below their prefix).
///
/// ```
/// use loopwright::checked_schedule;
/// use loopwright_presburger::Budget;
/// use loopwright_scheduler::ScheduleConstraints;
/// let constraints = ScheduleConstraints::parse(
///     "domain: '{ S[i] : 0 <= i < 9 }'
/// validity: '{ S[i] -> S[i + 1] }'",
/// )?;
/// let budget = Budget::unlimited();
/// assert!(checked_schedule("{ S[i] -> [i] }", &constraints, &budget).is_ok());
/// let failure = checked_schedule("{ S[i] -> [-i] }", &constraints, &budget).unwrap_err();
/// assert!(failure.to_string().contains("S[0] -> S[1]"), "{failure}");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of [`read_schedule`]; the first violation.
pub fn checked_schedule(
    text: &str,
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> std::result::Result<ScheduleTree, Failure> {
    let in_stage = |e: Error| Failure::in_stage("checking the given schedule", &e);
    let tree = read_schedule(text, &constraints.domain, &constraints.context, budget)?;
    let constraints = constraints.below_prefix(budget).map_err(in_stage)?;
    with_true_flags(&constraints, &tree, budget).map_err(in_stage)?.map_err(|violation| {
        Failure::refused(format!("the given schedule is not legal: {violation}"))
    })
}

/// The tree with the flags that are true; without flags if that cannot be found out.
pub(crate) fn with_flags_found(
    tree: ScheduleTree,
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> ScheduleTree {
    match with_true_flags(constraints, &tree, budget) {
        Ok(Ok(flagged)) => flagged,
        _ => without_flags(tree),
    }
}

fn without_flags(tree: ScheduleTree) -> ScheduleTree {
    fn clear(node: &mut Node) {
        if let Node::Band(band, _) = node {
            band.permutable = false;
            band.members.iter_mut().for_each(|member| member.coincident = false);
        }
        node.children_mut().iter_mut().for_each(clear);
    }
    let mut tree = tree;
    clear(&mut tree.root);
    tree
}
