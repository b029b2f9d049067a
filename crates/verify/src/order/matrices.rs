//! Products of matrices that the threads of a warp compute together are updates that the statements below
//! their mark make.
//!
//! For each value of the loops outside, let thread (c, r) of a warp, c along x and r along y, have the
//! instances (k, h, e) below the mark, for c below 4, r below 8, k below the products of the mark, h below
//! the rows of a thread, which is 0 and no member of the band where it has one, and e below 2. The
//! instruction adds to element `2 c + e` of row `r + 8 h` the sum over k of element k of that row of the
//! first operand times element k of column `2 c + e` of the second one, rounded in any order and as it likes.
//! That is what the instances do, up to the order of updates, if
//!
//! 1. *whole*: there are instances for all threads, k, h and e, or for none, one each;
//! 2. *update*: the statement adds products to an element of the instruction's type, each of two elements of
//!    other arrays of that type and of numbers or scalars;
//! 3. *result*: the element that is updated depends on r, c, h and e, and is another one for other h and e;
//! 4. *operands*: of the two elements one depends on r, h and k, and the other one on c, e and k.
//!
//! Threads depend on each other in the instruction alone: nobody writes operands there, and each thread
//! updates its own elements, as the proofs of parallel loops and barriers have it. Instructions for `float`
//! round their factors to tf32, which the program does not do: [`MatrixRules`] says whether they may. Their
//! numbers and scalars are `float`, too, so that nothing else is rounded in another way than in the program.
use crate::products::{SignedProduct, added_products};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, Map, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_schedule::{Axis, LoopKind, LoopMark, MatrixMark, Node, Reaching, ScheduleTree};
use loopwright_scop::{ArrayId, Element, FloatingType, ScalarType, Scop, Statement, TermKind};

/// The threads of a warp along x, and the columns of a thread.
const THREADS: i64 = 4;
const COLUMNS: i64 = 2;

/// The threads of a warp along y.
const ROWS: i64 = 8;

/// A place below a mark, besides the loops outside: the thread along y and x, the position along the sum, and
/// the row and the column of the thread.
const N_INNER: usize = 5;

/// What instructions of matrices may do that the program does not do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixRules {
    /// Whether updates may be made in any order, and rounded accordingly.
    pub in_any_order: bool,
    /// Whether factors in `float` may be rounded to tf32, numbers with 10 bits behind the first one.
    pub rounded_factors: bool,
}

/// The types of elements for which there is an instruction with a mark.
fn types(mark: MatrixMark) -> &'static [FloatingType] {
    match mark {
        MatrixMark::SMALL => &[FloatingType::Double],
        MatrixMark::LARGE => &[FloatingType::Double, FloatingType::Float],
        _ => &[],
    }
}

/// Checks the marks of products of matrices in a tree, for parameters in the scop's context.
///
/// *Exactness.* Exact about which elements the instances access; statements of other forms are refuted. *Cost.*
/// Some operations on relations for each mark.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_verify::{MatrixRules, check_matrix_products};
/// let text = "void f(double a[9]) {\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i] = 0;\n#pragma endscop\n}\n";
/// let source = loopwright_cfront::SourceFile::from_text("f.c", text);
/// let scop = source.extract_each().unwrap().remove(0).unwrap().scop;
/// let tree = ScheduleTree::parse("{ domain: '{ S0[i] : 0 <= i < 9 }', child: { mark: 'matrix(8, 8, 4)' } }")?;
/// let rules = MatrixRules { in_any_order: true, rounded_factors: false };
/// let found = check_matrix_products(&scop, &tree, rules, &Budget::steps(1000))?;
/// assert!(!found.is_proved());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn check_matrix_products(
    scop: &Scop,
    tree: &ScheduleTree,
    rules: MatrixRules,
    budget: &Budget,
) -> Result<Proof> {
    let check = Check { scop, rules, budget };
    let mut violations = Vec::new();
    let result = check.below(&tree.root, &Reaching::root(tree), [None; 2], &mut violations);
    Proof::from_violations(result.map(|()| violations))
}

struct Check<'a> {
    scop: &'a Scop,
    rules: MatrixRules,
    budget: &'a Budget,
}

/// What a product of matrices runs.
struct Product<'a> {
    statement: &'a Statement,
    domain: Set,
    mark: MatrixMark,
    /// From instances to the loops outside, and at last the thread along y and x, the position along the sum,
    /// and the row and the column of the thread.
    places: MultiAff,
}

impl Check<'_> {
    /// The marks of a subtree; `lanes` are the positions of the loops over threads along y and x around.
    fn below(
        &self,
        node: &Node,
        reaching: &Reaching,
        lanes: [Option<usize>; 2],
        violations: &mut Vec<Violation>,
    ) -> Result<()> {
        let mut lanes = lanes;
        if let Node::Mark(name, child) = node {
            match LoopMark::parse(name).map(|mark| mark.kind) {
                Some(LoopKind::Thread(Axis::Y)) => lanes[0] = Some(reaching.depth()),
                Some(LoopKind::Thread(Axis::X)) => lanes[1] = Some(reaching.depth()),
                _ => {}
            }
            if MatrixMark::parse(name).is_some() {
                violations.extend(self.wrong(name, child, reaching, lanes)?);
                return Ok(());
            }
        }
        for (child, below) in node.children().iter().zip(reaching.below(node)?) {
            self.below(child, &below, lanes, violations)?;
        }
        Ok(())
    }

    /// What is wrong with a mark.
    fn wrong(
        &self,
        name: &str,
        child: &Node,
        reaching: &Reaching,
        lanes: [Option<usize>; 2],
    ) -> Result<Vec<Violation>> {
        let wrong = |message: &str| Ok(vec![violation(format!("the mark `{name}` {message}"))]);
        let known = MatrixMark::parse(name).map(|mark| (mark, types(mark)));
        let Some((mark, &[first, ..])) = known else {
            return wrong("is none of an instruction that is known");
        };
        if !self.rules.in_any_order {
            return wrong("needs updates in any order (--reassociate)");
        }
        let [Some(y), Some(x)] = lanes else {
            return wrong("stands in no loops over threads along x and y");
        };
        let Some(product) = self.product(mark, child, reaching, [y, x])? else {
            let members = 2 + usize::from(mark.rows_of_thread() > 1);
            return wrong(&format!(
                "does not stand above a band of {members} members alone, with one statement"
            ));
        };
        let Some((target, products)) = added_products(product.statement) else {
            return wrong("stands above a statement that adds no products");
        };
        let of = self.scop.array(target.array).floating_type();
        let of = types(mark).iter().find(|known| Some(**known) == of).copied().unwrap_or(first);
        if of == FloatingType::Float && !self.rules.rounded_factors {
            return wrong("needs factors that may be rounded to tf32 (--tensor-cores tf32)");
        }
        if !self.has_types(of, target, &products) {
            let of = of.keyword();
            return wrong(&format!(
                "stands above a statement that adds no products of two elements in {of}"
            ));
        }
        let mut violations = self.not_whole(name, &product)?;
        let is_result = self.is_result(&product, target)?;
        if !is_result {
            violations.extend(wrong("has results that are no rows and columns of threads")?);
        }
        for own in &products {
            let is_product = match own.subscripted()[..] {
                [a, b] => {
                    self.are_operands(&product, (a, b))? || self.are_operands(&product, (b, a))?
                }
                _ => false,
            };
            if !is_product {
                violations.extend(wrong("has operands that are no rows and columns")?);
            }
        }
        Ok(violations)
    }

    fn product(
        &self,
        mark: MatrixMark,
        child: &Node,
        reaching: &Reaching,
        lanes: [usize; 2],
    ) -> Result<Option<Product<'_>>> {
        let (Node::Band(band, below), [piece]) = (child, &reaching.pieces[..]) else {
            return Ok(None);
        };
        let space = piece.domain.space();
        let statement = space.output().and_then(Tuple::name);
        let statement = statement.and_then(|name| self.scop.statement_named(name));
        let own = |member: &loopwright_presburger::UnionPwAff| {
            let parts = member.parts();
            let part = parts.iter().find(|part| part.domain_space().has_equal_tuples(space));
            part.and_then(|part| part.as_aff())
        };
        let inner: Option<Vec<Aff>> = band.schedule.members().iter().map(own).collect();
        let (Some(statement), Some(inner), true) = (statement, inner, below.is_leaf()) else {
            return Ok(None);
        };
        let inner = match (&inner[..], mark.rows_of_thread()) {
            ([sum, column], 1) => [sum.clone(), Aff::zero(space), column.clone()],
            ([sum, row, column], 2..) => [sum.clone(), row.clone(), column.clone()],
            _ => return Ok(None),
        };
        let around = piece.schedule.iter().enumerate();
        let outer = around.filter(|(at, _)| !lanes.contains(at)).map(|(_, value)| value.clone());
        let mut values: Vec<Aff> = outer.collect();
        values.extend(lanes.iter().filter_map(|at| piece.schedule.get(*at).cloned()));
        values.extend(inner);
        let domain = piece.domain.intersect_params(&self.scop.context)?;
        let from = values
            .iter()
            .fold(domain.space().clone(), |space, value| space.merge_params(value.domain_space()));
        let to = Space::set(from.param_names(), Tuple::anonymous(values.len()));
        let values = values.iter().map(|value| value.align_params(&from)).collect();
        let places = MultiAff::new(from.map_to(&to), values)?;
        Ok(Some(Product { statement, domain, mark, places }))
    }

    /// Whether results and operands are of a type, and operands are in other arrays than results.
    fn has_types(
        &self,
        of: FloatingType,
        target: &Element,
        products: &[SignedProduct<'_>],
    ) -> bool {
        let type_of = |array: ArrayId| self.scop.array(array).floating_type();
        let is_other = |factor: &loopwright_scop::Term| match (of, factor.as_element()) {
            (FloatingType::Float, _) => {
                factor.value_type(self.scop) == Some(ScalarType::Floating(of))
            }
            (_, Some(element)) => type_of(element.array).is_some(),
            (_, None) => true,
        };
        let is_factor = |factor: &&loopwright_scop::Term| match factor.as_element() {
            Some(element) if element.array == target.array => false,
            Some(element) if element.subscripts.is_empty() => is_other(factor),
            Some(element) => type_of(element.array) == Some(of),
            None => matches!(factor.kind(), TermKind::Literal(_)) && is_other(factor),
        };
        type_of(target.array) == Some(of)
            && products.iter().all(|product| product.factors.iter().all(is_factor))
    }

    /// 1: places that have no instance, or several.
    fn not_whole(&self, name: &str, product: &Product<'_>) -> Result<Vec<Violation>> {
        let budget = self.budget;
        let places = product.places.to_map().intersect_domain(&product.domain)?;
        // Some hundred pieces: to make them one takes longer than the differences of all of them.
        let found = places.range().make_locals_explicit(budget)?.remove_redundancies(budget)?;
        let (of_sum, rows) = (product.mark.products, product.mark.rows_of_thread());
        let extents = [THREADS, i64::from(of_sum), i64::from(rows), COLUMNS];
        let first = found.n(DimKind::Out) - extents.len();
        let warp = self.keys(found.space(), |y, _| vec![y.scale_down(&Int::from(ROWS)).floor()])?;
        let warps = found.apply(&warp.to_map())?.make_locals_explicit(budget)?;
        let mut whole = warps.coalesce(budget)?.preimage_multi_aff(&warp)?;
        for (at, extent) in (first..).zip(extents) {
            whole = whole.intersect(&between(whole.space(), at, extent)?)?;
        }
        let missing = whole.subtract(&found, budget)?;
        let others = found.subtract(&whole, budget)?;
        let message = |what: &str| format!("the mark `{name}` {what}");
        let missing = violation_if_any(
            missing.as_map(),
            || message("is reached by some threads of a warp, or iterations, and not by others"),
            budget,
        )?;
        let others = violation_if_any(
            others.as_map(),
            || message("is reached by more threads or iterations than it has"),
            budget,
        )?;
        let is_one = places.reverse().is_single_valued(budget)?;
        let several = (!is_one).then(|| violation(message("has several instances at one place")));
        Ok(missing.into_iter().chain(others).chain(several).collect())
    }

    /// 3: whether an element is one of each thread, h and e.
    fn is_result(&self, product: &Product<'_>, target: &Element) -> Result<bool> {
        let Some(elements) = self.elements(product, target)? else { return Ok(false) };
        let of_element = |y, [x, _, row, column]: [Aff; 4]| vec![y, x, row, column];
        let is_known = self.is_known(product, &elements, of_element)?;
        let space = product.places.space().range();
        let of_thread = self.keys(&space, |y, [x, ..]| vec![y, x])?;
        let n = space.n(DimKind::Out);
        let own = MultiAff::new(
            space.map_to(&Space::set(space.param_names(), Tuple::anonymous(2))),
            (n - 2..n).map(|at| Aff::variable(&space, DimKind::Out, at)).collect(),
        )?;
        let keyed = of_thread.to_map().flat_range_product(&elements)?;
        let owns = keyed.reverse().apply_range(&own.to_map())?;
        Ok(is_known && owns.is_single_valued(self.budget)?)
    }

    /// 4: whether the first element depends on rows, and the second one on columns.
    fn are_operands(&self, product: &Product<'_>, (a, b): (&Element, &Element)) -> Result<bool> {
        let Some((a, b)) = self.elements(product, a)?.zip(self.elements(product, b)?) else {
            return Ok(false);
        };
        let warp = |y: &Aff| y.scale_down(&Int::from(ROWS)).floor();
        let is_row = self.is_known(product, &a, |y, [_, sum, row, _]| vec![y, sum, row])?;
        let of_column = |y: Aff, [x, sum, _, column]: [Aff; 4]| vec![warp(&y), x, sum, column];
        Ok(is_row && self.is_known(product, &b, of_column)?)
    }

    /// From places to the element there; none if a subscript is not affine.
    fn elements(&self, product: &Product<'_>, element: &Element) -> Result<Option<Map>> {
        let subscripts: Option<Vec<Aff>> = element.subscripts.iter().map(PwAff::as_aff).collect();
        let Some(subscripts) = subscripts else { return Ok(None) };
        let from = subscripts.iter().fold(product.domain.space().clone(), |space, subscript| {
            space.merge_params(subscript.domain_space())
        });
        let to = Space::set(from.param_names(), Tuple::anonymous(subscripts.len()));
        let subscripts = subscripts.iter().map(|own| own.align_params(&from)).collect();
        let elements = MultiAff::new(from.map_to(&to), subscripts)?.to_map();
        let places = product.places.to_map().intersect_domain(&product.domain)?;
        Ok(Some(places.reverse().apply_range(&elements)?))
    }

    /// Whether elements are known from the loops outside and a function of the dimensions behind them.
    fn is_known(
        &self,
        product: &Product<'_>,
        elements: &Map,
        key: impl Fn(Aff, [Aff; 4]) -> Vec<Aff>,
    ) -> Result<bool> {
        let keys = self.keys(&product.places.space().range(), key)?;
        let known = keys.to_map().reverse().apply_range(elements)?;
        known.is_single_valued(self.budget)
    }

    /// The loops outside, and a function of the dimensions behind them.
    fn keys(&self, space: &Space, key: impl Fn(Aff, [Aff; 4]) -> Vec<Aff>) -> Result<MultiAff> {
        let n = space.n(DimKind::Out) - N_INNER;
        let variable = |at: usize| Aff::variable(space, DimKind::Out, at);
        let mut values: Vec<Aff> = (0..n).map(variable).collect();
        values.extend(key(variable(n), [1, 2, 3, 4].map(|at| variable(n + at))));
        let to = Space::set(space.param_names(), Tuple::anonymous(values.len()));
        MultiAff::new(space.map_to(&to), values)
    }
}

/// The points whose coordinate is at least zero and less than an extent.
fn between(space: &Space, at: usize, extent: i64) -> Result<Set> {
    let own = PwAff::from_aff(Aff::variable(space, DimKind::Out, at));
    let constant = |value: i64| PwAff::from_aff(Aff::constant(space, &Int::from(value)));
    own.ge_set(&constant(0))?.intersect(&own.lt_set(&constant(extent))?)
}
