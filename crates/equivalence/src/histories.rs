//! Histories of elements for given values of the symbolic constants: the program, executed on symbols.
//!
//! Each different history is one number (terms are made once), so two histories are the same if their numbers
//! are. With declared laws a term of such an operator is the list of its operands, sorted if it is
//! commutative. It shares nothing with the proof but the model: it runs instances in the order of the
//! schedule on a memory.
use crate::access_functions::AffineFunction;
use crate::accumulation::Accumulation;
use crate::laws::Laws;
use crate::program::{Program, Unmodelled};
use crate::value::{Function, NodeId, NodeKind, Operator};
use loopwright_presburger::{Budget, DimKind, Int, Map, Result, Set, Space, Tuple};
use loopwright_scop::{AccessKind, ArrayId};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A history, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TermId(u32);

/// What a history is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    /// What an element held before, in the names of the first program.
    Before(String, Vec<i64>),
    Integer(i64),
    Operation(Operator, Vec<TermId>),
    Undefined,
}

/// All histories that have come up.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    numbers: FxHashMap<Term, TermId>,
    /// Whether a value that is not defined is part of it.
    is_undefined: Vec<bool>,
    /// Whether a function that is only known by its text is part of it.
    is_uninterpreted: Vec<bool>,
}

/// An element of an array.
pub(crate) type Element = (ArrayId, Vec<i64>);

/// What elements hold at the end.
pub(crate) type Memory = FxHashMap<Element, TermId>;

/// Steps for executing both programs once.
pub(crate) const STEPS_OF_A_RUN: u64 = 30_000_000;

/// The most instances of one statement that are executed for one choice of the symbolic constants: two tiles
/// of 32 in each of three dimensions have 300,000, but those over time that are skewed show all that they
/// have with less.
const MOST_INSTANCES: usize = 80_000;

impl Terms {
    pub(crate) fn number(&mut self, term: Term) -> TermId {
        if let Some(known) = self.numbers.get(&term) {
            return *known;
        }
        let id = TermId(self.terms.len() as u32);
        let is_undefined = match &term {
            Term::Undefined => true,
            Term::Operation(_, operands) => {
                operands.iter().any(|own| self.is_undefined[own.0 as usize])
            }
            Term::Before(..) | Term::Integer(_) => false,
        };
        let is_uninterpreted = match &term {
            Term::Operation(operator, operands) => {
                operator.is_uninterpreted()
                    || operands.iter().any(|own| self.is_uninterpreted[own.0 as usize])
            }
            Term::Undefined | Term::Before(..) | Term::Integer(_) => false,
        };
        self.is_undefined.push(is_undefined);
        self.is_uninterpreted.push(is_uninterpreted);
        self.terms.push(term.clone());
        self.numbers.insert(term, id);
        id
    }

    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize]
    }

    pub(crate) fn is_undefined(&self, id: TermId) -> bool {
        self.is_undefined[id.0 as usize]
    }

    /// Whether a function that is only known by its text is part of a history.
    pub(crate) fn is_uninterpreted(&self, id: TermId) -> bool {
        self.is_uninterpreted[id.0 as usize]
    }

    /// The term of an operator, with the operands of those inside of it if it is associative, sorted if
    /// commutative, and without what is neutral.
    pub(crate) fn operation(
        &mut self,
        operator: Operator,
        operands: Vec<TermId>,
        laws: &Laws,
    ) -> TermId {
        if let Some(folded) = self.folded(&operator, &operands, laws) {
            return folded;
        }
        if !laws.hold_for(&operator) {
            return self.number(Term::Operation(operator, operands));
        }
        let mut flat = Vec::new();
        for operand in operands {
            match &self.terms[operand.0 as usize] {
                Term::Operation(inner, parts) if *inner == operator => flat.extend(parts),
                _ => flat.push(operand),
            }
        }
        self.without_constants(&operator, &mut flat, laws);
        flat.sort_unstable();
        if operator.is_idempotent() {
            flat.dedup();
        }
        if let [one] = flat[..] {
            return one;
        }
        self.number(Term::Operation(operator, flat))
    }

    /// The first places, from left to right, where two different histories differ; operands that may not
    /// matter are one place.
    pub(crate) fn first_difference(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let (mut a, mut b) = (a, b);
        loop {
            let (Term::Operation(f, left), Term::Operation(g, right)) =
                (&self.terms[a.0 as usize], &self.terms[b.0 as usize])
            else {
                return (a, b);
            };
            let mut different = left.iter().zip(right).filter(|(x, y)| x != y);
            let go_on = f == g && left.len() == right.len() && f.function != Function::Perhaps;
            match (go_on, different.next()) {
                (true, Some((x, y))) => (a, b) = (*x, *y),
                _ => return (a, b),
            }
        }
    }

    /// A history in the notation of C; parts that lie deeper than `depth` are dots.
    pub(crate) fn text(&self, id: TermId, depth: usize) -> String {
        match &self.terms[id.0 as usize] {
            Term::Undefined => "an undefined value".to_string(),
            Term::Integer(value) => value.to_string(),
            Term::Before(name, subscripts) => element_text(name, subscripts),
            Term::Operation(operator, operands) if operands.is_empty() => operator.to_string(),
            Term::Operation(..) if depth == 0 => "...".to_string(),
            Term::Operation(operator, operands) => {
                let text = |part: &TermId| self.text(*part, depth - 1);
                let mut parts: Vec<String> = operands.iter().map(text).collect();
                if operator.infix().is_some() && parts.len() > 2 * ENDS_OF_TEXT + 1 {
                    let last = parts.len() - ENDS_OF_TEXT;
                    parts.splice(ENDS_OF_TEXT..last, ["...".to_string()]);
                }
                operation_text(operator, &parts)
            }
        }
    }
}

/// Of long sums so many operands are printed at both ends.
const ENDS_OF_TEXT: usize = 3;

/// An element in C.
pub(crate) fn element_text(name: &str, subscripts: &[i64]) -> String {
    let mut text = name.to_string();
    for subscript in subscripts {
        let _ = write!(text, "[{subscript}]");
    }
    text
}

fn operation_text(operator: &Operator, parts: &[String]) -> String {
    match (operator.infix(), &operator.function, parts) {
        (Some(symbol), _, parts) => format!("({})", parts.join(&format!(" {symbol} "))),
        (_, Function::Select, [condition, then, otherwise]) => {
            format!("({condition} ? {then} : {otherwise})")
        }
        (
            _,
            Function::Call(_)
            | Function::Extremum(_)
            | Function::Uninterpreted { .. }
            | Function::Perhaps,
            parts,
        ) => format!("{operator}({})", parts.join(", ")),
        (_, _, parts) => format!("{operator}{}", parts.join(", ")),
    }
}

/// What an instance writes to an element.
#[derive(Clone, Debug)]
pub(crate) struct WrittenValue {
    pub(crate) definition: usize,
    pub(crate) element: Element,
    pub(crate) value: TermId,
    /// What the definition adds to what the element held, if it accumulates.
    pub(crate) added: Option<TermId>,
}

/// What an instance writes.
pub(crate) type Written = Vec<WrittenValue>;

/// Is told of the statement and the point of an instance what it writes.
pub(crate) type Note<'n> = dyn FnMut(usize, &[i64], &Written) + 'n;

/// What happens at one time.
enum Event {
    Run { statement: usize, instance: Vec<i64> },
    Kill { element: Element },
}

/// The execution of a program for given values of the symbolic constants.
pub(crate) struct Run<'a> {
    program: &'a Program,
    parameters: &'a [i64],
    laws: &'a Laws,
    budget: &'a Budget,
    /// The elements that reads and definitions access.
    read_elements: Vec<Elements<'a>>,
    definition_elements: Vec<Elements<'a>>,
}

/// The element that each instance accesses.
enum Elements<'a> {
    Function(&'a AffineFunction),
    Listed(FxHashMap<Vec<i64>, Vec<i64>>),
}

impl Elements<'_> {
    fn of(&self, parameters: &[i64], instance: &[i64]) -> Option<Vec<i64>> {
        match self {
            Elements::Function(function) => function.at(parameters, instance),
            Elements::Listed(all) => all.get(instance).cloned(),
        }
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        program: &'a Program,
        parameters: &'a [i64],
        laws: &'a Laws,
        budget: &'a Budget,
    ) -> Result<Self> {
        let elements = |function: &'a Option<AffineFunction>, relation: &Map| {
            if let Some(function) = function {
                return Ok(Elements::Function(function));
            }
            let n = relation.n(DimKind::In);
            let points = pairs(relation, parameters, budget)?.into_iter().map(|mut point| {
                let element = point.split_off(n);
                (point, element)
            });
            Ok(Elements::Listed(points.collect()))
        };
        let is_final =
            |statement: usize| statement >= program.statements.len() - program.results.len();
        let reads = program.reads.iter().zip(&program.read_functions);
        let reads = reads.map(|(read, function)| match is_final(read.statement) {
            true => Ok(Elements::Listed(FxHashMap::default())),
            false => elements(function, &read.relation),
        });
        let read_elements = reads.collect::<Result<_>>()?;
        let definitions = program.definitions.iter().zip(&program.definition_functions);
        let definitions = definitions.map(|(own, function)| elements(function, &own.relation));
        let definition_elements = definitions.collect::<Result<_>>()?;
        Ok(Run { program, parameters, laws, budget, read_elements, definition_elements })
    }

    /// What the elements that are written hold at the end. `name` gives the first value of an element.
    pub(crate) fn memory(
        &self,
        terms: &mut Terms,
        name: &dyn Fn(&Element) -> Term,
    ) -> std::result::Result<Memory, Unmodelled> {
        self.execute(terms, name, &mut |_, _, _| {})
    }

    /// The same, and `note` is told of each instance what it writes.
    pub(crate) fn execute(
        &self,
        terms: &mut Terms,
        name: &dyn Fn(&Element) -> Term,
        note: &mut Note<'_>,
    ) -> std::result::Result<Memory, Unmodelled> {
        let mut memory = Memory::default();
        for (_, event) in self.events()? {
            match event {
                Event::Kill { element } => {
                    let undefined = terms.number(Term::Undefined);
                    memory.insert(element, undefined);
                }
                Event::Run { statement, instance } => {
                    let mut written = Written::new();
                    for (at, own) in self.program.definitions.iter().enumerate() {
                        if own.statement != statement {
                            continue;
                        }
                        let elements = &self.definition_elements[at];
                        let Some(element) = elements.of(self.parameters, &instance) else {
                            continue;
                        };
                        let value = self.value(own.value, &instance, &memory, terms, name)?;
                        let element = (own.array, element);
                        let added = match self.program.accumulation(at) {
                            Some(own) => Some(self.combined(own, &instance, &memory, terms, name)?),
                            None => None,
                        };
                        written.push(WrittenValue { definition: at, element, value, added });
                    }
                    if !written.is_empty() {
                        note(statement, &instance, &written);
                    }
                    memory.extend(written.into_iter().map(|own| (own.element, own.value)));
                }
            }
        }
        Ok(memory)
    }

    /// All instances and kills in the order of their times.
    fn events(&self) -> std::result::Result<Vec<(Vec<i64>, Event)>, Unmodelled> {
        let mut events = Vec::new();
        let n_finals = self.program.results.len();
        let own = self.program.statements.len() - n_finals;
        for (position, statement) in self.program.statements[..own].iter().enumerate() {
            let n = statement.domain.n(DimKind::Out);
            for (instance, time) in self.instances(position)? {
                if !statement.is_kill {
                    events.push((time, Event::Run { statement: position, instance }));
                    continue;
                }
                for access in statement.accesses.iter().filter(|a| a.kind == AccessKind::Kill) {
                    let whole = fixed_domain(&access.relation, &instance)?;
                    let Ok(killed) = pairs(&whole, self.parameters, self.budget) else { continue };
                    for mut element in killed {
                        let element = element.split_off(n);
                        let element = (access.array, element);
                        events.push((time.clone(), Event::Kill { element }));
                    }
                }
            }
        }
        events.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(events)
    }

    /// The instances of a statement with their times.
    fn instances(&self, statement: usize) -> Result<Vec<(Vec<i64>, Vec<i64>)>> {
        let Some(time) = &self.program.times[statement] else { return Ok(Vec::new()) };
        let domain = &self.program.statements[statement].domain;
        let Some(function) = &self.program.time_functions[statement] else {
            let timed = time.intersect_domain(domain)?;
            let n = timed.n(DimKind::In);
            let pairs = pairs(&timed, self.parameters, self.budget)?.into_iter();
            let divided = pairs.map(|mut instance| {
                let time = instance.split_off(n);
                (instance, time)
            });
            return Ok(divided.collect());
        };
        let timed = |instance: Vec<i64>| {
            let time = function.at(self.parameters, &instance)?;
            Some((instance, time))
        };
        let nest = self.program.nests[statement].as_ref();
        let listed = nest.map(|nest| nest.points(self.parameters, MOST_INSTANCES, self.budget));
        let all = match listed.transpose()?.flatten() {
            Some(all) => all,
            None => points(domain, self.parameters, self.budget)?,
        };
        Ok(all.into_iter().filter_map(timed).collect())
    }

    fn value(
        &self,
        node: NodeId,
        instance: &[i64],
        memory: &Memory,
        terms: &mut Terms,
        name: &dyn Fn(&Element) -> Term,
    ) -> std::result::Result<TermId, Unmodelled> {
        let point = || -> Vec<Int> {
            self.parameters.iter().chain(instance).map(|value| Int::from(*value)).collect()
        };
        match self.program.kind(node) {
            NodeKind::Integer(form) => {
                let value = form.eval(&point(), self.budget)?.and_then(|value| value.to_int());
                let value = value.and_then(|value| value.to_i64());
                Ok(terms.number(value.map_or(Term::Undefined, Term::Integer)))
            }
            NodeKind::Read(read) => {
                let own = &self.program.reads[read.0];
                let subscripts = self.read_elements[read.0].of(self.parameters, instance);
                let Some(subscripts) = subscripts else {
                    return Ok(terms.number(Term::Undefined));
                };
                let element = (own.array, subscripts);
                Ok(match memory.get(&element) {
                    Some(known) => *known,
                    None => terms.number(name(&element)),
                })
            }
            NodeKind::Choice { condition, then, otherwise } => {
                let holds = condition.contains_point(&point(), self.budget)?;
                let taken = if holds { *then } else { *otherwise };
                self.value(taken, instance, memory, terms, name)
            }
            NodeKind::Operation(operator, operands) => {
                let values = self.values(operands, instance, memory, terms, name)?;
                self.operation(operator, values, terms)
            }
        }
    }

    fn values(
        &self,
        nodes: &[NodeId],
        instance: &[i64],
        memory: &Memory,
        terms: &mut Terms,
        name: &dyn Fn(&Element) -> Term,
    ) -> std::result::Result<Vec<TermId>, Unmodelled> {
        nodes.iter().map(|node| self.value(*node, instance, memory, terms, name)).collect()
    }

    fn operation(
        &self,
        operator: &Operator,
        values: Vec<TermId>,
        terms: &mut Terms,
    ) -> std::result::Result<TermId, Unmodelled> {
        let term = terms.operation(operator.clone(), values, self.laws);
        // Long sums are long lists.
        if let Term::Operation(_, operands) = terms.term(term)
            && self.laws.hold_for(operator)
        {
            self.budget.spend(operands.len() as u64, "executing a program on symbols")?;
        }
        Ok(term)
    }

    /// What an accumulation adds to what its element holds.
    fn combined(
        &self,
        own: &Accumulation,
        instance: &[i64],
        memory: &Memory,
        terms: &mut Terms,
        name: &dyn Fn(&Element) -> Term,
    ) -> std::result::Result<TermId, Unmodelled> {
        let mut values = self.values(&own.added, instance, memory, terms, name)?;
        match values.pop() {
            Some(one) if values.is_empty() => Ok(one),
            last => {
                values.extend(last);
                self.operation(&own.operator, values, terms)
            }
        }
    }
}

/// The points of a relation for given parameters: input, then output.
fn pairs(relation: &Map, parameters: &[i64], budget: &Budget) -> Result<Vec<Vec<i64>>> {
    let mut relation = relation.clone();
    for (at, value) in parameters.iter().enumerate() {
        relation = relation.fix(DimKind::Param, at, &Int::from(*value));
    }
    let points = relation.points(MOST_INSTANCES, budget)?;
    let small = |point: Vec<Int>| {
        let values = point[parameters.len()..].iter().map(Int::to_i64);
        values.collect::<Option<Vec<i64>>>()
    };
    Ok(points.into_iter().filter_map(small).collect())
}

/// The points of a set for given parameters.
fn points(set: &Set, parameters: &[i64], budget: &Budget) -> Result<Vec<Vec<i64>>> {
    let nowhere = Space::set(set.space().param_names(), Tuple::anonymous(0));
    pairs(&Map::from_domain_and_range(set, &Set::universe(nowhere))?, parameters, budget)
}

fn fixed_domain(relation: &Map, instance: &[i64]) -> Result<Map> {
    let mut fixed = relation.clone();
    for (at, value) in instance.iter().enumerate() {
        fixed = fixed.fix(DimKind::In, at, &Int::from(*value));
    }
    Ok(fixed)
}

/// So many choices of symbolic constants are listed.
const MOST_CHOICES: i64 = 50_000;

/// The values of symbolic constants that are tried, smallest sums first: all of a context with values up to
/// `most`.
pub(crate) fn small_parameters(context: &Set, most: i64, limit: usize) -> Vec<Vec<i64>> {
    let n = context.n(DimKind::Param) as u32;
    let count = |most: i64| (most + 1).checked_pow(n).filter(|count| *count <= MOST_CHOICES);
    let Some(most) = (1..=most).rev().find(|most| count(*most).is_some()) else {
        return Vec::new();
    };
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |values: &Vec<i64>| {
            let values = values.clone();
            (0..=most).map(move |value| [&values[..], &[value]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort_by_key(|values| (values.iter().sum::<i64>(), values.clone()));
    let budget = Budget::steps(1_000_000);
    let holds = |values: &Vec<i64>| {
        let point: Vec<Int> = values.iter().map(|value| Int::from(*value)).collect();
        context.contains_point(&point, &budget).unwrap_or(false)
    };
    all.into_iter().filter(holds).take(limit).collect()
}
