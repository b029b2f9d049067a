//! Spaces: the names and the arity of parameters, input and output.
use crate::core::error::{Error, Result};
use crate::core::tuple::{Name, Tuple};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The kinds of dimensions of a relation; the dimensions of a set are [`DimKind::Out`].
///
/// ```
/// # use loopwright_presburger::{DimKind, Map};
/// let map = Map::parse("[n] -> { [i] -> [i, j] : 0 <= j < n }")?;
/// assert_eq!([map.n(DimKind::Param), map.n(DimKind::In), map.n(DimKind::Out)], [1, 1, 2]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DimKind {
    /// Symbolic constants.
    Param,
    /// Input (domain) dimensions of a relation.
    In,
    /// Output (range) dimensions of a relation; the dimensions of a set.
    Out,
    /// Floors and existentials.
    Local,
}

/// Parameters, and the input and output tuples of a relation.
///
/// A parameter space has no tuple, a set space only an output tuple, a map space both.
/// Tuples and lists of parameters are shared: a copy of a space costs next to nothing.
///
/// ```
/// # use loopwright_presburger::{Space, Tuple};
/// let space = Space::map(&["n".into()], Tuple::named("S", 1), Tuple::named("A", 2));
/// assert_eq!(space.to_string(), "[n] -> { S[i0] -> A[i0, i1] }");
/// assert_eq!(space.domain(), Space::set(&["n".into()], Tuple::named("S", 1)));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use = "a new value is returned, operands do not change"]
pub struct Space {
    params: Arc<[Name]>,
    input: Option<Arc<Tuple>>,
    output: Option<Arc<Tuple>>,
}

impl Space {
    /// The space of parameter sets over the given parameters.
    ///
    /// ```
    /// # use loopwright_presburger::Space;
    /// assert_eq!(Space::params(&["n".into(), "m".into()]).to_string(), "[n, m] -> { : }");
    /// ```
    pub fn params(params: &[Name]) -> Self {
        Space { params: params.into(), input: None, output: None }
    }

    /// The space of sets of `tuple` over the given parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple};
    /// let space = Space::set(&["n".into()], Tuple::named("S", 1));
    /// assert_eq!(space.to_string(), "[n] -> { S[i0] }");
    /// ```
    pub fn set(params: &[Name], tuple: Tuple) -> Self {
        Space { params: params.into(), input: None, output: Some(Arc::new(tuple)) }
    }

    /// The space of relations from `input` to `output`.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple};
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::anonymous(2));
    /// assert_eq!(space.to_string(), "{ S[i0] -> [i0, i1] }");
    /// ```
    pub fn map(params: &[Name], input: Tuple, output: Tuple) -> Self {
        Space {
            params: params.into(),
            input: Some(Arc::new(input)),
            output: Some(Arc::new(output)),
        }
    }

    /// Whether this is a parameter space.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// assert!(Set::parse("[n] -> { : n > 0 }")?.space().is_params());
    /// assert!(!Set::parse("{ [] }")?.space().is_params());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_params(&self) -> bool {
        self.output.is_none()
    }

    /// Whether this is a space of sets (with a tuple).
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// assert!(Set::parse("{ [] }")?.space().is_set());
    /// assert!(!Set::parse("[n] -> { : n > 0 }")?.space().is_set());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_set(&self) -> bool {
        self.output.is_some() && self.input.is_none()
    }

    /// Whether this is a space of relations.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// assert!(Map::parse("{ [i] -> A[i] }")?.space().is_map());
    /// assert!(!Set::parse("{ [[i] -> A[i]] }")?.space().is_map());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_map(&self) -> bool {
        self.input.is_some()
    }

    /// The space with a tuple of a kind replaced ([`DimKind::In`] or [`DimKind::Out`]).
    fn with_tuple(&self, kind: DimKind, tuple: Tuple) -> Space {
        let mut space = self.clone();
        match kind {
            DimKind::In => space.input = Some(Arc::new(tuple)),
            _ => space.output = Some(Arc::new(tuple)),
        }
        space
    }

    /// The tuple of a kind.
    pub(crate) fn tuple(&self, kind: DimKind) -> Option<&Tuple> {
        match kind {
            DimKind::In => self.input(),
            DimKind::Out => self.output(),
            DimKind::Param | DimKind::Local => None,
        }
    }

    /// The space without `count` dimensions of `kind`; a tuple that shrinks becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let space = Map::parse("[n, m] -> { S[i, j] -> A[x] }")?.space().clone();
    /// assert_eq!(space.drop_dims(DimKind::Param, 0, 1).to_string(), "[m] -> { S[i, j] -> A[x] }");
    /// assert_eq!(space.drop_dims(DimKind::In, 0, 1).to_string(), "[n, m] -> { [j] -> A[x] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn drop_dims(&self, kind: DimKind, first: usize, count: usize) -> Space {
        if kind == DimKind::Param {
            let mut params = self.params.to_vec();
            params.drain(first..first + count);
            return self.with_params(&params);
        }
        match self.tuple(kind) {
            Some(tuple) => self.with_tuple(kind, tuple.drop_dims(first, count)),
            None => self.clone(),
        }
    }

    /// The space with dimensions of `kind` inserted; a tuple that grows becomes anonymous.
    ///
    /// New parameters without a name, or with the name of another one, get a fresh name.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let space = Set::parse("[n] -> { S[i] }")?.space().clone();
    /// assert_eq!(space.insert_dims(DimKind::Out, 0, &[None]).to_string(), "[n] -> { [i0, i] }");
    /// let other = space.insert_dims(DimKind::Param, 1, &[Some("n".into()), Some("m".into())]);
    /// assert_eq!(other.to_string(), "[n, n_0, m] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn insert_dims(&self, kind: DimKind, position: usize, names: &[Option<Name>]) -> Space {
        if kind != DimKind::Param {
            let tuple = self.tuple(kind).cloned().unwrap_or_else(|| Tuple::anonymous(0));
            return self.with_tuple(kind, tuple.insert_dims(position, names));
        }
        let mut params = self.params.to_vec();
        for (i, name) in names.iter().enumerate() {
            let name = fresh_param(&params, name.as_ref());
            params.insert(position + i, name);
        }
        self.with_params(&params)
    }

    /// The names of the dimensions of a kind.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let space = Map::parse("[n] -> { S[i] -> A[2i] }")?.space().clone();
    /// assert_eq!(space.dim_names(DimKind::Param), [Some("n".into())]);
    /// assert_eq!(space.dim_names(DimKind::In), [Some("i".into())]);
    /// assert_eq!(space.dim_names(DimKind::Out), [None]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn dim_names(&self, kind: DimKind) -> Vec<Option<Name>> {
        match kind {
            DimKind::Param => self.params.iter().cloned().map(Some).collect(),
            _ => self.tuple(kind).map_or_else(Vec::new, Tuple::dim_names),
        }
    }

    /// Whether both list the same parameters in the same order (cheap if shared).
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple};
    /// let a = Space::set(&["n".into(), "m".into()], Tuple::anonymous(1));
    /// let b = Space::params(&["m".into(), "n".into()]);
    /// assert!(a.has_equal_params(&a.to_params()));
    /// assert!(!a.has_equal_params(&b));
    /// ```
    pub fn has_equal_params(&self, other: &Space) -> bool {
        Arc::ptr_eq(&self.params, &other.params) || self.params == other.params
    }

    /// Whether the tuples have the same numbers of dimensions.
    pub(crate) fn has_equal_dims(&self, other: &Space) -> bool {
        let dims = |tuple: &Option<Arc<Tuple>>| tuple.as_ref().map(|tuple| tuple.n_dims());
        dims(&self.input) == dims(&other.input) && dims(&self.output) == dims(&other.output)
    }

    /// Compares the tuples, input first; parameters and names of dimensions do not count.
    pub(crate) fn compare_tuples(&self, other: &Space) -> Ordering {
        self.input.cmp(&other.input).then_with(|| self.output.cmp(&other.output))
    }

    /// The error for operands that `operation` does not combine.
    pub(crate) fn mismatch<T>(&self, other: &Space, operation: &'static str) -> Result<T> {
        Err(Error::SpaceMismatch { operation, left: self.to_string(), right: other.to_string() })
    }

    /// The names of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n, m] -> { [i] : n <= i < m }")?;
    /// assert_eq!(set.space().param_names(), ["n".into(), "m".into()]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn param_names(&self) -> &[Name] {
        &self.params
    }

    /// The position of the parameter `name`.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n, m] -> { [i] : n <= i < m }")?;
    /// assert_eq!(set.space().find_param("m"), Some(1));
    /// assert_eq!(set.space().find_param("i"), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| &**p == name)
    }

    /// The input tuple of a relation.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Tuple};
    /// let map = Map::parse("{ S[i] -> A[i, i] }")?;
    /// assert_eq!(map.space().input(), Some(&Tuple::named("S", 1)));
    /// assert_eq!(map.range().space().input(), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn input(&self) -> Option<&Tuple> {
        self.input.as_deref()
    }

    /// The output tuple of a relation, or the tuple of a set.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Tuple};
    /// let map = Map::parse("{ S[i] -> A[i, i] }")?;
    /// assert_eq!(map.space().output(), Some(&Tuple::named("A", 2)));
    /// assert_eq!(map.domain().space().output(), Some(&Tuple::named("S", 1)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn output(&self) -> Option<&Tuple> {
        self.output.as_deref()
    }

    /// The number of dimensions of a kind (0 for [`DimKind::Local`]).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Space, Tuple};
    /// let space = Space::map(&["n".into()], Tuple::named("S", 2), Tuple::named("A", 3));
    /// assert_eq!(
    ///     (space.n(DimKind::Param), space.n(DimKind::In), space.n(DimKind::Out)),
    ///     (1, 2, 3)
    /// );
    /// ```
    pub fn n(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Param => self.params.len(),
            DimKind::In => self.input.as_ref().map_or(0, |t| t.n_dims()),
            DimKind::Out => self.output.as_ref().map_or(0, |t| t.n_dims()),
            DimKind::Local => 0,
        }
    }

    /// The number of parameters, input and output dimensions together.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple};
    /// let space = Space::map(&["n".into()], Tuple::named("S", 2), Tuple::named("A", 3));
    /// assert_eq!(space.n_all(), 6);
    /// ```
    pub fn n_all(&self) -> usize {
        self.n(DimKind::Param) + self.n(DimKind::In) + self.n(DimKind::Out)
    }

    /// The space of the domains of relations in this space.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let space = Map::parse("[n] -> { S[i] -> A[i] }")?.space().clone();
    /// assert_eq!(space.domain().to_string(), "[n] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain(&self) -> Space {
        Space { params: self.params.clone(), input: None, output: self.input.clone() }
    }

    /// The space of the ranges of relations in this space.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let space = Map::parse("[n] -> { S[i] -> A[j] }")?.space().clone();
    /// assert_eq!(space.range().to_string(), "[n] -> { A[j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn range(&self) -> Space {
        Space { params: self.params.clone(), input: None, output: self.output.clone() }
    }

    /// Only the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let space = Map::parse("[n] -> { S[i] -> A[i] }")?.space().clone();
    /// assert_eq!(space.to_params().to_string(), "[n] -> { : }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn to_params(&self) -> Space {
        Space { params: self.params.clone(), input: None, output: None }
    }

    /// The space of the inverse relations.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let space = Map::parse("{ S[i] -> A[j] }")?.space().clone();
    /// assert_eq!(space.reverse().to_string(), "{ A[j] -> S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn reverse(&self) -> Space {
        Space {
            params: self.params.clone(),
            input: self.output.clone(),
            output: self.input.clone(),
        }
    }

    /// The space of relations between two copies of this set space.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let space = Set::parse("{ S[i] }")?.space().clone();
    /// assert_eq!(space.map_from_set().to_string(), "{ S[i] -> S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn map_from_set(&self) -> Space {
        Space {
            params: self.params.clone(),
            input: self.output.clone(),
            output: self.output.clone(),
        }
    }

    /// The space of relations from this set space to `range`; parameters are merged.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let from = Set::parse("[n] -> { S[i] }")?.space().clone();
    /// let to = Set::parse("[m] -> { A[x] }")?.space().clone();
    /// assert_eq!(from.map_to(&to).to_string(), "[n, m] -> { S[i] -> A[x] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn map_to(&self, range: &Space) -> Space {
        let merged = self.merge_params(range);
        Space { params: merged.params, input: self.output.clone(), output: range.output.clone() }
    }

    /// The set space `[A -> B]` that wraps this map space `A -> B`.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let space = Map::parse("{ S[i] -> A[j] }")?.space().clone();
    /// assert_eq!(space.wrap().to_string(), "{ [S[i] -> A[j]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn wrap(&self) -> Space {
        let tuple = match (&self.input, &self.output) {
            (Some(a), Some(b)) => Some(Arc::new(Tuple::nested((**a).clone(), (**b).clone()))),
            _ => None,
        };
        Space { params: self.params.clone(), input: None, output: tuple }
    }

    /// The map space inside a wrapping set space.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let space = Set::parse("{ [S[i] -> A[j]] }")?.space().clone();
    /// assert_eq!(space.unwrap()?.to_string(), "{ S[i] -> A[j] }");
    /// assert!(Set::parse("{ S[i] }")?.space().unwrap().is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not the space of sets of an anonymous wrapped relation.
    pub fn unwrap(&self) -> Result<Space> {
        let nested = self.output.as_ref().filter(|_| self.input.is_none());
        match nested.and_then(|t| t.as_nested()) {
            Some((a, b)) => Ok(Space::map(&self.params, a.clone(), b.clone())),
            None => Err(Error::Invalid {
                operation: "unwrap",
                reason: format!("{self} is not a wrapped relation"),
            }),
        }
    }

    /// The same space with other tuples.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple};
    /// let space = Space::params(&["n".into()]);
    /// let other = space.with_tuples(Some(Tuple::named("S", 1)), Some(Tuple::anonymous(1)));
    /// assert_eq!(other.to_string(), "[n] -> { S[i0] -> [i0] }");
    /// ```
    pub fn with_tuples(&self, input: Option<Tuple>, output: Option<Tuple>) -> Space {
        Space {
            params: self.params.clone(),
            input: input.map(Arc::new),
            output: output.map(Arc::new),
        }
    }

    /// The same space with other parameters.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let space = Set::parse("[n] -> { S[i] }")?.space().clone();
    /// assert_eq!(space.with_params(&["m".into()]).to_string(), "[m] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn with_params(&self, params: &[Name]) -> Space {
        Space { params: params.into(), input: self.input.clone(), output: self.output.clone() }
    }

    /// This space with the parameters of `other` that it lacks appended.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space};
    /// let space = Set::parse("[n, m] -> { S[i] }")?.space().clone();
    /// let other = Space::params(&["k".into(), "n".into()]);
    /// assert_eq!(space.merge_params(&other).to_string(), "[n, m, k] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn merge_params(&self, other: &Space) -> Space {
        if Arc::ptr_eq(&self.params, &other.params) || self.params == other.params {
            return self.clone();
        }
        let mut params = self.params.to_vec();
        params.extend(other.params.iter().filter(|p| !self.params.contains(p)).cloned());
        self.with_params(&params)
    }

    /// Whether the tuples (not the parameters) are equal.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space};
    /// let a = Set::parse("[n] -> { S[i] }")?;
    /// let b = Set::parse("{ S[j] : j > 0 }")?;
    /// assert!(a.space().has_equal_tuples(b.space()));
    /// assert!(!a.space().has_equal_tuples(&Space::params(&["n".into()])));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn has_equal_tuples(&self, other: &Space) -> bool {
        self.input == other.input && self.output == other.output
    }
}

/// The wanted name, or one like it that is not among `params`.
fn fresh_param(params: &[Name], wanted: Option<&Name>) -> Name {
    if let Some(name) = wanted.filter(|name| !params.contains(name)) {
        return name.clone();
    }
    let stem = wanted.map_or("p", |name| name);
    (0..)
        .map(|i| Name::from(format!("{stem}_{i}")))
        .find(|name| !params.contains(name))
        .expect("there are more numbers than parameters")
}

/// The space without parameters and tuples.
impl Default for Space {
    fn default() -> Self {
        Space::params(&[])
    }
}

/// Prints `[n] -> { A[i] -> B[j] }`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.params.is_empty() {
            write!(f, "[{}] -> ", self.params.join(", "))?;
        }
        match (&self.input, &self.output) {
            (Some(a), Some(b)) => write!(f, "{{ {a} -> {b} }}"),
            (None, Some(b)) => write!(f, "{{ {b} }}"),
            _ => write!(f, "{{ : }}"),
        }
    }
}

pub(crate) fn mismatch(operation: &'static str, left: &Space, right: &Space) -> Error {
    Error::SpaceMismatch { operation, left: left.to_string(), right: right.to_string() }
}
