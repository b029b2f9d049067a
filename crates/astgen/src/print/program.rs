//! A tree as C text that compiles by itself, up to declarations of statements and parameters.
use crate::ast::node::{AstNode, ForLoop};
use crate::expressions::expression::AstExpr;
use crate::print::fresh_names::FreshNames;
use crate::print::lowering::Lowering;
use crate::print::options::{CText, PrintOptions};
use loopwright_presburger::{Name, Space};
use std::collections::{BTreeMap, BTreeSet};

/// What cannot be the name of anything in C.
const KEYWORDS: [&str; 44] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
];

/// The C text of a tree after definitions of the macros that it uses.
///
/// No two of iterators, parameters, statements and macros have the same name (a statement and a
/// parameter may, as the former is called and the latter is not), and no name is a keyword of C or
/// has characters that C does not allow: where that needs another name, it is `name_1` or the like.
///
/// ```
/// use loopwright_astgen::{Options, c_program, generate_from_map};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// let schedule = UnionMap::parse("[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }")?;
/// let context = Set::parse("{ : }")?;
/// let budget = Budget::steps(1_000_000);
/// let none = UnionMap::empty();
/// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
/// let expected = "\
/// #define min(x, y) ((x) < (y) ? (x) : (y))
/// for (int c0 = 0; c0 < min(m, n); c0 += 1)
///   S(c0);
/// ";
/// assert_eq!(c_program(&ast), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[must_use]
pub fn c_program(ast: &AstNode) -> String {
    c_program_with(ast, &PrintOptions::STANDARD)
}

/// As [`c_program`], with options of the text.
#[must_use]
pub fn c_program_with(ast: &AstNode, options: &PrintOptions) -> String {
    let mut names = Names::default();
    names.collect(ast);
    let mut used: BTreeSet<String> = KEYWORDS.iter().map(|word| word.to_string()).collect();
    let identifiers = names.free.difference(&names.iterators).cloned();
    let parameters = renamed(identifiers, &mut used);
    let statements = renamed(names.statements.iter().cloned(), &mut used);
    let lowering = Lowering::new(FreshNames::new(used));
    let mut program = Program { lowering, parameters, statements };
    let ast = program.node(ast);
    let mut text = String::new();
    for (_, definition) in program.lowering.definitions() {
        text.push_str(&definition);
        text.push('\n');
    }
    text + &CText::new(&ast).with_options(options).to_string()
}

/// The names in a tree, by role.
#[derive(Default)]
struct Names {
    iterators: BTreeSet<Name>,
    /// Iterators and parameters.
    free: BTreeSet<Name>,
    statements: BTreeSet<Name>,
}

impl Names {
    fn collect(&mut self, node: &AstNode) {
        match node {
            AstNode::For(each) => {
                self.iterators.insert(each.iterator.clone());
                self.collect_expression(&each.init);
                self.collect_expression(&each.condition);
                self.collect(&each.body);
            }
            AstNode::If { condition, then, otherwise } => {
                self.collect_expression(condition);
                self.collect(then);
                otherwise.iter().for_each(|node| self.collect(node));
            }
            AstNode::Block(children) => children.iter().for_each(|child| self.collect(child)),
            AstNode::Mark { child, .. } => self.collect(child),
            AstNode::User { statement, arguments, .. } => {
                self.statements.extend(statement_name(statement));
                arguments.iter().for_each(|argument| self.collect_expression(argument));
            }
        }
    }

    fn collect_expression(&mut self, expression: &AstExpr) {
        match expression {
            AstExpr::Id(name) => {
                self.free.insert(name.clone());
            }
            other => other.operands().into_iter().for_each(|e| self.collect_expression(e)),
        }
    }
}

fn statement_name(statement: &Space) -> Option<Name> {
    statement.output().and_then(|tuple| tuple.name().cloned())
}

/// Names for names, most of them the same; they are used from now on.
fn renamed(names: impl Iterator<Item = Name>, used: &mut BTreeSet<String>) -> BTreeMap<Name, Name> {
    let keywords: BTreeSet<&str> = KEYWORDS.into_iter().collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut changed = Vec::new();
    let mut result = BTreeMap::new();
    for name in names {
        let starts_well = !name.starts_with(|c: char| c.is_ascii_digit());
        if starts_well && name.chars().all(is_part) && !keywords.contains(&*name) {
            used.insert(name.to_string());
            result.insert(name.clone(), name);
        } else {
            changed.push(name);
        }
    }
    for name in changed {
        let mut wanted: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
        if wanted.starts_with(|c: char| c.is_ascii_digit()) {
            wanted.insert(0, '_');
        }
        let free = FreshNames::new(used.clone()).get(&wanted);
        used.insert(free.clone());
        result.insert(name, free.into());
    }
    result
}

/// Rewrites a tree to what C has.
struct Program {
    lowering: Lowering,
    parameters: BTreeMap<Name, Name>,
    statements: BTreeMap<Name, Name>,
}

impl Program {
    fn node(&mut self, node: &AstNode) -> AstNode {
        match node {
            AstNode::For(each) => {
                let init = self.expression(&each.init);
                let iterator = self.lowering.iterator(&each.iterator);
                let condition = self.expression(&each.condition);
                let body = Box::new(self.node(&each.body));
                AstNode::For(ForLoop { iterator, init, condition, body, ..each.clone() })
            }
            AstNode::If { condition, then, otherwise } => AstNode::If {
                condition: self.expression(condition),
                then: Box::new(self.node(then)),
                otherwise: otherwise.as_ref().map(|node| Box::new(self.node(node))),
            },
            AstNode::Block(children) => {
                AstNode::Block(children.iter().map(|child| self.node(child)).collect())
            }
            AstNode::Mark { name, dimension, child } => AstNode::Mark {
                name: name.clone(),
                dimension: *dimension,
                child: Box::new(self.node(child)),
            },
            AstNode::User { statement, arguments, place } => AstNode::User {
                statement: self.statement(statement),
                arguments: arguments.iter().map(|a| self.expression(a)).collect(),
                place: place.clone(),
            },
        }
    }

    fn statement(&self, statement: &Space) -> Space {
        let Some(tuple) = statement.output().cloned() else { return statement.clone() };
        let name = statement_name(statement).map(|name| self.statements[&name].clone());
        statement.with_tuples(None, Some(tuple.with_name(name)))
    }

    fn expression(&mut self, expression: &AstExpr) -> AstExpr {
        self.lowering.lower(&with_parameters(expression, &self.parameters))
    }
}

/// The expression with other names of parameters.
fn with_parameters(expression: &AstExpr, names: &BTreeMap<Name, Name>) -> AstExpr {
    match expression {
        AstExpr::Id(name) => AstExpr::Id(names.get(name).unwrap_or(name).clone()),
        other => other.map_operands(&mut |operand| with_parameters(operand, names)),
    }
}
