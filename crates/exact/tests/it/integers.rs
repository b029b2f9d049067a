//! Integers and fractions against the arithmetic of `i128` and against algebraic laws.
use loopwright_exact::{Int, Rational};
use proptest::prelude::*;

/// Words near all the borders, and small ones.
fn word() -> impl Strategy<Value = i64> {
    prop_oneof![
        -20i64..20,
        any::<i64>(),
        (0u32..63, -2i64..3).prop_map(|(bits, off)| (1i64 << bits) + off),
        Just(i64::MIN),
        Just(i64::MAX),
        Just(-i64::MAX),
    ]
}

/// Integers of up to four words.
fn integer() -> impl Strategy<Value = Int> {
    prop_oneof![
        word().prop_map(Int::from),
        (word(), word(), word()).prop_map(|(a, b, c)| Int::from(a) * Int::from(b) + Int::from(c)),
        (word(), word(), word(), word())
            .prop_map(|(a, b, c, d)| Int::from(a) * Int::from(b) * Int::from(c) * Int::from(d)),
    ]
}

fn wide(value: i128) -> Int {
    Int::from(value)
}

proptest! {
    #[test]
    fn words_agree_with_double_words(a in word(), b in word()) {
        let (x, y) = (Int::from(a), Int::from(b));
        let (a, b) = (i128::from(a), i128::from(b));
        prop_assert_eq!(&x + &y, wide(a + b));
        prop_assert_eq!(&x - &y, wide(a - b));
        prop_assert_eq!(&x * &y, wide(a * b));
        prop_assert_eq!(-&x, wide(-a));
        prop_assert_eq!(x.abs(), wide(a.abs()));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_string(), a.to_string());
        prop_assert_eq!(x.to_string().parse::<Int>().unwrap(), x.clone());
        if b != 0 {
            let floor = a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0);
            prop_assert_eq!(x.div_floor(&y), wide(floor));
            prop_assert_eq!(x.mod_floor(&y), wide(a - b * floor));
            prop_assert_eq!(x.rem_euclid(&y), wide(a.rem_euclid(b)));
        }
    }

    #[test]
    fn laws_of_big_integers(a in integer(), b in integer(), c in integer()) {
        prop_assert_eq!(&a + &b - &b, a.clone());
        prop_assert_eq!((&a + &b) * &c, &a * &c + &b * &c);
        prop_assert_eq!((&a - &b).signum(), a.cmp(&b) as i32);
        prop_assert_eq!(a.to_string().parse::<Int>().unwrap(), a.clone());
        if !b.is_zero() {
            let (floor, ceil) = (a.div_floor(&b), a.div_ceil(&b));
            prop_assert_eq!(&floor * &b + a.mod_floor(&b), a.clone());
            prop_assert_eq!(-(-&a).div_floor(&b), ceil);
            prop_assert!(a.rem_euclid(&b) < b.abs() && !a.rem_euclid(&b).is_negative());
            prop_assert_eq!((&a * &b).div_exact(&b), a.clone());
        }
        let divisor = a.gcd(&b);
        prop_assert!(a.is_divisible_by(&divisor) && b.is_divisible_by(&divisor));
        let (g, x, y) = a.extended_gcd(&b);
        prop_assert_eq!(&g, &divisor);
        prop_assert_eq!(x * &a + y * &b, divisor.clone());
        prop_assert_eq!(a.lcm(&b) * divisor, (&a * &b).abs());
    }

    #[test]
    fn fractions(a in word(), b in word(), c in word(), d in word()) {
        prop_assume!(b != 0 && d != 0);
        let x = Rational::new(Int::from(a), Int::from(b));
        let y = Rational::new(Int::from(c), Int::from(d));
        prop_assert_eq!(&(&x + &y) - &y, x.clone());
        prop_assert_eq!((&x - &y).signum(), x.cmp(&y) as i32);
        if !y.is_zero() {
            prop_assert_eq!(&(&x / &y) * &y, x.clone());
        }
        let floor = Rational::from(x.floor());
        prop_assert!(floor <= x && x < &floor + &Rational::one());
        prop_assert!(x.denominator.is_positive());
        prop_assert!(x.numerator.gcd(&x.denominator).is_one());
    }
}

#[test]
fn texts_that_are_not_integers() {
    for text in ["", "-", "+", "1_000", "0x10", " 1", "1.0", "9999999999999999999999z", "--1"] {
        assert!(text.parse::<Int>().is_err(), "{text:?}");
    }
    assert_eq!("+99999999999999999999".parse::<Int>().unwrap().to_string(), "99999999999999999999");
}

#[test]
fn the_least_word_is_not_inline() {
    let least = Int::from(i64::MIN);
    assert_eq!(least.to_i64(), None);
    assert_eq!(-&least, Int::from(i64::MAX) + Int::ONE);
    assert_eq!(Int::from(-i64::MAX) - Int::ONE, least);
}
