//! A local accumulator is the element that it ends in.
//!
//! ```text
//! double s = 0;                            C[i][j] = 0;
//! for (l ..) s += A[i][l] * B[l][j];       for (l ..) C[i][j] += A[i][l] * B[l][j];
//! C[i][j] = s;
//! ```
//!
//! On the left all iterations of the loops outside share one `s`, and each has a value of it to itself; on
//! the right they share nothing. This is the reverse of the expansion of scalars ([`crate::expansion`]),
//! where the program has a place for the values already.
//!
//! Statements between which values of a scalar flow are looked at together. One of them has to assign the
//! scalar, or a value made of it, to an element whose subscripts are forms of the loops outside, which no
//! value of the scalar leaves; all that they do with the scalar they then do with the element. What would
//! copy the element to itself is left out. Whether all reads still find their values is not looked at here,
//! but proved afterwards.
use loopwright_dataflow::{Dependences, Reduction, reductions};
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, PwAff, Result, Space, Tuple, UnionSet,
};
use loopwright_scop::{
    Array, ArrayId, AssignmentOperator, Element, ElementText, Scop, Statement, StatementId,
};
use std::collections::BTreeSet;

/// A program whose accumulators are elements.
#[derive(Clone, Debug)]
pub struct WithoutAccumulators {
    /// The program.
    pub scop: Scop,
    /// For each of its statements the one that it was.
    pub origins: Vec<StatementId>,
    /// The scalars, and the arrays with their elements.
    pub replaced: Vec<(ArrayId, ArrayId)>,
}

/// Statements between which values of a scalar flow.
struct Web {
    scalar: ArrayId,
    statements: BTreeSet<StatementId>,
    /// The loops that no value leaves, from the outermost one on.
    n_loops: usize,
}

/// The element that takes the place of a scalar.
struct Place {
    array: ArrayId,
    base: ElementText,
    /// Over the coordinates of the statement that assigns it.
    subscripts: Vec<Aff>,
    /// That statement, if it does nothing but copy the scalar.
    copy: Option<StatementId>,
}

/// The program with elements in place of accumulators, from its dependences in its own order; none if there
/// are no accumulators that end in elements.
///
/// *Cost.* A subset test for each loop and flow of a scalar.
///
/// # Errors
/// Those of operations on relations, the end of the budget among them.
pub fn without_accumulators(
    scop: &Scop,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<Option<WithoutAccumulators>> {
    let updates = reductions(scop, budget)?;
    let (mut own, mut replaced, mut left_out) = (scop.clone(), Vec::new(), BTreeSet::new());
    for web in webs(scop, dependences, budget)? {
        let accumulates = |update: &Reduction| {
            let depth = scop.statement(update.statement).domain.n_dims();
            update.array == web.scalar
                && web.statements.contains(&update.statement)
                && depth > web.n_loops
        };
        if !updates.iter().any(accumulates) {
            continue;
        }
        let Some(place) = place(scop, &web) else { continue };
        for id in &web.statements {
            rewrite(&mut own.statements[id.0 as usize], &web, &place, scop)?;
        }
        left_out.extend(place.copy);
        replaced.push((web.scalar, place.array));
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    let executed = own.statements.iter().filter(|statement| !statement.is_kill);
    let executed = executed.filter(|statement| !left_out.contains(&statement.id));
    let used: BTreeSet<ArrayId> =
        executed.flat_map(|s| s.accesses.iter().map(|access| access.array)).collect();
    let scalars = replaced.iter().map(|(scalar, _)| *scalar);
    let scalars: BTreeSet<ArrayId> = scalars.filter(|scalar| !used.contains(scalar)).collect();
    let is_left_out = |statement: &Statement| {
        let of_scalars = |access: &loopwright_scop::Access| scalars.contains(&access.array);
        let is_end = statement.is_kill
            && !statement.accesses.is_empty()
            && statement.accesses.iter().all(of_scalars);
        is_end || left_out.contains(&statement.id)
    };
    let origins: Vec<StatementId> =
        own.statements.iter().filter(|s| !is_left_out(s)).map(|s| s.id).collect();
    own.statements.retain(|statement| !is_left_out(statement));
    for (id, statement) in (0u32..).zip(&mut own.statements) {
        statement.id = StatementId(id);
    }
    let domains = own.statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), domains);
    own.schedule = own.schedule.intersect_domain(&domain)?;
    Ok(Some(WithoutAccumulators { scop: own, origins, replaced }))
}

/// The webs of scalars that are nothing but local.
fn webs(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Vec<Web>> {
    let mut webs = Vec::new();
    for (scalar, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        let is_hidden = scop.statements.iter().any(|s| s.body.hidden().contains(&scalar));
        let has_others = dependences.live_in.iter().any(|live| live.array == scalar);
        if !array.is_scalar() || array.is_member || array.live_out || is_hidden || has_others {
            continue;
        }
        for statements in connected(scop, dependences, scalar) {
            let mut web = Web { scalar, statements, n_loops: 0 };
            web.n_loops = n_common_loops(scop, dependences, &web, budget)?;
            webs.push(web);
        }
    }
    Ok(webs)
}

/// The statements that access a scalar, those together between which its values flow.
fn connected(
    scop: &Scop,
    dependences: &Dependences,
    scalar: ArrayId,
) -> Vec<BTreeSet<StatementId>> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let accessing = executed.filter(|s| s.accesses.iter().any(|access| access.array == scalar));
    let mut sets: Vec<BTreeSet<StatementId>> =
        accessing.map(|statement| BTreeSet::from([statement.id])).collect();
    for flow in dependences.nearest_flow().iter().filter(|flow| flow.array == scalar) {
        let ends = [flow.source.0, flow.sink.0];
        let (touched, others): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|set| ends.iter().any(|end| set.contains(end)));
        sets = others;
        sets.push(touched.into_iter().flatten().collect());
    }
    sets
}

/// How many of the outermost loops no value of a web leaves.
fn n_common_loops(
    scop: &Scop,
    dependences: &Dependences,
    web: &Web,
    budget: &Budget,
) -> Result<usize> {
    let depths = web.statements.iter().map(|id| scop.statement(*id).domain.n_dims());
    let mut n = depths.min().unwrap_or(0);
    let flows = dependences.nearest_flow().iter();
    for flow in
        flows.filter(|flow| flow.array == web.scalar && web.statements.contains(&flow.sink.0))
    {
        while n > 0 && !keeps_coordinates(&flow.relation, n, budget)? {
            n -= 1;
        }
    }
    Ok(n)
}

/// Whether instances have the same first coordinates as those that they are related to.
fn keeps_coordinates(relation: &Map, n: usize, budget: &Budget) -> Result<bool> {
    let same = (0..n).fold(Map::universe(relation.space().clone()), |same, at| {
        same.equate(DimKind::In, at, DimKind::Out, at)
    });
    relation.is_subset(&same, budget)
}

/// The element that a web ends in: that of a plain copy, if there is one.
fn place(scop: &Scop, web: &Web) -> Option<Place> {
    let of = |id: &StatementId| place_at(scop, scop.statement(*id), web);
    let places: Vec<Place> = web.statements.iter().filter_map(of).collect();
    let copy = places.iter().position(|place| place.copy.is_some());
    places.into_iter().nth(copy.unwrap_or(0))
}

fn place_at(scop: &Scop, statement: &Statement, web: &Web) -> Option<Place> {
    let (AssignmentOperator::Set, target, value) = statement.body.root()?.as_assignment()? else {
        return None;
    };
    let target = target.as_element()?;
    let (scalar, array) = (scop.array(web.scalar), scop.array(target.array));
    let is_read = value.elements().iter().any(|element| element.array == web.scalar);
    let is_mentioned = web.statements.iter().any(|id| {
        let own = scop.statement(*id).accesses.iter().filter(|a| a.array == target.array);
        own.count() > usize::from(*id == statement.id)
    });
    if !is_read
        || is_mentioned
        || target.array == web.scalar
        || target.subscripts.len() != array.extents.len()
        || array.is_scalar()
        || !has_same_type(scalar, array)
    {
        return None;
    }
    let subscripts: Vec<Aff> =
        target.subscripts.iter().map(PwAff::as_aff).collect::<Option<_>>()?;
    let n = statement.domain.n_dims();
    let is_outside = |aff: &Aff| {
        aff.locals().is_empty() && !aff.involves_dims(DimKind::Out, web.n_loops, n - web.n_loops)
    };
    let is_copy = value.without_parentheses().as_element().is_some();
    subscripts.iter().all(is_outside).then(|| Place {
        array: target.array,
        base: target.base.clone(),
        subscripts,
        copy: is_copy.then_some(statement.id),
    })
}

fn has_same_type(scalar: &Array, array: &Array) -> bool {
    scalar.element_type == array.element_type
        && scalar.element_kind == array.element_kind
        && scalar.element_bytes == array.element_bytes
}

/// Gives a statement the element in place of the scalar.
fn rewrite(statement: &mut Statement, web: &Web, place: &Place, scop: &Scop) -> Result<()> {
    let space = statement.domain.space().clone();
    let subscripts: Vec<Aff> =
        place.subscripts.iter().map(|aff| at(aff, &space, web.n_loops)).collect::<Result<_>>()?;
    let name = &scop.array(place.array).tuple_name;
    let from = subscripts.iter().fold(space, |space, aff| space.merge_params(aff.domain_space()));
    let to = Space::set(from.param_names(), Tuple::named(name, subscripts.len()));
    let aligned = subscripts.iter().map(|aff| aff.align_params(&from)).collect();
    let relation = MultiAff::new(from.map_to(&to), aligned)?.to_map();
    for access in statement.accesses.iter_mut().filter(|access| access.array == web.scalar) {
        access.array = place.array;
        access.relation = relation.intersect_domain(&access.relation.domain())?;
    }
    let subscripts: Vec<PwAff> = subscripts.into_iter().map(PwAff::from_aff).collect();
    statement.body.for_each_element_mut(&mut |element| {
        if element.array == web.scalar {
            *element = Element::new(place.base.clone(), place.array, subscripts.clone());
        }
    });
    Ok(())
}

/// A form of the outermost loops, over the coordinates of another statement in these loops.
fn at(form: &Aff, space: &Space, n_loops: usize) -> Result<Aff> {
    let own = form.domain_space();
    let from = space.merge_params(own);
    let to = own.with_params(from.param_names());
    let coordinate = |at: usize| match at < n_loops {
        true => Aff::variable(&from, DimKind::Out, at),
        false => Aff::zero(&from),
    };
    let values = (0..to.n(DimKind::Out)).map(coordinate).collect();
    form.align_params(&to).pullback(&MultiAff::new(from.map_to(&to), values)?)
}
