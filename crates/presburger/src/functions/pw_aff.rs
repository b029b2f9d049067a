//! Piecewise quasi-affine expressions: where they come from and what they become.
//!
//! What they share with other piecewise functions is in [`super::piecewise`], arithmetic in
//! [`super::arithmetic`], comparisons in [`super::comparison`].
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use loopwright_exact::{Int, Rational};

impl PwAff {
    /// One expression everywhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, PwAff};
    /// let aff = Aff::parse("{ [i] -> [(i + 1)] }")?;
    /// assert_eq!(PwAff::from_aff(aff).to_string(), "{ [i] -> [(1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_aff(aff: Aff) -> Self {
        PwAff::everywhere(aff)
    }

    /// The space of the domain.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("[n] -> { S[i] -> [(i)] : i < n }")?;
    /// assert_eq!(a.domain_space().to_string(), "[n] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// 1 on the set and 0 elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// let indicator = PwAff::indicator(&set, budget)?;
    /// assert_eq!(indicator.eval(&[Int::from(4)], budget)?, Some(Rational::from(1)));
    /// assert_eq!(indicator.eval(&[Int::from(14)], budget)?, Some(Rational::from(0)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn indicator(set: &Set, budget: &Budget) -> Result<Self> {
        let value = |domain: Set, value| {
            let aff = Aff::constant(set.space(), &value);
            PwAff::on_domain(domain, aff)
        };
        value(set.clone(), Int::ONE)
            .union_disjoint(&value(set.complement(budget).during("indicator")?, Int::ZERO))
    }

    /// The single expression if all pieces agree; none if there is no piece.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let same = PwAff::parse("{ [i] -> [(i + 1)] : i > 0; [i] -> [(i + 1)] : i < 0 }")?;
    /// assert_eq!(same.as_aff().unwrap().to_string(), "{ [i] -> [(1 + i)] }");
    /// let other = PwAff::parse("{ [i] -> [(i)] : i > 0; [i] -> [(0)] : i < 0 }")?;
    /// assert!(other.as_aff().is_none());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn as_aff(&self) -> Option<Aff> {
        self.single_expression().cloned()
    }

    /// As a relation to a one-dimensional anonymous tuple (a set of that tuple if the domain is a
    /// parameter space).
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let half = PwAff::parse("{ S[i] -> [(floor(i/2))] : i > 0 }")?;
    /// assert_eq!(half.to_map().to_string(), "{ S[i] -> [o0] : i > 0 and -1 + i <= 2o0 <= i }");
    /// // A fraction has no integer value: these points are not in the relation.
    /// let fraction = PwAff::parse("{ S[i] -> [(i/2)] }")?;
    /// assert_eq!(fraction.to_map().to_string(), "{ S[i] -> [o0] : 2o0 = i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn to_map(&self) -> Map {
        self.to_pw_multi_aff().to_map()
    }

    /// The same value in a one-dimensional anonymous tuple.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ S[i] -> [(i)] : i > 0 }")?;
    /// assert_eq!(a.to_pw_multi_aff().to_string(), "{ S[i] -> [(i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        let space = super::multi::range_space(&self.space, Tuple::anonymous(1));
        let tuple = |aff: &Aff| MultiAff { space: space.clone(), members: vec![aff.clone()] };
        let piece = |(domain, aff): &(Set, Aff)| (domain.clone(), tuple(aff));
        PwMultiAff { pieces: self.pieces.iter().map(piece).collect(), space: space.clone() }
    }

    /// The value at a point (parameters then dimensions), if it is defined there.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("[n] -> { [i] -> [(i + n)] : i < n }")?;
    /// let value = |n: i64, i: i64| a.eval(&[Int::from(n), Int::from(i)], budget);
    /// assert_eq!(value(5, 3)?, Some(Rational::from(8)));
    /// assert_eq!(value(3, 3)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the point has another length,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn eval(&self, point: &[Int], budget: &Budget) -> Result<Option<Rational>> {
        for (domain, aff) in &self.pieces {
            if domain.contains_point(point, budget).during("eval")? {
                return Ok((!aff.nan).then(|| aff.eval(point)));
            }
        }
        Ok(None)
    }
}
