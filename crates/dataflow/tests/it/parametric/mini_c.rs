//! A reader and an interpreter of small C programs with dynamic control, for the oracle: it shares nothing
//! with the front end or the analysis. Each statement and each condition has a line of its own, which names
//! it.
use std::collections::BTreeMap;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(i64),
    Element(String, Vec<Expression>),
    Call(Vec<Expression>),
    Unary(char, Box<Expression>),
    Binary(String, Box<Expression>, Box<Expression>),
    /// The target, the operator (`=` or `+=`) and the value.
    Assign(Box<Expression>, String, Box<Expression>),
}

/// A statement with the line that it stands in; of loops and branches the line of the condition.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Expression(usize, Expression),
    Block(Vec<Statement>),
    /// Iterator, start, condition, step.
    For(usize, String, Expression, Expression, i64, Box<Statement>),
    While(usize, Expression, Box<Statement>),
    /// A `for` loop whose iterator is a variable in memory, behind its start: iterator, condition, step with
    /// its line, body.
    Count(usize, String, Expression, usize, Expression, Box<Statement>),
    /// The value that decides, and the branches with their labels.
    Switch(usize, Expression, Vec<(Option<i64>, Vec<Statement>)>),
    Do(usize, Box<Statement>, Expression),
    If(usize, Expression, Box<Statement>, Option<Box<Statement>>),
    Break,
    Continue,
    Return,
    Nothing,
}

impl Statement {
    /// Whether a variable is assigned to, which no expression does but those that are statements.
    fn assigns(&self, name: &str) -> bool {
        match self {
            Statement::Expression(_, Expression::Assign(target, ..)) => {
                matches!(&**target, Expression::Element(own, _) if own == name)
            }
            Statement::Block(all) => all.iter().any(|inner| inner.assigns(name)),
            Statement::Switch(_, _, branches) => {
                branches.iter().flat_map(|(_, all)| all).any(|inner| inner.assigns(name))
            }
            Statement::For(.., body) | Statement::While(.., body) | Statement::Do(_, body, _) => {
                body.assigns(name)
            }
            Statement::Count(.., body) => body.assigns(name),
            Statement::If(_, _, then, otherwise) => {
                then.assigns(name) || otherwise.as_ref().is_some_and(|inner| inner.assigns(name))
            }
            _ => false,
        }
    }
}

struct Parser {
    tokens: Vec<(String, usize)>,
    at: usize,
}

/// The statements between `#pragma scop` and `#pragma endscop`.
pub(crate) fn parse(text: &str) -> Statement {
    let mut tokens = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap();
        match line.trim() {
            "#pragma scop" => inside = true,
            "#pragma endscop" => inside = false,
            trimmed if inside && !trimmed.starts_with('#') => {
                let mut rest = trimmed;
                while let Some(first) = rest.chars().next() {
                    let length = match first {
                        c if c.is_whitespace() => {
                            rest = &rest[1..];
                            continue;
                        }
                        c if c.is_alphanumeric() || c == '_' => rest
                            .find(|c: char| !c.is_alphanumeric() && c != '_')
                            .unwrap_or(rest.len()),
                        _ => {
                            let two = ["==", "!=", "<=", ">=", "&&", "||", "+=", "++", "--", "-="];
                            if two.iter().any(|o| rest.starts_with(o)) { 2 } else { 1 }
                        }
                    };
                    tokens.push((rest[..length].to_string(), number + 1));
                    rest = &rest[length..];
                }
            }
            _ => {}
        }
    }
    let mut parser = Parser { tokens, at: 0 };
    let mut statements = Vec::new();
    while parser.at < parser.tokens.len() {
        statements.push(parser.statement());
    }
    Statement::Block(statements)
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &t.0)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |t| t.1)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].0.clone()
    }

    fn eat(&mut self, word: &str) {
        let found = self.next();
        assert_eq!(found, word, "line {}", self.tokens[self.at - 1].1);
    }

    fn takes(&mut self, word: &str) -> bool {
        let is = self.peek() == word;
        self.at += usize::from(is);
        is
    }

    fn statement(&mut self) -> Statement {
        match self.peek() {
            "{" => {
                self.next();
                let mut all = Vec::new();
                while !self.takes("}") {
                    all.push(self.statement());
                }
                Statement::Block(all)
            }
            "for" => self.for_loop(),
            "while" => {
                self.next();
                self.eat("(");
                let line = self.line();
                let condition = self.expression();
                self.eat(")");
                Statement::While(line, condition, Box::new(self.statement()))
            }
            "do" => {
                self.next();
                let body = Box::new(self.statement());
                self.eat("while");
                self.eat("(");
                let line = self.line();
                let condition = self.expression();
                self.eat(")");
                self.eat(";");
                Statement::Do(line, body, condition)
            }
            "if" => {
                self.next();
                self.eat("(");
                let line = self.line();
                let condition = self.expression();
                self.eat(")");
                let then = Box::new(self.statement());
                let otherwise = self.takes("else").then(|| Box::new(self.statement()));
                Statement::If(line, condition, then, otherwise)
            }
            "switch" => self.switch(),
            ";" => {
                self.next();
                Statement::Nothing
            }
            word @ ("break" | "continue" | "return") => {
                let found = match word {
                    "break" => Statement::Break,
                    "continue" => Statement::Continue,
                    _ => Statement::Return,
                };
                self.next();
                self.eat(";");
                found
            }
            _ => {
                let line = self.line();
                let expression = self.expression();
                self.eat(";");
                Statement::Expression(line, expression)
            }
        }
    }

    fn for_loop(&mut self) -> Statement {
        self.next();
        self.eat("(");
        self.takes("int");
        let start_line = self.line();
        let iterator = self.next();
        self.eat("=");
        let start = self.expression();
        self.eat(";");
        let line = self.line();
        let condition = self.expression();
        self.eat(";");
        let step_line = self.line();
        let step = self.step(&iterator);
        self.eat(")");
        let body = Box::new(self.statement());
        if let (Expression::Number(_), Expression::Number(step)) = (&start, &step)
            && !body.assigns(&iterator)
        {
            return Statement::For(line, iterator, start, condition, *step, body);
        }
        let place = Expression::Element(iterator.clone(), Vec::new());
        let set = |value| Expression::Assign(Box::new(place.clone()), "=".to_string(), value);
        let sum = |step: Expression| {
            Expression::Binary("+".to_string(), Box::new(place.clone()), Box::new(step))
        };
        let moved = match step {
            Expression::Number(_) => sum(step),
            next => next,
        };
        Statement::Block(vec![
            Statement::Expression(start_line, set(Box::new(start))),
            Statement::Count(line, iterator, condition, step_line, set(Box::new(moved)), body),
        ])
    }

    /// By how much a loop moves its iterator, as a number, or the value that comes next.
    fn step(&mut self, iterator: &str) -> Expression {
        match self.next().as_str() {
            "++" => {
                self.eat(iterator);
                Expression::Number(1)
            }
            "--" => {
                self.eat(iterator);
                Expression::Number(-1)
            }
            _ if self.takes("=") => self.expression(),
            _ => Expression::Number(if self.next() == "++" { 1 } else { -1 }),
        }
    }

    fn switch(&mut self) -> Statement {
        self.next();
        self.eat("(");
        let line = self.line();
        let selector = self.expression();
        self.eat(")");
        self.eat("{");
        let mut branches: Vec<(Option<i64>, Vec<Statement>)> = Vec::new();
        while !self.takes("}") {
            if self.takes("case") {
                let label = self.next().parse().unwrap();
                self.eat(":");
                branches.push((Some(label), Vec::new()));
            } else if self.takes("default") {
                self.eat(":");
                branches.push((None, Vec::new()));
            } else {
                let statement = self.statement();
                branches.last_mut().expect("a label").1.push(statement);
            }
        }
        Statement::Switch(line, selector, branches)
    }

    fn expression(&mut self) -> Expression {
        let left = self.binary(0);
        if matches!(self.peek(), "=" | "+=") {
            let operator = self.next();
            let right = self.expression();
            return Expression::Assign(Box::new(left), operator, Box::new(right));
        }
        left
    }

    fn binary(&mut self, level: usize) -> Expression {
        const LEVELS: [&[&str]; 6] =
            [&["||"], &["&&"], &["==", "!="], &["<", "<=", ">", ">="], &["+", "-"], &["*"]];
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1);
        while LEVELS[level].contains(&self.peek()) {
            let operator = self.next();
            left = Expression::Binary(operator, Box::new(left), Box::new(self.binary(level + 1)));
        }
        left
    }

    fn unary(&mut self) -> Expression {
        let token = self.next();
        match token.as_str() {
            "!" | "-" => Expression::Unary(token.chars().next().unwrap(), Box::new(self.unary())),
            "(" => {
                let inner = self.expression();
                self.eat(")");
                inner
            }
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {
                Expression::Number(number.parse().unwrap())
            }
            _ if self.takes("(") => {
                let mut arguments = Vec::new();
                while !self.takes(")") {
                    arguments.push(self.expression());
                    self.takes(",");
                }
                Expression::Call(arguments)
            }
            _ => {
                let mut subscripts = Vec::new();
                while self.takes("[") {
                    subscripts.push(self.expression());
                    self.eat("]");
                }
                Expression::Element(token, subscripts)
            }
        }
    }
}

/// An iteration of a loop: the value of its iterator, and the number of iterations before. (`while` loops
/// have no iterator.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Iteration {
    pub(crate) value: i64,
    pub(crate) count: i64,
}

/// An instance: its line, and the iterations around it.
pub(crate) type Instance = (usize, Vec<Iteration>);

/// An element of a variable.
pub(crate) type Element = (String, Vec<i64>);

/// A read, with the number of writes before it.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) instance: Instance,
    pub(crate) element: Element,
    pub(crate) n_writes: usize,
    /// Whether it is in a condition of a loop that is evaluated for the first time since the loop was
    /// entered.
    pub(crate) is_first_test: bool,
}

/// What a run does.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) reads: Vec<Read>,
    pub(crate) writes: Vec<(Instance, Element)>,
    /// The values from before the region that were read.
    pub(crate) initial: BTreeMap<Element, i64>,
}

enum Flow {
    On,
    Break,
    Continue,
    Return,
    /// The run is long enough.
    Stop,
}

struct Machine {
    memory: BTreeMap<Element, i64>,
    /// Iterators and parameters.
    constants: BTreeMap<String, i64>,
    around: Vec<Iteration>,
    line: usize,
    is_first_test: bool,
    seed: u64,
    greatest: i64,
    n_steps: usize,
    run: Run,
}

/// Runs a program with random values of what it does not set, in `0..=greatest`.
pub(crate) fn run(
    program: &Statement,
    parameters: &[(&str, i64)],
    seed: u64,
    greatest: i64,
) -> Run {
    let constants = parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let mut machine = Machine {
        memory: BTreeMap::new(),
        constants,
        around: Vec::new(),
        line: 0,
        is_first_test: false,
        seed,
        greatest,
        n_steps: 0,
        run: Run::default(),
    };
    machine.execute(program);
    machine.run
}

impl Machine {
    fn random(&mut self) -> i64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.seed >> 33) as i64) % (self.greatest + 1)
    }

    fn is_over(&mut self) -> bool {
        self.n_steps += 1;
        self.n_steps > 300
    }

    fn condition(&mut self, line: usize, condition: &Expression, is_first: bool) -> bool {
        self.line = line;
        self.is_first_test = is_first;
        let holds = self.value(condition) != 0;
        self.is_first_test = false;
        holds
    }

    fn execute(&mut self, statement: &Statement) -> Flow {
        if self.is_over() {
            return Flow::Stop;
        }
        match statement {
            Statement::Nothing => Flow::On,
            Statement::Break => Flow::Break,
            Statement::Continue => Flow::Continue,
            Statement::Return => Flow::Return,
            Statement::Expression(line, expression) => {
                self.line = *line;
                self.value(expression);
                Flow::On
            }
            Statement::Block(all) => {
                for inner in all {
                    match self.execute(inner) {
                        Flow::On => {}
                        other => return other,
                    }
                }
                Flow::On
            }
            Statement::If(line, condition, then, otherwise) => {
                match (self.condition(*line, condition, false), otherwise) {
                    (true, _) => self.execute(then),
                    (false, Some(otherwise)) => self.execute(otherwise),
                    _ => Flow::On,
                }
            }
            Statement::While(line, condition, body) => self.repeat(
                0,
                1,
                None,
                |this, is_first| this.condition(*line, condition, is_first),
                |this| this.execute(body),
            ),
            Statement::Count(line, iterator, condition, step_line, step, body) => self.repeat(
                0,
                0,
                None,
                |this, is_first| {
                    let value = this.memory[&(iterator.clone(), Vec::new())];
                    this.around.last_mut().unwrap().value = value;
                    this.condition(*line, condition, is_first)
                },
                |this| {
                    let flow = this.execute(body);
                    if matches!(flow, Flow::On | Flow::Continue) {
                        this.line = *step_line;
                        this.value(step);
                    }
                    flow
                },
            ),
            Statement::Switch(line, selector, branches) => {
                self.line = *line;
                let value = self.value(selector);
                let labelled = branches.iter().position(|(label, _)| *label == Some(value));
                let first =
                    labelled.or_else(|| branches.iter().position(|(label, _)| label.is_none()));
                let reached = first.map_or(&[][..], |first| &branches[first..]);
                for statement in reached.iter().flat_map(|(_, all)| all) {
                    match self.execute(statement) {
                        Flow::On => {}
                        Flow::Break => break,
                        other => return other,
                    }
                }
                Flow::On
            }
            Statement::Do(line, body, condition) => {
                let mut result = Flow::On;
                self.around.push(Iteration { value: 0, count: 0 });
                loop {
                    match self.execute(body) {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => break,
                        other => {
                            result = other;
                            break;
                        }
                    }
                    if self.is_over() {
                        result = Flow::Stop;
                        break;
                    }
                    if !self.condition(*line, condition, false) {
                        break;
                    }
                    self.next_iteration(1);
                }
                self.around.pop();
                result
            }
            Statement::For(line, iterator, start, condition, step, body) => {
                let start = self.value(start);
                let result = self.repeat(
                    start,
                    *step,
                    Some(iterator),
                    |this, is_first| this.condition(*line, condition, is_first),
                    |this| this.execute(body),
                );
                self.constants.remove(iterator);
                result
            }
        }
    }

    fn repeat(
        &mut self,
        start: i64,
        step: i64,
        iterator: Option<&String>,
        test: impl Fn(&mut Self, bool) -> bool,
        body: impl Fn(&mut Self) -> Flow,
    ) -> Flow {
        self.around.push(Iteration { value: start, count: 0 });
        let mut is_first = true;
        let result = loop {
            if let Some(iterator) = iterator {
                let value = self.around.last().unwrap().value;
                self.constants.insert(iterator.clone(), value);
            }
            if self.is_over() {
                break Flow::Stop;
            }
            if !test(self, is_first) {
                break Flow::On;
            }
            is_first = false;
            match body(self) {
                Flow::On | Flow::Continue => {}
                Flow::Break => break Flow::On,
                other => break other,
            }
            self.next_iteration(step);
        };
        self.around.pop();
        result
    }

    fn next_iteration(&mut self, step: i64) {
        let last = self.around.last_mut().unwrap();
        *last = Iteration { value: last.value + step, count: last.count + 1 };
    }

    fn element(&mut self, name: &str, subscripts: &[Expression]) -> Element {
        let subscripts = subscripts.iter().map(|subscript| self.value(subscript)).collect();
        (name.to_string(), subscripts)
    }

    fn read(&mut self, element: Element) -> i64 {
        if let Some(value) = self.constants.get(&element.0) {
            return *value;
        }
        self.run.reads.push(Read {
            instance: (self.line, self.around.clone()),
            element: element.clone(),
            n_writes: self.run.writes.len(),
            is_first_test: self.is_first_test,
        });
        if !self.memory.contains_key(&element) {
            let value = self.random();
            self.memory.insert(element.clone(), value);
            self.run.initial.insert(element.clone(), value);
        }
        self.memory[&element]
    }

    fn value(&mut self, expression: &Expression) -> i64 {
        match expression {
            Expression::Number(number) => *number,
            Expression::Element(name, subscripts) => {
                let element = self.element(name, subscripts);
                self.read(element)
            }
            Expression::Call(arguments) => {
                for argument in arguments {
                    self.value(argument);
                }
                self.random()
            }
            Expression::Unary(operator, inner) => {
                let inner = self.value(inner);
                if *operator == '!' { i64::from(inner == 0) } else { -inner }
            }
            Expression::Binary(operator, left, right) => {
                let left = self.value(left);
                match operator.as_str() {
                    "&&" => return i64::from(left != 0 && self.value(right) != 0),
                    "||" => return i64::from(left != 0 || self.value(right) != 0),
                    _ => {}
                }
                let right = self.value(right);
                match operator.as_str() {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    "==" => i64::from(left == right),
                    "!=" => i64::from(left != right),
                    "<" => i64::from(left < right),
                    "<=" => i64::from(left <= right),
                    ">" => i64::from(left > right),
                    _ => i64::from(left >= right),
                }
            }
            Expression::Assign(target, operator, value) => {
                let Expression::Element(name, subscripts) = &**target else { panic!("{target:?}") };
                let mut value = self.value(value);
                let element = self.element(name, subscripts);
                if operator == "+=" {
                    value += self.read(element.clone());
                }
                self.run.writes.push(((self.line, self.around.clone()), element.clone()));
                self.memory.insert(element, value);
                value
            }
        }
    }
}
