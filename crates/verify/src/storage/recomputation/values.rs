//! 2 and 3: values that are read, and last values, come from instances that stand for those of the program.
use super::{Check, RecomputingProgram};
use crate::storage::origins::{
    Origin, Origins, add, add_through, differences, of_read, of_results,
};
use crate::verdict::{Violation, violation};
use loopwright_presburger::Result;
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, RecomputedStatement, ReferenceId, Statement, StatementId,
};

impl Check<'_> {
    /// Where the values come from that a reference of the tiled program reads: from its instances.
    fn origins(
        &self,
        reader: &Statement,
        reference: ReferenceId,
        depth: usize,
    ) -> Result<Option<Origins>> {
        let RecomputingProgram { original, tiled, own, .. } = self.program;
        let mut origins = Origins::new();
        let is_meant = |id: StatementId, r: ReferenceId| id == reader.id && r == reference;
        for live in own.live_in.iter().filter(|live| is_meant(live.statement, live.reference)) {
            if live.array.0 as usize >= original.arrays.len() {
                if !live.instances.is_empty(self.budget)? {
                    return Ok(None);
                }
                continue;
            }
            add(&mut origins, Origin::Before(live.array), live.relation.clone())?;
        }
        for flow in own.flow.iter().filter(|flow| is_meant(flow.sink.0, flow.sink.1)) {
            let source = tiled.statement(flow.source.0);
            let to_source = flow.relation.reverse();
            match self.recomputed(source.id) {
                Some(recomputed) => {
                    let instance = self.instance(recomputed)?.to_map();
                    let origin = Origin::Written(recomputed.of, flow.source.1);
                    add(&mut origins, origin, to_source.apply_range(&instance)?)?;
                }
                None if depth == 0 => return Ok(None),
                None => {
                    let Some(further) = self.origins(source, ReferenceId(1), depth - 1)? else {
                        return Ok(None);
                    };
                    add_through(&mut origins, &to_source, further)?;
                }
            }
        }
        Ok(Some(origins))
    }

    /// 2: reads of other values than the program reads.
    pub(super) fn other_values(&self) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        for recomputed in &self.program.recomputation.statements {
            let statement = self.program.original.statement(recomputed.of);
            for access in statement.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
                violations.extend(self.other_values_of(recomputed, access)?);
            }
        }
        Ok(violations)
    }

    /// Instances that read another value by a reference than those that they stand for.
    fn other_values_of(
        &self,
        recomputed: &RecomputedStatement,
        access: &Access,
    ) -> Result<Vec<Violation>> {
        let RecomputingProgram { original, dependences, tiled, .. } = self.program;
        let (before, after) =
            (original.statement(recomputed.of), tiled.statement(recomputed.statement));
        let name = &original.array(access.array).name;
        let instance = self.instance(recomputed)?.to_map().intersect_domain(&after.domain)?;
        let Some(found) = self.origins(after, access.reference, self.copies().count())? else {
            let message =
                format!("{} reads a value of `{name}` that nobody has written", after.name);
            return Ok(vec![violation(message)]);
        };
        let mut expected = Origins::new();
        add_through(
            &mut expected,
            &instance,
            of_read(dependences, (before.id, access.reference))?,
        )?;
        let message =
            || format!("{} reads another value of `{name}` than {}", after.name, before.name);
        self.differences(&found, &expected, message)
    }

    /// What two relations to origins differ in.
    fn differences(
        &self,
        found: &Origins,
        expected: &Origins,
        message: impl Fn() -> String,
    ) -> Result<Vec<Violation>> {
        differences((found, expected), &self.program.original.context, &message, self.budget)
    }

    /// 3: elements whose last value is another one than that of the program.
    pub(super) fn other_results(&self) -> Result<Vec<Violation>> {
        let original = self.program.original;
        let mut violations = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&original.arrays) {
            violations.extend(self.other_results_in(id, array)?);
        }
        Ok(violations)
    }

    /// The same of one array, by relations from its elements to origins.
    fn other_results_in(&self, id: ArrayId, array: &Array) -> Result<Vec<Violation>> {
        let RecomputingProgram { dependences, tiled, own, .. } = self.program;
        let expected = of_results(dependences, id)?;
        let mut found = Origins::new();
        for live in own.live_out.iter().filter(|live| live.array == id) {
            let from_elements = live.relation.reverse();
            let origins = match self.recomputed(live.statement) {
                Some(recomputed) => {
                    let origin = Origin::Written(recomputed.of, live.reference);
                    Some(Origins::from([(origin, self.instance(recomputed)?.to_map())]))
                }
                None => {
                    let copy = tiled.statement(live.statement);
                    self.origins(copy, ReferenceId(1), self.copies().count())?
                }
            };
            let Some(origins) = origins else {
                let message = format!("`{}` gets a value that nobody has written", array.name);
                return Ok(vec![violation(message)]);
            };
            add_through(&mut found, &from_elements, origins)?;
        }
        self.differences(&found, &expected, || {
            format!("the last value of `{}` is another one", array.name)
        })
    }
}
