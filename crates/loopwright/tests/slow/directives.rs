//! Programs with directives in every spelling, with and without pragmas around regions, by the library and
//! the compiler wrapper.
use crate::directed::{Spelling, compare, compare_wrapped};

#[test]
fn all_spellings_print_the_same_everywhere() {
    for spelling in Spelling::ALL {
        for has_pragmas in [true, false] {
            compare(spelling, has_pragmas);
            compare_wrapped(spelling, has_pragmas);
        }
    }
}
