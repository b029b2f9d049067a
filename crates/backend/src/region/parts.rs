//! Loops that run in parts, on threads: each part runs its iterations in order, and results are put together
//! in the order of the parts.
//!
//! ```text
//! {                                                                    {
//!   const long first = 0, end = n, length = (end - first + 63) / 64;     const long first = 0, end = n, length = ...;
//!   double most_of[64];                                                  if (end - first < 262144) {
//!   int at_of[64];                                                         (the loop as it is)
//! #pragma omp parallel for firstprivate(most, at)                        } else {
//!   for (long part = 0; part < 64; part++) {                               long k_of[64];
//!     const long from = first + part * length,                           #pragma omp parallel for
//!       to = from + length < end ? from + length : end;                    for (long part = 0; part < 64; part++) {
//!     for (long c0 = from; c0 < to; c0++) {                                  const long from = ..., to = ...;
//!       if (x[c0] > most) { most = x[c0]; at = c0; }                         long k_count = 0;
//!     }                                                                      for (long c0 = from; c0 < to; c0++) {
//!     most_of[part] = most;                                                    if (x[c0] > 0) k_count++;
//!     at_of[part] = at;                                                      }
//!   }                                                                        k_of[part] = k_count;
//!   for (long part = 0; part < 64; part++) {                               }
//!     if (most_of[part] > most) {                                          for (long part = 0; part < 64; part++) {
//!       most = most_of[part];                                                const long k_count = k_of[part];
//!       at = at_of[part];                                                    k_of[part] = k;
//!     }                                                                      k += k_count;
//!   }                                                                      }
//! }                                                                      #pragma omp parallel for private(k)
//!                                                                          (parts that begin with k = k_of[part])
//! ```
//!
//! A thread has several parts, which it runs in order, so it may go on with the best values that it has.
use super::canonical::{is_canonical, straight_line};
use super::{ITERATOR_TYPE, Pragma, Printer};
use crate::body::Body;
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::{Error, Name, Result};
use loopwright_schedule::LoopReduction;
use loopwright_scop::{Compaction, Statement};

/// Parts of a loop: enough for the threads of one machine.
const PARTS: usize = 64;

/// Iterations that are worth counting first. On two cores of an AMD EPYC, 16384 of which one in a hundred
/// passes take 9.4 µs in a row and 12.1 µs with counting, 262144 take 155 and 152 µs; where one in two passes
/// it is 915 and 523 µs.
const LEAST_COUNTED: usize = 262_144;

/// The names of a loop in parts.
struct Names {
    first: String,
    end: String,
    length: String,
    part: String,
    from: String,
    to: String,
}

/// Whether a loop may run in parts: it counts by one, and threads need no arrays of their own.
pub(super) fn may_have(for_loop: &ForLoop, pragma: &Pragma) -> bool {
    let operator = pragma.reductions.first().map(|combined| &combined.operator);
    let is_place = operator.is_some_and(|operator| operator == LoopReduction::PLACE);
    is_canonical(for_loop)
        && for_loop.increment.is_one()
        && for_loop.multiples_of.is_none()
        && pragma.arrays.is_empty()
        && pragma.reductions.iter().all(|combined| Some(&combined.operator) == operator)
        && (!is_place
            || pragma.reductions.len() == 1
                && straight_line(&for_loop.body).is_some_and(|calls| calls.len() == 1))
}

impl Printer<'_> {
    /// A loop in parts, for which [`may_have`] holds.
    pub(super) fn in_parts(
        &mut self,
        for_loop: &ForLoop,
        pragma: &Pragma,
        iterator: &Name,
    ) -> Result<()> {
        let mut fresh = |wanted: &str| self.lowering.fresh(wanted);
        let names = Names {
            first: fresh("first"),
            end: fresh("end"),
            length: fresh("length"),
            part: fresh("part"),
            from: fresh("from"),
            to: fresh("to"),
        };
        let end = match &for_loop.condition {
            AstExpr::Le(_, last) => AstExpr::Add(last.clone(), Box::new(AstExpr::int(1))),
            AstExpr::Lt(_, end) => (**end).clone(),
            _ => return Err(not_in_parts()),
        };
        let (init, end) = (self.lowering.lower(&for_loop.init), self.lowering.lower(&end));
        let Names { first, end: name, length, .. } = &names;
        self.open("{");
        self.writer.line(&format!(
            "const {ITERATOR_TYPE} {first} = {init}, {name} = {end}, {length} = ({name} - {first} + {}) / {PARTS};",
            PARTS - 1
        ));
        self.keeps_results = true;
        self.calls_threads();
        self.loop_depth += 1;
        self.parallel_depth += 1;
        let is_place = pragma.reductions.iter().any(|c| c.operator == LoopReduction::PLACE);
        let result = match is_place {
            true => self.places(for_loop, pragma, (&names, iterator)),
            false => self.best(for_loop, pragma, (&names, iterator)),
        };
        self.parallel_depth -= 1;
        self.loop_depth -= 1;
        self.close();
        result
    }

    /// The best values: each part has its own, which are compared at the end.
    fn best(
        &mut self,
        for_loop: &ForLoop,
        pragma: &Pragma,
        (names, iterator): (&Names, &Name),
    ) -> Result<()> {
        let part = &names.part;
        let mut kept = Vec::new();
        for combined in &pragma.reductions {
            let array = self.scop.arrays.iter().find(|a| a.tuple_name == combined.variable);
            let element_type = &array.ok_or_else(not_in_parts)?.element_type;
            let of_parts = self.lowering.fresh(&format!("{}_of", combined.text));
            self.writer.line(&format!("{element_type} {of_parts}[{PARTS}];"));
            kept.push((&combined.text, of_parts));
        }
        let own: Vec<&str> = kept.iter().map(|(text, _)| text.as_str()).collect();
        let clause = format!("firstprivate({})", own.join(", "));
        self.part_line(Some(&with_private(clause, pragma)), names);
        self.range_line(names);
        self.iterations(for_loop, (names, iterator))?;
        for (text, of_parts) in &kept {
            self.writer.line(&format!("{of_parts}[{part}] = {text};"));
        }
        self.close();
        self.part_line(None, names);
        if let [(key, of_parts), ..] = &kept[..] {
            let comparison = &pragma.reductions[0].operator;
            self.open(&format!("if ({of_parts}[{part}] {comparison} {key}) {{"));
            for (text, of_parts) in &kept {
                self.writer.line(&format!("{text} = {of_parts}[{part}];"));
            }
            self.close();
        }
        self.close();
        Ok(())
    }

    /// Places: parts count what passes, and write it where the parts before end.
    fn places(
        &mut self,
        for_loop: &ForLoop,
        pragma: &Pragma,
        (names, iterator): (&Names, &Name),
    ) -> Result<()> {
        let Names { first, end, part, from, to, .. } = names;
        let [combined] = &pragma.reductions[..] else { return Err(not_in_parts()) };
        let place = &combined.text;
        self.open(&format!("if ({end} - {first} < {LEAST_COUNTED}) {{"));
        self.for_loop(for_loop, None)?;
        self.writer.depth_out();
        self.open("} else {");
        let of_parts = self.lowering.fresh(&format!("{place}_of"));
        let count = self.lowering.fresh(&format!("{place}_count"));
        self.writer.line(&format!("{ITERATOR_TYPE} {of_parts}[{PARTS}];"));
        self.part_line(Some(""), names);
        self.range_line(names);
        self.writer.line(&format!("{ITERATOR_TYPE} {count} = 0;"));
        self.open(&format!(
            "for ({ITERATOR_TYPE} {iterator} = {from}; {iterator} < {to}; {iterator}++) {{"
        ));
        let text = self.counting(for_loop, &count)?;
        self.writer.line(&text);
        self.close();
        self.writer.line(&format!("{of_parts}[{part}] = {count};"));
        self.close();
        self.part_line(None, names);
        self.writer.line(&format!("const {ITERATOR_TYPE} {count} = {of_parts}[{part}];"));
        self.writer.line(&format!("{of_parts}[{part}] = {place};"));
        self.writer.line(&format!("{place} += {count};"));
        self.close();
        let private: Vec<&str> =
            [place].into_iter().chain(&pragma.private).map(String::as_str).collect();
        self.part_line(Some(&format!("private({})", private.join(", "))), names);
        self.range_line(names);
        self.writer.line(&format!("{place} = {of_parts}[{part}];"));
        self.iterations(for_loop, (names, iterator))?;
        self.close();
        self.close();
        Ok(())
    }

    /// The text that counts an instance of the only statement in a loop if it passes.
    fn counting(&mut self, for_loop: &ForLoop, count: &str) -> Result<String> {
        let calls = straight_line(&for_loop.body).unwrap_or_default();
        let [(space, place)] = calls[..] else { return Err(not_in_parts()) };
        let (statement, _) = self.call(space, place)?;
        let found = Compaction::of(self.scop, statement).ok_or_else(not_in_parts)?;
        let counting = Statement { body: found.counting(count), ..statement.clone() };
        Ok(Body::at(&counting, place, &mut self.lowering)?.statement(|_| None))
    }

    /// The head of a loop over parts, which threads share if there are clauses for that.
    fn part_line(&mut self, clauses: Option<&str>, names: &Names) {
        if let Some(clauses) = clauses {
            self.writer.line(format!("#pragma omp parallel for {clauses}").trim_end());
        }
        let part = &names.part;
        self.open(&format!("for ({ITERATOR_TYPE} {part} = 0; {part} < {PARTS}; {part}++) {{"));
    }

    fn range_line(&mut self, names: &Names) {
        let Names { first, end, length, part, from, to } = names;
        self.writer.line(&format!(
            "const {ITERATOR_TYPE} {from} = {first} + {part} * {length}, {to} = {from} + {length} < {end} ? {from} + {length} : {end};"
        ));
    }

    /// The iterations of a part.
    fn iterations(&mut self, for_loop: &ForLoop, (names, iterator): (&Names, &Name)) -> Result<()> {
        let Names { from, to, .. } = names;
        self.open(&format!(
            "for ({ITERATOR_TYPE} {iterator} = {from}; {iterator} < {to}; {iterator}++) {{"
        ));
        let result = self.node(&for_loop.body);
        self.close();
        result
    }

    pub(super) fn open(&mut self, line: &str) {
        self.writer.line(line);
        self.writer.depth_in();
    }

    pub(super) fn close(&mut self) {
        self.writer.depth_out();
        self.writer.line("}");
    }
}

fn with_private(clause: String, pragma: &Pragma) -> String {
    match pragma.private.is_empty() {
        true => clause,
        false => format!("{clause} private({})", pragma.private.join(", ")),
    }
}

fn not_in_parts() -> Error {
    Error::Invalid {
        operation: "printing a region",
        reason: "a mark speaks about parts of a loop that has none".to_string(),
    }
}
