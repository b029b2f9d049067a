//! The values that a statement writes, as functions of what it reads: its body, executed on symbols.
//!
//! An `if` on data becomes a choice between the new value and the old one, so that every write is one for
//! sure. What has no value as a tree (loops, calls that are not pure, subscripts that depend on data) is
//! refused with its cause.
use crate::value::{Definition, Function, Node, NodeId, NodeKind, Operator, Read, ReadId, wrapped};
use loopwright_presburger::{Aff, Budget, DimKind, Int, Map, PwAff, PwMultiAff, Set, Space, Tuple};
use loopwright_scop::{
    AccessKind, ArithmeticOperator, ArrayId, AssignmentOperator, BinaryOperator,
    ComparisonOperator, Element, ElementKind, FloatingType, Literal, PostfixOperator, ScalarType,
    Scop, Statement, Term, TermKind, UnaryOperator,
};

/// Steps for folding integers of one body.
const STEPS: u64 = 200_000;

/// The nodes, reads and definitions of a program so far.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) nodes: Vec<Node>,
    pub(crate) reads: Vec<Read>,
    pub(crate) definitions: Vec<Definition>,
}

/// A value with its type, where that is known.
type Typed = (NodeId, Option<ScalarType>);

/// What elements hold in the middle of a statement.
type Held = Vec<((ArrayId, String), (Map, NodeId))>;

/// The execution of one statement on symbols.
pub(crate) struct Execution<'a> {
    scop: &'a Scop,
    statement: &'a Statement,
    /// Its position among the statements of the program.
    position: usize,
    values: &'a mut Values,
    held: Held,
    seen: Vec<ArrayId>,
    budget: Budget,
}

type Outcome<T> = Result<T, String>;

impl Values {
    pub(crate) fn node(&mut self, statement: usize, kind: NodeKind) -> NodeId {
        self.nodes.push(Node { statement, kind });
        NodeId(self.nodes.len() - 1)
    }

    /// How many there are of each.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        [self.nodes.len(), self.reads.len(), self.definitions.len()]
    }

    /// Takes back all but so many of each.
    pub(crate) fn take_back(&mut self, [nodes, reads, definitions]: [usize; 3]) {
        self.nodes.truncate(nodes);
        self.reads.truncate(reads);
        self.definitions.truncate(definitions);
    }

    /// A read of an element by the instances of a statement.
    pub(crate) fn read(&mut self, read: Read) -> NodeId {
        let statement = read.statement;
        self.reads.push(read);
        self.node(statement, NodeKind::Read(ReadId(self.reads.len() - 1)))
    }
}

impl<'a> Execution<'a> {
    pub(crate) fn new(
        scop: &'a Scop,
        statement: &'a Statement,
        position: usize,
        values: &'a mut Values,
    ) -> Self {
        let (held, seen, budget) = (Vec::new(), Vec::new(), Budget::steps(STEPS));
        Execution { scop, statement, position, values, held, seen, budget }
    }

    /// Adds what the statement writes to the definitions.
    ///
    /// # Errors
    /// In words, if the body has no value as a tree.
    pub(crate) fn run(mut self) -> Outcome<()> {
        let statement = self.statement;
        if !statement.body.hidden().is_empty() {
            return Err("it calls a function that accesses variables".to_string());
        }
        if let Some(root) = statement.body.root() {
            self.execute(root)?;
        }
        let is_seen = |id: ArrayId| self.seen.contains(&id);
        let of_data = |kind: AccessKind| kind != AccessKind::Kill;
        let unseen = statement.accesses.iter().find(|a| of_data(a.kind) && !is_seen(a.array));
        if let Some(access) = unseen {
            let name = &self.scop.array(access.array).name;
            return Err(format!("it accesses `{name}` in a way that is no element in its text"));
        }
        let statement = self.position;
        for ((array, _), (relation, value)) in self.held {
            self.values.definitions.push(Definition { statement, array, relation, value });
        }
        Ok(())
    }

    fn node(&mut self, kind: NodeKind) -> NodeId {
        self.values.node(self.position, kind)
    }

    fn execute(&mut self, term: &Term) -> Outcome<()> {
        match (term.kind(), term.children()) {
            (TermKind::Statement | TermKind::Parenthesized, [inner]) => self.execute(inner),
            (TermKind::Block, parts) => parts.iter().try_for_each(|part| self.execute(part)),
            (TermKind::If, [condition, then]) => self.branches(condition, then, None),
            (TermKind::If, [condition, then, otherwise]) => {
                self.branches(condition, then, Some(otherwise))
            }
            (TermKind::Binary(BinaryOperator::Comma), [left, right]) => {
                self.execute(left)?;
                self.execute(right)
            }
            (TermKind::Cast(None), [inner]) if term.cast_type() == Some("void") => {
                self.execute(inner)
            }
            _ => self.value(term).map(|_| ()),
        }
    }

    /// `if`: each element that a branch writes gets a choice of what the branches leave in it.
    fn branches(&mut self, condition: &Term, then: &Term, otherwise: Option<&Term>) -> Outcome<()> {
        let decision = self.decision(condition)?;
        let before = self.held.clone();
        self.execute(then)?;
        let after_then = std::mem::replace(&mut self.held, before.clone());
        if let Some(otherwise) = otherwise {
            self.execute(otherwise)?;
        }
        let after_else = std::mem::replace(&mut self.held, before);
        let mut keys: Vec<(ArrayId, String)> = Vec::new();
        for (key, _) in after_then.iter().chain(&after_else) {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        for key in keys {
            let find = |held: &Held| held.iter().find(|(own, _)| *own == key).map(|h| h.1.clone());
            let (then, otherwise) = (find(&after_then), find(&after_else));
            let relation = then.as_ref().or(otherwise.as_ref()).map(|(map, _)| map.clone());
            let Some(relation) = relation else { continue };
            let mut old = |value: Option<(Map, NodeId)>| match value {
                Some((_, node)) => node,
                None => self.fresh_read(key.0, &relation),
            };
            let (then, otherwise) = (old(then), old(otherwise));
            let chosen = self.chosen(&decision, then, otherwise);
            self.hold(key, relation, chosen);
        }
        Ok(())
    }

    fn hold(&mut self, key: (ArrayId, String), relation: Map, value: NodeId) {
        match self.held.iter_mut().find(|(own, _)| *own == key) {
            Some((_, held)) => held.1 = value,
            None => self.held.push((key, (relation, value))),
        }
    }

    fn fresh_read(&mut self, array: ArrayId, relation: &Map) -> NodeId {
        let statement = self.position;
        self.values.read(Read { statement, array, relation: relation.clone() })
    }

    /// The element that a term names: its key and the relation from instances to it.
    fn element(&mut self, element: &Element) -> Outcome<((ArrayId, String), Map)> {
        let array = self.scop.array(element.array);
        if element.subscripts.len() != array.extents.len() {
            return Err(format!("it uses the whole of `{}`, or a part of it", array.name));
        }
        if !self.seen.contains(&element.array) {
            self.seen.push(element.array);
        }
        let tuple = Tuple::named(&array.tuple_name, element.subscripts.len());
        let domain = &self.statement.domain;
        let relation = relation_of(domain, tuple, &element.subscripts).map_err(words)?;
        let text: Vec<String> = element.subscripts.iter().map(ToString::to_string).collect();
        Ok(((element.array, text.join("; ")), relation))
    }

    /// What an element holds.
    fn load(&mut self, element: &Element) -> Outcome<Typed> {
        let (key, relation) = self.element(element)?;
        let value_type = self.scop.array(element.array).scalar_type();
        if let Some((_, (_, node))) = self.held.iter().find(|(own, _)| *own == key) {
            return Ok((*node, value_type));
        }
        self.refuse_other_elements(&key)?;
        if let Some(constant) = self.constant_of_other_program(element)? {
            return Ok((self.integer(constant).0, value_type));
        }
        Ok((self.fresh_read(key.0, &relation), value_type))
    }

    /// The symbolic constant that a variable is in the other program: an integer that is data here.
    fn constant_of_other_program(&self, element: &Element) -> Outcome<Option<PwAff>> {
        let array = self.scop.array(element.array);
        let is_integer = matches!(array.element_kind, ElementKind::Signed | ElementKind::Unsigned);
        let position = self.space().find_param(&array.name);
        let Some(position) =
            position.filter(|_| array.extents.is_empty() && !array.declared_in_scop && is_integer)
        else {
            return Ok(None);
        };
        let accesses = self.scop.statements.iter().flat_map(|statement| &statement.accesses);
        let mut own = accesses.filter(|access| access.array == element.array);
        match own.any(|access| access.kind != AccessKind::Read) {
            true => Err(format!("`{}` is changed, and a symbolic constant elsewhere", array.name)),
            false => {
                Ok(Some(PwAff::from_aff(Aff::variable(self.space(), DimKind::Param, position))))
            }
        }
    }

    fn store(&mut self, element: &Element, value: Typed) -> Outcome<Typed> {
        let (key, relation) = self.element(element)?;
        self.refuse_other_elements(&key)?;
        let array = self.scop.array(element.array);
        let value_type = array.scalar_type();
        let value = match is_truth(&array.element_type) {
            true => self.truth(value)?,
            false => value,
        };
        let value = self.converted(value, value_type);
        self.hold(key, relation, value);
        Ok((value, value_type))
    }

    fn refuse_other_elements(&self, key: &(ArrayId, String)) -> Outcome<()> {
        match self.held.iter().any(|(own, _)| own.0 == key.0 && own.1 != key.1) {
            true => {
                let name = &self.scop.array(key.0).name;
                Err(format!("it writes an element of `{name}` and uses others of it"))
            }
            false => Ok(()),
        }
    }

    /// A value as one of another type.
    fn converted(&mut self, (node, from): Typed, to: Option<ScalarType>) -> NodeId {
        let Some(of) = to.filter(|_| from != to) else { return node };
        let form = self.as_integer(node);
        if let (Some(value), ScalarType::Integer { is_signed, bytes }) =
            (form.and_then(constant_of), of)
        {
            let value = value.to_i64().and_then(|own| wrapped(i128::from(own), is_signed, bytes));
            if let Some(value) = value.and_then(|own| i64::try_from(own).ok()) {
                return self.constant(Int::from(value)).0;
            }
        }
        match form.is_some() && from.is_some_and(|from| keeps_values(from, of)) {
            true => node,
            false => self.operation(Function::Convert, to, vec![node]),
        }
    }

    /// A value as one of `_Bool`: whether it is not zero.
    fn truth(&mut self, value: Typed) -> Outcome<Typed> {
        if let Some(known) = self.as_integer(value.0).and_then(constant_of) {
            return Ok(self.constant(if known.is_zero() { Int::ZERO } else { Int::ONE }));
        }
        let (zero, one) = (self.constant(Int::ZERO), self.constant(Int::ONE));
        let decision = self.compared(ComparisonOperator::NotEqual, value, zero)?;
        Ok((self.chosen(&decision, one.0, zero.0), Some(ScalarType::INT)))
    }

    fn operation(
        &mut self,
        function: Function,
        value_type: Option<ScalarType>,
        operands: Vec<NodeId>,
    ) -> NodeId {
        self.node(NodeKind::Operation(Operator::new(function, value_type), operands))
    }

    fn integer(&mut self, form: PwAff) -> Typed {
        (self.node(NodeKind::Integer(form)), Some(ScalarType::INT))
    }

    fn as_integer(&self, node: NodeId) -> Option<&PwAff> {
        match &self.values.nodes[node.0].kind {
            NodeKind::Integer(form) => Some(form),
            _ => None,
        }
    }

    fn space(&self) -> &'a Space {
        self.statement.domain.space()
    }

    fn constant(&mut self, value: Int) -> Typed {
        let form = PwAff::from_aff(Aff::constant(self.space(), &value));
        self.integer(form)
    }

    /// The value of an expression.
    fn value(&mut self, term: &Term) -> Outcome<Typed> {
        match (term.kind(), term.children()) {
            (TermKind::Affine(form), _) => Ok(self.integer(form.0.clone())),
            (TermKind::Element(element), _) => self.load(element),
            (TermKind::Literal(kind), _) => self.literal(*kind, term.text()),
            (TermKind::Name, _) => self.name(term.text()),
            (TermKind::Parenthesized | TermKind::Statement, [inner]) => self.value(inner),
            (TermKind::Unary(operator), [inner]) => self.unary(*operator, inner),
            (TermKind::Postfix(operator), [inner]) => self.postfix(*operator, inner),
            (TermKind::Binary(operator), [left, right]) => self.binary(*operator, left, right),
            (TermKind::Assignment(operator), [target, value]) => {
                self.assignment(*operator, target, value)
            }
            (TermKind::Conditional, [condition, then, otherwise]) => {
                self.conditional(condition, then, otherwise)
            }
            (TermKind::Call, [function, arguments @ ..]) => self.call(function, arguments),
            (TermKind::Cast(to), [inner]) => {
                let mut value = self.value(inner)?;
                if term.cast_type().is_some_and(is_truth) {
                    value = self.truth(value)?;
                }
                match to {
                    Some(_) => Ok((self.converted(value, *to), *to)),
                    None => Err(format!("its cast `{}` is to no known type", term.text())),
                }
            }
            (TermKind::Opaque, []) => self.signed_number(term.text()),
            (TermKind::Subscript, _) => Err("its subscripts depend on data".to_string()),
            _ => Err(format!("it has a part that is no expression: `{}`", start_of(term))),
        }
    }

    fn assignment(
        &mut self,
        operator: AssignmentOperator,
        target: &Term,
        value: &Term,
    ) -> Outcome<Typed> {
        let Some(element) = target.without_parentheses().as_element() else {
            return Err("it assigns to something that is no element of an array".to_string());
        };
        let value = match operator {
            AssignmentOperator::Set => self.value(value)?,
            AssignmentOperator::Update(operator) => {
                let old = self.load(element)?;
                let value = self.value(value)?;
                self.arithmetic(operator, old, value)
            }
        };
        self.store(element, value)
    }

    fn postfix(&mut self, operator: PostfixOperator, target: &Term) -> Outcome<Typed> {
        let Some(element) = target.without_parentheses().as_element() else {
            return Err("it changes something that is no element of an array".to_string());
        };
        let old = self.load(element)?;
        let one = self.constant(Int::ONE);
        let operator = match operator {
            PostfixOperator::Increment => ArithmeticOperator::Add,
            PostfixOperator::Decrement => ArithmeticOperator::Subtract,
        };
        let new = self.arithmetic(operator, old, one);
        self.store(element, new)?;
        Ok(old)
    }

    fn unary(&mut self, operator: UnaryOperator, inner: &Term) -> Outcome<Typed> {
        match operator {
            UnaryOperator::Plus => self.value(inner),
            UnaryOperator::Negate => {
                let value = self.value(inner)?;
                Ok(self.negated(value))
            }
            UnaryOperator::Complement => {
                let (node, of) = self.value(inner)?;
                let of = of.map(ScalarType::promoted);
                Ok((self.operation(Function::Complement, of, vec![node]), of))
            }
            UnaryOperator::Not => {
                let decision = self.decision(inner)?;
                let (zero, one) = (self.constant(Int::ZERO).0, self.constant(Int::ONE).0);
                Ok((self.chosen(&decision, zero, one), Some(ScalarType::INT)))
            }
            UnaryOperator::Increment | UnaryOperator::Decrement => {
                let is_increment = operator == UnaryOperator::Increment;
                let postfix = match is_increment {
                    true => PostfixOperator::Increment,
                    false => PostfixOperator::Decrement,
                };
                self.postfix(postfix, inner)?;
                self.value(inner)
            }
            UnaryOperator::AddressOf | UnaryOperator::Dereference => {
                Err("it computes with addresses".to_string())
            }
        }
    }

    fn negated(&mut self, (node, of): Typed) -> Typed {
        let of_value = of.map(ScalarType::promoted);
        if let Some(form) = self.as_integer(node)
            && (!may_wrap(of_value) || constant_of(form).is_some())
        {
            let form = form.neg();
            let negated = (self.integer(form).0, None);
            return (self.converted(negated, of_value), of_value);
        }
        // Of a constant that is not zero the sign is part of it.
        if let NodeKind::Operation(operator, operands) = &self.values.nodes[node.0].kind {
            let constant = operands.first().and_then(|own| constant_of(self.as_integer(*own)?));
            let value = constant.filter(|value| !value.is_zero());
            if let (Function::Convert, Some(value)) = (&operator.function, value) {
                let constant = self.constant(-value).0;
                return (self.operation(Function::Convert, of, vec![constant]), of);
            }
        }
        let of = of.map(ScalarType::promoted);
        (self.operation(Function::Negate, of, vec![node]), of)
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Term, right: &Term) -> Outcome<Typed> {
        match operator {
            BinaryOperator::Arithmetic(operator) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                Ok(self.arithmetic(operator, left, right))
            }
            BinaryOperator::Comma => {
                self.execute(left)?;
                self.value(right)
            }
            BinaryOperator::Comparison(_)
            | BinaryOperator::LogicalAnd
            | BinaryOperator::LogicalOr => {
                let decision = self.decision_of_binary(operator, left, right)?;
                let (zero, one) = (self.constant(Int::ZERO).0, self.constant(Int::ONE).0);
                Ok((self.chosen(&decision, one, zero), Some(ScalarType::INT)))
            }
        }
    }

    fn arithmetic(&mut self, operator: ArithmeticOperator, left: Typed, right: Typed) -> Typed {
        let may_wrap = may_wrap(left.1) || may_wrap(right.1);
        let joined = left.1.zip(right.1).map(|(a, b)| a.joined(b));
        let folded = (!may_wrap).then(|| self.folded(operator, left.0, right.0)).flatten();
        if let Some(folded) = folded {
            return (self.integer(folded).0, Some(joined.unwrap_or(ScalarType::INT)));
        }
        let is_shift =
            matches!(operator, ArithmeticOperator::ShiftLeft | ArithmeticOperator::ShiftRight);
        let of = match is_shift {
            true => left.1.map(ScalarType::promoted),
            false => joined,
        };
        let right = if is_shift { right.0 } else { self.converted(right, of) };
        let left = self.converted(left, of);
        (self.operation(Function::Arithmetic(operator), of, vec![left, right]), of)
    }

    /// The operation on two integers that are functions of the instance, where that is one again.
    fn folded(&self, operator: ArithmeticOperator, left: NodeId, right: NodeId) -> Option<PwAff> {
        use ArithmeticOperator::{Add, Divide, Multiply, Remainder, Subtract};
        let (left, right) = (self.as_integer(left)?, self.as_integer(right)?);
        let divisor = || constant_of(right).filter(|value| *value > Int::ZERO);
        match operator {
            Add => left.add(right).ok(),
            Subtract => left.sub(right).ok(),
            Multiply => left.mul(right).ok(),
            Divide => left.tdiv_q(&divisor()?, &self.budget).ok(),
            Remainder => left.tdiv_r(&divisor()?, &self.budget).ok(),
            _ => None,
        }
    }

    fn conditional(&mut self, condition: &Term, then: &Term, otherwise: &Term) -> Outcome<Typed> {
        let decision = self.decision(condition)?;
        let before = self.held.clone();
        let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
        if before.iter().map(|h| h.1.1).ne(self.held.iter().map(|h| h.1.1)) {
            return Err("a branch of `?:` assigns".to_string());
        }
        let of = then.1.zip(otherwise.1).map(|(a, b)| a.joined(b));
        let (then, otherwise) = (self.converted(then, of), self.converted(otherwise, of));
        Ok((self.chosen(&decision, then, otherwise), of))
    }

    fn call(&mut self, function: &Term, arguments: &[Term]) -> Outcome<Typed> {
        if *function.kind() != TermKind::Name {
            return Err("it calls a function by its address".to_string());
        }
        let name = function.text();
        let result = result_type(name);
        let values: Vec<Typed> =
            arguments.iter().map(|argument| self.value(argument)).collect::<Outcome<_>>()?;
        // Parameters of functions of the library are converted to their type; of others it is not known to
        // what.
        let operands = values.into_iter().map(|value| match result {
            Some(of) => self.converted(value, Some(of)),
            None => value.0,
        });
        let operands: Vec<NodeId> = operands.collect();
        let plain = name.strip_prefix("__builtin_").unwrap_or(name).to_string();
        Ok((self.operation(Function::Call(plain), result, operands), result))
    }

    fn name(&mut self, name: &str) -> Outcome<Typed> {
        let known = self.scop.parameters.iter().find(|own| *own.name == *name);
        let position = self.space().find_param(name);
        match known.zip(position) {
            Some((parameter, position)) => {
                let value = Aff::variable(self.space(), DimKind::Param, position);
                // The name of a type that the program declares may be one whose values wrap.
                let of = ScalarType::of_name(&parameter.c_type);
                Ok((self.integer(PwAff::from_aff(value)).0, of))
            }
            None => Err(format!("`{name}` is no variable of the model")),
        }
    }

    fn literal(&mut self, kind: Literal, text: &str) -> Outcome<Typed> {
        if let (Literal::Integer, Some((value, of))) = (kind, integer_constant(text)) {
            return Ok((self.constant(Int::from(value)).0, Some(of)));
        }
        let of = ScalarType::of_number(text);
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        match kind {
            Literal::Integer => {
                Ok((self.operation(Function::Constant(text.into()), of, Vec::new()), of))
            }
            Literal::Floating => Ok(self.floating(of, digits, text)),
            Literal::Character => {
                let of = Some(ScalarType::INT);
                Ok((self.operation(Function::Constant(text.into()), of, Vec::new()), of))
            }
            Literal::String => Err("it has a text".to_string()),
        }
    }

    /// A floating constant: that of an integer is the same as the conversion of it.
    fn floating(&mut self, of: Option<ScalarType>, digits: &str, text: &str) -> Typed {
        let bits = match of {
            Some(ScalarType::Floating(FloatingType::Double)) => digits.parse::<f64>().ok(),
            Some(ScalarType::Floating(FloatingType::Float)) => {
                digits.parse::<f32>().ok().map(f64::from)
            }
            _ => None,
        };
        let Some(value) = bits else {
            return (self.operation(Function::Constant(text.into()), of, Vec::new()), of);
        };
        if value.fract() == 0.0 && value.abs() < LARGEST_EXACT {
            let constant = self.constant(Int::from(value as i64)).0;
            return (self.operation(Function::Convert, of, vec![constant]), of);
        }
        let name = format!("{value:?}");
        (self.operation(Function::Constant(name), of, Vec::new()), of)
    }

    /// A number with a sign that is one text.
    fn signed_number(&mut self, text: &str) -> Outcome<Typed> {
        let text = text.trim();
        let number = text.strip_prefix(['-', '+']).map(str::trim_start);
        match number.and_then(|number| Some((number, Literal::of(number)?))) {
            Some((number, kind)) => {
                let value = self.literal(kind, number)?;
                Ok(if text.starts_with('-') { self.negated(value) } else { value })
            }
            None => Err("it has a part that is no expression".to_string()),
        }
    }
}

/// Integers up to this are numbers of type `float`.
const LARGEST_EXACT: f64 = 16_777_216.0;

/// A condition.
enum Decision {
    /// One on the instance.
    Instances(Set),
    /// One on the value of a node: that it is not zero, or that it is.
    Data { value: NodeId, is_zero: bool },
}

impl Execution<'_> {
    fn decision(&mut self, term: &Term) -> Outcome<Decision> {
        match (term.kind(), term.children()) {
            (TermKind::Parenthesized, [inner]) => self.decision(inner),
            (TermKind::Unary(UnaryOperator::Not), [inner]) => match self.decision(inner)? {
                Decision::Data { value, is_zero } => {
                    Ok(Decision::Data { value, is_zero: !is_zero })
                }
                Decision::Instances(holds) => {
                    let rest = self.statement.domain.subtract(&holds, &self.budget);
                    rest.map(Decision::Instances).map_err(words)
                }
            },
            (TermKind::Binary(operator), [left, right])
                if !matches!(operator, BinaryOperator::Arithmetic(_) | BinaryOperator::Comma) =>
            {
                self.decision_of_binary(*operator, left, right)
            }
            _ => {
                let value = self.value(term)?;
                let zero = self.constant(Int::ZERO);
                self.compared(ComparisonOperator::NotEqual, value, zero)
            }
        }
    }

    fn decision_of_binary(
        &mut self,
        operator: BinaryOperator,
        left: &Term,
        right: &Term,
    ) -> Outcome<Decision> {
        if let BinaryOperator::Comparison(comparison) = operator {
            let (left, right) = (self.value(left)?, self.value(right)?);
            return self.compared(comparison, left, right);
        }
        let before: Vec<NodeId> = self.held.iter().map(|held| held.1.1).collect();
        let (left, right) = (self.decision(left)?, self.decision(right)?);
        if before.into_iter().ne(self.held.iter().map(|held| held.1.1)) {
            return Err("an operand of `&&` or `||` assigns".to_string());
        }
        let is_and = operator == BinaryOperator::LogicalAnd;
        if let (Decision::Instances(left), Decision::Instances(right)) = (&left, &right) {
            let both = if is_and { left.intersect(right) } else { left.union(right) };
            return both.map(Decision::Instances).map_err(words);
        }
        let (zero, one) = (self.constant(Int::ZERO).0, self.constant(Int::ONE).0);
        let right = self.chosen(&right, one, zero);
        let node = match is_and {
            true => self.chosen(&left, right, zero),
            false => self.chosen(&left, one, right),
        };
        Ok(Decision::Data { value: node, is_zero: false })
    }

    /// A comparison, in one of the forms `<`, `<=`, `==`.
    fn compared(
        &mut self,
        operator: ComparisonOperator,
        left: Typed,
        right: Typed,
    ) -> Outcome<Decision> {
        use ComparisonOperator as C;
        let may_wrap = may_wrap(left.1) || may_wrap(right.1);
        let integers = self.as_integer(left.0).zip(self.as_integer(right.0));
        if let Some((a, b)) = integers.filter(|_| !may_wrap) {
            let holds = match operator {
                C::Less => a.lt_set(b),
                C::LessOrEqual => a.le_set(b),
                C::Greater => a.gt_set(b),
                C::GreaterOrEqual => a.ge_set(b),
                C::Equal => a.eq_set(b),
                C::NotEqual => a.ne_set(b),
            };
            return holds.map(Decision::Instances).map_err(words);
        }
        let of = left.1.zip(right.1).map(|(a, b)| a.joined(b));
        let (left, right) = (self.converted(left, of), self.converted(right, of));
        let (operator, operands, is_zero) = match operator {
            C::Greater => (C::Less, vec![right, left], false),
            C::GreaterOrEqual => (C::LessOrEqual, vec![right, left], false),
            C::NotEqual => (C::Equal, vec![left, right], true),
            own => (own, vec![left, right], false),
        };
        let value = self.operation(Function::Comparison(operator), of, operands);
        Ok(Decision::Data { value, is_zero })
    }

    fn chosen(&mut self, decision: &Decision, then: NodeId, otherwise: NodeId) -> NodeId {
        match decision {
            Decision::Instances(condition) => {
                self.node(NodeKind::Choice { condition: condition.clone(), then, otherwise })
            }
            Decision::Data { value, is_zero } => {
                let (then, otherwise) =
                    if *is_zero { (otherwise, then) } else { (then, otherwise) };
                self.operation(Function::Select, None, vec![*value, then, otherwise])
            }
        }
    }
}

/// `S[i] -> A[x]` for subscripts over the domain.
pub(crate) fn relation_of(
    domain: &Set,
    tuple: Tuple,
    subscripts: &[PwAff],
) -> loopwright_presburger::Result<Map> {
    let range = Space::set(domain.space().param_names(), tuple);
    let space = domain.space().map_to(&range);
    if subscripts.is_empty() {
        return Map::from_domain_and_range(domain, &Set::universe(range));
    }
    PwMultiAff::from_pw_affs(space, subscripts)?.to_map().intersect_domain(domain)
}

/// The integer that a function of the instance is everywhere.
fn constant_of(form: &PwAff) -> Option<Int> {
    let value = form.as_aff()?.constant_value()?;
    value.to_int()
}

/// How a part begins.
fn start_of(term: &Term) -> String {
    let text = term.text().trim();
    match text.char_indices().nth(24) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

/// An integer constant with its type: decimal, hexadecimal or octal, with any suffix; none if it is larger
/// than the values here.
fn integer_constant(text: &str) -> Option<(i64, ScalarType)> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (is_decimal, value) = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
        (Some(hexadecimal), _) => (false, i64::from_str_radix(hexadecimal, 16)),
        (None, Some(octal)) if !octal.is_empty() => (false, i64::from_str_radix(octal, 8)),
        _ => (true, digits.parse()),
    };
    let value: i64 = value.ok()?;
    let is_unsigned = suffix.contains('u');
    let least = if suffix.contains('l') { 8 } else { 4 };
    let all = [
        (true, 4, i64::from(i32::MAX)),
        (false, 4, i64::from(u32::MAX)),
        (true, 8, i64::MAX),
        (false, 8, i64::MAX),
    ];
    let fits = |(is_signed, bytes, most): &(bool, u64, i64)| {
        let may = if is_unsigned { !is_signed } else { *is_signed || !is_decimal };
        may && *bytes >= least && value <= *most
    };
    let (is_signed, bytes, _) = all.into_iter().find(fits)?;
    Some((value, ScalarType::Integer { is_signed, bytes }))
}

/// Whether a type is that of truth values, to which all numbers but zero are 1.
fn is_truth(name: &str) -> bool {
    matches!(name.trim(), "_Bool" | "bool")
}

/// Whether a type has all values of another one.
fn keeps_values(from: ScalarType, to: ScalarType) -> bool {
    match (from, to) {
        (
            ScalarType::Integer { is_signed, bytes },
            ScalarType::Integer { is_signed: to_signed, bytes: to_bytes },
        ) => match (is_signed, to_signed) {
            (true, false) => false,
            (false, true) => bytes < to_bytes,
            _ => bytes <= to_bytes,
        },
        _ => false,
    }
}

/// Whether arithmetic in a type may wrap: in unsigned ones, and where the type is not known.
fn may_wrap(of: Option<ScalarType>) -> bool {
    !matches!(of, Some(ScalarType::Integer { is_signed: true, .. } | ScalarType::Floating(_)))
}

pub(crate) fn words(error: loopwright_presburger::Error) -> String {
    error.to_string()
}

/// Functions of C's library on floating numbers, without the letter of their type.
const LIBRARY: [&str; 24] = [
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "asin", "acos", "atan", "atan2", "tanh", "pow", "fabs", "floor", "ceil", "fmin", "fmax",
    "hypot",
];

/// The type of what a function of C's library returns, which is that of its parameters.
pub(crate) fn result_type(name: &str) -> Option<ScalarType> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let is_known = |stem: &str| LIBRARY.contains(&stem);
    let of = match name {
        _ if is_known(name) => FloatingType::Double,
        _ if name.strip_suffix('f').is_some_and(is_known) => FloatingType::Float,
        _ if name.strip_suffix('l').is_some_and(is_known) => FloatingType::LongDouble,
        _ => return None,
    };
    Some(ScalarType::Floating(of))
}
