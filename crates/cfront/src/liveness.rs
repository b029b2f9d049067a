//! Which variables are still needed after a region.
//!
//! Within a function, "after" is: textually after the region, and anywhere in the loops around it.
//! The answers are on the safe side: names are compared, not declarations.
use crate::scope::{Origin, Variable};
use crate::syntax::{strip_parentheses, text, visit};
use crate::tree::Node;
use std::collections::HashMap;
use std::ops::Range;

/// What the function that contains a region does with names outside the region.
pub(crate) struct Surroundings<'t> {
    /// The mentions of each name after the region (or in a loop around it).
    after: HashMap<String, Vec<Node<'t>>>,
    /// Names whose address escapes somewhere in the function.
    escaping: HashMap<String, bool>,
    source: String,
    function: Node<'t>,
    region: Range<usize>,
}

impl<'t> Surroundings<'t> {
    /// Reads the function `function` around the bytes `region`.
    pub(crate) fn new(source: &str, function: Node<'t>, region: Range<usize>) -> Self {
        let mut after: HashMap<String, Vec<Node<'t>>> = HashMap::new();
        let mut escaping: HashMap<String, bool> = HashMap::new();
        let again = enclosing_loop(function, &region).map_or(region.end, |n| n.start_byte());
        visit(function, |node, _| {
            if node.kind() != "identifier" {
                return true;
            }
            let inside = region.contains(&node.start_byte());
            let name = text(source, node).to_string();
            if !inside && node.start_byte() >= again {
                after.entry(name.clone()).or_default().push(node);
            }
            if !inside && escapes(node) {
                escaping.insert(name, true);
            }
            true
        });
        Surroundings { after, escaping, source: source.to_string(), function, region }
    }

    /// Whether the value of a variable may be used after the region.
    pub(crate) fn is_live_out(&self, variable: &Variable<'_>) -> bool {
        let by_value = variable.declared.dimensions.is_empty();
        let local = match variable.origin {
            Origin::Region { .. } => true,
            Origin::Local { is_static } => !is_static && !is_pointer(variable),
            Origin::Argument => by_value,
            Origin::File { .. } => false,
        };
        if !local {
            return true;
        }
        if variable.in_region() {
            return false;
        }
        self.is_mentioned_after(&variable.name) || self.escapes_bare(&variable.name, by_value)
    }

    /// Whether a name is mentioned after the region.
    pub(crate) fn is_mentioned_after(&self, name: &str) -> bool {
        self.after.contains_key(name)
    }

    /// The address of a scalar is taken, or an array is used without subscripts.
    fn escapes_bare(&self, name: &str, by_value: bool) -> bool {
        let mut found = false;
        visit(self.function, |node, _| {
            if node.kind() == "identifier"
                && !self.region.contains(&node.start_byte())
                && text(&self.source, node) == name
            {
                let parent = node.parent().map_or("", |p| p.kind());
                let declared = parent.ends_with("declarator") || parent == "declaration";
                found |= if by_value {
                    self.escaping.contains_key(name)
                } else {
                    parent != "subscript_expression" && !declared
                };
            }
            !found
        });
        found
    }

    /// The first use of the value that an iterator has after the region, if there is one.
    pub(crate) fn use_of_final_value(&self, name: &str) -> Option<Node<'t>> {
        let mentions = self.after.get(name)?;
        mentions.iter().copied().find(|mention| !self.is_reassigned(*mention, name))
    }

    /// Whether a mention is preceded, on every path from the region, by an assignment.
    fn is_reassigned(&self, mention: Node<'t>, name: &str) -> bool {
        let mut node = mention;
        while let Some(parent) = node.parent() {
            if self.assigns(node, name) && self.is_target(node, mention)
                || self.declares(node, name)
                || parent.kind() == "compound_statement" && self.assigned_before(node, name)
            {
                return true;
            }
            if parent.start_byte() <= self.region.start && parent.end_byte() >= self.region.end {
                return false;
            }
            let initializer = parent.child_by_field_name("initializer");
            if initializer.is_some_and(|i| {
                i.id() != node.id() && (self.assigns(i, name) || self.declares(i, name))
            }) {
                return true;
            }
            node = parent;
        }
        false
    }

    /// Whether an earlier sibling after the region assigns the name.
    fn assigned_before(&self, node: Node<'t>, name: &str) -> bool {
        let mut before = node.prev_named_sibling();
        while let Some(sibling) = before {
            if sibling.start_byte() < self.region.end && sibling.end_byte() > self.region.start {
                return false;
            }
            let assigns = match sibling.kind() {
                "for_statement" => sibling
                    .child_by_field_name("initializer")
                    .is_some_and(|i| self.assigns(i, name)),
                "expression_statement" => {
                    sibling.named_child(0).is_some_and(|e| self.assigns(e, name))
                }
                "declaration" => self.declares(sibling, name),
                _ => false,
            };
            if assigns {
                return true;
            }
            before = sibling.prev_named_sibling();
        }
        false
    }

    /// Whether an expression is `name = ..` with a right side that does not mention the name.
    fn assigns(&self, node: Node<'t>, name: &str) -> bool {
        let node = strip_parentheses(node);
        if node.kind() == "comma_expression" {
            return ["left", "right"]
                .iter()
                .filter_map(|f| node.child_by_field_name(f))
                .any(|n| n.kind() != "comma_expression" && self.assigns(n, name));
        }
        let parts = ["left", "operator", "right"].map(|f| node.child_by_field_name(f));
        let (Some(left), Some(operator), Some(right)) = (parts[0], parts[1], parts[2]) else {
            return false;
        };
        let mut mentioned = false;
        visit(right, |n, _| {
            mentioned |= n.kind() == "identifier" && text(&self.source, n) == name;
            !mentioned
        });
        node.kind() == "assignment_expression"
            && operator.kind() == "="
            && text(&self.source, strip_parentheses(left)) == name
            && !mentioned
    }

    /// Whether `mention` is the left side of the assignment `node`.
    fn is_target(&self, node: Node<'t>, mention: Node<'t>) -> bool {
        let left = strip_parentheses(node).child_by_field_name("left");
        left.is_some_and(|l| strip_parentheses(l).id() == mention.id())
    }

    /// Whether a declaration declares the name.
    fn declares(&self, node: Node<'t>, name: &str) -> bool {
        if node.kind() != "declaration" {
            return false;
        }
        node.children_by_field_name("declarator").any(|declarator| {
            crate::ctypes::declarator(&self.source, declarator)
                .is_some_and(|parts| text(&self.source, parts.name) == name)
        })
    }
}

fn is_pointer(variable: &Variable<'_>) -> bool {
    let is = |d: &crate::ctypes::Dimension<'_>| {
        matches!(d, crate::ctypes::Dimension::Pointer | crate::ctypes::Dimension::Unknown)
    };
    variable.declared.dimensions.iter().any(is)
}

/// Whether the address of the identifier is taken.
fn escapes(node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "parenthesized_expression" => node = parent,
            "pointer_expression" => {
                return parent.child_by_field_name("operator").is_some_and(|o| o.kind() == "&");
            }
            _ => return false,
        }
    }
    false
}

/// The outermost loop of the function around a region (any loop if there is a label).
fn enclosing_loop<'t>(function: Node<'t>, region: &Range<usize>) -> Option<Node<'t>> {
    let mut outermost = None;
    let mut label = None;
    visit(function, |node, _| {
        let around = node.start_byte() <= region.start && node.end_byte() >= region.end;
        if around
            && outermost.is_none()
            && matches!(node.kind(), "for_statement" | "while_statement" | "do_statement")
        {
            outermost = Some(node);
        }
        if node.kind() == "labeled_statement" && node.start_byte() <= region.start {
            label = label.or(Some(node));
        }
        true
    });
    // A label before the region may be the target of a jump back.
    match (outermost, label) {
        (Some(a), Some(b)) if b.start_byte() < a.start_byte() => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}
