//! What a program does, independently of the compiler and of C.
use crate::program::{
    Element, Loop, Node, Operator, Point, Program, Reference, Target, Value, visit_references,
};
use std::fmt::Write;

impl Element {
    /// The number that a constant of a program stands for, as bits: small whole numbers, or
    /// eighths for floating point, which keeps products small.
    pub fn constant(self, number: u32) -> u64 {
        match self {
            Element::Unsigned => u64::from(number),
            Element::Double => (f64::from(number) / 8.0).to_bits(),
        }
    }

    /// The bits of an integer converted to this type.
    pub fn convert(self, number: i64) -> u64 {
        match self {
            Element::Unsigned => number as u64,
            Element::Double => (number as f64).to_bits(),
        }
    }

    /// The result of an operation on values given as bits.
    pub fn apply(self, a: u64, operator: Operator, b: u64) -> u64 {
        match self {
            Element::Unsigned => match operator {
                Operator::Add => a.wrapping_add(b),
                Operator::Subtract => a.wrapping_sub(b),
                Operator::Multiply => a.wrapping_mul(b),
            },
            Element::Double => {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                let result = match operator {
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a * b,
                };
                result.to_bits()
            }
        }
    }

    /// Whether one value is less than another.
    pub fn less(self, a: u64, b: u64) -> bool {
        match self {
            Element::Unsigned => a < b,
            Element::Double => f64::from_bits(a) < f64::from_bits(b),
        }
    }

    /// How a value is printed: a decimal number, or the bits of a `double` (every NaN as `nan`).
    pub fn text(self, value: u64) -> String {
        match self {
            Element::Unsigned => value.to_string(),
            Element::Double if f64::from_bits(value).is_nan() => "nan".to_string(),
            Element::Double => format!("{value:x}"),
        }
    }

    /// The first value of the element at a position of an array (see `print_c`).
    pub fn initial(self, array: usize, position: usize) -> u64 {
        let number = (position * 7 + array * 5 + 3) % 23;
        match self {
            Element::Unsigned => number as u64,
            Element::Double => (number as f64 / 16.0 - 0.5).to_bits(),
        }
    }
}

/// Calls `visit` for every instance of an assignment or a declaration, in the program's order.
/// Stops after `limit` iterations and instances; returns whether it came to the end.
pub fn for_each_instance<'a>(
    nodes: &'a [Node],
    point: &mut Point,
    limit: &mut usize,
    visit: &mut impl FnMut(&'a Node, &Point),
) -> bool {
    instances(nodes, 0, point, limit, visit)
}

fn instances<'a>(
    nodes: &'a [Node],
    depth: usize,
    point: &mut Point,
    limit: &mut usize,
    visit: &mut impl FnMut(&'a Node, &Point),
) -> bool {
    nodes.iter().all(|node| {
        if *limit == 0 {
            return false;
        }
        *limit -= 1;
        match node {
            Node::Loop(inner) => iterations(inner, depth, point, limit, visit),
            Node::If(condition, then, otherwise) => {
                let taken = if condition.holds(point) { then } else { otherwise };
                instances(taken, depth, point, limit, visit)
            }
            Node::Assign(..) | Node::Declare(..) => {
                visit(node, point);
                true
            }
        }
    })
}

fn iterations<'a>(
    inner: &'a Loop,
    depth: usize,
    point: &mut Point,
    limit: &mut usize,
    visit: &mut impl FnMut(&'a Node, &Point),
) -> bool {
    let mut value = inner.start.at(point);
    while inner.continues(value, point) {
        if *limit == 0 {
            return false;
        }
        *limit -= 1;
        point.iterators[depth] = value;
        if !instances(&inner.body, depth + 1, point, limit, visit) {
            return false;
        }
        value += inner.step;
    }
    true
}

/// Calls `visit` for every reference of an assignment or a declaration.
pub fn node_references<'a>(node: &'a Node, visit: &mut impl FnMut(&'a Reference)) {
    match node {
        Node::Assign(target, _, value) => {
            if let Target::Element(reference) = target {
                visit(reference);
            }
            visit_references(value, visit);
        }
        Node::Declare(_, value) => visit_references(value, visit),
        Node::Loop(_) | Node::If(..) => {}
    }
}

/// The values of all variables.
struct Memory<'a> {
    program: &'a Program,
    arrays: Vec<Vec<u64>>,
    scalars: Vec<u64>,
}

impl<'a> Memory<'a> {
    fn new(program: &'a Program) -> Self {
        let array = |(index, array): (usize, &crate::program::Array)| {
            let size = array.extents.iter().product::<i64>() as usize;
            (0..size).map(|position| program.element.initial(index, position)).collect()
        };
        let arrays = program.arrays.iter().enumerate().map(array).collect();
        let scalars = (0..program.scalars.len())
            .map(|index| program.element.constant(index as u32 + 1))
            .collect();
        Memory { program, arrays, scalars }
    }

    fn element(&mut self, reference: &Reference, point: &Point) -> &mut u64 {
        let array = &self.program.arrays[reference.array];
        let mut position = 0;
        for (dimension, subscript) in reference.subscripts.iter().enumerate() {
            let index = subscript.at(point) + array.origins[dimension];
            assert!((0..array.extents[dimension]).contains(&index), "a subscript is out of bounds");
            position = position * array.extents[dimension] + index;
        }
        &mut self.arrays[reference.array][position as usize]
    }

    fn value(&mut self, value: &Value, point: &Point) -> u64 {
        let element = self.program.element;
        match value {
            Value::Constant(number) => element.constant(*number),
            Value::Iterator(depth) => element.convert(point.iterators[*depth]),
            Value::Parameter(index) => element.convert(point.parameters[*index]),
            Value::Scalar(index) => self.scalars[*index],
            Value::Element(reference) => *self.element(reference, point),
            Value::Binary(a, operator, b) => {
                let (a, b) = (self.value(a, point), self.value(b, point));
                element.apply(a, *operator, b)
            }
            Value::Select(parts) => {
                let (a, b) = (self.value(&parts[0], point), self.value(&parts[1], point));
                self.value(if element.less(a, b) { &parts[2] } else { &parts[3] }, point)
            }
        }
    }

    fn run(&mut self, node: &Node, point: &Point) {
        match node {
            Node::Assign(target, operator, value) => {
                let value = self.value(value, point);
                let element = self.program.element;
                let place = match target {
                    Target::Scalar(index) => &mut self.scalars[*index],
                    Target::Element(reference) => self.element(reference, point),
                };
                *place = operator.map_or(value, |operator| element.apply(*place, operator, value));
            }
            Node::Declare(index, value) => self.scalars[*index] = self.value(value, point),
            Node::Loop(_) | Node::If(..) => {}
        }
    }

    fn print(&self, out: &mut String) {
        let element = self.program.element;
        for (index, scalar) in self.program.scalars.iter().enumerate() {
            if scalar.live_out {
                let _ = writeln!(out, "{} {}", scalar.name, element.text(self.scalars[index]));
            }
        }
        for (index, values) in self.arrays.iter().enumerate() {
            let _ = write!(out, "a{index}");
            for value in values {
                let _ = write!(out, " {}", element.text(*value));
            }
            out.push('\n');
        }
    }
}

/// What the C text of a program prints: for each run the live scalars and all arrays.
///
/// # Panics
/// If a subscript is out of bounds, which random programs rule out.
pub fn interpret(program: &Program) -> String {
    let mut out = String::new();
    for (number, &parameters) in program.runs.iter().enumerate() {
        let _ = writeln!(out, "run {number}");
        let mut memory = Memory::new(program);
        let mut point = Point { parameters, ..Point::default() };
        let mut limit = usize::MAX;
        for_each_instance(&program.body, &mut point, &mut limit, &mut |node, point| {
            memory.run(node, point);
        });
        memory.print(&mut out);
    }
    out
}
