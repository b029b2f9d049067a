//! Random sums and maxima, and the same divided among other variables, half of them with a fault: what is
//! called equal leaves the same numbers, and what is called different does not.
//!
//! A text is a list of loops and updates, which is printed for the question and run for the answer.
use loopwright_cfront::{Options, read_text};
use loopwright_equivalence::{Answer, Extremum, Laws, Question, check};
use loopwright_presburger::Budget;
use loopwright_scop::{ArithmeticOperator, Scop};
use loopwright_testkit::cases::seeds;

/// Sizes that texts are run for: more than the tests' blocks and steps have.
const MOST: i64 = 40;

/// What variables hold first, one after the other.
const FIRST: i64 = 100;

struct Draw(u64);

impl Draw {
    fn of(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most
    }

    fn within(&mut self, least: i64, most: i64) -> i64 {
        least + self.of((most - least + 1) as u64) as i64
    }
}

/// `i * (iterator i) + b * (iterator b) + n * (size) + constant - n % modulus`.
#[derive(Clone, Copy, Default)]
struct Form {
    i: i64,
    b: i64,
    n: i64,
    constant: i64,
    modulus: i64,
}

impl Form {
    fn text(self) -> String {
        let mut text = format!("{}", self.constant);
        for (factor, name) in [(self.i, "i"), (self.b, "b"), (self.n, "n")] {
            if factor != 0 {
                text += &format!(" + {factor} * {name}");
            }
        }
        if self.modulus != 0 {
            text += &format!(" - n % {}", self.modulus);
        }
        text
    }

    fn value(self, [i, b, n]: [i64; 3]) -> i64 {
        let rest = if self.modulus == 0 { 0 } else { n % self.modulus };
        self.i * i + self.b * b + self.n * n + self.constant - rest
    }
}

fn i_plus(constant: i64) -> Form {
    Form { i: 1, constant, ..Form::default() }
}

fn constant(constant: i64) -> Form {
    Form { constant, ..Form::default() }
}

/// A variable, or an element: of the result `A`, of what is added, `B` and `C`, or of partial sums `P`.
#[derive(Clone, Copy)]
enum Cell {
    Variable(usize),
    Element(char, Form),
}

impl Cell {
    fn text(self) -> String {
        match self {
            Cell::Variable(number) => format!("s{number}"),
            Cell::Element(array, at) => format!("{array}[{}]", at.text()),
        }
    }

    fn place(self, at: [i64; 3]) -> (char, i64) {
        match self {
            Cell::Variable(number) => ('s', number as i64),
            Cell::Element(array, form) => (array, form.value(at)),
        }
    }
}

#[derive(Clone)]
enum Code {
    /// `for (iterator = from; all forms are positive; iterator += step)`.
    Loop { is_outer: bool, from: Form, positive: Vec<Form>, step: i64, body: Vec<Code> },
    /// `x = 0`.
    Clear(Cell),
    /// `x += y`, `x += y * z` or `x += 3`; or the greater of both.
    Add(Cell, Vec<Cell>),
}

/// What is computed.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Sum,
    Maximum,
}

/// The number that is added where nothing else is.
const NUMBER: i64 = 3;

fn print(code: &[Code], kind: Kind, text: &mut String) {
    for own in code {
        match own {
            Code::Loop { is_outer, from, positive, step, body } => {
                let name = if *is_outer { "b" } else { "i" };
                let holds: Vec<String> =
                    positive.iter().map(|form| format!("{} > 0", form.text())).collect();
                let head = format!("int {name} = {}; {}", from.text(), holds.join(" && "));
                *text += &format!("for ({head}; {name} += {step}) {{\n");
                print(body, kind, text);
                *text += "}\n";
            }
            Code::Clear(cell) => *text += &format!("{} = 0;\n", cell.text()),
            Code::Add(to, from) => {
                let from: Vec<String> = from.iter().map(|cell| cell.text()).collect();
                let (to, from) = (to.text(), from.join(" * "));
                let from = if from.is_empty() { NUMBER.to_string() } else { from };
                *text += &match kind {
                    Kind::Sum => format!("{to} += {from};\n"),
                    Kind::Maximum => format!("if ({from} > {to}) {to} = {from};\n"),
                };
            }
        }
    }
}

type Memory = std::collections::HashMap<(char, i64), i64>;

/// Where it is told which numbers elements hold before.
const SEED: (char, i64) = ('!', 0);

/// What an element holds: before, if nothing has been written to it.
fn held(memory: &Memory, place: (char, i64)) -> i64 {
    let seed = memory.get(&SEED).copied().unwrap_or(0) as u64;
    let scrambled = ((place.1 + 1000) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let scrambled = scrambled.wrapping_add(place.0 as u64).wrapping_add(seed << 20);
    let scrambled = (scrambled ^ (scrambled >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    memory.get(&place).copied().unwrap_or((scrambled ^ (scrambled >> 32)) as i64)
}

fn run(code: &[Code], kind: Kind, at: [i64; 3], memory: &mut Memory) {
    for own in code {
        match own {
            Code::Loop { is_outer, from, positive, step, body } => {
                let mut inner = at;
                let iterator = usize::from(*is_outer);
                inner[iterator] = from.value(at);
                while positive.iter().all(|form| form.value(inner) > 0) {
                    run(body, kind, inner, memory);
                    inner[iterator] += step;
                }
            }
            Code::Clear(cell) => {
                memory.insert(cell.place(at), 0);
            }
            Code::Add(to, from) => {
                let values = from.iter().map(|cell| held(memory, cell.place(at)));
                let added = values.reduce(i64::wrapping_mul).unwrap_or(NUMBER);
                let place = to.place(at);
                let held = held(memory, place);
                let both = match kind {
                    Kind::Sum => held.wrapping_add(added),
                    Kind::Maximum => held.max(added),
                };
                memory.insert(place, both);
            }
        }
    }
}

/// What is added for each iteration, in the terms of `i`.
#[derive(Clone, Copy)]
struct Added {
    factors: [(char, i64, i64); 2],
    n_factors: usize,
}

impl Added {
    fn random(draw: &mut Draw) -> Added {
        let mut factor = |array| (array, [1, 1, 2, -1, 0][draw.of(5) as usize], draw.within(0, 2));
        let factors = [factor('B'), factor('C')];
        Added { factors, n_factors: [0, 1, 1, 2, 2, 2][draw.of(6) as usize] }
    }

    /// Whether one of the factors is the same for all iterations.
    fn is_one_number(self) -> bool {
        self.n_factors == 0 || self.factors[..self.n_factors].iter().any(|own| own.1 == 0)
    }

    /// For the iteration that a form says.
    fn cells(self, at: Form) -> Vec<Cell> {
        let cell = |(array, scale, offset): (char, i64, i64)| {
            let [i, b, n, constant] = [at.i, at.b, at.n, at.constant].map(|own| own * scale);
            Cell::Element(array, Form { i, b, n, constant: constant + offset, modulus: 0 })
        };
        self.factors[..self.n_factors].iter().map(|own| cell(*own)).collect()
    }
}

const RESULT: Cell = Cell::Element('A', Form { i: 0, b: 0, n: 0, constant: 0, modulus: 0 });

/// `i < n - distance`, as a form that is positive.
fn below_n(distance: i64) -> Form {
    Form { i: -1, n: 1, constant: -distance, ..Form::default() }
}

fn plain(added: Added, clears: bool) -> Vec<Code> {
    let body = vec![Code::Add(RESULT, added.cells(i_plus(0)))];
    let from = constant(0);
    let all = Code::Loop { is_outer: false, from, positive: vec![below_n(0)], step: 1, body };
    [clears.then_some(Code::Clear(RESULT)), Some(all)].into_iter().flatten().collect()
}

/// The sum in the variables `s1` to `su`, and what is left over in one of them or in the result.
fn unrolled(added: Added, draw: &mut Draw) -> Vec<Code> {
    let u = draw.within(2, 5);
    let variable = |at: i64| Cell::Variable(1 + at as usize);
    let mut code: Vec<Code> = (0..u).map(|at| Code::Clear(variable(at))).collect();
    let body = (0..u).map(|at| Code::Add(variable(at), added.cells(i_plus(at)))).collect();
    let (from, positive) = (constant(0), vec![below_n(u - 1)]);
    code.push(Code::Loop { is_outer: false, from, positive, step: u, body });
    let to = if draw.of(2) == 0 { RESULT } else { variable(draw.within(0, u - 1)) };
    let from = Form { n: 1, modulus: u, ..Form::default() };
    let body = vec![Code::Add(to, added.cells(i_plus(0)))];
    code.push(Code::Loop { is_outer: false, from, positive: vec![below_n(0)], step: 1, body });
    let mut order: Vec<i64> = (0..u).collect();
    (0..u as usize).for_each(|at| order.swap(at, draw.of(u as u64) as usize));
    code.extend(order.into_iter().map(|at| Code::Add(RESULT, vec![variable(at)])));
    code
}

/// A sum for each block, in a variable or in elements.
fn in_blocks(added: Added, draw: &mut Draw) -> Vec<Code> {
    let size = draw.within(2, 9);
    let has_elements = draw.of(2) == 0;
    let b = Form { b: 1, ..Form::default() };
    let part = if has_elements { Cell::Element('P', b) } else { Cell::Variable(1) };
    let from = Form { b: size, ..Form::default() };
    let inner = Form { i: -1, b: size, constant: size, ..Form::default() };
    let positive = vec![below_n(0), inner];
    let body = vec![Code::Add(part, added.cells(i_plus(0)))];
    let sum = Code::Loop { is_outer: false, from, positive, step: 1, body };
    let outer = |body| {
        let positive = vec![Form { b: -size, n: 1, ..Form::default() }];
        Code::Loop { is_outer: true, from: constant(0), positive, step: 1, body }
    };
    let (clear, add) = (Code::Clear(part), Code::Add(RESULT, vec![part]));
    match has_elements && draw.of(2) == 0 {
        true => vec![outer(vec![clear]), outer(vec![sum]), outer(vec![add])],
        false => vec![outer(vec![clear, sum, add])],
    }
}

/// A sum for each of some threads, which take turns.
fn in_turns(added: Added, draw: &mut Draw) -> Vec<Code> {
    let threads = draw.within(2, 6);
    let b = Form { b: 1, ..Form::default() };
    let part = Cell::Element('P', b);
    let body = vec![Code::Add(part, added.cells(i_plus(0)))];
    let sum =
        Code::Loop { is_outer: false, from: b, positive: vec![below_n(0)], step: threads, body };
    let outer = |body| {
        let positive = vec![Form { b: -1, constant: threads, ..Form::default() }];
        Code::Loop { is_outer: true, from: constant(0), positive, step: 1, body }
    };
    let add = Code::Add(RESULT, vec![part]);
    vec![outer(vec![Code::Clear(part), sum]), outer(vec![add])]
}

/// Plants a fault, which may leave what is computed as it is.
fn with_fault(code: &mut [Code], draw: &mut Draw) {
    let at = draw.of(code.len() as u64) as usize;
    if let Code::Loop { body, .. } = &mut code[at]
        && draw.of(2) == 0
    {
        return with_fault(body, draw);
    }
    let shift = [-1, 1][draw.of(2) as usize];
    match &mut code[at] {
        Code::Loop { from, positive, step, .. } => match draw.of(3) {
            0 => from.constant += shift,
            1 => {
                let which = draw.of(positive.len() as u64) as usize;
                positive[which].constant += shift;
            }
            _ => *step += 1,
        },
        Code::Clear(Cell::Variable(number)) => *number = 6,
        Code::Clear(Cell::Element(_, at)) => at.constant += shift,
        Code::Add(to, from) => match from.first_mut() {
            Some(Cell::Element(_, at)) if draw.of(2) == 0 => at.constant += shift,
            Some(Cell::Variable(number)) if draw.of(2) == 0 => *number += 1,
            Some(own) if draw.of(2) == 0 => {
                let again = *own;
                from.push(again);
            }
            _ => *to = Cell::Variable(5),
        },
    }
}

fn text(code: &[Code], kind: Kind, element: &str) -> String {
    let arrays = ["A", "B", "C", "P"].map(|name| format!("{element} *{name}")).join(", ");
    let mut text = format!("void f(int n, {arrays}) {{\n#pragma scop\n");
    // Variables begin with numbers, so that what is not cleared is seen.
    (1..=7).for_each(|at| text += &format!("{element} s{at} = {};\n", at + FIRST));
    print(code, kind, &mut text);
    text + "#pragma endscop\n}\n"
}

fn model(text: &str) -> Scop {
    let options = Options { assume_no_alias: true, ..Options::default() };
    let file = read_text("f.c".as_ref(), text, &options).unwrap();
    file.extract().unwrap().remove(0).scop
}

/// The result for a size and numbers that elements hold before.
fn result(code: &[Code], kind: Kind, n: i64, seed: i64) -> i64 {
    let mut memory = Memory::new();
    memory.insert(SEED, seed);
    for at in 1..=7 {
        memory.insert(('s', at), at + FIRST);
    }
    run(code, kind, [0, 0, n], &mut memory);
    held(&memory, ('A', 0))
}

/// Whether two texts leave the same; one number that is missing among many need not be the greatest.
fn leave_the_same(before: &[Code], after: &[Code], kind: Kind) -> bool {
    let n_seeds = if kind == Kind::Sum { 1 } else { 60 };
    (0..n_seeds).all(|seed| {
        (0..=MOST).all(|n| result(before, kind, n, seed) == result(after, kind, n, seed))
    })
}

/// A text with one loop, and the same divided; whether there is a fault in it.
///
/// Integers that are added many times are no data for the front end, but functions of the size.
fn random(draw: &mut Draw, kind: Kind) -> (Vec<Code>, Vec<Code>, [bool; 2]) {
    // A maximum has no number to begin with that makes no difference.
    let (added, clears) = (Added::random(draw), kind == Kind::Maximum || draw.of(2) == 0);
    let mut after = match draw.of(3) {
        0 => unrolled(added, draw),
        1 => in_blocks(added, draw),
        _ => in_turns(added, draw),
    };
    let is_faulty = draw.of(2) == 0;
    if is_faulty {
        with_fault(&mut after, draw);
    }
    if clears {
        after.insert(0, Code::Clear(RESULT));
    }
    (plain(added, clears), after, [is_faulty, added.is_one_number()])
}

/// How many are called equal, different, and neither, as it is right: without a fault and with one.
fn decided(kind: Kind, laws: &Laws, n_seeds: u64) -> [[usize; 2]; 3] {
    let names = ["A".to_string()];
    let mut counts = [[0; 2]; 3];
    for seed in seeds(0, n_seeds) {
        let mut draw = Draw(seed);
        let (before, after, [is_faulty, is_plain]) = random(&mut draw, kind);
        let element = ["float", "double", "long"][draw.of(if is_plain { 2 } else { 3 }) as usize];
        let texts = [&before, &after].map(|code| text(code, kind, element));
        let [first, second] = &texts;
        let models = [first, second].map(|text| model(text));
        let [one, two] = &models;
        let question =
            Question { before: one, after: two, live_out: Some(&names), layouts: &[], laws };
        let is_same = leave_the_same(&before, &after, kind);
        assert!(is_same || is_faulty, "seed {seed}:\n{first}\n{second}");
        let found = check(&question, &Budget::steps(20_000_000));
        let answer = match &found {
            Answer::Equal(_) => 0,
            Answer::Different(_) => 1,
            Answer::Undecided { .. } => 2,
        };
        let is_right = [is_same, !is_same, true][answer];
        assert!(is_right, "seed {seed}: {found:?}\n{first}\n{second}");
        counts[answer][usize::from(is_faulty)] += 1;
    }
    counts
}

#[test]
fn divided_sums_are_decided_rightly() {
    let laws = Laws { associative_commutative: vec![ArithmeticOperator::Add], ..Laws::default() };
    let counts = decided(Kind::Sum, &laws, 300);
    let [equal, different, undecided] = counts;
    assert!(equal[0] > 130 && different[1] > 100 && undecided[0] == 0, "{counts:?}");
}

#[test]
fn divided_maxima_are_decided_rightly() {
    let laws = Laws { extrema: vec![Extremum::Maximum], ..Laws::default() };
    let counts = decided(Kind::Maximum, &laws, 150);
    let [equal, different, undecided] = counts;
    assert!(equal[0] > 60 && different[1] > 50 && undecided[0] == 0, "{counts:?}");
}
