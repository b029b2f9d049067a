//! Programs with directives in every spelling, with and without pragmas around regions, by the library and
//! the compiler wrapper.
use crate::directed::{Spelling, compare, compare_wrapped};
use crate::verified_directives::{Place, Written, tried, verify_all};
use loopwright_cfront::directives::Family;

#[test]
fn all_spellings_print_the_same_everywhere() {
    for spelling in Spelling::ALL {
        for has_pragmas in [true, false] {
            compare(spelling, has_pragmas);
            compare_wrapped(spelling, has_pragmas);
        }
    }
}

#[test]
fn verify_says_of_all_directives_at_all_places_what_the_table_says() {
    let threads = tried(&[Family::OpenMp, Family::OpenAcc]);
    let others = tried(&[Family::Gcc, Family::Clang, Family::Stdc, Family::Other]);
    let mut n = 0;
    for place in Place::IN_FUNCTIONS {
        for written in Written::ALL {
            n += verify_all(&threads, place, written);
            if matches!(written, Written::Line | Written::Operator) {
                n += verify_all(&others, place, written);
            }
        }
    }
    // In front of functions directives hold for all that follows, so each has a file of its own.
    for own in threads.iter().chain(&others) {
        n += verify_all(std::slice::from_ref(own), Place::Function, Written::Line);
    }
    assert!(n > 5000, "{n}");
}
