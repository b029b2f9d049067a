//! Rows behind tables of pointers (`double **a`) that may overlap, and are checked not to in front of the
//! region.
//!
//! The check reads the tables. It may do so where the region reads the same pointers for sure: an access that
//! is always evaluated with its statement does. So the rows that are looked at, a box around those that are
//! accessed, have to be among those of such accesses; where that depends on sizes (a loop over a row may have
//! no iterations), these are checked first.
//!
//! Of a variable with rows all bytes between the least and the greatest that is accessed in any row are taken
//! to be accessed in each of them. Where the check holds, no pointer of a table is overwritten: tables are
//! checked to be apart from what is written, too.
use super::apart::{Footing, Model, is_pointer};
use crate::model::apart::Apart;
use crate::model::run_time::{
    ByteRange, Bytes, Fact, MAX_TABLES, ROWS_PREFIX, RowRange, RunTimeCondition,
};
use crate::walk::extractor::Extractor;
use loopwright_presburger::{BasicSet, Budget, Constraint, DimKind, Row, Set};
use loopwright_scop::AccessKind;

/// Work limit for the rows of one variable.
const STEPS: u64 = 500_000;

/// More variables than this are not checked in one call.
const MAX_PARTS: usize = 64;

impl Extractor<'_, '_> {
    /// Whether a check can name the rows of a variable.
    pub(crate) fn has_row_footing(&self, variable: u32) -> bool {
        self.row_footing(variable).is_some()
    }

    /// Where the tables of a variable begin, how its subscripts lead to bytes, and how many of them are of
    /// tables.
    fn row_footing(&self, variable: u32) -> Option<(Footing, usize)> {
        let root = self.root(variable);
        let own = self.variable(variable);
        if !self.is_steady(root) {
            return None;
        }
        let (first, base, behind) = match &own.member {
            None => (0, own.name.clone(), None),
            Some(member) if member.crosses_pointer => {
                let n_roots = self.variable(root).declared.dimensions.len();
                if member.names.iter().any(|(at, _)| *at > n_roots) {
                    return None;
                }
                let (base, behind) = self.member_base(variable, root)?;
                (n_roots, base, behind)
            }
            Some(_) => return None,
        };
        let dimensions = &own.declared.dimensions;
        let last = dimensions.iter().rposition(is_pointer).filter(|last| *last > first)?;
        let n_tables = last - first;
        if n_tables > MAX_TABLES || !dimensions[first + 1..last].iter().all(is_pointer) {
            return None;
        }
        let row = Footing {
            base: format!("{base}{}", "[0]".repeat(n_tables)),
            dimensions: last..dimensions.len(),
            bytes: Vec::new(),
            element: Bytes::Known(0),
            behind,
        };
        let mut footing = self.completed(row, dimensions, self.element_bytes(variable))?;
        footing.base = base;
        footing.dimensions.start = first;
        footing.bytes.splice(0..0, vec![Bytes::Text("sizeof(void *)".to_string()); n_tables]);
        Some((footing, n_tables))
    }

    /// Whether the file has names that the functions for checks need.
    pub(super) fn uses_names_of_helpers(&self) -> bool {
        self.facts.used_names.iter().any(|name| name.starts_with(ROWS_PREFIX))
    }

    /// The checks that the variables of some pairs are apart, of which one has rows; none if there is none.
    pub(crate) fn rows_conditions(
        &self,
        pairs: &[&Apart],
        model: &Model<'_>,
    ) -> Option<Vec<RunTimeCondition>> {
        if self.uses_names_of_helpers() {
            return None;
        }
        let mut variables: Vec<u32> = Vec::new();
        for variable in pairs.iter().flat_map(|pair| [pair.variables.0, pair.variables.1]) {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        // Parts of one structure have the range of all of it.
        let is_part_of = |v: u32, other: u32| {
            let crosses = |v: u32| {
                self.variable(v).member.as_ref().is_some_and(|member| member.crosses_pointer)
            };
            v != other && self.root(v) == self.root(other) && !crosses(v) && !crosses(other)
        };
        if variables.iter().any(|v| variables.iter().any(|other| is_part_of(*v, *other))) {
            return None;
        }
        let mut parts = Vec::new();
        let mut readable = model.scop.context.clone();
        for variable in &variables {
            let (ranges, readable_here) = self.row_ranges(*variable, model)?;
            parts.extend(ranges);
            if let Some(here) = readable_here {
                readable = readable.intersect(&here).ok()?;
            }
        }
        if parts.len() > MAX_PARTS {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        for variable in variables {
            let name = self.written_name(variable);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let values = self.symbolic_values(model.parameters);
        let fact = Fact::rows_apart(names, &parts, &readable, &values)?;
        let place = pairs.first().and_then(|pair| pair.refusal.place.as_ref());
        let line = place.map_or(0, |place| place.line);
        let rows = |fact| RunTimeCondition {
            fact,
            line,
            reason: "their order does not matter".to_string(),
        };
        let sizes = self.sizes_of_readable(&readable, model)?;
        let sizes = sizes.map(|fact| RunTimeCondition {
            fact,
            line,
            reason: "the pointers to the rows are read anyway".to_string(),
        });
        Some(sizes.into_iter().chain([rows(fact)]).collect())
    }

    /// The sizes for which pointers to rows may be read; `Some(None)` if they always are, none if there is no
    /// condition.
    fn sizes_of_readable(&self, readable: &Set, model: &Model<'_>) -> Option<Option<Fact>> {
        let budget = || Budget::steps(STEPS);
        let context = &model.scop.context;
        if context.is_subset(readable, &budget()).ok()? {
            return Some(None);
        }
        let holds = readable.coalesce(&budget()).ok()?.gist(context, &budget()).ok()?;
        let [_] = holds.basic_sets()[..] else { return None };
        let fact = Fact::Constants { holds, values: self.symbolic_values(model.parameters) };
        let can_hold = !readable.is_empty(&budget()).ok()?;
        (can_hold && fact.text().is_some()).then_some(Some(fact))
    }

    /// The bytes of a variable that the region accesses, in its rows if it has some; and the sizes for which
    /// the pointers to these may be read, if it depends on sizes.
    fn row_ranges(&self, variable: u32, model: &Model<'_>) -> Option<(Vec<RowRange>, Option<Set>)> {
        let Some((footing, n_tables)) = self.row_footing(variable) else {
            return Some((self.plain_ranges(variable, model)?, None));
        };
        if self.used_constants().any(|constant| constant.variable == variable) {
            return None;
        }
        let (all, is_written) = self.accessed_elements(variable, model)?;
        let Some(all) = all else { return Some((Vec::new(), None)) };
        let range = |all: &Set| {
            let bytes = self.readable_rows(variable, (&footing, n_tables), all, model)?;
            Some(vec![RowRange { bytes, n_tables, is_written }])
        };
        if let Some(ranges) = range(&all) {
            return Some((ranges, None));
        }
        // Where each part is accessed, all pointers may be.
        let parts = all.basic_sets();
        let sizes = parts.iter().try_fold(model.scop.context.clone(), |sizes, part| {
            sizes.intersect(&Set::from_basic_set(part.clone()).params()).ok()
        })?;
        Some((range(&all.intersect_params(&sizes).ok()?)?, Some(sizes)))
    }

    /// The bytes around elements of a variable with rows, if the pointers to all rows around them are read
    /// anyway.
    fn readable_rows(
        &self,
        variable: u32,
        (footing, n_tables): (&Footing, usize),
        elements: &Set,
        model: &Model<'_>,
    ) -> Option<ByteRange> {
        let budget = || Budget::steps(STEPS);
        let bytes = self.box_around(variable, footing, elements, model, &budget())?;
        let tables = bytes.levels.get(..n_tables)?;
        if tables.iter().any(|table| !table.strides.is_empty()) {
            return None;
        }
        let first = footing.dimensions.start;
        let read = self.rows_read(variable, first..first + n_tables, model)?;
        let looked_at = rows_in(&bytes, n_tables, &read)?.intersect_params(&model.scop.context);
        let is_read = looked_at.ok()?.is_subset(&read, &budget()).ok()?;
        (is_read && self.may_be_read(footing, &bytes.reached, model)?).then_some(bytes)
    }

    /// The same of a variable without rows.
    fn plain_ranges(&self, variable: u32, model: &Model<'_>) -> Option<Vec<RowRange>> {
        let footing = self.footing(variable)?;
        let used = self.used(variable, model)?;
        let part = |bytes: ByteRange, is_written: bool| RowRange { bytes, n_tables: 0, is_written };
        let ranges = match (&used.written[..], &used.read[..]) {
            ([], read) => read.iter().map(|bytes| part(bytes.clone(), false)).collect(),
            ([only], []) => vec![part(only.clone(), true)],
            _ => {
                let is_scalar = self.out.affine_uses().contains(variable)
                    || self.out.iterator_variables.contains(&variable)
                    || self.used_constants().any(|constant| constant.variable == variable);
                let (all, _) = self.accessed_elements(variable, model)?;
                let all = all.filter(|_| !is_scalar)?;
                let budget = Budget::steps(STEPS);
                vec![part(self.box_around(variable, &footing, &all, model, &budget)?, true)]
            }
        };
        let all_read = ranges.iter().map(|range: &RowRange| {
            self.may_be_read(&footing, &range.bytes.reached, model).filter(|is| *is)
        });
        all_read.collect::<Option<Vec<bool>>>()?;
        Some(ranges)
    }

    /// Whether the base of a footing may be read in front of the region wherever something is accessed.
    fn may_be_read(&self, footing: &Footing, reached: &Set, model: &Model<'_>) -> Option<bool> {
        let Some(root) = footing.behind else { return Some(true) };
        let readable = self.read_where(root, model)?;
        let reached = reached.intersect(&model.scop.context).ok()?;
        reached.is_subset(&readable, &Budget::steps(STEPS)).ok()
    }

    /// All elements of a variable that are accessed, and whether one is written.
    pub(crate) fn accessed_elements(
        &self,
        variable: u32,
        model: &Model<'_>,
    ) -> Option<(Option<Set>, bool)> {
        let Some(array) = model.array_ids.get(&self.accessed(variable)) else {
            return Some((None, false));
        };
        let accesses = model.scop.statements.iter().flat_map(|s| &s.accesses);
        let own = accesses.filter(|a| a.array == *array && a.kind != AccessKind::Kill);
        let mut all: Option<Set> = None;
        let mut is_written = false;
        for access in own {
            let elements = access.relation.range();
            is_written |= access.kind != AccessKind::Read;
            all = Some(match all {
                None => elements,
                Some(all) => all.union(&elements).ok()?,
            });
        }
        let all = match all {
            Some(all) => Some(all.intersect_params(&model.scop.context).ok()?),
            None => None,
        };
        Some((all, is_written))
    }

    /// The rows, as subscripts of tables, whose pointers the region reads for sure.
    fn rows_read(
        &self,
        variable: u32,
        tables: std::ops::Range<usize>,
        model: &Model<'_>,
    ) -> Option<Set> {
        let array = model.array_ids.get(&self.accessed(variable))?;
        let mut read: Option<Set> = None;
        for (raw, statement) in self.out.statements.iter().zip(&model.scop.statements) {
            let is_plain = raw.accesses.iter().all(|access| access.inner.is_none());
            let is_sure = raw.accesses.iter().any(|a| a.kind == AccessKind::MustWrite);
            // What is said once of several accesses is about whole arrays.
            let is_parallel = raw.accesses.len() == statement.accesses.len();
            if raw.is_kill || !is_plain || !is_sure || !is_parallel {
                continue;
            }
            for (own, access) in raw.accesses.iter().zip(&statement.accesses) {
                if access.array != *array || !self.is_surely_evaluated(own.at) {
                    continue;
                }
                let rows = rows_of(access.relation.range(), &tables);
                read = Some(match read {
                    None => rows,
                    Some(read) => read.union(&rows).ok()?,
                });
            }
        }
        read
    }

    /// Whether a reference of the region is evaluated whenever its expression statement is, and that is not
    /// left before.
    fn is_surely_evaluated(&self, at: usize) -> bool {
        let region = self.facts.root.start_byte()..self.facts.root.end_byte();
        region.contains(&at)
            && at < self.facts.first_obstacle
            && self.is_evaluated_with_its_statement(at)
    }
}

/// The subscripts of some dimensions in a set of elements.
fn rows_of(elements: Set, tables: &std::ops::Range<usize>) -> Set {
    let n = elements.n_dims();
    let rows = elements.project_out(DimKind::Out, tables.end, n - tables.end);
    rows.project_out(DimKind::Out, 0, tables.start)
}

/// The rows that a check looks at, in the space of another set of rows.
pub(super) fn rows_in(bytes: &ByteRange, n_tables: usize, of: &Set) -> Option<Set> {
    let mut all = BasicSet::universe(of.space().clone());
    let column = all.offset(DimKind::Out);
    for (dimension, table) in bytes.levels.iter().take(n_tables).enumerate() {
        let [span] = &table.spans[..] else { return None };
        for (bounds, sign) in [(&span.least, 1), (&span.greatest, -1)] {
            for bound in bounds {
                // sign * (denominator * row - numerator) >= 0.
                let mut row: Vec<i64> =
                    bound.numerator.as_i64s()?.iter().map(|value| -sign * value).collect();
                row.resize(column + n_tables, 0);
                row[column + dimension] = sign * bound.denominator;
                all = all.add_constraint(Constraint::inequality(Row::from_i64s(&row)));
            }
        }
    }
    Set::from_basic_set(all).intersect_params(&bytes.reached).ok()
}
