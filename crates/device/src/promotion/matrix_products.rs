//! Sums that warps compute as products of matrices: updates of results in registers by products of two
//! operands in shared memory, of which one depends on the row of the result, and the other one on its column.
use super::dimension::quotient;
use super::operands::Tile;
use super::promoting::Promoting;
use super::site::SiteStatement;
use loopwright_exact::Int;
use loopwright_presburger::{Aff, DimKind, MultiAff, Result, Set, Tuple};
use loopwright_scop::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, FloatingType, ScalarType, Scop,
    Statement, StatementId, Term, TermKind, UnaryOperator,
};

/// A summand of what an update adds to its element.
#[derive(Clone, Debug, PartialEq)]
pub struct Product<'a> {
    /// Whether it is subtracted.
    pub is_subtracted: bool,
    /// What is multiplied, in the order of the text.
    pub factors: Vec<&'a Term>,
}

/// The summands of an update of an element by `+=` or `-=`; none if the statement is something else.
///
/// *Cost.* Linear in the size of the body, and quadratic in the number of factors.
///
/// ```
/// use loopwright_device::products;
/// use loopwright_scop::{ArrayId, Body, BodyPiece, Element};
/// let x = |name: &str| BodyPiece::element(Element::new(name, ArrayId(0), Vec::new()));
/// let body = [x("s"), BodyPiece::text(" -= "), x("a"), BodyPiece::text(" * "), x("b"), BodyPiece::text(" - "), x("c")];
/// let body = Body::read(body);
/// let found = products(&body).unwrap();
/// assert_eq!((found[0].is_subtracted, found[0].factors.len()), (true, 2));
/// assert_eq!((found[1].is_subtracted, found[1].factors.len()), (false, 1));
/// ```
pub fn products(body: &loopwright_scop::Body) -> Option<Vec<Product<'_>>> {
    let assignment = body.plain_assignment()?;
    let is_subtracted = match assignment.operator {
        AssignmentOperator::Update(ArithmeticOperator::Add) => false,
        AssignmentOperator::Update(ArithmeticOperator::Subtract) => true,
        _ => return None,
    };
    let mut found = Vec::new();
    summands(assignment.value, is_subtracted, &mut found)?;
    Some(found)
}

fn summands<'a>(term: &'a Term, is_subtracted: bool, found: &mut Vec<Product<'a>>) -> Option<()> {
    let term = term.without_parentheses();
    match term.as_binary() {
        Some((BinaryOperator::Arithmetic(ArithmeticOperator::Add), a, b)) => {
            summands(a, is_subtracted, found)?;
            summands(b, is_subtracted, found)
        }
        Some((BinaryOperator::Arithmetic(ArithmeticOperator::Subtract), a, b)) => {
            summands(a, is_subtracted, found)?;
            summands(b, !is_subtracted, found)
        }
        _ => {
            let mut product = Product { is_subtracted, factors: Vec::new() };
            factors(term, &mut product)?;
            found.push(product);
            Some(())
        }
    }
}

fn factors<'a>(term: &'a Term, product: &mut Product<'a>) -> Option<()> {
    let term = term.without_parentheses();
    match (term.kind(), term.as_binary()) {
        (_, Some((BinaryOperator::Arithmetic(ArithmeticOperator::Multiply), a, b))) => {
            factors(a, product)?;
            factors(b, product)
        }
        (TermKind::Unary(UnaryOperator::Negate), _) => {
            product.is_subtracted = !product.is_subtracted;
            factors(term.children().first()?, product)
        }
        (TermKind::Element(_) | TermKind::Literal(_), _) => {
            product.factors.push(term);
            Some(())
        }
        _ => None,
    }
}

/// Whether a statement adds products of a row's operand and a column's operand, of the two fastest of `n`
/// loops, to elements of a type; other factors are scalars and numbers, of that type if it is `float`: then
/// no factor is rounded that the program does not round.
pub(super) fn adds_matrix_products(
    statement: &Statement,
    tiles: &[Tile],
    (scop, n): (&Scop, usize),
    of: FloatingType,
) -> bool {
    let has_type = |array| scop.array(array).floating_type() == Some(of);
    let members = |factor: &Term| {
        let element = factor.as_element()?;
        tiles.iter().find(|tile| tile.cells == element.array).map(|tile| &tile.members[..])
    };
    let is_scalar = |factor: &Term| match factor.as_element() {
        Some(element) => {
            element.subscripts.is_empty() && scop.array(element.array).floating_type().is_some()
        }
        None => matches!(factor.kind(), TermKind::Literal(_)),
    };
    let may_be_factor = |factor: &Term| {
        let is_float = || factor.value_type(scop) == Some(ScalarType::Floating(of));
        is_scalar(factor) && (of != FloatingType::Float || is_float())
    };
    let is_product = |product: &Product<'_>| {
        let number = |wanted: usize| {
            let own = product.factors.iter().filter(|factor| members(factor) == Some(&[wanted]));
            own.count()
        };
        let others = product.factors.iter().filter(|factor| may_be_factor(factor)).count();
        number(n - 2) == 1 && number(n - 1) == 1 && others + 2 == product.factors.len()
    };
    let target = statement.body.plain_assignment().map(|own| own.target);
    let Some(products) = products(&statement.body) else { return false };
    let elements = statement.body.elements();
    let mut elements = elements.iter().filter(|element| !element.subscripts.is_empty());
    target.is_some_and(|target| has_type(target.array))
        && elements.all(|element| has_type(element.array))
        && products.iter().all(is_product)
}

impl Promoting<'_> {
    /// The instances of a sum in three parts, in the order of the sum: those whose group of so many
    /// iterations, which are added up at a time, has no beginning; those whose group is whole; the others.
    pub(super) fn parts_of_groups(
        &self,
        own: &SiteStatement,
        id: StatementId,
        (sum, group): (&Aff, i64),
    ) -> Result<[Set; 3]> {
        let (domain, space) = (&self.scop.statement(id).domain, own.space());
        let is_of_sum = |at: &usize| sum.involves_dims(DimKind::Out, *at, 1);
        let variable = |at: usize| Aff::variable(space, DimKind::Out, at);
        let coordinates: Vec<Aff> = (0..space.n(DimKind::Out)).map(variable).collect();
        let others = (0..coordinates.len()).filter(|at| !is_of_sum(at));
        let mut values: Vec<Aff> = others.map(|at| coordinates[at].clone()).collect();
        let (number, place) = group_and_place(sum, group);
        values.push(number);
        let group = own.to_tuple(Tuple::named("group", values.len()), values)?;
        let groups = |set: &Set| -> Result<Set> {
            let groups = set.apply(&group.to_map())?.make_locals_explicit(self.budget)?;
            groups.coalesce(self.budget)?.preimage_multi_aff(&group)
        };
        let simple = |set: Set| set.coalesce(self.budget)?.remove_redundancies(self.budget);
        let missing = groups(domain)?.subtract(domain, self.budget)?;
        let partial = groups(&missing)?.intersect(domain)?.coalesce(self.budget)?;
        let full = simple(domain.subtract(&partial, self.budget)?)?;
        let mut first = coordinates;
        for at in (0..first.len()).filter(is_of_sum) {
            first[at] = first[at].sub(&place)?;
        }
        let params =
            first.iter().fold(space.clone(), |all, own| all.merge_params(own.domain_space()));
        let first = first.iter().map(|own| own.align_params(&params)).collect();
        let begins = domain.preimage_multi_aff(&MultiAff::new(params.map_to(&params), first)?)?;
        let after = simple(partial.intersect(&begins)?)?;
        Ok([simple(partial.subtract(&after, self.budget)?)?, full, after])
    }
}

/// The group of so many iterations of a sum that one is in, and its place there.
pub(super) fn group_and_place(sum: &Aff, group: i64) -> (Aff, Aff) {
    (quotient(sum, group), sum.modulo(&Int::from(group)))
}
