//! How the work of the front end grows with the length of a file, counted in nodes that are looked at.
use crate::regions::source::SourceFile;
use crate::syntax::tree::count;
use loopwright_testkit::Shape;

/// The nodes that are looked at, and the regions found.
fn work(shape: Shape, n_lines: usize, pragmas: bool) -> (u64, usize) {
    let file = SourceFile::from_text("long.c", &shape.file(n_lines, pragmas));
    let before = count::looked_at();
    let regions = match pragmas {
        true => file.extract().expect("the regions are accepted"),
        false => file.autodetecting().detect().expect("the file is read").regions,
    };
    (count::looked_at() - before, regions.len())
}

/// Four times the lines are at most five times the work: quadratic work would be sixteen times.
#[test]
fn work_is_proportional_to_the_length_of_a_file() {
    for (word, shape) in Shape::WORDS {
        for pragmas in [false, true] {
            if pragmas && shape == Shape::PlainCode {
                continue;
            }
            let (short, n_short) = work(shape, 500, pragmas);
            let (long, n_long) = work(shape, 2000, pragmas);
            assert!(long <= 5 * short, "{word}, pragmas {pragmas}: {short}, then {long} nodes");
            assert!(n_long >= n_short && n_short > 0, "{word}: {n_short}, then {n_long} regions");
            assert!(short >= 5000, "{word}: the nodes are counted");
        }
    }
}
