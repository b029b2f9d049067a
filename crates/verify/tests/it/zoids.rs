//! Recursions over zoids: what is proved agrees with brute force on small zoids, and each kind of mistake is
//! refuted.
use loopwright_presburger::Budget;
use loopwright_scop::{UnfoldedZoid, ZoidAxis, ZoidBounds, ZoidForm, ZoidRecursion, ZoidValue};
use loopwright_verify::{Proof, check_cuts};
use std::collections::BTreeMap;

/// Where a point is executed: positions in phases and among the pieces of a phase in turn, from the outside
/// in.
type Place = Vec<(usize, usize)>;

/// The places of all points of a zoid; an error if one has two.
fn places(
    unfolded: &UnfoldedZoid,
    at: &mut Place,
    found: &mut BTreeMap<Vec<i64>, Place>,
    points: &[Vec<i64>],
) -> Result<(), String> {
    match unfolded {
        UnfoldedZoid::Steps(zoid) => {
            for point in points.iter().filter(|point| zoid.contains(point)) {
                if found.insert(point.clone(), at.clone()).is_some() {
                    return Err(format!("{point:?} runs twice"));
                }
            }
        }
        UnfoldedZoid::Phases(phases) => {
            for (phase, pieces) in phases.iter().enumerate() {
                for (piece, inside) in pieces.iter().enumerate() {
                    at.push((phase, piece));
                    places(inside, at, found, points)?;
                    at.pop();
                }
            }
        }
    }
    Ok(())
}

/// Whether a point at one place is done before another one begins; in one piece the moments are in order.
fn is_before(first: &(&Vec<i64>, &Place), second: &(&Vec<i64>, &Place)) -> bool {
    let differ = first.1.iter().zip(second.1).find(|(a, b)| a != b);
    match differ {
        Some(((a, _), (b, _))) => a < b,
        None => first.0[0] < second.0[0],
    }
}

/// What is wrong with a recursion on one box, by brute force.
fn fault(recursion: &ZoidRecursion, extents: &[(i64, i64)]) -> Option<String> {
    let mut points: Vec<Vec<i64>> = vec![Vec::new()];
    for (first, last) in extents {
        let longer = |point: &Vec<i64>, x: i64| [&point[..], &[x]].concat();
        points = points.iter().flat_map(|p| (*first..=*last).map(move |x| longer(p, x))).collect();
    }
    let Some(whole) = recursion.unfolded(&ZoidBounds::of_box(extents), 100_000) else {
        return Some("calls do not end".to_string());
    };
    let mut found = BTreeMap::new();
    if let Err(twice) = places(&whole, &mut Vec::new(), &mut found, &points) {
        return Some(twice);
    }
    if found.len() != points.len() {
        return Some(format!("{} of {} points run", found.len(), points.len()));
    }
    // The corners of the cone, one moment further.
    let mut distances: Vec<Vec<i64>> = vec![vec![1]];
    for axis in &recursion.axes {
        let longer = |distance: &Vec<i64>, d: i64| [&distance[..], &[d]].concat();
        let slopes = [axis.least, 0, axis.greatest];
        distances = distances.iter().flat_map(|all| slopes.map(|d| longer(all, d))).collect();
    }
    for (point, place) in &found {
        for distance in &distances {
            let next: Vec<i64> = point.iter().zip(distance).map(|(x, d)| x + d).collect();
            let Some(later) = found.get(&next) else { continue };
            if !is_before(&(point, place), &(&next, later)) {
                return Some(format!("{point:?} does not run before {next:?}"));
            }
        }
    }
    None
}

fn proof(recursion: &ZoidRecursion) -> Proof {
    check_cuts(recursion, &Budget::unlimited()).unwrap()
}

#[test]
fn cuts_of_all_slopes_are_proved_and_right_by_brute_force() {
    for (least, greatest) in [(0, 0), (-1, 1), (-2, 1), (0, 1), (-3, 0), (-2, 2)] {
        for width in [1, 3] {
            let axis = ZoidAxis { least, greatest, width };
            let recursion = ZoidRecursion::new(width, vec![axis]);
            assert!(proof(&recursion).is_proved(), "{axis:?}: {:?}", proof(&recursion));
            for (steps, n) in [(1, 1), (3, 17), (8, 40), (19, 9), (12, 0)] {
                let fault = fault(&recursion, &[(-3, steps - 4), (5, 4 + n)]);
                assert_eq!(fault, None, "{axis:?} {steps} {n}");
            }
        }
    }
    let axes = [(-1, 1, 2), (-2, 1, 3)];
    let axes = axes.map(|(least, greatest, width)| ZoidAxis { least, greatest, width });
    let recursion = ZoidRecursion::new(2, axes.to_vec());
    assert!(proof(&recursion).is_proved());
    assert_eq!(fault(&recursion, &[(0, 6), (0, 18), (-9, 13)]), None);
}

/// Each mistake is refuted, and brute force finds it too.
#[test]
fn wrong_cuts_are_refuted() {
    let axis = ZoidAxis { least: -1, greatest: 1, width: 2 };
    let right = ZoidRecursion::new(2, vec![axis]);
    let refuted = |reason: &str, change: &dyn Fn(&mut ZoidRecursion)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let Proof::Refuted(violations) = proof(&wrong) else { panic!("{reason}: it is proved") };
        let all: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert!(all.iter().any(|text| text.contains(reason)), "{reason}: {all:?}");
        let found = [(9, 40), (24, 15), (16, 33)]
            .iter()
            .find_map(|(steps, n)| fault(&wrong, &[(0, *steps), (0, *n)]));
        assert!(found.is_some(), "{reason}: brute force finds nothing");
    };
    // A line that is too flat.
    refuted("a dependence leads into an earlier phase", &|recursion| {
        recursion.cuts[0].phases[0][0].high_slope = ZoidForm::constant(0);
        recursion.cuts[0].phases[1][0].low_slope = ZoidForm::constant(0);
    });
    // The triangle first.
    refuted("a dependence leads into an earlier phase", &|recursion| {
        recursion.cuts[0].phases.reverse();
    });
    // All at one time.
    refuted("a dependence leads into a piece that runs at the same time", &|recursion| {
        let triangle = recursion.cuts[0].phases.remove(1);
        recursion.cuts[0].phases[0].extend(triangle);
    });
    // The later half first.
    refuted("a dependence leads into an earlier phase", &|recursion| {
        recursion.cuts[1].phases.reverse();
    });
    // A gap of one point, and a point that is in two pieces.
    refuted("the pieces are not all of the zoid", &|recursion| {
        recursion.cuts[0].phases[0][1].low = ZoidForm::of(ZoidValue::Middle).plus(1, &[]);
    });
    refuted("a point is in two pieces", &|recursion| {
        recursion.cuts[0].phases[0][0].high = ZoidForm::of(ZoidValue::Middle).plus(1, &[]);
    });
    // The later half begins where the earlier one began.
    refuted("the pieces are not all of the zoid", &|recursion| {
        recursion.cuts[1].phases[1][0].low = ZoidForm::of(ZoidValue::Low);
        recursion.cuts[1].phases[1][0].high = ZoidForm::of(ZoidValue::High);
    });
    // Lines that leave the zoid before its end.
    refuted("the pieces are not all of the zoid", &|recursion| {
        recursion.cuts[0].conditions.truncate(1);
    });
    // One moment is cut again and again.
    refuted("a piece is as large as the zoid", &|recursion| {
        recursion.cuts[1].conditions[0] = ZoidForm::of(ZoidValue::Height).plus(-1, &[]);
    });
}

#[test]
fn cuts_that_are_not_linear_are_refuted() {
    let axis = ZoidAxis { least: -1, greatest: 1, width: 2 };
    let mut wrong = ZoidRecursion::new(2, vec![axis]);
    wrong.cuts[0].twice_middle = ZoidForm::default().plus(1, &[ZoidValue::Low, ZoidValue::High]);
    assert!(matches!(proof(&wrong), Proof::Refuted(_)));
    let mut wrong = ZoidRecursion::new(2, vec![axis]);
    // Slopes grow from call to call.
    wrong.cuts[0].phases[0][0].high_slope = ZoidForm::of(ZoidValue::HighSlope).plus(1, &[]);
    assert!(matches!(proof(&wrong), Proof::Refuted(_)));
}
