//! Loops whose iterations are spread over blocks or threads.
use super::element::operand;
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use super::strip::Strip;
use super::width::Width;
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Place};
use loopwright_presburger::{Aff, DimKind, Int, PwAff, Result, Space, Tuple};
use loopwright_schedule::{Axis, BarrierMark, GridBarrierMark, LoopKind, LoopMark};

/// The function that finds the first value of a block or thread, where values say which one they belong to.
pub(super) const FIRST: &str = "lw_first";

/// The definition of [`FIRST`].
pub(super) fn definition_of_first(language: Language, width: Width) -> String {
    let head = match language {
        Language::Cuda => "static __device__",
        Language::OpenCl => "static inline",
    };
    let own = width.iterator_type();
    format!(
        "/* The least value from here on that leaves this number when it is divided. */\n\
         {head} {own} {FIRST}({own} least, {own} number, {own} count)\n{{\n  \
           const {own} distance = (number - least) % count;\n  \
           return least + (distance < 0 ? distance + count : distance);\n}}"
    )
}

impl KernelPrinter<'_> {
    /// Code whose loop over a dimension is spread over the blocks or threads along an axis. What has no such
    /// loop has one value of that dimension: it is done by the one that this belongs to, or by the first of
    /// them if nothing else is spread along the axis.
    pub(super) fn spread(&mut self, mark: (LoopKind, usize), node: &AstNode) -> Result<()> {
        let (kind, dimension) = mark;
        match node {
            AstNode::For(each) if each.dimension == dimension && each.degenerate => {
                let line = format!("if ({}) {{", self.owns(kind, &each.init));
                self.block(&line, |printer| {
                    let iterator = printer.lowering.iterator(&each.iterator);
                    let value = printer.lowering.lower(&each.init);
                    let iterator_type = printer.iterator_type();
                    printer.writer.line(&format!("const {iterator_type} {iterator} = {value};"));
                    printer.node(&each.body)
                })
            }
            AstNode::For(each) if each.dimension == dimension => match kind {
                LoopKind::Thread(axis) if self.sizes.is_once[axis as usize] => {
                    self.one_iteration(each, kind, axis)
                }
                _ => self.in_turn(each, kind),
            },
            AstNode::Block(children) => children.iter().try_for_each(|child| {
                self.is_alone &= children.len() == 1;
                self.spread(mark, child)
            }),
            AstNode::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise.as_deref(), Some(mark))
            }
            AstNode::For(_) | AstNode::Mark { .. } | AstNode::User { .. } => {
                let value = only_value(node, dimension)?;
                let line = format!("if ({}) {{", self.owns(kind, &value));
                self.block(&line, |printer| printer.node(node))
            }
        }
    }

    /// The condition that a block or thread does the only iteration of a loop.
    fn owns(&mut self, kind: LoopKind, value: &AstExpr) -> String {
        let is_zero = value.as_int().is_some_and(Int::is_zero);
        match self.sizes.is_by_value(kind) && !is_zero {
            false => first_of(&[kind], self.memory.language),
            true => {
                let own = self.least_own_value(value, kind);
                format!("{own} == {}", operand(&self.lowering.lower(value).to_string()))
            }
        }
    }

    /// The least value from one on that belongs to a block or thread, where values say so.
    fn least_own_value(&mut self, least: &AstExpr, kind: LoopKind) -> String {
        let language = self.memory.language;
        let least = self.lowering.lower(least);
        format!("{FIRST}({least}, {}, {})", language.index(kind), language.count(kind))
    }

    /// The first value of a block or thread: that of the loop and its own number times the step.
    fn first_value(&mut self, each: &ForLoop, start: &AstExpr, kind: LoopKind) -> AstExpr {
        let index = self.memory.language.index(kind);
        let own = AstExpr::Id(format!("({}) {index}", self.iterator_type()).into());
        let steps = scaled(each, own);
        let first = match start.as_int() {
            Some(value) if value.is_zero() => steps,
            _ => AstExpr::Add(Box::new(start.clone()), Box::new(steps)),
        };
        self.lowering.lower(&first)
    }

    /// Iterations in turn.
    fn in_turn(&mut self, each: &ForLoop, kind: LoopKind) -> Result<()> {
        let is_by_value = self.sizes.is_by_value(kind);
        if is_by_value && !each.increment.is_one() {
            return self.own_iterations(each, kind);
        }
        let first = match is_by_value {
            true => self.least_own_value(&each.init, kind),
            false => self.first_value(each, &each.init, kind).to_string(),
        };
        let count = self.memory.language.count(kind);
        let step = scaled(each, AstExpr::Id(count.into()));
        let iterator = self.lowering.iterator(&each.iterator);
        let condition = self.lowering.lower(&each.condition);
        let iterator_type = self.iterator_type();
        let line = format!(
            "for ({iterator_type} {iterator} = {first}; {condition}; {iterator} += {step}) {{"
        );
        self.block(&line, |printer| printer.node(&each.body))
    }

    /// All iterations of a loop with a step; each block or thread does those whose values belong to it.
    fn own_iterations(&mut self, each: &ForLoop, kind: LoopKind) -> Result<()> {
        self.open_loop(each)?;
        let own = self.owns(kind, &AstExpr::Id(each.iterator.clone()));
        self.block(&format!("if ({own}) {{"), |printer| printer.node(&each.body))?;
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }

    /// One iteration for each thread, where there are as many threads as iterations.
    fn one_iteration(&mut self, each: &ForLoop, kind: LoopKind, axis: Axis) -> Result<()> {
        let strip = self.strip(each, axis).filter(|strip| {
            !self.sizes.is_by_value(kind)
                || is_multiple(&strip.start, self.sizes.threads[axis as usize])
        });
        if strip.is_none() && self.sizes.is_by_value(kind) && !each.increment.is_one() {
            return self.own_iterations(each, kind);
        }
        let (first, condition) = match strip {
            Some(Strip { start, condition }) => {
                (self.first_value(each, &start, kind).to_string(), condition)
            }
            None if self.sizes.is_by_value(kind) => {
                (self.least_own_value(&each.init, kind), Some(each.condition.clone()))
            }
            None => {
                let first = self.first_value(each, &each.init, kind);
                (first.to_string(), Some(each.condition.clone()))
            }
        };
        let iterator = self.lowering.iterator(&each.iterator);
        let line = format!("const {} {iterator} = {first};", self.iterator_type());
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

    /// The strip that a loop over threads runs over a part of, if it is one: its first value is that of the
    /// first thread, whatever the least value is, so that threads access lines of memory from their
    /// beginning; its end need not be checked.
    fn strip(&self, each: &ForLoop, axis: Axis) -> Option<Strip> {
        Strip::of(each, self.sizes.threads[axis as usize], &|_| true)
    }
}

/// Whether an expression is a multiple of a number, whatever its names stand for.
fn is_multiple(expression: &AstExpr, of: i64) -> bool {
    let of = Int::from(of);
    Linear::of(expression).is_some_and(|sum| {
        sum.terms.values().chain([&sum.constant]).all(|value| value.mod_floor(&of).is_zero())
    })
}

/// The value of a dimension in code that has no loop over it.
fn only_value(node: &AstNode, dimension: usize) -> Result<AstExpr> {
    let Some(place) = any_place(node) else {
        return Err(misplaced("a loop over blocks or threads without statements"));
    };
    let n_dims = Tuple::anonymous(dimension + 1);
    let space = Space::set(place.known().space().param_names(), n_dims);
    let value = Aff::variable(&space, DimKind::Out, dimension);
    place.build().expression(&PwAff::from_aff(value))
}

/// The place of a statement in a part of the code.
fn any_place(node: &AstNode) -> Option<&Place> {
    match node {
        AstNode::For(each) => any_place(&each.body),
        AstNode::If { then, otherwise, .. } => {
            any_place(then).or_else(|| any_place(otherwise.as_deref()?))
        }
        AstNode::Block(children) => children.iter().find_map(any_place),
        AstNode::Mark { child, .. } => any_place(child),
        AstNode::User { place, .. } => Some(place),
    }
}

/// A number of steps of a loop.
fn scaled(each: &ForLoop, steps: AstExpr) -> AstExpr {
    match each.increment.is_one() {
        true => steps,
        false => AstExpr::Mul(Box::new(AstExpr::Int(each.increment.clone())), Box::new(steps)),
    }
}

/// The axes that the loops in a part of a kernel are spread over.
pub(super) fn spread_kinds(node: &AstNode) -> Vec<LoopKind> {
    let kinds = node.marks().into_iter().filter_map(|name| Some(LoopMark::parse(name)?.kind));
    kinds.filter(|kind| kind.is_of_kernel()).collect()
}

/// Whether there is a barrier in a part of a kernel.
pub(super) fn has_barrier(node: &AstNode) -> bool {
    node.marks().into_iter().any(|name| BarrierMark::parse(name).is_some())
}

/// Whether there is a barrier across blocks in a part of a kernel.
pub(super) fn has_grid_barrier(node: &AstNode) -> bool {
    node.marks().into_iter().any(|name| GridBarrierMark::parse(name).is_some())
}

/// Whether threads have loops of their own, or code that no loop spreads has some.
pub(super) fn has_loops_in_threads(node: &AstNode) -> bool {
    fn has_loops(node: &AstNode, around: Option<usize>, is_in_thread: bool) -> bool {
        let below = |node: &AstNode| has_loops(node, around, is_in_thread);
        match node {
            AstNode::For(each) => {
                let is_own = is_in_thread && around != Some(each.dimension) && !each.degenerate;
                is_own || has_loops(&each.body, None, is_in_thread)
            }
            AstNode::If { then, otherwise, .. } => {
                below(then) || otherwise.as_deref().is_some_and(below)
            }
            AstNode::Block(children) => children.iter().any(below),
            AstNode::Mark { name, dimension, child } => match LoopMark::parse(name) {
                Some(LoopMark { kind: LoopKind::Thread(_), .. }) => {
                    has_loops(child, Some(*dimension), true)
                }
                _ => has_loops(child, None, is_in_thread),
            },
            AstNode::User { .. } => false,
        }
    }
    has_loops(node, None, false)
}

/// The condition that a block or thread is the first along some axes.
pub(super) fn first_of(kinds: &[LoopKind], language: Language) -> String {
    let is_first = |kind: &LoopKind| format!("{} == 0", language.index(*kind));
    kinds.iter().map(is_first).collect::<Vec<_>>().join(" && ")
}
