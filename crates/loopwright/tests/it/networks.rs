//! `compile --emit network`: networks run and give the sequential result, also with queues of the least size;
//! what is no network says why.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, LEAST_CAPACITY, NetworkFormat, network_of_text};
use std::path::Path;

const PROGRAMS: [(&str, &str, usize); 3] = [
    ("radio", include_str!("../networks/radio.c"), 10),
    ("sobel", include_str!("../networks/sobel.c"), 5),
    ("dynamic_loops", include_str!("../networks/dynamic_loops.c"), 13),
];

fn made(name: &str, text: &str, format: NetworkFormat) -> Result<String, String> {
    let path = format!("{name}.c");
    let made = network_of_text(Path::new(&path), text, &CompileOptions::new(), format);
    made.map(|made| made.code).map_err(|failure| failure.to_string())
}

#[test]
fn networks_give_the_sequential_result() {
    for (name, text, _) in PROGRAMS {
        let folder = scratch(&format!("network-{name}"));
        let code = made(name, text, NetworkFormat::C).unwrap();
        let expected = run_c(text, &folder, "sequential").expect("the program runs");
        assert_eq!(run_c(&code, &folder, "network").expect("the network runs"), expected, "{name}");
        // Processes then wait for each other as often as they can.
        let smaller = |line: &str| match line.contains("loopwright_capacities[] =") {
            true => line.replace("256", &LEAST_CAPACITY.to_string()),
            false => line.to_string(),
        };
        let least = code.lines().map(smaller).collect::<Vec<_>>().join("\n");
        assert_ne!(least, code);
        assert_eq!(run_c(&least, &folder, "least").expect("the network runs"), expected, "{name}");
    }
}

/// Writes in front of jumps, under branches and in loops in loops.
#[test]
fn writes_in_front_of_jumps_are_kept() {
    let text = r#"#include <stdio.h>
__attribute__((const)) static int g(int x) { return x * 37 % 101; }
static int o[40], c[40];
static int jumps(int n) {
  int x = 3, k = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i] > 2) {
      o[i] = 1;
      if (c[i] == 5)
        o[i] = 7;
      continue;
    } else {
      o[i] = 2;
    }
    for (int j = 0; j < 3; j++) {
      if (g(c[i] + j) > 50) {
        x = x + j;
        break;
      }
      o[i] = o[i] + 3;
    }
    x = x * 2 % 1009;
  }
  while (k < n) {
    x = g(x + k);
    if (x < 50) {
      k = k + 2;
      continue;
    }
    k = k + 1;
  }
#pragma endscop
  return x + k * 1000;
}
int main(void) {
  for (int n = 0; n < 30; n += 7) {
    for (int i = 0; i < 40; i++)
      c[i] = i * 7 % 11 - 2;
    printf("%d", jumps(n));
    for (int i = 0; i < n; i++)
      printf(" %d", o[i]);
    printf("\n");
  }
}
"#;
    let folder = scratch("network-jumps");
    let expected = run_c(text, &folder, "sequential").expect("the program runs");
    let code = made("jumps", text, NetworkFormat::C).unwrap();
    assert_eq!(run_c(&code, &folder, "network").expect("the network runs"), expected);
}

#[test]
fn processes_and_channels_are_listed() {
    for (name, text, n_processes) in PROGRAMS {
        let json: serde_json::Value =
            serde_json::from_str(&made(name, text, NetworkFormat::Json).unwrap()).unwrap();
        let network = &json[0];
        assert_eq!(network["processes"].as_array().unwrap().len(), n_processes, "{name}");
        for channel in network["channels"].as_array().unwrap() {
            let is_data = channel["kind"] == "data";
            assert_eq!(channel["least_capacity"], 1);
            assert_eq!(channel["variable"].is_string(), is_data, "{channel}");
            let is_related = channel["to"] != "after";
            // A process may pass conditions that decide about nothing that it does: `continue` at its end.
            let is_passed = name == "dynamic_loops" && channel["from"] == "S6";
            if !is_passed {
                assert_eq!(channel["relation"].is_string(), is_related, "{channel}");
            }
            let exact = channel["exact"].as_array().unwrap();
            assert_eq!(!exact.is_empty(), is_data && is_related, "{channel}");
            for read in exact {
                for source in read["sources"].as_array().unwrap() {
                    assert_eq!(source["statement"], channel["from"], "{channel}");
                }
            }
        }
    }
    let radio = made("radio", PROGRAMS[0].1, NetworkFormat::Json).unwrap();
    for text in [
        // Outcomes say which of two statements runs, and which one has written what is read an iteration
        // later.
        "\"relation\": \"{ S4[count] -> S6[count'] : count >= 0 and count <= count' <= 1 + count and count' >= 0 }\"",
        "\"relation\": \"[ran_S5] -> { S4[count] -> S5[count' = -1 + count] : ran_S5 = 1 and count > 0 }\"",
        "\"ran\": \"ran_S5\"",
    ] {
        assert!(radio.contains(text), "{text}: {radio}");
    }
    assert!(radio.contains("\"kind\": \"control\""), "{radio}");
    let dot = made("radio", PROGRAMS[0].1, NetworkFormat::Dot).unwrap();
    assert!(dot.contains("shape=diamond") && dot.contains("style=dashed"), "{dot}");
}

/// The reason why a region with these statements is no network.
fn refusal(statements: &str) -> String {
    let text = format!(
        "static int log_of[9], n_calls;\nstatic int next(void) {{ n_calls = n_calls + 1; return n_calls; }}\n\
         int f(int n, int *restrict c, int *restrict p) {{\n  int x = 0, y = 0;\n#pragma scop\n{statements}\n#pragma endscop\n  \
         return x + y;\n}}\n"
    );
    made("refused", &text, NetworkFormat::C).unwrap_err()
}

#[test]
fn what_is_no_network_says_why() {
    let cases = [
        ("x = next();\ny = next();", "several statements call functions that access"),
        ("if (c[0]) return 1;\nx = 1;", "`return` has no form in a network"),
        (
            "for (int i = 0; i < n; i++) p[i] = i;\nfor (int i = 0; i < n; i++) x = x + p[i];",
            "the size of `p`, of which processes have copies, is not known",
        ),
        ("if (c[0]) goto end;\nx = 1;\nend:;", "a `goto` cannot be part of a region"),
    ];
    for (statements, expected) in cases {
        let why = refusal(statements);
        assert!(why.contains(expected), "{statements}: {why}");
    }
}
