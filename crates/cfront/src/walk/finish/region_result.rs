//! The end of a walk over a region: what its surroundings have to say about it, and which variables are
//! arrays.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::facts::ctypes::Dimension;
use crate::facts::variables::Origin;
use crate::facts::visibility::is_visible_elsewhere;
use crate::model::linear::Linear;
use crate::model::raw_model::{Ending, Order, RawAccess, RawPiece, RawStatement};
use crate::model::run_time::RunTimeCondition;
use crate::regions::known_values::KnownValue;
use crate::regions::places::{DeclaredShape, LoopPlace, StatementPlaces};
use crate::syntax::kind::Kind;
use crate::text::located::diagnostic_at;
use crate::walk::extractor::Extractor;
use crate::walk::finish::build::{build, parameters};
use crate::walk::finish::region_end::Context;
use crate::walk::loops::loop_pragmas::IndependentLoop;
use crate::walk::walk_context::Purpose;
use loopwright_presburger::Set;
use loopwright_scop::{AccessKind, Filter, Scop, Statement, StatementId, ValueBounds};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Why the value of an iterator outside of its loop is refused.
const USED_OUTSIDE: &str = "its value there depends on the loops run";

/// What can be done about it.
const ASSIGN_AGAIN: &str = "assign it again before it is used";

/// A scop, and what is known about its statements.
pub(crate) struct Finished {
    pub(crate) scop: Scop,
    /// The statements that are only there for the value that a variable has later.
    pub(crate) updates: Vec<StatementId>,
    pub(crate) independent: Vec<IndependentLoop>,
    pub(crate) conditions: Vec<RunTimeCondition>,
    pub(crate) known_values: Vec<KnownValue>,
    /// For each array the elements that may be used after the region, where that is known.
    pub(crate) used_after: Vec<Option<Set>>,
    pub(crate) filters: Vec<Vec<Filter>>,
    pub(crate) value_bounds: Vec<ValueBounds>,
    /// What could not be used.
    pub(crate) remarks: Vec<String>,
    pub(crate) places: Vec<StatementPlaces>,
    pub(crate) shapes: Vec<DeclaredShape>,
}

impl<'s, 't> Extractor<'s, 't> {
    /// The scop of the region, with what else is known about its statements, or why there is none.
    pub(crate) fn finish(mut self, context: &Context<'_, 't>) -> Result<Finished, Vec<Diagnostic>> {
        self.check_uses(context);
        self.check_structures();
        self.check_overlap(context.function, context.assume_no_alias);
        if self.out.diagnostics().iter().any(|refusal| !refusal.is_consequence) {
            self.out.drop_consequences();
        }
        if !self.out.diagnostics().is_empty() {
            return Err(self.out.into_diagnostics());
        }
        self.resolve_members();
        self.drop_parameter_accesses();
        let arrays = self.used_variables();
        self.finish_barriers(&arrays);
        let mut extents = self.extents(&arrays, context);
        self.check_obligations(&arrays, &extents);
        let byte = self.out.statements.first().map_or(0, |s| s.at);
        let clean = self.facts.clean;
        let failed = |error: loopwright_presburger::Error| {
            let message = "the sets of this region cannot be built";
            vec![diagnostic_at(clean, Code::TooComplex, byte, message).because(error.to_string())]
        };
        if !self.out.symbols.products.is_empty() {
            let (known, parameters) = parameters(&self, arrays.clone(), &extents, context);
            self.split_subscripts(&known.map_err(failed)?, &parameters);
            if !self.out.diagnostics().is_empty() {
                return Err(self.out.into_diagnostics());
            }
            for (array, extents) in arrays.iter().zip(&mut extents) {
                if let Some(view) = self.out.views().get(array) {
                    *extents = view.extents(std::mem::take(extents));
                }
            }
        }
        self.refuse_remaining_products();
        if !self.out.diagnostics().is_empty() {
            return Err(self.out.into_diagnostics());
        }
        let updates = self.out.statements.iter().enumerate().filter(|(_, s)| s.is_update);
        let updates = updates.map(|(index, _)| StatementId(index as u32)).collect();
        let independent = self.independent_statements();
        let value_bounds = self.value_bounds(&arrays);
        let (scop, conditions, filters) =
            build(&self, arrays.clone(), &extents, context).map_err(failed)?;
        let not_searched = self.not_searched(&scop);
        if !not_searched.is_empty() {
            return Err(not_searched);
        }
        let places = self.places(&scop);
        let shapes = arrays.iter().map(|array| self.shape(*array)).collect();
        let used_after = self.used_after(&arrays, &scop, context).map_err(failed)?;
        let conditions = conditions.map_err(|refusals| {
            let refusals = refusals.into_iter().map(|refusal| *refusal.0);
            refusals.collect::<Vec<Diagnostic>>()
        })?;
        let known_values = self.known_values();
        Ok(Finished {
            scop,
            updates,
            independent,
            conditions,
            known_values,
            used_after,
            filters,
            value_bounds,
            remarks: self.out.take_remarks(),
            places,
            shapes,
        })
    }

    /// How a variable is declared.
    fn shape(&self, variable: u32) -> DeclaredShape {
        let declared = self.variable(variable);
        let extent = |dimension: &Dimension<'t>| match dimension {
            Dimension::Extent(node) => Some(self.flat_text(*node).into_owned()),
            Dimension::Pointer | Dimension::Unknown => None,
        };
        DeclaredShape {
            extents: declared.declared.dimensions.iter().map(extent).collect(),
            is_in_file: matches!(declared.origin, Origin::File { .. }),
        }
    }

    /// Where the accesses of the statements stand, and their loops.
    fn places(&self, scop: &Scop) -> Vec<StatementPlaces> {
        let place = |(raw, statement): (&RawStatement, &Statement)| {
            let is_complete = raw.accesses.len() == statement.accesses.len();
            let accesses = raw.accesses.iter().filter(|_| is_complete).map(|access| access.at);
            let loops = raw.loops.iter().map(|index| {
                let own = &self.out.loops[*index as usize];
                LoopPlace {
                    iterator: self.variable(own.variable).name.clone(),
                    step: own.step,
                    is_plain: own.ending == Ending::Plain,
                }
            });
            StatementPlaces { at: raw.at, accesses: accesses.collect(), loops: loops.collect() }
        };
        self.out.statements.iter().zip(&scop.statements).map(place).collect()
    }

    /// Refuses parameters that change, and iterators that are used as data.
    fn check_uses(&mut self, context: &Context<'_, 't>) {
        let mut found = Vec::new();
        let mut report = |code, at, message: String, reason: &str, hint: &str| {
            let diagnostic = diagnostic_at(self.facts.clean, code, at, message);
            found.push(diagnostic.because(reason).hint(hint));
        };
        let written: BTreeMap<u32, usize> = self
            .out
            .statements
            .iter()
            .flat_map(|s| &s.accesses)
            .filter(|a| matches!(a.kind, AccessKind::MustWrite | AccessKind::MayWrite))
            .map(|a| (a.variable, a.at))
            .collect();
        for (variable, at) in self.out.affine_uses().sorted() {
            let name = &self.variable(variable).name;
            if self.out.iterator_variables.contains(&variable) {
                let message = format!("the iterator `{name}` is used outside its loop");
                report(Code::Iterator, at, message, USED_OUTSIDE, ASSIGN_AGAIN);
            } else if let Some(&write) = written.get(&variable) {
                let line = self.line_of(write);
                let message = format!("`{name}` is not constant: it is changed in line {line}");
                let reason = "bounds, conditions and subscripts need iterators and constants";
                let hint = "copy it to another variable before the region, if that value is meant";
                report(Code::NonAffineCondition, at, message, reason, hint);
            }
        }
        for access in self.out.statements.iter().flat_map(|s| &s.accesses) {
            if access.kind != AccessKind::Kill
                && self.out.iterator_variables.contains(&access.variable)
            {
                let name = &self.variable(access.variable).name;
                let message = format!("the iterator `{name}` is used outside its loop");
                report(Code::Iterator, access.at, message, USED_OUTSIDE, ASSIGN_AGAIN);
            }
        }
        self.check_final_values(context, &mut found);
        found.dedup();
        self.out.report_all(found);
    }

    /// Where the region declares a variable.
    fn declaration_of(&self, variable: u32) -> usize {
        let mut accesses = self.out.statements.iter().flat_map(|s| &s.accesses);
        let is_kill = |a: &&RawAccess| a.kind == AccessKind::Kill && a.variable == variable;
        accesses.find(is_kill).map_or(0, |access| access.at)
    }

    /// Refuses iterators whose final value is used, and locals that outlive the region.
    fn check_final_values(&self, context: &Context<'_, 't>, found: &mut Vec<Diagnostic>) {
        for &variable in &self.out.iterator_variables {
            let declared = self.variable(variable);
            if declared.in_region() {
                continue;
            }
            if let Some(node) = context.surroundings.use_of_final_value(&declared.name) {
                let message = format!("the iterator `{}` is used after the region", declared.name);
                let diagnostic =
                    diagnostic_at(self.facts.clean, Code::Iterator, node.start_byte(), message)
                        .because("iterators have no value after the transformed region")
                        .hint(ASSIGN_AGAIN);
                found.push(diagnostic);
            }
        }
        for &pointer in self.values.pointers.keys() {
            let declared = self.variable(pointer);
            let used = context.surroundings.use_of_final_value(&declared.name);
            let is_visible =
                is_visible_elsewhere(self.facts.source, &self.scopes, context.function, pointer);
            let used = used.or(is_visible.then_some(context.function));
            if let Some(node) = used.filter(|_| !declared.in_region()) {
                let message = format!("the pointer `{}` is used after the region", declared.name);
                let at = node.start_byte();
                let diagnostic = diagnostic_at(self.facts.clean, Code::Pointer, at, message)
                    .because("the region sets it, and its value is not kept")
                    .hint("set it again before it is used");
                found.push(diagnostic);
            }
        }
        let variables = self.out.declared_at_top().iter();
        let variables =
            variables.map(|v| (self.variable(*v).name.as_str(), self.declaration_of(*v)));
        let constants =
            self.out.own_constants().iter().filter_map(|(name, byte)| Some((*name, (*byte)?)));
        for (name, byte) in variables.chain(constants) {
            let surroundings = context.surroundings;
            // Behind the block around the region the name means what it meant before.
            let is_used = match self.scopes.lookup(name) {
                Some(_) => surroundings.is_meant_behind(self.facts.root, name),
                None => surroundings.is_meant_after(name),
            };
            if is_used {
                let message = format!("`{name}` is declared in the region and used after it");
                let diagnostic = diagnostic_at(self.facts.clean, Code::Declaration, byte, message)
                    .because("the result has a block of its own in place of the region");
                found.push(diagnostic);
            }
        }
    }

    /// Reads of symbolic constants are text; kills of iterators are nothing.
    fn drop_parameter_accesses(&mut self) {
        let variables = &self.scopes.variables;
        let uses: std::collections::BTreeSet<u32> =
            self.out.affine_uses().variables().into_iter().collect();
        // A constant of the region is a variable, too: what is copied as text reads it.
        let constant = |v: &u32| {
            let variable = &variables[*v as usize];
            uses.contains(v) || variable.constant.is_some() && !variable.in_region()
        };
        for statement in &mut self.out.statements {
            statement.accesses.retain(|a| {
                !constant(&a.variable) && !self.out.iterator_variables.contains(&a.variable)
            });
            for piece in &mut statement.pieces {
                if let RawPiece::Element { variable, .. } = piece
                    && constant(variable)
                {
                    *piece = RawPiece::Text(variables[*variable as usize].name.clone());
                }
            }
        }
        // Kill statements without any variable left are nothing.
        let mut index = 0;
        let kept: Vec<Option<usize>> = self
            .out
            .statements
            .iter()
            .map(|s| {
                let keep = !s.is_kill || !s.accesses.is_empty();
                index += usize::from(keep);
                keep.then(|| index - 1)
            })
            .collect();
        self.out.statements.retain(|s| !s.is_kill || !s.accesses.is_empty());
        let filters = self.out.statements.iter_mut().flat_map(|statement| &mut statement.filters);
        filters.for_each(|filter| filter.renumber(&kept));
        self.out.order = renumber(std::mem::take(&mut self.out.order), &kept);
    }

    /// The variables that are accessed, in order of their first reference, then those that are only
    /// named: arguments that a function does nothing with.
    fn used_variables(&self) -> Vec<u32> {
        let accessed = self.out.statements.iter().flat_map(|s| &s.accesses).map(|a| a.variable);
        let named =
            self.out.statements.iter().flat_map(|s| &s.pieces).filter_map(|piece| match piece {
                RawPiece::Element { variable, .. } => Some(self.accessed(*variable)),
                _ => None,
            });
        let mut seen = FxHashSet::default();
        accessed.chain(named).filter(|variable| seen.insert(*variable)).collect()
    }

    /// Whether the name of a variable of the file stands for another variable of the region: only functions
    /// that are called access it.
    pub(crate) fn is_shadowed(&self, variable: u32, arrays: &[u32]) -> bool {
        let declared = self.variable(variable);
        let is_other = |other: &u32| {
            let other_variable = self.variable(*other);
            *other != variable
                && other_variable.member.is_none()
                && !matches!(other_variable.origin, Origin::File { .. })
                && !other_variable.in_region()
                && other_variable.name == declared.name
        };
        matches!(declared.origin, Origin::File { .. })
            && declared.member.is_none()
            && arrays.iter().chain(&self.out.affine_uses().variables()).any(is_other)
    }

    /// The extents of arrays; none where a dimension has no constant affine extent.
    fn extents(
        &mut self,
        arrays: &[u32],
        context: &Context<'_, 't>,
    ) -> Vec<Vec<(Option<Linear>, String)>> {
        self.at.purpose = Purpose::Extent;
        let assumptions = self.out.assumptions().len();
        let mut all = Vec::with_capacity(arrays.len());
        for &array in arrays {
            let dimensions = self.variable(array).declared.dimensions.clone();
            let extents = dimensions.iter().map(|dimension| match dimension {
                Dimension::Extent(node)
                    if self.out.own_extents().contains_key(&node.start_byte()) =>
                {
                    let (linear, text) = self.out.own_extents()[&node.start_byte()].clone();
                    (Some(linear), text)
                }
                Dimension::Extent(node) => {
                    let text = self.flat_text(*node).into_owned();
                    let mut changed = false;
                    crate::syntax::queries::visit(*node, |n, _| {
                        changed |= n.kind() == Kind::Identifier
                            && context.changed_names.contains(self.text(n));
                        !changed
                    });
                    let linear = (!changed).then(|| self.extent(*node)).flatten();
                    (linear, text)
                }
                _ => (None, String::new()),
            });
            let extents = extents.collect();
            all.push(extents);
        }
        self.out.forget_assumptions(assumptions);
        all
    }

    fn extent(&mut self, node: crate::syntax::tree::Node<'t>) -> Option<Linear> {
        let mark = self.out.mark();
        let linear = self.value(node).ok().and_then(|v| v.pieces.as_linear().cloned());
        if linear.is_none() {
            self.out.back_to(mark);
        }
        linear
    }
}

fn renumber(order: Vec<Order>, kept: &[Option<usize>]) -> Vec<Order> {
    order
        .into_iter()
        .filter_map(|item| match item {
            Order::Statement(s) => kept[s].map(Order::Statement),
            Order::Loop { index, body } => {
                let body = renumber(body, kept);
                (!body.is_empty()).then_some(Order::Loop { index, body })
            }
        })
        .collect()
}
