//! Compares the regions between pragmas of two C files, in their order: `compare_regions BEFORE.c AFTER.c`.
use loopwright_cfront::{Options, Region, read_file};
use loopwright_equivalence::{Laws, Question, check};
use loopwright_presburger::Budget;

fn regions(path: &str) -> Vec<Region> {
    let options = Options { assume_no_alias: true, folds_floors: true, ..Options::default() };
    match read_file(path.as_ref(), &options).and_then(|file| file.extract()) {
        Ok(regions) => regions,
        Err(found) => {
            found.iter().for_each(|diagnostic| eprintln!("{}", diagnostic.message));
            Vec::new()
        }
    }
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [before, after] = &files[..] else {
        eprintln!("usage: compare_regions BEFORE.c AFTER.c");
        return;
    };
    let laws = Laws::default();
    for (before, after) in regions(before).iter().zip(&regions(after)) {
        let (before, after) = (&before.scop, &after.scop);
        let question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
        println!("{:#?}", check(&question, &Budget::steps(100_000_000)));
    }
}
