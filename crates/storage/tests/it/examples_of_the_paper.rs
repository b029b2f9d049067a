//! The examples of the paper, with the corrections that brute force asks for.
use crate::simulator::{Point, Program, Read, TileOrder};
use loopwright_exact::Int;
use loopwright_presburger::{Budget, Set};
use loopwright_storage::{
    AllSchedules, Allocation, Bands, BoundedUse, Consumer, is_occupancy_vector,
    quasi_universal_vectors, shortest_vectors, split_boundaries, trivial_vector, without_subsumed,
};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seed;

fn ints(vector: &[i64]) -> Vec<Int> {
    vector.iter().map(|&component| Int::from(component)).collect()
}

fn words(vectors: &[Vec<Int>]) -> Vec<Point> {
    vectors.iter().map(|v| v.iter().map(|c| c.to_i64().expect("small")).collect()).collect()
}

fn own(distances: &[[i64; 2]]) -> Vec<Consumer> {
    distances.iter().map(|distance| Consumer::own(distance)).collect()
}

fn all_schedules(distances: &[[i64; 2]]) -> AllSchedules {
    AllSchedules { dependences: distances.iter().map(|d| ints(d)).collect() }
}

fn single(sizes: [i64; 2], distances: &[[i64; 2]]) -> Program {
    let read = |distance: &[i64; 2]| Read { producer: 0, distance: distance.to_vec() };
    Program { sizes: sizes.to_vec(), statements: vec![distances.iter().map(read).collect()] }
}

/// The vectors of Figures 1 and 2.
const FIGURE_1: [[i64; 2]; 4] = [[2, 0], [2, 1], [1, 2], [0, 2]];

#[test]
fn figure_1_has_a_trivial_a_universal_and_a_quasi_universal_vector() {
    let budget = Budget::unlimited();
    let consumers = own(&FIGURE_1);
    assert_eq!(words(&[trivial_vector(&consumers)]), [[5, 5]]);
    let universal = shortest_vectors(2, &consumers, &all_schedules(&FIGURE_1), 10, &budget);
    assert_eq!(words(&universal.unwrap()), [[4, 4]]);
    let found = quasi_universal_vectors(&consumers, &Bands::tilable(2));
    assert_eq!(words(&found[..1]), [[2, 2]]);
    let searched = shortest_vectors(2, &consumers, &Bands::tilable(2), 10, &budget).unwrap();
    assert_eq!(words(&searched), [[2, 2]]);
}

#[test]
fn a_vector_that_another_one_covers_is_left_out() {
    let budget = Budget::unlimited();
    let distances = [[1, 0], [2, 0]];
    let kept = without_subsumed(&[ints(&[1, 0]), ints(&[2, 0])], &[], &budget).unwrap();
    assert_eq!(words(&kept), [[2, 0]]);
    let universal = shortest_vectors(2, &own(&distances), &all_schedules(&distances), 9, &budget);
    assert_eq!(words(&universal.unwrap()), [[2, 0]]);
    assert_eq!(
        words(&quasi_universal_vectors(&own(&distances), &Bands::tilable(2))[..1]),
        [[2, 0]]
    );
}

#[test]
fn the_jacobi_stencil_has_a_shorter_vector_than_subsumption_finds() {
    let budget = Budget::unlimited();
    let distances = [[1, 1], [1, -1], [1, 0]];
    let vectors: Vec<Vec<Int>> = distances.iter().map(|d| ints(d)).collect();
    assert_eq!(words(&[trivial_vector(&own(&distances))]), [[3, 0]]);
    assert_eq!(without_subsumed(&vectors, &[], &budget).unwrap().len(), 3);
    let universal = shortest_vectors(2, &own(&distances), &all_schedules(&distances), 9, &budget);
    assert_eq!(words(&universal.unwrap()), [[2, 0]]);
    // Diamonds: (t + i, t - i).
    let diamonds = own(&[[2, 0], [0, 2], [1, 1]]);
    assert_eq!(words(&quasi_universal_vectors(&diamonds, &Bands::tilable(2))[..1]), [[2, 2]]);
    // Pipelines: (t, t + i).
    let pipelines = own(&[[1, 2], [1, 0], [1, 1]]);
    assert_eq!(words(&quasi_universal_vectors(&pipelines, &Bands::tilable(2))[..1]), [[1, 2]]);
}

#[test]
fn lexicographic_execution_has_the_vector_that_the_corollary_misses() {
    let consumers = own(&[[0, 1], [1, -2]]);
    let found = quasi_universal_vectors(&consumers, &Bands::sequential(2));
    assert_eq!(words(&found[..1]), [[1, 0]]);
    let budget = Budget::unlimited();
    let searched = shortest_vectors(2, &consumers, &Bands::sequential(2), 9, &budget).unwrap();
    assert_eq!(words(&searched), [[1, 0]]);
}

#[test]
fn producers_and_consumers_in_loops_of_their_own() {
    // (a): one loop after the other, no loop in common: the whole array, whatever its projection is called.
    let no_loop = [Consumer { distance: Vec::new(), is_behind: true }];
    assert!(quasi_universal_vectors(&no_loop, &Bands::tilable(1)).is_empty());
    // In a loop around both: along that loop.
    let outer = [Consumer { distance: ints(&[0]), is_behind: true }];
    assert_eq!(words(&quasi_universal_vectors(&outer, &Bands::tilable(2))[..1]), [[1, 0]]);
    // (b): one iteration.
    let same = [Consumer::behind(&[0])];
    assert_eq!(words(&quasi_universal_vectors(&same, &Bands::tilable(1))), [[1]]);
}

/// The consumers of the first statement, by distance, and what the shortest vectors are.
#[test]
fn consumers_behind_in_the_same_body() {
    type Distances = &'static [[i64; 2]];
    let cases: [(Distances, Distances, Distances); 6] = [
        (&[[0, 0]], &[], &[[0, 1], [1, 0]]),
        (&[[0, 1]], &[], &[[0, 2], [1, 1]]),
        (&[[1, 0]], &[], &[[1, 1], [2, 0]]),
        (&[[1, 1]], &[], &[[1, 2], [2, 1]]),
        (&[[0, 1]], &[[1, 0]], &[[1, 1]]),
        (&[[0, 1], [1, 0]], &[], &[[1, 1]]),
    ];
    for (behind, before, expected) in cases {
        let consumers: Vec<Consumer> = behind
            .iter()
            .map(|d| Consumer::behind(d))
            .chain(before.iter().map(|d| Consumer::own(d)))
            .collect();
        let found = words(&quasi_universal_vectors(&consumers, &Bands::tilable(2)));
        let n_shortest = found.iter().filter(|v| v.iter().sum::<i64>() == expected[0].iter().sum());
        assert_eq!(n_shortest.count(), expected.len(), "{behind:?} {before:?}: {found:?}");
        assert!(expected.iter().all(|e| found.contains(&e.to_vec())), "{behind:?}: {found:?}");
        let budget = Budget::unlimited();
        let searched = shortest_vectors(2, &consumers, &Bands::tilable(2), 9, &budget).unwrap();
        assert_eq!(words(&searched), expected.iter().map(|e| e.to_vec()).collect::<Vec<_>>());
        check_by_simulation(behind, before, expected);
    }
}

/// Legal vectors are those of the simulation, up to the length of the expected ones.
fn check_by_simulation(behind: &[[i64; 2]], before: &[[i64; 2]], expected: &[[i64; 2]]) {
    let read = |distance: &[i64; 2]| Read { producer: 0, distance: distance.to_vec() };
    let program = Program {
        sizes: vec![6, 6],
        statements: vec![before.iter().map(read).collect(), behind.iter().map(read).collect()],
    };
    let longest = expected[0].iter().sum::<i64>();
    let mut choices = Choices::from_seed(seed(1));
    for a in -longest..=longest {
        for b in -longest..=longest {
            if a.abs() + b.abs() > longest || (a, b) == (0, 0) {
                continue;
            }
            let is_right = program.is_right_in_tiles(&[vec![a, b], vec![7, 7]], 3, &mut choices);
            // A vector and its opposite have the same cells.
            let is_expected = expected.contains(&[a, b]) || expected.contains(&[-a, -b]);
            assert_eq!(is_right, is_expected, "({a}, {b}) {behind:?} {before:?}");
        }
    }
}

#[test]
fn boundaries_of_figure_4() {
    // S1 at i = 0 is read by S2 behind it at [0, 1], and by itself at [1, 0].
    let boundary = [Consumer::behind(&[0, 1]), Consumer::own(&[1, 0])];
    let found = quasi_universal_vectors(&boundary, &Bands::tilable(2));
    assert_eq!(words(&found[..1]), [[1, 1]]);
    let edge = Set::parse("[T] -> { [t, i] : 0 <= t <= T and i = 0 }").unwrap();
    let cells = Allocation::along(&found[0]).unwrap().n_cells(&edge, &Budget::unlimited());
    assert_eq!(cells.unwrap().to_string(), "[T] -> { (T + 1) : T >= 0 }");
    // In lexicographic order one cell is enough.
    let budget = Budget::unlimited();
    let next = ints(&[1, 0]);
    assert!(is_occupancy_vector(&next, &boundary, &Bands::sequential(2), &budget).unwrap());
    assert!(!is_occupancy_vector(&next, &boundary, &Bands::tilable(2), &budget).unwrap());
    let inside = [Consumer::behind(&[0, 0])];
    let found = quasi_universal_vectors(&inside, &Bands::sequential(2));
    assert!(words(&found).contains(&vec![0, 1]), "a scalar, private to what runs in order");
}

#[test]
fn figure_5_needs_a_diagonal() {
    let distances = [[1, 0], [0, 1]];
    let found = quasi_universal_vectors(&own(&distances), &Bands::tilable(2));
    assert_eq!(words(&found[..1]), [[1, 1]]);
    let program = single([10, 6], &distances);
    assert_eq!(program.n_cells(&[1, 1]), 15);
    let mut choices = Choices::from_seed(seed(2));
    assert!(program.is_right_in_tiles(&[vec![1, 1]], 4, &mut choices));
    for row in [vec![1, 0], vec![0, 1]] {
        assert!(!program.is_right_in_tiles(&[row], 4, &mut choices));
    }
}

#[test]
fn figure_6_trades_parallelism_for_memory() {
    let budget = Budget::unlimited();
    let distances = [[1, 1], [0, 1]];
    let found = quasi_universal_vectors(&own(&distances), &Bands::tilable(2));
    assert_eq!(words(&found[..1]), [[1, 1]]);
    let universal = shortest_vectors(2, &own(&distances), &all_schedules(&distances), 9, &budget);
    assert_eq!(words(&universal.unwrap()), [[1, 2]], "in all orders it is longer");
    let skewed = Set::parse("[N, M] -> { [i, j] : 1 <= i <= N and i < j <= M + i }").unwrap();
    let cells = Allocation::along(&found[0]).unwrap().n_cells(&skewed, &budget).unwrap();
    assert_eq!(cells.to_string(), "[N, M] -> { (M) : N > 0 and M > 0 }");
}

#[test]
fn cells_of_a_box() {
    let sizes = Set::parse("{ [i, j] : 0 <= i < 10 and 0 <= j < 6 }").unwrap();
    let cases = [([1, 1], 15), ([2, 0], 12), ([0, 2], 20), ([2, 2], 28), ([1, 0], 6), ([1, 2], 24)];
    for (vector, expected) in cases {
        assert_eq!(single([10, 6], &[]).n_cells(&vector), expected, "{vector:?}");
        let allocation = Allocation::along(&ints(&vector)).unwrap();
        let counted = allocation.n_cells(&sizes, &Budget::unlimited()).unwrap().to_string();
        assert_eq!(counted, format!("{{ ({expected}) }}"), "{vector:?}");
    }
}

#[test]
fn the_order_of_tiles_matters_to_the_simulation() {
    let program = single([4, 4], &[[1, 0], [0, 1]]);
    let mut choices = Choices::from_seed(seed(3));
    let along = [vec![1, 0]];
    assert!(program.is_right(&along, &[1, 1], TileOrder::Lexicographic, &mut choices));
    assert!(!program.is_right(&along, &[2, 2], TileOrder::Lexicographic, &mut choices));
    assert!(!program.is_right(&along, &[1, 1], TileOrder::Wavefront, &mut choices));
}

/// The boundary of Figure 4, on the dependences that the paper prints.
#[test]
fn the_boundary_of_figure_4_is_split_off() {
    let budget = Budget::unlimited();
    let set = |text: &str| Set::parse(&format!("[T, N] -> {{ [t, i] : 0 <= t <= T and {text} }}"));
    let domain = set("0 <= i <= N").unwrap();
    let bounded = |consumer, text: &str| BoundedUse { consumer, producers: set(text).unwrap() };
    let uses = [
        bounded(Consumer::behind(&[0, 0]), "0 <= i <= N"),
        bounded(Consumer::behind(&[0, 1]), "0 <= i < N"),
        bounded(Consumer::own(&[1, 0]), "i = 0 and N >= 0"),
    ];
    let parts = split_boundaries(&domain, &uses, &Bands::tilable(2), &budget).unwrap();
    let expected = [set("i = 0 and N >= 0"), set("1 <= i <= N")].map(Result::unwrap);
    assert_eq!(parts.len(), 2, "{parts:?}");
    for (part, expected) in parts.iter().zip(&expected) {
        assert!(part.is_equal(expected, &budget).unwrap(), "{part} is not {expected}");
    }
    // The same use elsewhere: nothing is gained.
    let everywhere = [uses.to_vec(), vec![bounded(Consumer::own(&[1, 0]), "0 <= i <= N")]].concat();
    let parts = split_boundaries(&domain, &everywhere, &Bands::tilable(2), &budget).unwrap();
    assert_eq!(parts.len(), 1);
    // A use that is covered by a longer one elsewhere.
    let longer = [uses.to_vec(), vec![bounded(Consumer::own(&[2, 1]), "0 <= i <= N")]].concat();
    let parts = split_boundaries(&domain, &longer, &Bands::tilable(2), &budget).unwrap();
    assert_eq!(parts.len(), 1);
}

/// Boundaries that meet in a corner are one part.
#[test]
fn boundaries_with_points_in_common_are_one_part() {
    let budget = Budget::unlimited();
    let set = |text: &str| Set::parse(&format!("[N] -> {{ [i, j] : 0 <= i, j <= N and {text} }}"));
    let bounded = |consumer, text: &str| BoundedUse { consumer, producers: set(text).unwrap() };
    let uses = [
        bounded(Consumer::own(&[0, 1]), "N >= 0"),
        bounded(Consumer::own(&[3, 0]), "i = 0"),
        bounded(Consumer::own(&[0, 5]), "j = 0"),
    ];
    let domain = set("N >= 0").unwrap();
    let parts = split_boundaries(&domain, &uses, &Bands::tilable(2), &budget).unwrap();
    assert_eq!(parts.len(), 2, "{parts:?}");
    let edges = set("(i = 0 or j = 0)").unwrap();
    assert!(parts[0].is_equal(&edges, &budget).unwrap());
}

/// The paper leaves boundaries of several points out.
#[test]
fn a_boundary_may_be_several_points_thick() {
    let budget = Budget::unlimited();
    let set = |text: &str| Set::parse(&format!("[T, N] -> {{ [t, i] : 0 <= t <= T and {text} }}"));
    let bounded = |consumer, text: &str| BoundedUse { consumer, producers: set(text).unwrap() };
    let uses = [
        bounded(Consumer::own(&[0, 1]), "0 <= i < N"),
        bounded(Consumer::own(&[4, 0]), "0 <= i <= 2 and i <= N"),
        bounded(Consumer::own(&[3, 0]), "0 <= i and N - 1 <= i <= N"),
    ];
    let domain = set("0 <= i <= N").unwrap();
    let parts = split_boundaries(&domain, &uses, &Bands::tilable(2), &budget).unwrap();
    // For small N the two have points in common, so they are one part.
    assert_eq!(parts.len(), 2, "{parts:?}");
    let inside = set("3 <= i <= N - 2").unwrap();
    assert!(parts[1].is_equal(&inside, &budget).unwrap(), "{parts:?}");
}
