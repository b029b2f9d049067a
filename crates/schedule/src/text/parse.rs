//! Schedule trees from isl's YAML.
use crate::text::yaml::{Kind, Value};
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{
    Error, MultiUnionPwAff, Result, Set, UnionMap, UnionPwMultiAff, UnionSet,
};
use std::str::FromStr;

/// The keys that decide the kind of a node.
const KINDS: [&str; 9] =
    ["schedule", "sequence", "set", "filter", "mark", "context", "guard", "extension", "expansion"];

impl ScheduleTree {
    /// Reads a tree in isl's YAML, in block or flow style.
    ///
    /// *Cost.* Linear in the text, and what reading its sets and relations costs.
    ///
    /// # Errors
    /// [`loopwright_presburger::Error::Parse`]; the message names the line.
    ///
    /// # Examples
    /// ```
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let tree = ScheduleTree::parse(
    ///     "domain: '{ S[i] : 0 <= i < 9 }'\nchild:\n  schedule: '[{ S[i] -> [(i)] }]'\n",
    /// )?;
    /// assert!(matches!(&tree.root, Node::Band(band, _) if band.n_members() == 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        Self::from_yaml(&Value::parse(text)?)
    }

    /// Reads a tree from a part of a YAML document (as in isl's access information).
    ///
    /// # Errors
    /// If the value is not a tree that starts with a domain.
    pub fn from_yaml(value: &Value) -> Result<Self> {
        allow_keys(value, &["domain", "child"])?;
        let domain = value.get("domain").ok_or_else(|| value.error("expected `domain:`"))?;
        let domain = domain.read(UnionSet::parse)?;
        Ok(ScheduleTree { domain, root: child(value)? })
    }
}

impl FromStr for ScheduleTree {
    type Err = Error;

    /// [`ScheduleTree::parse`].
    fn from_str(text: &str) -> Result<Self> {
        ScheduleTree::parse(text)
    }
}

impl TryFrom<&str> for ScheduleTree {
    type Error = Error;

    /// [`ScheduleTree::parse`].
    fn try_from(text: &str) -> Result<Self> {
        ScheduleTree::parse(text)
    }
}

fn allow_keys(value: &Value, allowed: &[&str]) -> Result<()> {
    for (key, entry) in value.entries()? {
        if !allowed.contains(&&**key) {
            let expected = allowed.join(", ");
            return Err(entry.error(format_args!("unexpected key `{key}` (expected {expected})")));
        }
    }
    Ok(())
}

fn child(value: &Value) -> Result<Node> {
    value.get("child").map_or(Ok(Node::Leaf), node)
}

fn node(value: &Value) -> Result<Node> {
    match &value.kind {
        Kind::Null => return Ok(Node::Leaf),
        Kind::Scalar(text) if text == "leaf" => return Ok(Node::Leaf),
        _ => {}
    }
    let mut kinds = value.entries()?.iter().filter(|(key, _)| KINDS.contains(&&**key));
    let Some((key, content)) = kinds.next() else {
        return match value.entries()? {
            [] => Ok(Node::Leaf),
            _ => Err(value.error(format_args!("expected one of {}", KINDS.join(", ")))),
        };
    };
    if let Some((other, entry)) = kinds.next() {
        return Err(entry.error(format_args!("a node cannot be both `{key}` and `{other}`")));
    }
    match &**key {
        "schedule" => return band(value, content),
        "expansion" => return expansion(value, content),
        _ => allow_keys(value, &[key, "child"])?,
    }
    let below = child(value)?;
    match (&**key, below) {
        ("sequence", Node::Leaf) => Ok(Node::Sequence(filters(content)?)),
        ("set", Node::Leaf) => Ok(Node::Set(filters(content)?)),
        ("sequence" | "set", _) => Err(value.error("the children are in the list")),
        ("filter", below) => Ok(Node::filter(content.read(UnionSet::parse)?, below)),
        ("mark", below) => Ok(Node::mark(content.text(), below)),
        ("context", below) => Ok(Node::Context(content.read(Set::parse)?, Box::new(below))),
        ("guard", below) => Ok(Node::Guard(content.read(Set::parse)?, Box::new(below))),
        (_, below) => Ok(Node::Extension(content.read(UnionMap::parse)?, Box::new(below))),
    }
}

fn filters(list: &Value) -> Result<Vec<Node>> {
    let items = list.items()?;
    if items.is_empty() {
        return Err(list.error("a sequence or set needs a child"));
    }
    let filter = |item: &Value| match node(item)? {
        filter @ Node::Filter(..) => Ok(filter),
        _ => Err(item.error("expected `filter:`")),
    };
    items.iter().map(filter).collect()
}

fn band(value: &Value, schedule: &Value) -> Result<Node> {
    allow_keys(value, &["schedule", "permutable", "coincident", "options", "child"])?;
    let mut band = Band::new(schedule.read(MultiUnionPwAff::parse)?);
    if let Some(permutable) = value.get("permutable") {
        band.permutable = permutable.flag()?;
    }
    if let Some(coincident) = value.get("coincident") {
        let flags = coincident.items()?;
        if flags.len() != band.n_members() {
            let message = format!("expected one flag per member ({})", band.n_members());
            return Err(coincident.error(message));
        }
        for (member, flag) in band.members.iter_mut().zip(flags) {
            member.coincident = flag.flag()?;
        }
    }
    if let Some(options) = value.get("options") {
        let union = options.read(UnionSet::parse)?;
        band.set_options(&union).map_err(|error| options.error(error))?;
    }
    Ok(Node::band(band, child(value)?))
}

fn expansion(value: &Value, expansion: &Value) -> Result<Node> {
    allow_keys(value, &["contraction", "expansion", "child"])?;
    let contraction =
        value.get("contraction").ok_or_else(|| value.error("expected `contraction:`"))?;
    Ok(Node::Expansion {
        contraction: contraction.read(UnionPwMultiAff::parse)?,
        expansion: expansion.read(UnionMap::parse)?,
        child: Box::new(child(value)?),
    })
}
