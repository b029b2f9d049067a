//! Accesses and times of instances as affine functions, where they are some: so an execution lists the
//! instances of a statement once, and computes what each of them accesses.
use loopwright_presburger::{BasicMap, Budget, DimKind, Map, Set};

/// `constant + symbolic constants + coordinates` for each coordinate of the result: the coefficients in this
/// order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AffineFunction(Vec<Vec<i64>>);

/// Steps for the question whether a function is there for all instances.
const STEPS: u64 = 100_000;

impl AffineFunction {
    /// The function that a relation is on all of a set; none if it is no affine function with whole
    /// coefficients, or not there for all of the set.
    pub(crate) fn of(relation: &Map, instances: &Set) -> Option<Self> {
        let mut pieces = relation.basic_maps().iter();
        let function = rows(pieces.next()?)?;
        if pieces.any(|piece| rows(piece).as_ref() != Some(&function)) {
            return None;
        }
        let budget = Budget::steps(STEPS);
        let is_total = instances.is_subset(&relation.domain(), &budget).unwrap_or(false);
        is_total.then_some(AffineFunction(function))
    }

    /// The value for some symbolic constants and a point; none if it is too large.
    pub(crate) fn at(&self, parameters: &[i64], point: &[i64]) -> Option<Vec<i64>> {
        let value = |row: &Vec<i64>| {
            let known = parameters.iter().chain(point);
            row[1..].iter().zip(known).try_fold(row[0], |sum, (factor, value)| {
                sum.checked_add(factor.checked_mul(*value)?)
            })
        };
        self.0.iter().map(value).collect()
    }
}

/// The equations that determine the coordinates of the result.
fn rows(piece: &BasicMap) -> Option<Vec<Vec<i64>>> {
    let (first, after) = (piece.offset(DimKind::Out), piece.offset(DimKind::Local));
    let equations = piece.constraints();
    let of_coordinate = |at: usize| {
        let others = |row: &loopwright_presburger::Row| {
            (first..piece.n_columns()).all(|column| column == at || row.is_zero_at(column))
        };
        let mut own = equations.iter().filter(|own| own.is_equality && others(&own.row));
        own.find_map(|own| {
            let factor = own.row.get(at).to_i64().filter(|factor| factor.abs() == 1)?;
            let column = |column: usize| own.row.get(column).to_i64()?.checked_mul(-factor);
            (0..first).map(column).collect::<Option<Vec<i64>>>()
        })
    };
    (first..after).map(of_coordinate).collect()
}

#[cfg(test)]
mod tests {
    use super::AffineFunction;
    use loopwright_presburger::{Map, Set};

    #[test]
    fn functions_are_evaluated() {
        let instances = Set::parse("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i }").unwrap();
        let relation =
            Map::parse("[n] -> { S[i, j] -> A[n - 2i + 3, j] : 0 <= i < n and 0 <= j }").unwrap();
        let function = AffineFunction::of(&relation, &instances).unwrap();
        assert_eq!(function.at(&[7], &[2, 5]), Some(vec![6, 5]));
        assert_eq!(function.at(&[7], &[i64::MAX, 5]), None);
    }

    #[test]
    fn other_relations_are_none() {
        let instances = Set::parse("{ S[i] : 0 <= i < 9 }").unwrap();
        for text in [
            "{ S[i] -> A[floor(i/2)] }",
            "{ S[i] -> A[j] : j > i }",
            "{ S[i] -> A[i] : i > 0 }",
            "{ S[i] -> A[i] : i <= 4; S[i] -> A[i + 1] : i > 4 }",
        ] {
            let relation = Map::parse(text).unwrap();
            assert_eq!(AffineFunction::of(&relation, &instances), None, "{text}");
        }
    }
}
