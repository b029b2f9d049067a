//! Elements that no instance of a kernel writes: a copy that a block has of them is as good as they are.
use super::copies::to_element;
use super::promoting::Promoting;
use super::site::{Site, SiteStatement};
use loopwright_presburger::{Aff, Error, Map, PwAff, Result, Tuple};
use loopwright_scop::{AccessKind, ArrayId, Term};

impl Promoting<'_> {
    /// Whether no instance that runs in one execution of a kernel writes an element that a part of a
    /// statement reads in it. False if that is not found within the budget.
    pub(super) fn is_unwritten(
        &self,
        site: &Site,
        own: &SiteStatement,
        part: &Term,
    ) -> Result<bool> {
        for element in part.elements() {
            let subscripts: Option<Vec<Aff>> =
                element.subscripts.iter().map(PwAff::as_aff).collect();
            let Some(subscripts) = subscripts else { return Ok(false) };
            let name = &self.scop.array(element.array).tuple_name;
            let read = to_element(own.space(), name, &subscripts)?;
            match self.is_written(site, element.array, &of_executions(own, &read)?) {
                Ok(false) => {}
                Ok(true) | Err(Error::Exceeded { .. }) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Whether some element is written in the execution that reads it:
    /// `{ [values of the loops outside] -> A[..] }`.
    fn is_written(&self, site: &Site, array: ArrayId, read: &Map) -> Result<bool> {
        for own in &site.statements {
            for access in &self.scop.statement(own.id).accesses {
                if access.array != array || access.kind == AccessKind::Read {
                    continue;
                }
                let written = of_executions(own, &access.relation)?;
                if !read.intersect(&written)?.is_empty(self.budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The elements of instances by the values of the loops around the kernel.
fn of_executions(own: &SiteStatement, elements: &Map) -> Result<Map> {
    let tuple = Tuple::named("execution", own.prefix.len());
    let executions = own.to_tuple(tuple, own.prefix.clone())?.to_map();
    executions.intersect_domain(&own.domain)?.reverse().apply_range(elements)
}
