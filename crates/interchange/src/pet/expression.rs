//! Reading expressions: their accesses and their text.
use crate::model::{list, required};
use loopwright_presburger::{Map, MultiPwAff, PwAff, Result, Tuple, UnionMap};
use loopwright_schedule::yaml::{Kind, Value};
use loopwright_scop::{AccessKind, Array, ArrayId, BodyPiece};

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
    let index = required(value, "index")?;
    let elements = || -> Result<Option<UnionMap>> {
        let multi = index.read(MultiPwAff::parse)?;
        let is_named = multi.space().output().is_some_and(|tuple| {
            tuple.name().is_some() || tuple.as_nested().is_some()
        });
        Ok(if is_named { Some(UnionMap::from_map(multi.to_map()?)) } else { None })
    };
    let mut add = |kind: AccessKind, union: Option<UnionMap>| -> Result<()> {
        for map in union.iter().flat_map(UnionMap::maps) {
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
            (None, None) => add(AccessKind::MustWrite, elements()?)?,
            (may, must) => {
                add(AccessKind::MayWrite, may)?;
                add(AccessKind::MustWrite, must)?;
            }
        }
    }
    Ok(())
}

/// The text of an expression in pieces; none if it has no text that is sure to mean the same.
pub(super) fn body(value: &Value<'_>, arrays: &[Array]) -> Result<Option<Vec<BodyPiece>>> {
    let mut writer = Writer { arrays, pieces: Vec::new(), depth: 0 };
    Ok(writer.expression(value, true)?.map(|()| writer.pieces))
}

/// Expressions inside each other that are printed.
const DEEPEST: usize = 100;

struct Writer<'a> {
    arrays: &'a [Array],
    pieces: Vec<BodyPiece>,
    depth: usize,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(BodyPiece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(BodyPiece::Text(text.to_string())),
        }
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
                    self.pieces.push(BodyPiece::Expression(single.clone()));
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
            Some(array) => self.pieces.push(BodyPiece::Element {
                base: name.to_string(),
                array: ArrayId(array),
                subscripts: subscripts.to_vec(),
            }),
            None => {
                self.text(name);
                self.subscripts(&mut subscripts.iter(), subscripts.len());
            }
        }
    }

    fn subscripts<'p>(&mut self, members: &mut impl Iterator<Item = &'p PwAff>, count: usize) {
        for subscript in members.take(count) {
            self.text("[");
            self.pieces.push(BodyPiece::Expression(subscript.clone()));
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
