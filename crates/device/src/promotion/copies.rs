//! Statements that copy between memory of the device and promoted arrays.
use super::promoting::Promoting;
use loopwright_presburger::{Aff, DimKind, Map, MultiAff, Name, PwAff, Result, Set, Space, Tuple};
use loopwright_scop::{
    Access, AccessKind, ArrayId, Body, Element, ElementText, Location, ReferenceId, Statement,
    StatementId, Term,
};

/// A statement of a kernel, of the program or added, with the values of the loops that run it.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) id: StatementId,
    pub(crate) space: Space,
    pub(crate) blocks: Vec<Aff>,
    pub(crate) threads: Vec<Aff>,
    /// The values of the loops that each thread runs.
    pub(crate) loops: Vec<Aff>,
}

/// An element, and what the model says of it.
pub(crate) struct Accessed {
    pub(crate) element: Element,
    pub(crate) array: ArrayId,
    pub(crate) relation: Map,
}

impl Accessed {
    /// A statement with this in place of all elements of an array.
    pub(crate) fn in_place_of(&self, array: ArrayId, statement: &Statement) -> Result<Statement> {
        let mut statement = statement.clone();
        statement.body.for_each_element_mut(&mut |element| {
            if element.array == array {
                *element = self.element.clone();
            }
        });
        for access in statement.accesses.iter_mut().filter(|access| access.array == array) {
            access.array = self.array;
            access.relation = self.relation.intersect_domain(&statement.domain)?;
        }
        Ok(statement)
    }
}

/// A relation from a space to the element of an array with some subscripts.
pub(crate) fn to_element(space: &Space, name: &str, subscripts: &[Aff]) -> Result<Map> {
    let from = subscripts
        .iter()
        .fold(space.clone(), |space, subscript| space.merge_params(subscript.domain_space()));
    let to = Space::set(from.param_names(), Tuple::named(name, subscripts.len()));
    let subscripts = subscripts.iter().map(|subscript| subscript.align_params(&from)).collect();
    Ok(MultiAff::new(from.map_to(&to), subscripts)?.to_map())
}

impl Promoting<'_> {
    /// An element of an array, written as the program does, or by its name if it was added.
    pub(crate) fn of_program(
        &self,
        array: ArrayId,
        space: &Space,
        subscripts: &[Aff],
    ) -> Result<Accessed> {
        let known = self.scop.array(array);
        let base = self.texts.get(&array).cloned();
        let base = base.unwrap_or_else(|| ElementText::named(&*known.name));
        let relation = to_element(space, &known.tuple_name, subscripts)?;
        let subscripts = subscripts.iter().cloned().map(PwAff::from_aff).collect();
        Ok(Accessed { element: Element::new(base, array, subscripts), array, relation })
    }

    /// The statement `target = value` that reads `sources`.
    pub(crate) fn add_copy(
        &mut self,
        domain: &Set,
        target: Accessed,
        value: Term,
        sources: Vec<Accessed>,
        location: Location,
    ) -> Result<StatementId> {
        let kinds =
            std::iter::once(AccessKind::MustWrite).chain(std::iter::repeat(AccessKind::Read));
        let all = std::iter::once(&target).chain(&sources);
        let accesses: Vec<(AccessKind, &Accessed)> = kinds.zip(all).collect();
        let body = Body::new(Term::assignment(target.element.clone(), value));
        self.add_statement(domain, body, &accesses, location)
    }

    /// A statement with the name of its instances' space.
    pub(crate) fn add_statement(
        &mut self,
        domain: &Set,
        body: Body,
        accessed: &[(AccessKind, &Accessed)],
        location: Location,
    ) -> Result<StatementId> {
        let id = StatementId(u32::try_from(self.scop.statements.len()).unwrap_or(u32::MAX));
        let mut accesses = Vec::new();
        for (position, (kind, accessed)) in (0u32..).zip(accessed) {
            let relation = accessed.relation.intersect_domain(domain)?;
            let (reference, array) = (ReferenceId(position), accessed.array);
            accesses.push(Access { reference, array, kind: *kind, relation });
        }
        let n = domain.n(DimKind::Out);
        let name = domain.space().output().and_then(Tuple::name).cloned();
        self.scop.statements.push(Statement {
            id,
            name: name.unwrap_or_else(|| "copy".into()),
            domain: domain.clone(),
            iterators: (0..n).map(|position| Name::from(format!("p{position}"))).collect(),
            iterator_types: vec!["long".into(); n],
            accesses,
            body,
            is_kill: false,
            location,
        });
        Ok(id)
    }
}
