//! Random loops that add up, multiply and assign, and the same in another order: those that are called equal by the laws of `+` and `*` leave the same
//! numbers.
use loopwright_cfront::{Options, read_text};
use loopwright_equivalence::{Answer, Laws, Question, check};
use loopwright_presburger::Budget;
use loopwright_scop::{ArithmeticOperator, Scop};

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

/// `x = y`, `x += y` or `x *= y`.
#[derive(Clone, Copy)]
struct Assignment {
    to: Place,
    operator: char,
    from: Place,
}

/// Loops one after the other: whether they go backwards, and their statements.
type Loops = Vec<(bool, Vec<Assignment>)>;

fn text(loops: &Loops) -> String {
    let mut text = "void f(int n, long *A, long *B, long *C) {\n#pragma scop\n".to_string();
    for (backwards, body) in loops {
        text += match backwards {
            false => "for (int i = 0; i < n; i++) {\n",
            true => "for (int i = n - 1; i >= 0; i--) {\n",
        };
        for Assignment { to, operator, from } in body {
            let (to, from) = (to.text(), from.text());
            text += &match operator {
                '=' => format!("{to} = {from};\n"),
                _ => format!("{to} = {to} {operator} {from};\n"),
            };
        }
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
            for own in body {
                let (array, at) = own.from.at(i);
                let value = memory[array][at];
                let (array, at) = own.to.at(i);
                let held = &mut memory[array][at];
                *held = match own.operator {
                    '+' => held.wrapping_add(value),
                    '*' => held.wrapping_mul(value),
                    _ => value,
                };
            }
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

#[test]
fn what_is_called_equal_leaves_the_same_numbers() {
    let laws = [ArithmeticOperator::Add, ArithmeticOperator::Multiply];
    let laws = Laws { associative_commutative: laws.to_vec() };
    let (mut n_equal, mut n_only_by_law, mut n_different) = (0, 0, 0);
    for seed in 0..400 {
        let mut draw = Draw(seed);
        let n_arrays = 2 + draw.of(2);
        let loops: Loops = (0..1 + draw.of(2))
            .map(|_| {
                let statement = |draw: &mut Draw| Assignment {
                    to: Place::random(draw, n_arrays),
                    operator: ['+', '+', '+', '*', '='][draw.of(5) as usize],
                    from: Place::random(draw, n_arrays),
                };
                (false, (0..1 + draw.of(2)).map(|_| statement(&mut draw)).collect())
            })
            .collect();
        let other = changed(&loops, &mut draw);
        let (before, after) = (model(&loops), model(&other));
        let ask = |laws: &Laws| {
            let (before, after) = (&before, &after);
            let question = Question { before, after, live_out: None, layouts: &[], laws };
            check(&question, &Budget::steps(3_000_000))
        };
        let same = (1..=MOST).all(|n| run(&loops, n) == run(&other, n));
        match ask(&laws) {
            Answer::Equal(_) => {
                assert!(same, "seed {seed}:\n{}\n{}", text(&loops), text(&other));
                n_equal += 1;
                n_only_by_law += usize::from(!matches!(ask(&Laws::default()), Answer::Equal(_)));
            }
            Answer::Different(_) => n_different += 1,
            Answer::Undecided { .. } => {}
        }
    }
    let counts = (n_equal, n_only_by_law, n_different);
    assert!(n_equal > 100 && n_only_by_law > 30 && n_different > 50, "{counts:?}");
}
