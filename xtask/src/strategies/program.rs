//! Generated loops as a program: their machine code, and what they execute.
use crate::counted::Workplace;
use loopwright::CodegenOptions;
use loopwright_astgen::{AstNode, CText};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What the generated code may use.
const HELPERS: &str = "\
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
static inline long floord(long n, long d) { return n / d - (n % d < 0); }
volatile long sink;
void counted(void);
";

/// Calls the loops.
const MAIN: &str = "int main(void) { CALL; return 0; }\n";

/// Calls the loops, counting the statements.
const TRIAL_MAIN: &str = "\
#include <stdlib.h>
#include <unistd.h>
static long n_statements;
void counted(void) { if (++n_statements > 200000) _Exit(2); }
int main(void) { alarm(5); CALL; return n_statements == 0; }
";

/// The names of parameters, and their values.
pub(super) type Values = Vec<(String, i64)>;

/// The names of statements, and how many arguments they have.
pub(super) type Statements = BTreeMap<String, usize>;

/// Loops in C, compiled as a function of their parameters.
pub(super) struct Program<'a> {
    place: &'a Workplace,
    code: &'a str,
    statements: &'a Statements,
    parameters: String,
}

impl<'a> Program<'a> {
    /// Compiles the loops, statements being a store of a number made of their arguments.
    pub(super) fn compile(
        place: &'a Workplace,
        code: &'a str,
        statements: &'a Statements,
        parameters: &[String],
    ) -> Result<Self, String> {
        let parameters: Vec<String> =
            parameters.iter().map(|name| format!("long {name}")).collect();
        let parameters =
            if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
        let program = Program { place, code, statements, parameters };
        program.compile_loops("loops", "(sink = VALUE)")?;
        Ok(program)
    }

    /// Bytes of machine code.
    pub(super) fn bytes(&self) -> Result<f64, String> {
        let sizes = self.place.output("size", &["loops.o"])?;
        let bytes = sizes.lines().nth(1).and_then(|line| line.split_whitespace().next());
        bytes.and_then(|word| word.parse().ok()).ok_or("no size".to_string())
    }

    /// The instructions that the loops execute.
    pub(super) fn instructions(&self, values: &Values) -> Result<f64, String> {
        self.link("loops", MAIN, values)?;
        self.place.executed_instructions("loops")
    }

    /// Whether the loops come to an end after at least one and at most 200,000 statements.
    pub(super) fn is_measurable(&self, values: &Values) -> Result<bool, String> {
        self.compile_loops("trial", "(counted(), sink = VALUE)")?;
        self.link("trial", TRIAL_MAIN, values)?;
        Ok(self.place.runs())
    }

    fn compile_loops(&self, name: &str, statement: &str) -> Result<(), String> {
        let mut text = HELPERS.to_string();
        for (statement_name, n_arguments) in self.statements {
            let arguments: Vec<String> = (0..*n_arguments).map(|i| format!("a{i}")).collect();
            let terms: Vec<String> =
                arguments.iter().map(|a| format!(" + 3 * (long)({a})")).collect();
            let value = format!("{}{}", statement_name.len(), terms.concat());
            let body = statement.replace("VALUE", &value);
            let _ = writeln!(text, "#define {statement_name}({}) {body}", arguments.join(", "));
        }
        let _ = writeln!(text, "void loops({})\n{{\n{}}}", self.parameters, self.code);
        self.place.write(&format!("{name}.c"), &text)?;
        self.place.output("gcc", &["-O2", "-w", "-c", &format!("{name}.c")])?;
        Ok(())
    }

    fn link(&self, name: &str, main: &str, values: &Values) -> Result<(), String> {
        let values: Vec<String> = values.iter().map(|(_, value)| value.to_string()).collect();
        let call = format!("loops({})", values.join(", "));
        let main = format!("void loops({});\n{}", self.parameters, main.replace("CALL", &call));
        self.place.write("main.c", &main)?;
        self.place.output("gcc", &["-O2", &format!("{name}.o"), "main.c", "-o", "program"])?;
        Ok(())
    }
}

/// The loops as `loopwright codegen` prints them, without macros.
pub(super) fn text(ast: &AstNode) -> String {
    CText::new(ast).with_options(&CodegenOptions::STANDARD.print).to_string()
}

/// The names of all statements, and how many arguments they have.
pub(super) fn statements(node: &AstNode) -> Statements {
    let mut found = Statements::new();
    collect_statements(node, &mut found);
    found
}

fn collect_statements(node: &AstNode, found: &mut Statements) {
    match node {
        AstNode::For(each) => collect_statements(&each.body, found),
        AstNode::If { then, otherwise, .. } => {
            collect_statements(then, found);
            otherwise.iter().for_each(|node| collect_statements(node, found));
        }
        AstNode::Block(children) => {
            children.iter().for_each(|child| collect_statements(child, found));
        }
        AstNode::Mark { child, .. } => collect_statements(child, found),
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            found.insert(name.map_or(String::new(), |name| name.to_string()), arguments.len());
        }
    }
}
