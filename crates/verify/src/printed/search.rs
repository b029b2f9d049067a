//! Loops that end early, searched by threads.
//!
//! That the least iteration which ends the loop may be looked for first is proved of the mark (`order/searches.rs`). Here the text is
//! compared with what the mark stands for:
//!
//! * `at` is the end, or the least iteration in `[first, stop)` whose condition holds: these run in turn, as in the program.
//! * Chunks `[start, last)` follow each other from `stop` to the end, with `start += length` and `last = min(start + length, end)`, until one
//!   has an exit. The iterations in front of a chunk have none, so the least one of it is the least one of all. A thread has a copy of `at`,
//!   which begins above all iterations; its pieces `[from, min(from + 4096, last))` are ascending, and it leaves out those behind
//!   what it has found. The least copy, or the end, is `at`.
//! * The work of a chunk is that of `[start, min(at, last))`, so in all that of `[first, at)`.
//! * What stands at the exit runs for `at`, if that is in front of the end, and `at` is what the iterator is left with.
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
        match exit.is_inclusive() {
            true => self.read(&format!("{first} <= {bound} ? {bound} + 1 : {first};"))?,
            false => self.read(&format!("{first} < {bound} ? {bound} : {first};"))?,
        }
        let stop = self.own_constant(&mut own)?;
        self.read(&format!("{end} - {first} > 16384 ? {first} + 16384 : {end};"))?;
        self.cursor.expect("long")?;
        let at = self.own_word(&mut own)?;
        self.read(&format!("= {end}; for ({c_type} {i} = {first}; {i} < {stop}; {i}++) {{"))?;
        self.searched(call, exit.in_turn(at))?;
        self.read("} for (long")?;
        let start = self.own_word(&mut own)?;
        self.read(&format!("= {stop},"))?;
        let length = self.own_word(&mut own)?;
        self.read(&format!("= 32768; {start} < {end} && {at} == {end};"))?;
        self.read(&format!("{start} += {length},"))?;
        self.read(&format!("{length} = {length} < 1048576 ? 2 * {length} : {length}) {{"))?;
        let last = self.own_constant(&mut own)?;
        self.read(&format!("{end} - {start} > {length} ? {start} + {length} : {end};"))?;
        self.cursor.expect_line(&format!("#pragma omp parallel for reduction(min: {at})"))?;
        self.read("for (long")?;
        let from = self.own_word(&mut own)?;
        self.read(&format!("= {start}; {from} < {last}; {from} += 4096) {{"))?;
        self.read(&format!("if ({from} < {at}) {{"))?;
        let to = self.own_constant(&mut own)?;
        self.read(&format!("{last} - {from} > 4096 ? {from} + 4096 : {last};"))?;
        self.read(&format!("for ({c_type} {i} = {from}; {i} < {to}; {i}++) {{"))?;
        self.searched(call, exit.search(at))?;
        self.read("} } }")?;
        if exit.has_work() {
            let done = self.own_constant(&mut own)?;
            self.read(&format!("{at} < {last} ? {at} : {last};"))?;
            self.cursor.expect_line("#pragma omp parallel for")?;
            self.read(&format!("for ({c_type} {i} = {start}; {i} < {done}; {i}++) {{"))?;
            self.searched(call, exit.work())?;
            self.read("}")?;
        }
        self.read("}")?;
        if exit.has_end() {
            self.read(&format!("if ({at} < {end}) {{ const {c_type} {i} = {at};"))?;
            self.searched(call, exit.end())?;
            self.read("}")?;
        }
        if exit.leaves_iterator() {
            match exit.counts_exit() {
                true => self.read(&format!("{i} = {at} < {end} ? {at} + 1 : {at};"))?,
                false => self.read(&format!("{i} = {at};"))?,
            }
        }
        self.cursor.expect("}")
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
