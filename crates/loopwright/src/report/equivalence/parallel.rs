//! Whether parallel loops of a text carry a dependence: then its result depends on how threads run.
//!
//! Each directive is looked at alone: the front end reads the text with a pragma in its place that makes it tell which
//! statements the loop has. Two iterations must not access the same element of a shared variable if one of them writes it, and
//! what an iteration reads of its own variables it must have written.
use super::directive::{Directive, directives};
use super::regions::FoundRegion;
use loopwright_cfront::{IndependentLoop, read_text};
use loopwright_dataflow::{Dependence, Engine, ProgramOrder, Reference};
use loopwright_equivalence::{Extremum, Laws};
use loopwright_presburger::{Budget, DimKind, Error, Int, Map};
use loopwright_scop::{Access, AccessKind, ArithmeticOperator, Array, Scop, StatementId};

/// What was found out about the parallel loops of a region.
#[derive(Debug, Default)]
pub(super) struct ParallelLoops {
    /// How many there are.
    pub(super) number: usize,
    /// The first race, in words.
    pub(super) race: Option<String>,
}

/// A parallel loop of the model.
struct SharedLoop<'a> {
    scop: &'a Scop,
    directive: &'a Directive,
    own: IndependentLoop,
    /// Its line in the file.
    line: u32,
    budget: &'a Budget,
}

/// Looks at the parallel loops of a region: where it is modelled at elements, otherwise only at variables without subscripts.
///
/// # Errors
/// In words, if one of them cannot be looked at.
pub(super) fn parallel_loops(
    region: &FoundRegion,
    is_modelled: bool,
    laws: &Laws,
    budget: &Budget,
) -> Result<ParallelLoops, String> {
    let mut found = ParallelLoops::default();
    for directive in directives(&region.text.text) {
        let line = region.text.line_of_file(directive.lines.0 as u32 + 1);
        if line < region.lines.0 || line > region.lines.1 {
            continue;
        }
        found.number += 1;
        if let Some(name) = directive.shared_scalar() {
            let race = format!(
                "line {line}: iterations of the parallel loop share `{name}`, and each assigns to it"
            );
            found.race = Some(race);
            return Ok(found);
        }
        if !is_modelled {
            continue;
        }
        directive.refuse_others(line, laws)?;
        let Some((scop, own)) = shared_loop(region, &directive, line)? else { continue };
        let shared = SharedLoop { scop: &scop, directive: &directive, own, line, budget };
        let said = |error: Error| format!("line {line}: the parallel loop: {error}");
        if let Some(race) = shared.conflict().map_err(said)? {
            found.race = Some(race);
            return Ok(found);
        }
        if directive.has_private() {
            let (flow, live_in) = shared.flow_of_private().map_err(said)?;
            if let Some(race) = shared.wrong_private(&flow, &live_in).map_err(said)? {
                found.race = Some(race);
                return Ok(found);
            }
            shared.refuse_last_private(&flow)?;
        }
    }
    Ok(found)
}

impl Directive {
    /// Refuses what is not understood: other directives inside of the loop, and sums in another order.
    fn refuse_others(&self, line: u32, laws: &Laws) -> Result<(), String> {
        let known = |words: &&String| {
            let first = words.split_whitespace().next().unwrap_or_default();
            matches!(first, "simd" | "parallel" | "for")
                || (first == "ordered" && self.ordered.is_some())
        };
        if let Some(other) = self.inner.iter().find(|words| !known(words)) {
            let word = other.split_whitespace().next().unwrap_or_default();
            return Err(format!("line {line}: the parallel loop has `#pragma omp {word}` inside"));
        }
        let holds = |operator: &str| {
            let symbol = |own: &ArithmeticOperator| own.symbol() == operator;
            let name = |own: &Extremum| own.name() == operator;
            laws.associative_commutative.iter().any(symbol) || laws.extrema.iter().any(name)
        };
        match self.reductions.iter().find(|(_, operator)| !holds(operator)) {
            Some((name, operator)) => Err(format!(
                "line {line}: `{name}` is combined in any order; pass --associative '{operator}' if that does not matter"
            )),
            None => Ok(()),
        }
    }
}

/// The statements of a shared loop, with the model of its region; none if it has none.
fn shared_loop(
    region: &FoundRegion,
    directive: &Directive,
    line: u32,
) -> Result<Option<(Scop, IndependentLoop)>, String> {
    let text = &region.text;
    let mut lines: Vec<&str> = text.text.lines().collect();
    let (first, last) = directive.lines;
    lines[first] = "#pragma pencil independent";
    lines[first + 1..=last].fill("");
    let read = read_text(&text.path, &lines.join("\n"), &text.options);
    let regions = read.and_then(|source| source.extract());
    let failed = |what: &str| format!("line {line}: the parallel loop {what}");
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
    /// Whether each iteration has a variable for itself.
    fn is_private(&self, array: &Array) -> bool {
        let is_inside = array.declared_in_scop && array.declaration_depth > self.own.depth;
        is_inside || self.directive.is_private(&array.name)
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

    /// The pairs in one execution of the loop of which the iteration of one instance is before that of the other.
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

    /// The pairs of which neither waits for the other: the one that is later in the outermost loop is earlier in the inner ones.
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
        let (depth, line) = (self.own.depth, self.line);
        let general = format!(
            "line {line}: iterations of the parallel loop disturb each other: two of them access `{array}`, and one writes it"
        );
        let Some(point) = self.small_point(pairs)? else { return Ok(general) };
        let n_params = pairs.n(DimKind::Param);
        let element = self.element(access, &point, n_params)?;
        let n_in = pairs.n(DimKind::In);
        let iterations = [point.get(n_params + depth), point.get(n_params + n_in + depth)];
        let [Some(first), Some(second)] = iterations else { return Ok(general) };
        let constants = pairs.space().param_names().iter().zip(&point);
        let constants = constants.map(|(name, value)| format!("{name} = {value}"));
        let constants: Vec<String> = constants.collect();
        let for_constants = match constants.is_empty() {
            true => String::new(),
            false => format!("for {}, ", constants.join(", ")),
        };
        Ok(format!(
            "line {line}: iterations of the parallel loop disturb each other: {for_constants}iterations {first} and {second} access {array}{element}, and one writes it"
        ))
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

    /// A variable that iterations have for themselves, of which a value is used that another iteration or the code around has
    /// written, or the other way around.
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

    /// Refuses values that `lastprivate` without `conditional` leaves: they are anything if the last iteration assigns none, and
    /// the model has no iterations without statements.
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

    /// Whether no statement of the loop has an instance in a later iteration than those whose values flow out of it.
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

    /// The flow of values of variables that iterations have for themselves, and the reads of them that see values from before the region.
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
