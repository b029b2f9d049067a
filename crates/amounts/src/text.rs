//! Amounts as lines of a report.
use crate::balance::LoopBalance;
use crate::operations::{OperationAmount, StatementAmounts};
use crate::quantity::Quantity;
use crate::region::RegionAmounts;
use crate::roofline::Roofline;
use crate::tiles::TileAmounts;
use crate::touched::ArrayAmounts;
use std::fmt;

/// A longer function is not printed in reports for people if its value is known.
const LONGEST: usize = 160;

impl fmt::Display for Quantity {
    /// The function, and the value behind `=` where it is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        match self.value() {
            None => f.write_str(&text),
            Some(value) if self.form().is_none() || text == value.to_string() => {
                write!(f, "{value}")
            }
            Some(value) if text.len() > LONGEST => {
                write!(f, "a function of {} characters = {value}", text.len())
            }
            Some(value) => write!(f, "{text} = {value}"),
        }
    }
}

impl fmt::Display for StatementAmounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StatementAmounts { name, line, instances, operations, .. } = self;
        write!(f, "{name} (line {line}): {instances} instances, each with operations: {operations}")
    }
}

impl fmt::Display for OperationAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.kind.as_str();
        match (self.is_exact, &self.most) {
            (true, _) => write!(f, "{word}: {}", self.least),
            (false, Some(most)) => write!(f, "{word}: at least {}, at most {most}", self.least),
            (false, None) => write!(f, "{word}: at least {}, at most not known", self.least),
        }
    }
}

impl fmt::Display for ArrayAmounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_most = if self.is_exact { "" } else { "at most " };
        write!(f, "{}: {at_most}{} elements", self.name, self.elements)?;
        match (&self.lines, &self.written_lines) {
            (Some(lines), Some(written)) => {
                write!(f, ", {at_most}{lines} lines, {at_most}{written} of them written")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Roofline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let giga = |value: f64| value / 1e9;
        write!(
            f,
            "{:.3e} floating-point operations, at least {:.3e} bytes to and from memory: {:.3} operations for each byte; limited by \
             {}, {:.2} of {:.2} billion operations per second ({:.2} GB/s)",
            self.operations,
            self.bytes,
            self.intensity,
            self.limit.as_str(),
            giga(self.attainable),
            giga(self.peak),
            giga(self.bandwidth)
        )
    }
}

impl fmt::Display for TileAmounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileAmounts { statements, depth, tiles, instances, operations, arrays, bytes } = self;
        write!(
            f,
            "tile of {} ({depth} loops): {tiles} tiles; the one in the middle has {instances} instances and {operations} operations",
            statements.join(", ")
        )?;
        arrays.iter().try_for_each(|array| write!(f, "; {array}"))?;
        match bytes {
            Some(bytes) => write!(f, "; {bytes} bytes of lines in all"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for LoopBalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoopBalance { statements, depth, iterations, around, work, threads, shares } = self;
        let ((looked_at, all), (least, most)) = (around, work);
        let place = match depth {
            0 => String::new(),
            _ if looked_at == all => format!(" inside of {all} iterations of {depth} loops"),
            _ => format!(" inside of {depth} loops (in {looked_at} of their {all} iterations)"),
        };
        write!(
            f,
            "parallel loop of {}{place}: {iterations} iterations of {least:.0} to {most:.0} operations; largest share of {threads} threads over \
             the mean: {:.3} in static blocks, {:.3} in turn, {:.3} in blocks of equal work",
            statements.join(", "),
            shares.blocks,
            shares.in_turn,
            shares.equal
        )
    }
}

impl fmt::Display for RegionAmounts {
    /// One line for each amount, indented as lines of reports are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sizes.is_empty() {
            true => writeln!(f, "  amounts:")?,
            false => writeln!(f, "  amounts (values for {}):", self.sizes)?,
        }
        // What the only statement touches is what the region touches.
        let is_only = self.statements.len() == 1;
        for of in &self.statements {
            writeln!(f, "    {of}")?;
            let touched = if is_only { &[][..] } else { &of.arrays };
            touched.iter().try_for_each(|array| writeln!(f, "      {}: {array}", of.name))?;
        }
        self.operations.iter().try_for_each(|line| writeln!(f, "    in all, {line}"))?;
        self.arrays.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        self.roofline.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        self.tiles.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        self.loops.iter().try_for_each(|line| writeln!(f, "    {line}"))
    }
}
