//! Rows behind tables of pointers, as a condition of C: that none has a byte that another one writes.
//!
//! The pointers are known when the program runs only. A function of the result collects the bytes of all
//! rows, which are sorted where they are not in order already, and looks at neighbours: so many steps as
//! there are rows. It answers no where the rows are short, since then looking costs more than is gained.
use super::ranges::{ByteRange, Writer};
use super::symbolic_value::SymbolicValue;
use super::text::set_text;
use loopwright_presburger::{Budget, Set};

/// The function, with what it needs: to stand before the first function that uses it.
pub const ROWS_APART: &str = include_str!("rows_apart.h");

/// How the names of all that is declared there begin.
pub(crate) const ROWS_PREFIX: &str = "loopwright_";

/// More tables around an element than this are not followed.
pub(crate) const MAX_TABLES: usize = 3;

/// What is accessed of a variable, in as many rows as its tables lead to.
#[derive(Clone, Debug)]
pub(crate) struct RowRange {
    /// The levels of the tables come first.
    pub(crate) bytes: ByteRange,
    pub(crate) n_tables: usize,
    pub(crate) is_written: bool,
}

/// The call of the function; none if a number is too large for it.
pub(super) fn rows_text(
    parts: &[RowRange],
    context: &Set,
    values: &[SymbolicValue],
) -> Option<String> {
    let entries = |is_limiting: bool| {
        let mut writer = Writer::new(values, is_limiting)?;
        let texts = parts.iter().map(|part| writer.rows_entry(part, context));
        let texts = texts.collect::<Option<Vec<String>>>()?;
        Some((writer.into_limits(), texts))
    };
    let (mut all, texts) = entries(false).or_else(|| entries(true))?;
    let list = texts.join(", ");
    all.push(format!(
        "loopwright_rows_apart({}, __extension__ (const struct loopwright_rows[]) {{{list}}})",
        parts.len()
    ));
    Some(all.join(" && "))
}

impl Writer<'_> {
    /// The members of a part.
    fn rows_entry(&mut self, part: &RowRange, context: &Set) -> Option<String> {
        let RowRange { bytes, n_tables, is_written } = part;
        let budget = || Budget::steps(200_000);
        let reached = bytes.reached.gist(context, &budget()).unwrap_or(bytes.reached.clone());
        let reached = reached.coalesce(&budget()).unwrap_or(reached);
        let base = format!("(const void *) {}", bytes.base);
        let base = match reached.plain_is_universe() {
            true => base,
            false => format!("{} ? {base} : 0", set_text(&reached, self.values())?),
        };
        let (tables, row) = bytes.levels.split_at_checked(*n_tables)?;
        let ends = |writer: &mut Self, is_greatest: bool| {
            let ends = tables.iter().map(|table| writer.only_subscript(table, is_greatest));
            Some(ends.collect::<Option<Vec<String>>>()?.join(", "))
        };
        let (first, last) = match tables {
            [] => ("0".to_string(), "0".to_string()),
            _ => (ends(self, false)?, ends(self, true)?),
        };
        let (start, end) =
            (self.offset(row, &bytes.element, false)?, self.offset(row, &bytes.element, true)?);
        let is_written = u8::from(*is_written);
        Some(format!(
            "{{{base}, {n_tables}, {is_written}, {{{first}}}, {{{last}}}, {start}, {end}}}"
        ))
    }
}
