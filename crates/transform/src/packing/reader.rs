//! The parts of a statement that may be computed ahead.
use crate::cost::locality::{Stride, stride};
use crate::cost::nest::{Nest, NestAccess, NestStatement, linear_part};
use crate::cost::trip_counts::Nominal;
use crate::packing::packed::Packed;
use loopwright_exact::Row;
use loopwright_presburger::{Aff, DimKind, Result};
use loopwright_schedule::{Node, Reaching, ScheduleTree};
use loopwright_scop::{
    ArrayId, Element, ScalarType, Scop, Statement, StatementId, Term, TermKind, TermPath,
};
use std::cell::OnceCell;

/// Uses of a strided value that make up for storing and loading it.
const LEAST_USES: i64 = 8;

/// The same for vectors that could be loaded as they are, but each from another page.
const LEAST_USES_OF_ROWS: i64 = 32;

/// The same for the result of a few operations, and for what the rows read next to each other but at each
/// step of the sum from another page: it is used as a scalar, once for each vector.
const LEAST_USES_OF_OPERATIONS: i64 = 64;

/// The position of the value among the parts of an assignment.
const VALUE: usize = 1;

/// A statement whose body is a plain assignment and which stands at one leaf of the tree.
pub(super) struct PanelReader<'a> {
    pub(super) scop: &'a Scop,
    pub(super) statement: &'a Statement,
    /// What it assigns.
    value: &'a Term,
    /// The way to its leaf.
    pub(super) path: Vec<usize>,
    /// The step of the innermost loop in the statement's instances.
    innermost: Row,
    /// The steps of the sum and of the rows of a tile for registers, if the statement runs in such tiles.
    in_registers: Option<(Row, Row)>,
    /// For each iterator the last schedule dimension that moves it.
    moved_by: Vec<usize>,
    panels: Vec<ArrayId>,
}

/// A part of a statement's value.
pub(super) struct PackingCandidate<'a> {
    pub(super) part: &'a Term,
    /// The way to it from the root of the body.
    pub(super) path: TermPath,
    /// The iterators it depends on, in the order of the loops that move them.
    pub(super) coordinates: Vec<usize>,
    /// The variables that it reads.
    pub(super) arrays: Vec<ArrayId>,
    /// The array element that gives the panel its name and type.
    pub(super) named_after: ArrayId,
    /// Uses of a value of the panel that make up for storing and loading it.
    pub(super) least_uses: i64,
}

impl<'a> PanelReader<'a> {
    /// None if the statement has another form, or is not at exactly one leaf with one schedule.
    pub(super) fn new(
        packed: &'a Packed,
        id: StatementId,
        nominal: &OnceCell<Nominal>,
    ) -> Result<Option<PanelReader<'a>>> {
        let scop = &packed.scop;
        let statement = scop.statement(id);
        let Some(assignment) = statement.body.plain_assignment() else { return Ok(None) };
        let value = assignment.value;
        let mut paths = Vec::new();
        leaves(&packed.tree.root, &statement.name, &mut Vec::new(), &mut paths);
        let [path] = &paths[..] else { return Ok(None) };
        let reaching = Reaching::at(&packed.tree, path)?;
        let nominal = nominal.get_or_init(|| Nominal::of_scop(scop));
        let nest = Nest::new(scop, &reaching, 0, nominal);
        let own: Vec<&NestStatement> =
            nest.statements.iter().filter(|s| s.statement.id == id).collect();
        let [own] = own[..] else { return Ok(None) };
        let Some(last) = own.rows.len().checked_sub(1) else { return Ok(None) };
        let Some(innermost) = own.direction(last) else { return Ok(None) };
        let in_registers = match runs_in_registers(&packed.tree, path) && last >= 2 {
            true => own.direction(last - 2).zip(own.direction(last - 1)),
            false => None,
        };
        let moved_by = (0..statement.iterators.len()).map(|iterator| {
            let moves = |row: &Option<Row>| row.as_ref().is_some_and(|r| !r.is_zero_at(iterator));
            own.rows.iter().rposition(moves).unwrap_or(0)
        });
        let moved_by = moved_by.collect();
        let panels = packed.panels.iter().map(|panel| panel.array).collect();
        let path = path.clone();
        Ok(Some(PanelReader {
            scop,
            statement,
            value,
            path,
            innermost,
            in_registers,
            moved_by,
            panels,
        }))
    }

    /// The parts that may pay, larger ones before their parts.
    pub(super) fn candidates(&self) -> Vec<PackingCandidate<'a>> {
        let mut found = Vec::new();
        self.find(self.value, vec![VALUE], &mut found);
        found
    }

    fn find(&self, part: &'a Term, path: TermPath, found: &mut Vec<PackingCandidate<'a>>) {
        found.extend(self.candidate(part, &path));
        let (mut inner, mut inner_path) = (part, path);
        while let (TermKind::Parenthesized, [only]) = (inner.kind(), inner.children()) {
            inner = only;
            inner_path.push(0);
        }
        for (position, child) in inner.children().iter().enumerate() {
            let child_path = inner_path.iter().copied().chain([position]).collect();
            self.find(child, child_path, found);
        }
    }

    fn candidate(&self, part: &'a Term, path: &TermPath) -> Option<PackingCandidate<'a>> {
        let mut coordinates: Vec<usize> = (0..self.statement.iterators.len())
            .filter(|&iterator| self.depends_on(part, iterator))
            .collect();
        if coordinates.is_empty() || coordinates.len() == self.statement.iterators.len() {
            return None;
        }
        coordinates.sort_by_key(|&iterator| self.moved_by[iterator]);
        let mut arrays = Vec::new();
        let mut named_after = None;
        let mut accesses = Vec::new();
        for Element { array, subscripts, .. } in part.elements() {
            if self.panels.contains(array) {
                return None;
            }
            arrays.push(*array);
            if !subscripts.is_empty() {
                named_after = named_after.or(Some(*array));
                accesses.push(self.access(*array, subscripts)?);
            }
        }
        let named_after = named_after?;
        let element_type = &self.scop.array(named_after).element_type;
        let is_plain_type = !element_type.split_whitespace().any(|w| QUALIFIERS.contains(&w));
        let is_element = part.without_parentheses().as_element().is_some();
        let has_type = is_element
            || self.scop.array(named_after).floating_type().is_some_and(|floating| {
                part.value_type(self.scop) == Some(ScalarType::Floating(floating))
            });
        if !is_plain_type || !has_type || self.scop.array(named_after).element_bytes.is_none() {
            return None;
        }
        let along = |step: &Row| accesses.iter().map(|a| stride(a, step)).max();
        let least_uses = match (along(&self.innermost)?, &self.in_registers) {
            (Stride::Large, _) => LEAST_USES,
            (Stride::Unit, Some((sum, row)))
                if along(sum) == Some(Stride::Large) && along(row) == Some(Stride::Zero) =>
            {
                LEAST_USES_OF_ROWS
            }
            (Stride::Zero, Some((sum, _))) if !is_element && along(sum) == Some(Stride::Unit) => {
                // Filled and read along the sum.
                coordinates.sort_by_key(|&iterator| !sum.is_zero_at(iterator));
                LEAST_USES_OF_OPERATIONS
            }
            (Stride::Zero, Some((sum, row)))
                if along(sum) == Some(Stride::Large) && along(row) == Some(Stride::Unit) =>
            {
                LEAST_USES_OF_OPERATIONS
            }
            _ => return None,
        };
        let path = path.clone();
        Some(PackingCandidate { part, path, coordinates, arrays, named_after, least_uses })
    }

    fn depends_on(&self, part: &Term, iterator: usize) -> bool {
        part.forms().into_iter().any(|form| form.involves_dims(DimKind::Out, iterator, 1))
    }

    /// The access of an element; none if a subscript is not affine.
    fn access(
        &self,
        array: ArrayId,
        subscripts: &[loopwright_presburger::PwAff],
    ) -> Option<NestAccess> {
        let linear = |form: &loopwright_presburger::PwAff| {
            let aff: Aff = form.as_aff()?;
            linear_part(&aff)
        };
        let rows = subscripts.iter().map(linear).collect::<Option<Vec<Row>>>()?;
        let (array, drift) = (array.0 as usize, Some(rows.clone()));
        Some(NestAccess { is_write: false, array, subscripts: Some(rows), drift })
    }
}

/// Whether the leaf at `path` is in tiles for registers: these have loops whose full tiles are isolated.
pub(super) fn runs_in_registers(tree: &ScheduleTree, path: &[usize]) -> bool {
    tree.ancestors(path)
        .iter()
        .any(|node| matches!(node, Node::Band(band, _) if band.isolate.is_some()))
}

/// Words in the types of elements that a copy must not have, or would not respect.
const QUALIFIERS: [&str; 4] = ["const", "volatile", "_Atomic", "restrict"];

/// Whether two statements run in one loop somewhere: then their panels exist at the same time.
pub(super) fn share_a_loop(tree: &ScheduleTree, a: &str, b: &str) -> bool {
    let paths = |statement| {
        let mut found = Vec::new();
        leaves(&tree.root, statement, &mut Vec::new(), &mut found);
        found
    };
    let (a, b) = (paths(a), paths(b));
    let is_shared = |a: &[usize], b: &[usize]| {
        let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let nodes = tree.ancestors(&a[..common]);
        nodes.iter().any(|node| matches!(node, Node::Band(band, _) if band.n_members() > 0))
    };
    a.iter().any(|a| b.iter().any(|b| is_shared(a, b)))
}

/// The ways to the leaves that instances of a statement reach, by the names in filters.
pub(super) fn leaves(
    node: &Node,
    statement: &str,
    path: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if let Node::Filter(filter, _) = node {
        let is_meant = |set: &loopwright_presburger::Set| {
            set.space().output().and_then(|tuple| tuple.name()).is_some_and(|n| **n == *statement)
        };
        if !filter.sets().iter().any(is_meant) {
            return;
        }
    }
    if node.is_leaf() {
        found.push(path.clone());
    }
    for (position, child) in node.children().iter().enumerate() {
        path.push(position);
        leaves(child, statement, path, found);
        path.pop();
    }
}
