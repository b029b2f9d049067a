//! Dimensions that become parameters, and parameters that become dimensions.
use crate::core::error::{Error, Result};
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::{Name, Tuple};
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::multi::range_space;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{Piecewise, PwAff};

/// The function from the parameters `names` (and others) to the tuple of their values.
fn params_as_tuple(space: &Space, tuple: &Tuple, names: &[Name]) -> Result<MultiAff> {
    if names.len() != tuple.n_dims() {
        return Err(Error::Invalid {
            operation: "the binding of a tuple",
            reason: format!("{} names for {tuple}", names.len()),
        });
    }
    let params = space.to_params().merge_params(&Space::params(names));
    let value = |name: &Name| {
        let position = params.find_param(name).unwrap_or_default();
        Aff::variable(&params, DimKind::Param, position)
    };
    MultiAff::new(range_space(&params, tuple.clone()), names.iter().map(value).collect())
}

/// Where the columns of a parameter space are when the parameters of a tuple have become its
/// dimensions, and that space.
fn unbound(params: &Space, tuple: &Tuple) -> Result<(Space, Vec<usize>)> {
    let names = tuple.dim_names();
    if names.iter().any(Option::is_none) || !params.is_params() {
        return Err(Error::Invalid {
            operation: "the unbinding of parameters",
            reason: format!("{tuple} has a dimension without a name, or {params} has a tuple"),
        });
    }
    let is_bound = |name: &Name| names.iter().position(|n| n.as_ref() == Some(name));
    let kept: Vec<Name> =
        params.param_names().iter().filter(|n| is_bound(n).is_none()).cloned().collect();
    let mut next = 0;
    let mut column = |name: &Name| match is_bound(name) {
        Some(position) => 1 + kept.len() + position,
        None => {
            next += 1;
            next
        }
    };
    let place = std::iter::once(0).chain(params.param_names().iter().map(&mut column)).collect();
    Ok((Space::set(&kept, tuple.clone()), place))
}

impl<E: Expression> Piecewise<E> {
    /// The function of parameters that are the dimensions of the domain.
    ///
    /// ```
    /// use loopwright_presburger::PwAff;
    /// let sum = PwAff::parse("[n] -> { S[i, j] -> [(i + j + n)] : i < j }")?;
    /// let bound = sum.bind_domain(&["n".into(), "m".into()])?;
    /// assert_eq!(bound.to_string(), "[n, m] -> { [(2n + m)] : m > n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is not one name for each dimension.
    pub fn bind_domain(&self, names: &[Name]) -> Result<Self> {
        let domain = self.own_domain();
        let tuple = domain.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
        self.pullback_multi_aff(&params_as_tuple(&domain, &tuple, names)?)
    }

    /// The function of a tuple whose dimensions are parameters of this function of parameters: the
    /// converse of [`Piecewise::bind_domain`].
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Tuple};
    /// let sum = PwAff::parse("[n, m] -> { [(n + m)] : n > 0 }")?;
    /// let tuple = Tuple::named("S", 1).with_dim_names(&[Some("n".into())]);
    /// assert_eq!(sum.unbind_params(&tuple)?.to_string(), "[m] -> { S[n] -> [(m + n)] : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if a dimension has no name or the domain has a tuple.
    pub fn unbind_params(&self, tuple: &Tuple) -> Result<Self> {
        let (space, place) = unbound(&self.own_domain(), tuple)?;
        Ok(self.place_columns(&space, &place))
    }

    /// The function of parameters as a function of the points of a tuple, the same for all.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Tuple};
    /// let size = PwAff::parse("[n] -> { [(2n)] : n > 0 }")?;
    /// let everywhere = size.insert_domain(&Tuple::named("S", 1))?;
    /// assert_eq!(everywhere.to_string(), "[n] -> { S[i0] -> [(2n)] : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the domain has a tuple already.
    pub fn insert_domain(&self, tuple: &Tuple) -> Result<Self> {
        let params = self.own_domain();
        if !params.is_params() {
            return Err(Error::Invalid {
                operation: "the insertion of a domain",
                reason: format!("{params} has a tuple already"),
            });
        }
        let place: Vec<usize> = (0..=params.n(DimKind::Param)).collect();
        Ok(self.place_columns(&params.with_tuples(None, Some(tuple.clone())), &place))
    }
}

impl PwAff {
    /// Where the value is that of a parameter.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let half = PwAff::parse("{ [i] -> [(floor(i/2))] : i > 0 }")?;
    /// assert_eq!(
    ///     half.bind(&"n".into())?.to_string(),
    ///     "[n] -> { [i] : 2n <= i <= 1 + 2n and i > 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn bind(&self, param: &Name) -> Result<Set> {
        let space = self.space.merge_params(&Space::params(std::slice::from_ref(param)));
        let position = space.find_param(param).unwrap_or_default();
        self.eq_set(&PwAff::from_aff(Aff::variable(&space, DimKind::Param, position)))
    }
}

impl Set {
    /// The parameter values for which the parameters `names` are a point of the set.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { S[i, j] : 0 <= i < j < n }")?;
    /// assert_eq!(
    ///     set.bind(&["a".into(), "b".into()])?.to_string(),
    ///     "[n, a, b] -> { : a >= 0 and a < b < n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is not one name for each dimension.
    pub fn bind(&self, names: &[Name]) -> Result<Set> {
        let tuple = self.space().output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
        self.preimage_multi_aff(&params_as_tuple(self.space(), &tuple, names)?)
    }

    /// The set of a tuple whose dimensions are parameters of this parameter set.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Tuple};
    /// let params = Set::parse("[n, a] -> { : 0 <= a < n }")?;
    /// let tuple = Tuple::named("S", 1).with_dim_names(&[Some("a".into())]);
    /// assert_eq!(params.unbind_params(&tuple)?.to_string(), "[n] -> { S[a] : 0 <= a < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if a dimension has no name or the set has a tuple.
    pub fn unbind_params(&self, tuple: &Tuple) -> Result<Set> {
        let (space, place) = unbound(self.space(), tuple)?;
        let all = Piecewise {
            space: self.space().clone(),
            pieces: vec![(self.clone(), Aff::zero(self.space()))],
        };
        Ok(all.place_columns(&space, &place).domain())
    }
}
