//! Trees of small texts, where a grammar without names of types goes wrong or gives up.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::unexpected;
use crate::syntax::tree::{Node, Tree};

fn tree(source: &str) -> Tree {
    crate::syntax::parser::parse(source, ["header_type"].into_iter())
}

/// The named nodes, as an S-expression; leaves by their text.
fn expression(source: &str, node: Node<'_>) -> String {
    let children: Vec<String> =
        node.named_children().map(|child| expression(source, child)).collect();
    match children.is_empty() {
        true => source[node.byte_range()].to_string(),
        false => format!("({} {})", node.kind(), children.join(" ")),
    }
}

/// The items of the body of a function.
fn body(declarations: &str, statements: &str) -> Vec<String> {
    let source = format!("{declarations} void f(void) {{ {statements} }}");
    let tree = tree(&source);
    let body = tree.root_node().named_children().last().and_then(|f| f.field(Field::Body));
    body.expect("the function has a body")
        .named_children()
        .map(|item| expression(&source, item))
        .collect()
}

#[test]
fn names_of_types_decide_what_parentheses_are() {
    let with_type = |text| body("typedef int t; int n;", text).pop().expect("there is a statement");
    assert_eq!(
        with_type("x = (t) * p;"),
        "(expression_statement (assignment_expression x (cast_expression (type_descriptor t) (pointer_expression p))))"
    );
    assert_eq!(
        with_type("x = (n) * p;"),
        "(expression_statement (assignment_expression x (binary_expression (parenthesized_expression n) p)))"
    );
    assert_eq!(
        with_type("x = (header_type)(p);"),
        "(expression_statement (assignment_expression x (cast_expression (type_descriptor header_type) (parenthesized_expression p))))"
    );
    assert_eq!(
        with_type("sizeof(n);"),
        "(expression_statement (sizeof_expression (parenthesized_expression n)))"
    );
    assert_eq!(
        with_type("sizeof(t);"),
        "(expression_statement (sizeof_expression (type_descriptor t)))"
    );
    assert_eq!(with_type("n * p;"), "(expression_statement (binary_expression n p))");
    assert_eq!(with_type("t * p;"), "(declaration t (pointer_declarator p))");
    assert_eq!(with_type("unknown * p;"), "(declaration unknown (pointer_declarator p))");
    assert_eq!(
        with_type("x = (unknown) y;"),
        "(expression_statement (assignment_expression x (cast_expression (type_descriptor unknown) y)))"
    );
}

#[test]
fn names_are_types_in_their_scopes_only() {
    let items =
        body("typedef int t;", "{ int t = 2; t * p; } t * p; for (int t = 0;;) t * p; t * p;");
    assert!(items[0].contains("(expression_statement (binary_expression t p))"), "{}", items[0]);
    assert_eq!(items[1], "(declaration t (pointer_declarator p))");
    assert!(items[2].contains("(binary_expression t p)"), "{}", items[2]);
    assert_eq!(items[3], items[1]);
    let source = "typedef int t; void f(int t) { t * p; } void g(void) { t * p; }";
    let tree = tree(source);
    let functions: Vec<String> =
        tree.root_node().named_children().map(|f| expression(source, f)).collect();
    assert!(
        functions[1].contains("(binary_expression t p)")
            && functions[2].contains("(pointer_declarator p)")
    );
}

#[test]
fn extensions_of_gnu_c_are_read() {
    let source = "double _Complex z; unsigned __int128 wide; __extension__ typedef long long big;\n\
        typeof (z) w; int a[4] = { [0 ... 2] = 1, [3] = 2 }; extern int x __asm__(\"y\");\n\
        static __inline__ int f(double *a, int n) { return ({ int s = 0; s += n; s; }); }\n\
        struct s { int : 3; union { int u; float v; }; int last[]; } __attribute__((packed));\n\
        int g(const char *format, ...) { return __builtin_va_arg(format, int *) ?: __builtin_offsetof(struct s, last); }\n\
        int h(double *__restrict p, int m[const restrict static 3]) { __asm__ volatile (\"\" : : \"r\"(p)); return _Generic(*p, int: 1, default: 2); }\n\
        main() { __attribute__((unused)) int y; L: return (int[]){ 1, 2 }[0] + _Alignof(int) + sizeof (struct s){ 0 }.last; }\n\
        struct { int a; } *(*table[3])(void (*)(int), big); _Static_assert(sizeof(int) == 4, \"int\");";
    let tree = tree(source);
    assert!(!tree.root_node().has_error(), "{}", expression(source, tree.root_node()));
    let functions =
        tree.root_node().named_children().filter(|node| node.kind() == Kind::FunctionDefinition);
    assert_eq!(functions.count(), 4);
}

#[test]
fn errors_say_what_was_expected_and_leave_the_rest() {
    for (statement, message) in [
        ("for (int i = 0; i < n; i++ a[i] = 1;", "`)` is expected before `a`"),
        ("x = a + ;", "an expression is expected before `;`"),
        ("x = 0xg;", "an expression is expected before `0xg`"),
        ("x = f(a b);", "`)` is expected before `b`"),
        ("goto *p;", "a name is expected before `*`"),
        ("if x > 1) y = 2;", "`(` is expected before `x`"),
        ("else y = 2;", "an expression is expected before `else`"),
        ("int a[3 = 1;", "`]` is expected before `=`"),
        ("a = 1 b = 2;", "`;` is expected before `b`"),
        ("struct { int a, };", "a name is expected before `}`"),
        ("int b __attribute__((alias(\"a\")));", "`;` is expected before `__attribute__`"),
    ] {
        let source = format!("void f(void) {{ a = 1; {statement} b = 2; }} int g;");
        let tree = tree(&source);
        let root = tree.root_node();
        let (byte, expected) = root.expectation().expect(statement);
        assert_eq!(unexpected(&source, byte, expected), message, "{statement}");
        let items: Vec<&str> = root.named_children().map(|item| item.kind().name()).collect();
        assert_eq!(items, ["function_definition", "declaration"], "{statement}");
        let body = root.named_child(0).and_then(|f| f.field(Field::Body)).expect(statement);
        let statements: Vec<&str> = body.named_children().map(|item| item.kind().name()).collect();
        assert_eq!(
            statements,
            ["expression_statement", "ERROR", "expression_statement"],
            "{statement}"
        );
    }
}

#[test]
fn ends_of_statements_are_added_where_lines_end() {
    let source = "int f(void) {\n  int a = 1\n  a = 2\n}\nint b;";
    let tree = tree(source);
    let mut missing = Vec::new();
    tree.root_node().visit(|node, _| {
        if node.is_missing() {
            missing.push(node.start_byte());
        }
        !node.is_error()
    });
    assert_eq!(
        missing,
        [source.find("1\n").map_or(0, |at| at + 1), source.find("2\n").map_or(0, |at| at + 1)]
    );
    assert_eq!(tree.root_node().named_children().count(), 2);
}

#[test]
fn deep_nesting_is_an_error() {
    let n = 100_000;
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("if (x) ", ""),
        ("*", ""),
        ("f(", ")"),
        ("a ? ", ": b"),
        ("a = ", ""),
        ("- ", ""),
        ("(int) ", ""),
        ("L: ", ""),
        ("x[", "]"),
    ] {
        let source = format!("void f(void) {{ {}x{}; }} int g;", open.repeat(n), close.repeat(n));
        let tree = tree(&source);
        assert!(tree.root_node().has_error(), "{open}");
        assert_eq!(
            tree.root_node().named_children().last().map(Node::kind),
            Some(Kind::Declaration),
            "{open}"
        );
    }
    for (open, close) in [
        ("int (", ")"),
        ("int *", ""),
        ("struct {", "} a;"),
        ("int x = {", "}"),
        ("int x(int ", ")"),
    ] {
        let source = format!("{}x{};", open.repeat(n), close.repeat(n));
        assert!(tree(&source).root_node().has_error(), "{open}");
    }
}

#[test]
fn long_chains_are_no_nesting() {
    let n = 100_000;
    for source in [
        format!("int a = x{};", " + x".repeat(n)),
        format!("void f(void) {{ x{}; }}", ", x".repeat(n)),
        format!("int a = x{};", "[0]".repeat(n)),
        format!("void f(void) {{ {} }}", ";".repeat(n)),
    ] {
        assert!(!tree(&source).root_node().has_error());
    }
}

#[test]
fn parameters_may_be_declared_after_their_list() {
    let source = "typedef int t; int f(a, t2, n) t *a, t2[]; register int n; { return n; } \
                  g(n) { return n; }";
    let tree = tree(source);
    let functions: Vec<String> =
        tree.root_node().named_children().skip(1).map(|f| expression(source, f)).collect();
    assert_eq!(
        functions[0],
        "(function_definition int (function_declarator f (parameter_list a t2 n)) \
         (declaration t (pointer_declarator a) (array_declarator t2)) \
         (declaration register int n) (compound_statement (return_statement n)))"
    );
    assert!(functions[1].contains("(parameter_list n)"), "{}", functions[1]);
}

#[test]
fn words_of_headers_may_be_names() {
    let items = body(
        "int n;",
        "int true = 2, false[3]; n = true + false[0]; { enum { true, false }; } n = NULL;",
    );
    assert!(
        items[1].contains("(binary_expression true (subscript_expression false 0))"),
        "{}",
        items[1]
    );
    let source = "void f(int n) { n = true; } void g(int true) { n = true; }";
    let tree = tree(source);
    let mut kinds = Vec::new();
    tree.root_node().visit(|node, _| {
        kinds.extend((&source[node.byte_range()] == "true").then(|| node.kind()));
        true
    });
    assert_eq!(kinds, [Kind::True, Kind::Identifier, Kind::Identifier]);
}

#[test]
fn extensions_of_constants() {
    assert_eq!(
        body("int n;", "switch (n) { case 1 ... 5: n = 2.0i; }"),
        [
            "(switch_statement (parenthesized_expression n) (compound_statement (case_statement (range_expression 1 5) \
          (expression_statement (assignment_expression n 2.0i)))))"
        ]
    );
}
