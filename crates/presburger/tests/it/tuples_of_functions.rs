//! Tuples of functions, against their values at points.
use loopwright_presburger::{
    Budget, DimKind, Int, Map, MultiAff, MultiPwAff, MultiUnionPwAff, MultiVal, PwAff, PwMultiAff,
    Rational, Set, Tuple, UnionMap, UnionPwMultiAff, UnionSet, Value,
};

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

fn points() -> impl Iterator<Item = [Int; 2]> {
    (-5..6).flat_map(|i| (-5..6).map(move |j| [Int::from(i), Int::from(j)]))
}

/// The value at a point, if it is defined there.
fn value(function: &PwMultiAff, point: &[Int]) -> Option<Vec<Rational>> {
    let contains = |domain: &Set| domain.contains_point(point, &budget()).unwrap();
    let mut pieces = function.pieces().iter().filter(|(domain, _)| contains(domain));
    let piece = pieces.next();
    assert!(pieces.next().is_none(), "the pieces of {function} overlap at {point:?}");
    piece.map(|(_, tuple)| tuple.affs().iter().map(|aff| aff.eval(point)).collect())
}

const TUPLES: [&str; 4] = [
    "{ A[i, j] -> B[(i), (j - i)] : i >= 0; A[i, j] -> B[(2), (floor(j/2))] : i < -1 }",
    "{ A[i, j] -> B[(j mod 3), (i)] }",
    "{ A[i, j] -> B[max(i, j), (2)] : i + j > -3 }",
    "{ A[i, j] -> B[(i + 1)/2, (j)] : (i + 1) mod 2 = 0 }",
];

fn tuples() -> Vec<PwMultiAff> {
    TUPLES.iter().map(|text| PwMultiAff::parse(text).unwrap()).collect()
}

#[test]
fn sums_and_products_act_on_values() {
    for (a, b) in tuples().iter().flat_map(|a| tuples().into_iter().map(move |b| (a.clone(), b))) {
        let sum = a.add(&b).unwrap();
        let either = a.union_add(&b, &budget()).unwrap();
        let flat = a.flat_range_product(&b).unwrap();
        let nested = a.range_product(&b).unwrap();
        let (least, greatest) =
            (a.union_lexmin(&b, &budget()).unwrap(), a.union_lexmax(&b, &budget()).unwrap());
        for point in points() {
            let (x, y) = (value(&a, &point), value(&b, &point));
            let both = x.clone().zip(y.clone());
            let added = both.clone().map(|(x, y)| x.iter().zip(&y).map(|(x, y)| x + y).collect());
            assert_eq!(value(&sum, &point), added);
            assert_eq!(value(&either, &point), added.or(x.clone()).or(y.clone()));
            let joined = both.clone().map(|(x, y)| [x, y].concat());
            assert_eq!(value(&flat, &point), joined);
            assert_eq!(value(&nested, &point), joined);
            let smaller = both.clone().map(|(x, y)| x.min(y));
            assert_eq!(value(&least, &point), smaller.or(x.clone()).or(y.clone()));
            let greater = both.map(|(x, y)| x.max(y));
            assert_eq!(value(&greatest, &point), greater.or(x).or(y));
        }
        let first = nested.range_factor_domain().unwrap();
        assert!(first.is_equal(&a.intersect_domain(&b.domain()).unwrap(), &budget()).unwrap());
        let second = nested.range_factor_range().unwrap();
        assert!(second.is_equal(&b.intersect_domain(&a.domain()).unwrap(), &budget()).unwrap());
        assert_eq!(a.is_equal(&b, &budget()).unwrap(), a.to_string() == b.to_string());
    }
}

#[test]
fn tuples_of_piecewise_expressions_keep_their_domains() {
    let text = "[n] -> { A[i] -> B[((i) : i >= n; (4) : i = -10), (2), ((n)/2 : n mod 2 = 0)] }";
    let function = MultiPwAff::parse(text).unwrap();
    assert!(function.members()[1].domain().plain_is_universe());
    let again = MultiPwAff::parse(&function.to_string()).unwrap();
    for (a, b) in function.members().iter().zip(again.members()) {
        assert!(a.is_equal(b, &budget()).unwrap());
    }
    let common = function.to_pw_multi_aff().unwrap();
    assert!(common.domain().is_equal(&function.domain().unwrap(), &budget()).unwrap());
    let back = MultiPwAff::from(common.clone()).to_pw_multi_aff().unwrap();
    assert!(back.is_equal(&common, &budget()).unwrap());
    let sum = function.add(&function).unwrap().to_pw_multi_aff().unwrap();
    assert!(sum.is_equal(&common.scale(&Int::from(2)), &budget()).unwrap());
    let bound = function.bind(&["m".into(), "k".into(), "l".into()]).unwrap();
    let expected = common.to_map();
    let expected = expected.move_dims(DimKind::Param, 1, DimKind::Out, 0, 3).domain();
    let names = bound.space().clone();
    for n in -4..5 {
        for (i, m) in (-11..4).flat_map(|i| (-3..5).map(move |m| (i, m))) {
            let point = [n, m, 2, n / 2, i].map(Int::from);
            assert_eq!(names.param_names().join(","), "n,m,k,l");
            assert_eq!(
                bound.contains_point(&point, &budget()).unwrap(),
                expected.contains_point(&point, &budget()).unwrap()
            );
        }
    }
}

#[test]
fn preimages_hold_the_points_with_values_inside() {
    let set = Set::parse("{ B[x, y] : 0 <= x <= y + 1 and (x + y) mod 2 = 0 }").unwrap();
    let map = Map::parse("{ B[x, y] -> C[z] : x <= z < y or z = 2x }").unwrap();
    for function in tuples() {
        let inside = set.preimage_pw_multi_aff(&function).unwrap();
        let before = map.preimage_domain_pw_multi_aff(&function).unwrap();
        let after = map.reverse().preimage_range_pw_multi_aff(&function).unwrap();
        for point in points() {
            let image: Option<Vec<Int>> =
                value(&function, &point).and_then(|v| v.iter().map(Rational::to_int).collect());
            let expected =
                image.as_ref().is_some_and(|v| set.contains_point(v, &budget()).unwrap());
            assert_eq!(inside.contains_point(&point, &budget()).unwrap(), expected);
            for z in -3..4 {
                let z = [Int::from(z)];
                let expected = image
                    .as_ref()
                    .is_some_and(|v| map.contains_point(&[v, &z[..]].concat(), &budget()).unwrap());
                let pair = [&point[..], &z].concat();
                assert_eq!(before.contains_point(&pair, &budget()).unwrap(), expected);
                let pair = [&z[..], &point].concat();
                assert_eq!(after.contains_point(&pair, &budget()).unwrap(), expected);
            }
        }
    }
}

#[test]
fn binding_and_unbinding_are_inverse() {
    let function =
        PwAff::parse("[n, i] -> { [(i + 2n)] : i > n; [floor(n/3)] : i <= n - 2 }").unwrap();
    let tuple = Tuple::named("S", 1).with_dim_names(&[Some("n".into())]);
    let unbound = function.unbind_params(&tuple).unwrap();
    assert_eq!(unbound.space().to_string(), "[i] -> { S[n] }");
    let bound = unbound.bind_domain(&["n".into()]).unwrap();
    assert!(bound.is_equal(&function, &budget()).unwrap());
    assert!(function.unbind_params(&Tuple::anonymous(1)).is_err());
    assert!(unbound.bind_domain(&[]).is_err());
    let set = Set::parse("[n] -> { S[i] : n < i < 2n and i mod 3 = 1 }").unwrap();
    let bound = set.bind(&["m".into()]).unwrap();
    assert_eq!(bound.space().to_string(), "[n, m] -> { : }");
    let tuple = Tuple::named("S", 1).with_dim_names(&[Some("m".into())]);
    assert!(bound.unbind_params(&tuple).unwrap().is_equal(&set, &budget()).unwrap());
    let everywhere = PwAff::parse("[n] -> { [(n)] : n > 2 }").unwrap();
    let inserted = everywhere.insert_domain(&Tuple::named("T", 2)).unwrap();
    let expected = PwAff::parse("[n] -> { T[i, j] -> [(n)] : n > 2 }").unwrap();
    assert!(inserted.is_equal(&expected, &budget()).unwrap());
}

#[test]
fn extreme_values_of_all_dimensions() {
    let map = Map::parse("[n] -> { A[i] -> B[j, k] : 0 <= j <= i and j - n <= k <= 2i }").unwrap();
    let (least, greatest) =
        (map.min_multi_pw_aff(&budget()).unwrap(), map.max_multi_pw_aff(&budget()).unwrap());
    for (n, i) in (-2..4).flat_map(|n| (-2..5).map(move |i| [n, i])).map(|p| (p[0], p[1])) {
        let images: Vec<(i64, i64)> =
            (0..=i).flat_map(|j| (j - n..=2 * i).map(move |k| (j, k))).collect();
        let point = [n, i].map(Int::from);
        let ends = |values: Vec<i64>| (values.iter().min().copied(), values.iter().max().copied());
        let first = ends(images.iter().map(|p| p.0).collect());
        let second = ends(images.iter().map(|p| p.1).collect());
        for (position, (low, high)) in [first, second].into_iter().enumerate() {
            let found = |f: &MultiPwAff| f.members()[position].eval(&point, &budget()).unwrap();
            assert_eq!(found(&least), low.map(Rational::from));
            assert_eq!(found(&greatest), high.map(Rational::from));
        }
    }
}

#[test]
fn values_in_tuples() {
    let values = MultiVal::parse("[n] -> { A[1, -2/3, infty, NaN] }").unwrap();
    assert_eq!(values.to_string(), "[n] -> { A[1, -2/3, infty, NaN] }");
    let negative = values.neg();
    assert_eq!(negative.to_string(), "[n] -> { A[-1, 2/3, -infty, NaN] }");
    assert_eq!(values.add(&negative).unwrap().to_string(), "[n] -> { A[0, 0, NaN, NaN] }");
    assert_eq!(values.min(&negative).unwrap().to_string(), "[n] -> { A[-1, -2/3, -infty, NaN] }");
    assert_eq!(values.scale(&Value::from(3)).to_string(), "[n] -> { A[3, -2, infty, NaN] }");
    let nested = MultiVal::parse("{ [A[1] -> B[2, 3]] }").unwrap();
    assert!(
        nested.range_factor_range().unwrap().is_equal(&MultiVal::parse("{ B[2, 3] }").unwrap())
    );
    assert!(MultiVal::parse("{ A[i] }").is_err());
    let domain = Set::parse("{ S[i] }").unwrap();
    let constant = MultiAff::constant(domain.space(), &nested);
    assert_eq!(constant.to_string(), "{ S[i] -> [A[(1)] -> B[(2), (3)]] }");
}

#[test]
fn tuples_over_several_spaces() {
    let text =
        "[n] -> L[{ S[i] -> [(i)] : i > n; T[] -> [(0)] }, { S[i] -> [(2i)]; T[] -> [(n)] }]";
    let band = MultiUnionPwAff::parse(text).unwrap();
    let map = band.to_union_map().unwrap();
    let again = MultiUnionPwAff::from_union_map(&map, &budget()).unwrap();
    assert!(again.to_union_map().unwrap().is_equal(&map, &budget()).unwrap());
    let twice = band.add(&band).unwrap();
    let expected = "[n] -> { S[i] -> L[2i, 4i] : i > n; T[] -> L[0, 2n] }";
    let same = |band: &MultiUnionPwAff, text: &str| {
        let expected = UnionMap::parse(text).unwrap();
        assert!(band.to_union_map().unwrap().is_equal(&expected, &budget()).unwrap());
    };
    same(&twice, expected);
    same(&band.scale(&Int::from(2)), expected);
    same(&twice.scale_down(&Int::from(2)), "[n] -> { S[i] -> L[i, 2i] : i > n; T[] -> L[0, n] }");
    same(
        &band.range_product(&band.neg()),
        "[n] -> { S[i] -> [L[i, 2i] -> L[-i, -2i]] : i > n; T[] -> [L[0, n] -> L[0, -n]] }",
    );
    let zero = band.zero_set().unwrap();
    let expected = UnionSet::parse("[n] -> { S[0] : n < 0; T[] : n = 0 }").unwrap();
    assert!(zero.is_equal(&expected, &budget()).unwrap());
    let space = Set::parse("{ S[i] }").unwrap().space().clone();
    assert_eq!(band.extract(&space).unwrap().members().len(), 2);
}

#[test]
fn a_tuple_without_members_knows_its_domain() {
    let text = "[n] -> (L[] : { S[i] : i > 0; T[] : n > 0 })";
    let band = MultiUnionPwAff::parse(text).unwrap();
    assert_eq!(band.to_string(), text);
    let domain = UnionSet::parse("[n] -> { S[i] : i > 0; T[] : n > 0 }").unwrap();
    assert!(band.domain().unwrap().is_equal(&domain, &budget()).unwrap());
    let map = UnionMap::parse("[n] -> { S[i] -> L[] : i > 0; T[] -> L[] : n > 0 }").unwrap();
    assert!(band.to_union_map().unwrap().is_equal(&map, &budget()).unwrap());
    let again = MultiUnionPwAff::from_union_map(&map, &budget()).unwrap();
    assert!(again.domain().unwrap().is_equal(&domain, &budget()).unwrap());
    let inner = UnionPwMultiAff::parse("{ R[j] -> S[(2j)] : j < 9 }").unwrap();
    let pulled = band.pullback(&inner).unwrap().domain().unwrap();
    let expected = UnionSet::parse("{ R[j] : 0 < j < 9 }").unwrap();
    assert!(pulled.is_equal(&expected, &budget()).unwrap());
}

#[test]
fn dimensions_come_and_go() {
    let function =
        PwAff::parse("[n] -> { A[i, j] -> [(i + floor(j/2))] : i > n; A[i, j] -> [(n)] : i < n }")
            .unwrap();
    let wider = function.insert_dims(DimKind::Out, 1, 2).insert_dims(DimKind::Param, 0, 1);
    assert_eq!(wider.space().n(DimKind::Out), 4);
    let again =
        wider.drop_dims(DimKind::Out, 1, 2).unwrap().drop_dims(DimKind::Param, 0, 1).unwrap();
    assert!(wider.drop_dims(DimKind::Out, 3, 1).is_err());
    let moved = function.move_dims(DimKind::Param, 1, DimKind::Out, 1, 1);
    assert_eq!(moved.space().to_string(), "[n, j] -> { [i] }");
    let fixed = function.fix(DimKind::Out, 1, &Int::from(3));
    for (n, [i, j]) in (-2..3).flat_map(|n| points().map(move |p| (Int::from(n), p))) {
        let at = |f: &PwAff, point: &[&Int]| {
            let point: Vec<Int> = point.iter().map(|x| (*x).clone()).collect();
            f.eval(&point, &budget()).unwrap()
        };
        let expected = at(&function, &[&n, &i, &j]);
        assert_eq!(at(&wider, &[&i, &n, &i, &j, &n, &j]), expected);
        assert_eq!(at(&again, &[&n, &i, &j]), expected);
        assert_eq!(at(&moved, &[&n, &j, &i]), expected);
        assert_eq!(at(&fixed, &[&n, &i, &j]), expected.filter(|_| j == Int::from(3)));
    }
}

#[test]
fn extreme_values_over_everything() {
    let range = |text: &str| {
        let function = PwAff::parse(text).unwrap();
        let ends = [function.min_val(&budget()).unwrap(), function.max_val(&budget()).unwrap()];
        ends.map(|end| end.to_string())
    };
    assert_eq!(range("{ [i] -> [(i)/2] : 3 <= i <= 9; [i] -> [(5i)] : i = 1 }"), ["2", "5"]);
    assert_eq!(range("[n] -> { [i] -> [(i)] : i >= n }"), ["-infty", "infty"]);
    assert_eq!(range("{ [i] -> [(2 - i)] : i >= 3 }"), ["-infty", "-1"]);
    assert_eq!(range("{ [i] -> [(2 - i)] : i >= 3 and i < 2 }"), ["NaN", "NaN"]);
}
