//! Trees for fewer instances or parameter values, and trees combined of trees.
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{Budget, Result, Set, UnionSet};

impl ScheduleTree {
    /// The tree for those of its instances that are in `instances`. Children of sequences and sets
    /// without instances are dropped, and a sequence of one child with its filter.
    ///
    /// ```
    /// use loopwright_presburger::UnionSet;
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     "{ domain: '{ A[]; B[] }', child: { sequence: [
    ///          { filter: '{ A[] }' }, { filter: '{ B[] }' } ] } }",
    /// )?;
    /// assert!(tree.intersect_domain(&UnionSet::parse("{ A[] }")?)?.root.is_leaf());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* An intersection for each node and statement.
    ///
    /// # Errors
    /// Those of the intersections.
    pub fn intersect_domain(&self, instances: &UnionSet) -> Result<ScheduleTree> {
        let domain = self.domain.intersect(instances)?;
        let root = self.root.restricted(&domain)?.unwrap_or(Node::Leaf);
        Ok(ScheduleTree { domain, root })
    }

    /// The tree with all its sets, relations and members simplified for the parameter values of
    /// `context`.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set};
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse("{ domain: '[n] -> { S[] : n >= 1 }' }")?;
    /// let tree = tree.gist_params(&Set::parse("[n] -> { : n >= 5 }")?, &Budget::steps(10_000))?;
    /// assert_eq!(tree.domain.to_string(), "[n] -> { S[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* A simplification for each set and form in the tree.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<ScheduleTree> {
        let mut simplify = |node: Node| -> Result<Node> {
            Ok(match node {
                Node::Band(band, child) => {
                    let members = band.schedule.members().iter();
                    let members = members.map(|m| m.gist_params(context, budget));
                    let members = members.collect::<Result<_>>()?;
                    Node::Band(band.with_members(members), child)
                }
                Node::Filter(set, child) => Node::Filter(set.gist_params(context, budget)?, child),
                Node::Extension(map, child) => {
                    Node::Extension(map.gist_params(context, budget)?, child)
                }
                Node::Expansion { contraction, expansion, child } => Node::Expansion {
                    contraction: contraction.gist_params(context, budget)?,
                    expansion: expansion.gist_params(context, budget)?,
                    child,
                },
                other => other,
            })
        };
        let root = self.root.clone().map_bottom_up(&mut simplify)?;
        Ok(ScheduleTree { domain: self.domain.gist_params(context, budget)?, root })
    }

    /// The instances of `self`, in its order, and then those of `then`.
    ///
    /// ```
    /// use loopwright_schedule::ScheduleTree;
    /// let first = ScheduleTree::parse("{ domain: '{ A[] }' }")?;
    /// let both = first.followed_by(&ScheduleTree::parse("{ domain: '{ B[] }' }")?)?;
    /// assert_eq!(both.root.children().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the union.
    pub fn followed_by(&self, then: &ScheduleTree) -> Result<ScheduleTree> {
        self.combined(then, Node::Sequence)
    }

    /// The instances of both trees, in any order between them; see [`ScheduleTree::followed_by`].
    ///
    /// ```
    /// use loopwright_schedule::{Node, ScheduleTree};
    /// let first = ScheduleTree::parse("{ domain: '{ A[] }' }")?;
    /// let both = first.beside(&ScheduleTree::parse("{ domain: '{ B[] }' }")?)?;
    /// assert!(matches!(both.root, Node::Set(children) if children.len() == 2));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the union.
    pub fn beside(&self, other: &ScheduleTree) -> Result<ScheduleTree> {
        self.combined(other, Node::Set)
    }

    fn combined(
        &self,
        other: &ScheduleTree,
        node: impl Fn(Vec<Node>) -> Node,
    ) -> Result<ScheduleTree> {
        let part = |tree: &ScheduleTree| Node::filter(tree.domain.clone(), tree.root.clone());
        let root = node(vec![part(self), part(other)]);
        Ok(ScheduleTree { domain: self.domain.union(&other.domain)?, root })
    }
}

impl Node {
    /// The subtree for the instances of `domain` only; none if it only chose among others.
    pub(crate) fn restricted(&self, domain: &UnionSet) -> Result<Option<Node>> {
        let below = |child: &Node, domain: &UnionSet| -> Result<Box<Node>> {
            Ok(Box::new(child.restricted(domain)?.unwrap_or(Node::Leaf)))
        };
        Ok(Some(match self {
            Node::Leaf => Node::Leaf,
            Node::Filter(filter, child) => {
                let filter = filter.intersect(domain)?;
                if filter.plain_is_empty() {
                    return Ok(None);
                }
                let child = below(child, &filter)?;
                Node::Filter(filter, child)
            }
            Node::Sequence(children) => return kept(children, domain, Node::Sequence),
            Node::Set(children) => return kept(children, domain, Node::Set),
            Node::Band(band, child) => {
                Node::Band(Band::intersect_domain(band, domain)?, below(child, domain)?)
            }
            Node::Mark(name, child) => Node::Mark(name.clone(), below(child, domain)?),
            Node::Context(set, child) => Node::Context(set.clone(), below(child, domain)?),
            Node::Guard(set, child) => Node::Guard(set.clone(), below(child, domain)?),
            Node::Extension(extension, child) => {
                let domain = domain.union(&extension.range())?;
                Node::Extension(extension.clone(), below(child, &domain)?)
            }
            Node::Expansion { contraction, expansion, child } => {
                let expansion = expansion.intersect_domain(domain)?;
                let expanded = expansion.range();
                let contraction = contraction.intersect_domain(&expanded)?;
                let child = below(child, &expanded)?;
                Node::Expansion { contraction, expansion, child }
            }
        }))
    }
}

/// The children that keep instances: the node over them, the subtree of the only one, or none.
fn kept(
    children: &[Node],
    domain: &UnionSet,
    node: impl Fn(Vec<Node>) -> Node,
) -> Result<Option<Node>> {
    let mut kept = Vec::new();
    for child in children {
        kept.extend(child.restricted(domain)?);
    }
    Ok(match kept.len() {
        0 => None,
        1 => match kept.remove(0) {
            Node::Filter(_, child) => Some(*child),
            other => Some(other),
        },
        _ => Some(node(kept)),
    })
}
