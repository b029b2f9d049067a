//! The first pass: down the schedule tree, and up again with code whose constraints are sets.
//!
//! Of the three sets of constraints that accompany the descent in section 5.1 of Grosser,
//! Verdoolaege, Cohen, the union of *generated* and *pending* ones is [`Position::known`]. What of
//! it is really enforced need not be known on the way down: the second pass sees it.
use crate::executed::{Statement, extended, pin_floors};
use crate::guard::*;
use crate::nest::{Graft, Nest, Stride, is_universe};
use crate::pieces::{localized, plain_equal};
use crate::prefix::Prefix;
use crate::unroll::unroll_pieces;
use crate::value::single_value;
use crate::{Options, components, isolation, pieces, stride};
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Band, Member, Node};

/// Everything that stays the same during a generation.
pub(crate) struct Descent<'a> {
    pub(crate) options: &'a Options,
    pub(crate) budget: &'a Budget,
    /// All parameters.
    pub(crate) params: Space,
    /// The domain of the tree; filters that only repeat it are skipped.
    pub(crate) domain: &'a UnionSet,
}

/// A statement that reaches a node.
#[derive(Clone)]
pub(crate) struct Reaching {
    /// Schedule dimensions to instances.
    pub(crate) executed: Map,
    /// Its domain, if it has been computed.
    pub(crate) domain: Option<Set>,
    /// The schedule so far, if it is affine with a single piece per dimension.
    pub(crate) prefix: Option<Prefix>,
}

/// The levels of a band, or of the dimensions of instances that are left unordered.
struct Levels<'a> {
    start: usize,
    end: usize,
    members: &'a [Member],
    /// For every dimension of a flat schedule, the types of loops by part.
    settings: Vec<Vec<(AstLoopType, Set)>>,
    isolate: Option<Set>,
    child: &'a Node,
}

impl Descent<'_> {
    /// The space of sets at depth `depth`.
    fn space(&self, depth: usize) -> Space {
        Space::set(self.params.param_names(), Tuple::anonymous(depth))
    }

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
                let known = known.intersect(&self.at_depth(context, depth)?)?;
                self.node(child, reaching, &known, depth)
            }
            Node::Guard(guard, child) => {
                let guard = self.at_depth(guard, depth)?;
                let condition = guard.gist(known, self.budget)?;
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

    /// A set over the outer schedule dimensions, or a prefix of them, or parameters only, at depth
    /// `depth`.
    fn at_depth(&self, set: &Set, depth: usize) -> Result<Set> {
        let set = if set.space().is_params() {
            set.from_params(Tuple::anonymous(0))
        } else {
            set.flatten().with_space_tuples(&Space::set(
                set.space().param_names(),
                Tuple::anonymous(set.n(DimKind::Out)),
            ))?
        };
        let n = set.n(DimKind::Out);
        let missing = depth.saturating_sub(n);
        Ok(set.align_params(&self.params).insert_dims(DimKind::Out, n, missing))
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
            if !executed.is_empty(self.budget)? {
                let mut prefix = each.prefix.clone();
                if let Some(prefix) = &mut prefix {
                    prefix.instances =
                        prefix.instances.intersect(&set.align_params(&self.params))?;
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
            let space = known.space().map_to(&map.space().range());
            let executed = map.align_params(&self.params).with_space_tuples(&space)?;
            let executed = executed.align_params(&self.params).intersect_domain(known)?;
            if !executed.is_empty(self.budget)? {
                result.push(Reaching { executed, domain: None, prefix: None });
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
        let (guard, grafts) = common_guard(grafts, &self.space(depth), self.budget)?;
        let inner = known.intersect(&guard)?;
        let child = Box::new(assembled(grafts, &inner, self.options.allow_else, self.budget)?);
        let nest = Nest::Mark { name: name.clone(), dimension: depth, child };
        Ok(vec![Graft { guard, nest }])
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
        let range = Tuple::anonymous(band.members.len());
        let mut statements = Vec::new();
        for each in reaching {
            if let Some(prefix) = each.prefix.as_ref().and_then(|p| p.extended(&band.schedule)) {
                statements.push(Statement::new(prefix.executed(), Some(prefix), depth));
                continue;
            }
            let space = each.executed.space().range();
            let target = Space::set(space.param_names(), range.clone());
            let wanted = space.map_to(&target);
            let has_space = |map: &&Map| map.space().domain().has_equal_tuples(&space);
            let partial = match schedule.maps().iter().find(has_space) {
                Some(map) => {
                    map.with_space_tuples(&wanted.with_params(map.space().param_names()))?
                }
                None if band.members.is_empty() => {
                    Map::from_domain_and_range(&Set::universe(space), &Set::universe(target))?
                }
                None => continue,
            };
            let executed = extended(&each.executed, &partial.align_params(&self.params))?;
            statements.push(Statement::new(executed, None, depth));
        }
        let isolate = match &band.isolate {
            Some(set) => Some(self.at_depth(set, depth + band.members.len())?),
            None => None,
        };
        let levels = Levels {
            start: depth,
            end: depth + band.members.len(),
            members: &band.members,
            settings: Vec::new(),
            isolate,
            child,
        };
        self.level(&levels, &statements.iter().collect::<Vec<_>>(), known, depth, false)
    }

    /// The code from `level` of a band on.
    fn level(
        &self,
        levels: &Levels<'_>,
        statements: &[&Statement],
        known: &Set,
        level: usize,
        isolated: bool,
    ) -> Result<Vec<Graft>> {
        if level == levels.end {
            let reaching = |statement: &&Statement| Reaching {
                executed: statement.executed.clone(),
                domain: (levels.start < levels.end).then(|| statement.domain(level - 1).clone()),
                prefix: statement.prefix.clone(),
            };
            let reaching: Vec<_> = statements.iter().map(reaching).collect();
            return self.node(levels.child, &reaching, known, level);
        }
        let mut grafts = Vec::new();
        if let Some(groups) = self.groups_of_strategy(statements, known, level)? {
            for (members, pieces) in groups {
                for piece in pieces {
                    grafts.extend(self.piece(levels, &members, &piece, known, level, false)?);
                }
            }
            return Ok(grafts);
        }
        for component in self.components(levels, statements, known, level)? {
            let members: Vec<_> = component.iter().map(|&i| statements[i]).collect();
            grafts.extend(self.component(levels, &members, known, level, isolated)?);
        }
        Ok(grafts)
    }

    /// The groups of statements that share the loops at `level`, in order.
    fn components(
        &self,
        levels: &Levels<'_>,
        statements: &[&Statement],
        known: &Set,
        level: usize,
    ) -> Result<Vec<Vec<usize>>> {
        if statements.len() == 1 {
            return Ok(vec![vec![0]]);
        }
        components::components(statements.len(), |a, b| {
            self.follows(levels, statements[a], statements[b], known, level)
        })
    }

    /// Whether some instance of `second` may come after one of `first` for equal outer dimensions.
    fn follows(
        &self,
        levels: &Levels<'_>,
        first: &Statement,
        second: &Statement,
        known: &Set,
        level: usize,
    ) -> Result<bool> {
        let mut known = known.clone();
        for at in level..levels.end {
            let (a, b) = (first.domain(at), second.domain(at));
            if components::may_follow(a, b, &known, at, self.budget)? {
                return Ok(true);
            }
            known = known.insert_dims(DimKind::Out, at, 1);
            let equal = a.intersect(b)?.intersect(&known)?;
            if equal.is_empty(self.budget)? {
                return Ok(false);
            }
        }
        Ok(comes_after(levels.child, &first.space(), &second.space()))
    }

    /// The loops over dimension `level` for statements that have to share them.
    fn component(
        &self,
        levels: &Levels<'_>,
        statements: &[&Statement],
        known: &Set,
        level: usize,
        isolated: bool,
    ) -> Result<Vec<Graft>> {
        let domains: Vec<Set> =
            statements.iter().map(|statement| statement.domain(level).clone()).collect();
        let mut grafts = Vec::new();
        for (piece, isolated) in self.pieces(levels, &domains, known, level, isolated)? {
            grafts.extend(self.piece(levels, statements, &piece, known, level, isolated)?);
        }
        Ok(grafts)
    }

    /// One loop over dimension `level`, or its single value.
    fn piece(
        &self,
        levels: &Levels<'_>,
        statements: &[&Statement],
        piece: &BasicSet,
        known: &Set,
        level: usize,
        isolated: bool,
    ) -> Result<Vec<Graft>> {
        let outside = known.insert_dims(DimKind::Out, level, 1);
        let simplified = Set::from_basic_set(piece.clone()).gist(&outside, self.budget)?;
        let simplified = localized(&simplified, level);
        let [bounds] = &simplified.basic_sets()[..] else {
            return Ok(Vec::new());
        };
        let cut = outside.intersect(&simplified)?;
        let candidates = self.active(statements, &cut, level)?;
        let exact: Vec<Set> = candidates.iter().map(|s| s.domain(level).clone()).collect();
        let stride = stride::common_stride(&exact, level)?;
        let value = single_value(bounds, stride.as_ref(), known, level, self.budget)?;
        let mut here = loop_constraints(bounds, stride.as_ref(), level)?;
        if let Some(value) = &value {
            here = here.intersect(&value_constraint(value, level))?;
        }
        let inside = outside.intersect(&here)?;
        let active = match stride.is_some() || value.is_some() {
            true => self.active(&candidates, &inside, level)?,
            false => candidates,
        };
        if active.is_empty() {
            return Ok(Vec::new());
        }
        let grafts = self.level(levels, &active, &inside, level + 1, isolated)?;
        if grafts.is_empty() {
            return Ok(grafts);
        }
        match value {
            Some(value) => self.eliminated(value, &here, grafts, known, level),
            None => {
                let coincident =
                    levels.members.get(level - levels.start).is_some_and(|m| m.coincident);
                let each = Loop { level, bounds, stride, coincident };
                Ok(vec![self.loop_around(each, grafts, &inside, known)?])
            }
        }
    }

    /// The statements with instances where `inside` holds.
    fn active<'s>(
        &self,
        statements: &[&'s Statement],
        inside: &Set,
        level: usize,
    ) -> Result<Vec<&'s Statement>> {
        let mut active = Vec::new();
        for statement in statements {
            if !statement.domain(level).intersect(inside)?.is_empty(self.budget)? {
                active.push(*statement);
            }
        }
        Ok(active)
    }

    /// The code inside dimension `level` that has a single value, seen from outside.
    fn eliminated(
        &self,
        value: Aff,
        here: &Set,
        grafts: Vec<Graft>,
        known: &Set,
        level: usize,
    ) -> Result<Vec<Graft>> {
        let equal = value_constraint(&value, level);
        let pending = here.project_out(DimKind::Out, level, 1).gist(known, self.budget)?;
        let mut result = Vec::new();
        for Graft { guard, nest } in grafts {
            let body = Box::new(nest);
            let nest = Nest::Value { level, value: value.clone(), body };
            let pending = self.not_enforced(&pending, &nest, known)?;
            let guard = if is_universe(&guard) {
                Set::universe(self.space(level))
            } else {
                let outer = guard.intersect(&equal)?.project_out(DimKind::Out, level, 1);
                outer.gist(known, self.budget)?
            };
            result.push(Graft { guard: guard.intersect(&pending)?, nest });
        }
        Ok(result)
    }

    /// The loop around grafts.
    fn loop_around(
        &self,
        each: Loop<'_>,
        grafts: Vec<Graft>,
        inside: &Set,
        known: &Set,
    ) -> Result<Graft> {
        let Loop { level, bounds, stride, coincident } = each;
        let (common, grafts) = common_guard(grafts, &self.space(level + 1), self.budget)?;
        let common =
            if is_universe(&common) { common } else { common.gist(inside, self.budget)? };
        let (outer, inner) = hoisted(&common, level, self.budget)?;
        let body_known = inside.intersect(&common)?;
        let body =
            under(inner, assembled(grafts, &body_known, self.options.allow_else, self.budget)?);
        let own = involving(bounds, level, true);
        let pending = Set::from_basic_set(involving(bounds, level, false));
        let mut pending = pending.project_out(DimKind::Out, level, 1);
        if let Some(stride) = &stride {
            pending = pending.intersect(&stride.condition(level))?.gist(known, self.budget)?;
        }
        let body = Box::new(body);
        let nest = Nest::For { level, bounds: own, stride, coincident, body };
        let pending = self.not_enforced(&pending, &nest, known)?;
        Ok(Graft { guard: pending.intersect(&outer)?, nest })
    }

    /// The part of a condition that the loops of `nest` do not enforce by themselves.
    fn not_enforced(&self, pending: &Set, nest: &Nest, known: &Set) -> Result<Set> {
        if is_universe(pending) || !self.options.exploit_nested_bounds {
            return Ok(pending.clone());
        }
        without_enforced(pending, nest, known, self.budget)
    }

    /// The instances without further order.
    fn leaf(&self, reaching: &[Reaching], known: &Set, depth: usize) -> Result<Vec<Graft>> {
        let mut grafts = Vec::new();
        for each in reaching {
            grafts.extend(self.instances(each, known, depth)?);
        }
        Ok(grafts)
    }

    /// A user node if there is one instance per schedule point, otherwise loops over the instances.
    fn instances(&self, each: &Reaching, known: &Set, depth: usize) -> Result<Vec<Graft>> {
        let domain = match &each.domain {
            Some(domain) => domain.clone(),
            None => each.executed.domain(),
        };
        let statement = each.executed.space().range();
        let instance = match obvious_instance(&pin_floors(&each.executed)) {
            Some(instance) => Some(instance),
            None => self.searched_instance(&each.executed, known)?,
        };
        let Some(instance) = instance else {
            return self.unordered(each, known, depth);
        };
        let domain = without_existentials(&domain, self.budget)?;
        let guard = domain.gist(known, self.budget)?;
        if guard.is_empty(self.budget)? {
            return Ok(Vec::new());
        }
        Ok(vec![Graft { guard, nest: Nest::User { statement, instance } }])
    }

    /// The instance as a piecewise function of the schedule dimensions, if it is one and the
    /// function is found; otherwise the dimensions of the instance get levels of their own, which
    /// usually turn out to have a single value.
    fn searched_instance(&self, executed: &Map, known: &Set) -> Result<Option<PwMultiAff>> {
        let executed = executed.intersect_domain(known)?;
        if !executed.is_single_valued(self.budget)? {
            return Ok(None);
        }
        match PwMultiAff::from_map(&executed, self.budget) {
            Ok(instance) => Ok(Some(instance.gist(known, self.budget)?)),
            Err(Error::Invalid { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// Loops over the dimensions of the instances, in any order.
    fn unordered(&self, each: &Reaching, known: &Set, depth: usize) -> Result<Vec<Graft>> {
        let space = each.executed.space().range();
        let n = space.n(DimKind::Out);
        let copies = Space::set(space.param_names(), Tuple::anonymous(n));
        let copy = Map::identity(&copies).with_space_tuples(&space.map_to(&copies))?;
        let statement = Statement::new(extended(&each.executed, &copy)?, None, depth);
        let levels = Levels {
            start: depth,
            end: depth + n,
            members: &[],
            settings: Vec::new(),
            isolate: None,
            child: &Node::Leaf,
        };
        self.level(&levels, &[&statement], known, depth, false)
    }

    /// The pieces of the values of dimension `level`, in order, and whether they are isolated.
    fn pieces(
        &self,
        levels: &Levels<'_>,
        exact: &[Set],
        known: &Set,
        level: usize,
        isolated: bool,
    ) -> Result<Vec<(BasicSet, bool)>> {
        let parts = match &levels.isolate {
            Some(set) => isolation::parts(set, known, level, self.budget)?,
            None => None,
        };
        let Some(parts) = parts else {
            let pieces = self.typed_pieces(levels, exact, known, level, isolated)?;
            return Ok(pieces.into_iter().map(|piece| (piece, isolated)).collect());
        };
        let isolation::Parts { before, center, after, other } = parts;
        let mut result = Vec::new();
        for (part, isolated) in [(before, false), (center, true), (after, false), (other, false)] {
            let mut inside = Vec::new();
            for domain in exact {
                let domain = domain.intersect(&part)?;
                if !domain.is_empty(self.budget)? {
                    inside.push(domain);
                }
            }
            if !inside.is_empty() {
                let pieces = self.typed_pieces(levels, &inside, known, level, isolated)?;
                result.extend(pieces.into_iter().map(|piece| (piece, isolated)));
            }
        }
        Ok(result)
    }

    /// The pieces of the union of domains according to the type of the loop.
    fn typed_pieces(
        &self,
        levels: &Levels<'_>,
        exact: &[Set],
        known: &Set,
        level: usize,
        isolated: bool,
    ) -> Result<Vec<BasicSet>> {
        let position = level - levels.start;
        let member = levels.members.get(position).copied().unwrap_or_default();
        let kind = if isolated { member.isolate_ast_loop_type } else { member.ast_loop_type };
        let innermost = level + 1 == levels.end && !has_band(levels.child);
        let Some(settings) = levels.settings.get(position).filter(|s| !s.is_empty()) else {
            return self.pieces_of_type(kind, innermost, exact, known, level);
        };
        let mut rest = exact.to_vec();
        let mut pieces = Vec::new();
        for (kind, part) in settings {
            let mut inside = Vec::new();
            for domain in &mut rest {
                let both = domain.intersect(part)?;
                if !both.is_empty(self.budget)? {
                    *domain = domain.subtract(part, self.budget)?;
                    inside.push(both);
                }
            }
            if !inside.is_empty() {
                pieces.extend(self.pieces_of_type(*kind, innermost, &inside, known, level)?);
            }
        }
        let mut left = Vec::new();
        for domain in rest {
            if !domain.is_empty(self.budget)? {
                left.push(domain);
            }
        }
        if !left.is_empty() {
            pieces.extend(self.pieces_of_type(kind, innermost, &left, known, level)?);
        }
        pieces::sorted(pieces, known, level, self.budget)
    }

    fn pieces_of_type(
        &self,
        kind: AstLoopType,
        innermost: bool,
        exact: &[Set],
        known: &Set,
        level: usize,
    ) -> Result<Vec<BasicSet>> {
        let domain = |exact: &Set| match localized(exact, level) {
            local if innermost => local,
            local => pieces::without_floors(local, level),
        };
        let domains: Vec<Set> = exact.iter().map(domain).collect();
        match kind {
            AstLoopType::Default => {
                let most = if innermost { self.options.most_pieces } else { 1 };
                pieces::default_pieces(&domains, known, level, most, self.budget)
            }
            AstLoopType::Atomic => pieces::atomic_pieces(&domains, known, level, self.budget),
            AstLoopType::Separate => pieces::separate_pieces(&domains, known, level, self.budget),
            AstLoopType::Unroll => unroll_pieces(&domains, exact, known, level, self.budget),
        }
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
        let statements: Vec<_> =
            maps.iter().map(|map| Statement::new(map.reverse(), None, 0)).collect();
        let statements: Vec<_> = statements.iter().collect();
        let child = &Node::Leaf;
        let levels = Levels { start: 0, end: depth, members: &[], settings, isolate: None, child };
        self.level(&levels, &statements, known, 0, false)
    }
}

/// What a loop is made of.
struct Loop<'a> {
    level: usize,
    bounds: &'a BasicSet,
    stride: Option<Stride>,
    coincident: bool,
}

/// The constraints that involve dimension `level`, or those that do not.
fn involving(basic: &BasicSet, level: usize, wanted: bool) -> BasicSet {
    let map = basic.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let mut constraints = map.constraints();
    constraints.retain(|constraint| constraint.row.is_zero_at(column) != wanted);
    let locals = map.locals().to_vec();
    BasicSet::from_basic_map(BasicMap::from_constraints(map.space().clone(), locals, constraints))
}

/// Whether two sets are described by the same constraints.
fn same_pieces(a: &Set, b: &Set) -> bool {
    let (a, b) = (a.as_map().basic_maps(), b.as_map().basic_maps());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain_equal(a, b))
}

/// Applies an expansion to the instances.
fn expanded(reaching: &[Reaching], expansion: &UnionMap) -> Result<Vec<Reaching>> {
    let mut result = Vec::new();
    for each in reaching {
        let space = each.executed.space().range();
        for map in expansion.maps() {
            if map.space().domain().has_equal_tuples(&space) {
                let executed = each.executed.apply_range(map)?;
                result.push(Reaching { executed, domain: None, prefix: None });
            }
        }
    }
    Ok(result)
}

/// The set with explicit floors in place of existentials.
fn without_existentials(set: &Set, budget: &Budget) -> Result<Set> {
    let unknown = |local: &Local| matches!(local, Local::Unknown);
    match set.as_map().basic_maps().iter().any(|basic| basic.locals().iter().any(unknown)) {
        true => set.compute_divs(budget),
        false => Ok(set.clone()),
    }
}

/// The instance, if every coordinate stands alone in an equality with the schedule dimensions.
fn obvious_instance(executed: &Map) -> Option<PwMultiAff> {
    let [basic] = executed.basic_maps() else { return None };
    let outputs = basic.offset(DimKind::Out)..basic.offset(DimKind::Local);
    let domain = executed.space().domain();
    let mut affs = Vec::new();
    for column in outputs.clone() {
        let row = basic.equalities().iter().find(|row| {
            row.get(column).abs().is_one()
                && (outputs.clone()).all(|other| other == column || row.is_zero_at(other))
                && row.first_nonzero(outputs.end..row.len()).is_none()
        })?;
        let mut value = row.slice(0..outputs.start);
        if row.sign(column) > 0 {
            value.negate();
        }
        affs.push(Aff::from_row(&domain, Vec::new(), value, Int::ONE));
    }
    let multi = MultiAff::new(executed.space().clone(), affs).ok()?;
    Some(PwMultiAff::from_multi_aff(multi))
}

/// Whether below `node` some instance of `second` may be ordered after one of `first`.
///
/// Bands are assumed to do so, which costs separation but not correctness.
fn comes_after(node: &Node, first: &Space, second: &Space) -> bool {
    match node {
        Node::Leaf => false,
        Node::Band(band, child) if band.members.is_empty() => comes_after(child, first, second),
        Node::Band(..) | Node::Extension(..) | Node::Expansion { .. } => true,
        Node::Filter(_, child)
        | Node::Mark(_, child)
        | Node::Context(_, child)
        | Node::Guard(_, child) => comes_after(child, first, second),
        Node::Sequence(children) | Node::Set(children) => {
            let ordered = matches!(node, Node::Sequence(_));
            let contains = |child: &Node, space: &Space| match child {
                Node::Filter(filter, _) => !filter.extract(space).plain_is_empty(),
                _ => true,
            };
            let (mut seen, mut result) = (false, false);
            for child in children {
                let here = (contains(child, first), contains(child, second));
                result |= ordered && seen && here.1;
                result |= here.0 && here.1 && comes_after(child, first, second);
                seen |= here.0;
            }
            result
        }
    }
}

/// Whether there are further schedule dimensions below a node.
fn has_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| {
        found |= matches!(node, Node::Band(band, _) if !band.members.is_empty())
    });
    found
}
