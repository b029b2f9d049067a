//! Loops that end early, searched by threads: the first iterations run in turn, then threads look at chunks
//! that grow.
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
//!   long team = 0;
//!   if (stop < end && at == end) {
//! #pragma omp parallel reduction(+: team)
//!     team += 1;
//!   }
//!   const long alone = team == 1 ? end : stop;
//!   for (int i = stop; i < alone; i++) {
//!     { if (a[i] < 0) { at = i; break; } b[i] = 2 * a[i]; }
//!   }
//!   for (long start = alone, length = 32768; start < end && at == end; start += length, length = length < 1048576 ? 2 * length : length) {
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
//! A chunk is as long as all iterations in front of it, so what threads look at in vain behind the exit is at
//! most as much as what one thread would have looked at in front of it: on two threads that is no loss, on
//! more it is a gain. A single thread would go over a chunk with work twice, so threads are counted before
//! the first chunk, and one alone goes on in turn. Without work it looks at each iteration once in any case,
//! and nothing is counted. Steps of another size than one multiply all lengths. Loops that count down are
//! mirrored: `i > stop; i--`, `reduction(max: at)`. Where there are several ways out, the end has their
//! conditions again:
//!
//! ```text
//!   if (at < end) {
//!     const int i = at;
//!     { if (a[i] == key) { pos = i; } else { found = 2; } }
//!   }
//! ```
//!
//! Where the function is left, that comes last:
//!
//! ```text
//!   if (at < end) {
//!     const int i = at;
//!     { return i; }
//!   }
//! ```
use super::{ITERATOR_TYPE, Printer};
use crate::body::Body;
use loopwright_astgen::Place;
use loopwright_presburger::Result;
use loopwright_scop::{EarlyExit, Statement};

/// Iterations that run in turn before threads are called: about ten microseconds, a few times what calling
/// them takes.
const IN_TURN: i64 = 16_384;

/// The length of chunks that do not grow any more: about a millisecond of one thread.
const LONGEST: i64 = 1_048_576;

/// What a thread looks at before it sees whether it has found the exit: few, so that work is even, and enough
/// for reading in a row.
const PIECE: i64 = 4_096;

/// Which way iterations go: what stands between an earlier and a later one, and what leads from one to the
/// next.
#[derive(Clone, Copy)]
struct Direction {
    before: char,
    on: char,
    /// The operator of reductions that takes the earliest.
    least: &'static str,
}

impl Direction {
    fn of(exit: &EarlyExit) -> Direction {
        match exit.counts_down() {
            true => Direction { before: '>', on: '-', least: "max" },
            false => Direction { before: '<', on: '+', least: "min" },
        }
    }

    /// How far one iteration is from a later one.
    fn distance(self, from: &str, to: &str) -> String {
        match self.on {
            '+' => format!("{to} - {from}"),
            _ => format!("{from} - {to}"),
        }
    }
}

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
        let [team, alone] = ["team", "alone"].map(&mut fresh);
        let (c_type, i, long) = (exit.c_type(), exit.iterator_name(), ITERATOR_TYPE);
        let direction = Direction::of(exit);
        let Direction { before, on, least } = direction;
        let (equal, behind) = if exit.is_inclusive() { ("=", 1) } else { ("", 0) };
        let step = exit.step();
        // The first value of the iterator that is not in front of the bound.
        let behind = match (step, behind) {
            (1, 0) => bound.to_string(),
            (1, more) => format!("{bound} {on} {more}"),
            _ => {
                let distance = direction.distance(&first, &bound);
                format!("{first} {on} ({distance} + {}) / {step} * {step}", step - 1 + behind)
            }
        };
        // Threads pass over no end that the iterator cannot have.
        let limit = exit.limit().map(|limit| format!(" && {end} {before}= {limit}"));
        let fits = limit.unwrap_or_default();
        let count = match step {
            1 => format!("{i}{on}{on}"),
            _ => format!("{i} {on}= {step}"),
        };
        let [in_turn_length, longest, piece] = [IN_TURN, LONGEST, PIECE].map(|n| n * step);
        let iterations = |from: &str, to: &str| {
            format!("for ({c_type} {i} = {from}; {i} {before} {to}; {count}) {{")
        };
        // The end of a part that begins at `from`.
        let part = |from: &str, length: &str, end: &str, fits: &str| {
            let distance = direction.distance(from, end);
            format!("{distance} > {length}{fits} ? {from} {on} {length} : {end};")
        };
        self.is_improved = true;
        self.searches = true;
        let id = statement.id;
        self.open("{");
        self.writer.line(&format!("const {long} {first} = {first_value}"));
        self.writer.line(&format!("const {long} {bound} = {bound_value}"));
        self.writer.line(&format!(
            "const {long} {end} = {first} {before}{equal} {bound} ? {behind} : {first};"
        ));
        let turn = part(&first, &in_turn_length.to_string(), &end, &fits);
        self.writer.line(&format!("const {long} {stop} = {turn}"));
        self.writer.line(&format!("{long} {at} = {end};"));
        self.open(&iterations(&first, &stop));
        self.writer.statement(&in_turn, id);
        self.close();
        let begin = match exit.has_work() {
            true => {
                self.writer.line(&format!("{long} {team} = 0;"));
                self.open(&format!("if ({stop} {before} {end} && {at} == {end}) {{"));
                self.writer.line(&format!("#pragma omp parallel reduction(+: {team})"));
                self.writer.line(&format!("{team} += 1;"));
                self.close();
                self.writer.line(&format!("const {long} {alone} = {team} == 1 ? {end} : {stop};"));
                self.open(&iterations(&stop, &alone));
                self.writer.statement(&in_turn, id);
                self.close();
                &alone
            }
            false => &stop,
        };
        self.open(&format!(
            "for ({long} {start} = {begin}, {length} = {}; {start} {before} {end} && {at} == {end}; {start} {on}= {length}, {length} = {length} < {longest} ? 2 * {length} : {length}) {{",
            2 * in_turn_length
        ));
        let chunk = part(&start, &length, &end, "");
        self.writer.line(&format!("const {long} {last} = {chunk}"));
        self.writer.line(&format!("#pragma omp parallel for reduction({least}: {at})"));
        self.open(&format!(
            "for ({long} {from} = {start}; {from} {before} {last}; {from} {on}= {piece}) {{"
        ));
        self.open(&format!("if ({from} {before} {at}) {{"));
        let share = part(&from, &piece.to_string(), &last, "");
        self.writer.line(&format!("const {long} {to} = {share}"));
        self.open(&iterations(&from, &to));
        self.writer.statement(&look, id);
        self.close();
        self.close();
        self.close();
        if exit.has_work() {
            self.writer
                .line(&format!("const {long} {done} = {at} {before} {last} ? {at} : {last};"));
            self.writer.line("#pragma omp parallel for");
            self.open(&iterations(&start, &done));
            self.writer.statement(&work, id);
            self.close();
        }
        self.close();
        let left = match exit.counts_exit() {
            true => format!("{i} = {at} {before} {end} ? {at} {on} {step} : {at};"),
            false => format!("{i} = {at};"),
        };
        // Where the function is left, the iterator has its value before.
        let is_set_before = exit.leaves_iterator() && exit.returns();
        if is_set_before {
            self.writer.line(&left);
        }
        if exit.has_end() {
            self.open(&format!("if ({at} {before} {end}) {{"));
            if !is_set_before {
                self.writer.line(&format!("const {c_type} {i} = {at};"));
            }
            self.writer.statement(&ending, id);
            self.close();
        }
        if exit.leaves_iterator() && !exit.returns() {
            self.writer.line(&left);
        }
        self.close();
        Ok(())
    }
}
