//! Faults planted in the copies of many regions: a copy that is left out, and a box that is one element less
//! at one of its sides, are refuted.
use crate::support::{budget, region};
use loopwright_device::{DeviceArray, Elements, Transfers};
use loopwright_presburger::{Int, PwAff};
use loopwright_verify::{Proof, check_transfers};

/// Regions with boxes of one and two dimensions, triangles, results that are partly overwritten, and loops
/// over time.
const REGIONS: [&str; 9] = [
    "for (int i = 0; i < n; i++) b[i] = a[i];",
    "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];",
    "for (int i = 0; i < n; i++) { b[i] = 0; for (int j = 0; j < n; j++) b[i] += c[i][j] * a[j]; }",
    "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) c[i][j] += a[i] * b[j];",
    "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) c[i][j] = c[i - 1][j] + c[i][j - 1];",
    TRIANGLE,
    "for (int k = 0; k < n; k++) { for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1]; \
     for (int i = 1; i < n - 1; i++) a[i] = b[i]; }",
    "for (int i = 0; i < n; i++) { t = a[i]; b[i] = t * t; }",
    "for (int i = 3; i < n; i++) b[i - 3] = x * a[n - i];",
];

/// The upper triangle is overwritten, so of the box that is copied in the first row and the last column are
/// not needed.
const TRIANGLE: &str = "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) c[i][j] = a[j];";
const HARMLESS: [&str; 2] =
    ["c copied in without the first of dimension 0", "c copied in without the last of dimension 1"];

/// A change of one array's copies.
type Plant = Box<dyn Fn(&mut DeviceArray) -> Option<()>>;

/// The parts of an array that are boxes.
type Part = fn(&mut DeviceArray) -> Option<&mut Elements>;

const PARTS: [(&str, Part); 3] = [
    ("copied in", |array| array.copy_in.as_mut()),
    ("copied back", |array| array.copy_out.as_mut()),
    ("allocated", |array| Some(&mut array.accessed)),
];

/// All faults, with names; those that an array has nothing for return none.
fn plants() -> Vec<(String, Plant)> {
    let mut all: Vec<(String, Plant)> = vec![
        ("not copied in".to_string(), Box::new(|array| array.copy_in.take().map(|_| ()))),
        ("not copied back".to_string(), Box::new(|array| array.copy_out.take().map(|_| ()))),
    ];
    for (what, part) in PARTS {
        for dim in 0..2 {
            let moved = move |side: &mut Vec<PwAff>, by: i64| {
                let bound = side.get_mut(dim)?;
                *bound = bound.add_constant(&Int::from(by));
                Some(())
            };
            let first: Plant = Box::new(move |array| moved(&mut part(array)?.least, 1));
            let last: Plant = Box::new(move |array| moved(&mut part(array)?.most, -1));
            all.push((format!("{what} without the first of dimension {dim}"), first));
            all.push((format!("{what} without the last of dimension {dim}"), last));
        }
    }
    all
}

#[test]
fn planted_faults_are_refuted() {
    let mut n_planted = 0;
    for lines in REGIONS {
        let (scop, dependences) = region(lines);
        let planned = Transfers::of_region(&scop, &dependences, &|_| false, &budget());
        let planned = planned.unwrap().unwrap();
        let check = |transfers: &Transfers| {
            check_transfers(&scop, &dependences, transfers, &budget()).unwrap()
        };
        assert_eq!(check(&planned), Proof::Proved, "{lines}");
        for position in 0..planned.arrays.len() {
            for (name, plant) in plants() {
                let mut faulty = planned.clone();
                if plant(&mut faulty.arrays[position]).is_none() {
                    continue;
                }
                let array = &scop.arrays[planned.arrays[position].array.0 as usize].name;
                let proof = check(&faulty);
                let name = format!("{array} {name}");
                if lines == TRIANGLE && HARMLESS.contains(&name.as_str()) {
                    assert_eq!(proof, Proof::Proved, "{name}");
                    continue;
                }
                assert!(matches!(proof, Proof::Refuted(_)), "{lines}\n{name}: {proof:?}");
                n_planted += 1;
            }
        }
    }
    assert!(n_planted >= 100, "{n_planted} faults");
}
