//! Products of matrices by warps: calls beside the loops below their mark.
//!
//! ```text
//! lw_matrix_8x8x4(C_result[c7][c8][0], C_result[c7][c8][1], A_tile[4 * c6 + c5][16 * c7 + c4], B_tile[4 * c6 + c5][8 * c8 + c4 % 8]);
//! ```
//!
//! The call adds to element e of thread (c, r) of a warp the sum over k of what thread (k, r) passes as the first operand times what thread (k, 2 c + e)
//! passes as the second one. So with these numbers in place of the thread's own, an operand that is passed has to be the element that the statement has for
//! thread, k and e. That all threads of a warp come there together is proved about the tree; here it matters that a warp is four
//! threads along x and eight along y.
use super::state::Owner;
use crate::printed::body::{Call, Touched};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::values::Around;
use crate::printed::walk::only;
use crate::products::{SignedProduct, added_products};
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::Name;
use loopwright_schedule::{Axis, LoopKind, MatrixMark};
use loopwright_scop::{Element, Term};

/// The function of the text.
const MATRIX: &str = "lw_matrix_8x8x4";

/// The iterators of a product: threads along x and y, the position along the sum, the element of the thread.
struct Iterators {
    x: Name,
    y: Name,
    sum: Name,
    own: Name,
}

impl Iterators {
    fn id(name: &Name) -> AstExpr {
        AstExpr::Id(name.clone())
    }

    /// The thread that passes the element of the first operand, along x and y.
    fn of_row(&self) -> [AstExpr; 2] {
        [Iterators::id(&self.sum), Iterators::id(&self.y)]
    }

    /// The thread that passes the element of the second operand.
    fn of_column(&self) -> [AstExpr; 2] {
        let warp = AstExpr::DivFloor(boxed(Iterators::id(&self.y)), boxed(AstExpr::int(8)));
        let column = sum(times(2, Iterators::id(&self.x)), Iterators::id(&self.own));
        [Iterators::id(&self.sum), sum(times(8, warp), column)]
    }
}

fn boxed(value: AstExpr) -> Box<AstExpr> {
    Box::new(value)
}

fn sum(a: AstExpr, b: AstExpr) -> AstExpr {
    AstExpr::Add(boxed(a), boxed(b))
}

fn times(factor: i64, value: AstExpr) -> AstExpr {
    AstExpr::Mul(boxed(AstExpr::int(factor)), boxed(value))
}

impl<'a> TextWalk<'_, 'a> {
    /// The calls for the loops below the mark of a product of matrices.
    pub(in crate::printed) fn matrix(&mut self, mark: &str, child: &'a AstNode) -> Walked<()> {
        if MatrixMark::parse(mark) != Some(MatrixMark::DOUBLE) {
            return Err(Stop::Unread(format!("the mark `{mark}`")));
        }
        let (AstNode::For(sum), [x, y]) = (only(child), self.lanes()?) else {
            return Err(Stop::Unread("a product of matrices without its loops".to_string()));
        };
        let AstNode::For(own) = only(&sum.body) else {
            return Err(Stop::Unread("a product of matrices without its loops".to_string()));
        };
        let call = self.call(only(&own.body))?;
        self.is_run_once()?;
        self.has_extent(sum, 4)?;
        self.around.enter(Around::Loop(sum));
        self.has_extent(own, 2)?;
        self.around.enter(Around::Loop(own));
        let iterators = Iterators { x, y, sum: sum.iterator.clone(), own: own.iterator.clone() };
        let result = self.calls_of_products(call, &iterators);
        self.around.leave();
        self.around.leave();
        result
    }

    /// The iterators of the loops over threads along x and y, of which a block has four and a multiple of eight, each with the iterations of its
    /// number.
    fn lanes(&mut self) -> Walked<[Name; 2]> {
        let kernel = self.kernel()?;
        let is_lane =
            |kind: &LoopKind| matches!(kind, LoopKind::Thread(Axis::X) | LoopKind::Thread(Axis::Y));
        let is_number = kernel
            .owners
            .found
            .iter()
            .all(|(kind, owner)| !is_lane(kind) || matches!(owner, Owner::Value | Owner::Zero));
        let [x, y, _] = kernel.lanes.clone();
        let is_warp = is_number && kernel.threads[0] == 4 && kernel.threads[1] % 8 == 0;
        match x.zip(y).filter(|_| is_warp) {
            Some((x, y)) => Ok([x, y]),
            None => Err(self.cursor.wrong("statements of threads that are no warp")),
        }
    }

    /// Whether a loop has the iterations from 0 on, so many of them.
    fn has_extent(&mut self, each: &'a ForLoop, extent: i64) -> Walked<()> {
        let own = || boxed(AstExpr::Id(each.iterator.clone()));
        let all = AstExpr::And(vec![
            AstExpr::Ge(own(), boxed(AstExpr::int(0))),
            AstExpr::Lt(own(), boxed(AstExpr::int(extent))),
        ]);
        let about = || "a product of matrices has other iterations".to_string();
        self.around.same_iterations(&all, each, &about)
    }

    fn calls_of_products(&mut self, call: Call<'a>, iterators: &Iterators) -> Walked<()> {
        let Some((target, products)) = added_products(call.statement) else {
            return Err(Stop::Unread("a product of matrices of an unknown form".to_string()));
        };
        for product in &products {
            self.expect_words(&[MATRIX, "("])?;
            for own in 0..2 {
                let number =
                    AstExpr::Eq(boxed(Iterators::id(&iterators.own)), boxed(AstExpr::int(own)));
                self.around.enter(Around::Holds(number));
                let found = self.element_of_product(call, target);
                self.around.leave();
                found?;
                self.cursor.expect(",")?;
            }
            self.operands(call, product, iterators)?;
            self.expect_words(&[")", ";"])?;
        }
        Ok(())
    }

    /// The two operands, with all factors of the product.
    fn operands(
        &mut self,
        call: Call<'a>,
        product: &SignedProduct<'_>,
        iterators: &Iterators,
    ) -> Walked<()> {
        let mut left = product.factors.clone();
        if product.is_negative {
            self.cursor.expect("-")?;
        }
        self.factors(call, &mut left, (iterators, iterators.of_row()))?;
        self.cursor.expect(",")?;
        self.factors(call, &mut left, (iterators, iterators.of_column()))?;
        match left.is_empty() {
            true => Ok(()),
            false => Err(self.cursor.wrong("all factors of a product")),
        }
    }

    /// Factors at the cursor, which are taken from those of a product; they are passed by another thread.
    fn factors(
        &mut self,
        call: Call<'a>,
        left: &mut Vec<&Term>,
        (iterators, other): (&Iterators, [AstExpr; 2]),
    ) -> Walked<()> {
        let outer = self.names.values.len();
        for (own, other) in [&iterators.x, &iterators.y].into_iter().zip(other) {
            let own = Iterators::id(own);
            let named = self.names.values[..outer].iter().find(|(_, value)| *value == own);
            let Some(name) = named.map(|(name, _)| *name) else {
                return Err(Stop::Unread("a thread in its warp without a name".to_string()));
            };
            self.names.values.push((name, other));
        }
        let result = self.factors_of_thread(call, left);
        self.names.values.truncate(outer);
        result
    }

    fn factors_of_thread(&mut self, call: Call<'a>, left: &mut Vec<&Term>) -> Walked<()> {
        loop {
            let word = self.cursor.peek().map_or("", |token| token.text);
            let is_named = |factor: &&Term| match factor.as_element() {
                Some(element) => *self.scop.array(element.array).tuple_name == *word,
                None => factor.text() == word,
            };
            let Some(at) = left.iter().position(is_named) else {
                return Err(self.cursor.wrong("a factor of the product"));
            };
            match left.remove(at).as_element() {
                Some(element) => self.element_of_product(call, element)?,
                None => self.cursor.at += 1,
            }
            if !self.cursor.take_if("*") {
                return Ok(());
            }
        }
    }

    fn element_of_product(&mut self, call: Call<'a>, element: &Element) -> Walked<()> {
        let mut open = Vec::new();
        self.element_of_call(call, element, (&[], &mut open), &mut Touched::default())?;
        self.is_in_subscripts(&open)
    }
}
