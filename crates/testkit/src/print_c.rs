//! Programs as C text.
//!
//! A file consists of a [`header`], per program its variables and its function with the region
//! ([`function`], which needs nothing else to be compiled), and a [`driver`] with `main`. What the
//! file prints is a line `program N` and the text of [`interpret`](crate::interpret) per program.
use crate::program::{
    Affine, Comparison, Condition, Element, Index, Loop, Node, Operator, Program, Reference,
    Target, Value,
};
use std::fmt::Write;

const ITERATORS: [&str; crate::program::MAX_DEPTH] = ["i", "j", "k", "l"];
const PARAMETERS: [&str; crate::program::N_PARAMETERS] = ["n", "m"];

/// The whole file for some programs.
pub fn complete_file(programs: &[Program]) -> String {
    let mut text = header();
    for (number, program) in programs.iter().enumerate() {
        text += &function(program, number);
    }
    text + &driver(programs)
}

/// Includes, and functions that initialise and print arrays.
pub fn header() -> String {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_string();
    text += "
static void show_unsigned(unsigned long value) { printf(\" %lu\", value); }

static void show_double(double value)
{
  unsigned long bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) printf(\" nan\"); else printf(\" %lx\", bits);
}
";
    for (name, c_type, initial) in
        [("unsigned", "unsigned long", "number"), ("double", "double", "number / 16.0 - 0.5")]
    {
        let _ = write!(
            text,
            "
static void start_{name}({c_type} *values, long size, long array)
{{
  for (long at = 0; at < size; at++) {{
    long number = (at * 7 + array * 5 + 3) % 23;
    values[at] = {initial};
  }}
}}

static void print_{name}(const {c_type} *values, long size, const char *name)
{{
  printf(\"%s\", name);
  for (long at = 0; at < size; at++) show_{name}(values[at]);
  printf(\"\\n\");
}}
"
        );
    }
    text
}

/// The variables and the function of a program; its names start with `p` and `number`.
pub fn function(program: &Program, number: usize) -> String {
    let printer = Printer { program, number };
    let c_type = c_type(program.element);
    let mut text = String::from("\n");
    for (index, array) in program.arrays.iter().enumerate() {
        let extents = brackets(&array.extents);
        let _ = writeln!(text, "static {c_type} p{number}_a{index}{extents};");
    }
    let _ = writeln!(text, "static {c_type} p{number}_scalars[{}];", program.scalars.len().max(1));
    let _ = writeln!(text, "static void p{number}({})\n{{", printer.arguments());
    for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, s)| !s.local) {
        let first = printer.constant(index as u32 + 1);
        let _ = writeln!(text, "  {c_type} {} = {first};", scalar.name);
    }
    if !program.loops_declare_iterators {
        let _ = writeln!(text, "  int {};", ITERATORS.join(", "));
    }
    text += "#pragma scop\n";
    printer.nodes(&mut text, &program.body, 0, 1);
    text += "#pragma endscop\n";
    for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, s)| s.live_out) {
        let _ = writeln!(text, "  p{number}_scalars[{index}] = {};", scalar.name);
    }
    text + "}\n"
}

/// A `main` that runs all programs and prints their results.
pub fn driver(programs: &[Program]) -> String {
    let mut text = String::from("\nint main(void)\n{\n");
    for (number, program) in programs.iter().enumerate() {
        let _ = writeln!(text, "  printf(\"program {number}\\n\");");
        let kind = kind(program.element);
        let arrays =
            || program.arrays.iter().map(|a| a.extents.iter().product::<i64>()).enumerate();
        for (run, parameters) in program.runs.iter().enumerate() {
            let _ = writeln!(text, "  printf(\"run {run}\\n\");");
            let first = |index| format!("(void *)p{number}_a{index}");
            for (index, size) in arrays() {
                let _ = writeln!(text, "  start_{kind}({}, {size}, {index});", first(index));
            }
            let mut arguments: Vec<String> = parameters.iter().map(i64::to_string).collect();
            if program.arrays_are_arguments {
                arguments.extend(arrays().map(|(index, _)| format!("p{number}_a{index}")));
            }
            let _ = writeln!(text, "  p{number}({});", arguments.join(", "));
            for (index, scalar) in program.scalars.iter().enumerate().filter(|(_, s)| s.live_out) {
                let place = format!("&p{number}_scalars[{index}]");
                let _ = writeln!(text, "  print_{kind}({place}, 1, \"{}\");", scalar.name);
            }
            for (index, size) in arrays() {
                let _ = writeln!(text, "  print_{kind}({}, {size}, \"a{index}\");", first(index));
            }
        }
        text += "  fflush(stdout);\n";
    }
    text + "  return 0;\n}\n"
}

fn c_type(element: Element) -> &'static str {
    match element {
        Element::Unsigned => "unsigned long",
        Element::Double => "double",
    }
}

fn kind(element: Element) -> &'static str {
    match element {
        Element::Unsigned => "unsigned",
        Element::Double => "double",
    }
}

fn brackets(extents: &[i64]) -> String {
    extents.iter().map(|extent| format!("[{extent}]")).collect()
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
    }
}

fn operator_symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
    }
}

/// An affine form, such as `2 * i - j + 3`.
fn affine(form: &Affine) -> String {
    let mut text = String::new();
    let names = ITERATORS.iter().chain(&PARAMETERS);
    let terms = form.iterators.iter().chain(&form.parameters).zip(names);
    for (&coefficient, name) in terms.filter(|(c, _)| **c != 0) {
        add_sign(&mut text, coefficient);
        if coefficient.abs() != 1 {
            let _ = write!(text, "{} * ", coefficient.abs());
        }
        text += name;
    }
    if form.constant != 0 || text.is_empty() {
        add_sign(&mut text, form.constant);
        let _ = write!(text, "{}", form.constant.abs());
    }
    text
}

fn add_sign(text: &mut String, coefficient: i64) {
    *text += match (text.is_empty(), coefficient < 0) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    };
}

fn index(value: &Index) -> String {
    match value {
        Index::Affine(form) => affine(form),
        Index::Quotient(form, divisor) => format!("({}) / {divisor}", affine(form)),
        Index::Remainder(form, divisor) => format!("({}) % {divisor}", affine(form)),
        Index::Select(holds, a, b) => {
            format!("({} ? {} : {})", condition(holds), affine(a), affine(b))
        }
    }
}

fn condition(value: &Condition) -> String {
    match value {
        Condition::Compare(a, comparison, b) => {
            format!("{} {} {}", index(a), symbol(*comparison), index(b))
        }
        Condition::Not(inner) => format!("!({})", condition(inner)),
        Condition::And(a, b) => format!("({}) && ({})", condition(a), condition(b)),
        Condition::Or(a, b) => format!("({}) || ({})", condition(a), condition(b)),
    }
}

struct Printer<'a> {
    program: &'a Program,
    number: usize,
}

impl Printer<'_> {
    fn arguments(&self) -> String {
        let mut arguments: Vec<String> =
            PARAMETERS.iter().map(|name| format!("int {name}")).collect();
        if self.program.arrays_are_arguments {
            let c_type = c_type(self.program.element);
            let arrays = self.program.arrays.iter().enumerate();
            arguments.extend(
                arrays.map(|(index, a)| format!("{c_type} a{index}{}", brackets(&a.extents))),
            );
        }
        arguments.join(", ")
    }

    fn constant(&self, number: u32) -> String {
        match self.program.element {
            Element::Unsigned => format!("{number}UL"),
            Element::Double => format!("{:?}", f64::from(number) / 8.0),
        }
    }

    fn reference(&self, reference: &Reference) -> String {
        let mut text = if self.program.arrays_are_arguments {
            format!("a{}", reference.array)
        } else {
            format!("p{}_a{}", self.number, reference.array)
        };
        let origins = &self.program.arrays[reference.array].origins;
        for (subscript, &origin) in reference.subscripts.iter().zip(origins) {
            let _ = match subscript {
                Index::Affine(form) => {
                    write!(text, "[{}]", affine(&form.add_scaled(origin, &Affine::constant(1))))
                }
                other if origin == 0 => write!(text, "[{}]", index(other)),
                other => write!(text, "[{} + {origin}]", index(other)),
            };
        }
        text
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Constant(number) => self.constant(*number),
            Value::Iterator(depth) => ITERATORS[*depth].to_string(),
            Value::Parameter(index) => PARAMETERS[*index].to_string(),
            Value::Scalar(index) => self.program.scalars[*index].name.to_string(),
            Value::Element(reference) => self.reference(reference),
            Value::Binary(a, operator, b) => {
                format!("({} {} {})", self.data(a), operator_symbol(*operator), self.data(b))
            }
            Value::Select(parts) => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|part| self.data(&parts[part]));
                format!("({a} < {b} ? {c} : {d})")
            }
        }
    }

    /// A value that has the program's type before it meets an operator.
    fn data(&self, value: &Value) -> String {
        match value {
            Value::Iterator(_) | Value::Parameter(_) => {
                format!("({}){}", c_type(self.program.element), self.value(value))
            }
            _ => self.value(value),
        }
    }

    fn nodes(&self, out: &mut String, nodes: &[Node], depth: usize, level: usize) {
        for node in nodes {
            self.node(out, node, depth, level);
        }
    }

    fn node(&self, out: &mut String, node: &Node, depth: usize, level: usize) {
        let indent = "  ".repeat(level);
        let _ = match node {
            Node::Loop(inner) => {
                let _ = writeln!(out, "{indent}{} {{", self.loop_head(inner, depth));
                self.nodes(out, &inner.body, depth + 1, level + 1);
                writeln!(out, "{indent}}}")
            }
            Node::If(holds, then, otherwise) => {
                let _ = writeln!(out, "{indent}if ({}) {{", condition(holds));
                self.nodes(out, then, depth, level + 1);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{indent}}} else {{");
                    self.nodes(out, otherwise, depth, level + 1);
                }
                writeln!(out, "{indent}}}")
            }
            Node::Assign(target, operator, value) => {
                let target = match target {
                    Target::Scalar(index) => self.program.scalars[*index].name.to_string(),
                    Target::Element(reference) => self.reference(reference),
                };
                let operator = operator.map_or("", operator_symbol);
                writeln!(out, "{indent}{target} {operator}= {};", self.value(value))
            }
            Node::Declare(index, value) => {
                let name = self.program.scalars[*index].name;
                let c_type = c_type(self.program.element);
                writeln!(out, "{indent}{c_type} {name} = {};", self.value(value))
            }
        };
    }

    fn loop_head(&self, inner: &Loop, depth: usize) -> String {
        let name = ITERATORS[depth];
        let declare = if self.program.loops_declare_iterators { "int " } else { "" };
        let symbol = symbol(inner.comparison());
        let ends: Vec<String> =
            inner.ends.iter().map(|end| format!("{name} {symbol} {}", index(end))).collect();
        let ends = ends.join(if inner.all { " && " } else { " || " });
        let step = match inner.step {
            1 => format!("{name}++"),
            -1 => format!("{name}--"),
            step if step > 0 => format!("{name} += {step}"),
            step => format!("{name} -= {}", -step),
        };
        format!("for ({declare}{name} = {}; {ends}; {step})", index(&inner.start))
    }
}
