//! Whether two program parts compute the same values: the question and its answer.
use crate::buffers::without_buffers;
use crate::concrete::{Shown, shown_difference};
use crate::conditions::{CASES, common_conditions};
use crate::correspondence::{Correspondence, Known, Matched, Obstacle};
use crate::executions::{Execution, Sizes, execution_of, executions};
use crate::histories::{
    Element, Memory, Run, STEPS_OF_A_RUN, Term, Terms, element_text, small_parameters,
};
use crate::hypotheses::Hypotheses;
use crate::laws::Laws;
use crate::obligation::{Pair, Point};
use crate::program::{Program, Unmodelled};
use crate::proof::{Outcome, Proof};
use crate::wrapping::undo_wrapping;
use loopwright_presburger::{Budget, DimKind, Error, Int, Map, Set, Space, Tuple};
use loopwright_scop::{Array, ArrayId, Parameter, ScalarType, Scop};
use rustc_hash::FxHashMap;

/// Whether two program parts compute the same values.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The first program part.
    pub before: &'a Scop,
    /// The second one.
    pub after: &'a Scop,
    /// The arrays of the first one whose values matter, by name; all whose values may be used afterwards if
    /// none.
    pub live_out: Option<&'a [String]>,
    /// `A[x] -> B[y]`: elements of the first program and those of the second that stand for them, for arrays
    /// whose layout changes; others have the same elements in both.
    pub layouts: &'a [Map],
    /// Laws that operators are taken to have.
    pub laws: &'a Laws,
}

/// An element that does not hold the same, for the smallest symbolic constants for which there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The symbolic constants.
    pub parameters: Vec<(String, i64)>,
    /// The element, in both programs.
    pub elements: [String; 2],
    /// Its value at the end, in both programs, in terms of what elements held before.
    pub histories: [String; 2],
    /// The parts of these in which they differ.
    pub differences: [String; 2],
    /// Numbers that elements held before, for which the values are different.
    pub inputs: Vec<(String, String)>,
    /// The values for these numbers, in both programs.
    pub results: [String; 2],
    /// Functions of which the difference takes nothing for granted but that they return the same for the
    /// same: any function of that name shows it, if not this one.
    pub calls: Vec<String>,
}

/// How it was shown that two programs are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By induction over pairs of places whose values are equal.
    Induction,
    /// Instances correspond one to one, compute the same, and all dependences keep their order.
    Correspondence,
}

/// A proof of equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// How it goes.
    pub method: Method,
    /// The pairs of places that it is about.
    pub places: Vec<EqualPlaces>,
}

/// A pair of places whose values have been shown to be equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualPlaces {
    /// The line in both programs; none for values from before the region.
    pub lines: [Option<u32>; 2],
    /// For which instances.
    pub relation: String,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All elements that matter hold the same, for all symbolic constants; the proof that shows it.
    Equal(Proved),
    /// An element does not.
    Different(Box<Witness>),
    /// Neither was shown.
    Undecided {
        /// Why, in words.
        cause: String,
        /// The lines that could not be compared.
        lines: [Option<u32>; 2],
    },
}

/// An array of the first program and what stands for it in the second.
#[derive(Clone)]
struct PairedArray {
    ids: [ArrayId; 2],
    /// `A[x] -> B[y]`.
    relation: Map,
    /// Whether the elements are the same.
    is_identity: bool,
}

/// Both programs, and how their arrays correspond.
#[derive(Clone)]
struct Programs<'a> {
    programs: [Program; 2],
    laws: &'a Laws,
    paired: Vec<PairedArray>,
    /// Variables that the parts declare, by their names: they may stand for each other where instances
    /// correspond.
    locals: Vec<PairedArray>,
    /// Those of the pairs whose final values matter, in the order of the results of the programs.
    results: Vec<usize>,
    equal_before: FxHashMap<(usize, usize), Map>,
}

/// What a program's elements in memory are called.
type Names<'n> = &'n dyn Fn(&Element) -> Term;

/// The values of each symbolic constant that are tried first.
const SMALL: i64 = 5;

/// So many choices of symbolic constants are tried before the proof.
const FIRST_TRIES: usize = 24;

/// Steps for the proof that instances correspond: most programs that it is right for need less. The first one
/// leaves the time for induction.
const STEPS_OF_A_CORRESPONDENCE: u64 = 400_000_000;
const STEPS_OF_A_FIRST_GUESS: u64 = 60_000_000;

/// Steps for finding buffers and for showing that elements stand for them.
const STEPS_OF_BUFFERS: u64 = 100_000_000;

/// Steps for dataflow and the proof by induction without guesses.
const STEPS_OF_A_PLAIN_PROOF: u64 = 150_000_000;

/// So often an execution is added to those from which correspondences are guessed.
const MOST_GUESSES: usize = 60;

/// Executions with more instances are forgotten once correspondences have been learnt from them.
const MOST_KEPT: usize = 20_000;

/// What correspondences are guessed from.
#[derive(Default)]
struct Guesses {
    executions: Vec<Execution>,
    known: Known,
}

/// Whether two program parts compute the same.
///
/// *Method.* Both are executed on symbols for small symbolic constants, which finds differences; then a proof
/// by induction is tried; pairs that it refutes give further symbolic constants to execute both with. So
/// "different" always comes with an execution, and "equal" with a closed proof.
///
/// ```
/// use loopwright_equivalence::{Answer, Laws, Question, check};
/// use loopwright_presburger::Budget;
/// # use loopwright_cfront::SourceFile;
/// let fill = |value: &str| {
///     let text = format!("void f(int n, double *A) {{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    A[i] = {value};\n#pragma endscop\n}}\n");
///     SourceFile::from_text("f.c", &text).extract().unwrap().remove(0).scop
/// };
/// let (one, two) = (fill("1.5"), fill("2.5"));
/// let laws = Laws::default();
/// let question = |after| Question { before: &one, after, live_out: None, layouts: &[], laws: &laws };
/// assert!(matches!(check(&question(&one), &Budget::steps(1_000_000)), Answer::Equal(_)));
/// let Answer::Different(witness) = check(&question(&two), &Budget::steps(1_000_000)) else { panic!() };
/// assert_eq!((&*witness.elements[0], &*witness.histories[1]), ("A[0]", "2.5"));
/// assert_eq!(witness.parameters, [("n".to_string(), 1)]);
/// ```
///
/// *Cost.* Not bounded by the size of the programs; that is what the budget is for.
pub fn check(question: &Question<'_>, budget: &Budget) -> Answer {
    let both = match Programs::new(question, budget) {
        Ok(both) => both,
        Err(unmodelled) => return undecided(unmodelled),
    };
    let conditions = common_conditions([&both.programs[0], &both.programs[1]]);
    let cases = (!conditions.is_empty()).then(|| both.clone());
    let answer = decided(both, budget);
    match (&answer, cases) {
        (Answer::Undecided { .. }, Some(both)) => {
            both.equal_in_all_cases(&conditions, budget).unwrap_or(answer)
        }
        _ => answer,
    }
}

/// The answer about two programs.
fn decided(mut both: Programs<'_>, budget: &Budget) -> Answer {
    if let Some(witness) = both.different_for_small(budget) {
        return Answer::Different(Box::new(witness));
    }
    let mut guesses = Guesses::default();
    if let Some(proof) = both.correspond(&mut guesses, STEPS_OF_A_FIRST_GUESS, budget) {
        return Answer::Equal(proof);
    }
    if let Some(proof) = both.correspond_without_buffers(budget) {
        return Answer::Equal(proof);
    }
    // Executions of tiles and unrolled loops take long, and most programs need none.
    let part = budget.part(STEPS_OF_A_PLAIN_PROOF);
    let found = both.find_sources(&part);
    if found.is_ok() {
        let plain = both.proof(Hypotheses::default(), &part).run(&both.roots());
        if let Outcome::Proved(pairs) = plain {
            return Answer::Equal(both.induction(&pairs));
        }
    }
    budget.charge(&part);
    if guesses.executions.is_empty() {
        both.execute(&mut guesses, Sizes::Small, budget);
    }
    both.execute(&mut guesses, Sizes::Large, budget);
    if let Some(proof) = both.correspond(&mut guesses, STEPS_OF_A_CORRESPONDENCE, budget) {
        return Answer::Equal(proof);
    }
    if let Err(unmodelled) = found.or_else(|_| both.find_sources(budget)) {
        return undecided(unmodelled);
    }
    let executions = guesses.executions;
    let hypotheses = Hypotheses::new([&both.programs[0], &both.programs[1]], &executions);
    drop(executions);
    match both.proof(hypotheses, budget).run(&both.roots()) {
        Outcome::Proved(pairs) => Answer::Equal(both.induction(&pairs)),
        Outcome::Refuted { pairs, at, suspects } => {
            // What has no partner in a sum is close to the difference, if there is one.
            let mut constants = suspects.into_iter().chain([pairs.params()]);
            match constants.find_map(|own| both.different_among(&own, budget)) {
                Some(witness) => Answer::Different(Box::new(witness)),
                None => {
                    let cause = "their values are not equal by the rules, and no small execution shows a difference";
                    Answer::Undecided { cause: cause.to_string(), lines: both.lines(at) }
                }
            }
        }
        Outcome::Stopped { at, why } => Answer::Undecided { cause: why, lines: both.lines(at) },
    }
}

fn undecided(unmodelled: (usize, Unmodelled)) -> Answer {
    let (program, Unmodelled { line, cause }) = unmodelled;
    let mut lines = [None, None];
    lines[program] = line;
    let which = ["first", "second"][program];
    Answer::Undecided { cause: format!("the {which} program: {cause}"), lines }
}

impl<'q> Programs<'q> {
    fn new(question: &Question<'q>, budget: &Budget) -> Result<Programs<'q>, (usize, Unmodelled)> {
        let of_both = |cause: String| (1, Unmodelled::somewhere(cause));
        same_constants(question.before, question.after).map_err(of_both)?;
        let (mut before, after) = (question.before.clone(), question.after.clone());
        let mut after = after;
        add_arrays_of(&after, &mut before, question);
        add_arrays_of(&before, &mut after, question);
        let space = before.context.space().merge_params(after.context.space());
        let results = result_arrays(&before, &after, question).map_err(of_both)?;
        let paired = paired_arrays(&before, &after, question, &space).map_err(of_both)?;
        let locals = paired_locals(&before, &after, &space).map_err(of_both)?;
        let context = before.context.align_params(&space);
        let context = context.intersect(&after.context.align_params(&space));
        let context = context.map_err(|error| (1, error.into()))?;
        let own = |side: usize| -> Vec<ArrayId> {
            let of_pair = |pair: &&PairedArray| results.contains(&pair.ids[0]);
            paired.iter().filter(of_pair).map(|pair| pair.ids[side]).collect()
        };
        let mut first = Program::new(&before, &own(0), &space).map_err(|error| (0, error))?;
        let mut second = Program::new(&after, &own(1), &space).map_err(|error| (1, error))?;
        undo_wrapping(&mut second);
        // Texts of such statements name elements by their places.
        if !question.layouts.is_empty() {
            for (side, program) in [&mut first, &mut second].into_iter().enumerate() {
                program.uninterpreted.take().map_or(Ok(()), |cause| Err((side, cause)))?;
            }
        }
        // A function that only one program has is equal to nothing.
        if first.uninterpreted_functions() != second.uninterpreted_functions() {
            for (side, program) in [&mut first, &mut second].into_iter().enumerate() {
                program.uninterpreted.take().map_or(Ok(()), |cause| Err((side, cause)))?;
            }
        }
        (first.context, second.context) = (context.clone(), context);
        for (side, program) in [&mut first, &mut second].into_iter().enumerate() {
            let found = program.find_accumulations(question.laws, budget);
            found.map_err(|error| (side, error.into()))?;
        }
        let key = |pair: &PairedArray| (pair.ids[0].0 as usize, pair.ids[1].0 as usize);
        let equal_before = paired.iter().map(|pair| (key(pair), pair.relation.clone())).collect();
        let is_result = |at: &usize| results.contains(&paired[*at].ids[0]);
        let results = (0..paired.len()).filter(is_result).collect();
        let (programs, laws) = ([first, second], question.laws);
        Ok(Programs { programs, laws, paired, locals, results, equal_before })
    }

    /// The proof that they are equal whether or not conditions hold that do not change; none if one case is
    /// not proved.
    fn equal_in_all_cases(&self, conditions: &[String], budget: &Budget) -> Option<Answer> {
        let (condition, rest) = conditions.split_first()?;
        let mut all = Vec::new();
        for holds in CASES {
            let mut case = self.clone();
            for program in &mut case.programs {
                program.take_to_hold(condition, holds, self.laws, budget).ok()?;
            }
            let answer = match decided(case.clone(), budget) {
                Answer::Undecided { .. } => case.equal_in_all_cases(rest, budget)?,
                answer => answer,
            };
            let Answer::Equal(proof) = answer else { return None };
            all.push(proof);
        }
        let method = all.iter().map(|own| own.method).find(|own| *own == Method::Induction);
        let method = method.unwrap_or(Method::Correspondence);
        let places = all.into_iter().flat_map(|own| own.places).collect();
        Some(Answer::Equal(Proved { method, places }))
    }

    /// What has to be shown: that final values are equal.
    fn roots(&self) -> Vec<(Pair, Map)> {
        let [first, second] = &self.programs;
        let of_pair = |(at, pair): (usize, &usize)| {
            let pair = &self.paired[*pair];
            let (a, b) = (first.results[at].1, second.results[at].1);
            let space = Space::map(
                pair.relation.space().param_names(),
                first.domain(a).space().output().cloned().unwrap_or_default(),
                second.domain(b).space().output().cloned().unwrap_or_default(),
            );
            let relation = pair.relation.with_space_tuples(&space).ok()?;
            let relation = relation.intersect_params(&first.context).ok()?;
            Some(((Point::Node(a), Point::Node(b)), relation))
        };
        self.results.iter().enumerate().filter_map(of_pair).collect()
    }

    fn lines(&self, (a, b): Pair) -> [Option<u32>; 2] {
        let line = |program: &Program, point| match point {
            Point::Node(node) => Some(program.line(node)).filter(|line| *line > 0),
            Point::Before(_) | Point::Undefined => None,
        };
        [line(&self.programs[0], a), line(&self.programs[1], b)]
    }

    fn find_sources(&mut self, budget: &Budget) -> Result<(), (usize, Unmodelled)> {
        for (side, program) in self.programs.iter_mut().enumerate() {
            program.find_sources(budget).map_err(|error| (side, error))?;
        }
        Ok(())
    }

    /// A proof by induction, to be run.
    fn proof<'a>(&'a self, hypotheses: Hypotheses, budget: &'a Budget) -> Proof<'a> {
        let programs = [&self.programs[0], &self.programs[1]];
        Proof::new(programs, &self.equal_before, self.laws, hypotheses, budget)
    }

    /// Adds executions to what guesses are made from.
    fn execute(&self, guesses: &mut Guesses, sizes: Sizes, budget: &Budget) {
        let programs = [&self.programs[0], &self.programs[1]];
        let arrays = self.arrays();
        let question = Correspondence { programs, arrays: &arrays, laws: self.laws, budget };
        let found = executions((programs, &self.same_arrays()), self.laws, sizes, budget);
        found.iter().for_each(|own| question.learn(own, &mut guesses.known));
        guesses.executions.extend(found);
    }

    fn same_arrays(&self) -> Vec<(ArrayId, ArrayId)> {
        let all = self.paired.iter().chain(&self.locals);
        let same = all.filter(|pair| pair.is_identity);
        same.map(|pair| (pair.ids[0], pair.ids[1])).collect()
    }

    /// Whether all that is accessed is the same memory, so that instances may correspond.
    fn may_correspond(&self, budget: &Budget) -> bool {
        let programs = [&self.programs[0], &self.programs[1]];
        let arrays = self.arrays();
        self.paired.iter().all(|pair| pair.is_identity)
            && Correspondence { programs, arrays: &arrays, laws: self.laws, budget }
                .has_plain_memory()
                .unwrap_or(false)
    }

    /// The arrays that correspond, with their elements.
    fn arrays(&self) -> Vec<((ArrayId, ArrayId), Map)> {
        let of_pair = |pair: &PairedArray| ((pair.ids[0], pair.ids[1]), pair.relation.clone());
        self.paired.iter().chain(&self.locals).map(of_pair).collect()
    }

    /// The proof that instances correspond; none if they do not, or that is too expensive.
    fn correspond(&self, guesses: &mut Guesses, steps: u64, budget: &Budget) -> Option<Proved> {
        if !self.may_correspond(budget) {
            return None;
        }
        if guesses.executions.is_empty() {
            self.execute(guesses, Sizes::Small, budget);
        }
        let part = budget.part(steps);
        let matched = self.refined(guesses, &part, budget);
        budget.charge(&part);
        let [first, second] = &self.programs;
        let place = |own: &Matched| {
            let [a, b] = own.statements;
            let lines = [first.statements[a].location.line, second.statements[b].location.line];
            EqualPlaces { lines: lines.map(Some), relation: own.instances.reverse().to_string() }
        };
        let mut places: Vec<EqualPlaces> = matched?.iter().map(place).collect();
        places.sort_by(|a, b| (a.lines, &a.relation).cmp(&(b.lines, &b.relation)));
        Some(Proved { method: Method::Correspondence, places })
    }

    /// The proof that instances correspond once elements stand for the variables that hold them; none if
    /// there are no such variables, or that is too expensive.
    fn correspond_without_buffers(&self, budget: &Budget) -> Option<Proved> {
        let part = budget.part(STEPS_OF_BUFFERS);
        let found = self.without_buffers(&part);
        budget.charge(&part);
        found.ok()??.correspond(&mut Guesses::default(), STEPS_OF_A_CORRESPONDENCE, budget)
    }

    /// The same question about programs without buffers; none if there are none.
    fn without_buffers(&self, budget: &Budget) -> Result<Option<Self>, Error> {
        let [first, second] = &self.programs;
        let found = [without_buffers(first, budget)?, without_buffers(second, budget)?];
        if found.iter().all(Option::is_none) {
            return Ok(None);
        }
        let [one, two] = found;
        let mut programs =
            [one.unwrap_or_else(|| first.clone()), two.unwrap_or_else(|| second.clone())];
        for program in &mut programs {
            program.find_accumulations(self.laws, budget)?;
        }
        Ok(Some(Programs {
            programs,
            laws: self.laws,
            paired: self.paired.clone(),
            locals: self.locals.clone(),
            results: self.results.clone(),
            equal_before: self.equal_before.clone(),
        }))
    }

    /// The correspondence that executions suggest, where those that show what is wrong with a guess are added
    /// until there is a proof. `part` is for proofs, `budget` for executions.
    fn refined(
        &self,
        guesses: &mut Guesses,
        part: &Budget,
        budget: &Budget,
    ) -> Option<Vec<Matched>> {
        let arrays = self.arrays();
        let programs = [&self.programs[0], &self.programs[1]];
        let laws = self.laws;
        let question = Correspondence { programs, arrays: &arrays, laws, budget: part };
        let Guesses { executions, known } = guesses;
        for _ in 0..MOST_GUESSES {
            match question.proved(known) {
                Ok(matched) => return Some(matched),
                Err(Obstacle::Failed) => return None,
                Err(Obstacle::Exceeded) => {
                    // With more steps the same guess may do.
                    known.try_again();
                    return None;
                }
                Err(Obstacle::Unseen(instances)) => {
                    let same = (programs, &self.same_arrays()[..]);
                    let execution =
                        execution_of(&instances, same, self.laws, &known.parameters, budget)?;
                    question.learn(&execution, known);
                    executions.extend(Some(execution).filter(|own| own.size() <= MOST_KEPT));
                }
            }
        }
        None
    }

    fn induction(&self, pairs: &[(Pair, Map)]) -> Proved {
        Proved { method: Method::Induction, places: self.equal_places(pairs) }
    }

    fn equal_places(&self, pairs: &[(Pair, Map)]) -> Vec<EqualPlaces> {
        let place = |(pair, relation): &(Pair, Map)| EqualPlaces {
            lines: self.lines(*pair),
            relation: relation.to_string(),
        };
        let mut places: Vec<EqualPlaces> = pairs.iter().map(place).collect();
        places.sort_by(|a, b| (a.lines, &a.relation).cmp(&(b.lines, &b.relation)));
        places
    }

    fn different_for_small(&self, budget: &Budget) -> Option<Witness> {
        let tries = small_parameters(&self.programs[0].context, SMALL, FIRST_TRIES);
        tries.iter().find_map(|parameters| self.different_for(parameters, budget))
    }

    /// A difference for some of the symbolic constants in a set, small ones first.
    fn different_among(&self, parameters: &Set, budget: &Budget) -> Option<Witness> {
        let small = small_parameters(parameters, SMALL, FIRST_TRIES);
        let witness = small.iter().find_map(|values| self.different_for(values, budget));
        if witness.is_some() {
            return witness;
        }
        let n = parameters.n(DimKind::Param);
        for most in [8, 16, 32, 64, 128] {
            let mut bounded = parameters.clone();
            for at in 0..n {
                bounded = bounded.upper_bound(DimKind::Param, at, &Int::from(most));
                bounded = bounded.lower_bound(DimKind::Param, at, &Int::from(-most));
            }
            let point = bounded.sample_point(&Budget::steps(STEPS_OF_A_RUN)).ok().flatten();
            let Some(point) = point else { continue };
            let values: Option<Vec<i64>> = point.iter().take(n).map(Int::to_i64).collect();
            if let Some(witness) = self.different_for(&values?, budget) {
                return Some(witness);
            }
        }
        None
    }

    /// Executes both programs for some symbolic constants.
    fn different_for(&self, parameters: &[i64], budget: &Budget) -> Option<Witness> {
        let part = budget.part(STEPS_OF_A_RUN);
        let found = self.executed_for(parameters, &part);
        budget.charge(&part);
        found
    }

    fn executed_for(&self, parameters: &[i64], budget: &Budget) -> Option<Witness> {
        let point: Vec<Int> = parameters.iter().map(|value| Int::from(*value)).collect();
        for program in &self.programs {
            if program.senseless.contains_point(&point, budget).ok()? {
                return None;
            }
        }
        let mut terms = Terms::default();
        let name = |side: usize| move |element: &Element| self.name(side, parameters, element);
        let [first, second] = &self.programs;
        let first = Run::new(first, parameters, self.laws, budget).ok()?;
        let second = Run::new(second, parameters, self.laws, budget).ok()?;
        let first = first.memory(&mut terms, &name(0)).ok()?;
        let second = second.memory(&mut terms, &name(1)).ok()?;
        let names: [Names<'_>; 2] = [&name(0), &name(1)];
        self.first_difference(parameters, [&first, &second], &mut terms, (&names, budget))
    }

    /// The type of what an array holds that histories name.
    fn type_of(&self, name: &str) -> Option<ScalarType> {
        let of_second = name.strip_suffix(" of the second program");
        let arrays = match of_second {
            Some(_) => &self.programs[1].arrays,
            None => &self.programs[0].arrays,
        };
        let name = of_second.unwrap_or(name);
        arrays.iter().find(|own| *own.name == *name)?.scalar_type()
    }

    /// What an element held before, in the names of the first program where it corresponds to one of that.
    fn name(&self, side: usize, parameters: &[i64], (array, subscripts): &Element) -> Term {
        let named = |side: usize, id: ArrayId| {
            let arrays: &[Array] = &self.programs[side].arrays;
            arrays[id.0 as usize].name.to_string()
        };
        if side == 0 {
            return Term::Before(named(0, *array), subscripts.clone());
        }
        let pair = self.paired.iter().find(|pair| pair.ids[1] == *array);
        let first = pair.and_then(|pair| {
            let own = match pair.is_identity {
                true => Some(subscripts.clone()),
                false => partner(&pair.relation, parameters, subscripts, 1),
            };
            Some(Term::Before(named(0, pair.ids[0]), own?))
        });
        first.unwrap_or_else(|| {
            Term::Before(format!("{} of the second program", named(1, *array)), subscripts.clone())
        })
    }

    fn first_difference(
        &self,
        parameters: &[i64],
        memories: [&Memory; 2],
        terms: &mut Terms,
        (names, budget): (&[Names<'_>; 2], &Budget),
    ) -> Option<Witness> {
        for pair in self.results.iter().map(|at| &self.paired[*at]) {
            let mut elements: Vec<(Vec<i64>, Vec<i64>)> = Vec::new();
            for (side, memory) in memories.iter().enumerate() {
                let written = memory.keys().filter(|element| element.0 == pair.ids[side]);
                elements.extend(written.filter_map(|(_, own)| {
                    let other = partner(&pair.relation, parameters, own, side)?;
                    Some(if side == 0 { (own.clone(), other) } else { (other, own.clone()) })
                }));
            }
            elements.sort();
            elements.dedup();
            for (first, second) in elements {
                let elements = [(pair.ids[0], first), (pair.ids[1], second)];
                let mut value = |side: usize| match memories[side].get(&elements[side]) {
                    Some(known) => *known,
                    None => terms.number(names[side](&elements[side])),
                };
                let (a, b) = (value(0), value(1));
                if a != b && !terms.is_undefined(a) {
                    let (x, y) = terms.first_difference(a, b);
                    // Functions that are only known by their texts may have equal values.
                    if terms.is_uninterpreted(x) || terms.is_uninterpreted(y) {
                        continue;
                    }
                    // What are other terms may have the same values all the same.
                    let type_of = |name: &str| self.type_of(name);
                    // Of a function that is only known by its text the operands are different.
                    let is_text = [a, b].iter().any(|own| terms.is_uninterpreted(*own));
                    let shown = if is_text { [x, y] } else { [a, b] };
                    let found = shown_difference(terms, shown, &type_of, budget);
                    let Some(Shown { inputs, results, calls }) = found else { continue };
                    let text = |side: usize| {
                        let (array, subscripts) = &elements[side];
                        let name = &self.programs[side].arrays[array.0 as usize].name;
                        element_text(name, subscripts)
                    };
                    let space = self.programs[0].context.space();
                    let names = space.param_names().iter().map(ToString::to_string);
                    return Some(Witness {
                        parameters: names.zip(parameters.iter().copied()).collect(),
                        elements: [text(0), text(1)],
                        histories: [a, b].map(|id| terms.text(id, DEPTH_OF_TEXT)),
                        differences: [x, y].map(|id| terms.text(id, DEPTH_OF_TEXT)),
                        inputs,
                        results,
                        calls,
                    });
                }
            }
        }
        None
    }
}

/// Histories are printed up to this depth.
const DEPTH_OF_TEXT: usize = 6;

/// The element that corresponds to one of the other program.
fn partner(relation: &Map, parameters: &[i64], own: &[i64], side: usize) -> Option<Vec<i64>> {
    let mut fixed = relation.clone();
    for (at, value) in parameters.iter().enumerate() {
        fixed = fixed.fix(DimKind::Param, at, &Int::from(*value));
    }
    let kind = if side == 0 { DimKind::In } else { DimKind::Out };
    for (at, value) in own.iter().enumerate() {
        fixed = fixed.fix(kind, at, &Int::from(*value));
    }
    let point = fixed.sample_point(&Budget::steps(100_000)).ok()??;
    let point: Vec<i64> = point.iter().map(Int::to_i64).collect::<Option<_>>()?;
    let n = relation.n(DimKind::In);
    let own = &point[parameters.len()..];
    Some(if side == 0 { own[n..].to_vec() } else { own[..n].to_vec() })
}

/// Symbolic constants that stand for expressions have to stand for the same ones in both programs.
fn same_constants(before: &Scop, after: &Scop) -> Result<(), String> {
    let lacks = |own: &Parameter, scop: &Scop| {
        own.value.is_some()
            && !scop
                .parameters
                .iter()
                .any(|other| other.name == own.name && other.value == own.value)
    };
    let first = before.parameters.iter().filter(|own| lacks(own, after));
    let mut all = first.chain(after.parameters.iter().filter(|own| lacks(own, before)));
    match all.next() {
        Some(own) => Err(format!(
            "`{}` is a symbolic constant of one program only",
            own.value.as_deref().unwrap_or(&own.name)
        )),
        None => Ok(()),
    }
}

fn is_visible(array: &Array) -> bool {
    !array.declared_in_scop
}

fn find<'a>(scop: &'a Scop, name: &str) -> Option<(ArrayId, &'a Array)> {
    let position = scop.arrays.iter().position(|a| is_visible(a) && *a.name == *name)?;
    Some((ArrayId(position as u32), &scop.arrays[position]))
}

/// Adds the arrays that only the other program has and whose values matter: this one leaves them as they
/// were.
fn add_arrays_of(other: &Scop, own: &mut Scop, question: &Question<'_>) {
    let has_layout = |array: &Array| {
        let tuples = |map: &Map| [map.space().input().cloned(), map.space().output().cloned()];
        let is_own = |tuple: Tuple| tuple.name().is_some_and(|own| *own == array.name);
        question.layouts.iter().any(|map| tuples(map).into_iter().flatten().any(is_own))
    };
    for array in other.arrays.iter().filter(|a| is_visible(a) && a.live_out && !has_layout(a)) {
        if find(own, &array.name).is_none() {
            let extents = vec![None; array.extents.len()];
            own.arrays.push(Array { extents, ..array.clone() });
        }
    }
}

/// The arrays of the first program whose final values matter.
fn result_arrays(
    before: &Scop,
    after: &Scop,
    question: &Question<'_>,
) -> Result<Vec<ArrayId>, String> {
    if let Some(names) = question.live_out {
        let of_name = |name: &String| match find(before, name) {
            Some((id, _)) => Ok(id),
            None => Err(format!("`{name}` is no array of the first program")),
        };
        return names.iter().map(of_name).collect();
    }
    let of_after = |array: &Array| find(after, &array.name).is_some_and(|(_, own)| own.live_out);
    let matters = |array: &&Array| is_visible(array) && (array.live_out || of_after(array));
    let named = before.arrays.iter().filter(matters).map(|array| &array.name);
    Ok(named.filter_map(|name| Some(find(before, name)?.0)).collect())
}

/// A relation between elements of two arrays, with the names of these.
fn between(relation: &Map, array: &Array, other: &Array) -> Result<Map, String> {
    let inner = Tuple::named(&array.tuple_name, relation.n(DimKind::In));
    let outer = Tuple::named(&other.tuple_name, relation.n(DimKind::Out));
    let space = Space::map(relation.space().param_names(), inner, outer);
    relation.with_space_tuples(&space).map_err(|error| error.to_string())
}

/// The variables that both programs declare under one name, each once, with as many subscripts.
fn paired_locals(before: &Scop, after: &Scop, space: &Space) -> Result<Vec<PairedArray>, String> {
    let mut paired = Vec::new();
    for (position, array) in before.arrays.iter().enumerate() {
        let n = array.extents.len();
        let is_it = |other: &Array| {
            !is_visible(other) && other.name == array.name && other.extents.len() == n
        };
        let all = |scop: &Scop| -> Vec<usize> {
            let own = scop.arrays.iter().enumerate();
            own.filter(|(_, other)| is_it(other)).map(|(at, _)| at).collect()
        };
        let (own, [second]) = (all(before), &all(after)[..]) else { continue };
        if own != [position] {
            continue;
        }
        let ids = [ArrayId(position as u32), ArrayId(*second as u32)];
        let tuple = Tuple::named(&array.tuple_name, n);
        let identity = Map::identity(&Space::set(space.param_names(), tuple));
        let relation = between(&identity, array, &after.arrays[*second])?;
        paired.push(PairedArray { ids, relation, is_identity: true });
    }
    Ok(paired)
}

/// The arrays of both programs that stand for each other, with their elements.
fn paired_arrays(
    before: &Scop,
    after: &Scop,
    question: &Question<'_>,
    space: &Space,
) -> Result<Vec<PairedArray>, String> {
    let mut paired = Vec::new();
    for (position, array) in before.arrays.iter().enumerate() {
        let id = ArrayId(position as u32);
        if !is_visible(array) {
            continue;
        }
        let named = |tuple: Option<&Tuple>| tuple.and_then(|tuple| tuple.name().cloned());
        let is_own = |map: &&Map| named(map.space().input()).is_some_and(|own| own == array.name);
        let layout = question.layouts.iter().find(is_own);
        let name = layout.map_or(Some(array.name.clone()), |map| named(map.space().output()));
        let Some((other, found)) = name.and_then(|name| find(after, &name)) else { continue };
        let n = array.extents.len();
        let params = space.param_names();
        let relation = match layout {
            Some(map) => map.align_params(space),
            None if found.extents.len() != n => {
                return Err(format!(
                    "`{}` has {n} subscripts in the first program and {} in the second; a layout has to say how they correspond",
                    array.name,
                    found.extents.len()
                ));
            }
            None => {
                let tuple = Tuple::named(&array.tuple_name, n);
                Map::identity(&Space::set(params, tuple))
            }
        };
        if [DimKind::In, DimKind::Out].map(|kind| relation.n(kind)) != [n, found.extents.len()] {
            return Err(format!("the layout of `{}` has another number of subscripts", array.name));
        }
        let relation = between(&relation, array, found)?;
        let is_identity = layout.is_none();
        paired.push(PairedArray { ids: [id, other], relation, is_identity });
    }
    Ok(paired)
}
