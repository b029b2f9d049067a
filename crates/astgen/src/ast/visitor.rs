//! What a user of the generator does while code is generated.
use crate::ast::annotation::Annotation;
use crate::ast::node::{AstNode, ForLoop};
use crate::places::build::Build;
use crate::places::place::Place;
use loopwright_presburger::{Error, Name, UnionMap};
use std::sync::Arc;

/// Instances between which the schedule has no order left, at one point of the code.
#[derive(Clone, Debug)]
pub struct Leaf {
    build: Build,
    schedule: UnionMap,
}

impl Leaf {
    pub(crate) fn new(build: Build, schedule: UnionMap) -> Self {
        Leaf { build, schedule }
    }

    /// What is visible here.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// The schedule so far: from the instances to the schedule dimensions outside. Code for an
    /// extended one, with further dimensions, comes from
    /// [`Generator::nested_map`](crate::Generator::nested_map).
    pub fn schedule(&self) -> &UnionMap {
        &self.schedule
    }
}

/// Takes part in the generation of code; every method has a default that does nothing.
///
/// The methods are called in the order in which the code is executed (a loop's body once), with
/// exactly what is known at each point. An error ends the generation and is returned.
///
/// ```
/// use loopwright_astgen::{Annotation, AstNode, Build, ForLoop, Generator, Options, Visitor};
/// use loopwright_presburger::{Budget, Error, Set, UnionMap};
/// /// Numbers the loops.
/// struct Counter(usize);
/// impl Visitor for Counter {
///     type Error = Error;
///     fn before_for(&mut self, _: &ForLoop, _: &Build) -> Result<Option<Annotation>, Error> {
///         self.0 += 1;
///         Ok(Some(Annotation::named(&format!("loop {}", self.0))))
///     }
/// }
/// let schedule = UnionMap::parse("[n] -> { S[i, j] -> [i, j] : 0 <= i, j < n }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let (options, budget) = (Options::STANDARD, Budget::steps(1_000_000));
/// let mut counter = Counter(0);
/// let generator = Generator::new(&options, &budget);
/// let ast = generator.map(&schedule, &context, &none, &mut counter)?;
/// assert_eq!(counter.0, 2);
/// let AstNode::For(outer) = ast else { panic!("a loop") };
/// assert_eq!(&*outer.annotation.unwrap().name, "loop 1");
/// # Ok::<(), Error>(())
/// ```
pub trait Visitor {
    /// What can go wrong: at least what can in the generator.
    type Error: From<Error>;

    /// Before the body of a loop is generated. `head` has no body yet; `inside` is the point at the
    /// start of the body. The annotation stays with the loop.
    ///
    /// # Errors
    /// Whatever ends the generation.
    fn before_for(
        &mut self,
        head: &ForLoop,
        inside: &Build,
    ) -> Result<Option<Annotation>, Self::Error> {
        let _ = (head, inside);
        Ok(None)
    }

    /// After a loop has been generated, which may be replaced; `outside` is the point before it.
    ///
    /// # Errors
    /// Whatever ends the generation.
    fn after_for(&mut self, each: ForLoop, outside: &Build) -> Result<AstNode, Self::Error> {
        let _ = outside;
        Ok(AstNode::For(each))
    }

    /// At an instance of a statement: `node` is an [`AstNode::User`], which may be replaced.
    ///
    /// # Errors
    /// Whatever ends the generation.
    fn user(&mut self, node: AstNode, place: &Arc<Place>) -> Result<AstNode, Self::Error> {
        let _ = place;
        Ok(node)
    }

    /// Before what is below a mark is generated.
    ///
    /// # Errors
    /// Whatever ends the generation.
    fn before_mark(&mut self, name: &Name, build: &Build) -> Result<(), Self::Error> {
        let _ = (name, build);
        Ok(())
    }

    /// After what is below a mark has been generated: `node` is an [`AstNode::Mark`], which may be
    /// replaced.
    ///
    /// # Errors
    /// Whatever ends the generation.
    fn after_mark(&mut self, node: AstNode, build: &Build) -> Result<AstNode, Self::Error> {
        let _ = build;
        Ok(node)
    }

    /// Whether nothing depends on how often, and in what order, the other methods are called. Code that
    /// both branches of a condition share is only looked for then, as it is generated anew outside.
    fn is_passive(&self) -> bool {
        false
    }

    /// Whether [`Visitor::leaf`] is to be called, which costs the generator some work.
    fn creates_leaves(&self) -> bool {
        false
    }

    /// At a leaf of the schedule: code for all its instances; none leaves that to the generator. The
    /// code around guarantees that there is an instance.
    ///
    /// Instances of different statements at one point of the schedule are at one leaf only with
    /// [`Options::group_coscheduled`](crate::Options::group_coscheduled); otherwise they may be at
    /// several, of which all of one are executed before all of another.
    ///
    /// # Errors
    /// Whatever ends the generation.
    fn leaf(&mut self, leaf: &Leaf) -> Result<Option<AstNode>, Self::Error> {
        let _ = leaf;
        Ok(None)
    }
}

/// A visitor that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoVisitor;

impl Visitor for NoVisitor {
    type Error = Error;

    fn is_passive(&self) -> bool {
        true
    }
}
