//! The lines of a file of recorded operations.
use loopwright_presburger::DimKind;

/// One recorded operation: `id op kindA A kindB B extra expected quality source ns`, separated by
/// tabulators.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The name of the line.
    pub(crate) id: String,
    /// isl's name of the operation without `isl_`.
    pub(crate) operation: String,
    /// The kind and the text of the operands.
    pub(crate) operands: Vec<(String, String)>,
    /// Arguments that are numbers.
    pub(crate) extra: Vec<usize>,
    /// How large isl's result is.
    pub(crate) recorded: Quality,
}

/// The number of columns of a recorded count.
const COLUMNS_OF_COUNTS: usize = 7;

/// The size of a result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quality {
    /// Basic sets or pieces.
    pub(crate) pieces: usize,
    /// Their constraints.
    pub(crate) constraints: usize,
    /// Their locals.
    pub(crate) locals: usize,
}

/// The dimensions that an operation works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dims {
    /// Their kind.
    pub(crate) kind: DimKind,
    /// The first.
    pub(crate) first: usize,
    /// Their number.
    pub(crate) count: usize,
}

impl Record {
    /// Reads a line; none for a comment or a line without operand.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let column = |at: usize| columns.get(at).copied().unwrap_or("");
        if line.starts_with('#') || columns.len() < 4 {
            return None;
        }
        // Recorded counts have one operand, its source, the expected text and a time.
        let second = if columns.len() == COLUMNS_OF_COUNTS { columns.len() } else { 4 };
        let operand = |at: usize| (column(at).to_string(), column(at + 1).to_string());
        let is_given = |operand: &(String, String)| !operand.0.is_empty();
        Some(Record {
            id: column(0).to_string(),
            operation: column(1).to_string(),
            operands: [operand(2), operand(second)].into_iter().filter(is_given).collect(),
            extra: column(6).split_whitespace().filter_map(|word| word.parse().ok()).collect(),
            recorded: Quality::parse(column(8)),
        })
    }

    /// The arguments of a projection.
    pub(crate) fn dims(&self) -> Option<Dims> {
        let &[kind, first, count] = self.extra.as_slice() else { return None };
        let kind = match kind {
            1 => DimKind::Param,
            2 => DimKind::In,
            3 => DimKind::Out,
            _ => return None,
        };
        Some(Dims { kind, first, count })
    }
}

impl Quality {
    /// Reads `nb=1 nc=6 nd=0`.
    fn parse(text: &str) -> Self {
        let number = |key: &str| {
            let mut values = text.split_whitespace().filter_map(|word| word.strip_prefix(key));
            values.next().and_then(|value| value.parse().ok()).unwrap_or(0)
        };
        Quality { pieces: number("nb="), constraints: number("nc="), locals: number("nd=") }
    }
}
