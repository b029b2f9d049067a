//! Tuples: the named, possibly nested ends of spaces.
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name of a parameter, of a tuple or of a dimension.
///
/// ```
/// # use loopwright_presburger::{Name, Space};
/// let n: Name = "n".into();
/// assert_eq!(Space::params(&[n]).to_string(), "[n] -> { : }");
/// ```
pub type Name = Arc<str>;

/// A tuple `Name[d0, d1]` or `Name[A[..] -> B[..]]`.
///
/// Equality ignores the names of the dimensions, as isl does.
///
/// ```
/// # use loopwright_presburger::Tuple;
/// let pair = Tuple::nested(Tuple::named("A", 1), Tuple::anonymous(2));
/// assert_eq!(pair.to_string(), "[A[i0] -> [i0, i1]]");
/// assert_eq!(pair.n_dims(), 3);
/// assert_eq!(Tuple::anonymous(1), Tuple::anonymous(1).with_dim_names(&[Some("x".into())]));
/// ```
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
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
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// assert_eq!(Tuple::anonymous(2).to_string(), "[i0, i1]");
    /// ```
    pub fn anonymous(n: usize) -> Self {
        Tuple::flat(None, vec![None; n])
    }

    /// The tuple `name[..]` of `n` dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// assert_eq!(Tuple::named("S", 2).to_string(), "S[i0, i1]");
    /// ```
    pub fn named(name: &str, n: usize) -> Self {
        Tuple::flat(Some(name.into()), vec![None; n])
    }

    /// The wrapped relation `[input -> output]`.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let pair = Tuple::nested(Tuple::named("S", 1), Tuple::named("A", 1));
    /// assert_eq!(pair.to_string(), "[S[i0] -> A[i0]]");
    /// ```
    pub fn nested(input: Tuple, output: Tuple) -> Self {
        let n_dims = input.n_dims + output.n_dims;
        Tuple { name: None, shape: Shape::Nested(Box::new(input), Box::new(output)), n_dims }
    }

    fn flat(name: Option<Name>, dims: Vec<Option<Name>>) -> Self {
        Tuple { name, n_dims: dims.len(), shape: Shape::Flat(dims) }
    }

    /// The same tuple under another name.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let tuple = Tuple::named("S", 1).with_name(Some("T".into()));
    /// assert_eq!(tuple.to_string(), "T[i0]");
    /// assert_eq!(tuple.with_name(None), Tuple::anonymous(1));
    /// ```
    pub fn with_name(mut self, name: Option<Name>) -> Self {
        self.name = name;
        self
    }

    /// The same tuple with the given names of dimensions (all levels flattened, in order).
    ///
    /// Names beyond the number of dimensions are ignored.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let names = [Some("x".into()), None, Some("z".into())];
    /// let pair = Tuple::nested(Tuple::named("S", 1), Tuple::named("A", 2)).with_dim_names(&names);
    /// assert_eq!(pair.to_string(), "[S[x] -> A[i0, z]]");
    /// ```
    pub fn with_dim_names(mut self, names: &[Option<Name>]) -> Self {
        self.set_dim_names(names);
        self
    }

    pub(crate) fn set_dim_names(&mut self, names: &[Option<Name>]) -> usize {
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
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// assert_eq!(Tuple::named("S", 1).name().map(|name| &**name), Some("S"));
    /// assert_eq!(Tuple::anonymous(1).name(), None);
    /// ```
    pub fn name(&self) -> Option<&Name> {
        self.name.as_ref()
    }

    /// The number of dimensions, those of nested tuples included.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let pair = Tuple::nested(Tuple::named("S", 1), Tuple::named("A", 2));
    /// assert_eq!(pair.n_dims(), 3);
    /// ```
    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// The two sides of a wrapped relation.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let pair = Tuple::nested(Tuple::named("S", 1), Tuple::named("A", 2));
    /// let (first, second) = pair.as_nested().unwrap();
    /// assert_eq!((first.to_string(), second.n_dims()), ("S[i0]".into(), 2));
    /// assert!(first.as_nested().is_none());
    /// ```
    pub fn as_nested(&self) -> Option<(&Tuple, &Tuple)> {
        match &self.shape {
            Shape::Flat(_) => None,
            Shape::Nested(a, b) => Some((a, b)),
        }
    }

    /// The names of the dimensions, flattened.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ [S[i] -> A[x]] }")?;
    /// let names = set.space().output().unwrap().dim_names();
    /// assert_eq!(names, [Some("i".into()), Some("x".into())]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn dim_names(&self) -> Vec<Option<Name>> {
        let mut names = Vec::with_capacity(self.n_dims);
        self.for_each_dim_name(&mut |name| names.push(name.clone()));
        names
    }

    /// Visits the names of the dimensions in order (all levels flattened).
    pub(crate) fn for_each_dim_name(&self, visit: &mut impl FnMut(&Option<Name>)) {
        match &self.shape {
            Shape::Flat(dims) => dims.iter().for_each(visit),
            Shape::Nested(a, b) => {
                a.for_each_dim_name(visit);
                b.for_each_dim_name(visit);
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
        let mut names = Vec::with_capacity(self.n_dims - count);
        let mut position = 0;
        self.for_each_dim_name(&mut |name| {
            if !(first..first + count).contains(&position) {
                names.push(name.clone());
            }
            position += 1;
        });
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
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let both = Tuple::named("S", 1).flat_concat(&Tuple::named("A", 2));
    /// assert_eq!(both, Tuple::anonymous(3));
    /// ```
    pub fn flat_concat(&self, other: &Tuple) -> Tuple {
        let mut names = self.dim_names();
        names.extend(other.dim_names());
        Tuple::flat(None, names)
    }

    /// The anonymous flat tuple with the same dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::Tuple;
    /// let pair = Tuple::nested(Tuple::named("S", 1), Tuple::named("A", 2));
    /// assert_eq!(pair.flatten(), Tuple::anonymous(3));
    /// ```
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

/// What is equal: the names of dimensions do not count.
impl Hash for Tuple {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        match &self.shape {
            Shape::Flat(dims) => (0_u8, dims.len()).hash(state),
            Shape::Nested(a, b) => (1_u8, a, b).hash(state),
        }
    }
}

/// The tuple without name and dimensions.
impl Default for Tuple {
    fn default() -> Self {
        Tuple::anonymous(0)
    }
}

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
