//! Contributions to two sums that have several possible partners each, counted.
//!
//! # Method
//! Where a number, or one element, is added many times, no contribution has one partner. If "may be equal"
//! parts all contributions into blocks, in each of which every one of the first sum may be equal to every one
//! of the second, then there is a bijection if and only if each block has as many of both. How many there are
//! is a quasi-polynomial in the index, exactly counted, so that the two numbers are compared for all
//! instances at once.
//!
//! Minima and maxima, and bits that are combined by `&` or `|`, do not depend on how often a value is
//! combined: there each contribution only needs a partner.
use crate::same_contributions::{Compared, Parts, Question, Sums};
use crate::value::Operator;
use loopwright_presburger::{Map, PwQPolynomial, Result, Set};

/// So many triples of places, two of the first sum and one of the second, are counted.
const MOST_TRIPLES: usize = 512;

impl Sums<'_> {
    /// The partners of all contributions, if there are as many of both sums in each block.
    ///
    /// *Cost.* Compositions for all triples of places, and for each place two counts.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn counted(
        &self,
        operator: &Operator,
        question: &Question,
        parts: [&Parts; 2],
    ) -> Result<Compared> {
        let [first, second] = parts;
        let n_triples = first.all.len().pow(2) * second.all.len();
        if !operator.is_idempotent() && n_triples > MOST_TRIPLES {
            return Ok(Compared::Unknown);
        }
        let mut pairs: Vec<Vec<Map>> = Vec::new();
        for (own, set) in first.all.iter().zip(&first.sets) {
            let mut row = Vec::new();
            for (other, others) in second.all.iter().zip(&second.sets) {
                let both = self.pairs([own, other])?.align_params(&question.space);
                let both = both.intersect_domain_within(set, self.budget)?;
                row.push(both.intersect_range_within(others, self.budget)?);
            }
            pairs.push(row);
        }
        if let Some(alone) = self.alone(&pairs, parts)? {
            return Ok(Compared::Alone(question.constants(&alone)));
        }
        for row in &pairs {
            if !operator.is_idempotent() && !self.has_equal_blocks(row, &pairs)? {
                return Ok(Compared::Unknown);
            }
        }
        let mut found = Vec::new();
        for (own, row) in first.all.iter().zip(pairs) {
            for (other, both) in second.all.iter().zip(row) {
                if !both.is_empty(self.budget)? {
                    found.push(question.asked(both, [own, other], self.budget)?);
                }
            }
        }
        Ok(Compared::Partners(found))
    }

    /// Contributions of either sum without any partner.
    fn alone(&self, pairs: &[Vec<Map>], [first, second]: [&Parts; 2]) -> Result<Option<Set>> {
        for (row, set) in pairs.iter().zip(&first.sets) {
            let partners = row.iter().map(Map::domain);
            if let Some(alone) = self.without(set, partners)? {
                return Ok(Some(alone));
            }
        }
        for (at, set) in second.sets.iter().enumerate() {
            let partners = pairs.iter().map(|row| row[at].range());
            if let Some(alone) = self.without(set, partners)? {
                return Ok(Some(alone));
            }
        }
        Ok(None)
    }

    fn without(&self, set: &Set, parts: impl Iterator<Item = Set>) -> Result<Option<Set>> {
        let mut rest = set.clone();
        for part in parts {
            rest = rest.subtract(&part, self.budget)?;
        }
        Ok((!rest.is_empty(self.budget)?).then_some(rest))
    }

    /// Whether contributions of one place are in blocks of which each has as many of both sums.
    fn has_equal_blocks(&self, row: &[Map], pairs: &[Vec<Map>]) -> Result<bool> {
        let mut n_second: Option<PwQPolynomial> = None;
        for partners in row {
            self.add(&mut n_second, &partners.card(self.budget)?)?;
        }
        let mut n_first: Option<PwQPolynomial> = None;
        for others in pairs {
            // Contributions of the first sum that have a partner in common.
            let mut same: Option<Map> = None;
            for (own, other) in row.iter().zip(others) {
                let through = own.apply_range_within(&other.reverse(), self.budget)?;
                same = Some(match same {
                    Some(same) => same.union(&through)?,
                    None => through,
                });
            }
            let Some(same) = same else { continue };
            for (own, other) in row.iter().zip(others) {
                let all = same.apply_range_within(other, self.budget)?;
                if !all.is_subset(own, self.budget)? {
                    return Ok(false);
                }
            }
            self.add(&mut n_first, &same.card(self.budget)?)?;
        }
        match (n_first, n_second) {
            (Some(first), Some(second)) => first.is_equal(&second, self.budget),
            _ => Ok(false),
        }
    }

    fn add(&self, sum: &mut Option<PwQPolynomial>, more: &PwQPolynomial) -> Result<()> {
        *sum = Some(match sum.take() {
            Some(sum) => sum.add(more, self.budget)?,
            None => more.clone(),
        });
        Ok(())
    }
}
