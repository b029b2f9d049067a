//! The choices of the caller.

/// How the members of a schedule are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Bands of permutable members by integer programming (Bondhugula et al., PLDI 2008), with
    /// single Feautrier steps where no member exists.
    Pluto,
    /// One member at a time that carries as many dependences as possible (Feautrier, 1992).
    Feautrier,
}

/// Which statements share loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fuse {
    /// All statements of a weakly connected component are scheduled together: as many shared
    /// loops as legal, whatever they cost in parallelism.
    Max,
    /// Statements share loops only where a dependence cycle forces them to.
    Min,
    /// Strongly connected components are merged one pair at a time, never at the price of
    /// coincident members or of band depth (isl's incremental scheduler).
    Smart,
}

/// Options of [`crate::schedule`]; the names are those of isl's `--schedule-*` options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How members are found.
    pub algorithm: Algorithm,
    /// Which statements share loops.
    pub fuse: Fuse,
    /// Whether the outermost member of a band has to be coincident; where none is, a single
    /// member that carries as much as possible is put outside.
    pub outer_coincidence: bool,
    /// Whether clusters are only merged when no band loses members.
    pub maximize_band_depth: bool,
    /// Whether clusters are only merged when no band loses coincident members.
    pub maximize_coincidence: bool,
    /// Whether members that flatten two loops into one are avoided.
    pub treat_coalescing: bool,
    /// Whether a Feautrier step first tries to carry only dependences of statements on themselves.
    pub carry_self_first: bool,
    /// Whether the result of a Feautrier step is divided by a common factor.
    pub split_scaled: bool,
    /// A bound on the absolute values of coefficients of loop variables in bands.
    pub max_coefficient: Option<i64>,
}

impl Options {
    /// Tilable bands for machines with caches and a few cores: the deepest bands, skewed where
    /// that is needed.
    pub fn tiling() -> Self {
        Options {
            algorithm: Algorithm::Pluto,
            fuse: Fuse::Smart,
            outer_coincidence: false,
            maximize_band_depth: true,
            maximize_coincidence: true,
            treat_coalescing: true,
            carry_self_first: true,
            split_scaled: true,
            max_coefficient: None,
        }
    }

    /// Parallel loops outside, as PPCG wants them: sequential outer loops rather than skewing.
    pub fn outer_parallel() -> Self {
        Options { outer_coincidence: true, ..Self::tiling() }
    }
}
