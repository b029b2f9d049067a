//! The nodes of a schedule tree.
use crate::cut::band::BandLevels;
use crate::descent::generation::Generation;
use crate::descent::leaf::Leaves;
use crate::descent::loops::BandLoops;
use crate::level::plain_sets::{is_universe, same_pieces};
use crate::model::depth::set_at_depth;
use crate::model::reaching::Reaching;
use crate::model::statement::{Statement, extended, with_plain_equalities};
use crate::nest::guard::{common_guard, under};
use crate::nest::tree::{Graft, Nest};
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Band, Node};

/// The walk over the nodes of a tree.
pub(crate) struct Descent<'a> {
    pub(crate) generation: Generation<'a>,
    /// The domain of the tree; filters that only repeat it are skipped.
    pub(crate) domain: &'a UnionSet,
    /// The number of schedule dimensions of the code around, of which the nodes do not know.
    pub(crate) outer: usize,
    /// Whether leaves are left to the user.
    pub(crate) leaves: bool,
}

impl Descent<'_> {
    /// The code of a subtree for the statements that reach it, at depth `depth`.
    pub(crate) fn node(
        &self,
        node: &Node,
        reaching: &[Reaching],
        known: &Set,
        depth: usize,
    ) -> Result<Vec<Graft>> {
        if reaching.is_empty() {
            return Ok(Vec::new());
        }
        match node {
            Node::Leaf => self.leaf(reaching, known, depth),
            Node::Band(band, child) => self.band(band, child, reaching, known, depth),
            Node::Filter(filter, child) => {
                self.node(child, &self.filtered(reaching, filter)?, known, depth)
            }
            Node::Sequence(children) | Node::Set(children) => {
                let mut grafts = Vec::new();
                for child in children {
                    grafts.extend(self.node(child, reaching, known, depth)?);
                }
                Ok(grafts)
            }
            Node::Mark(name, child) => {
                let grafts = self.node(child, reaching, known, depth)?;
                self.marked(name, grafts, known, depth)
            }
            Node::Context(context, child) => {
                let context = self.at_depth(context, depth)?;
                let inside = known.intersect(&context)?;
                let grafts = self.node(child, reaching, &inside, depth)?;
                Ok(grafts.into_iter().map(|graft| self.assuming(graft, &context, known)).collect())
            }
            Node::Guard(guard, child) => {
                let guard = self.at_depth(guard, depth)?;
                let condition = guard.gist(known, self.generation.budget)?;
                let grafts = self.node(child, reaching, &known.intersect(&guard)?, depth)?;
                grafts.into_iter().map(|graft| graft.guarded(&condition)).collect()
            }
            Node::Extension(extension, child) => {
                let reaching = self.with_extension(reaching, extension, known)?;
                self.node(child, &reaching, known, depth)
            }
            Node::Expansion { expansion, child, .. } => {
                self.node(child, &expanded(reaching, expansion)?, known, depth)
            }
        }
    }

    /// A graft from below a context node. Guards on parameters that the node introduces are checked
    /// inside, where they exist.
    fn assuming(&self, Graft { guard, nest }: Graft, context: &Set, known: &Set) -> Graft {
        let constrains = |set: &Set, name: &Name| {
            let position = set.space().find_param(name);
            position.is_some_and(|position| set.involves_dims(DimKind::Param, position, 1))
        };
        let is_new = |name: &&Name| {
            constrains(context, name)
                && !constrains(known, name)
                && !self.domain.sets().iter().any(|set| constrains(set, name))
        };
        let names = self.generation.params.param_names().iter();
        let is_inner = names.filter(is_new).any(|name| constrains(&guard, name));
        let always = Set::universe(self.generation.space(guard.n(DimKind::Out)));
        let (outer, inner) = if is_inner { (always, guard) } else { (guard, always) };
        let body = Box::new(under(inner, nest));
        Graft { guard: outer, nest: Nest::Known { condition: context.clone(), body } }
    }

    /// A set over the outer schedule dimensions, or a prefix of them, or parameters only, at depth
    /// `depth`.
    pub(crate) fn at_depth(&self, set: &Set, depth: usize) -> Result<Set> {
        set_at_depth(set, &self.generation.params, self.outer, depth)
    }

    /// Keeps the instances in `filter`.
    fn filtered(&self, reaching: &[Reaching], filter: &UnionSet) -> Result<Vec<Reaching>> {
        let mut result = Vec::new();
        for each in reaching {
            let space = each.executed.space().range();
            let set = filter.extract(&space);
            if set.plain_is_empty() {
                continue;
            }
            if is_universe(&set) || same_pieces(&set, &self.domain.extract(&space)) {
                result.push(each.clone());
                continue;
            }
            let executed = each.executed.intersect_range(&set)?;
            if !executed.is_empty(self.generation.budget)? {
                let mut prefix = each.prefix.clone();
                if let Some(prefix) = &mut prefix {
                    prefix.instances =
                        prefix.instances.intersect(&set.align_params(&self.generation.params))?;
                }
                result.push(Reaching { executed, domain: None, prefix });
            }
        }
        Ok(result)
    }

    /// Adds the instances that an extension node introduces.
    fn with_extension(
        &self,
        reaching: &[Reaching],
        extension: &UnionMap,
        known: &Set,
    ) -> Result<Vec<Reaching>> {
        let mut result = reaching.to_vec();
        for map in extension.maps() {
            let map = map.insert_dims(DimKind::In, 0, self.outer);
            let space = known.space().map_to(&map.space().range());
            let executed = map.align_params(&self.generation.params).with_space_tuples(&space)?;
            let executed =
                executed.align_params(&self.generation.params).intersect_domain(known)?;
            if !executed.is_empty(self.generation.budget)? {
                result.push(Reaching::with(executed));
            }
        }
        Ok(result)
    }

    /// The grafts as one, under a name.
    fn marked(
        &self,
        name: &Name,
        grafts: Vec<Graft>,
        known: &Set,
        depth: usize,
    ) -> Result<Vec<Graft>> {
        if grafts.is_empty() {
            return Ok(grafts);
        }
        let (guard, grafts) =
            common_guard(grafts, &self.generation.space(depth), self.generation.budget)?;
        let inner = known.intersect(&guard)?;
        let child = Box::new(self.generation.assembled(grafts, &inner)?);
        let nest = Nest::Mark { name: name.clone(), dimension: depth, child };
        Ok(vec![Graft { guard, nest }])
    }

    /// The instances without further order.
    fn leaf(&self, reaching: &[Reaching], known: &Set, depth: usize) -> Result<Vec<Graft>> {
        let leaves = Leaves { generation: &self.generation };
        match self.leaves {
            true => leaves.of_user(reaching, known, depth),
            false => leaves.own(reaching, known, depth),
        }
    }

    /// The loops of a band and what is inside.
    fn band(
        &self,
        band: &Band,
        child: &Node,
        reaching: &[Reaching],
        known: &Set,
        depth: usize,
    ) -> Result<Vec<Graft>> {
        let schedule = band.schedule.to_union_map()?;
        let mut statements = Vec::new();
        for each in reaching {
            statements.extend(self.scheduled(each, band, &schedule, depth)?);
        }
        let end = depth + band.members.len();
        let isolate = match &band.isolate {
            Some(set) => Some(self.at_depth(set, end)?),
            None => None,
        };
        let (members, settings) = (band.members.clone(), Vec::new());
        let levels = BandLevels { start: depth, end, members, settings, isolate, child };
        self.loops(&levels, &statements, known)
    }

    /// A statement with the members of a band as further dimensions; none if the band does not
    /// schedule it. `schedule` is that of the band.
    fn scheduled(
        &self,
        each: &Reaching,
        band: &Band,
        schedule: &UnionMap,
        depth: usize,
    ) -> Result<Option<Statement>> {
        let budget = self.generation.budget;
        if let Some(prefix) = each.prefix.as_ref().and_then(|p| p.extended(&band.schedule)) {
            let executed = with_plain_equalities(&prefix.executed(), budget)?;
            return Ok(Some(Statement::new(executed, Some(prefix), depth)));
        }
        let space = each.executed.space().range();
        let target = Space::set(space.param_names(), Tuple::anonymous(band.members.len()));
        let wanted = space.map_to(&target);
        let has_space = |map: &&Map| map.space().domain().has_equal_tuples(&space);
        let partial = match schedule.maps().iter().find(has_space) {
            Some(map) => map.with_space_tuples(&wanted.with_params(map.space().param_names()))?,
            None if band.members.is_empty() => {
                Map::from_domain_and_range(&Set::universe(space), &Set::universe(target))?
            }
            None => return Ok(None),
        };
        let executed = extended(&each.executed, &partial.align_params(&self.generation.params))?;
        let executed = with_plain_equalities(&executed, budget)?;
        Ok(Some(Statement::new(executed, None, depth)))
    }

    /// The loops over the levels of a band, and in them the code of its child.
    fn loops(
        &self,
        levels: &BandLevels<'_>,
        statements: &[Statement],
        known: &Set,
    ) -> Result<Vec<Graft>> {
        let inside = |reaching: &[Reaching], known: &Set, depth| {
            self.node(levels.child, reaching, known, depth)
        };
        let loops = BandLoops { generation: &self.generation, inside: &inside };
        loops.band(levels, statements, known)
    }

    /// The code for a flat schedule: `maps` from instances to anonymous tuples of `depth`
    /// dimensions, and for every dimension the parts of the schedule space with a loop type.
    pub(crate) fn flat(
        &self,
        maps: &[Map],
        depth: usize,
        settings: Vec<Vec<(AstLoopType, Set)>>,
        known: &Set,
    ) -> Result<Vec<Graft>> {
        let mut statements = Vec::with_capacity(maps.len());
        for map in maps {
            let executed = with_plain_equalities(&map.reverse(), self.generation.budget)?;
            statements.push(Statement::new(executed, None, self.outer));
        }
        let child = &Node::Leaf;
        let (start, end, members) = (self.outer, depth, Vec::new());
        let levels = BandLevels { start, end, members, settings, isolate: None, child };
        self.loops(&levels, &statements, known)
    }
}

/// Applies an expansion to the instances.
fn expanded(reaching: &[Reaching], expansion: &UnionMap) -> Result<Vec<Reaching>> {
    let mut result = Vec::new();
    for each in reaching {
        let space = each.executed.space().range();
        for map in expansion.maps() {
            if map.space().domain().has_equal_tuples(&space) {
                let executed = each.executed.apply_range(map)?;
                result.push(Reaching::with(executed));
            }
        }
    }
    Ok(result)
}
