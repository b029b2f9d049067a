//! Products of matrices by warps: calls beside the loops below their mark.
//!
//! ```text
//! lw_matrix_8x8x4(C_result[c7][c8][0], C_result[c7][c8][1], A_tile[4 * c6 + c5][16 * c7 + c4], B_tile[4 * c6 + c5][8 * c8 + c4 % 8]);
//! ```
//!
//! The call adds to element e of thread (c, r) of a warp the sum over k of what thread (k, r) passes as the
//! first operand times what thread (k, 2 c + e) passes as the second one. So with these numbers in place of
//! the thread's own, an operand that is passed has to be the element that the statement has for thread, k and
//! e. That all threads of a warp come there together is proved about the tree; here it matters that a warp is
//! four threads along x and eight along y.
//!
//! Larger matrices are that for each row h of a thread, and for k in groups of four: the elements of the
//! result are in the order of h and e; the first operands, in that of groups and h, are what thread (k mod 4,
//! r) passes for group k div 4 and row h; the second ones, in that of groups, are what thread (k mod 4, 2 c +
//! e) passes for group k div 4. Operands of instructions for `float` are rounded, `lw_tf32(..)`, by the text
//! itself.
use super::state::Owner;
use crate::printed::body::{Call, Touched};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::values::Around;
use crate::products::{SignedProduct, added_products};
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::Name;
use loopwright_schedule::{Axis, LoopKind, MatrixMark};
use loopwright_scop::{Element, FloatingType, Term};

/// The functions of the text: the one that multiplies, and the one that rounds its factors.
fn functions(
    mark: MatrixMark,
    of: Option<FloatingType>,
) -> Option<(&'static str, Option<&'static str>)> {
    match (mark, of?) {
        (MatrixMark::SMALL, FloatingType::Double) => Some(("lw_matrix_8x8x4", None)),
        (MatrixMark::LARGE, FloatingType::Double) => Some(("lw_matrix_16x8x8", None)),
        (MatrixMark::LARGE, FloatingType::Float) => {
            Some(("lw_matrix_16x8x8_tf32", Some("lw_tf32")))
        }
        _ => None,
    }
}

/// The iterators of a product: threads along x and y, the position along the sum, the row of the thread if it
/// has several, its column.
struct Iterators {
    x: Name,
    y: Name,
    sum: Name,
    row: Option<Name>,
    column: Name,
}

impl Iterators {
    fn id(name: &Name) -> AstExpr {
        AstExpr::Id(name.clone())
    }

    /// The thread that passes the element of the first operand in a group, along x and y.
    fn of_row(&self, group: i64) -> [AstExpr; 2] {
        [self.in_group(group), Iterators::id(&self.y)]
    }

    /// The thread that passes the element of the second operand.
    fn of_column(&self, group: i64) -> [AstExpr; 2] {
        let warp = AstExpr::DivFloor(boxed(Iterators::id(&self.y)), boxed(AstExpr::int(8)));
        let column = sum(times(2, Iterators::id(&self.x)), Iterators::id(&self.column));
        [self.in_group(group), sum(times(8, warp), column)]
    }

    /// The position along the sum in its group of four.
    fn in_group(&self, group: i64) -> AstExpr {
        match group {
            0 => Iterators::id(&self.sum),
            _ => sum(Iterators::id(&self.sum), AstExpr::int(-4 * group)),
        }
    }

    /// That a position along the sum is in a group.
    fn is_in_group(&self, group: i64) -> AstExpr {
        let sum = || boxed(Iterators::id(&self.sum));
        AstExpr::And(vec![
            AstExpr::Ge(sum(), boxed(AstExpr::int(4 * group))),
            AstExpr::Lt(sum(), boxed(AstExpr::int(4 * group + 4))),
        ])
    }

    /// That the row of the thread is a certain one, if it has several.
    fn is_row(&self, row: i64) -> Option<AstExpr> {
        self.row.as_ref().map(|own| is(own, row))
    }
}

fn is(name: &Name, value: i64) -> AstExpr {
    AstExpr::Eq(boxed(Iterators::id(name)), boxed(AstExpr::int(value)))
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

/// What an instruction takes: rows of a thread, groups of four along the sum, and the functions of the text.
struct Instruction {
    rows: i64,
    groups: i64,
    functions: (&'static str, Option<&'static str>),
}

impl<'a> TextWalk<'_, 'a> {
    /// The calls for the loops below the mark of a product of matrices.
    pub(in crate::printed) fn matrix(&mut self, mark: &str, child: &'a AstNode) -> Walked<()> {
        let unknown = || Stop::Unread(format!("the mark `{mark}`"));
        let own = MatrixMark::parse(mark).ok_or_else(unknown)?;
        let no_loops = || Stop::Unread("a product of matrices without its loops".to_string());
        let [x, y] = self.lanes()?;
        let loop_in = |node: &'a AstNode| match node.single() {
            AstNode::For(each) => Ok(each),
            _ => Err(no_loops()),
        };
        let sum = loop_in(child)?;
        let (rows, products) = (i64::from(own.rows_of_thread()), i64::from(own.products));
        let row = if rows > 1 { Some(loop_in(&sum.body)?) } else { None };
        let column = loop_in(&row.unwrap_or(sum).body)?;
        let call = self.call(column.body.single())?;
        let target = call.statement.body.plain_assignment().map(|own| own.target.array);
        let of = target.and_then(|target| self.scop.array(target).floating_type());
        let functions = functions(own, of).ok_or_else(unknown)?;
        self.is_run_once()?;
        let all = [(Some(sum), products), (row, rows), (Some(column), 2)];
        let all: Vec<(&'a ForLoop, i64)> =
            all.into_iter().filter_map(|(each, extent)| Some((each?, extent))).collect();
        for (each, extent) in &all {
            self.has_extent(each, *extent)?;
            self.around.enter(Around::Loop(each));
        }
        let name = |each: &ForLoop| each.iterator.clone();
        let iterators =
            Iterators { x, y, sum: name(sum), row: row.map(name), column: name(column) };
        let instruction = Instruction { rows, groups: products / 4, functions };
        let result = self.calls_of_products(call, (&instruction, &iterators));
        all.iter().for_each(|_| self.around.leave());
        result
    }

    /// The iterators of the loops over threads along x and y, of which a block has four and a multiple of
    /// eight, each with the iterations of its number.
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
    pub(super) fn has_extent(&mut self, each: &'a ForLoop, extent: i64) -> Walked<()> {
        let own = || boxed(AstExpr::Id(each.iterator.clone()));
        let all = AstExpr::And(vec![
            AstExpr::Ge(own(), boxed(AstExpr::int(0))),
            AstExpr::Lt(own(), boxed(AstExpr::int(extent))),
        ]);
        let about = || "a product of matrices has other iterations".to_string();
        self.around.same_iterations(&all, each, &about)
    }

    fn calls_of_products(
        &mut self,
        call: Call<'a>,
        (instruction, iterators): (&Instruction, &Iterators),
    ) -> Walked<()> {
        let Some((target, products)) = added_products(call.statement) else {
            return Err(Stop::Unread("a product of matrices of an unknown form".to_string()));
        };
        for product in &products {
            self.expect_words(&[instruction.functions.0, "("])?;
            for row in 0..instruction.rows {
                for column in 0..2 {
                    let own = iterators.is_row(row).into_iter();
                    let holds = own.chain([is(&iterators.column, column)]).collect();
                    self.where_holds(holds, |walk| walk.element_of_product(call, target))?;
                    self.cursor.expect(",")?;
                }
            }
            self.operands(call, product, (instruction, iterators))?;
            self.expect_words(&[")", ";"])?;
        }
        Ok(())
    }

    /// What is read where conditions hold.
    fn where_holds<T>(
        &mut self,
        holds: Vec<AstExpr>,
        read: impl FnOnce(&mut Self) -> Walked<T>,
    ) -> Walked<T> {
        self.around.enter(Around::Holds(AstExpr::And(holds)));
        let found = read(self);
        self.around.leave();
        found
    }

    /// The operands, each time with all factors of the product.
    fn operands(
        &mut self,
        call: Call<'a>,
        product: &SignedProduct<'_>,
        (instruction, iterators): (&Instruction, &Iterators),
    ) -> Walked<()> {
        let mut of_columns: Option<Vec<&Term>> = None;
        for group in 0..instruction.groups {
            for row in 0..instruction.rows {
                let mut left = product.factors.clone();
                let own = iterators.is_row(row).into_iter();
                let holds = own.chain([iterators.is_in_group(group)]).collect();
                self.where_holds(holds, |walk| {
                    let passed = (product.is_negative, iterators.of_row(group));
                    walk.passed_operand(call, &mut left, (instruction, iterators), passed)
                })?;
                self.cursor.expect(",")?;
                let others = of_columns.get_or_insert_with(|| left.clone());
                let mut ends = others.iter().zip(&left);
                if others.len() != left.len() || !ends.all(|(a, b)| std::ptr::eq(*a, *b)) {
                    return Err(self.cursor.wrong("the same factors for each row"));
                }
            }
        }
        for group in 0..instruction.groups {
            let mut left = of_columns.clone().unwrap_or_default();
            self.where_holds(vec![iterators.is_in_group(group)], |walk| {
                let passed = (false, iterators.of_column(group));
                walk.passed_operand(call, &mut left, (instruction, iterators), passed)
            })?;
            if !left.is_empty() {
                return Err(self.cursor.wrong("all factors of a product"));
            }
            if group + 1 < instruction.groups {
                self.cursor.expect(",")?;
            }
        }
        Ok(())
    }

    /// An operand as another thread passes it: rounded where the instruction needs that.
    fn passed_operand(
        &mut self,
        call: Call<'a>,
        left: &mut Vec<&Term>,
        (instruction, iterators): (&Instruction, &Iterators),
        (is_negative, other): (bool, [AstExpr; 2]),
    ) -> Walked<()> {
        if let Some(rounding) = instruction.functions.1 {
            self.expect_words(&[rounding, "("])?;
        }
        if is_negative {
            self.cursor.expect("-")?;
        }
        self.factors(call, left, (iterators, other))?;
        match instruction.functions.1 {
            Some(_) => self.cursor.expect(")"),
            None => Ok(()),
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
