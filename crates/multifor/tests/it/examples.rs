//! The worked examples: generated loops against the interpreter.
use crate::support::*;
use loopwright_multifor::Scheme;

#[test]
fn show() {
    for text in [HEADER_1, HEADER_2, NESTED_A, NESTED_B, NESTED_C, SOBEL, RED_BLACK_CORRECTED, PRODUCT, CIPHER] {
        for scheme in [Scheme::Guards, Scheme::Separated] {
            println!("{scheme:?}\n{}", code(text, scheme).text);
        }
    }
}

#[test]
fn headers() {
    agrees(HEADER_1, &[vec![]]);
    agrees(HEADER_2, &[vec![]]);
}

#[test]
fn nested() {
    for text in [NESTED_A, NESTED_B, NESTED_C] {
        agrees(text, &[vec![]]);
    }
}

#[test]
fn sobel() {
    let sizes = [(5, 5), (7, 9), (10, 4), (4, 4), (3, 3), (3, 5), (5, 3), (0, 0), (1, 7), (2, 2)];
    let values: Vec<_> = sizes.iter().map(|(k, n)| vec![("K", *k), ("N", *n)]).collect();
    agrees(SOBEL, &values);
}

#[test]
fn red_black() {
    let values: Vec<_> = (0..14).map(|n| vec![("N", n)]).collect();
    agrees(RED_BLACK, &values);
    agrees(RED_BLACK_CORRECTED, &values);
}

#[test]
fn product() {
    let values: Vec<_> = (-3..9).map(|n| vec![("n", n)]).collect();
    agrees(PRODUCT, &values);
}

#[test]
fn decoding() {
    let sizes = [(3, 2, 8, 6), (5, 4, 8, 6), (6, 2, 8, 10), (0, 0, 3, 3), (4, 4, 4, 4)];
    let values: Vec<_> = sizes
        .iter()
        .map(|(a, b, c, d)| vec![("HWidth", *a), ("HHeight", *b), ("EWidth", *c), ("EHeight", *d)])
        .collect();
    agrees(DECODING, &values);
}

#[test]
fn cipher() {
    let values: Vec<_> = (-1..6).map(|k| vec![("k", k)]).collect();
    agrees(CIPHER, &values);
}
