//! Loops whose iterations the program declares to be independent.
use crate::{Dependence, Dependences};
use loopwright_presburger::{
    BasicMap, Budget, Constraint, DimKind, Error, Int, Map, Result, Row, Space,
};
use loopwright_scop::{Scop, StatementId};

impl Dependences {
    /// The dependences without those that a loop carries between elements of arrays: pairs of instances
    /// of `statements` that agree in their first `depth` iterators and differ in the next one.
    ///
    /// Dependences of scalars stay. If the budget runs out they all stay, which is always right.
    ///
    /// # Errors
    /// Those of operations on sets, but for the budget.
    pub fn without_carried(
        mut self,
        scop: &Scop,
        statements: &[StatementId],
        depth: usize,
        budget: &Budget,
    ) -> Result<Self> {
        let lists = [&mut self.flow, &mut self.order, &mut self.forced, &mut self.false_nearest];
        for list in lists {
            let mut kept = Vec::with_capacity(list.len());
            for dependence in list.drain(..) {
                let is_array = !scop.arrays[dependence.array.0 as usize].extents.is_empty();
                let is_inside = [dependence.source.0, dependence.sink.0]
                    .iter()
                    .all(|statement| statements.contains(statement));
                match is_array && is_inside {
                    true => kept.extend(without_carried(dependence, depth, budget)?),
                    false => kept.push(dependence),
                }
            }
            *list = kept;
        }
        Ok(self)
    }
}

fn without_carried(
    dependence: Dependence,
    depth: usize,
    budget: &Budget,
) -> Result<Option<Dependence>> {
    let carried = carried(dependence.relation.space(), depth);
    match dependence.relation.subtract(&carried, budget) {
        Err(Error::Exceeded { .. }) => Ok(Some(dependence)),
        Err(error) => Err(error),
        Ok(relation) => {
            let is_empty = relation.is_empty(budget).unwrap_or(false);
            Ok((!is_empty).then_some(Dependence { relation, ..dependence }))
        }
    }
}

/// The pairs with the same first `depth` iterators and different next ones.
fn carried(space: &Space, depth: usize) -> Map {
    let n_params = space.n(DimKind::Param);
    let n_in = space.n(DimKind::In);
    let width = 1 + n_params + n_in + space.n(DimKind::Out);
    let row = |at: usize, sign: i64, constant: i64| {
        let mut row = vec![Int::from(0); width];
        row[0] = Int::from(constant);
        row[1 + n_params + at] = Int::from(-sign);
        row[1 + n_params + n_in + at] = Int::from(sign);
        Row::from_ints(row)
    };
    let basic = |sign: i64| {
        let mut constraints: Vec<Constraint> =
            (0..depth).map(|at| Constraint { is_equality: true, row: row(at, 1, 0) }).collect();
        constraints.push(Constraint { is_equality: false, row: row(depth, sign, -1) });
        BasicMap::from_constraints(space.clone(), Vec::new(), constraints)
    };
    Map::from_basic_maps(space.clone(), vec![basic(1), basic(-1)])
}
