//! Piecewise quasi-affine expressions: where they come from and what they become.
//!
//! What they share with other piecewise functions is in [`super::piecewise`], arithmetic in
//! [`super::arithmetic`], comparisons in [`super::comparison`].
use crate::*;

/// A quasi-affine expression per piece of a domain; pieces are disjoint.
pub type PwAff = Piecewise<Aff>;

impl PwAff {
    /// One expression everywhere.
    pub fn from_aff(aff: Aff) -> Self {
        PwAff::everywhere(aff)
    }

    /// The space of the domain.
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// 1 on the set and 0 elsewhere.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn indicator(set: &Set, budget: &Budget) -> Result<Self> {
        let value = |domain: Set, value| {
            let aff = Aff::constant(set.space(), &value);
            PwAff::on_domain(domain, aff)
        };
        value(set.clone(), Int::ONE)
            .union_disjoint(&value(set.complement(budget).during("indicator")?, Int::ZERO))
    }

    /// The single expression if all pieces agree; none if there is no piece.
    pub fn as_aff(&self) -> Option<Aff> {
        self.single_expression().cloned()
    }

    /// As a relation to a one-dimensional anonymous tuple (a set of that tuple if the domain is a
    /// parameter space).
    pub fn to_map(&self) -> Map {
        self.to_pw_multi_aff().to_map()
    }

    /// The same value in a one-dimensional anonymous tuple.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        let space = super::multi::range_space(&self.space, Tuple::anonymous(1));
        let tuple = |aff: &Aff| MultiAff { space: space.clone(), members: vec![aff.clone()] };
        let piece = |(domain, aff): &(Set, Aff)| (domain.clone(), tuple(aff));
        PwMultiAff { pieces: self.pieces.iter().map(piece).collect(), space: space.clone() }
    }

    /// The value at a point (parameters then dimensions), if it is defined there.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the point has another length, [`Error::Exceeded`].
    pub fn eval(&self, point: &[Int], budget: &Budget) -> Result<Option<Rational>> {
        for (domain, aff) in &self.pieces {
            if domain.contains_point(point, budget).during("eval")? {
                return Ok((!aff.nan).then(|| aff.eval(point)));
            }
        }
        Ok(None)
    }
}
