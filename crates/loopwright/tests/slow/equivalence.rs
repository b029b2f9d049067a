//! `loopwright verify` on what the compiler makes of random programs, and on texts with a planted fault.
use loopwright::{
    CompileOptions, EquivalenceOptions, Status, compare_files, compile_file, equivalence::Answer,
};
use loopwright_testkit::cases::seeds;
use loopwright_testkit::print_c::function;
use loopwright_testkit::{Choices, random_program};
use std::path::PathBuf;
use std::time::Duration;

fn scratch() -> PathBuf {
    let root = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = root.join("slow-equivalence");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The compiler's proofs say that its text is equal; the checker, which knows nothing of them, never says
/// that it is not, and most often says that it is.
#[test]
fn texts_of_random_programs_are_equal() {
    let folder = scratch();
    let (before, after) = (folder.join("before.c"), folder.join("after.c"));
    let mut options = CompileOptions::new();
    options.front_end.assume_no_alias = true;
    for choice in ["always-rewrite", "no-register-tiles"] {
        options.set(choice, None).unwrap();
    }
    options.set("tile-sizes", Some("5,3")).unwrap();
    let wanted = EquivalenceOptions { limit: Duration::from_secs(20), ..Default::default() };
    let (mut n_equal, mut undecided) = (0, Vec::new());
    for seed in seeds(0, 40) {
        let program = random_program(&mut Choices::from_seed(seed));
        std::fs::write(&before, function(&program, 0)).unwrap();
        let Ok(compiled) = compile_file(&before, &options) else { continue };
        std::fs::write(&after, &compiled.code).unwrap();
        let found = compare_files(&before, &after, &options, &wanted).unwrap();
        match found.status() {
            Status::Done => n_equal += 1,
            Status::Limit => {
                undecided.extend(found.regions.into_iter().filter_map(
                    |region| match region.answer {
                        Answer::Undecided { cause, .. } => Some(format!("seed {seed}: {cause}")),
                        _ => None,
                    },
                ));
            }
            _ => panic!("seed {seed}: {found}\n{}", compiled.code),
        }
    }
    assert!(n_equal > undecided.len(), "{n_equal} equal; {undecided:#?}");
}
