//! Random affine programs.
//!
//! A program is drawn top down. Then its instances are listed for some values of the parameters,
//! which gives the subscripts that occur; the arrays are made large enough for them, so that every
//! access is in bounds. Values of the parameters with too many instances are left out.
use crate::choices::Choices;
use crate::interpreter::{for_each_instance, node_references};
use crate::program::{
    Affine, Array, Comparison, Condition, Element, Index, Loop, MAX_DEPTH, N_PARAMETERS, Node,
    Operator, Point, Program, Reference, Scalar, Target, Value, visit_nodes,
};

/// More iterations and instances than this do not run.
const MAX_STEPS: usize = 12_000;

/// Arrays with more elements are too large to be printed.
const MAX_ELEMENTS: i64 = 6_000;

/// Values of the parameters that are tried: ordinary ones, one tile and a rest, and empty loops.
const RUNS: [[i64; N_PARAMETERS]; 7] =
    [[9, 7], [40, 35], [17, 20], [4, 5], [1, 3], [0, 0], [-2, 4]];

/// Names of the scalars that are declared in the region.
const LOCAL_NAMES: [&str; 2] = ["t", "u"];

/// Names of the scalars that are declared before the region.
const OUTER_NAMES: [&str; 2] = ["s0", "s1"];

/// A random program that runs at least one statement.
pub fn random_program(choices: &mut Choices) -> Program {
    for _ in 0..100 {
        let mut program = draw(choices);
        if fit(&mut program) {
            return program;
        }
    }
    smallest_program()
}

/// What is left when nothing else can be drawn.
fn smallest_program() -> Program {
    let reference = Reference { array: 0, subscripts: vec![Index::Affine(Affine::constant(0))] };
    let assign = Node::Assign(Target::Element(reference), None, Value::Constant(1));
    let array = Array { extents: vec![1], origins: vec![0] };
    Program {
        element: Element::Unsigned,
        arrays: vec![array],
        scalars: Vec::new(),
        body: vec![assign],
        runs: vec![[1, 1]],
        arrays_are_arguments: false,
        loops_declare_iterators: true,
    }
}

/// Chooses runs, and extents and origins of the arrays; false if that is not possible.
pub fn fit(program: &mut Program) -> bool {
    let mut runs = Vec::new();
    let mut ranges: Vec<Vec<Option<(i64, i64)>>> =
        program.arrays.iter().map(|array| vec![None; array.extents.len()]).collect();
    let mut n_instances = 0;
    for parameters in RUNS {
        let mut wider = ranges.clone();
        let mut count = 0;
        let mut point = Point { parameters, ..Point::default() };
        let mut limit = MAX_STEPS;
        let ended = for_each_instance(&program.body, &mut point, &mut limit, &mut |node, point| {
            count += 1;
            node_references(node, &mut |reference| widen(&mut wider, reference, point));
        });
        if ended && wider.iter().all(|array| size(array) <= MAX_ELEMENTS) {
            runs.push(parameters);
            ranges = wider;
            n_instances += count;
        }
    }
    for (array, ranges) in program.arrays.iter_mut().zip(&ranges) {
        let ranges = || ranges.iter().map(|range| range.unwrap_or((0, 0)));
        array.origins = ranges().map(|(low, _)| -low).collect();
        array.extents = ranges().map(|(low, high)| high - low + 1).collect();
    }
    program.runs = runs;
    n_instances > 0
}

fn widen(ranges: &mut [Vec<Option<(i64, i64)>>], reference: &Reference, point: &Point) {
    for (range, subscript) in ranges[reference.array].iter_mut().zip(&reference.subscripts) {
        let value = subscript.at(point);
        let (low, high) = range.unwrap_or((value, value));
        *range = Some((low.min(value), high.max(value)));
    }
}

fn size(ranges: &[Option<(i64, i64)>]) -> i64 {
    let extent = |range: &Option<(i64, i64)>| range.map_or(1, |(low, high)| high - low + 1);
    ranges.iter().map(extent).fold(1, i64::saturating_mul)
}

fn draw(choices: &mut Choices) -> Program {
    let element = if choices.percent(35) { Element::Double } else { Element::Unsigned };
    let arrays = (0..=choices.below(3))
        .map(|_| {
            let n_dimensions = [1, 2, 2, 3][choices.below(4)];
            Array { extents: vec![1; n_dimensions], origins: vec![0; n_dimensions] }
        })
        .collect();
    let n_outer = [0, 0, 1, 2][choices.below(4)];
    let scalars: Vec<Scalar> = OUTER_NAMES[..n_outer]
        .iter()
        .map(|name| Scalar { name, local: false, live_out: choices.percent(40) })
        .collect();
    let mut generator = Generator {
        max_depth: [1, 2, 2, 3, 3, 4][choices.below(6)],
        statements_left: [1, 2, 3, 3, 4, 6][choices.below(6)],
        visible: (0..scalars.len()).collect(),
        declared_here: Vec::new(),
        arrays,
        scalars,
        choices,
    };
    let body = generator.block(0);
    let (arrays, scalars) = (generator.arrays, generator.scalars);
    Program {
        element,
        arrays,
        scalars,
        body,
        runs: Vec::new(),
        arrays_are_arguments: choices.percent(40),
        loops_declare_iterators: choices.percent(50),
    }
}

struct Generator<'c> {
    choices: &'c mut Choices,
    max_depth: usize,
    statements_left: usize,
    arrays: Vec<Array>,
    scalars: Vec<Scalar>,
    /// The scalars that can be named here, one per name.
    visible: Vec<usize>,
    /// The locals that the innermost block declares.
    declared_here: Vec<&'static str>,
}

impl Generator<'_> {
    /// A block inside of `depth` loops; it contains at least one statement.
    fn block(&mut self, depth: usize) -> Vec<Node> {
        let outside = (self.visible.clone(), std::mem::take(&mut self.declared_here));
        let mut nodes = Vec::new();
        loop {
            let node = self.node(depth);
            nodes.push(node);
            if self.statements_left == 0 || self.choices.percent(55) {
                break;
            }
        }
        (self.visible, self.declared_here) = outside;
        nodes
    }

    fn node(&mut self, depth: usize) -> Node {
        let deepen = if depth == 0 { 92 } else { 60 };
        if depth < self.max_depth && self.choices.percent(deepen) {
            return Node::Loop(self.for_loop(depth));
        }
        if self.choices.percent(15) {
            let condition = self.condition(depth, 2);
            let then = self.block(depth);
            let otherwise = if self.choices.percent(25) { self.block(depth) } else { Vec::new() };
            return Node::If(condition, then, otherwise);
        }
        self.statements_left = self.statements_left.saturating_sub(1);
        let name = LOCAL_NAMES[self.choices.below(LOCAL_NAMES.len())];
        if self.choices.percent(12) && !self.declared_here.contains(&name) {
            return self.declaration(depth, name);
        }
        self.assignment(depth)
    }

    fn for_loop(&mut self, depth: usize) -> Loop {
        let step = [1, 1, 1, 1, 1, 2, 3, -1, -1, -2][self.choices.below(10)];
        let n_ends = if self.choices.percent(12) { 2 } else { 1 };
        let low = |this: &mut Self| this.low_bound(depth);
        let high = |this: &mut Self| this.high_bound(depth);
        let (start, ends) = if step > 0 {
            (low(self), (0..n_ends).map(|_| high(self)).collect())
        } else {
            (high(self), (0..n_ends).map(|_| low(self)).collect())
        };
        let all = !self.choices.percent(25);
        let inclusive = self.choices.percent(if step > 0 { 30 } else { 80 });
        let body = self.block(depth + 1);
        Loop { start, ends, all, inclusive, step, body }
    }

    fn low_bound(&mut self, depth: usize) -> Index {
        match self.choices.below(10) {
            0..=3 => Index::Affine(Affine::constant(0)),
            4 | 5 => Index::Affine(Affine::constant(self.choices.between(-1, 3))),
            6 | 7 => Index::Affine(self.near_iterator(depth)),
            8 => self.select(depth),
            _ => self.quotient(depth),
        }
    }

    fn high_bound(&mut self, depth: usize) -> Index {
        match self.choices.below(12) {
            0..=3 => Index::Affine(self.parameter()),
            4 | 5 => {
                let shift = Affine::constant(self.choices.between(-2, 2));
                Index::Affine(self.parameter().add_scaled(1, &shift))
            }
            6 => Index::Affine(Affine::constant(self.choices.between(1, 12))),
            7 | 8 => Index::Affine(self.near_iterator(depth)),
            9 => {
                let iterator = self.near_iterator(depth);
                Index::Affine(self.parameter().add_scaled(-1, &iterator))
            }
            10 => self.select(depth),
            _ => self.quotient(depth),
        }
    }

    /// The smaller or the larger of two forms.
    fn select(&mut self, depth: usize) -> Index {
        let (a, b) = (self.form(depth), self.form(depth));
        let comparison =
            if self.choices.percent(50) { Comparison::Less } else { Comparison::GreaterOrEqual };
        let (first, second) = (Index::Affine(a.clone()), Index::Affine(b.clone()));
        Index::Select(Box::new(Condition::Compare(first, comparison, second)), a, b)
    }

    fn quotient(&mut self, depth: usize) -> Index {
        Index::Quotient(self.form(depth), self.choices.between(2, 3))
    }

    fn parameter(&mut self) -> Affine {
        Affine::parameter(usize::from(self.choices.percent(35)))
    }

    /// An iterator plus a small number; a small number where there is no iterator.
    fn near_iterator(&mut self, depth: usize) -> Affine {
        let shift = Affine::constant([0, 0, 0, 1, -1, 2, -3][self.choices.below(7)]);
        if depth == 0 {
            return shift;
        }
        Affine::iterator(self.choices.below(depth)).add_scaled(1, &shift)
    }

    fn form(&mut self, depth: usize) -> Affine {
        match self.choices.below(8) {
            0..=3 => self.near_iterator(depth),
            4 | 5 => self.parameter().add_scaled(1, &Affine::constant(self.choices.between(-3, 1))),
            6 => {
                let factor = [1, -1, 2][self.choices.below(3)];
                let other = self.near_iterator(depth);
                self.near_iterator(depth).add_scaled(factor, &other)
            }
            _ => Affine::constant(self.choices.between(0, 9)),
        }
    }

    fn condition(&mut self, depth: usize, nesting: usize) -> Condition {
        match self.choices.below(if nesting == 0 { 6 } else { 9 }) {
            0..=3 => {
                let comparison = Comparison::ALL[self.choices.below(Comparison::ALL.len())];
                let right = if self.choices.percent(15) {
                    self.quotient(depth)
                } else {
                    Index::Affine(self.form(depth))
                };
                Condition::Compare(Index::Affine(self.form(depth)), comparison, right)
            }
            4 | 5 => {
                let divisor = self.choices.between(2, 4);
                let remainder = Index::Remainder(self.form(depth), divisor);
                let wanted = Affine::constant(self.choices.between(0, divisor - 1));
                let comparison = [Comparison::Equal, Comparison::NotEqual, Comparison::LessOrEqual]
                    [self.choices.below(3)];
                Condition::Compare(remainder, comparison, Index::Affine(wanted))
            }
            6 => Condition::Not(Box::new(self.condition(depth, nesting - 1))),
            kind => {
                let a = Box::new(self.condition(depth, nesting - 1));
                let b = Box::new(self.condition(depth, nesting - 1));
                if kind == 7 { Condition::And(a, b) } else { Condition::Or(a, b) }
            }
        }
    }

    fn declaration(&mut self, depth: usize, name: &'static str) -> Node {
        // Within its own first value the name stands for the new variable already.
        self.visible.retain(|&index| self.scalars[index].name != name);
        let value = self.value(depth, 2);
        self.scalars.push(Scalar { name, local: true, live_out: false });
        self.visible.push(self.scalars.len() - 1);
        self.declared_here.push(name);
        Node::Declare(self.scalars.len() - 1, value)
    }

    fn assignment(&mut self, depth: usize) -> Node {
        let scalar = !self.visible.is_empty() && self.choices.percent(30);
        let target = if scalar {
            Target::Scalar(self.visible[self.choices.below(self.visible.len())])
        } else {
            Target::Element(self.reference(depth))
        };
        let operator = match self.choices.below(8) {
            0..=3 => None,
            4 | 5 => Some(Operator::Add),
            6 => Some(Operator::Subtract),
            _ => Some(Operator::Multiply),
        };
        Node::Assign(target, operator, self.value(depth, 2))
    }

    fn value(&mut self, depth: usize, nesting: usize) -> Value {
        match self.choices.below(if nesting == 0 { 9 } else { 14 }) {
            0..=4 => Value::Element(self.reference(depth)),
            5 => Value::Constant(self.choices.between(1, 9) as u32),
            6 if depth > 0 => Value::Iterator(self.choices.below(depth)),
            7 if self.choices.percent(50) => Value::Parameter(self.choices.below(N_PARAMETERS)),
            6..=8 if self.visible.is_empty() => Value::Element(self.reference(depth)),
            6..=8 => Value::Scalar(self.visible[self.choices.below(self.visible.len())]),
            9..=12 => {
                let operator =
                    [Operator::Add, Operator::Subtract, Operator::Multiply][self.choices.below(3)];
                let a = Box::new(self.value(depth, nesting - 1));
                Value::Binary(a, operator, Box::new(self.value(depth, nesting - 1)))
            }
            _ => {
                let part = |this: &mut Self| this.value(depth, 0);
                Value::Select(Box::new([part(self), part(self), part(self), part(self)]))
            }
        }
    }

    fn reference(&mut self, depth: usize) -> Reference {
        let array = self.choices.below(self.arrays.len());
        let n_dimensions = self.arrays[array].extents.len();
        let subscripts = (0..n_dimensions).map(|at| self.subscript(depth, at)).collect();
        Reference { array, subscripts }
    }

    /// Most often the iterator at the same position, moved a little.
    fn subscript(&mut self, depth: usize, dimension: usize) -> Index {
        if depth == 0 {
            return Index::Affine(Affine::constant(self.choices.between(0, 2)));
        }
        match self.choices.below(20) {
            0..=9 => {
                let shift = Affine::constant([0, 0, 0, 1, -1, -2][self.choices.below(6)]);
                let iterator = Affine::iterator(dimension.min(depth - 1).min(MAX_DEPTH - 1));
                Index::Affine(iterator.add_scaled(1, &shift))
            }
            10..=14 => Index::Affine(self.near_iterator(depth)),
            15 => Index::Affine(Affine::constant(self.choices.between(0, 3))),
            16 => {
                let iterator = self.near_iterator(depth);
                Index::Affine(self.parameter().add_scaled(-1, &iterator))
            }
            17 => Index::Remainder(self.near_iterator(depth), self.choices.between(2, 3)),
            18 => self.quotient(depth),
            _ => Index::Affine(self.form(depth)),
        }
    }
}

/// Whether every scalar is declared where it is used, and not hidden by another one.
pub fn scalars_are_visible(program: &Program) -> bool {
    let outer = program.scalars.iter().enumerate().filter(|(_, scalar)| !scalar.local);
    let mut visible: Vec<usize> = outer.map(|(index, _)| index).collect();
    block_is_visible(program, &program.body, &mut visible)
}

fn block_is_visible(program: &Program, nodes: &[Node], visible: &mut Vec<usize>) -> bool {
    let outside = visible.clone();
    let good = nodes.iter().all(|node| match node {
        Node::Loop(inner) => block_is_visible(program, &inner.body, visible),
        Node::If(_, then, otherwise) => {
            block_is_visible(program, then, visible)
                && block_is_visible(program, otherwise, visible)
        }
        Node::Assign(target, _, value) => {
            let written = match target {
                Target::Scalar(index) => visible.contains(index),
                Target::Element(_) => true,
            };
            written && value_is_visible(value, visible)
        }
        Node::Declare(index, value) => {
            let name = program.scalars[*index].name;
            visible.retain(|&other| program.scalars[other].name != name);
            let good = value_is_visible(value, visible);
            visible.push(*index);
            good
        }
    });
    *visible = outside;
    good
}

fn value_is_visible(value: &Value, visible: &[usize]) -> bool {
    match value {
        Value::Scalar(index) => visible.contains(index),
        Value::Binary(a, _, b) => value_is_visible(a, visible) && value_is_visible(b, visible),
        Value::Select(parts) => parts.iter().all(|part| value_is_visible(part, visible)),
        _ => true,
    }
}

/// The number of nodes of a program.
pub fn n_nodes(program: &Program) -> usize {
    let mut count = 0;
    visit_nodes(&program.body, 0, &mut |_, _| count += 1);
    count
}
