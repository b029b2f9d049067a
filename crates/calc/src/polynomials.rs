//! Operators on functions: piecewise quasi-polynomials, their minima and maxima, and vertices.
use super::functions::SCAN_LIMIT;
use super::operators::{Operator, parameters};
use super::value::Value;
use loopwright_presburger::{
    BasicMap, BoundMethod, Budget, DimKind, Error, Expression, FoldKind, GeneratingFunction, Int,
    Map, Piecewise, PwQPolynomial, QPolynomial, Rational, Result, Set, Space, UnionMap,
    UnionPiecewise, UnionPwMultiAff, UnionPwQPolynomial, UnionPwQPolynomialFold as UnionFold,
    UnionSet, Value as Number,
};

/// The result of an operator on values of which one is a function; none if it is not defined.
pub(super) fn apply(
    operator: Operator,
    left: &Value,
    right: &Value,
    budget: &Budget,
) -> Result<Option<Value>> {
    use Operator::{After, Difference, Evaluate, Intersection, Join, Same, Union};
    use Value::{Fold, Function, Integer, Map, Polynomial, Set};
    Ok(Some(match (operator, left, right) {
        (Union, Polynomial(a), Polynomial(b)) => Polynomial(a.add(b, budget)?.with_joined_floors()),
        (Difference, Polynomial(a), Polynomial(b)) => {
            Polynomial(a.sub(b, budget)?.with_joined_floors())
        }
        (Intersection, Polynomial(a), Polynomial(b)) => Polynomial(a.mul(b)?.with_joined_floors()),
        (Union, Fold(f), Polynomial(q)) | (Union, Polynomial(q), Fold(f)) => {
            Fold(f.add_union_pw_qpolynomial(q)?)
        }
        (Difference, Fold(f), Polynomial(q)) => {
            Fold(f.add_union_pw_qpolynomial(&q.scale(&minus_one()))?)
        }
        (Difference, Polynomial(q), Fold(f)) => {
            Fold(f.scale(&minus_one()).add_union_pw_qpolynomial(q)?)
        }
        (Same, Polynomial(a), Polynomial(b)) => a.is_equal(b, budget)?.into(),
        (Same, Fold(a), Fold(b)) => a.is_obviously_equal(b, budget)?.into(),
        (Join, Fold(a), Fold(b)) => Fold(a.fold(b, budget)?),
        (Intersection, Integer(n), Polynomial(q)) | (Intersection, Polynomial(q), Integer(n)) => {
            Polynomial(q.scale(&Rational::from(n.clone())))
        }
        (Intersection, Integer(n), Fold(f)) | (Intersection, Fold(f), Integer(n)) => {
            Fold(f.scale(&Rational::from(n.clone())))
        }
        // The sign in front of a value is a difference with zero.
        (Difference, Integer(n), Polynomial(q)) if n.is_zero() => Polynomial(q.scale(&minus_one())),
        (Difference, Integer(n), Fold(f)) if n.is_zero() => Fold(f.scale(&minus_one())),
        (Evaluate, Polynomial(q), Set(s)) => {
            let value = |q: &PwQPolynomial, at: &[Int]| q.eval(at, budget).map(Some);
            Polynomial(values(q, s, value, budget)?)
        }
        (Evaluate, Fold(f), Set(s)) => {
            Polynomial(values(f, s, |f, at| f.eval(at, budget), budget)?)
        }
        (Join, Map(m), Polynomial(q)) | (After, Polynomial(q), Map(m)) => {
            Polynomial(sum_over_images(q, m, budget)?)
        }
        (Join, Map(m), Fold(f)) | (After, Fold(f), Map(m)) => composed_fold(f, m, budget)?,
        (_, Polynomial(q), Set(s)) => return restricted(operator, q, s, Polynomial, budget),
        (_, Fold(f), Set(s)) => return restricted(operator, f, s, Fold, budget),
        (_, Function(f), Set(s)) => return restricted(operator, f, s, Function, budget),
        _ => return Ok(None),
    }))
}

fn minus_one() -> Rational {
    Rational::from(Int::MINUS_ONE)
}

/// A function with another domain, or simpler inside a context.
fn restricted<E: Expression>(
    operator: Operator,
    function: &UnionPiecewise<E>,
    set: &UnionSet,
    value: fn(UnionPiecewise<E>) -> Value,
    budget: &Budget,
) -> Result<Option<Value>> {
    let result = match (operator, parameters(set)) {
        (Operator::Intersection, Some(params)) => function.intersect_params(&params)?,
        (Operator::Intersection, None) => function.intersect_domain(set)?,
        (Operator::Difference, None) => function.subtract_domain(set, budget)?,
        (Operator::Gist, Some(params)) => function.gist_params(&params, budget)?,
        (Operator::Gist, None) => function.gist(set, budget)?,
        _ => return Ok(None),
    };
    Ok(Some(value(result)))
}

/// The values at the points of a bounded set, one piece per point.
fn values<E: Expression>(
    function: &UnionPiecewise<E>,
    points: &UnionSet,
    value: impl Fn(&Piecewise<E>, &[Int]) -> Result<Option<Number>>,
    budget: &Budget,
) -> Result<UnionPwQPolynomial> {
    let mut parts = Vec::new();
    for set in points.sets() {
        let Some(part) = function.part(set.space()) else { continue };
        let points = set.as_map().align_params(part.space());
        let part = part.align_params(points.space());
        let space = points.space();
        let mut pieces = Vec::new();
        for point in points.points(SCAN_LIMIT, budget)? {
            if let Some(value) = value(&part, &point)? {
                let place = Map::from_basic_map(BasicMap::from_point(space, &point)?);
                pieces.push((Set::from_map(place), QPolynomial::constant(space, &value)));
            }
        }
        parts.push(Piecewise::from_pieces(space.clone(), pieces));
    }
    Ok(UnionPiecewise::from_parts(parts))
}

/// The composition of a relation and a polynomial: the sum of the values at all images.
fn sum_over_images(
    polynomial: &UnionPwQPolynomial,
    map: &UnionMap,
    budget: &Budget,
) -> Result<UnionPwQPolynomial> {
    if map.is_single_valued(budget)? {
        return polynomial.pullback(&UnionPwMultiAff::from_union_map(map, budget)?);
    }
    let image = UnionPwMultiAff::from_union_map(&map.range_map(), budget)?;
    polynomial.pullback(&image)?.sum(budget)
}

/// The ranks of the elements of a set in lexicographic order.
pub(super) fn rank(set: &UnionSet, budget: &Budget) -> Result<Value> {
    let ranks = set.sets().iter().map(|set| set.rank(budget)).collect::<Result<_>>()?;
    Ok(Value::Polynomial(UnionPiecewise::from_parts(ranks)))
}

/// The set in one space, for functions of one set.
fn single(set: &UnionSet, operation: &'static str) -> Result<Set> {
    match &set.sets()[..] {
        [only] => Ok(only.clone()),
        _ => {
            let reason = "it needs a set in one space".to_owned();
            Err(Error::Invalid { operation, reason })
        }
    }
}

/// The number of elements between two bounds, and whether these are the same.
pub(super) fn card_bounds(set: &UnionSet, budget: &Budget) -> Result<Value> {
    let bounds = single(set, "card_bounds")?.card_bounds(budget)?;
    let polynomial = |part| Value::Polynomial(UnionPiecewise::from_parts(vec![part]));
    let (lower, upper) = (polynomial(bounds.lower), polynomial(bounds.upper));
    Ok(Value::List(vec![lower, upper, Value::Boolean(bounds.is_exact)]))
}

/// The generating function of a set.
pub(super) fn generating_function(set: &UnionSet, budget: &Budget) -> Result<Value> {
    let function = GeneratingFunction::of(&single(set, "gf")?, budget)?;
    Ok(Value::Series(Box::new(function)))
}

/// The value of a generating function where all variables are one.
pub(super) fn specialize(value: &Value, budget: &Budget) -> Result<Option<Value>> {
    let Value::Series(function) = value else { return Ok(None) };
    let value = Number::from(function.value_at_one(budget)?);
    Ok(Some(match value.to_int() {
        Some(value) => Value::Integer(value),
        None => {
            let constant = QPolynomial::constant(&Space::params(&[]), &value);
            let everywhere = Piecewise::everywhere(constant);
            Value::Polynomial(UnionPiecewise::from_parts(vec![everywhere]))
        }
    }))
}

/// A polynomial below or above a quasi-polynomial.
pub(super) fn without_floors(
    value: &Value,
    kind: FoldKind,
    budget: &Budget,
) -> Result<Option<Value>> {
    let Value::Polynomial(q) = value else { return Ok(None) };
    Ok(Some(Value::Polynomial(match kind {
        FoldKind::Minimum => q.lower_polynomial(budget)?,
        FoldKind::Maximum => q.upper_polynomial(budget)?,
    })))
}

/// A polynomial near a quasi-polynomial.
pub(super) fn near_without_floors(value: &Value, budget: &Budget) -> Result<Option<Value>> {
    let Value::Polynomial(q) = value else { return Ok(None) };
    Ok(Some(Value::Polynomial(q.approximate_polynomial(budget)?)))
}

/// The sum of the values of a polynomial.
pub(super) fn sum(value: &Value, budget: &Budget) -> Result<Option<Value>> {
    let Value::Polynomial(q) = value else { return Ok(None) };
    Ok(Some(Value::Polynomial(q.sum(budget)?)))
}

/// The sum of the values of a polynomial at the elements of a set.
pub(super) fn sum_on_set(
    polynomial: &UnionPwQPolynomial,
    set: &UnionSet,
    budget: &Budget,
) -> Result<Value> {
    Ok(Value::Polynomial(polynomial.intersect_domain(set)?.sum(budget)?))
}

/// The composition of a relation and a fold, a bound of the values of all images, and whether it is
/// reached: a pair, as iscc has it.
fn composed_fold(fold: &UnionFold, map: &UnionMap, budget: &Budget) -> Result<Value> {
    if map.is_single_valued(budget)? {
        let composed = fold.pullback(&UnionPwMultiAff::from_union_map(map, budget)?)?;
        return Ok(Value::List(vec![Value::Fold(composed), true.into()]));
    }
    let image = UnionPwMultiAff::from_union_map(&map.range_map(), budget)?;
    bound_of_members(fold, |member| member.pullback(&image), budget)
}

/// A bound of the values of a fold on a set, and whether it is reached.
pub(super) fn bound_on_set(fold: &UnionFold, set: &UnionSet, budget: &Budget) -> Result<Value> {
    bound_of_members(fold, |member| member.intersect_domain(set), budget)
}

/// The bound of what is made of the members of a fold.
fn bound_of_members(
    fold: &UnionFold,
    change: impl Fn(&UnionPwQPolynomial) -> Result<UnionPwQPolynomial>,
    budget: &Budget,
) -> Result<Value> {
    let mut total: Option<UnionFold> = None;
    let mut is_reached = true;
    for (domain, fold) in fold.parts().iter().flat_map(|part| part.pieces()) {
        for member in fold.members() {
            let member = PwQPolynomial::on_domain(domain.clone(), member.clone());
            let member = change(&UnionPiecewise::from_parts(vec![member]))?;
            let (bound, is_tight) = member.bound(fold.kind(), BoundMethod::Bernstein, budget)?;
            is_reached &= is_tight;
            total = Some(match total {
                Some(total) => total.fold(&bound, budget)?,
                None => bound,
            });
        }
    }
    let total = total.unwrap_or_else(|| UnionPiecewise::from_parts(Vec::new()));
    Ok(Value::List(vec![Value::Fold(total), is_reached.into()]))
}

/// The lattice width of a set as a function of its parameters.
pub(super) fn lattice_width(set: &UnionSet, budget: &Budget) -> Result<Value> {
    let [set] = &set.sets()[..] else {
        let reason = "the set has not one space".to_owned();
        return Err(Error::Invalid { operation: "lattice_width", reason });
    };
    if set.n(DimKind::Param) > 0 {
        let width = set.parametric_lattice_width(budget)?;
        return Ok(Value::Polynomial(UnionPiecewise::from_parts(vec![width])));
    }
    let nowhere = Space::params(&[]);
    let width = set.lattice_width(budget)?;
    let constant =
        width.map(|width| PwQPolynomial::everywhere(QPolynomial::constant(&nowhere, &width)));
    Ok(Value::Polynomial(UnionPiecewise::from_parts(constant.into_iter().collect())))
}

/// A function that is the operand of `coalesce`.
pub(super) fn coalesce(value: &Value, budget: &Budget) -> Result<Option<Value>> {
    Ok(Some(match value {
        Value::Polynomial(q) => Value::Polynomial(q.coalesce(budget)?),
        Value::Fold(f) => Value::Fold(f.coalesce(budget)?),
        Value::Function(f) => Value::Function(f.coalesce(budget)?),
        _ => return Ok(None),
    }))
}

/// Where a function is defined.
pub(super) fn domain(value: &Value) -> Option<Value> {
    match value {
        Value::Polynomial(q) => Some(q.domain().into()),
        Value::Fold(f) => Some(f.domain().into()),
        Value::Function(f) => Some(f.domain().into()),
        _ => None,
    }
}

/// A bound of a polynomial, and whether it is known to be reached.
pub(super) fn bound(value: &Value, kind: FoldKind, budget: &Budget) -> Result<Option<Value>> {
    let Value::Polynomial(q) = value else { return Ok(None) };
    let (bound, is_tight) = q.bound(kind, BoundMethod::Bernstein, budget)?;
    Ok(Some(Value::List(vec![Value::Fold(bound), is_tight.into()])))
}
