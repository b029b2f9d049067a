//! Answers against runs: programs that are called equal print the same.
use loopwright_cfront::SourceFile;
use loopwright_equivalence::{Answer, Laws, Question, check};
use loopwright_presburger::Budget;
use loopwright_scop::Scop;
use loopwright_testkit::cases::seeds;
use loopwright_testkit::print_c::function;
use loopwright_testkit::{Choices, Program, interpret, random_program, smaller_programs};

/// Steps for one pair: some seconds.
const STEPS: u64 = 3_000_000;

fn model(program: &Program) -> Option<Scop> {
    let file = SourceFile::from_text("p.c", &function(program, 0)).assuming_no_alias();
    Some(file.extract().ok()?.remove(0).scop)
}

fn compared(before: &Scop, after: &Scop) -> Answer {
    let laws = Laws::default();
    let question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
    check(&question, &Budget::steps(STEPS))
}

/// Versions of a program with one thing less that work on the same memory.
fn mutants(program: &Program) -> Vec<Program> {
    let same_memory = |other: &Program| {
        other.arrays == program.arrays
            && other.runs == program.runs
            && other.element == program.element
            && other.scalars == program.scalars
            && other.arrays_are_arguments == program.arrays_are_arguments
    };
    smaller_programs(program).filter(same_memory).collect()
}

#[test]
fn programs_are_equal_to_themselves() {
    let mut n_equal = 0;
    let seeds = seeds(0, 40);
    for seed in seeds.clone() {
        let program = random_program(&mut Choices::from_seed(seed));
        let Some(model) = model(&program) else { continue };
        match compared(&model, &model) {
            Answer::Equal(_) => n_equal += 1,
            Answer::Different(witness) => panic!("seed {seed}: {witness:?}"),
            Answer::Undecided { .. } => {}
        }
    }
    assert!(n_equal >= 25, "{n_equal} of {seeds:?}");
}

#[test]
fn equal_programs_print_the_same() {
    let (mut n_equal, mut n_different, mut n_undecided) = (0, 0, 0);
    for seed in seeds(1000, 40) {
        let mut choices = Choices::from_seed(seed);
        let program = random_program(&mut choices);
        let mutants = mutants(&program);
        let Some(before) = model(&program) else { continue };
        for _ in 0..3 {
            if mutants.is_empty() {
                break;
            }
            let mutant = &mutants[choices.below(mutants.len())];
            let Some(after) = model(mutant) else { continue };
            match compared(&before, &after) {
                Answer::Equal(_) => {
                    assert_eq!(interpret(&program), interpret(mutant), "seed {seed}");
                    n_equal += 1;
                }
                Answer::Different(_) => n_different += 1,
                Answer::Undecided { .. } => {
                    n_undecided += 1;
                }
            }
        }
    }
    let counts = (n_equal, n_different, n_undecided);
    assert!(n_equal > 0 && n_different > n_undecided, "{counts:?}");
}
