//! A statement of a region with its loops, in the words of a multifor statement.
use crate::text::in_plain_c;
use loopwright_astgen::{AstExpr, Build};
use loopwright_cfront::Region;
use loopwright_presburger::{
    Aff, BasicSet, Budget, Constraint, DimKind, Error, Int, Name, PwAff, Set,
};
use loopwright_schedule::Piece;
use loopwright_scop::{BodyPiece, Statement};

/// A loop's entries in the lists of a head.
#[derive(Clone, Debug)]
pub(crate) struct LoopText {
    /// `int i0 = 0`
    pub(crate) first: String,
    /// `i0 < n`
    pub(crate) condition: String,
    /// `i0++`
    pub(crate) step: String,
}

/// A nest of one statement.
#[derive(Clone, Debug)]
pub(crate) struct NestText {
    /// Its loops, the outermost first.
    pub(crate) loops: Vec<LoopText>,
    /// The statement, with the names of the indices.
    pub(crate) body: String,
}

/// A statement whose loops have names.
struct Named<'a> {
    statement: &'a Statement,
    /// The names of the indices.
    indices: Vec<Name>,
    /// The instances, in one part.
    instances: BasicSet,
    /// What is known where the statement stands.
    build: Build,
    budget: &'a Budget,
}

/// Why a statement has no such form.
type Reason = String;

impl NestText {
    /// The nest with this number of a statement of a region, with so many loops. `pieces` are the order of
    /// the region.
    ///
    /// # Errors
    /// A sentence that says what has no form.
    pub(crate) fn new(
        (number, statement): (usize, &Statement),
        depth: usize,
        region: &Region,
        pieces: &[Piece],
        budget: &Budget,
    ) -> Result<NestText, Reason> {
        let indices = index_names(number, statement, depth, region);
        let named = Named::new(statement, indices, &region.scop.context, budget)?;
        let n_own = statement.domain.n_dims();
        let mut loops = Vec::with_capacity(depth);
        for dim in 0..n_own {
            loops.push(named.loop_text(dim, runs_down(statement, dim, pieces))?);
        }
        for index in &named.indices[n_own..] {
            loops.push(LoopText {
                first: format!("int {index} = 0"),
                condition: format!("{index} < 1"),
                step: format!("{index}++"),
            });
        }
        let body = named.body()?;
        Ok(NestText { loops, body })
    }
}

/// Names that the file does not have.
fn index_names(number: usize, statement: &Statement, depth: usize, region: &Region) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::with_capacity(depth);
    for dim in 0..depth {
        let own = statement.iterators.get(dim).map_or("once".to_string(), |name| name.to_string());
        let separator = if own.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
        let first = format!("{own}{separator}{number}");
        let others = (1..).map(|more| format!("{own}{separator}{number}_{more}"));
        let is_free = |name: &String| {
            !region.used_names.contains(name) && !names.iter().any(|known| **known == **name)
        };
        let name = std::iter::once(first).chain(others).find(is_free);
        names.push(name.unwrap_or_default().into());
    }
    names
}

/// Whether the loop over a dimension runs from its greatest to its least value.
fn runs_down(statement: &Statement, dim: usize, pieces: &[Piece]) -> bool {
    let of_statement = |piece: &&Piece| {
        piece.domain.space().output().and_then(|tuple| tuple.name()) == Some(&statement.name)
    };
    let moving = |piece: &Piece| {
        let affs = piece.schedule.iter();
        affs.map(|aff| aff.coefficient(DimKind::Out, dim)).find(|value| !value.is_zero())
    };
    let direction = pieces.iter().find(of_statement).and_then(moving);
    direction.is_some_and(|value| value.numerator.is_negative())
}

impl<'a> Named<'a> {
    fn new(
        statement: &'a Statement,
        indices: Vec<Name>,
        context: &Set,
        budget: &'a Budget,
    ) -> Result<Named<'a>, Reason> {
        let simplified = || -> Result<(Set, Build), Error> {
            let domain = statement.domain.coalesce(budget)?.gist_params(context, budget)?;
            let bound = statement.domain.bind(&indices[..domain.n_dims()])?;
            let known = bound.intersect_params_within(context, budget)?;
            Ok((domain.remove_redundancies(budget)?, Build::from_context(&known)?))
        };
        let (domain, build) = simplified().map_err(|error| error.to_string())?;
        let [instances] = &domain.basic_sets()[..] else {
            return Err("its instances are in several parts".to_string());
        };
        if !instances.locals().is_empty() {
            return Err("its instances are not all integers between bounds".to_string());
        }
        Ok(Named { statement, indices, instances: instances.clone(), build, budget })
    }

    /// The entries for the loop over a dimension.
    fn loop_text(&self, dim: usize, runs_down: bool) -> Result<LoopText, Reason> {
        let index = &self.indices[dim];
        let (least, most) = (self.bound(dim, true)?, self.bound(dim, false)?);
        let kind = self.statement.iterator_types.get(dim).map_or("int", String::as_str);
        let (least_text, most_text) = (self.aff(&least)?, self.aff(&most)?);
        if runs_down {
            return Ok(LoopText {
                first: format!("{kind} {index} = {most_text}"),
                condition: format!("{index} >= {least_text}"),
                step: format!("{index}--"),
            });
        }
        let is_one_less = most.constant_term().to_int() == Some(Int::from(-1));
        let condition = match is_one_less {
            true => format!("{index} < {}", self.aff(&most.add_constant(&Int::from(1)))?),
            false => format!("{index} <= {most_text}"),
        };
        Ok(LoopText {
            first: format!("{kind} {index} = {least_text}"),
            condition,
            step: format!("{index}++"),
        })
    }

    /// The least or the greatest value of a dimension, a function of those before it: a condition that is
    /// about no later one. Where the conditions on later ones imply it, it is one of the projection.
    fn bound(&self, dim: usize, is_least: bool) -> Result<Aff, Reason> {
        let own = self.bounds_in(&self.instances, dim, is_least);
        if let [only] = &own[..] {
            return Ok(only.clone());
        }
        let set = Set::from_basic_set(self.instances.clone());
        let later = self.instances.space().n(DimKind::Out) - dim - 1;
        let projected = set
            .project_out(DimKind::Out, dim + 1, later)
            .remove_redundancies(self.budget)
            .map_err(|error| error.to_string())?;
        let all = match &projected.basic_sets()[..] {
            [only] => self.bounds_in(only, dim, is_least),
            _ => Vec::new(),
        };
        match &all[..] {
            [only] => Ok(only.clone()),
            _ => {
                let name = self.statement.iterators.get(dim).map_or("?", |name| &**name);
                let which = if is_least { "least" } else { "greatest" };
                Err(format!(
                    "the {which} value of `{name}` is not one sum of indices and symbolic constants"
                ))
            }
        }
    }

    fn bounds_in(&self, set: &BasicSet, dim: usize, is_least: bool) -> Vec<Aff> {
        let constraints = set.constraints();
        constraints.iter().filter_map(|each| bound_of(set, each, dim, is_least)).collect()
    }

    /// An expression as C.
    fn value(&self, form: &PwAff) -> Result<AstExpr, Reason> {
        let n = form.domain_space().n(DimKind::Out);
        let text = |error: Error| error.to_string();
        let bound = match form.domain_space().is_params() {
            true => form.clone(),
            false => form.bind_domain(&self.indices[..n]).map_err(text)?,
        };
        Ok(in_plain_c(&self.build.expression(&bound).map_err(text)?))
    }

    fn aff(&self, aff: &Aff) -> Result<String, Reason> {
        Ok(self.value(&PwAff::everywhere(aff.clone()))?.to_string())
    }

    fn body(&self) -> Result<String, Reason> {
        let mut text = String::new();
        for piece in self.statement.body.pieces() {
            match piece {
                BodyPiece::Hidden(_) => {}
                BodyPiece::Text(part) => text.push_str(&part),
                BodyPiece::Affine(value) => text.push_str(&operand(&self.value(&value)?)),
                BodyPiece::Element(element) => {
                    let subscripts = element.subscripts.iter();
                    let subscripts: Result<Vec<String>, Reason> =
                        subscripts.map(|each| Ok(self.value(each)?.to_string())).collect();
                    text.push_str(&element.base.with(&subscripts?));
                }
            }
        }
        Ok(if text.ends_with('}') { text } else { text + ";" })
    }
}

/// The bound of a dimension that a constraint is, if it is about no later dimension.
fn bound_of(set: &BasicSet, constraint: &Constraint, dim: usize, is_least: bool) -> Option<Aff> {
    let space = set.space();
    let column = 1 + space.n(DimKind::Param) + dim;
    let row = &constraint.row;
    if row.first_nonzero(column + 1..row.len()).is_some() {
        return None;
    }
    let coefficient = row.get(column);
    let is_of_kind = coefficient.is_negative() != is_least || constraint.is_equality;
    if !coefficient.abs().is_one() || !is_of_kind {
        return None;
    }
    // `x - e >= 0` is `x >= e`, `e - x >= 0` is `x <= e`.
    let mut rest = row.clone();
    rest.set(column, Int::ZERO);
    if !coefficient.is_negative() {
        rest.negate();
    }
    Some(Aff::from_row(space, Vec::new(), rest, Int::from(1)))
}

/// An expression as an operand.
fn operand(value: &AstExpr) -> String {
    match value {
        AstExpr::Id(_) => value.to_string(),
        AstExpr::Int(number) if !number.is_negative() => value.to_string(),
        _ => format!("({value})"),
    }
}
