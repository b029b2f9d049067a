//! Counts that the literature has: magic squares, tables, Ehrhart polynomials of known polytopes.
use crate::random_sets::budget;
use loopwright_presburger::{Int, Set, Value};
use std::collections::BTreeSet;

/// A square or table of variables, row by row, and the condition that they are not negative.
struct Table {
    names: Vec<Vec<String>>,
    conditions: Vec<String>,
}

impl Table {
    fn new(n_rows: usize, n_columns: usize) -> Self {
        let name = |i: usize| (0..n_columns).map(|j| format!("x{i}_{j}")).collect();
        let names: Vec<Vec<String>> = (0..n_rows).map(name).collect();
        let conditions = names.iter().flatten().map(|name| format!("{name} >= 0")).collect();
        Table { names, conditions }
    }

    fn require(&mut self, cells: impl IntoIterator<Item = (usize, usize)>, sum: &str) {
        let cells: Vec<&str> = cells.into_iter().map(|(i, j)| self.names[i][j].as_str()).collect();
        self.conditions.push(format!("{} = {sum}", cells.join(" + ")));
    }

    /// The sums of rows and columns.
    fn margins(mut self, rows: &[&str], columns: &[&str]) -> Self {
        for (i, sum) in rows.iter().enumerate() {
            self.require((0..columns.len()).map(|j| (i, j)), sum);
        }
        for (j, sum) in columns.iter().enumerate() {
            self.require((0..rows.len()).map(|i| (i, j)), sum);
        }
        self
    }

    fn diagonals(mut self, sum: &str) -> Self {
        let n = self.names.len();
        self.require((0..n).map(|i| (i, i)), sum);
        self.require((0..n).map(|i| (i, n - 1 - i)), sum);
        self
    }

    fn set(&self, params: &str) -> Set {
        let dims: Vec<&str> = self.names.iter().flatten().map(String::as_str).collect();
        let text = format!(
            "[{params}] -> {{ [{}] : {} }}",
            dims.join(", "),
            self.conditions.join(" and ")
        );
        Set::parse(&text).unwrap()
    }
}

fn count(set: &Set) -> String {
    set.card(&budget()).unwrap().to_string()
}

#[test]
fn magic_squares() {
    let square = |n: usize| Table::new(n, n).margins(&vec!["s"; n], &vec!["s"; n]);
    // MacMahon, Combinatory analysis, 1915.
    assert_eq!(
        count(&square(3).diagonals("s").set("s")),
        "[s] -> { (2/9*s^2 + 2/3*s + 1) : (s) mod 3 = 0 and s >= 0 }"
    );
    assert_eq!(
        count(&square(3).set("s")),
        "[s] -> { (1/8*s^4 + 3/4*s^3 + 15/8*s^2 + 9/4*s + 1) : s >= 0 }"
    );
    let magic = square(4).diagonals("s").set("s").card(&budget()).unwrap();
    for (s, expected) in [1, 8, 48, 200, 675, 1904].into_iter().enumerate() {
        let at = [Int::from(s as i64)];
        assert_eq!(magic.eval(&at, &budget()).unwrap(), Value::from(expected), "{magic}");
    }
    assert!(magic.to_string().len() < 250, "{magic}");
    assert_eq!(
        count(&square(4).set("s")),
        "[s] -> { (11/11340*s^9 + 11/630*s^8 + 19/135*s^7 + 2/3*s^6 + 1109/540*s^5 + 43/10*s^4 + \
         35117/5670*s^3 + 379/63*s^2 + 65/18*s + 1) : s >= 0 }"
    );
}

/// Diaconis and Gangolli, "Rectangular arrays with fixed margins", 1995.
#[test]
fn tables_with_given_margins() {
    let hair_and_eyes =
        Table::new(4, 4).margins(&["220", "215", "93", "64"], &["108", "286", "71", "127"]);
    assert_eq!(count(&hair_and_eyes.set("")), "{ (1225914276768514) }");
    let small = Table::new(3, 3).margins(&["14", "14", "19"], &["15", "12", "20"]);
    assert_eq!(count(&small.set("")), "{ (8406) }");
    let two = Table::new(2, 2).margins(&["a", "b"], &["c", "a + b - c"]).set("a, b, c");
    let count = two.card(&budget()).unwrap();
    for (a, b, c) in
        (0..5i64).flat_map(|a| (0..5).flat_map(move |b| (0..8).map(move |c| (a, b, c))))
    {
        let expected = (a.min(b).min(c).min(a + b - c) + 1).max(0);
        let at = [a, b, c].map(Int::from);
        assert_eq!(count.eval(&at, &budget()).unwrap(), Value::from(expected), "{count}");
    }
}

/// `1 + sum |x_i| <= t`, whose series is `(1 + x)^d/(1 - x)^(d + 1)`.
#[test]
fn cross_polytopes() {
    for (d, expected) in [
        (2, "2*t^2 + 2*t + 1"),
        (3, "4/3*t^3 + 2*t^2 + 8/3*t + 1"),
        (4, "2/3*t^4 + 4/3*t^3 + 10/3*t^2 + 8/3*t + 1"),
        (5, "4/15*t^5 + 2/3*t^4 + 8/3*t^3 + 10/3*t^2 + 46/15*t + 1"),
        (6, "4/45*t^6 + 4/15*t^5 + 14/9*t^4 + 8/3*t^3 + 196/45*t^2 + 46/15*t + 1"),
    ] {
        let form = |signs: u32| -> String {
            let term = |i: u32| format!("{} x{i} ", if signs >> i & 1 == 1 { "+" } else { "-" });
            (0..d).map(term).collect()
        };
        let rows: Vec<String> =
            (0..1 << d).map(|signs| format!("0 {} <= t", form(signs))).collect();
        let dims: Vec<String> = (0..d).map(|i| format!("x{i}")).collect();
        let text = format!("[t] -> {{ [{}] : {} }}", dims.join(", "), rows.join(" and "));
        let expected = format!("[t] -> {{ ({expected}) : t >= 0 }}");
        assert_eq!(count(&Set::parse(&text).unwrap()), expected);
    }
}

/// The coefficient of `t^k` is the number of labelled forests with `k` edges (Stanley, 1980).
#[test]
fn permutohedra() {
    for (n, expected) in [
        (3usize, "3*t^2 + 3*t + 1"),
        (4, "16*t^3 + 15*t^2 + 6*t + 1"),
        (5, "125*t^4 + 110*t^3 + 45*t^2 + 10*t + 1"),
        (6, "1296*t^5 + 1080*t^4 + 435*t^3 + 105*t^2 + 15*t + 1"),
    ] {
        let dims: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        let sum = |subset: usize| -> String {
            let members = (0..n).filter(|i| subset >> i & 1 == 1).map(|i| dims[i].as_str());
            members.collect::<Vec<_>>().join(" + ")
        };
        let bound = |subset: usize| {
            let size = subset.count_ones() as usize;
            let relation = if size == n { "=" } else { ">=" };
            format!("{} {relation} {}t", sum(subset), size * (size + 1) / 2)
        };
        let rows: BTreeSet<String> = (1..1usize << n).map(bound).collect();
        let rows: Vec<String> = rows.into_iter().collect();
        let text = format!("[t] -> {{ [{}] : {} }}", dims.join(", "), rows.join(" and "));
        assert_eq!(
            count(&Set::parse(&text).unwrap()),
            format!("[t] -> {{ ({expected}) : t >= 0 }}")
        );
    }
}

/// Knapsacks with large coefficients (Aardal and Lenstra, 2004: the Frobenius number and the next one).
#[test]
fn knapsacks() {
    let knapsack = |sum: i64| {
        let text = format!(
            "{{ [a, b, c, d, f] : a, b, c, d, f >= 0 and \
             12223a + 12224b + 36674c + 61119d + 85569f = {sum} }}"
        );
        Set::parse(&text).unwrap().card(&budget()).unwrap().eval(&[], &budget()).unwrap()
    };
    assert_eq!(knapsack(89_643_481), Value::from(0));
    assert_eq!(knapsack(89_643_482), Value::from(1));
    // Denumerants against counting by recursion.
    let coins = [2usize, 3, 5, 7, 11];
    let mut ways = vec![0i64; 61];
    ways[0] = 1;
    for coin in coins {
        for sum in coin..ways.len() {
            ways[sum] += ways[sum - coin];
        }
    }
    let text = "[n] -> { [a, b, c, d, f] : a, b, c, d, f >= 0 and 2a + 3b + 5c + 7d + 11f = n }";
    let count = Set::parse(text).unwrap().card(&budget()).unwrap();
    for (n, expected) in ways.into_iter().enumerate() {
        let found = count.eval(&[Int::from(n as i64)], &budget()).unwrap();
        assert_eq!(found, Value::from(expected), "at {n}");
    }
}
