//! Arrays with several dimensions whose strides have nothing to do with each other: `A[i * p + j * q + k]`.
//!
//! Where the subscripts lie in a box, of extents `e_i`, `e_j` and `e_k`, different ones are different
//! elements if
//!
//! ```text
//! e_k - 1 < q    and    (e_j - 1) q + e_k - 1 < p
//! ```
//!
//! since the difference of two elements is that of their first different subscripts times its stride, and
//! what comes after it is less. Nothing shows that statically: it is checked in front of the region, with the
//! box around all that is accessed. The subscripts may be negative. Which stride is the largest is guessed by
//! the nesting of the loops; a wrong guess makes a check that fails.
use super::delinearization::Chain;
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::model::delinearized_shape::{DelinearizedShape, Layout};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::RawStatement;
use crate::model::run_time::{Fact, RunTimeCondition, Span};
use crate::model::spaces::Columns;
use crate::walk::extractor::Extractor;
use crate::walk::finish::apart::{Model, constants_row, span};
use loopwright_presburger::{Budget, Name, Row, Set, Space, Tuple};
use std::collections::BTreeMap;

/// Work limit for the box around the subscripts of one array.
const STEPS: u64 = 200_000;

/// More strides than this are no array.
const MAX_STRIDES: usize = 4;

/// A subscript of a statement, and the subscripts that it is made of.
type Split = (usize, Pieces, Vec<Pieces>);

impl Extractor<'_, '_> {
    /// Gives a dimension of an array one dimension for each stride; none if its subscripts have no such form,
    /// or no bounds.
    pub(super) fn split_sum(
        &mut self,
        variable: u32,
        dimension: usize,
        parameters: &[u32],
    ) -> Option<()> {
        if self.variable(variable).in_region() {
            return None;
        }
        let mut sums: Vec<(usize, Pieces, BTreeMap<Chain, Linear>)> = Vec::new();
        for (at, statement) in self.out.statements.iter().enumerate() {
            for access in statement.accesses.iter().filter(|a| a.variable == variable) {
                let pieces = access.subscripts.get(dimension)?;
                let [(case, linear)] = &pieces.0[..] else { return None };
                if access.inner.is_some() || !case.is_empty() {
                    return None;
                }
                if !sums.iter().any(|(s, known, _)| *s == at && known == pieces) {
                    sums.push((at, pieces.clone(), self.summands(linear).ok()?));
                }
            }
        }
        let strides = self.strides_by_depth(&sums)?;
        let part = |sum: &BTreeMap<Chain, Linear>, chain: &[Linear]| {
            Pieces::single(sum.get(chain).cloned().unwrap_or_default())
        };
        let split = sums.iter().map(|(at, pieces, sum)| {
            let parts = strides.iter().map(|stride| part(sum, std::slice::from_ref(stride)));
            (*at, pieces.clone(), parts.chain([part(sum, &[])]).collect())
        });
        let split: Vec<Split> = split.collect();
        self.box_of(&split, parameters)?;
        self.replace_subscripts(variable, dimension, &split);
        let texts = strides.iter().map(|stride| (stride.clone(), self.stride_text(stride)));
        let strides = texts.collect();
        self.out.set_view(variable, DelinearizedShape { dimension, strides, layout: Layout::Sum });
        Some(())
    }

    /// The strides, those first whose subscripts depend on loops further outside.
    fn strides_by_depth(
        &self,
        sums: &[(usize, Pieces, BTreeMap<Chain, Linear>)],
    ) -> Option<Vec<Linear>> {
        let mut depths: BTreeMap<Linear, usize> = BTreeMap::new();
        for (at, _, sum) in sums {
            for (chain, form) in sum {
                let [stride] = &chain[..] else {
                    if chain.is_empty() { continue } else { return None }
                };
                let depth = depth_of(form, &self.out.statements[*at]);
                let known = depths.entry(stride.clone()).or_insert(depth);
                *known = depth.min(*known);
            }
        }
        let mut strides: Vec<(usize, Linear)> =
            depths.into_iter().map(|(stride, depth)| (depth, stride)).collect();
        strides.sort_by_key(|(depth, _)| *depth);
        (2..=MAX_STRIDES)
            .contains(&strides.len())
            .then(|| strides.into_iter().map(|(_, stride)| stride).collect())
    }

    /// The values of each subscript.
    fn box_of(&self, split: &[Split], parameters: &[u32]) -> Option<Vec<Span>> {
        let names: Vec<Name> =
            parameters.iter().map(|p| self.variable(*p).name.as_str().into()).collect();
        let space = Space::params(&names);
        let n = split.first()?.2.len();
        let mut all = Set::empty(space.with_tuples(None, Some(Tuple::anonymous(n))));
        for (at, _, parts) in split {
            let statement = &self.out.statements[*at];
            let tuples = (Tuple::anonymous(statement.loops.len()), Tuple::anonymous(n));
            let columns =
                Columns::new(parameters, &statement.loops[..], n, &self.out.symbols.floors);
            let relation = columns.relation(
                &space.with_tuples(Some(tuples.0), Some(tuples.1)),
                &statement.domain.0,
                parts,
                &vec![None; n],
            );
            all = all.union(&relation.range()).ok()?;
        }
        let budget = Budget::steps(STEPS);
        (0..n).map(|dimension| span(&all, dimension, &budget)).collect()
    }

    /// The refusal for sums of strides that cannot be checked.
    pub(crate) fn refuse_strides(&self) -> Refusal {
        let views = self.out.views().iter().filter(|(_, view)| view.layout == Layout::Sum);
        let variables: Vec<u32> = views.map(|(variable, _)| *variable).collect();
        let mut accesses = self.out.statements.iter().flat_map(|s| &s.accesses);
        let at = accesses.find(|a| variables.contains(&a.variable)).map_or(0, |a| a.at);
        self.refuse_at(
            Code::TooComplex,
            at,
            "the strides of an array cannot be checked in front of the region",
        )
    }

    /// The checks that different subscripts of arrays with sums of strides are different elements; none if
    /// one has no text.
    pub(crate) fn stride_conditions(&self, model: &Model<'_>) -> Option<Vec<RunTimeCondition>> {
        let mut conditions: Vec<RunTimeCondition> = Vec::new();
        let values = self.symbolic_values(model.parameters);
        let sums = self.out.views().iter().filter(|(_, view)| view.layout == Layout::Sum);
        for (variable, view) in sums {
            let (Some(all), _) = self.accessed_elements(*variable, model)? else { continue };
            let budget = Budget::steps(STEPS);
            let dimensions = view.dimension..=view.dimension + view.strides.len();
            let spans = dimensions.map(|at| span(&all, at, &budget));
            let spans = spans.collect::<Option<Vec<Span>>>()?;
            let strides =
                view.strides.iter().map(|(form, _)| constants_row(form, model.parameters));
            let strides = strides.collect::<Option<Vec<Row>>>()?;
            let name = self.written_name(*variable);
            let fact = Fact::strides(name, (&spans, &strides), &values)?;
            if conditions.iter().any(|known| known.fact.text() == fact.text()) {
                continue;
            }
            let accesses = self.out.statements.iter().flat_map(|s| &s.accesses);
            let at = accesses.filter(|a| a.variable == *variable).map(|a| a.at).next();
            let line = at.map_or(0, |at| self.line_of(at));
            let reason = "its dimensions do not overlap".to_string();
            conditions.push(RunTimeCondition { fact, line, reason });
        }
        Some(conditions)
    }
}

/// How many loops are around the outermost one that a form depends on.
fn depth_of(form: &Linear, statement: &RawStatement) -> usize {
    let depth = |symbol: &Symbol| match symbol {
        Symbol::Iterator(index) => statement.loops.iter().position(|l| l == index),
        _ => None,
    };
    form.terms.iter().filter_map(|(symbol, _)| depth(symbol)).min().unwrap_or(usize::MAX)
}
