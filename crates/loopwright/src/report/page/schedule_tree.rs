//! A schedule tree as nested lists.
use crate::report::page::markup::escape;
use loopwright_presburger::UnionSet;
use loopwright_schedule::{Band, Node, ScheduleTree};

/// Trees deeper than this are cut, with a remark.
const MAX_DEPTH: usize = 60;

/// The tree; each part can be closed.
pub(crate) fn schedule_tree(tree: &ScheduleTree) -> String {
    let root = node(&tree.root, 0);
    format!(
        "<h3>Schedule tree</h3>\n<div class=\"wide\"><ul class=\"tree\"><li>all instances of {}{root}</li></ul></div>\n",
        names(&tree.domain)
    )
}

/// The names of the statements of a set.
fn names(set: &UnionSet) -> String {
    let mut names: Vec<String> = set
        .sets()
        .iter()
        .filter_map(|part| Some(part.space().output()?.name()?.to_string()))
        .collect();
    names.dedup();
    format!("<code>{}</code>", escape(&names.join(", ")))
}

fn node(of: &Node, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return "<ul><li>(and so on)</li></ul>".to_string();
    }
    let label = match of {
        Node::Leaf => return String::new(),
        Node::Sequence(children) => {
            return listed("one after the other", children, depth);
        }
        Node::Set(children) => return listed("in any order", children, depth),
        Node::Band(band, _) => band_label(band),
        Node::Filter(filter, _) => format!("only {}", names(filter)),
        Node::Mark(name, _) => format!("<strong>{}</strong>", escape(name)),
        Node::Context(set, _) => format!("given <code>{}</code>", escape(&set.to_string())),
        Node::Guard(set, _) => format!("if <code>{}</code>", escape(&set.to_string())),
        Node::Extension(..) => "with further instances".to_string(),
        Node::Expansion { .. } => "each stands for several instances".to_string(),
    };
    let below: String = of.children().iter().map(|child| node(child, depth + 1)).collect();
    match below.is_empty() {
        true => format!("<ul><li>{label}</li></ul>"),
        false => {
            format!("<ul><li><details open><summary>{label}</summary>{below}</details></li></ul>")
        }
    }
}

fn listed(label: &str, children: &[Node], depth: usize) -> String {
    let parts: String = children.iter().map(|child| node(child, depth + 1)).collect();
    format!("<ul><li><details open><summary>{label}</summary>{parts}</details></li></ul>")
}

fn band_label(band: &Band) -> String {
    let mut flags: Vec<&str> = Vec::new();
    if band.permutable && band.n_members() > 1 {
        flags.push("may be exchanged");
    }
    let independent = band.members.iter().filter(|member| member.coincident).count();
    if independent == band.n_members() {
        flags.push("no dependences between iterations");
    }
    let n = band.n_members();
    let what = if n == 1 { "loop".to_string() } else { format!("{n} loops") };
    let flags = match flags.is_empty() {
        true => String::new(),
        false => format!(" <span class=\"muted\">({})</span>", flags.join(", ")),
    };
    format!("{what} over <code>{}</code>{flags}", escape(&band.schedule.to_string()))
}
