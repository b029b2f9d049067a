//! Loops that end early, searched by threads: the first iterations run in turn, then threads look at chunks that grow.
//!
//! ```text
//! {
//!   const long first = 0;
//!   const long bound = n;
//!   const long end = first < bound ? bound : first;
//!   const long stop = end - first > 16384 ? first + 16384 : end;
//!   long at = end;
//!   for (int i = first; i < stop; i++) {
//!     { if (a[i] < 0) { at = i; break; } b[i] = 2 * a[i]; }
//!   }
//!   for (long start = stop, length = 32768; start < end && at == end; start += length, length = length < 1048576 ? 2 * length : length) {
//!     const long last = end - start > length ? start + length : end;
//! #pragma omp parallel for reduction(min: at)
//!     for (long from = start; from < last; from += 4096) {
//!       if (from < at) {
//!         const long to = last - from > 4096 ? from + 4096 : last;
//!         for (int i = from; i < to; i++) {
//!           { if (a[i] < 0) { at = i; break; } }
//!         }
//!       }
//!     }
//!     const long done = at < last ? at : last;
//! #pragma omp parallel for
//!     for (int i = start; i < done; i++) {
//!       { b[i] = 2 * a[i]; }
//!     }
//!   }
//!   if (at < end) {
//!     const int i = at;
//!     { pos = i; }
//!   }
//! }
//! ```
//!
//! A chunk is as long as all iterations in front of it, so what threads look at in vain behind the exit is at most as much as what
//! one thread would have looked at in front of it: on two threads that is no loss, on more it is a gain.
use super::{ITERATOR_TYPE, Printer};
use crate::body::Body;
use loopwright_astgen::Place;
use loopwright_presburger::Result;
use loopwright_scop::{EarlyExit, Statement};

/// Iterations that run in turn before threads are called: about ten microseconds, a few times what calling them takes.
const IN_TURN: usize = 16_384;

/// The length of chunks that do not grow any more: about a millisecond of one thread.
const LONGEST: usize = 1_048_576;

/// What a thread looks at before it sees whether it has found the exit: few, so that work is even, and enough for
/// reading in a row.
const PIECE: usize = 4_096;

impl Printer<'_> {
    /// A statement that is a loop which ends early, searched by threads.
    pub(super) fn search(
        &mut self,
        statement: &Statement,
        exit: &EarlyExit,
        place: &Place,
    ) -> Result<()> {
        let mut text = |body: loopwright_scop::Body| -> Result<String> {
            let own = Statement { body, ..statement.clone() };
            Ok(Body::at(&own, place, &mut self.lowering)?.statement(|_| None))
        };
        let (first_value, bound_value) = (text(exit.first())?, text(exit.bound_by_flag())?);
        let (work, ending) = (text(exit.work())?, text(exit.end())?);
        let at = self.lowering.fresh("at");
        let mut text = |body: loopwright_scop::Body| -> Result<String> {
            let own = Statement { body, ..statement.clone() };
            Ok(Body::at(&own, place, &mut self.lowering)?.statement(|_| None))
        };
        let (in_turn, look) = (text(exit.in_turn(&at))?, text(exit.search(&at))?);
        let mut fresh = |wanted: &str| self.lowering.fresh(wanted);
        let [first, bound, end, stop] = ["first", "bound", "end", "stop"].map(&mut fresh);
        let [start, length, last] = ["start", "length", "last"].map(&mut fresh);
        let [from, to, done] = ["from", "to", "done"].map(&mut fresh);
        let (c_type, i, long) = (exit.c_type(), exit.iterator_name(), ITERATOR_TYPE);
        let (less, behind) = match exit.is_inclusive() {
            true => ("<=", format!("{bound} + 1")),
            false => ("<", bound.to_string()),
        };
        let iterations =
            |from: &str, to: &str| format!("for ({c_type} {i} = {from}; {i} < {to}; {i}++) {{");
        self.is_improved = true;
        self.searches = true;
        let id = statement.id;
        self.open("{");
        self.writer.line(&format!("const {long} {first} = {first_value}"));
        self.writer.line(&format!("const {long} {bound} = {bound_value}"));
        self.writer
            .line(&format!("const {long} {end} = {first} {less} {bound} ? {behind} : {first};"));
        self.writer.line(&format!(
            "const {long} {stop} = {end} - {first} > {IN_TURN} ? {first} + {IN_TURN} : {end};"
        ));
        self.writer.line(&format!("{long} {at} = {end};"));
        self.open(&iterations(&first, &stop));
        self.writer.statement(&in_turn, id);
        self.close();
        self.open(&format!(
            "for ({long} {start} = {stop}, {length} = {}; {start} < {end} && {at} == {end}; {start} += {length}, {length} = {length} < {LONGEST} ? 2 * {length} : {length}) {{",
            2 * IN_TURN
        ));
        self.writer.line(&format!(
            "const {long} {last} = {end} - {start} > {length} ? {start} + {length} : {end};"
        ));
        self.writer.line(&format!("#pragma omp parallel for reduction(min: {at})"));
        self.open(&format!("for ({long} {from} = {start}; {from} < {last}; {from} += {PIECE}) {{"));
        self.open(&format!("if ({from} < {at}) {{"));
        self.writer.line(&format!(
            "const {long} {to} = {last} - {from} > {PIECE} ? {from} + {PIECE} : {last};"
        ));
        self.open(&iterations(&from, &to));
        self.writer.statement(&look, id);
        self.close();
        self.close();
        self.close();
        if exit.has_work() {
            self.writer.line(&format!("const {long} {done} = {at} < {last} ? {at} : {last};"));
            self.writer.line("#pragma omp parallel for");
            self.open(&iterations(&start, &done));
            self.writer.statement(&work, id);
            self.close();
        }
        self.close();
        if exit.has_end() {
            self.open(&format!("if ({at} < {end}) {{"));
            self.writer.line(&format!("const {c_type} {i} = {at};"));
            self.writer.statement(&ending, id);
            self.close();
        }
        if exit.leaves_iterator() {
            let left = match exit.counts_exit() {
                true => format!("{i} = {at} < {end} ? {at} + 1 : {at};"),
                false => format!("{i} = {at};"),
            };
            self.writer.line(&left);
        }
        self.close();
        Ok(())
    }
}
