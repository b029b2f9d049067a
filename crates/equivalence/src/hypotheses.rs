//! Hypotheses for proofs by induction that executions suggest.
//!
//! Where an instance of the second program writes the same history as one of the first, their values are
//! equal in that execution. An affine relation that has all such pairs of two definitions ([`crate::fit`]) is
//! a hypothesis for all instances at once: a proof that assumes it need not find it by widening what it is
//! asked for, and what it is asked for later is compared with a few equations. Whether it holds is proved
//! like any other hypothesis, and one that turns out to be wrong is left out.
use crate::executions::{Executed, Execution};
use crate::fit::{Sample, affine_fit};
use crate::histories::{Element, TermId, WrittenValue};
use crate::obligation::{Pair, Point};
use crate::program::Program;
use loopwright_presburger::{Map, Space, Tuple};
use loopwright_scop::ArrayId;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many samples of a pair are looked at.
const MOST_SAMPLES: usize = 600;

/// Affine relations that executions suggest, by pairs of points; they are computed when they are asked for.
#[derive(Default)]
pub(crate) struct Hypotheses {
    samples: FxHashMap<Pair, Vec<Sample>>,
    fitted: FxHashMap<Pair, Option<Map>>,
}

/// The points of the first program that have a value: instances of one definition by elements.
#[derive(Default)]
struct Holders<'e> {
    all: Vec<&'e [i64]>,
    by_element: FxHashMap<&'e Element, Option<&'e [i64]>>,
}

impl Hypotheses {
    /// Collects the pairs of instances that write the same histories. What one instance shares with several
    /// of one definition says nothing, unless they write the same element.
    pub(crate) fn new(programs: [&Program; 2], executions: &[Execution]) -> Self {
        let mut samples: FxHashMap<Pair, Vec<Sample>> = FxHashMap::default();
        let mut ambiguous: FxHashSet<Pair> = FxHashSet::default();
        let point = |side: usize, definition: usize| {
            Point::Node(programs[side].definitions[definition].value)
        };
        for execution in executions {
            let [first, second] = &execution.instances;
            let holders = holders(first, &|definition| point(0, definition));
            for own in second {
                for WrittenValue { definition, element, value, .. } in &own.written {
                    let to = point(1, *definition);
                    let mut add = |from: Point, at: Vec<i64>| {
                        let sample = [execution.parameters.clone(), own.instance.clone(), at];
                        samples.entry((from, to)).or_default().push(sample);
                    };
                    if let Some((array, subscripts)) = execution.held_before(*value) {
                        add(Point::Before(array), subscripts);
                    }
                    for (from, holders) in holders.get(value).into_iter().flatten() {
                        match holders.of(element) {
                            Some(instance) => add(*from, instance.to_vec()),
                            None => {
                                ambiguous.insert((*from, to));
                            }
                        }
                    }
                }
            }
        }
        samples.retain(|pair, _| !ambiguous.contains(pair));
        Hypotheses { samples, fitted: FxHashMap::default() }
    }

    /// The relation between all values of the two points that are equal, as executions suggest: instances of
    /// the first program or elements, and instances of the second.
    pub(crate) fn of(&mut self, programs: [&Program; 2], pair: Pair) -> Option<&Map> {
        let samples = &self.samples;
        let fitted = self.fitted.entry(pair).or_insert_with(|| {
            let own = samples.get(&pair)?;
            // An odd stride meets all columns of the loops.
            let stride = (own.len() / MOST_SAMPLES) | 1;
            let own: Vec<Sample> = own.iter().step_by(stride).cloned().collect();
            let (from, to) = (space(programs[1], pair.1)?, space(programs[0], pair.0)?);
            Some(affine_fit(&from, &to, &own)?.reverse())
        });
        fitted.as_ref()
    }
}

impl<'e> Holders<'e> {
    fn add(&mut self, element: &'e Element, instance: &'e [i64]) {
        self.all.push(instance);
        self.by_element.entry(element).and_modify(|own| *own = None).or_insert(Some(instance));
    }

    /// The one that goes with an element.
    fn of(&self, element: &Element) -> Option<&'e [i64]> {
        match self.all[..] {
            [one] => Some(one),
            _ => *self.by_element.get(element)?,
        }
    }
}

/// The instances that have written values, by points.
fn holders<'e>(
    instances: &'e [Executed],
    point: &dyn Fn(usize) -> Point,
) -> FxHashMap<TermId, FxHashMap<Point, Holders<'e>>> {
    let mut found: FxHashMap<TermId, FxHashMap<Point, Holders<'e>>> = FxHashMap::default();
    for own in instances {
        for WrittenValue { definition, element, value, .. } in &own.written {
            let of_value = found.entry(*value).or_default();
            of_value.entry(point(*definition)).or_default().add(element, &own.instance);
        }
    }
    found
}

/// The space of a point: instances, or elements of an array.
fn space(program: &Program, point: Point) -> Option<Space> {
    match point {
        Point::Node(node) => Some(program.domain(node).space().clone()),
        Point::Before(ArrayId(array)) => {
            let array = program.arrays.get(array as usize)?;
            let tuple = Tuple::named(&array.tuple_name, array.extents.len());
            Some(Space::set(program.context.space().param_names(), tuple))
        }
        Point::Undefined => None,
    }
}
