//! A count as a function of symbolic constants, and its value at given sizes.
use crate::sizes::Sizes;
use loopwright_presburger::{
    Budget, Int, PwQPolynomial, QPolynomial, Rational, Result, Set, Value,
};

/// Steps for one count, some hundredths of a second.
const STEPS: u64 = 100_000;

/// Steps for sums of counts and for values.
const STEPS_OF_SUMS: u64 = 100_000;

/// A number of things: a piecewise quasi-polynomial in the symbolic constants where it was found, and the
/// value at given sizes where they are known. Where it was not found within its limit, the value may be known
/// all the same.
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    form: Option<PwQPolynomial>,
    value: Option<Int>,
}

impl Quantity {
    /// The number of elements of a set, for parameters in a context.
    ///
    /// *Cost.* Limited to some hundredths of a second. What is not found within it is not known, and infinite
    /// numbers are not, either.
    pub(crate) fn of_set(set: &Set, context: &Set, sizes: &Sizes) -> Quantity {
        let set = set.intersect_params(context).unwrap_or_else(|_| set.clone());
        let counted = |set: &Set| set.card(&Budget::steps(STEPS)).ok().filter(is_finite);
        let Some(count) = counted(&set) else {
            let value = sizes.fix(&set).and_then(|fixed| {
                let count = counted(&fixed)?;
                value_of(&count, sizes)
            });
            return Quantity { form: None, value };
        };
        let value = value_of(&count, sizes);
        let simple = count.gist_params(context, &Budget::steps(STEPS_OF_SUMS));
        Quantity { form: Some(simple.unwrap_or(count)), value }
    }

    /// Nothing.
    pub(crate) fn zero(context: &Set) -> Quantity {
        let form = Some(PwQPolynomial::empty(context.space()));
        Quantity { form, value: Some(Int::ZERO) }
    }

    /// The value without the function.
    pub(crate) fn only_value(self) -> Quantity {
        Quantity { form: None, ..self }
    }

    /// The sum. What is not known on one side is not known.
    pub(crate) fn plus(&self, other: &Quantity) -> Quantity {
        let value = self.value.as_ref().zip(other.value.as_ref()).map(|(a, b)| a + b);
        let form = self.form.as_ref().zip(other.form.as_ref()).and_then(|(a, b)| sum(a, b).ok());
        Quantity { form, value }
    }

    /// A multiple.
    pub(crate) fn times(&self, factor: u64) -> Quantity {
        let factor = i64::try_from(factor).unwrap_or(i64::MAX);
        let by = Rational::from(Int::from(factor));
        Quantity {
            form: self.form.as_ref().map(|form| form.scale(&by)),
            value: self.value.as_ref().map(|value| value * &Int::from(factor)),
        }
    }

    /// The function of the symbolic constants; 0 outside of its pieces. None if it was not found.
    pub fn form(&self) -> Option<&PwQPolynomial> {
        self.form.as_ref()
    }

    /// The value at the given sizes; none if they do not tell, or it was not found.
    pub fn value(&self) -> Option<&Int> {
        self.value.as_ref()
    }

    /// The function in words: `1/2*n^2 + 1/2*n if n > 0`, pieces behind semicolons; `0` if it is zero
    /// everywhere, and `not known` if it was not found.
    pub fn text(&self) -> String {
        let Some(form) = &self.form else { return "not known".to_string() };
        let pieces = form.pieces().iter().filter(|(_, polynomial)| !polynomial.plain_is_zero());
        let pieces: Vec<String> = pieces.map(|(domain, q)| piece_text(domain, q)).collect();
        match pieces.is_empty() {
            true => "0".to_string(),
            false => pieces.join("; "),
        }
    }
}

/// Whether all values are numbers.
fn is_finite(count: &PwQPolynomial) -> bool {
    let constant = |q: &QPolynomial| q.as_constant();
    !count.pieces().iter().any(|(_, q)| constant(q).is_some_and(|v| v.is_infinite() || v.is_nan()))
}

/// The value at sizes.
fn value_of(count: &PwQPolynomial, sizes: &Sizes) -> Option<Int> {
    let point = sizes.point(count.space())?;
    let value: Value = count.eval(&point, &Budget::steps(STEPS_OF_SUMS)).ok()?;
    value.to_int()
}

fn sum(a: &PwQPolynomial, b: &PwQPolynomial) -> Result<PwQPolynomial> {
    let budget = Budget::steps(STEPS_OF_SUMS);
    let a = a.align_params(b.space());
    let b = b.align_params(a.space());
    a.add(&b, &budget)?.coalesce(&budget)
}

fn piece_text(domain: &Set, polynomial: &QPolynomial) -> String {
    let polynomial = inner_text(&polynomial.to_string());
    let bare = polynomial.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let polynomial = bare.map_or(polynomial.clone(), str::to_string);
    match domain.plain_is_universe() {
        true => polynomial,
        false => {
            let condition = inner_text(&domain.to_string());
            format!("{polynomial} if {}", condition.trim_start_matches([':', ' ']))
        }
    }
}

/// What stands in the braces of isl's notation.
fn inner_text(text: &str) -> String {
    let inner = text.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}'));
    inner.map_or(text, |(inner, _)| inner).trim().to_string()
}
