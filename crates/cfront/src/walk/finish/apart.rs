//! Variables that may be the same memory, and are checked to be apart in front of the region.
//!
//! Two variables may be taken for different memory if no byte that the region accesses through one of them,
//! and one of them writes, is accessed through the other. The elements that the model says to be accessed are
//! more than those that are; their least and greatest subscripts, in terms of symbolic constants, bound the
//! bytes. Where the check holds, no access changes a symbolic constant or a pointer that the bounds depend
//! on, so they are right up to the end of the region.
//!
//! The bounds come from projecting the ranges of the access relations to each dimension. Where there are none
//! (subscripts that depend on data, whole arrays given to functions), or where the base of an object may not
//! be read in front of the region, the pair is refused.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::facts::variables::Origin;
use crate::model::apart::Apart;
use crate::model::delinearized_shape::Layout;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::run_time::{Bound, ByteRange, Bytes, Fact, Level, RunTimeCondition, Span};
use crate::syntax::kind::Kind;
use crate::walk::extractor::Extractor;
use loopwright_presburger::{BasicSet, Budget, DimKind, Row, Set, Space};
use loopwright_scop::{AccessKind, ArrayId, Scop};
use rustc_hash::FxHashMap;

/// Work limit for the bounds of one variable.
const STEPS: u64 = 500_000;

/// A variable whose elements form more boxes than this, with different bounds, is not checked.
const MAX_BOXES: usize = 6;

/// More pairs of variables than this are no check that is worth its text.
const MAX_PAIRS: usize = 100;

/// More pairs than this are checked together, by a function that sorts all ranges.
const MAX_SEPARATE: usize = 6;

/// A least or greatest value is chosen among so many bounds at most.
const MAX_BOUNDS: usize = 2;

/// Where the memory of a variable begins, and how its subscripts lead to bytes.
pub(super) struct Footing {
    /// A pointer or an array, as an expression of C.
    pub(super) base: String,
    /// The dimensions in C whose subscripts count.
    pub(super) dimensions: std::ops::Range<usize>,
    /// What a step in each of them takes.
    pub(super) bytes: Vec<Bytes>,
    /// What an element takes.
    pub(super) element: Bytes,
    /// The structure that has to be read for the base.
    pub(super) behind: Option<u32>,
}

/// The scop of a region and what its arrays are.
pub(crate) struct Model<'a> {
    pub(crate) scop: &'a Scop,
    pub(crate) array_ids: &'a FxHashMap<u32, ArrayId>,
    pub(crate) parameters: &'a [u32],
    pub(crate) space: &'a Space,
}

/// What is accessed of a variable.
pub(super) struct Used {
    pub(super) written: Vec<ByteRange>,
    pub(super) read: Vec<ByteRange>,
    behind: Option<u32>,
}

impl<'t> Extractor<'_, 't> {
    /// Whether a check can name the memory of a variable.
    pub(crate) fn has_footing(&self, variable: u32) -> bool {
        self.footing(variable).is_some()
    }

    /// The checks for the pairs of variables that need them.
    ///
    /// # Errors
    /// A refusal if one of them cannot be checked.
    pub(crate) fn apart_conditions(
        &self,
        model: &Model<'_>,
    ) -> Result<Vec<RunTimeCondition>, Vec<Refusal>> {
        let mut used: FxHashMap<u32, Option<Used>> = FxHashMap::default();
        let mut conditions = Vec::new();
        let mut failed: Vec<&Diagnostic> = Vec::new();
        let mut without_bounds: Vec<&Apart> = Vec::new();
        let all: Vec<&Apart> = self.out.apart().iter().collect();
        if all.len() > MAX_SEPARATE
            && let Some(conditions) = self.rows_conditions(&all, model)
        {
            return Ok(conditions);
        }
        let has_rows = |pair: &&Apart| {
            [pair.variables.0, pair.variables.1].iter().any(|v| self.has_row_footing(*v))
        };
        let (with_rows, plain): (Vec<&Apart>, Vec<&Apart>) = all.into_iter().partition(has_rows);
        for pair in plain {
            let (a, b) = pair.variables;
            for variable in [a, b] {
                used.entry(variable).or_insert_with(|| self.used(variable, model));
            }
            let fact = match (&used[&a], &used[&b]) {
                (Some(of_a), Some(of_b)) if self.out.apart().len() <= MAX_PAIRS => {
                    self.apart_fact((a, of_a), (b, of_b), model)
                }
                _ => None,
            };
            let line = pair.refusal.place.as_ref().map_or(0, |place| place.line);
            let reason = "their order does not matter".to_string();
            match fact {
                Some(Some(fact)) => conditions.push(RunTimeCondition { fact, line, reason }),
                Some(None) => {}
                None => without_bounds.push(pair),
            }
        }
        if !without_bounds.is_empty() {
            match self.inspected_condition(&without_bounds, model) {
                Some(condition) => conditions.push(condition),
                None => failed.extend(without_bounds.iter().map(|pair| &pair.refusal)),
            }
        }
        if !with_rows.is_empty() {
            match self.rows_conditions(&with_rows, model) {
                Some(rows) => conditions.extend(rows),
                None => failed.extend(with_rows.iter().map(|pair| &pair.refusal)),
            }
        }
        match failed.split_first() {
            None => Ok(conditions),
            Some((first, others)) => {
                let mut refusal = (*first).clone();
                let reason = refusal.reason.take().unwrap_or_default();
                refusal.reason = Some(reason + &more_pairs(others.len()));
                Err(vec![Refusal(Box::new(refusal))])
            }
        }
    }

    /// That two variables are apart; `Some(None)` if they never have to be, none if it cannot be checked.
    fn apart_fact(
        &self,
        (a, of_a): (u32, &Used),
        (b, of_b): (u32, &Used),
        model: &Model<'_>,
    ) -> Option<Option<Fact>> {
        let mut pairs: Vec<(ByteRange, ByteRange)> = Vec::new();
        let mut add = |first: &[ByteRange], second: &[ByteRange]| {
            for one in first {
                pairs.extend(second.iter().map(|other| (one.clone(), other.clone())));
            }
        };
        add(&of_a.written, &of_b.written);
        add(&of_a.written, &of_b.read);
        add(&of_a.read, &of_b.written);
        if pairs.is_empty() {
            return Some(None);
        }
        for root in [of_a.behind, of_b.behind].into_iter().flatten() {
            let readable = self.read_where(root, model)?;
            let is_read = |(one, other): &(ByteRange, ByteRange)| {
                let both = one.reached.intersect(&other.reached).ok()?;
                let both = both.intersect(&model.scop.context).ok()?;
                both.is_subset(&readable, &Budget::steps(STEPS)).ok()
            };
            if !pairs.iter().all(|pair| is_read(pair) == Some(true)) {
                return None;
            }
        }
        let names = [self.written_name(a), self.written_name(b)];
        let values = self.symbolic_values(model.parameters);
        let may_coincide = pairs.iter().all(|(one, other)| one.has_shape_of(other))
            && self.meet_in_instances(a, b, model) == Some(true);
        Fact::apart(names, (&pairs, may_coincide), &model.scop.context, &values).map(Some)
    }

    /// The bytes of a variable that the region accesses; none if they have no bounds.
    pub(super) fn used(&self, variable: u32, model: &Model<'_>) -> Option<Used> {
        let footing = self.footing(variable)?;
        let (mut written, mut read) = (Vec::new(), Vec::new());
        if let Some(array) = model.array_ids.get(&self.accessed(variable)) {
            let is_write = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
            let elements = |wanted: bool| {
                let accesses = model.scop.statements.iter().flat_map(|s| &s.accesses);
                let own = accesses.filter(move |access| {
                    access.array == *array
                        && access.kind != AccessKind::Kill
                        && is_write(access.kind) == wanted
                });
                own.map(|access| access.relation.range())
            };
            written = self.boxes(variable, &footing, elements(true).collect(), model)?;
            read = self.boxes(variable, &footing, elements(false).collect(), model)?;
        }
        let is_iterator = self.out.iterator_variables.contains(&variable);
        if is_iterator || self.out.affine_uses().contains(variable) {
            let whole = ByteRange {
                base: footing.base.clone(),
                reached: Set::universe(model.space.clone()),
                levels: Vec::new(),
                element: footing.element.clone(),
            };
            if !footing.dimensions.is_empty() {
                return None;
            }
            if is_iterator { &mut written } else { &mut read }.push(whole);
        }
        for constant in self.used_constants().filter(|c| c.variable == variable) {
            read.push(self.constant_range(&footing, &constant.subscripts, model)?);
        }
        Some(Used { written, read, behind: footing.behind })
    }

    /// The bytes of an integer in memory that stands for a symbolic constant.
    fn constant_range(
        &self,
        footing: &Footing,
        subscripts: &[Pieces],
        model: &Model<'_>,
    ) -> Option<ByteRange> {
        let own = subscripts.get(footing.dimensions.clone())?;
        let level = |(subscript, bytes): (&Pieces, &Bytes)| {
            let numerator = constants_row(subscript.as_linear()?, model.parameters)?;
            let bound = vec![Bound { numerator, denominator: 1 }];
            let span = Span { least: bound.clone(), greatest: bound };
            let layout = Layout::Nested;
            let (strides, lattice) = (Vec::new(), (1, 0));
            Some(Level { spans: vec![span], strides, layout, bytes: bytes.clone(), lattice })
        };
        let levels = own.iter().zip(&footing.bytes).map(level).collect::<Option<Vec<Level>>>()?;
        Some(ByteRange {
            base: footing.base.clone(),
            reached: Set::universe(model.space.clone()),
            levels,
            element: footing.element.clone(),
        })
    }

    /// Boxes around sets of elements of a variable.
    fn boxes(
        &self,
        variable: u32,
        footing: &Footing,
        sets: Vec<Set>,
        model: &Model<'_>,
    ) -> Option<Vec<ByteRange>> {
        let budget = Budget::steps(STEPS);
        let mut sets = sets.into_iter();
        let Some(first) = sets.next() else { return Some(Vec::new()) };
        let all = sets.try_fold(first, |all, set| all.union(&set)).ok()?;
        let all = all.intersect_params(&model.scop.context).ok()?;
        let all = all.coalesce(&budget).unwrap_or(all);
        let mut boxes: Vec<ByteRange> = Vec::new();
        for piece in all.basic_sets() {
            let set = Set::from_basic_set(piece);
            if set.is_empty(&budget).unwrap_or(false) {
                continue;
            }
            let found = self.box_around(variable, footing, &set, model, &budget)?;
            if !boxes.iter_mut().any(|known| known.grow(&found)) {
                boxes.push(found);
            }
        }
        (boxes.len() <= MAX_BOXES).then_some(boxes)
    }

    pub(super) fn box_around(
        &self,
        variable: u32,
        footing: &Footing,
        set: &Set,
        model: &Model<'_>,
        budget: &Budget,
    ) -> Option<ByteRange> {
        let view = self.out.views().get(&self.accessed(variable));
        let n_strides = |dimension: usize| match view {
            Some(view) if view.dimension == dimension => view.strides.len(),
            _ => 0,
        };
        // The dimension of the model that one of C begins with.
        let first_of = |dimension: usize| {
            let before = view.filter(|view| view.dimension < dimension);
            dimension + before.map_or(0, |view| view.strides.len())
        };
        let level = |(dimension, bytes): (usize, &Bytes)| {
            let first = first_of(dimension);
            let dimensions = first..=first + n_strides(dimension);
            let spans =
                dimensions.map(|at| span(set, at, budget)).collect::<Option<Vec<Span>>>()?;
            let strides = view.filter(|_| n_strides(dimension) > 0);
            let strides = strides.map_or(&[][..], |view| &view.strides);
            let strides = strides.iter().map(|(form, _)| constants_row(form, model.parameters));
            let strides = strides.collect::<Option<Vec<Row>>>()?;
            let layout = view.map_or(Layout::Nested, |view| view.layout);
            let lattice = match &strides[..] {
                [] => lattice(set, first, budget),
                _ => (1, 0),
            };
            Some(Level { spans, strides, layout, bytes: bytes.clone(), lattice })
        };
        let levels = footing.dimensions.clone().zip(&footing.bytes).map(level);
        let levels = levels.collect::<Option<Vec<Level>>>()?;
        // More than the cases in which something is accessed, without what only divisions tell apart.
        let reached = set.params().remove_locals();
        let reached = reached.remove_redundancies(budget).unwrap_or(reached);
        Some(ByteRange {
            base: footing.base.clone(),
            reached,
            levels,
            element: footing.element.clone(),
        })
    }

    /// The symbolic constants for which the region reads the structure behind a pointer for sure.
    pub(super) fn read_where(&self, root: u32, model: &Model<'_>) -> Option<Set> {
        let mut all = Set::empty(model.space.clone());
        let region = self.facts.root.start_byte()..self.facts.root.end_byte();
        for (raw, statement) in self.out.statements.iter().zip(&model.scop.statements) {
            let is_sure = raw.accesses.iter().any(|a| a.kind == AccessKind::MustWrite);
            let reads = raw.accesses.iter().any(|access| {
                self.root(access.variable) == root
                    && region.contains(&access.at)
                    && access.at < self.facts.first_obstacle
                    && self.is_evaluated_with_its_statement(access.at)
            });
            if is_sure && reads && !raw.is_kill && raw.accesses.iter().all(|a| a.inner.is_none()) {
                all = all.union(&statement.domain.params()).ok()?;
            }
        }
        Some(all)
    }

    /// Whether a reference is evaluated whenever its expression statement is.
    pub(super) fn is_evaluated_with_its_statement(&self, at: usize) -> bool {
        let mut node = self.facts.root.root().descendant_for_byte_range(&(at..at + 1));
        while let Some(parent) = node.parent() {
            if node.kind() == Kind::ExpressionStatement {
                return true;
            }
            let is_control = matches!(parent.kind(), Kind::ForStatement | Kind::IfStatement);
            if is_control || self.evaluated_in(node, parent).is_none() {
                return false;
            }
            node = parent;
        }
        false
    }

    /// Where the memory of a variable begins; none if a check in front of the region cannot say it.
    pub(super) fn footing(&self, variable: u32) -> Option<Footing> {
        let root = self.root(variable);
        if !self.is_steady(root) {
            return None;
        }
        let (own, of_root) = (self.variable(variable), self.variable(root));
        match &own.member {
            None => {
                let dimensions = &own.declared.dimensions;
                let footing = Footing {
                    base: own.name.clone(),
                    dimensions: 0..dimensions.len(),
                    bytes: Vec::new(),
                    element: Bytes::Known(0),
                    behind: None,
                };
                self.completed(footing, dimensions, self.element_bytes(variable))
            }
            // The structures that it is a part of, as a whole.
            Some(member) if !member.crosses_pointer => {
                let dimensions = &of_root.declared.dimensions;
                let footing = Footing {
                    base: of_root.name.clone(),
                    dimensions: 0..dimensions.len(),
                    bytes: Vec::new(),
                    element: Bytes::Known(0),
                    behind: None,
                };
                self.completed(footing, dimensions, None)
            }
            Some(_) => self.behind_member(variable, root),
        }
    }

    /// The same for what a pointer leads to that is a member.
    fn behind_member(&self, variable: u32, root: u32) -> Option<Footing> {
        let own = self.variable(variable);
        let dimensions = &own.declared.dimensions;
        let pointer = dimensions.iter().rposition(is_pointer)?;
        let names = &own.member.as_ref()?.names;
        let inner = names.iter().map(|(at, _)| *at).filter(|at| *at > pointer).min();
        // Further pointers on the way would have to be read as well.
        let n_roots = self.variable(root).declared.dimensions.len();
        if pointer != n_roots || n_roots > 1 {
            return None;
        }
        let (base, behind) = self.member_base(variable, root)?;
        let footing = Footing {
            base,
            dimensions: pointer..inner.unwrap_or(dimensions.len()),
            bytes: Vec::new(),
            element: Bytes::Known(0),
            behind,
        };
        let element = self.element_bytes(variable).filter(|_| inner.is_none());
        self.completed(footing, dimensions, element)
    }

    /// The pointer that is a member, as an expression, and the structure that has to be read for it.
    pub(super) fn member_base(&self, variable: u32, root: u32) -> Option<(String, Option<u32>)> {
        let dimensions = &self.variable(root).declared.dimensions;
        let n_roots = dimensions.len();
        let steps = match n_roots {
            0 => Vec::new(),
            1 => vec![self.only_subscript(variable)?],
            _ => return None,
        };
        let text = self.element_text(variable, &self.variable(root).name);
        let (before, after) = text.parts();
        let mut base = before.to_string();
        for (step, behind) in steps.iter().zip(after) {
            base.push_str(&format!("{step}{behind}"));
        }
        let base = base.strip_suffix('[').unwrap_or(&base).to_string();
        let is_pointer_to = dimensions.first().is_some_and(is_pointer);
        let is_argument = self.variable(root).origin == Origin::Argument;
        let behind = (is_pointer_to || is_argument && n_roots > 0).then_some(root);
        Some((base, behind))
    }

    /// The constant that is the first subscript of all references to a variable.
    fn only_subscript(&self, variable: u32) -> Option<i64> {
        let all = self.out.statements.iter().flat_map(|s| &s.accesses);
        let mut firsts = all
            .filter(|a| a.variable == variable && a.kind != AccessKind::Kill)
            .map(|a| a.subscripts.first().and_then(Pieces::as_constant));
        let first = firsts.next()??;
        firsts.all(|other| other == Some(first)).then_some(first)
    }

    pub(super) fn element_bytes(&self, variable: u32) -> Option<i64> {
        let scalar = &self.variable(variable).declared.scalar;
        let bytes = scalar.bytes.filter(|_| scalar.record.is_none());
        bytes.and_then(|bytes| i64::try_from(bytes).ok())
    }

    /// A footing with what steps take: none if there are pointers on the way.
    pub(super) fn completed(
        &self,
        mut footing: Footing,
        dimensions: &[Dimension<'t>],
        element: Option<i64>,
    ) -> Option<Footing> {
        let range = footing.dimensions.clone();
        if dimensions.get(range.clone())?.iter().skip(1).any(is_pointer) {
            return None;
        }
        let text = |n: usize| Bytes::Text(format!("sizeof({}{})", footing.base, "[0]".repeat(n)));
        let mut known = element;
        let mut bytes = Vec::with_capacity(range.len());
        footing.element = known.map_or_else(|| text(range.len()), Bytes::Known);
        for at in range.clone().rev() {
            bytes.push(known.map_or_else(|| text(at - range.start + 1), Bytes::Known));
            known = match (&dimensions[at], known) {
                (Dimension::Extent(extent), Some(inner)) => self
                    .scopes
                    .constant(self.facts.source, *extent, 0)
                    .and_then(|extent| extent.checked_mul(inner)),
                _ => None,
            };
        }
        bytes.reverse();
        footing.bytes = bytes;
        if range.is_empty() {
            footing.base = format!("&{}", footing.base);
        }
        Some(footing)
    }

    /// Whether the name of a variable means the same object in front of the region, and stays what it is
    /// there.
    pub(super) fn is_steady(&self, root: u32) -> bool {
        let variable = self.variable(root);
        let is_pointer = match variable.declared.dimensions.first() {
            None => false,
            Some(dimension) => is_pointer(dimension) || variable.origin == Origin::Argument,
        };
        let is_moved = self.is_changed_name(&variable.name) && !self.is_moving_pointer(root);
        // Functions that write what they can reach may set it.
        let is_global = matches!(variable.origin, Origin::File { .. });
        let is_moved =
            is_moved || is_global && self.out.statements.iter().any(|s| s.reaches.writes);
        !variable.in_region()
            && variable.declared.oddity.is_none()
            && !self.values.own_names.contains_key(&root)
            && !self.values.pointers.contains_key(&root)
            && !self.out.addresses().contains_key(&root)
            && !self.facts.lessons.data_dependent.contains_key(&variable.name)
            && Some(root) != self.out.order_of_calls()
            && self.is_meant_in_front(root)
            && !(is_pointer && is_moved)
    }

    /// Whether a variable is the one that its name means in front of the region.
    fn is_meant_in_front(&self, variable: u32) -> bool {
        use crate::facts::scope::Entity;
        let name = &self.variable(variable).name;
        matches!(self.scopes.lookup(name), Some(Entity::Variable(found)) if found == variable)
    }
}

/// How many more pairs there are, in parentheses.
pub(crate) fn more_pairs(n: usize) -> String {
    match n {
        0 => String::new(),
        1 => " (one more such pair)".to_string(),
        n => format!(" ({n} more such pairs)"),
    }
}

pub(super) fn is_pointer(dimension: &Dimension<'_>) -> bool {
    matches!(dimension, Dimension::Pointer)
}

/// A form of symbolic constants as a row `[1 | constants]`; none if it has other parts.
pub(crate) fn constants_row(linear: &Linear, parameters: &[u32]) -> Option<Row> {
    let mut row = vec![0; 1 + parameters.len()];
    row[0] = linear.constant;
    for (symbol, coefficient) in &linear.terms {
        let Symbol::Parameter(parameter) = symbol else { return None };
        row[1 + parameters.iter().position(|p| p == parameter)?] = *coefficient;
    }
    Some(Row::from_i64s(&row))
}

/// The values of a dimension of a set in terms of its parameters; none if there is no bound on one side.
pub(crate) fn span(set: &Set, dimension: usize, budget: &Budget) -> Option<Span> {
    let n = set.n_dims();
    let only = set.project_out(DimKind::Out, dimension + 1, n - dimension - 1);
    // Bounds may be those of what an element is a multiple of.
    let only = only.project_out(DimKind::Out, 0, dimension).remove_locals();
    let only = only.remove_redundancies(budget).unwrap_or(only);
    let basic = match &only.basic_sets()[..] {
        [basic] => basic.clone(),
        _ => BasicSet::from_basic_map(only.as_map().simple_hull(budget).ok()?),
    };
    let column = basic.offset(DimKind::Out);
    let (mut least, mut greatest): (Vec<Bound>, Vec<Bound>) = Default::default();
    for constraint in basic.constraints() {
        let row = constraint.row.as_i64s()?;
        let (constants, coefficient) = (&row[..column], row[column]);
        if row[column + 1..].iter().any(|local| *local != 0) || coefficient == 0 {
            continue;
        }
        let signs: &[i64] = if constraint.is_equality { &[1, -1] } else { &[1] };
        for sign in signs {
            let coefficient = coefficient.checked_mul(*sign)?;
            // sign * constants + coefficient * t >= 0.
            let denominator = coefficient.checked_abs()?;
            let factor = if coefficient > 0 { -*sign } else { *sign };
            let numerator = constants.iter().map(|c| c.checked_mul(factor));
            let numerator = Row::from_i64s(&numerator.collect::<Option<Vec<i64>>>()?);
            let side = if coefficient > 0 { &mut least } else { &mut greatest };
            side.push(Bound { numerator, denominator });
        }
    }
    for side in [&mut least, &mut greatest] {
        let n_terms = |row: &Row| (1..row.len()).filter(|column| !row.is_zero_at(*column)).count();
        side.sort_by_key(|bound| (bound.denominator > 1, n_terms(&bound.numerator)));
        side.truncate(MAX_BOUNDS);
    }
    (!least.is_empty() && !greatest.is_empty()).then_some(Span { least, greatest })
}

/// The number that all values of a dimension are multiples of after another one is subtracted; 1 where that
/// depends on symbolic constants.
fn lattice(set: &Set, dimension: usize, budget: &Budget) -> (i64, i64) {
    let found = || {
        let info = set.stride_info(dimension, budget).ok()?;
        let offset = Some(info.offset).filter(|offset| offset.is_constant())?;
        let offset = offset.constant_term().to_int()?.to_i64()?;
        let stride = info.stride.to_i64().filter(|stride| (1..1 << 20).contains(stride))?;
        Some((stride, offset.rem_euclid(stride)))
    };
    found().unwrap_or((1, 0))
}

/// What both of two lattices are part of.
fn common_lattice(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let step = gcd(gcd(a.0, b.0), (a.1 - b.1).abs());
    (step, a.1.rem_euclid(step))
}

impl ByteRange {
    /// Whether equal subscripts are the same distance from the base in another range, and different ones are
    /// different elements.
    fn has_shape_of(&self, other: &ByteRange) -> bool {
        let is_known = |bytes: &Bytes| matches!(bytes, Bytes::Known(_));
        self.element == other.element
            && is_known(&self.element)
            && self.levels.len() == other.levels.len()
            && self.levels.iter().zip(&other.levels).all(|(own, other)| {
                own.bytes == other.bytes
                    && is_known(&own.bytes)
                    && own.strides == other.strides
                    && [own.layout, other.layout] == [Layout::Nested; 2]
            })
    }

    /// Grows to have another range in it as well, if both are reached in the same cases and their bounds
    /// differ by numbers; whether it does.
    fn grow(&mut self, other: &ByteRange) -> bool {
        let budget = Budget::steps(STEPS);
        let is_same =
            |a: &Set, b: &Set| Some(a.is_subset(b, &budget).ok()? && b.is_subset(a, &budget).ok()?);
        if is_same(&self.reached, &other.reached) != Some(true) {
            return false;
        }
        let mut grown = self.levels.clone();
        for (own, others) in grown.iter_mut().zip(&other.levels) {
            own.lattice = common_lattice(own.lattice, others.lattice);
            for (span, other) in own.spans.iter_mut().zip(&others.spans) {
                let joined = (
                    joined(&span.least, &other.least, i64::min),
                    joined(&span.greatest, &other.greatest, i64::max),
                );
                let (Some(least), Some(greatest)) = joined else { return false };
                *span = Span { least, greatest };
            }
        }
        self.levels = grown;
        true
    }
}

/// The bounds of both of two ranges, if they differ by numbers.
fn joined(a: &[Bound], b: &[Bound], choose: fn(i64, i64) -> i64) -> Option<Vec<Bound>> {
    if a.len() != b.len() {
        return None;
    }
    let one = |(a, b): (&Bound, &Bound)| {
        let (own, other) = (a.numerator.as_i64s()?, b.numerator.as_i64s()?);
        if a.denominator != b.denominator || own[1..] != other[1..] {
            return None;
        }
        let mut row = own.to_vec();
        row[0] = choose(own[0], other[0]);
        Some(Bound { numerator: Row::from_i64s(&row), denominator: a.denominator })
    };
    a.iter().zip(b).map(one).collect()
}
