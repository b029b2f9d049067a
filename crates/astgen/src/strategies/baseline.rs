//! Two simple ways to scan a union, to compare with: one loop per dimension, conditions inside.
//!
//! Quilleré, Rajopadhye, Wilde, "Generation of efficient nested loops from polyhedra" (IJPP 28(5),
//! 2000), figure 6: the bounding box, whose bounds do not depend on outer loops, as LooPo generated
//! it, and a hull, as Omega did.
use crate::cut::hulls::{bounded_hull, distinct_pieces};
use crate::cut::pieces::{superset, with_piecewise_bounds};
use crate::cut::regions::separated;
use crate::descent::Descent;
use crate::level::degenerate_dimensions::single_value;
use crate::level::stride::common_stride;
use crate::model::statement::Statement;
use crate::options::strategy::Baseline;
use loopwright_presburger::*;

impl Descent<'_> {
    /// One range of values of dimension `level` for all statements, where `known` holds; several if
    /// every statement has a constant there, which only puts the statements in order.
    ///
    /// A dimension of which outer ones determine the value gets no loop: a box would look for that value.
    pub(crate) fn baseline_pieces(
        &self,
        baseline: Baseline,
        statements: &[&Statement],
        known: &Set,
        level: usize,
    ) -> Result<Vec<BasicSet>> {
        let domains = self.projected_domains(statements, known, level)?;
        if domains.is_empty() {
            return Ok(Vec::new());
        }
        let constant = |set: &Set| set.plain_get_val_if_fixed(DimKind::Out, level).is_some();
        if domains.iter().all(constant) {
            let parts = separated(&domains, Some(known), self.budget)?;
            return self.ordered_ranges(parts, known, level);
        }
        if let Some(piece) = self.single_valued(&domains, statements, known, level)? {
            return Ok(vec![piece]);
        }
        match baseline {
            Baseline::Hull => superset(&domains, known, level, self.budget),
            Baseline::BoundingBox => match self.bounding_box(&domains, known, level)? {
                Some(range) => Ok(vec![range]),
                None => superset(&domains, known, level, self.budget),
            },
        }
    }

    /// Common bounds between which there is at most one value for given outer dimensions.
    fn single_valued(
        &self,
        domains: &[Set],
        statements: &[&Statement],
        known: &Set,
        level: usize,
    ) -> Result<Option<BasicSet>> {
        let here = known.insert_dims(DimKind::Out, level, 1);
        let piece = match bounded_hull(&distinct_pieces(domains).0, known, level, self.budget) {
            Ok(piece) => piece,
            Err(Error::Invalid { .. }) => return Ok(None),
            Err(other) => return Err(other),
        };
        let mut exact = Vec::with_capacity(statements.len());
        for statement in statements {
            exact.push(statement.domain(level).intersect(&here)?);
        }
        let stride = common_stride(&exact, level)?;
        let value = single_value(&piece, stride.as_ref(), known, level, self.budget)?;
        Ok(value.map(|_| piece))
    }

    /// Common bounds in terms of the parameters; none if there are none.
    fn bounding_box(&self, domains: &[Set], known: &Set, level: usize) -> Result<Option<BasicSet>> {
        let here = known.insert_dims(DimKind::Out, level, 1);
        let mut shadows = Vec::new();
        for domain in domains {
            let shadow = domain.intersect(&here)?.project_out(DimKind::Out, 0, level);
            shadows.extend(shadow.remove_divs().basic_sets());
        }
        let outside = known.project_out(DimKind::Out, 0, level);
        let space = Space::set(known.space().param_names(), Tuple::anonymous(1));
        let shadows = Set::from_basic_sets(space, shadows);
        match bounded_hull(&shadows, &outside, 0, self.budget) {
            Ok(range) => {
                let range = Set::from_basic_set(range).insert_dims(DimKind::Out, 0, level);
                Ok(range.basic_sets().into_iter().next())
            }
            Err(Error::Invalid { .. }) => {
                let range = with_piecewise_bounds(&shadows, &outside, 0, self.budget, |_| true)?;
                let range = range.map(Set::from_basic_set);
                let range = range.map(|range| range.insert_dims(DimKind::Out, 0, level));
                Ok(range.and_then(|range| range.basic_sets().into_iter().next()))
            }
            Err(other) => Err(other),
        }
    }
}
