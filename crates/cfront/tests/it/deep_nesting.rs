//! Constructs that stand inside each other more often than anybody writes: a limit that is named, with a
//! place, in lines that can be read.
use loopwright_cfront::{Code, Diagnostic, SourceFile};

/// The refusal of a loop's body.
fn refusal(body: &str) -> Diagnostic {
    let text = format!(
        "struct s {{ struct s *next; int x; }};\nint h(int);\nvoid f(int n, int *a, struct s *q) {{\n#pragma scop\n  for (int i \
         = 0; i < n; i++)\n    {body}\n#pragma endscop\n}}\n"
    );
    let refused = SourceFile::from_text("test.c", &text).assuming_no_alias().extract();
    refused.err().and_then(|all| all.into_iter().next()).expect("it is refused")
}

fn in_each_other(n: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(n), close.repeat(n))
}

#[test]
fn the_limit_is_named_with_a_line_that_can_be_read() {
    for n in [250, 500, 3000, 100_000] {
        let constructs = [
            format!("a[i] = {};", in_each_other(n, "(", "i", ")")),
            format!("a[i] = {};", in_each_other(n, "a[", "i", "]")),
            in_each_other(n, "{", "a[i] = i;", "}"),
            format!("a[i] = {};", in_each_other(n, "- ", "i", "")),
            format!("a[i] = {};", in_each_other(n, "(int)", "i", "")),
            format!("a[i] = {};", in_each_other(n, "h(", "i", ")")),
            in_each_other(n, "if (i) ", "a[i] = i;", ""),
            format!("a[i] = {};", in_each_other(n, "i ? 1 : ", "i", "")),
            format!("a[i] = {};", in_each_other(n, "i + ", "i", "")),
            format!("a[i] = q{}->x;", "->next".repeat(n)),
            format!("{{ {} a[i] = 0; }}", in_each_other(n, "struct {", "int x;", "} s;")),
            format!("{{ int {} = 0; a[i] = x; }}", in_each_other(n, "(", "x", ")")),
        ];
        for construct in constructs {
            let diagnostic = refusal(&construct);
            let text = diagnostic.to_string();
            let begin: String = construct.chars().take(40).collect();
            assert_eq!(diagnostic.code, Code::TooComplex, "{n} times {begin}: {text:.300}");
            assert_eq!(diagnostic.place.map(|place| place.line), Some(6), "{begin}");
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert!(longest.is_some_and(|longest| longest <= 300), "{begin}: {longest:?}");
        }
    }
}

#[test]
fn what_is_quoted_is_short() {
    let strings = format!("h({});", "\"x\" ".repeat(3000));
    let text = refusal(&strings).to_string();
    assert!(text.lines().all(|line| line.chars().count() <= 300), "{text:.400}");
}

/// The part of a long line that is shown has the place in it.
#[test]
fn the_place_is_shown() {
    let text = refusal(&format!("a[i] = {}unknown_name;", "1 + ".repeat(100))).to_string();
    let lines: Vec<&str> = text.lines().collect();
    let underlined = lines.iter().position(|line| line.contains('^')).expect("a place");
    let column = lines[underlined].find('^').expect("a place");
    assert!(lines[underlined - 1][column..].starts_with("unknown_name"), "{text}");
}
