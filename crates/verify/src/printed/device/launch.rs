//! The function that stands for a region: its launches beside the tree, and each kernel beside the subtree of
//! its mark.
//!
//! An argument of a kernel has the value that its name has in the function: of a symbolic constant, a loop of
//! the host or a scalar, or it is the variable of the device's memory of that array. There is one such
//! variable for an array.
use super::asynchronous::has_asynchronous_copies;
use super::queues::launched;
use super::spread::is_own_of_threads;
use super::state::{Declared, Device, Function, Kernel, KernelLanguage, Owners, Stored};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::TokenKind;
use loopwright_astgen::AstNode;
use loopwright_schedule::{Axis, LocalMark, LoopKind, LoopMark};
use loopwright_scop::{AccessKind, Array, ArrayId, ElementKind, FloatingType};
use std::collections::{BTreeMap, BTreeSet};

/// What a block may have on all devices of CUDA.
const MOST_THREADS: i64 = 1024;

/// A launch.
struct Launch<'a> {
    name: &'a str,
    /// The most blocks that there may be, by axis.
    most_blocks: [u64; 3],
    threads: [i64; 3],
    /// Whether all blocks run at the same time.
    runs_together: bool,
    /// What is passed.
    passed: Vec<&'a str>,
    /// Whether the program ends if it fails.
    is_must: bool,
}

impl<'a> TextWalk<'_, 'a> {
    /// The heads of all kernels in front of the function.
    pub(super) fn kernel_heads(&mut self) -> Walked<()> {
        loop {
            let head = match self.device()?.language {
                KernelLanguage::Cuda => "__global__",
                KernelLanguage::OpenCl => "__kernel",
            };
            if !self.cursor.take_if(head) {
                return Ok(());
            }
            let bounds = self.bounds_of_threads()?;
            self.cursor.expect("void")?;
            let name = self.cursor.word()?;
            let arguments = self.arguments()?;
            let start = self.cursor.at;
            if !self.cursor.is("{") {
                return Err(self.cursor.wrong("the body of a kernel"));
            }
            self.cursor.skip_balanced()?;
            let body = (start + 1, self.cursor.at - 1);
            let known = self.device()?.functions.insert(name, Function { arguments, bounds, body });
            if known.is_some() {
                return Err(self.cursor.wrong("kernels of different names"));
            }
        }
    }

    /// The arguments in the head of a function.
    fn arguments(&mut self) -> Walked<Vec<Declared<'a>>> {
        let mut found = Vec::new();
        self.cursor.expect("(")?;
        if self.cursor.is("void") && self.cursor.is_ahead(1, ")") {
            self.cursor.at += 1;
        }
        while !self.cursor.take_if(")") {
            let words = self.type_words();
            let is_pointer = self.cursor.take_if("*");
            while self.cursor.take_if("__restrict__") || self.cursor.take_if("restrict") {}
            let name = self.cursor.word()?;
            found.push(Declared { words, is_pointer, name });
            if !self.cursor.is(")") {
                self.cursor.expect(",")?;
            }
        }
        Ok(found)
    }

    /// The function: memory, copies, launches, copies.
    pub(super) fn function_of_region(&mut self, ast: &'a AstNode) -> Walked<()> {
        if self.cursor.take_if("extern") {
            self.cursor.expect("\"C\"")?;
        }
        self.cursor.expect("int")?;
        self.cursor.word()?;
        self.arguments()?;
        self.cursor.expect("{")?;
        for word in ["int", "lw_status", "=", "1", ";"] {
            self.cursor.expect(word)?;
        }
        let variables = self.memory_variables()?;
        self.call_that_may_fail("lw_start")?;
        self.checks_of_parameters()?;
        let parts = match self.device()?.overlaps {
            true => self.queues(ast, &variables)?,
            false => {
                let before = self.copies_at(&variables)?;
                self.node(ast, None)?;
                self.call_that_may_fail("lw_wait")?;
                vec![before, self.copies_at(&variables)?]
            }
        };
        let behind = self.cursor.at;
        let copies = self.check_copies(&variables, &parts)?;
        self.cursor.at = behind;
        if self.device()?.overlaps {
            self.check_queues(&copies)?;
        }
        for word in ["lw_status", "=", "0", ";", "lw_end", ":"] {
            self.cursor.expect(word)?;
        }
        let Device { overlaps, pins, language, .. } = *self.device()?;
        if overlaps || pins && language == KernelLanguage::Cuda {
            self.expect_words(&["lw_finish", "(", ")", ";"])?;
        }
        while self.cursor.take_if("lw_release") || self.cursor.take_if("lw_release_kernel") {
            self.cursor.skip_balanced()?;
            self.cursor.expect(";")?;
        }
        for word in ["return", "lw_status", ";", "}"] {
            self.cursor.expect(word)?;
        }
        match self.cursor.peek() {
            None => Ok(()),
            Some(_) => Err(self.cursor.wrong("the end")),
        }
    }

    /// Whether the program ends if it fails.
    fn call_that_may_fail(&mut self, name: &str) -> Walked<bool> {
        let is_must = self.attempt()?;
        self.expect_words(&["(", name, "(", ")", ")", ";"])?;
        Ok(is_must)
    }

    /// The launch of the kernel that a mark is about, and the kernel.
    pub(in crate::printed) fn launch(&mut self, body: &'a AstNode) -> Walked<()> {
        if self.device()?.kernel.is_some() {
            return Err(Stop::Unread("a kernel in a kernel".to_string()));
        }
        let at = self.cursor.at;
        self.cursor.expect("{")?;
        let Launch { name, most_blocks, threads, runs_together, passed, is_must } =
            match self.device()?.language {
                KernelLanguage::Cuda => self.cuda_launch()?,
                KernelLanguage::OpenCl => self.opencl_launch()?,
            };
        self.cursor.expect("}")?;
        let is_possible = threads.iter().all(|n| *n > 0)
            && threads
                .iter()
                .try_fold(1i64, |all, n| all.checked_mul(*n))
                .is_some_and(|n| n <= MOST_THREADS);
        if !is_possible {
            return Err(self.cursor.wrong("threads of which a block may have so many"));
        }
        let Device { functions, .. } = self.device()?;
        let function = functions.get(name);
        let (arguments, bounds, inside) = function
            .map(|function| (function.arguments.clone(), function.bounds.clone(), function.body))
            .ok_or_else(|| self.cursor.wrong("the name of a kernel"))?;
        let fits = bounds.is_none_or(|bounds| match bounds[..] {
            [most] => threads.iter().product::<i64>() <= most,
            _ => bounds == threads,
        });
        if !fits {
            return Err(self.cursor.wrong("as many threads as the kernel is made for"));
        }
        let arrays = self.passed(&arguments, &passed)?;
        let launched =
            launched(&arguments, &arrays, |name| self.array_named(name).map(|(id, _)| id));
        self.queue(launched, at, is_must)?;
        let owners = Owners::of_kernel(body);
        let kernel = Kernel {
            has_blocks: most_blocks.map(|most| most > 1),
            most_blocks,
            runs_together,
            threads,
            spread: Vec::new(),
            arrays,
            owners,
            marked: self.marked_arrays(body),
            has_asynchronous_copies: has_asynchronous_copies(body),
            is_asynchronous: false,
            is_atomic: false,
            lanes: [None, None, None],
            shuffle: None,
            aligned: BTreeSet::new(),
            vector: None,
        };
        self.kernel_body(body, inside, kernel)
    }

    fn cuda_launch(&mut self) -> Walked<Launch<'a>> {
        let mut most_blocks = [1; 3];
        self.expect_words(&["const", "dim3", "lw_grid", "("])?;
        for (at, several) in most_blocks.iter_mut().enumerate() {
            if at > 0 {
                self.cursor.expect(",")?;
            }
            *several = self.number_of_blocks()?;
        }
        self.expect_words(&[")", ";", "const", "dim3", "lw_block", "("])?;
        let threads = self.three_numbers()?;
        self.expect_words(&[")", ";"])?;
        let runs_together = self.cursor.is_ahead(2, "lw_launch_together");
        if runs_together {
            let is_must = self.attempt()?;
            self.expect_words(&["(", "lw_launch_together", "("])?;
            self.number()?;
            self.cursor.expect(",")?;
            let name = self.cursor.word()?;
            self.expect_words(&[",", "lw_grid", ",", "lw_block"])?;
            let mut passed = Vec::new();
            while self.cursor.take_if(",") {
                passed.push(self.cursor.word()?);
            }
            self.expect_words(&[")", ")", ";"])?;
            return Ok(Launch { name, most_blocks, threads, runs_together, passed, is_must });
        }
        let name = self.cursor.word()?;
        self.expect_words(&["<<", "<", "lw_grid", ",", "lw_block", ">", ">", ">", "("])?;
        let mut passed = Vec::new();
        while !self.cursor.take_if(")") {
            passed.push(self.cursor.word()?);
            if !self.cursor.is(")") {
                self.cursor.expect(",")?;
            }
        }
        self.cursor.expect(";")?;
        let is_must = self.call_that_may_fail("cudaGetLastError")?;
        Ok(Launch { name, most_blocks, threads, runs_together, passed, is_must })
    }

    fn opencl_launch(&mut self) -> Walked<Launch<'a>> {
        let is_must = self.attempt()?;
        let attempt = if is_must { "LW_MUST" } else { "LW_TRY" };
        self.expect_words(&["(", "lw_kernel_of", "(", "&"])?;
        let variable = self.cursor.word()?;
        self.cursor.expect(",")?;
        let quoted = self.cursor.peek().filter(|token| token.kind == TokenKind::Quoted);
        let name = quoted.map(|token| token.text.trim_matches('"'));
        let name = name.ok_or_else(|| self.cursor.wrong("the name of a kernel"))?;
        let known = self.device()?.kernel_variables.get_mut(variable);
        let is_own = known.is_some_and(|known| *known.get_or_insert(name) == name);
        if !is_own {
            return Err(self.cursor.wrong("the kernel of this variable"));
        }
        self.cursor.at += 1;
        self.cursor.expect(")")?;
        self.expect_words(&[")", ";", "const", "size_t", "lw_block", "[", "3", "]", "=", "{"])?;
        let threads = self.three_numbers()?;
        self.expect_words(&["}", ";", "const", "size_t", "lw_items", "[", "3", "]", "=", "{"])?;
        let mut most_blocks = [1; 3];
        for (at, several) in most_blocks.iter_mut().enumerate() {
            if at > 0 {
                self.cursor.expect(",")?;
            }
            let has_threads = self.cursor.is(&threads[at].to_string())
                && (threads[at] != 1 || self.cursor.is_ahead(1, "*"));
            if has_threads {
                self.cursor.at += 1;
            } else if threads[at] != 1 {
                return Err(self.cursor.wrong("as many items as there are threads in all blocks"));
            }
            if !has_threads || self.cursor.take_if("*") {
                *several = self.number_of_blocks()?;
            }
        }
        self.expect_words(&["}", ";"])?;
        let mut passed = Vec::new();
        while self.cursor.is(attempt) && self.cursor.is_ahead(2, "clSetKernelArg") {
            let position = passed.len().to_string();
            self.expect_words(&[
                attempt,
                "(",
                "clSetKernelArg",
                "(",
                variable,
                ",",
                &position,
                ",",
                "sizeof",
            ])?;
            let name = self.cursor.word()?;
            self.expect_words(&[",", "&", name, ")", ")", ";"])?;
            passed.push(name);
        }
        self.expect_words(&[
            attempt,
            "(",
            "clEnqueueNDRangeKernel",
            "(",
            "lw_queue",
            ",",
            variable,
            ",",
            "3",
            ",",
            "NULL",
            ",",
            "lw_items",
            ",",
            "lw_block",
            ",",
            "0",
            ",",
            "NULL",
            ",",
            "NULL",
            ")",
            ")",
            ";",
        ])?;
        Ok(Launch { name, most_blocks, threads, runs_together: false, passed, is_must })
    }

    pub(super) fn expect_words(&mut self, words: &[&str]) -> Walked<()> {
        words.iter().try_for_each(|word| self.cursor.expect(word))
    }

    /// The most blocks that there may be; there is always one, since the most is not zero.
    fn number_of_blocks(&mut self) -> Walked<u64> {
        if self.cursor.take_if("1") {
            return Ok(1);
        }
        self.cursor.expect("lw_blocks")?;
        self.cursor.skip_balanced()?;
        let most = match &self.cursor.tokens[..self.cursor.at] {
            [.., comma, most, _] if comma.text == "," => most.text.parse::<u64>().ok(),
            _ => None,
        };
        match most {
            Some(most @ 1..) => Ok(most),
            _ => Err(self.cursor.wrong("a number of blocks, behind the most that there may be")),
        }
    }

    fn three_numbers(&mut self) -> Walked<[i64; 3]> {
        let mut found = [0; 3];
        for (at, number) in found.iter_mut().enumerate() {
            if at > 0 {
                self.cursor.expect(",")?;
            }
            let token = self.cursor.peek().filter(|token| token.kind == TokenKind::Number);
            let value = token.and_then(|token| token.text.parse().ok());
            *number = value.ok_or_else(|| self.cursor.wrong("a number of threads"))?;
            self.cursor.at += 1;
        }
        Ok(found)
    }

    /// What the names of arrays stand for in a kernel that is passed these variables.
    fn passed(
        &mut self,
        arguments: &[Declared<'a>],
        passed: &[&'a str],
    ) -> Walked<BTreeMap<ArrayId, Stored>> {
        if arguments.len() != passed.len() {
            return Err(self.cursor.wrong("as many arguments as the kernel has"));
        }
        let mut arrays = BTreeMap::new();
        for (argument, variable) in arguments.iter().zip(passed) {
            let array = self.array_named(argument.name);
            if argument.is_pointer {
                let (id, array) = array.ok_or_else(|| self.unknown(argument.name))?;
                self.check_type(&argument.words, array)?;
                self.handle(id, variable)?;
                arrays.insert(id, Stored::Linear);
                continue;
            }
            if *variable != argument.name {
                let what = format!("`{}` for the argument of this name", argument.name);
                return Err(self.cursor.wrong(&what));
            }
            if let Some((id, array)) = array {
                self.check_type(&argument.words, array)?;
                if !array.extents.is_empty() || self.is_written(id) {
                    return Err(self.cursor.wrong(&format!("memory for `{}`", array.name)));
                }
                arrays.insert(id, Stored::Value);
            } else if !self.names.has_value(argument.name) {
                return Err(self.unknown(argument.name));
            } else {
                self.check_number(argument)?;
            }
        }
        Ok(arrays)
    }

    fn unknown(&self, name: &str) -> Stop {
        self.cursor.wrong(&format!("a kernel without the unknown argument `{name}`"))
    }

    pub(super) fn array_named(&self, name: &str) -> Option<(ArrayId, &'a Array)> {
        let mut all = (0u32..).map(ArrayId).zip(&self.scop.arrays);
        all.find(|(_, array)| *array.tuple_name == *name)
    }

    /// The variable of an array's memory.
    pub(super) fn handle(&mut self, id: ArrayId, variable: &'a str) -> Walked<()> {
        let others =
            self.device()?.handles.iter().any(|(other, own)| *other != id && *own == variable);
        let own = *self.device()?.handles.entry(id).or_insert(variable);
        match own == variable && !others {
            true => Ok(()),
            false => Err(self.cursor.wrong(&format!("another memory than `{variable}`"))),
        }
    }

    fn is_written(&self, id: ArrayId) -> bool {
        let mut accesses = self.scop.statements.iter().flat_map(|statement| &statement.accesses);
        accesses.any(|access| {
            access.array == id
                && matches!(access.kind, AccessKind::MustWrite | AccessKind::MayWrite)
        })
    }

    /// A symbolic constant or the iterator of a loop of the host has to keep its value.
    fn check_number(&self, argument: &Declared<'a>) -> Walked<()> {
        let own = argument.words.join(" ");
        let is_of_host = self.names.values.iter().any(|(name, _)| *name == argument.name);
        let parameter = self.scop.parameters.iter().find(|own| &*own.name == argument.name);
        let holds = match parameter.filter(|_| !is_of_host) {
            None => own == "long",
            Some(parameter) => own == "long" || keeps_values(&own, &parameter.c_type),
        };
        match holds {
            true => Ok(()),
            false => Err(Stop::Unread(format!("the type of `{}` in a kernel", argument.name))),
        }
    }

    /// The type of elements on the device is that of the array.
    pub(in crate::printed) fn check_type(&self, words: &[&str], array: &Array) -> Walked<()> {
        let own: Vec<&str> =
            words.iter().copied().filter(|w| !matches!(*w, "const" | "__global")).collect();
        let language = self.device.as_ref().map(|device| device.language);
        match is_type_of(&own.join(" "), array, language) {
            true => Ok(()),
            false => Err(self.cursor.wrong(&format!("the type of `{}`", array.name))),
        }
    }

    /// The kernel beside its part of the tree.
    fn kernel_body(
        &mut self,
        node: &'a AstNode,
        (start, end): (usize, usize),
        kernel: Kernel,
    ) -> Walked<()> {
        let back = self.cursor.at;
        let n_declared = self.declared.len();
        self.declared
            .extend(kernel.arrays.keys().map(|id| self.scop.array(*id).tuple_name.clone()));
        self.cursor.at = start;
        self.numbers_of(&kernel);
        self.device()?.kernel = Some(kernel);
        let own = self.marked_arrays(node);
        self.private_variables(&own, node)?;
        self.threads_share_the_rest(node)?;
        self.own_declarations(node)?;
        self.node(node, None)?;
        if self.cursor.at != end {
            return Err(self.cursor.wrong("the end of the kernel"));
        }
        self.device()?.kernel = None;
        self.declared.truncate(n_declared);
        self.cursor.at = back;
        Ok(())
    }

    /// The variables that each thread of a kernel has for itself.
    fn private_variables(&mut self, own: &[LocalMark], node: &AstNode) -> Walked<()> {
        loop {
            let start = self.cursor.at;
            let words = self.type_words();
            let name = self.cursor.peek().map_or("", |token| token.text);
            let is_own = own.iter().any(|mark| *mark.array == *name);
            let array = self.array_named(name).filter(|_| !is_own && !words.is_empty());
            let declared = array.filter(|(_, array)| {
                self.cursor.is_ahead(1, if array.extents.is_empty() { ";" } else { "[" })
            });
            let Some((id, array)) = declared else {
                self.cursor.at = start;
                return Ok(());
            };
            self.check_type(&words, array)?;
            if !is_own_of_threads((self.scop, id), node, None) {
                let what = format!("a kernel in which threads share `{}`", array.name);
                return Err(self.cursor.wrong(&what));
            }
            self.cursor.at += 1;
            self.extents(array)?;
            self.cursor.expect(";")?;
            if self.kernel()?.arrays.insert(id, Stored::Private).is_some() {
                return Err(self.cursor.wrong("a variable that the kernel is not given as well"));
            }
            self.declared.push(array.tuple_name.clone());
        }
    }

    /// Memory of the device is that of all threads: what their loops have for each iteration is not there.
    fn threads_share_the_rest(&mut self, node: &AstNode) -> Walked<()> {
        let marks = || node.marks().into_iter().filter_map(|name| LoopMark::parse(name));
        let stored = self.kernel()?.arrays.iter().filter(|(_, stored)| **stored == Stored::Linear);
        let shared: Vec<ArrayId> = stored.map(|(id, _)| *id).collect();
        for id in shared {
            let array = self.scop.array(id);
            let is_named = marks().any(|mark| mark.private.contains(&array.tuple_name));
            if is_named && is_own_of_threads((self.scop, id), node, None) {
                return Err(self
                    .cursor
                    .wrong(&format!("a kernel whose threads have `{}`", array.name)));
            }
        }
        Ok(())
    }

    /// Along each axis with several blocks or threads, exactly one of them has to run a statement.
    pub(in crate::printed) fn is_run_once(&mut self) -> Walked<()> {
        let kernel = self.kernel()?;
        let mut several = Axis::ALL.into_iter().flat_map(|axis| {
            let at = axis as usize;
            let block = kernel.has_blocks[at].then_some(LoopKind::Block(axis));
            let thread = (kernel.threads[at] > 1).then_some(LoopKind::Thread(axis));
            block.into_iter().chain(thread)
        });
        match several.find(|kind| !kernel.spread.contains(kind)) {
            None => Ok(()),
            Some(kind) => {
                let what = format!("a statement that one of `{}` runs", kind_name(kind));
                Err(self.cursor.wrong(&what))
            }
        }
    }
}

fn kind_name(kind: LoopKind) -> String {
    match kind {
        LoopKind::Block(axis) => format!("block({axis})"),
        LoopKind::Thread(axis) => format!("thread({axis})"),
        _ => String::new(),
    }
}

/// Whether a type of integers keeps the values of another one: the same words in any order.
fn keeps_values(own: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = text
            .split_whitespace()
            .filter(|word| !matches!(*word, "const" | "register"))
            .map(|word| match word {
                "size_t" => "unsigned long".to_string(),
                "ptrdiff_t" | "int64_t" => "long".to_string(),
                "int32_t" => "int".to_string(),
                word => word.to_string(),
            })
            .flat_map(|words| words.split_whitespace().map(String::from).collect::<Vec<_>>())
            .collect();
        if words
            .iter()
            .any(|word| matches!(word.as_str(), "long" | "short" | "unsigned" | "signed"))
        {
            words.retain(|word| word != "int");
        }
        words.retain(|word| word != "signed");
        if words.iter().filter(|word| *word == "long").count() == 2 {
            // `long long` has the bits of `long` where this runs.
            let first = words.iter().position(|word| word == "long");
            first.map(|at| words.remove(at));
        }
        if words.is_empty() {
            words.push("int".to_string());
        }
        words.sort();
        words
    };
    words(own) == words(other)
}

/// Whether a type has the elements of an array. Those of `_Bool` are bytes in OpenCL, where statements
/// convert to them.
fn is_type_of(own: &str, array: &Array, language: Option<KernelLanguage>) -> bool {
    let mut words = array.element_type.split_whitespace().filter(|word| *word != "const");
    if let (Some("_Bool" | "bool"), None) = (words.next(), words.next()) {
        return match language {
            Some(KernelLanguage::Cuda) => own == "bool",
            Some(KernelLanguage::OpenCl) => own == "unsigned char",
            None => matches!(own, "_Bool" | "bool"),
        };
    }
    let by_size: &[&str] = match (array.floating_type(), array.element_kind, array.element_bytes) {
        (Some(FloatingType::Float), ..) => &["float"],
        (Some(FloatingType::Double), ..) => &["double"],
        (None, ElementKind::Signed, Some(1)) => &["signed char"],
        (None, ElementKind::Signed, Some(2)) => &["short"],
        (None, ElementKind::Signed, Some(4)) => &["int"],
        (None, ElementKind::Signed, Some(8)) => &["long", "long long"],
        (None, ElementKind::Unsigned, Some(1)) => &["unsigned char"],
        (None, ElementKind::Unsigned, Some(2)) => &["unsigned short"],
        (None, ElementKind::Unsigned, Some(4)) => &["unsigned int"],
        (None, ElementKind::Unsigned, Some(8)) => &["unsigned long", "unsigned long long"],
        _ => return keeps_values(own, &array.element_type),
    };
    by_size.contains(&own)
}
