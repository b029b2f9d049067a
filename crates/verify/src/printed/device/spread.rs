//! Loops whose iterations are those of blocks or threads.
//!
//! ```text
//! for (long c0 = (long) blockIdx.x; c0 < n; c0 += gridDim.x) { ... }     in turn
//! const long c1 = 32 * c0 + (long) threadIdx.x; if (c1 < n) { ... }      one for each
//! if (threadIdx.x == 0) { ... }                                          what has no such loop
//! ```
//!
//! In turn, the block or thread of number k has the iterations k, k + N, k + 2N and so on of N: each
//! iteration belongs to exactly one, as a first value that is linear in k with the loop's step shows. Of one
//! for each, the values from the first on, as many as there are threads, that satisfy the condition have to
//! be the iterations of the tree's loop.
use super::state::Owner;
use super::words::{count_word, index_word};
use crate::printed::form::Form;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::{Marked, TextWalk};
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name};
use loopwright_schedule::{LoopKind, LoopMark};
use loopwright_scop::{ArrayId, Scop, Statement};

/// Whether threads have a variable for themselves: all statements that use it are in loops over blocks or
/// threads, all of which name it. `around` tells of the loops around, if there are any.
pub(super) fn is_own_of_threads(
    (scop, id): (&Scop, ArrayId),
    node: &AstNode,
    around: Option<bool>,
) -> bool {
    let below = |node: &AstNode| is_own_of_threads((scop, id), node, around);
    match node {
        AstNode::For(each) => below(&each.body),
        AstNode::If { then, otherwise, .. } => {
            below(then) && otherwise.as_deref().is_none_or(below)
        }
        AstNode::Block(children) => children.iter().all(below),
        AstNode::Mark { name, child, .. } => {
            match LoopMark::parse(name).filter(|mark| mark.kind.is_of_kernel()) {
                None => below(child),
                Some(mark) => {
                    let is_named = mark.private.contains(&scop.array(id).tuple_name);
                    let all = around.unwrap_or(true) && is_named;
                    is_own_of_threads((scop, id), child, Some(all))
                }
            }
        }
        AstNode::User { statement, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            let statement = name.and_then(|name| scop.statement_named(name));
            let uses = |own: &Statement| own.accesses.iter().any(|access| access.array == id);
            around == Some(true) || statement.is_some_and(|own| !uses(own))
        }
    }
}

impl<'a> TextWalk<'_, 'a> {
    /// A node below the mark of a loop over blocks or threads.
    pub(in crate::printed) fn spread(
        &mut self,
        node: &'a AstNode,
        marked: Marked<'_>,
    ) -> Walked<()> {
        let kind = marked.mark.kind;
        let outside = self.kernel()?.spread.clone();
        if outside.contains(&kind) {
            return Err(Stop::Unread("two loops along one axis, one in the other".to_string()));
        }
        self.kernel()?.spread.push(kind);
        let lanes = self.kernel()?.lanes.clone();
        if let (AstNode::For(each), LoopKind::Thread(axis)) = (node, kind) {
            let is_own = each.dimension == marked.dimension;
            self.kernel()?.lanes[axis as usize] = is_own.then(|| each.iterator.clone());
        }
        let result = match node {
            _ if self.cursor.is("if") && self.is_by_value(2) => {
                self.only_value(node, marked.dimension, kind)
            }
            AstNode::For(each) if each.dimension != marked.dimension => {
                self.by_first(node, (kind, marked.dimension))
            }
            AstNode::For(each) if each.degenerate => self.only_iteration(each, kind),
            AstNode::For(each) if self.cursor.is("for") => match self.is_by_value(5) {
                true => self.in_turn_by_value(each, kind),
                false if !self.has_number_in_front(kind)? => self.own_iterations(each, kind),
                false => self.in_turn(each, kind),
            },
            AstNode::For(each) => self.one_for_each(each, kind),
            AstNode::Block(_) | AstNode::If { .. } => {
                return Err(Stop::Unread("a node that has no place below a mark".to_string()));
            }
            AstNode::Mark { .. } | AstNode::User { .. } => {
                self.by_first(node, (kind, marked.dimension))
            }
        };
        self.kernel()?.spread = outside;
        self.kernel()?.lanes = lanes;
        result
    }

    /// Whether the first value of a loop has the number of the block or thread in it.
    fn has_number_in_front(&mut self, kind: LoopKind) -> Walked<bool> {
        let index = self.index(kind)?;
        let mut ahead = self.cursor.tokens[self.cursor.at..].iter().map(|token| token.text);
        let found = ahead.find(|text| *text == ";" || *text == index);
        Ok(found != Some(";"))
    }

    /// `if (INDEX == 0) {`.
    fn if_first(&mut self, kind: LoopKind) -> Walked<()> {
        let index = self.index(kind)?;
        for token in ["if", "(", index.as_str(), "==", "0", ")", "{"] {
            self.cursor.expect(token)?;
        }
        Ok(())
    }

    fn index(&self, kind: LoopKind) -> Walked<String> {
        index_word(kind).ok_or_else(|| Stop::Unread("a loop that is not spread".to_string()))
    }

    /// What has no loop of its own over the blocks or threads is done by the first.
    fn by_first(&mut self, node: &'a AstNode, (kind, dimension): (LoopKind, usize)) -> Walked<()> {
        self.if_first(kind)?;
        let value = Self::value_of(node, dimension)?;
        self.owned(kind, &Self::owner_of_one(&value))?;
        self.node(node, None)?;
        self.cursor.expect("}")
    }

    fn only_iteration(&mut self, each: &'a ForLoop, kind: LoopKind) -> Walked<()> {
        self.if_first(kind)?;
        self.owned(kind, &Self::owner_of_one(&each.init))?;
        self.cursor.expect("const")?;
        let name = self.new_iterator()?;
        self.initial_value(each)?;
        self.cursor.expect(";")?;
        self.body_of_spread(each, name)?;
        self.cursor.expect("}")
    }

    pub(super) fn body_of_spread(&mut self, each: &'a ForLoop, name: &'a str) -> Walked<()> {
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        self.around.enter(Around::Loop(each));
        self.node(&each.body, None)?;
        self.around.leave();
        self.names.values.truncate(outer);
        Ok(())
    }

    /// The first value of the first block or thread, of which that of another one is larger by its number
    /// times the step.
    fn first_value(&mut self, step: &Int, kind: LoopKind) -> Walked<AstExpr> {
        let word: Name = self.index(kind)?.as_str().into();
        let start = self.cursor.at;
        let of_first = self.with_index(&word, AstExpr::int(0))?;
        self.cursor.at = start;
        let of_any = self.with_index(&word, AstExpr::Id(word.clone()))?;
        let steps = AstExpr::Mul(Box::new(AstExpr::Int(step.clone())), Box::new(AstExpr::Id(word)));
        let linear = AstExpr::Add(Box::new(of_first.clone()), Box::new(steps));
        match Form::of(&of_any).zip(Form::of(&linear)) {
            Some((of_any, linear)) if of_any == linear => Ok(of_first),
            Some((of_any, linear)) if of_any.differs_by_a_constant(&linear) => {
                self.cursor.at = start;
                Err(self
                    .cursor
                    .wrong(&format!("a first value that grows by {step} from one to the next")))
            }
            _ => Err(Stop::Unread("the first value of a block or thread".to_string())),
        }
    }

    /// An expression in which the number of the block or thread has this value.
    fn with_index(&mut self, word: &Name, value: AstExpr) -> Walked<AstExpr> {
        let mut names = self.names.clone();
        names.numbers.push((word.clone(), value));
        let value = self.cursor.expression(&names)?;
        self.fits(&value)?;
        Ok(value)
    }

    fn in_turn(&mut self, each: &'a ForLoop, kind: LoopKind) -> Walked<()> {
        let name = self.loop_variable()?;
        let line = self.cursor.line();
        let of_first = self.first_value(&each.increment, kind)?;
        let about = || format!("line {line} of the printed text: the loop begins elsewhere");
        self.around.same_value(&of_first, &each.init, &about)?;
        let owner = match each.increment.is_one() {
            true => Self::owner_from(&of_first, None),
            false => Owner::InSteps(of_first, each.increment.clone()),
        };
        self.owned(kind, &owner)?;
        self.rest_of_in_turn(each, name, kind)
    }

    /// A loop behind its first value, which goes on by the number of blocks or threads.
    pub(super) fn rest_of_in_turn(
        &mut self,
        each: &'a ForLoop,
        name: &'a str,
        kind: LoopKind,
    ) -> Walked<()> {
        let line = self.cursor.line();
        self.cursor.expect(";")?;
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        let condition = self.expression()?;
        let about = || format!("line {line} of the printed text: the loop ends elsewhere");
        self.around.same_end(&condition, each, &about)?;
        self.names.values.truncate(outer);
        self.cursor.expect(";")?;
        self.cursor.expect(name)?;
        self.cursor.expect("+=")?;
        let count: Name =
            count_word(kind).ok_or_else(|| Stop::Unread("a loop".to_string()))?.as_str().into();
        let step = self.with_index(&count, AstExpr::Id(count.clone()))?;
        let meant = AstExpr::Mul(
            Box::new(AstExpr::Int(each.increment.clone())),
            Box::new(AstExpr::Id(count)),
        );
        if Form::of(&step) != Form::of(&meant) {
            return Err(self.cursor.wrong("a step over all blocks or threads"));
        }
        let owners = self.most_owners(kind)?;
        self.next_fits(each, owners)?;
        self.cursor.expect(")")?;
        self.cursor.expect("{")?;
        self.body_of_spread(each, name)?;
        self.cursor.expect("}")
    }

    fn one_for_each(&mut self, each: &'a ForLoop, kind: LoopKind) -> Walked<()> {
        let LoopKind::Thread(axis) = kind else {
            return Err(self.cursor.wrong("a loop over blocks"));
        };
        let n_threads = self.kernel()?.threads[axis as usize];
        let has_brace = self.cursor.take_if("{");
        let line = self.cursor.line();
        self.cursor.expect("const")?;
        let name = self.new_iterator()?;
        if self.is_by_value(0) {
            self.one_by_value(each, name, kind)?;
            return if has_brace { self.cursor.expect("}") } else { Ok(()) };
        }
        let of_first = self.first_value(&Int::ONE, kind)?;
        self.owned(kind, &Self::owner_from(&of_first, Some(n_threads)))?;
        if !each.increment.is_one() {
            return Err(Stop::Unread("threads for a loop with steps".to_string()));
        }
        self.cursor.expect(";")?;
        let iterator = || Box::new(AstExpr::Id(each.iterator.clone()));
        let behind = AstExpr::Add(Box::new(of_first.clone()), Box::new(AstExpr::int(n_threads)));
        let own = [
            AstExpr::Ge(iterator(), Box::new(of_first)),
            AstExpr::Lt(iterator(), Box::new(behind)),
        ];
        let about = || format!("line {line} of the printed text: threads have other iterations");
        let has_condition = self.threads_with_condition(each, name, &own, &about)?;
        self.body_of_spread(each, name)?;
        if has_condition {
            self.cursor.expect("}")?;
        }
        if has_brace {
            self.cursor.expect("}")?;
        }
        Ok(())
    }

    /// Whether a condition says which threads have an iteration; otherwise all of them have to have one.
    pub(super) fn threads_with_condition(
        &mut self,
        each: &'a ForLoop,
        name: &'a str,
        own: &[AstExpr; 2],
        about: &dyn Fn() -> String,
    ) -> Walked<bool> {
        let start = self.cursor.at;
        let all = AstExpr::And(own.to_vec());
        let is_read = self.cursor.is("if")
            && (self.has_condition_of(each, name)
                || !matches!(self.around.has_iterations(&all, each), Ok(true)));
        if !is_read {
            self.around.same_iterations(&all, each, about)?;
            return Ok(false);
        }
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        self.cursor.expect("if")?;
        self.cursor.expect("(")?;
        let condition = self.expression();
        self.names.values.truncate(outer);
        let condition = condition.inspect_err(|_| self.cursor.at = start)?;
        self.cursor.expect(")")?;
        self.cursor.expect("{")?;
        let [least, most] = own.clone();
        self.around.same_iterations(&AstExpr::And(vec![least, most, condition]), each, about)?;
        Ok(true)
    }

    /// Whether the condition of a loop is ahead. It may say nothing about threads of which each has an
    /// iteration.
    fn has_condition_of(&mut self, each: &ForLoop, name: &'a str) -> bool {
        let (start, outer) = (self.cursor.at, self.names.values.len());
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        let is_ahead = self.cursor.take_if("if") && self.cursor.take_if("(");
        let condition = is_ahead.then(|| self.cursor.expression(&self.names));
        self.names.values.truncate(outer);
        self.cursor.at = start;
        condition.is_some_and(|read| read.is_ok_and(|own| own == each.condition))
    }
}
