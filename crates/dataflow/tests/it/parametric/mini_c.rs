//! A reader and an interpreter of small C programs with dynamic control, for the oracle: it shares nothing with the
//! front end or the analysis. Each statement and each condition has a line of its own, which names it.
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
    Do(usize, Box<Statement>, Expression),
    If(usize, Expression, Box<Statement>, Option<Box<Statement>>),
    Break,
    Continue,
    Return,
    Nothing,
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
        let iterator = self.next();
        self.eat("=");
        let start = self.expression();
        self.eat(";");
        let line = self.line();
        let condition = self.expression();
        self.eat(";");
        let step = match self.next().as_str() {
            "++" => self.next() == iterator,
            "--" => {
                self.next();
                false
            }
            _ => self.next() == "++",
        };
        self.eat(")");
        let body = Box::new(self.statement());
        Statement::For(line, iterator, start, condition, if step { 1 } else { -1 }, body)
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

/// An instance: its line, and the iterators around it.
pub(crate) type Instance = (usize, Vec<i64>);

/// An element of a variable.
pub(crate) type Element = (String, Vec<i64>);

/// A read, with the number of writes before it.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) instance: Instance,
    pub(crate) element: Element,
    pub(crate) n_writes: usize,
    /// Whether it is in a condition of a loop that is evaluated for the first time since the loop was entered.
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
    around: Vec<i64>,
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
            Statement::Do(line, body, condition) => {
                let mut result = Flow::On;
                self.around.push(0);
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
                    *self.around.last_mut().unwrap() += 1;
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
        self.around.push(start);
        let mut is_first = true;
        let result = loop {
            let value = *self.around.last().unwrap();
            if let Some(iterator) = iterator {
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
            *self.around.last_mut().unwrap() += step;
        };
        self.around.pop();
        result
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
