//! Multifor statements as they are written: what is read, and what is refused.
use loopwright_cfront::{Code, MultiforItem, MultiforText, multifor_statements};

fn refused(statement: &str) -> (Code, String) {
    let text = format!("void f(void) {{\n  {statement}\n}}\n");
    let refused = multifor_statements("f.c".as_ref(), &text).expect_err(statement);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].place.as_ref().is_some_and(|place| place.line >= 2), "{:?}", refused[0]);
    (refused[0].code, refused[0].message.clone())
}

/// The texts of the bodies, with indices in angles.
fn bodies(statement: &str) -> Vec<(usize, String)> {
    fn collect(items: &[MultiforItem], found: &mut Vec<(usize, String)>) {
        for item in items {
            match item {
                MultiforItem::Inner(inner) => collect(&inner.items, found),
                MultiforItem::Statement(statement) => {
                    let part = |part: &MultiforText| match part {
                        MultiforText::Plain(text) => text.clone(),
                        MultiforText::Index { name, in_subscript: false } => format!("<{name}>"),
                        MultiforText::Index { name, in_subscript: true } => format!("<<{name}>>"),
                    };
                    found.push((statement.nest, statement.body.iter().map(part).collect()));
                }
            }
        }
    }
    let found =
        multifor_statements("f.c".as_ref(), statement).unwrap_or_else(|all| panic!("{}", all[0]));
    let mut texts = Vec::new();
    found.iter().for_each(|each| collect(&each.statement.items, &mut texts));
    texts
}

const TWO: &str = "multifor (i = 0, j = 0; i < 9, j < n; i++, j++; 1, 1; 0, 0)";

#[test]
fn heads_are_read_in_all_their_forms() {
    let text = "multifor (long i = -3, j = n/2 - 1, k = 9; i <= 0x10, j < (n + 1) * 2, k > 0; i = i + 2, ++j, k -= 3; 1, 2, 3; 0, 010, 4) { }";
    let found = multifor_statements("f.c".as_ref(), text).unwrap();
    let loops = &found[0].statement.loops;
    let heads: Vec<String> = loops
        .iter()
        .map(|l| {
            let (operator, step) = (l.relation.operator(), l.step);
            format!(
                "{} {}={} {operator} {} {step} {} {}",
                l.index_type, l.index, l.first, l.bound, l.grain, l.offset
            )
        })
        .collect();
    assert_eq!(
        heads,
        ["long i=-3 <= 16 2 1 0", "int j=n / 2 - 1 < (n + 1) * 2 1 2 8", "int k=9 > 0 -3 3 4"]
    );
}

#[test]
fn bodies_keep_their_text() {
    let found = bodies(&format!(
        "{TWO} {{
  0: /* first */ a[i + 1][b[i]] = s.i + p->i + f(i, \"i\") + 'i' + ii; // i
  1: if (j > 2) {{ int x = j; for (int y = 0; y < j; y++) if (y) break; else continue; }} else ;
  [0, 1]: c[[i, j] - 1] += d[2][[i * 2, g(j, 1)]];
}}"
    ));
    let expected = [
        (0, "a[<<i>> + 1][b[<<i>>]] = s.i + p->i + f(<i>, \"i\") + 'i' + ii;"),
        (
            1,
            "if (<j> > 2) { int x = <j>; for (int y = 0; y < <j>; y++) if (y) break; else continue; } else ;",
        ),
        (0, "c[<i> - 1] += d[2][<i> * 2];"),
        (1, "c[<j> - 1] += d[2][g(<j>, 1)];"),
    ];
    let found: Vec<(usize, &str)> =
        found.iter().map(|(nest, text)| (*nest, text.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn pragmas_belong_to_the_statement_behind_them() {
    let text = format!(
        "#pragma multifor parallel\n  #  pragma multifor \\\n  check(loops)\n\t{TWO} {{ 0: f(i); }}\n"
    );
    let found = multifor_statements("f.c".as_ref(), &text).unwrap();
    let words: Vec<&str> = found[0].pragmas.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!((words, found[0].bytes.start), (vec!["parallel", "check(loops)"], 0));
    assert_eq!(found[0].indentation, "\t");
    let lost = "#pragma multifor parallel\nint x;\n";
    assert!(multifor_statements("f.c".as_ref(), lost).is_err());
    let other =
        "#pragma multiform\nint multifor(int x);\nint y = multifor(3); /* multifor (i = 0; */\n";
    assert_eq!(multifor_statements("f.c".as_ref(), other).unwrap(), []);
}

#[test]
fn heads_that_do_not_fit_are_refused() {
    let refusals = [
        ("multifor (i = 0; i < 9, j < 9; i++; 1; 0) { }", Code::LoopForm, "2 conditions"),
        ("multifor (i = 0, j = 0; i < 9, j < 9; i++; 1, 1; 0, 0) { }", Code::LoopForm, "1 steps"),
        ("multifor (i = 0; i < 9; i++; 1, 1; 0) { }", Code::LoopForm, "2 grains"),
        ("multifor (i = 0; i < 9; i++; 1; 0, 0) { }", Code::LoopForm, "2 offsets"),
        ("multifor (i = 0; i < 9; i++; 0; 0) { }", Code::LoopForm, "the grain 0"),
        ("multifor (i = 0; i < 9; i++; 1; -2) { }", Code::LoopForm, "the offset -2"),
        ("multifor (i = 0; i < 9; i++; n; 0) { }", Code::Syntax, "an integer constant"),
        ("multifor (i = 0; j < 9; i++; 1; 0) { }", Code::LoopForm, "about `j`"),
        ("multifor (i = 0; i < 9; j++; 1; 0) { }", Code::LoopForm, "about `j`"),
        ("multifor (i = 0; i < 9; i--; 1; 0) { }", Code::LoopForm, "its step is -1"),
        ("multifor (i = 0; i < 9; i += 0; 1; 0) { }", Code::LoopForm, "its step is 0"),
        ("multifor (i = 0; i < f(9); i++; 1; 0) { }", Code::Syntax, "found `(`"),
        ("multifor (i = 0; i != 9; i++; 1; 0) { }", Code::Syntax, "found `!=`"),
        (
            "multifor (i = 99999999999999999999; i < 9; i++; 1; 0) { }",
            Code::Syntax,
            "an integer constant",
        ),
        (
            "multifor (i = 0, i = 0; i < 9, i < 9; i++, i++; 1, 1; 0, 0) { }",
            Code::Iterator,
            "two loops",
        ),
        (
            "multifor (i = 0; i < 9; i++; 1; 0) multifor (i = 0; i < 9; i++; 1; 0) { }",
            Code::Iterator,
            "two loops",
        ),
        (
            "multifor (i = 0; i < 9; i++; 1; 0) multifor (j = 0, k = 0; j < 9, k < 9; j++, k++; 1, 1; 0, 0) { }",
            Code::LoopForm,
            "stands in one of 1",
        ),
    ];
    for (statement, code, part) in refusals {
        let (found, message) = refused(statement);
        assert!(found == code && message.contains(part), "{statement}: {found} {message}");
    }
}

#[test]
fn bodies_that_do_not_fit_are_refused() {
    let refusals = [
        ("2: f(i);", Code::Syntax, "names no loop"),
        ("f(i);", Code::Syntax, "a number of a loop"),
        ("[0, 0]: f(1);", Code::Syntax, "twice"),
        ("0: i = 3;", Code::Iterator, "is changed"),
        ("0: i += 3;", Code::Iterator, "is changed"),
        ("0: f(i++);", Code::Iterator, "is changed"),
        ("0: g(&i);", Code::Iterator, "taken the address of"),
        ("0: { int i = 2; f(i); }", Code::Iterator, "declared again"),
        ("0: f(j);", Code::Iterator, "the index of loop 1"),
        ("0: if (i) return;", Code::UnsupportedStatement, "`return` leaves"),
        ("0: { if (i) continue; }", Code::UnsupportedStatement, "`continue` leaves"),
        ("0: { goto end; }", Code::UnsupportedStatement, "`goto` leaves"),
        ("0: f(i)", Code::Syntax, "expected `;`"),
        ("0: f(i];", Code::Syntax, "expected"),
    ];
    for (body, code, part) in refusals {
        let (found, message) = refused(&format!("{TWO} {{ {body} }}"));
        assert!(found == code && message.contains(part), "{body}: {found} {message}");
    }
    let (_, message) = refused(&format!("{TWO} {{\n#ifdef X\n 0: f(i);\n#endif\n }}"));
    assert!(message.contains("lines with `#`"), "{message}");
}

#[test]
fn hostile_texts_end() {
    let deep =
        |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    let nest = "multifor (i = 0; i < 9; i++; 1; 0) ".repeat(3000);
    let bodies = [
        format!("multifor (i = {}; i < 9; i++; 1; 0) {{ }}", deep("(", ")", 5000)),
        format!("multifor (i = {}1; i < 9; i++; 1; 0) {{ }}", "-".repeat(5000)),
        format!("{TWO} {{ 0: {} }}", "{".repeat(5000)),
        format!("{TWO} {{ [0, 1]: f({}); }}", deep("[", "]", 3000)),
        nest,
        "multifor (".to_string(),
        "multifor (;".to_string(),
        format!("{TWO} {{ 0: \""),
        "#pragma multifor \\".to_string(),
    ];
    for text in bodies {
        let _ = multifor_statements("f.c".as_ref(), &text);
    }
}
