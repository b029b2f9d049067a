//! The graphs of affine functions on basic sets, which need no simplification.
//!
//! In the normal form of a system every equality is solved for the last column in which it has a
//! coefficient 1 or -1. Here that is the function's own result, which occurs nowhere else: the system is
//! in normal form as it is written down, if the set has neither equalities nor locals.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::basic_set::BasicSet;
use crate::core::constraint::Local;
use crate::core::space::{DimKind, Space};
use loopwright_exact::{Int, Row};

impl BasicMap {
    /// Each point of `domain` with the values of affine functions there, as a relation of `space`.
    ///
    /// `values` has a row over `[1 | parameters | dimensions]` for each output dimension. The input of
    /// `space` has the dimensions of `domain`.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Map, Row, Set, Space, Tuple};
    /// let domain = Set::parse("[n] -> { S[i] : 0 <= i < n }")?;
    /// let space = domain.space().map_to(&Set::parse("[n] -> { A[x, y] }")?.space());
    /// let values = vec![Row::from_i64s(&[1, 0, 2]), Row::from_i64s(&[0, 1, -1])];
    /// let graph = BasicMap::graph(&domain.basic_sets()[0], space, values);
    /// let expected = Map::parse("[n] -> { S[i] -> A[2i + 1, n - i] : 0 <= i < n }")?;
    /// assert!(Map::from_basic_map(graph).plain_is_equal(&expected));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of a copy of the domain's constraints, without equalities and locals; otherwise
    /// that of bringing the system into normal form.
    pub fn graph(domain: &BasicSet, space: Space, values: Vec<Row>) -> Self {
        let domain = &domain.as_basic_map().inner;
        if domain.empty {
            return BasicMap::empty(space);
        }
        let (first, n_locals) = (domain.offset(DimKind::Local), domain.locals.len());
        let n_out = values.len();
        let with_outputs = |row: &Row| {
            let mut row = row.clone();
            row.insert_zeros(first, n_out);
            row
        };
        let mut equalities: Vec<Row> = Vec::with_capacity(n_out + domain.equalities.len());
        for (position, mut row) in values.into_iter().enumerate() {
            debug_assert_eq!(row.len(), first);
            row.negate();
            row.insert_zeros(first, n_out + n_locals);
            row.set(first + position, Int::ONE);
            equalities.push(row);
        }
        let is_normal = domain.equalities.is_empty() && n_locals == 0;
        equalities.extend(domain.equalities.iter().map(with_outputs));
        let locals = domain.locals.iter().map(|local| match local {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => {
                let (numerator, denominator) = (with_outputs(numerator), denominator.clone());
                Local::Floor { numerator, denominator }
            }
        });
        let mut data = BasicRelation::new(space, locals.collect());
        data.equalities = equalities;
        data.inequalities = domain.inequalities.iter().map(with_outputs).collect();
        if is_normal { BasicMap::from_normal_data(data) } else { BasicMap::from_data(data) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::budget::Budget;
    use crate::core::map::Map;
    use crate::core::set::Set;
    use crate::core::tuple::Tuple;

    /// The same system, brought into normal form.
    fn simplified(graph: &BasicMap) -> BasicMap {
        let locals = graph.locals().to_vec();
        BasicMap::from_constraints(graph.space().clone(), locals, graph.constraints())
    }

    fn contains(set: &Map, point: &[i64]) -> bool {
        let point: Vec<Int> = point.iter().map(|x| Int::from(*x)).collect();
        set.contains_point(&point, &Budget::unlimited()).expect("the budget is unlimited")
    }

    #[test]
    fn graphs_have_the_values_of_the_functions_and_are_in_normal_form() {
        let domains = [
            "[n] -> { S[i, j] : 0 <= i < n and i <= j < 2n }",
            "[n] -> { S[i, j] }",
            "[n] -> { S[i, j] : 2i <= 3j + n and 5 <= i + 4j }",
            "[n] -> { S[i, j] : i = 2 and j <= n }",
            "[n] -> { S[i, j] : i = 2j and j <= n }",
            "[n] -> { S[i, j] : (i + j) mod 2 = 0 and j <= n }",
            "[n] -> { S[i, j] : 1 = 0 }",
        ];
        let functions: [&[[i64; 4]]; 4] = [
            &[],
            &[[0, 0, 1, 0], [0, 0, 0, 1]],
            &[[7, 0, 0, 0], [1, 1, -1, 2], [-3, 0, 0, -1]],
            &[[0, 0, 0, 1], [0, 0, 0, 1]],
        ];
        for (domain, values) in domains.iter().flat_map(|d| functions.map(|f| (d, f))) {
            let domain = Set::parse(domain).expect("a set");
            let basic = domain.basic_sets().first().cloned();
            let basic = basic.unwrap_or_else(|| BasicSet::empty(domain.space().clone()));
            let range = Tuple::named("A", values.len());
            let space = domain.space().map_to(&Space::set(domain.space().param_names(), range));
            let rows = values.iter().map(|value| Row::from_i64s(value)).collect();
            let graph = BasicMap::graph(&basic, space, rows);
            assert_eq!(graph.constraints(), simplified(&graph).constraints());
            let graph = Map::from_basic_map(graph);
            for [n, i, j] in (0..64).map(|k| [k % 4, k / 4 % 4, k / 16]) {
                let value = |v: &[i64; 4]| v[0] + v[1] * n + v[2] * i + v[3] * j;
                let mut point = vec![n, i, j];
                point.extend(values.iter().map(value));
                let is_inside = contains(domain.as_map(), &[n, i, j]);
                assert_eq!(contains(&graph, &point), is_inside, "{graph} at {point:?}");
                if !values.is_empty() {
                    *point.last_mut().expect("it has values") += 1;
                    assert!(!contains(&graph, &point), "{graph} at {point:?}");
                }
            }
        }
    }
}
