//! Multifor statements as plain C (section 3.2 of the paper).
use crate::error::MultiforError;
use crate::multifor::{Level, Multifor};
use crate::text::{Team, Text};
use crate::tree::{Order, TreeOptions, compression, schedule_tree};
use loopwright_astgen::{AstNode, FreshNames, Generator, NoVisitor, Options, Separation, Strategy};
use loopwright_cfront::Code;
use loopwright_presburger::{Budget, DimKind, Error, Int, Name, Result, Set, Value};
use loopwright_schedule::{AstLoopType, ScheduleTree};
use loopwright_verify::{Proof, check_ast};
use std::collections::{BTreeMap, BTreeSet};

/// How the loops over the referential domain are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// As few loops as possible, with conditions inside that select the bodies.
    Guards,
    /// A nest for each part of the domain on which the same bodies are active, without conditions.
    #[default]
    Separated,
}

/// How a multifor statement is to be written.
#[derive(Clone, Debug)]
pub struct CodeOptions {
    /// How loops are cut.
    pub scheme: Scheme,
    /// The order of different loops.
    pub order: Order,
    /// For each nest the depth of the level whose iterations different threads may execute.
    pub parallel: Vec<Option<usize>>,
    /// Whether innermost loops are unrolled so that bodies of different grains need no conditions on
    /// remainders.
    pub steady: bool,
    /// Which threads execute what.
    pub team: Team,
    /// Clauses of the directives that make threads, such as `num_threads(2)`.
    pub clauses: String,
    /// Clauses of the directives that divide loops among them, such as `schedule(static)`.
    pub loop_clauses: String,
    /// Names that are not to be used for anything new.
    pub used_names: BTreeSet<String>,
    /// How symbolic constants are written that are not as wide as `int`, or may be wider.
    pub parameters: BTreeMap<String, String>,
}

impl CodeOptions {
    /// One thread.
    pub fn sequential(scheme: Scheme) -> Self {
        CodeOptions {
            scheme,
            order: Order::Interleaved,
            parallel: Vec::new(),
            steady: false,
            team: Team::One,
            clauses: String::new(),
            loop_clauses: String::new(),
            used_names: BTreeSet::new(),
            parameters: BTreeMap::new(),
        }
    }
}

/// The code of a multifor statement.
#[derive(Debug)]
pub struct Generated {
    /// The schedule.
    pub tree: ScheduleTree,
    /// The loops.
    pub ast: AstNode,
    /// The type of their iterators.
    pub iterator_type: &'static str,
    /// The text: one statement of C, in braces.
    pub text: String,
    /// How the loops are cut, in the end.
    pub scheme: Scheme,
    /// Whether it is proved that the loops execute each instance once, and in the order of the schedule.
    pub proof: Proof,
}

/// The share of a budget for loops without conditions, of which there may be many.
const SEPARATED_SHARE: u64 = 4;

/// The code of a statement. Where the budget does not allow [`Scheme::Separated`] it is that of
/// [`Scheme::Guards`].
///
/// ```
/// use loopwright_cfront::multifor_statements;
/// use loopwright_multifor::{CodeOptions, Multifor, Scheme, generated};
/// use loopwright_presburger::Budget;
/// let text = "multifor (i = 0, j = 10; i < 9, j < 15; i++, j++; 1, 1; 0, 2) { 0: S(i); 1: T(j); }";
/// let found = multifor_statements("f.c".as_ref(), text).unwrap();
/// let budget = Budget::steps(10_000_000);
/// let statement = Multifor::new(&found[0].statement, &budget)?;
/// let code = generated(&statement, &CodeOptions::sequential(Scheme::Separated), &budget)?;
/// let expected = "\
/// {
///   for (int p = 0; p <= 1; p += 1)
///     S(p);
///   for (int p = 2; p <= 6; p += 1) {
///     S(p);
///     T((p + 8));
///   }
///   for (int p = 7; p <= 8; p += 1)
///     S(p);
/// }
/// ";
/// assert_eq!(code.text, expected);
/// # Ok::<(), loopwright_multifor::MultiforError>(())
/// ```
///
/// # Errors
/// Limits; loops that are refuted (a defect of this compiler).
pub fn generated(
    multifor: &Multifor,
    options: &CodeOptions,
    budget: &Budget,
) -> std::result::Result<Generated, MultiforError> {
    let start = multifor.syntax.start;
    let of_sets = |error: Error| MultiforError::of_sets(start, &error);
    let mut scheme = options.scheme;
    let part = budget.part(budget.remaining() / SEPARATED_SHARE);
    let mut made = loops(multifor, options, scheme, &part);
    if scheme == Scheme::Separated && matches!(made, Err(Error::Exceeded { .. })) {
        scheme = Scheme::Guards;
        made = loops(multifor, options, scheme, budget);
    }
    let (tree, ast) = made.map_err(of_sets)?;
    let context = Set::universe(loopwright_presburger::Space::params(&multifor.parameters));
    let proof = match check_ast(&ast, &tree, &context, budget) {
        Err(Error::Exceeded { operation, .. }) => Proof::OutOfBudget(operation),
        proof => proof.map_err(of_sets)?,
    };
    if let Proof::Refuted(violations) = &proof {
        let message = "the loops of a multifor statement are wrong; nothing is written (this is a \
                       defect of the compiler, please report it)";
        let error = MultiforError::new(Code::TooComplex, start, message);
        return Err(violations.iter().fold(error, |error, each| error.because(&each.message)));
    }
    let iterator_type = iterator_type(multifor, budget)?;
    let text = Text::new(multifor, options, iterator_type).statement(&ast);
    Ok(Generated { tree, ast, iterator_type, text, scheme, proof })
}

/// The loops, and what they are made of.
fn loops(
    multifor: &Multifor,
    options: &CodeOptions,
    scheme: Scheme,
    budget: &Budget,
) -> Result<(ScheduleTree, AstNode)> {
    let (loop_type, strategy) = match scheme {
        Scheme::Guards => (AstLoopType::Atomic, Strategy::Components),
        Scheme::Separated => (AstLoopType::Default, Strategy::Separation(Separation::STANDARD)),
    };
    let (parallel, steady) = (options.parallel.clone(), options.steady);
    let tree = schedule_tree(
        multifor,
        &TreeOptions { order: options.order, loop_type, parallel, steady },
    )?;
    let generation = Options { strategy, scale_strides: true, ..Options::STANDARD };
    let context = Set::universe(loopwright_presburger::Space::params(&multifor.parameters));
    let generator =
        Generator::new(&generation, budget).with_iterators(iterators(multifor, options));
    let ast = generator.tree(&tree, &context, &mut NoVisitor)?;
    Ok((tree, ast))
}

/// Names for the dimensions of the referential domain.
fn iterators(multifor: &Multifor, options: &CodeOptions) -> Vec<Name> {
    let n_levels = multifor.root.all().iter().map(|level| level.depth + 1).max().unwrap_or(0);
    let mut names = FreshNames::new(options.used_names.clone());
    let wanted = |level: usize| match ["p", "q", "r"].get(level) {
        Some(name) => name.to_string(),
        None => format!("p{level}"),
    };
    (0..n_levels + usize::from(options.steady))
        .map(|level| Name::from(names.get(&wanted(level)).as_str()))
        .collect()
}

/// What an `int` and a `long` hold; a loop goes one step beyond its last value, and bounds are a little
/// further.
const INT: std::ops::RangeInclusive<i64> = -(1 << 31)..=(1 << 31) - 2;
const LONG: std::ops::RangeInclusive<i64> = -(1 << 62)..=1 << 62;

/// The type of iterators: `int` if all places in the referential domain fit where the indices do. Where a
/// limit is reached it is `long`.
///
/// # Errors
/// Places that do not fit in a `long`.
fn iterator_type(
    multifor: &Multifor,
    budget: &Budget,
) -> std::result::Result<&'static str, MultiforError> {
    let levels = multifor.root.all();
    let is_int = levels.iter().flat_map(|level| &level.loops).all(|each| each.index_type == "int");
    let indices = if is_int { INT } else { LONG };
    let mut fits_int = is_int;
    for level in levels {
        match last_place(multifor, level, &indices, budget) {
            Ok(Some(place)) if place > Value::from(*LONG.end()) => {
                let message = "points of a multifor statement need more than 64 bits";
                return Err(MultiforError::new(Code::TooComplex, multifor.syntax.start, message));
            }
            Ok(place) => fits_int &= place.is_none_or(|place| place <= Value::from(*INT.end())),
            Err(_) => fits_int = false,
        }
    }
    Ok(if fits_int { "int" } else { "long" })
}

/// The last place in a level, in compressed points, where indices and symbolic constants are in a range; none
/// if it is empty.
fn last_place(
    multifor: &Multifor,
    level: &Level,
    indices: &std::ops::RangeInclusive<i64>,
    budget: &Budget,
) -> Result<Option<Value>> {
    let numbers = level.bodies();
    let nests = numbers.iter().map(|number| multifor.bodies[*number].nest).collect();
    let factor = compression(level, &nests);
    let mut last: Option<Value> = None;
    for number in numbers {
        let body = &multifor.bodies[number];
        let each = &level.loops[body.nest];
        let mut domain = body.domain.clone();
        // Symbolic constants are bounds, which indices do not reach.
        for (kind, beyond) in [(DimKind::Out, 0), (DimKind::Param, 1)] {
            for position in 0..domain.n(kind) {
                domain = domain.lower_bound(kind, position, &Int::from(*indices.start()));
                domain = domain.upper_bound(kind, position, &Int::from(indices.end() + beyond));
            }
        }
        if domain.is_empty(budget)? {
            continue;
        }
        let place = body.iterations[level.depth]
            .scale(&(each.grain / factor).into())
            .add_constant(&(each.offset / factor).into())
            .intersect_domain(&domain)?
            .max_val(budget)?;
        last = Some(last.map_or(place.clone(), |last| last.max(&place)));
    }
    Ok(last)
}
