//! Which variables are still needed after a region.
//!
//! Within a function, "after" is: textually after the region, and anywhere in the loops around it.
//! The answers are on the safe side: names are compared, not declarations.
use crate::facts::for_header::operands;
use crate::facts::function_names::{FunctionNames, Label};
use crate::facts::variables::{Origin, Variable};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{mentions, strip_parentheses, text};
use crate::syntax::tree::Node;
use std::ops::Range;
use std::sync::Arc;

/// What the function that contains a region does with names outside the region.
pub(crate) struct Surroundings<'s, 't> {
    pub(crate) names: Arc<FunctionNames<'t>>,
    source: &'s str,
    pub(crate) region: Range<usize>,
    /// Where "after" begins: behind the region, or with the outermost loop around it.
    pub(crate) again: usize,
}

impl<'s, 't> Surroundings<'s, 't> {
    /// The function `function`, whose names are `names`, around the bytes `region`.
    pub(crate) fn new(
        source: &'s str,
        function: Node<'t>,
        names: Arc<FunctionNames<'t>>,
        region: Range<usize>,
    ) -> Self {
        let again = first_repeated(function, &names.labels, &region).unwrap_or(region.end);
        Surroundings { names, source, region, again }
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
        self.is_read_after(&variable.name, by_value) || self.escapes_bare(&variable.name, by_value)
    }

    /// Whether the value that the region leaves in a variable may be read: that of a scalar is not where
    /// assignments come first. Jumps to labels may pass over these, and an array may be assigned in part.
    fn is_read_after(&self, name: &str, by_value: bool) -> bool {
        match by_value && self.names.labels.is_empty() {
            true => self.use_of_final_value(name).is_some(),
            false => self.is_mentioned_after(name) || by_value && self.read_again(name).is_some(),
        }
    }

    /// The first place where the region, in a loop around it, may read the value of a scalar or pointer that
    /// it has left when it ran before.
    fn read_again(&self, name: &str) -> Option<Node<'t>> {
        if self.again >= self.region.start {
            return None;
        }
        let inside = self.names.mentions_from(name, self.region.start).iter().copied();
        let mut inside = inside.take_while(|mention| mention.start_byte() < self.region.end);
        let jumped = self.again..self.region.end;
        let may_jump = self.names.labels.iter().any(|label| jumped.contains(&label.start));
        inside.find(|mention| may_jump || !self.is_set_before(*mention, name))
    }

    /// Whether an assignment in the block around the region, or further inside, comes before a mention in the
    /// region on every path, or is it.
    fn is_set_before(&self, mention: Node<'t>, name: &str) -> bool {
        let mut node = mention;
        while let Some(parent) = node.parent() {
            let mut before =
                std::iter::successors(node.prev_named_sibling(), |n| n.prev_named_sibling());
            if self.assigns(node, name) && self.is_target(node, mention)
                || self.declares(node, name)
                || parent.kind() == Kind::CompoundStatement
                    && before.any(|sibling| self.statement_assigns(sibling, name))
            {
                return true;
            }
            let (start, end) = (parent.start_byte(), parent.end_byte());
            let is_whole = (start, end) == (self.region.start, self.region.end);
            if start <= self.region.start && end >= self.region.end && !is_whole {
                return false;
            }
            let initializer = parent.field(Field::Initializer).filter(|i| i.id() != node.id());
            if initializer.is_some_and(|i| self.assigns(i, name) || self.declares(i, name)) {
                return true;
            }
            node = parent;
        }
        false
    }

    /// Whether a name is mentioned after the region.
    pub(crate) fn is_mentioned_after(&self, name: &str) -> bool {
        self.mentions_after(name).next().is_some()
    }

    /// The mentions of a name after the region, in the order of the text.
    pub(crate) fn mentions_after(&self, name: &str) -> impl Iterator<Item = Node<'t>> {
        let mentions = self.names.mentions_from(name, self.again).iter();
        mentions.copied().filter(|mention| !self.region.contains(&mention.start_byte()))
    }

    /// Whether a mention of a name after the region means what the region declares.
    pub(crate) fn is_meant_after(&self, name: &str) -> bool {
        self.mentions_after(name).any(|mention| !self.is_declared_again(mention, name))
    }

    /// Whether a mention of a name behind the region in a block around it means what the region declares.
    pub(crate) fn is_meant_behind(&self, block: Node<'t>, name: &str) -> bool {
        let range = self.region.end..block.end_byte();
        let mut behind = self.mentions_after(name).filter(|m| range.contains(&m.start_byte()));
        behind.any(|mention| !self.is_declared_again(mention, name))
    }

    /// Whether a mention is in the scope of a declaration of the name after the region.
    pub(crate) fn is_declared_again(&self, mention: Node<'t>, name: &str) -> bool {
        let mut node = mention;
        while let Some(parent) = node.parent() {
            let before = std::iter::successors(Some(node), |n| n.prev_named_sibling());
            let is_later = |n: &Node<'t>| n.start_byte() >= self.region.end;
            if before.take_while(is_later).any(|sibling| self.declares(sibling, name)) {
                return true;
            }
            if parent.start_byte() <= self.region.start && parent.end_byte() >= self.region.end {
                return false;
            }
            node = parent;
        }
        false
    }

    /// The address of a scalar is taken, or an array is used without subscripts.
    fn escapes_bare(&self, name: &str, by_value: bool) -> bool {
        match by_value {
            true => self.names.is_addressed_outside(name, &self.region),
            false => self.names.is_bare_outside(name, &self.region),
        }
    }

    /// The first use of the value that an iterator has after the region, if there is one: behind the region,
    /// or in it when it runs again.
    ///
    /// *Method.* Behind a statement that assigns the name, no mention in the same block has the value:
    /// these are passed over, so that a name that many regions use as their iterator costs little.
    pub(crate) fn use_of_final_value(&self, name: &str) -> Option<Node<'t>> {
        let mut assigned_until = 0;
        let outside = self.mentions_after(name).find(|mention| {
            let is_assigned = mention.start_byte() < assigned_until;
            if !is_assigned && let Some(block) = self.block_assigned_from(*mention, name) {
                assigned_until = block.end_byte();
            }
            !is_assigned && !self.is_reassigned(*mention, name)
        });
        outside.or_else(|| self.read_again(name))
    }

    /// The block around the region in which a later statement that contains a mention assigns the name
    /// before anything else in it.
    fn block_assigned_from(&self, mention: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut node = mention;
        loop {
            let parent = node.parent()?;
            if parent.start_byte() <= self.region.start && parent.end_byte() >= self.region.end {
                let is_later = node.start_byte() >= self.region.end;
                let is_block = parent.kind() == Kind::CompoundStatement;
                let assigns = is_later && is_block && self.statement_assigns(node, name);
                return assigns.then_some(parent);
            }
            node = parent;
        }
    }

    /// Whether a mention is preceded, on every path from the region, by an assignment.
    fn is_reassigned(&self, mention: Node<'t>, name: &str) -> bool {
        let mut node = mention;
        while let Some(parent) = node.parent() {
            if self.assigns(node, name) && self.is_target(node, mention)
                || self.declares(node, name)
                || parent.kind() == Kind::CompoundStatement && self.assigned_before(node, name)
            {
                return true;
            }
            if parent.start_byte() <= self.region.start && parent.end_byte() >= self.region.end {
                return false;
            }
            let initializer = parent.field(Field::Initializer);
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
            if self.statement_assigns(sibling, name) {
                return true;
            }
            before = sibling.prev_named_sibling();
        }
        false
    }

    /// Whether a statement assigns the name before it does anything else with it.
    fn statement_assigns(&self, statement: Node<'t>, name: &str) -> bool {
        match statement.kind() {
            Kind::ForStatement => {
                let initializer = statement.field(Field::Initializer);
                initializer.is_some_and(|initializer| self.assigns(initializer, name))
            }
            Kind::ExpressionStatement => {
                statement.named_child(0).is_some_and(|expression| self.assigns(expression, name))
            }
            Kind::Declaration => self.declares(statement, name),
            _ => false,
        }
    }

    /// Whether an expression is `name = ..` with a right side that does not mention the name, also as a part
    /// of others that come after it or do not mention the name: `a = 0, name = b`, `a = name = b`.
    fn assigns(&self, node: Node<'t>, name: &str) -> bool {
        let node = strip_parentheses(node);
        let is_mentioned = |part: Node<'t>| mentions(self.source, part, name).next().is_some();
        if node.kind() == Kind::CommaExpression {
            let first = operands(node).into_iter().find(|part| is_mentioned(*part));
            return first.is_some_and(|part| self.assigns(part, name));
        }
        let (Some(left), Some(right)) = (node.field(Field::Left), node.field(Field::Right)) else {
            return false;
        };
        if node.kind() != Kind::AssignmentExpression || node.operator() != Some(token!("=")) {
            return false;
        }
        match text(self.source, strip_parentheses(left)) == name {
            true => !is_mentioned(right),
            false => !is_mentioned(left) && self.assigns(right, name),
        }
    }

    /// Whether `mention` is the left side of the assignment `node`.
    fn is_target(&self, node: Node<'t>, mention: Node<'t>) -> bool {
        let left = strip_parentheses(node).field(Field::Left);
        left.is_some_and(|l| strip_parentheses(l).id() == mention.id())
    }

    /// Whether a declaration declares the name.
    fn declares(&self, node: Node<'t>, name: &str) -> bool {
        if node.kind() != Kind::Declaration {
            return false;
        }
        node.all_in_field(Field::Declarator).any(|declarator| {
            crate::facts::ctypes::declarator(self.source, declarator)
                .is_some_and(|parts| text(self.source, parts.name) == name)
        })
    }
}

fn is_pointer(variable: &Variable<'_>) -> bool {
    let is = |d: &crate::facts::ctypes::Dimension<'_>| {
        matches!(
            d,
            crate::facts::ctypes::Dimension::Pointer | crate::facts::ctypes::Dimension::Unknown
        )
    };
    variable.declared.dimensions.iter().any(is)
}

/// The outermost loop of the function around a region. Where what may run after a region again begins, if
/// that is before its end: with loops around it, and where jumps lead back to labels in front of it.
fn first_repeated(function: Node<'_>, labels: &[Label], region: &Range<usize>) -> Option<usize> {
    let mut found = None;
    let mut bytes = region.clone();
    loop {
        let around = outermost_loop(function, &bytes).map(Node::start_byte);
        let label = labels.iter().find(|label| label.repeats(bytes.start)).map(|label| label.start);
        let first = around.into_iter().chain(label).min();
        let Some(first) = first.filter(|first| found.is_none_or(|found| *first < found)) else {
            return found;
        };
        found = Some(first);
        bytes = first..first + 1;
    }
}

fn outermost_loop<'t>(function: Node<'t>, region: &Range<usize>) -> Option<Node<'t>> {
    let mut outermost = None;
    let mut around = Some(function.descendant_for_byte_range(region));
    while let Some(node) = around {
        if matches!(node.kind(), Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement) {
            outermost = Some(node);
        }
        around = node.parent();
    }
    outermost
}
