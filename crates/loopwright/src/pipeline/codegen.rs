//! Code for a schedule in isl's notation.
use crate::diagnostics::failure::Failure;
use crate::settings::effort::Effort;
use loopwright_astgen::{
    AstNode, Build, CText, Generator, NoVisitor, Options, PrintOptions, c_program_with, json,
    outline,
};
use loopwright_presburger::{DimKind, Error, Set, UnionMap};
use loopwright_schedule::{Node, ScheduleTree, UnorderedLevel};
use loopwright_verify::{Proof, SampleLimits, Violation, check_ast_of_map, check_ast_on_samples};
use std::borrow::Cow;

/// The steps allowed for one input, some seconds of work.
const STEPS: u64 = 400_000_000;

/// The steps allowed for the proof that the code is right.
const PROOF_STEPS: u64 = 3_000_000;

/// How code is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodeFormat {
    /// C, with the macros that it needs.
    #[default]
    C,
    /// C without macros.
    CWithoutMacros,
    /// An outline of the syntax tree.
    Tree,
    /// JSON.
    Json,
}

/// What is asked of [`codegen_file`].
#[derive(Clone, Debug)]
pub struct CodegenOptions {
    /// The options of the generator.
    pub options: Options,
    /// Names for the iterators, from the outermost loop in.
    pub iterators: Vec<String>,
    /// Values of the parameters for which there is to be code of its own, chosen at run time.
    pub assumed: Option<Set>,
    /// The options of C text.
    pub print: PrintOptions,
    /// How code is printed.
    pub format: CodeFormat,
    /// Whether the code is checked against the schedule.
    pub verify: bool,
}

impl CodegenOptions {
    /// isl's defaults, but for iterators of type `long` (values of a schedule may exceed an `int`); C, and
    /// a check.
    pub const STANDARD: CodegenOptions = CodegenOptions {
        options: Options::STANDARD,
        iterators: Vec::new(),
        assumed: None,
        print: PrintOptions {
            iterator_type: Cow::Borrowed("long"),
            always_print_block: false,
            print_outermost_block: true,
        },
        format: CodeFormat::C,
        verify: true,
    };
}

/// The code for a schedule.
#[derive(Clone, Debug)]
pub struct Codegen {
    /// The text.
    pub text: String,
    /// What is known about its correctness, in words.
    pub verdict: String,
}

/// The text for a schedule: either a schedule tree (isl's `.st` files), or three objects one
/// after the other (isl's `.in` files), which are a flat schedule, a context, and options. Lines
/// that start with `#` are comments. Macros that C uses are defined before it.
///
/// # Errors
/// If the text cannot be read, no code can be generated within the limits, or the code is found to
/// be wrong.
pub fn codegen_file(text: &str, options: &CodegenOptions) -> Result<Codegen, Failure> {
    let input = CodegenInput::read(text)?;
    let ast = match &options.assumed {
        Some(assumed) => input.versions(options, assumed)?,
        None => input.code_where(&options.options, &options.iterators, &no_context())?,
    };
    let verdict = match options.verify {
        true => input.verdict(&ast)?,
        false => "not checked".to_string(),
    };
    let text = match options.format {
        CodeFormat::C => c_program_with(&ast, &options.print),
        CodeFormat::CWithoutMacros => CText::new(&ast).with_options(&options.print).to_string(),
        CodeFormat::Tree => outline(&ast),
        CodeFormat::Json => json(&ast) + "\n",
    };
    Ok(Codegen { text, verdict })
}

/// A schedule that code can be generated for.
///
/// ```
/// use loopwright::CodegenInput;
/// use loopwright_astgen::Options;
/// let input = CodegenInput::read("[n] -> { A[i] -> [i] : 0 <= i < n } [n] -> { : n <= 9 } { }")?;
/// let code = input.code(&Options::STANDARD)?;
/// assert_eq!(code.to_string(), "for (int c0 = 0; c0 < n; c0 += 1)\n  A(c0);\n");
/// let runs = input.parameters()?;
/// assert_eq!(runs.to_string(), "[n] -> { : 0 < n <= 9 }");
/// # Ok::<(), loopwright::Failure>(())
/// ```
pub struct CodegenInput(Input);

enum Input {
    Tree(ScheduleTree),
    Map { schedule: UnionMap, context: Set, settings: UnionMap },
}

impl CodegenInput {
    /// Reads a schedule as [`codegen_file`] does.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let text = lines.collect::<Vec<_>>().join("\n");
        if text.contains("domain:") || text.contains("\"domain\"") {
            let tree =
                ScheduleTree::parse(&text).map_err(|e| Failure::in_stage("schedule tree", &e))?;
            return Ok(CodegenInput(Input::Tree(tree)));
        }
        let objects = objects(&text);
        let [schedule, context, settings] = &objects[..] else {
            let message = format!(
                "a schedule, a context and options are expected, not {} objects",
                objects.len()
            );
            return Err(Failure::refused(message));
        };
        let schedule = UnionMap::parse(schedule).map_err(|e| Failure::in_stage("schedule", &e))?;
        let context = Set::parse(context).map_err(|e| Failure::in_stage("context", &e))?;
        let settings = UnionMap::parse(settings).map_err(|e| Failure::in_stage("options", &e))?;
        Ok(CodegenInput(Input::Map { schedule, context, settings }))
    }

    /// The syntax tree of the code, unchecked.
    ///
    /// # Errors
    /// If no code can be generated within the limits.
    pub fn code(&self, options: &Options) -> Result<AstNode, Failure> {
        self.code_where(options, &[], &no_context())
    }

    /// Code for the values of the parameters in `assumed`, and for all others; the program finds out
    /// at run time which it is.
    fn versions(&self, options: &CodegenOptions, assumed: &Set) -> Result<AstNode, Failure> {
        let CodegenOptions { options, iterators, .. } = options;
        let outside = match &self.0 {
            Input::Map { context, .. } => context.params(),
            Input::Tree(tree) => outer_context(&tree.root).unwrap_or_else(no_context),
        };
        let build = Build::from_context(&outside);
        let condition = build.and_then(|build| build.condition(assumed));
        let condition = condition.map_err(|e| Failure::in_stage("assumption", &e))?;
        let then = Box::new(self.code_where(options, iterators, assumed)?);
        let otherwise = Some(Box::new(self.code_where(options, iterators, &no_context())?));
        Ok(AstNode::If { condition, then, otherwise })
    }

    /// The code where `assumed` holds.
    fn code_where(
        &self,
        options: &Options,
        iterators: &[String],
        assumed: &Set,
    ) -> Result<AstNode, Failure> {
        let budget = Effort::default().budget(STEPS);
        let names = iterators.iter().map(String::as_str);
        let generator = Generator::new(options, &budget).with_iterators(names);
        let ast = match &self.0 {
            Input::Tree(tree) => generator.tree(tree, assumed, &mut NoVisitor),
            Input::Map { schedule, context, settings } => context
                .params()
                .intersect(assumed)
                .and_then(|known| generator.map(schedule, &known, settings, &mut NoVisitor)),
        };
        ast.map_err(|e| Failure::in_stage("code generation", &e))
    }

    /// The values of the parameters that the context allows and for which something is executed.
    ///
    /// # Errors
    /// If the schedule tree makes assumptions further inside, or cannot be flattened.
    pub fn parameters(&self) -> Result<Set, Failure> {
        let failed = |reason: String| Failure::refused(reason);
        let Task { schedule, context, .. } = self.task().map_err(failed)?;
        let runs = schedule.params().intersect(&context);
        runs.map_err(|e| Failure::in_stage("parameters", &e))
    }

    /// What is known about the correctness of code; it is refused if it is known to be wrong.
    fn verdict(&self, ast: &AstNode) -> Result<String, Failure> {
        let violations = match self.task() {
            Ok(task) => match task.check(ast).map_err(|e| Failure::in_stage("checking", &e))? {
                Ok(verdict) => return Ok(verdict),
                Err(violations) => violations,
            },
            Err(reason) => return Ok(format!("not checked: {reason}")),
        };
        let text = "the code does not do what the schedule says (a defect of this program):";
        Err(Failure::refused(text).with_notes(violations.iter().map(ToString::to_string)))
    }

    /// What is to be executed, as a flat schedule.
    fn task(&self) -> Result<Task, String> {
        match &self.0 {
            Input::Map { schedule, context, .. } => Ok(Task {
                schedule: schedule.clone(),
                unordered: Vec::new(),
                context: context.params(),
            }),
            Input::Tree(tree) => {
                let words = |e: Error| e.to_string();
                let context = outer_context(&tree.root).ok_or("assumptions inside of the tree")?;
                let schedule = tree.flatten().map_err(words)?;
                let unordered = tree.unordered_levels().map_err(words)?;
                Ok(Task { schedule, unordered, context })
            }
        }
    }
}

/// What code has to do.
struct Task {
    schedule: UnionMap,
    unordered: Vec<UnorderedLevel>,
    context: Set,
}

impl Task {
    /// A verdict in words, or what is wrong.
    fn check(&self, ast: &AstNode) -> Result<Result<String, Vec<Violation>>, Error> {
        let Task { schedule, unordered, context } = self;
        let run =
            || check_ast_on_samples(ast, schedule, unordered, context, &SampleLimits::STANDARD);
        let has_parameters = !schedule.param_names().is_empty() || context.n(DimKind::Param) > 0;
        let first = if has_parameters { None } else { Some(run()?) };
        if let Some(samples) = &first
            && samples.is_complete
        {
            let samples = samples.clone();
            return Ok(match samples.violations.is_empty() {
                true => Ok("proved to run every instance in schedule order, by running it".into()),
                false => Err(samples.violations),
            });
        }
        let budget = Effort::default().budget(PROOF_STEPS);
        let reason = match check_ast_of_map(ast, schedule, unordered, context, &budget) {
            Ok(Proof::Proved) => {
                return Ok(Ok("proved to run every instance once, in schedule order".into()));
            }
            Ok(Proof::Refuted(violations)) => return Ok(Err(violations)),
            Ok(Proof::OutOfBudget(_)) => "the proof exceeded its limit".to_string(),
            Err(error) => error.to_string(),
        };
        let samples = match first {
            Some(samples) => samples,
            None => run()?,
        };
        if !samples.violations.is_empty() {
            return Ok(Err(samples.violations));
        }
        let n = samples.checked;
        if n == 0 {
            let cause = match samples.unfinished {
                0 => "a limit was reached in listing the instances",
                _ => "a limit was reached in running the code",
            };
            return Ok(Ok(format!("not checked: {cause}, and not proved ({reason})")));
        }
        Ok(Ok(format!("right for {n} tried values of the parameters, not proved ({reason})")))
    }
}

fn no_context() -> Set {
    let nothing = loopwright_presburger::Space::params(&[]);
    Set::universe(nothing)
}

/// What the tree assumes about parameters at its root; none if it assumes more further inside.
fn outer_context(root: &Node) -> Option<Set> {
    let mut context = no_context();
    let mut node = root;
    while let Node::Context(set, child) = node {
        let known = if set.space().is_params() { set.clone() } else { set.params() };
        context = context.intersect(&known).ok()?;
        node = child;
    }
    let mut assumes = false;
    node.for_each(&mut |node| assumes |= matches!(node, Node::Context(..) | Node::Guard(..)));
    (!assumes).then_some(context)
}

/// The objects of a text, each up to and including its closing brace.
fn objects(text: &str) -> Vec<&str> {
    let (mut start, mut depth) = (0, 0usize);
    let mut result = Vec::new();
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    result.push(text[start..=position].trim());
                    start = position + 1;
                }
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        result.push(text[start..].trim());
    }
    result
}
