//! The variables of the linear problems that stand for unknown schedule coefficients.
//!
//! A member is an affine function `c . x + n . p + k` per node, with `x` the coordinates of the
//! node and `p` the parameters. All variables of the solver are non-negative: that is no loss for
//! `n` and `k`, since adding the same function of the parameters to the members of all nodes
//! changes no difference between them; the coefficients `c = c+ - c-` are split.
//! In the order of minimization: for each node the pairs `c-, c+` in *reverse* order of the
//! coordinates, then `n`, then `k` ("Scheduling for PPCG", sections 6.4.2 and 6.5.2): coefficients
//! of inner coordinates become zero first, and positive coefficients are preferred.
use crate::algebra::terms::Terms;
use crate::algebra::vectors::{MAX_ENTRY, Vector};
use loopwright_presburger::{Error, Int, Result};

/// Larger coefficients are refused: sums of a few products stay within machine words.
pub(crate) const MAX_COEFFICIENT: i64 = 1 << 24;

/// The place of the unknown coefficients among the columns `[constant | variables]` of a problem.
#[derive(Clone, Debug)]
pub(crate) struct ScheduleVariables {
    n_params: usize,
    nodes: Vec<Columns>,
    end: usize,
}

/// The columns of a node.
#[derive(Clone, Copy, Debug)]
struct Columns {
    dim: usize,
    /// The first column of the parts of the coefficients of coordinates.
    coefficients: usize,
    /// The first column of the coefficients of parameters and the constant term.
    others: usize,
}

impl ScheduleVariables {
    /// The variables of nodes with the given dimensions, from column `first` on.
    pub(crate) fn new(n_params: usize, dims: impl Iterator<Item = usize>, first: usize) -> Self {
        Self::shared(n_params, dims.enumerate().map(|(node, dim)| (dim, node)), first)
    }

    /// The variables of nodes with the given dimensions, where each node shares the coefficients of
    /// coordinates of the node that comes with its dimension: itself or an earlier one.
    pub(crate) fn shared(
        n_params: usize,
        nodes: impl Iterator<Item = (usize, usize)>,
        first: usize,
    ) -> Self {
        let mut variables = ScheduleVariables { n_params, nodes: Vec::new(), end: first };
        for (dim, like) in nodes {
            let coefficients = match variables.nodes.get(like) {
                Some(columns) => columns.coefficients,
                None => {
                    variables.end += 2 * dim;
                    variables.end - 2 * dim
                }
            };
            variables.nodes.push(Columns { dim, coefficients, others: variables.end });
            variables.end += n_params + 1;
        }
        variables
    }

    /// The number of columns up to and including these variables.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// The columns of the negative and the positive part of a coefficient.
    pub(crate) fn coefficient(&self, node: usize, coordinate: usize) -> (usize, usize) {
        let Columns { dim, coefficients, .. } = self.nodes[node];
        let negative = coefficients + 2 * (dim - 1 - coordinate);
        (negative, negative + 1)
    }

    fn parameter(&self, node: usize, parameter: usize) -> usize {
        self.nodes[node].others + parameter
    }

    /// The column of the constant term of a node.
    pub(crate) fn constant(&self, node: usize) -> usize {
        self.parameter(node, self.n_params)
    }

    /// The columns of the negative parts of coefficients of coordinates.
    pub(crate) fn negative_columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.coefficient_columns().step_by(2)
    }

    /// All columns of parts of coefficients of coordinates.
    pub(crate) fn coefficient_columns(&self) -> impl Iterator<Item = usize> + '_ {
        let columns = |node: &Columns| node.coefficients..node.coefficients + 2 * node.dim;
        self.nodes.iter().flat_map(columns)
    }

    /// All columns of coefficients of parameters.
    pub(crate) fn parameter_columns(&self) -> impl Iterator<Item = usize> + '_ {
        let n_params = self.n_params;
        self.nodes.iter().flat_map(move |node| node.others..node.others + n_params)
    }

    /// `sign` times the value of the member of `node` at the homogeneous point
    /// `(scale, parameters, coordinates)`, as entries of a row.
    fn value(&self, node: usize, sign: i64, point: Point<'_>) -> Vec<(usize, i64)> {
        let coordinates = point.coordinates.iter().enumerate().flat_map(|(j, &entry)| {
            let (negative, positive) = self.coefficient(node, j);
            [(negative, -sign * entry), (positive, sign * entry)]
        });
        let parameters = point.parameters.iter().enumerate();
        coordinates
            .chain(parameters.map(|(i, &entry)| (self.parameter(node, i), sign * entry)))
            .chain([(self.constant(node), sign * point.scale)])
            .collect()
    }

    /// The difference of the members of two nodes at the generator of an edge between them: for one node
    /// over `[1 | params | delta]`, else over `[1 | params | source | sink]`.
    pub(crate) fn difference(
        &self,
        source: usize,
        sink: usize,
        generator: &[i64],
    ) -> Vec<(usize, i64)> {
        let (scale, rest) = (generator[0], &generator[1..]);
        let (parameters, coordinates) = rest.split_at(self.n_params);
        if source == sink {
            return self.value(sink, 1, Point { scale: 0, parameters: &[], coordinates });
        }
        let (from, to) = coordinates.split_at(self.nodes[source].dim);
        let mut row = self.value(source, -1, Point { scale, parameters, coordinates: from });
        row.extend(self.value(sink, 1, Point { scale, parameters, coordinates: to }));
        row
    }

    /// The member of each node over `[1 | params | coordinates]` in a solution without the
    /// constant column. [`Error::Exceeded`] if an entry is larger than [`MAX_COEFFICIENT`].
    pub(crate) fn members(&self, solution: &[Int]) -> Result<Vec<Vector>> {
        let members = self.wide_members(solution)?;
        check_coefficients(&members)?;
        Ok(members)
    }

    /// The same with entries of any size that fits a machine word.
    pub(crate) fn wide_members(&self, solution: &[Int]) -> Result<Vec<Vector>> {
        let small = |value: &Int| value.to_i64().filter(|v| v.abs() <= MAX_ENTRY);
        let narrow: Option<Vector> = solution.iter().map(small).collect();
        let narrow = narrow.ok_or_else(too_large)?;
        let at = |column: usize| narrow[column - 1];
        let member = |node: usize| {
            let mut row = vec![at(self.constant(node))];
            row.extend((0..self.n_params).map(|i| at(self.parameter(node, i))));
            row.extend((0..self.nodes[node].dim).map(|j| {
                let (negative, positive) = self.coefficient(node, j);
                at(positive) - at(negative)
            }));
            row
        };
        Ok((0..self.nodes.len()).map(member).collect())
    }
}

fn too_large() -> Error {
    Error::too_large("schedule coefficients")
}

/// That no entry is larger than [`MAX_COEFFICIENT`].
pub(crate) fn check_coefficients(members: &[Vector]) -> Result<()> {
    let small = |entry: &i64| entry.abs() <= MAX_COEFFICIENT;
    if members.iter().flatten().all(small) { Ok(()) } else { Err(too_large()) }
}

/// A homogeneous point of a node.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    /// The homogenizing coordinate.
    pub(crate) scale: i64,
    /// The parameters.
    pub(crate) parameters: &'a [i64],
    /// The coordinates of the node.
    pub(crate) coordinates: &'a [i64],
}

/// The row that equates the variable of column `total` with the sum of the given columns.
pub(crate) fn sum_row(total: usize, columns: impl Iterator<Item = usize>) -> Terms {
    Terms::sum(columns.map(|column| (column, 1)).chain([(total, -1)]).collect())
}
