//! Smaller versions of a program that shows a defect.
//!
//! All places where something can be left out are numbered by a walk; [`smaller_programs`] makes
//! one version per place. Repeating this with a version that still shows the defect, until there
//! is none, gives a program of which nothing can be left out.
use crate::program::{
    Affine, Condition, Element, Index, Loop, MAX_DEPTH, Node, Program, Reference, Target, Value,
};
use crate::random_program::{fit, scalars_are_visible};

/// All versions of a program with one thing less; those that are malformed or run nothing are left
/// out.
pub fn smaller_programs(program: &Program) -> impl Iterator<Item = Program> + '_ {
    (0..).map_while(|wanted| edited(program, wanted)).flatten()
}

/// The version number `wanted`: none after the last one, `Some(None)` if it is malformed.
fn edited(program: &Program, wanted: usize) -> Option<Option<Program>> {
    let mut result = program.clone();
    let mut editor = Editor { wanted, seen: 0 };
    editor.program(&mut result);
    if editor.seen <= wanted {
        return None;
    }
    Some((scalars_are_visible(&result) && fit(&mut result)).then_some(result))
}

struct Editor {
    wanted: usize,
    seen: usize,
}

impl Editor {
    /// Whether the edit at this place is the wanted one.
    fn offer(&mut self) -> bool {
        self.seen += 1;
        self.seen == self.wanted + 1
    }

    fn program(&mut self, program: &mut Program) {
        self.nodes(&mut program.body, 0);
        for array in 0..program.arrays.len() {
            if program.arrays[array].extents.len() > 1 && self.offer() {
                program.arrays[array].extents.pop();
                program.arrays[array].origins.pop();
                each_reference(&mut program.body, &mut |reference| {
                    if reference.array == array {
                        reference.subscripts.pop();
                    }
                });
            }
        }
        let live = program.scalars.iter_mut().filter(|scalar| scalar.live_out);
        live.for_each(|scalar| scalar.live_out = !self.offer());
        if program.element != Element::Unsigned && self.offer() {
            program.element = Element::Unsigned;
        }
        if program.arrays_are_arguments && self.offer() {
            program.arrays_are_arguments = false;
        }
        if !program.loops_declare_iterators && self.offer() {
            program.loops_declare_iterators = true;
        }
    }

    fn nodes(&mut self, nodes: &mut Vec<Node>, depth: usize) {
        let mut at = 0;
        while at < nodes.len() {
            if self.offer() {
                nodes.remove(at);
                return;
            }
            if let Some(inside) = self.without_shell(&nodes[at], depth) {
                nodes.splice(at..=at, inside);
                return;
            }
            self.node(&mut nodes[at], depth);
            at += 1;
        }
    }

    /// What is inside of a loop or a guard, to take its place.
    fn without_shell(&mut self, node: &Node, depth: usize) -> Option<Vec<Node>> {
        match node {
            Node::Loop(inner) if self.offer() => Some(first_iteration(inner, depth)),
            Node::If(_, then, _) if self.offer() => Some(then.clone()),
            Node::If(_, _, otherwise) if !otherwise.is_empty() && self.offer() => {
                Some(otherwise.clone())
            }
            _ => None,
        }
    }

    fn node(&mut self, node: &mut Node, depth: usize) {
        match node {
            Node::Loop(inner) => {
                self.loop_head(inner);
                self.nodes(&mut inner.body, depth + 1);
            }
            Node::If(condition, then, otherwise) => {
                self.condition(condition);
                self.nodes(then, depth);
                self.nodes(otherwise, depth);
            }
            Node::Assign(target, operator, value) => {
                if let Target::Element(reference) = target {
                    reference.subscripts.iter_mut().for_each(|subscript| self.index(subscript));
                }
                if operator.is_some() && self.offer() {
                    *operator = None;
                }
                self.value(value);
            }
            Node::Declare(_, value) => self.value(value),
        }
    }

    fn loop_head(&mut self, inner: &mut Loop) {
        if inner.step.abs() > 1 && self.offer() {
            inner.step = inner.step.signum();
        }
        if inner.ends.len() > 1 {
            if self.offer() {
                inner.ends.pop();
            } else if self.offer() {
                inner.ends.remove(0);
            }
        }
        if inner.inclusive == (inner.step > 0) && self.offer() {
            inner.inclusive = !inner.inclusive;
        }
        self.index(&mut inner.start);
        inner.ends.iter_mut().for_each(|end| self.index(end));
    }

    fn condition(&mut self, condition: &mut Condition) {
        let replacement = match condition {
            Condition::Not(inner) if self.offer() => Some((**inner).clone()),
            Condition::And(a, _) | Condition::Or(a, _) if self.offer() => Some((**a).clone()),
            Condition::And(_, b) | Condition::Or(_, b) if self.offer() => Some((**b).clone()),
            _ => None,
        };
        if let Some(replacement) = replacement {
            *condition = replacement;
            return;
        }
        match condition {
            Condition::Compare(a, _, b) => {
                self.index(a);
                self.index(b);
            }
            Condition::Not(inner) => self.condition(inner),
            Condition::And(a, b) | Condition::Or(a, b) => {
                self.condition(a);
                self.condition(b);
            }
        }
    }

    fn index(&mut self, index: &mut Index) {
        let replacement = match index {
            Index::Quotient(form, _) | Index::Remainder(form, _) if self.offer() => {
                Some(form.clone())
            }
            Index::Select(_, a, _) if self.offer() => Some(a.clone()),
            Index::Select(_, _, b) if self.offer() => Some(b.clone()),
            _ => None,
        };
        if let Some(replacement) = replacement {
            *index = Index::Affine(replacement);
            return;
        }
        match index {
            Index::Affine(form) | Index::Quotient(form, _) | Index::Remainder(form, _) => {
                self.affine(form);
            }
            Index::Select(condition, a, b) => {
                self.condition(condition);
                self.affine(a);
                self.affine(b);
            }
        }
    }

    fn affine(&mut self, form: &mut Affine) {
        for value in form.iterators.iter_mut().chain(&mut form.parameters) {
            if *value != 0 && self.offer() {
                *value = 0;
            }
            if value.abs() > 1 && self.offer() {
                *value = value.signum();
            }
        }
        if form.constant != 0 && self.offer() {
            form.constant = 0;
        }
        if form.constant.abs() > 1 && self.offer() {
            form.constant -= form.constant.signum();
        }
    }

    fn value(&mut self, value: &mut Value) {
        let replacement = match value {
            Value::Constant(_) => None,
            _ if self.offer() => Some(Value::Constant(1)),
            Value::Binary(a, _, _) if self.offer() => Some((**a).clone()),
            Value::Binary(_, _, b) if self.offer() => Some((**b).clone()),
            Value::Select(parts) => parts.iter().find(|_| self.offer()).cloned(),
            _ => None,
        };
        if let Some(replacement) = replacement {
            *value = replacement;
            return;
        }
        match value {
            Value::Element(reference) => {
                reference.subscripts.iter_mut().for_each(|subscript| self.index(subscript));
            }
            Value::Binary(a, _, b) => {
                self.value(a);
                self.value(b);
            }
            Value::Select(parts) => parts.iter_mut().for_each(|part| self.value(part)),
            _ => {}
        }
    }
}

/// The body of a loop with the iterator at its start; iterators further in move up by one.
fn first_iteration(inner: &Loop, depth: usize) -> Vec<Node> {
    let start = match &inner.start {
        Index::Affine(form) => form.clone(),
        _ => Affine::constant(0),
    };
    let mut body = inner.body.clone();
    each_affine(&mut body, &mut |form| {
        let factor = form.iterators[depth];
        form.iterators.copy_within(depth + 1..MAX_DEPTH, depth);
        form.iterators[MAX_DEPTH - 1] = 0;
        *form = form.add_scaled(factor, &start);
    });
    each_value(&mut body, &mut |value| {
        if let Value::Iterator(used) = value {
            match (*used).cmp(&depth) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => *value = Value::Constant(1),
                std::cmp::Ordering::Greater => *used -= 1,
            }
        }
    });
    body
}

/// Calls `change` for every value and every part of one.
fn each_value(nodes: &mut [Node], change: &mut impl FnMut(&mut Value)) {
    fn parts(value: &mut Value, change: &mut impl FnMut(&mut Value)) {
        change(value);
        match value {
            Value::Binary(a, _, b) => {
                parts(a, change);
                parts(b, change);
            }
            Value::Select(inner) => inner.iter_mut().for_each(|part| parts(part, change)),
            _ => {}
        }
    }
    for node in nodes {
        match node {
            Node::Loop(inner) => each_value(&mut inner.body, change),
            Node::If(_, then, otherwise) => {
                each_value(then, change);
                each_value(otherwise, change);
            }
            Node::Assign(_, _, value) | Node::Declare(_, value) => parts(value, change),
        }
    }
}

/// Calls `change` for every reference.
fn each_reference(nodes: &mut [Node], change: &mut impl FnMut(&mut Reference)) {
    each_target(nodes, &mut |target| {
        if let Target::Element(reference) = target {
            change(reference);
        }
    });
    each_value(nodes, &mut |value| {
        if let Value::Element(reference) = value {
            change(reference);
        }
    });
}

fn each_target(nodes: &mut [Node], change: &mut impl FnMut(&mut Target)) {
    for node in nodes {
        match node {
            Node::Loop(inner) => each_target(&mut inner.body, change),
            Node::If(_, then, otherwise) => {
                each_target(then, change);
                each_target(otherwise, change);
            }
            Node::Assign(target, _, _) => change(target),
            Node::Declare(..) => {}
        }
    }
}

/// Calls `change` for every affine form.
fn each_affine(nodes: &mut [Node], change: &mut impl FnMut(&mut Affine)) {
    each_reference(nodes, &mut |reference| {
        reference.subscripts.iter_mut().for_each(|subscript| index_forms(subscript, change));
    });
    bound_forms(nodes, change);
}

/// Calls `change` for every affine form of bounds and guards.
fn bound_forms(nodes: &mut [Node], change: &mut impl FnMut(&mut Affine)) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                index_forms(&mut inner.start, change);
                inner.ends.iter_mut().for_each(|end| index_forms(end, change));
                bound_forms(&mut inner.body, change);
            }
            Node::If(condition, then, otherwise) => {
                condition_forms(condition, change);
                bound_forms(then, change);
                bound_forms(otherwise, change);
            }
            Node::Assign(..) | Node::Declare(..) => {}
        }
    }
}

fn index_forms(index: &mut Index, change: &mut impl FnMut(&mut Affine)) {
    match index {
        Index::Affine(form) | Index::Quotient(form, _) | Index::Remainder(form, _) => change(form),
        Index::Select(condition, a, b) => {
            condition_forms(condition, change);
            change(a);
            change(b);
        }
    }
}

fn condition_forms(condition: &mut Condition, change: &mut impl FnMut(&mut Affine)) {
    match condition {
        Condition::Compare(a, _, b) => {
            index_forms(a, change);
            index_forms(b, change);
        }
        Condition::Not(inner) => condition_forms(inner, change),
        Condition::And(a, b) | Condition::Or(a, b) => {
            condition_forms(a, change);
            condition_forms(b, change);
        }
    }
}
