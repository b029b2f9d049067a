//! Values from and as text by the traits of the standard library, and by serde where that feature is on.

use loopwright_presburger::{
    Aff, Error, Map, MultiAff, MultiPwAff, MultiUnionPwAff, MultiVal, Name, PwAff, PwMultiAff,
    PwQPolynomial, PwQPolynomialFold, Set, Space, Tuple, UnionMap, UnionPwAff, UnionPwMultiAff,
    UnionPwQPolynomial, UnionPwQPolynomialFold, UnionSet,
};
use std::collections::HashSet;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Values of which every type has one: its text is read, printed, and read again.
fn check<T: FromStr<Err = Error> + Display + Debug>(text: &str, by: impl Fn(&T) -> T) {
    let value = T::from_str(text).unwrap();
    let printed = value.to_string();
    assert_eq!(T::from_str(&printed).unwrap().to_string(), printed);
    assert_eq!(by(&value).to_string(), printed);
    assert!(T::from_str("{ [").is_err());
}

macro_rules! round_trips {
    ($by:ident) => {
        check::<Space>("[n] -> { S[i] -> A[j] }", $by);
        check::<Space>("[n] -> { : }", $by);
        check::<Set>("[n] -> { S[i] : 0 <= i < n and i mod 3 = 1 }", $by);
        check::<Set>("{ S[i] : false }", $by);
        check::<Map>("[n] -> { S[i] -> A[i + n] : i > 0 }", $by);
        check::<Map>("{ S[i] -> A[x] : false }", $by);
        check::<UnionSet>("{ S[i] : i > 0; T[] }", $by);
        check::<UnionMap>("{ S[i] -> A[i]; T[] -> A[0] }", $by);
        check::<Aff>("{ [i] -> [(floor((i)/2))] }", $by);
        check::<PwAff>("{ [i] -> [(i)] : i > 0; [i] -> [(0)] : i <= 0 }", $by);
        check::<MultiAff>("{ S[i] -> A[(i + 1), (2i)] }", $by);
        check::<PwMultiAff>("{ S[i] -> A[(i + 1), (2i)] : i > 0 }", $by);
        check::<MultiPwAff>("{ A[i] -> B[((i) : i > 0; (2) : i = 0), (3)] }", $by);
        check::<MultiVal>("{ A[1, -2/3, infty] }", $by);
        check::<UnionPwAff>("{ S[i] -> [(i)]; T[] -> [(2)] }", $by);
        check::<UnionPwMultiAff>("{ S[i] -> A[(i)]; T[] -> A[(2)] }", $by);
        check::<MultiUnionPwAff>("[{ S[i] -> [(i)]; T[] -> [(2)] }]", $by);
        check::<PwQPolynomial>("{ [i] -> i^2 + 1/2 * i : i > 0 }", $by);
        check::<PwQPolynomialFold>("{ [i] -> max(i^2, 3 * i) : i > 0 }", $by);
        check::<UnionPwQPolynomial>("{ S[i] -> i^2; T[] -> 2 }", $by);
        check::<UnionPwQPolynomialFold>("{ S[i] -> max(i^2, 3); T[] -> max(2) }", $by);
    };
}

#[test]
fn text_is_read_by_from_str() {
    fn same<T: FromStr<Err = Error> + Display>(value: &T) -> T {
        value.to_string().parse().unwrap()
    }
    round_trips!(same);
    let set = Set::try_from("{ [i] : i > 0 }").unwrap();
    assert_eq!(set.to_string(), "{ [i] : i > 0 }");
}

/// The notation is the form of data.
#[cfg(feature = "serde")]
#[test]
fn serde_goes_by_text() {
    fn through_json<T: serde::Serialize + serde::de::DeserializeOwned + Display>(value: &T) -> T {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, serde_json::to_string(&value.to_string()).unwrap());
        serde_json::from_str(&json).unwrap()
    }
    round_trips!(through_json);
    let error = serde_json::from_str::<Map>("\"{ S[i] -> T[2k] }\"").unwrap_err();
    assert!(error.to_string().contains("expected a declared name, found `k`"), "{error}");
    let listed: Vec<Set> = serde_json::from_str(r#"["{ [i] : i > 0 }", "{ : }"]"#).unwrap();
    assert_eq!(listed.len(), 2);
}

#[test]
fn debug_output_is_short() {
    let set = Set::parse("[n] -> { S[i] : 0 <= i < n }").unwrap();
    assert_eq!(format!("{set:?}"), "Set([n] -> { S[i] : 0 <= i < n })");
    let space = Space::default();
    assert_eq!(format!("{space:?} {:?}", Tuple::named("S", 1)), "Space({ : }) Tuple(S[i0])");
    let function = PwAff::parse("{ [i] -> [(i)] : i > 0 }").unwrap();
    assert!(format!("{function:?}").len() < 160, "{function:?}");
}

/// Spaces are equal, ordered and hashed by parameters and tuples; names of dimensions do not count.
#[test]
fn spaces_are_keys() {
    let params = [Name::from("n")];
    let named = Tuple::named("S", 1).with_dim_names(&[Some("i".into())]);
    let spaces = [
        Space::set(&params, Tuple::named("S", 1)),
        Space::set(&params, named),
        Space::set(&[], Tuple::named("S", 1)),
        Space::params(&params),
    ];
    let distinct: HashSet<Space> = spaces.iter().cloned().collect();
    assert_eq!(distinct.len(), 3);
    assert_eq!(spaces[0].cmp(&spaces[1]), std::cmp::Ordering::Equal);
    assert!(UnionSet::default().plain_is_empty() && UnionMap::default().plain_is_empty());
}
