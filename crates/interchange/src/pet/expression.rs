//! Reading expressions: their accesses and their text.
use crate::model::{list, required};
use loopwright_presburger::{DimKind, Map, MultiPwAff, PwAff, Result, Tuple, UnionMap};
use loopwright_schedule::yaml::{Kind, Value};
use loopwright_scop::{AccessKind, Array, ArrayId, Body, BodyPiece, Element};

/// An access of an expression.
pub(super) struct FoundAccess {
    pub(super) kind: AccessKind,
    /// From the instances to the elements of one variable.
    pub(super) relation: Map,
}

/// The accesses of all expressions in a node, in the order of the text.
pub(super) fn accesses(value: &Value<'_>, found: &mut Vec<FoundAccess>) -> Result<()> {
    match &value.kind {
        Kind::Mapping(entries) => {
            for (_, part) in entries {
                accesses(part, found)?;
            }
            match value.get("type").map(Value::text) {
                Some("access") => add_access(value, found),
                _ => Ok(()),
            }
        }
        Kind::List(items) => items.iter().try_for_each(|item| accesses(item, found)),
        _ => Ok(()),
    }
}

fn add_access(value: &Value<'_>, found: &mut Vec<FoundAccess>) -> Result<()> {
    let flag = |key: &str| value.get(key).map_or(Ok(false), Value::flag);
    let union = |key: &str| value.get(key).map(|v| v.read(UnionMap::parse)).transpose();
    let elements = || indexed_elements(value);
    let mut add = |kind: AccessKind, union: Option<UnionMap>| -> Result<()> {
        for map in union.iter().flat_map(UnionMap::maps).filter(|map| has_elements(map)) {
            let is_nested = map.space().input().is_some_and(|input| input.as_nested().is_some());
            let (kind, relation) = match is_nested {
                false => (kind, map.clone()),
                true if kind == AccessKind::MustWrite => {
                    (AccessKind::MayWrite, map.domain_factor_domain()?)
                }
                true => (kind, map.domain_factor_domain()?),
            };
            found.push(FoundAccess { kind, relation });
        }
        Ok(())
    };
    if flag("kill")? {
        return add(AccessKind::Kill, union("killed")?.map_or_else(elements, |u| Ok(Some(u)))?);
    }
    if flag("read")? {
        add(AccessKind::Read, union("may_read")?.map_or_else(elements, |u| Ok(Some(u)))?)?;
    }
    if flag("write")? {
        let (may, must) = (union("may_write")?, union("must_write")?);
        match (may, must) {
            (None, None) if is_partial(value)? => add(AccessKind::MayWrite, elements()?)?,
            (None, None) => add(AccessKind::MustWrite, elements()?)?,
            (may, must) => {
                add(AccessKind::MayWrite, may)?;
                add(AccessKind::MustWrite, must)?;
            }
        }
    }
    Ok(())
}

/// Whether a relation is to elements of a variable; values are images without name.
fn has_elements(map: &Map) -> bool {
    let image = map.space().output();
    image.is_some_and(|tuple| tuple.name().is_some() || tuple.as_nested().is_some())
}

/// Whether the index has fewer subscripts than the elements that are accessed.
fn is_partial(value: &Value<'_>) -> Result<bool> {
    let index = required(value, "index")?.read(MultiPwAff::parse)?;
    Ok(depth(value)?.is_some_and(|depth| depth > index.members().len()))
}

fn depth(value: &Value<'_>) -> Result<Option<usize>> {
    let Some(depth) = value.get("depth") else { return Ok(None) };
    match depth.text().trim().parse() {
        Ok(number @ 0..=64) => Ok(Some(number)),
        _ => Err(depth.error("expected a number of subscripts, at most 64")),
    }
}

/// The elements below the index of an access; none if it is a value.
fn indexed_elements(value: &Value<'_>) -> Result<Option<UnionMap>> {
    let elements = required(value, "index")?.read(MultiPwAff::parse)?.to_map()?;
    if !has_elements(&elements) {
        return Ok(None);
    }
    let n_dims = elements.n(DimKind::Out);
    let whole = depth(value)?.map_or(n_dims, |depth| depth.max(n_dims));
    let name = elements.space().output().and_then(|tuple| tuple.name()).cloned();
    let Some(name) = name.filter(|_| whole > n_dims) else {
        return Ok(Some(UnionMap::from_map(elements)));
    };
    let elements = elements.insert_dims(DimKind::Out, n_dims, whole - n_dims);
    let input = elements.space().input().cloned();
    let space = elements.space().with_tuples(input, Some(Tuple::named(&name, whole)));
    Ok(Some(UnionMap::from_map(elements.with_space_tuples(&space)?)))
}

/// The body that is an expression; none if it has no text that is sure to mean the same.
pub(super) fn body(value: &Value<'_>, arrays: &[Array]) -> Result<Option<Body>> {
    let mut writer = Writer { arrays, pieces: Vec::new(), depth: 0 };
    Ok(writer.expression(value, true)?.map(|()| Body::read(writer.pieces)))
}

/// Expressions inside each other that are printed.
const DEEPEST: usize = 100;

struct Writer<'a> {
    arrays: &'a [Array],
    pieces: Vec<BodyPiece<'static>>,
    depth: usize,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.pieces.push(BodyPiece::text(text));
    }

    fn expression(&mut self, value: &Value<'_>, is_whole: bool) -> Result<Option<()>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Ok(None);
        }
        let done = match required(value, "type")?.text() {
            "int" => {
                let text = required(value, "value")?.text().trim().to_string();
                let is_negative = text.starts_with('-');
                self.text(&if is_negative { format!("({text})") } else { text });
                Some(())
            }
            "double" => {
                let text = value.get("string").or_else(|| value.get("value"));
                text.map(|text| self.text(text.text().trim()))
            }
            "access" => self.access(value)?,
            "cast" => {
                let name = required(value, "type_name")?.text().to_string();
                self.text(&format!("({name}) "));
                match list(value, "arguments")? {
                    [operand] => self.operand(operand)?,
                    _ => None,
                }
            }
            "call" => {
                let name = required(value, "name")?.text().to_string();
                self.text(&format!("{name}("));
                for (position, argument) in list(value, "arguments")?.iter().enumerate() {
                    if position > 0 {
                        self.text(", ");
                    }
                    if self.expression(argument, false)?.is_none() {
                        return Ok(None);
                    }
                }
                self.text(")");
                Some(())
            }
            "op" => self.operation(value, is_whole)?,
            _ => None,
        };
        self.depth -= 1;
        Ok(done)
    }

    /// An expression as an operand: in parentheses if it is an operation.
    fn operand(&mut self, value: &Value<'_>) -> Result<Option<()>> {
        let is_operation = matches!(value.get("type").map(Value::text), Some("op" | "cast"));
        if is_operation {
            self.text("(");
        }
        let done = self.expression(value, false)?;
        if is_operation {
            self.text(")");
        }
        Ok(done)
    }

    fn operation(&mut self, value: &Value<'_>, is_whole: bool) -> Result<Option<()>> {
        let operator = required(value, "operation")?.text().to_string();
        match (operator.as_str(), list(value, "arguments")?) {
            ("++" | "--", [operand]) if is_whole => {
                let done = self.operand(operand)?;
                self.text(&operator);
                Ok(done)
            }
            ("++" | "--", _) => Ok(None),
            ("-" | "!" | "~" | "&", [operand]) => {
                self.text(&operator);
                self.operand(operand)
            }
            ("?:", [condition, then, otherwise]) => {
                for (before, part) in [("", condition), (" ? ", then), (" : ", otherwise)] {
                    self.text(before);
                    if self.operand(part)?.is_none() {
                        return Ok(None);
                    }
                }
                Ok(Some(()))
            }
            (_, [left, right]) => {
                if self.operand(left)?.is_none() {
                    return Ok(None);
                }
                self.text(&format!(" {operator} "));
                self.operand(right)
            }
            _ => Ok(None),
        }
    }

    fn access(&mut self, value: &Value<'_>) -> Result<Option<()>> {
        if value.get("arguments").is_some() {
            return Ok(None);
        }
        let index = required(value, "index")?.read(MultiPwAff::parse)?;
        let Some(tuple) = index.space().output().cloned() else { return Ok(None) };
        match (tuple.name(), tuple.as_nested()) {
            (None, None) => match index.members() {
                [single] => {
                    self.pieces.push(BodyPiece::affine(single.clone()));
                    Ok(Some(()))
                }
                _ => Ok(None),
            },
            (Some(name), None) => {
                self.element(name, index.members());
                Ok(Some(()))
            }
            _ => {
                let mut members = index.members().iter();
                self.members(&tuple, &mut members);
                Ok(Some(()))
            }
        }
    }

    fn element(&mut self, name: &str, subscripts: &[PwAff]) {
        let is_own = |array: &Array| &*array.tuple_name == name;
        let found = self.arrays.iter().position(is_own);
        let array = found.filter(|array| self.arrays[*array].extents.len() == subscripts.len());
        match array.and_then(|array| u32::try_from(array).ok()) {
            Some(array) => {
                let element = Element::new(name, ArrayId(array), subscripts.to_vec());
                self.pieces.push(BodyPiece::element(element));
            }
            None => {
                self.text(name);
                self.subscripts(&mut subscripts.iter(), subscripts.len());
            }
        }
    }

    fn subscripts<'p>(&mut self, members: &mut impl Iterator<Item = &'p PwAff>, count: usize) {
        for subscript in members.take(count) {
            self.text("[");
            self.pieces.push(BodyPiece::affine(subscript.clone()));
            self.text("]");
        }
    }

    /// `s[i].c[j]` for `s_c[s[i] -> c[j]]`.
    fn members<'p>(&mut self, tuple: &Tuple, members: &mut std::slice::Iter<'p, PwAff>) {
        match tuple.as_nested() {
            Some((outer, inner)) => {
                self.members(outer, members);
                self.text(".");
                self.members(inner, members);
            }
            None => {
                let name = tuple.name().map_or(String::new(), |name| name.to_string());
                self.text(&name);
                self.subscripts(members, tuple.n_dims());
            }
        }
    }
}
