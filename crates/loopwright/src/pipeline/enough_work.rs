//! Regions that do little stay as they were when the program runs.
//!
//! Calling threads takes about five microseconds, and packing costs as well, however small the arrays are. A
//! function that is called a million times for eight elements must not pay that. So the result of a region
//! that has such costs has a condition on sizes in front, and the region as it was written behind `else` (see
//! [`loopwright_cfront::Region::in_place`]); an `if` clause of OpenMP would not do, since compilers build the
//! arguments of the threads and call the run-time library even if it is false. Tiles and rows that run
//! together have remainders, so other loops on one core have such a condition, too, with less work.
//!
//! The work of a statement is estimated by the product of the extents of its loops, in the symbolic
//! constants, times its operations in each iteration; that of a region is the work of its largest statements.
//! What is known when the region is compiled is decided then: no condition where the least sizes are enough,
//! and no new loops where they never are. An extent that sizes do not tell counts as one iteration. Where
//! loops depend on each other (triangles) the instances are counted instead, see
//! [`uneven_work`](crate::pipeline::uneven_work).
use crate::pipeline::extents::{extent, nominal_value};
use crate::pipeline::few_iterations::Exceeds;
use crate::pipeline::room_in_arrays::most_instances;
use crate::pipeline::uneven_work::Instances;
use crate::settings::effort::Effort;
use loopwright_cfront::is_pure_function;
use loopwright_presburger::{Aff, DimKind, Int, Local, Optimum, Rational, Row, Set};
use loopwright_scop::{AccessKind, BodyPiece, Parameter, Scop, Statement};
use loopwright_transform::cost::profitability::MINIMUM_PARALLEL_WORK;
use loopwright_transform::cost::trip_counts::Nominal;

/// Operations inside of the loops around a loop that calls threads from which it may call them again and
/// again: those of about 0.2 µs of one core. In tiles over time steps one call does the work of many steps,
/// for which this stands.
const MINIMUM_ENTRY: i64 = 2_000;

/// Operations of a region below which other loops on one core are not entered, about a microsecond: tiles and
/// rows that run together cost some hundred cycles for their remainders, and compilers know what to do with
/// loops of a few iterations.
const MINIMUM_ON_ONE_CORE: i64 = 10_000;

/// What a call of a mathematical function counts as, in operations.
const OPERATIONS_OF_A_FUNCTION: i64 = 16;

/// What a call of another function counts as: nothing is known of it, so it is taken to be cheap.
const OPERATIONS_OF_A_CALL: i64 = 16;

/// What a loop inside of a statement counts as.
const OPERATIONS_OF_A_LOOP: i64 = 256;

/// Steps for the least value of an extent.
const STEPS: u64 = 20_000;

/// When a region does enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Enough {
    /// For all sizes, so far as they tell.
    Always,
    /// If this holds.
    If(EnoughWork),
    /// Never: it has so many operations, and so many are needed.
    Never {
        /// At most, or so far as sizes tell.
        operations: i64,
        /// At least.
        needed: i64,
    },
}

/// A condition of C that holds if a region has enough work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EnoughWork {
    /// The condition: operands of `&&` can be put around it. It never overflows.
    pub(crate) text: String,
    /// Whether it needs no values but those of variables.
    pub(crate) is_plain: bool,
    /// The operations that are needed.
    needed: i64,
}

impl EnoughWork {
    /// What is checked and why, in one sentence.
    pub(crate) fn sentence(&self) -> String {
        if self.needed == 0 {
            let text = &self.text;
            return format!(
                "checked at run time: `{text}`, so that threads share the work; smaller regions run as they were"
            );
        }
        format!(
            "checked at run time: `{}`, so that the work is worth its cost (at least {} operations); \
             smaller regions run as they were",
            self.text, self.needed
        )
    }
}

/// What has to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Threads, or parts of arrays that are copied.
    Threads {
        /// Threads are called inside of so many loops.
        around: usize,
        /// So many loops one after another call them; none if there are no threads.
        calls: usize,
    },
    /// Another order on one core.
    OneCore,
}

/// When the region has enough work for what it costs.
pub(crate) fn enough_work(scop: &Scop, cost: Cost, effort: &Effort) -> Enough {
    let (needed, around) = match cost {
        Cost::Threads { around, calls } => {
            let calls = i64::try_from(calls.max(1)).unwrap_or(i64::MAX);
            (MINIMUM_PARALLEL_WORK.saturating_mul(calls), around)
        }
        Cost::OneCore => (MINIMUM_ON_ONE_CORE, 0),
    };
    let whole = match most_operations(scop, effort).filter(|most| *most <= needed) {
        Some(most) => Bound::Never(most),
        None => Work::of(scop, 0, needed, effort).condition(scop, effort),
    };
    let entry = match around {
        0 => Bound::None,
        around => Work::of(scop, around, MINIMUM_ENTRY, effort).condition(scop, effort),
    };
    let (text, is_plain) = match (whole, entry) {
        (Bound::Never(operations), _) => return Enough::Never { operations, needed },
        (_, Bound::Never(operations)) => {
            return Enough::Never { operations, needed: MINIMUM_ENTRY };
        }
        (Bound::None, Bound::None) => return Enough::Always,
        (Bound::Least(a, least, is_plain), Bound::Least(b, other, _)) if a == b => {
            text_of_least(&a, least.max(other), is_plain)
        }
        (Bound::None, bound) | (bound, Bound::None) => bound.text(),
        (whole, entry) => {
            let ((whole, a), (entry, b)) = (whole.text(), entry.text());
            (format!("{whole} && {entry}"), a && b)
        }
    };
    Enough::If(EnoughWork { text, is_plain, needed })
}

/// The operations of a region, at most: what it accesses lies in arrays. None if there is no bound.
fn most_operations(scop: &Scop, effort: &Effort) -> Option<i64> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    executed.into_iter().try_fold(0i64, |sum, statement| {
        let most = most_instances(statement, scop, effort)?.saturating_mul(operations(statement));
        Some(sum.saturating_add(most))
    })
}

impl Enough {
    /// The same if sums exceed numbers, too. What cannot be written is left out.
    pub(crate) fn and(self, exceeding: &[Exceeds], scop: &Scop) -> Enough {
        let condition = Condition { parameters: &scop.parameters };
        let bounds = exceeding.iter().filter_map(|each| condition.exceeds(each));
        bounds.fold(self, |all, bound| match all {
            Enough::Always => {
                let (text, is_plain) = bound.text();
                Enough::If(EnoughWork { text, is_plain, needed: 0 })
            }
            Enough::If(before) => Enough::If(before.and(bound)),
            never => never,
        })
    }
}

impl EnoughWork {
    fn and(self, bound: Bound) -> EnoughWork {
        if let Bound::Least(name, least, is_plain) = &bound
            && let Some(number) = self.text.strip_prefix(&format!("{name} >= "))
            && let Ok(number) = number.parse::<i64>()
        {
            let (text, is_plain) = text_of_least(name, number.max(*least), *is_plain);
            return EnoughWork { text, is_plain, ..self };
        }
        let (text, is_plain) = bound.text();
        EnoughWork {
            text: format!("{} && {text}", self.text),
            is_plain: is_plain && self.is_plain,
            ..self
        }
    }
}

fn text_of_least(name: &str, least: i64, is_plain: bool) -> (String, bool) {
    (format!("{name} >= {least}"), is_plain)
}

/// The operations of a region, estimated from its sizes: an expression of C of the type `double`; none if
/// sizes do not tell.
pub(crate) fn work_text(scop: &Scop, effort: &Effort) -> Option<String> {
    let work = Work::of(scop, 0, 1, effort);
    let condition = Condition { parameters: &scop.parameters };
    if let Some(Instances { terms, divisor }) = &work.counted
        && let Some((sum, _)) = condition.polynomial(terms)
    {
        return Some(format!("1.0 / {divisor}.0 * ({sum})"));
    }
    if work.factors.is_empty() {
        return Some(format!("{}.0", work.operations));
    }
    let (sizes, divisors, _) = condition.factors(&work)?;
    let operations = work.operations;
    Some(match divisors {
        1 => format!("{operations}.0 * {sizes}"),
        divisors => format!("{operations}.0 / {divisors}.0 * {sizes}"),
    })
}

/// A condition on sizes, and whether it needs no values but those of variables.
enum Bound {
    /// Nothing has to hold.
    None,
    /// Nothing is enough: there are so many operations.
    Never(i64),
    /// A value is at least a number.
    Least(String, i64, bool),
    /// The text of another one.
    Product(String, bool),
}

impl Bound {
    fn text(self) -> (String, bool) {
        match self {
            Bound::None | Bound::Never(_) => ("1".to_string(), true),
            Bound::Least(name, least, is_plain) => text_of_least(&name, least, is_plain),
            Bound::Product(text, is_plain) => (text, is_plain),
        }
    }
}

/// `operations` times the product of the factors, which are over symbolic constants.
struct Work {
    operations: i64,
    factors: Vec<Aff>,
    /// The operations, if they were counted and are not that product.
    counted: Option<Instances>,
    /// So many operations are enough.
    minimum: i64,
}

impl Work {
    /// The work inside of the outermost `around` loops of the statements with the largest work.
    fn of(scop: &Scop, around: usize, minimum: i64, effort: &Effort) -> Work {
        let nominal = Nominal::of_scop(scop);
        let mut largest: Option<(i64, Work)> = None;
        for statement in scop.statements.iter().filter(|s| !s.is_kill) {
            let domain = statement.domain.intersect_params(&scop.context);
            let domain = domain.unwrap_or_else(|_| statement.domain.clone());
            let mut work = Work { operations: operations(statement), ..Work::none(minimum) };
            let mut size = work.operations;
            for dim in around..domain.space().n(DimKind::Out) {
                let Some(extent) = extent(&domain, dim, &nominal, effort) else { continue };
                size = size.saturating_mul(nominal_value(&extent, &nominal, effort).unwrap_or(1));
                match extent.constant_value() {
                    Some(value) => {
                        let value = value.ceil().to_i64().unwrap_or(i64::MAX);
                        work.operations = work.operations.saturating_mul(value.max(1));
                    }
                    None => work.factors.push(extent),
                }
            }
            let instances =
                if around == 0 { Instances::of(&domain, &nominal, effort) } else { None };
            work.counted = instances.and_then(|all| all.times(operations(statement)));
            match &mut largest {
                Some((_, known)) if known.has_factors_of(&work) => {
                    let pair = known.counted.take().zip(work.counted);
                    known.counted = pair.and_then(|(a, b)| a.plus(&b));
                    known.operations = known.operations.saturating_add(work.operations);
                }
                Some((most, _)) if *most >= size => {}
                _ => largest = Some((size, work)),
            }
        }
        largest.map_or(Work::none(minimum), |(_, work)| work)
    }

    fn none(minimum: i64) -> Work {
        Work { operations: 0, factors: Vec::new(), counted: None, minimum }
    }

    /// The condition that it is enough. One that cannot be written counts as one that never holds.
    fn condition(&self, scop: &Scop, effort: &Effort) -> Bound {
        if let Some(found) =
            self.counted.as_ref().and_then(|all| self.counted_condition(all, scop, effort))
        {
            return found;
        }
        let is_one_enough = self.operations > self.minimum && self.has_whole_factors();
        if is_one_enough || self.is_always_enough(&scop.context, effort) {
            return Bound::None;
        }
        let written = match self.factors.is_empty() {
            true => None,
            false => self.written(&Condition { parameters: &scop.parameters }),
        };
        written.unwrap_or(Bound::Never(self.operations))
    }

    /// The condition that counted operations are enough; none if it cannot be written.
    fn counted_condition(
        &self,
        counted: &Instances,
        scop: &Scop,
        effort: &Effort,
    ) -> Option<Bound> {
        let condition = Condition { parameters: &scop.parameters };
        let least = self.minimum.checked_mul(counted.divisor)?;
        let is_enough = |value: i64| counted.undivided_at(value) > i128::from(least);
        let is_constant = counted.terms.iter().all(|(_, powers)| powers.is_empty());
        if is_constant && is_enough(0) {
            return Some(Bound::None);
        }
        if is_constant {
            let operations = counted.undivided_at(0) / i128::from(counted.divisor);
            return Some(Bound::Never(i64::try_from(operations).ok()?));
        }
        let Some(name) = counted.single_name() else {
            let (sum, is_plain) = condition.polynomial(&counted.terms)?;
            return Some(Bound::Product(format!("{sum} > {least}"), is_plain));
        };
        let least = first_enough(is_enough)?;
        let enough = Int::from(least);
        let known = scop.context.find_param(name);
        let known =
            known.map(|at| scop.context.dim_min_val(DimKind::Param, at, &effort.budget(STEPS)));
        if matches!(known, Some(Ok(Optimum::At(value))) if value >= enough) {
            return Some(Bound::None);
        }
        let (name, is_plain) = condition.name(name)?;
        Some(Bound::Least(name, least, is_plain))
    }

    fn written(&self, condition: &Condition) -> Option<Bound> {
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

    /// Whether each factor is a number of iterations, and no part of one.
    fn has_whole_factors(&self) -> bool {
        self.factors.iter().all(|factor| factor.denominator().is_one())
    }

    fn has_factors_of(&self, other: &Work) -> bool {
        let pairs = self.factors.iter().zip(&other.factors);
        self.factors.len() == other.factors.len()
            && pairs.into_iter().all(|(a, b)| a.plain_is_equal(b))
    }

    /// What the product of the factors has to exceed, if each of them is multiplied by its divisor.
    fn least_product(&self, divisors: i64) -> i64 {
        let least = i128::from(self.minimum) * i128::from(divisors);
        i64::try_from(least / i128::from(self.operations.max(1))).unwrap_or(i64::MAX)
    }

    /// Whether the least values of the factors are enough.
    fn is_always_enough(&self, context: &Set, effort: &Effort) -> bool {
        let least = |factor: &Aff| {
            let (whole, divisor) = (factor.scale(factor.denominator()), factor.denominator());
            let whole = whole.align_params(context.space());
            match context.min_val(&whole, &effort.budget(STEPS)) {
                Ok(Optimum::At(value)) => {
                    value.to_i64().filter(|value| *value > 0).zip(divisor.to_i64())
                }
                _ => None,
            }
        };
        let least: Option<Vec<(i64, i64)>> = self.factors.iter().map(least).collect();
        least.is_some_and(|least| {
            let divisors = least.iter().map(|(_, divisor)| *divisor).fold(1, i64::saturating_mul);
            let product = least.iter().map(|(value, _)| *value).fold(1, i64::saturating_mul);
            product > self.least_product(divisors)
        })
    }

    /// The symbolic constant that all factors grow with, and its least value with enough work; none if there
    /// are several, or a factor shrinks.
    fn single_parameter(&self) -> Option<(String, i64)> {
        let mut of_all: Option<String> = None;
        let mut lines: Vec<(i64, i64)> = Vec::new();
        let mut divisors = 1i64;
        for factor in &self.factors {
            let Terms { terms, constant, divisor } = terms_of(factor)?;
            divisors = divisors.saturating_mul(divisor);
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
            let least = i128::from(self.least_product(divisors));
            values.fold(1i128, i128::saturating_mul) > least
        };
        Some((of_all?, first_enough(is_enough)?))
    }
}

/// The least value from which on something holds, if it does not for 0.
fn first_enough(is_enough: impl Fn(i64) -> bool) -> Option<i64> {
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
    Some(enough)
}

/// `(constant + terms) / divisor`, in names of symbolic constants.
struct Terms {
    terms: Vec<(i64, String)>,
    constant: i64,
    divisor: i64,
}

/// The form of an extent without its floors, which change it by an iteration each at most; none if some floor
/// changes it by more (as in remainders), or some numbers are not of a usual size.
fn terms_of(expression: &Aff) -> Option<Terms> {
    const LIMIT: i64 = 1 << 40;
    const MOST_DIVISOR: i64 = 1 << 20;
    let space = expression.domain_space();
    let n_columns = 1 + space.n_all();
    // Each local, and at last the expression, as fractions of the columns before all locals.
    let over_columns = |row: &Row, denominator: &Int, known: &[Vec<Rational>]| {
        let of_floors = (0..known.len()).map(|position| row.get(n_columns + position));
        if { of_floors }.any(|factor| factor.abs() > *denominator) {
            return None;
        }
        let column = |column: usize| {
            let own = Rational::from(row.get(column).clone());
            let of_locals = known.iter().enumerate().map(|(position, local)| {
                &Rational::from(row.get(n_columns + position).clone()) * &local[column]
            });
            let sum = of_locals.fold(own, |sum, term| &sum + &term);
            &sum / &Rational::from(denominator.clone())
        };
        Some((0..n_columns).map(column).collect::<Vec<Rational>>())
    };
    let mut known: Vec<Vec<Rational>> = Vec::new();
    for local in expression.locals() {
        let Local::Floor { numerator, denominator } = local else { return None };
        known.push(over_columns(numerator, denominator, &known)?);
    }
    let columns = over_columns(expression.row(), expression.denominator(), &known)?;
    let divisor = columns.iter().fold(Int::from(1), |all, value| all.lcm(&value.denominator));
    let divisor = divisor.to_i64().filter(|divisor| *divisor < MOST_DIVISOR)?;
    let value = |column: usize| {
        let scaled = &columns[column] * &Rational::from(Int::from(divisor));
        scaled.to_int()?.to_i64().filter(|value| value.abs() < LIMIT)
    };
    let mut terms = Vec::new();
    for (position, name) in space.param_names().iter().enumerate() {
        match value(1 + position)? {
            0 => {}
            coefficient => terms.push((coefficient, name.to_string())),
        }
    }
    Some(Terms { terms, constant: value(0)?, divisor })
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
        let (text, divisors, is_plain) = self.factors(work)?;
        let least = work.least_product(divisors);
        Some((format!("{text} > {least}"), is_plain))
    }

    /// The comparison of a sum with a number.
    fn exceeds(&self, exceeds: &Exceeds) -> Option<Bound> {
        let Exceeds { terms, constant, least } = exceeds;
        let mut terms: Vec<(i64, String)> =
            terms.iter().map(|(name, coefficient)| (*coefficient, name.clone())).collect();
        if let [(1, name)] = &terms[..] {
            let (name, is_plain) = self.name(name)?;
            let least = least.checked_sub(*constant)?.checked_add(1)?;
            return Some(Bound::Least(name, least, is_plain));
        }
        let (sum, is_plain) = self.sum(&mut terms, *constant)?;
        Some(Bound::Product(format!("{sum} > {least}"), is_plain))
    }

    /// A sum computed in floating point.
    fn sum(&self, terms: &mut [(i64, String)], constant: i64) -> Option<(String, bool)> {
        let mut all_plain = true;
        terms.sort_by_key(|(coefficient, _)| *coefficient < 0);
        let mut sum = String::new();
        for (coefficient, name) in terms.iter() {
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
        (!terms.is_empty()).then_some((sum, all_plain))
    }

    /// A sum of products of powers, computed in floating point.
    fn polynomial(&self, terms: &[(i64, Vec<(String, u32)>)]) -> Option<(String, bool)> {
        let (mut text, mut all_plain) = (String::new(), true);
        for (factor, powers) in terms {
            let sign = match (text.is_empty(), *factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let mut factors = match factor.abs() {
                1 if !powers.is_empty() => Vec::new(),
                value => vec![format!("{value}.0")],
            };
            for (name, exponent) in powers {
                let (name, is_plain) = self.name(name)?;
                all_plain &= is_plain;
                factors.extend((0..*exponent).map(|_| name.clone()));
            }
            let cast = if factor.abs() == 1 && !powers.is_empty() { "(double) " } else { "" };
            text.push_str(&format!("{sign}{cast}{}", factors.join(" * ")));
        }
        (!text.is_empty()).then_some((text, all_plain))
    }

    /// A multiple of the product of the factors, computed in floating point; and of how many times.
    fn factors(&self, work: &Work) -> Option<(String, i64, bool)> {
        let mut all_plain = true;
        let mut text = String::new();
        let mut divisors = 1i64;
        for (position, factor) in work.factors.iter().enumerate() {
            let Terms { mut terms, constant, divisor } = terms_of(factor)?;
            divisors = divisors.saturating_mul(divisor);
            let (sum, is_plain) = self.sum(&mut terms, constant)?;
            all_plain &= is_plain;
            let is_variable = matches!(terms[..], [(1, _)]) && constant == 0;
            text.push_str(&match (position, is_variable) {
                (0, true) => sum,
                (0, false) => format!("({sum})"),
                (_, true) => format!(" * {}", sum.trim_start_matches("(double) ")),
                (_, false) => format!(" * ({sum})"),
            });
        }
        Some((text, divisors, all_plain))
    }
}

/// A sum of products of powers of symbolic constants in C, computed in floating point, where nothing
/// overflows; none if a constant cannot be written.
pub(crate) fn polynomial_text(
    terms: &[(i64, Vec<(String, u32)>)],
    parameters: &[Parameter],
) -> Option<String> {
    Condition { parameters }.polynomial(terms).map(|(text, _)| text)
}

/// The operations of one instance, one per access and some for each function and loop.
pub(crate) fn operations(statement: &Statement) -> i64 {
    let mut operations =
        statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill).count() as i64;
    for piece in statement.body.pieces() {
        let BodyPiece::Text(text) = piece else { continue };
        operations += called(&text).map(operations_of_a_word).sum::<i64>();
    }
    operations.max(1)
}

/// What a word stands for that begins a loop, or is in front of a parenthesis.
fn operations_of_a_word(word: &str) -> i64 {
    match word {
        "for" | "while" | "goto" | "asm" | "__asm__" => OPERATIONS_OF_A_LOOP,
        "if" | "switch" | "return" | "sizeof" | "else" | "do" => 0,
        name if is_pure_function(name) => OPERATIONS_OF_A_FUNCTION,
        _ => OPERATIONS_OF_A_CALL,
    }
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
             void f(int n, int m, int k, double *restrict a, double *restrict b, double c[restrict 500][500], \
             double d[restrict n][m]) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let mut regions = SourceFile::from_text("f.c", &text).extract().unwrap();
        match enough_work(
            &regions.remove(0).scop,
            Cost::Threads { around, calls: 1 },
            &Effort::default(),
        ) {
            Enough::If(enough) => Some(enough.text),
            Enough::Always => None,
            Enough::Never { .. } => Some("never".to_string()),
        }
    }

    #[test]
    fn one_size_is_compared_with_a_number() {
        let vector = condition("for (int i = 0; i < n; i++) a[i] += b[i];");
        assert_eq!(vector.as_deref(), Some("n >= 16667"));
        let square =
            condition("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = 1;");
        assert_eq!(square.as_deref(), Some("n >= 224"));
        let inner =
            condition("for (int i = 2; i < n; i++) for (int j = 0; j < i; j++) c[i][j] = 1;");
        assert_eq!(inner.as_deref(), Some("n >= 317"));
    }

    #[test]
    fn blocks_are_as_large_as_their_size_tells() {
        let rows = condition(
            "for (int i = m; i < m + k && i < n; i++) for (int j = 0; j < k; j++) c[i][j] += a[j];",
        );
        assert_eq!(rows.as_deref(), Some("k >= 130"));
    }

    #[test]
    fn each_loop_on_threads_has_to_be_worth_its_call() {
        let of = |calls| {
            let text = "void f(int n, double *restrict a) {\n#pragma scop\n\
                for (int i = 0; i < n; i++) a[i] += 1;\n#pragma endscop\n}\n";
            let mut regions = SourceFile::from_text("f.c", text).extract().unwrap();
            match enough_work(
                &regions.remove(0).scop,
                Cost::Threads { around: 0, calls },
                &Effort::default(),
            ) {
                Enough::If(enough) => enough.text,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((of(1), of(4)), ("n >= 25001".to_string(), "n >= 100001".to_string()));
    }

    #[test]
    fn several_sizes_are_multiplied_in_floating_point() {
        let two =
            condition("for (int i = 0; i < n; i++) for (int j = 1; j < m - 1; j++) d[i][j] = 1;");
        assert_eq!(two.as_deref(), Some("(double) n * ((double) m - 2) > 50000"));
        let difference = condition("for (int i = m; i < n; i++) a[i] = 1;");
        assert_eq!(difference.as_deref(), Some("((double) n - m) > 50000"));
        let double = condition("for (int i = m; i < 2 * n; i++) a[i] = 1;");
        assert_eq!(double.as_deref(), Some("(2.0 * n - m) > 50000"));
    }

    #[test]
    fn the_largest_statements_count() {
        let nests = condition(
            "for (int i = 0; i < n; i++) a[i] = 0;\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] += 1;",
        );
        assert_eq!(nests.as_deref(), Some("n >= 159"));
        let with_functions = condition("for (int i = 0; i < n; i++) a[i] = exp(b[i]);");
        assert_eq!(with_functions.as_deref(), Some("n >= 2778"));
    }

    #[test]
    fn what_is_known_is_decided_at_once() {
        let few = condition("for (int i = 0; i < 100; i++) a[i] += b[i];");
        assert_eq!(few.as_deref(), Some("never"));
        let many = "for (int i = 0; i < 500; i++) for (int j = 0; j < 500; j++) c[i][j] += b[i];";
        assert_eq!(condition(many), None);
        assert_eq!(
            condition("for (int i = 0; i < n; i++) for (int k = 0; k < 100000; k++) a[i] += b[i];"),
            None
        );
        let calls = condition("for (int i = 0; i < n; i++) a[i] = heavy(b[i]);");
        assert_eq!(calls.as_deref(), Some("n >= 2084"));
    }

    #[test]
    fn floors_count_as_fractions() {
        let step = condition("for (int i = 0; i + 3 < n; i += 4) a[i] = b[i];");
        assert_eq!(step.as_deref(), Some("n >= 100004"));
        let half = condition("for (int i = 0; i < n / 2; i++) a[i] = b[i];");
        assert_eq!(half.as_deref(), Some("n >= 50001"));
        // What a small type makes of a size is that size, which is checked in front.
        let rest = condition("for (unsigned short i = n; i-- > 0;) a[i] = 2 * b[i];");
        assert_eq!(rest.as_deref(), Some("n >= 25001"));
        let difference = condition("for (int i = 0; i < (n - m) / 3; i++) a[i] = 1;");
        assert_eq!(difference.as_deref(), Some("((double) n - m) > 150000"));
    }

    #[test]
    fn loops_over_tiles_and_their_points_count_as_the_whole() {
        let tiles = "for (int ii = 0; ii < n; ii += 32) for (int jj = 0; jj < n; jj += 32)\n\
                     for (int i = ii; i < (ii + 32 < n ? ii + 32 : n); i++)\n\
                     for (int j = jj; j < (jj + 32 < n ? jj + 32 : n); j++) c[i][j] = 1;";
        assert_eq!(condition(tiles).as_deref(), Some("n >= 224"));
    }

    #[test]
    fn triangles_are_counted() {
        // n (n + 1) / 2 > 50000.
        let triangle =
            condition("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) c[i][j] = 1;");
        assert_eq!(triangle.as_deref(), Some("n >= 316"));
        // Four references in each of n (n - 1) (n - 2) / 6 instances.
        let tetrahedron = condition(
            "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++) c[i][j] -= c[i][k] * c[j][k];",
        );
        assert_eq!(tetrahedron.as_deref(), Some("n >= 44"));
        let columns = condition(
            "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) for (int j = 0; j <= i; j++) c[i][j] += d[i][k];",
        );
        assert_eq!(columns.as_deref(), Some("3.0 * n * n * m + 3.0 * n * m > 100000"));
        let trapezium =
            condition("for (int i = 0; i < n; i++) for (int j = i; j < m; j++) c[i][j] = 1;");
        assert_eq!(trapezium.as_deref(), Some("m >= 224"));
        let known =
            condition("for (int i = 0; i < 300; i++) for (int j = 0; j < i; j++) c[i][j] = 1;");
        assert_eq!(known.as_deref(), Some("never"));
        let skewed = condition(
            "for (int i = 0; i < n; i++) for (int j = i; j < i + m; j++) d[i][j - i] = 1;",
        );
        assert_eq!(skewed.as_deref(), Some("(double) n * m > 50000"));
    }

    #[test]
    fn threads_inside_of_loops_need_work_each_time() {
        let steps = "for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) a[i] += b[i];";
        assert_eq!(
            condition_inside(1, steps).as_deref(),
            Some("(double) m * n > 16666 && n >= 667")
        );
        let square = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = 1;";
        assert_eq!(condition_inside(1, square).as_deref(), Some("n >= 2001"));
        let fixed = "for (int t = 0; t < m; t++) for (int i = 0; i < 1000; i++) a[i] += b[i];";
        assert_eq!(condition_inside(1, fixed).as_deref(), Some("m >= 17"));
    }

    #[test]
    fn the_work_is_an_expression() {
        let text = "void f(int n, int m, double d[restrict n][m]) {\n#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 1; \
                    j < m; j++) d[i][j] += 1;\n#pragma endscop\n}\n";
        let regions = SourceFile::from_text("f.c", text).extract().unwrap();
        let work = work_text(&regions[0].scop, &Effort::default());
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
