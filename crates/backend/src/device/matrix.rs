//! Products of matrices that the threads of a warp compute together: a call in place of the loops below their mark.
//!
//! ```text
//! lw_matrix_8x8x4(C_result[c7][c8][0], C_result[c7][c8][1], A_tile[4 * c6 + c5][16 * c7 + c4], B_tile[4 * c6 + c5][8 * c8 + c4 % 8]);
//! ```
//!
//! Thread (c, r) of a warp, here (c5, c4 mod 8), passes its two elements of the result, element c of row r of the first operand, and element c of
//! column r of the second one. Which elements these are is what the statement has for other threads and iterations: the first operand depends on
//! the row of a thread alone, and so is that of the same thread in iteration c; the second one is that of a thread with column r, which is number `r / 2` along x, for
//! its element `r % 2` of the result, in iteration c.
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use crate::body::Body;
use loopwright_astgen::{AstNode, ForLoop, Place};
use loopwright_device::{Product, products};
use loopwright_presburger::{Aff, DimKind, Int, MultiAff, Result};
use loopwright_schedule::MatrixMark;
use loopwright_scop::{Element, Statement, Term};

/// The function that a kernel calls.
pub(super) const MATRIX: &str = "lw_matrix_8x8x4";

/// Its definition.
pub(super) const DEFINITION: &str = include_str!("cuda_matrix.h");

/// The loops of the mark: positions along the sum, and elements of a thread, with what they run.
fn loops_of(node: &AstNode) -> Option<[&ForLoop; 2]> {
    let AstNode::For(sum) = node else { return None };
    let AstNode::For(own) = &*sum.body else { return None };
    Some([sum, own])
}

/// Where the loops of a product stand: dimensions of threads along x and y, of the sum, and of the elements of a thread.
struct Loops {
    threads: [usize; 2],
    sum: usize,
    own: usize,
}

impl Loops {
    /// The place with other values of the dimensions but y, functions of the thread along both axes.
    fn moved(&self, place: &Place, of_threads: impl Fn([&Aff; 2]) -> [Aff; 3]) -> Result<Place> {
        let space = place.known().space();
        let n = space.n(DimKind::Out);
        let mut values: Vec<Aff> =
            (0..n).map(|at| Aff::variable(space, DimKind::Out, at)).collect();
        let [x, sum, own] = of_threads(self.threads.map(|at| &values[at]));
        (values[self.threads[0]], values[self.sum], values[self.own]) = (x, sum, own);
        place.moved(&MultiAff::new(space.map_to(space), values)?)
    }

    /// Where a thread finds the element of its row that it passes.
    fn of_row(&self, place: &Place) -> Result<Place> {
        self.moved(place, |[x, _]| [x.clone(), x.clone(), zero(x)])
    }

    /// Where it finds that of its column.
    fn of_column(&self, place: &Place) -> Result<Place> {
        self.moved(place, |[x, y]| {
            let column = y.modulo(&Int::from(8));
            let thread = column.scale_down(&Int::from(2)).floor();
            [thread, x.clone(), y.modulo(&Int::from(2))]
        })
    }

    /// An element of the result.
    fn of_result(&self, place: &Place, own: i64) -> Result<Place> {
        self.moved(place, |[x, _]| [x.clone(), zero(x), zero(x).add_constant(&Int::from(own))])
    }
}

fn zero(like: &Aff) -> Aff {
    Aff::zero(like.domain_space())
}

impl KernelPrinter<'_> {
    /// What stands below the mark of a product of matrices.
    pub(super) fn matrix(&mut self, mark: &str, child: &AstNode) -> Result<()> {
        let is_known = MatrixMark::parse(mark) == Some(MatrixMark::DOUBLE);
        if !is_known || self.memory.language != Language::Cuda {
            return Err(misplaced(&format!("the mark `{mark}`")));
        }
        let (inside, [x, y]) = (loops_of(child), self.lanes);
        let Some(([sum, own], (x, y))) = inside.zip(x.zip(y)) else {
            return Err(misplaced("a product of matrices without its loops"));
        };
        let AstNode::User { statement, place, .. } = &*own.body else {
            return Err(misplaced("a product of matrices with several statements"));
        };
        let loops = Loops { threads: [x, y], sum: sum.dimension, own: own.dimension };
        let statement = self.statement_of(statement)?;
        let target = statement.body.plain_assignment().map(|own| own.target.clone());
        let Some((target, products)) = target.zip(products(&statement.body)) else {
            return Err(misplaced("a statement that adds no products"));
        };
        let target = Term::element(target);
        let first = self.term((statement, &target), &loops.of_result(place, 0)?)?;
        let second = self.term((statement, &target), &loops.of_result(place, 1)?)?;
        for product in products {
            let (row, column) = divided(&product, (place, own.dimension))?;
            let a =
                self.operand((statement, &row), product.is_subtracted, &loops.of_row(place)?)?;
            let b = self.operand((statement, &column), false, &loops.of_column(place)?)?;
            self.writer.line(&format!("{MATRIX}({first}, {second}, {a}, {b});"));
        }
        Ok(())
    }

    /// A product of factors.
    fn operand(
        &mut self,
        (statement, factors): (&Statement, &[&Term]),
        is_negative: bool,
        place: &Place,
    ) -> Result<String> {
        let factors = factors.iter().map(|factor| self.term((statement, factor), place));
        let text = factors.collect::<Result<Vec<_>>>()?.join(" * ");
        Ok(if is_negative { format!("-{text}") } else { text })
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

/// The factors of a product of matrices: those that do not depend on the element of a thread, and those that do.
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
