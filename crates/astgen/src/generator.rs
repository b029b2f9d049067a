//! Code for whole schedules, and for schedules inside of code.
use crate::ast::node::AstNode;
use crate::ast::visitor::Visitor;
use crate::cut::Cut;
use crate::descent::generation::Generation;
use crate::descent::tree::Descent;
use crate::emit::emission::Emission;
use crate::emit::iterator_names::IteratorNames;
use crate::expressions::expression_choices::ExpressionChoices;
use crate::expressions::scope::Scope;
use crate::model::depth::within_depth;
use crate::model::prefix::Prefix;
use crate::model::reaching::Reaching;
use crate::nest::bounds_without_min_max::with_single_bounds;
use crate::nest::condition_tree::assembled;
use crate::nest::disjunctions::without_disjunctions;
use crate::nest::guard::{common_guard, under};
use crate::nest::parallel_marks::with_parallel_marks;
use crate::nest::tree::Graft;
use crate::options::choices::Options;
use crate::places::build::Build;
use crate::places::place::Place;
use crate::strategies::choice::cut_of;
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Band, Node, ScheduleTree};
use std::result::Result;

/// Generates code, by itself or inside of other code.
///
/// [`generate`](crate::generate) and [`generate_from_map`](crate::generate_from_map) are shorter
/// where there is no visitor and iterators have the usual names.
///
/// ```
/// use loopwright_astgen::{Generator, NoVisitor, Options};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// let schedule = UnionMap::parse("[n] -> { S[i, j] -> [i, j] : 0 <= i, j < n }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let (options, budget) = (Options::STANDARD, Budget::steps(1_000_000));
/// let generator = Generator::new(&options, &budget).with_iterators(["row", "n"]);
/// let ast = generator.map(&schedule, &context, &none, &mut NoVisitor)?;
/// let expected = "\
/// for (int row = 0; row < n; row += 1)
///   for (int n_1 = 0; n_1 < n; n_1 += 1)
///     S(row, n_1);
/// ";
/// assert_eq!(ast.to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator<'a> {
    options: &'a Options,
    budget: &'a Budget,
    iterators: Vec<Name>,
}

impl<'a> Generator<'a> {
    /// A generator with invented names of iterators. All code that it generates takes its work from
    /// one budget.
    pub fn new(options: &'a Options, budget: &'a Budget) -> Self {
        Generator { options, budget, iterators: Vec::new() }
    }

    /// With names for the iterators, from the outermost loop in. Loops nested deeper get invented
    /// names. A name that is a parameter's, or that of a loop around, is changed.
    #[must_use]
    pub fn with_iterators<N: Into<Name>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Generator { iterators: names.into_iter().map(Into::into).collect(), ..self }
    }

    /// The code that executes the instances of a schedule tree in its order, as
    /// [`generate`](crate::generate).
    ///
    /// *Cost.* As [`generate`](crate::generate).
    ///
    /// # Errors
    /// As [`generate`](crate::generate); errors of the visitor.
    pub fn tree<V: Visitor>(
        &self,
        tree: &ScheduleTree,
        context: &Set,
        visitor: &mut V,
    ) -> Result<AstNode, V::Error> {
        within_depth(members_deep(&tree.root))?;
        let params = params_of(tree, context.space().to_params());
        let mut known = at_root(context).align_params(&params);
        let mut reaching = Vec::new();
        for set in tree.domain.sets() {
            let set = set.align_params(&params);
            let nothing = Set::universe(Space::set(set.space().param_names(), Tuple::anonymous(0)));
            let executed = Map::from_domain_and_range(&nothing, &set)?;
            reaching.push(Reaching { executed, domain: None, prefix: Some(Prefix::root(set)) });
        }
        let (cut, leaves) = (cut_of(self.options), visitor.creates_leaves());
        let generation = self.generation(params, &*cut);
        let descent = Descent { generation, domain: &tree.domain, outer: 0, leaves };
        let mut root = &tree.root;
        while let Node::Context(assumed, child) = root {
            known = known.intersect(&descent.at_depth(assumed, 0)?)?;
            root = child;
        }
        let grafts = descent.node(root, &reaching, &known, 0)?;
        self.emitted(&descent.generation.params, grafts, self.root(known), visitor)
    }

    /// The code that executes the domain of a flat schedule in lexicographic order of its images, as
    /// [`generate_from_map`](crate::generate_from_map).
    ///
    /// *Cost.* As [`generate`](crate::generate).
    ///
    /// # Errors
    /// As [`generate_from_map`](crate::generate_from_map); errors of the visitor.
    pub fn map<V: Visitor>(
        &self,
        schedule: &UnionMap,
        context: &Set,
        settings: &UnionMap,
        visitor: &mut V,
    ) -> Result<AstNode, V::Error> {
        self.flat(schedule, settings, self.root(at_root(context)), visitor)
    }

    /// The code inside of other code that executes, at every instance `i` of the statement at
    /// `place`, the instances `instances(i)` in the order of a schedule tree.
    ///
    /// The loops and conditions around `place` are known. The domain of the tree restricts
    /// `instances`; its nodes speak about parameters and its own schedule dimensions. Parameters
    /// that exist only inside, such as the numbers of blocks and threads, come with their ranges
    /// from context nodes of the tree or from [`Place::restricted`].
    ///
    /// ```
    /// use loopwright_astgen::{AstNode, Generator, NoVisitor, Options, Place, Visitor};
    /// use loopwright_presburger::{Budget, Error, Set, UnionMap};
    /// use loopwright_schedule::ScheduleTree;
    /// use std::sync::Arc;
    /// /// Replaces each `K(k)` by code for the elements of its tile that are those of one thread.
    /// struct Kernel<'a>(Generator<'a>, ScheduleTree, UnionMap);
    /// impl Visitor for Kernel<'_> {
    ///     type Error = Error;
    ///     fn user(&mut self, _: AstNode, place: &Arc<Place>) -> Result<AstNode, Error> {
    ///         self.0.nested_tree(place, &self.2, &self.1, &mut NoVisitor)
    ///     }
    /// }
    /// let inner = ScheduleTree::parse(
    ///     r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
    ///          context: "[t] -> { [] : 0 <= t < 4 }", child: {
    ///            filter: "[t] -> { S[i] : i mod 4 = t }", child: {
    ///              schedule: "[{ S[i] -> [i] }]" } } } }"#,
    /// )?;
    /// let tile = UnionMap::parse("{ K[k] -> S[i] : 32k <= i < 32k + 32 }")?;
    /// let (options, budget) = (Options::STANDARD, Budget::steps(1_000_000));
    /// let generator = Generator::new(&options, &budget);
    /// let mut kernel = Kernel(generator.clone(), inner, tile);
    /// let outer = UnionMap::parse("[n] -> { K[k] -> [k] : 0 <= 32k < n }")?;
    /// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
    /// let ast = generator.map(&outer, &context, &none, &mut kernel)?;
    /// let expected = "\
    /// for (int c0 = 0; c0 <= floord(n - 1, 32); c0 += 1)
    ///   for (int c1 = 32 * c0 + t; c1 < min(n, 32 * c0 + 32); c1 += 4)
    ///     S(c1);
    /// ";
    /// assert_eq!(ast.to_string(), expected);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// *Cost.* As [`generate`](crate::generate).
    ///
    /// # Errors
    /// As [`Generator::tree`].
    pub fn nested_tree<V: Visitor>(
        &self,
        place: &Place,
        instances: &UnionMap,
        tree: &ScheduleTree,
        visitor: &mut V,
    ) -> Result<AstNode, V::Error> {
        within_depth(place.build().depth() + members_deep(&tree.root))?;
        let outer = &place.build().scope;
        let params = params_of(tree, outer.known.space().to_params());
        let params = params.merge_params(&Space::params(&instances.param_names()));
        let scope = outer.with_params(&params)?;
        let params = scope.known.space().to_params();
        let instance = place.instance().to_map();
        let mut reaching = Vec::new();
        for map in instances.intersect_range(&tree.domain)?.maps() {
            if !map.space().domain().has_equal_tuples(&instance.space().range()) {
                continue;
            }
            let executed = instance.apply_range(map)?.align_params(&params);
            if !executed.intersect_domain(&scope.known)?.is_empty(self.budget)? {
                reaching.push(Reaching::with(executed));
            }
        }
        let depth = place.build().depth();
        let domain = UnionSet::empty();
        let (cut, leaves) = (cut_of(self.options), visitor.creates_leaves());
        let generation = self.generation(params, &*cut);
        let descent = Descent { generation, domain: &domain, outer: depth, leaves };
        let grafts = descent.node(&tree.root, &reaching, &scope.known, depth)?;
        self.emitted(&descent.generation.params, grafts, scope, visitor)
    }

    /// The code inside of other code, at `build`, for a flat schedule whose first dimensions are
    /// those of the code around, such as [`Leaf::schedule`](crate::Leaf::schedule) followed by
    /// further dimensions. `settings` are over all dimensions.
    ///
    /// ```
    /// use loopwright_astgen::{AstNode, Generator, Leaf, NoVisitor, Options, Visitor};
    /// use loopwright_presburger::{Budget, Error, Set, UnionMap};
    /// /// Lets the second dimension of `S` run backwards.
    /// struct Backwards<'a>(Generator<'a>);
    /// impl Visitor for Backwards<'_> {
    ///     type Error = Error;
    ///     fn creates_leaves(&self) -> bool {
    ///         true
    ///     }
    ///     fn leaf(&mut self, leaf: &Leaf) -> Result<Option<AstNode>, Error> {
    ///         let further = UnionMap::parse("{ S[i, j] -> [-j] }")?;
    ///         let schedule = leaf.schedule().flat_range_product(&further)?;
    ///         let none = UnionMap::empty();
    ///         self.0.nested_map(leaf.build(), &schedule, &none, &mut NoVisitor).map(Some)
    ///     }
    /// }
    /// let outer = UnionMap::parse("[n] -> { S[i, j] -> [i] : 0 <= i < n and 0 <= j <= i }")?;
    /// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
    /// let (options, budget) = (Options::STANDARD, Budget::steps(1_000_000));
    /// let generator = Generator::new(&options, &budget);
    /// let ast = generator.map(&outer, &context, &none, &mut Backwards(generator.clone()))?;
    /// let expected = "\
    /// for (int c0 = 0; c0 < n; c0 += 1)
    ///   for (int c1 = -c0; c1 <= 0; c1 += 1)
    ///     S(c0, -c1);
    /// ";
    /// assert_eq!(ast.to_string(), expected);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// *Cost.* As [`generate`](crate::generate).
    ///
    /// # Errors
    /// As [`Generator::map`]; [`Error::Invalid`] if the schedule has fewer dimensions than are
    /// outside.
    pub fn nested_map<V: Visitor>(
        &self,
        build: &Build,
        schedule: &UnionMap,
        settings: &UnionMap,
        visitor: &mut V,
    ) -> Result<AstNode, V::Error> {
        self.flat(schedule, settings, build.scope.clone(), visitor)
    }

    /// Code for a flat schedule where `scope` is around.
    fn flat<V: Visitor>(
        &self,
        schedule: &UnionMap,
        settings: &UnionMap,
        scope: Scope,
        visitor: &mut V,
    ) -> Result<AstNode, V::Error> {
        let mut params = scope.known.space().to_params();
        for names in [schedule.param_names(), settings.param_names()] {
            params = params.merge_params(&Space::params(&names));
        }
        let scope = scope.with_params(&params)?;
        let params = scope.known.space().to_params();
        let outer = scope.names.len();
        let depth = schedule.maps().first().map_or(outer, |map| map.n(DimKind::Out));
        within_depth(depth)?;
        let maps = self.anonymous(schedule, &params, outer, depth)?;
        let settings = loop_types(settings, &params, depth)?.split_off(outer);
        let domain = schedule.domain();
        let (cut, leaves) = (cut_of(self.options), visitor.creates_leaves());
        let generation = self.generation(params, &*cut);
        let descent = Descent { generation, domain: &domain, outer, leaves };
        let grafts = descent.flat(&maps, depth, settings, &scope.known)?;
        self.emitted(&descent.generation.params, grafts, scope, visitor)
    }

    /// The relations that are not empty, to anonymous tuples of `depth` dimensions.
    fn anonymous(
        &self,
        schedule: &UnionMap,
        params: &Space,
        outer: usize,
        depth: usize,
    ) -> Result<Vec<Map>, Error> {
        let invalid = |reason: &str| Error::Invalid {
            operation: "AST generation",
            reason: reason.to_string(),
        };
        if depth < outer {
            return Err(invalid("the schedule has fewer dimensions than the code around"));
        }
        let mut maps = Vec::new();
        for map in schedule.maps() {
            let map = map.align_params(params);
            if map.n(DimKind::Out) != depth {
                return Err(invalid("the schedule has images in several spaces"));
            }
            if !map.is_empty(self.budget)? {
                let input = map.space().input().cloned().unwrap_or_else(|| Tuple::anonymous(0));
                let names = map.space().param_names();
                let anonymous = Space::map(names, input, Tuple::anonymous(depth));
                maps.push(map.with_space_tuples(&anonymous)?);
            }
        }
        Ok(maps)
    }

    fn generation<'b>(&'b self, params: Space, cut: &'b dyn Cut) -> Generation<'b> {
        Generation { options: self.options, budget: self.budget, params, cut }
    }

    fn root(&self, known: Set) -> Scope {
        Scope::root(known, ExpressionChoices::of(self.options))
    }

    /// The second pass over grafts that have `scope` around.
    fn emitted<V: Visitor>(
        &self,
        params: &Space,
        grafts: Vec<Graft>,
        mut scope: Scope,
        visitor: &mut V,
    ) -> Result<AstNode, V::Error> {
        let (options, budget) = (self.options, self.budget);
        let (guard, grafts) = common_guard(grafts, scope.known.space(), budget)?;
        let inside = scope.known.intersect(&guard)?;
        let nest = assembled(grafts, &inside, options.allow_else, budget)?;
        let mut nest = under(guard, nest);
        if options.single_bounds {
            nest = with_single_bounds(nest, &scope.known, options.allow_else, budget)?;
        }
        if !options.allow_or {
            nest = without_disjunctions(nest, options.allow_else, budget)?;
        }
        if let Some(first) = options.strategy.first_parallel_level() {
            nest = with_parallel_marks(nest, first)?;
        }
        let mut used = params.param_names().to_vec();
        used.extend(scope.names.iter().cloned());
        scope.choices = ExpressionChoices::of(options);
        let names = IteratorNames::new(&self.iterators, scope.loops, scope.names.len(), &used);
        Emission { options, names, visitor }.node(&nest, &scope)
    }
}

/// The most members of bands one inside of the other.
fn members_deep(node: &Node) -> usize {
    let own = match node {
        Node::Band(band, _) => band.members.len(),
        _ => 0,
    };
    own + node.children().iter().map(members_deep).max().unwrap_or(0)
}

/// A context as a set at depth 0.
fn at_root(context: &Set) -> Set {
    match context.space().is_params() {
        true => context.from_params(Tuple::anonymous(0)),
        false => context.clone(),
    }
}

/// For every dimension the parts of the schedule space that have a loop type, projected to the
/// dimensions up to that one.
fn loop_types(
    settings: &UnionMap,
    params: &Space,
    depth: usize,
) -> Result<Vec<Vec<(AstLoopType, Set)>>, Error> {
    let mut result = vec![Vec::new(); depth];
    for map in settings.maps() {
        let name = map.space().output().and_then(|tuple| tuple.name().cloned());
        let kind = match name.as_deref() {
            Some("atomic") => AstLoopType::Atomic,
            Some("separate") => AstLoopType::Separate,
            Some("unroll") => AstLoopType::Unroll,
            _ => continue,
        };
        if map.n(DimKind::In) != depth || map.n(DimKind::Out) != 1 {
            continue;
        }
        let map = map.align_params(params);
        for (level, parts) in result.iter_mut().enumerate() {
            let part = map.fix(DimKind::Out, 0, &Int::from(level)).domain();
            let part = part.project_out(DimKind::Out, level + 1, depth - level - 1);
            if !part.plain_is_empty() {
                parts.push((kind, part));
            }
        }
    }
    Ok(result)
}

/// The parameters of `space` and of a tree.
fn params_of(tree: &ScheduleTree, mut space: Space) -> Space {
    let mut add = |names: &[Name]| space = space.merge_params(&Space::params(names));
    add(&tree.domain.param_names());
    tree.root.for_each(&mut |node| match node {
        Node::Band(Band { schedule, isolate, .. }, _) => {
            add(schedule.params_space().param_names());
            if let Some(set) = isolate {
                add(set.space().param_names());
            }
        }
        Node::Filter(set, _) => add(&set.param_names()),
        Node::Context(set, _) | Node::Guard(set, _) => add(set.space().param_names()),
        Node::Extension(map, _) => add(&map.param_names()),
        Node::Expansion { expansion, .. } => add(&expansion.param_names()),
        _ => {}
    });
    space
}
