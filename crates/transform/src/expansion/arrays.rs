//! Arrays and scalars with a copy per iteration of outer loops, so that only dependences remain which have to
//! do with values.
//!
//! ```text
//! for (i) {                                for (i) {
//!   for (j) t[j] = A[i][j] * x[j];           for (j) t_copies[i][j] = A[i][j] * x[j];
//!   for (j) B[j][i] = t[j] + t[n - 1 - j];   for (j) B[j][i] = t_copies[i][j] + t_copies[i][n - 1 - j];
//! }                                        }
//! ```
//!
//! The copies are along the outermost loops that no value crosses ([`super::expand`] does that for scalars of
//! tiles). Where the values may be used after the region, a statement behind all others copies the last ones
//! back.
use crate::expansion::scalars::{private_loops, same_iteration, webs};
use crate::storage::names::free_name;
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, Map, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Element, ElementKind, Expansion, Scop, Statement,
    StatementId,
};
use loopwright_storage::{Copied, add_copies, name_of_copies};
use std::collections::BTreeSet;

/// A program with copies of arrays.
#[derive(Clone, Debug)]
pub struct ExpandedArrays {
    /// The program; the arrays of copies are not declared in it, and have extents.
    pub scop: Scop,
    /// What was expanded: `scalar` is an array or a scalar, and the subscripts of an element are the first
    /// coordinates of the instance, less the least values that they have, and then those of the element.
    pub expansions: Vec<Expansion>,
    /// Why other arrays are not expanded, one sentence each.
    pub kept: Vec<String>,
}

/// The program with a copy per iteration of each array and scalar whose elements are written again before all
/// that have their values are done.
///
/// Left as they are: those whose values come from before the region; of which perhaps writes, whole variables
/// or members are accessed; of which a value crosses every loop; and if the values of loops have no affine
/// bounds. `taken` are names that the program uses.
///
/// *Cost.* Some tests for subsets per flow dependence.
///
/// # Errors
/// Those of operations on relations. Where the budget runs out, an array is not expanded.
///
/// ```
/// use loopwright_cfront::SourceFile;
/// use loopwright_dataflow::Dependences;
/// use loopwright_presburger::Budget;
/// use loopwright_transform::expansion::expand_arrays;
/// let text = "void f(int n, double A[n][n], double B[n][n]) { double t[n];\n#pragma scop\n\
///     for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) t[j] = A[i][j]; \
///     for (int j = 0; j < n; j++) B[j][i] = t[j]; }\n#pragma endscop\n}";
/// let regions = SourceFile::from_text("rows.c", text).extract().unwrap();
/// let (scop, budget) = (&regions[0].scop, Budget::steps(1_000_000));
/// let dependences = Dependences::of_scop(scop, &budget)?;
/// let expanded = expand_arrays(scop, &dependences, &Default::default(), &budget)?;
/// let copies = expanded.scop.array(expanded.expansions[0].array);
/// assert_eq!(&*copies.name, "t_copies");
/// assert_eq!(copies.extent_texts, ["n", "n"]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn expand_arrays(
    scop: &Scop,
    dependences: &Dependences,
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<ExpandedArrays> {
    let mut expanded =
        ExpandedArrays { scop: scop.clone(), expansions: Vec::new(), kept: Vec::new() };
    let mut taken = taken.clone();
    taken.extend(scop.arrays.iter().map(|array| array.tuple_name.to_string()));
    let is_overwritten = |array| dependences.order.iter().any(|order| order.array == array);
    for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        if !is_overwritten(id) {
            continue;
        }
        let found = Expanding { scop, dependences, id, array, budget };
        match found.copies() {
            Ok(Ok(copies)) => {
                copies.into_iter().try_for_each(|own| found.add(own, &mut expanded, &mut taken))?;
            }
            Ok(Err(reason)) => {
                expanded.kept.push(format!("`{}` has no copies: {reason}", array.name))
            }
            Err(Error::Exceeded { .. }) => {
                expanded.kept.push(format!("`{}` has no copies: a limit was reached", array.name));
            }
            Err(other) => return Err(other),
        }
    }
    copy_back(scop, dependences, &mut expanded, budget)?;
    Ok(expanded)
}

/// Statements that share copies, the number of loops that have them, and the least and greatest values of
/// these.
struct Copies {
    statements: Vec<StatementId>,
    ranges: Vec<(Aff, Aff)>,
}

/// An array that may have copies.
struct Expanding<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    id: ArrayId,
    array: &'a Array,
    budget: &'a Budget,
}

impl Expanding<'_> {
    /// The copies of the array, or why there are none.
    fn copies(&self) -> Result<std::result::Result<Vec<Copies>, &'static str>> {
        let Expanding { scop, dependences, id, array, budget } = *self;
        if array.element_kind == ElementKind::Other || array.is_member {
            return Ok(Err("it is part of a structure, or of another type than numbers"));
        }
        if array.extent_texts.iter().any(String::is_empty) {
            return Ok(Err("its extents are not known"));
        }
        if dependences.live_in.iter().any(|live| live.array == id) {
            return Ok(Err("values from before the region are read"));
        }
        if !is_named(scop, id) {
            return Ok(Err("statements access it in another way than by elements"));
        }
        let flows = || dependences.nearest_flow().iter().filter(|flow| flow.array == id);
        let webs = webs(scop, id, flows());
        if array.live_out && webs.len() != 1 {
            return Ok(Err("several groups of statements leave values for after the region"));
        }
        let mut copies = Vec::new();
        for statements in webs {
            let n_loops = private_loops(scop, &statements, flows(), 1, budget)?;
            let Some((n_loops, _)) = n_loops else {
                return Ok(Err("a value crosses every loop"));
            };
            let n_loops = self.fewest_loops(&statements, n_loops)?;
            let Some(ranges) = self.ranges(&statements, n_loops)? else {
                return Ok(Err("the loops have no affine bounds"));
            };
            copies.push(Copies { statements, ranges });
        }
        Ok(Ok(copies))
    }

    /// The least number of loops, up to `most`, such that no element of a copy is written again; `most` if
    /// some always are.
    fn fewest_loops(&self, statements: &[StatementId], most: usize) -> Result<usize> {
        let order = self.dependences.order.iter();
        let own: Vec<&Dependence> = order
            .filter(|order| order.array == self.id && statements.contains(&order.source.0))
            .collect();
        for n_loops in 1..most {
            let is_free = own.iter().try_fold(true, |is_free, order| {
                let same = same_iteration(order.relation.space(), n_loops);
                Ok::<bool, Error>(
                    is_free && order.relation.intersect(&same)?.is_empty(self.budget)?,
                )
            })?;
            if is_free {
                return Ok(n_loops);
            }
        }
        Ok(most)
    }

    /// The least and greatest values of the first coordinates of statements, if each is one affine form.
    fn ranges(&self, statements: &[StatementId], n: usize) -> Result<Option<Vec<(Aff, Aff)>>> {
        let mut ranges = Vec::with_capacity(n);
        for at in 0..n {
            let mut values: Option<Set> = None;
            for id in statements {
                let domain = &self.scop.statement(*id).domain;
                let own = domain.intersect_params_within(&self.scop.context, self.budget)?;
                let n_dims = own.n_dims();
                let own = own.project_out(DimKind::Out, at + 1, n_dims - at - 1);
                let own = own.project_out(DimKind::Out, 0, at);
                let space = own.space().with_tuples(None, Some(Tuple::anonymous(1)));
                let own = own.with_space_tuples(&space)?;
                values = Some(values.map_or(Ok(own.clone()), |others| others.union(&own))?);
            }
            let Some(values) = values else { return Ok(None) };
            let values = values.coalesce(self.budget)?;
            if !values.dim_is_bounded(0) {
                return Ok(None);
            }
            let least = values.dim_min(0, self.budget)?;
            let greatest = values.dim_max(0, self.budget)?;
            match (one_form(&least), one_form(&greatest)) {
                (Some(least), Some(greatest)) => ranges.push((least, greatest)),
                _ => return Ok(None),
            }
        }
        Ok(Some(ranges))
    }

    /// Puts copies in the place of the array.
    fn add(
        &self,
        Copies { statements, ranges }: Copies,
        expanded: &mut ExpandedArrays,
        taken: &mut BTreeSet<String>,
    ) -> Result<()> {
        let name = free_name(&format!("{}_copies", self.array.name), |name| taken.contains(name));
        taken.insert(name.clone());
        let id = ArrayId(u32::try_from(expanded.scop.arrays.len()).unwrap_or(u32::MAX));
        let (mut extents, mut texts) = (Vec::new(), Vec::new());
        for (least, greatest) in &ranges {
            let extent = greatest.sub(least)?.add_constant(&Int::ONE);
            texts.push(text(&extent, self.scop));
            extents.push(Some(PwAff::from_aff(extent)));
        }
        extents.extend(self.array.extents.iter().cloned());
        texts.extend(self.array.extent_texts.iter().cloned());
        expanded.scop.arrays.push(Array {
            name: name.as_str().into(),
            tuple_name: name.as_str().into(),
            extents,
            extent_texts: texts,
            declared_in_scop: false,
            live_out: false,
            declaration_depth: 0,
            ..self.array.clone()
        });
        for &statement in &statements {
            if let Some(own) = expanded.scop.statements.get_mut(statement.0 as usize) {
                replace(own, self.id, (id, &name), &ranges)?;
            }
        }
        let n_loops = ranges.len();
        expanded.expansions.push(Expansion { scalar: self.id, array: id, statements, n_loops });
        Ok(())
    }
}

/// Whether all accesses of executed statements are elements of the text, and writes are sure.
fn is_named(scop: &Scop, array: ArrayId) -> bool {
    let n_dims = scop.array(array).extents.len();
    scop.statements.iter().filter(|statement| !statement.is_kill).all(|statement| {
        let own = || statement.accesses.iter().filter(|access| access.array == array);
        let elements = statement.body.elements();
        let mut named = elements.iter().filter(|element| element.array == array).peekable();
        (own().next().is_none() || named.peek().is_some())
            && own().all(|access| access.kind != AccessKind::MayWrite)
            && !statement.body.hidden().contains(&array)
            && named.all(|element| element.subscripts.len() == n_dims)
    })
}

/// The form of a function with one piece of integers without floors.
fn one_form(function: &PwAff) -> Option<Aff> {
    let [(_, aff)] = function.pieces() else { return None };
    (aff.locals().is_empty() && aff.denominator().is_one() && !aff.is_nan()).then(|| aff.clone())
}

/// A form of symbolic constants in C.
fn text(form: &Aff, scop: &Scop) -> String {
    let names = form.domain_space().param_names();
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        let Some(factor) = form.coefficient(DimKind::Param, at).to_int() else { continue };
        let value = scop.parameters.iter().find(|p| p.name == *name).and_then(|p| p.value.clone());
        let name = value.map_or(name.to_string(), |value| format!("({value})"));
        if !factor.is_zero() {
            let sign = if text.is_empty() { "" } else { " + " };
            let factor = if factor == Int::ONE { String::new() } else { format!("{factor} * ") };
            text += &format!("{sign}{factor}{name}");
        }
    }
    let constant = form.constant_term().to_int().unwrap_or_default();
    match (text.is_empty(), constant.is_zero()) {
        (true, _) => constant.to_string(),
        (false, true) if text.contains(' ') => format!("({text})"),
        (false, true) => text,
        (false, false) => format!("({text} + {constant})").replace("+ -", "- "),
    }
}

/// The first coordinates of a space, less their least values.
fn coordinates(space: &Space, ranges: &[(Aff, Aff)]) -> Result<Vec<Aff>> {
    let coordinate = |(at, (least, _)): (usize, &(Aff, Aff))| {
        let least = Aff::constant(&space.to_params(), &Int::ZERO).add(least)?;
        let tuple = space.output().cloned().unwrap_or_default();
        let least = PwAff::from_aff(least).insert_domain(&tuple)?;
        let [(_, least)] = least.pieces() else {
            return Ok(Aff::nan(space));
        };
        Aff::variable(space, DimKind::Out, at).sub(least)
    };
    ranges.iter().enumerate().map(coordinate).collect()
}

/// The statement with elements of copies in place of those of the array.
fn replace(
    statement: &mut Statement,
    of: ArrayId,
    (id, name): (ArrayId, &str),
    ranges: &[(Aff, Aff)],
) -> Result<()> {
    let outer = coordinates(statement.domain.space(), ranges)?;
    let subscripts: Vec<PwAff> = outer.iter().cloned().map(PwAff::from_aff).collect();
    statement.body.for_each_element_mut(&mut |element| {
        if element.array == of {
            let all = subscripts.iter().chain(&element.subscripts).cloned().collect();
            *element = Element::new(name, id, all);
        }
    });
    for access in statement.accesses.iter_mut().filter(|access| access.array == of) {
        let relation = with_outer(&access.relation, &outer, name)?;
        *access = Access { array: id, relation, ..access.clone() };
    }
    Ok(())
}

/// A relation to elements, with some coordinates of the instance in front of them.
fn with_outer(relation: &Map, outer: &[Aff], name: &str) -> Result<Map> {
    let space = relation.space();
    let n = outer.len();
    let from = outer.first().map_or(space.domain(), |aff| aff.domain_space().clone());
    let to = Space::set(from.param_names(), Tuple::anonymous(n));
    let first = MultiAff::new(from.map_to(&to), outer.to_vec())?.to_map();
    let both = first.flat_range_product(relation)?;
    let n_all = both.space().range().n(DimKind::Out);
    let tuples = both.space().with_tuples(space.input().cloned(), Some(Tuple::named(name, n_all)));
    both.with_space_tuples(&tuples)
}

/// Adds statements that copy what may be used after the region from the copies of the last iterations.
fn copy_back(
    scop: &Scop,
    dependences: &Dependences,
    expanded: &mut ExpandedArrays,
    budget: &Budget,
) -> Result<()> {
    let live_out = |e: &&Expansion| scop.array(e.scalar).live_out;
    let expansions: Vec<Expansion> = expanded.expansions.iter().filter(live_out).cloned().collect();
    for Expansion { scalar, array, n_loops, .. } in expansions {
        let mut last: Option<Set> = None;
        for live in dependences.live_out.iter().filter(|live| live.array == scalar) {
            let written = scop.statement(live.statement);
            let accesses = &expanded.scop.statement(live.statement).accesses;
            let Some(copy) = accesses.iter().find(|a| a.reference == live.reference) else {
                continue;
            };
            let own = copy.relation.intersect_domain(&live.instances)?;
            let own = own.intersect_domain(&written.domain)?.range();
            last = Some(last.map_or(Ok(own.clone()), |others: Set| others.union(&own))?);
        }
        let Some(elements) = last else { continue };
        let elements = elements.intersect_params(&scop.context)?.coalesce(budget)?;
        let wanted = format!("{}_back", scop.array(scalar).tuple_name);
        let name = name_of_copies(&expanded.scop, &wanted);
        let n = elements.n_dims();
        let range = elements.space().clone();
        let space = range.with_tuples(None, Some(Tuple::named(&name, n)));
        let variables: Vec<Aff> =
            (0..n).map(|at| Aff::variable(&space, DimKind::Out, at)).collect();
        let tuple = Tuple::named(&scop.array(scalar).tuple_name, n - n_loops);
        let original = Space::set(space.param_names(), tuple);
        let inner = variables[n_loops..].to_vec();
        let written = MultiAff::new(space.map_to(&original), inner)?.to_map();
        let read = MultiAff::new(space.map_to(&range), variables.clone())?.to_map();
        let subscripts: Vec<PwAff> = variables.into_iter().map(PwAff::from_aff).collect();
        let inner = subscripts[n_loops..].to_vec();
        let target = Copied { array: scalar, subscripts: inner, relation: written };
        let source = Copied { array, subscripts, relation: read };
        add_copies(&mut expanded.scop, elements.with_space_tuples(&space)?, target, source)?;
    }
    Ok(())
}
