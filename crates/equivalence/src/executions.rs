//! What instances write in executions on symbols: samples from which relations of instances are guessed.
//!
//! Small symbolic constants show how recurrences begin. Loops over tiles and loops that are unrolled only run
//! for larger ones, so some choices are as large as a limit on the number of instances allows: of all
//! constants at once, and of each alone.
use crate::histories::{
    Element, Run, STEPS_OF_A_RUN, Term, TermId, Terms, Written, WrittenValue, small_parameters,
};
use crate::laws::Laws;
use crate::program::Program;
use loopwright_presburger::{Budget, DimKind, Int, Set};
use loopwright_scop::ArrayId;
use rustc_hash::FxHashMap;

/// An instance that has run, with what it has written. Elements are those of the first program where arrays
/// correspond; other arrays of the second one have numbers behind those of the first.
pub(crate) struct Executed {
    pub(crate) statement: usize,
    pub(crate) instance: Vec<i64>,
    pub(crate) written: Written,
}

/// The instances of both programs in their order, for one choice of the symbolic constants.
pub(crate) struct Execution {
    pub(crate) parameters: Vec<i64>,
    pub(crate) instances: [Vec<Executed>; 2],
    /// The written values that are what an element held before.
    held_before: FxHashMap<TermId, Element>,
}

impl Execution {
    fn new(parameters: &[i64], instances: [Vec<Executed>; 2], terms: &Terms) -> Self {
        let written = instances.iter().flatten().flat_map(|own| &own.written);
        let held = |own: &WrittenValue| match terms.term(own.value) {
            Term::Before(array, subscripts) => {
                Some((own.value, (ArrayId(array.parse().ok()?), subscripts.clone())))
            }
            _ => None,
        };
        let held_before = written.filter_map(held).collect();
        Execution { parameters: parameters.to_vec(), instances, held_before }
    }

    /// The element that held a value before, if that is all it is.
    pub(crate) fn held_before(&self, value: TermId) -> Option<Element> {
        self.held_before.get(&value).cloned()
    }

    /// The number of instances of both programs.
    pub(crate) fn size(&self) -> usize {
        self.instances.iter().map(Vec::len).sum()
    }
}

/// The values of each symbolic constant that are tried first, and how many choices of them.
const SMALL: i64 = 5;
const N_SMALL: usize = 24;

/// Values of symbolic constants that show several tiles and unrolled loops, the first for which there are not
/// too many instances. 40 is more than a tile of 32 and than four vectors of eight; some texts keep the
/// region as it was for sizes below 44.
const LARGE: [i64; 4] = [48, 40, 20, 12];

/// Other constants while one alone is large.
const OTHERS: i64 = 3;

/// One execution takes at most this part of the budget: there are about 30, and the proofs need the rest.
const PARTS: u64 = 60;

/// For which symbolic constants programs are executed.
#[derive(Clone, Copy)]
pub(crate) enum Sizes {
    /// Those that show how recurrences begin.
    Small,
    /// Those that show tiles and unrolled loops.
    Large,
}

/// Executes both programs; `arrays` are those that correspond. Executions that end at a limit are left out.
pub(crate) fn executions(
    (programs, arrays): ([&Program; 2], &[(ArrayId, ArrayId)]),
    laws: &Laws,
    sizes: Sizes,
    budget: &Budget,
) -> Vec<Execution> {
    let context = &programs[0].context;
    let execute = |parameters: &Vec<i64>| executed((programs, arrays), laws, parameters, budget);
    let n = context.n(DimKind::Param);
    let holds = |parameters: &Vec<i64>| is_in(context, parameters);
    if let Sizes::Small = sizes {
        let medium: Vec<i64> = (0..n as i64).map(|at| 6 + at % 2).collect();
        let mut choices = small_parameters(context, SMALL, N_SMALL);
        choices.extend(Some(medium).filter(holds));
        return choices.iter().filter_map(execute).collect();
    }
    let large = |value: i64, alone: Option<usize>| -> Vec<i64> {
        let of = |at: usize| match alone {
            Some(one) if one != at => OTHERS + at as i64 % 2,
            _ => value + at as i64 % 2,
        };
        (0..n).map(of).collect()
    };
    let alone = (0..n).filter(|_| n > 1).map(Some);
    let executions = [None].into_iter().chain(alone).filter_map(|which| {
        let mut choices = LARGE.iter().map(|value| large(*value, which)).filter(holds);
        choices.find_map(|own| execute(&own))
    });
    executions.collect()
}

/// Bounds of symbolic constants among which instances are looked for, and of the others while one alone is
/// large.
const BOUNDS: [i64; 9] = [4, 8, 16, 24, 32, 48, 64, 96, 128];
const SMALL_OTHERS: i64 = 8;

/// Executions that are tried for some instances: most that fail are too large.
const TRIES: usize = 6;

/// One more execution, which has one of these instances, if there is one that is small enough.
pub(crate) fn execution_of(
    instances: &Set,
    (programs, arrays): ([&Program; 2], &[(ArrayId, ArrayId)]),
    laws: &Laws,
    known: &[Vec<i64>],
    budget: &Budget,
) -> Option<Execution> {
    let is_new = |own: &Vec<i64>| !known.contains(own);
    let choices = constants_of(instances, budget);
    let mut executions = choices.iter().filter(|own| is_new(own)).take(TRIES);
    executions.find_map(|own| executed((programs, arrays), laws, own, budget))
}

/// Symbolic constants for which there is one of these instances: small ones first, and those of which only
/// one is large before others.
fn constants_of(instances: &Set, budget: &Budget) -> Vec<Vec<i64>> {
    let n = instances.n(DimKind::Param);
    let mut found: Vec<Vec<i64>> = Vec::new();
    for most in BOUNDS {
        for alone in (0..n).filter(|_| n > 1).map(Some).chain([None]) {
            let mut bounded = instances.clone();
            for at in 0..n {
                let is_small = alone.is_some_and(|one| one != at);
                let bound = Int::from(if is_small { most.min(SMALL_OTHERS) } else { most });
                bounded = bounded.upper_bound(DimKind::Param, at, &bound);
                bounded = bounded.lower_bound(DimKind::Param, at, &-bound);
            }
            let part = budget.part(STEPS_OF_A_SAMPLE);
            let point = bounded.sample_point(&part).ok().flatten();
            budget.charge(&part);
            let constants = point.and_then(|point| point.iter().take(n).map(Int::to_i64).collect());
            found.extend(constants.filter(|own| !found.contains(own)));
        }
    }
    found
}

/// Steps for one search for an instance.
const STEPS_OF_A_SAMPLE: u64 = 1_000_000;

fn is_in(context: &Set, parameters: &[i64]) -> bool {
    let point: Vec<Int> = parameters.iter().map(|value| Int::from(*value)).collect();
    context.contains_point(&point, &Budget::steps(STEPS_OF_A_RUN)).unwrap_or(false)
}

fn executed(
    (programs, arrays): ([&Program; 2], &[(ArrayId, ArrayId)]),
    laws: &Laws,
    parameters: &[i64],
    budget: &Budget,
) -> Option<Execution> {
    let part = budget.part(STEPS_OF_A_RUN.min(budget.remaining() / PARTS));
    let mut terms = Terms::default();
    let n_first = programs[0].arrays.len() as u32;
    let of_first = |array: ArrayId| {
        let pair = arrays.iter().find(|pair| pair.1 == array);
        pair.map_or(ArrayId(n_first + array.0), |pair| pair.0)
    };
    let first = instances(programs[0], &|array| array, (parameters, laws), &mut terms, &part);
    let both = first.and_then(|first| {
        Some([first, instances(programs[1], &of_first, (parameters, laws), &mut terms, &part)?])
    });
    budget.charge(&part);
    Some(Execution::new(parameters, both?, &terms))
}

/// The instances of one program, with the numbers of arrays that `number` says.
fn instances(
    program: &Program,
    number: &dyn Fn(ArrayId) -> ArrayId,
    (parameters, laws): (&[i64], &Laws),
    terms: &mut Terms,
    budget: &Budget,
) -> Option<Vec<Executed>> {
    let name = |(array, subscripts): &Element| {
        Term::Before(number(*array).0.to_string(), subscripts.clone())
    };
    let run = Run::new(program, parameters, laws, budget).ok()?;
    let mut instances = Vec::new();
    let mut note = |statement: usize, instance: &[i64], written: &Written| {
        let mut written = written.clone();
        for own in &mut written {
            own.element.0 = number(own.element.0);
        }
        instances.push(Executed { statement, instance: instance.to_vec(), written });
    };
    run.execute(terms, &name, &mut note).ok()?;
    Some(instances)
}
