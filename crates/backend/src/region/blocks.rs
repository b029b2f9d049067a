//! Nests whose results stay in vector variables.
use super::{ITERATOR_TYPE, Printer};
use crate::implied::{self, Facts, Times};
use crate::linear::Linear;
use crate::register_block::{End, PartialBlock, Recognised, RegisterBlock, Role, Rows, Unrolled};
use crate::register_block_text;
use loopwright_astgen::AstExpr;
use loopwright_presburger::{Int, Name, Result};

impl Printer<'_> {
    /// A nest that is one block or several ones; `iterator` and `init` are those of the sum.
    pub(super) fn recognised(
        &mut self,
        found: &Recognised,
        iterator: &Name,
        init: &AstExpr,
    ) -> Result<()> {
        self.is_improved = true;
        match found {
            Recognised::Whole(block) => self.register_block(block, None, iterator, init),
            Recognised::Parts(parts) => match parts.widest {
                None => self.parts(parts, iterator, init),
                Some(widest) => self.diagonal(parts, widest, iterator, init),
            },
        }
    }

    /// A block. It is entered only if the loop along the sum runs, so that the results exist and
    /// nothing is written that the program does not write.
    ///
    /// With `staged` its results are in that array.
    fn register_block(
        &mut self,
        block: &RegisterBlock,
        staged: Option<&str>,
        iterator: &Name,
        init: &AstExpr,
    ) -> Result<()> {
        let text = register_block_text::text(self.scop, block, staged, &mut self.lowering);
        let runs = implied::runs(block.sum)?;
        self.block_line(runs.as_ref());
        self.writer.depth_in();
        text.before.iter().for_each(|line| self.writer.line(line));
        self.loop_line(block.sum, iterator, init);
        self.writer.depth_in();
        text.body.iter().for_each(|line| self.writer.statement(line, block.statement));
        self.writer.depth_out();
        self.writer.line("}");
        text.after.iter().for_each(|line| self.writer.line(line));
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }

    /// A part of a tile: all of its rows at once if there are as many as in a full one, else one by one.
    fn parts(&mut self, parts: &PartialBlock, iterator: &Name, init: &AstExpr) -> Result<()> {
        let facts = Facts::in_front_of(parts.block.sum);
        let facts = facts.as_ref();
        let rows = match &parts.rows {
            Rows::All(rows) => return self.some_rows(parts, rows, facts, iterator, init),
            Rows::AtMost(rows) => {
                match implied::needed(&AstExpr::And(parts.has_all(rows)), facts)? {
                    Some(condition) => Some((rows, condition)),
                    None => return self.some_rows(parts, rows, facts, iterator, init),
                }
            }
            Rows::Any => None,
        };
        if let Some((rows, condition)) = &rows {
            self.if_line(condition);
            self.writer.depth_in();
            let facts = facts.map(|facts| facts.under(condition)).transpose()?;
            self.some_rows(parts, rows, facts.as_ref(), iterator, init)?;
            self.writer.depth_out();
            self.writer.line("} else {");
            self.writer.depth_in();
        }
        let row = self.lowering.iterator(&parts.row.iterator);
        let first = self.lowering.lower(&parts.row.init);
        self.loop_line(parts.row, &row, &first);
        self.writer.depth_in();
        let single = Unrolled::from_iterator(&parts.row.iterator, 1);
        self.some_rows(parts, &single, facts, iterator, init)?;
        self.writer.depth_out();
        self.writer.line("}");
        if rows.is_some() {
            self.writer.depth_out();
            self.writer.line("}");
        }
        Ok(())
    }

    /// All columns of some rows: as many vectors as there are, then shorter ones.
    fn some_rows(
        &mut self,
        parts: &PartialBlock,
        rows: &Unrolled,
        facts: Option<&Facts>,
        iterator: &Name,
        init: &AstExpr,
    ) -> Result<()> {
        let PartialBlock { block, column, columns, .. } = parts;
        if let Some(columns) = columns {
            let block = block.with_shape(rows.clone(), columns.clone(), block.lanes);
            return self.register_block(&block, None, iterator, init);
        }
        let (start, condition) = (&column.init, &column.condition);
        self.by_vectors(parts, (start, condition), facts, |printer, columns, lanes| {
            let part = block.with_shape(rows.clone(), columns, lanes);
            printer.register_block(&part, None, iterator, init)
        })
    }

    /// A part of a tile at a diagonal: all rows with the columns of the widest one, if the sum runs and all
    /// rows are there and have columns; the loops as they are otherwise.
    fn diagonal(
        &mut self,
        parts: &PartialBlock,
        widest: End,
        iterator: &Name,
        init: &AstExpr,
    ) -> Result<()> {
        let PartialBlock { block, row, column, .. } = parts;
        let (rows, are_certain) = match &parts.rows {
            Rows::All(rows) => (rows, true),
            Rows::AtMost(rows) => (rows, false),
            Rows::Any => return self.plain(parts, iterator, init),
        };
        let last = rows.first.plus(&Linear::from_int(Int::from(rows.count - 1))).to_expression();
        let first = rows.first.to_expression();
        let (widest, narrowest) = match widest {
            End::First => (&first, &last),
            End::Last => (&last, &first),
        };
        let at = |e: &AstExpr, value: &AstExpr| with_value(e, &row.iterator, value);
        let has_columns = column.condition.with_left_side(&column.init);
        let facts = Facts::in_front_of(block.sum);
        let outside = facts.as_ref();
        let mut conditions = Vec::from_iter(implied::runs(block.sum)?);
        if !column.entry.always_runs()? {
            conditions.extend(implied::needed(&at(&has_columns, narrowest), outside)?);
        }
        if !are_certain {
            conditions.extend(implied::needed(&AstExpr::And(parts.has_all(rows)), outside)?);
        }
        let is_sure = conditions.is_empty();
        let condition = (!is_sure).then(|| AstExpr::and(conditions));
        self.block_line(condition.as_ref());
        self.writer.depth_in();
        let (start, runs) = (at(&column.init, widest), at(&column.condition, widest));
        let array = self.lowering.fresh(&format!("{}_part", self.scop.array(block.result()).name));
        let inside = match (outside, &condition) {
            (Some(facts), Some(condition)) => Some(facts.under(condition)?),
            (facts, _) => facts.cloned(),
        };
        self.by_vectors(parts, (&start, &runs), inside.as_ref(), |printer, columns, lanes| {
            let part = block.with_shape(rows.clone(), columns, lanes);
            let (element_type, count) = (part.element_type, rows.count);
            let declaration = format!("{element_type} {array}[{count}][{lanes}]");
            let attribute = "__attribute__((aligned(64)))";
            printer.writer.line(&format!("{declaration} {attribute} = {{{{0}}}};"));
            printer.copy(parts, rows, &array, lanes, true);
            printer.register_block(&part, Some(&array), iterator, init)?;
            printer.copy(parts, rows, &array, lanes, false);
            Ok(())
        })?;
        self.writer.depth_out();
        if !is_sure {
            self.writer.line("} else {");
            self.writer.depth_in();
            self.plain(parts, iterator, init)?;
            self.writer.depth_out();
        }
        self.writer.line("}");
        Ok(())
    }

    /// The loops as they are.
    fn plain(&mut self, parts: &PartialBlock, iterator: &Name, init: &AstExpr) -> Result<()> {
        self.loop_line(parts.block.sum, iterator, init);
        self.nested(&parts.block.sum.body)?;
        self.writer.line("}");
        Ok(())
    }

    /// Copies the results that there are, of `lanes` columns from the one that the iterator over columns has,
    /// to an array or back.
    fn copy(
        &mut self,
        parts: &PartialBlock,
        rows: &Unrolled,
        array: &str,
        lanes: i64,
        to_array: bool,
    ) {
        let PartialBlock { block, row, column, .. } = parts;
        let (from, name) =
            (self.lowering.iterator(&column.iterator), self.lowering.iterator(&row.iterator));
        let own: Name = self.lowering.fresh(&format!("{from}_part")).into();
        let here = AstExpr::Id(own.clone());
        let first = self.lowering.lower(&rows.first.to_expression());
        let count = rows.count;
        let line = format!(
            "for ({ITERATOR_TYPE} {name} = {first}; {name} < {first} + {count}; {name}++) {{"
        );
        self.writer.line(&line);
        self.writer.depth_in();
        let start = match column.init.mentions(&row.iterator) {
            true => AstExpr::Max(vec![AstExpr::Id(column.iterator.clone()), column.init.clone()]),
            false => AstExpr::Id(column.iterator.clone()),
        };
        let start = self.lowering.lower(&start);
        let runs = self.lowering.lower(&column.condition.with_left_side(&here));
        let line = format!(
            "for ({ITERATOR_TYPE} {own} = {start}; {own} < {from} + {lanes} && {runs}; {own}++) {{"
        );
        self.writer.line(&line);
        self.writer.depth_in();
        let result = block.operands.iter().find(|operand| operand.role == Role::Result);
        if let Some(result) = result {
            let mut subscripts = Vec::with_capacity(result.subscripts.len());
            for subscript in &result.subscripts {
                let subscript = subscript.with(&column.iterator, &Linear::from_name(&own));
                let subscript = self.lowering.lower(&subscript.to_expression());
                subscripts.push(subscript.to_string());
            }
            let element = result.base.with(&subscripts);
            let here = AstExpr::Id(row.iterator.clone());
            let here = AstExpr::Sub(Box::new(here), Box::new(rows.first.to_expression()));
            let staged = format!("{array}[{}][{own} - {from}]", self.lowering.lower(&here));
            self.writer.line(&match to_array {
                true => format!("{staged} = {element};"),
                false => format!("{element} = {staged};"),
            });
        }
        for _ in 0..2 {
            self.writer.depth_out();
            self.writer.line("}");
        }
    }

    /// Columns from `start` on while the condition holds, by vectors of full length, then shorter ones, as
    /// far as their number needs them.
    fn by_vectors(
        &mut self,
        parts: &PartialBlock,
        (start, condition): (&AstExpr, &AstExpr),
        facts: Option<&Facts>,
        mut print: impl FnMut(&mut Self, Unrolled, i64) -> Result<()>,
    ) -> Result<()> {
        let PartialBlock { block, column, .. } = parts;
        let name = self.lowering.iterator(&column.iterator);
        let first = self.lowering.lower(start);
        self.writer.line("{");
        self.writer.depth_in();
        self.writer.line(&format!("{ITERATOR_TYPE} {name} = {first};"));
        let counts = implied::counts(start, condition, facts)?.unwrap_or_default();
        let steps = implied::vectors(&counts, block.lanes, facts)?;
        for (position, (lanes, times)) in steps.iter().enumerate() {
            let lanes = *lanes;
            let here = Linear::from_name(&column.iterator);
            let last = here.plus(&Linear::from_int(Int::from(lanes - 1))).to_expression();
            let runs = self.lowering.lower(&condition.with_left_side(&last));
            self.writer.line(&match times {
                Times::Any => format!("for (; {runs}; {name} += {lanes}) {{"),
                Times::AtMostOnce => format!("if ({runs}) {{"),
                Times::Once => "{".to_string(),
            });
            self.writer.depth_in();
            print(self, Unrolled::from_iterator(&column.iterator, lanes), lanes)?;
            if *times != Times::Any && position + 1 < steps.len() {
                self.writer.line(&format!("{name} += {lanes};"));
            }
            self.writer.depth_out();
            self.writer.line("}");
        }
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }
}

/// An expression with a value for a name.
fn with_value(expression: &AstExpr, name: &Name, value: &AstExpr) -> AstExpr {
    match expression {
        AstExpr::Id(known) if known == name => value.clone(),
        other => other.map_operands(&mut |operand| with_value(operand, name, value)),
    }
}
