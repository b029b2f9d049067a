//! Arrays behind pointers that are members of a structure (`p->x[i]`), for devices.
//!
//! In the model such an array has a dimension for the structures that `p` may lead to, whose memory is in no
//! row of another. Where the region uses the arrays of one structure only, each is an array like one behind a
//! plain pointer.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_cfront::Region;
use loopwright_presburger::{Aff, DimKind, Map, Name, PwAff, Result, Set, Space, Tuple};
use loopwright_scop::{Array, ArrayId, Element, ElementText, Scop, Statement, Term, TermKind};
use std::collections::BTreeMap;

/// Steps for what the leading subscripts of one access are.
const STEPS: u64 = 100_000;

/// The region whose arrays behind members have no dimensions for structures, with its dependences; none if it
/// has no such arrays.
///
/// # Errors
/// Those of the analysis.
pub(crate) fn with_pointer_members(
    analysed_region: &Analysed,
    options: &CompileOptions,
) -> Result<Option<Analysed>> {
    let region = &analysed_region.region;
    let Some(scop) = with_own_arrays(&region.scop, &options.embedding.effort)? else {
        return Ok(None);
    };
    let region = Region { scop, used_after: Vec::new(), finer: None, ..region.clone() };
    Ok(Some(analysed(region, options)?))
}

/// The model with such arrays; none if there are none.
fn with_own_arrays(region: &Scop, effort: &Effort) -> Result<Option<Scop>> {
    let scop = region;
    let ids = (0u32..).map(ArrayId).zip(&scop.arrays);
    let mut leading = BTreeMap::new();
    for (id, array) in ids {
        let Some(n) = n_dims_of_structures(array) else { continue };
        if are_of_one_structure(scop, (id, n), effort)? {
            leading.insert(id, n);
        }
    }
    if leading.is_empty() {
        return Ok(None);
    }
    let mut scop = scop.clone();
    for (id, n) in &leading {
        let array = &mut scop.arrays[id.0 as usize];
        array.extents.drain(..n);
        array.extent_texts.drain(..(*n).min(array.extent_texts.len()));
        let bodies = region.statements.iter().map(|statement| &statement.body);
        let mut elements = bodies.flat_map(|body| body.elements());
        if let Some(element) = elements.find(|element| element.array == *id) {
            // The pointer is known by its place from here on.
            (array.is_member, array.name) = (false, pointer(element, *n).into());
        }
    }
    for statement in &mut scop.statements {
        for access in &mut statement.accesses {
            if let Some(n) = leading.get(&access.array) {
                access.relation = access.relation.project_out(DimKind::Out, 0, *n);
                let name = &scop.arrays[access.array.0 as usize].tuple_name;
                access.relation = renamed(&access.relation, name)?;
            }
        }
        with_own_elements(statement, &leading);
    }
    Ok(Some(scop))
}

/// How many dimensions of an array are those of structures with pointers to its elements.
fn n_dims_of_structures(array: &Array) -> Option<usize> {
    let last = array.extents.iter().rposition(Option::is_none)?;
    (array.is_member && last > 0).then_some(last)
}

fn renamed(relation: &Map, name: &Name) -> Result<Map> {
    let space = relation.space();
    let tuple = Tuple::named(name, relation.n(DimKind::Out));
    relation.with_space_tuples(&space.with_tuples(space.input().cloned(), Some(tuple)))
}

/// Whether all accesses are of the arrays of the first structure, and the text shows all.
fn are_of_one_structure(scop: &Scop, (id, n): (ArrayId, usize), effort: &Effort) -> Result<bool> {
    for statement in &scop.statements {
        for access in statement.accesses.iter().filter(|access| access.array == id) {
            let elements = access.relation.range();
            let n_others = elements.n(DimKind::Out) - n.min(elements.n(DimKind::Out));
            let structures = elements.project_out(DimKind::Out, n, n_others);
            let first = first_structure(structures.space())?;
            if !structures.is_subset(&first, &effort.budget(STEPS)).unwrap_or(false) {
                return Ok(false);
            }
        }
        let own = statement.body.elements().into_iter().filter(|element| element.array == id);
        let is_first = |element: &Element| {
            let (before, after) = element.base.parts();
            let subscripts = &element.subscripts;
            subscripts.len() == after.len()
                && subscripts.len() > n
                && !before.is_empty()
                && subscripts[..n].iter().all(is_zero)
                && before_bracket(element, n).len() + 1
                    == before.len() + after[..n].iter().map(|text| text.len() + 1).sum::<usize>()
        };
        if statement.body.hidden().contains(&id) || !own.into_iter().all(is_first) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn first_structure(space: &Space) -> Result<Set> {
    let n = space.n(DimKind::Out);
    let mut first = Set::universe(space.clone());
    for at in 0..n {
        let zero = Aff::zero(space);
        first = first.intersect(&Aff::variable(space, DimKind::Out, at).eq_set(&zero)?)?;
    }
    Ok(first)
}

fn is_zero(subscript: &PwAff) -> bool {
    subscript.as_aff().and_then(|aff| aff.constant_value()).is_some_and(|value| value.is_zero())
}

/// The statement with elements of such arrays, by their texts: `p[0].x[i]` for the structure with the
/// subscript 0.
fn with_own_elements(statement: &mut Statement, leading: &BTreeMap<ArrayId, usize>) {
    let mut paths = Vec::new();
    if let Some(root) = statement.body.root() {
        find(root, leading, &mut Vec::new(), &mut paths);
    }
    for path in paths {
        let root = statement.body.root().and_then(|root| root.at(&path));
        let Some(element) = root.and_then(Term::as_element) else { continue };
        let Some(n) = leading.get(&element.array) else { continue };
        let (_, after) = element.base.parts();
        let rest = after[*n..].to_vec();
        let place = pointer(element, *n);
        let has_brackets = rest
            .iter()
            .enumerate()
            .all(|(at, text)| text == if at + 1 == rest.len() { "]" } else { "][" });
        let base = match has_brackets {
            true => ElementText::named(place),
            false => {
                let opening = opening(element, *n);
                ElementText::around(format!("{opening}{place}["), rest)
            }
        };
        let own = Element::new(base, element.array, element.subscripts[*n..].to_vec());
        statement.body = statement.body.replaced(&path, Term::element(own));
    }
}

/// The text in front of the subscripts that are left, up to the bracket: with parentheses that begin there.
fn before_bracket(element: &Element, n: usize) -> String {
    let (before, after) = element.base.parts();
    let inside: String = after[..n].iter().map(|text| format!("0{text}")).collect();
    format!("{before}{inside}").trim_end_matches('[').to_string()
}

/// The parentheses in front of an element (`(p[0].x[..`).
fn opening(element: &Element, n: usize) -> String {
    before_bracket(element, n).chars().take_while(|c| *c == '(').collect()
}

/// The pointer behind whose subscripts an element is: `p[0].x`.
fn pointer(element: &Element, n: usize) -> String {
    before_bracket(element, n).trim_start_matches('(').to_string()
}

fn find(
    term: &Term,
    leading: &BTreeMap<ArrayId, usize>,
    path: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if let TermKind::Element(element) = term.kind()
        && leading.contains_key(&element.array)
    {
        found.push(path.clone());
    }
    for (position, child) in term.children().iter().enumerate() {
        path.push(position);
        find(child, leading, path, found);
        path.pop();
    }
}
