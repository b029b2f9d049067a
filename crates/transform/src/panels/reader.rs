//! The parts of a statement that may be computed ahead.
use super::Packed;
use crate::locality::{Stride, stride};
use crate::nest::{Nest, NestAccess, NestStatement, linear_part};
use loopwright_exact::Row;
use loopwright_presburger::{Aff, DimKind, Result};
use loopwright_schedule::{Node, Reaching};
use loopwright_scop::{
    ArrayId, Assignment, BodyPiece, Expression, ExpressionKind, Scop, Statement, StatementId,
    ValueType,
};

/// A statement whose body is a plain assignment and which stands at one leaf of the tree.
pub(super) struct Reader<'a> {
    pub(super) scop: &'a Scop,
    pub(super) statement: &'a Statement,
    /// What it assigns.
    value: Expression,
    /// The way to its leaf.
    pub(super) path: Vec<usize>,
    /// The step of the innermost loop in the statement's instances.
    innermost: Row,
    /// For each iterator the last schedule dimension that moves it.
    moved_by: Vec<usize>,
    panels: Vec<ArrayId>,
}

/// A part of a statement's value.
pub(super) struct Candidate {
    pub(super) expression: Expression,
    /// The iterators it depends on, in the order of the loops that move them.
    pub(super) coordinates: Vec<usize>,
    /// The variables that it reads.
    pub(super) arrays: Vec<ArrayId>,
    /// The array element that gives the panel its name and type.
    pub(super) named_after: ArrayId,
}

impl<'a> Reader<'a> {
    /// None if the statement has another form, or is not at exactly one leaf with one schedule.
    pub(super) fn new(packed: &'a Packed, id: StatementId) -> Result<Option<Reader<'a>>> {
        let scop = &packed.scop;
        let statement = scop.statement(id);
        let Some(Assignment { value, .. }) = Assignment::of(&statement.body) else {
            return Ok(None);
        };
        let mut paths = Vec::new();
        leaves(&packed.tree.root, &statement.name, &mut Vec::new(), &mut paths);
        let [path] = &paths[..] else { return Ok(None) };
        let reaching = Reaching::at(&packed.tree, path)?;
        let nominal = crate::extent::Nominal::in_context(&scop.context, statement.iterators.len());
        let nest = Nest::new(scop, &reaching, 0, &nominal);
        let own: Vec<&NestStatement> =
            nest.statements.iter().filter(|s| s.statement.id == id).collect();
        let [own] = own[..] else { return Ok(None) };
        let Some(last) = own.rows.len().checked_sub(1) else { return Ok(None) };
        let Some(innermost) = own.direction(last) else { return Ok(None) };
        let moved_by = (0..statement.iterators.len()).map(|iterator| {
            let moves = |row: &Option<Row>| row.as_ref().is_some_and(|r| !r.is_zero_at(iterator));
            own.rows.iter().rposition(moves).unwrap_or(0)
        });
        let moved_by = moved_by.collect();
        let panels = packed.panels.iter().map(|panel| panel.array).collect();
        let path = path.clone();
        Ok(Some(Reader { scop, statement, value, path, innermost, moved_by, panels }))
    }

    /// The parts that may pay, larger ones before their parts.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        self.value.for_each(&mut |part| found.extend(self.candidate(part)));
        found
    }

    fn candidate(&self, part: &Expression) -> Option<Candidate> {
        let body = &self.statement.body;
        let mut coordinates: Vec<usize> = (0..self.statement.iterators.len())
            .filter(|&iterator| self.depends_on(part, iterator))
            .collect();
        if coordinates.is_empty() || coordinates.len() == self.statement.iterators.len() {
            return None;
        }
        coordinates.sort_by_key(|&iterator| self.moved_by[iterator]);
        let mut arrays = Vec::new();
        let mut named_after = None;
        let mut strides = Vec::new();
        for piece in part.elements() {
            let BodyPiece::Element { array, subscripts, .. } = &body[piece] else { return None };
            if self.panels.contains(array) {
                return None;
            }
            arrays.push(*array);
            if !subscripts.is_empty() {
                named_after = named_after.or(Some(*array));
                strides.push(self.stride(*array, subscripts)?);
            }
        }
        let named_after = named_after?;
        let element_type = &self.scop.array(named_after).element_type;
        let is_plain_type = !element_type.split_whitespace().any(|w| QUALIFIERS.contains(&w));
        let is_element = matches!(part.kind, ExpressionKind::Element(_));
        let has_type = is_element
            || part.value_type(body, self.scop) == Some(ValueType::Floating(element_type.clone()));
        if !is_plain_type || !has_type || self.scop.array(named_after).element_bytes.is_none() {
            return None;
        }
        if !strides.contains(&Stride::Large) {
            return None;
        }
        let expression = part.clone();
        Some(Candidate { expression, coordinates, arrays, named_after })
    }

    fn depends_on(&self, part: &Expression, iterator: usize) -> bool {
        let mut depends = false;
        part.for_each(&mut |leaf| {
            let forms = match leaf.kind {
                ExpressionKind::Element(piece) => match &self.statement.body[piece] {
                    BodyPiece::Element { subscripts, .. } => &subscripts[..],
                    _ => &[],
                },
                ExpressionKind::Integer(piece) => match &self.statement.body[piece] {
                    BodyPiece::Expression(form) => std::slice::from_ref(form),
                    _ => &[],
                },
                _ => &[],
            };
            depends |= forms.iter().any(|form| form.involves_dims(DimKind::Out, iterator, 1));
        });
        depends
    }

    /// The stride of an element along the innermost loop; none if a subscript is not affine.
    fn stride(
        &self,
        array: ArrayId,
        subscripts: &[loopwright_presburger::PwAff],
    ) -> Option<Stride> {
        let linear = |form: &loopwright_presburger::PwAff| {
            let aff: Aff = form.as_aff()?;
            linear_part(&aff)
        };
        let rows = subscripts.iter().map(linear).collect::<Option<Vec<Row>>>()?;
        let access =
            NestAccess { is_write: false, array: array.0 as usize, subscripts: Some(rows) };
        Some(stride(&access, &self.innermost))
    }
}

/// Words in the types of elements that a copy must not have, or would not respect.
const QUALIFIERS: [&str; 4] = ["const", "volatile", "_Atomic", "restrict"];

/// The ways to the leaves that instances of a statement reach, by the names in filters.
fn leaves(node: &Node, statement: &str, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
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
