//! Calls in affine expressions: functions that only return an expression of their parameters, and the
//! conventional names of roundings and extrema.
use crate::diagnostics::refusal::Refusal;
use crate::facts::functions::is_conventional;
use crate::facts::integer_type::IntegerType;
use crate::model::linear::{Limit, Linear};
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses, visit};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;

/// Calls inside of each other that are followed.
const MAX_DEPTH: usize = 16;

impl<'t> Extractor<'_, 't> {
    /// The value of a call.
    pub(crate) fn call_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let unknown = |this: &Self| {
            this.not_affine(node, "its value comes from a function")
                .with_hint("call it before the region, if it gives the same value each time")
        };
        let callee = node.field(Field::Function).map(strip_parentheses);
        let arguments = node.field(Field::Arguments);
        let (Some(callee), Some(arguments)) = (callee, arguments) else {
            return Err(unknown(self));
        };
        let name = self.text(callee);
        let arguments: Vec<Node<'t>> = named_children(arguments).collect();
        let source = self.facts.source;
        let functions = self.functions(node);
        if let Some((parameters, value)) = functions.returned(source, name) {
            return match parameters.len() == arguments.len() {
                true => self.returned_value(node, &parameters, value, &arguments),
                false => Err(unknown(self)),
            };
        }
        let is_declared = functions.is_declared(name);
        match arguments[..] {
            [a, b] if !is_declared && self.scopes.lookup(name).is_none() => {
                self.conventional(node, name, a, b)
            }
            _ => Err(unknown(self)),
        }
    }

    /// The value of an expression of parameters.
    fn returned_value(
        &mut self,
        node: Node<'t>,
        parameters: &[String],
        value: Node<'t>,
        arguments: &[Node<'t>],
    ) -> Result<Value, Refusal> {
        let mut is_closed = self.at.inlined < MAX_DEPTH;
        visit(value, |n, _| {
            let is_name = n.kind() == Kind::Identifier
                && n.parent().is_none_or(|p| p.kind() != Kind::CallExpression);
            is_closed &= !is_name || parameters.iter().any(|p| p == self.text(n));
            is_closed
        });
        let mut definition = value;
        while let Some(parent) =
            definition.parent().filter(|_| definition.kind() != Kind::FunctionDefinition)
        {
            definition = parent;
        }
        let returns = definition.field(Field::Type).map_or("", |t| self.text(t));
        if !is_closed || !matches!(returns, "int" | "long" | "long long" | "long int") {
            return Err(self.not_affine(node, "its value comes from a function"));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push((*argument, self.value(*argument)?));
        }
        self.scopes.enter_function(self.facts.source, definition);
        let mut bound = Vec::with_capacity(values.len());
        let mut given = Ok(());
        for (parameter, (argument, value)) in parameters.iter().zip(values) {
            if let Some(crate::facts::scope::Entity::Variable(variable)) =
                self.scopes.lookup(parameter)
            {
                let scalar = self.variable(variable).declared.scalar.clone();
                match self.converted_to(argument, value, &scalar) {
                    Ok(value) => drop(self.values.known.insert(variable, value.pieces)),
                    Err(refusal) => given = Err(refusal),
                }
                bound.push(variable);
            }
        }
        let result = self.scoped(|this| {
            this.at.inlined += 1;
            given.and_then(|()| this.value(value))
        });
        bound.iter().for_each(|variable| drop(self.values.known.remove(variable)));
        self.scopes.pop();
        let bytes = if returns == "int" { 4 } else { 8 };
        self.converted(node, result?, IntegerType { bytes, signed: true })
    }

    /// `floord`, `ceild`, `min` and `max`, which no file declares that uses them as PENCIL's.
    fn conventional(
        &mut self,
        node: Node<'t>,
        name: &str,
        a: Node<'t>,
        b: Node<'t>,
    ) -> Result<Value, Refusal> {
        if !is_conventional(name) {
            return Err(self.not_affine(node, "its value comes from a function"));
        }
        let (x, y) = (self.value(a)?, self.value(b)?);
        let integer_type = x.integer_type;
        let pieces = match name {
            "min" | "imin" => self.extremum(&x.pieces, &y.pieces, true),
            "max" | "imax" => self.extremum(&x.pieces, &y.pieces, false),
            _ => {
                let Some(divisor) = y.pieces.as_constant().filter(|d| *d > 0) else {
                    return Err(self.not_affine(node, "the divisor is not a positive constant"));
                };
                let up =
                    if name.starts_with("ceil") || name == "intCeil" { divisor - 1 } else { 0 };
                let symbols = &mut self.out.symbols;
                x.pieces.flat_map(|linear| {
                    Ok(Pieces::single(symbols.floor(&linear.add_constant(up)?, divisor)?))
                })
            }
        };
        let pieces = self.check(node, pieces)?;
        self.out.assume(format!("`{name}` is the function that its name says"));
        self.arithmetic(node, pieces, integer_type)
    }

    fn extremum(&self, x: &Pieces, y: &Pieces, is_least: bool) -> Result<Pieces, Limit> {
        use crate::model::comparison::Comparison;
        let difference = x.zip(y, Linear::sub)?;
        let comparison = if is_least { Comparison::LessEqual } else { Comparison::GreaterEqual };
        let first = self.compare(&difference, comparison)?;
        Pieces::select(&first, x, y)
    }
}
