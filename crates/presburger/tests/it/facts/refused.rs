//! Texts that are no sets, relations or functions: where the mistake is and what is said about it.
use super::check;
use loopwright_presburger::{Error, Map, PwAff, PwQPolynomial, Set, UnionMap};

/// How a text is read.
type Reader = fn(&str) -> Result<(), Error>;

const SET: Reader = |text| Set::parse(text).map(|_| ());
const MAP: Reader = |text| Map::parse(text).map(|_| ());
const UNION: Reader = |text| UnionMap::parse(text).map(|_| ());
const FUNCTION: Reader = |text| PwAff::parse(text).map(|_| ());
const POLYNOMIAL: Reader = |text| PwQPolynomial::parse(text).map(|_| ());

/// The reader, the text, and the text from the place of the mistake on.
const REFUSED: [(Reader, &str, &str); 32] = [
    (SET, "", ""),
    (SET, "{", ""),
    (SET, "{ [i", ""),
    (SET, "{ [i] : i > }", "}"),
    (SET, "{ [i] : i ! 0 }", "i ! 0 }"),
    (SET, "{ [i] : j > 0 }", "j > 0 }"),
    (SET, "{ [i] : i > 0", ""),
    (SET, "{ [i] i > 0 }", "i > 0 }"),
    (SET, "{ [i] : i > 0 } x", "x"),
    (SET, "[n] -> { [i] : i < m }", "m }"),
    (SET, "[n -> { [i] }", "[n -> { [i] }"),
    (SET, "{ [i] : i*i > 0 }", "i*i > 0 }"),
    (SET, "{ [i] : i/0 > 0 }", "i/0 > 0 }"),
    (SET, "{ [i] : floor(i/2 > 0 }", "i/2 > 0 }"),
    (SET, "{ [i] : exists (: i > 0 }", "}"),
    (SET, "{ [i] : exists (e : i = 2e }", "}"),
    (SET, "{ [i] : not }", "}"),
    (SET, "{ [i] : i > 0 and }", "}"),
    (SET, "{ [i] : i > 0 or or i < 0 }", "or i < 0 }"),
    (SET, "{ [i] : (i > 0 }", "}"),
    (SET, "{ [i] : i mod 0 = 1 }", "i mod 0 = 1 }"),
    (SET, "{ [i] : i mod -3 = 1 }", "i mod -3 = 1 }"),
    (SET, "{ [i] : $ > 0 }", "$ > 0 }"),
    (MAP, "{ [i] -> }", "}"),
    (MAP, "{ [i] -> [j] -> [k] }", "-> [k] }"),
    (MAP, "{ [i] -> [j : j > 0 }", ": j > 0 }"),
    (UNION, "{ A[i] -> B[i]; }}", "}"),
    (UNION, "{ A[i] ->> B[i] }", "> B[i] }"),
    (FUNCTION, "{ [i] -> [(i] }", "] }"),
    (FUNCTION, "{ [i] -> [(i*i)] }", "i*i)] }"),
    (POLYNOMIAL, "{ [i] -> i^ }", "}"),
    (POLYNOMIAL, "{ [i] -> i^-1 }", "-1 }"),
];

#[test]
fn mistakes_are_found_where_they_are() {
    check(&REFUSED, |&(read, text, rest)| match read(text) {
        Err(Error::Parse { position, message }) if !message.is_empty() => {
            match &text[position.min(text.len())..] == rest {
                true => Ok(()),
                false => Err(format!("{text:?}: at {:?}: {message}", &text[position..])),
            }
        }
        other => Err(format!("{text:?}: {other:?}")),
    });
}

/// Sets are no relations, and the other way round.
#[test]
fn texts_of_another_kind_are_refused() {
    let rows: [(Reader, &str); 6] = [
        (SET, "{ [i] -> [j] }"),
        (SET, "{ A[i]; B[i] }"),
        (MAP, "{ [i] }"),
        (MAP, "{ A[i] -> B[i]; B[i] -> A[i] }"),
        (FUNCTION, "{ [i] -> [j] : j > i }"),
        (POLYNOMIAL, "{ [i] -> [j] -> i }"),
    ];
    check(&rows, |&(read, text)| match read(text) {
        Err(error) if !error.to_string().is_empty() => Ok(()),
        other => Err(format!("{text:?}: {other:?}")),
    });
}
