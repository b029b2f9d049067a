//! What limits the concurrency of a program when its data grow.
//!
//! The longest path is looked at for sizes that double, all else being equal: once between tiles, once
//! between single instances. Where the second one grows no tiling scales: the *dataflow* is the limit. Where
//! only the first one grows it is the *tiling*.
use std::fmt;

/// What becomes of the concurrency of a tiling when one size grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// The longest path of tiles does not grow: concurrency grows as the data do.
    Scales,
    /// It grows, and that of single instances does not.
    TilingLimited,
    /// That of single instances grows too.
    DataflowLimited,
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scaling::Scales => "scales",
            Scaling::TilingLimited => "tiling-limited",
            Scaling::DataflowLimited => "dataflow-limited",
        })
    }
}

/// Whether lengths that were measured at sizes that double stay as they are from some size on: the last one
/// is no greater than the one before.
///
/// That is evidence and no proof; [`wave_function`](crate::scalability::wave_function) has proofs.
///
/// ```
/// use loopwright_transform::scalability::growth::is_bounded;
/// assert!(is_bounded(&[7, 9, 9, 9]));
/// assert!(!is_bounded(&[17, 23, 35, 59]));
/// assert!(!is_bounded(&[17]), "one size says nothing");
/// ```
#[must_use]
pub fn is_bounded(lengths: &[u64]) -> bool {
    matches!(lengths, [.., before, last] if last <= before)
}

impl Scaling {
    /// What the work on the longest path of instances and of tiles says, each at the same sizes, which
    /// double.
    ///
    /// ```
    /// use loopwright_transform::scalability::growth::Scaling;
    /// assert_eq!(Scaling::of(&[32, 32, 32], &[68, 92, 140]), Scaling::TilingLimited);
    /// assert_eq!(Scaling::of(&[94, 190, 382], &[120, 240, 480]), Scaling::DataflowLimited);
    /// assert_eq!(Scaling::of(&[32, 32, 32], &[64, 64, 64]), Scaling::Scales);
    /// ```
    #[must_use]
    pub fn of(instances: &[u64], tiles: &[u64]) -> Scaling {
        match (is_bounded(tiles), is_bounded(instances)) {
            (true, _) => Scaling::Scales,
            (false, true) => Scaling::TilingLimited,
            (false, false) => Scaling::DataflowLimited,
        }
    }
}
