//! Overlapped tiles are proved, every small change of them is refuted, and tiles execute as many instances as published.
use loopwright_astgen::{AstNode, generate};
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Rational};
use loopwright_scop::Scop;
use loopwright_transform::overlapped::{Overlapped, Overlapping, overlap, with_vector_loops};
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

#[test]
fn stencils_in_one_dimension_are_proved() {
    Case::new(PLANES, JACOBI_IN_PLANES, &[4, 16]).assert_proved();
    Case::new(TWO_ARRAYS, JACOBI_WITH_COPY, &[4, 16]).assert_proved();
}
