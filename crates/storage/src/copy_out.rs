//! Elements that are used after a region, when they share cells in it: they are copied out of these at its
//! end.
//!
//! A region that computes the rows of `a[t][i]` one from the other, and of which only the last row is used
//! afterwards, needs two rows. Its cells are elements of the array itself, so what is used later goes from
//! its cell to its element: `a[m][i] = a[m % 2][i]`.
use crate::contraction::Contraction;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{
    Aff, AffineValues, Budget, DimKind, Map, MultiAff, MultiUnionPwAff, Name, Piecewise, PwAff,
    Result, Set, Space, Tuple, UnionPwAff, UnionSet,
};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, ArrayId, Body, Element, ElementText, ReferenceId, Scop, Statement,
    StatementId, Term,
};

/// The elements of an array that the region leaves for uses after it, of those that may be used; each has one
/// last writer or several possible ones. `used` are all that may be used.
///
/// # Errors
/// If the budget runs out.
pub fn left_elements(
    scop: &Scop,
    array: ArrayId,
    dependences: &Dependences,
    used: &Set,
    budget: &Budget,
) -> Result<Set> {
    let mut left = Set::empty(used.space().clone());
    for live in dependences.live_out.iter().filter(|live| live.array == array) {
        let own = live.relation.intersect_params_within(&scop.context, budget)?.range();
        left = left.union(&own.intersect_within(used, budget)?)?;
    }
    left.coalesce(budget)
}

impl Contraction {
    /// Adds the statement that copies elements out of their cells, behind all others.
    pub(crate) fn copy_out(&self, scop: &mut Scop, elements: &Set) -> Result<()> {
        let range = elements.space().clone();
        let name = name_of_copies(scop, &format!("{}_out", scop.array(self.array).tuple_name));
        let space = range.with_tuples(None, Some(Tuple::named(&name, self.moduli.len())));
        let variables = |of: &Space| -> Vec<Aff> {
            (0..self.moduli.len()).map(|at| Aff::variable(of, DimKind::Out, at)).collect()
        };
        let written = MultiAff::new(space.map_to(&range), variables(&space))?.to_map();
        let read = written.apply_range(&self.cells(&range)?)?;
        let subscripts: Vec<PwAff> = variables(&space).into_iter().map(PwAff::from_aff).collect();
        let cell = Copied { array: self.array, subscripts: self.cell(&subscripts), relation: read };
        let element = Copied { array: self.array, subscripts, relation: written };
        add_copies(scop, elements.with_space_tuples(&space)?, element, cell)
    }

    /// The subscripts of the cell of an element.
    fn cell(&self, element: &[PwAff]) -> Vec<PwAff> {
        let subscripts = element.iter().zip(&self.moduli);
        let cell = subscripts.map(|(subscript, modulus)| match modulus {
            Some(modulus) => subscript.map_affs(&|aff: &Aff| aff.modulo(modulus)),
            None => subscript.clone(),
        });
        cell.collect()
    }
}

/// One side of statements that copy: subscripts of an array, and the elements that they mean.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The array.
    pub array: ArrayId,
    /// Its subscripts, over the instances.
    pub subscripts: Vec<PwAff>,
    /// The same as a relation, for more instances perhaps.
    pub relation: Map,
}

/// Adds a statement behind all others that copies `source` to `target` in each instance of `domain`, in the
/// order of its coordinates. Its name is that of the domain, which no other statement has
/// ([`name_of_copies`]).
///
/// # Errors
/// Those of operations on relations.
pub fn add_copies(scop: &mut Scop, domain: Set, target: Copied, source: Copied) -> Result<()> {
    let n = domain.n_dims();
    let name = domain.space().output().and_then(Tuple::name).cloned().unwrap_or_default();
    let access = |reference, kind, side: &Copied| -> Result<Access> {
        let relation = side.relation.intersect_domain(&domain)?;
        Ok(Access { reference: ReferenceId(reference), array: side.array, kind, relation })
    };
    let element = |side: &Copied| {
        let named = scop.statements.iter().flat_map(|statement| statement.body.elements());
        let text = named.filter(|e| e.array == side.array).map(|e| e.base.clone()).next_back();
        let text = text.unwrap_or_else(|| ElementText::named(&*scop.array(side.array).name));
        Element::new(text, side.array, side.subscripts.clone())
    };
    let location = scop.statements.last().map(|statement| statement.location);
    let statement = Statement {
        id: StatementId(u32::try_from(scop.statements.len()).unwrap_or(u32::MAX)),
        iterators: (0..n).map(|at| Name::from(format!("e{at}"))).collect(),
        iterator_types: vec!["long".to_string(); n],
        accesses: vec![
            access(0, AccessKind::MustWrite, &target)?,
            access(1, AccessKind::Read, &source)?,
        ],
        body: Body::new(Term::assignment(element(&target), Term::element(element(&source)))),
        is_kill: false,
        location: location.unwrap_or_default(),
        name,
        domain,
    };
    scop.schedule = scop.schedule.followed_by(&order_of_copies(&statement))?;
    scop.statements.push(statement);
    Ok(())
}

/// The order in which a statement that copies runs: that of its elements.
pub fn order_of_copies(statement: &Statement) -> ScheduleTree {
    let space = statement.domain.space();
    let n = statement.domain.n_dims();
    let coordinate = |at| {
        let own = Piecewise::everywhere(Aff::variable(space, DimKind::Out, at));
        UnionPwAff::from_parts(vec![own])
    };
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(n), (0..n).map(coordinate).collect());
    let domain = UnionSet::from_sets(&space.to_params(), [statement.domain.clone()]);
    ScheduleTree { domain, root: Node::Band(Band::new(schedule), Box::new(Node::Leaf)) }
}

/// A name that no statement has: the wanted one, or that with a number.
pub fn name_of_copies(scop: &Scop, wanted: &str) -> Name {
    let names = std::iter::once(wanted.to_string()).chain((1..).map(|n| format!("{wanted}_{n}")));
    let mut free = names.filter(|name| scop.statement_named(name).is_none());
    Name::from(free.next().unwrap_or_default())
}
