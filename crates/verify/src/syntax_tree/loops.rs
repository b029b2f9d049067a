//! Loops as they run: the calls of a syntax tree, with the instances that they execute and their times.
//!
//! From the loops and conditions around it every call gets the set of iterator values for which it
//! is reached and, from its arguments, a relation from iterator values to instances.
use crate::syntax_tree::expression::{ProgramPoint, unsupported};
use crate::syntax_tree::matched_iterators::with_matched_iterators;
use crate::syntax_tree::plain_times::PlainTimes;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Budget, DimKind, Int, Map, Name, Result, Set, Space, Tuple, UnionMap};
use loopwright_schedule::LocalMark;

/// What a syntax tree runs, as a relation from iterators to instances and times for each call. Several
/// checks of one tree share it.
pub struct Loops {
    pub(crate) calls: Vec<Call>,
    pub(crate) structure: Structure,
}

impl Loops {
    /// The loops `ast`, for parameters in `context`, with the times that `schedule` gives instances.
    ///
    /// *Cost.* Some emptiness checks per loop, condition and call.
    ///
    /// # Errors
    /// If the tree has calls or expressions that no generated tree has, or the budget runs out.
    pub fn read(
        ast: &AstNode,
        schedule: &UnionMap,
        context: &Set,
        budget: &Budget,
    ) -> Result<Loops> {
        let mut reader =
            LoopReader { schedule, calls: Vec::new(), open: Vec::new(), n_blocks: 0, budget };
        let structure = reader.node(ast, &ProgramPoint::outermost(context))?;
        Ok(Loops { calls: reader.calls, structure })
    }
}

/// A call of a statement.
pub(crate) struct Call {
    /// The number of loops around it.
    pub(crate) depth: usize,
    /// From iterator values to what is executed, whether it is an instance or not.
    pub(crate) called: Map,
    /// From iterator values to the instance, for those that have a time.
    pub(crate) instances: Map,
    /// From iterator values to the time.
    pub(crate) time: Map,
    /// From instances to the time, as the schedule says.
    pub(crate) schedule: Map,
    /// The blocks with arrays of their own around, from the outside in.
    pub(crate) blocks: Vec<LocalBlock>,
}

/// A block that declares an array: each time it is reached there is a new one.
#[derive(Clone, Debug)]
pub(crate) struct LocalBlock {
    /// The name of the array's tuple.
    pub(crate) array: Name,
    /// Different for all blocks of a tree.
    pub(crate) number: usize,
    /// The number of loops around the block.
    pub(crate) depth: usize,
}

impl Call {
    /// The name of the called statement.
    pub(crate) fn statement(&self) -> Option<&Name> {
        self.called.space().output().and_then(Tuple::name)
    }

    /// From instances to values of the iterators for which the call is likely to run them: those that the
    /// schedule gives. None if it is not known which of its components iterators are. That is a guess,
    /// whoever takes it has to look whether the call does run them for these values.
    pub(crate) fn iterators_by_schedule(&self) -> Result<Option<Map>> {
        let n_levels = self.time.n(DimKind::Out);
        let levels = match self.plain_levels() {
            Some(levels) => levels,
            // Bounds of blocks and threads do not always show it: then there may be one loop for each
            // component with several values.
            None => {
                let is_fixed = |level: &usize| {
                    self.schedule.plain_get_val_if_fixed(DimKind::Out, *level).is_some()
                };
                (0..n_levels).filter(|level| !is_fixed(level)).collect()
            }
        };
        if levels.len() != self.depth {
            return Ok(None);
        }
        let mut of_iterators = self.schedule.clone();
        for level in (0..n_levels).rev().filter(|level| !levels.contains(level)) {
            of_iterators = of_iterators.project_out(DimKind::Out, level, 1);
        }
        let space = of_iterators.space();
        let iterators = self.instances.space().input().cloned();
        let tuples = space.with_tuples(space.input().cloned(), iterators);
        of_iterators.with_space_tuples(&tuples).map(Some)
    }

    /// The components of the times that the iterators plainly are, from the outside in.
    fn plain_levels(&self) -> Option<Vec<usize>> {
        let n_levels = self.time.n(DimKind::Out);
        let mut levels: Vec<usize> = Vec::new();
        for n in 0..self.depth {
            let is_iterator = |level: &usize| {
                let times = PlainTimes::of(std::iter::once(&self.time), n + 1, *level);
                times.is_some_and(|times| times.are_iterator())
            };
            let first = levels.last().map_or(0, |last| last + 1);
            levels.push((first..n_levels).find(is_iterator)?);
        }
        Some(levels)
    }
}

/// The tree reduced to what order depends on; numbers are positions in the list of calls.
pub(crate) enum Structure {
    Call(usize),
    Block(Vec<Structure>),
    Loop { depth: usize, body: Box<Structure> },
}

impl Structure {
    pub(crate) fn calls(&self) -> Vec<usize> {
        match self {
            Structure::Call(call) => vec![*call],
            Structure::Block(children) => children.iter().flat_map(Structure::calls).collect(),
            Structure::Loop { body, .. } => body.calls(),
        }
    }

    /// The number of loops around this node (given by any loop or call in it).
    pub(crate) fn own_depth(&self, calls: &[Call]) -> usize {
        match self {
            Structure::Call(call) => calls[*call].depth,
            Structure::Loop { depth, .. } => *depth,
            Structure::Block(children) => {
                children.iter().map(|child| child.own_depth(calls)).min().unwrap_or(usize::MAX)
            }
        }
    }
}

struct LoopReader<'a> {
    schedule: &'a UnionMap,
    calls: Vec<Call>,
    /// The blocks around.
    open: Vec<LocalBlock>,
    /// The number of blocks so far.
    n_blocks: usize,
    budget: &'a Budget,
}

impl LoopReader<'_> {
    fn node(&mut self, node: &AstNode, place: &ProgramPoint) -> Result<Structure> {
        match node {
            AstNode::For(for_loop) => {
                let place = inside(for_loop, place, self.budget)?;
                let body = self.node(&for_loop.body, &place)?;
                Ok(Structure::Loop { depth: place.iterators.len() - 1, body: Box::new(body) })
            }
            AstNode::If { condition, then, otherwise } => {
                let holds = place.condition(condition, self.budget)?;
                let mut parts = vec![self.node(then, &place.restricted(&holds, self.budget)?)?];
                if let Some(otherwise) = otherwise {
                    let domain = place.domain.subtract(&holds, self.budget)?;
                    let place = ProgramPoint { domain, iterators: place.iterators.clone() };
                    parts.push(self.node(otherwise, &place)?);
                }
                Ok(Structure::Block(parts))
            }
            AstNode::Block(children) => {
                let read_child = |child| self.node(child, place);
                Ok(Structure::Block(children.iter().map(read_child).collect::<Result<_>>()?))
            }
            AstNode::Mark { name, child, .. } => {
                let Some(LocalMark { array, .. }) = LocalMark::parse(name) else {
                    return self.node(child, place);
                };
                self.open.push(LocalBlock {
                    array,
                    number: self.n_blocks,
                    depth: place.iterators.len(),
                });
                self.n_blocks += 1;
                let result = self.node(child, place);
                self.open.pop();
                result
            }
            AstNode::User { statement, arguments, .. } => {
                let mut call = call(place, statement, arguments, self.schedule, self.budget)?;
                call.blocks.clone_from(&self.open);
                self.calls.push(call);
                Ok(Structure::Call(self.calls.len() - 1))
            }
        }
    }
}

/// The place inside a loop.
pub(crate) fn inside(
    for_loop: &ForLoop,
    place: &ProgramPoint,
    budget: &Budget,
) -> Result<ProgramPoint> {
    let free = place.inside_loop(&for_loop.iterator);
    let iterator = AstExpr::Id(for_loop.iterator.clone());
    let is = |relation: fn(Box<AstExpr>, Box<AstExpr>) -> AstExpr| {
        relation(Box::new(iterator.clone()), Box::new(for_loop.init.clone()))
    };
    if for_loop.degenerate {
        return free.restricted(&free.condition(&is(AstExpr::Eq), budget)?, budget);
    }
    if !bounds_iterator(&for_loop.condition, &for_loop.iterator) {
        return Err(unsupported("a loop whose condition is not an upper bound on its iterator"));
    }
    let started = free.restricted(&free.condition(&is(AstExpr::Ge), budget)?, budget)?;
    let running = started.restricted(&started.condition(&for_loop.condition, budget)?, budget)?;
    if for_loop.increment == Int::from(1) {
        return Ok(running);
    }
    let distance = running.innermost().sub(&running.value(&for_loop.init, budget)?)?;
    running.restricted(&distance.modulo(&for_loop.increment).zero_set(), budget)
}

/// Whether a condition, once false, stays false for greater values of the iterator.
fn bounds_iterator(condition: &AstExpr, iterator: &Name) -> bool {
    match condition {
        _ if !condition.mentions(iterator) => true,
        AstExpr::And(list) => list.iter().all(|c| bounds_iterator(c, iterator)),
        AstExpr::Le(a, b) | AstExpr::Lt(a, b) => is_up_side(a, iterator) && !b.mentions(iterator),
        AstExpr::Ge(a, b) | AstExpr::Gt(a, b) => !a.mentions(iterator) && is_up_side(b, iterator),
        _ => false,
    }
}

/// Whether an expression is the iterator times a positive constant plus something without it.
fn is_up_side(expression: &AstExpr, iterator: &Name) -> bool {
    match expression {
        AstExpr::Id(_) => true,
        AstExpr::Add(a, b) => is_up_side(a, iterator) && is_up_side(b, iterator),
        AstExpr::Sub(a, b) => is_up_side(a, iterator) && !b.mentions(iterator),
        AstExpr::Mul(a, b) => match (&**a, &**b) {
            (AstExpr::Int(factor), e) | (e, AstExpr::Int(factor)) => {
                factor.is_positive() && is_up_side(e, iterator)
            }
            _ => !expression.mentions(iterator),
        },
        _ => !expression.mentions(iterator),
    }
}

fn call(
    place: &ProgramPoint,
    statement: &Space,
    arguments: &[AstExpr],
    schedule: &UnionMap,
    budget: &Budget,
) -> Result<Call> {
    let tuple = statement.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let called = called(place, &tuple, arguments, budget)?;
    let with_tuple = |map: Map| in_tuple(map, &tuple);
    let instances = in_tuple(called.clone(), &Tuple::anonymous(arguments.len()))?;
    let has_statement = |map: &&Map| map.space().input() == called.space().output();
    let Some(schedule) = schedule.maps().iter().find(has_statement).cloned() else {
        return Err(unsupported("a call of a statement without schedule"));
    };
    let n_coordinates = arguments.len();
    let n_levels = schedule.n(DimKind::Out);
    let times = called.apply_range_within(&schedule, budget)?;
    let both = instances.flat_range_product_within(&times, budget)?;
    let both = with_matched_iterators(&both, n_coordinates, budget)?.remove_redundancies(budget)?;
    let instances = with_tuple(both.project_out(DimKind::Out, n_coordinates, n_levels))?;
    let time = both.project_out(DimKind::Out, 0, n_coordinates);
    let (depth, blocks) = (place.iterators.len(), Vec::new());
    Ok(Call { depth, called, instances, time, schedule, blocks })
}

/// From iterator values to the instance that a call at a place runs.
pub(crate) fn called(
    place: &ProgramPoint,
    tuple: &Tuple,
    arguments: &[AstExpr],
    budget: &Budget,
) -> Result<Map> {
    if tuple.n_dims() != arguments.len() {
        return Err(unsupported("a call with a wrong number of arguments"));
    }
    let empty_tuple =
        Set::universe(Space::set(place.domain.space().param_names(), Tuple::anonymous(0)));
    let mut instances = Map::from_domain_and_range(&place.domain, &empty_tuple)?;
    for argument in arguments {
        instances = instances
            .flat_range_product_within(&place.value(argument, budget)?.to_map(), budget)?;
    }
    in_tuple(instances, tuple)
}

fn in_tuple(map: Map, tuple: &Tuple) -> Result<Map> {
    let space = map.space().with_tuples(map.space().input().cloned(), Some(tuple.clone()));
    map.with_space_tuples(&space)
}
