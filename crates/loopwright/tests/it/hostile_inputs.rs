//! Inputs that are made to be too much: each ends with the status and the message of its stage, within four
//! gigabytes of addresses, and without a panic. What is asked of the tool by an announced number is never
//! built.

use crate::support::scratch;
use std::fmt::Write as _;
use std::process::Command;

/// What is run: `FILE` is the hostile file, `TEXT` its content, `PROGRAM` a program without any fault.
struct Case {
    name: &'static str,
    command: &'static str,
    content: String,
    /// 0 done, 1 refused, 3 a limit was reached.
    status: i32,
    /// What the message has, the stage among it.
    says: &'static [&'static str],
}

fn case(
    name: &'static str,
    command: &'static str,
    content: impl Into<String>,
    status: i32,
    says: &'static [&'static str],
) -> Case {
    Case { name, command, content: content.into(), status, says }
}

const PROGRAM: &str = "void f(int n, double A[n]) {\n#pragma scop\n\
                       for (int i = 0; i < n; i++) A[i] = i;\n#pragma endscop\n}\n";

const OPENSCOP: &str = "compile --from openscop FILE";
const JSCOP: &str = "compile --from jscop FILE";
const PET: &str = "compile --from pet FILE";

/// The head of a file of OpenScop without parameters.
const HEAD: &str = "<OpenScop>\nC\nCONTEXT\n0 2 0 0 0 0\n0\n";

/// A file of OpenScop with a statement that is executed once.
fn once(extension: &str) -> String {
    format!(
        "{HEAD}1\n2\nDOMAIN\n0 2 0 0 0 0\nSCATTERING\n0 2 0 0 0 0\n1\n{extension}\n</OpenScop>\n"
    )
}

/// A file of OpenScop with a loop from one row to the other.
fn ranged(rows: &str) -> String {
    format!(
        "{HEAD}1\n2\nDOMAIN\n{rows}\nSCATTERING\n1 4 1 1 0 0\n0 -1 1 0\n1\n<body>\n1\ni\nf(i);\n</body>\n</OpenScop>\n"
    )
}

fn repeated(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

fn listed(count: usize, between: &str, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(between)
}

/// A wide box in OpenScop: each dimension has values of its own.
fn wide(dimensions: usize) -> String {
    let row = |sign: i64, own: usize, last: i64| {
        let columns = listed(dimensions, " ", |d| (sign * i64::from(d == own)).to_string());
        format!("1 {columns} {last}\n")
    };
    let rows = repeated(dimensions, |d| row(1, d, 0) + &row(-1, d, 9));
    let columns = dimensions + 2;
    format!(
        "{HEAD}1\n2\nDOMAIN\n{} {columns} {dimensions} 0 0 0\n{rows}SCATTERING\n1 {} 1 {dimensions} 0 0\n0 -1 {}0\n1\n\
         <body>\n0\nf();\n</body>\n</OpenScop>\n",
        2 * dimensions,
        dimensions + 3,
        "0 ".repeat(dimensions)
    )
}

fn models() -> Vec<Case> {
    let digits = "9".repeat(100_000);
    vec![
        case("announced_accesses", OPENSCOP, once("<extbody>\n9999999999999\n0 1\n</extbody>"), 1, &["reading ", "access 2 of 9999999999999"]),
        case("announced_accesses_of_many_digits", OPENSCOP, once(&format!("<extbody>\n{}\n0 1\n</extbody>", "9".repeat(5000))), 1, &["number of accesses"]),
        case("announced_statements", OPENSCOP, format!("{HEAD}18446744073709551615\n"), 1, &["reading ", "the file ends"]),
        case("announced_extensions", OPENSCOP, once("<body>\n0\nf();\n</body>").replace("\n1\n<body>", "\n4294967295\n<body>"), 1, &["expected an extension"]),
        case("numbers_of_many_digits", OPENSCOP, ranged(&format!("2 3 1 0 0 0\n1 1 {digits}\n1 -1 {digits}")), 0, &["limit"]),
        case("many_dimensions", OPENSCOP, wide(300), 1, &["more than 256 dimensions"]),
        case("nul_bytes", OPENSCOP, format!("<OpenScop>\nC\n\0{HEAD}"), 1, &["reading ", "line 3"]),
        case("nothing_but_nul_bytes", OPENSCOP, "\0".repeat(100_000), 1, &["reading ", "line 1"]),
        case("many_pieces", OPENSCOP, ranged(&format!("3000\n{}", listed(3000, "\n", |k| format!("2 3 1 0 0 0\n1 1 -{}\n1 -1 {}", 3 * k, 3 * k + 1)))), 3, &["reading ", "budget ran out in is_single_valued"]),
        case("parentheses_in_a_body", OPENSCOP, once(&format!("<body>\n0\nA[{}0{}] = 1;\n</body>", "(".repeat(50_000), ")".repeat(50_000))), 0, &[]),
        case("a_string_without_end", OPENSCOP, once(&format!("<body>\n0\nf(\"{});\n</body>", "x".repeat(500_000))), 0, &["a text that leaves something open"]),
        case("a_body_that_closes_the_loop", OPENSCOP, once("<body>\n0\nf(); } } while (1) { {\n</body>"), 0, &["leaves something open"]),
        case("two_statements_at_one_time", OPENSCOP, format!("{HEAD}2\n{}</OpenScop>\n", "2\nDOMAIN\n0 2 0 0 0 0\nSCATTERING\n1 3 1 0 0 0\n0 -1 0\n1\n<body>\n0\nf(1);\n</body>\n".repeat(2)), 0, &[]),
        case("a_statement_without_a_beginning", OPENSCOP, ranged("1 3 1 0 0 0\n1 -1 9"), 1, &["reading ", "no lower bound"]),
        case("own_extension_nested_deeply", OPENSCOP, once("<body>\n0\nf();\n</body>").replace("</OpenScop>", &format!("<loopwright>\n{}\n</loopwright>\n</OpenScop>", "- ".repeat(50_000))), 0, &["too deeply nested"]),
        case("tags_inside_of_tags", OPENSCOP, once(&"<body>\n".repeat(50_000)), 1, &["no `</body>`"]),
        case("large_coefficients", OPENSCOP, ranged("4 3 1 0 0 0\n1 2147483647 -2147483629\n1 -2147483647 999999999999\n1 1 0\n1 -1 1000000000000"), 0, &[]),
        case("json_nested_deeply", JSCOP, "[".repeat(100_000), 1, &["reading ", "recursion limit"]),
        case("json_objects_nested_deeply", JSCOP, "{\"statements\":".repeat(100_000), 1, &["recursion limit"]),
        case("sets_nested_deeply", JSCOP, jscop(&format!("{{ S[i] : {}i = 0{} }}", "(".repeat(20_000), ")".repeat(20_000))), 1, &["reading ", "nested too deeply"]),
        case("many_parameters", JSCOP, jscop(&format!("[{}] -> {{ S[i] : 0 <= i < n0 }}", listed(2000, ",", |k| format!("n{k}")))), 1, &["more than 256 parameters"]),
        case("twice_the_same_statement", JSCOP, twice("S"), 1, &["a second statement `S`"]),
        case("strings_without_end", JSCOP, format!("{{\"statements\": \"{}", "a".repeat(1_000_000)), 1, &["reading ", "not JSON"]),
        case("half_a_character", JSCOP, "{\"statements\": \"\\ud800\\u00\"}", 1, &["not JSON"]),
        case("many_extents", JSCOP, format!("{{\"arrays\":[{{\"name\":\"A\",\"sizes\":[\"*\"{}],\"type\":\"double\"}}],\"context\":\"{{ : }}\",\"name\":\"f\",\"statements\":[]}}", ",\"9999999999999999999999\"".repeat(300)), 0, &[]),
        case("unknown_anchors", PET, format!("a: &a [x]\n{}schedule: x\nstatements: *j\n", repeated(9, |k| format!("b{k}: &b{k} [*a,*a,*a,*a,*a,*a]\n"))), 1, &["reading ", "expected a list"]),
        case("an_alias_of_itself", PET, "schedule: &a [*a]\nstatements: *a\n", 1, &["line 2"]),
        case("merged_with_itself", PET, "schedule: x\nstatements:\n- &s\n  <<: *s\n  line: 1\n", 1, &["line 4"]),
        case("flow_nested_deeply", PET, format!("schedule: x\nstatements: {}\n", "{a: ".repeat(100_000)), 1, &["too deeply nested"]),
        case("blocks_nested_deeply", PET, format!("schedule: x\nstatements:\n{}", repeated(3000, |k| format!("{}a:\n", " ".repeat(k + 1)))), 1, &["too deeply nested"]),
        case("escapes_without_end", PET, format!("schedule: \"{}\nstatements: []\n", "\\".repeat(1_000_001)), 1, &["quote is not closed"]),
        case("a_key_twice", PET, "schedule: x\nschedule: y\nstatements: []\n", 1, &["appears twice"]),
        case("no_statements", PET, "schedule: x\nstart: 99999999999999999999999\n", 1, &["expected `statements`"]),
    ]
}

fn jscop(domain: &str) -> String {
    format!(
        "{{\"arrays\":[],\"context\":\"{{ : }}\",\"name\":\"f\",\"statements\":[{{\"name\":\"S\",\
         \"domain\":\"{domain}\",\"schedule\":\"{{ S[i] -> [i] }}\",\"accesses\":[]}}]}}"
    )
}

fn twice(name: &str) -> String {
    let statement = format!(
        "{{\"name\":\"{name}\",\"domain\":\"{{ {name}[i] : 0 <= i < 9 }}\",\
         \"schedule\":\"{{ {name}[i] -> [i] }}\",\"accesses\":[]}}"
    );
    format!(
        "{{\"arrays\":[],\"context\":\"{{ : }}\",\"name\":\"f\",\"statements\":[{statement},{statement}]}}"
    )
}

fn schedules() -> Vec<Case> {
    let (codegen, schedule, flow) = ("codegen FILE", "schedule FILE", "flow FILE");
    let members = listed(2000, ",", |_| "{ S[i] -> [(i)] }".to_string());
    let names = listed(1500, ",", |k| format!("i{k}"));
    vec![
        case(
            "marks_nested_deeply",
            codegen,
            format!(
                "{{ domain: \"{{ S[] }}\", child: {}",
                "{ mark: \"m\", child: ".repeat(100_000)
            ),
            1,
            &["schedule tree", "too deeply nested"],
        ),
        case(
            "an_unrolled_loop_that_is_long",
            codegen,
            "domain: \"{ S[i] : 0 <= i < 1000000000 }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n  options: \"{ unroll[0] }\"\n",
            1,
            &["code generation", "more than 100000 values"],
        ),
        case(
            "a_wide_band",
            codegen,
            format!("domain: \"{{ S[i] : 0 <= i < 9 }}\"\nchild:\n  schedule: \"[{members}]\"\n"),
            3,
            &["loop generation", "256 dimensions"],
        ),
        case(
            "a_statement_of_many_dimensions",
            codegen,
            format!("{{ S[{names}] -> [i0] : i0 = 0 }}\n{{ : }}\n{{ }}\n"),
            3,
            &["loop generation", "256 dimensions"],
        ),
        case(
            "free_dimensions",
            codegen,
            format!("{{ S[{names}] -> [i0] }}\n{{ : }}\n{{ }}\n"),
            3,
            &["loop generation", "256 dimensions"],
        ),
        case(
            "an_alias_in_a_tree",
            codegen,
            "domain: &d \"{ S[i] : 0 <= i < 9 }\"\nchild:\n  schedule: *d\n",
            1,
            &["schedule tree", "line 1"],
        ),
        case("no_schedule", codegen, "", 1, &["a schedule, a context and options are expected"]),
        case(
            "a_constant_of_many_digits",
            codegen,
            format!("{{ S[i] -> [i] : 0 <= {} i < 9 }}\n{{ : }}\n{{ }}\n", "9".repeat(20_000)),
            0,
            &[],
        ),
        case("a_tree_of_zeros", codegen, "\0\0\0\0{ }", 1, &["error"]),
        case(
            "a_cycle",
            schedule,
            "domain: \"{ S[]; T[] }\"\nvalidity: \"{ S[] -> T[]; T[] -> S[] }\"\n",
            1,
            &["scheduling ", "contradict each other"],
        ),
        case(
            "all_pairs",
            schedule,
            "domain: \"{ S[i,j] : 0 <= i,j <= 9 }\"\nvalidity: \"{ S[i,j] -> S[a,b] }\"\n",
            1,
            &["scheduling ", "contradict each other"],
        ),
        case(
            "large_distances",
            schedule,
            "domain: \"{ S[i,j] }\"\nvalidity: \"{ S[i,j] -> S[i + 1000000007, j - 998244353]; S[i,j] -> S[i - 999999937, j + 1000000021] }\"\n",
            0,
            &[],
        ),
        case(
            "an_option_of_many_digits",
            schedule,
            "# OPTIONS: --schedule-max-coefficient=99999999999999999999999\ndomain: \"{ S[i] }\"\n",
            1,
            &["in a comment"],
        ),
        case(
            "two_domains",
            schedule,
            "domain: \"{ S[i] }\"\ndomain: \"{ T[i] }\"\n",
            1,
            &["reading ", "appears twice"],
        ),
        case("no_constraints", schedule, "", 1, &["reading ", "`domain`"]),
        case(
            "information_nested_deeply",
            flow,
            format!("sink: \"{{ T[i] -> A[i] }}\"\nschedule: {}", "{ domain: ".repeat(100_000)),
            1,
            &["reading ", "too deeply nested"],
        ),
        case("no_sink", flow, "must_source: \"{ S[i] -> A[i] }\"\n", 1, &["reading ", "`sink`"]),
    ]
}

fn choices() -> Vec<Case> {
    let (transform, machine) =
        ("compile PROGRAM --transform TEXT", "compile PROGRAM --machine FILE");
    let (choices, given) = ("compile PROGRAM --choices FILE", "compile PROGRAM --schedule FILE");
    let times = listed(1000, ",", |_| "i".to_string());
    vec![
        case(
            "no_command",
            transform,
            "(".repeat(100_000),
            1,
            &["transformation", "there is no command"],
        ),
        case(
            "a_tile_of_many_digits",
            transform,
            format!("tile S0 1 {}", "9".repeat(1000)),
            1,
            &["transformation"],
        ),
        case(
            "a_depth_of_many_digits",
            transform,
            "interchange S0 4294967295 18446744073709551616",
            1,
            &["transformation"],
        ),
        case(
            "an_unknown_statement",
            transform,
            "interchange S7 1 2",
            1,
            &["transformation", "`S7`"],
        ),
        case("many_transformations", transform, "reverse S0 1\n".repeat(500), 0, &[]),
        case(
            "a_cache_of_many_digits",
            machine,
            "l1-bytes = 999999999999999999999999999999\n",
            1,
            &["line 1"],
        ),
        case("no_cores", machine, "cores = 0\n", 1, &["line 1", "positive"]),
        case(
            "registers_without_measure",
            machine,
            "vector-bytes = 9223372036854775807\n",
            1,
            &["line 1", "at most"],
        ),
        case("a_fact_twice", machine, "cores = 2\ncores = 3\n", 1, &["line 2", "a second time"]),
        case(
            "a_long_comment",
            machine,
            format!("{}\ncolour = 1\n", "#".repeat(1_000_000)),
            1,
            &["line 2", "unknown key"],
        ),
        case(
            "a_region_twice",
            choices,
            "region 18446744073709551615\n".repeat(2),
            1,
            &["line 2", "comes twice"],
        ),
        case(
            "tiles_of_many_digits",
            choices,
            "region 1\ntile-sizes = 99999999999999999999\n",
            1,
            &["line 2"],
        ),
        case(
            "many_tile_sizes",
            choices,
            format!("region 1\ntile-sizes = {}\n", listed(100_000, ",", |_| "4".to_string())),
            0,
            &[],
        ),
        case(
            "choices_for_many_regions",
            choices,
            repeated(5000, |k| format!("region {}\ntile-sizes = 3\n", k + 1)),
            1,
            &["region"],
        ),
        case("choices_of_zeros", choices, "\0\0\0", 1, &["line 1"]),
        case(
            "times_for_some",
            given,
            "[n] -> { S0[i] -> [i] : i > 3 }",
            1,
            &["given schedule", "no times"],
        ),
        case("times_for_others", given, "{ T[i] -> [i] }", 1, &["given schedule"]),
        case("half_a_model", given, "<OpenScop>\n", 1, &["given schedule", "the file ends"]),
        case(
            "a_factor_of_many_digits",
            given,
            format!("[n] -> {{ S0[i] -> [i * {}] }}", "7".repeat(400)),
            0,
            &[],
        ),
        case(
            "times_in_many_dimensions",
            given,
            format!("[n] -> {{ S0[i] -> [{times}] }}"),
            0,
            &["limit", "256 dimensions"],
        ),
    ]
}

fn programs() -> Vec<Case> {
    let compile = "compile FILE";
    let region = |body: &str| {
        format!("void f(int n, double A[n]) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
    };
    let mut loops = repeated(300, |k| format!("for (int i{k} = 0; i{k} < n; i{k}++) "));
    let _ = write!(loops, "A[0] = 1;");
    vec![
        case(
            "loops_nested_deeply",
            compile,
            region(&loops),
            1,
            &["error[CF17]", "nesting is too deep"],
        ),
        case(
            "conditions_nested_deeply",
            compile,
            region(&format!(
                "for (int i = 0; i < n; i++) {}A[i] = 1;",
                repeated(500, |k| format!("if (i > {k}) "))
            )),
            1,
            &["error[CF"],
        ),
        case(
            "a_subscript_of_many_digits",
            compile,
            region(&format!("for (int i = 0; i < n; i++) A[i + {}] = 1;", "9".repeat(10_000))),
            0,
            &[],
        ),
        case(
            "a_nul_byte_in_a_region",
            compile,
            region("for (int i = 0; i < n; i++) A[i] =\0 1;"),
            1,
            &["error[CF05]"],
        ),
        case(
            "many_subscripts",
            compile,
            format!(
                "void f(int n, double A{}) {{\n#pragma scop\nfor (int i = 0; i < n; i++) A{} = 1;\n#pragma endscop\n}}\n",
                "[2]".repeat(400),
                "[i]".repeat(400)
            ),
            1,
            &["error[CF17]"],
        ),
        case(
            "parameters_with_a_loop_each",
            compile,
            format!(
                "void f({}, double A[]) {{\n#pragma scop\n{}\n#pragma endscop\n}}\n",
                listed(90, ",", |k| format!("int n{k}")),
                repeated(90, |k| format!("for (int i = 0; i < n{k}; i++) A[i] = {k};\n"))
            ),
            0,
            &["the program's order is kept"],
        ),
        case(
            "an_array_for_each_loop",
            compile,
            format!(
                "double {};\nvoid f(int n) {{\n#pragma scop\n{}\n#pragma endscop\n}}\n",
                listed(400, ",", |k| format!("A{k}[1000]")),
                repeated(400, |k| format!("for (int i = 0; i < n; i++) A{k}[i] = {k};\n"))
            ),
            0,
            &[],
        ),
        case(
            "a_device_without_end",
            compile,
            format!("#include \"/dev/zero\"\n{PROGRAM}"),
            1,
            &["error[CF02]"],
        ),
        case(
            "many_unlike_cases",
            compile,
            region(&format!(
                "for (int i = 0; i < n; i++) switch (i) {{\n{}}}",
                repeated(2000, |k| format!("case {k}: A[i] = {k}; break;\n"))
            )),
            0,
            &[],
        ),
        case(
            "straight_statements",
            compile,
            region(&repeated(600, |k| format!("A[{k}] = A[{}] + {k};\n", (7 * k) % 600))),
            0,
            &[],
        ),
    ]
}

/// Runs a case; what is wrong, if anything.
fn problem(case: &Case) -> Option<String> {
    let folder = scratch("hostile_inputs");
    let file = folder.join(case.name);
    std::fs::write(&file, &case.content).expect("the input can be written");
    let program = folder.join(format!("{}.program.c", case.name));
    std::fs::write(&program, PROGRAM).expect("the program can be written");
    let words = case.command.split(' ').map(|word| match word {
        "FILE" => file.display().to_string(),
        "PROGRAM" => program.display().to_string(),
        "TEXT" => case.content.clone(),
        word => word.to_string(),
    });
    let limited = "ulimit -v 4000000; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_loopwright")])
        .args(words)
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let start: String = said.chars().take(600).collect();
    let status = output.status.code();
    let missing = case.says.iter().find(|word| !said.contains(**word));
    let is_right = status == Some(case.status)
        && missing.is_none()
        && !said.contains("panicked")
        && said.len() < 30_000;
    (!is_right).then(|| format!("{}: {status:?}, without {missing:?}: {start}", case.name))
}

fn check(cases: &[Case]) {
    let problems: Vec<String> = cases.iter().filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn models_of_other_tools() {
    check(&models());
}

#[test]
fn schedules_constraints_and_accesses() {
    check(&schedules());
}

#[test]
fn scripts_machines_choices_and_given_orders() {
    check(&choices());
}

#[test]
fn programs_in_c() {
    check(&programs());
}
