//! The parts of a conjunction: its constraints and the integers that are neither parameters nor dimensions.
use loopwright_exact::{Int, Row};

/// A dimension that is neither parameter nor tuple dimension.
///
/// ```
/// # use loopwright_presburger::{BasicSet, Constraint, Int, Local, Row, Set, Space, Tuple};
/// // { [i] : i - 2*floor(i/2) = 0 }, over [constant | i | floor].
/// let floor = Local::Floor { numerator: Row::from_i64s(&[0, 1, 0]), denominator: Int::from(2) };
/// let even = vec![Constraint::equality(Row::from_i64s(&[0, 1, -2]))];
/// let set = BasicSet::from_constraints(Space::set(&[], Tuple::anonymous(1)), vec![floor], even);
/// assert_eq!(Set::from_basic_set(set).to_string(), "{ [i0] : (i0) mod 2 = 0 }");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Local {
    /// An existentially quantified integer.
    Unknown,
    /// `⌊numerator / denominator⌋`, where the numerator is a full-width row that only uses
    /// earlier locals. The two inequalities that define the floor are implied: they are not
    /// stored among the constraints.
    Floor {
        /// The dividend.
        numerator: Row,
        /// The divisor, positive.
        denominator: Int,
    },
}

/// One constraint `row = 0` or `row >= 0` over the columns of its basic set.
///
/// ```
/// # use loopwright_presburger::{Constraint, Row, Set};
/// let set = Set::parse("{ [i] : i >= 3 }")?;
/// let constraint = &set.basic_sets()[0].constraints()[0];
/// assert_eq!(constraint, &Constraint::inequality(Row::from_i64s(&[-3, 1])));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// Whether the row equals zero (otherwise: is not negative).
    pub is_equality: bool,
    /// Coefficients over `[constant | parameters | in | out | locals]`.
    pub row: Row,
}

impl Local {
    /// Whether this is an existentially quantified integer.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Local::Unknown)
    }

    /// The dividend of a floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, Local, Row};
    /// let numerator = Row::from_i64s(&[1, 1, 0]);
    /// let floor = Local::Floor { numerator: numerator.clone(), denominator: Int::from(2) };
    /// assert_eq!(floor.numerator(), Some(&numerator));
    /// assert_eq!(Local::Unknown.numerator(), None);
    /// ```
    pub fn numerator(&self) -> Option<&Row> {
        match self {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        }
    }
}

impl Constraint {
    /// `row = 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Row};
    /// let constraint = Constraint::equality(Row::from_i64s(&[-3, 1]));
    /// assert!(constraint.is_equality);
    /// ```
    pub fn equality(row: Row) -> Self {
        Constraint { is_equality: true, row }
    }

    /// `row >= 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Row};
    /// let constraint = Constraint::inequality(Row::from_i64s(&[-3, 1]));
    /// assert!(!constraint.is_equality);
    /// ```
    pub fn inequality(row: Row) -> Self {
        Constraint { is_equality: false, row }
    }
}
