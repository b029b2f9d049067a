//! Floors of one expression that add up.
use crate::count::residues::by_residues;
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};

impl PwQPolynomial {
    /// The same function, where floors of one expression are joined if that is shorter: the sum of
    /// `⌊(e + j)/k⌋` for `j` from 0 to `k - 1` is `e` (Hermite).
    ///
    /// ```
    /// # use loopwright_presburger::PwQPolynomial;
    /// let thirds = PwQPolynomial::parse("{ [i] -> floor(i/3) + floor((i + 1)/3) + floor((i + 2)/3) }")?;
    /// assert_eq!(thirds.with_joined_floors().to_string(), "{ [i] -> (i) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn with_joined_floors(&self) -> Self {
        self.mapped(by_residues)
    }
}

impl UnionPwQPolynomial {
    /// See [`PwQPolynomial::with_joined_floors`].
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwQPolynomial;
    /// let halves = UnionPwQPolynomial::parse("{ S[i] -> floor(i/2) + floor((i + 1)/2) }")?;
    /// assert_eq!(halves.with_joined_floors().to_string(), "{ S[i] -> (i) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn with_joined_floors(&self) -> Self {
        self.mapped(PwQPolynomial::with_joined_floors)
    }
}
