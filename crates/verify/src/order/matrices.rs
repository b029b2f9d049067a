//! Products of matrices that the threads of a warp compute together are updates that the statements below their mark make.
//!
//! For each value of the loops outside, let thread (c, r) of a warp, c along x and r along y, have the instances (k, e) below the mark, for c and k below 4, r below
//! 8 and e below 2. The instruction adds to element `2 c + e` of row r the sum over k of element k of row r of the first operand times element k of column `2 c + e` of the second
//! one, rounded in any order and as it likes. That is what the instances do, up to the order of updates, if
//!
//! 1. *whole*: there are instances for all threads, k and e, or for none, one each;
//! 2. *update*: the statement adds products to an element in `double`, each of two elements of other arrays in `double` and of numbers or scalars;
//! 3. *result*: the element that is updated depends on r, c and e, and is another one for another e;
//! 4. *operands*: of the two elements one depends on r and k, and the other one on c, e and k.
//!
//! Threads depend on each other in the instruction alone: nobody writes operands there, and each thread updates its own elements, as the proofs of
//! parallel loops and barriers have it.
use crate::products::{SignedProduct, added_products};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, Map, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_schedule::{Axis, LoopKind, LoopMark, MatrixMark, Node, Reaching, ScheduleTree};
use loopwright_scop::{ArrayId, Element, FloatingType, Scop, Statement, TermKind};

/// The threads of a warp along x, the products that are added up for an element, and the elements of a thread.
const EXTENTS: [i64; 3] = [4, 4, 2];

/// The threads of a warp along y.
const ROWS: i64 = 8;

/// A place below a mark, besides the loops outside: the thread along y and x, the position along the sum, and the element of the thread.
const N_INNER: usize = 4;

/// Checks the marks of products of matrices in a tree, for parameters in the scop's context. `in_any_order` says whether updates may be made in
/// any order, and rounded accordingly.
///
/// *Exactness.* Exact about which elements the instances access; statements of other forms are refuted. *Cost.* Some operations on relations for
/// each mark.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_verify::check_matrix_products;
/// let text = "void f(double a[9]) {\n#pragma scop\nfor (int i = 0; i < 9; i++) a[i] = 0;\n#pragma endscop\n}\n";
/// let source = loopwright_cfront::SourceFile::from_text("f.c", text);
/// let scop = source.extract_each().unwrap().remove(0).unwrap().scop;
/// let tree = ScheduleTree::parse("{ domain: '{ S0[i] : 0 <= i < 9 }', child: { mark: 'matrix(8, 8, 4)' } }")?;
/// let found = check_matrix_products(&scop, &tree, true, &Budget::steps(1000))?;
/// assert!(!found.is_proved());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn check_matrix_products(
    scop: &Scop,
    tree: &ScheduleTree,
    in_any_order: bool,
    budget: &Budget,
) -> Result<Proof> {
    let check = Check { scop, in_any_order, budget };
    let mut violations = Vec::new();
    let result = check.below(&tree.root, &Reaching::root(tree), [None; 2], &mut violations);
    Proof::from_violations(result.map(|()| violations))
}

struct Check<'a> {
    scop: &'a Scop,
    in_any_order: bool,
    budget: &'a Budget,
}

/// What a product of matrices runs.
struct Product<'a> {
    statement: &'a Statement,
    domain: Set,
    /// From instances to the loops outside, and at last the thread along y and x, the position along the sum, and the element of the thread.
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
        if MatrixMark::parse(name) != Some(MatrixMark::DOUBLE) {
            return wrong("is none of an instruction that is known");
        }
        if !self.in_any_order {
            return wrong("needs updates in any order (--reassociate)");
        }
        let [Some(y), Some(x)] = lanes else {
            return wrong("stands in no loops over threads along x and y");
        };
        let Some(product) = self.product(child, reaching, [y, x])? else {
            return wrong("does not stand above a band of two members alone, with one statement");
        };
        let Some((target, products)) = added_products(product.statement) else {
            return wrong("stands above a statement that adds no products");
        };
        if !self.has_types(target, &products) {
            return wrong(
                "stands above a statement that adds no products of two elements in double",
            );
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
        if inner.len() != 2 {
            return Ok(None);
        }
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
        Ok(Some(Product { statement, domain, places }))
    }

    /// Whether results and operands are in `double`, and operands are in other arrays than results.
    fn has_types(&self, target: &Element, products: &[SignedProduct<'_>]) -> bool {
        let type_of = |array: ArrayId| self.scop.array(array).floating_type();
        let is_factor = |factor: &&loopwright_scop::Term| match factor.as_element() {
            Some(element) if element.array == target.array => false,
            Some(element) if element.subscripts.is_empty() => type_of(element.array).is_some(),
            Some(element) => type_of(element.array) == Some(FloatingType::Double),
            None => matches!(factor.kind(), TermKind::Literal(_)),
        };
        type_of(target.array) == Some(FloatingType::Double)
            && products.iter().all(|product| product.factors.iter().all(is_factor))
    }

    /// 1: places that have no instance, or several.
    fn not_whole(&self, name: &str, product: &Product<'_>) -> Result<Vec<Violation>> {
        let budget = self.budget;
        let places = product.places.to_map().intersect_domain(&product.domain)?;
        let found = places.range().make_locals_explicit(budget)?.coalesce(budget)?;
        let found = found.remove_redundancies(budget)?;
        let first = found.n(DimKind::Out) - EXTENTS.len();
        let warp = self.keys(found.space(), |y, _| vec![y.scale_down(&Int::from(ROWS)).floor()])?;
        let warps = found.apply(&warp.to_map())?.make_locals_explicit(budget)?;
        let mut whole = warps.coalesce(budget)?.preimage_multi_aff(&warp)?;
        for (at, extent) in (first..).zip(EXTENTS) {
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

    /// 3: whether an element is one of each thread and e.
    fn is_result(&self, product: &Product<'_>, target: &Element) -> Result<bool> {
        let Some(elements) = self.elements(product, target)? else { return Ok(false) };
        let of_element = |y, [x, _, own]: [Aff; 3]| vec![y, x, own];
        let is_known = self.is_known(product, &elements, of_element)?;
        let space = product.places.space().range();
        let of_thread = self.keys(&space, |y, [x, _, _]| vec![y, x])?;
        let own = MultiAff::new(
            space.map_to(&Space::set(space.param_names(), Tuple::anonymous(1))),
            vec![Aff::variable(&space, DimKind::Out, space.n(DimKind::Out) - 1)],
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
        let is_row = self.is_known(product, &a, |y, [_, sum, _]| vec![y, sum])?;
        Ok(is_row && self.is_known(product, &b, |y, [x, sum, own]| vec![warp(&y), x, sum, own])?)
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
        key: impl Fn(Aff, [Aff; 3]) -> Vec<Aff>,
    ) -> Result<bool> {
        let keys = self.keys(&product.places.space().range(), key)?;
        let known = keys.to_map().reverse().apply_range(elements)?;
        known.is_single_valued(self.budget)
    }

    /// The loops outside, and a function of the dimensions behind them.
    fn keys(&self, space: &Space, key: impl Fn(Aff, [Aff; 3]) -> Vec<Aff>) -> Result<MultiAff> {
        let n = space.n(DimKind::Out) - N_INNER;
        let variable = |at: usize| Aff::variable(space, DimKind::Out, at);
        let mut values: Vec<Aff> = (0..n).map(variable).collect();
        values.extend(key(variable(n), [1, 2, 3].map(|at| variable(n + at))));
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
