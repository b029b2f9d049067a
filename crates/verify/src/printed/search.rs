//! Loops that end early, searched by threads.
//!
//! That the least iteration which ends the loop may be looked for first is proved of the mark (`order/searches.rs`). Here the text is
//! compared with what the mark stands for:
//!
//! * `at` is the end, or the least iteration in `[first, stop)` whose condition holds: these run in turn, as in the program.
//! * If there is work, `team` is how many threads there are, counted where there is more to look at. If it is one, the others up to the end
//!   run in turn as well: `alone` is the end then. Otherwise `team` is 0 or more than one, and `alone` is `stop`.
//! * Chunks `[start, last)` follow each other from `alone` (`stop` without work) to the end, with `start += length` and `last = min(start + length, end)`, until one
//!   has an exit. The iterations in front of a chunk have none, so the least one of it is the least one of all. A thread has a copy of `at`,
//!   which begins above all iterations; its pieces `[from, min(from + 4096, last))` are ascending, and it leaves out those behind
//!   what it has found. The least copy, or the end, is `at`.
//! * The work of a chunk is that of `[start, min(at, last))`, so in all that of `[first, at)`.
//! * Iterations are `first + k * step`: all lengths are multiples of the step, and the end is the least of these values that is not in front of
//!   the bound, so every loop begins and ends at one of them.
//! * What stands at the exit runs for `at`, if that is in front of the end, and `at` is what the iterator is left with. If the function is
//!   left there, the iterator has that value before.
use crate::printed::body::Call;
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use loopwright_scop::{Body, EarlyExit, Statement};

impl<'a> TextWalk<'_, 'a> {
    /// Whether a statement below a mark stands here as a search.
    pub(super) fn is_search(&self) -> bool {
        self.searches
            && self.cursor.is("{")
            && self.cursor.is_ahead(1, "const")
            && self.cursor.is_ahead(2, "long")
    }

    /// A search.
    pub(super) fn search(&mut self, call: Call<'a>) -> Walked<()> {
        let exit = EarlyExit::of(self.scop, call.statement).and_then(Result::ok);
        let exit = exit.ok_or_else(|| self.cursor.wrong("a loop that is not searched"))?;
        let (c_type, i) = (exit.c_type(), exit.iterator_name());
        let mut own = Vec::new();
        self.cursor.expect("{")?;
        let first = self.own_constant(&mut own)?;
        self.searched(call, exit.first())?;
        let bound = self.own_constant(&mut own)?;
        self.searched(call, exit.bound_by_flag())?;
        let end = self.own_constant(&mut own)?;
        let step = exit.step();
        let (less, more) = if exit.is_inclusive() { ("<=", 1) } else { ("<", 0) };
        self.read(&format!("{first} {less} {bound} ?"))?;
        match (step, more) {
            (1, 0) => self.read(&format!("{bound} : {first};"))?,
            (1, _) => self.read(&format!("{bound} + 1 : {first};"))?,
            // The least first + k * step that is not in front of the bound: (bound - first + more + step - 1) / step steps.
            _ => self.read(&format!(
                "{first} + ({bound} - {first} + {}) / {step} * {step} : {first};",
                step + more - 1
            ))?,
        }
        let count = counting(&exit);
        let stop = self.own_constant(&mut own)?;
        let (turn, piece) = (16384 * step, 4096 * step);
        self.read(&format!("{end} - {first} > {turn}"))?;
        if let Some(limit) = exit.limit() {
            self.read(&format!("&& {end} <= {limit}"))?;
        }
        self.read(&format!("? {first} + {turn} : {end};"))?;
        self.cursor.expect("long")?;
        let at = self.own_word(&mut own)?;
        self.read(&format!("= {end}; for ({c_type} {i} = {first}; {i} < {stop}; {count}) {{"))?;
        self.searched(call, exit.in_turn(at))?;
        self.read("}")?;
        let begin = match exit.has_work() {
            true => self.counted_threads(call, &exit, (at, end, stop), &mut own)?,
            false => stop,
        };
        self.read("for (long")?;
        let start = self.own_word(&mut own)?;
        self.read(&format!("= {begin},"))?;
        let length = self.own_word(&mut own)?;
        let (least, longest) = (2 * turn, 64 * turn);
        self.read(&format!("= {least}; {start} < {end} && {at} == {end};"))?;
        self.read(&format!("{start} += {length},"))?;
        self.read(&format!("{length} = {length} < {longest} ? 2 * {length} : {length}) {{"))?;
        let last = self.own_constant(&mut own)?;
        self.read(&format!("{end} - {start} > {length} ? {start} + {length} : {end};"))?;
        self.cursor.expect_line(&format!("#pragma omp parallel for reduction(min: {at})"))?;
        self.read("for (long")?;
        let from = self.own_word(&mut own)?;
        self.read(&format!("= {start}; {from} < {last}; {from} += {piece}) {{"))?;
        self.read(&format!("if ({from} < {at}) {{"))?;
        let to = self.own_constant(&mut own)?;
        self.read(&format!("{last} - {from} > {piece} ? {from} + {piece} : {last};"))?;
        self.read(&format!("for ({c_type} {i} = {from}; {i} < {to}; {count}) {{"))?;
        self.searched(call, exit.search(at))?;
        self.read("} } }")?;
        if exit.has_work() {
            let done = self.own_constant(&mut own)?;
            self.read(&format!("{at} < {last} ? {at} : {last};"))?;
            self.cursor.expect_line("#pragma omp parallel for")?;
            self.read(&format!("for ({c_type} {i} = {start}; {i} < {done}; {count}) {{"))?;
            self.searched(call, exit.work())?;
            self.read("}")?;
        }
        self.read("}")?;
        let left = match exit.counts_exit() {
            true => format!("{i} = {at} < {end} ? {at} + {step} : {at};"),
            false => format!("{i} = {at};"),
        };
        let (leaves, returns) = (exit.leaves_iterator(), exit.returns());
        if leaves && returns {
            self.read(&left)?;
        }
        if exit.has_end() {
            self.read(&format!("if ({at} < {end}) {{"))?;
            if !(leaves && returns) {
                self.read(&format!("const {c_type} {i} = {at};"))?;
            }
            self.searched(call, exit.end())?;
            self.read("}")?;
        }
        if leaves && !returns {
            self.read(&left)?;
        }
        self.cursor.expect("}")
    }

    /// Threads are counted, and one alone goes on in turn: where chunks begin.
    fn counted_threads(
        &mut self,
        call: Call<'a>,
        exit: &EarlyExit,
        (at, end, stop): (&'a str, &'a str, &'a str),
        own: &mut Vec<&'a str>,
    ) -> Walked<&'a str> {
        let (c_type, i, count) = (exit.c_type(), exit.iterator_name(), counting(exit));
        self.cursor.expect("long")?;
        let team = self.own_word(own)?;
        self.read(&format!("= 0; if ({stop} < {end} && {at} == {end}) {{"))?;
        self.cursor.expect_line(&format!("#pragma omp parallel reduction(+: {team})"))?;
        self.read(&format!("{team} += 1; }}"))?;
        let alone = self.own_constant(own)?;
        self.read(&format!("{team} == 1 ? {end} : {stop};"))?;
        self.read(&format!("for ({c_type} {i} = {stop}; {i} < {alone}; {count}) {{"))?;
        self.searched(call, exit.in_turn(at))?;
        self.read("}")?;
        Ok(alone)
    }

    /// `const long NAME =`: the name.
    fn own_constant(&mut self, own: &mut Vec<&'a str>) -> Walked<&'a str> {
        self.read("const long")?;
        let name = self.own_word(own)?;
        self.cursor.expect("=")?;
        Ok(name)
    }

    /// A name that nothing else has.
    fn own_word(&mut self, own: &mut Vec<&'a str>) -> Walked<&'a str> {
        let name = self.cursor.word()?;
        self.new_name(name)?;
        if own.contains(&name) {
            return Err(self.cursor.wrong("another name"));
        }
        own.push(name);
        Ok(name)
    }

    /// A part of the statement that is searched.
    fn searched(&mut self, call: Call<'a>, body: Body) -> Walked<()> {
        let Call { statement, tuple, arguments } = call;
        let part = Statement { body, ..statement.clone() };
        self.statement(Call { statement: &part, tuple, arguments }, &[]).map(|_| ())
    }
}

/// What moves the iterator on.
fn counting(exit: &EarlyExit) -> String {
    match (exit.iterator_name(), exit.step()) {
        (i, 1) => format!("{i}++"),
        (i, step) => format!("{i} += {step}"),
    }
}
