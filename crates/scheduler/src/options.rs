//! The choices of the caller.
mod option_names;

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
    /// Strongly connected components are merged one pair at a time wherever an outermost
    /// coincident member is not lost by it; inner members and band depth do not count.
    Typed,
}

/// What is put outside where no member of a band is coincident but the outermost has to be
/// ("Scheduling for PPCG", section 6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// A member that carries as many dependences as possible.
    Feautrier,
    /// The first member of the band without coincidence: short distances first.
    FirstMember,
    /// The simplest member that respects validity.
    Validity,
    /// The outermost loop of the statements that is not scheduled yet, if that respects validity; also where
    /// no member of a band is found at all.
    Original,
}

/// Options of [`crate::schedule`]; most have the names of isl's `--schedule-*` options, see
/// [`Options::set`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How members are found.
    pub algorithm: Algorithm,
    /// Which statements share loops.
    pub fuse: Fuse,
    /// Whether the outermost member of a band has to be coincident; where none is, a single
    /// member (see [`Options::fallback`]) is put outside.
    pub outer_coincidence: bool,
    /// What is put outside where the outermost member cannot be coincident.
    pub fallback: Fallback,
    /// Whether a band without coincident members is turned into a wavefront: the sum of its
    /// members outside, and all of them but one inside, coincident.
    pub wavefront: bool,
    /// Whether clusters are only merged when no band loses members.
    pub maximize_band_depth: bool,
    /// Whether clusters are only merged when no band loses coincident members.
    pub maximize_coincidence: bool,
    /// Whether statements without loops are merged into bands of others.
    pub merge_complete: bool,
    /// Whether complete statements that do not depend on each other are left unordered, as
    /// children of a set; otherwise they keep their order.
    pub separate_components: bool,
    /// Whether members that flatten two loops into one are avoided.
    pub treat_coalescing: bool,
    /// Whether a Feautrier step first tries to carry only dependences of statements on themselves.
    pub carry_self_first: bool,
    /// Whether the result of a Feautrier step is divided by a common factor.
    pub split_scaled: bool,
    /// Whether a Feautrier step with fractions is solved again in integers, instead of multiplied by the
    /// common denominator.
    pub integer_carry: bool,
    /// Whether a Feautrier step counts equal disjuncts of dependences once.
    pub deduplicate: bool,
    /// Whether bounds of distances that only say how long a loop is are hidden from the scheduler,
    /// as they can only be used to flatten loops.
    pub drop_bounds: bool,
    /// Whether pairs that differ by a multiple of a free direction of distances are treated as equal.
    pub lineality: bool,
    /// Whether coefficients of loop variables may be negative (Bondhugula et al., "The Pluto+
    /// algorithm", TOPLAS 2016).
    pub negative_coefficients: bool,
    /// Whether members may depend on parameters.
    pub parametric: bool,
    /// Whether statements are cut in halves where that gives deeper permutable bands or more outer
    /// coincident members (see [`crate::split_index_sets`]).
    pub split_index_sets: bool,
    /// A bound on the absolute values of coefficients of loop variables in bands.
    pub max_coefficient: Option<i64>,
    /// A bound on the constant terms of members of bands.
    pub max_constant_term: Option<i64>,
}

impl Options {
    /// Tilable bands for machines with caches and a few cores: the deepest bands, skewed where
    /// that is needed.
    pub fn tiling() -> Self {
        Options {
            algorithm: Algorithm::Pluto,
            fuse: Fuse::Smart,
            outer_coincidence: false,
            fallback: Fallback::Feautrier,
            wavefront: false,
            maximize_band_depth: true,
            maximize_coincidence: true,
            merge_complete: false,
            separate_components: false,
            treat_coalescing: true,
            carry_self_first: true,
            split_scaled: true,
            integer_carry: true,
            deduplicate: true,
            drop_bounds: true,
            lineality: true,
            negative_coefficients: true,
            parametric: true,
            split_index_sets: false,
            max_coefficient: None,
            max_constant_term: None,
        }
    }

    /// Parallel loops outside, as PPCG wants them: sequential outer loops rather than skewing.
    pub fn outer_parallel() -> Self {
        Options { outer_coincidence: true, ..Self::tiling() }
    }
}
