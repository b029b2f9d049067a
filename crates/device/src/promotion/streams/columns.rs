//! What a statement reads of an array at constant distances from its own place, in columns along the walk.
use super::super::fetches::element_paths;
use super::super::promoting::Promoting;
use super::super::site::{Site, SiteStatement};
use loopwright_presburger::{Aff, DimKind, PwAff, Result};
use loopwright_scop::{ArrayId, Element, Scop, TermPath};
use std::collections::BTreeMap;

/// The position of the value among the parts of an assignment.
const VALUE: usize = 1;

/// Bytes of a thread's registers for columns: with more of them values would go to memory and back.
const MOST_COLUMN_BYTES: i64 = 320;

/// A read, and how far it is from the place of the instance along each independent loop.
pub(super) struct Read {
    pub(super) path: TermPath,
    pub(super) distance: Vec<i64>,
}

/// What a statement reads of an array.
pub(super) struct Source {
    pub(super) array: ArrayId,
    /// The subscripts in front of those along the independent loops.
    pub(super) leading: Vec<Aff>,
    pub(super) reads: Vec<Read>,
    /// By their distances across the walk.
    pub(super) columns: BTreeMap<Vec<i64>, Column>,
    pub(super) element_bytes: i64,
}

/// The elements that lie behind each other along the walk, from the first distance to the last one.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) first: i64,
    pub(super) last: i64,
    /// Whether they are in registers.
    pub(super) is_moved: bool,
}

impl Column {
    /// The distance of what is read from a plane.
    pub(super) fn read_at(&self) -> i64 {
        self.last
    }
}

impl Source {
    /// The least and the greatest distance along each loop.
    pub(super) fn reach(&self) -> Vec<(i64, i64)> {
        let n = self.reads.first().map_or(0, |read| read.distance.len());
        let along = |at: usize| self.reads.iter().map(move |read| read.distance[at]);
        (0..n).map(|at| (along(at).min().unwrap_or(0), along(at).max().unwrap_or(0))).collect()
    }

    /// Whether threads have nothing in common: all that each of them reads lies in its own column.
    pub(super) fn is_alone(&self) -> bool {
        self.columns.len() == 1 && self.columns.keys().all(|across| across.iter().all(|d| *d == 0))
    }

    /// The distances at which planes are read, the first and the last one.
    pub(super) fn planes_read(&self) -> (i64, i64) {
        match self.columns.values().any(|column| !column.is_moved && column.first < column.last) {
            true => self.reach()[0],
            false => {
                let all = || self.columns.values().map(Column::read_at);
                (all().min().unwrap_or(0), all().max().unwrap_or(0))
            }
        }
    }

    /// Registers of its columns, in bytes.
    pub(super) fn column_bytes(&self) -> i64 {
        let moved = self.columns.values().filter(|column| column.is_moved);
        moved.map(|column| (column.last - column.first + 1) * self.element_bytes).sum()
    }

    /// Whether walking saves reads: something is read at several places of the walk.
    fn is_used_again(&self) -> bool {
        self.columns.values().any(|column| column.first < column.last)
            || self.reach().first().is_some_and(|(first, last)| first < last)
    }
}

/// How far an element is from the place of the instance, and its subscripts in front; none if that depends on
/// the instance.
fn distance(
    own: &SiteStatement,
    element: &Element,
    n_prefix: usize,
) -> Option<(Vec<Aff>, Vec<i64>)> {
    let subscripts: Vec<Aff> =
        element.subscripts.iter().map(PwAff::as_aff).collect::<Option<_>>()?;
    let n_leading = subscripts.len().checked_sub(own.members.len())?;
    let (leading, rest) = subscripts.split_at(n_leading);
    let of_prefix: Vec<usize> =
        own.known[..n_prefix].iter().map(|known| known.coordinate).collect();
    let n = own.space().n(DimKind::Out);
    let is_outside = |subscript: &Aff| {
        let mut others = (0..n).filter(|at| !of_prefix.contains(at));
        !others.any(|at| subscript.involves_dims(DimKind::Out, at, 1))
    };
    if !leading.iter().all(is_outside) {
        return None;
    }
    let apart = |(subscript, member): (&Aff, &Aff)| {
        let space = subscript.domain_space().merge_params(member.domain_space());
        let apart = subscript.align_params(&space).sub(&member.align_params(&space)).ok()?;
        apart.constant_value()?.to_int()?.to_i64()
    };
    let distance = rest.iter().zip(&own.members).map(apart).collect::<Option<_>>()?;
    Some((leading.to_vec(), distance))
}

fn may_be_source(scop: &Scop, element: &Element) -> bool {
    let array = scop.array(element.array);
    !array.is_member
        && !element.subscripts.is_empty()
        && array.extents.len() == element.subscripts.len()
        && array.element_bytes.is_some()
}

impl Promoting<'_> {
    /// The arrays that a statement reads at several places, some of them behind each other along the first
    /// independent loop. No instance of an execution of the kernel writes what is read.
    pub(super) fn sources(&self, site: &Site, own: &SiteStatement) -> Result<Vec<Source>> {
        let statement = self.scop.statement(own.id);
        let Some(assignment) = statement.body.plain_assignment() else { return Ok(Vec::new()) };
        let value = assignment.value;
        let mut sources: Vec<Source> = Vec::new();
        for path in element_paths(value, &vec![VALUE]) {
            let Some(part) = statement.body.root().and_then(|root| root.at(&path)) else {
                continue;
            };
            let Some(element) = part.as_element().filter(|own| may_be_source(&self.scop, own))
            else {
                continue;
            };
            let Some((leading, distance)) = distance(own, element, site.n_prefix) else { continue };
            if !self.is_unwritten(site, own, part)? {
                continue;
            }
            let is_same = |source: &&mut Source| {
                let same = |(a, b): (&Aff, &Aff)| a.plain_is_equal(b);
                source.array == element.array && source.leading.iter().zip(&leading).all(same)
            };
            let read = Read { path, distance };
            let bytes = self.scop.array(element.array).element_bytes.unwrap_or(8);
            match sources.iter_mut().find(is_same) {
                Some(source) => source.reads.push(read),
                None => sources.push(Source {
                    array: element.array,
                    leading,
                    reads: vec![read],
                    columns: BTreeMap::new(),
                    element_bytes: i64::try_from(bytes).unwrap_or(8).max(1),
                }),
            }
        }
        sources.iter_mut().for_each(Source::find_columns);
        sources.retain(Source::is_used_again);
        let all: i64 = sources.iter().map(Source::column_bytes).sum();
        if all > MOST_COLUMN_BYTES {
            let columns = sources.iter_mut().flat_map(|source| source.columns.values_mut());
            columns.for_each(|column| column.is_moved = false);
        }
        Ok(sources)
    }
}

impl Source {
    fn find_columns(&mut self) {
        for read in &self.reads {
            let Some((&along, across)) = read.distance.split_first() else { continue };
            let new = Column { first: along, last: along, is_moved: false };
            let column = self.columns.entry(across.to_vec()).or_insert(new);
            column.first = column.first.min(along);
            column.last = column.last.max(along);
            column.is_moved = column.first < column.last;
        }
    }
}
