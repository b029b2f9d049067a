//! What functions of C's library do with the memory that they are given.
//!
//! A function that is not in the table may do anything, unless the file defines it: `qsort` and
//! `bsearch`, for example, call back.
use crate::effects::{Effects, Touch};

const NONE: Touch = Touch { reads: false, writes: false };
const WRITE: Touch = Touch { reads: false, writes: true };

/// Functions that read or write what their arguments point to, and nothing else.
const ON_MEMORY: &[(&str, &[Touch])] = &[
    ("memcpy", &[WRITE, Touch::READ]),
    ("memmove", &[WRITE, Touch::READ]),
    ("memset", &[WRITE]),
    ("memcmp", &[Touch::READ, Touch::READ]),
    ("strcpy", &[WRITE, Touch::READ]),
    ("strncpy", &[WRITE, Touch::READ]),
    ("strcat", &[Touch::BOTH, Touch::READ]),
    ("strncat", &[Touch::BOTH, Touch::READ]),
    ("strcmp", &[Touch::READ, Touch::READ]),
    ("strncmp", &[Touch::READ, Touch::READ]),
    ("strlen", &[Touch::READ]),
    ("atof", &[Touch::READ]),
    ("atoi", &[Touch::READ]),
    ("atol", &[Touch::READ]),
    ("frexp", &[NONE, WRITE]),
    ("modf", &[NONE, WRITE]),
];

/// Functions with a state of their own or output; what they do with what their arguments point to, and
/// with that of further arguments.
const ORDERED: &[(&str, &[Touch], Touch)] = &[
    ("calloc", &[], NONE),
    ("clock", &[], NONE),
    ("drand48", &[], NONE),
    ("free", &[Touch::BOTH], NONE),
    ("getchar", &[], NONE),
    ("malloc", &[], NONE),
    ("printf", &[Touch::READ], Touch::BOTH),
    ("putchar", &[], NONE),
    ("puts", &[Touch::READ], NONE),
    ("rand", &[], NONE),
    ("random", &[], NONE),
    ("snprintf", &[WRITE, NONE, Touch::READ], Touch::BOTH),
    ("sprintf", &[WRITE, Touch::READ], Touch::BOTH),
    ("srand", &[], NONE),
    ("time", &[WRITE], NONE),
];

/// The name of the function that a compiler's built-in function, or one with checks, stands for.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

/// The effects of a function of C's library, if they are known.
pub(crate) fn library_effects(name: &str) -> Option<Effects> {
    let name = plain_name(name);
    if let Some((_, parameters)) = ON_MEMORY.iter().find(|(known, _)| *known == name) {
        return Some(Effects { parameters: parameters.to_vec(), ..Effects::none() });
    }
    let (_, parameters, rest) = *ORDERED.iter().find(|(known, ..)| *known == name)?;
    Some(Effects { parameters: parameters.to_vec(), rest, is_ordered: true, ..Effects::none() })
}

/// The number of arguments that a function has that writes a block of memory (and reads one), and
/// which are the blocks: each with its position and whether it is written.
pub(crate) fn blocks_of(name: &str) -> Option<&'static [(usize, bool)]> {
    match plain_name(name) {
        "memcpy" | "memmove" => Some(&[(1, false), (0, true)]),
        "memset" => Some(&[(0, true)]),
        _ => None,
    }
}
