//! Strides and boxes of fixed size against enumeration in a box.

use crate::random_sets::{budget, points, union};
use loopwright_presburger::{Int, Map, Set};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_relations(pieces in union(&["x", "y", "z"], 2, 2)) {
        let pieces: Vec<String> =
            pieces.iter().map(|piece| format!("[x] -> [y, z] : {piece}")).collect();
        let map = Map::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap();
        let found = points(&map, 3, 2);
        let value = |aff: &loopwright_presburger::Aff, point: &[i64]| {
            aff.eval(&[Int::from(point[0])])
        };
        for position in 0..2 {
            let info = map.range_stride_info(position, &budget()).unwrap();
            for point in &found {
                let offset = value(&info.offset, point);
                prop_assert!(offset.is_integer());
                let distance = Int::from(point[1 + position]) - offset.floor();
                prop_assert!(distance.is_zero() || !info.stride.is_zero() && distance.is_divisible_by(&info.stride));
            }
        }
        let tile = map.range_lattice_tile(&budget()).unwrap();
        let hull = map.range_simple_fixed_box_hull(&budget()).unwrap();
        prop_assert!(found.is_empty() || hull.is_some());
        for point in &found {
            for position in 0..2 {
                let y = Int::from(point[1 + position]);
                let offset = value(&tile.offset.members()[position], point).floor();
                prop_assert!((&y - offset).is_divisible_by(&tile.size[position]));
                if let Some(hull) = &hull {
                    let start = value(&hull.offset.members()[position], point).floor();
                    prop_assert!(start <= y && y < start + &hull.size[position]);
                }
            }
        }
    }
}

#[track_caller]
fn stride(text: &str, position: usize, stride: i64, offset: &str) {
    let info = Set::parse(text).unwrap().stride_info(position, &budget()).unwrap();
    assert_eq!((info.stride, info.offset.to_string().as_str()), (Int::from(stride), offset));
}

#[test]
fn strides() {
    stride("[n] -> { [a, b] : a mod 4 = 1 and n <= b <= n + 5 }", 0, 4, "[n] -> { [(1)] }");
    stride("[n] -> { [a, b] : a mod 4 = 1 and n <= b <= n + 5 }", 1, 1, "[n] -> { [(0)] }");
    stride("[n] -> { [a] : (a - n) mod 6 = 2 }", 0, 6, "[n] -> { [(2 + n)] }");
    stride("[n] -> { [a, b] : a = 2b }", 0, 2, "[n] -> { [(0)] }");
    stride("[n] -> { [a] : a = 3n }", 0, 0, "[n] -> { [(3n)] }");
    stride("{ [a] : a = 2 or a = 8 }", 0, 6, "{ [(2)] }");
    stride("{ [a] : false }", 0, 0, "{ [(0)] }");
}

#[test]
fn boxes() {
    let size = |text: &str| {
        let found = Set::parse(text).unwrap().simple_fixed_box_hull(&budget()).unwrap();
        found.map(|found| (found.size, found.offset.to_string()))
    };
    let ints = |values: &[i64]| values.iter().map(|&value| Int::from(value)).collect::<Vec<Int>>();
    assert_eq!(size("{ [a] : a >= 0 }"), None);
    assert_eq!(size("[n] -> { [a] : 0 <= a <= n }"), None);
    let (found, offset) =
        size("[n] -> { [a] : n <= a <= n + 10; [a] : n + 2 <= a <= n + 12 }").unwrap();
    assert_eq!((found, offset.as_str()), (ints(&[13]), "[n] -> { [(n)] }"));
    let (found, _) = size("[n] -> { [a] : n <= 3a <= n + 10 }").unwrap();
    assert_eq!(found, ints(&[4]));
}
