//! The state of the calculator between statements.
use super::evaluate::Scope;
use super::files::Files;
use super::functions::functions;
use super::parser::Parser;
use super::problem::{Outcome, Problem};
use super::syntax::{Expression, Statement};
use super::value::Value;
use loopwright_presburger::{Budget, Format};
use std::collections::BTreeMap;

/// How deep `source` may nest.
const SOURCE_LIMIT: usize = 16;

/// How a session computes and prints.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The form in which values are printed.
    pub format: Format,
    /// The steps (see [`Budget`]) for one statement.
    pub steps: u64,
}

impl Settings {
    /// isl's notation, some seconds for a statement.
    pub const STANDARD: Settings = Settings { format: Format::Isl, steps: 400_000_000 };
}

/// Variables and settings.
///
/// ```
/// use loopwright_calc::{Session, Settings};
/// let mut session = Session::new(Settings::STANDARD);
/// let mut lines = Vec::new();
/// let text = "D := [n] -> { S[i] : 0 <= i < n }; lexmax D; lexmin D * 3; D = D;";
/// let n_problems = session.run("example", text, &mut |line| lines.push(line));
/// assert_eq!(n_problems, 1);
/// assert_eq!(lines[0], Ok("[n] -> { S[i = -1 + n] : n > 0 }".to_string()));
/// assert!(lines[1].as_ref().unwrap_err().contains("it is not defined for a set and an integer"));
/// assert_eq!(lines[2], Ok("True".to_string()));
/// ```
#[derive(Debug)]
pub struct Session {
    /// None for one whose last assignment failed: it has not the value of before.
    variables: BTreeMap<String, Option<Value>>,
    settings: Settings,
    files: Option<Box<dyn Files>>,
    depth: usize,
    n_limits: usize,
}

/// A printed value, or a diagnostic.
pub type Line = Result<String, String>;

impl Session {
    /// A session without variables, whose statements neither read nor write files.
    pub fn new(settings: Settings) -> Self {
        Session { variables: BTreeMap::new(), settings, files: None, depth: 0, n_limits: 0 }
    }

    /// A session without variables, whose statements read and write by `files`.
    pub fn with_files(settings: Settings, files: impl Files + 'static) -> Self {
        Session { files: Some(Box::new(files)), ..Session::new(settings) }
    }

    /// The names of the variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().map(String::as_str)
    }

    /// How many statements have failed so far because a limit was reached.
    ///
    /// ```
    /// use loopwright_calc::{Session, Settings};
    /// let mut session = Session::new(Settings { steps: 1, ..Settings::STANDARD });
    /// session.run("example", "lexmin { [i, j] : 0 <= i <= j and 2j >= 7 + i }; x;", &mut |_| ());
    /// assert_eq!(session.n_limits(), 1);
    /// ```
    pub fn n_limits(&self) -> usize {
        self.n_limits
    }

    /// Executes all statements of a text and returns the number of those that failed; `emit` gets
    /// what they print and a diagnostic for each that fails. `name` is the text's name in diagnostics.
    pub fn run(&mut self, name: &str, text: &str, emit: &mut dyn FnMut(Line)) -> usize {
        let mut parser = Parser::new(text);
        let mut n_problems = 0;
        loop {
            let result = match parser.statement() {
                Ok(None) => return n_problems,
                Ok(Some((position, statement))) => {
                    self.execute(&statement, position, emit, &mut n_problems)
                }
                Err(problem) => Err(problem),
            };
            if let Err(problem) = result {
                n_problems += 1;
                self.n_limits += usize::from(problem.is_limit);
                emit(Err(problem.explain(name, text)));
            }
        }
    }

    fn execute(
        &mut self,
        statement: &Statement,
        position: usize,
        emit: &mut dyn FnMut(Line),
        n_problems: &mut usize,
    ) -> Outcome<()> {
        let budget = Budget::steps(self.settings.steps);
        match statement {
            Statement::Empty => {}
            Statement::Assign(name, expression) => {
                let value = self.value(expression, &budget);
                self.variables.insert(name.clone(), value.as_ref().ok().cloned());
                value?;
            }
            Statement::Print(expression) => {
                let value = self.value(expression, &budget)?;
                let text = value.to_text(self.settings.format, &budget);
                emit(Ok(text.map_err(|e| Problem::of(position, &e))?));
            }
            Statement::Assert(expression) => match self.value(expression, &budget)? {
                Value::Boolean(true) => {}
                Value::Boolean(false) => {
                    return Err(Problem::new(position, "the assertion does not hold"));
                }
                other => {
                    let message = format!("expected a truth value, found {}", other.noun());
                    return Err(Problem::new(expression.position, message));
                }
            },
            Statement::Write(path, expression) => self.write(path, expression, &budget)?,
            Statement::Source(path) => *n_problems += self.source(path, &budget, emit)?,
            Statement::Help => emit(Ok(help())),
        }
        Ok(())
    }

    fn value(&self, expression: &Expression, budget: &Budget) -> Outcome<Value> {
        self.scope(budget).evaluate(expression)
    }

    fn scope<'a>(&'a self, budget: &'a Budget) -> Scope<'a> {
        Scope { variables: &self.variables, budget, files: self.files.as_deref() }
    }

    fn write(&self, path: &Expression, value: &Expression, budget: &Budget) -> Outcome<()> {
        let target = self.scope(budget).text(path)?;
        let value = self.value(value, budget)?;
        let text = value.to_text(self.settings.format, budget);
        let text = text.map_err(|e| Problem::of(path.position, &e))?;
        let Some(files) = &self.files else {
            return Err(Problem::new(path.position, "files may not be written here"));
        };
        files
            .write(&target, &(text + "\n"))
            .map_err(|e| Problem::new(path.position, format!("cannot write {target}: {e}")))
    }

    /// Executes the statements of a file.
    fn source(
        &mut self,
        path: &Expression,
        budget: &Budget,
        emit: &mut dyn FnMut(Line),
    ) -> Outcome<usize> {
        let file = self.scope(budget).text(path)?;
        let Some(files) = &self.files else {
            return Err(Problem::new(path.position, "files may not be read here"));
        };
        if self.depth == SOURCE_LIMIT {
            return Err(Problem::limit(path.position, "the files are nested too deeply"));
        }
        let text = files
            .read(&file)
            .map_err(|e| Problem::new(path.position, format!("cannot read {file}: {e}")))?;
        self.depth += 1;
        let n_problems = self.run(&file, &text, emit);
        self.depth -= 1;
        Ok(n_problems)
    }
}

fn help() -> String {
    let mut text = String::from("Functions of one operand (all of the language: docs/calc.md):\n");
    for function in functions() {
        text.push_str(&format!("  {:<20} {}\n", function.name, function.help));
    }
    text.push_str("Operators: = == <= < >= > << <<= >> >>=   + - ->-   * % ->*\n");
    text.push_str("  . before after -> cross cross_range @   m(s) l[0] m^-1 m^2 m^+\n");
    text.push_str("Also: name := value; print assert write source read parse_file codegen using\n");
    text.push_str("  schedule respecting minimizing  any last before under");
    text
}
