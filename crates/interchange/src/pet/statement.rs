//! Reading statements.
use super::expression::{FoundAccess, accesses, body};
use crate::model::{position_of, required};
use crate::statement_call::statement_call;
use crate::unknown_array::unknown_array;
use loopwright_presburger::{Name, Result, Set};
use loopwright_schedule::yaml::Value;
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Body, Location, ReferenceId, Statement, StatementId,
    parse_body,
};

/// A statement, and a remark about what is approximated.
pub(super) fn statement(
    position: usize,
    value: &Value<'_>,
    arrays: &mut Vec<Array>,
) -> Result<(Statement, Option<String>)> {
    let key = required(value, "domain")?;
    let whole = key.read(Set::parse)?;
    let depends_on_data = whole.space().output().is_some_and(|tuple| tuple.as_nested().is_some());
    let domain = if depends_on_data { whole.unwrap()?.domain() } else { whole };
    let Some(name) = domain.space().output().and_then(|tuple| tuple.name()).cloned() else {
        return Err(key.error("expected a set of instances of one statement"));
    };
    let content = required(value, "body")?;
    let expression = content
        .get("expr")
        .filter(|_| content.get("type").is_some_and(|kind| kind.text() == "expression"));
    let operation = expression.and_then(|expression| expression.get("operation")).map(Value::text);
    let is_kill = matches!(operation, Some("kill" | "assume"));
    let is_certain = !depends_on_data && expression.is_some();
    let mut found = Vec::new();
    if let Some(arguments) = value.get("arguments") {
        accesses(arguments, &mut found)?;
    }
    if operation != Some("assume") {
        accesses(content, &mut found)?;
    }
    let accesses =
        with_arrays(&found, &domain, is_certain, arrays).map_err(|message| value.error(message))?;
    let text = match (value.get("text"), expression) {
        (Some(own), _) if !is_kill => Some(parse_body(own, arrays)?),
        (None, Some(expression)) if !is_kill && !depends_on_data => body(expression, arrays)?,
        _ => None,
    };
    let remark = (text.is_none() && !is_kill).then(|| {
        let reason = match depends_on_data {
            true => "is executed depending on data",
            false => "has a text that is not printed",
        };
        format!("statement {name} {reason}: it is printed as a call `{name}(...)`")
    });
    let body = match (text, is_kill) {
        (Some(text), _) => text,
        (None, true) => Body::default(),
        (None, false) => statement_call(&name, &domain),
    };
    let line = value.get("line").and_then(|line| line.text().trim().parse().ok()).unwrap_or(0);
    let statement = Statement {
        id: StatementId(u32::try_from(position).unwrap_or(u32::MAX)),
        iterators: iterators(&domain),
        iterator_types: vec!["int".to_string(); domain.n_dims()],
        name,
        domain,
        accesses,
        body,
        is_kill,
        location: Location { line, column: 1 },
    };
    Ok((statement, remark))
}

/// The names of the dimensions, made up where there are none.
fn iterators(domain: &Set) -> Vec<Name> {
    let names = domain.space().output().map(|tuple| tuple.dim_names()).unwrap_or_default();
    let name = |(position, name): (usize, Option<Name>)| {
        name.unwrap_or_else(|| Name::from(format!("i{position}")))
    };
    names.into_iter().enumerate().map(name).collect()
}

/// The accesses with their variables; on instances that may not be executed, writes are not certain
/// and kills do not count.
fn with_arrays(
    found: &[FoundAccess],
    domain: &Set,
    is_certain: bool,
    arrays: &mut Vec<Array>,
) -> std::result::Result<Vec<Access>, String> {
    let mut accesses = Vec::new();
    for FoundAccess { kind, relation } in found {
        let kind = match kind {
            AccessKind::Kill if !is_certain => continue,
            AccessKind::MustWrite if !is_certain => AccessKind::MayWrite,
            kind => *kind,
        };
        let Some(name) = relation.space().output().and_then(|tuple| tuple.name()).cloned() else {
            return Err("an access to elements without name".to_string());
        };
        let n_dims = relation.range().n_dims();
        let array = position_of(arrays, &name, n_dims, || unknown_array(&name, n_dims))?;
        let relation = relation.intersect_domain(domain).map_err(|error| error.to_string())?;
        accesses.push(Access {
            reference: ReferenceId(u32::try_from(accesses.len()).unwrap_or(u32::MAX)),
            array: ArrayId(u32::try_from(array).unwrap_or(u32::MAX)),
            kind,
            relation,
        });
    }
    Ok(accesses)
}
