//! Arrays that kernels have for each block or each thread: their declarations beside the marks of the tree,
//! and loops whose subscripts are constants once they are unrolled.
//!
//! ```text
//! __shared__ double A_tile[16][66];                     below `shared(A_tile)`
//! __shared__ __align__(16) double B_tile[2][8][64];     the same, at a multiple of 16 bytes
//! double C_result[4][4] = {0};                          below `registers(C_result)`
//! #pragma unroll                                        iterations of constant bounds, of which a condition takes some
//! for (long c1 = 0; c1 < 4; c1++) { if (c1 < n) { ... } }
//! ```
//!
//! Of what a mark declares there is a new array each time it is reached. In the text it has one place for the
//! whole kernel. Of registers that is as good: loops over blocks are outside of all else. Of shared memory it
//! is, if all threads wait at the end of what the mark is about.
use super::state::{KernelLanguage, Stored};
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::TokenKind;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::Int;
use loopwright_schedule::{LocalMark, LoopKind, MemorySpace};
use loopwright_scop::Array;

/// The arrays that a part of a kernel declares, each once: where loops are generated in pieces, several of
/// these have one mark.
fn own_arrays(node: &AstNode) -> Vec<LocalMark> {
    let mut found = Vec::new();
    collect(node, &mut found);
    found
}

fn collect(node: &AstNode, found: &mut Vec<LocalMark>) {
    match node {
        AstNode::For(each) => collect(&each.body, found),
        AstNode::Block(children) => children.iter().for_each(|child| collect(child, found)),
        AstNode::If { then, otherwise, .. } => {
            collect(then, found);
            otherwise.iter().for_each(|otherwise| collect(otherwise, found));
        }
        AstNode::Mark { name, child, .. } => {
            let mark = LocalMark::parse(name).filter(|mark| mark.space.is_on_device());
            found.extend(mark.filter(|mark| !found.contains(mark)));
            collect(child, found);
        }
        AstNode::User { .. } => {}
    }
}

impl<'a> TextWalk<'_, 'a> {
    /// The arrays that a part of a kernel declares.
    pub(super) fn marked_arrays(&self, node: &AstNode) -> Vec<LocalMark> {
        own_arrays(node)
    }

    /// The bounds in the head of a kernel: the number of threads of a block, or those along each axis.
    pub(super) fn bounds_of_threads(&mut self) -> Walked<Option<Vec<i64>>> {
        let (head, n) = match self.device()?.language {
            KernelLanguage::Cuda => (&["__launch_bounds__", "("][..], 1),
            KernelLanguage::OpenCl => {
                (&["__attribute__", "(", "(", "reqd_work_group_size", "("][..], 3)
            }
        };
        if !self.cursor.is(head[0]) {
            return Ok(None);
        }
        self.expect_words(head)?;
        let mut bounds = Vec::new();
        for at in 0..n {
            if at > 0 {
                self.cursor.expect(",")?;
            }
            bounds.push(self.number()?);
        }
        head.iter().filter(|word| **word == "(").try_for_each(|_| self.cursor.expect(")"))?;
        Ok(Some(bounds))
    }

    pub(super) fn number(&mut self) -> Walked<i64> {
        let token = self.cursor.peek().filter(|token| token.kind == TokenKind::Number);
        let value = token.and_then(|token| token.text.parse().ok());
        let value = value.ok_or_else(|| self.cursor.wrong("a number"))?;
        self.cursor.at += 1;
        Ok(value)
    }

    /// The declarations of a kernel's own arrays.
    pub(super) fn own_declarations(&mut self, node: &AstNode) -> Walked<()> {
        let marks = own_arrays(node);
        for _ in 0..marks.len() {
            let shared = match self.device()?.language {
                KernelLanguage::Cuda => "__shared__",
                KernelLanguage::OpenCl => "__local",
            };
            let is_shared = self.cursor.take_if(shared);
            let is_aligned = is_shared && self.alignment()?;
            let mut words = Vec::new();
            while !self.cursor.is_ahead(1, "[") && !self.cursor.is_ahead(1, ";") {
                words.push(self.cursor.word()?);
            }
            let name = self.cursor.word()?;
            let space = if is_shared { MemorySpace::Shared } else { MemorySpace::Registers };
            let is_marked = marks.iter().any(|mark| *mark.array == *name && mark.space == space);
            let Some((id, array)) = self.array_named(name).filter(|_| is_marked) else {
                return Err(self.cursor.wrong("an array that a mark of the kernel declares"));
            };
            self.check_type(&words, array)?;
            self.extents(array)?;
            if self.cursor.take_if("=") {
                self.expect_words(&["{", "0", "}"])?;
            }
            self.cursor.expect(";")?;
            if self.kernel()?.arrays.insert(id, Stored::Own).is_some() {
                return Err(self.cursor.wrong("an array that is declared once"));
            }
            if is_aligned {
                self.kernel()?.aligned.insert(id);
            }
            self.declared.push(array.tuple_name.clone());
        }
        Ok(())
    }

    /// Whether a declaration says that an array begins at a multiple of 16 bytes.
    fn alignment(&mut self) -> Walked<bool> {
        let words: &[&str] = match self.device()?.language {
            KernelLanguage::Cuda => &["__align__", "(", "16", ")"],
            KernelLanguage::OpenCl => {
                &["__attribute__", "(", "(", "aligned", "(", "16", ")", ")", ")"]
            }
        };
        if !self.cursor.is(words[0]) {
            return Ok(false);
        }
        self.expect_words(words)?;
        Ok(true)
    }

    /// The extents of an array, which are numbers.
    pub(super) fn extents(&mut self, array: &Array) -> Walked<()> {
        for extent in &array.extents {
            let extent = extent.as_ref().and_then(|e| e.as_aff()?.constant_value()?.to_int());
            self.cursor.expect("[")?;
            let own = self.number()?;
            if extent != Some(Int::from(own)) {
                return Err(self.cursor.wrong(&format!("the extents of `{}`", array.name)));
            }
            self.cursor.expect("]")?;
        }
        Ok(())
    }

    /// Code with an array of its own.
    pub(in crate::printed) fn own_array(
        &mut self,
        mark: &LocalMark,
        child: &'a AstNode,
    ) -> Walked<()> {
        let is_thread = |kind: &LoopKind| matches!(kind, LoopKind::Thread(_));
        if self.kernel()?.spread.iter().any(is_thread) {
            return Err(self.cursor.wrong("an array of all threads of a block"));
        }
        self.node(child, None)?;
        let has_others = own_arrays(child).iter().any(|own| own.space == MemorySpace::Shared);
        match mark.space == MemorySpace::Shared && !has_others {
            true => self.barrier_statement(),
            false => Ok(()),
        }
    }

    /// Whether there is the directive that what follows is unrolled as a whole; one with a number is passed
    /// over.
    pub(in crate::printed) fn is_unrolled(&mut self) -> bool {
        let is_in_kernel = self.device.as_ref().is_some_and(|device| device.kernel.is_some());
        let token = self.cursor.peek().filter(|token| token.kind == TokenKind::Directive);
        let Some(token) = token.filter(|_| is_in_kernel) else { return false };
        let Some(rest) = token.text.trim().strip_prefix("#pragma unroll") else { return false };
        if !rest.chars().all(|c| c == ' ' || c.is_ascii_digit()) {
            return false;
        }
        self.cursor.at += 1;
        rest.trim().is_empty()
    }

    /// A loop of constant bounds, of whose iterations a condition takes those of the tree's loop.
    pub(in crate::printed) fn unrolled(&mut self, each: &'a ForLoop) -> Walked<()> {
        self.cursor.expect("for")?;
        self.cursor.expect("(")?;
        let line = self.cursor.line();
        let name = self.new_iterator()?;
        let first = self.expression()?;
        self.cursor.expect(";")?;
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        let end = self.expression();
        self.names.values.truncate(outer);
        self.expect_words(&[";", name, "++", ")", "{"])?;
        if !each.increment.is_one() {
            return Err(self.cursor.wrong("a loop with a step"));
        }
        let from = AstExpr::Ge(Box::new(AstExpr::Id(each.iterator.clone())), Box::new(first));
        let about = || format!("line {line} of the printed text: the loop has other iterations");
        let has_condition = self.threads_with_condition(each, name, &[from, end?], &about)?;
        self.body_of_spread(each, name)?;
        if has_condition {
            self.cursor.expect("}")?;
        }
        self.cursor.expect("}")
    }
}
