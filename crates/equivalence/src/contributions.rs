//! A value that is a sum, as the multiset of what it adds up.
//!
//! # Method
//! By an operator whose operands may be grouped and ordered in any way, a value is the combination of
//! contributions: operands of nested operations, and, through reads, what other variables have added up
//! ([`crate::past_updates`]). So a partial sum in a variable of its own is no value by itself: what it holds
//! is part of the sum that it is added to. Neutral elements contribute nothing.
//!
//! Contributions are counted. A place is told by an index, which has as many points for an instance of the
//! sum as the place contributes values; the value is that of an instance, which is a function of the index.
//! Most steps back from an instance lead to instances that it has for itself, so that these are the index.
//! Where several lead to the same one (a number that is added many times), the index stays what it is, or has
//! both.
use crate::accumulation::is_neutral;
use crate::obligation::Point;
use crate::past_updates::PastUpdates;
use crate::program::Program;
use crate::value::{NodeId, NodeKind, Operator, ReadId};
use loopwright_presburger::{Budget, Map, Result};
use rustc_hash::FxHashMap;

/// So many places of one sum are looked at.
const MOST_PLACES: usize = 64;

/// Values of a place that are added up.
#[derive(Clone, Debug)]
pub(crate) struct Contribution {
    /// What is added: a value that is no sum by the operator.
    pub(crate) point: Point,
    /// From instances of the sum to the index of what is added.
    pub(crate) index: Map,
    /// From the index to instances of the point, or elements.
    pub(crate) at: Map,
}

/// What is known about reads of a program, past updates by an operator.
pub(crate) type KnownReads = FxHashMap<(ReadId, Operator), Option<PastUpdates>>;

/// Takes values of one program apart.
pub(crate) struct Contributions<'a> {
    pub(crate) program: &'a Program,
    pub(crate) operator: &'a Operator,
    pub(crate) known: &'a mut KnownReads,
    pub(crate) budget: &'a Budget,
}

/// The way from a sum to a place inside of it.
#[derive(Clone)]
struct Way {
    index: Map,
    at: Map,
    /// The definitions on it.
    definitions: Vec<usize>,
}

impl Contributions<'_> {
    /// What is added up at a point, for some of its instances; none if that is not known, or has too many
    /// parts.
    ///
    /// *Cost.* A dataflow analysis for each read on the way, which is kept for further questions.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn of(&mut self, point: Point, instances: Map) -> Result<Option<Vec<Contribution>>> {
        let at = Map::identity(&instances.space().range());
        let way = Way { index: instances, at, definitions: Vec::new() };
        let mut found = Vec::new();
        let is_known = match point {
            Point::Node(node) => self.add(node, &way, &mut found)?,
            Point::Before(_) => push(point, &way, &mut found),
            Point::Undefined => false,
        };
        Ok(is_known.then_some(found))
    }

    /// Adds what a value is made of; whether that is known.
    fn add(&mut self, node: NodeId, way: &Way, found: &mut Vec<Contribution>) -> Result<bool> {
        let program = self.program;
        match program.kind(node) {
            NodeKind::Operation(own, operands) if own == self.operator => {
                for operand in operands {
                    if !self.add(*operand, way, found)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            NodeKind::Choice { condition, then, otherwise } => {
                let rest = program.domain(node).subtract(condition, self.budget)?;
                for (instances, value) in [(condition, then), (&rest, otherwise)] {
                    let at = way.at.intersect_range_within(instances, self.budget)?;
                    let index = way.index.intersect_range_within(&at.domain(), self.budget)?;
                    let way = Way { index, at, definitions: way.definitions.clone() };
                    if !way.index.is_empty(self.budget)? && !self.add(*value, &way, found)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            NodeKind::Read(read) => self.add_read(node, *read, way, found),
            _ if is_neutral(program, self.operator, node) => Ok(true),
            _ => Ok(push(Point::Node(node), way, found)),
        }
    }

    /// Adds what an element holds.
    fn add_read(
        &mut self,
        node: NodeId,
        read: ReadId,
        way: &Way,
        found: &mut Vec<Contribution>,
    ) -> Result<bool> {
        let program = self.program;
        let Some(past) = self.past_updates(read)? else { return Ok(false) };
        if let Some(instances) = &past.sources.undefined
            && !way.at.intersect_range_within(instances, self.budget)?.is_empty(self.budget)?
        {
            return Ok(false);
        }
        let mut further = Vec::new();
        for (definition, step) in past.definitions() {
            let next = self.further(way, step)?;
            if next.index.is_empty(self.budget)? {
                continue;
            }
            if way.definitions.contains(definition) {
                // A recurrence that is no sum of one element: the value is what it is.
                return Ok(push(Point::Node(node), way, found));
            }
            further.push((*definition, next));
        }
        if let Some(step) = &past.sources.before {
            let next = self.further(way, step)?;
            if !next.index.is_empty(self.budget)? {
                let of = Point::Before(program.reads[read.0].array);
                if !push(of, &next, found) {
                    return Ok(false);
                }
            }
        }
        let is_update = |definition| past.updates.iter().any(|own| own.0 == definition);
        for (definition, mut next) in further {
            next.definitions.push(definition);
            let values = match program.accumulation(definition) {
                Some(own) if is_update(definition) => own.added.clone(),
                _ => vec![program.definitions[definition].value],
            };
            for value in values {
                if !self.add(value, &next, found)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn past_updates(&mut self, read: ReadId) -> Result<Option<PastUpdates>> {
        let key = (read, self.operator.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let found = PastUpdates::of(self.program, read, self.operator, self.budget)?;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    /// A way with one more step.
    fn further(&self, way: &Way, step: &Map) -> Result<Way> {
        let definitions = way.definitions.clone();
        let at = way.at.apply_range_within(step, self.budget)?;
        let index = way.index.intersect_range_within(&at.domain(), self.budget)?;
        if at.is_injective(self.budget)? {
            // Each index has its values for itself, so these are an index as well.
            let index = index.apply_range_within(&at, self.budget)?;
            let at = Map::identity(&index.space().range());
            return Ok(Way { index, at, definitions });
        }
        if at.is_single_valued(self.budget)? {
            return Ok(Way { index, at, definitions });
        }
        let index = index.apply_range_within(&at.domain_map().reverse(), self.budget)?;
        Ok(Way { index, at: at.range_map(), definitions })
    }
}

fn push(point: Point, way: &Way, found: &mut Vec<Contribution>) -> bool {
    found.push(Contribution { point, index: way.index.clone(), at: way.at.clone() });
    found.len() <= MOST_PLACES
}
