//! Which block or thread an iteration belongs to, where a kernel has several loops along one axis.
//!
//! ```text
//! for (long c1 = lw_first(c0 + 1, threadIdx.x, blockDim.x); c1 < n; c1 += blockDim.x) { ... }     by value, in turn
//! const long c1 = lw_first(c0 + 1, threadIdx.x, blockDim.x); if (c1 < n) { ... }                  at most one for each
//! if (lw_first(n, threadIdx.x, blockDim.x) == n) { ... }                                          what has one value, and no loop
//! if (threadIdx.x == 0) { ... }                                                                   the same, if that value is zero
//! ```
//!
//! `lw_first(l, k, N)` is the least value from l on that leaves k when it is divided by N, so by value the
//! owner of v is v mod N. What is proved about the tree takes equal values of loops along an axis to be on
//! one block or thread. So all of these in a kernel have to be by value, or begin at one value that nothing
//! in the kernel moves.
use super::state::Owner;
use super::words::{count_word, index_word};
use crate::printed::form::Form;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::values::Around;
use crate::syntax_tree::axes::only_value;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::Int;
use loopwright_schedule::LoopKind;

/// The function for values.
const FIRST: &str = "lw_first";

impl<'a> TextWalk<'_, 'a> {
    /// Notes how a loop is shared out: all loops along one axis have to agree.
    pub(super) fn owned(&mut self, kind: LoopKind, owner: &Owner) -> Walked<()> {
        match self.kernel()?.owners.agree(kind, owner) {
            true => Ok(()),
            false => {
                Err(self.cursor.wrong("loops along one axis that give each value to one owner"))
            }
        }
    }

    /// How values are shared out from a first one on, among so many if that is known: multiples of the number
    /// are as good as zero.
    pub(super) fn owner_from(first: &AstExpr, n: Option<i64>) -> Owner {
        let is_multiple = |form: &Form| match n {
            None => *form == Form::default(),
            Some(n) => form.is_multiple(&Int::from(n)),
        };
        match Form::of(first).is_some_and(|form| is_multiple(&form)) {
            true => Owner::Value,
            false => Owner::From(first.clone()),
        }
    }

    /// How the only value of a dimension is shared out that the first has.
    pub(super) fn owner_of_one(value: &AstExpr) -> Owner {
        match value.as_int().is_some_and(Int::is_zero) {
            true => Owner::Zero,
            false => Owner::First,
        }
    }

    /// The only value of a dimension.
    pub(super) fn value_of(node: &AstNode, dimension: usize) -> Walked<AstExpr> {
        only_value(node, dimension)?
            .ok_or_else(|| Stop::Unread("a loop without statements".to_string()))
    }

    /// Whether what comes after some tokens is by value.
    pub(super) fn is_by_value(&self, tokens: usize) -> bool {
        self.cursor.is_ahead(tokens, FIRST)
    }

    /// `lw_first(VALUE, NUMBER, COUNT)`: the value.
    fn first_by_value(&mut self, kind: LoopKind) -> Walked<AstExpr> {
        self.expect_words(&[FIRST, "("])?;
        let least = self.expression()?;
        self.has_first(&least, kind)?;
        let words = index_word(kind).zip(count_word(kind));
        let (index, count) =
            words.ok_or_else(|| Stop::Unread("a loop that is not spread".to_string()))?;
        self.expect_words(&[",", &index, ",", &count, ")"])?;
        Ok(least)
    }

    /// Iterations in turn, by value.
    pub(super) fn in_turn_by_value(&mut self, each: &'a ForLoop, kind: LoopKind) -> Walked<()> {
        let name = self.loop_variable()?;
        let line = self.cursor.line();
        let least = self.first_by_value(kind)?;
        let about = || format!("line {line} of the printed text: the loop begins elsewhere");
        self.around.same_value(&least, &each.init, &about)?;
        if !each.increment.is_one() {
            return Err(self.cursor.wrong("a loop over all iterations with a step"));
        }
        self.owned(kind, &Owner::Value)?;
        self.rest_of_in_turn(each, name, kind)
    }

    /// At most one iteration for each thread, by value.
    pub(super) fn one_by_value(
        &mut self,
        each: &'a ForLoop,
        name: &'a str,
        kind: LoopKind,
    ) -> Walked<()> {
        let LoopKind::Thread(axis) = kind else {
            return Err(self.cursor.wrong("a loop over blocks"));
        };
        let n_threads = self.kernel()?.threads[axis as usize];
        let line = self.cursor.line();
        let least = self.first_by_value(kind)?;
        let about = || format!("line {line} of the printed text: threads have other iterations");
        self.around.same_value(&least, &each.init, &about)?;
        if !each.increment.is_one() {
            return Err(self.cursor.wrong("a loop over all iterations with a step"));
        }
        self.owned(kind, &Owner::Value)?;
        self.cursor.expect(";")?;
        let iterator = || Box::new(AstExpr::Id(each.iterator.clone()));
        let behind = AstExpr::Add(Box::new(least.clone()), Box::new(AstExpr::int(n_threads)));
        let own =
            [AstExpr::Ge(iterator(), Box::new(least)), AstExpr::Lt(iterator(), Box::new(behind))];
        let has_condition = self.threads_with_condition(each, name, &own, &about)?;
        self.body_of_spread(each, name)?;
        match has_condition {
            true => self.cursor.expect("}"),
            false => Ok(()),
        }
    }

    /// All iterations of a loop with a step, each with a condition that says whose it is.
    pub(super) fn own_iterations(&mut self, each: &'a ForLoop, kind: LoopKind) -> Walked<()> {
        let outer = self.names.values.len();
        self.loop_head(each)?;
        self.owned(kind, &Owner::Value)?;
        self.if_owned(&AstExpr::Id(each.iterator.clone()), kind)?;
        self.around.enter(Around::Loop(each));
        self.node(&each.body, None)?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.expect_words(&["}", "}"])
    }

    /// `if (lw_first(VALUE, NUMBER, COUNT) == VALUE) {`.
    fn if_owned(&mut self, meant: &AstExpr, kind: LoopKind) -> Walked<()> {
        self.expect_words(&["if", "("])?;
        let line = self.cursor.line();
        let value = self.first_by_value(kind)?;
        self.cursor.expect("==")?;
        let again = self.operand()?;
        let about = || format!("line {line} of the printed text: another value says who does it");
        self.around.same_value(&value, meant, &about)?;
        self.around.same_value(&again, meant, &about)?;
        self.expect_words(&[")", "{"])
    }

    /// What has one value of a dimension, by value.
    pub(super) fn only_value(
        &mut self,
        node: &'a AstNode,
        dimension: usize,
        kind: LoopKind,
    ) -> Walked<()> {
        self.owned(kind, &Owner::Value)?;
        if let AstNode::For(each) = node
            && each.dimension == dimension
        {
            self.if_owned(&each.init, kind)?;
            self.cursor.expect("const")?;
            let name = self.new_iterator()?;
            self.initial_value(each)?;
            self.cursor.expect(";")?;
            self.body_of_spread(each, name)?;
            return self.cursor.expect("}");
        }
        let value = Self::value_of(node, dimension)?;
        self.if_owned(&value, kind)?;
        self.node(node, None)?;
        self.cursor.expect("}")
    }
}
