//! Spaces: the names and the arity of parameters, input and output.
use crate::{Error, Result};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A name of a parameter, of a tuple or of a dimension.
pub type Name = Arc<str>;

/// The kinds of dimensions of a relation; the dimensions of a set are [`DimKind::Out`].
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

/// A tuple `Name[d0, d1]` or `Name[A[..] -> B[..]]`.
///
/// Equality ignores the names of the dimensions, as isl does.
#[derive(Clone, Debug)]
pub struct Tuple {
    name: Option<Name>,
    shape: Shape,
    n_dims: usize,
}

#[derive(Clone, Debug)]
enum Shape {
    Flat(Vec<Option<Name>>),
    Nested(Box<Tuple>, Box<Tuple>),
}

impl Tuple {
    /// The anonymous tuple of `n` dimensions.
    pub fn anonymous(n: usize) -> Self {
        Tuple::flat(None, vec![None; n])
    }

    /// The tuple `name[..]` of `n` dimensions.
    pub fn named(name: &str, n: usize) -> Self {
        Tuple::flat(Some(name.into()), vec![None; n])
    }

    /// The wrapped relation `[input -> output]`.
    pub fn nested(input: Tuple, output: Tuple) -> Self {
        let n_dims = input.n_dims + output.n_dims;
        Tuple { name: None, shape: Shape::Nested(Box::new(input), Box::new(output)), n_dims }
    }

    fn flat(name: Option<Name>, dims: Vec<Option<Name>>) -> Self {
        Tuple { name, n_dims: dims.len(), shape: Shape::Flat(dims) }
    }

    /// The same tuple under another name.
    pub fn with_name(mut self, name: Option<Name>) -> Self {
        self.name = name;
        self
    }

    /// The same tuple with the given names of dimensions (all levels flattened, in order).
    ///
    /// Names beyond the number of dimensions are ignored.
    pub fn with_dim_names(mut self, names: &[Option<Name>]) -> Self {
        self.set_dim_names(names);
        self
    }

    fn set_dim_names(&mut self, names: &[Option<Name>]) -> usize {
        match &mut self.shape {
            Shape::Flat(dims) => {
                for (dim, name) in dims.iter_mut().zip(names) {
                    dim.clone_from(name);
                }
                dims.len().min(names.len())
            }
            Shape::Nested(a, b) => {
                let used = a.set_dim_names(names);
                used + b.set_dim_names(&names[used..])
            }
        }
    }

    /// The tuple's name.
    pub fn name(&self) -> Option<&Name> {
        self.name.as_ref()
    }

    /// The number of dimensions, those of nested tuples included.
    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// The two sides of a wrapped relation.
    pub fn as_nested(&self) -> Option<(&Tuple, &Tuple)> {
        match &self.shape {
            Shape::Flat(_) => None,
            Shape::Nested(a, b) => Some((a, b)),
        }
    }

    /// The names of the dimensions, flattened.
    pub fn dim_names(&self) -> Vec<Option<Name>> {
        match &self.shape {
            Shape::Flat(dims) => dims.clone(),
            Shape::Nested(a, b) => {
                let mut names = a.dim_names();
                names.extend(b.dim_names());
                names
            }
        }
    }

    /// The anonymous flat tuple without `count` dimensions from `first` on.
    ///
    /// Without a dimension to drop the tuple stays as it is.
    pub(crate) fn drop_dims(&self, first: usize, count: usize) -> Tuple {
        if count == 0 {
            return self.clone();
        }
        let mut names = self.dim_names();
        names.drain(first..first + count);
        Tuple::flat(None, names)
    }

    /// The anonymous flat tuple with dimensions of the given names inserted before `position`.
    ///
    /// Without a dimension to insert the tuple stays as it is.
    pub(crate) fn insert_dims(&self, position: usize, added: &[Option<Name>]) -> Tuple {
        if added.is_empty() {
            return self.clone();
        }
        let mut names = self.dim_names();
        names.splice(position..position, added.iter().cloned());
        Tuple::flat(None, names)
    }

    /// The anonymous flat tuple with the dimensions of `self`, then those of `other`.
    pub fn flat_concat(&self, other: &Tuple) -> Tuple {
        let mut names = self.dim_names();
        names.extend(other.dim_names());
        Tuple::flat(None, names)
    }

    /// The anonymous flat tuple with the same dimensions.
    pub fn flatten(&self) -> Tuple {
        Tuple::flat(None, self.dim_names())
    }
}

/// Orders tuples by name, then flat before nested, then by size: the order within unions.
impl Ord for Tuple {
    fn cmp(&self, other: &Self) -> Ordering {
        let shapes = || match (&self.shape, &other.shape) {
            (Shape::Flat(a), Shape::Flat(b)) => a.len().cmp(&b.len()),
            (Shape::Nested(a, b), Shape::Nested(c, d)) => a.cmp(c).then_with(|| b.cmp(d)),
            (Shape::Flat(_), Shape::Nested(..)) => Ordering::Less,
            (Shape::Nested(..), Shape::Flat(_)) => Ordering::Greater,
        };
        self.name.cmp(&other.name).then_with(shapes)
    }
}

impl PartialOrd for Tuple {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && match (&self.shape, &other.shape) {
                (Shape::Flat(a), Shape::Flat(b)) => a.len() == b.len(),
                (Shape::Nested(a, b), Shape::Nested(c, d)) => a == c && b == d,
                _ => false,
            }
    }
}
impl Eq for Tuple {}

/// Prints `Name[i0, i1]`, inventing names for dimensions without one.
impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}")?;
        }
        match &self.shape {
            Shape::Flat(dims) => {
                let names: Vec<String> = dims
                    .iter()
                    .enumerate()
                    .map(|(i, d)| d.as_ref().map_or_else(|| format!("i{i}"), |d| d.to_string()))
                    .collect();
                write!(f, "[{}]", names.join(", "))
            }
            Shape::Nested(a, b) => write!(f, "[{a} -> {b}]"),
        }
    }
}

/// Parameters, and the input and output tuples of a relation.
///
/// A parameter space has no tuple, a set space only an output tuple, a map space both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    params: Arc<[Name]>,
    input: Option<Arc<Tuple>>,
    output: Option<Arc<Tuple>>,
}

impl Space {
    /// The space of parameter sets over the given parameters.
    pub fn params(params: &[Name]) -> Self {
        Space { params: params.into(), input: None, output: None }
    }

    /// The space of sets of `tuple` over the given parameters.
    pub fn set(params: &[Name], tuple: Tuple) -> Self {
        Space { params: params.into(), input: None, output: Some(Arc::new(tuple)) }
    }

    /// The space of relations from `input` to `output`.
    pub fn map(params: &[Name], input: Tuple, output: Tuple) -> Self {
        Space {
            params: params.into(),
            input: Some(Arc::new(input)),
            output: Some(Arc::new(output)),
        }
    }

    /// Whether this is a parameter space.
    pub fn is_params(&self) -> bool {
        self.output.is_none()
    }

    /// Whether this is a space of sets (with a tuple).
    pub fn is_set(&self) -> bool {
        self.output.is_some() && self.input.is_none()
    }

    /// Whether this is a space of relations.
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
    pub fn dim_names(&self, kind: DimKind) -> Vec<Option<Name>> {
        match kind {
            DimKind::Param => self.params.iter().cloned().map(Some).collect(),
            _ => self.tuple(kind).map_or_else(Vec::new, Tuple::dim_names),
        }
    }

    /// Whether both list the same parameters in the same order (cheap if shared).
    pub fn has_equal_params(&self, other: &Space) -> bool {
        Arc::ptr_eq(&self.params, &other.params) || self.params == other.params
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
    pub fn param_names(&self) -> &[Name] {
        &self.params
    }

    /// The position of the parameter `name`.
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| &**p == name)
    }

    /// The input tuple of a relation.
    pub fn input(&self) -> Option<&Tuple> {
        self.input.as_deref()
    }

    /// The output tuple of a relation, or the tuple of a set.
    pub fn output(&self) -> Option<&Tuple> {
        self.output.as_deref()
    }

    /// The number of dimensions of a kind (0 for [`DimKind::Local`]).
    pub fn n(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Param => self.params.len(),
            DimKind::In => self.input.as_ref().map_or(0, |t| t.n_dims()),
            DimKind::Out => self.output.as_ref().map_or(0, |t| t.n_dims()),
            DimKind::Local => 0,
        }
    }

    /// The number of parameters, input and output dimensions together.
    pub fn n_all(&self) -> usize {
        self.n(DimKind::Param) + self.n(DimKind::In) + self.n(DimKind::Out)
    }

    /// The space of the domains of relations in this space.
    pub fn domain(&self) -> Space {
        Space { params: self.params.clone(), input: None, output: self.input.clone() }
    }

    /// The space of the ranges of relations in this space.
    pub fn range(&self) -> Space {
        Space { params: self.params.clone(), input: None, output: self.output.clone() }
    }

    /// Only the parameters.
    pub fn to_params(&self) -> Space {
        Space { params: self.params.clone(), input: None, output: None }
    }

    /// The space of the inverse relations.
    pub fn reverse(&self) -> Space {
        Space {
            params: self.params.clone(),
            input: self.output.clone(),
            output: self.input.clone(),
        }
    }

    /// The space of relations between two copies of this set space.
    pub fn map_from_set(&self) -> Space {
        Space {
            params: self.params.clone(),
            input: self.output.clone(),
            output: self.output.clone(),
        }
    }

    /// The space of relations from this set space to `range`; parameters are merged.
    pub fn map_to(&self, range: &Space) -> Space {
        let merged = self.merge_params(range);
        Space { params: merged.params, input: self.output.clone(), output: range.output.clone() }
    }

    /// The set space `[A -> B]` that wraps this map space `A -> B`.
    pub fn wrap(&self) -> Space {
        let tuple = match (&self.input, &self.output) {
            (Some(a), Some(b)) => Some(Arc::new(Tuple::nested((**a).clone(), (**b).clone()))),
            _ => None,
        };
        Space { params: self.params.clone(), input: None, output: tuple }
    }

    /// The map space inside a wrapping set space.
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
    pub fn with_tuples(&self, input: Option<Tuple>, output: Option<Tuple>) -> Space {
        Space {
            params: self.params.clone(),
            input: input.map(Arc::new),
            output: output.map(Arc::new),
        }
    }

    /// The same space with other parameters.
    pub fn with_params(&self, params: &[Name]) -> Space {
        Space { params: params.into(), input: self.input.clone(), output: self.output.clone() }
    }

    /// This space with the parameters of `other` that it lacks appended.
    pub fn merge_params(&self, other: &Space) -> Space {
        if Arc::ptr_eq(&self.params, &other.params) || self.params == other.params {
            return self.clone();
        }
        let mut params = self.params.to_vec();
        params.extend(other.params.iter().filter(|p| !self.params.contains(p)).cloned());
        self.with_params(&params)
    }

    /// Whether the tuples (not the parameters) are equal.
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
