//! Scops as text: YAML with sets and relations in isl's notation, see [`Scop::parse`].
use crate::{Access, Array, ArrayId, Body, BodyPiece, Scop, Statement};
use loopwright_schedule::yaml::quote;
use std::fmt::{Display, Formatter, Result};

impl Display for Scop {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "context: {}", quoted(&self.context))?;
        head(f, "parameters", self.parameters.is_empty())?;
        for parameter in &self.parameters {
            writeln!(f, "- name: {}", quoted(&parameter.name))?;
            writeln!(f, "  type: {}", quoted(&parameter.c_type))?;
            if let Some(value) = &parameter.value {
                writeln!(f, "  value: {}", quoted(value))?;
            }
        }
        head(f, "arrays", self.arrays.is_empty())?;
        self.arrays.iter().try_for_each(|array| write_array(f, array))?;
        head(f, "statements", self.statements.is_empty())?;
        self.statements.iter().try_for_each(|statement| write_statement(f, self, statement))?;
        writeln!(f, "schedule:")?;
        for line in self.schedule.to_string().lines() {
            writeln!(f, "  {line}")?;
        }
        head(f, "assumptions", self.assumptions.is_empty())?;
        self.assumptions.iter().try_for_each(|text| writeln!(f, "- {}", quoted(text)))
    }
}

fn quoted(value: &dyn Display) -> String {
    quote(&value.to_string())
}

/// The key of a list; an empty list stands on the same line.
fn head(f: &mut Formatter<'_>, key: &str, is_empty: bool) -> Result {
    writeln!(f, "{key}:{}", if is_empty { " []" } else { "" })
}

fn flow<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| quoted(&item)).collect();
    if items.is_empty() { "[]".to_string() } else { format!("[ {} ]", items.join(", ")) }
}

fn write_array(f: &mut Formatter<'_>, array: &Array) -> Result {
    let extent = |e: &Option<_>| e.as_ref().map_or(String::new(), |e| format!("{e}"));
    writeln!(f, "- name: {}", quoted(&array.name))?;
    writeln!(f, "  tuple: {}", quoted(&array.tuple_name))?;
    writeln!(f, "  type: {}", quoted(&array.element_type))?;
    if let Some(bytes) = array.element_bytes {
        writeln!(f, "  bytes: {bytes}")?;
    }
    writeln!(f, "  kind: {}", array.element_kind.keyword())?;
    if !array.extents.is_empty() {
        writeln!(f, "  extents: {}", flow(array.extents.iter().map(extent)))?;
        writeln!(f, "  extent_texts: {}", flow(&array.extent_texts))?;
    }
    if array.is_member {
        writeln!(f, "  member: 1")?;
    }
    writeln!(f, "  live_out: {}", u8::from(array.live_out))?;
    if array.declared_in_scop {
        writeln!(f, "  declaration_depth: {}", array.declaration_depth)?;
    }
    Ok(())
}

fn write_statement(f: &mut Formatter<'_>, scop: &Scop, statement: &Statement) -> Result {
    writeln!(f, "- name: {}", quoted(&statement.name))?;
    writeln!(f, "  domain: {}", quoted(&statement.domain))?;
    if statement.is_kill {
        writeln!(f, "  kill: 1")?;
    }
    writeln!(f, "  line: {}", statement.location.line)?;
    writeln!(f, "  column: {}", statement.location.column)?;
    if !statement.iterators.is_empty() {
        writeln!(f, "  iterators: {}", flow(&statement.iterators))?;
        writeln!(f, "  iterator_types: {}", flow(&statement.iterator_types))?;
    }
    if !statement.accesses.is_empty() {
        writeln!(f, "  accesses:")?;
    }
    for Access { array, kind, relation, .. } in &statement.accesses {
        writeln!(f, "  - array: {}", quoted(&scop.array(*array).tuple_name))?;
        writeln!(f, "    kind: {}", kind.keyword())?;
        writeln!(f, "    relation: {}", quoted(relation))?;
    }
    if !statement.body.is_empty() {
        writeln!(f, "  body:")?;
    }
    write!(f, "{}", BodyItems { scop, body: &statement.body })
}

/// The pieces of a body as items of a list.
struct BodyItems<'a> {
    scop: &'a Scop,
    body: &'a Body,
}

impl Display for BodyItems<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.body.pieces().iter().try_for_each(|piece| write_piece(f, self.scop, piece))
    }
}

impl Scop {
    /// The pieces of the body of a statement as items of a list in YAML, indented by two blanks; see
    /// [`crate::parse_body`].
    pub fn body_to_yaml(&self, statement: &Statement) -> String {
        BodyItems { scop: self, body: &statement.body }.to_string()
    }
}

fn write_piece(f: &mut Formatter<'_>, scop: &Scop, piece: &BodyPiece<'_>) -> Result {
    let array_line = |f: &mut Formatter<'_>, array: ArrayId| {
        writeln!(f, "    array: {}", quoted(&scop.array(array).tuple_name))
    };
    match piece {
        BodyPiece::Text(text) => writeln!(f, "  - text: {}", quoted(text)),
        BodyPiece::Affine(value) => writeln!(f, "  - expression: {}", quoted(value)),
        BodyPiece::Hidden(array) => {
            writeln!(f, "  - element: {}", quoted(&""))?;
            array_line(f, *array)
        }
        BodyPiece::Element(element) => {
            let (before, after) = element.base.parts();
            writeln!(f, "  - element: {}", quoted(&before))?;
            if !after.is_empty() {
                writeln!(f, "    after: {}", flow(after))?;
            }
            array_line(f, element.array)?;
            if !element.subscripts.is_empty() {
                writeln!(f, "    subscripts: {}", flow(&element.subscripts))?;
            }
            Ok(())
        }
    }
}
