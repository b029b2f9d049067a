//! The text of one kernel, from the subtree of its mark.
use super::arguments::{Argument, arguments_of, is_written, words};
use super::element::Memory;
use super::extents::{Sizes, distance, ends, starts};
use super::types::element_type;
use crate::body::Body;
use crate::parameters::ITERATOR_TYPE;
use crate::writer::Writer;
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Lowering};
use loopwright_presburger::{Error, Name, Result};
use loopwright_schedule::{Axis, KernelMark, LoopKind, LoopMark};
use std::collections::BTreeSet;

/// A printed kernel.
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) sizes: Sizes,
}

/// Prints a kernel whose arguments are found in its text; `around` are the iterators of the host.
pub(super) fn kernel(
    name: String,
    (body, sizes): (&AstNode, Sizes),
    around: &[Name],
    memory: &Memory<'_>,
    lowering: &mut Lowering,
) -> Result<Kernel> {
    let mut printer = KernelPrinter {
        memory,
        lowering,
        sizes: &sizes,
        private: private_variables(body),
        statements: BTreeSet::new(),
        writer: Writer::new("  "),
        is_alone: true,
    };
    printer.node(body)?;
    let KernelPrinter { writer, private, statements, .. } = printer;
    let inside = writer.finish().text;
    let used = words(&inside);
    let iterators = around.iter().filter(|name| used.contains(&***name));
    let iterators = iterators.map(|name| Argument::Iterator(name.clone()));
    let is_given = |argument: &Argument| !private.contains(&argument.name(memory));
    let others = arguments_of(&inside, memory).into_iter().filter(is_given);
    let arguments: Vec<Argument> = iterators.chain(others).collect();
    let declared = |argument: &Argument| {
        let writes =
            matches!(argument, Argument::Array(id) if is_written(*id, &statements, memory));
        argument.of_kernel(memory, writes)
    };
    let list: Vec<String> = arguments.iter().map(declared).collect();
    let head = memory.language.kernel_head();
    let mut text = format!("{head} {name}({})\n{{\n", list.join(", "));
    for array in memory.scop.arrays.iter().filter(|array| private.contains(&array.tuple_name)) {
        if used.contains(&*array.tuple_name) {
            let own = element_type(array).unwrap_or_default();
            text.push_str(&format!("  {own} {};\n", array.tuple_name));
        }
    }
    text.push_str(&inside);
    text.push_str("}\n");
    Ok(Kernel { name, text, arguments, sizes })
}

/// The variables that all loops over blocks and threads of a kernel have for each iteration.
fn private_variables(body: &AstNode) -> BTreeSet<Name> {
    let mut all: Option<BTreeSet<Name>> = None;
    fn collect(node: &AstNode, all: &mut Option<BTreeSet<Name>>) {
        match node {
            AstNode::For(each) => collect(&each.body, all),
            AstNode::If { then, otherwise, .. } => {
                collect(then, all);
                otherwise.iter().for_each(|otherwise| collect(otherwise, all));
            }
            AstNode::Block(children) => children.iter().for_each(|child| collect(child, all)),
            AstNode::Mark { name, child, .. } => {
                if let Some(mark) = LoopMark::parse(name).filter(|mark| mark.kind.is_of_kernel()) {
                    let own: BTreeSet<Name> = mark.private.into_iter().collect();
                    *all = Some(match all.take() {
                        None => own,
                        Some(all) => all.intersection(&own).cloned().collect(),
                    });
                }
                collect(child, all);
            }
            AstNode::User { .. } => {}
        }
    }
    collect(body, &mut all);
    all.unwrap_or_default()
}

struct KernelPrinter<'a> {
    memory: &'a Memory<'a>,
    lowering: &'a mut Lowering,
    sizes: &'a Sizes,
    private: BTreeSet<Name>,
    /// The statements that are executed.
    statements: BTreeSet<Name>,
    writer: Writer,
    /// Whether what comes next is all that there is in the block around it.
    is_alone: bool,
}

impl KernelPrinter<'_> {
    fn node(&mut self, node: &AstNode) -> Result<()> {
        match node {
            AstNode::For(each) => {
                open_loop(each, self.lowering, &mut self.writer)?;
                self.is_alone = true;
                self.node(&each.body)?;
                self.writer.depth_out();
                self.writer.line("}");
                Ok(())
            }
            AstNode::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise.as_deref(), None)
            }
            AstNode::Block(children) => {
                if children.len() > 1 && children.iter().any(has_marks) {
                    return Err(misplaced(IN_PIECES));
                }
                children.iter().try_for_each(|child| {
                    self.is_alone = false;
                    self.node(child)
                })
            }
            AstNode::Mark { name, dimension, child } => match LoopMark::parse(name) {
                Some(mark) if mark.kind.is_of_kernel() => {
                    self.spread((mark.kind, *dimension), child)
                }
                _ if KernelMark::parse(name).is_some() => {
                    Err(misplaced("a kernel inside of a kernel"))
                }
                _ => self.node(child),
            },
            AstNode::User { statement, place, .. } => {
                let name = statement.output().and_then(|t| t.name()).map_or("", |n| n);
                let scop = self.memory.scop;
                let statement = scop
                    .statement_named(name)
                    .ok_or_else(|| misplaced(&format!("the program has no statement `{name}`")))?;
                self.statements.insert(statement.name.clone());
                let body = Body::at(statement, place, self.lowering)?;
                let text = body.statement(|element| {
                    let name = &self.memory.array(element.array).tuple_name;
                    let is_private = self.private.contains(name);
                    Some(self.memory.element(element.array, element.subscripts(), is_private))
                });
                self.writer.line(&text);
                Ok(())
            }
        }
    }

    fn block(&mut self, line: &str, inside: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.writer.line(line);
        self.writer.depth_in();
        self.is_alone = true;
        let result = inside(self);
        self.writer.depth_out();
        self.writer.line("}");
        result
    }

    /// A condition; below a mark its branches may have the loop that the mark is about.
    fn condition(
        &mut self,
        condition: &AstExpr,
        then: &AstNode,
        otherwise: Option<&AstNode>,
        mark: Option<(LoopKind, usize)>,
    ) -> Result<()> {
        let below = |printer: &mut Self, node: &AstNode| match mark {
            Some(mark) => printer.spread(mark, node),
            None => printer.node(node),
        };
        let condition = self.lowering.lower(condition);
        self.writer.line(&format!("if ({condition}) {{"));
        self.writer.depth_in();
        self.is_alone = true;
        below(self, then)?;
        self.writer.depth_out();
        if let Some(otherwise) = otherwise {
            self.writer.line("} else {");
            self.writer.depth_in();
            self.is_alone = true;
            below(self, otherwise)?;
            self.writer.depth_out();
        }
        self.writer.line("}");
        Ok(())
    }

    /// Code whose loop over a dimension is spread over the blocks or threads along an axis; what has no such loop is done by
    /// the first of them.
    fn spread(&mut self, mark: (LoopKind, usize), node: &AstNode) -> Result<()> {
        let (kind, dimension) = mark;
        match node {
            AstNode::For(each) if each.dimension == dimension && each.degenerate => {
                let line = format!("if ({} == 0) {{", self.memory.language.index(kind));
                self.block(&line, |printer| {
                    let iterator = printer.lowering.iterator(&each.iterator);
                    let value = printer.lowering.lower(&each.init);
                    printer.writer.line(&format!("const {ITERATOR_TYPE} {iterator} = {value};"));
                    printer.node(&each.body)
                })
            }
            AstNode::For(each) if each.dimension == dimension => match kind {
                LoopKind::Thread(axis) if self.sizes.is_once[axis as usize] => {
                    self.one_iteration(each, kind, axis)
                }
                _ => self.in_turn(each, kind),
            },
            AstNode::Block(children) if children.len() > 1 => Err(misplaced(IN_PIECES)),
            AstNode::Block(children) => {
                children.iter().try_for_each(|child| self.spread(mark, child))
            }
            AstNode::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise.as_deref(), Some(mark))
            }
            AstNode::For(_) | AstNode::Mark { .. } | AstNode::User { .. } => {
                let line = format!("if ({} == 0) {{", self.memory.language.index(kind));
                self.block(&line, |printer| printer.node(node))
            }
        }
    }

    /// The first value of a block or thread: that of the loop and its own number times the step.
    fn first_value(&mut self, each: &ForLoop, start: &AstExpr, kind: LoopKind) -> AstExpr {
        let index = self.memory.language.index(kind);
        let own = AstExpr::Id(format!("({ITERATOR_TYPE}) {index}").into());
        let steps = scaled(each, own);
        let first = match start.as_int() {
            Some(value) if value.is_zero() => steps,
            _ => AstExpr::Add(Box::new(start.clone()), Box::new(steps)),
        };
        self.lowering.lower(&first)
    }

    /// Iterations in turn.
    fn in_turn(&mut self, each: &ForLoop, kind: LoopKind) -> Result<()> {
        let first = self.first_value(each, &each.init, kind);
        let count = self.memory.language.count(kind);
        let step = scaled(each, AstExpr::Id(count.into()));
        let iterator = self.lowering.iterator(&each.iterator);
        let condition = self.lowering.lower(&each.condition);
        let line = format!(
            "for ({ITERATOR_TYPE} {iterator} = {first}; {condition}; {iterator} += {step}) {{"
        );
        self.block(&line, |printer| printer.node(&each.body))
    }

    /// One iteration for each thread, where there are as many threads as iterations.
    fn one_iteration(&mut self, each: &ForLoop, kind: LoopKind, axis: Axis) -> Result<()> {
        let Threads { start, condition } = self.threads(each, axis);
        let first = self.first_value(each, &start, kind);
        let iterator = self.lowering.iterator(&each.iterator);
        let line = format!("const {ITERATOR_TYPE} {iterator} = {first};");
        let inside = |printer: &mut Self| {
            printer.writer.line(&line);
            match condition {
                None => printer.node(&each.body),
                Some(condition) => {
                    let line = format!("if ({}) {{", printer.lowering.lower(&condition));
                    printer.block(&line, |printer| printer.node(&each.body))
                }
            }
        };
        match std::mem::take(&mut self.is_alone) {
            true => inside(self),
            false => self.block("{", inside),
        }
    }

    /// The value of the first thread, and the condition that a thread has an iteration. In a strip that is the strip's first
    /// value, whatever the least value is, so that threads access lines of memory from their beginning; its end
    /// need not be checked.
    fn threads(&self, each: &ForLoop, axis: Axis) -> Threads {
        let as_it_is =
            || Threads { start: each.init.clone(), condition: Some(each.condition.clone()) };
        let Some(ends) = ends(each).filter(|_| each.increment.is_one()) else {
            return as_it_is();
        };
        let (n_threads, starts) = (self.sizes.threads[axis as usize], starts(each));
        let is_strip =
            |start: &&AstExpr| ends.iter().any(|end| distance(end, start) == Some(n_threads));
        let Some(strip) = starts.iter().find(is_strip) else { return as_it_is() };
        let iterator = || Box::new(AstExpr::Id(each.iterator.clone()));
        let before: Vec<AstExpr> = starts.iter().filter(|start| *start != strip).cloned().collect();
        let is_needed = |end: &&AstExpr| distance(end, strip) != Some(n_threads);
        let after: Vec<AstExpr> = ends.iter().filter(is_needed).cloned().collect();
        let mut conditions = Vec::new();
        if !before.is_empty() {
            conditions.push(AstExpr::Ge(iterator(), Box::new(AstExpr::max(before))));
        }
        if !after.is_empty() {
            conditions.push(AstExpr::Lt(iterator(), Box::new(AstExpr::min(after))));
        }
        let condition = (!conditions.is_empty()).then(|| AstExpr::and(conditions));
        Threads { start: strip.clone(), condition }
    }
}

/// How iterations are spread over threads.
struct Threads {
    start: AstExpr,
    /// None if all threads have one.
    condition: Option<AstExpr>,
}

/// Loops one after the other may have the same value of a band member, which has to be on one thread: they would have to agree
/// on the thread of each value.
const IN_PIECES: &str = "a loop over blocks or threads is generated in pieces";

/// Whether there are loops over blocks or threads.
fn has_marks(node: &AstNode) -> bool {
    match node {
        AstNode::For(each) => has_marks(&each.body),
        AstNode::If { then, otherwise, .. } => {
            has_marks(then) || otherwise.as_deref().is_some_and(has_marks)
        }
        AstNode::Block(children) => children.iter().any(has_marks),
        AstNode::Mark { name, child, .. } => {
            LoopMark::parse(name).is_some_and(|mark| mark.kind.is_of_kernel()) || has_marks(child)
        }
        AstNode::User { .. } => false,
    }
}

/// A number of steps of a loop.
fn scaled(each: &ForLoop, steps: AstExpr) -> AstExpr {
    match each.increment.is_one() {
        true => steps,
        false => AstExpr::Mul(Box::new(AstExpr::Int(each.increment.clone())), Box::new(steps)),
    }
}

/// Begins a loop that one thread runs, or the block of its only iteration.
pub(super) fn open_loop(
    each: &ForLoop,
    lowering: &mut Lowering,
    writer: &mut Writer,
) -> Result<()> {
    if each.multiples_of.is_some() {
        return Err(misplaced("tiles of variable sizes"));
    }
    let iterator = lowering.iterator(&each.iterator);
    let first = lowering.lower(&each.init);
    if each.degenerate {
        writer.line("{");
        writer.depth_in();
        writer.line(&format!("const {ITERATOR_TYPE} {iterator} = {first};"));
        return Ok(());
    }
    let condition = lowering.lower(&each.condition);
    let step = match each.increment.is_one() {
        true => format!("{iterator}++"),
        false => format!("{iterator} += {}", each.increment),
    };
    writer.line(&format!("for ({ITERATOR_TYPE} {iterator} = {first}; {condition}; {step}) {{"));
    writer.depth_in();
    Ok(())
}

/// What stands where the printer does not know it.
pub(super) fn misplaced(what: &str) -> Error {
    Error::Invalid { operation: "printing a kernel", reason: what.to_string() }
}
