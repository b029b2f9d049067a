//! Numbers with infinities and without a value.
use loopwright_exact::Value;

fn values() -> Vec<Value> {
    ["NaN", "-infty", "-7/3", "-1", "0", "2/5", "3", "infty"]
        .map(|text| text.parse().unwrap())
        .to_vec()
}

#[test]
fn operations_agree_with_floating_point() {
    let float = |value: &Value| match value {
        Value::NotANumber => f64::NAN,
        Value::NegativeInfinity => f64::NEG_INFINITY,
        Value::Infinity => f64::INFINITY,
        Value::Finite(q) => {
            q.numerator.to_i64().unwrap() as f64 / q.denominator.to_i64().unwrap() as f64
        }
    };
    let same = |a: f64, b: &Value| {
        let b = float(b);
        a.is_nan() && b.is_nan() || a == b || (a - b).abs() < 1e-9
    };
    for (a, b) in values().iter().flat_map(|a| values().into_iter().map(move |b| (a.clone(), b))) {
        let (x, y) = (float(&a), float(&b));
        assert!(same(x + y, &(&a + &b)) && same(x - y, &(&a - &b)), "{a} + {b}");
        assert!(same(x * y, &(&a * &b)), "{a} * {b}");
        assert!(y == 0.0 || same(x / y, &(&a / &b)), "{a} / {b}");
        assert!(a == b && a.is_nan() || x.partial_cmp(&y) == a.partial_cmp(&b));
        assert!(x.is_nan() || y.is_nan() || same(x.min(y), &a.min(&b)));
        assert!(x.is_nan() || y.is_nan() || same(x.max(y), &a.max(&b)));
    }
}

#[test]
fn rounding_and_text() {
    for value in values() {
        assert_eq!(value.to_string().parse::<Value>().unwrap(), value);
    }
    let value: Value = "-7/3".parse().unwrap();
    let rounded = [value.floor(), value.ceil(), value.trunc(), value.modulo(&Value::from(2))];
    assert_eq!(rounded.map(|v| v.to_string()), ["-3", "-2", "-2", "5/3"]);
    assert_eq!("1/0".parse::<Value>().unwrap(), Value::NotANumber);
    assert!("x".parse::<Value>().is_err() && "1/".parse::<Value>().is_err());
}
