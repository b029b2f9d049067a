//! Instances that are executed more than once.
use crate::{ArrayId, Scop, StatementId};
use loopwright_presburger::{Aff, DimKind, MultiAff, Result, Space, Tuple};

/// How a program in which instances run more than once stands for one in which each runs once.
///
/// Tiles that overlap compute some values several times, each for itself. The statement that does so has the
/// coordinates of a tile in front of those of the program's statement, so that its instances are different
/// from each other although several of them are the same one of the program: `{ S_tile[tile, x] -> S[x] }` is
/// no bijection. They access elements of private arrays, which have the coordinates of a tile in front as
/// well; bodies name *cells* of local arrays. All other statements copy single values from one element to
/// another.
///
/// That such a program computes what the other one does is for `loopwright_verify` to prove.
#[derive(Clone, Debug)]
pub struct Recomputation {
    /// The number of coordinates of a tile.
    pub n_tile: usize,
    /// The statements with instances that run more than once.
    pub statements: Vec<RecomputedStatement>,
    /// The arrays that tiles have for themselves.
    pub arrays: Vec<PrivateArray>,
    /// The arrays that have elements of others for a while.
    pub buffers: Vec<SecondBuffer>,
}

/// A statement that tiles execute, and that of the program for which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecomputedStatement {
    /// The statement that runs.
    pub statement: StatementId,
    /// The program's statement.
    pub of: StatementId,
}

/// An array of which each tile has one for itself.
#[derive(Clone, Debug)]
pub struct PrivateArray {
    /// The array whose elements statements access: those of the program's array with the coordinates of a
    /// tile in front.
    pub array: ArrayId,
    /// The program's array.
    pub of: ArrayId,
    /// The local array that bodies name, of which there is a new one for each tile.
    pub local: ArrayId,
    /// From elements to their subscripts in the local array: `{ array[tile, e] -> [cell] }`.
    pub cells: MultiAff,
}

/// An array with the extents of one of the program, which has the values of its elements for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SecondBuffer {
    /// The array.
    pub array: ArrayId,
    /// The program's array.
    pub of: ArrayId,
}

impl RecomputedStatement {
    /// From the instances that run to those of the program: `{ S_tile[tile, x] -> S[x] }`.
    ///
    /// # Errors
    /// If the numbers of coordinates do not fit.
    ///
    /// ```
    /// use loopwright_scop::{RecomputedStatement, Scop, StatementId};
    /// let scop = |name, tuple, iterators| Scop::parse(&format!(
    ///     "context: \"{{ : }}\"\nstatements:\n- name: {name}\n  domain: \"{{ {tuple} }}\"\n  iterators: [ {iterators} ]\n\
    ///      schedule:\n  domain: \"{{ {tuple} }}\"\n"));
    /// let program = scop("S", "S[i] : 0 <= i < 9", "i")?;
    /// let tiled = scop("T", "T[b, i] : 0 <= i < 9 and 4 b - 1 <= i <= 4 b + 4", "b, i")?;
    /// let recomputed = RecomputedStatement { statement: StatementId(0), of: StatementId(0) };
    /// let instance = recomputed.instance(&tiled, &program, 1)?;
    /// assert_eq!(instance.to_string(), "{ T[b, i] -> S[(i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn instance(&self, tiled: &Scop, program: &Scop, n_tile: usize) -> Result<MultiAff> {
        let from = tiled.statement(self.statement).domain.space();
        let to = program.statement(self.of).domain.space();
        without_tile(from, to, n_tile)
    }
}

/// `{ A[tile, x] -> B[x] }`.
fn without_tile(from: &Space, to: &Space, n_tile: usize) -> Result<MultiAff> {
    let from = from.merge_params(to);
    let tuple = to.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let n = from.n(DimKind::Out);
    let affs = (n_tile..n).map(|position| Aff::variable(&from, DimKind::Out, position)).collect();
    MultiAff::new(from.map_to(&Space::set(from.param_names(), tuple)), affs)
}
