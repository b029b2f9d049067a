//! Chains of statements that are scheduled as one: which there are in kernels, and that nothing else changes.

use crate::support::{compile, run_c, scratch};
use loopwright::{CompileOptions, Emit, Scheduler, compile_file};
use loopwright_presburger::Budget;
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scheduler::{Grouping, ScheduleConstraints};
use loopwright_transform::TileSizes;
use std::path::{Path, PathBuf};

fn kernel(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(format!("{name}.c"))
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch("grouping").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn symbolic() -> CompileOptions {
    let mut options = CompileOptions::new();
    options.front_end.defines.push("SYMBOLIC".to_string());
    options
}

/// The groups that the report names.
fn groups(path: &Path, options: &CompileOptions) -> Vec<String> {
    let compiled = compile_file(path, options).expect("it compiles");
    let notes = compiled.report.regions.iter().flat_map(|region| &region.notes);
    notes.filter_map(|note| note.strip_prefix("scheduled as one: ").map(String::from)).collect()
}

fn emitted(path: &Path, options: &CompileOptions, stage: Emit) -> String {
    compile_file(path, options).and_then(|compiled| compiled.emit(stage)).expect("it compiles")
}

/// Section 7.2, listings 23 and 24 (T-16, T-17, T-28): the chains of the kernels of `PolyBench`.
#[test]
fn t_16_t_17_t_28_chains_of_kernels() {
    let expected: [(&str, &[&str]); 6] = [
        ("deriche", &["S0, S1, S2, S3, S4"]),
        ("covariance", &["S6, S7"]),
        ("nussinov", &["S0, S1"]),
        ("correlation", &["S5, S6, S7", "S8, S9"]),
        ("gemm", &[]),
        ("jacobi-2d", &[]),
    ];
    for (name, chains) in expected {
        assert_eq!(groups(&kernel(name), &symbolic()), chains, "{name}");
        let one_by_one = CompileOptions { group_chains: false, ..symbolic() };
        assert!(groups(&kernel(name), &one_by_one).is_empty(), "{name}");
    }
}

/// For each statement the bands around it, from outside: members, coincident ones, and the function that it
/// has in them.
fn bands(path: &Path, group_chains: bool) -> Vec<String> {
    let options = CompileOptions { group_chains, tile_sizes: TileSizes::None, ..symbolic() };
    let tree = ScheduleTree::parse(&emitted(path, &options, Emit::Schedule)).expect("a tree");
    let mut bands = Vec::new();
    tree.root.for_each(&mut |node| {
        if let Node::Band(band, _) = node {
            let flags: Vec<bool> = band.members.iter().map(|member| member.coincident).collect();
            let schedule = band.schedule.to_string();
            let statements: Vec<&str> = match band.members.len() {
                1 => schedule.split(['{', ';', '}']).filter(|part| part.contains("->")).collect(),
                _ => vec![&schedule],
            };
            let of_statements = statements.into_iter().map(str::trim);
            let of_statements = of_statements.filter(|part| !part.ends_with('['));
            bands.extend(of_statements.map(|s| format!("{flags:?} {} {s}", band.permutable)));
        }
    });
    bands.sort();
    bands
}

/// Grouping loses no member of a band and no flag. Loops over one statement of a group may become one over
/// all of them.
#[test]
fn bands_stay_as_they_are() {
    for name in ["deriche", "covariance", "nussinov", "correlation", "adi"] {
        assert_eq!(bands(&kernel(name), true), bands(&kernel(name), false), "{name}");
    }
}

/// The directions in which particles move: 19 in the published code.
const SPEEDS: usize = 7;

/// A body with guards after the lattice-Boltzmann code of section 7.2 (T-19), which is not published: what
/// is behind conditions stays out, and everything after that becomes one chain.
fn lattice() -> String {
    let mut body = String::from("int g = 0;\n");
    for (bit, guard) in
        ["x == S - 1", "x == 0", "y == S - 1", "y == 0", "z == S - 1", "z == 0"].iter().enumerate()
    {
        body += &format!("if ({guard}) g = g | {};\n", 1 << bit);
    }
    for k in 0..SPEEDS {
        body += &format!("double f{k} = cell[t % 2][z][y][x][{k}];\n");
    }
    body += "double rho = f0;\n";
    for k in 1..SPEEDS {
        body += &format!("rho = rho + f{k};\n");
    }
    body += "double rate = (g & 48) ? 0.0 : 0.7 + rho * 0.01;\n";
    for k in 0..SPEEDS {
        body +=
            &format!("next[(t + 1) % 2][z][y][x][{k}] = f{k} + rate * (rho / {SPEEDS} - f{k});\n");
    }
    format!(
        "#include <stdio.h>\n#define S 6\nstatic double cell[2][S][S][S][{SPEEDS}], next[2][S][S][S][{SPEEDS}];\n\
         static void step(int n)\n{{\n#pragma scop\nfor (int t = 0; t < n; t++)\n\
         for (int z = 0; z < S; z++)\nfor (int y = 0; y < S; y++)\nfor (int x = 0; x < S; x++) {{\n{body}}}\n\
         #pragma endscop\n}}\nint main(void)\n{{\ndouble *at = &cell[0][0][0][0][0];\n\
         for (int i = 0; i < 2 * S * S * S * {SPEEDS}; i++) at[i] = i * 31 % 101 / 7.0;\nstep(3);\n\
         at = &next[0][0][0][0][0];\nfor (int i = 0; i < 2 * S * S * S * {SPEEDS}; i += 7)\n\
         printf(\"%.17g\\n\", at[i]);\nreturn 0;\n}}\n"
    )
}

#[test]
fn t_19_a_long_body_becomes_one_statement() {
    let text = lattice();
    let path = file("lattice", &text);
    let found = groups(&path, &CompileOptions::new());
    let [chain] = &found[..] else { panic!("{found:?}") };
    // The flags are set by S1 and, behind conditions, by S2 to S7; declarations have numbers too.
    let chain: Vec<&str> = chain.split(", ").collect();
    assert_eq!((chain.len(), chain[0]), (3 * SPEEDS + 1, "S9"));
    let folder = scratch("grouping");
    let expected = run_c(&text, &folder, "lattice_before").expect("it runs");
    for group_chains in [true, false] {
        let options = CompileOptions { group_chains, ..CompileOptions::new() };
        let (code, _) = compile(&path, &options).expect("it compiles");
        assert_eq!(run_c(&code, &folder, "lattice_after").expect("it runs"), expected);
    }
}

/// A given schedule may be one of groups, with expansion nodes.
#[test]
fn a_given_schedule_may_have_expansions() {
    let path = kernel("nussinov");
    let constraints = ScheduleConstraints::parse(&emitted(&path, &symbolic(), Emit::Constraints));
    let constraints = constraints.expect("constraints");
    let original = CompileOptions { scheduler: Scheduler::None, ..symbolic() };
    let original = ScheduleTree::parse(&emitted(&path, &original, Emit::Schedule)).expect("a tree");
    let budget = Budget::unlimited();
    let grouping = Grouping::of_chains(&original, &constraints, &budget).expect("small");
    let scheduled = loopwright_scheduler::schedule_in_groups(
        &constraints,
        &grouping,
        &loopwright_scheduler::Options::outer_parallel(),
        &budget,
    );
    let tree = scheduled.expect("a schedule").tree;
    assert!(tree.to_string().contains("expansion"), "{tree}");
    let given = CompileOptions { scheduler: Scheduler::Given(tree.to_string()), ..symbolic() };
    let (code, _) = compile(&path, &given).expect("it is legal, and proved");
    assert!(code.contains("for"), "{code}");
    let reversed = tree.to_string().replace("-> [(i0 + i1)]", "-> [(-i0 - i1)]");
    assert_ne!(reversed, tree.to_string());
    let reversed = CompileOptions { scheduler: Scheduler::Given(reversed), ..symbolic() };
    let message = compile_file(&path, &reversed).expect_err("it is illegal").to_string();
    assert!(message.contains("not legal"), "{message}");
}
