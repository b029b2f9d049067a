//! Arrays whose length nobody declares, with subscripts that are data (`int *restrict h`, `h[a[i]]++`), on a
//! device.
//!
//! What is copied to a device has to cover all that is accessed. So the subscripts are read in front of the
//! region, in loops that have the iterations of its statements; one more than the greatest of them is the
//! extent of the array in the model, as if it were declared. Where one is negative the region runs as it was.
//! This needs subscripts that the region itself computes in each iteration, whatever the data are, from what
//! it does not write.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::versions::length_variables::LengthVariable;
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_astgen::{Build, FreshNames};
use loopwright_cfront::Region;
use loopwright_presburger::{Aff, DimKind, Int, PwAff, Result, Set, Space};
use loopwright_scop::{
    AccessKind, ArrayId, BinaryOperator, BodyPiece, Element, Parameter, Scop, Statement, Term,
    TermKind,
};
use std::fmt::Write as _;

/// Steps for the bounds of one access.
const STEPS: u64 = 200_000;

/// A region in which such arrays have extents.
pub(crate) struct WithLengths {
    pub(crate) analysed: Analysed,
    pub(crate) lengths: Vec<LengthVariable>,
}

/// The region with the lengths of such arrays as symbolic constants; none if there are none, or something
/// about them is not known.
///
/// # Errors
/// Those of the analysis.
pub(crate) fn with_lengths(
    given: &Analysed,
    options: &CompileOptions,
) -> Result<Option<WithLengths>> {
    let region = &given.region;
    // Those that are expressions have no names in the program.
    let are_variables = region.scop.parameters.iter().all(|own| own.value.is_none());
    if options.scheduler.is_given() || !region.filters.is_empty() || !are_variables {
        return Ok(None);
    }
    let mut names = FreshNames::new((*region.used_names).clone());
    let (mut scop, mut lengths) = (region.scop.clone(), Vec::new());
    for (id, array) in (0u32..).map(ArrayId).zip(&region.scop.arrays) {
        let is_open = array.extents.len() == 1 && array.extents[0].is_none() && !array.is_member;
        if !is_open || !is_indirect(&region.scop, id) {
            continue;
        }
        let Some(length) = Scan::of(&region.scop, id, &mut names, &options.embedding.effort)?
        else {
            return Ok(None);
        };
        add_length(&mut scop, id, &length.name)?;
        lengths.push(length);
    }
    if lengths.is_empty() {
        return Ok(None);
    }
    let mut used_names = (*region.used_names).clone();
    used_names.extend(lengths.iter().map(|length| length.name.clone()));
    let region = Region {
        scop,
        used_names: used_names.into(),
        used_after: Vec::new(),
        finer: None,
        ..region.clone()
    };
    Ok(Some(WithLengths { analysed: analysed(region, options)?, lengths }))
}

/// Whether data decide which elements of an array are accessed.
fn is_indirect(scop: &Scop, id: ArrayId) -> bool {
    let bodies = scop.statements.iter().filter(|s| !s.is_kill).map(|s| &s.body);
    let mut elements = bodies.flat_map(|body| body.elements());
    elements.any(|element| element.array == id && element.subscripts.is_empty())
}

/// Makes a name the extent of an array.
fn add_length(scop: &mut Scop, id: ArrayId, name: &str) -> Result<()> {
    let params = Space::params(&[name.into()]);
    let value = Aff::variable(&params, DimKind::Param, 0);
    let is_length = value.ge_set(&Aff::zero(&params))?;
    let context = scop.context.align_params(&scop.context.space().merge_params(&params));
    scop.context = context.intersect(&is_length.align_params(context.space()))?;
    let array = &mut scop.arrays[id.0 as usize];
    array.extents = vec![Some(PwAff::from_aff(value))];
    array.extent_texts = vec![name.to_string()];
    let (name, c_type) = (name.into(), "long".to_string());
    scop.parameters.push(Parameter { name, c_type, value: None });
    Ok(())
}

/// The text that finds a length.
struct Scan<'a> {
    scop: &'a Scop,
    effort: &'a Effort,
    array: ArrayId,
    length: String,
    /// The names of iterators, and that of the subscript.
    iterators: Vec<String>,
    at: String,
    lines: Vec<String>,
}

impl<'a> Scan<'a> {
    fn of(
        scop: &'a Scop,
        array: ArrayId,
        names: &mut FreshNames,
        effort: &'a Effort,
    ) -> Result<Option<LengthVariable>> {
        let name = &scop.array(array).tuple_name;
        let depth = scop.statements.iter().map(|s| s.domain.n_dims()).max().unwrap_or(0);
        let mut fresh = |wanted: String| names.get(&wanted).to_string();
        let length = fresh(format!("{name}_length"));
        let at = fresh(format!("{name}_at"));
        let iterators = (0..depth).map(|i| fresh(format!("{name}_i{i}"))).collect();
        let lines = vec![format!("long {length} = 0;")];
        let mut scan = Scan { scop, effort, array, length, iterators, at, lines };
        for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
            if scan.add(statement)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(LengthVariable { name: scan.length, lines: scan.lines }))
    }

    /// Adds what a statement accesses; none if that is not known.
    fn add(&mut self, statement: &Statement) -> Result<Option<()>> {
        let is_own = |element: &&Element| element.array == self.array;
        let n_own = statement.body.elements().into_iter().filter(is_own).count();
        let has_accesses = statement.accesses.iter().any(|access| access.array == self.array);
        if n_own == 0 {
            return Ok((!has_accesses).then_some(()));
        }
        let Some(root) = statement.body.root() else { return Ok(None) };
        let (mut places, mut n_plain) = (Vec::new(), 0);
        root.for_each(&mut |term| match (term.kind(), term.children()) {
            (TermKind::Subscript, [array, index]) if self.is_bare(array) => places.push(index),
            (TermKind::Element(element), _)
                if element.array == self.array && element.subscripts.len() == 1 =>
            {
                n_plain += 1;
            }
            _ => {}
        });
        if places.len() + n_plain != n_own || !statement.body.hidden().is_empty() {
            return Ok(None);
        }
        if n_plain > 0 && self.add_plain(statement)?.is_none() {
            return Ok(None);
        }
        if places.is_empty() {
            return Ok(Some(()));
        }
        if !root.all(&is_always_evaluated) {
            return Ok(None);
        }
        let Some(loops) = self.loops(statement)? else { return Ok(None) };
        for index in places {
            let Some(text) = self.index(index) else { return Ok(None) };
            let Scan { length, at, .. } = self;
            self.lines.push(loops.clone());
            self.lines.push(format!("  const long {at} = {text};"));
            self.lines.push(format!(
                "  if ({length} >= 0 && ({at} < 0 || {at} >= {length})) {length} = {at} < 0 ? -1 : {at} + 1;"
            ));
            self.lines.push("}".to_string());
        }
        Ok(Some(()))
    }

    fn is_bare(&self, term: &Term) -> bool {
        term.as_element().is_some_and(|own| own.array == self.array && own.subscripts.is_empty())
    }

    /// Adds elements whose subscripts are forms of iterators.
    fn add_plain(&mut self, statement: &Statement) -> Result<Option<()>> {
        let budget = self.effort.budget(STEPS);
        for element in statement.body.elements() {
            let [subscript] = &element.subscripts[..] else { continue };
            if element.array != self.array {
                continue;
            }
            let domain = statement.domain.intersect_params(&self.scop.context)?;
            let elements = subscript.to_map().intersect_domain(&domain)?.range();
            let in_front = elements.upper_bound(DimKind::Out, 0, &Int::from(-1));
            if !in_front.is_empty(&budget).unwrap_or(false) {
                return Ok(None);
            }
            let Ok(last) = elements.dim_max(0, &budget) else { return Ok(None) };
            for (where_it_is, last) in last.pieces() {
                let last = last.add_constant(&Int::ONE);
                let (Some(condition), Some(end)) =
                    (self.condition(where_it_is)?, linear(&last, &[]))
                else {
                    return Ok(None);
                };
                let length = &self.length;
                self.lines.push(format!(
                    "if ({condition} && {length} >= 0 && {end} > {length}) {length} = {end};"
                ));
            }
        }
        Ok(Some(()))
    }

    /// The heads of loops over the iterations of a statement, which have to be a box.
    fn loops(&self, statement: &Statement) -> Result<Option<String>> {
        let budget = self.effort.budget(STEPS);
        let domain = &statement.domain;
        let params = domain.params();
        let Some(condition) = self.condition(&params)? else { return Ok(None) };
        let mut text = format!("if ({condition})");
        let mut all = Set::universe(domain.space().clone()).intersect_params(&params)?;
        for at in 0..domain.n_dims() {
            let (Ok(least), Ok(most)) = (domain.dim_min(at, &budget), domain.dim_max(at, &budget))
            else {
                return Ok(None);
            };
            let (Some(least), Some(most)) = (only(&least), only(&most)) else { return Ok(None) };
            let name = &self.iterators[at];
            let (Some(first), Some(last)) = (linear(&least, &[]), linear(&most, &[])) else {
                return Ok(None);
            };
            let _ = write!(text, " for (long {name} = {first}; {name} <= {last}; {name}++)");
            let own = Aff::variable(domain.space(), DimKind::Out, at);
            let tuple = domain.space().output().cloned().unwrap_or_default();
            for (bound, is_least) in [(least, true), (most, false)] {
                let bound = PwAff::from_aff(bound).insert_domain(&tuple)?;
                for (_, bound) in bound.pieces() {
                    let side = if is_least { own.ge_set(bound)? } else { bound.ge_set(&own)? };
                    all = all.intersect(&side)?;
                }
            }
        }
        let is_box = all.is_subset(domain, &budget).unwrap_or(false);
        Ok(is_box.then(|| format!("{text} {{")))
    }

    /// A condition on symbolic constants, without functions.
    fn condition(&self, set: &Set) -> Result<Option<String>> {
        let nothing = Set::universe(set.space().to_params());
        let text = Build::from_context(&nothing)?.condition(set)?.to_string();
        Ok((!text.contains("floord") && !text.contains("min(") && !text.contains("max("))
            .then(|| format!("({text})")))
    }

    /// The text of a subscript that the region does not change.
    fn index(&self, index: &Term) -> Option<String> {
        let is_written = |array: ArrayId| {
            let mut accesses = self.scop.statements.iter().flat_map(|s| &s.accesses);
            accesses.any(|a| a.array == array && a.kind != AccessKind::Read)
        };
        if index.elements().iter().any(|element| is_written(element.array)) {
            return None;
        }
        let mut text = Some(String::new());
        index.for_each_piece(&mut |piece, _| {
            let own = match piece {
                BodyPiece::Text(own) => Some(own.into_owned()),
                BodyPiece::Affine(form) => {
                    only(&form).and_then(|aff| linear(&aff, &self.iterators))
                }
                BodyPiece::Element(element) => {
                    let subscripts = element.subscripts.iter();
                    let subscripts: Option<Vec<String>> =
                        subscripts.map(|form| linear(&only(form)?, &self.iterators)).collect();
                    subscripts.map(|subscripts| element.base.with(&subscripts))
                }
                BodyPiece::Hidden(_) => None,
            };
            text = text.take().zip(own).map(|(text, own)| text + &own);
        });
        text
    }
}

/// Whether a part of a statement is evaluated whenever the statement is.
fn is_always_evaluated(term: &Term) -> bool {
    let may_be_left_out = matches!(
        term.kind(),
        TermKind::If
            | TermKind::Conditional
            | TermKind::Opaque
            | TermKind::Call
            | TermKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
    );
    !may_be_left_out
}

fn only(form: &PwAff) -> Option<Aff> {
    match form.pieces() {
        [(_, aff)] => Some(aff.clone()),
        _ => None,
    }
}

/// A linear form in C, in parentheses, computed with `long`; none if it has floors or fractions.
fn linear(form: &Aff, iterators: &[String]) -> Option<String> {
    if !form.locals().is_empty() || !form.denominator().is_one() {
        return None;
    }
    let space = form.domain_space();
    let constant = form.constant_term();
    let mut text = format!("({constant}L");
    let params = space.param_names();
    for (at, name) in params.iter().enumerate() {
        let factor = form.coefficient(DimKind::Param, at);
        if !factor.is_zero() {
            let _ = write!(text, " + {factor}L * {name}");
        }
    }
    for at in 0..space.n(DimKind::Out) {
        let factor = form.coefficient(DimKind::Out, at);
        if !factor.is_zero() {
            let _ = write!(text, " + {factor}L * {}", iterators.get(at)?);
        }
    }
    Some(text + ")")
}
