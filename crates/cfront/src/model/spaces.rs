//! From symbolic forms to rows over the columns of a space.
use crate::model::conditions::{Condition, Conjunction};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use loopwright_presburger::{
    Aff, BasicMap, BasicSet, Constraint, Int, Local, Map, Row, Set, Space,
};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// The coefficients of a row.
type Coefficients = SmallVec<[i64; 16]>;

/// How symbols map to columns `[1 | parameters | iterators | out | floors]`.
pub(crate) struct Columns<'a> {
    parameters: &'a [u32],
    loops: Cow<'a, [u32]>,
    n_out: usize,
    floors: &'a [(Linear, i64)],
}

impl<'a> Columns<'a> {
    /// The columns of a nest of loops, with `n_out` more dimensions after the iterators.
    pub(crate) fn new(
        parameters: &'a [u32],
        loops: impl Into<Cow<'a, [u32]>>,
        n_out: usize,
        floors: &'a [(Linear, i64)],
    ) -> Self {
        Columns { parameters, loops: loops.into(), n_out, floors }
    }

    fn first_out(&self) -> usize {
        1 + self.parameters.len() + self.loops.len()
    }

    fn first_floor(&self) -> usize {
        self.first_out() + self.n_out
    }

    /// The coefficients of a form; `used` lists the floors that have columns.
    fn coefficients(&self, linear: &Linear, used: &[u32]) -> Coefficients {
        let mut row: Coefficients = smallvec![0; self.first_floor() + used.len()];
        row[0] = linear.constant;
        let position = |list: &[u32], index: u32| {
            list.iter()
                .position(|x| *x == index)
                .expect("every symbol of a form was collected for its statement")
        };
        for &(symbol, coefficient) in &linear.terms {
            let column = match symbol {
                Symbol::Parameter(p) => 1 + position(self.parameters, p),
                Symbol::Iterator(i) => 1 + self.parameters.len() + position(&self.loops, i),
                Symbol::Floor(f) => self.first_floor() + position(used, f),
                // Statements with products that were not split have been refused.
                Symbol::Product(_) => continue,
            };
            row[column] = coefficient;
        }
        row
    }

    /// The floors that forms use, inner ones first.
    fn floors_of<'l>(&self, linears: impl Iterator<Item = &'l Linear>) -> Vec<u32> {
        let mut used = Vec::new();
        let mut waiting: Vec<u32> = Vec::new();
        let add = |linear: &Linear, waiting: &mut Vec<u32>| {
            waiting.extend(linear.terms.iter().filter_map(|(symbol, _)| match symbol {
                Symbol::Floor(f) => Some(*f),
                _ => None,
            }));
        };
        linears.for_each(|linear| add(linear, &mut waiting));
        while let Some(floor) = waiting.pop() {
            if !used.contains(&floor) {
                used.push(floor);
                add(&self.floors[floor as usize].0, &mut waiting);
            }
        }
        // A floor only uses earlier ones.
        used.sort_unstable();
        used
    }

    fn locals(&self, used: &[u32]) -> Vec<Local> {
        let local = |floor: &u32| {
            let (linear, divisor) = &self.floors[*floor as usize];
            let numerator = Row::from_i64s(&self.coefficients(linear, used));
            Local::Floor { numerator, denominator: Int::from(*divisor) }
        };
        used.iter().map(local).collect()
    }

    /// An expression on a set space (without out dimensions in these columns).
    pub(crate) fn aff(&self, space: &Space, linear: &Linear) -> Aff {
        let used = self.floors_of(std::iter::once(linear));
        let row = Row::from_i64s(&self.coefficients(linear, &used));
        Aff::from_row(space, self.locals(&used), row, Int::from(1))
    }

    /// The points of a conjunction; `extra` rows have coefficients in the out columns.
    fn basic_map(&self, space: &Space, conditions: &[&Condition], extra: &[Extra<'_>]) -> BasicMap {
        let linears = conditions.iter().map(|c| &c.linear).chain(extra.iter().map(|e| e.linear));
        let used = self.floors_of(linears);
        let mut constraints = Vec::with_capacity(conditions.len() + extra.len());
        for condition in conditions {
            let row = Row::from_i64s(&self.coefficients(&condition.linear, &used));
            constraints.push(Constraint { is_equality: condition.is_equality, row });
        }
        for extra in extra {
            let mut row = self.coefficients(extra.linear, &used);
            row[self.first_out() + extra.position] = extra.coefficient;
            let row = Row::from_i64s(&row);
            constraints.push(Constraint { is_equality: extra.is_equality, row });
        }
        BasicMap::from_constraints(space.clone(), self.locals(&used), constraints)
    }

    /// The points of a conjunction as a basic set.
    pub(crate) fn basic_set(&self, space: Space, conjunction: &Conjunction) -> BasicSet {
        let conditions: Vec<&Condition> = conjunction.iter().collect();
        BasicSet::from_basic_map(self.basic_map(&space, &conditions, &[]))
    }

    /// The points of a disjunction.
    pub(crate) fn set(&self, space: &Space, disjunction: &[Conjunction]) -> Set {
        let pieces = disjunction.iter().map(|c| self.basic_set(space.clone(), c)).collect();
        Set::from_basic_sets(space.clone(), pieces)
    }

    /// The relation from instances to the elements with the given subscripts, in the dimensions
    /// after these to all; within the extents, where they are given.
    pub(crate) fn relation(
        &self,
        space: &Space,
        domain: &[Conjunction],
        subscripts: &[Pieces],
        extents: &[Option<&Linear>],
    ) -> Map {
        let zero = Linear::default();
        // x < extent is extent - 1 - x >= 0.
        let last = |e: &Option<&Linear>| e.and_then(|linear| linear.add_constant(-1).ok());
        let last: SmallVec<[Option<Linear>; 4]> = extents.iter().map(last).collect();
        let mut bounds: Vec<Extra<'_>> = Vec::with_capacity(2 * last.len() + subscripts.len());
        for (position, last) in last.iter().enumerate() {
            let Some(linear) = last else { continue };
            bounds.push(Extra { linear: &zero, position, coefficient: 1, is_equality: false });
            bounds.push(Extra { linear, position, coefficient: -1, is_equality: false });
        }
        let mut case = Case { conditions: Vec::new(), extra: bounds };
        let mut basics = Vec::with_capacity(domain.len());
        for conjunction in domain {
            case.conditions.extend(conjunction);
            self.cases(space, &mut case, subscripts, &mut basics);
            case.conditions.clear();
        }
        Map::from_basic_maps(space.clone(), basics)
    }

    /// The same on a domain in normal form, if the subscripts are one affine form each; `domain` is what the
    /// conjunctions say.
    pub(crate) fn graph(
        &self,
        space: &Space,
        domain: &Set,
        subscripts: &[Pieces],
    ) -> Option<BasicMap> {
        let [domain] = &domain.basic_sets()[..] else { return None };
        let width = self.first_out();
        let value = |pieces: &Pieces| {
            let linear = pieces.as_linear()?;
            let is_floor = |(symbol, _): &(Symbol, i64)| matches!(symbol, Symbol::Floor(_));
            if linear.terms.iter().any(is_floor) {
                return None;
            }
            let mut row = self.coefficients(linear, &[]);
            row.truncate(width);
            Some(Row::from_i64s(&row))
        };
        let values = subscripts.iter().map(value).collect::<Option<Vec<Row>>>()?;
        (values.len() == self.n_out).then(|| BasicMap::graph(domain, space.clone(), values))
    }

    /// The relations for all pieces of the subscripts that are not in the case yet, which are the last ones.
    fn cases<'l>(
        &self,
        space: &Space,
        case: &mut Case<'l>,
        subscripts: &'l [Pieces],
        basics: &mut Vec<BasicMap>,
    ) {
        let position = case.n_subscripts();
        let Some(pieces) = subscripts.get(position) else {
            basics.push(self.basic_map(space, &case.conditions, &case.extra));
            return;
        };
        let n_conditions = case.conditions.len();
        for (piece, linear) in &pieces.0 {
            case.conditions.extend(piece);
            case.extra.push(Extra { linear, position, coefficient: -1, is_equality: true });
            self.cases(space, case, subscripts, basics);
            case.extra.pop();
            case.conditions.truncate(n_conditions);
        }
    }
}

/// One piece of a domain and of some subscripts.
struct Case<'l> {
    conditions: Vec<&'l Condition>,
    /// The bounds, then the subscripts.
    extra: Vec<Extra<'l>>,
}

impl Case<'_> {
    fn n_subscripts(&self) -> usize {
        self.extra.iter().rev().take_while(|extra| extra.is_equality).count()
    }
}

/// `linear + coefficient * out[position]` compared with zero.
#[derive(Clone, Copy)]
struct Extra<'l> {
    linear: &'l Linear,
    position: usize,
    coefficient: i64,
    is_equality: bool,
}
