//! Ranks against the order of enumerated points, and elements by their ranks.
use crate::random_sets::{budget, conjunction, cube, union};
use loopwright_presburger::{Error, Int, Ranking, Set, UnionMap, Value};
use proptest::prelude::*;

fn ints(point: &[i64]) -> Vec<Int> {
    point.iter().copied().map(Int::from).collect()
}

/// The points of a set without parameters in a cube, in lexicographic order.
fn elements(set: &Set, half: i64) -> Vec<Vec<Int>> {
    let inside = |point: &Vec<Int>| set.contains_point(point, &budget()).unwrap();
    cube(set.n_dims(), half).iter().map(|point| ints(point)).filter(inside).collect()
}

fn check(set: &Set, half: i64) {
    let rank = set.rank(&budget()).unwrap();
    let ranking = Ranking::new(set, &budget()).unwrap();
    let elements = elements(set, half);
    for (position, element) in elements.iter().enumerate() {
        let position = i64::try_from(position).unwrap();
        assert_eq!(rank.eval(element, &budget()).unwrap(), Value::from(position), "{set}");
        let found = ranking.element(&Int::from(position), &[], &budget()).unwrap();
        assert_eq!(found.as_ref(), Some(element), "{set}");
    }
    let n_elements = Int::from(i64::try_from(elements.len()).unwrap());
    assert_eq!(ranking.element(&n_elements, &[], &budget()).unwrap(), None, "{set}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn ranks_are_positions_in_two_dimensions(parts in union(&["i", "j"], 4, 2)) {
        check(&Set::parse(&format!("{{ [i, j] : {} }}", parts.join(" or "))).unwrap(), 4);
    }

    #[test]
    fn ranks_are_positions_in_three_dimensions(part in conjunction(&["i", "j", "k"], 2)) {
        check(&Set::parse(&format!("{{ [i, j, k] : {part} }}")).unwrap(), 2);
    }
}

/// The number of the triangle K = i (i + 1)/2 + j, at the borders of machine words and floating point.
#[test]
fn elements_of_a_large_triangle() {
    let triangle = Set::parse("[n] -> { [i, j] : 0 <= j <= i < n }").unwrap();
    let ranking = Ranking::new(&triangle, &budget()).unwrap();
    let n = [Int::from(1i64 << 40)];
    let cases = [
        ((1i64 << 31) - 1, [65535, 32767]),
        (1 << 31, [65535, 32768]),
        ((1 << 53) - 1, [134_217_727, 67_108_863]),
        (1 << 53, [134_217_727, 67_108_864]),
        ((1 << 53) + 1, [134_217_727, 67_108_865]),
        ((1 << 62) - 1, [3_037_000_499, 1_445_763_153]),
    ];
    let rank = triangle.rank(&budget()).unwrap();
    for (number, element) in cases {
        let found = ranking.element(&Int::from(number), &n, &budget()).unwrap();
        assert_eq!(found, Some(ints(&element)));
        let point = [&n[..], &ints(&element)].concat();
        assert_eq!(rank.eval(&point, &budget()).unwrap(), Value::from(number));
    }
}

#[test]
fn ranks_are_infinite_behind_infinitely_many() {
    let set = Set::parse("{ [i, j] : 0 <= i <= 1 and j >= 0 }").unwrap();
    assert_eq!(
        set.rank(&budget()).unwrap().to_string(),
        "{ [i, j] -> (j) : i = 0 and j >= 0; [i, j] -> infty : i = 1 and j >= 0 }"
    );
    let ranking = Ranking::new(&set, &budget()).unwrap();
    assert!(matches!(ranking.element(&Int::from(3), &[], &budget()), Err(Error::Invalid { .. })));
}

#[test]
fn ranks_in_the_order_of_a_schedule() {
    let tiled = "{ S[i, j] -> [floor(i/4), floor(j/4), i, j] : 0 <= i, j < 8 }";
    let rank = UnionMap::parse(tiled).unwrap().rank(&budget()).unwrap();
    let [part] = rank.parts() else { unreachable!("one statement") };
    for i in 0..8i64 {
        for j in 0..8 {
            let expected = 32 * (i / 4) + 16 * (j / 4) + 4 * (i % 4) + j % 4;
            let value = part.eval(&ints(&[i, j]), &budget()).unwrap();
            assert_eq!(value, Value::from(expected));
        }
    }
    let refused = [
        "{ S[i] -> [0] : 0 <= i < 5 }",
        "{ S[i] -> [i]; T[i] -> [2i + 1] }",
        "{ S[i] -> A[i]; T[i] -> B[i] }",
    ];
    for text in refused {
        let result = UnionMap::parse(text).unwrap().rank(&budget());
        assert!(matches!(result, Err(Error::Invalid { .. })), "{text}");
    }
}
