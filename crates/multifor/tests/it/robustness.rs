//! Texts that are not what they should be, and statements that are too much: all of it ends with an answer.
use crate::support::*;
use loopwright_multifor::{CodeOptions, LowerSettings, Multifor, Scheme, generated, lowered};
use loopwright_presburger::Budget;
use loopwright_testkit::cases::seeds;

/// Numbers that look random: a linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn damaged_texts_are_refused_or_mean_something() {
    let texts = [HEADER_1, HEADER_2, NESTED_C, SOBEL, PRODUCT, DECODING, CIPHER];
    let settings = LowerSettings { steps: 300_000, ..LowerSettings::default() };
    let parts = [
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ";",
        ",",
        "0",
        "-",
        "n",
        "multifor",
        "\"",
        "/*",
        "\n#",
        "9999999999",
    ];
    let (mut refused, mut accepted) = (0, 0);
    for seed in seeds(0, 1500) {
        let mut random = Random(seed);
        let mut text = texts[random.below(texts.len())].to_string();
        if random.below(4) == 0 {
            text = format!(
                "#pragma multifor {}\n{text}",
                ["ranks", "steady", "guards", "offsets("][random.below(4)]
            );
        }
        for _ in 0..=random.below(2) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert_str(at, parts[random.below(parts.len())]),
                _ => {
                    let end = (at + 1 + random.below(9)).min(text.len());
                    let part = text[at..end].to_string();
                    text.insert_str(random.below(text.len()), &part);
                }
            }
        }
        match lowered("f.c".as_ref(), &text, &settings) {
            Ok(_) => accepted += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 300 && accepted > 100, "{refused} {accepted}");
}

#[test]
fn points_beyond_64_bits_are_refused() {
    let large = "9000000000000000000";
    for text in [
        format!(
            "multifor (i = 0, j = 0; i < n, j < n; i++, j++; {large}, 1; 0, 0) {{ 0: S(i); 1: S(j); }}"
        ),
        format!("multifor (i = 0; i < 9; i++; 1; {large}) {{ 0: S(i); }}"),
        format!(
            "multifor (i = 0, j = 0; i < 9, j < n; i++, j++; 1, 3; 0, {large}) {{ 0: S(i); 1: S(j); }}"
        ),
    ] {
        let refused = lowered("f.c".as_ref(), &text, &LowerSettings::default());
        assert!(refused.is_err(), "{text}: {refused:?}");
    }
}

#[test]
fn many_loops_get_conditions_where_there_are_too_many_parts() {
    let n_loops = 12;
    let list = |of: &dyn Fn(usize) -> String| (0..n_loops).map(of).collect::<Vec<_>>().join(", ");
    let text = format!(
        "multifor ({}; {}; {}; {}; {}) {{ {} }}",
        list(&|k| format!("i{k} = 0")),
        list(&|k| format!("i{k} < n{k}")),
        list(&|k| format!("i{k}++")),
        list(&|_| "1".to_string()),
        list(&|k| k.to_string()),
        (0..n_loops).map(|k| format!("{k}: S(i{k}); ")).collect::<String>(),
    );
    let budget = Budget::steps(20_000_000);
    let multifor = Multifor::new(&syntax(&text), &budget).unwrap();
    let code = generated(&multifor, &CodeOptions::sequential(Scheme::Separated), &budget).unwrap();
    assert_eq!(code.scheme, Scheme::Guards);
    let values: Vec<(String, i64)> =
        (0..n_loops).map(|k| (format!("n{k}"), (k * k % 7) as i64)).collect();
    let values: Vec<(&str, i64)> =
        values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(executed(&code, &values), expected(&syntax(&text), &values));
}
