//! The functions of one operand.
use super::pairs::{lift, zip};
use super::polynomials;
use super::value::Value;
use loopwright_presburger::{
    BasicMap, Budget, Error, FoldKind, Map, PwMultiAff, Result, Set, UnionMap, UnionPwMultiAff,
    UnionSet,
};

type OnSet = fn(&UnionSet, &Budget) -> Result<Value>;
type OnMap = fn(&UnionMap, &Budget) -> Result<Value>;
type OnOther = fn(&Value, &Budget) -> Result<Option<Value>>;

/// The most elements that `scan` lists.
pub(super) const SCAN_LIMIT: usize = 10_000;

/// A function of one operand.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name in the language.
    pub name: &'static str,
    /// What it computes.
    pub help: &'static str,
    on_set: Option<OnSet>,
    on_map: Option<OnMap>,
    on_other: Option<OnOther>,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const fn on_sets(name: &'static str, help: &'static str, set: OnSet) -> Function {
    Function { name, help, on_set: Some(set), on_map: None, on_other: None }
}

const fn on_maps(name: &'static str, help: &'static str, map: OnMap) -> Function {
    Function { name, help, on_set: None, on_map: Some(map), on_other: None }
}

const fn on_both(name: &'static str, help: &'static str, set: OnSet, map: OnMap) -> Function {
    Function { name, help, on_set: Some(set), on_map: Some(map), on_other: None }
}

const fn on_others(name: &'static str, help: &'static str, other: OnOther) -> Function {
    Function { name, help, on_set: None, on_map: None, on_other: Some(other) }
}

const fn with_others(function: Function, other: OnOther) -> Function {
    Function { on_other: Some(other), ..function }
}

const DOMAIN: Function = with_others(
    on_maps("domain", "the domain of a relation, function or schedule", |m, _| {
        Ok(m.domain().into())
    }),
    |value, _| match value {
        Value::Schedule(tree) => Ok(Some(tree.domain.clone().into())),
        _ => Ok(polynomials::domain(value)),
    },
);
const RANGE: Function = on_maps("range", "the range of a relation", |m, _| Ok(m.range().into()));

/// The functions, in alphabetical order.
const FUNCTIONS: &[Function] =
    &[
        on_both(
            "aff",
            "the affine hull in every space",
            |s, b| Ok(s.affine_hull(b)?.into()),
            |m, b| Ok(m.affine_hull(b)?.into()),
        ),
        on_maps("bijective", "whether a relation is a one-to-one function", |m, b| {
            Ok(m.is_bijective(b)?.into())
        }),
        on_both(
            "card",
            "the number of elements, or of the images of every element",
            |s, b| Ok(Value::Polynomial(s.card(b)?)),
            |m, b| Ok(Value::Polynomial(m.card(b)?)),
        ),
        on_sets(
            "card_bounds",
            "bounds of the number of elements, and whether they are the number",
            polynomials::card_bounds,
        ),
        with_others(
            on_both(
                "coalesce",
                "the same in fewer pieces",
                |s, b| Ok(s.coalesce(b)?.into()),
                |m, b| Ok(m.coalesce(b)?.into()),
            ),
            polynomials::coalesce,
        ),
        on_sets("coefficients", "the coefficients of all constraints that hold", |s, b| {
            Ok(s.coefficients(b)?.into())
        }),
        on_both(
            "complement",
            "what is not in it, in the same spaces",
            |s, b| each_set(s, |set| set.complement(b)),
            |m, b| each_map(m, |map| map.complement(b)),
        ),
        on_both(
            "compute_divs",
            "the same with known floors instead of existentials",
            |s, b| Ok(s.make_locals_explicit(b)?.into()),
            |m, b| Ok(m.make_locals_explicit(b)?.into()),
        ),
        on_both(
            "convex_hull",
            "the convex hull of the pieces in every space",
            |s, b| Ok(s.convex_hull(b)?.into()),
            |m, b| Ok(m.convex_hull(b)?.into()),
        ),
        on_maps("curry", "a -> [b -> c] from [a -> b] -> c", |m, _| Ok(m.curry()?.into())),
        on_maps("deltas", "the differences between images and originals", |m, _| {
            Ok(m.deltas()?.into())
        }),
        on_maps("deltas_map", "[x -> y] -> y - x", |m, _| Ok(m.deltas_map()?.into())),
        on_both(
            "detect_equalities",
            "the same with its equalities found",
            |s, b| Ok(s.detect_equalities(b)?.into()),
            |m, b| Ok(m.detect_equalities(b)?.into()),
        ),
        Function { name: "dom", ..DOMAIN },
        DOMAIN,
        on_maps("domain_map", "[x -> y] -> x", |m, _| Ok(m.domain_map().into())),
        on_both(
            "empty",
            "whether there is no element",
            |s, b| Ok(s.is_empty(b)?.into()),
            |m, b| Ok(m.is_empty(b)?.into()),
        ),
        on_both(
            "flatten",
            "the same with anonymous tuples without nesting",
            |s, _| each_set(s, |set| Ok(set.flatten())),
            |m, _| each_map(m, |map| Ok(map.flatten())),
        ),
        on_sets("gf", "the generating function of a set", polynomials::generating_function),
        on_sets("identity", "the identity relation on a set", |s, _| {
            Ok(UnionMap::identity_on(s).into())
        }),
        on_maps("injective", "whether no two elements have a common image", |m, b| {
            Ok(m.is_injective(b)?.into())
        }),
        on_sets(
            "lattice_width",
            "the least width of a bounded set along an integer direction",
            polynomials::lattice_width,
        ),
        on_others("lb", "a lower bound of a polynomial, and whether it is reached", |value, b| {
            polynomials::bound(value, FoldKind::Minimum, b)
        }),
        on_both(
            "lexmax",
            "the lexicographically greatest element, or image",
            |s, b| Ok(s.lexmax(b)?.into()),
            |m, b| Ok(m.lexmax(b)?.into()),
        ),
        on_both(
            "lexmin",
            "the lexicographically smallest element, or image",
            |s, b| Ok(s.lexmin(b)?.into()),
            |m, b| Ok(m.lexmin(b)?.into()),
        ),
        on_others("lpoly", "a polynomial that is at most a quasi-polynomial", |value, b| {
            polynomials::without_floors(value, FoldKind::Minimum, b)
        }),
        on_sets("lift", "[S -> L] with the existentials as dimensions of L", |s, _| lift(s)),
        on_both(
            "make_disjoint",
            "the same in disjoint pieces",
            |s, b| Ok(s.make_disjoint(b)?.into()),
            |m, b| Ok(m.make_disjoint(b)?.into()),
        ),
        on_others("map", "the relation from instances to times of a schedule", |value, _| {
            match value {
                Value::Schedule(tree) => Ok(Some(tree.flatten()?.into())),
                _ => Ok(None),
            }
        }),
        on_both(
            "params",
            "the parameter values for which there is an element",
            |s, _| Ok(s.params().into()),
            |m, _| Ok(m.params().into()),
        ),
        with_others(
            on_both(
                "poly",
                "the polyhedral hull in every space, or a polynomial near a quasi-polynomial",
                |s, b| Ok(s.polyhedral_hull(b)?.into()),
                |m, b| Ok(m.polyhedral_hull(b)?.into()),
            ),
            polynomials::near_without_floors,
        ),
        on_maps("pow", "all powers of a relation, and whether they are exact", power),
        Function { name: "ran", ..RANGE },
        RANGE,
        on_maps("range_map", "[x -> y] -> y", |m, _| Ok(m.range_map().into())),
        on_both(
            "rank",
            "the number of elements before each, in lexicographic or in a schedule's order",
            polynomials::rank,
            |m, b| Ok(Value::Polynomial(m.rank(b)?)),
        ),
        on_both(
            "remove_redundancies",
            "the same without constraints that follow from others",
            |s, b| Ok(s.remove_redundancies(b)?.into()),
            |m, b| Ok(m.remove_redundancies(b)?.into()),
        ),
        on_maps("reverse", "the inverse relation", |m, _| Ok(m.reverse().into())),
        on_both(
            "sample",
            "one element",
            |s, b| {
                let maps: Vec<Map> = s.sets().iter().map(|set| set.as_map().clone()).collect();
                let element = sample(&maps, b)?.map(Set::from_map);
                Ok(UnionSet::from_sets(s.params_space(), element).into())
            },
            |m, b| Ok(UnionMap::from_maps(m.params_space(), sample(m.maps(), b)?).into()),
        ),
        on_both(
            "scan",
            "the elements one by one, of a bounded set or relation",
            |s, b| each_set(s, |set| scan(set.as_map(), b).map(Set::from_map)),
            |m, b| each_map(m, |map| scan(map, b)),
        ),
        on_both(
            "simple_hull",
            "one convex piece made of constraints of the pieces, in every space",
            |s, b| each_set(s, |set| set.simple_hull(b).map(Set::from_basic_set)),
            |m, b| each_map(m, |map| map.simple_hull(b).map(Map::from_basic_map)),
        ),
        on_maps("single_valued", "whether every element has at most one image", |m, b| {
            Ok(m.is_single_valued(b)?.into())
        }),
        on_sets(
            "solutions",
            "the elements for which the coefficients give valid constraints",
            |s, b| Ok(s.solutions(b)?.into()),
        ),
        on_others(
            "specialize",
            "the value of a generating function where all variables are one",
            polynomials::specialize,
        ),
        on_others("sum", "the sum of the values of a polynomial", polynomials::sum),
        on_others("typeof", "the name of the type of a value", |value, _| {
            Ok(Some(Value::Text(value.type_name().to_owned())))
        }),
        on_others("ub", "an upper bound of a polynomial, and whether it is reached", |value, b| {
            polynomials::bound(value, FoldKind::Maximum, b)
        }),
        on_maps("uncurry", "[a -> b] -> c from a -> [b -> c]", |m, _| Ok(m.uncurry()?.into())),
        on_sets("unwrap", "the relation in a set of pairs", |s, _| Ok(s.unwrap()?.into())),
        on_others("upoly", "a polynomial that is at least a quasi-polynomial", |value, b| {
            polynomials::without_floors(value, FoldKind::Maximum, b)
        }),
        on_sets("vertices", "the vertices of every piece, with their domains", vertices),
        on_maps("wrap", "a relation as the set of its pairs", |m, _| Ok(m.wrap().into())),
        on_maps("zip", "[w -> y] -> [x -> z] from [w -> x] -> [y -> z]", |m, _| {
            each_map(m, zip).map(without_empty_spaces)
        }),
    ];

/// iscc's functions that are missing, and what to say about them.
pub(super) const UNAVAILABLE: &[(&str, &str)] = &[("wrt", "is not part of the language")];

/// All functions.
pub fn functions() -> &'static [Function] {
    FUNCTIONS
}

/// The names that a user may complete: functions and keywords.
pub fn function_names() -> Vec<&'static str> {
    let functions = FUNCTIONS.iter().map(|function| function.name);
    functions.chain(super::keywords::keywords().iter().copied()).collect()
}

/// The function with a name.
pub(super) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

impl Function {
    /// The value for an operand; a pair stands for its first element.
    ///
    /// # Errors
    /// If the function is not defined for such an operand, or an operation on sets fails.
    pub(super) fn call(&self, operand: &Value, budget: &Budget) -> Result<Value> {
        let found = match (operand, self.on_set, self.on_map) {
            (Value::Set(set), Some(call), _) => Some(call(set, budget)?),
            (Value::Map(map), _, Some(call)) => Some(call(map, budget)?),
            _ => match self.on_other {
                Some(call) => call(operand, budget)?,
                None => None,
            },
        };
        match (found, operand.first_of_pair()) {
            (Some(value), _) => Ok(value),
            (None, Some(first)) => self.call(first, budget),
            (None, None) => {
                let reason = format!("it is not defined for {}", operand.noun());
                Err(Error::Invalid { operation: self.name, reason })
            }
        }
    }
}

fn each_set(set: &UnionSet, change: impl Fn(&Set) -> Result<Set>) -> Result<Value> {
    let sets = set.sets().iter().map(change).collect::<Result<Vec<_>>>()?;
    Ok(UnionSet::from_sets(set.params_space(), sets).into())
}

fn each_map(map: &UnionMap, change: impl Fn(&Map) -> Result<Map>) -> Result<Value> {
    let maps = map.maps().iter().map(change).collect::<Result<Vec<_>>>()?;
    Ok(UnionMap::from_maps(map.params_space(), maps).into())
}

fn without_empty_spaces(value: Value) -> Value {
    match value {
        Value::Map(map) => {
            let kept = map.maps().iter().filter(|map| !map.plain_is_empty()).cloned();
            UnionMap::from_maps(map.params_space(), kept.collect::<Vec<_>>()).into()
        }
        other => other,
    }
}

/// An element of the first part that has one.
fn sample(parts: &[Map], budget: &Budget) -> Result<Option<Map>> {
    for part in parts {
        let element = part.sample(budget)?;
        if !element.plain_is_empty() {
            return Ok(Some(Map::from_basic_map(element)));
        }
    }
    Ok(None)
}

/// The elements as one basic relation each.
fn scan(map: &Map, budget: &Budget) -> Result<Map> {
    let points = map.points(SCAN_LIMIT, budget)?;
    let space = map.space();
    let point = |point: &Vec<_>| BasicMap::from_point(space, point);
    let basics = points.iter().map(point).collect::<Result<Vec<_>>>()?;
    Ok(Map::from_basic_maps(space.clone(), basics))
}

/// All powers of a relation between the elements of each space.
fn power(map: &UnionMap, budget: &Budget) -> Result<Value> {
    let mut is_exact = true;
    let mut powers = Vec::new();
    for part in map.maps() {
        let power = part.power(budget)?;
        is_exact &= power.is_exact;
        powers.push(power.relation);
    }
    let powers = UnionMap::from_maps(map.params_space(), powers);
    Ok(Value::List(vec![powers.into(), is_exact.into()]))
}

/// The vertices of every convex piece as functions of the parameters.
fn vertices(set: &UnionSet, budget: &Budget) -> Result<Value> {
    let mut list = Vec::new();
    for part in set.sets() {
        for basic in part.basic_sets() {
            for vertex in basic.vertices(budget)?.vertices {
                let domain = Set::from_basic_set(vertex.domain);
                let function = PwMultiAff::on_domain(domain, vertex.expression);
                list.push(Value::Function(UnionPwMultiAff::from_parts(vec![function])));
            }
        }
    }
    Ok(Value::List(list))
}
