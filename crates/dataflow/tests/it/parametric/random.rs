//! Random programs with dynamic control, checked at every read of a few runs.
use crate::parametric::oracle::Analysed;
use loopwright_testkit::cases::seeds;

/// Writes programs.
struct Writer {
    state: u64,
    iterators: Vec<String>,
    /// Those of them that are variables in memory: subscripts with them have to be inside of arrays.
    in_memory: Vec<String>,
    n_loops: usize,
    /// Whether `break` may be written: in a `switch` outside of its loops it means something else.
    may_break: bool,
    n_left: i64,
    /// Whether variables get values that can be followed.
    follows: bool,
    text: String,
}

impl Writer {
    fn of(&mut self, most: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % most
    }

    fn one(&mut self, words: &[&str]) -> String {
        words[self.of(words.len() as u64) as usize].to_string()
    }

    fn line(&mut self, text: &str) {
        self.text += text;
        self.text += "\n";
    }

    fn subscript(&mut self) -> String {
        let iterator = match self.iterators.len() as u64 {
            0 => return self.one(&["0", "1", "x"]),
            n => self.of(n) as usize,
        };
        let iterator = self.iterators[iterator].clone();
        match self.of(12) {
            0..=6 => iterator,
            7 => format!("{iterator} + 1"),
            8 if !self.in_memory.contains(&iterator) => format!("{iterator} - 1"),
            9 => "1".to_string(),
            10 => "y".to_string(),
            _ => format!("c[{iterator}]"),
        }
    }

    fn place(&mut self) -> String {
        match self.of(7) {
            0..=2 => "x".to_string(),
            3 | 4 => "y".to_string(),
            _ => format!("a[{}]", self.subscript()),
        }
    }

    fn value(&mut self) -> String {
        match self.of(5) {
            4 if self.follows => match self.iterators.last().cloned() {
                Some(iterator) if self.of(2) == 0 => iterator,
                _ => self.one(&["0", "2", "x + 1", "y + 1", "n"]),
            },
            0 => "f()".to_string(),
            1 => format!("g({})", self.place()),
            _ => self.place(),
        }
    }

    fn condition(&mut self) -> String {
        let simple = |this: &mut Self| {
            let value = match this.of(3) {
                0 => this.one(&["x", "y"]),
                1 => format!("c[{}]", this.subscript()),
                _ => format!("b[{}]", this.subscript()),
            };
            match this.of(4) {
                0 => value,
                1 => format!("!{value}"),
                2 => format!("{value} > 1"),
                _ => format!("{value} == 1"),
            }
        };
        let first = simple(self);
        match self.of(8) {
            0 => format!("{first} && {}", simple(self)),
            1 => format!("{first} || {}", simple(self)),
            2 => format!("g({})", self.place()),
            3 if !self.iterators.is_empty() => format!("{} > 0 && {first}", self.iterators[0]),
            _ => first,
        }
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.of(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        self.n_left -= 1;
        if self.n_left < 0 || depth > 3 {
            return self.assignment();
        }
        match self.of(12) {
            0 | 1 => self.for_loop(depth),
            2 => {
                let condition = if self.of(2) == 0 { "f()".into() } else { self.condition() };
                self.line(&format!("while ({condition}) {{"));
                self.inside_loop("w", depth, false);
                self.line("}");
            }
            3 if self.of(2) == 0 => {
                self.line("do {");
                self.inside_loop("w", depth, false);
                self.line("}");
                let condition = self.condition();
                self.line(&format!("while ({condition});"));
            }
            4..=6 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.statements(depth + 1);
                if self.of(3) == 0 {
                    self.line("}");
                    self.line("else {");
                    self.statements(depth + 1);
                }
                self.line("}");
            }
            7 if self.n_loops > 0 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.writes();
                self.jump();
                self.line("}");
                if self.of(3) == 0 {
                    self.line("else {");
                    self.writes();
                    if self.of(3) == 0 {
                        self.jump();
                    }
                    self.line("}");
                }
            }
            8 if self.n_loops > 0 && self.may_break && self.of(3) == 0 => {
                let (first, second) = (self.condition(), self.condition());
                self.line(&format!("if ({first}) {{"));
                self.assignment();
                self.line(&format!("if ({second})"));
                let jump = self.one(&["break;", "continue;"]);
                self.line(&jump);
                self.line("}");
            }
            9 if self.of(2) == 0 => self.switch(depth),
            _ => self.assignment(),
        }
    }

    /// Up to two writes, of which one may be under a condition.
    fn writes(&mut self) {
        for _ in 0..self.of(3) {
            if self.of(4) == 0 {
                let condition = self.condition();
                self.line(&format!("if ({condition})"));
            }
            self.assignment();
        }
    }

    fn jump(&mut self) {
        let jump = match self.may_break {
            true => self.one(&["break;", "continue;", "break;", "return;"]),
            false => self.one(&["continue;", "return;"]),
        };
        self.line(&jump);
    }

    fn switch(&mut self, depth: usize) {
        let selector = match self.iterators.last().cloned() {
            Some(iterator) if self.of(2) == 0 => self.one(&[&iterator, &format!("c[{iterator}]")]),
            _ => self.one(&["x", "y + 1", "c[1]", "2 * x"]),
        };
        let before = std::mem::replace(&mut self.may_break, false);
        self.line(&format!("switch ({selector}) {{"));
        for label in ["case 0:", "case 2:", "default:", "case 1:"] {
            if self.of(3) > 0 {
                self.line(label);
                self.statements(depth + 1);
                if self.of(3) > 0 {
                    self.line("break;");
                }
            }
        }
        self.line("case 7:");
        self.assignment();
        self.line("}");
        self.may_break = before;
    }

    fn assignment(&mut self) {
        let (place, value) = (self.place(), self.value());
        self.line(&format!("{place} = {value};"));
    }

    fn for_loop(&mut self, depth: usize) {
        let name = format!("i{depth}");
        let bound = match self.of(7) {
            0 => "x".to_string(),
            1 => "y + 1".to_string(),
            2 => self.one(&["g(0)", "b[0]"]),
            3 => "3".to_string(),
            _ => "n".to_string(),
        };
        let start = match self.of(5) {
            0 => self.one(&["x", "y", "c[0]", "f()"]),
            _ => "0".to_string(),
        };
        // Then the iterator is a variable like others, and each part of the head has a line.
        let is_changed = self.of(12) == 0;
        let is_in_memory = start != "0" || is_changed;
        let apart = if is_in_memory { "\n" } else { " " };
        let condition = match bound.as_str() {
            "g(0)" => format!("g({name})"),
            bound => format!("{name} < {bound}"),
        };
        self.line(&format!("for (int {name} = {start};{apart}{condition};{apart}++{name}) {{"));
        if is_changed {
            self.line(&format!("if (b[{name}])\n{name} = {name} + 1;"));
        }
        let n_before = self.in_memory.len();
        self.in_memory.extend(is_in_memory.then(|| name.clone()));
        self.inside_loop(&name, depth, true);
        self.in_memory.truncate(n_before);
        self.line("}");
    }

    fn inside_loop(&mut self, name: &str, depth: usize, has_iterator: bool) {
        if has_iterator {
            self.iterators.push(name.to_string());
        }
        self.n_loops += 1;
        let before = std::mem::replace(&mut self.may_break, true);
        self.statements(depth + 1);
        self.may_break = before;
        self.n_loops -= 1;
        if has_iterator {
            self.iterators.pop();
        }
    }
}

/// A random program.
fn program(seed: u64, follows: bool) -> String {
    let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678;
    let (iterators, text) = (Vec::new(), String::new());
    let mut writer = Writer {
        state,
        iterators,
        in_memory: Vec::new(),
        n_loops: 0,
        may_break: true,
        n_left: 9,
        follows,
        text,
    };
    for _ in 0..3 {
        writer.statement(0);
    }
    writer.line("x = g(x);");
    writer.line("y = g(y);");
    writer.text
}

/// Whether variables get values that can be followed.
pub(crate) fn follows(seed: u64) -> bool {
    seed % 2 == 1
}

/// Checks the programs of some seeds; the numbers of checked reads and of parameters.
pub(crate) fn check_random(seeds: impl Iterator<Item = u64>) -> (usize, usize) {
    let (mut n_reads, mut n_parameters) = (0, 0);
    let (mut n_analysed, mut n_left) = (0, 0);
    for seed in seeds {
        let text = program(seed, follows(seed));
        if std::env::var_os("LOOPWRIGHT_SHOW_PROGRAMS").is_some() {
            eprintln!("program {seed}\n{text}");
        }
        let Some(analysed) = Analysed::within_limits(&text) else {
            n_left += 1;
            continue;
        };
        n_analysed += 1;
        n_parameters += analysed.flow.n_parameters();
        for run in 0..8 {
            n_reads +=
                analysed.check(&[("n", run % 4), ("k", 2)], seed * 31 + run as u64, 1 + run % 3);
        }
    }
    assert!(n_left * 10 <= n_analysed, "{n_left} programs reach limits, {n_analysed} do not");
    (n_reads, n_parameters)
}

#[test]
fn random_programs_have_exactly_their_sources() {
    let (n_reads, n_parameters) = check_random(seeds(0, 60));
    assert!(n_reads > 1000 && n_parameters > 50, "{n_reads} reads, {n_parameters} parameters");
}
