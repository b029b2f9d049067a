//! Schedule trees as YAML in block style, readable by isl.
use crate::text::yaml::quote;
use crate::tree::node::{Band, Node, ScheduleTree};
use std::fmt::{Display, Formatter, Result};

impl Display for ScheduleTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        entry(f, 0, "domain", &self.domain)?;
        child(f, 0, &self.root)
    }
}

/// Prints the node alone, starting in the first column; a leaf is empty.
impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        node(f, 0, self)
    }
}

fn indent(f: &mut Formatter<'_>, column: usize) -> Result {
    write!(f, "{:column$}", "")
}

fn entry(f: &mut Formatter<'_>, column: usize, key: &str, value: &dyn Display) -> Result {
    indent(f, column)?;
    writeln!(f, "{key}: {}", quote(&value.to_string()))
}

fn child(f: &mut Formatter<'_>, column: usize, below: &Node) -> Result {
    if below.is_leaf() {
        return Ok(());
    }
    indent(f, column)?;
    writeln!(f, "child:")?;
    node(f, column + 2, below)
}

fn node(f: &mut Formatter<'_>, column: usize, this: &Node) -> Result {
    match this {
        Node::Leaf => return Ok(()),
        Node::Sequence(children) => return list(f, column, "sequence", children),
        Node::Set(children) => return list(f, column, "set", children),
        Node::Band(members, _) => band(f, column, members)?,
        Node::Filter(set, _) => entry(f, column, "filter", set)?,
        Node::Mark(name, _) => entry(f, column, "mark", name)?,
        Node::Context(set, _) => entry(f, column, "context", set)?,
        Node::Guard(set, _) => entry(f, column, "guard", set)?,
        Node::Extension(map, _) => entry(f, column, "extension", map)?,
        Node::Expansion { contraction, expansion, .. } => {
            entry(f, column, "contraction", contraction)?;
            entry(f, column, "expansion", expansion)?;
        }
    }
    child(f, column, &this.children()[0])
}

/// The dash is in the column of the key; what follows it is indented by two.
fn list(f: &mut Formatter<'_>, column: usize, key: &str, children: &[Node]) -> Result {
    indent(f, column)?;
    writeln!(f, "{key}:")?;
    for item in children {
        indent(f, column)?;
        match item {
            Node::Filter(set, below) => {
                writeln!(f, "- filter: {}", quote(&set.to_string()))?;
                child(f, column + 2, below)?;
            }
            other => {
                writeln!(f, "-")?;
                node(f, column + 2, other)?;
            }
        }
    }
    Ok(())
}

fn band(f: &mut Formatter<'_>, column: usize, band: &Band) -> Result {
    entry(f, column, "schedule", &band.schedule)?;
    if band.permutable {
        indent(f, column)?;
        writeln!(f, "permutable: 1")?;
    }
    if band.members.iter().any(|member| member.coincident) {
        let flags = band.members.iter().map(|m| if m.coincident { "1" } else { "0" });
        indent(f, column)?;
        writeln!(f, "coincident: [ {} ]", flags.collect::<Vec<_>>().join(", "))?;
    }
    match band.options_text() {
        Some(options) => entry(f, column, "options", &options),
        None => Ok(()),
    }
}
