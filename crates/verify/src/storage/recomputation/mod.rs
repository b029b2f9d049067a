//! A program in which instances run more than once computes what the program does.
//!
//! In a program with recomputed statements ([`loopwright_scop::Recomputation`]) an instance of the program is
//! executed once for each tile that needs its value; tiles have arrays for themselves, and other statements
//! copy values into them and out of them. It computes what the program without tiles does, if
//!
//! 1. *text*: a recomputed instance is one of the program: the same operations, on the same elements, but
//!    that elements of private arrays take the place of elements of the program's, with the coordinates of
//!    the tile in front; it writes nothing else. All other statements only copy: they assign one element to
//!    another of the same type;
//! 2. *values*: each value that a recomputed instance reads was written by an instance of its own program
//!    that stands for the one whose value the program reads there, with nothing but copies in between; or it
//!    is the value that the same element had before the region, where the program reads that;
//! 3. *result*: the last value of each element that may be seen after the region was, by way of copies,
//!    written by an instance that stands for the last one of the program, and nothing else that may be seen
//!    is written;
//! 4. *cells*: all accesses of the elements of a tile are in one execution of the block that declares the
//!    local array, with no other tile, and no two elements have one cell.
//!
//! 5. *extents*: subscripts of the program's arrays and of second buffers, which have the extents of one of
//!    the program's, lie between subscripts of the program.
//!
//! From 2 follows by induction over the instances in the order in which they run that each computes the value
//! that it stands for: values of the program are functions of the values that instances read, and a
//! recomputed instance has no effect but on private arrays. So it does not matter how often they run. From 3
//! follows that what is seen afterwards is the same.
//!
//! 2 and 3 are checked on the dependences of both programs, which say for each read where its value comes
//! from. Which order that holds for is for [`crate::check_schedule`] to prove; that tiles may run at one time
//! for
//! [`crate::check_parallel_loops`]: no tile reads an element that another one may be writing, and no element is written by
//! two of them, in any loop that threads share.
mod cells;
mod subscripts;
mod text;
mod values;

use crate::syntax_tree::loops::Loops;
use crate::verdict::Proof;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, Budget, DimKind, Map, MultiAff, Result, Set, Space, Tuple};
use loopwright_scop::{
    ArrayId, Element, PrivateArray, Recomputation, RecomputedStatement, Scop, Statement,
    StatementId,
};

/// A program without and with recomputed statements.
#[derive(Clone, Copy, Debug)]
pub struct RecomputingProgram<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The program in tiles.
    pub tiled: &'a Scop,
    /// Its own dependences, in its own order.
    pub own: &'a Dependences,
    /// What stands for what.
    pub recomputation: &'a Recomputation,
}

/// Checks that a program with recomputed statements, run by `loops`, computes what the program without them
/// does, provided that it runs in an order that respects its own dependences.
///
/// *Exactness.* Exact for all values of the parameters in the context, but that values may go through as many
/// copies only as there are statements that copy. *Cost.* For each read some compositions and a comparison of
/// relations.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_recomputation(
    program: RecomputingProgram<'_>,
    loops: &Loops,
    budget: &Budget,
) -> Result<Proof> {
    let check = Check { program, budget };
    let find_violations = || {
        let mut violations = check.changed_text()?;
        if !violations.is_empty() {
            return Ok(violations);
        }
        violations.extend(check.other_values()?);
        violations.extend(check.other_results()?);
        violations.extend(check.wrong_cells(loops)?);
        violations.extend(check.other_subscripts()?);
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

struct Check<'a> {
    program: RecomputingProgram<'a>,
    budget: &'a Budget,
}

impl<'a> Check<'a> {
    fn recomputed(&self, id: StatementId) -> Option<&'a RecomputedStatement> {
        self.program.recomputation.statements.iter().find(|known| known.statement == id)
    }

    fn private(&self, id: ArrayId) -> Option<&'a PrivateArray> {
        self.program.recomputation.arrays.iter().find(|known| known.array == id)
    }

    /// The executed statements of the tiled program that copy.
    fn copies(&self) -> impl Iterator<Item = &'a Statement> {
        let executed = self.program.tiled.statements.iter().filter(|s| !s.is_kill);
        executed.filter(|statement| self.recomputed(statement.id).is_none())
    }

    fn instance(&self, recomputed: &RecomputedStatement) -> Result<MultiAff> {
        let RecomputingProgram { original, tiled, recomputation, .. } = self.program;
        recomputed.instance(tiled, original, recomputation.n_tile)
    }

    /// From the instances of a statement to their tiles, the first coordinates.
    fn tile(&self, statement: &Statement) -> Result<Map> {
        let space = statement.domain.space();
        let n = self.program.recomputation.n_tile;
        let affs = (0..n).map(|n| Aff::variable(space, DimKind::Out, n)).collect();
        let range = Space::set(space.param_names(), Tuple::anonymous(n));
        MultiAff::new(space.map_to(&range), affs)?.to_map().intersect_domain(&statement.domain)
    }

    /// A relation to elements of the program as one to those of a tile.
    fn in_tile(&self, statement: &Statement, elements: &Map, array: ArrayId) -> Result<Map> {
        let name = &self.program.tiled.array(array).tuple_name;
        let all = self.tile(statement)?.flat_range_product(&anonymous(elements)?)?;
        let tuple = Tuple::named(name, all.n(DimKind::Out));
        all.with_space_tuples(&all.space().with_tuples(all.space().input().cloned(), Some(tuple)))
    }
}

/// The elements that a part of a statement's body names: `{ S[..] -> [subscripts] }`.
fn elements(statement: &Statement, element: &Element) -> Result<Map> {
    let nothing = Space::set(statement.domain.space().param_names(), Tuple::anonymous(0));
    let mut relation = Map::from_domain_and_range(&statement.domain, &Set::universe(nothing))?;
    for subscript in &element.subscripts {
        relation = relation.flat_range_product(&subscript.to_map())?;
    }
    Ok(relation)
}

/// The same relation to a tuple without a name.
fn anonymous(relation: &Map) -> Result<Map> {
    let space = relation.space();
    let tuple = Tuple::anonymous(relation.n(DimKind::Out));
    relation.with_space_tuples(&space.with_tuples(space.input().cloned(), Some(tuple)))
}
