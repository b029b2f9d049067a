//! The answer of dependence analysis on accesses, as isl gives it.
use loopwright_presburger::{Result, UnionMap};
use loopwright_schedule::yaml::quote;
use std::fmt;

/// Dependences between accesses, and sink accesses without source.
#[derive(Clone, Debug)]
pub struct AccessFlow {
    /// `T[j] -> [S[i] -> A[x]]`: from the source that is surely the last one to the sink access.
    pub full_must_dependence: UnionMap,
    /// `T[j] -> [S[i] -> A[x]]`: from every source that may be the last one, the sure ones among
    /// them.
    pub full_may_dependence: UnionMap,
    /// `S[i] -> A[x]`: accesses before which neither a source nor a kill touches the element.
    pub must_no_source: UnionMap,
    /// `S[i] -> A[x]`: accesses before which neither a sure source nor a kill touches the element.
    pub may_no_source: UnionMap,
}

impl AccessFlow {
    /// The sure dependences `T[j] -> S[i]`, without the elements.
    ///
    /// ```
    /// use loopwright_dataflow::AccessInformation;
    /// use loopwright_presburger::{Budget, UnionMap};
    /// let information = AccessInformation::parse(
    ///     "sink: '{ S[i] -> a[i - 1] : 0 <= i < 9 }'\n\
    ///      must_source: '{ S[i] -> a[i] : 0 <= i < 9 }'\n\
    ///      schedule_map: '{ S[i] -> [i] }'\n",
    /// )?;
    /// let budget = Budget::steps(1_000_000);
    /// let dependences = information.compute_flow(&budget)?.must_dependence()?;
    /// let expected = UnionMap::parse("{ S[i] -> S[i + 1] : 0 <= i < 8 }")?;
    /// assert!(dependences.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the projection.
    pub fn must_dependence(&self) -> Result<UnionMap> {
        self.full_must_dependence.range_factor_domain()
    }

    /// All dependences `T[j] -> S[i]`, without the elements; see [`Self::must_dependence`].
    ///
    /// # Errors
    /// Those of the projection.
    pub fn may_dependence(&self) -> Result<UnionMap> {
        self.full_may_dependence.range_factor_domain()
    }
}

/// Prints isl's text form: full dependences and accesses without source, one key a line.
impl fmt::Display for AccessFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relations = [
            ("must_dependence", &self.full_must_dependence),
            ("may_dependence", &self.full_may_dependence),
            ("must_no_source", &self.must_no_source),
            ("may_no_source", &self.may_no_source),
        ];
        relations
            .iter()
            .try_for_each(|(key, relation)| writeln!(f, "{key}: {}", quote(&relation.to_string())))
    }
}
