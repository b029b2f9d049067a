//! Damaged files of every format: an error that names the line, never a panic.
use loopwright_interchange::{Format, read, write};
use loopwright_presburger::{Budget, Error};
use loopwright_testkit::cases::{number, seed};

const JSCOP: &str = r#"{
  "name": "f",
  "context": "[n, m] -> { : n > 0 and m >= 2 }",
  "arrays": [
    { "name": "A", "sizes": [ "*", "100" ], "type": "double" },
    { "name": "x", "sizes": [], "type": "i32" }
  ],
  "statements": [
    { "name": "S", "domain": "[n] -> { S[i] : 0 <= i < n }",
      "schedule": "[n] -> { S[i] -> [0, i, 0] }",
      "accesses": [
        { "kind": "write", "relation": "[n] -> { S[i] -> A[i, 0] }" },
        { "kind": "read", "relation": "[n] -> { S[i] -> x[] }" } ] },
    { "name": "T", "domain": "[n, m] -> { T[i, j] : 0 <= i < n and 0 <= j < m and i mod 2 = 0 }",
      "schedule": "[n, m] -> { T[i, j] -> [1, floor(i / 2), j] }",
      "accesses": [
        { "kind": "may write", "relation": "[n] -> { T[i, j] -> A[i, j] }" } ] }
  ]
}
"#;

const PET: &str = r#"start: 10
end: 200
indent: "  "
context: '[n] -> {  : 0 <= n <= 100 }'
schedule: '{ domain: "[n] -> { S_0[i] : 0 <= i < n; S_1[] }", child: { sequence: [ { filter: "[n]
  -> { S_0[i] }", child: { schedule: "[n] -> L_0[{ S_0[i] -> [(i)] }]" } }, { filter: "{ S_1[] }" } ] } }'
arrays:
- context: '[n] -> {  : n >= 0 }'
  extent: '[n] -> { A[i0] : 0 <= i0 < n }'
  element_type: int
  element_size: 4
statements:
- line: 3
  domain: '[n] -> { S_0[i] : 0 <= i < n }'
  body:
    type: expression
    expr:
      type: op
      operation: +=
      arguments:
      - type: access
        index: '[n] -> { S_0[i] -> A[(i)] }'
        reference: __pet_ref_0
        read: 1
        write: 1
      - type: call
        name: f
        arguments:
        - type: access
          index: '[n] -> { S_0[i] -> [(2i + 1)] }'
          reference: __pet_ref_1
          read: 1
          write: 0
        - type: double
          value: 0.5
          string: 0.5f
- line: 5
  domain: '{ S_1[] }'
  body:
    type: expression
    expr:
      type: op
      operation: kill
      arguments:
      - type: access
        killed: '[n] -> { S_1[] -> A[o0] : 0 <= o0 < n }'
        index: '{ S_1[] -> A[] }'
        depth: 1
        reference: __pet_ref_2
        kill: 1
"#;

fn budget() -> Budget {
    Budget::steps(200_000)
}

/// One good text of each format.
fn good() -> [(Format, String); 3] {
    let model = &read(Format::Jscop, JSCOP, &budget()).expect("a good file")[0];
    let openscop = write(Format::OpenScop, model, &budget()).expect("it can be written");
    [
        (Format::OpenScop, openscop),
        (Format::Jscop, JSCOP.to_string()),
        (Format::Pet, PET.to_string()),
    ]
}

/// Reads a text; an error has to name a line, unless a limit was reached.
fn check(format: Format, text: &str) {
    match read(format, text, &budget()) {
        Ok(regions) => {
            for region in &regions {
                let _ = write(format, region, &budget());
            }
        }
        Err(Error::Exceeded { .. }) => {}
        Err(error) => {
            assert!(error.to_string().contains("line"), "{format:?}: {error}\nin:\n{text}");
        }
    }
}

/// A sequence of numbers that look random (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A text with one damage.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    const WORDS: [&str; 24] = [
        "-1",
        "0",
        "1",
        "2",
        "99999999999999999999999",
        "4000000000",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        ":",
        "->",
        "n",
        "S",
        "[n] -> { S[i, j] : i = j }",
        "#",
        "</body>",
        "<body>",
        "\\",
        ",",
        "- ",
        "{ : false }",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    if lines.is_empty() {
        return String::new();
    }
    let at = numbers.below(lines.len());
    match numbers.below(8) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.truncate(at),
        3 => {
            let other = numbers.below(lines.len());
            lines.swap(at, other);
        }
        4 => {
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            let place = numbers.below(words.len());
            words[place] = WORDS[numbers.below(WORDS.len())];
            lines[at] = words.join(" ");
        }
        5 => {
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            words.remove(numbers.below(words.len()));
            lines[at] = words.join(" ");
        }
        _ => {
            let mut characters: Vec<char> = lines[at].chars().collect();
            let place = numbers.below(characters.len() + 1);
            let new = WORDS[numbers.below(WORDS.len())].chars();
            let end = (place + numbers.below(3)).min(characters.len());
            characters.splice(place..end, new);
            lines[at] = characters.into_iter().collect();
        }
    }
    lines.join("\n")
}

/// `LOOPWRIGHT_DAMAGED_FILES` says how many of each format.
#[test]
fn damaged_files_are_refused_with_the_line() {
    let count = number("LOOPWRIGHT_DAMAGED_FILES").unwrap_or(1000);
    let mut numbers = Numbers(seed(0x9E37_79B9_7F4A_7C15 ^ count << 20));
    for (format, text) in good() {
        assert!(read(format, &text, &budget()).is_ok(), "{format:?}");
        for _ in 0..count {
            let mut bad = damaged(&text, &mut numbers);
            for _ in 0..numbers.below(3) {
                bad = damaged(&bad, &mut numbers);
            }
            check(format, &bad);
        }
    }
}

#[test]
fn files_of_another_format_are_refused() {
    for (format, _) in good() {
        for (other, text) in good() {
            if format != other {
                assert!(read(format, &text, &budget()).is_err(), "{format:?} reads {other:?}");
            }
        }
        for text in ["", "\n\n", "{", "[]", "- a\n- b\n", "\0", "<OpenScop>", "SCoP\n", "\u{feff}"]
        {
            check(format, text);
            assert!(read(format, text, &budget()).is_err(), "{format:?} reads {text:?}");
        }
    }
}

#[test]
fn sizes_that_are_announced_take_no_memory() {
    let huge = [
        "<OpenScop>\nC\nCONTEXT\n0 4000000002 0 0 0 4000000000\n",
        "<OpenScop>\nC\nCONTEXT\n4000000000 2 0 0 0 0\n",
        "<OpenScop>\nC\nCONTEXT\n4000000000\n0 2 0 0 0 0\n",
        "<OpenScop>\nC\nCONTEXT\n0 2 0 0 0 0\n0\n4000000000\n3\n",
        "<OpenScop>\nC\nCONTEXT\n0 2 0 0 0 0\n0\n1\n4000000000\nDOMAIN\n0 99999 99997 0 0 0\n",
    ];
    for text in huge {
        let error = read(Format::OpenScop, text, &budget()).expect_err(text);
        assert!(error.to_string().contains("line"), "{error}");
    }
    let deep = format!("statements: {}", "[".repeat(100_000));
    assert!(read(Format::Pet, &deep, &budget()).is_err());
    assert!(read(Format::Jscop, &"{\"a\":".repeat(100_000), &budget()).is_err());
}
