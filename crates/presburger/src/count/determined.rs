//! Variables with one value for given others that need no floor.
//!
//! `a x <= f <= a x + a - 1` says `x = ⌊f/a⌋`. A condition `x >= g` is `f >= a g` then, and `x <= g` is
//! `f <= a g + a - 1`: with no other conditions on `x` the variable can be left out. Loops over tiles and
//! over the points of a tile come to this form when the position in the tile, `0 <= i <= w - 1`, is replaced
//! by `i + w t`, if that is what all other conditions are about.
//!
//! Where `f` is fixed, `x` may be a form of several variables, the other conditions do not matter, and
//! `a x <= f <= a x + b` with `b < a` suffices: `x = ⌊f/a⌋` is an equality then. Threads and blocks of a
//! kernel, whose numbers are residues of positions, are of this kind, and skewed tiles of which one is left.
use crate::count::summand::Summand;
use loopwright_exact::{Int, Row};

/// `0 <= form <= width - 1`, by the positions of the two rows.
struct Strip {
    low: usize,
    high: usize,
}

impl Summand {
    /// Removes a variable with one value; whether there was one.
    pub(super) fn drop_determined(&mut self) -> bool {
        let found = self.columns().find_map(|column| Some((column, self.determining(column)?)));
        let is_found = found.is_some();
        if let Some((column, strip)) = found {
            self.drop_variable(column, &strip);
        }
        is_found
    }

    /// Adds the equality of a form of variables to which two conditions leave at most one value; whether
    /// there was one.
    pub(super) fn fix_determined(&mut self) -> bool {
        // Parts of a sum would get domains of their own.
        if self.is_part {
            return false;
        }
        let found = (0..self.inequalities.len()).find_map(|low| {
            let factor = self.inequalities[low].gcd(self.columns());
            let strip = (factor > Int::ONE).then(|| self.strip_of(low)).flatten()?;
            (self.width_of(&strip) <= factor).then_some((strip, factor))
        });
        let Some((strip, factor)) = found else { return false };
        let mut numerator = self.inequalities[strip.high].clone();
        let mut form = Row::zeros(self.width());
        for column in self.columns() {
            form.set(column, -numerator.get(column));
            numerator.set(column, Int::ZERO);
        }
        form.div_exact(&factor);
        if self.width_of(&strip) == factor {
            self.inequalities = self.others(&strip).cloned().collect();
        }
        self.equalities.push(form);
        let value = self.floor_of(&numerator, &factor);
        if let Some(form) = self.equalities.last_mut() {
            form.add_scaled(&Int::MINUS_ONE, &value);
        }
        true
    }

    /// Replaces the position in a tile by the position in the whole; whether there was one.
    pub(super) fn unroll_strip(&mut self) -> bool {
        let found = self.columns().find_map(|position| {
            let strip = self.strip(position, |factor| factor.is_one())?;
            let width = self.width_of(&strip);
            let tile =
                self.columns().find(|&tile| self.is_tile_of(tile, position, &width, &strip))?;
            Some((position, width, tile))
        });
        if let Some((position, width, tile)) = &found {
            self.shear(*position, &-width, *tile);
        }
        found.is_some()
    }

    /// Two opposite rows on a column with an accepted coefficient.
    fn strip(&self, column: usize, accepted: impl Fn(&Int) -> bool) -> Option<Strip> {
        let is_low = |row: &Row| row.sign(column) > 0 && accepted(&row.get(column));
        let mut low = (0..self.inequalities.len()).filter(|&at| is_low(&self.inequalities[at]));
        low.find_map(|low| self.strip_of(low))
    }

    /// A row and the one with opposite coefficients.
    fn strip_of(&self, low: usize) -> Option<Strip> {
        let row = &self.inequalities[low];
        let is_opposite =
            |other: &Row| (1..row.len()).all(|at| (row.get(at) + other.get(at)).is_zero());
        let high = self.inequalities.iter().position(is_opposite)?;
        Some(Strip { low, high })
    }

    /// The number of values of the form.
    fn width_of(&self, strip: &Strip) -> Int {
        self.inequalities[strip.low].get(0) + self.inequalities[strip.high].get(0) + Int::ONE
    }

    /// The rows beside those of a strip.
    fn others(&self, strip: &Strip) -> impl Iterator<Item = &Row> {
        let own = [strip.low, strip.high];
        let rows = self.inequalities.iter().enumerate();
        rows.filter(move |(at, _)| !own.contains(at)).map(|(_, row)| row)
    }

    /// Whether only rows of constraints are about a variable, neither the weight nor a definition.
    fn is_plain(&self, column: usize) -> bool {
        let first = self.first_variable();
        let mut others = self.variables.iter().enumerate().filter(|(at, _)| first + at != column);
        !self.weight.involves(column)
            && self.equalities.iter().all(|row| row.is_zero_at(column))
            && others
                .all(|(_, of)| of.as_ref().is_none_or(|floor| floor.numerator.is_zero_at(column)))
    }

    /// The rows that give a variable one value, if all others bound it by integers.
    fn determining(&self, column: usize) -> Option<Strip> {
        if !self.is_plain(column) {
            return None;
        }
        let strip = self.strip(column, |factor| *factor > Int::ONE)?;
        let divisor = self.inequalities[strip.low].get(column);
        let is_single = self.width_of(&strip) == divisor;
        let is_integral = |row: &Row| row.is_zero_at(column) || row.get(column).abs().is_one();
        (is_single && self.others(&strip).all(is_integral)).then_some(strip)
    }

    fn drop_variable(&mut self, column: usize, strip: &Strip) {
        self.forget(column);
        let mut numerator = self.inequalities[strip.high].clone();
        let divisor = numerator.get(column).abs();
        numerator.set(column, Int::ZERO);
        let mut rows: Vec<Row> = self.others(strip).cloned().collect();
        for row in rows.iter_mut().filter(|row| !row.is_zero_at(column)) {
            let is_lower = row.sign(column) > 0;
            row.set(column, Int::ZERO);
            row.scale(&divisor);
            row.add_scaled(if is_lower { &Int::ONE } else { &Int::MINUS_ONE }, &numerator);
            if !is_lower {
                row.add_at(0, &(&divisor - &Int::ONE));
            }
        }
        self.inequalities = rows;
        self.remove_variable(column);
    }

    /// Whether all conditions beside the strip that are about a position are about `position + width * tile`.
    fn is_tile_of(&self, tile: usize, position: usize, width: &Int, strip: &Strip) -> bool {
        if tile == position || *width <= Int::ONE || !self.is_plain(position) {
            return false;
        }
        let mut involved = self.others(strip).filter(|row| !row.is_zero_at(position)).peekable();
        self.inequalities[strip.low].is_zero_at(tile)
            && involved.peek().is_some()
            && involved.all(|row| row.get(tile) == &row.get(position) * width)
    }
}
