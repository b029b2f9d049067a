//! The printed text beside the syntax tree, node by node.
use crate::printed::body::Call;
use crate::printed::outcome::{NotRead, Stop, UnreadPart, Walked};
use crate::printed::pragma::{Claim, Claimed, claim};
use crate::printed::text_walk::{Marked, TextWalk};
use crate::printed::tokens::TokenKind;
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name};
use loopwright_schedule::{
    AsynchronousMark, AtomicMark, BarrierMark, GridBarrierMark, KernelMark, LocalMark, LoopKind,
    LoopMark, MatrixMark, SearchMark, ShuffleMark, VectorCopyMark,
};

/// The walk as it was at some place.
struct Before {
    at: usize,
    depth: usize,
    n_names: usize,
    n_declared: usize,
    n_passed: usize,
}

/// The type of printed iterators.
pub(super) const ITERATOR_TYPE: &str = "long";

impl<'a> TextWalk<'_, 'a> {
    /// A node, below a mark or not.
    pub(super) fn node(&mut self, node: &'a AstNode, marked: Option<Marked<'_>>) -> Walked<()> {
        if let Some(marked) = marked.filter(|marked| marked.mark.kind.is_of_kernel())
            && !matches!(node, AstNode::Block(_) | AstNode::If { .. })
        {
            return self.spread(node, marked);
        }
        if marked.is_none() && self.for_the_first(node)? {
            return Ok(());
        }
        match node {
            AstNode::For(each) => match self.vector_here() {
                Some(mark) => self.vector_copy(mark, each),
                None => self.for_loop(each, marked),
            },
            AstNode::If { condition, then, otherwise } => {
                self.condition(condition, then, otherwise.as_deref(), marked)
            }
            AstNode::Block(children) => {
                children.iter().try_for_each(|child| self.node(child, marked))
            }
            AstNode::Mark { name, child, .. } if KernelMark::parse(name).is_some() => {
                self.launch(child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && BarrierMark::parse(name).is_some() =>
            {
                self.barrier(child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && AsynchronousMark::parse(name).is_some() =>
            {
                self.asynchronous(child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && ShuffleMark::parse(name).is_some() =>
            {
                self.shuffles(name, child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && AtomicMark::parse(name).is_some() =>
            {
                self.atomics(child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && VectorCopyMark::parse(name).is_some() =>
            {
                self.vector_copies(name, child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && MatrixMark::parse(name).is_some() =>
            {
                self.matrix(name, child)
            }
            AstNode::Mark { name, child, .. }
                if self.device.is_some() && GridBarrierMark::parse(name).is_some() =>
            {
                self.grid_barrier(child)
            }
            AstNode::Mark { name, child, .. } if SearchMark::parse(name).is_some() => {
                let outside = std::mem::replace(&mut self.searches, self.device.is_none());
                let result = self.node(child, None);
                self.searches = outside;
                result
            }
            AstNode::Mark { name, dimension, child } => match LocalMark::parse(name) {
                Some(own) if self.device.is_some() && own.space.is_on_device() => {
                    self.own_array(&own, child)
                }
                Some(local) => self.local_array(&local.array, child),
                None => match LoopMark::parse(name) {
                    Some(mark) => {
                        self.node(child, Some(Marked { mark: &mark, dimension: *dimension }))
                    }
                    None => self.node(child, None),
                },
            },
            AstNode::User { .. } => {
                let call = self.call(node)?;
                match self.is_search() {
                    true => self.search(call),
                    false => self.statement(call, &[]).map(|_| ()),
                }
            }
        }
    }

    /// The call that a node is.
    pub(super) fn call(&self, node: &'a AstNode) -> Walked<Call<'a>> {
        let AstNode::User { statement, arguments, .. } = node else {
            return Err(Stop::Unread("a node that is no call".to_string()));
        };
        let tuple = statement.output();
        let known = tuple.and_then(|t| t.name()).and_then(|name| self.scop.statement_named(name));
        match (tuple, known) {
            (Some(tuple), Some(statement)) => Ok(Call { statement, tuple, arguments }),
            _ => Err(Stop::Unread("a call of an unknown statement".to_string())),
        }
    }

    fn condition(
        &mut self,
        condition: &'a AstExpr,
        then: &'a AstNode,
        otherwise: Option<&'a AstNode>,
        marked: Option<Marked<'_>>,
    ) -> Walked<()> {
        self.cursor.expect("if")?;
        self.cursor.expect("(")?;
        let line = self.cursor.line();
        let printed = self.expression()?;
        let about = || format!("line {line} of the printed text: the condition holds elsewhere");
        self.around.same_condition(&printed, condition, &about)?;
        self.cursor.expect(")")?;
        self.cursor.expect("{")?;
        self.around.enter(Around::If(condition));
        self.node(then, marked)?;
        self.around.leave();
        self.cursor.expect("}")?;
        if let Some(otherwise) = otherwise {
            self.cursor.expect("else")?;
            self.cursor.expect("{")?;
            self.around.enter(Around::Else(condition));
            self.node(otherwise, marked)?;
            self.around.leave();
            self.cursor.expect("}")?;
        }
        match self.cursor.is("else") {
            true => Err(self.cursor.wrong("what follows a condition")),
            false => Ok(()),
        }
    }

    fn local_array(&mut self, name: &Name, child: &'a AstNode) -> Walked<()> {
        let array = self.scop.arrays.iter().find(|array| array.tuple_name == *name);
        let array = array.ok_or_else(|| Stop::Unread("an unknown local array".to_string()))?;
        self.cursor.expect("{")?;
        self.declaration(array, &array.name)?;
        self.local.push(name.clone());
        let result = self.node(child, None);
        self.local.pop();
        result?;
        self.cursor.expect("}")
    }

    /// A loop; if it is not printed as one, what stands in its place is passed over where that is known to be
    /// possible.
    fn for_loop(&mut self, each: &'a ForLoop, marked: Option<Marked<'_>>) -> Walked<()> {
        if self.is_unrolled() && !each.degenerate {
            return self.unrolled(each);
        }
        let marked = marked.filter(|marked| marked.dimension == each.dimension);
        let mark = marked.map(|marked| marked.mark);
        let before = self.state();
        let Err(stop) = self.as_loop(each, mark) else { return Ok(()) };
        let found = self.cursor.at;
        self.go_back(&before);
        let line = self.cursor.line();
        let end = {
            let mut end = self.cursor.clone();
            end.skip_statement().map(|()| end.at)
        };
        let Ok(end) = end else {
            self.cursor.at = found;
            return Err(stop);
        };
        let has_vectors =
            self.cursor.tokens[before.at..end].iter().any(|token| token.text == "typedef");
        let tile = (has_vectors && self.nest(each).is_some()).then(|| self.register_tile(each));
        let part = match (tile, stop) {
            (_, Stop::Error(error)) | (Some(Err(Stop::Error(error))), _) => {
                return Err(Stop::Error(error));
            }
            (Some(Ok(())), _) => return Ok(()),
            (Some(Err(Stop::Unread(_))), _) | (Some(_), Stop::Unread(_)) => {
                UnreadPart::RegisterBlock
            }
            (Some(wrong), _) => return wrong,
            (None, Stop::Unread(why)) => UnreadPart::Other(why),
            (None, wrong) => {
                self.cursor.at = found;
                return Err(wrong);
            }
        };
        self.go_back(&before);
        self.passed.push(NotRead { part, line });
        self.cursor.at = end;
        Ok(())
    }

    fn state(&self) -> Before {
        Before {
            at: self.cursor.at,
            depth: self.around.depth(),
            n_names: self.names.values.len(),
            n_declared: self.declared.len(),
            n_passed: self.passed.len(),
        }
    }

    /// Forgets what has been read since.
    fn go_back(&mut self, before: &Before) {
        self.cursor.at = before.at;
        self.around.leave_to(before.depth);
        self.names.values.truncate(before.n_names);
        self.declared.truncate(before.n_declared);
        self.passed.truncate(before.n_passed);
    }

    pub(super) fn as_loop(&mut self, each: &'a ForLoop, mark: Option<&LoopMark>) -> Walked<()> {
        if each.degenerate {
            return self.single_iteration(each);
        }
        if let Some(mark) = mark
            && self.is_in_parts(mark)
        {
            return self.in_parts(each, mark);
        }
        if self.has_two_versions(mark) {
            return self.two_versions(each, mark);
        }
        let nodes = straight_line(&each.body);
        if let Some(nodes) = nodes {
            let calls = nodes.into_iter().map(|node| self.call(node));
            let calls: Vec<Call<'a>> = calls.collect::<Walked<_>>()?;
            return self.innermost(each, &calls, mark);
        }
        if let Some(mark) = mark
            && self.waves_or_tasks(each, mark)?
        {
            return Ok(());
        }
        let claim = self.claim(mark, &|_| None)?;
        if claim.kind == Some(Claimed::Pipelined) {
            return self.pipeline(each);
        }
        if claim.collapses {
            self.may_collapse(each)?;
        }
        let outer = self.names.values.len();
        let n_declared = self.declared.len();
        self.loop_head(each)?;
        self.own_arrays(mark, &claim)?;
        self.around.enter(Around::Loop(each));
        if claim.collapses && !self.cursor.is("for") {
            return Err(self.cursor.wrong("a loop right below the one that it is collapsed with"));
        }
        self.node(&each.body, None)?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.declared.truncate(n_declared);
        self.cursor.expect("}")
    }

    /// The pragma at the cursor, if there is one, which a mark has to stand for.
    pub(super) fn claim(
        &mut self,
        mark: Option<&LoopMark>,
        kept: &dyn Fn(&str) -> Option<Name>,
    ) -> Walked<Claim> {
        let Some(token) = self.cursor.peek().filter(|token| token.kind == TokenKind::Directive)
        else {
            return Ok(Claim::default());
        };
        let claim = claim(token, &self.cursor)?;
        claim.check(mark, self.scop, kept, &self.cursor)?;
        self.cursor.at += 1;
        Ok(claim)
    }

    /// The loop right inside is parallel as well, and its bounds do not move with this one.
    fn may_collapse(&self, each: &ForLoop) -> Walked<()> {
        let wrong = || self.cursor.wrong("a pragma without `collapse`");
        let AstNode::Mark { name, dimension, child } = each.body.single() else {
            return Err(wrong());
        };
        let AstNode::For(inner) = child.single() else { return Err(wrong()) };
        let mark = LoopMark::parse(name).filter(|mark| {
            mark.kind == LoopKind::Parallel && mark.private.is_empty() && mark.reductions.is_empty()
        });
        let moves =
            [&inner.init, &inner.condition].iter().any(|bound| bound.mentions(&each.iterator));
        match mark.is_some() && *dimension == inner.dimension && !inner.degenerate && !moves {
            true => Ok(()),
            false => Err(wrong()),
        }
    }

    fn single_iteration(&mut self, each: &'a ForLoop) -> Walked<()> {
        self.cursor.expect("{")?;
        self.cursor.expect("const")?;
        let name = self.new_iterator()?;
        self.initial_value(each)?;
        self.cursor.expect(";")?;
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        self.around.enter(Around::Loop(each));
        self.node(&each.body, None)?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.cursor.expect("}")
    }

    pub(super) fn initial_value(&mut self, each: &ForLoop) -> Walked<()> {
        if let Some(size) = &each.multiples_of {
            return self.first_multiple(each, size);
        }
        let line = self.cursor.line();
        let init = self.expression()?;
        let about = || format!("line {line} of the printed text: the loop begins elsewhere");
        self.around.same_value(&init, &each.init, &about)
    }

    /// The first multiple of a size that is at least the first value of the tree:
    /// `size * floor((first + size - 1) / size)`.
    fn first_multiple(&mut self, each: &ForLoop, size: &Name) -> Walked<()> {
        let printed = self.cursor.expression(&self.names)?;
        let number = match printed {
            AstExpr::Mul(factor, number) if *factor == AstExpr::Id(size.clone()) => *number,
            zero @ AstExpr::Int(_) if zero == AstExpr::int(0) => zero,
            _ => return Err(self.cursor.wrong(&format!("a multiple of `{size}`"))),
        };
        self.first_number(&number, each, size)
    }

    /// The number of that multiple.
    pub(super) fn first_number(
        &mut self,
        number: &AstExpr,
        each: &ForLoop,
        size: &Name,
    ) -> Walked<()> {
        let at_least = self.quotient(number, size)?;
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: the loop begins elsewhere");
        let size = Box::new(AstExpr::Id(size.clone()));
        let rest = AstExpr::Sub(size, Box::new(AstExpr::int(1)));
        let meant = AstExpr::Add(Box::new(each.init.clone()), Box::new(rest));
        self.around.same_value(&at_least, &meant, &about)
    }

    /// The dividend of a quotient by a size, rounded towards minus infinity; zero is that of zero.
    pub(super) fn quotient(&self, number: &AstExpr, size: &Name) -> Walked<AstExpr> {
        match number {
            AstExpr::DivFloor(dividend, divisor) if **divisor == AstExpr::Id(size.clone()) => {
                Ok((**dividend).clone())
            }
            zero if *zero == AstExpr::int(0) => Ok(zero.clone()),
            _ => Err(self.cursor.wrong(&format!("a quotient by `{size}`"))),
        }
    }

    /// `for (long NAME =`: the name.
    pub(super) fn loop_variable(&mut self) -> Walked<&'a str> {
        self.cursor.expect("for")?;
        self.cursor.expect("(")?;
        self.new_iterator()
    }

    /// The same for an iterator.
    pub(super) fn new_iterator(&mut self) -> Walked<&'a str> {
        let c_type = if self.is_short() { "int" } else { ITERATOR_TYPE };
        self.new_variable(c_type)
    }

    /// `TYPE NAME =`: the name.
    pub(super) fn new_variable(&mut self, c_type: &str) -> Walked<&'a str> {
        self.cursor.expect(c_type)?;
        let name = self.cursor.word()?;
        self.new_name(name)?;
        self.cursor.expect("=")?;
        Ok(name)
    }

    /// The head of a loop up to its brace; the names that it declares have values behind it.
    pub(super) fn loop_head(&mut self, each: &'a ForLoop) -> Walked<()> {
        let name = self.loop_variable()?;
        self.initial_value(each)?;
        if self.cursor.take_if(",") {
            let end = self.cursor.word()?;
            self.new_name(end)?;
            self.cursor.expect("=")?;
            let value = self.expression()?;
            self.names.values.push((end, value));
        }
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        self.cursor.expect(";")?;
        let line = self.cursor.line();
        let condition = self.expression()?;
        let about = || format!("line {line} of the printed text: the loop ends elsewhere");
        self.around.same_end(&condition, each, &about)?;
        self.cursor.expect(";")?;
        match &each.multiples_of {
            Some(size) => {
                self.cursor.expect(name)?;
                self.cursor.expect("+=")?;
                self.cursor.expect(size)?;
            }
            None => {
                self.step(name, &each.increment)?;
                self.next_fits(each, 1)?;
            }
        }
        self.cursor.expect(")")?;
        self.cursor.expect("{")
    }

    fn step(&mut self, name: &str, increment: &Int) -> Walked<()> {
        self.cursor.expect(name)?;
        if self.cursor.take_if("++") {
            return match increment.is_one() {
                true => Ok(()),
                false => Err(self.cursor.wrong(&format!("a step of {increment}"))),
            };
        }
        self.cursor.expect("+=")?;
        self.cursor.expect(&increment.to_string())
    }

    /// A name that the text declares must not be one of the program.
    pub(super) fn new_name(&self, name: &str) -> Walked<()> {
        let is_known = self.used.contains(name)
            || self.names.values.iter().any(|(known, _)| *known == name)
            || self.names.macros.contains_key(name);
        match is_known {
            true => Err(self.cursor.wrong(&format!("a new name instead of `{name}`"))),
            false => Ok(()),
        }
    }
}

/// The calls of a body that has nothing else.
pub(super) fn straight_line(body: &AstNode) -> Option<Vec<&AstNode>> {
    match body {
        AstNode::User { .. } => Some(vec![body]),
        AstNode::Block(children) => {
            let calls: Option<Vec<_>> = children.iter().map(straight_line).collect();
            calls.map(|calls| calls.into_iter().flatten().collect())
        }
        _ => None,
    }
}
