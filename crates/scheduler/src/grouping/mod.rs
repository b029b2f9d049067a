//! Groups of statements that are scheduled as one: chains of statements that follow each other directly
//! in the original program and hand on values within one iteration.
//!
//! Long bodies of loops (dozens of assignments to scalars and neighbours) make the programming problems
//! of the scheduler large without leaving it anything to decide. [`Grouping::of_chains`] finds such chains
//! in the original order, [`Grouping::contract`] puts one statement in the place of each of them, and
//! [`Grouping::expand`] leads the resulting schedule back to the statements of the program
//! ("Scheduling for PPCG", section 7.2).
mod chains;
mod contract;
mod expand;

use crate::constraints::ScheduleConstraints;
use crate::options::Options;
use crate::schedule::schedule;
use crate::scheduled::Scheduled;
use loopwright_presburger::{Budget, MultiAff, Name, Result, Set, Tuple, UnionMap, UnionSet};

/// Statements that are scheduled as one.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name of the tuple of the group's instances. Their coordinates are the values of the loops
    /// around the group in the original order.
    pub name: Name,
    /// The statements in their original order: at least two.
    pub members: Vec<GroupMember>,
}

/// A statement of a group.
#[derive(Clone, Debug)]
pub struct GroupMember {
    /// The instances of the statement.
    pub domain: Set,
    /// From the space of the statement to that of the group's instances: injective on `domain`, onto the
    /// same instances as that of the other members.
    pub contraction: MultiAff,
}

/// Some groups of the statements of a program; all other statements stay as they are.
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_scheduler::{Grouping, Options, ScheduleConstraints, schedule_in_groups};
/// // for (i = 0; i < n; i++) { A: t = x[i]; B: y[n - i] = t; }
/// let original = ScheduleTree::parse(
///     "{ domain: '[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }', child: {
///          schedule: '[n] -> [{ A[i] -> [(i)]; B[i] -> [(i)] }]', child: { sequence: [
///              { filter: '{ A[i] }' }, { filter: '{ B[i] }' } ] } } }",
/// )?;
/// let constraints = ScheduleConstraints::parse(
///     "{ domain: '[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }',
///        validity: '[n] -> { A[i] -> B[i] : 0 <= i < n }',
///        proximity: '[n] -> { A[i] -> B[i] : 0 <= i < n }' }",
/// )?;
/// let budget = Budget::steps(10_000_000);
/// let grouping = Grouping::of_chains(&original, &constraints, &budget)?;
/// assert_eq!(grouping.to_string(), "A_chain: A, B");
/// let scheduled = schedule_in_groups(&constraints, &grouping, &Options::tiling(), &budget)?;
/// assert!(scheduled.tree.to_string().contains("expansion"));
/// let tree = scheduled.tree.without_expansions()?;
/// assert!(tree.has_equal_order(&original, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    groups: Vec<Group>,
}

impl Grouping {
    /// The groups, in the order in which they stand in the original program.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether every statement stays as it is.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The group with a name.
    fn named(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| *group.name == *name)
    }

    /// The names of statements, with those of their members in the place of groups.
    fn statements_of(&self, names: &[String]) -> Vec<String> {
        let statements = names.iter().flat_map(|name| match self.named(name) {
            Some(group) => group.statements().map(ToString::to_string).collect(),
            None => vec![name.clone()],
        });
        statements.collect()
    }

    /// The group of a statement, and the statement's place in it.
    fn of_statement(&self, statement: &Tuple) -> Option<(&Group, &GroupMember)> {
        let member_of = |group: &'_ Group| {
            let members = group.members.iter();
            members.clone().position(|member| member.domain.space().output() == Some(statement))
        };
        self.groups.iter().find_map(|group| Some((group, &group.members[member_of(group)?])))
    }
}

impl Group {
    /// The instances of the group.
    ///
    /// # Errors
    /// Those of applying a function to a set.
    pub fn domain(&self) -> Result<UnionSet> {
        let Some(first) = self.members.first() else { return Ok(UnionSet::empty()) };
        let contraction = UnionMap::from_map(first.contraction.to_map());
        UnionSet::from_set(first.domain.clone()).apply(&contraction)
    }

    /// The names of the statements, in order.
    pub fn statements(&self) -> impl Iterator<Item = &Name> {
        let tuples = self.members.iter().filter_map(|member| member.domain.space().output());
        tuples.filter_map(Tuple::name)
    }
}

/// The groups, each as `name: statement, ...`, separated by semicolons.
impl std::fmt::Display for Grouping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, group) in self.groups.iter().enumerate() {
            let separator = if position == 0 { "" } else { "; " };
            let statements: Vec<&str> = group.statements().map(|name| &**name).collect();
            write!(f, "{separator}{}: {}", group.name, statements.join(", "))?;
        }
        Ok(())
    }
}

/// Computes a schedule that respects `constraints` and runs every instance of a group as a whole: a tree
/// over the groups' instances with expansion nodes at its leaves. [`ScheduleTree::without_expansions`]
/// says the same without them. See [`Grouping`] for an example.
///
/// [`ScheduleTree::without_expansions`]: loopwright_schedule::ScheduleTree::without_expansions
///
/// *Cost.* That of [`schedule`] for the groups.
///
/// # Errors
/// Those of [`schedule`].
pub fn schedule_in_groups(
    constraints: &ScheduleConstraints,
    grouping: &Grouping,
    options: &Options,
    budget: &Budget,
) -> Result<Scheduled> {
    let mut scheduled = schedule(&grouping.contract(constraints, budget)?, options, budget)?;
    scheduled.tree = grouping.expand(&scheduled.tree, budget)?;
    for note in &mut scheduled.notes {
        note.statements = grouping.statements_of(&note.statements);
    }
    scheduled.cut = grouping.statements_of(&scheduled.cut);
    Ok(scheduled)
}
