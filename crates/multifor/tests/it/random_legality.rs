//! Legality and smallest offsets of random statements, against enumeration.
use crate::support::Random;
use loopwright_cfront::multifor_statements;
use loopwright_multifor::{LowerSettings, OffsetChoice, lowered, trace};
use loopwright_testkit::cases::seeds;
use std::collections::BTreeMap;

/// An element: the array, and for each index of the nest a factor, with a constant per dimension.
#[derive(Clone, Debug)]
struct Element {
    array: usize,
    factors: Vec<i64>,
    constants: Vec<i64>,
}

impl Element {
    fn random(random: &mut Random, depth: usize) -> Element {
        let factors = (0..depth).map(|_| [1, 1, 1, 2, 0][random.below(5) as usize]).collect();
        let constants = (0..depth).map(|_| random.below(4)).collect();
        Element { array: random.below(2) as usize, factors, constants }
    }

    fn text(&self, nest: usize) -> String {
        let names = ["i", "j"];
        let parts = self.factors.iter().zip(&self.constants).zip(names);
        let subscripts: String = parts
            .map(|((factor, constant), name)| format!("[{factor} * {name}{nest} + {constant}]"))
            .collect();
        format!("{}{subscripts}", ["a", "b"][self.array])
    }

    fn at(&self, indices: &[i64]) -> (usize, Vec<i64>) {
        let parts = self.factors.iter().zip(&self.constants).zip(indices);
        (self.array, parts.map(|((factor, constant), index)| factor * index + constant).collect())
    }
}

/// A multifor statement: for each nest what it writes and reads.
struct Case {
    depth: usize,
    nests: Vec<(Element, Element)>,
    grains: Vec<Vec<i64>>,
}

impl Case {
    fn random(random: &mut Random) -> Case {
        let depth = 1 + random.below(2) as usize;
        let n_nests = if depth == 1 { 2 + random.below(2) as usize } else { 2 };
        let nests = (0..n_nests)
            .map(|_| (Element::random(random, depth), Element::random(random, depth)))
            .collect();
        let grains = (0..depth)
            .map(|_| (0..n_nests).map(|_| [1, 1, 2][random.below(3) as usize]).collect())
            .collect();
        Case { depth, nests, grains }
    }

    fn text(&self, offsets: &[Vec<i64>]) -> String {
        let n_nests = self.nests.len();
        let join = |of: &dyn Fn(usize) -> String| -> String {
            (0..n_nests).map(of).collect::<Vec<_>>().join(", ")
        };
        let mut text =
            String::from("void f(int n, int a[restrict 99][99], int b[restrict 99][99]) {\n");
        if self.depth == 1 {
            text = text.replace("[99][99]", "[99]").replace("[restrict 99][99]", "[restrict 99]");
        }
        for level in 0..self.depth {
            let name = ["i", "j"][level];
            text.push_str(&format!(
                "  multifor ({}; {}; {}; {}; {})\n",
                join(&|k| format!("{name}{k} = 0")),
                join(&|k| format!("{name}{k} < n")),
                join(&|k| format!("{name}{k}++")),
                join(&|k| self.grains[level][k].to_string()),
                join(&|k| offsets[level][k].to_string()),
            ));
        }
        text.push_str("  {\n");
        for (nest, (write, read)) in self.nests.iter().enumerate() {
            text.push_str(&format!(
                "    {nest}: {} = {} + 1;\n",
                write.text(nest),
                read.text(nest)
            ));
        }
        text + "  }\n}\n"
    }

    /// Whether all pairs of accesses stay in the order of the nests one after the other, for small sizes.
    fn is_legal(&self, offsets: &[Vec<i64>]) -> bool {
        let found = multifor_statements("f.c".as_ref(), &self.text(offsets)).unwrap();
        [1, 2, 3, 4, 5, 6, 7, 13, 20].into_iter().all(|n| {
            let sizes = BTreeMap::from([("n".to_string(), n)]);
            let events = trace(&found[0].statement, &sizes, 100_000).unwrap();
            // For each element the last nest that wrote it, and the last that accessed it.
            let mut last: BTreeMap<(usize, Vec<i64>), (Option<usize>, usize)> = BTreeMap::new();
            events.iter().all(|event| {
                let (write, read) = &self.nests[event.body];
                let before = last
                    .get(&read.at(&event.indices))
                    .is_none_or(|(w, _)| w.is_none_or(|w| w <= event.body));
                let entry = last.entry(read.at(&event.indices)).or_insert((None, 0));
                entry.1 = entry.1.max(event.body);
                let entry = last.entry(write.at(&event.indices)).or_insert((None, 0));
                let is_in_order = entry.1 <= event.body;
                *entry = (Some(entry.0.unwrap_or(0).max(event.body)), entry.1.max(event.body));
                before && is_in_order
            })
        })
    }

    fn zeros(&self) -> Vec<Vec<i64>> {
        vec![vec![0; self.nests.len()]; self.depth]
    }

    /// The smallest legal offsets up to a limit by trying all, the outermost level first; of one level those
    /// that are the smallest for each loop.
    fn smallest_by_trying(&self, most: i64) -> Option<Vec<Vec<i64>>> {
        let mut candidates = vec![self.zeros()];
        for level in 0..self.depth {
            for nest in 1..self.nests.len() {
                candidates = candidates
                    .into_iter()
                    .flat_map(|offsets| {
                        (0..=most).map(move |offset| {
                            let mut offsets = offsets.clone();
                            offsets[level][nest] = offset;
                            offsets
                        })
                    })
                    .collect();
            }
        }
        candidates.sort_by_key(|offsets| {
            let sums: Vec<i64> = offsets.iter().map(|level| level.iter().sum()).collect();
            (sums, offsets.clone())
        });
        candidates.into_iter().find(|offsets| self.is_legal(offsets))
    }
}

const MOST: i64 = 4;

#[test]
fn legality_is_that_of_enumeration() {
    let (mut legal, mut illegal) = (0, 0);
    for seed in seeds(0, 300) {
        let mut random = Random(seed);
        let case = Case::random(&mut random);
        let mut offsets = case.zeros();
        offsets.iter_mut().flatten().for_each(|offset| *offset = random.below(6));
        let settings = LowerSettings { check: true, ..LowerSettings::default() };
        let checked = lowered("f.c".as_ref(), &case.text(&offsets), &settings);
        let is_legal = case.is_legal(&offsets);
        assert_eq!(
            checked.is_ok(),
            is_legal,
            "seed {seed}: {:?}\n{}",
            checked.err().map(|e| e[0].to_string()),
            case.text(&offsets)
        );
        if is_legal {
            legal += 1
        } else {
            illegal += 1
        };
    }
    assert!(legal > 30 && illegal > 30, "{legal} {illegal}");
}

#[test]
fn smallest_offsets_are_those_of_trying_all() {
    let mut compared = 0;
    for seed in seeds(0, 60) {
        let case = Case::random(&mut Random(seed));
        let settings =
            LowerSettings { offsets: OffsetChoice::Smallest, ..LowerSettings::default() };
        let found = lowered("f.c".as_ref(), &case.text(&case.zeros()), &settings);
        let tried = case.smallest_by_trying(MOST);
        match (&found, tried) {
            (Ok(plain), Some(tried)) => {
                assert_eq!(
                    plain.statements[0].offsets,
                    tried,
                    "seed {seed}\n{}",
                    case.text(&tried)
                );
                compared += 1;
            }
            // Small sizes and small offsets do not decide it.
            (Ok(plain), None) => {
                assert!(plain.statements[0].offsets.iter().flatten().any(|offset| *offset > MOST));
            }
            (Err(_), Some(tried)) => {
                // Legal for the sizes tried only because these are small.
                let largest = tried.iter().flatten().max().copied().unwrap_or(0);
                assert!(largest >= 1, "seed {seed}\n{}", case.text(&tried));
            }
            (Err(_), None) => {}
        }
    }
    assert!(compared > 20, "{compared}");
}
