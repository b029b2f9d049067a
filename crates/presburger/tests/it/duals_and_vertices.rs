//! Farkas duals and parametric vertices against evaluation at points and vertices of fixed parameters.

use crate::random_sets::{budget, conjunction, cube, points, union};
use loopwright_presburger::{BasicSet, Cone, DimKind, Int, Rational, Row, Set, UnionSet};
use proptest::prelude::*;

fn set(pieces: &[String]) -> Set {
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("[x, y] : {piece}")).collect();
    Set::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A form with coefficients in the dual is not negative on the polyhedral hull, every other one
    /// is negative at some vertex of it; and the dual of the dual is the hull.
    #[test]
    fn coefficients_and_solutions(pieces in union(&["x", "y"], 3, 2)) {
        let set = set(&pieces);
        let hull = set.polyhedral_hull(&budget()).unwrap();
        let vertices = hull.generators(&budget()).unwrap().vertices;
        let forms = set.coefficients(&budget()).unwrap();
        let found = points(Set::from_basic_set(forms.clone()).as_map(), 3, 2);
        let expected: Vec<Vec<i64>> = cube(3, 2)
            .into_iter()
            .filter(|form| {
                let form = Row::from_i64s(form);
                vertices.iter().all(|vertex| form.dot(vertex) >= Int::ZERO)
            })
            .collect();
        prop_assert_eq!(found, expected);
        let back = Set::from_basic_set(forms.solutions(&budget()).unwrap());
        prop_assert_eq!(points(back.as_map(), 2, 4), points(Set::from_basic_set(hull).as_map(), 2, 4));
    }

    /// At every value of the parameter (the first dimension) the parametric vertices that exist
    /// there are those of the section.
    #[test]
    fn vertices_of_sections(piece in conjunction(&["n", "x", "y"], 3)) {
        let text = format!("[n] -> {{ [x, y] : {piece} }}");
        for basic in Set::parse(&text).unwrap().basic_sets() {
            if !basic.locals().is_empty() {
                continue;
            }
            let found = basic.vertices(&budget()).unwrap();
            for n in -3..=3i64 {
                let at = [Int::from(n)];
                let value = |index: usize| -> Vec<Rational> {
                    found.vertices[index].expression.members().iter().map(|aff| aff.eval(&at)).collect()
                };
                let section = Set::from_basic_set(basic.clone())
                    .fix(DimKind::Param, 0, &Int::from(n))
                    .project_out(DimKind::Param, 0, 1);
                let mut present: Vec<_> = (0..found.vertices.len())
                    .filter(|&i| {
                        let domain = Set::from_basic_set(found.vertices[i].domain.clone());
                        domain.contains_point(&at, &budget()).unwrap()
                    })
                    .map(value)
                    .collect();
                present.sort();
                present.dedup();
                // The constraints of the section as they are, without tightening.
                let constraint = |row: &Row| {
                    let constant = row.get(0) + row.get(1) * Int::from(n);
                    Row::from_ints(vec![constant, row.get(2), row.get(3)])
                };
                let equalities: Vec<Row> = basic.equalities().iter().map(constraint).collect();
                let inequalities: Vec<Row> = basic.inequalities().iter().map(constraint).collect();
                let cone = Cone::polyhedron(3, &equalities, &inequalities, &budget()).unwrap();
                let mut expected: Vec<Vec<Rational>> = cone
                    .rays()
                    .filter(|ray| !ray.is_zero_at(0))
                    .map(|ray| (1..3).map(|i| Rational::new(ray.get(i), ray.get(0))).collect())
                    .collect();
                expected.sort();
                let is_thin = section.plain_is_empty() || found.chambers.is_empty();
                for vertex in &expected {
                    prop_assert!(is_thin || present.contains(vertex) , "{vertex:?} at {n} of {text}");
                }
                prop_assert!(present.iter().all(|vertex| expected.contains(vertex)));
            }
        }
    }
}

#[test]
fn duals_as_isl_gives_them() {
    let check = |text: &str, expected: &str| {
        let set = UnionSet::parse(text).unwrap();
        let expected = UnionSet::parse(expected).unwrap();
        let forms = set.coefficients(&budget()).unwrap();
        assert!(forms.is_equal(&expected, &budget()).unwrap(), "{forms}");
        let back = forms.solutions(&budget()).unwrap();
        assert!(set.is_subset(&back, &budget()).unwrap(), "{back}");
    };
    check(
        "{ [i, j] : 0 <= i <= 5 and j >= i }",
        "{ coefficients[[c] -> [i, j]] : c >= 0 and j >= 0 and 5j >= -c - 5i }",
    );
    check(
        "[n] -> { S[i] : 0 <= i <= n and i = 3 }",
        "{ coefficients[[c, n] -> S[i]] : n >= 0 and 3i >= -c - 3n }",
    );
    check("{ [0]; [4] }", "{ coefficients[[c] -> [i]] : c >= 0 and 4i >= -c }");
    let empty = Set::parse("{ [i] : false }").unwrap().coefficients(&budget()).unwrap();
    assert!(empty.inequalities().is_empty() && !empty.plain_is_empty());
    assert!(empty.solutions(&budget()).unwrap().plain_is_empty());
    assert!(Set::parse("{ [i] }").unwrap().solutions(&budget()).is_err());
    assert!(Set::parse("[n] -> { : n > 0 }").unwrap().coefficients(&budget()).is_err());
}

#[test]
fn chambers_cover_the_parameters() {
    let text = "[n, m] -> { [i, j] : 0 <= i <= n and 0 <= j <= m and i + j <= 6 }";
    let basic = Set::parse(text).unwrap().basic_sets().swap_remove(0);
    let found = basic.vertices(&budget()).unwrap();
    for point in cube(2, 9) {
        let at: Vec<Int> = point.iter().map(|&value| Int::from(value)).collect();
        let inside = |set: &BasicSet| {
            Set::from_basic_set(set.clone()).contains_point(&at, &budget()).unwrap()
        };
        let in_chamber = found.chambers.iter().any(|chamber| inside(&chamber.domain));
        assert_eq!(in_chamber, point[0] >= 0 && point[1] >= 0, "{point:?}");
        for chamber in found.chambers.iter().filter(|chamber| inside(&chamber.domain)) {
            assert!(chamber.vertices.iter().all(|&vertex| inside(&found.vertices[vertex].domain)));
        }
    }
    let cone = Set::parse("{ [i, j] : i >= 0 }").unwrap().basic_sets().swap_remove(0);
    assert!(cone.vertices(&budget()).unwrap().vertices.is_empty());
}
