//! Writing expressions.
use loopwright_presburger::{Aff, DimKind, MultiPwAff, PwAff, Result, Tuple};
use loopwright_schedule::yaml::quote;
use loopwright_scop::{
    AssignmentOperator, BinaryOperator, Literal, Scop, Statement, Term, TermKind, UnaryOperator,
};

/// Writes the expressions of one region.
pub(super) struct ExpressionText<'a> {
    pub(super) scop: &'a Scop,
    pub(super) statement: &'a Statement,
    /// The number of the next reference, counted through the region.
    pub(super) next_reference: &'a mut usize,
    /// The lines so far.
    pub(super) lines: Vec<String>,
}

/// How an operand is used.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub(super) reads: bool,
    pub(super) writes: bool,
}

const READ: Use = Use { reads: true, writes: false };
const UPDATE: Use = Use { reads: true, writes: true };

impl ExpressionText<'_> {
    /// Adds the lines of an expression, indented by `depth` blanks; none if it has no form.
    pub(super) fn write(&mut self, expression: &Term, depth: usize) -> Result<Option<()>> {
        self.used(expression, depth, READ)
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{:depth$}{text}", ""));
    }

    fn used(&mut self, expression: &Term, depth: usize, how: Use) -> Result<Option<()>> {
        let children = expression.children();
        match expression.kind() {
            TermKind::Affine(form) => {
                self.access(Tuple::anonymous(1), vec![form.0.clone()], depth, how)
            }
            TermKind::Element(element) => {
                let name = &self.scop.array(element.array).tuple_name;
                let tuple = Tuple::named(name, element.subscripts.len());
                self.access(tuple, element.subscripts.clone(), depth, how)
            }
            TermKind::Name => self.parameter(expression.text(), depth),
            TermKind::Literal(literal) => Ok(self.constant(*literal, expression.text(), depth)),
            TermKind::Parenthesized | TermKind::Unary(UnaryOperator::Plus) => match children {
                [inner] => self.used(inner, depth, how),
                _ => Ok(None),
            },
            TermKind::Unary(UnaryOperator::Dereference)
            | TermKind::Binary(BinaryOperator::Comma) => Ok(None),
            TermKind::Unary(operator @ (UnaryOperator::Increment | UnaryOperator::Decrement)) => {
                self.operation(operator.symbol(), children, depth, UPDATE)
            }
            TermKind::Postfix(operator) => {
                self.operation(operator.symbol(), children, depth, UPDATE)
            }
            TermKind::Unary(operator) => self.operation(operator.symbol(), children, depth, READ),
            TermKind::Binary(operator) => self.operation(operator.symbol(), children, depth, READ),
            TermKind::Conditional => self.operation("?:", children, depth, READ),
            TermKind::Assignment(operator) => {
                let target = match operator {
                    AssignmentOperator::Set => Use { reads: false, writes: true },
                    AssignmentOperator::Update(_) => UPDATE,
                };
                self.operation(operator.symbol(), children, depth, target)
            }
            TermKind::Call => match children {
                [function, arguments @ ..] if *function.kind() == TermKind::Name => {
                    self.line(depth, "type: call");
                    self.line(depth, &format!("name: {}", quote(function.text())));
                    match arguments.is_empty() {
                        true => Ok(Some(())),
                        false => self.arguments(arguments, depth, READ),
                    }
                }
                _ => Ok(None),
            },
            TermKind::Cast(Some(_)) => {
                let name = expression.cast_type().unwrap_or_default();
                let words: Vec<&str> = name.split_whitespace().collect();
                self.line(depth, "type: cast");
                self.line(depth, &format!("type_name: {}", quote(&words.join(" "))));
                self.arguments(children, depth, READ)
            }
            _ => Ok(None),
        }
    }

    fn constant(&mut self, literal: Literal, text: &str, depth: usize) -> Option<()> {
        match literal {
            Literal::Integer => {
                let value = text.parse::<i64>().ok()?;
                self.line(depth, "type: int");
                self.line(depth, &format!("value: {value}"));
            }
            Literal::Floating => {
                let value = text.trim_end_matches(['f', 'F', 'l', 'L']).parse::<f64>().ok()?;
                self.line(depth, "type: double");
                self.line(depth, &format!("value: {value}"));
                self.line(depth, &format!("string: {}", quote(text)));
            }
            Literal::Character | Literal::String => return None,
        }
        Some(())
    }

    fn operation(
        &mut self,
        operator: &str,
        operands: &[Term],
        depth: usize,
        first: Use,
    ) -> Result<Option<()>> {
        self.line(depth, "type: op");
        self.line(depth, &format!("operation: {}", quote(operator)));
        self.arguments(operands, depth, first)
    }

    fn arguments(&mut self, arguments: &[Term], depth: usize, first: Use) -> Result<Option<()>> {
        self.line(depth, "arguments:");
        for (position, argument) in arguments.iter().enumerate() {
            let start = self.lines.len();
            let how = if position == 0 { first } else { READ };
            if self.used(argument, depth + 2, how)?.is_none() {
                return Ok(None);
            }
            if let Some(line) = self.lines.get_mut(start) {
                line.replace_range(depth..depth + 2, "- ");
            }
        }
        Ok(Some(()))
    }

    /// The value of a parameter; none if the name is that of anything else.
    fn parameter(&mut self, name: &str, depth: usize) -> Result<Option<()>> {
        let domain = self.statement.domain.space();
        let params = domain.merge_params(&self.scop.context.space().to_params());
        let space = params.with_tuples(None, domain.output().cloned());
        let Some(position) = space.find_param(name) else { return Ok(None) };
        let value = PwAff::from_aff(Aff::variable(&space, DimKind::Param, position));
        self.access(Tuple::anonymous(1), vec![value], depth, READ)
    }

    fn access(
        &mut self,
        tuple: Tuple,
        members: Vec<PwAff>,
        depth: usize,
        how: Use,
    ) -> Result<Option<()>> {
        let domain = self.statement.domain.space();
        let params = members.iter().fold(domain.to_params(), |space, member| {
            space.merge_params(&member.space().to_params())
        });
        let space = params.with_tuples(domain.output().cloned(), Some(tuple));
        let members = members.iter().map(|member| member.align_params(&params)).collect();
        let index = MultiPwAff::new(space, members)?;
        self.line(depth, "type: access");
        self.line(depth, &format!("index: {}", quote(&index.to_string())));
        self.line(depth, &format!("reference: __pet_ref_{}", self.next_reference));
        self.line(depth, &format!("read: {}", u8::from(how.reads)));
        self.line(depth, &format!("write: {}", u8::from(how.writes)));
        *self.next_reference += 1;
        Ok(Some(()))
    }
}
