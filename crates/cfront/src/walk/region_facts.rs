//! What is known about a region before it is walked over.
use crate::facts::called_functions::{CallChanges, first_obstacle, is_closed};
use crate::facts::control::{declared_names, loop_names, started_names, written_names};
use crate::facts::ctypes::Dimension;
use crate::facts::for_header::names_of_both_kinds;
use crate::facts::liveness::Surroundings;
use crate::facts::loop_pragmas::{LoopPragma, loop_pragmas};
use crate::facts::region_names::{followed_names, moved_names};
use crate::facts::scope::{Entity, Scopes};
use crate::facts::variables::{Origin, Variable};
use crate::facts::visibility::is_visible_elsewhere;
use crate::regions::known_values::{KnownHere, KnownValues};
use crate::syntax::kind::Kind;
use crate::syntax::queries::{NameSet, changed_names};
use crate::syntax::shape::is_well_shaped;
use crate::syntax::tree::Node;
use crate::text::preprocess::CleanText;
use crate::walk::control::forward_jumps::JUMPS;
use crate::walk::walk_context::FunctionNames;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// The names of data-dependent pointers, with those of the arrays that they may lead into.
pub(crate) type DataDependentPointers = BTreeMap<String, BTreeSet<String>>;

/// A region as it stands in the text.
#[derive(Clone, Copy)]
pub(crate) struct RegionText<'a, 's, 't> {
    /// The text of `clean` with some bytes blanked, as it was parsed.
    pub(crate) source: &'s str,
    pub(crate) clean: &'s CleanText,
    pub(crate) function: Node<'t>,
    /// What the statements stand in.
    pub(crate) container: Node<'t>,
    pub(crate) statements: &'a [Node<'t>],
    /// The bytes of the text that belong to the region.
    pub(crate) bytes: &'a Range<usize>,
    /// Whether the program does not ask for it by pragmas.
    pub(crate) is_detected: bool,
    /// All names of the program.
    pub(crate) used_names: &'s BTreeSet<String>,
    /// The values that integers are taken to have in the file.
    pub(crate) known: &'s Arc<KnownValues>,
    /// Whether conditions on data become filters.
    pub(crate) has_filters: bool,
    /// Whether quotients that a condition rounds down are one case.
    pub(crate) folds_floors: bool,
    /// Whether values of integers are followed then.
    pub(crate) follows_values: bool,
}

/// What earlier walks over a region have found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lessons {
    /// The variables that are found to be written, with the lines.
    pub(crate) written_in_line: BTreeMap<String, u32>,
    /// Pointers of which it is not known where they lead.
    pub(crate) data_dependent: DataDependentPointers,
}

/// The names of pointers that a region moves.
#[derive(Debug, Default)]
pub(crate) struct MovedNames<'s> {
    /// All of them.
    pub(crate) all: NameSet<'s>,
    /// Those that stand for pointers before the region.
    pub(crate) outer: NameSet<'s>,
    /// Those whose last values are used.
    pub(crate) used_after: NameSet<'s>,
}

/// What is known about a region before it is walked over; nothing changes it.
pub(crate) struct RegionFacts<'s, 't> {
    /// The text of `clean` with some bytes blanked, as it was parsed.
    pub(crate) source: &'s str,
    pub(crate) clean: &'s CleanText,
    /// What the statements of the region stand in.
    pub(crate) root: Node<'t>,
    /// All names of the program.
    pub(crate) used_names: &'s BTreeSet<String>,
    /// Whether the region was found, not asked for.
    pub(crate) is_detected: bool,
    /// The statement that is the whole region, if it is a single one.
    pub(crate) only_statement: Option<Node<'t>>,
    /// Whether there are jumps in the region.
    pub(crate) has_jumps: bool,
    /// The names that the region's calls assign.
    pub(crate) changed_by_calls: CallChanges,
    /// The names in what the region's own statements assign, also as arrays, if they call functions.
    pub(crate) written_names: NameSet<'s>,
    /// Whether no call of the region may see or change variables of the file.
    pub(crate) is_closed: bool,
    /// The names of iterators whose last values are kept.
    pub(crate) kept_iterators: NameSet<'s>,
    /// The pointers that the region moves.
    pub(crate) moved: MovedNames<'s>,
    /// The pragmas about loops.
    pub(crate) loop_pragmas: Vec<LoopPragma>,
    /// Statements from here on may not be reached.
    pub(crate) first_obstacle: usize,
    /// What earlier walks have found out.
    pub(crate) lessons: Lessons,
    /// The values that integers are taken to have.
    pub(crate) known: KnownHere,
    /// Whether conditions on data become filters.
    pub(crate) has_filters: bool,
    /// Whether quotients that a condition rounds down are one case.
    pub(crate) folds_floors: bool,
    /// Whether such a model knows values: those of integers that are followed, and of memory that is never
    /// written.
    pub(crate) knows_values: bool,
}

/// What is known about a region, the names of its own function, and what is said about its pragmas.
pub(crate) struct Start<'s, 't> {
    pub(crate) facts: RegionFacts<'s, 't>,
    pub(crate) names: FunctionNames<'s>,
    pub(crate) remarks: Vec<String>,
}

/// The names that loops change of which jumps decide what of an iteration runs.
fn changed_in_loops_with_jumps<'s>(source: &'s str, nodes: &[Node<'_>]) -> NameSet<'s> {
    let kinds = [Kind::ForStatement, Kind::WhileStatement, Kind::DoStatement];
    let loops = nodes.iter().flat_map(|node| node.of_kinds(&kinds));
    loops
        .filter(|node| node.has_kind(&JUMPS) || node.has_kind(&[Kind::ReturnStatement]))
        .flat_map(|node| changed_names(source, node))
        .collect()
}

impl<'s, 't> RegionFacts<'s, 't> {
    /// Finds out what is known about a region.
    pub(crate) fn start(
        text: &RegionText<'_, 's, 't>,
        scopes: &Scopes<'t>,
        surroundings: &Surroundings<'_, 't>,
        lessons: Lessons,
    ) -> Start<'s, 't> {
        let (loop_pragmas, remarks) = loop_pragmas(text.clean, text.bytes.clone());
        let first = text.statements.first().map_or(text.bytes.start, |node| node.start_byte());
        let line = text.clean.origins.get(text.clean.line_of(first)).map_or(0, |o| o.line);
        let mut facts = RegionFacts {
            source: text.source,
            clean: text.clean,
            root: text.container,
            used_names: text.used_names,
            is_detected: text.is_detected,
            only_statement: match text.statements[..] {
                [only] => Some(only),
                _ => None,
            },
            has_jumps: false,
            changed_by_calls: CallChanges::default(),
            written_names: NameSet::default(),
            is_closed: false,
            kept_iterators: NameSet::default(),
            moved: MovedNames::default(),
            loop_pragmas,
            first_obstacle: 0,
            lessons,
            known: KnownHere::new(text.known, line, scopes),
            has_filters: text.has_filters,
            folds_floors: text.folds_floors,
            knows_values: text.follows_values,
        };
        facts.moved = facts.moved_names(text.statements, scopes, surroundings);
        let mut names = FunctionNames::default();
        if text.statements.iter().all(|node| is_well_shaped(*node)) {
            names = facts.read_statements(text, scopes, surroundings);
        }
        if facts.has_filters {
            // Jumps are filters: what a loop with jumps changes is data.
            if !text.follows_values {
                names.followed.clear();
            }
            for name in changed_in_loops_with_jumps(text.source, text.statements) {
                names.followed.remove(name);
            }
            facts.has_jumps = false;
        }
        Start { facts, names, remarks }
    }

    /// What the statements say, which are not nested too deeply; their names.
    fn read_statements(
        &mut self,
        text: &RegionText<'_, 's, 't>,
        scopes: &Scopes<'t>,
        surroundings: &Surroundings<'_, 't>,
    ) -> FunctionNames<'s> {
        let (source, nodes) = (self.source, text.statements);
        if nodes.iter().any(|node| node.has_kind(&[Kind::CallExpression])) {
            let written = nodes.iter().map(|node| written_names(source, *node));
            self.written_names = written.flatten().collect();
        }
        let is_used_after = |name: &str| {
            let is_visible = match scopes.lookup(name) {
                Some(Entity::Variable(variable)) => {
                    is_visible_elsewhere(source, scopes, text.function, variable)
                }
                _ => false,
            };
            is_visible || surroundings.use_of_final_value(name).is_some()
        };
        let started = started_names(source, nodes);
        let used_after: NameSet<'s> =
            started.into_iter().filter(|name| is_used_after(name)).collect();
        let both = names_of_both_kinds(source, nodes);
        let mut loops = loop_names(source, nodes);
        loops.retain(|name| !used_after.contains(name) && !both.contains(name));
        self.kept_iterators = names_to_keep(source, nodes, &loops);
        self.has_jumps = nodes.iter().any(|node| node.has_kind(&JUMPS));
        self.changed_by_calls = CallChanges::of_statements(source, scopes, nodes);
        self.is_closed = is_closed(source, scopes, nodes);
        self.first_obstacle = first_obstacle(source, scopes, nodes);
        let changed = nodes.iter().flat_map(|node| changed_names(source, *node)).collect();
        let mut followed = followed_names(source, nodes);
        followed.extend(&self.kept_iterators);
        FunctionNames { changed, followed, loops }
    }

    /// The pointers that statements move, and which of them are used after the region.
    fn moved_names(
        &self,
        nodes: &[Node<'t>],
        scopes: &Scopes<'t>,
        surroundings: &Surroundings<'_, 't>,
    ) -> MovedNames<'s> {
        let all = moved_names(self.source, nodes);
        let mut outer = all.clone();
        outer.retain(|name| match scopes.lookup(name) {
            Some(Entity::Variable(variable)) => {
                let own = &scopes.variables[variable as usize];
                all.contains(&*own.name) && self.may_move(scopes, own)
            }
            _ => false,
        });
        let mut used_after = outer.clone();
        used_after.retain(|name| surroundings.use_of_final_value(name).is_some());
        MovedNames { all, outer, used_after }
    }

    /// Whether a variable is a pointer of which it is known where it leads while the region moves it.
    pub(crate) fn may_move(&self, scopes: &Scopes<'t>, own: &Variable<'t>) -> bool {
        let is_local = match own.origin {
            Origin::Local { is_static } => !is_static,
            Origin::Argument | Origin::Region { .. } => true,
            Origin::File { .. } => false,
        };
        is_local
            && !self.lessons.data_dependent.contains_key(&own.name)
            && own.member.is_none()
            && matches!(own.declared.dimensions[..], [Dimension::Pointer])
            && own.declared.oddity.is_none()
            && !scopes.index.addresses.contains_key(&own.name)
    }
}

/// The names of iterators whose last values are kept: of those that the nodes declare, the ones that mean one
/// variable.
fn names_to_keep<'s>(source: &'s str, nodes: &[Node<'_>], loops: &NameSet<'s>) -> NameSet<'s> {
    let mut names = started_names(source, nodes);
    names.retain(|name| !loops.contains(name));
    if !names.is_empty() {
        let (mut once, mut again) = (NameSet::default(), NameSet::default());
        let declarations = nodes.iter().flat_map(|node| node.of_kind(Kind::Declaration));
        for name in declarations.flat_map(|node| declared_names(source, node)) {
            if !once.insert(name) {
                again.insert(name);
            }
        }
        names.retain(|name| !again.contains(name));
    }
    names
}
