//! Loops that end early, where a condition on data holds for the first time.
use super::counting_head::{Head, declaration};
use super::speculation::{is_speculative, is_value};
use super::ways_out::{
    OTHER_WAYS, Parts, STRANGE_WORDS, WAYS_OUT, WayOut, block, initialised, nested,
};
use super::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, Body, ComparisonOperator, ScalarType,
    Term, TermKind, UnaryOperator,
};
use crate::ids::ArrayId;
use crate::model::{AccessKind, Scop, Statement};
use std::collections::BTreeSet;

/// A statement that is a loop with ways out in front of its work, in one of these forms:
///
/// ```text
/// for (i = first; i < bound; i++) {
///   what is prepared: variables of the iteration
///   if (condition) { at the exit; break; }
///   the same again, if there are more ways out: the first in the text that is taken counts
///   work
/// }
/// for (i = first; i < bound && !condition; i++) work
/// for (i = first; i < bound && !flag; i++) if (condition) { at the exit, where flag is set }
/// for (; i < bound && !condition; i++) work
/// while (i < bound && !condition) { work; i++; }
/// ```
///
/// In all of these the iterator may be moved on by another positive constant, or count down:
/// `for (i = first; i >= bound; i--)`. In place of `break`, the function may be left: `return value;`.
/// Conditions in the head come before ways out in the body.
///
/// Whether an iteration is left depends on nothing that the loop writes, so that the least one of which the
/// condition holds can be searched for first, by iterations in any order; those in front of it do their work,
/// also in any order ([`EarlyExit::has_parallel_work`]); and what stands at the exit runs once, for it. If
/// there are several ways out, the iteration that is left evaluates their conditions again, in the order of
/// the text, to see which of them it took: nothing has changed what they read.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlyExit {
    /// What counts: a variable of the model, or of the loop.
    iterator: Term,
    /// Its type, as written.
    c_type: String,
    /// Its first value; the iterator itself where it counts on from what it is.
    first: Term,
    /// What each iteration adds to it, or takes from it.
    step: i64,
    /// Whether it takes that from it.
    counts_down: bool,
    /// What it is compared with.
    bound: Term,
    /// Whether it may be the bound itself.
    is_inclusive: bool,
    /// What is set at the exit, ends the loop then, and lets it have no iteration if it is set before.
    flag: Option<Term>,
    /// In the order of the text; at least one.
    exits: Vec<WayOut>,
    work: Vec<Term>,
}

/// Why a loop is not searched that does anything else than counting.
const NO_STEP: &str = "it does not count up or down by a constant";

impl EarlyExit {
    /// The exit of a statement that is a loop with a `break`, or why its iterations cannot be looked at in
    /// another order. None if it is no such loop.
    ///
    /// *Cost.* Linear in its text, times the number of variables.
    pub fn of(scop: &Scop, statement: &Statement) -> Option<Result<EarlyExit, String>> {
        let root = statement.body.root()?;
        let is_blank = root.texts().iter().all(|text| text.trim().is_empty());
        let (declared, each) = match (root.kind(), root.children()) {
            (TermKind::Opaque, [only]) if declaration(root).is_some() => (declaration(root), only),
            (TermKind::Opaque, [only]) if is_blank => (None, only),
            _ => (None, root),
        };
        if each.kind() != &TermKind::Opaque {
            return None;
        }
        let text = each.text();
        let rows = |inside: &Term| -> Vec<Term> {
            match inside.kind() {
                TermKind::Block => inside.children().to_vec(),
                _ if inside.is_text(";") => Vec::new(),
                _ => vec![inside.clone()],
            }
        };
        let (first, condition, step, rows) = match each.children() {
            [condition, inside] if text.starts_with("while (") => {
                let mut rows = rows(inside);
                let step = rows.pop()?.as_only_statement().clone();
                (None, condition, step, rows)
            }
            [condition, step, inside @ ..] if text.starts_with("for (;") && inside.len() < 2 => {
                (None, condition, step.clone(), inside.iter().flat_map(rows).collect())
            }
            [first, condition, step, inside @ ..]
                if text.starts_with("for (") && inside.len() < 2 =>
            {
                (Some(first), condition, step.clone(), inside.iter().flat_map(rows).collect())
            }
            _ => return None,
        };
        let conditions = condition.conjuncts();
        let is_left = rows.iter().any(|row| row.has_word(&WAYS_OUT));
        if !is_left && conditions.len() < 2 {
            return None;
        }
        let head = Head { declared, first, conditions, step: &step, text };
        let rows: Vec<&Term> = rows.iter().collect();
        let counts_on = first.is_none();
        match EarlyExit::in_loop(scop, statement, &head, &rows) {
            // Other loops that go on while something holds.
            Err(reason) if counts_on && reason == NO_STEP => None,
            found => Some(found),
        }
    }

    fn in_loop(
        scop: &Scop,
        statement: &Statement,
        head: &Head<'_>,
        rows: &[&Term],
    ) -> Result<EarlyExit, String> {
        if !statement.body.hidden().is_empty() {
            return Err("its calls access more than they are given".to_string());
        }
        let (iterator, c_type, first) = head.iterator(scop).ok_or(NO_STEP)?;
        let step = head.step(&iterator).ok_or(NO_STEP)?;
        let counts_down = step < 0;
        let bound = head.bound(&iterator, counts_down);
        let (bound, is_inclusive, others) = bound.ok_or("it does not count to a bound")?;
        let is_left = rows.iter().any(|row| row.has_word(&WAYS_OUT));
        let parts = match &others[..] {
            [only]
                if !is_left
                    && flag_of(scop, only)
                        .is_some_and(|flag| rows.iter().any(|row| row.mentions(flag))) =>
            {
                Parts::of_flag(rows, flag_of(scop, only))?
            }
            others => Parts::of_ways_out(others, rows)?,
        };
        if parts.flag.is_some() && is_inclusive {
            return Err("its bound is its last value, and a flag ends it".to_string());
        }
        let found = EarlyExit {
            iterator,
            c_type,
            first,
            step: step.abs(),
            counts_down,
            bound,
            is_inclusive,
            flag: parts.flag.cloned(),
            exits: parts.exits,
            work: parts.work,
        };
        found.check(scop, statement)?;
        Ok(found)
    }

    /// Whether everything is where it may be.
    fn check(&self, scop: &Scop, statement: &Statement) -> Result<(), String> {
        self.check_head(scop)?;
        let is_known = |name: &str| scop.parameters.iter().any(|own| *own.name == *name);
        for exit in &self.exits {
            for term in &exit.prepared {
                let found = initialised(term).filter(|(name, _)| !is_known(name));
                let (_, value) = found.ok_or("something comes before it may be left")?;
                is_speculative(value, scop, &self.iterator)?;
            }
            for condition in &exit.conditions {
                is_speculative(condition, scop, &self.iterator)?;
            }
            self.check_exit(exit)?;
        }
        if self.work.iter().any(|term| term.has_word(&STRANGE_WORDS)) {
            return Err(OTHER_WAYS.to_string());
        }
        if self.work.iter().any(|term| changes(term, &self.iterator)) {
            return Err("it changes what it counts with".to_string());
        }
        let written = self.written(statement, &self.work);
        for element in self.evaluated().chain([&self.bound]).flat_map(Term::elements) {
            if written.contains(&element.array) {
                let name = &scop.array(element.array).name;
                return Err(format!("iterations write `{name}`, which decides where it is left"));
            }
        }
        self.has_parallel_work(scop, &written)
    }

    /// What stands at one way out.
    fn check_exit(&self, exit: &WayOut) -> Result<(), String> {
        let n_assigning = exit.at_exit.len() - usize::from(exit.returns);
        let (assigning, left_with) = exit.at_exit.split_at(n_assigning);
        if assigning.iter().any(|term| term.kind() == &TermKind::Opaque) {
            return Err("more than assignments stands where it is left".to_string());
        }
        let calls = |term: &Term| !term.all(&|part| part.kind() != &TermKind::Call);
        if self.leaves_iterator() && !self.returns() && exit.at_exit.iter().any(calls) {
            // It has not got its value yet.
            return Err(
                "what is called where it is left may look at what it counts with".to_string()
            );
        }
        // What leaves the function at its end may do so earlier.
        let is_strange = |word: &&&str| !(exit.returns && **word == "return");
        let strange: Vec<&str> = STRANGE_WORDS.iter().filter(is_strange).copied().collect();
        if exit.at_exit.iter().any(|term| !term.is_return() && term.has_word(&strange)) {
            return Err(OTHER_WAYS.to_string());
        }
        let left_with = left_with.iter().flat_map(Term::children);
        let mut changing = exit.prepared.iter().chain(assigning).chain(left_with);
        match changing.any(|term| changes(term, &self.iterator)) {
            true => Err("it changes what it counts with".to_string()),
            false => Ok(()),
        }
    }

    /// The types of the iterator and its bounds: all values of the loop fit in the iterator.
    fn check_head(&self, scop: &Scop) -> Result<(), String> {
        let own = match self.iterator.as_element() {
            Some(element) => scop.array(element.array).scalar_type(),
            None => ScalarType::of_name(&self.c_type),
        };
        let Some(ScalarType::Integer { is_signed, bytes: own_bytes @ 4.. }) = own else {
            return Err("the type of what it counts with is not known".to_string());
        };
        // The end is the bound itself, or the first value, so the iterator can have it.
        let ends_in_type = self.step == 1 && !(self.counts_down && self.is_inclusive);
        if !ends_in_type && !is_signed {
            return Err("what it counts with may pass over the end and begin again".to_string());
        }
        if self.counts_on() && !is_signed && own_bytes == 8 {
            return Err("what it counts on from may be too large".to_string());
        }
        for bound in [&self.first, &self.bound] {
            let fits = match (bound.as_number(), bound.value_type(scop)) {
                (Some(number), _) => i32::try_from(number).is_ok_and(|n| n >= 0 || is_signed),
                (None, Some(ScalarType::Integer { is_signed: signed, bytes })) => {
                    bytes <= own_bytes && signed == is_signed || bytes < own_bytes && !signed
                }
                _ => false,
            };
            if !fits {
                return Err("a bound has another type than what it counts with".to_string());
            }
            let is_own = self.counts_on() && bound.is_alike(&self.first);
            if !is_value(bound) || !is_own && bound.mentions(&self.iterator) {
                return Err("its bounds are no plain values".to_string());
            }
            let is_wide = bound.as_number().is_none()
                && matches!(bound.value_type(scop), Some(ScalarType::Integer { bytes: 8.., .. }));
            if is_wide && !self.reads_along() {
                return Err("its end may be too large to count with".to_string());
            }
        }
        Ok(())
    }

    /// Whether a condition reads where the iterator is, so that the end is no larger than an array.
    fn reads_along(&self) -> bool {
        let mut found = false;
        self.evaluated().for_each(|term| {
            term.for_each(&mut |part| {
                if let (TermKind::Subscript, [_, indices @ ..]) = (part.kind(), part.children()) {
                    found |= indices.iter().any(|index| self.moves(index));
                }
            });
        });
        found
    }

    /// The arrays that a part of the loop may write.
    fn written(&self, statement: &Statement, part: &[Term]) -> BTreeSet<ArrayId> {
        let inside: BTreeSet<ArrayId> =
            part.iter().flat_map(Term::elements).map(|element| element.array).collect();
        let writes = statement
            .accesses
            .iter()
            .filter(|access| matches!(access.kind, AccessKind::MustWrite | AccessKind::MayWrite));
        let own = self.iterator.as_element().map(|element| element.array);
        let arrays = writes.map(|access| access.array);
        arrays.filter(|array| inside.contains(array) && Some(*array) != own).collect()
    }

    /// Whether iterations do their work independently of each other: each array that they write has a
    /// subscript that is the iterator, or it and a constant, the same wherever the work names the array. So
    /// no two iterations touch the same element.
    fn has_parallel_work(&self, scop: &Scop, written: &BTreeSet<ArrayId>) -> Result<(), String> {
        for term in &self.work {
            term.only_known_work(scop)?;
        }
        for array in written {
            let name = &scop.array(*array).name;
            let mut uses: Vec<Option<Vec<&Term>>> = Vec::new();
            for term in &self.work {
                term.for_each_use(*array, &mut |indices| uses.push(indices));
            }
            let shared = || format!("iterations share `{name}`");
            let uses: Vec<Vec<&Term>> =
                uses.into_iter().collect::<Option<_>>().ok_or_else(shared)?;
            let depth = uses.iter().map(Vec::len).min().unwrap_or(0);
            let is_own = (0..depth).any(|at| {
                let first = uses[0][at];
                moves_with(first, &self.iterator) && uses.iter().all(|u| u[at].is_alike(first))
            });
            if !is_own {
                return Err(shared());
            }
        }
        Ok(())
    }

    /// Its first value.
    pub fn first(&self) -> Body {
        Body::new(self.first.clone())
    }

    /// Whether it counts on from what the iterator is.
    pub fn counts_on(&self) -> bool {
        self.first.is_alike(&self.iterator)
    }

    /// What each iteration adds to the iterator, or takes from it if it counts down: 1 or more.
    pub fn step(&self) -> i64 {
        self.step
    }

    /// Whether iterations take the step from the iterator, so that the bound is the least value, and not the
    /// greatest.
    pub fn counts_down(&self) -> bool {
        self.counts_down
    }

    /// The greatest value of the iterator's type, if the loop may end with one that is greater where it is
    /// not left before; the least one, if it counts down and may end with one that is less.
    pub fn limit(&self) -> Option<i64> {
        if self.step == 1 && !self.is_inclusive {
            return None;
        }
        match ScalarType::of_name(&self.c_type) {
            Some(ScalarType::Integer { is_signed, bytes: 4 }) => {
                Some(match (is_signed, self.counts_down) {
                    (true, false) => i64::from(i32::MAX),
                    (true, true) => i64::from(i32::MIN),
                    (false, false) => i64::from(u32::MAX),
                    (false, true) => 0,
                })
            }
            _ => None,
        }
    }

    /// What the iterator is compared with.
    pub fn bound(&self) -> Body {
        Body::new(self.bound.clone())
    }

    /// The same if there is no flag that lets the loop have no iteration; with one that is set, its first
    /// value.
    pub fn bound_by_flag(&self) -> Body {
        let Some(flag) = &self.flag else { return self.bound() };
        let cases = vec![flag.clone(), self.first.clone(), self.bound.clone()];
        Body::new(Term::new(TermKind::Conditional, cases, &["", " ? ", " : ", ""]))
    }

    /// Whether the iterator moves on behind the exit.
    pub fn counts_exit(&self) -> bool {
        self.flag.is_some()
    }

    /// Whether the iterator may be the bound itself.
    pub fn is_inclusive(&self) -> bool {
        self.is_inclusive
    }

    /// The type of the iterator, as written.
    pub fn c_type(&self) -> &str {
        &self.c_type
    }

    /// What counts.
    pub fn iterator(&self) -> &Term {
        &self.iterator
    }

    /// What counts, as the text has it.
    pub fn iterator_name(&self) -> &str {
        match self.iterator.as_element() {
            Some(element) => element.base.parts().0,
            None => self.iterator.text(),
        }
    }

    /// Whether the program may see behind the loop where it was left.
    pub fn leaves_iterator(&self) -> bool {
        self.iterator.as_element().is_some()
    }

    /// Whether the function is left where the loop is, at one of its ways out.
    pub fn returns(&self) -> bool {
        self.exits.iter().any(|exit| exit.returns)
    }

    /// Whether there is work in front of the exit.
    pub fn has_work(&self) -> bool {
        !self.work.is_empty()
    }

    /// Whether something runs once at the exit.
    pub fn has_end(&self) -> bool {
        self.exits.iter().any(|exit| !exit.at_exit.is_empty())
    }

    /// What the conditions, and values in front of them, read.
    pub fn evaluated(&self) -> impl Iterator<Item = &Term> {
        self.exits.iter().flat_map(|exit| exit.prepared.iter().chain(&exit.conditions))
    }

    /// Calls `visit` with parts of the conditions, and of values in front of them, that every iteration
    /// evaluates which is not left.
    pub(crate) fn sure_parts<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        for exit in &self.exits {
            let values = exit.prepared.iter().flat_map(Term::children);
            values.for_each(|value| value.sure_parts(None, visit));
            if let Some(condition) = exit.conditions.first() {
                condition.sure_parts(Some(false), visit);
            }
        }
    }

    /// Whether a subscript is the iterator, or it and a constant.
    pub(crate) fn moves(&self, index: &Term) -> bool {
        moves_with(index, &self.iterator)
    }

    /// An iteration that looks whether it is the exit, and says so: `{ if (condition) { at = i; break; } }`.
    pub fn search(&self, at: &str) -> Body {
        self.iteration(Some(at), &[])
    }

    /// The same with the work of the iteration, if it is none.
    pub fn in_turn(&self, at: &str) -> Body {
        self.iteration(Some(at), &self.work)
    }

    /// The work of an iteration.
    pub fn work(&self) -> Body {
        self.iteration(None, &self.work)
    }

    /// What runs at the exit; with several ways out, below the conditions that say which was taken.
    pub fn end(&self) -> Body {
        Body::new(block(WayOut::taken(&self.exits)))
    }

    fn iteration(&self, at: Option<&str>, work: &[Term]) -> Body {
        let mut steps = Vec::new();
        for exit in &self.exits {
            steps.extend(exit.prepared.iter().cloned());
            if let Some(at) = at {
                let set = TermKind::Assignment(AssignmentOperator::Set);
                let operands = vec![Term::of_text(at), self.iterator.clone()];
                let set = Term::new(set, operands, &["", " = ", ""]);
                let set = Term::new(TermKind::Statement, vec![set], &["", ";"]);
                steps.push(nested(&exit.conditions, block(vec![set, Term::of_text("break;")])));
            }
        }
        steps.extend(work.iter().map(Term::as_statement));
        Body::new(block(steps))
    }
}

/// The flag in `!flag` and in `flag == 0`: an integer variable.
fn flag_of<'a>(scop: &Scop, condition: &'a Term) -> Option<&'a Term> {
    let flag = match (condition.kind(), condition.children()) {
        (TermKind::Unary(UnaryOperator::Not), [flag]) => flag,
        (TermKind::Binary(BinaryOperator::Comparison(ComparisonOperator::Equal)), [flag, zero])
            if zero.without_parentheses().is_text("0") =>
        {
            flag
        }
        _ => return None,
    };
    let flag = flag.without_parentheses();
    let array = scop.array(flag.as_element()?.array);
    let is_integer = matches!(array.scalar_type(), Some(ScalarType::Integer { .. }));
    (array.is_scalar() && is_integer).then_some(flag)
}

/// Whether a part of the loop may change its iterator.
fn changes(term: &Term, iterator: &Term) -> bool {
    let mut found = false;
    term.for_each(&mut |part| {
        let target = match (part.kind(), part.children()) {
            (TermKind::Assignment(_), [target, _]) => Some(target),
            (
                TermKind::Postfix(_)
                | TermKind::Unary(
                    UnaryOperator::Increment | UnaryOperator::Decrement | UnaryOperator::AddressOf,
                ),
                [target],
            ) => Some(target),
            _ => None,
        };
        found |= target.is_some_and(|target| target.is_alike(iterator));
        // What has no structure is looked at word by word.
        let is_flat = part.kind() == &TermKind::Opaque && !part.is_return();
        found |= is_flat && part.has_own_word(&[iterator.text()]);
        found |= is_flat && part.children().iter().any(|child| child.is_alike(iterator));
    });
    found
}

/// Whether a subscript is the iterator, or it and a constant.
fn moves_with(index: &Term, iterator: &Term) -> bool {
    let index = index.without_parentheses();
    if index.is_alike(iterator) {
        return true;
    }
    let is_number = |term: &Term| matches!(term.without_parentheses().kind(), TermKind::Literal(_));
    match index.as_binary() {
        Some((BinaryOperator::Arithmetic(ArithmeticOperator::Add), left, right)) => {
            moves_with(left, iterator) && is_number(right)
                || is_number(left) && moves_with(right, iterator)
        }
        Some((BinaryOperator::Arithmetic(ArithmeticOperator::Subtract), left, right)) => {
            moves_with(left, iterator) && is_number(right)
        }
        _ => false,
    }
}

impl Term {
    /// The statement without semicolon and blanks around it.
    fn as_only_statement(&self) -> &Term {
        match (self.kind(), self.children()) {
            (TermKind::Statement, [only]) => only,
            (TermKind::Opaque, [only])
                if self.texts().iter().all(|t| matches!(t.trim(), "" | ";")) =>
            {
                only
            }
            _ => self,
        }
    }

    /// Calls `visit` with parts that are evaluated if the term is, where it has a value if one is known.
    fn sure_parts<'a>(&'a self, value: Option<bool>, visit: &mut impl FnMut(&'a Term)) {
        match (self.kind(), self.children()) {
            (TermKind::Parenthesized, [inner]) => inner.sure_parts(value, visit),
            (TermKind::Unary(UnaryOperator::Not), [inner]) => {
                inner.sure_parts(value.map(|value| !value), visit);
            }
            (TermKind::Binary(BinaryOperator::LogicalAnd), [left, right])
                if value == Some(true) =>
            {
                left.sure_parts(value, visit);
                right.sure_parts(value, visit);
            }
            (TermKind::Binary(BinaryOperator::LogicalOr), [left, right])
                if value == Some(false) =>
            {
                left.sure_parts(value, visit);
                right.sure_parts(value, visit);
            }
            (
                TermKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
                | TermKind::Conditional,
                [first, ..],
            ) => first.sure_parts(None, visit),
            _ => {
                let is_plain = self.all(&|part| {
                    !matches!(
                        part.kind(),
                        TermKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
                            | TermKind::Conditional
                    )
                });
                if is_plain {
                    visit(self);
                }
            }
        }
    }

    /// Whether a part of it is like another term.
    pub(crate) fn mentions(&self, other: &Term) -> bool {
        let mut found = false;
        self.for_each(&mut |part| found |= part.is_alike(other));
        found
    }

    /// Whether the work of iterations is done by operators and functions of numbers only, on elements that
    /// are named.
    fn only_known_work(&self, scop: &Scop) -> Result<(), String> {
        let mut wrong = None;
        self.for_each(&mut |part| match part.kind() {
            TermKind::Call if !super::speculation::is_free_call(part) => {
                wrong = Some("iterations call functions".to_string());
            }
            TermKind::Unary(UnaryOperator::AddressOf | UnaryOperator::Dereference) => {
                wrong = Some("iterations use addresses".to_string());
            }
            TermKind::Element(element) if !element.subscripts.is_empty() => {
                let array = scop.array(element.array);
                if element.subscripts.len() != array.extents.len() {
                    wrong = Some(format!("iterations use parts of `{}`", array.name));
                }
            }
            _ => {}
        });
        wrong.map_or(Ok(()), Err)
    }

    /// Calls `visit` with the subscripts of each use of an array; none if they do not stand with it.
    fn for_each_use<'a>(&'a self, array: ArrayId, visit: &mut impl FnMut(Option<Vec<&'a Term>>)) {
        match (self.kind(), self.children()) {
            (TermKind::Subscript, [base, indices @ ..])
                if base.as_element().is_some_and(|element| element.array == array) =>
            {
                visit(Some(indices.iter().collect()));
                indices.iter().for_each(|index| index.for_each_use(array, visit));
            }
            (TermKind::Element(element), _) if element.array == array => visit(None),
            (_, children) => children.iter().for_each(|child| child.for_each_use(array, visit)),
        }
    }
}
