//! Running and timing one recorded operation.
use super::record::{Dims, Quality, Record};
use super::value::Value;
use super::{clock, function_operations, map_operations, set_operations, union_operations};
use loopwright_presburger::{Budget, DimKind, Error};
use std::fmt;
use std::time::Duration;

/// What an operation gets beside its first operand.
pub(crate) struct Arguments<'a> {
    /// The operands, the first one included.
    pub(crate) operands: &'a [Value],
    /// The line, for arguments that are numbers.
    pub(crate) record: &'a Record,
    /// The limit on work.
    pub(crate) budget: &'a Budget,
}

/// An operation as the tables hold it.
pub(crate) type Operation = fn(&Arguments<'_>) -> Result<Value, Failure>;

/// Why there is no result.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The library lacks the operation.
    Unsupported,
    /// An operand cannot be read.
    Unparsed(Error),
    /// The limit was reached.
    Limit,
    /// The operation refuses its operands.
    Refused(Error),
    /// The line has not the operands or arguments that the operation takes.
    Arguments,
    /// The operation panics.
    Panic,
}

/// What became of a line.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// A result.
    Done {
        /// The time of the operation alone.
        time: Duration,
        /// The result, printed.
        text: String,
        /// The size of the result.
        quality: Quality,
    },
    /// None.
    Failed(Failure),
}

impl Failure {
    /// The word that is printed in place of a result.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Failure::Unsupported => "UNSUPPORTED",
            Failure::Unparsed(_) => "UNPARSED",
            Failure::Limit => "TIMEOUT",
            Failure::Refused(_) | Failure::Arguments => "ERROR",
            Failure::Panic => "CRASH",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unparsed(error) | Failure::Refused(error) => {
                write!(f, "{}: {error}", self.word())
            }
            _ => f.write_str(self.word()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Exceeded { .. } => Failure::Limit,
            _ => Failure::Refused(error),
        }
    }
}

impl<'a> Arguments<'a> {
    /// An operand as the type that the operation takes.
    pub(crate) fn operand<T>(&self, position: usize) -> Result<&'a T, Failure>
    where
        &'a T: TryFrom<&'a Value>,
    {
        let value = self.operands.get(position).ok_or(Failure::Arguments)?;
        <&T>::try_from(value).map_err(|_| Failure::Arguments)
    }

    /// The dimensions of a projection.
    pub(crate) fn dims(&self) -> Result<Dims, Failure> {
        self.record.dims().ok_or(Failure::Arguments)
    }

    /// The parameters that a projection of a union works on.
    pub(crate) fn params(&self) -> Result<Dims, Failure> {
        self.dims().ok().filter(|dims| dims.kind == DimKind::Param).ok_or(Failure::Arguments)
    }

    /// The position of a dimension.
    pub(crate) fn position(&self) -> Result<usize, Failure> {
        self.record.extra.first().copied().ok_or(Failure::Arguments)
    }
}

/// Looks an operation up by isl's name without `isl_`.
///
/// Basic sets and relations are unions of one piece here: their operations are those of the
/// unions.
fn find(name: &str) -> Option<Operation> {
    let tables = [
        ("union_set_", union_operations::OF_SETS),
        ("union_map_", union_operations::OF_MAPS),
        ("basic_set_", set_operations::TABLE),
        ("basic_map_", map_operations::TABLE),
        ("pw_multi_aff_from_", function_operations::FROM_RELATIONS),
        ("pw_multi_aff_", function_operations::OF_TUPLES),
        ("pw_aff_", function_operations::OF_EXPRESSIONS),
        ("set_", set_operations::TABLE),
        ("map_", map_operations::TABLE),
    ];
    let (prefix, table) = tables.into_iter().find(|(prefix, _)| name.starts_with(prefix))?;
    let name = &name[prefix.len()..];
    table.iter().find(|(known, _)| *known == name).map(|(_, operation)| *operation)
}

/// Reads the operands, runs the operation, and prints the result; only the operation is timed.
pub(crate) fn run(record: &Record, is_busy: bool, budget: &Budget) -> Outcome {
    measured(record, is_busy, budget).unwrap_or_else(Outcome::Failed)
}

fn measured(record: &Record, is_busy: bool, budget: &Budget) -> Result<Outcome, Failure> {
    let operands = operands(record)?;
    let (result, time) = timed(record, &operands, is_busy, budget)?;
    let result = result?;
    Ok(Outcome::Done { time, text: result.to_string(), quality: result.quality() })
}

/// Reads the operands of a line.
pub(crate) fn operands(record: &Record) -> Result<Vec<Value>, Failure> {
    let read = |(kind, text): &(String, String)| {
        Value::parse(kind, text).ok_or(Failure::Unsupported)?.map_err(Failure::Unparsed)
    };
    record.operands.iter().map(read).collect()
}

/// Runs the operation of a line: its result and its time, also if the budget ends.
pub(crate) fn timed(
    record: &Record,
    operands: &[Value],
    is_busy: bool,
    budget: &Budget,
) -> Result<(Result<Value, Failure>, Duration), Failure> {
    let operation = find(&record.operation).ok_or(Failure::Unsupported)?;
    let arguments = Arguments { operands, record, budget };
    Ok(clock::timed(is_busy, || operation(&arguments)))
}

/// A table of operations on a type, by their names.
///
/// `name(budget; a, b: Other) => expression` reads the operands into variables and converts the
/// result; the expression may use `?`.
macro_rules! operations {
    ($(#[$doc:meta])* $table:ident: $kind:ty; $(
        $name:ident($arguments:ident; $a:ident $(, $b:ident: $other:ty)?) => $result:expr;
    )*) => {
        $(#[$doc])*
        pub(crate) const $table: &[(&str, crate::replay::operation::Operation)] = &[$(
            (stringify!($name), |$arguments| {
                let $a = $arguments.operand::<$kind>(0)?;
                $(let $b = $arguments.operand::<$other>(1)?;)?
                Ok(crate::replay::value::Value::from($result))
            }),
        )*];
    };
}
pub(crate) use operations;
