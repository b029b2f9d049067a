//! Subscripts that are not affine, and references inside of opaque statements.
//!
//! The value of a subscript that has no affine form is a symbol of its own, about which nothing is
//! known: a *stand-in*. An access whose subscripts use stand-ins, or iterators of the statement itself,
//! is to the elements for all their values: they are projected out of its relation. Their
//! subscripts are copied as text, in which the iterators around the statement are regenerated.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::{Ending, Inner, Loop};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::references::{Index, Step};
use crate::walk::statement_body::Emission;
use loopwright_scop::{AccessKind, TermKind, UnaryOperator};
use std::collections::BTreeSet;

impl<'t> Extractor<'_, 't> {
    /// The value of a subscript of a variable, or a stand-in for it.
    pub(crate) fn subscript_or_unknown(
        &mut self,
        variable: u32,
        index: Index<'t>,
    ) -> Result<Pieces, Refusal> {
        let mark = self.out.mark();
        match self.subscript(index) {
            Err(refusal) if refusal.0.code == Code::NonAffineSubscript => {
                self.out.back_to(mark);
                Ok(self.stand_in(variable))
            }
            result => result,
        }
    }

    /// A value about which nothing is known.
    pub(crate) fn stand_in(&mut self, variable: u32) -> Pieces {
        let index = self.out.loops.len() as u32;
        self.out.loops.push(Loop { variable, step: 0, start: None, ending: Ending::Plain });
        self.out.symbols.iterator_bounds.push((None, None));
        Pieces::single(Linear::symbol(Symbol::Iterator(index)))
    }

    /// The loops and stand-ins that a value depends on.
    pub(crate) fn loops_of(&self, pieces: &Pieces) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let (mut seen, mut products) = (BTreeSet::new(), BTreeSet::new());
        let mut waiting: Vec<Symbol> = symbols_of(pieces).collect();
        while let Some(symbol) = waiting.pop() {
            match symbol {
                Symbol::Iterator(index) => {
                    found.insert(index);
                }
                Symbol::Floor(floor) if seen.insert(floor) => {
                    let (linear, _) = &self.out.symbols.floors[floor as usize];
                    waiting.extend(linear.terms.iter().map(|(symbol, _)| *symbol));
                }
                Symbol::Product(product) if products.insert(product) => {
                    let (factor, stride, _) = &self.out.symbols.products[product as usize];
                    let terms = factor.terms.iter().chain(&stride.terms);
                    waiting.extend(terms.map(|(symbol, _)| *symbol));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a value depends on a loop or stand-in of a kind. Most values name theirs: those are looked at
    /// in place.
    fn depends_on(&self, pieces: &Pieces, is_meant: impl Fn(u32) -> bool) -> bool {
        let mut names_all = true;
        for symbol in symbols_of(pieces) {
            match symbol {
                Symbol::Iterator(index) if is_meant(index) => return true,
                Symbol::Iterator(_) | Symbol::Parameter(_) => {}
                Symbol::Floor(_) | Symbol::Product(_) => names_all = false,
            }
        }
        !names_all && self.loops_of(pieces).into_iter().any(is_meant)
    }

    /// Whether a value depends on loops, and not on symbolic constants alone.
    pub(crate) fn is_of_loops(&self, linear: &Linear) -> bool {
        self.depends_on(&Pieces::single(linear.clone()), |_| true)
    }

    /// Whether a value depends on stand-ins.
    pub(crate) fn is_unknown(&self, pieces: &Pieces) -> bool {
        self.depends_on(pieces, |index| self.out.loops[index as usize].step == 0)
    }

    /// Whether a value depends on more than the loops around the statement.
    pub(crate) fn is_inner(&self, out: &Emission, pieces: &Pieces) -> bool {
        let around = &self.at.nest[..out.outer];
        self.depends_on(pieces, |index| !around.contains(&index))
    }

    /// The place of a reference that is not one of the statement as a whole.
    pub(crate) fn inner_place(
        &self,
        out: &Emission,
        kind: AccessKind,
        subscripts: &[Pieces],
    ) -> Option<Inner> {
        let with_unknown = subscripts.iter().filter(|pieces| self.is_unknown(pieces));
        let used = with_unknown.flat_map(|pieces| self.loops_of(pieces));
        let unknown: BTreeSet<u32> =
            used.filter(|index| self.out.loops[*index as usize].step == 0).collect();
        // That a scalar is perhaps accessed can be said for all instances.
        let is_plain = !out.is_opaque || (subscripts.is_empty() && kind != AccessKind::MustWrite);
        if unknown.is_empty() && is_plain {
            return None;
        }
        let loops = self.at.nest[out.outer..].iter().copied().chain(unknown).collect();
        Some(Inner { loops, domain: self.at.domain.clone() })
    }

    /// The loop around the statement whose iterator is a variable.
    pub(crate) fn outer_loop(&self, out: &Emission, variable: u32) -> Option<u32> {
        self.active_loop(variable).filter(|index| self.at.nest[..out.outer].contains(index))
    }

    /// The subscripts and members of a reference as text.
    pub(crate) fn write_steps(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        steps: &[Step<'t>],
    ) -> Result<(), Refusal> {
        for step in steps {
            match step {
                Step::Subscript(index) => {
                    out.text("[");
                    out.open(TermKind::Opaque);
                    self.write_index(out, index)?;
                    out.close();
                    out.text("]");
                }
                Step::Member(name) => {
                    let name = format!(".{}", self.text(*name));
                    out.text(&name);
                }
            }
        }
        out.written(node);
        Ok(())
    }

    fn write_index(&mut self, out: &mut Emission, index: &Index<'t>) -> Result<(), Refusal> {
        let is_sum = index.0.len() > 1;
        for (position, &(term, is_subtracted)) in index.0.iter().enumerate() {
            match (position, is_subtracted) {
                (0, false) => {}
                (_, false) => out.text(" + "),
                (_, true) => out.text(" - "),
            }
            if is_sum || is_subtracted {
                out.text("(");
            }
            out.after_written();
            self.expression(out, strip_parentheses(term))?;
            if is_sum || is_subtracted {
                out.text(")");
            }
        }
        if index.0.is_empty() {
            out.text("0");
        }
        Ok(())
    }

    /// A variable that belongs to the statement itself.
    pub(crate) fn own_reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        (variable, name): (u32, &str),
        steps: &[Step<'t>],
    ) -> Result<(), Refusal> {
        if self.dimensions_left(variable, steps) != Some(0) {
            let message = format!("`{}` is not an element", self.quoted(node));
            return Err(self.refuse(Code::Pointer, node, message).with_reason(
                "only elements of arrays that the statement declares can be used in it",
            ));
        }
        out.gap(node);
        out.text(name);
        self.write_steps(out, node, steps)
    }

    /// The conditions on data under which the current place is reached.
    pub(crate) fn write_guards(&mut self, out: &mut Emission) -> Result<(), Refusal> {
        for (condition, must_fail) in self.at.guards.clone() {
            // It ends with the statement.
            out.open(TermKind::If);
            out.text("if (");
            match must_fail {
                true => {
                    out.open(TermKind::Unary(UnaryOperator::Not));
                    out.text("!");
                    self.condition_term(out, condition)?;
                    out.close();
                }
                false => {
                    out.after_written();
                    self.expression(out, strip_parentheses(condition))?;
                }
            }
            out.text(") ");
            out.after_written();
            out.is_guarded = true;
        }
        Ok(())
    }
}

/// The symbols that a value names, in its forms and in their conditions.
fn symbols_of(pieces: &Pieces) -> impl Iterator<Item = Symbol> {
    let linears = pieces.0.iter().flat_map(|(conditions, linear)| {
        conditions.iter().map(|condition| &condition.linear).chain([linear])
    });
    linears.flat_map(|linear| linear.terms.iter().map(|(symbol, _)| *symbol))
}
