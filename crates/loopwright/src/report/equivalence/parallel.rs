//! Whether parallel loops of a text carry a dependence: then its result depends on how threads run.
//!
//! Each directive is looked at alone: the front end reads the text with a pragma in its place that makes it
//! tell which statements the loop has. Two iterations must not access the same element of a shared variable
//! if one of them writes it, and what an iteration reads of its own variables it must have written.
use super::directive::{Directive, Sharing, directives, not_understood, without_modelled};
use super::regions::{FoundRegion, PragmaText};
use super::surroundings::is_named_in;
use loopwright_cfront::directives::{Directive as Read, read as read_directives};
use loopwright_cfront::{IndependentLoop, read_text};
use loopwright_dataflow::{Dependence, Engine, ProgramOrder, Reference};
use loopwright_equivalence::{Extremum, Laws, only_combines};
use loopwright_presburger::{Budget, DimKind, Error, Int, Map};
use loopwright_scop::{
    Access, AccessKind, ArithmeticOperator, Array, ElementKind, Scop, StatementId,
};

/// What was found out about the parallel loops of a region.
#[derive(Debug, Default)]
pub(super) struct ParallelLoops {
    /// How many there are.
    pub(super) number: usize,
    /// The first race, in words.
    pub(super) race: Option<String>,
    /// Whether one of them is shared by the threads that run the function.
    pub(super) is_of_team: bool,
}

/// What makes the front end tell which statements a loop has.
const INDEPENDENT: &str = "#pragma pencil independent";

/// Its words.
const INDEPENDENT_WORDS: &str = "pencil independent";

/// A parallel loop of the model.
struct SharedLoop<'a> {
    text: &'a PragmaText,
    scop: &'a Scop,
    directive: &'a Directive,
    own: IndependentLoop,
    /// Its line in the file.
    line: u32,
    budget: &'a Budget,
}

/// Looks at the parallel loops of a region that is modelled at elements.
///
/// # Errors
/// In words, if one of them, or another directive of the region, is not understood.
pub(super) fn parallel_loops(
    region: &FoundRegion,
    laws: &Laws,
    budget: &Budget,
) -> Result<ParallelLoops, String> {
    let text = &region.text;
    let is_inside = |line: &u32| (region.lines.0..=region.lines.1).contains(line);
    for (line, cause) in not_understood(&text.as_written) {
        let line = text.line_of_file(line);
        if is_inside(&line) {
            return Err(format!("line {line}: {cause}"));
        }
    }
    let mut found = ParallelLoops::default();
    for directive in directives(&text.as_written) {
        let line = text.line_of_file(directive.lines.0 as u32 + 1);
        if !is_inside(&line) {
            continue;
        }
        found.number += usize::from(directive.sharing == Sharing::Threads);
        found.is_of_team |= directive.is_of_team;
        directive.refuse_others(line, laws)?;
        let Some((scop, own)) = shared_loop(region, &directive, line)? else { continue };
        let shared = SharedLoop { text, scop: &scop, directive: &directive, own, line, budget };
        found.race = shared.race()?;
        if found.race.is_some() {
            return Ok(found);
        }
    }
    Ok(found)
}

impl Directive {
    /// Refuses what is not understood, and sums in another order.
    fn refuse_others(&self, line: u32, laws: &Laws) -> Result<(), String> {
        if let Some(obstacle) = &self.obstacle {
            return Err(format!("line {line}: the parallel loop {obstacle}"));
        }
        match self.reductions.iter().find(|(_, operator)| law_of(operator, laws).is_none()) {
            Some((name, operator)) => Err(format!(
                "line {line}: `{name}` is combined in any order; pass --associative '{operator}' if that does not matter"
            )),
            None => Ok(()),
        }
    }
}

/// The law for one operator alone, if it is among others.
fn law_of(operator: &str, laws: &Laws) -> Option<Laws> {
    let own = laws.associative_commutative.iter().filter(|own| own.symbol() == operator);
    let extrema = laws.extrema.iter().filter(|own| own.name() == operator);
    let found = Laws {
        associative_commutative: own.copied().collect(),
        extrema: extrema.copied().collect(),
    };
    (found != Laws::default()).then_some(found)
}

/// The statements of a shared loop, with the model of its region; none if it has none.
fn shared_loop(
    region: &FoundRegion,
    directive: &Directive,
    line: u32,
) -> Result<Option<(Scop, IndependentLoop)>, String> {
    let text = &region.text;
    let failed = |what: &str| format!("line {line}: the parallel loop {what}");
    let plain = without_modelled(&text.text);
    let mut lines: Vec<&str> = plain.lines().collect();
    let (first, last) = directive.lines;
    let is_alone =
        lines.get(first..=last).is_some_and(|own| own.iter().all(|l| l.trim().is_empty()));
    let is_beside = |own: &Read| {
        let line = text.line_of_file(own.line);
        own.text == INDEPENDENT_WORDS && (region.lines.0..=region.lines.1).contains(&line)
    };
    if !is_alone || read_directives(&plain).iter().any(is_beside) {
        return Err(failed("has a directive beside other text, or others of this program"));
    }
    lines[first] = INDEPENDENT;
    let read = read_text(&text.path, &lines.join("\n"), &text.options);
    let regions = read.and_then(|source| source.extract());
    let regions = regions.map_err(|_| failed("cannot be read"))?;
    let mut regions = regions.into_iter().filter(|own| {
        let (first, last) = (text.line_of_file(own.first_line), text.line_of_file(own.last_line));
        (first..=last).contains(&line)
    });
    let Some(own) = regions.next() else { return Err(failed("is in no region")) };
    match own.independent.first() {
        Some(found) => Ok(Some((own.scop, found.clone()))),
        None if own.remarks.iter().any(|remark| remark.contains("has no effect")) => {
            Err(failed("is part of one statement"))
        }
        None => Ok(None),
    }
}

impl SharedLoop<'_> {
    /// What the iterations do to each other, in words.
    ///
    /// # Errors
    /// In words, if that is not known.
    fn race(&self) -> Result<Option<String>, String> {
        let line = self.line;
        let said = |error: Error| format!("line {line}: the parallel loop: {error}");
        let conflict = self.conflict().map_err(said)?;
        if self.directive.sharing != Sharing::Threads
            && let Some(conflict) = conflict
        {
            let promise = conflict.replace("the parallel loop disturb", "the loop may disturb");
            return Err(format!("{promise}, so that the directive may change what it does"));
        }
        if conflict.is_some() {
            return Ok(conflict);
        }
        self.check_private()?;
        if let Some(race) = self.shared_variable()? {
            return Ok(Some(race));
        }
        if self.directive.has_private() {
            let (flow, live_in) = self.flow_of_private().map_err(said)?;
            if let Some(race) = self.wrong_private(&flow, &live_in).map_err(said)? {
                return Ok(Some(race));
            }
            self.refuse_last_private(&flow)?;
        }
        Ok(None)
    }

    /// A variable without subscripts that iterations assign to and share, if there are two iterations.
    fn shared_variable(&self) -> Result<Option<String>, String> {
        let name = match self.directive.sharing {
            Sharing::Promise | Sharing::Reordered => None,
            Sharing::Threads | Sharing::Lanes => self.directive.shared_scalar(),
        };
        let Some(name) = name else { return Ok(None) };
        let line = self.line;
        let text = format!(
            "line {line}: iterations of the parallel loop share `{name}`, and each assigns to it"
        );
        let found = self.two_iterations().ok().flatten();
        match (found, self.directive.sharing) {
            (Some(iterations), Sharing::Threads) => Ok(Some(format!("{text} ({iterations})"))),
            _ => Err(text),
        }
    }

    /// Two iterations that run, in words.
    fn two_iterations(&self) -> Result<Option<String>, Error> {
        for statement in &self.own.statements {
            let domain = &self.scop.statement(*statement).domain;
            let pairs = Map::from_domain_and_range(domain, domain)?;
            let pairs = self.in_order(pairs, DimKind::In, DimKind::Out)?;
            if let Some(point) = self.small_point(&pairs)? {
                return Ok(self.iterations_at(&pairs, &point));
            }
        }
        Ok(None)
    }

    /// Refuses private variables of which the model does not know what iterations do with them, and those
    /// that are used behind the loop.
    fn check_private(&self) -> Result<(), String> {
        let line = self.line;
        let statements = || self.own.statements.iter().map(|own| self.scop.statement(*own));
        for name in self.directive.all_private().filter(|name| !self.is_untouched(name)) {
            let is_it = |array: &Array| *array.name == **name;
            let of_loop = |array: &&Access| is_it(self.scop.array(array.array));
            let mut accesses = statements().flat_map(|own| &own.accesses).filter(of_loop);
            let is_written = |own: &Access| own.kind != AccessKind::Read;
            let mut kinds = accesses.clone().map(|own| own.kind);
            // Integers that the model knows as functions of iterators are read nowhere.
            let is_floating = |own: &Access| self.scop.array(own.array).floating_type().is_some();
            let is_data = accesses.clone().any(is_floating)
                || kinds.any(|own| matches!(own, AccessKind::Read | AccessKind::MayWrite));
            let is_used_behind = self.scop.arrays.iter().any(|own| is_it(own) && own.live_out);
            // Without iterations `lastprivate` leaves anything.
            let clauses = self.directive;
            let lost = [&clauses.private, &clauses.first_private, &clauses.last_private];
            let is_lost = lost.iter().any(|own| own.contains(name));
            if is_lost && is_used_behind && accesses.any(is_written) {
                return Err(format!(
                    "line {line}: `{name}` is private to the iterations of the parallel loop, and is used behind the region"
                ));
            }
            let combined = self.directive.reductions.iter().find(|(own, _)| own == name);
            let is_right = match combined {
                Some((_, operator)) => is_data && self.only_combines(name, operator),
                None => is_data || self.directive.is_set_before_use(name),
            };
            if !is_right {
                return Err(format!(
                    "line {line}: what iterations of the parallel loop do with `{name}`, of which each has its own, is not known to be the same"
                ));
            }
        }
        Ok(())
    }

    /// Whether a loop makes a variable private without naming it: then it is what it was, also behind.
    fn is_untouched(&self, name: &str) -> bool {
        let clauses = self.directive;
        let combined = clauses.reductions.iter().map(|(own, _)| own);
        let mut copied_back = clauses.last_private.iter().chain(&clauses.last_assigned);
        if copied_back.any(|own| own == name) || { combined }.any(|own| own == name) {
            return false;
        }
        let (first, last) = clauses.loop_lines;
        let [first, last] = [first, last].map(|at| self.text.line_of_file(at as u32 + 1));
        !is_named_in(self.text, &(first..=last), name)
    }

    /// Whether iterations do nothing with a variable but combine it with something by an operator.
    fn only_combines(&self, name: &str, operator: &str) -> bool {
        let all = Laws {
            associative_commutative: vec![
                ArithmeticOperator::Add,
                ArithmeticOperator::Multiply,
                ArithmeticOperator::And,
                ArithmeticOperator::Or,
                ArithmeticOperator::ExclusiveOr,
            ],
            extrema: vec![Extremum::Minimum, Extremum::Maximum],
        };
        law_of(operator, &all).is_some_and(|law| {
            only_combines(self.scop, &self.own.statements, (name, &law), self.budget)
        })
    }

    /// Whether each iteration has a variable for itself.
    fn is_private(&self, array: &Array) -> bool {
        let is_inside = array.declared_in_scop && array.declaration_depth > self.own.depth;
        is_inside || self.directive.is_private(&array.name)
    }

    /// Whether a directive says nothing about a variable: a promise of scalars, and of integers one that lets
    /// floating numbers be combined in another order.
    fn is_as_before(&self, array: &Array) -> bool {
        match self.directive.sharing {
            Sharing::Promise => array.extents.is_empty(),
            Sharing::Reordered => {
                matches!(array.element_kind, ElementKind::Signed | ElementKind::Unsigned)
            }
            Sharing::Threads | Sharing::Lanes => false,
        }
    }

    /// Two iterations that access one element, of which one writes it.
    fn conflict(&self) -> Result<Option<String>, Error> {
        let accesses: Vec<&Access> = self
            .own
            .statements
            .iter()
            .flat_map(|statement| &self.scop.statement(*statement).accesses)
            .filter(|access| access.kind != AccessKind::Kill)
            .filter(|access| !self.is_private(self.scop.array(access.array)))
            .filter(|access| !self.is_as_before(self.scop.array(access.array)))
            .collect();
        for first in accesses.iter().filter(|access| access.kind != AccessKind::Read) {
            for second in accesses.iter().filter(|access| access.array == first.array) {
                let pairs =
                    first.relation.apply_range_within(&second.relation.reverse(), self.budget)?;
                let pairs = self.without_waits(self.in_other_iterations(pairs)?)?;
                if !pairs.is_empty(self.budget)? {
                    return Ok(Some(self.told(first, &pairs)?));
                }
            }
        }
        Ok(None)
    }

    /// The pairs of instances in different iterations of one execution of the loop.
    fn in_other_iterations(&self, pairs: Map) -> Result<Map, Error> {
        let either = self.in_order(pairs.clone(), DimKind::In, DimKind::Out)?;
        either.union(&self.in_order(pairs, DimKind::Out, DimKind::In)?)
    }

    /// The pairs in one execution of the loop of which the iteration of one instance is before that of the
    /// other.
    fn in_order(&self, pairs: Map, first: DimKind, second: DimKind) -> Result<Map, Error> {
        let mut same = pairs.intersect_params(&self.scop.context.align_params(pairs.space()))?;
        let depth = self.own.depth;
        for level in 0..depth {
            same = same.equate(DimKind::In, level, DimKind::Out, level);
        }
        let mut all = Map::empty(same.space().clone());
        let n = self.directive.collapse;
        for level in depth..(depth + n).min(same.n(DimKind::In)).min(same.n(DimKind::Out)) {
            all = all.union(&same.order_lt(first, level, second, level))?;
            same = same.equate(DimKind::In, level, DimKind::Out, level);
        }
        Ok(all)
    }

    /// The pairs of which neither waits for the other: the one that is later in the outermost loop is earlier
    /// in the inner ones.
    fn without_waits(&self, pairs: Map) -> Result<Map, Error> {
        let Some(n) = self.directive.ordered else { return Ok(pairs) };
        let (outer, mut rest) = (self.own.depth, pairs.clone());
        let mut all = Map::empty(pairs.space().clone());
        let n_dims = pairs.n(DimKind::In).min(pairs.n(DimKind::Out));
        for level in outer + 1..(outer + n).min(n_dims) {
            let crossing = |first, second| {
                let later = rest.order_lt(first, outer, second, outer);
                later.order_lt(second, level, first, level)
            };
            all = all.union(&crossing(DimKind::In, DimKind::Out))?;
            all = all.union(&crossing(DimKind::Out, DimKind::In))?;
            rest = rest.equate(DimKind::In, level, DimKind::Out, level);
        }
        Ok(all)
    }

    /// A conflict in words, for small symbolic constants.
    fn told(&self, access: &Access, pairs: &Map) -> Result<String, Error> {
        let array = &self.scop.array(access.array).name;
        let line = self.line;
        let general = format!(
            "line {line}: iterations of the parallel loop disturb each other: two of them access `{array}`, and one writes it"
        );
        let Some(point) = self.small_point(pairs)? else { return Ok(general) };
        let n_params = pairs.n(DimKind::Param);
        let element = self.element(access, &point, n_params)?;
        let Some(iterations) = self.iterations_at(pairs, &point) else { return Ok(general) };
        Ok(format!(
            "line {line}: iterations of the parallel loop disturb each other: {iterations} access {array}{element}, and one writes it"
        ))
    }

    /// `for n = 2, iterations 0 and 1`.
    fn iterations_at(&self, pairs: &Map, point: &[Int]) -> Option<String> {
        let (n_params, n_in) = (pairs.n(DimKind::Param), pairs.n(DimKind::In));
        let depth = self.own.depth;
        let [first, second] = [n_params + depth, n_params + n_in + depth].map(|at| point.get(at));
        let constants = pairs.space().param_names().iter().zip(point);
        let constants = constants.map(|(name, value)| format!("{name} = {value}"));
        let constants: Vec<String> = constants.collect();
        let for_constants = match constants.is_empty() {
            true => String::new(),
            false => format!("for {}, ", constants.join(", ")),
        };
        Some(format!("{for_constants}iterations {} and {}", first?, second?))
    }

    /// A pair of instances for symbolic constants that are as small as possible, up to a factor of two.
    fn small_point(&self, pairs: &Map) -> Result<Option<Vec<Int>>, Error> {
        for most in [1, 2, 3, 4, 6, 8, 16, 32, 64, 128, 1024] {
            let mut small = pairs.clone();
            for at in 0..pairs.n(DimKind::Param) {
                small = small.upper_bound(DimKind::Param, at, &Int::from(most));
                small = small.lower_bound(DimKind::Param, at, &Int::from(-most));
            }
            if let Some(point) = small.sample_point(self.budget)? {
                return Ok(Some(point));
            }
        }
        pairs.sample_point(self.budget)
    }

    /// The subscripts of the element that the first instance of a pair accesses.
    fn element(&self, access: &Access, point: &[Int], n_params: usize) -> Result<String, Error> {
        let mut elements = access.relation.clone();
        for (at, value) in point[..n_params].iter().enumerate() {
            elements = elements.fix(DimKind::Param, at, value);
        }
        let n = elements.n(DimKind::In);
        for (at, value) in point[n_params..n_params + n].iter().enumerate() {
            elements = elements.fix(DimKind::In, at, value);
        }
        let element = elements.sample_point(self.budget)?.unwrap_or_default();
        Ok(element.iter().skip(n_params + n).map(|value| format!("[{value}]")).collect())
    }

    /// A variable that iterations have for themselves, of which a value is used that another iteration or the
    /// code around has written, or the other way around.
    fn wrong_private(
        &self,
        flow: &[Dependence],
        live_in: &[Reference],
    ) -> Result<Option<String>, Error> {
        let clauses = self.directive;
        let inside = |statement: StatementId| self.own.statements.contains(&statement);
        for flow in flow {
            let name = &self.scop.array(flow.array).name;
            let wrong = match (inside(flow.source.0), inside(flow.sink.0)) {
                (true, true) => {
                    let crossing = self.in_other_iterations(flow.relation.clone())?;
                    let crosses = !crossing.is_empty(self.budget)?;
                    crosses.then_some("a value that another iteration has written")
                }
                (false, true) if !clauses.first_private.contains(&**name) => {
                    Some("a value from before the loop")
                }
                (true, false) if clauses.last_private.contains(&**name) => {
                    let is_last = self.is_of_last_iterations(flow)?;
                    (!is_last)
                        .then_some("behind the loop a value of another iteration than the last")
                }
                (true, false) if !clauses.last_assigned.contains(&**name) => {
                    Some("behind the loop a value that an iteration has written")
                }
                (false, false)
                    if clauses.last_private.contains(&**name) && self.is_passed_by(flow) =>
                {
                    Some(
                        "behind the loop a value from before it, which is lost where it has no iterations",
                    )
                }
                _ => None,
            };
            if let Some(what) = wrong {
                let line = self.line;
                return Ok(Some(format!(
                    "line {line}: `{name}` is private to the iterations of the parallel loop, but the program uses {what}"
                )));
            }
        }
        let live = live_in.iter().find(|live| {
            inside(live.statement) && clauses.private.contains(&*self.scop.array(live.array).name)
        });
        Ok(live.map(|live| {
            let (name, line) = (&self.scop.array(live.array).name, self.line);
            format!("line {line}: `{name}` is private to the iterations of the parallel loop, but the program uses a value from before the loop")
        }))
    }

    /// Refuses values that `lastprivate` without `conditional` leaves: they are anything if the last
    /// iteration assigns none, and the model has no iterations without statements.
    fn refuse_last_private(&self, flow: &[Dependence]) -> Result<(), String> {
        let inside = |statement: StatementId| self.own.statements.contains(&statement);
        let leaves = |own: &&Dependence| {
            let name = &*self.scop.array(own.array).name;
            self.directive.last_private.contains(name)
                && inside(own.source.0)
                && !inside(own.sink.0)
        };
        let Some(own) = flow.iter().find(leaves) else { return Ok(()) };
        let (line, name) = (self.line, &self.scop.array(own.array).name);
        Err(format!(
            "line {line}: whether the last iteration of the parallel loop assigns to `{name}` is not known; `lastprivate(conditional: {name})` would not need it"
        ))
    }

    /// Whether no statement of the loop has an instance in a later iteration than those whose values flow out
    /// of it.
    fn is_of_last_iterations(&self, flow: &Dependence) -> Result<bool, Error> {
        let sources = flow.relation.domain();
        for statement in &self.own.statements {
            let domain = &self.scop.statement(*statement).domain;
            let pairs = Map::from_domain_and_range(&sources, domain)?;
            if !self.in_order(pairs, DimKind::In, DimKind::Out)?.is_empty(self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a value flows from the text in front of the loop to the text behind it.
    fn is_passed_by(&self, flow: &Dependence) -> bool {
        let between = |own: &StatementId| flow.source.0.0 < own.0 && own.0 < flow.sink.0.0;
        self.own.statements.iter().all(between)
    }

    /// The flow of values of variables that iterations have for themselves, and the reads of them that see
    /// values from before the region.
    fn flow_of_private(&self) -> Result<(Vec<Dependence>, Vec<Reference>), Error> {
        let clauses = self.directive;
        let is_looked_at = |own: &Reference| {
            let name = &*self.scop.array(own.array).name;
            clauses.is_private(name) && !clauses.reductions.iter().any(|(own, _)| **own == *name)
        };
        let all = Reference::all(self.scop);
        let all: Vec<&Reference> = all.iter().filter(|own| is_looked_at(own)).collect();
        let of = |keep: fn(&Reference) -> bool| -> Vec<&Reference> {
            all.iter().copied().filter(|own| keep(own)).collect()
        };
        let reads = of(Reference::is_read);
        let order = ProgramOrder::new(self.scop, &self.scop.schedule.flatten_on_whole_spaces()?);
        let engine = Engine::new(&order, self.budget);
        let found =
            engine.value_based(&of(Reference::is_may_write), &of(Reference::cuts), &reads)?;
        if !found.is_exact {
            return Err(self.budget.exceeded("dataflow of private variables"));
        }
        let from_before = found.no_source.iter().map(|(at, _)| reads[*at]);
        let is_visible = |own: &&Reference| !self.scop.array(own.array).declared_in_scop;
        let from_before: Vec<Reference> = from_before.filter(is_visible).cloned().collect();
        Ok((found.dependences, from_before))
    }
}
