//! Nests whose results stay in vector variables, and in scalar ones at edges.
//!
//! ```text
//! for (c2 = ...)                               {
//!   for (c3 = c0; c3 < c0 + 2; c3++)             typedef double double_x8 __attribute__((vector_size(64), ...));
//!     for (c4 = c1; c4 < c1 + 8; c4++)           double_x8 C_r0_v0 = *(double_x8 *) &C[c0][c1];
//!       C[c3][c4] += A[c3][c2] * B[c2][c4];      double_x8 C_r1_v0 = *(double_x8 *) &C[c0 + 1][c1];
//!                                                for (long c2 = ...) {
//!                                                  const double_x8 B_v0 = *(double_x8 *) &B[c2][c1];
//!                                                  const double A_r0 = A[c0][c2];
//!                                                  C_r0_v0 += A_r0 * B_v0;
//!                                                  ...
//!                                                }
//!                                                *(double_x8 *) &C[c0][c1] = C_r0_v0;
//!                                                ...
//!                                              }
//! ```
//!
//! # What is checked
//! A block computes, for each of its rows and each of its columns, what the tree's nest computes, in the
//! order of the loop that the tree has outermost:
//!
//! * each variable of a result is loaded from the element that the statement writes in that row and in the
//!   first of those columns, is used where the statement has it, and is stored to the same element; each row
//!   and vector has one statement;
//! * all other variables are elements that the statement reads there. Elements of vectors are one further for
//!   each column, those of scalars do not move;
//! * results do not move along the outer loop, and each row and column has its own; no other element that the
//!   nest reads is one;
//! * the statement is an assignment of sums and products, which vectors compute as their elements do;
//! * the block is entered only if its loop runs.
//!
//! Its rows and columns are those of the tree (`register_parts.rs`).
use crate::printed::body::Kept;
use crate::printed::form::Form;
use crate::printed::kept::with_value;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::register_nest::{Nest, Operand, end, plus};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{TokenKind, tokens};
use crate::printed::values::Around;
use loopwright_astgen::AstExpr;
use loopwright_presburger::{Int, Name, PwAff};
use loopwright_scop::{BodyPiece, Element, FloatingType};

/// The rows of a block.
#[derive(Clone)]
pub(super) enum Rows {
    /// All of the nest.
    All,
    /// The one of a loop around the block, or the only one.
    Single,
}

/// The columns of a block.
#[derive(Clone)]
pub(super) enum Columns {
    /// All of the nest: a constant number.
    All,
    /// One vector, from the iterator's value on.
    Vector,
}

/// A variable of a block.
struct Variable<'a> {
    element: Kept<'a>,
    held: Held,
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    /// The element.
    One,
    /// The element and those behind it.
    Vector,
    /// Results that a local array has, of which all is known.
    Staged,
}

/// The coordinates of the nest's instance in a row and a column.
fn coordinates(nest: &Nest<'_>, row: &AstExpr, column: &AstExpr) -> Vec<AstExpr> {
    let at = |argument: &AstExpr| {
        let here = with_value(argument, &nest.column.iterator, column);
        nest.row.map_or(here.clone(), |each| with_value(&here, &each.iterator, row))
    };
    nest.call.arguments.iter().map(at).collect()
}

/// The element, and what it moves with of the row and the column.
fn place_of(nest: &Nest<'_>, operand: &Operand, spot: &Spot) -> ElementPlace {
    let has_rows = nest.row.is_some() && operand.moves_with_rows;
    ElementPlace {
        operand: operand.first,
        row: has_rows.then_some(spot.number),
        vector: operand.moves_with_columns().then_some(spot.vector),
    }
}

/// Whether a vector at the columns' iterator ends in front of an end.
pub(super) fn in_front_of(nest: &Nest<'_>, lanes: i64, end: &AstExpr) -> AstExpr {
    let next = plus(&AstExpr::Id(nest.column.iterator.clone()), lanes);
    AstExpr::Le(Box::new(next), Box::new(end.clone()))
}

/// An element of a statement in one row and one vector, as far as it moves with them.
#[derive(Clone, Copy, PartialEq)]
struct ElementPlace {
    /// The position of the first operand that is the same.
    operand: usize,
    row: Option<i64>,
    vector: Option<i64>,
}

/// The rows of a block, and where its statements are.
struct Shape {
    first_row: AstExpr,
    n_rows: i64,
    /// Row by row.
    spots: Vec<Spot>,
}

/// Where a statement of a block is.
struct Spot {
    /// The number of the row, from zero on.
    number: i64,
    /// The number of the vector.
    vector: i64,
    row: AstExpr,
    /// The first column of the vector.
    column: AstExpr,
}

/// What is known about the variables of a block.
#[derive(Default)]
struct Known<'a> {
    /// The variables that are what statements have.
    variables: Vec<(&'a str, ElementPlace)>,
    /// The subscripts of the first row, and by how much they move.
    rows: Vec<RowLaw>,
}

/// A subscript of an element in the first row; and by how much it moves with the rows, if it is known that
/// the statement's moves like that.
struct RowLaw {
    operand: usize,
    vector: Option<i64>,
    position: usize,
    first: AstExpr,
    moves_by: Option<Int>,
}

/// The type of a block's vectors.
struct VectorType<'a> {
    name: &'a str,
    lanes: i64,
}

impl<'a> TextWalk<'_, 'a> {
    /// A block with these rows and columns; the number of lanes of its vectors.
    pub(super) fn block(&mut self, nest: &Nest<'a>, rows: &Rows, columns: &Columns) -> Walked<i64> {
        self.runs_only_with(nest)?;
        self.cursor.expect("{")?;
        let vector = self.vector_type(nest)?;
        let outside = self.around.depth();
        if let (Columns::Vector, Some(end)) = (columns, end(nest.column)) {
            self.around.enter(Around::Holds(in_front_of(nest, vector.lanes, &end)));
        }
        let results = self.results(nest, &vector)?;
        let shape = self.shape(nest, &vector, results.len(), (rows, columns))?;
        self.computes(nest, &vector, &results, &shape)?;
        for result in &results {
            let line = self.cursor.line();
            let stored = self.vector_element(nest, &vector)?;
            let about = || format!("line {line} of the printed text stores to another element");
            self.same_element(&stored, &result.element, &about)?;
            self.cursor.expect("=")?;
            self.cursor.expect(result.element.name)?;
            self.cursor.expect(";")?;
        }
        self.around.leave_to(outside);
        self.cursor.expect("}")?;
        Ok(vector.lanes)
    }

    /// A block with all rows and the columns of one vector, whose results are in an array, row by row; the
    /// number of lanes.
    pub(super) fn staged_block(
        &mut self,
        nest: &Nest<'a>,
        array: &str,
        n_rows: i64,
    ) -> Walked<i64> {
        self.runs_only_with(nest)?;
        self.cursor.expect("{")?;
        let vector = self.vector_type(nest)?;
        let mut results = Vec::new();
        for row in 0..n_rows {
            let name = self.new_variable(vector.name)?;
            self.staged_element(&vector, array, row)?;
            self.cursor.expect(";")?;
            if results.iter().any(|known: &Variable<'a>| known.element.name == name) {
                return Err(self.cursor.wrong("another name"));
            }
            let Element { base, array, .. } = nest.result.clone();
            let element = Kept { name, ..Kept::of(&base, array, Vec::new()) };
            results.push(Variable { element, held: Held::Staged });
        }
        if results.is_empty() {
            return Err(self.cursor.wrong("variables for results"));
        }
        let columns = (&Rows::All, &Columns::Vector);
        let shape = self.shape(nest, &vector, results.len(), columns)?;
        self.computes(nest, &vector, &results, &shape)?;
        for (row, result) in (0..n_rows).zip(&results) {
            self.staged_element(&vector, array, row)?;
            self.cursor.expect("=")?;
            self.cursor.expect(result.element.name)?;
            self.cursor.expect(";")?;
        }
        self.cursor.expect("}")?;
        Ok(vector.lanes)
    }

    /// `*(TYPE *) &ARRAY[ROW][0]`.
    fn staged_element(&mut self, vector: &VectorType<'a>, array: &str, row: i64) -> Walked<()> {
        for token in ["*", "(", vector.name, "*", ")", "&", array] {
            self.cursor.expect(token)?;
        }
        self.cursor.expect_all(&tokens(&format!("[{row}][0]")))
    }

    /// The loop along which results accumulate.
    fn computes(
        &mut self,
        nest: &Nest<'a>,
        vector: &VectorType<'a>,
        results: &[Variable<'a>],
        shape: &Shape,
    ) -> Walked<()> {
        self.keeps_full_width(results[0].element.name)?;
        let outer = self.names.values.len();
        self.loop_head(nest.sum)?;
        self.around.enter(Around::Loop(nest.sum));
        self.statements(nest, vector, results, shape)?;
        self.cursor.expect("}")?;
        self.around.leave();
        self.names.values.truncate(outer);
        Ok(())
    }

    /// The condition that the sum runs, or a proof that it always does.
    fn runs_only_with(&mut self, nest: &Nest<'a>) -> Walked<()> {
        let line = self.cursor.line();
        let runs = with_value(&nest.sum.condition, &nest.sum.iterator, &nest.sum.init);
        let about = || format!("line {line} of the printed text: the block runs at other times");
        if !self.cursor.take_if("if") {
            return self.around.always(&runs, &about);
        }
        self.cursor.expect("(")?;
        let printed = self.cursor.expression(&self.names)?;
        self.cursor.expect(")")?;
        self.around.same_condition(&printed, &runs, &about)
    }

    /// `typedef TYPE NAME __attribute__((vector_size(BYTES), aligned(sizeof(TYPE)), may_alias));`, or without
    /// the attribute.
    fn vector_type(&mut self, nest: &Nest<'a>) -> Walked<VectorType<'a>> {
        let (element_type, bytes) = match self.scop.array(nest.result.array).floating_type() {
            Some(found @ FloatingType::Double) => (found.keyword(), 8),
            Some(found @ FloatingType::Float) => (found.keyword(), 4),
            _ => return Err(self.cursor.wrong("vectors of floating-point numbers")),
        };
        self.cursor.expect("typedef")?;
        self.cursor.expect(element_type)?;
        let name = self.cursor.word()?;
        self.new_name(name)?;
        if self.cursor.take_if(";") {
            return Ok(VectorType { name, lanes: 1 });
        }
        self.cursor.expect_all(&tokens("__attribute__((vector_size("))?;
        let size: Option<i64> = self.cursor.peek().and_then(|token| token.text.parse().ok());
        let lanes = size.filter(|size| size % bytes == 0).map(|size| size / bytes);
        let lanes = lanes.filter(|lanes| *lanes >= 2 && lanes & (lanes - 1) == 0);
        let lanes = lanes.ok_or_else(|| self.cursor.wrong("the size of a vector"))?;
        self.cursor.at += 1;
        let rest = format!("), aligned(sizeof({element_type})), may_alias));");
        self.cursor.expect_all(&tokens(&rest))?;
        Ok(VectorType { name, lanes })
    }

    /// `TYPE NAME = *(TYPE *) &ELEMENT;`, as many as there are.
    fn results(&mut self, nest: &Nest<'a>, vector: &VectorType<'a>) -> Walked<Vec<Variable<'a>>> {
        let mut results: Vec<Variable<'a>> = Vec::new();
        while self.cursor.is(vector.name) {
            let variable = self.vector_load(nest, vector)?;
            if results.iter().any(|known| known.element.name == variable.element.name) {
                return Err(self.cursor.wrong("another name"));
            }
            results.push(variable);
        }
        match results.is_empty() {
            true => Err(self.cursor.wrong("variables for results")),
            false => Ok(results),
        }
    }

    fn vector_load(&mut self, nest: &Nest<'a>, vector: &VectorType<'a>) -> Walked<Variable<'a>> {
        let name = self.new_variable(vector.name)?;
        let mut element = self.vector_element(nest, vector)?;
        self.cursor.expect(";")?;
        element.name = name;
        Ok(Variable { element, held: Held::Vector })
    }

    /// `*(TYPE *) &ELEMENT`.
    fn vector_element(&mut self, nest: &Nest<'a>, vector: &VectorType<'a>) -> Walked<Kept<'a>> {
        for token in ["*", "(", vector.name, "*", ")", "&"] {
            self.cursor.expect(token)?;
        }
        let element = self.an_element(nest)?;
        match element.base.is_contiguous() {
            true => Ok(element),
            false => Err(self.cursor.wrong("elements side by side")),
        }
    }

    fn an_element(&mut self, nest: &Nest<'a>) -> Walked<Kept<'a>> {
        self.any_element(&[nest.call]).ok_or_else(|| self.cursor.wrong("an element"))
    }

    /// Lines without effect that keep clang from cutting vectors in halves.
    fn keeps_full_width(&mut self, name: &str) -> Walked<()> {
        let is_here = self.cursor.peek().is_some_and(|token| token.kind == TokenKind::Directive);
        if !is_here {
            return Ok(());
        }
        self.cursor.expect_line("#if defined(__clang__) && defined(__AVX512F__)")?;
        self.cursor.expect_all(&tokens(&format!("__asm__(\"\" : \"+v\"({name}));")))?;
        self.cursor.expect_line("#endif")
    }

    /// The values of the rows, and those of the first columns of the vectors.
    fn shape(
        &mut self,
        nest: &Nest<'a>,
        vector: &VectorType<'a>,
        n_results: usize,
        (rows, columns): (&Rows, &Columns),
    ) -> Walked<Shape> {
        let wrong = |walk: &Self| walk.cursor.wrong("a tile with all rows and columns");
        let n_results = i64::try_from(n_results).map_err(|_| wrong(self))?;
        let column = nest.column;
        let (first_column, n_vectors) = match columns {
            Columns::Vector => (AstExpr::Id(column.iterator.clone()), 1),
            Columns::All => {
                let count = end(column).and_then(|end| {
                    let count = Form::of(&end)?.constant_difference(&Form::of(&column.init)?)?;
                    count.to_i64().filter(|count| *count > 0 && count % vector.lanes == 0)
                });
                let count = count.ok_or_else(|| wrong(self))?;
                (column.init.clone(), count / vector.lanes)
            }
        };
        let n_rows = n_results / n_vectors;
        if n_rows * n_vectors != n_results {
            return Err(wrong(self));
        }
        let first_row = match (rows, nest.row) {
            (Rows::All, Some(row)) => {
                let line = self.cursor.line();
                let about = || format!("line {line} of the printed text: the tile has other rows");
                let end = end(row).ok_or_else(|| wrong(self))?;
                let last = plus(&row.init, n_rows);
                self.around.same_value(&last, &end, &about)?;
                row.init.clone()
            }
            _ if n_rows != 1 => return Err(wrong(self)),
            (Rows::Single, Some(row)) => AstExpr::Id(row.iterator.clone()),
            (_, None) => AstExpr::int(0),
        };
        let pairs = (0..n_rows).flat_map(|row| (0..n_vectors).map(move |vector| (row, vector)));
        let at = |(row, vector_number): (i64, i64)| Spot {
            number: row,
            vector: vector_number,
            row: plus(&first_row, row),
            column: plus(&first_column, vector_number * vector.lanes),
        };
        let spots = pairs.map(at).collect();
        Ok(Shape { first_row, n_rows, spots })
    }

    /// The body of the loop: loads of what is read, and a statement for each row and vector.
    fn statements(
        &mut self,
        nest: &Nest<'a>,
        vector: &VectorType<'a>,
        results: &[Variable<'a>],
        shape: &Shape,
    ) -> Walked<()> {
        let mut operands: Vec<Variable<'a>> = Vec::new();
        let mut known_here = Known::default();
        for (result, spot) in results.iter().zip(&shape.spots) {
            while self.cursor.take_if("const") {
                let operand = match self.cursor.is(vector.name) && vector.lanes > 1 {
                    true => self.vector_load(nest, vector)?,
                    false => self.operand_load(nest, vector)?,
                };
                let mut known = results.iter().chain(&operands);
                if known.any(|known| known.element.name == operand.element.name) {
                    return Err(self.cursor.wrong("another name"));
                }
                operands.push(operand);
            }
            let variables = (result, &operands[..], &mut known_here);
            self.block_statement(nest, vector, variables, (shape, spot))?;
        }
        Ok(())
    }

    /// `TYPE NAME = ELEMENT;` or, of one lane, as vectors are loaded.
    fn operand_load(&mut self, nest: &Nest<'a>, vector: &VectorType<'a>) -> Walked<Variable<'a>> {
        if self.cursor.is(vector.name) {
            let variable = self.vector_load(nest, vector)?;
            return Ok(Variable { held: Held::One, ..variable });
        }
        let element_type = self.scop.array(nest.result.array).floating_type();
        let name = self.new_variable(element_type.map_or("", FloatingType::keyword))?;
        let mut element = self.an_element(nest)?;
        self.cursor.expect(";")?;
        element.name = name;
        Ok(Variable { element, held: Held::One })
    }

    /// The statement for one row and the columns of one vector.
    fn block_statement(
        &mut self,
        nest: &Nest<'a>,
        vector: &VectorType<'a>,
        (result, operands, known): (&Variable<'a>, &[Variable<'a>], &mut Known<'a>),
        (shape, spot): (&Shape, &Spot),
    ) -> Walked<()> {
        let mut operands_here = nest.operands.iter();
        let mut is_first = true;
        for piece in nest.call.statement.body.pieces() {
            match piece {
                BodyPiece::Text(text) => self.cursor.expect_all(&tokens(&text))?,
                BodyPiece::Affine(_) | BodyPiece::Hidden(_) => {
                    return Err(Stop::Unread("register tiles of another statement".to_string()));
                }
                BodyPiece::Element(element) => {
                    let operand = operands_here.next().ok_or_else(|| {
                        Stop::Unread("register tiles of another statement".to_string())
                    })?;
                    let is_here = |v: &&Variable<'a>| self.cursor.is(v.element.name);
                    let found = match std::iter::once(result).chain(operands).find(is_here) {
                        Some(found) => found,
                        None if element.subscripts.is_empty() && !is_first => {
                            // A scalar variable of the program stands for itself; results are of another
                            // array.
                            let (before, _) = element.base.parts();
                            self.cursor.expect_all(&tokens(before))?;
                            self.check_known(element.array)?;
                            continue;
                        }
                        None => return Err(self.cursor.wrong("a variable of the tile")),
                    };
                    if is_first && found.element.name != result.element.name {
                        return Err(self.cursor.wrong(&format!("`{}`", result.element.name)));
                    }
                    let place = place_of(nest, operand, spot);
                    let meets = (found.element.name, place);
                    if !known.variables.contains(&meets) {
                        let here = (&mut *known, shape, spot);
                        let meant = (element.as_ref(), operand, place);
                        self.is_meant(nest, meant, (found, vector), here)?;
                        known.variables.push(meets);
                    }
                    self.cursor.at += 1;
                    is_first = false;
                }
            }
        }
        self.cursor.expect(";")
    }

    /// A variable holds the elements that a statement has.
    fn is_meant(
        &mut self,
        nest: &Nest<'a>,
        (element, operand, place): (&Element, &Operand, ElementPlace),
        (variable, vector): (&Variable<'a>, &VectorType<'a>),
        (known, shape, spot): (&mut Known<'a>, &Shape, &Spot),
    ) -> Walked<()> {
        let Element { base, array, subscripts } = element;
        let held = &variable.element;
        if variable.held == Held::Staged {
            let is_result = held.array == *array
                && held.base == *base
                && self.subscripts_at(nest, subscripts)?
                    == self.subscripts_at(nest, &nest.result.subscripts)?;
            return match is_result {
                true => Ok(()),
                false => Err(self.cursor.wrong("a result of the tile")),
            };
        }
        if held.array != *array || held.base != *base || held.subscripts.len() != subscripts.len() {
            return Err(self.cursor.wrong("a variable of another array"));
        }
        self.check_known(*array)?;
        let (line, name) = (self.cursor.line(), &self.scop.array(*array).name);
        let about = || format!("line {line} of the printed text has another element of `{name}`");
        let arguments = &coordinates(nest, &spot.row, &spot.column)[..];
        let instance = (nest.call.tuple, arguments);
        let last = subscripts.len().checked_sub(1);
        for (position, (printed, meant)) in held.subscripts.iter().zip(subscripts).enumerate() {
            let along = i64::from(variable.held == Held::Vector && Some(position) == last);
            let moves_by = operand.by_column.get(position).cloned().flatten();
            if vector.lanes > 1 && moves_by != Some(Int::from(along)) {
                // The first lane is one of them.
                self.lanes_are_meant((printed, along), meant, (nest, vector, arguments))?;
            } else if !self.around.is_plainly_at_instance(printed, meant, arguments) {
                let law = RowLaw {
                    operand: place.operand,
                    vector: place.vector,
                    position,
                    first: printed.clone(),
                    moves_by: None,
                };
                if !self.is_meant_in_all_rows(nest, (&law, meant), known, (shape, spot))? {
                    self.around.same_at_instance(printed, meant, instance, &about)?;
                    if spot.number == 0 {
                        known.rows.push(law);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a subscript is what the statement has because that is known for all rows: they are looked at
    /// together in the second one, since each look takes sets.
    fn is_meant_in_all_rows(
        &mut self,
        nest: &Nest<'a>,
        (own, meant): (&RowLaw, &PwAff),
        known: &mut Known<'a>,
        (shape, spot): (&Shape, &Spot),
    ) -> Walked<bool> {
        let is_own = |law: &&mut RowLaw| {
            law.operand == own.operand && law.vector == own.vector && law.position == own.position
        };
        let Some(law) = known.rows.iter_mut().find(is_own) else { return Ok(false) };
        let forms = Form::of(&own.first).zip(Form::of(&law.first));
        let Some(more) = forms.and_then(|(own, first)| own.constant_difference(&first)) else {
            return Ok(false);
        };
        if let Some(moves_by) = &law.moves_by {
            return Ok(more == moves_by * &Int::from(spot.number));
        }
        if spot.number != 1 {
            return Ok(false);
        }
        // No name of a program has this form.
        let number = AstExpr::Id(Name::from("(row number)"));
        let sum = |a: &AstExpr, b: AstExpr| AstExpr::Add(Box::new(a.clone()), Box::new(b));
        let any_row = sum(&shape.first_row, number.clone());
        let factor = Box::new(AstExpr::Int(more.clone()));
        let printed = sum(&law.first, AstExpr::Mul(factor, Box::new(number.clone())));
        let inside = AstExpr::And(vec![
            AstExpr::Ge(Box::new(number.clone()), Box::new(AstExpr::int(0))),
            AstExpr::Lt(Box::new(number), Box::new(AstExpr::int(shape.n_rows))),
        ]);
        let arguments = coordinates(nest, &any_row, &spot.column);
        let outside = self.around.depth();
        self.around.enter(Around::Holds(inside));
        let instance = (nest.call.tuple, &arguments[..]);
        let found = self.around.same_at_instance(&printed, meant, instance, &String::new);
        self.around.leave_to(outside);
        match found {
            Ok(()) => {
                law.moves_by = Some(more);
                Ok(true)
            }
            Err(Stop::Wrong(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// The subscript of each lane is that of the first one, or one more for each lane, as the statement has
    /// it in the columns that follow.
    fn lanes_are_meant(
        &mut self,
        (printed, along): (&AstExpr, i64),
        meant: &PwAff,
        (nest, vector, arguments): (&Nest<'a>, &VectorType<'a>, &[AstExpr]),
    ) -> Walked<()> {
        // No name of a program has this form.
        let lane = AstExpr::Id(Name::from("(lane)"));
        let with_lane = |e: &AstExpr| AstExpr::Add(Box::new(e.clone()), Box::new(lane.clone()));
        let plain = nest.call.arguments.iter().zip(arguments);
        let later: Vec<AstExpr> = plain
            .map(|(argument, here)| match argument.mentions(&nest.column.iterator) {
                false => Some(here.clone()),
                true => {
                    let moves = Form::of(&with_value(
                        argument,
                        &nest.column.iterator,
                        &plus(&AstExpr::Id(nest.column.iterator.clone()), 1),
                    ))?
                    .constant_difference(&Form::of(argument)?)?;
                    moves.is_one().then(|| with_lane(here))
                }
            })
            .collect::<Option<_>>()
            .ok_or_else(|| Stop::Unread("register tiles along other columns".to_string()))?;
        let inside = AstExpr::And(vec![
            AstExpr::Ge(Box::new(lane.clone()), Box::new(AstExpr::int(0))),
            AstExpr::Lt(Box::new(lane.clone()), Box::new(AstExpr::int(vector.lanes))),
        ]);
        let printed = if along == 0 { printed.clone() } else { with_lane(printed) };
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: vectors have other elements");
        let outside = self.around.depth();
        self.around.enter(Around::Holds(inside));
        let result =
            self.around.same_at_instance(&printed, meant, (nest.call.tuple, &later), &about);
        self.around.leave_to(outside);
        result
    }

    fn same_element(
        &mut self,
        one: &Kept<'a>,
        other: &Kept<'a>,
        about: &dyn Fn() -> String,
    ) -> Walked<()> {
        if one.array != other.array || one.base != other.base {
            return Err(self.cursor.wrong("the element of a variable"));
        }
        for (a, b) in one.subscripts.iter().zip(&other.subscripts) {
            self.around.same_value(a, b, about)?;
        }
        Ok(())
    }
}
