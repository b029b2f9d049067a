//! Loops that end early, searched by threads.
//!
//! That the least iteration which ends the loop may be looked for first is proved of the mark
//! (`order/searches.rs`). Here the text is compared with what the mark stands for:
//!
//! * `at` is the end, or the least iteration in `[first, stop)` whose condition holds: these run in turn, as
//!   in the program.
//! * If there is work, `team` is how many threads there are, counted where there is more to look at. If it is
//!   one, the others up to the end run in turn as well: `alone` is the end then. Otherwise `team` is 0 or
//!   more than one, and `alone` is `stop`.
//! * Chunks `[start, last)` follow each other from `alone` (`stop` without work) to the end, with
//!   `start += length` and `last = min(start + length, end)`, until one has an exit. The iterations in front
//!   of a chunk have none, so the least one of it is the least one of all. A thread has a copy of `at`, which
//!   begins above all iterations; its pieces `[from, min(from + 4096, last))` are ascending, and it leaves
//!   out those behind what it has found. The least copy, or the end, is `at`.
//! * The work of a chunk is that of `[start, min(at, last))`, so in all that of `[first, at)`.
//! * Iterations are `first + k * step`: all lengths are multiples of the step, and the end is the least of
//!   these values that is not in front of the bound, so every loop begins and ends at one of them.
//! * What stands at the exit runs for `at`, if that is in front of the end, and `at` is what the iterator is
//!   left with. If the function is left there, the iterator has that value before. If there are several ways
//!   out, their conditions decide again there: nothing that they read has changed, so the first that holds is
//!   the one that the iteration took.
//! * Loops that count down are the same with `-` for `+`, `>` for `<`, and the greatest copy of `at`: the
//!   mirrored order of numbers.
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
        let order = Order::of(&exit);
        let Order { less, plus, least, .. } = order;
        let (equal, more) = if exit.is_inclusive() { ("=", 1) } else { ("", 0) };
        self.read(&format!("{first} {less}{equal} {bound} ?"))?;
        match (step, more) {
            (1, 0) => self.read(&format!("{bound} : {first};"))?,
            (1, _) => self.read(&format!("{bound} {plus} 1 : {first};"))?,
            // The least first + k * step that is not in front of the bound: (bound - first + more + step - 1)
            // / step steps.
            _ => self.read(&format!(
                "{first} {plus} ({} + {}) / {step} * {step} : {first};",
                order.distance(first, bound),
                step + more - 1
            ))?,
        }
        let count = order.counting(&exit);
        let stop = self.own_constant(&mut own)?;
        let (turn, piece) = (16384 * step, 4096 * step);
        self.read(&format!("{} > {turn}", order.distance(first, end)))?;
        if let Some(limit) = exit.limit() {
            self.read(&format!("&& {end} {less}= {limit}"))?;
        }
        self.read(&format!("? {first} {plus} {turn} : {end};"))?;
        self.cursor.expect("long")?;
        let at = self.own_word(&mut own)?;
        self.read(&format!(
            "= {end}; for ({c_type} {i} = {first}; {i} {less} {stop}; {count}) {{"
        ))?;
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
        let (shortest, longest) = (2 * turn, 64 * turn);
        self.read(&format!("= {shortest}; {start} {less} {end} && {at} == {end};"))?;
        self.read(&format!("{start} {plus}= {length},"))?;
        self.read(&format!("{length} = {length} < {longest} ? 2 * {length} : {length}) {{"))?;
        let last = self.own_constant(&mut own)?;
        let left = order.distance(start, end);
        self.read(&format!("{left} > {length} ? {start} {plus} {length} : {end};"))?;
        let pragma = format!("#pragma omp parallel for reduction({least}: {at})");
        self.cursor.expect_line(&pragma)?;
        self.read("for (long")?;
        let from = self.own_word(&mut own)?;
        self.read(&format!("= {start}; {from} {less} {last}; {from} {plus}= {piece}) {{"))?;
        self.read(&format!("if ({from} {less} {at}) {{"))?;
        let to = self.own_constant(&mut own)?;
        let left = order.distance(from, last);
        self.read(&format!("{left} > {piece} ? {from} {plus} {piece} : {last};"))?;
        self.read(&format!("for ({c_type} {i} = {from}; {i} {less} {to}; {count}) {{"))?;
        self.searched(call, exit.search(at))?;
        self.read("} } }")?;
        if exit.has_work() {
            let done = self.own_constant(&mut own)?;
            self.read(&format!("{at} {less} {last} ? {at} : {last};"))?;
            self.cursor.expect_line("#pragma omp parallel for")?;
            self.read(&format!("for ({c_type} {i} = {start}; {i} {less} {done}; {count}) {{"))?;
            self.searched(call, exit.work())?;
            self.read("}")?;
        }
        self.read("}")?;
        let left = match exit.counts_exit() {
            true => format!("{i} = {at} {less} {end} ? {at} {plus} {step} : {at};"),
            false => format!("{i} = {at};"),
        };
        let (leaves, returns) = (exit.leaves_iterator(), exit.returns());
        if leaves && returns {
            self.read(&left)?;
        }
        if exit.has_end() {
            self.read(&format!("if ({at} {less} {end}) {{"))?;
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
        let order = Order::of(exit);
        let (c_type, i, less) = (exit.c_type(), exit.iterator_name(), order.less);
        let count = order.counting(exit);
        self.cursor.expect("long")?;
        let team = self.own_word(own)?;
        self.read(&format!("= 0; if ({stop} {less} {end} && {at} == {end}) {{"))?;
        self.cursor.expect_line(&format!("#pragma omp parallel reduction(+: {team})"))?;
        self.read(&format!("{team} += 1; }}"))?;
        let alone = self.own_constant(own)?;
        self.read(&format!("{team} == 1 ? {end} : {stop};"))?;
        self.read(&format!("for ({c_type} {i} = {stop}; {i} {less} {alone}; {count}) {{"))?;
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

/// In which order of numbers iterations follow each other.
struct Order {
    less: char,
    plus: char,
    /// The operator of reductions that takes the least one in this order.
    least: &'static str,
    is_mirrored: bool,
}

impl Order {
    fn of(exit: &EarlyExit) -> Order {
        match exit.counts_down() {
            false => Order { less: '<', plus: '+', least: "min", is_mirrored: false },
            true => Order { less: '>', plus: '-', least: "max", is_mirrored: true },
        }
    }

    /// How far it is from one iteration on to another one.
    fn distance(&self, from: &str, to: &str) -> String {
        match self.is_mirrored {
            false => format!("{to} - {from}"),
            true => format!("{from} - {to}"),
        }
    }

    /// What moves the iterator on.
    fn counting(&self, exit: &EarlyExit) -> String {
        match (exit.iterator_name(), self.plus, exit.step()) {
            (i, plus, 1) => format!("{i}{plus}{plus}"),
            (i, plus, step) => format!("{i} {plus}= {step}"),
        }
    }
}
