//! Systems without integer points on which simpler methods did not come back: tile loops and floors,
//! as they arise in proofs about generated loops.
use loopwright_presburger::*;

/// Far above what is needed, far below what enumeration of cases takes.
const STEPS: u64 = 2_000_000;

fn is_empty(text: &str) -> bool {
    let map = Map::parse(text).expect("the text is a relation");
    map.is_empty(&Budget::steps(STEPS)).expect("the limit is not reached")
}

#[test]
fn two_tiles_of_one_loop_nest() {
    assert!(is_empty(
        " \
         [n, m] -> { [i0, i1, i2, i3, i4, i5, i6] -> [o0, o1, o2, i3, i4, i5, i6] : (i0) mod 7 = 0 \
         and (i1) mod 7 = 0 and (i2) mod 7 = 0 and (1 + m + i4) mod 2 = 0 and (o0) mod 7 = 0 \
         and (o1) mod 7 = 0 and (o2) mod 7 = 0 and i0 >= 0 and i0 <= i3 <= 6 + i0 and i3 <= n \
         and m + 2i1 - 2*floor((1 + m + i1)/2) < i4 <= 6 + i1 and i4 <= 1 + m \
         and i2 <= i5 <= 6 + i2 and i5 >= -1 + n and -n + i5 <= i6 <= -3 + n \
         and -6 + i3 <= o0 <= i3 and o0 >= 0 and o1 >= -6 + i4 \
         and n + o1 + floor((m)/2) - floor((1 + m + o1)/2) < o2 <= i5 \
         and -7 + 7*floor((6 + n)/7) <= i2 <= n + i1 + floor((m)/2) - floor((1 + m + i1)/2) \
         and 2o2 < 2n - m + i4 + 2*floor((m)/2) \
         and i1 > -floor((m)/2) + floor((1 + m + i1)/2) and i6 < floor((1 + i4)/2) \
         and o1 > -floor((m)/2) + floor((1 + m + o1)/2) }"
    ));
}

#[test]
fn points_of_two_nested_floors() {
    assert!(is_empty(
        "[n, m] -> { [i0] -> [o0] : o0 >= 0 \
         and -floor((n)/3) + floor((n + 3i0)/6) - floor((6 + n + 6i0 - 3o0)/14) < 3o0 <= -floor((n)/3) + floor((n + 3i0)/6) - floor((4 + m + 6i0 - 2o0)/14) \
         and 3i0 <= -6 + 2*floor((n)/3) + floor((6 + i0 + 2o0)/7) + 6*floor((32 + m + 20i0 - 2o0 - 14*floor((n)/3))/42) \
         and 6o0 > -3i0 - 4*floor((n)/3) + floor((6 + i0 + 2o0)/7) + 6*floor((n + 9i0 + 6*floor((n)/3))/18) }"
    ));
}

#[test]
fn points_of_five_nested_floors() {
    assert!(is_empty(
        "[n, m] -> { [i0] -> [o0] : n >= 3 and i0 >= -4 and o0 >= 0 \
         and o0 > -floor((24 + 8n - i0)/39) and o0 > -floor((23 + 7n + m - i0)/40) \
         and 3o0 > -floor((n)/3) + floor((n + 3i0)/6) - floor((6 + n + 6i0 - 3o0)/14) \
         and 3o0 > -floor((n)/3) + floor((n + 3i0)/6) - floor((4 + m + 6i0 - 2o0)/14) \
         and 6o0 <= -3i0 - 4*floor((n)/3) + floor((6 + i0 + 2o0)/7) + 6*floor((n + 9i0 + 6*floor((n)/3))/18) \
         and 3i0 >= -5 + 2*floor((n)/3) + floor((6 + i0 + 2o0)/7) + 6*floor((32 + m + 20i0 - 2o0 - 14*floor((n)/3))/42) }"
    ));
}
