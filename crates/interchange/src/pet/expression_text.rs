//! Writing expressions.
use crate::c_expression::CExpression;
use loopwright_presburger::{Aff, DimKind, MultiPwAff, PwAff, Result, Tuple};
use loopwright_schedule::yaml::quote;
use loopwright_scop::{BodyPiece, Scop, Statement};

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

impl ExpressionText<'_> {
    /// Adds the lines of an expression, indented by `depth` blanks; none if it has no form.
    pub(super) fn write(&mut self, expression: &CExpression, depth: usize) -> Result<Option<()>> {
        self.used(expression, depth, READ)
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{:depth$}{text}", ""));
    }

    fn used(&mut self, expression: &CExpression, depth: usize, how: Use) -> Result<Option<()>> {
        match expression {
            CExpression::Hole(piece) => return self.hole(*piece, depth, how),
            CExpression::Name(name) => return self.parameter(name, depth),
            CExpression::Integer(text) => {
                let Ok(value) = text.parse::<i64>() else { return Ok(None) };
                self.line(depth, "type: int");
                self.line(depth, &format!("value: {value}"));
            }
            CExpression::Floating(text) => {
                let Ok(value) = text.trim_end_matches(['f', 'F', 'l', 'L']).parse::<f64>() else {
                    return Ok(None);
                };
                self.line(depth, "type: double");
                self.line(depth, &format!("value: {value}"));
                self.line(depth, &format!("string: {}", quote(text)));
            }
            CExpression::Operation(operator, operands) => {
                if operator == "," || operator == "*" && operands.len() == 1 {
                    return Ok(None);
                }
                self.line(depth, "type: op");
                self.line(depth, &format!("operation: {}", quote(operator)));
                return self.arguments(operands, depth, first_use(operator, operands.len()));
            }
            CExpression::Call(name, arguments) => {
                self.line(depth, "type: call");
                self.line(depth, &format!("name: {}", quote(name)));
                return match arguments.is_empty() {
                    true => Ok(Some(())),
                    false => self.arguments(arguments, depth, READ),
                };
            }
            CExpression::Cast(name, operand) => {
                self.line(depth, "type: cast");
                self.line(depth, &format!("type_name: {}", quote(name)));
                return self.arguments(std::slice::from_ref(&**operand), depth, READ);
            }
        }
        Ok(Some(()))
    }

    fn arguments(
        &mut self,
        arguments: &[CExpression],
        depth: usize,
        first: Use,
    ) -> Result<Option<()>> {
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

    fn hole(&mut self, piece: usize, depth: usize, how: Use) -> Result<Option<()>> {
        match self.statement.body.get(piece) {
            Some(BodyPiece::Expression(value)) => {
                self.access(Tuple::anonymous(1), vec![value.clone()], depth, how)
            }
            Some(BodyPiece::Element { array, subscripts, .. }) => {
                let name = &self.scop.array(*array).tuple_name;
                let tuple = Tuple::named(name, subscripts.len());
                self.access(tuple, subscripts.clone(), depth, how)
            }
            _ => Ok(None),
        }
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

/// How an operator uses its first operand.
fn first_use(operator: &str, n_operands: usize) -> Use {
    match (operator, n_operands) {
        ("=", 2) => Use { reads: false, writes: true },
        ("+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=", 2) => {
            Use { reads: true, writes: true }
        }
        ("++" | "--", 1) => Use { reads: true, writes: true },
        _ => READ,
    }
}
