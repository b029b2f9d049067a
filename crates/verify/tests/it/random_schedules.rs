//! Code for random schedules, run for some values of the parameters and, now and then, proved.
//!
//! `LOOPWRIGHT_RANDOM_SCHEDULES=5000 cargo test --release -p loopwright-verify --test it random_schedules` tries more of
//! them; `LOOPWRIGHT_SEED=17` starts at another number.
use loopwright_astgen::{
    AstNode, Generator, Leaf, NoVisitor, Options, SeparationBounds, Visitor, generate,
    generate_from_map,
};
use loopwright_presburger::{Budget, DimKind, Error, Set, UnionMap};
use loopwright_schedule::{ScheduleTree, UnorderedLevel};
use loopwright_testkit::cases::seeds_by;
use loopwright_testkit::{Choices, RandomSchedule, random_schedule};
use loopwright_verify::{Proof, SampleLimits, check_ast_of_map, check_ast_on_samples};

/// The steps for one code generation.
const STEPS: u64 = 40_000_000;
/// The steps for one proof.
const PROOF_STEPS: u64 = 1_000_000;

/// A schedule with its code, or why there is none.
struct Case {
    schedule: UnionMap,
    unordered: Vec<UnorderedLevel>,
    context: Set,
    code: Result<AstNode, Error>,
}

fn case(input: &RandomSchedule, options: &Options) -> Case {
    let budget = Budget::steps(STEPS);
    match input {
        RandomSchedule::Map { schedule, context, settings } => {
            let schedule = UnionMap::parse(schedule).expect("a schedule");
            let context = Set::parse(context).expect("a context");
            let settings = UnionMap::parse(settings).expect("types of loops");
            let code = generate_from_map(&schedule, &context, &settings, options, &budget);
            Case { schedule, unordered: Vec::new(), context: context.params(), code }
        }
        RandomSchedule::Tree(text) => {
            let tree = ScheduleTree::parse(text).expect("a tree");
            let context = Set::parse("{ : }").expect("a context");
            let code = generate(&tree, &context, options, &budget);
            let schedule = tree.flatten().expect("a flat schedule");
            let unordered = tree.unordered_levels().expect("set nodes");
            Case { schedule, unordered, context: context.params(), code }
        }
    }
}

/// What is wrong with the code for a schedule; none without code because of limits, or because
/// a loop has no constant number of iterations.
fn problem(input: &RandomSchedule, options: &Options, prove: bool) -> Option<String> {
    let Case { schedule, unordered, context, code } = case(input, options);
    let ast = match code {
        Ok(ast) => ast,
        Err(Error::Exceeded { .. }) => return None,
        Err(Error::Invalid { operation: "unrolling", .. }) => return None,
        Err(other) => return Some(other.to_string()),
    };
    let limits = SampleLimits { samples: 6, instances: 600, ..SampleLimits::STANDARD };
    let samples = check_ast_on_samples(&ast, &schedule, &unordered, &context, &limits);
    let samples = samples.expect("samples");
    if let Some(violation) = samples.violations.first() {
        return Some(format!("{violation}\n{ast}"));
    }
    if samples.unfinished > 0 {
        return Some(format!("it does not end within the limit\n{ast}"));
    }
    if prove {
        let budget = Budget::steps(PROOF_STEPS);
        if let Ok(Proof::Refuted(violations)) =
            check_ast_of_map(&ast, &schedule, &unordered, &context, &budget)
        {
            return Some(format!("{}\n{ast}", violations[0]));
        }
    }
    None
}

/// The environment variable with the number of schedules.
const HOW_MANY: &str = "LOOPWRIGHT_RANDOM_SCHEDULES";

/// Schedules that got wrong loops or none: bounds lost by simplifications, congruences of unrolled values,
/// pieces in a cyclic order without common bounds, a maximum of a fraction.
const ONCE_WRONG: [u64; 11] = [369, 572, 696, 1365, 1848, 2305, 3192, 3388, 3719, 4133, 4722];

#[test]
fn code_for_random_schedules_is_right() {
    let problems = seeds_by(HOW_MANY, 0, 60).filter(|&seed| is_wrong(seed)).count();
    assert_eq!(problems, 0, "{problems} schedules have wrong code");
}

#[test]
fn schedules_that_were_wrong_are_right() {
    assert_eq!(ONCE_WRONG.into_iter().filter(|&seed| is_wrong(seed)).count(), 0);
}

/// The options that were added later; they have choices of their own, so that the schedules of old
/// numbers stay what they are.
fn further_options(seed: u64) -> Options {
    let mut choices = Choices::from_seed(seed.wrapping_add(1 << 40));
    let separation_bounds = match choices.percent(70) {
        true => SeparationBounds::Explicit,
        false => SeparationBounds::Implicit,
    };
    Options {
        separation_bounds,
        prefer_pdiv: choices.percent(70),
        scale_strides: choices.percent(70),
        allow_or: choices.percent(70),
        group_coscheduled: choices.percent(30),
        detect_min_max: choices.percent(30),
        single_bounds: choices.percent(30),
        ..Options::STANDARD
    }
}

/// Whether the code for a random schedule is wrong, which is printed.
fn is_wrong(seed: u64) -> bool {
    let mut choices = Choices::from_seed(seed);
    let input = random_schedule(&mut choices);
    let options = Options {
        atomic_upper_bound: choices.percent(70),
        exploit_nested_bounds: choices.percent(70),
        allow_else: choices.percent(70),
        ..further_options(seed)
    };
    let started = std::time::Instant::now();
    let problem = problem(&input, &options, seed.is_multiple_of(10));
    if started.elapsed().as_secs() >= 5 {
        eprintln!("schedule {seed} took {:?}: {input:?}", started.elapsed());
    }
    if let Some(problem) = &problem {
        eprintln!("schedule {seed}: {input:?}, {options:?}\n{problem}\n");
    }
    problem.is_some()
}

/// Takes the last dimensions of a flat schedule away and appends them again at the leaves.
struct Appending<'a> {
    generator: Generator<'a>,
    further: UnionMap,
}

impl Visitor for Appending<'_> {
    type Error = Error;

    fn creates_leaves(&self) -> bool {
        true
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Option<AstNode>, Error> {
        let schedule = leaf.schedule().flat_range_product(&self.further)?;
        let none = UnionMap::empty();
        self.generator.nested_map(leaf.build(), &schedule, &none, &mut NoVisitor).map(Some)
    }
}

/// A flat schedule with a part of its dimensions only.
fn projected(schedule: &UnionMap, first: usize, count: usize) -> UnionMap {
    let maps = schedule.maps().iter().map(|map| map.project_out(DimKind::Out, first, count));
    UnionMap::from_maps(schedule.params_space(), maps)
}

/// Whether code for the first dimensions, with code for the others generated inside of it, is wrong.
fn is_wrong_inside_out(seed: u64) -> bool {
    let RandomSchedule::Map { schedule, context, .. } =
        random_schedule(&mut Choices::from_seed(seed))
    else {
        return false;
    };
    let schedule = UnionMap::parse(&schedule).expect("a schedule");
    let context = Set::parse(&context).expect("a context");
    let depth = schedule.maps().first().map_or(0, |map| map.n(DimKind::Out));
    if depth < 2 || schedule.maps().iter().any(|map| map.n(DimKind::Out) != depth) {
        return false;
    }
    let kept = 1 + seed as usize % (depth - 1);
    let outer = projected(&schedule, kept, depth - kept);
    let further = projected(&schedule, 0, kept);
    let options = Options { group_coscheduled: true, ..further_options(seed) };
    let budget = Budget::steps(STEPS);
    let generator = Generator::new(&options, &budget);
    let mut visitor = Appending { generator: generator.clone(), further: further.clone() };
    let code = generator.map(&outer, &context, &UnionMap::empty(), &mut visitor);
    let ast = match code {
        Ok(ast) => ast,
        Err(Error::Exceeded { .. }) => return false,
        Err(other) => panic!("schedule {seed}: {other}"),
    };
    let whole = outer.flat_range_product(&further).expect("one space");
    let limits = SampleLimits { samples: 6, instances: 600, ..SampleLimits::STANDARD };
    let samples = check_ast_on_samples(&ast, &whole, &[], &context.params(), &limits);
    let samples = samples.expect("samples");
    if let Some(violation) = samples.violations.first() {
        eprintln!("schedule {seed} inside out: {schedule}\n{violation}\n{ast}\n");
    }
    !samples.violations.is_empty() || samples.unfinished > 0
}

#[test]
fn code_generated_inside_of_code_is_right() {
    let wrong = seeds_by(HOW_MANY, 0, 60).filter(|&seed| is_wrong_inside_out(seed)).count();
    assert_eq!(wrong, 0, "{wrong} schedules have wrong code inside of code");
}
