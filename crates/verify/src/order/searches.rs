//! Loops that end early, searched by threads.
//!
//! Below a [`SearchMark`] stands a statement that is such a loop ([`EarlyExit`]). Let `at` be the least
//! iteration whose condition holds, or the end if there is none. The program runs the work of all iterations
//! in front of `at`, in order, and then what stands at the exit, if there is one. The text of the mark looks
//! for `at` first, in chunks. That is the same if
//!
//! * conditions mean something for iterations behind the exit, and have no effect (`EarlyExit::of`), and what
//!   they read is there ([`EarlyExit::reads`], or it is assumed);
//! * work changes nothing that conditions read, so they hold for the same iterations before it as after it
//!   (`EarlyExit::of`);
//! * no two iterations touch an element that one of them writes, so their work may run at one time
//!   (`EarlyExit::of`).
//!
//! A loop that leaves the function is the only statement of its region: so nothing that would run behind it
//! is skipped, and nothing in front of it is late.
//!
//! Threads are called inside, so no loop around may be one of threads, lanes or a device.
use crate::verdict::Violation;
use loopwright_presburger::{Budget, Result, Set};
use loopwright_schedule::{KernelMark, LoopMark, Node, Piece, Reaching, ScheduleTree, SearchMark};
use loopwright_scop::{EarlyExit, ExitReads, Scop};

/// One violation for each search that is none, or stands where it may not.
pub(super) fn strange_searches(
    scop: &Scop,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut found = Vec::new();
    let mut has_any = false;
    tree.root.for_each(&mut |node| {
        has_any |= matches!(node, Node::Mark(name, _) if SearchMark::parse(name).is_some());
    });
    if has_any {
        let mut walk = Walk { scop, budget, violations: &mut found };
        walk.node(&tree.root, &Reaching::root(tree), true)?;
    }
    Ok(found)
}

struct Walk<'a> {
    scop: &'a Scop,
    budget: &'a Budget,
    violations: &'a mut Vec<Violation>,
}

impl Walk<'_> {
    /// Looks at the marks below a node; `may_search` if threads may be called there.
    fn node(&mut self, node: &Node, reaching: &Reaching, may_search: bool) -> Result<()> {
        let mut may_search = may_search;
        match node {
            Node::Mark(name, child) => {
                if let Some(mark) = SearchMark::parse(name) {
                    match may_search && child.is_leaf() {
                        true => self.search(mark, &reaching.descend(node, 0)?)?,
                        false => self.refute("does not stand above a statement outside of threads"),
                    }
                }
                may_search &= LoopMark::parse(name).is_none() && KernelMark::parse(name).is_none();
            }
            Node::Extension(..) | Node::Expansion { .. } => may_search = false,
            _ => {}
        }
        for (child, below) in node.children().iter().zip(reaching.below(node)?) {
            self.node(child, &below, may_search)?;
        }
        Ok(())
    }

    fn search(&mut self, mark: SearchMark, reaching: &Reaching) -> Result<()> {
        for Piece { domain, .. } in &reaching.pieces {
            if let Some(reason) = self.reason_against(mark, domain)? {
                self.refute(&format!("stands above a loop that cannot be searched: {reason}"));
            }
        }
        Ok(())
    }

    fn reason_against(&self, mark: SearchMark, instances: &Set) -> Result<Option<String>> {
        let tuple = instances.space().output().and_then(|tuple| tuple.name());
        let statement = tuple.and_then(|name| self.scop.statement_named(name));
        let exit = statement.and_then(|statement| EarlyExit::of(self.scop, statement));
        let exit = match exit {
            None => return Ok(Some("it does not end early".to_string())),
            Some(Err(reason)) => return Ok(Some(reason)),
            Some(Ok(exit)) => exit,
        };
        if exit.returns() && self.scop.statements.len() > 1 {
            return Ok(Some(
                "it leaves the function, and other statements are in the region".to_string(),
            ));
        }
        if mark.is_assumed {
            return Ok(None);
        }
        Ok(match exit.reads(self.scop, instances, self.budget)? {
            ExitReads::Inside => None,
            ExitReads::InsideWhere(_) => Some("it may look outside of an array".to_string()),
            ExitReads::Unknown(reason) => Some(reason),
        })
    }

    fn refute(&mut self, what: &str) {
        let message = format!("the mark `search` {what}");
        self.violations.push(Violation { message, example: None });
    }
}
