//! The loops of a schedule around a statement.
use loopwright_presburger::{Budget, Int, PwAff, Space, UnionSet};
use loopwright_schedule::{LoopKind, LoopMark, Node, ScheduleTree};
use loopwright_scop::Statement;

/// Steps for the value of an expression at a point.
const EVALUATION_STEPS: u64 = 100_000;

/// A loop of a schedule as a statement sees it.
#[derive(Clone, Debug)]
pub(crate) struct ScheduledLoop {
    /// Where the band stands in the tree, and which member this is.
    pub(crate) place: (Vec<usize>, usize),
    /// The position among the loops around, as in the names `c0`, `c1` of the printed loops.
    pub(crate) dimension: usize,
    /// Its value in terms of the statement's iterators, as text.
    pub(crate) expression: String,
    value: Option<PwAff>,
    /// How its iterations run.
    pub(crate) kind: Option<LoopKind>,
}

impl ScheduledLoop {
    /// Whether the value has to do with an iterator.
    pub(crate) fn mentions(&self, iterator: &str) -> bool {
        let mut words = self.expression.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == iterator)
    }

    /// Its value for an instance, given the values of the parameters by name.
    pub(crate) fn at(&self, parameters: &[(String, Int)], instance: &[Int]) -> Option<Int> {
        let value = self.value.as_ref()?;
        let of = |name: &str| parameters.iter().find(|(known, _)| known == name);
        let names = value.space().param_names();
        let mut point = Vec::with_capacity(names.len() + instance.len());
        for name in names {
            point.push(of(name)?.1.clone());
        }
        point.extend_from_slice(instance);
        let found = value.eval(&point, &Budget::steps(EVALUATION_STEPS)).ok()??;
        found.to_int()
    }

    /// `c1 = 32*floor(i/32), parallel`.
    pub(crate) fn text(&self) -> String {
        let how = match self.kind {
            Some(LoopKind::Block(_)) => ", blocks",
            Some(LoopKind::Thread(_)) => ", threads of a block",
            Some(LoopKind::Parallel) => ", parallel",
            Some(LoopKind::Pipelined) => ", rows of a pipeline",
            Some(LoopKind::Vector) => ", vector",
            None => "",
        };
        format!("c{} = {}{how}", self.dimension, self.expression)
    }
}

/// The loops around a statement, outermost first, for each leaf of the tree that runs some of its
/// instances.
pub(crate) fn loops_around(tree: &ScheduleTree, statement: &Statement) -> Vec<Vec<ScheduledLoop>> {
    let mut walk = Walk { space: statement.domain.space(), found: Vec::new() };
    if reaches(&tree.domain, walk.space) {
        walk.node(&tree.root, &mut Vec::new(), Vec::new(), None);
    }
    walk.found
}

struct Walk<'a> {
    space: &'a Space,
    found: Vec<Vec<ScheduledLoop>>,
}

fn reaches(set: &UnionSet, space: &Space) -> bool {
    set.sets().iter().any(|part| part.space().has_equal_tuples(space) && !part.plain_is_empty())
}

impl Walk<'_> {
    fn node(
        &mut self,
        node: &Node,
        path: &mut Vec<usize>,
        mut around: Vec<ScheduledLoop>,
        mark: Option<LoopKind>,
    ) {
        let mut below = None;
        match node {
            Node::Leaf => return self.found.push(around),
            Node::Filter(filter, _) if !reaches(filter, self.space) => return,
            Node::Mark(name, _) => below = LoopMark::parse(name).map(|mark| mark.kind).or(mark),
            Node::Band(band, _) => {
                for position in 0..band.n_members() {
                    let member = band.schedule.slice(position..position + 1).extract(self.space);
                    let text = member.as_ref().map(ToString::to_string).unwrap_or_default();
                    let value = member.ok().and_then(|member| member.members().first().cloned());
                    around.push(ScheduledLoop {
                        place: (path.clone(), position),
                        dimension: around.len(),
                        expression: plain(&text),
                        value,
                        kind: mark.filter(|_| position == 0),
                    });
                }
            }
            _ => {}
        }
        for (position, child) in node.children().iter().enumerate() {
            path.push(position);
            self.node(child, path, around.clone(), below);
            path.pop();
        }
    }
}

/// `i + 1` for `[n] -> { S[i] -> [(1 + i)] }`; other forms stay as they are.
fn plain(text: &str) -> String {
    let inner = text.split_once("-> [(").map(|(_, rest)| rest);
    let inner = inner.and_then(|rest| rest.rsplit_once(")]")).map(|(inner, _)| inner);
    match inner {
        Some(inner) if !inner.contains("->") => without_parentheses(inner),
        _ => text.to_string(),
    }
}

/// `floor(i/32)` for `floor((i)/32)`.
fn without_parentheses(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("((") {
        let inner = &rest[at + 2..];
        let word = inner.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inner.len());
        if inner[word..].starts_with(')') {
            result += &rest[..at + 1];
            result += &inner[..word];
            rest = &inner[word + 1..];
        } else {
            result += &rest[..at + 2];
            rest = inner;
        }
    }
    result + rest
}
