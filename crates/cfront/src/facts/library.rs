//! What functions of C's library do with the memory that they are given.
//!
//! A function that is not in the table may do anything, unless the file defines it: `qsort` and
//! `bsearch`, for example, call back.
use crate::facts::effects::{Effects, ModRef};

const NONE: ModRef = ModRef { reads: false, writes: false };
const WRITE: ModRef = ModRef { reads: false, writes: true };

/// Functions that read or write what their arguments point to, and nothing else.
const ON_MEMORY: &[(&str, &[ModRef])] = &[
    ("memcpy", &[WRITE, ModRef::READ]),
    ("memmove", &[WRITE, ModRef::READ]),
    ("memset", &[WRITE]),
    ("memcmp", &[ModRef::READ, ModRef::READ]),
    ("strcpy", &[WRITE, ModRef::READ]),
    ("strncpy", &[WRITE, ModRef::READ]),
    ("strcat", &[ModRef::BOTH, ModRef::READ]),
    ("strncat", &[ModRef::BOTH, ModRef::READ]),
    ("strcmp", &[ModRef::READ, ModRef::READ]),
    ("strncmp", &[ModRef::READ, ModRef::READ]),
    ("strlen", &[ModRef::READ]),
    ("atof", &[ModRef::READ]),
    ("atoi", &[ModRef::READ]),
    ("atol", &[ModRef::READ]),
    ("frexp", &[NONE, WRITE]),
    ("modf", &[NONE, WRITE]),
];

/// Functions with a state of their own or output; what they do with what their arguments point to, and
/// with that of further arguments.
const ORDERED: &[(&str, &[ModRef], ModRef)] = &[
    ("calloc", &[], NONE),
    ("clock", &[], NONE),
    ("drand48", &[], NONE),
    ("free", &[ModRef::BOTH], NONE),
    ("getchar", &[], NONE),
    ("malloc", &[], NONE),
    ("printf", &[ModRef::READ], ModRef::BOTH),
    ("putchar", &[], NONE),
    ("puts", &[ModRef::READ], NONE),
    ("rand", &[], NONE),
    ("random", &[], NONE),
    ("snprintf", &[WRITE, NONE, ModRef::READ], ModRef::BOTH),
    ("sprintf", &[WRITE, ModRef::READ], ModRef::BOTH),
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
