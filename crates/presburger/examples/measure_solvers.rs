//! Repeats typical solver calls, for counting instructions:
//! `valgrind --tool=callgrind target/release/examples/measure_solvers NAME REPEATS`.
use loopwright_presburger::{
    BasicMap, Budget, Constraint, LexicographicProblem, Row, Space, Tableau, Tuple,
};

/// The dependence polyhedron of a triangular three-fold nest:
/// `0 <= i < n, 0 <= j < i, 0 <= k < j` for two instances with equal subscripts.
fn dependence() -> BasicMap {
    let nest = Tuple::anonymous(3);
    let space = Space::map(&["n".into()], nest.clone(), nest);
    let mut constraints = Vec::new();
    for first in [2, 5] {
        let mut bound = |entries: &[(usize, i64)]| {
            let mut row = vec![0; 8];
            entries.iter().for_each(|&(column, value)| row[column] = value);
            constraints.push(Constraint::inequality(Row::from_i64s(&row)));
        };
        bound(&[(first, 1)]);
        bound(&[(0, -1), (1, 1), (first, -1)]);
        bound(&[(first + 1, 1)]);
        bound(&[(0, -1), (first, 1), (first + 1, -1)]);
        bound(&[(first + 2, 1)]);
        bound(&[(0, -1), (first + 1, 1), (first + 2, -1)]);
    }
    constraints.push(Constraint::equality(Row::from_i64s(&[0, 0, 1, 0, 0, -1, 0, 0])));
    constraints.push(Constraint::equality(Row::from_i64s(&[0, 0, 0, 0, 1, 0, -1, 0])));
    constraints.push(Constraint::inequality(Row::from_i64s(&[-1, 0, 0, 1, 0, 0, -1, 0])));
    BasicMap::from_constraints(space, Vec::new(), constraints)
}

/// A scheduling problem in the style of Pluto: sparse rows with small coefficients.
fn schedule(n_variables: usize, n_rows: usize) -> LexicographicProblem {
    let mut problem = LexicographicProblem::new(n_variables);
    let mut state: u64 = 7;
    let mut next = |limit: u64| {
        state = (u128::from(state) * 6_364_136_223_846_793_005 % ((1 << 64) - 59)) as u64;
        (state >> 20) % limit
    };
    for i in 0..n_rows {
        let mut row = vec![0; n_variables + 1];
        for _ in 0..3 + next(4) {
            let column = 1 + next(n_variables as u64) as usize;
            row[column] = [1, -1, 1, 2][next(4) as usize];
        }
        // Mostly homogeneous rows, as from Farkas multipliers; some ask for a positive value.
        let sum: i64 = row.iter().sum();
        row[0] = if i % 9 == 0 && sum > 0 { -1 } else { 0 };
        if i % 3 == 0 && sum <= 0 {
            problem.add_equality(&Row::from_i64s(&row));
        } else {
            problem.add_inequality(&Row::from_i64s(&row));
        }
    }
    problem
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let repeats: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100);
    let budget = Budget::unlimited();
    let set = dependence();
    let start = std::time::Instant::now();
    for _ in 0..repeats {
        match name.as_str() {
            "empty" => assert!(!set.is_empty(&budget).unwrap()),
            "tableau" => assert!(!Tableau::from_basic_map(&set, &budget).unwrap().is_empty()),
            "redundancy" => drop(set.remove_redundancies(&budget).unwrap()),
            "equalities" => drop(set.detect_equalities(&budget).unwrap()),
            "hull" => drop(set.affine_hull(&budget).unwrap()),
            "lexmin" => drop(schedule(60, 200).lexmin_integer(&budget).unwrap()),
            "rational" => drop(schedule(60, 200).lexmin_rational(&budget).unwrap()),
            "lexmin-large" => drop(schedule(150, 500).lexmin_integer(&budget).unwrap()),
            _ => {
                eprintln!("empty, tableau, redundancy, equalities, hull, lexmin or lexmin-large");
                std::process::exit(2);
            }
        }
    }
    let each = start.elapsed().as_nanos() / repeats.max(1) as u128;
    println!("{name}: {each} ns, {} steps each", budget.used() / repeats.max(1) as u64);
}
