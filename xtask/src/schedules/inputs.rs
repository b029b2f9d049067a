//! Schedule constraints made up for measuring: many statements, two programs that schedulers were
//! reported to hang on, and a lattice-Boltzmann step.

/// Constraints whose validity, proximity and coincidence are the same relation.
fn same_relation(parameters: &str, domain: &[String], relation: &[String]) -> String {
    let relation = format!("\"[{parameters}] -> {{ {} }}\"", relation.join("; "));
    let domain = format!("\"[{parameters}] -> {{ {} }}\"", domain.join("; "));
    format!(
        "domain: {domain}\nvalidity: {relation}\nproximity: {relation}\ncoincidence: {relation}\n"
    )
}

/// A shape of many statements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Chains of ten statements with two loops each.
    Chains,
    /// Statements that have nothing to do with each other.
    Independent,
    /// One cycle, each statement read by the next three.
    Dense,
    /// The time steps of a stencil over three points, one statement each.
    Stencil,
}

impl Shape {
    pub(super) const ALL: [(&str, Shape); 4] = [
        ("chains of ten", Shape::Chains),
        ("independent", Shape::Independent),
        ("one dense cluster", Shape::Dense),
        ("unrolled stencil", Shape::Stencil),
    ];

    /// The constraints of `n` statements.
    pub(super) fn constraints(self, n: usize) -> String {
        let square = |k: usize| format!("S{k}[i, j] : 0 <= i, j < N");
        let same = |a: usize, b: usize| format!("S{a}[i, j] -> S{b}[i, j] : 0 <= i, j < N");
        let next =
            |k: usize| format!("S{k}[i, j] -> S{k}[i, j + 1] : 0 <= i < N and 0 <= j < N - 1");
        let mut domain: Vec<String> = (0..n).map(square).collect();
        let mut relation = Vec::new();
        match self {
            Shape::Chains => {
                relation.extend((0..n).map(next));
                relation.extend((1..n).filter(|k| k % 10 != 0).map(|k| same(k - 1, k)));
            }
            Shape::Independent => relation.extend((0..n).map(next)),
            Shape::Dense => {
                for distance in 1..=3 {
                    relation.extend((distance..n).map(|k| same(k - distance, k)));
                }
                let last = n - 1;
                relation
                    .push(format!("S{last}[i, j] -> S0[i + 1, j] : 0 <= i < N - 1 and 0 <= j < N"));
            }
            Shape::Stencil => {
                domain = (0..n).map(|k| format!("S{k}[i] : 0 <= i < N")).collect();
                for k in 1..n {
                    relation.extend([-1, 0, 1].map(|d| {
                        format!("S{}[i] -> S{k}[i + {d}] : 0 <= i < N and 0 <= i + {d} < N", k - 1)
                    }));
                }
            }
        }
        same_relation("N", &domain, &relation)
    }
}

/// Three products of matrices in one nest of shared loops: each reads the result of the one before.
pub(super) fn chained_products() -> String {
    let domain: Vec<String> = (0..3).map(|k| format!("S{k}[i, j, k] : 0 <= i, j, k < N")).collect();
    let mut relation = Vec::new();
    for k in 0..3 {
        relation
            .push(format!("S{k}[i, j, k] -> S{k}[i, j, k + 1] : 0 <= i, j < N and 0 <= k < N - 1"));
    }
    for k in 0..2 {
        let next = k + 1;
        relation.push(format!("S{k}[i, j, N - 1] -> S{next}[i, j', j] : 0 <= i, j, j' < N"));
    }
    same_relation("N", &domain, &relation)
}

/// The transformation of a tensor with four indices, one index at a time.
pub(super) fn four_index_contraction() -> String {
    let domain: Vec<String> =
        (0..4).map(|k| format!("S{k}[a, b, c, d, e] : 0 <= a, b, c, d, e < N")).collect();
    let mut relation = Vec::new();
    for k in 0..4 {
        relation.push(format!(
            "S{k}[a, b, c, d, e] -> S{k}[a, b, c, d, e + 1] : 0 <= a, b, c, d < N and 0 <= e < N - 1"
        ));
    }
    // Each step sums over the index that the one before has produced: the indices rotate.
    for k in 0..3 {
        let next = k + 1;
        relation.push(format!(
            "S{k}[a, b, c, d, N - 1] -> S{next}[b, c, d, x, a] : 0 <= a, b, c, d, x < N"
        ));
    }
    same_relation("N", &domain, &relation)
}

/// The nineteen velocities of D3Q19.
fn velocities() -> Vec<[i64; 3]> {
    let mut all = Vec::new();
    for z in -1..=1i64 {
        for y in -1..=1i64 {
            for x in -1..=1i64 {
                if z * z + y * y + x * x <= 2 {
                    all.push([z, y, x]);
                }
            }
        }
    }
    all
}

/// The names of the references of a statement to the flags.
fn references_to_flags(statement: usize) -> impl Iterator<Item = String> {
    let n = if statement == 7 { velocities().len() } else { 1 };
    (0..n).map(move |reference| format!("g{statement}_{reference}"))
}

/// The number of cells in each direction.
const CELLS: i64 = 128;

/// A step of a lattice-Boltzmann method with nineteen velocities: `S0` clears the flags of a cell,
/// `S1` to `S6` set them at the six walls, `S7` reads the lattice of this step, collides, and writes
/// the lattice of the next step. Flags and the nineteen densities are scalars, whose reuse is a
/// conditional constraint, with a tag per reference: `S7` refers to the flags once for every density.
pub(super) fn lattice_boltzmann() -> String {
    let last = CELLS - 1;
    let cell = format!("0 <= t < T and 0 <= z, y, x <= {last}");
    let walls =
        ["x", "y", "z"].into_iter().flat_map(|c| [format!("{c} = {last}"), format!("{c} = 0")]);
    let mut places = vec!["true".to_string()];
    places.extend(walls);
    places.push("true".to_string());
    let domain: Vec<String> = places
        .iter()
        .enumerate()
        .map(|(k, place)| format!("S{k}[t, z, y, x] : {cell} and {place}"))
        .collect();
    let primed = |text: &str| {
        ["t", "z", "y", "x"].iter().fold(text.to_string(), |text, name| {
            text.replace(&format!("{name} ="), &format!("{name}' ="))
        })
    };
    let next_cell = format!("0 <= t' < T and 0 <= z', y', x' <= {last}");
    // The flags: every statement passes them on to the next ones of the same cell.
    let mut flow = Vec::new();
    let mut tagged = Vec::new();
    for a in 0..8 {
        for b in a + 1..8 {
            let pairs = format!("{cell} and {} and {}", places[a], places[b]);
            flow.push(format!("S{a}[t, z, y, x] -> S{b}[t, z, y, x] : {pairs}"));
            tagged.extend(references_to_flags(b).map(|sink| {
                format!(
                    "[S{a}[t, z, y, x] -> g{a}_0[]] -> [S{b}[t, z, y, x] -> {sink}[]] : {pairs}"
                )
            }));
        }
    }
    let lexicographically_later = [
        "t' > t",
        "t' = t and z' > z",
        "t' = t and z' = z and y' > y",
        "t' = t and z' = z and y' = y and x' > x",
    ];
    let mut order = Vec::new();
    for a in 0..8 {
        for b in 0..8 {
            for later in lexicographically_later {
                order.extend(references_to_flags(a).map(|source| {
                    format!(
                        "[S{a}[t, z, y, x] -> {source}[]] -> [S{b}[t', z', y', x'] -> g{b}_0[]] : \
                         {cell} and {next_cell} and {} and {} and {later}",
                        places[a],
                        primed(&places[b])
                    )
                }));
            }
        }
    }
    for (q, [z, y, x]) in velocities().into_iter().enumerate() {
        flow.push(format!(
            "S7[t, z, y, x] -> S7[t + 1, z + {z}, y + {y}, x + {x}] : 0 <= t < T - 1 and \
             0 <= z, y, x <= {last} and 0 <= z + {z}, y + {y}, x + {x} <= {last}"
        ));
        tagged.push(format!("[S7[t, z, y, x] -> w{q}[]] -> [S7[t, z, y, x] -> r{q}[]] : {cell}"));
        for later in lexicographically_later {
            order.push(format!(
                "[S7[t, z, y, x] -> r{q}[]] -> [S7[t', z', y', x'] -> w{q}[]] : {cell} and \
                 {next_cell} and {later}"
            ));
        }
    }
    let text = |relation: &[String]| format!("\"[T] -> {{ {} }}\"", relation.join("; "));
    format!(
        "domain: {}\nvalidity: {flow}\nproximity: {flow}\ncoincidence: {flow}\ncondition: {}\n\
         conditional_validity: {}\n",
        text(&domain),
        text(&tagged),
        text(&order),
        flow = text(&flow)
    )
}
