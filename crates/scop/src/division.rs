//! Instances of a statement as a statement of their own.
use crate::{Access, Scop, Statement, StatementId};
use loopwright_presburger::{Aff, DimKind, MultiAff, Result, Set, Space, Tuple};

/// A statement of which some instances have become a statement of their own, so that the two may have
/// different texts.
///
/// Each instance of the former statement is one of exactly one of the two, with the same coordinates, and
/// accesses what it has accessed. That this is so is for `loopwright_verify` to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Division {
    /// The new statement.
    pub part: StatementId,
    /// The one that has kept the other instances.
    pub of: StatementId,
}

impl Division {
    /// From the instances of the new statement to what they were: `{ part[x] -> of[x] }`.
    ///
    /// # Errors
    /// If the two have different numbers of coordinates.
    pub fn inclusion(&self, scop: &Scop) -> Result<MultiAff> {
        inclusion(&scop.statement(self.part).name, scop.statement(self.of).domain.space())
    }
}

/// `{ name[x] -> whole[x] }`.
fn inclusion(name: &str, whole: &Space) -> Result<MultiAff> {
    let n = whole.n(DimKind::Out);
    let part = Space::set(whole.param_names(), Tuple::named(name, n));
    let affs = (0..n).map(|position| Aff::variable(&part, DimKind::Out, position)).collect();
    MultiAff::new(part.map_to(whole), affs)
}

impl Statement {
    /// Some of the instances as a statement of their own, called `name`.
    ///
    /// ```
    /// use loopwright_presburger::Set;
    /// use loopwright_scop::{Scop, StatementId};
    /// let scop = Scop::parse(
    ///     "context: \"{ : }\"\nstatements:\n- name: S\n  domain: \"{ S[i] : 0 <= i < 9 }\"\n  \
    ///      iterators: [ i ]\nschedule:\n  domain: \"{ S[i] : 0 <= i < 9 }\"\n",
    /// )?;
    /// let few = Set::parse("{ S[i] : 0 <= i < 3 }")?;
    /// let part = scop.statements[0].part(StatementId(1), "T", &few)?;
    /// assert_eq!(part.domain.to_string(), "{ T[i0] : 0 <= i0 <= 2 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `instances` are in another space; those of substitution.
    pub fn part(&self, id: StatementId, name: &str, instances: &Set) -> Result<Statement> {
        let inclusion = inclusion(name, instances.space())?;
        let whole = self.restricted(instances)?;
        let domain = instances.with_space_tuples(&inclusion.space().domain())?;
        let body = self.body.with_forms(&mut |form| form.pullback_multi_aff(&inclusion))?;
        let mut accesses = Vec::with_capacity(whole.accesses.len());
        for access in &whole.accesses {
            let relation = inclusion.to_map().apply_range(&access.relation)?;
            accesses.push(Access { relation, ..access.clone() });
        }
        Ok(Statement { id, name: name.into(), domain, accesses, body, ..whole })
    }

    /// The statement with some of its instances only.
    ///
    /// # Errors
    /// If `instances` are in another space.
    pub fn restricted(&self, instances: &Set) -> Result<Statement> {
        let mut statement = Statement { domain: instances.clone(), ..self.clone() };
        for access in &mut statement.accesses {
            access.relation = access.relation.intersect_domain(instances)?;
        }
        Ok(statement)
    }
}
