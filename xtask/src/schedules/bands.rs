//! The outermost bands of statements.
use loopwright_presburger::{Tuple, UnionSet};
use loopwright_schedule::{Node, ScheduleTree};
use std::collections::BTreeMap;

/// For each statement below a band the members of the outermost one, and how many are coincident.
#[derive(Clone, Debug, Default)]
pub(super) struct OuterBands(BTreeMap<String, (usize, usize)>);

impl OuterBands {
    /// The outermost bands of a tree.
    pub(super) fn of(tree: &ScheduleTree) -> Self {
        let mut bands = OuterBands::default();
        bands.visit(&tree.root, &tree.domain);
        bands
    }

    fn visit(&mut self, node: &Node, domain: &UnionSet) {
        match node {
            Node::Band(band, _) if band.n_members() > 0 => {
                let coincident = band.members.iter().filter(|member| member.coincident).count();
                for set in domain.sets() {
                    let name = set.space().output().and_then(Tuple::name);
                    let name = name.map_or_else(String::new, |name| name.to_string());
                    self.0.insert(name, (band.n_members(), coincident));
                }
            }
            Node::Filter(filter, child) => self.visit(child, filter),
            other => other.children().iter().for_each(|child| self.visit(child, domain)),
        }
    }

    /// Reads `S0=3/2,S1=2/2`; what is malformed is left out.
    pub(super) fn parse(text: &str) -> Self {
        let entry = |entry: &str| {
            let (name, numbers) = entry.split_once('=')?;
            let (members, coincident) = numbers.split_once('/')?;
            Some((name.to_string(), (members.parse().ok()?, coincident.parse().ok()?)))
        };
        OuterBands(text.split(',').filter_map(entry).collect())
    }

    /// All members, and all coincident ones.
    pub(super) fn sums(&self) -> (usize, usize) {
        self.0.values().fold((0, 0), |sum, entry| (sum.0 + entry.0, sum.1 + entry.1))
    }

    /// The statements with fewer members or coincident members than in `other`.
    pub(super) fn behind(&self, other: &OuterBands) -> String {
        let of = |name: &String| self.0.get(name).copied().unwrap_or_default();
        let is_behind = |(name, theirs): &(&String, &(usize, usize))| {
            let ours = of(name);
            ours.0 < theirs.0 || ours.1 < theirs.1
        };
        let names: Vec<&str> =
            other.0.iter().filter(is_behind).map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }
}
