//! Statements whose control depends on data, as functions of all that they may read.
//!
//! A loop that ends when data say so, a `switch`, a subscript that is data: what such a statement computes
//! has no value as a tree. But it is a function of what it reads, and of what the elements that it may write
//! held before. The function is known by its text ([`crate::spelling`]), its operands by the accesses of the
//! model. It is taken apart into instances that run behind each other:
//!
//! * The statement writes `m := f(x, y, ...)` to a variable of its own, where `x`, `y` are the elements that
//!   it only reads and that are one each.
//! * For each place of which there are several elements, or that is also written, `m := f'(m, e)` runs for
//!   all elements `e`, in lexicographic order.
//! * For each element that may be written, it becomes `g(m)`, by its place in the array.
//!
//! So all operands flow into `m`, and all results from it, by reads and writes of one element each:
//! executions and proofs need nothing new. Elements that are not in an array are left out: a program that
//! accesses them means nothing in C.
//!
//! Whether an operand matters is not known. Those of the second kind are marked ([`Function::Perhaps`]): if
//! only these differ, that is no witness.
use crate::body::{Values, relation_of, words};
use crate::spelling::{Place, Spelling, spelling};
use crate::value::{Definition, Function, NodeId, NodeKind, Operator, Read};
use loopwright_presburger::{Aff, Budget, DimKind, Map, Name, PwAff, Result, Set, Space, Tuple};
use loopwright_scop::{AccessKind, Array, ArrayId, Body, Scop, Statement, StatementId};

/// Steps for comparing the accesses of one statement.
const STEPS: u64 = 200_000;

/// A part of a statement: its instances run behind those of the statement, in the order of parts and then of
/// elements.
pub(crate) struct Part {
    pub(crate) statement: Statement,
    /// `P[i, x] -> S[i]`.
    pub(crate) whole: Map,
}

/// The parts of a statement, and the variable between them.
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
    pub(crate) memory: Array,
    /// Symbolic constants for which some instance can access less than two elements of a place, so that there
    /// is nothing to choose: these are no witnesses.
    pub(crate) senseless: Option<Set>,
}

/// What a statement does with a place.
#[derive(Clone, Default)]
struct Uses {
    /// `S[i] -> A[x]`: elements whose old values may matter.
    read: Option<Map>,
    written: Option<Map>,
}

struct Division<'a> {
    scop: &'a Scop,
    position: usize,
    values: &'a mut Values,
    spelling: Spelling,
    uses: Vec<Uses>,
    memory: ArrayId,
    parts: Vec<Part>,
}

type Outcome<T> = std::result::Result<T, String>;

/// The parts of the statement at a position; they get the positions behind all statements, and their variable
/// that behind all arrays.
///
/// # Errors
/// In words, if the statement is no function of elements that the model knows.
pub(crate) fn parts(scop: &Scop, position: usize, values: &mut Values) -> Outcome<Parts> {
    let statement = &scop.statements[position];
    let root = statement.body.root().filter(|_| statement.body.hidden().is_empty());
    let root = root.ok_or("it calls a function that accesses variables")?;
    let spelling = spelling(scop, root)?;
    let memory = ArrayId(scop.arrays.len() as u32);
    let uses = uses(scop, statement, &spelling.places)?;
    let mut own = Division { scop, position, values, spelling, uses, memory, parts: Vec::new() };
    own.divide().map_err(words)?;
    let name: Name = format!("state_of_{}", statement.name).into();
    let memory = Array {
        name: name.clone(),
        tuple_name: name,
        element_type: String::new(),
        element_bytes: None,
        element_kind: Default::default(),
        extents: Vec::new(),
        extent_texts: Vec::new(),
        is_member: false,
        declared_in_scop: true,
        live_out: false,
        declaration_depth: 0,
    };
    let senseless = senseless(statement, &own.spelling.places, &own.uses).map_err(words)?;
    Ok(Parts { parts: own.parts, memory, senseless })
}

/// What a statement does with its places.
fn uses(scop: &Scop, statement: &Statement, places: &[Place]) -> Outcome<Vec<Uses>> {
    let budget = Budget::steps(STEPS);
    let mut uses = vec![Uses::default(); places.len()];
    for access in &statement.accesses {
        let array = scop.array(access.array);
        let relation = access.relation.intersect_params(&scop.context).map_err(words)?;
        let of_array = || places.iter().enumerate().filter(|(_, own)| own.array == access.array);
        let whole = of_array().find(|(_, own)| own.subscripts.is_none());
        let (at, relation) = match whole {
            Some((at, _)) => (at, within(array, &relation).map_err(words)?),
            None => {
                let mut found = None;
                for (at, place) in of_array() {
                    let own = element_of(statement, array, place).map_err(words)?;
                    let own = own.intersect_params(&scop.context).map_err(words)?;
                    if own.is_equal(&relation, &budget).map_err(words)? {
                        found = Some((at, own));
                    }
                }
                let why = || {
                    format!("it accesses `{}` in a way that is no element in its text", array.name)
                };
                found.ok_or_else(why)?
            }
        };
        let is_read = matches!(access.kind, AccessKind::Read | AccessKind::MayWrite);
        let is_written = matches!(access.kind, AccessKind::MustWrite | AccessKind::MayWrite);
        if is_read {
            add(&mut uses[at].read, &relation).map_err(words)?;
        }
        if is_written {
            add(&mut uses[at].written, &relation).map_err(words)?;
        }
        if !is_read && !is_written {
            return Err(format!("`{}` is declared in it", array.name));
        }
        if whole.is_some() && array.extents.iter().any(Option::is_none) {
            return Err(format!(
                "it may access any element of `{}`, whose size is not known",
                array.name
            ));
        }
    }
    Ok(uses)
}

/// Symbolic constants for which an instance has less than two elements of a place.
fn senseless(statement: &Statement, places: &[Place], uses: &[Uses]) -> Result<Option<Set>> {
    let budget = Budget::steps(STEPS);
    let mut found: Option<Set> = None;
    for (_, uses) in places.iter().zip(uses).filter(|(place, _)| place.subscripts.is_none()) {
        for relation in uses.read.iter().chain(&uses.written) {
            let larger = Map::lex_lt(&relation.space().range());
            let larger = relation.apply_range_within(&larger, &budget)?;
            let several = relation.intersect_within(&larger, &budget)?.domain();
            let own = statement.domain.subtract(&several, &budget)?.params();
            found = Some(found.map_or(Ok(own.clone()), |others| others.union(&own))?);
        }
    }
    Ok(found)
}

fn add(known: &mut Option<Map>, relation: &Map) -> Result<()> {
    *known = Some(match known.take() {
        Some(others) => others.union(relation)?,
        None => relation.clone(),
    });
    Ok(())
}

/// The part of a relation to elements that an array has.
fn within(array: &Array, relation: &Map) -> Result<Map> {
    let params = relation.space().param_names();
    let space = Space::set(params, Tuple::named(&array.tuple_name, array.extents.len()));
    let elements = array.elements(&space)?.align_params(relation.space());
    relation.intersect_range(&elements)
}

/// `S[i] -> A[x]` for a place of one element.
fn element_of(statement: &Statement, array: &Array, place: &Place) -> Result<Map> {
    let subscripts = place.subscripts.as_deref().unwrap_or_default();
    let tuple = Tuple::named(&array.tuple_name, subscripts.len());
    relation_of(&statement.domain, tuple, subscripts)
}

impl Division<'_> {
    fn statement(&self) -> &Statement {
        &self.scop.statements[self.position]
    }

    fn divide(&mut self) -> Result<()> {
        self.begin()?;
        for at in 0..self.uses.len() {
            let is_operand = self.is_single_operand(at);
            if let Some(read) = self.uses[at].read.clone().filter(|_| !is_operand) {
                self.take(at, &read)?;
            }
        }
        for at in 0..self.uses.len() {
            if let Some(written) = self.uses[at].written.clone() {
                self.give(at, &written)?;
            }
        }
        Ok(())
    }

    fn is_written(&self, array: ArrayId) -> bool {
        let mut places = self.spelling.places.iter().zip(&self.uses);
        places.any(|(place, uses)| place.array == array && uses.written.is_some())
    }

    /// Whether a place is one element whose old value is an operand: the statement does not write it, or
    /// reads it first.
    fn is_single_operand(&self, at: usize) -> bool {
        let place = &self.spelling.places[at];
        let same = self.spelling.places.iter().filter(|own| own.array == place.array).count();
        let reads_first = || {
            let mut accesses = self.statement().accesses.iter();
            let first = accesses.find(|access| access.array == place.array);
            // Steps in heads of loops stand in front of what runs before them.
            same == 1
                && first.is_some_and(|access| access.kind == AccessKind::Read)
                && !self.spelling.text.split(' ').any(|token| token == "for")
        };
        place.subscripts.is_some() && (!self.is_written(place.array) || reads_first())
    }

    /// `m := f(x, ...)`, in the instances of the statement itself.
    fn begin(&mut self) -> Result<()> {
        let mut operands = Vec::new();
        for at in 0..self.uses.len() {
            if let Some(read) = self.uses[at].read.clone().filter(|_| self.is_single_operand(at)) {
                operands.push(self.read(self.position, self.spelling.places[at].array, read));
            }
        }
        // They may be nothing but subscripts of what is read from it.
        let has_whole = self.spelling.places.iter().any(|place| place.subscripts.is_none());
        for form in self.spelling.integers.clone() {
            let integer = self.values.node(self.position, NodeKind::Integer(form));
            operands.push(match has_whole {
                true => self.perhaps(self.position, vec![integer]),
                false => integer,
            });
        }
        operands.extend(self.subscripts());
        let Spelling { text, types, .. } = &self.spelling;
        let function = Function::Uninterpreted { text: text.clone(), types: types.clone() };
        let value = self.operation(self.position, function, operands);
        let domain = self.statement().domain.clone();
        self.define(self.position, &domain, value)
    }

    /// Subscripts of arrays that have several places, if these may be the same element and one is written, or
    /// one is the whole array, which then has what all of them read.
    fn subscripts(&mut self) -> Vec<NodeId> {
        let places = self.spelling.places.clone();
        let mut operands = Vec::new();
        for place in &places {
            let same = || places.iter().filter(|own| own.array == place.array);
            let has_whole = same().any(|own| own.subscripts.is_none());
            if same().count() < 2 || !(has_whole || self.is_written(place.array)) {
                continue;
            }
            for form in place.subscripts.iter().flatten() {
                let integer = self.values.node(self.position, NodeKind::Integer(form.clone()));
                operands.push(self.perhaps(self.position, vec![integer]));
            }
        }
        operands
    }

    /// `m := f'(m, e)` for all elements of a place.
    fn take(&mut self, at: usize, read: &Map) -> Result<()> {
        let array = self.spelling.places[at].array;
        let (position, element, mut known) = self.part(at, read)?;
        let domain = element.domain();
        known.push(self.read(position, array, element));
        let value = self.perhaps(position, known);
        let memory = self.memory_of(&domain)?;
        let before = self.read(position, self.memory, memory);
        let function = Function::Uninterpreted { text: format!("and @{at}"), types: String::new() };
        let value = self.operation(position, function, vec![before, value]);
        self.define(position, &domain, value)
    }

    /// `e := g(m)` for all elements of a place.
    fn give(&mut self, at: usize, written: &Map) -> Result<()> {
        let array = self.spelling.places[at].array;
        let (position, relation, known) = self.part(at, written)?;
        let memory = self.memory_of(&relation.domain())?;
        let mut operands = vec![self.read(position, self.memory, memory)];
        if !known.is_empty() {
            operands.push(self.perhaps(position, known));
        }
        let function = Function::Uninterpreted { text: format!("@{at}"), types: String::new() };
        let value = self.operation(position, function, operands);
        self.values.definitions.push(Definition { statement: position, array, relation, value });
        Ok(())
    }

    /// A new part for the elements of a place: its position, the relation from its instances to their
    /// elements, and the subscripts of these if instances of the statement have several.
    fn part(&mut self, at: usize, elements: &Map) -> Result<(usize, Map, Vec<NodeId>)> {
        let position = self.scop.statements.len() + self.parts.len();
        let of = self.statement();
        let is_one = self.spelling.places[at].subscripts.is_some();
        let n = elements.n(DimKind::In);
        let n_own = if is_one { 0 } else { elements.n(DimKind::Out) };
        let name: Name = format!("{}_{}", of.name, self.parts.len()).into();
        let tuple = Tuple::named(&name, n + n_own);
        let params = elements.space().param_names();
        let space = Space::set(params, tuple.clone());
        let domain = match is_one {
            true => elements.domain(),
            false => elements.wrap().flatten(),
        };
        let domain = domain.with_space_tuples(&space)?;
        let all = |to: Option<&Tuple>| {
            let range = Set::universe(Space::set(params, to.cloned().unwrap_or_default()));
            Map::from_domain_and_range(&Set::universe(space.clone()), &range)
        };
        let mut whole = all(elements.space().input())?;
        for dim in 0..n {
            whole = whole.equate(DimKind::In, dim, DimKind::Out, dim);
        }
        let mut element = match is_one {
            true => whole.apply_range(elements)?,
            false => all(elements.space().output())?,
        };
        for dim in 0..n_own {
            element = element.equate(DimKind::In, n + dim, DimKind::Out, dim);
        }
        let statement = Statement {
            id: StatementId(position as u32),
            name,
            domain: domain.clone(),
            iterators: (0..n + n_own).map(|at| format!("x{at}").into()).collect(),
            iterator_types: vec!["long".to_string(); n + n_own],
            accesses: Vec::new(),
            body: Body::default(),
            is_kill: false,
            location: of.location,
        };
        self.parts.push(Part { statement, whole });
        let variable = |dim| PwAff::from_aff(Aff::variable(&space, DimKind::Out, n + dim));
        let known = (0..n_own).map(|dim| NodeKind::Integer(variable(dim)));
        let known = known.map(|kind| self.values.node(position, kind)).collect();
        Ok((position, element.intersect_domain(&domain)?, known))
    }

    fn read(&mut self, statement: usize, array: ArrayId, relation: Map) -> NodeId {
        self.values.read(Read { statement, array, relation })
    }

    fn operation(&mut self, statement: usize, function: Function, of: Vec<NodeId>) -> NodeId {
        self.values.node(statement, NodeKind::Operation(Operator::new(function, None), of))
    }

    fn perhaps(&mut self, statement: usize, operands: Vec<NodeId>) -> NodeId {
        self.operation(statement, Function::Perhaps, operands)
    }

    /// From the instances of a domain to the variable between the parts.
    fn memory_of(&self, domain: &Set) -> Result<Map> {
        let name = format!("state_of_{}", self.statement().name);
        let space = Space::set(domain.space().param_names(), Tuple::named(&name, 0));
        Map::from_domain_and_range(domain, &Set::universe(space))
    }

    fn define(&mut self, statement: usize, domain: &Set, value: NodeId) -> Result<()> {
        let relation = self.memory_of(domain)?;
        let array = self.memory;
        self.values.definitions.push(Definition { statement, array, relation, value });
        Ok(())
    }
}
