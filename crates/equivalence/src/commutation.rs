//! Operators whose operands may be grouped and ordered in any way.
//!
//! The operands of nested operations of one such operator are a list on each side. If one list is shorter, an
//! operand of it that reads the result of such an operation is replaced by the operands of that. Lists of one
//! length are matched so that operands that are plainly different are no partners; if a matching fails, the
//! proof starts again with the next one.
use crate::accumulation::flat_operands;
use crate::obligation::{Matching, Point, Step, ways};
use crate::program::Program;
use crate::proof::{Mismatch, Proof};
use crate::value::{NodeId, NodeKind, Operator};
use loopwright_presburger::{Map, Result};

/// An operand, with the step from instances of the operation to instances of it.
#[derive(Clone)]
struct Operand {
    point: Point,
    step: Option<Map>,
}

/// How far back operands are compared before they are matched.
const DEPTH: usize = 5;

/// The most operands that are matched.
const MOST_OPERANDS: usize = 24;

/// What came of making the lists equally long.
enum Lists {
    Equal([Vec<Operand>; 2]),
    /// Instances see different writes: they are looked at one after the other.
    Split(Vec<Map>),
    Different,
}

impl Proof<'_> {
    /// Discharges that two operations of a commutative and associative operator are equal.
    pub(crate) fn match_operands(
        &mut self,
        at: usize,
        relation: &Map,
        nodes: [NodeId; 2],
    ) -> Result<Option<Mismatch>> {
        let whole = || Ok(Some(Mismatch { obligation: at, pairs: relation.clone() }));
        let points = self.obligations[at].points;
        let lists = match self.lists(relation, nodes)? {
            Lists::Equal(lists) => lists,
            Lists::Different => return whole(),
            Lists::Split(parts) => {
                for part in parts {
                    self.ask(at, points, part, [None, None]);
                }
                return Ok(None);
            }
        };
        let relations = self.relations(relation, &lists)?;
        let choice = self.choices.get(&points).copied().unwrap_or(0);
        let Some(partners) = nth_matching(&relations, choice) else { return whole() };
        self.obligations[at].matched = Some(Matching::Operands);
        let [first, second] = lists;
        for (own, partner) in partners.into_iter().enumerate() {
            let Some(relation) = relations[own][partner].clone() else { continue };
            let (a, b) = (&first[own], &second[partner]);
            self.ask(at, (a.point, b.point), relation, [a.step.clone(), b.step.clone()]);
        }
        Ok(None)
    }

    /// The operands of both sides, equally many.
    fn lists(&self, relation: &Map, [a, b]: [NodeId; 2]) -> Result<Lists> {
        let [first, second] = self.programs;
        let (NodeKind::Operation(operator, _), _) = (first.kind(a), second.kind(b)) else {
            return Ok(Lists::Different);
        };
        let mut lists = [flat(first, operator, a, None), flat(second, operator, b, None)];
        while lists[0].len() != lists[1].len() {
            let side = usize::from(lists[0].len() > lists[1].len());
            if lists[side].len() > MOST_OPERANDS {
                return Ok(Lists::Different);
            }
            match self.longer(side, &lists[side], operator, relation)? {
                Longer::By(longer) => lists[side] = longer,
                Longer::Split(parts) => return Ok(Lists::Split(parts)),
                Longer::No => return Ok(Lists::Different),
            }
        }
        Ok(Lists::Equal(lists))
    }

    /// A list with the operands of an operation in place of a read of its result.
    fn longer(
        &self,
        side: usize,
        list: &[Operand],
        operator: &Operator,
        relation: &Map,
    ) -> Result<Longer> {
        let program = self.programs[side];
        for (at, operand) in list.iter().enumerate() {
            let Some(ways) = ways(program, operand.point, self.budget)? else { continue };
            let mut taken = Vec::new();
            for way in ways {
                let here = match (&operand.step, way.step) {
                    (Some(step), Step::By(map)) => step.apply_range_within(&map, self.budget)?,
                    (None, Step::By(map)) => map,
                    (_, Step::On(_) | Step::Stay) => continue,
                };
                let part = match side {
                    0 => relation.intersect_domain_within(&here.domain(), self.budget)?,
                    _ => relation.intersect_range_within(&here.domain(), self.budget)?,
                };
                if !part.is_empty(self.budget)? {
                    taken.push((way.to, here, part));
                }
            }
            let is_operation = |point: &Point| match point {
                Point::Node(node) => {
                    matches!(program.kind(*node), NodeKind::Operation(own, _) if own == operator)
                }
                _ => false,
            };
            match &taken[..] {
                [(Point::Node(node), step, _)] if is_operation(&Point::Node(*node)) => {
                    let mut longer = list.to_vec();
                    longer.splice(at..=at, flat(program, operator, *node, Some(step)));
                    return Ok(Longer::By(longer));
                }
                [_, _, ..] if taken.iter().any(|(point, ..)| is_operation(point)) => {
                    return Ok(Longer::Split(taken.into_iter().map(|(_, _, part)| part).collect()));
                }
                _ => {}
            }
        }
        Ok(Longer::No)
    }

    /// What each pair of operands would have to satisfy; none for pairs that are plainly different.
    fn relations(
        &self,
        relation: &Map,
        [first, second]: &[Vec<Operand>; 2],
    ) -> Result<Vec<Vec<Option<Map>>>> {
        let mut all = Vec::new();
        for a in first {
            let from = match &a.step {
                Some(step) => step.reverse().apply_range_within(relation, self.budget)?,
                None => relation.clone(),
            };
            let mut row = Vec::new();
            for b in second {
                let both = match &b.step {
                    Some(step) => from.apply_range_within(step, self.budget)?,
                    None => from.clone(),
                };
                let fits = self.may_be_equal(a.point, b.point, &both, DEPTH)?;
                row.push(fits.then_some(both));
            }
            all.push(row);
        }
        Ok(all)
    }

    /// Whether two points are not plainly different, looking back some steps.
    fn may_be_equal(&self, a: Point, b: Point, relation: &Map, depth: usize) -> Result<bool> {
        if depth == 0 || relation.is_empty(self.budget)? {
            return Ok(true);
        }
        if let Some(refuted) = self.refuted.get(&(a, b))
            && !relation.intersect_within(refuted, self.budget)?.is_empty(self.budget)?
        {
            return Ok(false);
        }
        let from_a = ways(self.programs[0], a, self.budget)?;
        let from_b = ways(self.programs[1], b, self.budget)?;
        if let Some(ways) = from_a {
            for way in ways {
                let further = way.step.after_first(relation, self.budget)?;
                if !self.may_be_equal(way.to, b, &further, depth - 1)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if let Some(ways) = from_b {
            for way in ways {
                let further = way.step.after_second(relation, self.budget)?;
                if !self.may_be_equal(a, way.to, &further, depth - 1)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if let (Point::Node(x), Point::Node(y)) = (a, b)
            && let (NodeKind::Operation(f, x), NodeKind::Operation(g, y)) =
                (self.programs[0].kind(x), self.programs[1].kind(y))
        {
            if self.laws.hold_for(f) || f != g || x.len() != y.len() {
                return Ok(f == g);
            }
            for (x, y) in x.iter().zip(y) {
                let (x, y) = (Point::Node(*x), Point::Node(*y));
                if !self.may_be_equal(x, y, relation, depth - 1)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        self.wrong(a, b, relation)?.is_empty(self.budget)
    }
}

enum Longer {
    By(Vec<Operand>),
    Split(Vec<Map>),
    No,
}

/// The operands of an operation, and of those of the same operator inside of it, with the step to them.
fn flat(program: &Program, operator: &Operator, node: NodeId, step: Option<&Map>) -> Vec<Operand> {
    let operand = |node| Operand { point: Point::Node(node), step: step.cloned() };
    flat_operands(program, operator, node).into_iter().map(operand).collect()
}

/// The matching with a number, of those in which all partners are possible.
fn nth_matching(possible: &[Vec<Option<Map>>], number: usize) -> Option<Vec<usize>> {
    let (mut left, mut partners) = (number, Vec::new());
    extended(possible, &mut partners, &mut left).then_some(partners)
}

fn extended(possible: &[Vec<Option<Map>>], partners: &mut Vec<usize>, left: &mut usize) -> bool {
    let Some(row) = possible.get(partners.len()) else {
        let is_it = *left == 0;
        *left = left.saturating_sub(1);
        return is_it;
    };
    for (partner, relation) in row.iter().enumerate() {
        if relation.is_none() || partners.contains(&partner) {
            continue;
        }
        partners.push(partner);
        if extended(possible, partners, left) {
            return true;
        }
        partners.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::nth_matching;
    use loopwright_presburger::Map;

    #[test]
    fn matchings_are_numbered() {
        let map = Map::parse("{ [i] -> [i] }").unwrap();
        let row = |possible: &[bool]| -> Vec<Option<Map>> {
            possible.iter().map(|own| own.then(|| map.clone())).collect()
        };
        let all = [row(&[true, true, false]), row(&[true, false, true]), row(&[true, true, true])];
        let found: Vec<_> = (0..4).map(|number| nth_matching(&all, number)).collect();
        let expected = [Some(vec![0, 2, 1]), Some(vec![1, 0, 2]), Some(vec![1, 2, 0]), None];
        assert_eq!(found, expected);
    }
}
