//! Overlapped tiles are proved, every small change of them is refuted, and tiles execute as many instances as
//! published.
use loopwright_astgen::{AstNode, generate};
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, DimKind, Int, Map, PwAff, Set, Space, UnionSet};
use loopwright_scop::{AccessKind, ArrayId, Scop};
use loopwright_transform::overlapped::{
    Growth, Overlapped, Overlapping, overlap, with_vector_loops,
};
use loopwright_verify::{
    Loops, Proof, RecomputingProgram, check_loops, check_parallel_loops, check_recomputation,
    check_schedule,
};

const PLANES: &str = "double A[2][n]";
const JACOBI_IN_PLANES: &str = "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++) \
    A[t % 2][i] = (A[(t - 1) % 2][i - 1] + 2 * A[(t - 1) % 2][i] + A[(t - 1) % 2][i + 1]) / 4;";
const TWO_ARRAYS: &str = "double A[n], double B[n]";
const JACOBI_WITH_COPY: &str = "for (int t = 1; t <= T; t++) { \
    for (int i = 1; i < n - 1; i++) B[i] = (A[i - 1] + 2 * A[i] + A[i + 1]) / 4; \
    for (int i = 1; i < n - 1; i++) A[i] = B[i]; }";

fn budget() -> Budget {
    Budget::steps(200_000_000)
}

fn scop_of(arrays: &str, region: &str) -> Scop {
    let text =
        format!("void f(int n, int T, {arrays}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
    let regions = SourceFile::from_text("test.c", &text).extract().unwrap();
    regions.into_iter().next().unwrap().scop
}

struct Case {
    original: Scop,
    dependences: Dependences,
    tiled: Overlapped,
}

impl Case {
    fn new(arrays: &str, region: &str, sizes: &[i64]) -> Case {
        match Case::try_new(arrays, region, sizes) {
            Ok(case) => case,
            Err(reason) => panic!("refused: {reason}"),
        }
    }

    fn try_new(arrays: &str, region: &str, sizes: &[i64]) -> Result<Case, String> {
        let original = scop_of(arrays, region);
        let dependences = Dependences::of_scop(&original, &budget()).unwrap();
        let (machine, taken) = (Machine::generic(), Default::default());
        let tree = &original.schedule;
        let found = overlap(tree, &original, &dependences, sizes, (&machine, &taken), &budget());
        match found.unwrap() {
            Overlapping::Tiled(tiled) => Ok(Case { original, dependences, tiled: *tiled }),
            Overlapping::Refused(reason) => Err(reason),
        }
    }

    /// All claims with their proofs.
    fn proofs(&self) -> Vec<(&'static str, Proof)> {
        let Overlapped { scop, tree, recomputation, .. } = &self.tiled;
        let own = Dependences::of_scop(scop, &budget()).unwrap();
        let tree = with_vector_loops(tree, scop, &own, &budget()).unwrap();
        let ast: AstNode = generate(&tree, &scop.context, &Default::default(), &budget()).unwrap();
        let loops = Loops::read(&ast, &tree.flatten().unwrap(), &scop.context, &budget()).unwrap();
        let program = RecomputingProgram {
            original: &self.original,
            dependences: &self.dependences,
            tiled: scop,
            own: &own,
            recomputation,
        };
        vec![
            ("order", check_schedule(scop, &own, &tree, &budget()).unwrap()),
            ("threads", check_parallel_loops(scop, &own, &tree, &budget()).unwrap()),
            ("loops", check_loops(&loops, &tree, &scop.context, &budget()).unwrap()),
            ("values", check_recomputation(program, &loops, &budget()).unwrap()),
        ]
    }

    fn refuted(&self) -> Vec<&'static str> {
        let proofs = self.proofs().into_iter();
        proofs.filter(|(_, proof)| !proof.is_proved()).map(|(claim, _)| claim).collect()
    }

    fn assert_proved(&self) {
        for (claim, proof) in self.proofs() {
            assert!(
                proof.is_proved(),
                "{claim}: {proof:?}\n{}\n{}",
                self.tiled.tree,
                self.tiled.scop
            );
        }
    }
}

/// A stencil of so many dimensions with a radius: in two planes of one array, or with a copy from one array
/// to another.
fn stencil(dimensions: usize, radius: i64, is_box: bool, has_planes: bool) -> (String, String) {
    let names = &["i", "j", "k"][..dimensions];
    let extents: String = names.iter().map(|_| "[n]").collect();
    let loops: String = names
        .iter()
        .map(|i| format!("for (int {i} = {radius}; {i} < n - {radius}; {i}++) "))
        .collect();
    let at = |distances: &[i64]| -> String {
        names
            .iter()
            .zip(distances)
            .map(|(i, d)| format!("[{i} + {d}]").replace("+ -", "- "))
            .collect()
    };
    let mut places = vec![Vec::new()];
    for _ in 0..dimensions {
        places = places
            .into_iter()
            .flat_map(|p: Vec<i64>| (-radius..=radius).map(move |d| [&p[..], &[d]].concat()))
            .collect();
    }
    places.retain(|p| is_box || p.iter().filter(|d| **d != 0).count() <= 1);
    let before = if has_planes { "A[(t - 1) % 2]" } else { "A" };
    let terms: Vec<String> = places.iter().map(|p| format!("{before}{}", at(p))).collect();
    let (sum, here) = (terms.join(" + "), at(&vec![0; dimensions]).replace(" + 0", ""));
    match has_planes {
        true => (
            format!("double A[2]{extents}"),
            format!("for (int t = 1; t <= T; t++) {loops} A[t % 2]{here} = {sum};"),
        ),
        false => (
            format!("double A{extents}, double B{extents}"),
            format!(
                "for (int t = 1; t <= T; t++) {{ {loops} B{here} = {sum}; {loops} A{here} = B{here}; }}"
            ),
        ),
    }
}

#[test]
fn stencils_in_one_dimension_are_proved() {
    Case::new(PLANES, JACOBI_IN_PLANES, &[4, 16]).assert_proved();
    Case::new(TWO_ARRAYS, JACOBI_WITH_COPY, &[4, 16]).assert_proved();
    Case::new(PLANES, JACOBI_IN_PLANES, &[3, 5]).assert_proved();
    let (arrays, region) = stencil(1, 3, true, true);
    Case::new(&arrays, &region, &[4, 16]).assert_proved();
}

#[test]
fn stencils_in_two_dimensions_are_proved() {
    for (is_box, has_planes) in [(false, true), (true, true), (false, false)] {
        let (arrays, region) = stencil(2, 1, is_box, has_planes);
        Case::new(&arrays, &region, &[4, 8, 16]).assert_proved();
    }
}

/// Two sweeps a step, as in the stencils of PolyBench, and statements of one step that read each other.
#[test]
fn steps_with_several_statements_are_proved() {
    let two_sweeps = "for (int t = 0; t < T; t++) { \
        for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1]; \
        for (int i = 1; i < n - 1; i++) A[i] = B[i - 1] + B[i] + B[i + 1]; }";
    let case = Case::new(TWO_ARRAYS, two_sweeps, &[4, 16]);
    assert_eq!(
        (case.tiled.growth.sides[0][0].per_step, &case.tiled.growth.sides[0][0].last[..]),
        (2, &[1, 0][..])
    );
    case.assert_proved();
    let waves = "for (int t = 0; t < T; t++) { \
        for (int i = 1; i < n; i++) E[i] = E[i] - 0.5 * (H[i] - H[i - 1]); \
        for (int i = 0; i < n - 1; i++) H[i] = H[i] - 0.7 * (E[i + 1] - E[i]); }";
    Case::new("double E[n], double H[n]", waves, &[4, 16]).assert_proved();
}

/// All time steps are kept: elements are in no second buffer, since each is written once.
#[test]
fn histories_are_proved() {
    let history = "for (int t = 1; t < T; t++) for (int i = 1; i < n - 1; i++) \
        A[t][i] = A[t - 1][i - 1] + A[t - 1][i] + A[t - 1][i + 1];";
    let case = Case::new("double A[T][n]", history, &[4, 16]);
    assert!(case.tiled.recomputation.buffers.is_empty());
    case.assert_proved();
}

/// Published values for a radius of 1 in 1, 2 and 3 dimensions, to four digits.
#[test]
fn tiles_execute_as_many_instances_as_published() {
    let published: [(&[i64; 2], [&str; 3]); 5] = [
        (&[2, 8], ["1.1250", "1.2812", "1.4766"]),
        (&[4, 16], ["1.1875", "1.4297", "1.7441"]),
        (&[8, 32], ["1.2188", "1.5059", "1.8853"]),
        (&[8, 64], ["1.1094", "1.2358", "1.3824"]),
        (&[16, 64], ["1.2344", "1.5444", "1.9576"]),
    ];
    for dimensions in 1..=3 {
        let (arrays, region) = stencil(dimensions, 1, false, true);
        let growth = Case::new(&arrays, &region, &[2, 8]).tiled.growth;
        for (&[steps, size], expected) in published {
            let sizes = vec![size; dimensions];
            let redundancy = Growth { steps, sizes, ..growth.clone() }.redundancy();
            let of = |n: &Int| n.to_i64().unwrap() as f64;
            let ratio = of(&redundancy.numerator) / of(&redundancy.denominator);
            assert_eq!(
                format!("{ratio:.4}"),
                expected[dimensions - 1],
                "{dimensions}: {steps}, {size}"
            );
        }
    }
}

/// The instances of a tile far from all borders, counted one by one.
#[test]
fn the_instances_of_a_tile_are_as_many_as_the_formula_says() {
    let (arrays, region) = stencil(2, 1, true, true);
    let case = Case::new(&arrays, &region, &[3, 5, 4]);
    let statement = &case.tiled.scop.statements[0];
    let mut tile = statement.domain.clone();
    for (name, value) in [("n", 200), ("T", 50)] {
        let position = tile.find_param(name).unwrap();
        tile = tile.fix(DimKind::Param, position, &Int::from(value));
    }
    for (position, value) in [4, 9, 11].into_iter().enumerate() {
        tile = tile.fix(DimKind::Out, position, &Int::from(value));
    }
    let executed = tile.points(10_000, &budget()).unwrap().len();
    assert_eq!(executed, 5 * 4 + 7 * 6 + 9 * 8);
    let redundancy = case.tiled.growth.redundancy();
    assert_eq!(redundancy, loopwright_presburger::Rational::new(Int::from(134), Int::from(60)));
}

#[test]
fn programs_without_overlapped_tiles_are_refused_with_the_reason() {
    let refused = |arrays: &str, region: &str, sizes: &[i64]| {
        Case::try_new(arrays, region, sizes).err().unwrap_or_default()
    };
    let in_place = "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) \
        A[i] = A[i - 1] + A[i] + A[i + 1];";
    let reason = refused("double A[n]", in_place, &[4, 16]);
    assert!(reason.contains("within a time step"), "{reason}");
    let product = "for (int i = 0; i < n; i++) A[i] = 0;";
    assert!(refused("double A[n]", product, &[]).contains("no loop over data"));
    let moving = "for (int t = 0; t < T; t++) { A[0] = t; for (int i = 1; i < n - 1; i++) \
        B[i] = A[i]; for (int i = 1; i < n; i++) A[i] = B[i]; }";
    assert!(refused(TWO_ARRAYS, moving, &[4, 16]).contains("has fewer loops"));
    let unknown = "for (int t = 1; t <= T; t++) { for (int i = 1; i < n - 1; i++) \
        B[i] = A[i - 1] + A[i + 1]; for (int i = 1; i < n - 1; i++) A[i] = B[i]; }";
    assert!(refused("double *A, double B[n]", unknown, &[4, 16]).contains("extents of `A`"));
    assert!(refused(PLANES, JACOBI_IN_PLANES, &[4, 1_000_000]).contains("bytes of its own"));
    assert!(refused(PLANES, JACOBI_IN_PLANES, &[4, 0]).contains("positive"));
    let two = "for (int t = 1; t <= T; t++) { for (int i = 1; i < n - 1; i++) A[i] = t; }\n\
        for (int i = 1; i < n - 1; i++) B[i] = A[i];";
    assert!(!refused(TWO_ARRAYS, two, &[4, 16]).is_empty());
}

/// What the names of statements and arrays of the case below are.
fn case() -> Case {
    Case::new(PLANES, JACOBI_IN_PLANES, &[4, 16])
}

impl Case {
    fn position(&self, name: &str) -> usize {
        let statements = &self.tiled.scop.statements;
        statements.iter().position(|s| &*s.name == name).unwrap_or_else(|| panic!("no {name}"))
    }

    fn array(&self, name: &str) -> ArrayId {
        let position = self.tiled.scop.arrays.iter().position(|a| &*a.name == name);
        ArrayId(position.unwrap() as u32)
    }

    /// Gives a statement another domain, and the tree as well.
    fn with_domain(mut self, name: &str, change: impl Fn(&Set) -> Set) -> Case {
        let position = self.position(name);
        let scop = &mut self.tiled.scop;
        let domain = change(&scop.statements[position].domain);
        scop.statements[position] = scop.statements[position].restricted(&domain).unwrap();
        self.with_domains()
    }

    fn with_domains(mut self) -> Case {
        let domains = self.tiled.scop.statements.iter().map(|s| s.domain.clone());
        self.tiled.tree.domain = UnionSet::from_sets(&Space::params(&[]), domains);
        self.tiled.scop.schedule = self.tiled.tree.clone();
        self
    }

    /// Without the instances that do not satisfy a condition.
    fn without(self, name: &str, coordinates: &str, condition: &str) -> Case {
        let kept = format!("[n, T] -> {{ {name}[{coordinates}] : {condition} }}");
        let kept = Set::parse(&kept).unwrap();
        self.with_domain(name, |domain| domain.intersect(&kept).unwrap())
    }

    /// A copy with another array at one end.
    fn with_array(mut self, name: &str, kind: AccessKind, from: &str, to: &str) -> Case {
        let (position, from, to) = (self.position(name), self.array(from), self.array(to));
        let tuple = self.tiled.scop.array(to).clone();
        let statement = &mut self.tiled.scop.statements[position];
        statement.body.for_each_element_mut(&mut |element| {
            if element.array == from {
                element.array = to;
                element.base = (&*tuple.name).into();
            }
        });
        for access in statement.accesses.iter_mut().filter(|a| a.array == from && a.kind == kind) {
            access.array = to;
            let space = access.relation.space();
            let named = space.output().unwrap().clone().with_name(Some(tuple.tuple_name.clone()));
            let space = space.with_tuples(space.input().cloned(), Some(named));
            access.relation = access.relation.with_space_tuples(&space).unwrap();
        }
        self.with_domains()
    }
}

#[test]
fn what_is_changed_is_what_is_there() {
    case().assert_proved();
    let names: Vec<String> =
        case().tiled.scop.statements.iter().map(|s| s.name.to_string()).collect();
    let expected = ["S0_tile", "A_in", "A_out", "A_in_1", "A_out_1", "A_prepared", "A_finished"];
    assert_eq!(names, expected);
}

#[test]
fn a_smaller_halo_is_refuted() {
    // At the first step of four, a tile of 16 needs 3 more on each side, and one more of the state.
    let read = case().without("A_in", "b, c, p, i", "i > 16c - 4");
    assert!(read.refuted().contains(&"values"));
    let read = case().without("A_in_1", "b, c, p, i", "i < 16c + 19");
    assert!(read.refuted().contains(&"values"));
    let computed = case().without("S0_tile", "b, c, t, i", "i > 16c - 3");
    assert!(computed.refuted().contains(&"values"));
}

#[test]
fn missing_results_are_refuted() {
    let seed = case().without("A_out", "b, c, p, i", "i > 16c");
    assert!(seed.refuted().contains(&"values"));
    let last = case().without("A_out_1", "b, c, p, i", "p = 0 or 4b + 4 < T");
    assert!(last.refuted().contains(&"values"));
    let finished = case().without("A_finished", "p, i", "p = 0");
    assert!(finished.refuted().contains(&"values"));
    let prepared = case().without("A_prepared", "p, i", "i > 0");
    assert!(prepared.refuted().contains(&"values"));
}

/// Two tiles write the elements between their blocks: the same values, but at one time.
#[test]
fn larger_seeds_are_refuted() {
    let mut larger = case();
    let position = larger.position("A_out");
    let next =
        Map::parse("[n, T] -> { A_out[b, c, p, i] -> A_out[b, c, p, i + 1] : i + 1 < n - 1 }")
            .unwrap();
    let statement = &mut larger.tiled.scop.statements[position];
    for access in &mut statement.accesses {
        let range = access.relation.space().output().unwrap().clone();
        let n = range.n_dims();
        let variables: Vec<String> = (0..n).map(|n| format!("e{n}")).collect();
        let (name, variables) = (range.name().unwrap(), variables.join(", "));
        let shift = format!("{{ {name}[{variables}] -> {name}[{variables} + 1] }}");
        let shifted = access.relation.apply_domain(&next).unwrap();
        let shifted = shifted.apply_range(&Map::parse(&shift).unwrap()).unwrap();
        access.relation = access.relation.union(&shifted).unwrap();
    }
    let moved = statement.domain.apply(&next).unwrap();
    statement.domain = statement.domain.union(&moved).unwrap().coalesce(&budget()).unwrap();
    let refuted = larger.with_domains().refuted();
    assert!(refuted.contains(&"threads"), "{refuted:?}");
    assert!(!refuted.contains(&"values"), "{refuted:?}");
}

#[test]
fn wrong_buffers_are_refuted() {
    let read = case().with_array("A_in_1", AccessKind::Read, "A_next", "A");
    assert!(read.refuted().contains(&"values"));
    let written = case().with_array("A_out_1", AccessKind::MustWrite, "A", "A_next");
    assert!(written.refuted().contains(&"values"));
}

#[test]
fn a_missing_second_buffer_is_refuted() {
    let one = case().with_array("A_in_1", AccessKind::Read, "A_next", "A");
    let one = one.with_array("A_out", AccessKind::MustWrite, "A_next", "A");
    let refuted = one.refuted();
    assert!(refuted.contains(&"threads"), "{refuted:?}");
    assert!(refuted.contains(&"values"), "{refuted:?}");
}

#[test]
fn shared_and_missing_cells_are_refuted() {
    let mut small = case();
    let local = small.array("A_tile").0 as usize;
    let params = Space::params(&[]);
    let extent = loopwright_presburger::Aff::constant(&params, &Int::from(20));
    small.tiled.scop.arrays[local].extents[1] = Some(PwAff::from_aff(extent));
    assert!(small.refuted().contains(&"values"));
    let mut one_plane = case();
    let cells = &one_plane.tiled.recomputation.arrays[0].cells;
    let first = cells.members()[1].clone();
    one_plane.tiled.recomputation.arrays[0].cells = cells.with_member(0, first).unwrap();
    assert!(one_plane.refuted().contains(&"values"));
}

#[test]
fn other_operations_are_refuted() {
    let mut other = case();
    let local = other.array("A_tile");
    other.tiled.scop.statements[0].body.for_each_element_mut(&mut |element| {
        if element.array == local {
            let one = PwAff::from_aff(loopwright_presburger::Aff::constant(
                element.subscripts[1].space(),
                &Int::ONE,
            ));
            element.subscripts[1] = element.subscripts[1].add(&one).unwrap();
        }
    });
    assert!(other.refuted().contains(&"values"));
}
