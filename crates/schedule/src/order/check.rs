//! Whether a schedule tree is well-formed.
use crate::order::reaching::Reaching;
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{Budget, Result, Set, UnionSet};

impl ScheduleTree {
    /// What is wrong with the structure of the tree, in words; nothing if it is well-formed:
    ///
    /// * the children of sequences and sets are filters, at least one, pairwise disjoint, and every
    ///   instance that reaches the sequence is in one of them;
    /// * bands are defined for every instance that reaches them, have one entry of flags per
    ///   member, and isolate a part of the dimensions there are;
    /// * contexts and guards are over the outer schedule dimensions (or parameters only);
    /// * contractions are defined on all expanded instances.
    ///
    /// A violation is not searched below a node that cannot be entered.
    ///
    /// Cost: emptiness tests per sequence, quadratic in its number of children that share a
    /// statement.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn check(&self, budget: &Budget) -> Result<Vec<String>> {
        let mut checker = Checker { violations: Vec::new(), budget };
        checker.node(&self.root, &Reaching::root(self), "root")?;
        Ok(checker.violations)
    }
}

struct Checker<'a> {
    violations: Vec<String>,
    budget: &'a Budget,
}

impl Checker<'_> {
    fn report(&mut self, place: &str, message: impl std::fmt::Display) {
        self.violations.push(format!("{place}: {message}"));
    }

    fn node(&mut self, node: &Node, reaching: &Reaching, place: &str) -> Result<()> {
        match node {
            Node::Sequence(children) => self.children(children, reaching, place, "sequence")?,
            Node::Set(children) => self.children(children, reaching, place, "set")?,
            Node::Band(band, _) => self.band(band, reaching, place)?,
            Node::Context(set, _) => self.outer_dimensions(set, reaching, place, "context"),
            Node::Guard(set, _) => self.outer_dimensions(set, reaching, place, "guard"),
            Node::Expansion { contraction, expansion, .. } => {
                let expanded = reaching.domain()?.apply(expansion)?;
                let contracted = contraction.to_union_map().domain();
                if !expanded.is_subset(&contracted, self.budget)? {
                    self.report(place, "the contraction lacks an expanded instance");
                }
            }
            _ => {}
        }
        for (position, child) in node.children().iter().enumerate() {
            match reaching.descend(node, position) {
                Ok(below) => self.node(child, &below, &format!("{place}.{position}"))?,
                Err(error) => self.report(place, error),
            }
        }
        Ok(())
    }

    fn children(
        &mut self,
        children: &[Node],
        reaching: &Reaching,
        place: &str,
        kind: &str,
    ) -> Result<()> {
        if children.is_empty() {
            self.report(place, format_args!("a {kind} without children"));
        }
        let mut remaining = reaching.domain()?;
        let mut seen: Vec<UnionSet> = Vec::new();
        for (position, child) in children.iter().enumerate() {
            let Node::Filter(filter, _) = child else {
                self.report(place, format_args!("child {position} of a {kind} is not a filter"));
                continue;
            };
            let here = reaching.domain()?.intersect(filter)?;
            for (earlier, set) in seen.iter().enumerate() {
                if !set.is_disjoint(&here, self.budget)? {
                    self.report(place, format_args!("children {earlier} and {position} overlap"));
                }
            }
            remaining = remaining.subtract(filter, self.budget)?;
            seen.push(here);
        }
        if !remaining.is_empty(self.budget)? {
            self.report(place, format_args!("no child of the {kind} keeps {remaining}"));
        }
        Ok(())
    }

    fn band(&mut self, band: &Band, reaching: &Reaching, place: &str) -> Result<()> {
        if band.members.len() != band.schedule.n_members() {
            self.report(place, "the flags do not fit the number of members");
        }
        let domain = reaching.domain()?;
        for (position, member) in band.schedule.members().iter().enumerate() {
            let missing = domain.subtract(&member.domain(), self.budget)?;
            if !missing.is_empty(self.budget)? {
                self.report(place, format_args!("member {position} is not defined on {missing}"));
            }
        }
        if let Some(isolate) = &band.isolate {
            let tuple = isolate.space().output().and_then(|tuple| tuple.as_nested());
            let dims = tuple.map(|(outer, inner)| (outer.n_dims(), inner.n_dims()));
            if dims != Some((reaching.depth(), band.n_members())) {
                self.report(place, "the isolated part is not over the outer and the band's dims");
            }
        }
        Ok(())
    }

    fn outer_dimensions(&mut self, set: &Set, reaching: &Reaching, place: &str, kind: &str) {
        let dims = set.space().output().map_or(0, |tuple| tuple.n_dims());
        if dims > reaching.depth() {
            let depth = reaching.depth();
            self.report(place, format_args!("a {kind} over {dims} dimensions at depth {depth}"));
        }
    }
}
