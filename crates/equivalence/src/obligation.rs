//! What has to be shown: pairs of points of two programs, with the pairs of instances whose values have to be
//! equal.
use crate::program::Program;
use crate::value::{NodeId, NodeKind};
use loopwright_presburger::{Budget, Map, Result};
use loopwright_scop::ArrayId;

/// A place where values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Point {
    /// The value of a node, for each instance of its statement.
    Node(NodeId),
    /// What the elements of an array held before the region.
    Before(ArrayId),
    /// A variable without a value.
    Undefined,
}

/// A point of the first program and one of the second.
pub(crate) type Pair = (Point, Point);

/// That the values at two points are equal for all pairs of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) points: Pair,
    pub(crate) relation: Map,
    pub(crate) origin: Option<Origin>,
    /// The part of the relation that was asked for, if it has been widened.
    pub(crate) asked: Option<Map>,
    /// Whether the relation is one that executions suggest.
    pub(crate) is_suggested: bool,
    /// How what it is made of has been matched, so that it may be wrong where it is right.
    pub(crate) matched: Option<Matching>,
}

/// A choice that a proof has made of parts of two values that have to be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matching {
    /// Operands of nested operations: others may be partners.
    Operands,
    /// All that is added up, through variables.
    Contributions,
}

/// The obligation that asks for another one, and how instances of that lead to instances of this one.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) parent: usize,
    pub(crate) steps: [Option<Map>; 2],
}

/// One way on from a point: to another point, by a relation from instances to instances or elements.
pub(crate) struct Way {
    pub(crate) to: Point,
    /// The step, or the part of the instances without a step.
    pub(crate) step: Step,
}

pub(crate) enum Step {
    By(Map),
    On(loopwright_presburger::Set),
    Stay,
}

/// The ways on from a point that is a read or a choice between instances; none for others.
pub(crate) fn ways(program: &Program, point: Point, budget: &Budget) -> Result<Option<Vec<Way>>> {
    let Point::Node(node) = point else { return Ok(None) };
    match program.kind(node) {
        NodeKind::Read(read) => {
            let sources = program.sources_of(*read);
            let written = sources.definitions.iter().map(|(definition, map)| Way {
                to: Point::Node(program.definitions[*definition].value),
                step: Step::By(map.clone()),
            });
            let mut found: Vec<Way> = written.collect();
            if let Some(map) = &sources.before {
                let to = Point::Before(program.reads[read.0].array);
                found.push(Way { to, step: Step::By(map.clone()) });
            }
            if let Some(instances) = &sources.undefined {
                found.push(Way { to: Point::Undefined, step: Step::On(instances.clone()) });
            }
            Ok(Some(found))
        }
        NodeKind::Choice { condition, then, otherwise } => {
            let rest = program.domain(node).subtract(condition, budget)?;
            Ok(Some(vec![
                Way { to: Point::Node(*then), step: Step::On(condition.clone()) },
                Way { to: Point::Node(*otherwise), step: Step::On(rest) },
            ]))
        }
        NodeKind::Integer(_) | NodeKind::Operation(..) => Ok(None),
    }
}

impl Step {
    /// The relation between what the first program's instances lead to and the second's instances.
    pub(crate) fn after_first(&self, relation: &Map, budget: &Budget) -> Result<Map> {
        match self {
            Step::By(map) => map.reverse().apply_range_within(relation, budget),
            Step::On(instances) => relation.intersect_domain_within(instances, budget),
            Step::Stay => Ok(relation.clone()),
        }
    }

    /// The relation between the first program's instances and what the second's lead to.
    pub(crate) fn after_second(&self, relation: &Map, budget: &Budget) -> Result<Map> {
        match self {
            Step::By(map) => relation.apply_range_within(map, budget),
            Step::On(instances) => relation.intersect_range_within(instances, budget),
            Step::Stay => Ok(relation.clone()),
        }
    }

    pub(crate) fn map(self) -> Option<Map> {
        match self {
            Step::By(map) => Some(map),
            Step::On(_) | Step::Stay => None,
        }
    }
}

impl Origin {
    /// The pairs of the parent that lead to pairs of `relation`.
    pub(crate) fn back(&self, parent: &Map, relation: &Map, budget: &Budget) -> Result<Map> {
        let mut back = relation.clone();
        if let Some(step) = &self.steps[0] {
            back = step.apply_range_within(&back, budget)?;
        }
        if let Some(step) = &self.steps[1] {
            back = back.apply_range_within(&step.reverse(), budget)?;
        }
        back.intersect_within(parent, budget)
    }
}
