//! Loops that end early are searched by threads.
//!
//! A loop with a `break` that data decides about is one statement. Where its iterations can be looked at in
//! any order ([`EarlyExit`]), and what they look at is there ([`EarlyExit::reads`]), its statement gets a
//! [`SearchMark`]: the text looks for the exit chunk by chunk. If that holds for some sizes, the instances
//! for these get a mark, and the others stay as they are. This pass runs on the finished tree.
use loopwright_presburger::{Budget, Int, Result, Set, UnionSet};
use loopwright_schedule::{LoopMark, Node, Piece, Reaching, ScheduleTree, SearchMark};
use loopwright_scop::{EarlyExit, ExitReads, Scop, Statement};

/// The least number of iterations for which threads are called: the first 16384 run in turn, and chunks
/// behind them are as large as two, four and more of these.
const LEAST_ITERATIONS: i64 = 65_536;

/// What was decided.
#[derive(Clone, Debug, Default)]
pub struct Searches {
    /// What is searched by threads, as sentences.
    pub decisions: Vec<String>,
    /// What is not, and why, as sentences.
    pub refusals: Vec<String>,
    /// What is taken for granted, as sentences.
    pub assumptions: Vec<String>,
}

/// The tree with marks at statements that threads search, and what was decided. `is_readable` if arrays are
/// said to have elements for all iterations of loops that end early.
///
/// *Cost.* Some differences of sets for each such loop.
///
/// # Errors
/// For malformed trees.
pub fn with_searches(
    tree: &ScheduleTree,
    scop: &Scop,
    is_readable: bool,
    budget: &Budget,
) -> Result<(ScheduleTree, Searches)> {
    let mut pass = Pass { scop, is_readable, budget, searches: Searches::default() };
    let has_any = scop.statements.iter().any(|s| EarlyExit::of(scop, s).is_some());
    if !has_any {
        return Ok((tree.clone(), pass.searches));
    }
    let root = pass.node(&tree.root, &Reaching::root(tree))?;
    Ok((ScheduleTree { domain: tree.domain.clone(), root }, pass.searches))
}

struct Pass<'a> {
    scop: &'a Scop,
    is_readable: bool,
    budget: &'a Budget,
    searches: Searches,
}

impl Pass<'_> {
    fn node(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        match node {
            Node::Leaf => match &reaching.pieces[..] {
                [Piece { domain, .. }] => self.leaf(domain),
                _ => Ok(Node::Leaf),
            },
            // Threads are called around it, or lanes.
            Node::Mark(name, _) if LoopMark::parse(name).is_some() => Ok(node.clone()),
            Node::Extension(..) | Node::Expansion { .. } => Ok(node.clone()),
            _ => {
                let mut rewritten = node.clone();
                let children = rewritten.children_mut().iter_mut();
                for (child, below) in children.zip(reaching.below(node)?) {
                    *child = self.node(&child.take(), &below)?;
                }
                Ok(rewritten)
            }
        }
    }

    fn leaf(&mut self, instances: &Set) -> Result<Node> {
        let tuple = instances.space().output().and_then(|tuple| tuple.name());
        let statement = tuple.and_then(|name| self.scop.statement_named(name));
        let Some(statement) = statement else { return Ok(Node::Leaf) };
        let exit = match EarlyExit::of(self.scop, statement) {
            None => return Ok(Node::Leaf),
            Some(Err(reason)) => return Ok(self.stays(statement, &reason)),
            Some(Ok(exit)) => exit,
        };
        // Without an answer within the limit it is not known.
        let found = self.places(&exit, instances);
        let found = found.unwrap_or_else(|error| Err(error.to_string()));
        let (mark, instances, rest) = match found {
            Ok((inside, rest)) => (SearchMark { is_assumed: false }, inside, rest),
            Err(reason) if !self.is_readable => return Ok(self.stays(statement, &reason)),
            Err(_) => {
                self.searches.assumptions.push(format!(
                    "what the loop in line {} looks at is there for all of its iterations (--assume-readable)",
                    statement.location.line
                ));
                (SearchMark { is_assumed: true }, instances.clone(), None)
            }
        };
        let most = exit.most_iterations(self.scop, &instances, self.budget).unwrap_or(None);
        let least = Int::from(LEAST_ITERATIONS);
        if most.is_some_and(|most| most < least) {
            return Ok(self.stays(statement, "it has too few iterations for threads"));
        }
        let what = match exit.has_work() {
            true => {
                "the loop in line {} ends early: threads look for its end, and do the work in front of it"
            }
            false => "the loop in line {} ends early: threads look for its end",
        };
        let line = statement.location.line.to_string();
        self.searches.decisions.push(what.replace("{}", &line));
        let marked = Node::mark(&mark.to_string(), Node::Leaf);
        let Some(rest) = rest else { return Ok(marked) };
        let of = |set: Set| UnionSet::from(set);
        Ok(Node::sequence(vec![(of(instances), marked), (of(rest), Node::Leaf)]))
    }

    /// The instances for whose sizes all that the loop looks at is there, and the others, if there are any;
    /// or why that is not known.
    fn places(
        &self,
        exit: &EarlyExit,
        instances: &Set,
    ) -> Result<std::result::Result<(Set, Option<Set>), String>> {
        Ok(match exit.reads(self.scop, instances, self.budget)? {
            ExitReads::Inside => Ok((instances.clone(), None)),
            ExitReads::Unknown(reason) => Err(reason),
            ExitReads::InsideWhere(sizes) => {
                let inside = instances.intersect_params(&sizes)?;
                let rest = instances.subtract(&inside, self.budget)?;
                Ok((inside, Some(rest)))
            }
        })
    }

    fn stays(&mut self, statement: &Statement, reason: &str) -> Node {
        let line = statement.location.line;
        let sentence =
            format!("the loop in line {line} ends early, and stays in sequence: {reason}");
        self.searches.refusals.push(sentence);
        Node::Leaf
    }
}
