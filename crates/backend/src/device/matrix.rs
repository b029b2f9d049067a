//! Products of matrices that the threads of a warp compute together: a call in place of the loops below their
//! mark.
//!
//! ```text
//! lw_matrix_8x8x4(C_result[c7][c8][0], C_result[c7][c8][1], A_tile[4 * c6 + c5][16 * c7 + c4], B_tile[4 * c6 + c5][8 * c8 + c4 % 8]);
//! ```
//!
//! Thread (c, r) of a warp, here (c5, c4 mod 8), passes its two elements of the result, element c of row r of
//! the first operand, and element c of column r of the second one. Which elements these are is what the
//! statement has for other threads and iterations: the first operand depends on the row of a thread alone,
//! and so is that of the same thread in iteration c; the second one is that of a thread with column r, which
//! is number `r / 2` along x, for its element `r % 2` of the result, in iteration c.
//!
//! Larger matrices are that several times: first come the elements of the result for rows r and `r + 8`, then
//! those of the first operand, number `2 s + h` of row `r + 8 h` in iteration `c + 4 s`, and then those of
//! the second one, number s in iteration `c + 4 s`. Factors in `float` are passed rounded,
//! `lw_tf32(A_tile[..])`.
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use crate::body::Body;
use loopwright_astgen::{AstNode, ForLoop, Place};
use loopwright_device::{Product, products};
use loopwright_presburger::{Aff, DimKind, Int, MultiAff, Result};
use loopwright_schedule::MatrixMark;
use loopwright_scop::{Element, FloatingType, Statement, Term};

/// An instruction that multiplies matrices.
pub(super) struct Instruction {
    mark: MatrixMark,
    of: FloatingType,
    /// The function that a kernel calls.
    pub(super) function: &'static str,
    /// Its definition.
    pub(super) definition: &'static str,
    /// The function that rounds factors.
    rounding: Option<&'static str>,
}

/// Those that devices have.
pub(super) const INSTRUCTIONS: [Instruction; 3] = [
    Instruction {
        mark: MatrixMark::SMALL,
        of: FloatingType::Double,
        function: "lw_matrix_8x8x4",
        definition: include_str!("cuda_matrix.h"),
        rounding: None,
    },
    Instruction {
        mark: MatrixMark::LARGE,
        of: FloatingType::Double,
        function: "lw_matrix_16x8x8",
        definition: include_str!("cuda_matrix_large.h"),
        rounding: None,
    },
    Instruction {
        mark: MatrixMark::LARGE,
        of: FloatingType::Float,
        function: "lw_matrix_16x8x8_tf32",
        definition: include_str!("cuda_matrix_tf32.h"),
        rounding: Some("lw_tf32"),
    },
];

/// The loops of the mark: positions along the sum, rows of a thread if it has several, columns of a thread;
/// and what they run.
struct LoopsOfMark<'a> {
    sum: &'a ForLoop,
    row: Option<&'a ForLoop>,
    column: &'a ForLoop,
}

impl<'a> LoopsOfMark<'a> {
    fn of(mark: MatrixMark, node: &'a AstNode) -> Option<LoopsOfMark<'a>> {
        let loop_in = |node: &'a AstNode| match node {
            AstNode::For(each) => Some(each),
            _ => None,
        };
        let sum = loop_in(node)?;
        let row = if mark.rows_of_thread() > 1 { Some(loop_in(&sum.body)?) } else { None };
        let column = loop_in(&row.unwrap_or(sum).body)?;
        Some(LoopsOfMark { sum, row, column })
    }
}

/// Where the loops of a product stand: dimensions of threads along x and y, of the sum, and of the rows and
/// columns of a thread.
struct Loops {
    threads: [usize; 2],
    sum: usize,
    row: Option<usize>,
    column: usize,
}

/// A thread along x, a position along the sum, and a column of the thread.
struct Moved {
    x: Aff,
    sum: Aff,
    column: Aff,
}

impl Loops {
    /// The place with other values of the dimensions but y, functions of the thread along both axes, for a
    /// row of the thread.
    fn moved(
        &self,
        place: &Place,
        row: i64,
        of_threads: impl Fn([&Aff; 2]) -> Result<Moved>,
    ) -> Result<Place> {
        let space = place.known().space();
        let n = space.n(DimKind::Out);
        let mut values: Vec<Aff> =
            (0..n).map(|at| Aff::variable(space, DimKind::Out, at)).collect();
        let Moved { x, sum, column } = of_threads(self.threads.map(|at| &values[at]))?;
        if let Some(at) = self.row {
            values[at] = number(&x, row);
        }
        (values[self.threads[0]], values[self.sum], values[self.column]) = (x, sum, column);
        place.moved(&MultiAff::new(space.map_to(space), values)?)
    }

    /// Where a thread finds an element of one of its rows that it passes.
    fn of_row(&self, place: &Place, row: i64, group: i64) -> Result<Place> {
        self.moved(place, row, |[x, _]| {
            Ok(Moved {
                x: x.clone(),
                sum: x.add_constant(&Int::from(4 * group)),
                column: number(x, 0),
            })
        })
    }

    /// Where it finds that of its column.
    fn of_column(&self, place: &Place, group: i64) -> Result<Place> {
        self.moved(place, 0, |[x, y]| {
            let column = y.modulo(&Int::from(8));
            let thread = column.scale_down(&Int::from(2)).floor();
            let sum = x.add_constant(&Int::from(4 * group));
            Ok(Moved { x: thread, sum, column: y.modulo(&Int::from(2)) })
        })
    }

    /// An element of the result.
    fn of_result(&self, place: &Place, row: i64, column: i64) -> Result<Place> {
        self.moved(place, row, |[x, _]| {
            Ok(Moved { x: x.clone(), sum: number(x, 0), column: number(x, column) })
        })
    }
}

fn number(like: &Aff, value: i64) -> Aff {
    Aff::zero(like.domain_space()).add_constant(&Int::from(value))
}

impl KernelPrinter<'_> {
    /// What stands below the mark of a product of matrices.
    pub(super) fn matrix(&mut self, mark: &str, child: &AstNode) -> Result<()> {
        let own = MatrixMark::parse(mark).filter(|_| self.memory.language == Language::Cuda);
        let Some(own) = own else {
            return Err(misplaced(&format!("the mark `{mark}`")));
        };
        let (inside, [x, y]) = (LoopsOfMark::of(own, child), self.lanes);
        let Some((LoopsOfMark { sum, row, column }, (x, y))) = inside.zip(x.zip(y)) else {
            return Err(misplaced("a product of matrices without its loops"));
        };
        let AstNode::User { statement, place, .. } = &*column.body else {
            return Err(misplaced("a product of matrices with several statements"));
        };
        let (sum, row) = (sum.dimension, row.map(|row| row.dimension));
        let loops = Loops { threads: [x, y], sum, row, column: column.dimension };
        let statement = self.statement_of(statement)?;
        let target = statement.body.plain_assignment().map(|own| own.target.clone());
        let Some((target, products)) = target.zip(products(&statement.body)) else {
            return Err(misplaced("a statement that adds no products"));
        };
        let of = self.memory.scop.array(target.array).floating_type();
        let known = INSTRUCTIONS.iter().find(|known| known.mark == own && Some(known.of) == of);
        let Some(known) = known else {
            return Err(misplaced(&format!("the mark `{mark}`, which is of no instruction")));
        };
        let rows = i64::from(own.rows_of_thread());
        let groups = i64::from(own.products) / 4;
        let target = Term::element(target);
        let mut results = Vec::new();
        for row in 0..rows {
            for column in 0..2 {
                let place = loops.of_result(place, row, column)?;
                results.push(self.term((statement, &target), &place)?);
            }
        }
        for product in products {
            let (row, column) = divided(&product, (place, loops.column))?;
            let mut passed = results.clone();
            for group in 0..groups {
                for at in 0..rows {
                    let place = loops.of_row(place, at, group)?;
                    passed.push(self.operand(
                        (statement, &row),
                        (product.is_subtracted, known),
                        &place,
                    )?);
                }
            }
            for group in 0..groups {
                let place = loops.of_column(place, group)?;
                passed.push(self.operand((statement, &column), (false, known), &place)?);
            }
            self.writer.line(&format!("{}({});", known.function, passed.join(", ")));
        }
        Ok(())
    }

    /// A product of factors, as it is passed.
    fn operand(
        &mut self,
        (statement, factors): (&Statement, &[&Term]),
        (is_negative, known): (bool, &Instruction),
        place: &Place,
    ) -> Result<String> {
        let factors = factors.iter().map(|factor| self.term((statement, factor), place));
        let text = factors.collect::<Result<Vec<_>>>()?.join(" * ");
        let text = if is_negative { format!("-{text}") } else { text };
        Ok(match known.rounding {
            Some(rounding) => format!("{rounding}({text})"),
            None => text,
        })
    }

    /// A part of a statement at a place.
    fn term(&mut self, (statement, term): (&Statement, &Term), place: &Place) -> Result<String> {
        let part =
            Statement { body: loopwright_scop::Body::new(term.clone()), ..statement.clone() };
        let body = Body::at(&part, place, self.lowering)?;
        let text = body.statement(|element| Some(self.element(element)));
        Ok(text.trim_end_matches(';').to_string())
    }
}

/// The factors of a product of matrices: those that do not depend on the element of a thread, and those that
/// do.
fn divided<'a>(
    product: &Product<'a>,
    (place, own): (&Place, usize),
) -> Result<(Vec<&'a Term>, Vec<&'a Term>)> {
    let (mut row, mut column) = (Vec::new(), Vec::new());
    for factor in &product.factors {
        let moves = factor.as_element().map(|element| moves_with(element, (place, own)));
        match moves.transpose()? {
            Some(true) => column.push(*factor),
            _ => row.push(*factor),
        }
    }
    match row.is_empty() || column.is_empty() {
        true => Err(misplaced("a product that is no product of matrices")),
        false => Ok((row, column)),
    }
}

/// Whether an element is another one for other values of a loop dimension.
fn moves_with(element: &Element, (place, dimension): (&Place, usize)) -> Result<bool> {
    for subscript in &element.subscripts {
        let over_loops = subscript.pullback_pw_multi_aff(place.instance())?;
        if over_loops.involves_dims(DimKind::Out, dimension, 1) {
            return Ok(true);
        }
    }
    Ok(false)
}
