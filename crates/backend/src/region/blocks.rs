//! Nests whose results stay in vector variables.
use super::{ITERATOR_TYPE, Printer};
use crate::linear::Linear;
use crate::register_block::{PartialBlock, Recognised, RegisterBlock, Rows, Unrolled};
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
        match found {
            Recognised::Whole(block) => {
                self.register_block(block, iterator, init);
                Ok(())
            }
            Recognised::Parts(parts) => self.parts(parts, iterator, init),
        }
    }

    /// A block. It is entered only if the loop along the sum runs, so that the results exist and
    /// nothing is written that the program does not write.
    fn register_block(&mut self, block: &RegisterBlock, iterator: &Name, init: &AstExpr) {
        let text = register_block_text::text(self.scop, block, &mut self.lowering);
        let runs = block.sum.condition.with_left_side(&block.sum.init);
        self.if_line(&runs);
        self.writer.depth_in();
        text.before.iter().for_each(|line| self.writer.line(line));
        self.loop_line(block.sum, iterator, init);
        self.writer.depth_in();
        text.body.iter().for_each(|line| self.writer.line(line));
        self.writer.depth_out();
        self.writer.line("}");
        text.after.iter().for_each(|line| self.writer.line(line));
        self.writer.depth_out();
        self.writer.line("}");
    }

    /// A part of a tile: all of its rows at once if there are as many as in a full one, else one by one.
    fn parts(&mut self, parts: &PartialBlock, iterator: &Name, init: &AstExpr) -> Result<()> {
        let rows = match &parts.rows {
            Rows::All(rows) => return self.some_rows(parts, rows, iterator, init),
            Rows::AtMost(rows) if parts.columns.is_none() => Some(rows),
            Rows::AtMost(_) | Rows::Any => None,
        };
        if let Some(rows) = rows {
            let last = Linear::from_int(Int::from(rows.count - 1));
            let last = rows.first.plus(&last).to_expression();
            self.if_line(&parts.row.condition.with_left_side(&last));
            self.writer.depth_in();
            self.some_rows(parts, rows, iterator, init)?;
            self.writer.depth_out();
            self.writer.line("} else {");
            self.writer.depth_in();
        }
        let row = self.lowering.iterator(&parts.row.iterator);
        let first = self.lowering.lower(&parts.row.init);
        self.loop_line(parts.row, &row, &first);
        self.writer.depth_in();
        let single = Unrolled::from_iterator(&parts.row.iterator, 1);
        self.some_rows(parts, &single, iterator, init)?;
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
        iterator: &Name,
        init: &AstExpr,
    ) -> Result<()> {
        let PartialBlock { block, column, columns, .. } = parts;
        if let Some(columns) = columns {
            let block = block.with_shape(rows.clone(), columns.clone(), block.lanes);
            self.register_block(&block, iterator, init);
            return Ok(());
        }
        let name = self.lowering.iterator(&column.iterator);
        let first = self.lowering.lower(&column.init);
        self.writer.line("{");
        self.writer.depth_in();
        self.writer.line(&format!("{ITERATOR_TYPE} {name} = {first};"));
        let mut lanes = block.lanes;
        while lanes >= 1 {
            let here = Linear::from_name(&column.iterator);
            let last = here.plus(&Linear::from_int(Int::from(lanes - 1))).to_expression();
            let runs = self.lowering.lower(&column.condition.with_left_side(&last));
            let is_loop = lanes == block.lanes;
            self.writer.line(&match is_loop {
                true => format!("for (; {runs}; {name} += {lanes}) {{"),
                false => format!("if ({runs}) {{"),
            });
            self.writer.depth_in();
            let columns = Unrolled::from_iterator(&column.iterator, lanes);
            let part = block.with_shape(rows.clone(), columns, lanes);
            self.register_block(&part, iterator, init);
            if !is_loop && lanes > 1 {
                self.writer.line(&format!("{name} += {lanes};"));
            }
            self.writer.depth_out();
            self.writer.line("}");
            lanes /= 2;
        }
        self.writer.depth_out();
        self.writer.line("}");
        Ok(())
    }
}
