//! Vectors of random programs, by the closed forms, by search and by simulation.
use crate::simulator::{Point, Program, Read, TileOrder};
use loopwright_exact::Int;
use loopwright_presburger::{Budget, Map};
use loopwright_storage::{
    AllSchedules, Allocation, Bands, Consumer, Run, RunKind, TilesInOrder, Universe,
    is_occupancy_vector, length, quasi_universal_vectors, shortest_vectors, successive_moduli,
    trivial_vector, values_at_one_time, without_subsumed,
};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seed;

fn ints(vector: &[i64]) -> Vec<Int> {
    vector.iter().map(|&component| Int::from(component)).collect()
}

fn words(vector: &[Int]) -> Point {
    vector.iter().map(|c| c.to_i64().expect("small")).collect()
}

/// One to three statements in two or three loops, which read values of iterations before that are less in no
/// component.
fn random_program(choices: &mut Choices) -> Program {
    let n_dims = 2 + usize::from(choices.below(4) == 0);
    let sizes = (0..n_dims).map(|_| choices.between(3, 7 - n_dims as i64)).collect();
    let n_statements = 1 + choices.below(3);
    let mut statements: Vec<Vec<Read>> = vec![Vec::new(); n_statements];
    for (reader, reads) in statements.iter_mut().enumerate() {
        for _ in 0..1 + choices.below(3) {
            let producer = choices.below(n_statements);
            let mut distance: Point = (0..n_dims).map(|_| choices.between(0, 2)).collect();
            if producer >= reader && distance.iter().all(|component| *component == 0) {
                distance[choices.below(n_dims)] = 1;
            }
            reads.push(Read { producer, distance });
        }
    }
    Program { sizes, statements }
}

/// What reads the values of a statement.
fn consumers(program: &Program, producer: usize) -> Vec<Consumer> {
    let statements = program.statements.iter().enumerate();
    let reads = statements.flat_map(|(reader, reads)| reads.iter().map(move |read| (reader, read)));
    let own = reads.filter(|(_, read)| read.producer == producer);
    own.map(|(reader, read)| Consumer {
        distance: ints(&read.distance),
        is_behind: reader > producer,
    })
    .collect()
}

/// Whether the vector or its opposite, which has the same cells, is an occupancy vector.
fn is_legal_either_way(vector: &[i64], consumers: &[Consumer], universe: &dyn Universe) -> bool {
    let opposite: Point = vector.iter().map(|component| -component).collect();
    [vector, &opposite].iter().any(|vector| {
        is_occupancy_vector(&ints(vector), consumers, universe, &Budget::unlimited()).unwrap()
    })
}

#[test]
fn random_programs_find_their_values_in_tiles_of_any_size() {
    let mut choices = Choices::from_seed(seed(20));
    for round in 0..500 {
        let program = random_program(&mut choices);
        let n_dims = program.sizes.len();
        let tilable = Bands::tilable(n_dims);
        let vectors: Vec<Point> = (0..program.statements.len())
            .map(|producer| {
                let found = quasi_universal_vectors(&consumers(&program, producer), &tilable);
                words(&found[choices.below(found.len())])
            })
            .collect();
        let largest = if n_dims == 2 { 4 } else { 2 };
        assert!(
            program.is_right_in_tiles(&vectors, largest, &mut choices),
            "round {round}: {program:?} {vectors:?}"
        );
    }
}

/// In a large enough box a vector that the universe of tilings refuses goes wrong in some tiling.
#[test]
fn vectors_that_are_refused_go_wrong() {
    let mut choices = Choices::from_seed(seed(21));
    let mut n_refused = 0;
    for round in 0..120 {
        let mut program = random_program(&mut choices);
        if program.sizes.len() != 2 {
            continue;
        }
        program.sizes = vec![7, 7];
        let tilable = Bands::tilable(2);
        let producer = choices.below(program.statements.len());
        let own = consumers(&program, producer);
        if own.is_empty() {
            continue;
        }
        let vector = [choices.between(-1, 3), choices.between(-1, 3)];
        if vector == [0, 0] {
            continue;
        }
        let is_legal = is_legal_either_way(&vector, &own, &tilable);
        let mut vectors = vec![vec![8, 8]; program.statements.len()];
        vectors[producer] = vector.to_vec();
        // Several random orders, since one order of tiles that goes wrong may be rare.
        let is_right = (0..12).all(|_| program.is_right_in_tiles(&vectors, 3, &mut choices));
        assert_eq!(is_legal, is_right, "round {round}: {program:?} {producer} {vector:?}");
        n_refused += usize::from(!is_legal);
    }
    assert!(n_refused > 20, "{n_refused}");
}

/// Runs of loops in random order.
fn random_bands(choices: &mut Choices) -> Bands {
    let run = |choices: &mut Choices| Run {
        kind: [RunKind::Tilable, RunKind::Sequential][choices.below(2)],
        n_dims: 1 + choices.below(2),
    };
    let runs = (0..1 + choices.below(2)).map(|_| run(choices)).collect();
    Bands { runs }
}

#[test]
fn closed_forms_are_as_short_as_what_search_finds() {
    let budget = Budget::unlimited();
    let mut choices = Choices::from_seed(seed(22));
    let mut n_compared = 0;
    for round in 0..400 {
        let bands = random_bands(&mut choices);
        let n = bands.n_dims();
        let zero = vec![Int::ZERO; n];
        let consumers: Vec<Consumer> = (0..1 + choices.below(4))
            .map(|_| Consumer {
                distance: (0..1 + choices.below(n))
                    .map(|_| Int::from(choices.between(-2, 2)))
                    .collect(),
                is_behind: choices.below(3) == 0,
            })
            .filter(|c| bands.never_later(&zero[..c.distance.len()], &c.distance, &budget).unwrap())
            .collect();
        let found = quasi_universal_vectors(&consumers, &bands);
        for vector in &found {
            let is_legal = is_occupancy_vector(vector, &consumers, &bands, &budget).unwrap();
            assert!(is_legal, "round {round}: {bands:?} {consumers:?} {vector:?}");
        }
        let searched = shortest_vectors(n, &consumers, &bands, 12, &budget).unwrap();
        assert_eq!(
            found.first().map(|vector| length(vector)),
            searched.first().map(|vector| length(vector)),
            "round {round}: {bands:?} {consumers:?} {found:?} {searched:?}"
        );
        n_compared += 1;
    }
    assert_eq!(n_compared, 400);
}

#[test]
fn lexicographic_execution_agrees_with_the_simulation() {
    let mut choices = Choices::from_seed(seed(23));
    for round in 0..200 {
        let n_reads = 1 + choices.below(3);
        let mut reads = Vec::new();
        for _ in 0..n_reads {
            let mut distance = vec![choices.between(0, 2), choices.between(-2, 2)];
            if distance[0] == 0 {
                distance[1] = distance[1].abs().max(1);
            }
            reads.push(Read { producer: 0, distance });
        }
        let consumers: Vec<Consumer> =
            reads.iter().map(|read| Consumer::own(&read.distance)).collect();
        let program = Program { sizes: vec![7, 9], statements: vec![reads] };
        let vector = vec![choices.between(0, 3), choices.between(-3, 3)];
        if vector == [0, 0] {
            continue;
        }
        let is_legal = is_legal_either_way(&vector, &consumers, &Bands::sequential(2));
        // A point a tile: the tiles run in the order of the points.
        let is_right = program.is_right(
            std::slice::from_ref(&vector),
            &[1, 1],
            TileOrder::Lexicographic,
            &mut choices,
        );
        assert_eq!(is_legal, is_right, "round {round}: {program:?} {vector:?}");
    }
}

#[test]
fn one_tiling_agrees_with_the_simulation() {
    let mut choices = Choices::from_seed(seed(24));
    let mut n_right = 0;
    for round in 0..300 {
        let sizes = [choices.between(1, 3), choices.between(1, 3)];
        let reads: Vec<Read> = (0..1 + choices.below(2))
            .map(|_| {
                let mut distance = vec![choices.between(0, 2), choices.between(0, 2)];
                distance[1] += i64::from(distance == [0, 0]);
                Read { producer: 0, distance }
            })
            .collect();
        let consumers: Vec<Consumer> =
            reads.iter().map(|read| Consumer::own(&read.distance)).collect();
        let program = Program { sizes: vec![12, 12], statements: vec![reads] };
        let vector = vec![choices.between(0, 4), choices.between(-2, 4)];
        let tiles = TilesInOrder { sizes: ints(&sizes) };
        let budget = Budget::unlimited();
        if vector == [0, 0] || !tiles.never_later(&ints(&[0, 0]), &ints(&vector), &budget).unwrap()
        {
            continue;
        }
        let is_legal = is_occupancy_vector(&ints(&vector), &consumers, &tiles, &budget).unwrap();
        let is_right = program.is_right(
            std::slice::from_ref(&vector),
            &sizes,
            TileOrder::Lexicographic,
            &mut choices,
        );
        assert_eq!(is_legal, is_right, "round {round}: {program:?} {sizes:?} {vector:?}");
        n_right += usize::from(is_right);
    }
    assert!(n_right > 30, "{n_right}");
}

/// A full universal vector is one for any universe, and subsumption changes nothing.
#[test]
fn universal_vectors_are_vectors_of_every_universe() {
    let mut choices = Choices::from_seed(seed(25));
    let budget = Budget::unlimited();
    for round in 0..60 {
        let distances: Vec<Vec<Int>> = (0..1 + choices.below(4))
            .map(|_| {
                let mut distance = vec![choices.between(0, 2), choices.between(0, 2)];
                distance[0] += i64::from(distance == [0, 0]);
                ints(&distance)
            })
            .collect();
        let own = |distances: &[Vec<Int>]| -> Vec<Consumer> {
            let own = |d: &Vec<Int>| Consumer { distance: d.clone(), is_behind: false };
            distances.iter().map(own).collect()
        };
        let all = AllSchedules { dependences: distances.clone() };
        let consumers = own(&distances);
        let trivial = trivial_vector(&consumers);
        assert!(is_occupancy_vector(&trivial, &consumers, &all, &budget).unwrap());
        let longest = length(&trivial).to_i64().and_then(|l| u32::try_from(l).ok()).unwrap();
        let shortest = shortest_vectors(2, &consumers, &all, longest, &budget).unwrap();
        let kept = own(&without_subsumed(&distances, &[], &budget).unwrap());
        assert_eq!(
            shortest,
            shortest_vectors(2, &kept, &all, longest, &budget).unwrap(),
            "round {round}: {distances:?}"
        );
        for vector in &shortest {
            let tilable = Bands::tilable(2);
            assert!(is_occupancy_vector(vector, &consumers, &tilable, &budget).unwrap());
        }
    }
}

#[test]
fn points_share_a_cell_if_a_multiple_of_the_vector_is_between_them() {
    let mut choices = Choices::from_seed(seed(26));
    for _ in 0..300 {
        let n = 1 + choices.below(4);
        let vector: Point = (0..n).map(|_| choices.between(-4, 4)).collect();
        let Some(allocation) = Allocation::along(&ints(&vector)) else {
            assert!(vector.iter().all(|component| *component == 0));
            continue;
        };
        for _ in 0..40 {
            let from: Point = (0..n).map(|_| choices.between(-6, 6)).collect();
            let steps = choices.between(-2, 2);
            let offset = choices.between(0, 1);
            let mut to: Point = from.iter().zip(&vector).map(|(x, u)| x + steps * u).collect();
            let at = choices.below(n);
            to[at] += offset;
            let difference: Point = to.iter().zip(&from).map(|(a, b)| a - b).collect();
            let is_multiple =
                (-9..=9).any(|k| difference.iter().zip(&vector).all(|(d, u)| *d == k * u));
            let share = allocation.cell(&ints(&from)) == allocation.cell(&ints(&to));
            assert_eq!(share, is_multiple, "{vector:?} {from:?} {to:?}");
        }
    }
}

/// Moduli for lexicographic execution are right in the simulation. (They need not be the least: one row may
/// be enough where two are found, since the dimensions inside are not looked at for the first one.)
#[test]
fn successive_moduli_are_right() {
    let mut choices = Choices::from_seed(seed(27));
    let budget = Budget::unlimited();
    for round in 0..60 {
        let reads: Vec<Point> = (0..1 + choices.below(3))
            .map(|_| {
                let mut distance = vec![choices.between(0, 2), choices.between(-2, 2)];
                if distance[0] == 0 {
                    distance[1] = distance[1].abs().max(1);
                }
                distance
            })
            .collect();
        let (rows, columns) = (6, 5);
        let domain = format!("0 <= i < {rows} and 0 <= j < {columns}");
        let order = Map::parse(&format!("{{ [i, j] -> [i, j] : {domain} }}")).unwrap();
        let mut uses = Map::empty(order.space().clone());
        for read in &reads {
            let (a, b) = (read[0], read[1]);
            let use_text = format!(
                "{{ [i, j] -> [i + {a}, j + {b}] : {domain} and i + {a} < {rows} and 0 <= j + {b} < {columns} }}"
            );
            uses = uses.union(&Map::parse(&use_text).unwrap()).unwrap();
        }
        let pairs = values_at_one_time(&order, &uses, &budget).unwrap();
        let moduli: Vec<i64> = successive_moduli(&pairs, &budget)
            .unwrap()
            .iter()
            .map(|modulus| modulus.as_ref().unwrap().to_string())
            .map(|text| text.chars().filter(char::is_ascii_digit).collect::<String>())
            .map(|digits| digits.parse().unwrap())
            .collect();
        assert!(
            keeps_values(&reads, (rows, columns), &moduli),
            "round {round}: {reads:?} {moduli:?}"
        );
    }
}

/// Whether reads find their values in cells `[i mod m][j mod n]`, in lexicographic order.
fn keeps_values(reads: &[Point], (rows, columns): (i64, i64), moduli: &[i64]) -> bool {
    let mut cells = std::collections::BTreeMap::new();
    let cell = |i: i64, j: i64| (i.rem_euclid(moduli[0]), j.rem_euclid(moduli[1]));
    for i in 0..rows {
        for j in 0..columns {
            for read in reads {
                let (a, b) = (i - read[0], j - read[1]);
                let is_inside = (0..rows).contains(&a) && (0..columns).contains(&b);
                if is_inside && cells.get(&cell(a, b)) != Some(&(a, b)) {
                    return false;
                }
            }
            cells.insert(cell(i, j), (i, j));
        }
    }
    true
}
