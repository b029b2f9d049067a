//! The C text of a region.
use crate::body::Body;
use crate::parallel_threshold::{self, Worth};
use crate::parameters::{ITERATOR_TYPE, convert_parameters};
use crate::register_block;
use crate::vector_pragma::VectorPragma;
use crate::writer::Writer;
use loopwright_astgen::{AstExpr, AstNode, ForLoop, FreshNames, Lowering, Place};
use loopwright_presburger::{Error, Name, Result, Space};
use loopwright_schedule::{LocalMark, LoopKind, LoopMark, LoopReduction, SearchMark};
use loopwright_scop::{Array, EarlyExit, Scop, Statement, StatementId};
use std::collections::BTreeSet;

mod blocks;
pub(crate) mod canonical;
mod collapse;
mod declarations;
mod innermost;
mod parts;
mod pipeline;
mod search;

use canonical::{is_canonical, straight_line};
use innermost::InnermostPragma;
use pipeline::Pipeline;

/// What kind of text is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Sequential C.
    C,
    /// C with OpenMP pragmas.
    OpenMp,
}

/// Lines of a loop that is printed once with threads and once without, at most.
///
/// A loop with an `if` clause that is false still costs a call of the run-time library: 0.3 µs with gcc on an
/// AMD EPYC, where a time step over an array of 500 elements takes 0.06 µs. Longer loops do more, so that it
/// matters less.
const MOST_COPIED_LINES: usize = 40;

/// How tiles wait that need others of earlier rows and steps ([`LoopKind::Pipelined`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Synchronisation {
    /// Rows are on threads in turn, and wait for the row before step by step.
    #[default]
    PointToPoint,
    /// Diagonals of tiles run one after the other; all threads wait for each other at their ends.
    Barrier,
    /// Tiles are tasks of OpenMP with dependences.
    Tasks,
}

/// How the text of a region looks.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// What kind of text.
    pub target: Target,
    /// What stands before vector loops.
    pub vector_pragma: VectorPragma,
    /// The bytes of a vector register: results of register tiles are kept in variables of this size.
    /// 0 if there are to be none.
    pub vector_bytes: u64,
    /// How tiles wait for others.
    pub synchronisation: Synchronisation,
    /// Whether parallel loops that are entered many times ask, when the program runs, whether there is enough
    /// work for threads.
    pub asks_for_work: bool,
    /// What each line starts with.
    pub indentation: &'a str,
    /// Variables of the program that only the region used, as iterators: they are mentioned, so
    /// that compilers do not warn about them.
    pub unused: &'a [String],
}

/// The text of a region, and what it has that the program did not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionText {
    /// Whole lines.
    pub text: String,
    /// The lines of the text (1-based) that execute a statement, with it, in the order of the text. All lines
    /// inside of a register tile's innermost loop execute its statement.
    pub statements: Vec<(usize, StatementId)>,
    /// Whether there are loops on threads, vector loops, or elements in variables and arrays of their own.
    pub is_improved: bool,
    /// Whether each run of the region costs what only much work is worth: threads are called, or parts of
    /// arrays are copied.
    pub has_overhead: bool,
    /// Whether results that a loop had in memory, or combined one by one, are in variables now: of elements
    /// that the loop writes in each iteration, of vectors, or of threads.
    pub keeps_results: bool,
    /// The least number of loops around one that calls threads; none if there is no such loop.
    pub loops_around_threads: Option<usize>,
    /// Whether threads look for the ends of loops that end early: they are called where there is enough to
    /// look at.
    pub searches: bool,
}

/// The text that replaces a region.
///
/// `names` knows what the program uses. The text is a block with the declarations of variables
/// that the region declared itself, or a list of statements if it declared none.
///
/// # Errors
/// If the tree calls a statement that the scop does not have, or a subscript cannot be expressed.
pub fn print_region(
    scop: &Scop,
    ast: &AstNode,
    layout: &Layout,
    names: FreshNames,
) -> Result<RegionText> {
    let Layout {
        target,
        vector_pragma,
        vector_bytes,
        synchronisation,
        asks_for_work,
        indentation,
        unused,
    } = *layout;
    let mut printer = Printer {
        scop,
        target,
        vector_pragma,
        vector_bytes,
        synchronisation,
        asks_for_work,
        writer: Writer::new(indentation),
        lowering: Lowering::new(names),
        parallel_depth: 0,
        loop_depth: 0,
        bound_once: false,
        in_front: BTreeSet::new(),
        is_worth_threads: false,
        is_improved: false,
        has_overhead: false,
        keeps_results: false,
        loops_around_threads: None,
        may_search: false,
        searches: false,
    };
    convert_parameters(scop, &mut printer.lowering);
    if !unused.is_empty() {
        let mentions: Vec<String> = unused.iter().map(|name| format!("(void) {name};")).collect();
        printer.writer.line(&mentions.join(" "));
    }
    printer.block_with_declarations(ast)?;
    let definitions = printer.lowering.definitions();
    let mut text = String::new();
    for (_, definition) in &definitions {
        text.push_str(definition);
        text.push('\n');
    }
    let written = printer.writer.finish();
    let before = text.lines().count();
    let line = |&(line, statement): &(usize, StatementId)| (before + line + 1, statement);
    let statements = written.statements.iter().map(line).collect();
    text.push_str(&written.text);
    for (name, _) in &definitions {
        text.push_str(&format!("#undef {name}\n"));
    }
    Ok(RegionText {
        text,
        statements,
        is_improved: printer.is_improved,
        has_overhead: printer.has_overhead,
        keeps_results: printer.keeps_results,
        loops_around_threads: printer.loops_around_threads,
        searches: printer.searches,
    })
}

struct Printer<'a> {
    scop: &'a Scop,
    target: Target,
    vector_pragma: VectorPragma,
    vector_bytes: u64,
    synchronisation: Synchronisation,
    asks_for_work: bool,
    writer: Writer,
    lowering: Lowering,
    /// The number of parallel loops around.
    parallel_depth: usize,
    /// The number of loops around.
    loop_depth: usize,
    /// Whether the next loop evaluates its bound once, before it begins: OpenMP's loops do, others only if
    /// the compiler sees that the bound stays.
    bound_once: bool,
    /// The arrays of the region that some loop is to have for each iteration and has not, by name.
    in_front: BTreeSet<Name>,
    /// Whether the next loop is known to have enough work for threads.
    is_worth_threads: bool,
    /// As in [`RegionText`].
    is_improved: bool,
    has_overhead: bool,
    keeps_results: bool,
    loops_around_threads: Option<usize>,
    /// Whether the next statements may be searched by threads.
    may_search: bool,
    /// As in [`RegionText`].
    searches: bool,
}

impl<'a> Printer<'a> {
    /// The node one level deeper.
    fn nested(&mut self, node: &AstNode) -> Result<()> {
        self.writer.depth_in();
        let result = self.node(node);
        self.writer.depth_out();
        result
    }

    fn node(&mut self, node: &AstNode) -> Result<()> {
        match node {
            AstNode::For(for_loop) => self.for_loop(for_loop, None),
            AstNode::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise.as_deref())
            }
            AstNode::Block(children) => children.iter().try_for_each(|child| self.node(child)),
            AstNode::Mark { name, dimension, child } => self.mark(name, *dimension, child),
            AstNode::User { statement, place, .. } => {
                let (statement, body) = self.call(statement, place)?;
                if self.may_search
                    && let Some(Ok(exit)) = EarlyExit::of(self.scop, statement)
                {
                    return self.search(statement, &exit, place);
                }
                self.writer.statement(&body.statement(|_| None), statement.id);
                Ok(())
            }
        }
    }

    /// The statement that a user node calls, and its body there.
    fn call(&mut self, statement: &Space, place: &Place) -> Result<(&'a Statement, Body)> {
        let name = statement.output().and_then(|t| t.name()).map_or("", |n| n);
        let statement = self.scop.statement_named(name).ok_or_else(|| Error::Invalid {
            operation: "printing a region",
            reason: format!("the program has no statement `{name}`"),
        })?;
        Ok((statement, Body::at(statement, place, &mut self.lowering)?))
    }

    /// Loops right below a mark get a pragma; a mark may stand above several loops and conditions
    /// that one band has become.
    fn mark(&mut self, name: &Name, dimension: usize, child: &AstNode) -> Result<()> {
        if let Some(local) = LocalMark::parse(name) {
            return self.local_array(&local.array, child);
        }
        if SearchMark::parse(name).is_some() {
            let is_possible = self.target == Target::OpenMp && self.parallel_depth == 0;
            let outside = std::mem::replace(&mut self.may_search, is_possible);
            let result = self.node(child);
            self.may_search = outside;
            return result;
        }
        let pragma = self.pragma(name, dimension);
        if pragma.is_none()
            && let Some(mark) = LoopMark::parse(name)
        {
            self.in_front.extend(mark.private);
        }
        self.below_mark(pragma.as_ref(), child)
    }

    /// A block with an array of its own, aligned for vectors.
    fn local_array(&mut self, array: &Name, child: &AstNode) -> Result<()> {
        let known = self.scop.arrays.iter().find(|known| known.tuple_name == *array);
        let declaration = known.and_then(|known| known.declaration(&known.name));
        let declaration = declaration.ok_or_else(|| Error::Invalid {
            operation: "printing a region",
            reason: format!("the program has no array `{array}` of known extents"),
        })?;
        self.is_improved = true;
        self.has_overhead = true;
        self.writer.line("{");
        self.writer.depth_in();
        self.writer.line(&format!("{declaration} __attribute__((aligned(64)));"));
        self.node(child)?;
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }

    fn below_mark(&mut self, pragma: Option<&Pragma>, node: &AstNode) -> Result<()> {
        match node {
            AstNode::For(for_loop) => {
                let is_meant = |pragma: &&Pragma| pragma.dimension == for_loop.dimension;
                let meant = pragma.filter(is_meant);
                if meant.is_none() {
                    self.without_own_arrays(pragma);
                }
                self.for_loop(for_loop, meant)
            }
            AstNode::Block(children) => {
                children.iter().try_for_each(|child| self.below_mark(pragma, child))
            }
            AstNode::If { condition, then, otherwise } => {
                self.if_line(condition);
                self.writer.depth_in();
                self.below_mark(pragma, then)?;
                self.writer.depth_out();
                if let Some(otherwise) = otherwise {
                    self.writer.line("} else {");
                    self.writer.depth_in();
                    self.below_mark(pragma, otherwise)?;
                    self.writer.depth_out();
                }
                self.writer.line("}");
                Ok(())
            }
            AstNode::Mark { .. } | AstNode::User { .. } => {
                self.without_own_arrays(pragma);
                self.node(node)
            }
        }
    }

    fn pragma(&self, mark: &str, dimension: usize) -> Option<Pragma> {
        let mark = LoopMark::parse(mark).filter(|mark| !mark.kind.is_of_kernel())?;
        let is_plain = mark.kind == LoopKind::Vector
            && mark.private.is_empty()
            && mark.reductions.is_empty()
            && self.vector_pragma != VectorPragma::OpenMp;
        if self.target != Target::OpenMp && !is_plain {
            return None;
        }
        let in_text = |tuple_name: &Name| {
            let array = self.scop.arrays.iter().find(|a| a.tuple_name == *tuple_name);
            let name =
                |a: &Array| if a.declared_in_scop { a.tuple_name.clone() } else { a.name.clone() };
            array.map_or_else(|| tuple_name.clone(), name).to_string()
        };
        let is_own_array = |name: &&Name| {
            self.scop.arrays.iter().any(|a| a.tuple_name == **name && !a.is_scalar())
        };
        let (arrays, scalars): (Vec<&Name>, Vec<&Name>) =
            mark.private.iter().partition(is_own_array);
        let private = scalars.into_iter().map(in_text).collect();
        let arrays = arrays.into_iter().cloned().collect();
        let reductions = mark.reductions.iter().map(|reduction| Combined {
            operator: reduction.operator.to_string(),
            is_in_parts: reduction.is_in_parts(),
            text: in_text(&reduction.variable),
            variable: reduction.variable.clone(),
        });
        let reductions = reductions.collect();
        let is_nested = mark.kind.is_threaded() && self.parallel_depth > 0;
        (!is_nested).then_some(Pragma { kind: mark.kind, dimension, private, arrays, reductions })
    }

    /// A loop, whose bounds are computed where it is reached.
    fn for_loop(&mut self, for_loop: &ForLoop, pragma: Option<&Pragma>) -> Result<()> {
        let known = for_loop.entry.outside().map(|build| build.known().clone());
        let around = self.lowering.know(known);
        let result = self.for_loop_here(for_loop, pragma);
        self.lowering.know(around);
        result
    }

    fn for_loop_here(&mut self, for_loop: &ForLoop, pragma: Option<&Pragma>) -> Result<()> {
        let iterator = self.lowering.iterator(&for_loop.iterator);
        let init = for_loop.first_multiple().unwrap_or_else(|| for_loop.init.clone());
        let init = self.lowering.lower(&init);
        if for_loop.degenerate {
            self.without_own_arrays(pragma);
            self.writer.line("{");
            self.writer.depth_in();
            self.writer.line(&format!("const {ITERATOR_TYPE} {iterator} = {init};"));
            let result = self.node(&for_loop.body);
            self.writer.depth_out();
            self.writer.line("}");
            return result;
        }
        if let Some(pragma) = pragma
            && pragma.kind == LoopKind::Pipelined
        {
            return match Pipeline::of(for_loop) {
                Some(pipeline) => self.pipeline(&pipeline, pragma),
                None => self.for_loop(for_loop, None),
            };
        }
        if let Some(pragma) = pragma
            && pragma.is_in_parts()
        {
            return match self.loop_depth == 0 && parts::may_have(for_loop, pragma) {
                true => self.in_parts(for_loop, pragma, &iterator),
                false => {
                    self.without_own_arrays(Some(pragma));
                    self.for_loop(for_loop, None)
                }
            };
        }
        if let Some(pragma) = pragma
            && self.in_two_versions(for_loop, pragma)?
        {
            return Ok(());
        }
        let (vector_sum, plain) = match pragma {
            Some(pragma) if pragma.is_vector_sum() => (Some(pragma), None),
            other => (None, other),
        };
        let arrays = plain.map_or(&[][..], |pragma| &pragma.arrays[..]);
        let pragma = plain.and_then(|pragma| self.pragma_text(pragma, for_loop));
        if pragma.is_none() {
            self.without_own_arrays(plain);
        }
        if is_canonical(for_loop)
            && arrays.is_empty()
            && let Some(calls) = straight_line(&for_loop.body)
        {
            let pragma = match (vector_sum, pragma) {
                (Some(sum), _) => InnermostPragma::VectorSum(sum),
                (None, Some((_, text))) => InnermostPragma::Independent(text),
                (None, None) => InnermostPragma::None,
            };
            return self.innermost(for_loop, &iterator, &calls, &pragma);
        }
        if pragma.is_none()
            && is_canonical(for_loop)
            && let Some(found) = register_block::recognise(self.scop, for_loop, self.vector_bytes)?
        {
            return self.recognised(&found, &iterator, &init);
        }
        if pragma.is_none()
            && is_canonical(for_loop)
            && let Some(row) = register_block::as_single_row(for_loop)
            && let Some(found) = register_block::recognise(self.scop, &row, self.vector_bytes)?
            && matches!(found, register_block::Recognised::Whole(_))
        {
            return self.recognised(&found, &iterator, &init);
        }
        let is_parallel = pragma.as_ref().is_some_and(|(kind, _)| *kind == LoopKind::Parallel);
        if let Some((_, text)) = &pragma {
            self.writer.line(text);
        }
        self.loop_line(for_loop, &iterator, &init);
        if is_parallel {
            self.own_arrays(arrays)?;
        }
        self.parallel_depth += usize::from(is_parallel);
        self.loop_depth += 1;
        let result = self.nested(&for_loop.body);
        self.loop_depth -= 1;
        self.parallel_depth -= usize::from(is_parallel);
        self.writer.line("}");
        result
    }

    /// Prints a parallel loop that is entered many times with a copy that no threads are called for, if it
    /// depends on values of the run whether they pay, and the copy is short; whether it does.
    fn in_two_versions(&mut self, for_loop: &ForLoop, pragma: &Pragma) -> Result<bool> {
        let is_asked = self.asks_for_work && !self.is_worth_threads;
        if pragma.kind != LoopKind::Parallel || !is_asked || self.loop_depth == 0 {
            return Ok(false);
        }
        let worth = parallel_threshold::worth(for_loop, &mut |e| self.lowering.lower(e));
        let Worth::If(condition) = worth else { return Ok(false) };
        if !is_canonical(for_loop) {
            return Ok(false);
        }
        let inside = self.writer.inside();
        let outside = std::mem::replace(&mut self.writer, inside);
        let printed = self.for_loop(for_loop, None);
        let alone = std::mem::replace(&mut self.writer, outside).finish();
        printed?;
        if alone.n_lines > MOST_COPIED_LINES {
            return Ok(false);
        }
        // The copy has no arrays of its own.
        self.without_own_arrays(Some(pragma));
        self.writer.line(&format!("if ({condition}) {{"));
        self.writer.depth_in();
        self.is_worth_threads = true;
        let printed = self.for_loop(for_loop, Some(pragma));
        self.is_worth_threads = false;
        self.writer.depth_out();
        self.writer.line("} else {");
        self.writer.lines(&alone);
        self.writer.line("}");
        printed.map(|()| true)
    }

    fn loop_line(&mut self, for_loop: &ForLoop, iterator: &Name, init: &AstExpr) {
        let bound_once = std::mem::take(&mut self.bound_once);
        let (declared, condition) = match &for_loop.condition {
            AstExpr::Lt(_, bound) | AstExpr::Le(_, bound) if bound_once => {
                let end = self.lowering.fresh(&format!("{iterator}_end"));
                let less = if matches!(for_loop.condition, AstExpr::Lt(..)) { "<" } else { "<=" };
                let bound = self.lowering.lower(bound);
                (format!(", {end} = {bound}"), format!("{iterator} {less} {end}"))
            }
            condition => (String::new(), self.lowering.lower(condition).to_string()),
        };
        let step = match (for_loop.increment.to_i64(), &for_loop.multiples_of) {
            (_, Some(size)) => {
                format!("{iterator} += {}", self.lowering.lower(&AstExpr::Id(size.clone())))
            }
            (Some(1), None) => format!("{iterator}++"),
            _ => format!("{iterator} += {}", for_loop.increment),
        };
        let line =
            format!("for ({ITERATOR_TYPE} {iterator} = {init}{declared}; {condition}; {step}) {{");
        self.writer.line(&line);
    }

    /// The text of a pragma; none if it cannot stand here or never pays.
    fn pragma_text(&mut self, pragma: &Pragma, for_loop: &ForLoop) -> Option<(LoopKind, String)> {
        if !is_canonical(for_loop) {
            return None;
        }
        let mut text = match pragma.kind {
            LoopKind::Parallel => "#pragma omp parallel for".to_string(),
            LoopKind::Pipelined => match self.synchronisation {
                Synchronisation::PointToPoint => {
                    "#pragma omp parallel for schedule(static, 1) ordered(2)".to_string()
                }
                Synchronisation::Barrier | Synchronisation::Tasks => {
                    "#pragma omp parallel for".to_string()
                }
            },
            LoopKind::Vector if pragma.private.is_empty() => {
                self.bound_once = self.vector_pragma != VectorPragma::OpenMp;
                self.vector_pragma.line().to_string()
            }
            LoopKind::Vector => VectorPragma::OpenMp.line().to_string(),
            LoopKind::Block(_) | LoopKind::Thread(_) => return None,
        };
        if pragma.kind == LoopKind::Parallel && collapse::is_collapsible(for_loop) {
            text.push_str(" collapse(2)");
        }
        if !pragma.private.is_empty() {
            text.push_str(&format!(" private({})", pragma.private.join(", ")));
        }
        for combined in &pragma.reductions {
            text.push(' ');
            text.push_str(&combined.clause());
        }
        let is_uneven = || has_uneven_iterations(for_loop) || fills_panels(&for_loop.body);
        if pragma.kind == LoopKind::Parallel && is_uneven() {
            text.push_str(" schedule(dynamic)");
        }
        let is_worth_threads = std::mem::take(&mut self.is_worth_threads) || !self.asks_for_work;
        if pragma.kind.is_threaded() && self.loop_depth > 0 && !is_worth_threads {
            match parallel_threshold::worth(for_loop, &mut |e| self.lowering.lower(e)) {
                Worth::Known(true) => {}
                Worth::Known(false) => return None,
                Worth::If(condition) => text.push_str(&format!(" if({condition})")),
            }
        }
        self.keeps_results |= !pragma.reductions.is_empty();
        self.is_improved = true;
        if pragma.kind.is_threaded() {
            self.calls_threads();
        }
        Some((pragma.kind, text))
    }

    /// Notes that threads are called here.
    fn calls_threads(&mut self) {
        self.is_improved = true;
        self.has_overhead = true;
        let around = self.loops_around_threads.unwrap_or(usize::MAX);
        self.loops_around_threads = Some(around.min(self.loop_depth));
    }

    fn if_line(&mut self, condition: &AstExpr) {
        let condition = self.lowering.lower(condition);
        self.writer.line(&format!("if ({condition}) {{"));
    }

    /// The beginning of a block that is entered under a condition, or always.
    fn block_line(&mut self, condition: Option<&AstExpr>) {
        match condition {
            Some(condition) => self.if_line(condition),
            None => self.writer.line("{"),
        }
    }

    fn condition(
        &mut self,
        condition: &AstExpr,
        then: &AstNode,
        otherwise: Option<&AstNode>,
    ) -> Result<()> {
        self.if_line(condition);
        self.nested(then)?;
        if let Some(otherwise) = otherwise {
            self.writer.line("} else {");
            self.nested(otherwise)?;
        }
        self.writer.line("}");
        Ok(())
    }
}

/// A pragma above a loop.
struct Pragma {
    kind: LoopKind,
    /// The schedule dimension of the loop that it is about.
    dimension: usize,
    /// The variables of which each iteration has its own copy.
    private: Vec<String>,
    /// The arrays of which each iteration declares its own, by their names in the scop.
    arrays: Vec<Name>,
    /// What the iterations combine.
    reductions: Vec<Combined>,
}

/// A variable whose updates a loop combines.
struct Combined {
    /// The operator, as a [`LoopReduction`] has it.
    operator: String,
    /// Whether the iterations run in parts whose results are put together in order.
    is_in_parts: bool,
    /// The variable in the program's text.
    text: String,
    /// Its tuple name in the scop.
    variable: Name,
}

impl Combined {
    /// The clause of OpenMP.
    fn clause(&self) -> String {
        match &*self.operator {
            LoopReduction::CONDITIONAL => format!("lastprivate(conditional: {})", self.text),
            operator => format!("reduction({operator}: {})", self.text),
        }
    }
}

impl Pragma {
    /// Whether iterations run in parts whose results are put together in order.
    fn is_in_parts(&self) -> bool {
        self.reductions.iter().any(|combined| combined.is_in_parts)
    }

    /// Whether it is about a vector loop that combines values.
    fn is_vector_sum(&self) -> bool {
        self.kind == LoopKind::Vector && !self.reductions.is_empty()
    }
}

/// Whether a body has arrays of its own: then iterations are tiles with much work, few for each thread, and
/// the last one is often a small part of a tile.
fn fills_panels(node: &AstNode) -> bool {
    node.marks().into_iter().any(|name| LocalMark::parse(name).is_some())
}

/// Whether the extent of an inner loop depends on this loop's iterator on one side only, so that
/// iterations take different times (triangular loops).
fn has_uneven_iterations(for_loop: &ForLoop) -> bool {
    fn uneven(node: &AstNode, iterator: &Name) -> bool {
        match node {
            AstNode::For(inner) => {
                inner.init.mentions(iterator) != inner.condition.mentions(iterator)
                    || uneven(&inner.body, iterator)
            }
            AstNode::Block(children) => children.iter().any(|child| uneven(child, iterator)),
            AstNode::If { then, otherwise, .. } => {
                uneven(then, iterator) || otherwise.as_ref().is_some_and(|n| uneven(n, iterator))
            }
            AstNode::Mark { child, .. } => uneven(child, iterator),
            AstNode::User { .. } => false,
        }
    }
    uneven(&for_loop.body, &for_loop.iterator)
}
