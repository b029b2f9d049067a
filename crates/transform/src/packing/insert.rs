//! Panels in trees and programs.
use crate::packing::packed::Packed;
use crate::packing::reader::{PackingCandidate, PanelReader};
use crate::packing::spot::Spot;
use crate::storage::local_array::Origin;
use crate::storage::names::free_name;
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, MultiAff, MultiUnionPwAff, Name, Piecewise, PwAff, Result, Set,
    Space, Tuple, UnionPwAff, UnionSet,
};
use loopwright_schedule::{AstLoopType, Band, LocalMark, Node, Reaching, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Body, Element, Panel, ReferenceId, Scop, Statement,
    StatementId, Term,
};
use std::collections::BTreeSet;

/// The statement that fills a panel, in terms of its reader.
struct Filling {
    space: Space,
    domain: Set,
    /// From the reader's instances.
    instance: MultiAff,
    /// To the reader's instances: the coordinates that matter, 0 for the others.
    section: MultiAff,
    /// The loops outside, over the instances.
    outside: Vec<Aff>,
    /// The coordinates of the panel.
    coordinates: Vec<Aff>,
}

/// `packed` with one more panel; none if a form in it has several pieces.
pub(super) fn insert(
    packed: &Packed,
    reader: &PanelReader,
    candidate: &PackingCandidate,
    spot: &Spot,
    taken: &mut BTreeSet<String>,
    budget: &Budget,
) -> Result<Option<Packed>> {
    let scop = &packed.scop;
    let wanted = format!("{}_panel", scop.array(candidate.named_after).name);
    let name = free_name(&wanted, |name| {
        taken.contains(name) || scop.arrays.iter().any(|array| *array.tuple_name == *name)
    });
    let statement_name = free_name(&format!("{}_panel", reader.statement.name), |name| {
        scop.statement_named(name).is_some()
    });
    let filling = filling(packed, reader, candidate, spot, &statement_name, budget)?;
    let Some(value) = converted(candidate.part, &filling.section)? else { return Ok(None) };
    let array = array(scop.array(candidate.named_after), &name, &spot.extents);
    let id = ArrayId(u32::try_from(scop.arrays.len()).unwrap_or(u32::MAX));
    let own = Element::new(&*name, id, subscripts(&filling.coordinates, &filling.outside, spot)?);
    let read_coordinates = variables(&reader.statement.domain, &candidate.coordinates);
    let read = Element::new(&*name, id, subscripts(&read_coordinates, &spot.outside, spot)?);
    let mut next = packed.clone();
    next.scop.arrays.push(array);
    let reader_id = reader.statement.id;
    let body = reader.statement.body.replaced(&candidate.path, Term::element(read.clone()));
    add_read(&mut next.scop, reader_id, body, &read)?;
    let statement = statement(&next.scop, &filling, &statement_name, own, value, reader)?;
    let instance = filling.instance.clone();
    let filled_by = statement.id;
    next.scop.statements.push(statement);
    next.panels.push(Panel { array: id, statement: filled_by, reader: reader_id, instance });
    let extents: String = spot.extents.iter().map(|extent| format!("[{extent}]")).collect();
    next.decisions.push(format!(
        "{}: {name}{extents}, contiguous in the innermost loop",
        reader.statement.name
    ));
    next.tree = tree(packed, &filling, spot, &name)?;
    taken.insert(name);
    Ok(Some(next))
}

/// Instances of the filling statement: the loops outside that the coordinates do not determine, then
/// the coordinates.
fn filling(
    packed: &Packed,
    reader: &PanelReader,
    candidate: &PackingCandidate,
    spot: &Spot,
    name: &str,
    budget: &Budget,
) -> Result<Filling> {
    let domain = reader.statement.domain.intersect_params(&packed.scop.context)?;
    let n_iterators = reader.statement.iterators.len();
    let is_determined = |aff: &Aff| {
        (0..n_iterators).all(|iterator| {
            candidate.coordinates.contains(&iterator)
                || !aff.involves_dims(DimKind::Out, iterator, 1)
        })
    };
    let free: Vec<usize> =
        (0..spot.outside.len()).filter(|&d| !is_determined(&spot.outside[d])).collect();
    let mut affs: Vec<Aff> =
        free.iter().map(|&dimension| spot.outside[dimension].clone()).collect();
    affs.extend(variables(&reader.statement.domain, &candidate.coordinates));
    let params = affs
        .iter()
        .fold(domain.space().clone(), |space, aff| space.merge_params(aff.domain_space()));
    let tuple = Tuple::named(name, affs.len());
    let space = Space::set(params.param_names(), tuple);
    let affs = affs.iter().map(|aff| aff.align_params(&params)).collect();
    let instance = MultiAff::new(params.map_to(&space), affs)?;
    let position = |iterator| candidate.coordinates.iter().position(|&c| c == iterator);
    let back = (0..n_iterators).map(|iterator| match position(iterator) {
        Some(position) => Aff::variable(&space, DimKind::Out, free.len() + position),
        None => Aff::zero(&space),
    });
    let section = MultiAff::new(space.map_to(&params), back.collect())?;
    let outside =
        (0..spot.outside.len()).map(|dimension| match free.iter().position(|&f| f == dimension) {
            Some(position) => Ok(Aff::variable(&space, DimKind::Out, position)),
            None => spot.outside[dimension].align_params(&params).pullback(&section),
        });
    let outside = outside.collect::<Result<_>>()?;
    let coordinates = (0..candidate.coordinates.len())
        .map(|position| Aff::variable(&space, DimKind::Out, free.len() + position))
        .collect();
    let image = domain.apply_within(&instance.to_map(), budget)?.make_locals_explicit(budget)?;
    let domain = image.coalesce(budget)?.remove_redundancies(budget)?;
    Ok(Filling { space, domain, instance, section, outside, coordinates })
}

fn variables(domain: &Set, iterators: &[usize]) -> Vec<Aff> {
    let variable = |&iterator: &usize| Aff::variable(domain.space(), DimKind::Out, iterator);
    iterators.iter().map(variable).collect()
}

/// The distances of coordinates from their origins, given the loops outside.
fn subscripts(coordinates: &[Aff], outside: &[Aff], spot: &Spot) -> Result<Vec<PwAff>> {
    let subscript = |(coordinate, origin): (&Aff, &Origin)| {
        let from_loop = match origin.dimension {
            Some(dimension) => coordinate.sub(&outside[dimension].scale(&origin.factor))?,
            None => coordinate.clone(),
        };
        Ok(PwAff::from_aff(from_loop.add_constant(&-&origin.constant)))
    };
    coordinates.iter().zip(&spot.origins).map(subscript).collect()
}

/// A part of the reader's body in terms of the filling statement; none if a form has several pieces.
fn converted(part: &Term, section: &MultiAff) -> Result<Option<Term>> {
    if part.forms().into_iter().any(|form| form.as_aff().is_none()) {
        return Ok(None);
    }
    let converted = part.clone().with_forms(&mut |form| match form.as_aff() {
        Some(aff) => Ok(PwAff::from_aff(aff.align_params(section.space()).pullback(section)?)),
        None => Ok(form.clone()),
    })?;
    Ok(Some(converted))
}

fn array(like: &Array, name: &str, extents: &[i64]) -> Array {
    let params = Space::params(&[]);
    let extent = |&extent: &i64| Some(PwAff::from_aff(Aff::constant(&params, &Int::from(extent))));
    Array {
        name: name.into(),
        tuple_name: name.into(),
        extents: extents.iter().map(extent).collect(),
        extent_texts: extents.iter().map(|extent| extent.to_string()).collect(),
        is_member: false,
        declared_in_scop: false,
        live_out: false,
        declaration_depth: 0,
        ..like.clone()
    }
}

/// The access of an element of a body.
pub(super) fn access(
    scop: &Scop,
    domain: &Set,
    element: &Element,
    kind: AccessKind,
    reference: usize,
) -> Result<Option<Access>> {
    let Element { array, subscripts, .. } = element;
    let Some(affs) = subscripts.iter().map(PwAff::as_aff).collect::<Option<Vec<Aff>>>() else {
        return Ok(None);
    };
    let tuple = Tuple::named(&scop.array(*array).tuple_name, subscripts.len());
    let params = affs
        .iter()
        .fold(domain.space().clone(), |space, aff| space.merge_params(aff.domain_space()));
    let range = Space::set(params.param_names(), tuple);
    let affs = affs.iter().map(|aff| aff.align_params(&params)).collect();
    let relation = MultiAff::new(params.map_to(&range), affs)?.to_map().intersect_domain(domain)?;
    let reference = ReferenceId(u32::try_from(reference).unwrap_or(u32::MAX));
    Ok(Some(Access { reference, array: *array, kind, relation }))
}

/// The reader's new body, and the access of the panel besides the others (which its operands have
/// been given up is not recorded: that only adds constraints).
fn add_read(scop: &mut Scop, id: StatementId, body: Body, read: &Element) -> Result<()> {
    let statement = scop.statement(id);
    let next = statement.accesses.iter().map(|a| a.reference.0 as usize + 1).max().unwrap_or(0);
    let access = access(scop, &statement.domain, read, AccessKind::Read, next)?;
    if let Some(statement) = scop.statements.get_mut(id.0 as usize) {
        statement.body = body;
        statement.accesses.extend(access);
    }
    Ok(())
}

fn statement(
    scop: &Scop,
    filling: &Filling,
    name: &str,
    target: Element,
    value: Term,
    reader: &PanelReader,
) -> Result<Statement> {
    let mut accesses = Vec::new();
    accesses.extend(access(scop, &filling.domain, &target, AccessKind::MustWrite, 0)?);
    for element in value.elements() {
        let next = accesses.len();
        accesses.extend(access(scop, &filling.domain, element, AccessKind::Read, next)?);
    }
    let body = Body::new(Term::assignment(target, value));
    let n = filling.space.n(DimKind::Out);
    Ok(Statement {
        id: StatementId(u32::try_from(scop.statements.len()).unwrap_or(u32::MAX)),
        name: name.into(),
        domain: filling.domain.clone(),
        iterators: (0..n).map(|position| Name::from(format!("p{position}"))).collect(),
        iterator_types: vec!["long".into(); n],
        accesses,
        body,
        is_kill: false,
        location: reader.statement.location,
    })
}

/// The tree in which the node at the place of the panel is declared to have the array, and runs after
/// the loops that fill it.
fn tree(packed: &Packed, filling: &Filling, spot: &Spot, name: &str) -> Result<ScheduleTree> {
    let mut tree = packed.tree.clone();
    let reaching = Reaching::at(&tree, &spot.path)?;
    let whole = UnionSet::from_set(Set::universe(filling.space.clone()));
    tree.domain = tree.domain.union(&UnionSet::from_set(filling.domain.clone()))?;
    let mut outside = filling.outside.iter();
    for depth in 0..spot.path.len() {
        match tree.at_mut(&spot.path[..depth]) {
            Some(Node::Band(band, _)) => extend_band(band, &mut outside)?,
            Some(Node::Filter(filter, _)) => *filter = filter.union(&whole)?,
            _ => {}
        }
    }
    let others = reaching.pieces.iter().try_fold(UnionSet::empty(), |union, piece| {
        union.union(&UnionSet::from_set(Set::universe(piece.domain.space().clone())))
    })?;
    let members = filling.coordinates.iter().map(member).collect::<Vec<_>>();
    let mut loops = Band::new(MultiUnionPwAff::new(Tuple::anonymous(members.len()), members));
    if let Some((_, outer)) = loops.members.split_last_mut() {
        outer.iter_mut().for_each(|member| member.ast_loop_type = AstLoopType::Atomic);
    }
    let Some(node) = tree.at_mut(&spot.path) else { return Ok(tree) };
    let rest = node.take();
    let parts = vec![(whole, Node::band(loops, Node::Leaf)), (others, rest)];
    let mark = LocalMark::local(name.into()).to_string();
    *node = Node::mark(&mark, Node::sequence(parts));
    Ok(tree)
}

fn member(aff: &Aff) -> UnionPwAff {
    UnionPwAff::from_parts(vec![Piecewise::everywhere(aff.clone())])
}

/// The band with its values for the filling statement, the next ones of `outside`.
fn extend_band<'a>(band: &mut Band, outside: &mut impl Iterator<Item = &'a Aff>) -> Result<()> {
    let mut members = Vec::new();
    for known in band.schedule.members() {
        members.push(match outside.next() {
            Some(aff) => known.union_disjoint(&member(aff))?,
            None => known.clone(),
        });
    }
    band.schedule = MultiUnionPwAff::new(band.schedule.tuple().clone(), members);
    Ok(())
}
