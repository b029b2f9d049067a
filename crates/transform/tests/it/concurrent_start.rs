//! Hyperplanes for concurrent start, compared with brute force: every point of small iteration spaces is
//! put into its tile, every dependence between tiles is looked at, and diagonals are counted.
use loopwright_presburger::{Budget, Int, MultiUnionPwAff, UnionMap, UnionPwAff, UnionSet};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_testkit::cases::seed;
use loopwright_transform::tile::diamond::{Diamond, concurrent_start};
use std::collections::{BTreeMap, BTreeSet};

/// One statement `S` with some iterators, the first one being time.
fn found(n: usize, members: &[&str], dependences: &str, with: &[usize]) -> Option<Diamond> {
    let iterators = ["t", "i", "j", "k"][..n].join(", ");
    found_for(&format!("{{ S[{iterators}] }}"), members, dependences, with)
}

fn found_for(domain: &str, members: &[&str], dependences: &str, with: &[usize]) -> Option<Diamond> {
    let schedule = MultiUnionPwAff::parse(&format!("[{}]", members.join(", "))).unwrap();
    let band = Band { permutable: true, ..Band::new(schedule) };
    let domain = UnionSet::parse(domain).unwrap();
    let tree = ScheduleTree { domain, root: Node::Leaf };
    let dependences = UnionMap::parse(dependences).unwrap();
    let budget = Budget::unlimited();
    concurrent_start(&band, 0, with, &Reaching::root(&tree), &dependences, &budget).unwrap()
}

/// The value of an affine member at a point.
fn value(member: &UnionPwAff, statement: &str, point: &[i64]) -> i64 {
    let named = |part: &&loopwright_presburger::PwAff| {
        part.domain_space()
            .output()
            .and_then(|tuple| tuple.name())
            .is_some_and(|n| &**n == statement)
    };
    let part = member.parts().iter().find(named).unwrap();
    let point: Vec<Int> = point.iter().map(|&x| Int::from(x)).collect();
    let value = part.eval(&point, &Budget::unlimited()).unwrap().unwrap();
    value.floor().to_i64().unwrap()
}

const HEAT_1D: &[&str] = &["{ S[t, i] -> [(t)] }", "{ S[t, i] -> [(t + i)] }"];
const THREE_POINTS: &str = "{ S[t, i] -> S[1 + t, x] : i - 1 <= x <= i + 1 }";
const HEAT_2D: &[&str] =
    &["{ S[t, i, j] -> [(t)] }", "{ S[t, i, j] -> [(t + i)] }", "{ S[t, i, j] -> [(t + j)] }"];
const STAR: &str = "{ S[t, i, j] -> S[1 + t, x, j] : i - 1 <= x <= i + 1;
    S[t, i, j] -> S[1 + t, i, y] : j - 1 <= y <= j + 1 }";
const BOX: &str = "{ S[t, i, j] -> S[1 + t, x, y] : i - 1 <= x <= i + 1 and j - 1 <= y <= j + 1 }";

/// The tiles of size `size` on each diagonal, for time steps `0..steps` and data `0..n` in each of the given
/// extents; checks that no tile depends on another one of its own or of a later diagonal.
fn diagonals(
    diamond: &Diamond,
    size: i64,
    steps: i64,
    data: &[i64],
    distances: &[Vec<i64>],
) -> BTreeMap<i64, usize> {
    let members = diamond.band.schedule.members();
    let tile = |point: &[i64]| -> Vec<i64> {
        members.iter().map(|m| value(m, "S", point).div_euclid(size)).collect()
    };
    let mut points = vec![Vec::new()];
    for extent in [&[steps], data].concat() {
        let longer = points
            .iter()
            .flat_map(|p: &Vec<i64>| (0..extent).map(move |x| [&p[..], &[x]].concat()));
        points = longer.collect();
    }
    let tiles: BTreeMap<Vec<i64>, Vec<i64>> =
        points.iter().map(|point| (point.clone(), tile(point))).collect();
    let diagonal = |tile: &[i64]| tile[..diamond.n_summed].iter().sum::<i64>();
    for (point, from) in &tiles {
        for distance in distances {
            let next: Vec<i64> = point.iter().zip(distance).map(|(a, b)| a + b).collect();
            let Some(to) = tiles.get(&next) else { continue };
            assert!(from.iter().zip(to).all(|(a, b)| a <= b), "{point:?} -> {next:?}");
            let same = from[..diamond.n_summed] == to[..diamond.n_summed];
            assert!(same || diagonal(from) < diagonal(to), "{point:?} -> {next:?}");
        }
    }
    let different: BTreeSet<&Vec<i64>> = tiles.values().collect();
    let mut widths = BTreeMap::new();
    different.into_iter().for_each(|tile| *widths.entry(diagonal(tile)).or_insert(0) += 1);
    widths
}

fn distances(n: usize, is_one: impl Fn(&[i64]) -> bool) -> Vec<Vec<i64>> {
    let mut all = vec![vec![1]];
    for _ in 1..n {
        all = all.iter().flat_map(|d| (-1..=1).map(move |x| [&d[..], &[x]].concat())).collect();
    }
    all.into_iter().filter(|d| is_one(&d[1..])).collect()
}

#[test]
fn the_number_of_diagonals_in_one_dimension_does_not_depend_on_the_data() {
    let diamond = found(2, HEAT_1D, THREE_POINTS, &[1]).unwrap();
    assert_eq!(diamond.steepness, 2);
    assert_eq!(diamond.band.schedule.members()[0].to_string(), "{ S[t, i] -> [(t - i)] }");
    for (n, widest) in [(48, 7), (96, 13), (192, 25), (384, 49)] {
        let widths = diagonals(&diamond, 8, 32, &[n], &distances(2, |_| true));
        assert_eq!(widths.len(), 9, "2 T / s + 1");
        assert_eq!(widths.values().max(), Some(&widest));
    }
}

#[test]
fn a_full_start_in_two_dimensions_has_the_published_hyperplanes() {
    let star = found(3, HEAT_2D, STAR, &[1, 2]).unwrap();
    assert_eq!(star.steepness, 3);
    assert_eq!(star.band.schedule.members()[0].to_string(), "{ S[t, i, j] -> [(t - i - j)] }");
    let box_ = found(3, HEAT_2D, BOX, &[1, 2]).unwrap();
    assert_eq!(box_.steepness, 4);
    assert_eq!(box_.band.schedule.members()[0].to_string(), "{ S[t, i, j] -> [(2t - i - j)] }");
    let is_star = |d: &[i64]| d.contains(&0);
    for data in [[16, 16], [32, 16], [16, 32]] {
        let widths = diagonals(&star, 4, 8, &data, &distances(3, is_star));
        assert_eq!(widths.len(), 8);
        let widths = diagonals(&box_, 4, 8, &data, &distances(3, |_| true));
        assert_eq!(widths.len(), 10);
    }
}

#[test]
fn a_partial_start_keeps_the_other_dimension_whole() {
    let diamond = found(3, HEAT_2D, BOX, &[1]).unwrap();
    assert_eq!((diamond.steepness, diamond.n_summed), (2, 2));
    assert_eq!(diamond.others, [1, 2]);
    for data in [[16, 16], [32, 16], [16, 32]] {
        let widths = diagonals(&diamond, 4, 8, &data, &distances(3, |_| true));
        assert_eq!(widths.len(), 5);
    }
}

#[test]
fn statements_get_constants_of_their_own() {
    let members = [
        "{ B[t, i] -> [(t)]; A[t, i] -> [(t)] }",
        "{ B[t, i] -> [(2t + i)]; A[t, i] -> [(1 + 2t + i)] }",
    ];
    let dependences = "{ B[t, i] -> A[t, x] : i - 1 <= x <= i + 1;
        A[t, i] -> B[1 + t, x] : i - 1 <= x <= i + 1 }";
    let diamond = found_for("{ A[t, i]; B[t, i] }", &members, dependences, &[1]).unwrap();
    assert_eq!(diamond.steepness, 4);
    let new = &diamond.band.schedule.members()[0];
    for x in -1..=1 {
        assert!(value(new, "B", &[3, 5]) <= value(new, "A", &[3, 5 + x]));
        assert!(value(new, "A", &[3, 5]) <= value(new, "B", &[4, 5 + x]));
    }
}

#[test]
fn updates_in_place_have_none() {
    let members = &["{ S[t, i] -> [(t)] }", "{ S[t, i] -> [(2t + i)] }"];
    let in_place = "{ S[t, i] -> S[t, 1 + i]; S[t, i] -> S[1 + t, x] : i - 1 <= x <= i }";
    assert!(found(2, members, in_place, &[1]).is_none());
}

#[test]
fn distances_that_grow_with_the_data_have_none() {
    let members = &["{ S[t, i] -> [(t)] }", "{ S[t, i] -> [(i)] }"];
    assert!(found(2, members, "{ S[t, i] -> S[1 + t, x] : x >= i }", &[1]).is_none());
}

#[test]
fn questions_without_sense_have_no_answer() {
    assert!(found(2, HEAT_1D, THREE_POINTS, &[]).is_none());
    assert!(found(2, HEAT_1D, THREE_POINTS, &[0]).is_none());
    assert!(found(2, HEAT_1D, THREE_POINTS, &[7]).is_none());
}

/// For random distances of two statements, the steepness is the least one for which constants in a wide
/// range make all distances non-negative.
#[test]
fn random_distances_agree_with_enumeration() {
    let mut state = seed(12345);
    let mut random = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut with, mut without) = (0, 0);
    for _ in 0..200 {
        let mut all = Vec::new();
        for _ in 0..1 + random(5) {
            let (a, b) = (random(2) as usize, random(2) as usize);
            all.push((a, b, random(3) as i64, random(5) as i64 - 2));
        }
        let name = ["A", "B"];
        let relation = |&(a, b, t, i): &(usize, usize, i64, i64)| {
            format!("{}[t, i] -> {}[t + {t}, i + {i}]", name[a], name[b])
        };
        let text: Vec<String> = all.iter().map(relation).collect();
        let members =
            ["{ A[t, i] -> [(t)]; B[t, i] -> [(t)] }", "{ A[t, i] -> [(i)]; B[t, i] -> [(i)] }"];
        let text = format!("{{ {} }}", text.join("; "));
        let diamond = found_for("{ A[t, i]; B[t, i] }", &members, &text, &[1]);
        let legal = |k: i64, difference: i64| {
            let shift = |a: usize, b: usize| (b as i64 - a as i64) * difference;
            all.iter().all(|&(a, b, t, i)| k * t - i + shift(a, b) >= 0)
        };
        let expected = (1..=8).find(|&k| (-40..=40).any(|difference| legal(k, difference)));
        assert_eq!(diamond.map(|d| d.steepness), expected, "{text}");
        if expected.is_some() { with += 1 } else { without += 1 }
    }
    assert!(with > 20 && without > 20, "{with} {without}");
}
