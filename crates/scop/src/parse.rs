//! Reads scops from the text that they print as.
use crate::{
    Access, AccessKind, Array, ArrayId, Body, BodyPiece, Element, ElementKind, ElementText,
    Location, Parameter, ReferenceId, Scop, Statement, StatementId,
};
use loopwright_presburger::{Map, Name, PwAff, Result, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_schedule::yaml::{Kind, Value};
use std::str::FromStr;

impl Scop {
    /// Reads a scop from the form that it prints as: YAML with the keys `context`, `parameters`,
    /// `arrays`, `statements`, `schedule` and `assumptions`.
    ///
    /// # Errors
    /// [`loopwright_presburger::Error::Parse`]; the message names the line.
    pub fn parse(text: &str) -> Result<Self> {
        let value = Value::parse(text)?;
        let arrays: Vec<Array> =
            list(&value, "arrays")?.iter().map(array).collect::<Result<_>>()?;
        let statements = list(&value, "statements")?;
        let statements = statements
            .iter()
            .enumerate()
            .map(|(index, item)| statement(index, item, &arrays))
            .collect::<Result<_>>()?;
        Ok(Scop {
            context: required(&value, "context")?.read(Set::parse)?,
            parameters: list(&value, "parameters")?.iter().map(parameter).collect::<Result<_>>()?,
            arrays,
            statements,
            schedule: ScheduleTree::from_yaml(required(&value, "schedule")?)?,
            assumptions: texts(&value, "assumptions")?,
        })
    }
}

/// Reads the pieces of a body that [`Scop::body_to_yaml`] has written, with the arrays of the model.
///
/// # Errors
/// [`loopwright_presburger::Error::Parse`]; the message names the line.
pub fn parse_body(value: &Value<'_>, arrays: &[Array]) -> Result<Body> {
    body_of(value.items()?, arrays)
}

fn body_of(items: &[Value<'_>], arrays: &[Array]) -> Result<Body> {
    let pieces = items.iter().map(|item| piece(item, arrays)).collect::<Result<Vec<_>>>()?;
    Ok(Body::read(pieces))
}

fn required<'v, 'a>(value: &'v Value<'a>, key: &str) -> Result<&'v Value<'a>> {
    value.get(key).ok_or_else(|| value.error(format_args!("expected `{key}:`")))
}

/// The items under a key; none if the key is absent.
fn list<'v, 'a>(value: &'v Value<'a>, key: &str) -> Result<&'v [Value<'a>]> {
    match value.get(key) {
        None => Ok(&[]),
        Some(list) if matches!(list.kind, Kind::Null) => Ok(&[]),
        Some(list) => list.items(),
    }
}

fn texts(value: &Value<'_>, key: &str) -> Result<Vec<String>> {
    Ok(list(value, key)?.iter().map(|item| item.text().to_string()).collect())
}

fn text(value: &Value<'_>, key: &str) -> Result<String> {
    Ok(required(value, key)?.text().to_string())
}

/// A number under a key; none if the key is absent.
fn number<T: FromStr>(value: &Value<'_>, key: &str) -> Result<Option<T>> {
    let Some(found) = value.get(key) else { return Ok(None) };
    let parsed = found.text().trim().parse();
    parsed.map(Some).map_err(|_| found.error("expected a number"))
}

fn flag(value: &Value<'_>, key: &str) -> Result<bool> {
    value.get(key).map_or(Ok(false), Value::flag)
}

fn parameter(value: &Value<'_>) -> Result<Parameter> {
    let name = text(value, "name")?.into();
    let of_memory = value.get("value").map(|_| text(value, "value")).transpose()?;
    Ok(Parameter { name, c_type: text(value, "type")?, value: of_memory })
}

fn array(value: &Value<'_>) -> Result<Array> {
    let kind = required(value, "kind")?;
    let extent = |item: &Value<'_>| match item.text().trim() {
        "" => Ok(None),
        _ => item.read(PwAff::parse).map(Some),
    };
    let depth = number(value, "declaration_depth")?;
    Ok(Array {
        name: text(value, "name")?.into(),
        tuple_name: text(value, "tuple")?.into(),
        element_type: text(value, "type")?,
        element_bytes: number(value, "bytes")?,
        element_kind: ElementKind::from_keyword(kind.text())
            .ok_or_else(|| kind.error("expected floating, signed, unsigned or other"))?,
        extents: list(value, "extents")?.iter().map(extent).collect::<Result<_>>()?,
        extent_texts: texts(value, "extent_texts")?,
        declared_in_scop: depth.is_some(),
        is_member: flag(value, "member")?,
        live_out: flag(value, "live_out")?,
        declaration_depth: depth.unwrap_or(0),
    })
}

fn find_array(value: &Value<'_>, arrays: &[Array]) -> Result<ArrayId> {
    let name = required(value, "array")?;
    let position = arrays.iter().position(|array| &*array.tuple_name == name.text());
    let position = position.ok_or_else(|| name.error("expected the tuple of an array"))?;
    Ok(ArrayId(position as u32))
}

fn statement(index: usize, value: &Value<'_>, arrays: &[Array]) -> Result<Statement> {
    let accesses = list(value, "accesses")?;
    let accesses = accesses.iter().enumerate().map(|(i, item)| access(i, item, arrays));
    Ok(Statement {
        id: StatementId(index as u32),
        name: text(value, "name")?.into(),
        domain: required(value, "domain")?.read(Set::parse)?,
        iterators: texts(value, "iterators")?.into_iter().map(Name::from).collect(),
        iterator_types: texts(value, "iterator_types")?,
        accesses: accesses.collect::<Result<_>>()?,
        body: body_of(list(value, "body")?, arrays)?,
        is_kill: flag(value, "kill")?,
        location: Location {
            line: number(value, "line")?.unwrap_or(0),
            column: number(value, "column")?.unwrap_or(0),
        },
    })
}

fn access(index: usize, value: &Value<'_>, arrays: &[Array]) -> Result<Access> {
    let kind = required(value, "kind")?;
    Ok(Access {
        reference: ReferenceId(index as u32),
        array: find_array(value, arrays)?,
        kind: AccessKind::from_keyword(kind.text())
            .ok_or_else(|| kind.error("expected read, write, may-write or kill"))?,
        relation: required(value, "relation")?.read(Map::parse)?,
    })
}

fn piece(value: &Value<'_>, arrays: &[Array]) -> Result<BodyPiece<'static>> {
    if let Some(text) = value.get("text") {
        return Ok(BodyPiece::text(text.text()));
    }
    if let Some(expression) = value.get("expression") {
        return Ok(BodyPiece::affine(expression.read(PwAff::parse)?));
    }
    let subscripts = list(value, "subscripts")?.iter().map(|item| item.read(PwAff::parse));
    let subscripts = subscripts.collect::<Result<Vec<_>>>()?;
    let base = ElementText::around(text(value, "element")?, texts(value, "after")?);
    let array = find_array(value, arrays)?;
    // What a call accesses has no text.
    if base.is_named("") && subscripts.is_empty() {
        return Ok(BodyPiece::Hidden(array));
    }
    Ok(BodyPiece::element(Element { base, array, subscripts }))
}
