//! Regions that do little stay as they were when the program runs.
//!
//! Calling threads takes about five microseconds, and packing costs as well, however small the arrays are. A function that
//! is called a million times for eight elements must not pay that. So the result of a region that has such costs has a
//! condition on sizes in front, and the region as it was written behind `else` (see
//! [`loopwright_cfront::Region::in_place`]); an `if` clause of OpenMP would not do, since compilers build the arguments of
//! the threads and call the run-time library even if it is false.
//!
//! The work of a statement is estimated by the product of the extents of its loops, in the symbolic constants, times its
//! operations in each iteration; that of a region is the work of its largest statements. What is known when the region is
//! compiled is decided then: no condition where the least sizes are enough.
use loopwright_cfront::is_pure_function;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Optimum, PwAff, Set};
use loopwright_scop::{AccessKind, BodyPiece, Parameter, Scop, Statement};
use loopwright_transform::cost::profitability::MINIMUM_PARALLEL_WORK;
use loopwright_transform::cost::trip_counts::Nominal;

/// Operations inside of the loops around a loop that calls threads from which it may call them again and again: those of
/// about 0.2 µs of one core. In tiles over time steps one call does the work of many steps, for which this stands.
const MINIMUM_ENTRY: i64 = 2_000;

/// What a call of a mathematical function counts as, in operations.
const OPERATIONS_OF_A_FUNCTION: i64 = 16;

/// Steps for the extents of one loop, and for the least value of one.
const STEPS: u64 = 20_000;

/// A condition of C that holds if a region has enough work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnoughWork {
    /// The condition: operands of `&&` can be put around it. It never overflows.
    pub(crate) text: String,
    /// Whether it needs no values but those of variables.
    pub(crate) is_plain: bool,
}

impl EnoughWork {
    /// What is checked and why, in one sentence.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "checked at run time: `{}`, so that the work is worth its cost (at least {MINIMUM_PARALLEL_WORK} operations); \
             smaller regions run as they were",
            self.text
        )
    }
}

/// When the region has enough work for threads, which are called inside of `around` loops; none if it always has, if sizes
/// do not tell, or if they are all known.
pub(crate) fn enough_work(scop: &Scop, around: usize) -> Option<EnoughWork> {
    let whole = Work::of(scop, 0, MINIMUM_PARALLEL_WORK)?.condition(scop);
    let entry = match around {
        0 => None,
        around => Work::of(scop, around, MINIMUM_ENTRY).and_then(|work| work.condition(scop)),
    };
    let (text, is_plain) = match (whole, entry) {
        (Some(Bound::Least(a, least, is_plain)), Some(Bound::Least(b, other, _))) if a == b => {
            Bound::Least(a, least.max(other), is_plain).text()
        }
        (Some(whole), Some(entry)) => {
            let ((whole, a), (entry, b)) = (whole.text(), entry.text());
            (format!("{whole} && {entry}"), a && b)
        }
        (whole, entry) => whole.or(entry)?.text(),
    };
    Some(EnoughWork { text, is_plain })
}

/// The operations of a region, estimated from its sizes: an expression of C of the type `double`; none if sizes do not tell.
pub(crate) fn work_text(scop: &Scop) -> Option<String> {
    let work = Work::of(scop, 0, 1)?;
    let condition = Condition { parameters: &scop.parameters };
    let sizes = (!work.factors.is_empty()).then(|| condition.factors(&work).map(|(text, _)| text));
    match sizes {
        Some(sizes) => Some(format!("{}.0 * {}", work.operations, sizes?)),
        None => Some(format!("{}.0", work.operations)),
    }
}

/// A condition on sizes, and whether it needs no values but those of variables.
enum Bound {
    /// A value is at least a number.
    Least(String, i64, bool),
    /// The text of another one.
    Product(String, bool),
}

impl Bound {
    fn text(self) -> (String, bool) {
        match self {
            Bound::Least(name, least, is_plain) => (format!("{name} >= {least}"), is_plain),
            Bound::Product(text, is_plain) => (text, is_plain),
        }
    }
}

/// `operations` times the product of the factors, which are over symbolic constants.
struct Work {
    operations: i64,
    factors: Vec<Aff>,
    /// So many operations are enough.
    minimum: i64,
}

impl Work {
    /// The work inside of the outermost `around` loops of the statements with the largest work; none if a statement may
    /// do much in one instance, or an extent is not affine.
    fn of(scop: &Scop, around: usize, minimum: i64) -> Option<Work> {
        let nominal = Nominal::of_scop(scop);
        let mut largest: Option<(i64, Work)> = None;
        for statement in scop.statements.iter().filter(|s| !s.is_kill) {
            let domain = statement.domain.intersect_params(&scop.context).ok()?;
            let mut work =
                Work { operations: operations(statement)?, factors: Vec::new(), minimum };
            let mut size = work.operations;
            for dim in around..domain.space().n(DimKind::Out) {
                let extent = extent(&domain, dim, &nominal)?;
                size = size.saturating_mul(nominal_value(&extent, &nominal)?);
                match extent.constant_value() {
                    Some(value) => {
                        let value = value.floor().to_i64()?;
                        work.operations = work.operations.saturating_mul(value.max(1));
                    }
                    None => work.factors.push(extent),
                }
            }
            match &mut largest {
                Some((_, known)) if known.has_factors_of(&work) => {
                    known.operations = known.operations.saturating_add(work.operations);
                }
                Some((most, _)) if *most >= size => {}
                _ => largest = Some((size, work)),
            }
        }
        largest.map(|(_, work)| work)
    }

    /// The condition that it is enough; none if it always is, or if nothing is to be computed.
    fn condition(&self, scop: &Scop) -> Option<Bound> {
        let is_enough = self.least_product() == 0 || self.is_always_enough(&scop.context);
        if self.factors.is_empty() || is_enough {
            return None;
        }
        let condition = Condition { parameters: &scop.parameters };
        Some(match self.single_parameter() {
            Some((parameter, least)) => {
                let (name, is_plain) = condition.name(&parameter)?;
                Bound::Least(name, least, is_plain)
            }
            None => {
                let (text, is_plain) = condition.product(self)?;
                Bound::Product(text, is_plain)
            }
        })
    }

    fn has_factors_of(&self, other: &Work) -> bool {
        let pairs = self.factors.iter().zip(&other.factors);
        self.factors.len() == other.factors.len()
            && pairs.into_iter().all(|(a, b)| a.plain_is_equal(b))
    }

    /// The product of the factors that is needed.
    fn least_product(&self) -> i64 {
        self.minimum / self.operations.max(1)
    }

    /// Whether the least values of the factors are enough.
    fn is_always_enough(&self, context: &Set) -> bool {
        let least = |factor: &Aff| match context
            .min_val(&factor.align_params(context.space()), &Budget::steps(STEPS))
        {
            Ok(Optimum::At(value)) => value.to_i64().filter(|value| *value > 0),
            _ => None,
        };
        let least: Option<Vec<i64>> = self.factors.iter().map(least).collect();
        least.is_some_and(|least| {
            least.into_iter().fold(1i64, i64::saturating_mul) > self.least_product()
        })
    }

    /// The symbolic constant that all factors grow with, and its least value with enough work; none if there are
    /// several, or a factor shrinks.
    fn single_parameter(&self) -> Option<(String, i64)> {
        let mut of_all: Option<String> = None;
        let mut lines: Vec<(i64, i64)> = Vec::new();
        for factor in &self.factors {
            let (terms, constant) = integer_terms(factor)?;
            let [(coefficient, name)] = &terms[..] else { return None };
            if *coefficient <= 0 || of_all.as_ref().is_some_and(|known| known != name) {
                return None;
            }
            of_all = Some(name.clone());
            lines.push((*coefficient, constant));
        }
        let is_enough = |value: i64| {
            let values = lines.iter().map(|(coefficient, constant)| {
                (i128::from(*coefficient) * i128::from(value) + i128::from(*constant)).max(0)
            });
            values.fold(1i128, i128::saturating_mul) > i128::from(self.least_product())
        };
        let (mut too_small, mut enough) = (0i64, 1i64 << 40);
        if is_enough(too_small) || !is_enough(enough) {
            return None;
        }
        while enough - too_small > 1 {
            let middle = too_small + (enough - too_small) / 2;
            match is_enough(middle) {
                true => enough = middle,
                false => too_small = middle,
            }
        }
        Some((of_all?, enough))
    }
}

/// How many values a dimension of a statement has, in the form that it has for typical sizes.
fn extent(domain: &Set, dim: usize, nominal: &Nominal) -> Option<Aff> {
    let budget = Budget::steps(STEPS);
    let typical = |bound: PwAff| {
        let pieces = bound.pieces().iter();
        let mut here = pieces
            .filter(|(set, _)| !nominal.fix(set).is_empty(&Budget::steps(STEPS)).unwrap_or(true));
        here.next().or(bound.pieces().last()).map(|(_, aff)| aff.clone())
    };
    let most = typical(domain.dim_max(dim, &budget).ok()?)?;
    let least = typical(domain.dim_min(dim, &budget).ok()?)?;
    let least = least.align_params(most.domain_space());
    let extent = most.align_params(least.domain_space()).sub(&least).ok()?;
    (!extent.is_nan()).then(|| extent.add_constant(&Int::from(1)))
}

/// The value for typical sizes, at least 1.
fn nominal_value(expression: &Aff, nominal: &Nominal) -> Option<i64> {
    let space = expression.domain_space();
    let fixed = nominal.fix(&Set::universe(space.clone()));
    match fixed.max_val(expression, &Budget::steps(STEPS)) {
        Ok(Optimum::At(value)) => Some(value.to_i64().unwrap_or(i64::MAX).max(1)),
        _ => None,
    }
}

/// Coefficients with the names of symbolic constants, and the constant; none if some are no integers of a usual size.
fn integer_terms(expression: &Aff) -> Option<(Vec<(i64, String)>, i64)> {
    const LIMIT: i64 = 1 << 40;
    if !expression.denominator().is_one() || !expression.locals().is_empty() {
        return None;
    }
    let names = expression.domain_space().param_names().to_vec();
    let row = expression.row();
    let value = |column: usize| row.get(column).to_i64().filter(|value| value.abs() < LIMIT);
    let mut terms = Vec::new();
    for (position, name) in names.iter().enumerate() {
        match value(1 + position)? {
            0 => {}
            coefficient => terms.push((coefficient, name.to_string())),
        }
    }
    Some((terms, value(0)?))
}

/// How conditions are written.
struct Condition<'a> {
    parameters: &'a [Parameter],
}

impl Condition<'_> {
    /// The text of a symbolic constant in front of the region, and whether it is a variable.
    fn name(&self, name: &str) -> Option<(String, bool)> {
        let parameter = self.parameters.iter().find(|parameter| &*parameter.name == name)?;
        Some(match &parameter.value {
            None => (name.to_string(), true),
            Some(text) => (format!("({text})"), false),
        })
    }

    /// A comparison of the product, computed in floating point, where nothing overflows.
    fn product(&self, work: &Work) -> Option<(String, bool)> {
        let (text, is_plain) = self.factors(work)?;
        Some((format!("{text} > {}", work.least_product()), is_plain))
    }

    /// The product of the factors, computed in floating point.
    fn factors(&self, work: &Work) -> Option<(String, bool)> {
        let mut all_plain = true;
        let mut text = String::new();
        for (position, factor) in work.factors.iter().enumerate() {
            let (mut terms, constant) = integer_terms(factor)?;
            terms.sort_by_key(|(coefficient, _)| *coefficient < 0);
            let mut sum = String::new();
            for (coefficient, name) in &terms {
                let (name, is_plain) = self.name(name)?;
                all_plain &= is_plain;
                let sign = match (sum.is_empty(), *coefficient < 0) {
                    (true, false) => "",
                    (true, true) => "-",
                    (false, true) => " - ",
                    (false, false) => " + ",
                };
                let scale = match coefficient.abs() {
                    1 if !sum.is_empty() => String::new(),
                    1 => "(double) ".to_string(),
                    other => format!("{other}.0 * "),
                };
                sum.push_str(&format!("{sign}{scale}{name}"));
            }
            match constant {
                0 => {}
                constant if constant < 0 => sum.push_str(&format!(" - {}", -constant)),
                constant => sum.push_str(&format!(" + {constant}")),
            }
            let is_variable = matches!(terms[..], [(1, _)]) && constant == 0;
            text.push_str(&match (position, is_variable) {
                (0, true) => sum,
                (0, false) => format!("({sum})"),
                (_, true) => format!(" * {}", sum.trim_start_matches("(double) ")),
                (_, false) => format!(" * ({sum})"),
            });
        }
        Some((text, all_plain))
    }
}

/// The operations of one instance, one per access and some for each mathematical function; none if it may do much: loops
/// and calls of other functions.
fn operations(statement: &Statement) -> Option<i64> {
    let mut operations =
        statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill).count() as i64;
    for piece in statement.body.pieces() {
        let BodyPiece::Text(text) = piece else { continue };
        for name in called(&text) {
            match name {
                "for" | "while" | "do" | "goto" | "asm" | "__asm__" => return None,
                "if" | "switch" | "return" | "sizeof" | "else" => {}
                name if is_pure_function(name) => operations += OPERATIONS_OF_A_FUNCTION,
                _ => return None,
            }
        }
    }
    Some(operations.max(1))
}

/// The words in front of parentheses, and those that begin loops or jumps without any.
fn called(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = text
        .char_indices()
        .filter(move |&(at, c)| is_word(c) && !text[..at].chars().next_back().is_some_and(is_word));
    starts.filter_map(move |(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        (after.trim_start().starts_with('(') || matches!(word, "do" | "goto")).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_cfront::SourceFile;

    /// The condition for a region over `n`, `m` and some arrays.
    fn condition(region: &str) -> Option<String> {
        condition_inside(0, region)
    }

    /// The same for threads inside of some loops.
    fn condition_inside(around: usize, region: &str) -> Option<String> {
        let text = format!(
            "#include <math.h>\nextern double heavy(double);\n\
             void f(int n, int m, double *restrict a, double *restrict b, double c[restrict 500][500], \
             double d[restrict n][m]) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let mut regions = SourceFile::from_text("f.c", &text).extract().unwrap();
        enough_work(&regions.remove(0).scop, around).map(|enough| enough.text)
    }

    #[test]
    fn one_size_is_compared_with_a_number() {
        let vector = condition("for (int i = 0; i < n; i++) a[i] += b[i];");
        assert_eq!(vector.as_deref(), Some("n >= 33334"));
        let square =
            condition("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = 1;");
        assert_eq!(square.as_deref(), Some("n >= 317"));
        let inner =
            condition("for (int i = 2; i < n; i++) for (int j = 0; j < i; j++) c[i][j] = 1;");
        assert_eq!(inner.as_deref(), Some("n >= 318"));
    }

    #[test]
    fn several_sizes_are_multiplied_in_floating_point() {
        let two =
            condition("for (int i = 0; i < n; i++) for (int j = 1; j < m - 1; j++) d[i][j] = 1;");
        assert_eq!(two.as_deref(), Some("(double) n * ((double) m - 2) > 100000"));
        let difference = condition("for (int i = m; i < n; i++) a[i] = 1;");
        assert_eq!(difference.as_deref(), Some("((double) n - m) > 100000"));
        let double = condition("for (int i = m; i < 2 * n; i++) a[i] = 1;");
        assert_eq!(double.as_deref(), Some("(2.0 * n - m) > 100000"));
    }

    #[test]
    fn the_largest_statements_count() {
        let nests = condition(
            "for (int i = 0; i < n; i++) a[i] = 0;\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] += 1;",
        );
        assert_eq!(nests.as_deref(), Some("n >= 224"));
        let with_functions = condition("for (int i = 0; i < n; i++) a[i] = exp(b[i]);");
        assert_eq!(with_functions.as_deref(), Some("n >= 5556"));
    }

    #[test]
    fn known_and_unknown_work_has_no_condition() {
        assert_eq!(condition("for (int i = 0; i < 100; i++) a[i] += b[i];"), None);
        assert_eq!(
            condition("for (int i = 0; i < n; i++) for (int k = 0; k < 200000; k++) a[i] += b[i];"),
            None
        );
        assert_eq!(condition("for (int i = 0; i < n; i++) a[i] = heavy(b[i]);"), None);
    }

    #[test]
    fn threads_inside_of_loops_need_work_each_time() {
        let steps = "for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) a[i] += b[i];";
        assert_eq!(
            condition_inside(1, steps).as_deref(),
            Some("(double) m * n > 33333 && n >= 667")
        );
        let square = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = 1;";
        assert_eq!(condition_inside(1, square).as_deref(), Some("n >= 2001"));
        let fixed = "for (int t = 0; t < m; t++) for (int i = 0; i < 1000; i++) a[i] += b[i];";
        assert_eq!(condition_inside(1, fixed).as_deref(), Some("m >= 34"));
    }

    #[test]
    fn the_work_is_an_expression() {
        let text = "void f(int n, int m, double d[restrict n][m]) {\n#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 1; \
                    j < m; j++) d[i][j] += 1;\n#pragma endscop\n}\n";
        let regions = SourceFile::from_text("f.c", text).extract().unwrap();
        let work = work_text(&regions[0].scop);
        assert_eq!(work.as_deref(), Some("2.0 * (double) n * ((double) m - 1)"));
    }

    #[test]
    fn words_in_front_of_parentheses_are_calls() {
        let words = |text| called(text).collect::<Vec<_>>();
        assert_eq!(words("x = (double) sqrt (2) + f(y) * (z);"), ["sqrt", "f"]);
        assert_eq!(words("do x++; while (x < 3);"), ["do", "while"]);
        assert!(words("größe = x1;").is_empty());
    }
}
