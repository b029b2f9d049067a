//! Whole tiles at borders: statements get the instances that their last blocks have room for.
//!
//! Then the loops of a block have constant bounds, and only loads and stores have conditions. What is
//! computed there, from cells that nobody has filled, is stored nowhere.
use super::promoting::Promoting;
use super::results::Results;
use super::site::{Site, SiteStatement};
use super::spread::Spread;
use loopwright_presburger::{Aff, DimKind, Result, Set, Tuple};
use loopwright_scop::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, Scop, Statement, TermKind,
};

/// Whether further instances of a statement do no harm: all that it accesses are cells of promoted arrays,
/// and scalars that it reads, and its operations are sums and products of floating point numbers, which have
/// results for all operands.
fn may_be_padded(
    statement: &Statement,
    scop: &Scop,
    promoted: &dyn Fn(loopwright_scop::ArrayId) -> bool,
) -> bool {
    use ArithmeticOperator::{Add, Multiply, Subtract};
    let Some(assignment) = statement.body.plain_assignment() else { return false };
    let is_total = |operator: &ArithmeticOperator| matches!(operator, Add | Subtract | Multiply);
    let assigns = match assignment.operator {
        AssignmentOperator::Set => true,
        AssignmentOperator::Update(operator) => is_total(&operator),
    };
    let computes = assignment.value.all(&|term| match term.kind() {
        TermKind::Binary(BinaryOperator::Arithmetic(operator)) => is_total(operator),
        TermKind::Affine(_) => false,
        _ => true,
    });
    let reads = statement.body.elements().into_iter().all(|element| {
        let array = scop.array(element.array);
        array.floating_type().is_some() && (promoted(element.array) || array.is_scalar())
    });
    assigns && computes && reads && promoted(assignment.target.array)
}

impl Promoting<'_> {
    /// Gives statements the instances of whole tiles.
    pub(crate) fn pad(&mut self, site: &Site, spread: &Spread) -> Result<()> {
        for own in &site.statements {
            let whole = self.whole_tiles(own, spread)?;
            self.scop.statements[own.id.0 as usize].domain = whole;
        }
        Ok(())
    }

    /// Whether padding changes nothing: its statements may be padded, and none of its iterations are stored.
    pub(crate) fn is_harmless(&self, site: &Site, results: &[Results]) -> Result<bool> {
        let is_promoted = |id| self.promotion.arrays.iter().any(|array| array.cells == id);
        for own in &site.statements {
            let statement = self.scop.statement(own.id);
            if !may_be_padded(statement, &self.scop, &is_promoted) {
                return Ok(false);
            }
            let more = statement.domain.subtract(&own.domain, self.budget)?;
            let iterations = self.iterations(own, &more)?;
            for result in results {
                let stored = result.stored.with_space_tuples(iterations.space())?;
                if !stored.intersect(&iterations)?.is_empty(self.budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// All instances of the blocks in which a statement has some, for the same values of all loops inside.
    fn whole_tiles(&self, own: &SiteStatement, spread: &Spread) -> Result<Set> {
        let space = own.space();
        let is_member = |coordinate: usize| {
            own.known[own.prefix.len()..].iter().any(|known| known.coordinate == coordinate)
        };
        let others = (0..space.n(DimKind::Out)).filter(|at| !is_member(*at));
        let mut values: Vec<Aff> =
            others.map(|at| Aff::variable(space, DimKind::Out, at)).collect();
        values.extend(spread.blocks(&own.members));
        let tiles = own.to_tuple(Tuple::named("tiles", values.len()), values)?;
        let found = own.domain.apply(&tiles.to_map())?.make_locals_explicit(self.budget)?;
        let found = found.coalesce(self.budget)?;
        let whole = found.preimage_multi_aff(&tiles)?;
        whole.coalesce(self.budget)?.remove_redundancies(self.budget)
    }
}
