//! Ranking polynomials and their inverses as C.
//!
//! The iteration of a rank is found loop by loop (section 5 of the paper): `x` is the one with
//! `Q(x) <= K < Q(x + 1)`. A root of the polynomial in closed form, in floating point, is where the search
//! begins (degrees 1 to 4: quadratic formula, Cardano, Ferrari); the search itself is exact, in integers of
//! 128 bits, and takes a number of steps that is logarithmic in the error of the root. Where `Q` has several
//! pieces or a higher degree it is a bisection.
use super::ranking::LoopRanks;
use crate::text::in_plain_c;
use loopwright_astgen::{AstExpr, Build};
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, Name, PwAff, QPolynomial, Rational, Result, Set,
};

/// Expressions about one loop of a nest, as C.
pub(crate) struct LoopText {
    /// `Q` for given outer iterations, in 128 bits, of the variable `x`.
    pub(crate) below: String,
    /// One more than the last iteration that has one inside.
    pub(crate) end: String,
    /// The coefficients of `Q` in `x` in floating point, the constant one first, if there are at most five.
    pub(crate) coefficients: Option<Vec<String>>,
    /// Whether `Q(x)` is `x`.
    pub(crate) is_identity: bool,
}

/// The greatest degree for which there is a root in closed form.
const MOST_DEGREE: u32 = 4;

impl LoopText {
    /// The expressions for outer iterations in variables of the given names and an `x` of the given name.
    pub(crate) fn new(
        ranks: &LoopRanks,
        outer: &[Name],
        x: &Name,
        budget: &Budget,
    ) -> Result<LoopText> {
        let names = [outer, std::slice::from_ref(x)].concat();
        let valid = ranks.valid.bind(&names)?;
        let last = ranks.valid.n_dims() - 1;
        let positive = ranks.valid.lower_bound(DimKind::Out, last, &Int::from(1)).bind(&names)?;
        let known = Build::from_context(&valid)?;
        let mut pieces = Vec::new();
        for (domain, polynomial) in ranks.below.pieces() {
            let domain = domain.bind(&names)?;
            if domain.intersect_within(&valid, budget)?.is_empty(budget)? {
                continue;
            }
            let is_everywhere = match vanishes_at_zero(polynomial) {
                // Counts are not zero, so there is no iteration below 0 in any piece.
                true => positive.is_subset(&domain, budget)?,
                false => valid.is_subset(&domain, budget)?,
            };
            pieces.push((domain, polynomial, is_everywhere));
        }
        let only = pieces.iter().find(|(_, _, is_everywhere)| *is_everywhere);
        let below = match only {
            Some((_, polynomial, _)) => exact_text(polynomial, &names, &known)?,
            None => {
                let pieces: Vec<_> = pieces.iter().map(|(domain, q, _)| (domain, *q)).collect();
                piecewise_text(&pieces, &names, &known)?
            }
        };
        let position = only.map(|(_, polynomial, _)| polynomial);
        let coefficients = match position {
            Some(polynomial) => coefficients(polynomial, &names, &known)?,
            None => None,
        };
        let is_identity = position.is_some_and(|polynomial| is_last_dimension(polynomial));
        let outside = without_parameter(&valid, x);
        let end = ranks.end.bind_domain(outer)?;
        let end = in_plain_c(&Build::from_context(&outside)?.expression(&end)?).to_string();
        Ok(LoopText { below, end, coefficients, is_identity })
    }
}

/// The number of iterations of a nest, in 128 bits.
pub(crate) fn count_text(iterations: &Set, budget: &Budget) -> Result<String> {
    let count = iterations.card(budget)?.coalesce(budget)?;
    let known = Build::from_context(&Set::universe(iterations.space().to_params()))?;
    let pieces: Vec<_> = count.pieces().iter().map(|(domain, q)| (domain, q)).collect();
    piecewise_text(&pieces, &[], &known)
}

/// The value of the polynomial whose domain holds, and zero outside of all.
fn piecewise_text(
    pieces: &[(&Set, &QPolynomial)],
    names: &[Name],
    known: &Build,
) -> Result<String> {
    let mut text = "0".to_string();
    for (domain, polynomial) in pieces.iter().rev() {
        let domain =
            if domain.space().is_params() { (*domain).clone() } else { domain.bind(names)? };
        let condition = in_plain_c(&known.condition(&domain)?);
        let value = exact_text(polynomial, names, known)?;
        text = format!("({condition} ? {value} : {text})");
    }
    Ok(text)
}

/// A parameter set without one of its parameters.
fn without_parameter(set: &Set, name: &Name) -> Set {
    match set.find_param(name) {
        Some(position) => set.project_out(DimKind::Param, position, 1),
        None => set.clone(),
    }
}

/// Whether each term of a polynomial has a power of the last dimension of its domain as a factor.
fn vanishes_at_zero(polynomial: &QPolynomial) -> bool {
    let last = polynomial.domain_space().n(DimKind::Out) - 1;
    let is_last =
        |aff: &Aff| aff.plain_is_equal(&Aff::variable(aff.domain_space(), DimKind::Out, last));
    polynomial.terms().iter().all(|(_, powers)| powers.iter().any(|(aff, _)| is_last(aff)))
}

/// Whether a polynomial is the last dimension of its domain.
fn is_last_dimension(polynomial: &QPolynomial) -> bool {
    let space = polynomial.domain_space();
    let last = space.n(DimKind::Out) - 1;
    polynomial.to_aff().is_some_and(|aff| {
        aff.plain_is_equal(&Aff::variable(aff.domain_space(), DimKind::Out, last))
    })
}

/// The terms of a polynomial: coefficients over a common denominator, and powers of expressions in C.
struct Terms {
    denominator: Int,
    terms: Vec<(Int, Vec<(String, u32)>)>,
}

impl Terms {
    fn new(polynomial: &QPolynomial, names: &[Name], known: &Build) -> Result<Terms> {
        let terms = polynomial.terms();
        let denominator = terms.iter().fold(Int::from(1), |all, (coefficient, _)| {
            let own = &coefficient.denominator;
            &all.div_floor(&all.gcd(own)) * own
        });
        let mut found = Vec::new();
        for (coefficient, powers) in terms {
            let numerator = (&coefficient * &Rational::from(denominator.clone())).floor();
            let mut factors = Vec::new();
            for (variable, exponent) in powers {
                factors.push((variable_text(&variable, names, known)?, exponent));
            }
            found.push((numerator, factors));
        }
        Ok(Terms { denominator, terms: found })
    }
}

/// A variable of a polynomial as C.
fn variable_text(variable: &Aff, names: &[Name], known: &Build) -> Result<String> {
    let function = PwAff::everywhere(variable.clone());
    let bound = match variable.domain_space().is_params() {
        true => function,
        false => function.bind_domain(names)?,
    };
    let expression = in_plain_c(&known.expression(&bound)?);
    Ok(match expression {
        AstExpr::Id(_) => expression.to_string(),
        _ => format!("({expression})"),
    })
}

/// The value of a polynomial, which is an integer, in 128 bits.
fn exact_text(polynomial: &QPolynomial, names: &[Name], known: &Build) -> Result<String> {
    let Terms { denominator, terms } = Terms::new(polynomial, names, known)?;
    let term = |(coefficient, factors): &(Int, Vec<(String, u32)>)| {
        let mut text = format!("(__int128) {}", in_parentheses(coefficient));
        for (factor, exponent) in factors {
            (0..*exponent).for_each(|_| text.push_str(&format!(" * {factor}")));
        }
        text
    };
    let sum: Vec<String> = terms.iter().map(term).collect();
    let sum = if sum.is_empty() { "0".to_string() } else { sum.join(" + ") };
    Ok(match denominator == Int::from(1) {
        true => format!("({sum})"),
        false => format!("(({sum}) / {denominator})"),
    })
}

/// The coefficients of the powers of `x` in floating point, from that of its power 0 on; none beyond the
/// degree for which there are roots, and where `x` stands in floors.
fn coefficients(
    polynomial: &QPolynomial,
    names: &[Name],
    known: &Build,
) -> Result<Option<Vec<String>>> {
    let last = polynomial.domain_space().n(DimKind::Out) - 1;
    let is_variable =
        |aff: &Aff| aff.plain_is_equal(&Aff::variable(aff.domain_space(), DimKind::Out, last));
    let terms = polynomial.terms();
    let mut degree = 0;
    for (variable, exponent) in terms.iter().flat_map(|(_, powers)| powers) {
        if is_variable(variable) {
            degree = degree.max(*exponent);
        } else if variable.involves_dims(DimKind::Out, last, 1) {
            return Ok(None);
        }
    }
    if degree == 0 || degree > MOST_DEGREE {
        return Ok(None);
    }
    let mut sums = vec![Vec::new(); degree as usize + 1];
    for (coefficient, powers) in terms {
        let power_of_x =
            powers.iter().find(|(variable, _)| is_variable(variable)).map_or(0, |(_, e)| *e);
        let (numerator, denominator) = (&coefficient.numerator, &coefficient.denominator);
        let mut text = format!("{}.0 / {denominator}.0", numerator);
        for (variable, exponent) in powers.iter().filter(|(variable, _)| !is_variable(variable)) {
            let factor = variable_text(variable, names, known)?;
            (0..*exponent).for_each(|_| text.push_str(&format!(" * (double) {factor}")));
        }
        sums[power_of_x as usize].push(text);
    }
    let text = |sum: Vec<String>| if sum.is_empty() { "0.0".into() } else { sum.join(" + ") };
    Ok(Some(sums.into_iter().map(text).collect()))
}

fn in_parentheses(value: &Int) -> String {
    if value.is_negative() { format!("({value})") } else { value.to_string() }
}

/// Lines of C that set `root` to the root of `c4 x^4 + c3 x^3 + c2 x^2 + c1 x + c0` (of the degree that there
/// are coefficients for) at which the polynomial grows and which is between 0 and `end`, about; `rank` has
/// been subtracted from it.
pub(crate) fn root_lines(coefficients: &[String], names: &RootNames) -> Vec<String> {
    let RootNames { root, rank, end, prefix: p } = names;
    let mut lines: Vec<String> = coefficients
        .iter()
        .enumerate()
        .map(|(power, text)| match power {
            0 => format!("const double {p}0 = {text} - (double) {rank};"),
            _ => format!("const double {p}{power} = {text};"),
        })
        .collect();
    match coefficients.len() {
        2 => lines.push(format!("double {root} = -{p}0 / {p}1;")),
        3 => {
            lines.push(format!("const double {p}d = {p}1 * {p}1 - 4.0 * {p}2 * {p}0;"));
            lines.push(format!(
                "double {root} = (__builtin_sqrt({p}d < 0.0 ? 0.0 : {p}d) - {p}1) / (2.0 * {p}2);"
            ));
        }
        4 => {
            lines.push(format!("double {root} = 0.0;"));
            lines.extend(cubic_lines(
                [&format!("{p}2 / {p}3"), &format!("{p}1 / {p}3"), &format!("{p}0 / {p}3")],
                p,
                &format!("if ({p}x >= -0.5 && {p}x <= {end} + 0.5) {root} = {p}x;"),
            ));
        }
        _ => lines.extend(quartic_lines(root, end, p)),
    }
    if coefficients.len() > 3 {
        lines.extend(newton_lines(root, coefficients.len() - 1, p));
    }
    lines
}

/// The names in these lines.
pub(crate) struct RootNames {
    pub(crate) root: String,
    pub(crate) rank: String,
    pub(crate) end: String,
    /// What names of coefficients begin with.
    pub(crate) prefix: String,
}

/// Steps of Newton's method, which take away what rounding has added to a root.
fn newton_lines(root: &str, degree: usize, p: &str) -> Vec<String> {
    let value = (0..degree).fold(format!("{p}{degree}"), |sum, power| {
        format!("({sum}) * {root} + {p}{}", degree - 1 - power)
    });
    let slope = (1..degree).fold(format!("{degree}.0 * {p}{degree}"), |sum, power| {
        let power = degree - power;
        format!("({sum}) * {root} + {power}.0 * {p}{power}")
    });
    vec![
        format!("for (int {p}n = 0; {p}n < 3; {p}n++) {{"),
        format!("  const double {p}y = {value}, {p}z = {slope};"),
        format!("  if ({p}z > 0.0) {root} -= {p}y / {p}z;"),
        "}".to_string(),
    ]
}

/// Cardano's formulas for `x^3 + a x^2 + b x + c`: `take` is executed for each real root `x`.
fn cubic_lines(coefficients: [&str; 3], p: &str, take: &str) -> Vec<String> {
    let [a, b, c] = coefficients;
    [
        "{".to_string(),
        format!("  const double {p}a = {a}, {p}b = {b}, {p}c = {c};"),
        format!("  const double {p}q = (3.0 * {p}b - {p}a * {p}a) / 9.0;"),
        format!("  const double {p}r = (9.0 * {p}a * {p}b - 27.0 * {p}c - 2.0 * {p}a * {p}a * {p}a) / 54.0;"),
        format!("  const double {p}s = {p}q * {p}q * {p}q + {p}r * {p}r;"),
        format!("  if ({p}s >= 0.0) {{"),
        format!("    const double {p}t = __builtin_sqrt({p}s);"),
        format!("    const double {p}x = __builtin_cbrt({p}r + {p}t) + __builtin_cbrt({p}r - {p}t) - {p}a / 3.0;"),
        format!("    {take}"),
        "  } else {".to_string(),
        format!("    const double {p}t = __builtin_acos({p}r / __builtin_sqrt(-{p}q * {p}q * {p}q));"),
        format!("    for (int {p}k = 0; {p}k < 3; {p}k++) {{"),
        format!("      const double {p}x = 2.0 * __builtin_sqrt(-{p}q) * __builtin_cos(({p}t + 6.283185307179586 * {p}k) / 3.0) - {p}a / 3.0;"),
        format!("      {take}"),
        "    }".to_string(),
        "  }".to_string(),
        "}".to_string(),
    ]
    .into()
}

/// Ferrari's formulas: with `x = y - b/4` there is no third power, and a root of a cubic makes two squares of
/// the rest.
fn quartic_lines(root: &str, end: &str, p: &str) -> Vec<String> {
    let mut lines = vec![
        format!("double {root} = 0.0, {p}m = 0.0;"),
        format!("const double {p}h = {p}3 / {p}4 / 4.0, {p}i = {p}2 / {p}4, {p}j = {p}1 / {p}4;"),
        format!("const double {p}e = {p}i - 6.0 * {p}h * {p}h;"),
        format!("const double {p}f = {p}j - 2.0 * {p}h * {p}i + 8.0 * {p}h * {p}h * {p}h;"),
        format!(
            "const double {p}g = {p}0 / {p}4 - {p}h * {p}j + {p}h * {p}h * {p}i - 3.0 * {p}h * {p}h * {p}h * {p}h;"
        ),
    ];
    lines.extend(cubic_lines(
        [&format!("{p}e"), &format!("{p}e * {p}e / 4.0 - {p}g"), &format!("-{p}f * {p}f / 8.0")],
        p,
        &format!("if ({p}x > {p}m) {p}m = {p}x;"),
    ));
    lines.extend([
        // Where the linear term is nothing but rounding, the rest is a quadratic polynomial in y^2.
        format!("const int {p}l = {p}f * {p}f <= 1e-12 * __builtin_fabs({p}g) * __builtin_sqrt(__builtin_fabs({p}g));"),
        format!("const double {p}w = {p}l ? 0.0 : __builtin_sqrt(2.0 * {p}m);"),
        format!("for (int {p}k = 0; {p}k < 4; {p}k++) {{"),
        format!("  const double {p}u = {p}k < 2 ? {p}w : -{p}w;"),
        format!("  const double {p}v = {p}w > 0.0 ? -2.0 * {p}e - 2.0 * {p}m - 2.0 * {p}f / {p}u"),
        format!("    : 2.0 * (__builtin_sqrt({p}e * {p}e < 4.0 * {p}g ? 0.0 : {p}e * {p}e - 4.0 * {p}g) - {p}e);"),
        format!("  if ({p}v >= 0.0) {{"),
        format!("    const double {p}x = ({p}u + ({p}k % 2 == 0 ? 1.0 : -1.0) * __builtin_sqrt({p}v)) / 2.0 - {p}h;"),
        format!("    if ({p}x >= -0.5 && {p}x <= {end} + 0.5) {root} = {p}x;"),
        "  }".to_string(),
        "}".to_string(),
    ]);
    lines
}
