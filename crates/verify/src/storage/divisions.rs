//! Statements of which some instances have become statements of their own.
//!
//! A program with divisions ([`loopwright_scop::Division`]) is the one without them if the instances of each
//! divided statement are those of its two successors, no one of both ([`check_divisions`]), if the texts are
//! the same (compared with [`divided_program`]), and if it is run in an order that respects the dependences
//! between the successors: those of the program, each between the successors of its ends
//! ([`with_divisions`]).
use crate::verdict::{Proof, Violation};
use loopwright_dataflow::{Dependence, Dependences, LiveAccess};
use loopwright_presburger::{Budget, Map, Result, Set};
use loopwright_scop::{Division, Scop, StatementId};

/// Checks that each instance of `original` is one of exactly one statement of `packed`, which has the
/// divisions.
///
/// *Exactness.* Exact for all values of the parameters. *Cost.* A comparison of sets per division.
///
/// # Errors
/// Those of the operations on sets, but for the budget's end.
pub fn check_divisions(
    original: &Scop,
    packed: &Scop,
    divisions: &[Division],
    budget: &Budget,
) -> Result<Proof> {
    let find_violations = || {
        let mut violations = Vec::new();
        for (position, division) in divisions.iter().enumerate() {
            let whole = original.statements.get(division.of.0 as usize);
            let earlier = divisions[..position].iter().any(|other| other.of == division.of);
            let is_divided = match whole {
                Some(whole) if !earlier => {
                    let part = instances_of_part(packed, *division)?;
                    let rest = &packed.statement(division.of).domain;
                    part.intersect(rest)?.is_empty(budget)?
                        && part.union(rest)?.is_equal(&whole.domain, budget)?
                }
                _ => false,
            };
            if !is_divided {
                let name = &packed.statement(division.of).name;
                let message = format!("the instances of {name} are not divided");
                violations.push(Violation { message, example: None });
            }
        }
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

/// The instances of the new statement as they were before.
fn instances_of_part(packed: &Scop, division: Division) -> Result<Set> {
    let (part, whole) = (packed.statement(division.part), packed.statement(division.of));
    part.domain.with_space_tuples(whole.domain.space())
}

/// `original` with the divisions that `packed` has; the new statements come last.
///
/// # Errors
/// If the spaces of the statements do not fit.
pub fn divided_program(original: &Scop, packed: &Scop, divisions: &[Division]) -> Result<Scop> {
    let mut result = original.clone();
    for division in divisions {
        let part = packed.statement(division.part);
        let instances = instances_of_part(packed, *division)?;
        let Some(whole) = result.statements.get_mut(division.of.0 as usize) else { continue };
        let successor = whole.part(division.part, &part.name, &instances)?;
        *whole = whole.restricted(&packed.statement(division.of).domain)?;
        result.statements.push(successor);
    }
    Ok(result)
}

/// The dependences of a program between the statements that `packed` has, which has the divisions.
///
/// *Cost.* A composition per dependence with an end in a divided statement.
///
/// # Errors
/// Those of composing relations.
pub fn with_divisions(
    dependences: &Dependences,
    packed: &Scop,
    divisions: &[Division],
) -> Result<Dependences> {
    let mut result = dependences.clone();
    if divisions.is_empty() {
        return Ok(result);
    }
    let ends = Ends { packed, divisions };
    let lists =
        [&mut result.flow, &mut result.order, &mut result.forced, &mut result.false_nearest];
    for list in lists {
        *list = ends.divided(list)?;
    }
    if let Some(reassociation) = &mut result.reassociation {
        reassociation.pairs = ends.divided(&reassociation.pairs)?;
        reassociation.nearest_flow = ends.divided(&reassociation.nearest_flow)?;
    }
    result.live_in = ends.divided_accesses(&result.live_in)?;
    result.live_out = ends.divided_accesses(&result.live_out)?;
    Ok(result)
}

/// Relations from instances of divided statements become relations from those of the successors.
struct Ends<'a> {
    packed: &'a Scop,
    divisions: &'a [Division],
}

impl Ends<'_> {
    /// The relation from each successor of a statement that has pairs.
    fn from(&self, statement: StatementId, relation: &Map) -> Result<Vec<(StatementId, Map)>> {
        let division = self.divisions.iter().find(|division| division.of == statement);
        let Some(division) = division else { return Ok(vec![(statement, relation.clone())]) };
        let rest = relation.intersect_domain(&self.packed.statement(statement).domain)?;
        let part = division.inclusion(self.packed)?.to_map().apply_range(relation)?;
        let part = part.intersect_domain(&self.packed.statement(division.part).domain)?;
        let both = [(statement, rest), (division.part, part)];
        Ok(both.into_iter().filter(|(_, relation)| !relation.plain_is_empty()).collect())
    }

    fn divided(&self, dependences: &[Dependence]) -> Result<Vec<Dependence>> {
        let mut result = Vec::with_capacity(dependences.len());
        for dependence in dependences {
            let Dependence { source, sink, array, relation } = dependence;
            for (from, relation) in self.from(source.0, relation)? {
                for (to, reverse) in self.from(sink.0, &relation.reverse())? {
                    result.push(Dependence {
                        source: (from, source.1),
                        sink: (to, sink.1),
                        array: *array,
                        relation: reverse.reverse(),
                    });
                }
            }
        }
        Ok(result)
    }

    fn divided_accesses(&self, accesses: &[LiveAccess]) -> Result<Vec<LiveAccess>> {
        let mut result = Vec::with_capacity(accesses.len());
        for access in accesses {
            for (statement, relation) in self.from(access.statement, &access.relation)? {
                let instances = relation.domain();
                result.push(LiveAccess { statement, instances, relation, ..access.clone() });
            }
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program with `S` on some instances; the others are those of `T`, its part, if that is given.
    fn program(whole: &str, part: Option<&str>) -> Scop {
        let statement = |name: &str, domain: &str| {
            format!("- name: {name}\n  domain: \"{domain}\"\n  iterators: [ i ]\n")
        };
        let part = part.map_or(String::new(), |domain| statement("T", domain));
        let text = format!(
            "context: \"[n] -> {{ : }}\"\nstatements:\n{}{part}schedule:\n  domain: \"{whole}\"\n",
            statement("S", whole)
        );
        Scop::parse(&text).unwrap()
    }

    #[test]
    fn each_instance_is_one_of_a_single_statement() {
        let budget = Budget::steps(100_000);
        let original = program("[n] -> { S[i] : 0 <= i < n }", None);
        let division = Division { part: StatementId(1), of: StatementId(0) };
        let check = |rest: &str, part: &str, divisions: &[Division]| {
            let packed = program(rest, Some(part));
            check_divisions(&original, &packed, divisions, &budget).unwrap().is_proved()
        };
        let (rest, part) =
            ("[n] -> { S[i] : 0 <= i < n and i < 8 }", "[n] -> { T[i] : 8 <= i < n }");
        assert!(check(rest, part, &[division]));
        // One is in both, in none, outside; the same statement is divided twice; the other way round.
        assert!(!check(rest, "[n] -> { T[i] : 7 <= i < n and i >= 0 }", &[division]));
        assert!(!check(rest, "[n] -> { T[i] : 9 <= i < n }", &[division]));
        assert!(!check(rest, "[n] -> { T[i] : 8 <= i <= n }", &[division]));
        assert!(!check(rest, part, &[division, division]));
        assert!(!check(rest, part, &[Division { part: StatementId(0), of: StatementId(1) }]));
    }

    #[test]
    fn dependences_are_between_the_parts_of_their_ends() {
        let budget = Budget::steps(100_000);
        let packed =
            program("[n] -> { S[i] : 0 <= i < n and i < 8 }", Some("[n] -> { T[i] : 8 <= i < n }"));
        let divisions = [Division { part: StatementId(1), of: StatementId(0) }];
        let ends = Ends { packed: &packed, divisions: &divisions };
        let reference = loopwright_scop::ReferenceId(0);
        let chain = Dependence {
            source: (StatementId(0), reference),
            sink: (StatementId(0), reference),
            array: loopwright_scop::ArrayId(0),
            relation: Map::parse("[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }").unwrap(),
        };
        let divided = ends.divided(&[chain]).unwrap();
        let expected = [
            "[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 and i < 7 }",
            "[n] -> { S[7] -> T[8] : n > 8 }",
            "[n] -> { T[i] -> T[i + 1] : 8 <= i < n - 1 }",
        ];
        let mut left: Vec<Map> = expected.iter().map(|text| Map::parse(text).unwrap()).collect();
        for dependence in &divided {
            if dependence.relation.is_empty(&budget).unwrap() {
                continue;
            }
            let is_it = |map: &Map| {
                map.space().has_equal_tuples(dependence.relation.space())
                    && map.is_equal(&dependence.relation, &budget).unwrap()
            };
            let position = left.iter().position(is_it);
            let _ = left.remove(position.unwrap_or_else(|| panic!("{}", dependence.relation)));
        }
        assert!(left.is_empty(), "{left:?}");
    }
}
