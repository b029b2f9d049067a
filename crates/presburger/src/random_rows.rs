//! Small pseudo-random rows for the tests of the solvers.
use loopwright_exact::Row;

/// A linear congruential generator (Knuth's MMIX constants); the same numbers on every machine.
pub(crate) struct Generator(u64);

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Generator(seed)
    }

    /// A number in `0..limit`.
    pub(crate) fn below(&mut self, limit: i64) -> i64 {
        let state = u128::from(self.0) * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407;
        self.0 = (state & u128::from(u64::MAX)) as u64;
        (self.0 >> 33) as i64 % limit
    }

    /// A number in `-limit..=limit`.
    pub(crate) fn within(&mut self, limit: i64) -> i64 {
        self.below(2 * limit + 1) - limit
    }

    /// A row with some zeros, the constant up to `constant` in magnitude.
    pub(crate) fn row(&mut self, width: usize, coefficient: i64, constant: i64) -> Row {
        let mut values = vec![self.within(constant)];
        for _ in 1..width {
            let value = if self.below(3) == 0 { 0 } else { self.within(coefficient) };
            values.push(value);
        }
        Row::from_i64s(&values)
    }
}
