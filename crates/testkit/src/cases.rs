//! Which cases a random test looks at: the same ones in each run, or others where the environment asks for them.
use std::ops::Range;

/// The environment variable with a number that is added to the seeds of random tests.
pub const SEED: &str = "LOOPWRIGHT_SEED";

/// The number in an environment variable, if there is one.
///
/// # Panics
/// If there is a word that is no number: a test that ignored it would look at other cases than was meant.
///
/// ```
/// assert_eq!(loopwright_testkit::cases::number("A_VARIABLE_THAT_NOBODY_HAS"), None);
/// ```
pub fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok().filter(|text| !text.is_empty())?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is `{text}`, which is no number")))
}

/// A seed of a random test: `own`, or another one where the environment has [`SEED`].
///
/// ```
/// use loopwright_testkit::cases::{number, SEED, seed};
/// assert_eq!(seed(7), 7 + number(SEED).unwrap_or(0));
/// ```
pub fn seed(own: u64) -> u64 {
    own.wrapping_add(number(SEED).unwrap_or(0))
}

/// The seeds of `n` cases, the first of which is `seed(first)`. They are printed, so that a test that fails
/// says what it looked at.
///
/// ```
/// assert_eq!(loopwright_testkit::cases::seeds(100, 20).count(), 20);
/// ```
pub fn seeds(first: u64, n: u64) -> Range<u64> {
    let start = seed(first);
    println!("seeds {start} to {} ({SEED}={} repeats them)", start + n, start - first);
    start..start + n
}

/// The same with as many cases as an environment variable says, or `n`.
///
/// ```
/// use loopwright_testkit::cases::seeds_by;
/// assert_eq!(seeds_by("A_VARIABLE_THAT_NOBODY_HAS", 0, 3).count(), 3);
/// ```
pub fn seeds_by(variable: &str, first: u64, n: u64) -> Range<u64> {
    seeds(first, number(variable).unwrap_or(n))
}
