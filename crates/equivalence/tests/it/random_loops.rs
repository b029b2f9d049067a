//! Random loops, and the same in another order: those that are called equal leave the same numbers. Some add
//! up and multiply, and are compared by the laws of `+` and `*`; others have statements whose control depends
//! on data, which are compared as functions of what they read.
use loopwright_cfront::{Options, read_text};
use loopwright_equivalence::{Answer, Laws, Question, check};
use loopwright_presburger::Budget;
use loopwright_scop::{ArithmeticOperator, Scop};
use loopwright_testkit::cases::seeds;

/// Arrays have so many elements, of which some lie in front of those with subscript 0.
const SIZE: usize = 40;
const FRONT: i64 = 10;

/// Sizes that loops are run for.
const MOST: i64 = 6;

struct Draw(u64);

impl Draw {
    fn of(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most
    }
}

/// `A[s i + c]`.
#[derive(Clone, Copy)]
struct Place {
    array: usize,
    scale: i64,
    offset: i64,
}

impl Place {
    fn random(draw: &mut Draw, n_arrays: u64) -> Place {
        let scale = [1, 1, 0, -1][draw.of(4) as usize];
        Place { array: draw.of(n_arrays) as usize, scale, offset: draw.of(3) as i64 - 1 }
    }

    fn text(self) -> String {
        let name = ["A", "B", "C"][self.array];
        format!("{name}[{} * i + {}]", self.scale, self.offset)
    }

    fn at(self, i: i64) -> (usize, usize) {
        (self.array, (self.scale * i + self.offset + FRONT) as usize)
    }
}

/// What a statement does.
#[derive(Clone, Copy, PartialEq)]
enum Action {
    /// `x = y`, `x = x + y` or `x = x * y`.
    Assign(char),
    /// Halves x while it is greater than a number.
    Halve(i64),
    /// Counts in x how many of three elements from y on come before one that has a number.
    CountUntil(i64),
    /// Assigns an element of the array of y that y says.
    Gather,
    /// Assigns to an element of the array of x that y says.
    Scatter,
}

#[derive(Clone, Copy)]
struct Statement {
    to: Place,
    action: Action,
    from: Place,
}

impl Statement {
    fn text(self) -> String {
        let (to, from) = (self.to.text(), self.from.text());
        let [target, source] = [self.to, self.from].map(|place| ["A", "B", "C"][place.array]);
        match self.action {
            Action::Assign('=') => format!("{to} = {from};\n"),
            Action::Assign(operator) => format!("{to} = {to} {operator} {from};\n"),
            Action::Halve(most) => format!("while ({to} > {most}) {to} = {to} / 2;\n"),
            Action::CountUntil(value) => {
                let from = from.trim_end_matches(']');
                format!(
                    "for (int k = 0; k < 3; k++) {{ if ({from} + k] == {value}) break; {to} = {to} + 1; }}\n"
                )
            }
            Action::Gather => format!("{to} = {source}[{from} & 3];\n"),
            Action::Scatter => format!("{target}[{from} & 3] = {from};\n"),
        }
    }

    fn run(self, i: i64, memory: &mut [Vec<i64>]) {
        let ((array, at), (source, first)) = (self.to.at(i), self.from.at(i));
        let value = memory[source][first];
        let chosen = (FRONT + (value & 3)) as usize;
        match self.action {
            Action::Assign('=') => memory[array][at] = value,
            Action::Assign('+') => memory[array][at] = memory[array][at].wrapping_add(value),
            Action::Assign(_) => memory[array][at] = memory[array][at].wrapping_mul(value),
            Action::Halve(most) => {
                while memory[array][at] > most {
                    memory[array][at] /= 2;
                }
            }
            Action::CountUntil(stop) => {
                for k in 0..3 {
                    if memory[source][first + k] == stop {
                        break;
                    }
                    memory[array][at] += 1;
                }
            }
            Action::Gather => memory[array][at] = memory[source][chosen],
            Action::Scatter => memory[array][chosen] = value,
        }
    }
}

/// Loops one after the other: whether they go backwards, and their statements.
type Loops = Vec<(bool, Vec<Statement>)>;

fn text(loops: &Loops) -> String {
    let mut text = "void f(int n, long *A, long *B, long *C) {\n#pragma scop\n".to_string();
    for (backwards, body) in loops {
        text += match backwards {
            false => "for (int i = 0; i < n; i++) {\n",
            true => "for (int i = n - 1; i >= 0; i--) {\n",
        };
        body.iter().for_each(|own| text += &own.text());
        text += "}\n";
    }
    text + "#pragma endscop\n}\n"
}

fn model(loops: &Loops) -> Scop {
    let options = Options { assume_no_alias: true, ..Options::default() };
    let file = read_text("f.c".as_ref(), &text(loops), &options).unwrap();
    file.extract().unwrap().remove(0).scop
}

/// What the arrays hold in the end.
fn run(loops: &Loops, n: i64) -> Vec<Vec<i64>> {
    let of =
        |array: u64| (0..SIZE as u64).map(|at| (1 + (7 * at + 5 * array) % 11) as i64).collect();
    let mut memory: Vec<Vec<i64>> = (0..3).map(of).collect();
    for (backwards, body) in loops {
        for step in 0..n {
            let i = if *backwards { n - 1 - step } else { step };
            body.iter().for_each(|own| own.run(i, &mut memory));
        }
    }
    memory
}

/// The same loops, some of them backwards, some cut in two or with two statements exchanged.
fn changed(loops: &Loops, draw: &mut Draw) -> Loops {
    let mut changed = Loops::new();
    for (backwards, body) in loops {
        let (mut body, backwards) = (body.clone(), *backwards != (draw.of(3) > 0));
        if body.len() > 1 && draw.of(3) == 0 {
            body.swap(0, 1);
        }
        if body.len() > 1 && draw.of(2) == 0 {
            let rest = body.split_off(1);
            changed.push((backwards, body));
            changed.push((backwards != (draw.of(3) == 0), rest));
        } else {
            changed.push((backwards, body));
        }
    }
    changed
}

/// Random loops and a change of them.
fn random(seed: u64, actions: &[Action]) -> (Loops, Loops) {
    let mut draw = Draw(seed);
    let n_arrays = 2 + draw.of(2);
    let statement = |draw: &mut Draw| Statement {
        to: Place::random(draw, n_arrays),
        action: actions[draw.of(actions.len() as u64) as usize],
        from: Place::random(draw, n_arrays),
    };
    let mut loops = Loops::new();
    for _ in 0..1 + draw.of(2) {
        let n = 1 + draw.of(2);
        loops.push((false, (0..n).map(|_| statement(&mut draw)).collect()));
    }
    let other = changed(&loops, &mut draw);
    (loops, other)
}

fn answer(before: &Loops, after: &Loops, laws: &Laws) -> Answer {
    let (before, after) = (&model(before), &model(after));
    let question = Question { before, after, live_out: None, layouts: &[], laws };
    check(&question, &Budget::steps(3_000_000))
}

fn leave_the_same(loops: &Loops, other: &Loops) -> bool {
    (1..=MOST).all(|n| run(loops, n) == run(other, n))
}

#[test]
fn sums_that_are_called_equal_leave_the_same_numbers() {
    let laws = [ArithmeticOperator::Add, ArithmeticOperator::Multiply];
    let laws = Laws { associative_commutative: laws.to_vec(), ..Laws::default() };
    let actions = ['+', '+', '+', '*', '='].map(Action::Assign);
    let (mut n_equal, mut n_only_by_law, mut n_different) = (0, 0, 0);
    for seed in seeds(0, 400) {
        let (loops, other) = random(seed, &actions);
        match answer(&loops, &other, &laws) {
            Answer::Equal(_) => {
                let same = leave_the_same(&loops, &other);
                assert!(same, "seed {seed}:\n{}\n{}", text(&loops), text(&other));
                n_equal += 1;
                let without = answer(&loops, &other, &Laws::default());
                n_only_by_law += usize::from(!matches!(without, Answer::Equal(_)));
            }
            Answer::Different(_) => n_different += 1,
            Answer::Undecided { .. } => {}
        }
    }
    let counts = (n_equal, n_only_by_law, n_different);
    assert!(n_equal > 100 && n_only_by_law > 30 && n_different > 50, "{counts:?}");
}

#[test]
fn functions_of_what_is_read_that_are_called_equal_leave_the_same_numbers() {
    use Action::{Assign, CountUntil, Gather, Halve, Scatter};
    let actions = [Halve(4), Halve(4), CountUntil(5), CountUntil(5), Gather, Scatter];
    let actions = [&actions[..], &[Halve(5), Assign('='), Assign('+')]].concat();
    let (mut n_equal, mut n_reordered, mut n_different) = (0, 0, 0);
    for seed in seeds(1000, 400) {
        let (loops, other) = random(seed, &actions);
        let same = leave_the_same(&loops, &other);
        match answer(&loops, &other, &Laws::default()) {
            Answer::Equal(_) => {
                assert!(same, "seed {seed}:\n{}\n{}", text(&loops), text(&other));
                n_equal += 1;
                n_reordered += usize::from(text(&loops) != text(&other));
            }
            Answer::Different(_) => n_different += 1,
            Answer::Undecided { .. } => {}
        }
    }
    let counts = (n_equal, n_reordered, n_different);
    assert!(n_reordered > 60 && n_different > 15, "{counts:?}");
}
