//! Times that single equalities give as a function of parameters and iterators.
use loopwright_presburger::{BasicMap, DimKind, Int, Map, Row};

/// The times of some calls in one component of the schedule, if they are alike but for constants.
pub(crate) struct PlainTimes {
    /// The coefficients of the parameters and of the outer iterators.
    function: Vec<Int>,
    /// What is added for each of the calls.
    pub(crate) constants: Vec<Int>,
}

impl PlainTimes {
    /// What the equalities over parameters and the outer `n` iterators say of component `level` of
    /// the times, relations from iterators to times; none if there are no times.
    pub(crate) fn of<'a>(
        times: impl Iterator<Item = &'a Map>,
        n: usize,
        level: usize,
    ) -> Option<Self> {
        let mut times = times.peekable();
        let params = times.peek()?.space().param_names();
        let (mut function, mut constants) = (None, Vec::new());
        for time in times {
            let mut values = time.basic_maps().iter().map(|basic| value(basic, n, level));
            let mut first = values.next()??;
            if time.space().param_names() != params
                || !values.all(|other| other.as_ref() == Some(&first))
            {
                return None;
            }
            constants.push(first.remove(0));
            if *function.get_or_insert_with(|| first.clone()) != first {
                return None;
            }
        }
        Some(PlainTimes { function: function?, constants })
    }

    /// By how much the times increase with the innermost of the iterators; none without iterators
    /// and parameters.
    pub(crate) fn step(&self) -> Option<&Int> {
        self.function.last()
    }

    /// Whether the times are the innermost of the iterators.
    pub(crate) fn are_iterator(&self) -> bool {
        self.function.split_last().is_some_and(|(last, others)| {
            last.is_one() && others.iter().chain(&self.constants).all(Int::is_zero)
        })
    }

    /// By how much the constants differ.
    pub(crate) fn spread(&self) -> Int {
        let extremes = self.constants.iter().max().zip(self.constants.iter().min());
        extremes.map_or(Int::ZERO, |(greatest, least)| greatest - least)
    }
}

/// The equality `time[level] = ...` over parameters and the outer `n` iterators, normalized to
/// coefficient 1 of the time: `[constant | params | outer]`.
fn value(basic: &BasicMap, n: usize, level: usize) -> Option<Vec<Int>> {
    let (ins, outs) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let gives_value = |row: &&Row| {
        let coefficient = row.get(outs + level).abs();
        let mut others = (ins + n..row.len()).filter(|column| *column != outs + level);
        coefficient.is_one() && others.all(|column| row.is_zero_at(column))
    };
    let row = basic.equalities().iter().find(gives_value)?;
    let sign = -row.get(outs + level);
    Some((0..ins + n).map(|column| &sign * &row.get(column)).collect())
}
