//! The text of one kernel, from the subtree of its mark.
//!
//! What no loop over an axis spreads is done by the first block or thread along that axis, if the kernel has
//! several; sequential loops and conditions around loops over threads, and around barriers, are run by all
//! threads alike.
use super::arguments::{Argument, arguments_of, is_written, words};
use super::asynchronous::has_asynchronous_copies;
use super::element::Memory;
use super::extents::Sizes;
use super::language::Language;
use super::own_memory::{constant_strip, declarations, declared, on_device, unrolled_sum};
use super::private::private_variables;
use super::spread::{first_of, has_barrier, has_grid_barrier, has_loops_in_threads, spread_kinds};
use super::strip_quotients::{StripLoop, with_outer_quotients};
use super::types::element_type;
use super::unconditional_barriers::has_barrier_on_condition;
use super::vector_state::VectorState;
use super::width::Width;
use crate::body::{Body, Element};
use crate::writer::Writer;
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Lowering};
use loopwright_presburger::{Error, Name, Result, Space};
use loopwright_schedule::{
    AsynchronousMark, AtomicMark, Axis, BarrierMark, GridBarrierMark, KernelMark, LoopKind,
    LoopMark, MatrixMark, MemorySpace, ShuffleMark, VectorCopyMark,
};
use loopwright_scop::{Scop, Statement};
use std::collections::BTreeSet;

/// A printed kernel.
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) sizes: Sizes,
    /// Whether its blocks wait for each other, so that all of them have to run at the same time.
    pub(super) runs_together: bool,
    /// No more blocks than these wait longer for each other than one takes for their work.
    pub(super) few_blocks: u32,
}

/// Blocks whose threads do one iteration each: one block takes the time of memory, some 0.5 µs, for each of
/// the others, and a barrier across blocks 2 µs.
const FEW_BLOCKS: u32 = 4;

/// Prints a kernel whose arguments are found in its text; `around` are the iterators of the host.
pub(super) fn kernel(
    name: String,
    (body, sizes): (&AstNode, Sizes),
    around: &[Name],
    memory: &Memory<'_>,
    lowering: &mut Lowering,
) -> Result<Kernel> {
    if memory.language == Language::OpenCl && has_barrier_on_condition(body) {
        return Err(misplaced(
            "a barrier below a condition in a loop, with which OpenCL platforms compute other values,",
        ));
    }
    let own_arrays = declared(body);
    let mut printer = KernelPrinter {
        memory,
        lowering,
        sizes: &sizes,
        private: private_variables(body, memory.scop),
        statements: BTreeSet::new(),
        writer: Writer::new("  "),
        is_alone: true,
        has_own_arrays: !own_arrays.is_empty(),
        has_asynchronous_copies: has_asynchronous_copies(body),
        is_asynchronous: false,
        is_atomic: false,
        shuffle: None,
        lanes: [None; 2],
        vectors: VectorState::of_kernel(&own_arrays),
        strips: Vec::new(),
        spread: Vec::new(),
    };
    printer.node(body)?;
    let KernelPrinter { writer, private, statements, vectors, .. } = printer;
    if let Some(array) = private_rows(memory.scop, &private, &statements) {
        let what = format!(
            "subscripts that depend on data, of `{array}`, which threads have for themselves,"
        );
        return Err(misplaced(&what));
    }
    let inside = writer.finish().text;
    let used = words(&inside);
    let iterators = around.iter().filter(|name| used.contains(&***name));
    let iterators = iterators.map(|name| Argument::Iterator(name.clone()));
    let is_given = |argument: &Argument| {
        let name = argument.name(memory);
        !private.contains(&name) && !own_arrays.iter().any(|own| own.array == name)
    };
    let others = arguments_of(&inside, memory).into_iter().filter(is_given);
    let arguments: Vec<Argument> = iterators.chain(others).collect();
    let declared = |argument: &Argument| {
        let writes =
            matches!(argument, Argument::Array(id) if is_written(*id, &statements, memory));
        argument.of_kernel(memory, writes)
    };
    let list: Vec<String> = arguments.iter().map(declared).collect();
    let runs_together = has_grid_barrier(body);
    let few_blocks = if has_loops_in_threads(body) { 1 } else { FEW_BLOCKS };
    let head = match own_arrays.is_empty() && !runs_together {
        true => memory.language.kernel_head().to_string(),
        false => memory.language.bounded_head(sizes.threads),
    };
    let mut text = format!("{head} {name}({})\n{{\n", list.join(", "));
    for array in memory.scop.arrays.iter().filter(|array| private.contains(&array.tuple_name)) {
        if used.contains(&*array.tuple_name) {
            let own = element_type(array, memory.language).unwrap_or_default();
            let extents = array.extent_texts.iter().map(|extent| format!("[{extent}]"));
            let extents: String = extents.collect();
            text.push_str(&format!("  {own} {}{extents};\n", array.tuple_name));
        }
    }
    if own_arrays.iter().any(|own| own.space == MemorySpace::Registers)
        && sizes.is_once != [true; 3]
    {
        return Err(misplaced(
            "registers of a thread with several iterations of a loop over threads",
        ));
    }
    text.push_str(&declarations(&own_arrays, (memory, &vectors))?);
    text.push_str(&inside);
    text.push_str("}\n");
    Ok(Kernel { name, text, arguments, sizes, runs_together, few_blocks })
}

/// An array of several dimensions that each thread has for itself, and that statements use with subscripts
/// that depend on data: these have become one, as memory of the device has no rows.
fn private_rows<'s>(
    scop: &'s Scop,
    private: &BTreeSet<Name>,
    statements: &BTreeSet<Name>,
) -> Option<&'s Name> {
    let used = scop.statements.iter().filter(|statement| statements.contains(&statement.name));
    let mut elements = used.flat_map(|statement| statement.body.elements());
    let found = elements.find(|element| {
        let array = scop.array(element.array);
        let n_dims = array.extents.len();
        n_dims > 1 && element.subscripts.len() < n_dims && private.contains(&array.tuple_name)
    })?;
    Some(&scop.array(found.array).tuple_name)
}

pub(super) struct KernelPrinter<'a> {
    pub(super) memory: &'a Memory<'a>,
    pub(super) lowering: &'a mut Lowering,
    pub(super) sizes: &'a Sizes,
    pub(super) private: BTreeSet<Name>,
    /// The statements that are executed.
    statements: BTreeSet<Name>,
    pub(super) writer: Writer,
    /// Whether what comes next is all that there is in the block around it.
    pub(super) is_alone: bool,
    /// The loops over blocks and threads that this is in, those included that were not needed.
    spread: Vec<LoopKind>,
    has_own_arrays: bool,
    pub(super) has_asynchronous_copies: bool,
    /// The loops over strips around, that each thread runs.
    strips: Vec<StripLoop>,
    /// Whether statements are asynchronous copies.
    pub(super) is_asynchronous: bool,
    /// Whether statements are updates by one instruction.
    pub(super) is_atomic: bool,
    /// The mark below which statements copy registers of other lanes.
    pub(super) shuffle: Option<ShuffleMark>,
    /// Copies of several elements at a time.
    pub(super) vectors: VectorState,
    /// The dimensions of the loops over threads along x and y around.
    pub(super) lanes: [Option<usize>; 2],
}

impl<'a> KernelPrinter<'a> {
    /// Code that all blocks and threads reach which those around have left.
    pub(super) fn node(&mut self, node: &AstNode) -> Result<()> {
        let missing = self.not_spread(node);
        if missing.is_empty() {
            return self.code(node);
        }
        let first = first_of(&missing, self.memory.language);
        let n_around = self.spread.len();
        self.spread.extend(missing);
        let result = self.block(&format!("if ({first}) {{"), |printer| printer.code(node));
        self.spread.truncate(n_around);
        result
    }

    /// The axes along which nothing around and nothing inside is spread, so that the first block or thread
    /// does it. All threads have to reach a barrier, and all blocks one across blocks.
    fn not_spread(&self, node: &AstNode) -> Vec<LoopKind> {
        let is_there = |kind: &LoopKind| self.spread.contains(kind);
        if self.sizes.used.iter().all(is_there) {
            return Vec::new();
        }
        let inside = spread_kinds(node);
        let (has_barrier, has_grid_barrier) = (has_barrier(node), has_grid_barrier(node));
        let is_missing = |kind: &&LoopKind| {
            let has_own = is_there(kind) || inside.contains(kind);
            let is_of_all = has_barrier && matches!(kind, LoopKind::Thread(_)) || has_grid_barrier;
            !(has_own || is_of_all)
        };
        self.sizes.used.iter().filter(is_missing).copied().collect()
    }

    fn code(&mut self, node: &AstNode) -> Result<()> {
        match node {
            AstNode::For(each) => {
                if self.has_vectors() {
                    return self.vector_copy(each);
                }
                if self.has_own_arrays
                    && let Some(strip) = constant_strip(each)
                {
                    return self.unrolled(each, strip);
                }
                let unrolled = unrolled_sum(each).filter(|_| self.has_own_arrays);
                if let Some(unrolled) = unrolled {
                    self.writer.line(&format!("#pragma unroll {unrolled}"));
                } else if self.keeping_loop(each)? {
                    return Ok(());
                }
                let n_strips = self.strips.len();
                self.strips.extend(StripLoop::of(each, self.lowering));
                self.open_loop(each)?;
                self.is_alone = true;
                self.node(&each.body)?;
                self.strips.truncate(n_strips);
                self.writer.depth_out();
                self.writer.line("}");
                Ok(())
            }
            AstNode::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise.as_deref(), None)
            }
            AstNode::Block(children) => children.iter().try_for_each(|child| {
                self.is_alone = false;
                self.node(child)
            }),
            AstNode::Mark { name, dimension, child } => match LoopMark::parse(name) {
                Some(mark) if mark.kind.is_of_kernel() => {
                    self.spread.push(mark.kind);
                    let around = self.lanes;
                    match mark.kind {
                        LoopKind::Thread(Axis::X) => self.lanes[0] = Some(*dimension),
                        LoopKind::Thread(Axis::Y) => self.lanes[1] = Some(*dimension),
                        _ => {}
                    }
                    let result = self.spread((mark.kind, *dimension), child);
                    self.lanes = around;
                    self.spread.pop();
                    result
                }
                _ if BarrierMark::parse(name).is_some() => self.barrier(child),
                _ if AsynchronousMark::parse(name).is_some() => self.asynchronous(child),
                _ if AtomicMark::parse(name).is_some() => self.atomics(child),
                _ if MatrixMark::parse(name).is_some() => self.matrix(name, child),
                _ if GridBarrierMark::parse(name).is_some() => self.grid_barrier(child),
                _ if ShuffleMark::parse(name).is_some() => self.shuffles(name, child),
                _ if VectorCopyMark::parse(name).is_some() => self.vector_copies(name, child),
                _ if KernelMark::parse(name).is_some() => {
                    Err(misplaced("a kernel inside of a kernel"))
                }
                _ if on_device(name).is_some_and(|mark| mark.space == MemorySpace::Shared) => {
                    self.shared(child)
                }
                _ => self.node(child),
            },
            AstNode::User { statement, place, .. } => {
                let statement = self.statement_of(statement)?;
                if self.is_atomic {
                    let text = self.atomic_update(statement, place)?;
                    self.writer.line(&text);
                    return Ok(());
                }
                let body = Body::at(statement, place, self.lowering)?;
                if self.is_asynchronous {
                    let text = self.asynchronous_copy(statement, &body)?;
                    self.writer.line(&text);
                    return Ok(());
                }
                if let Some(mark) = self.shuffle {
                    let text = self.shuffle(mark, statement, &body)?;
                    self.writer.line(&text);
                    return Ok(());
                }
                let text = body.statement(|element| Some(self.element(element)));
                self.writer.line(&text);
                Ok(())
            }
        }
    }

    /// The statement of a space, which is executed.
    pub(super) fn statement_of(&mut self, space: &Space) -> Result<&'a Statement> {
        let name = space.output().and_then(|t| t.name()).map_or("", |n| n);
        let scop: &'a Scop = self.memory.scop;
        let statement = scop
            .statement_named(name)
            .ok_or_else(|| misplaced(&format!("the program has no statement `{name}`")))?;
        self.statements.insert(statement.name.clone());
        Ok(statement)
    }

    /// How the kernel has an element.
    pub(super) fn element(&self, element: &Element) -> String {
        if element.text.is_empty() {
            // What a call uses has no text of its own.
            return String::new();
        }
        let is_private = self.private.contains(&self.memory.array(element.array).tuple_name);
        let subscripts = element.subscripts().iter();
        let subscripts: Vec<AstExpr> =
            subscripts.map(|own| with_outer_quotients(own, &self.strips)).collect();
        self.memory.element(element.array, &subscripts, is_private)
    }

    /// The type of iterators.
    pub(super) fn iterator_type(&self) -> &'static str {
        self.memory.width.iterator_type()
    }

    /// Begins a loop that one thread runs.
    pub(super) fn open_loop(&mut self, each: &ForLoop) -> Result<()> {
        open_loop(each, self.memory.width, self.lowering, &mut self.writer)
    }

    /// A barrier in front of code.
    fn barrier(&mut self, child: &AstNode) -> Result<()> {
        if self.spread.iter().any(|kind| matches!(kind, LoopKind::Thread(_))) {
            return Err(misplaced("a barrier that not all threads reach"));
        }
        self.barrier_lines();
        self.is_alone = false;
        self.node(child)
    }

    /// A barrier across blocks in front of code.
    fn grid_barrier(&mut self, child: &AstNode) -> Result<()> {
        if !self.spread.is_empty() {
            return Err(misplaced("a barrier across blocks that not all of them reach"));
        }
        let Some(line) = self.memory.language.grid_barrier() else {
            return Err(misplaced("a barrier across blocks, which OpenCL does not have"));
        };
        self.wait_for_copies();
        self.writer.line(line);
        self.is_alone = false;
        self.node(child)
    }

    pub(super) fn block(
        &mut self,
        line: &str,
        inside: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.writer.line(line);
        self.writer.depth_in();
        self.is_alone = true;
        let result = inside(self);
        self.writer.depth_out();
        self.writer.line("}");
        result
    }

    /// A condition; below a mark its branches may have the loop that the mark is about.
    pub(super) fn condition(
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
}

/// Begins a loop that one thread runs, or the block of its only iteration.
pub(super) fn open_loop(
    each: &ForLoop,
    width: Width,
    lowering: &mut Lowering,
    writer: &mut Writer,
) -> Result<()> {
    let iterator_type = width.iterator_type();
    if each.multiples_of.is_some() {
        return Err(misplaced("tiles of variable sizes"));
    }
    let iterator = lowering.iterator(&each.iterator);
    let first = lowering.lower(&each.init);
    if each.degenerate {
        writer.line("{");
        writer.depth_in();
        writer.line(&format!("const {iterator_type} {iterator} = {first};"));
        return Ok(());
    }
    let condition = lowering.lower(&each.condition);
    let step = match each.increment.is_one() {
        true => format!("{iterator}++"),
        false => format!("{iterator} += {}", each.increment),
    };
    writer.line(&format!("for ({iterator_type} {iterator} = {first}; {condition}; {step}) {{"));
    writer.depth_in();
    Ok(())
}

/// What stands where the printer does not know it.
pub(super) fn misplaced(what: &str) -> Error {
    Error::Invalid { operation: "printing a kernel", reason: what.to_string() }
}
