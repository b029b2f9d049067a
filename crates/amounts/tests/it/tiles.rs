//! Tiles, against enumeration.
use loopwright_amounts::{RegionAmounts, Sizes};
use loopwright_cfront::SourceFile;
use loopwright_machine::Machine;
use loopwright_presburger::Int;
use loopwright_schedule::ScheduleTree;
use std::collections::{BTreeMap, BTreeSet};

const TRIANGLE: &str = "void f(int n, double x[restrict n], double a[restrict n][n]) {
#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i][j] = a[i][j] * x[j] - 1;
#pragma endscop
}
";

/// Tiles of `by` iterations in both dimensions.
fn tree(by: i64) -> ScheduleTree {
    let text = format!(
        "{{ domain: \"[n] -> {{ S0[i, j] : 0 <= j <= i < n }}\", child: {{ \
         schedule: \"[n] -> [{{ S0[i, j] -> [({by}*floor((i)/{by}))] }}, {{ S0[i, j] -> [({by}*floor((j)/{by}))] }}]\", permutable: 1, \
         child: {{ schedule: \"[n] -> [{{ S0[i, j] -> [(i)] }}, {{ S0[i, j] -> [(j)] }}]\", permutable: 1 }} }} }}"
    );
    ScheduleTree::parse(&text).unwrap()
}

#[test]
fn the_tile_in_the_middle_is_that_of_enumeration() {
    let regions = SourceFile::from_text("f.c", TRIANGLE).extract().unwrap();
    for (n, by) in [(100, 16), (7, 3), (64, 64), (1, 8), (50, 7)] {
        let sizes = Sizes::parse(&format!("n={n}")).unwrap();
        let amounts = RegionAmounts::of(&regions[0].scop, &sizes, &Machine::generic());
        let amounts = amounts.with_tiles(&regions[0].scop, &tree(by));
        let mut tiles: BTreeMap<(i64, i64), Vec<(i64, i64)>> = BTreeMap::new();
        for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            tiles.entry((i / by, j / by)).or_default().push((i, j));
        }
        // The middle of the first coordinates, then of the second ones there.
        let at_middle = |all: BTreeSet<i64>| {
            let middle = by * (all.first().unwrap() + all.last().unwrap()) / 2;
            all.into_iter().find(|tile| by * tile >= middle).unwrap()
        };
        let first = at_middle(tiles.keys().map(|tile| tile.0).collect());
        let second =
            at_middle(tiles.keys().filter(|tile| tile.0 == first).map(|tile| tile.1).collect());
        let points = &tiles[&(first, second)];
        let lines: BTreeSet<(i64, i64)> = points.iter().map(|(i, j)| (*i, j / 8)).collect();
        let columns: BTreeSet<i64> = points.iter().map(|(_, j)| *j).collect();
        let [tile] = &amounts.tiles[..] else { panic!("{amounts}") };
        let number = |value: usize| Int::from(value as i64);
        assert_eq!(tile.tiles.value(), Some(&number(tiles.len())), "{amounts}");
        assert_eq!(tile.depth, 2);
        assert_eq!(tile.instances, number(points.len()), "n = {n}, {by}: {amounts}");
        assert_eq!(tile.operations, number(2 * points.len()));
        let touched = |name: &str| tile.arrays.iter().find(|array| array.name == name).unwrap();
        assert_eq!(touched("a").elements.value(), Some(&number(points.len())));
        assert_eq!(touched("a").lines.as_ref().unwrap().value(), Some(&number(lines.len())));
        assert_eq!(touched("x").elements.value(), Some(&number(columns.len())));
        let column_lines: BTreeSet<i64> = columns.iter().map(|j| j / 8).collect();
        let bytes = 64 * (lines.len() + column_lines.len());
        assert_eq!(tile.bytes, Some(number(bytes)));
    }
}

#[test]
fn statements_have_what_they_touch() {
    let text = TRIANGLE.replace("a[i][j] = a", "{ x[i] = 1; a[i][j] = a").replace("- 1;", "- 1; }");
    let regions = SourceFile::from_text("f.c", &text).extract().unwrap();
    let sizes = Sizes::parse("n=20").unwrap();
    let amounts = RegionAmounts::of(&regions[0].scop, &sizes, &Machine::generic());
    let names = |position: usize| -> Vec<&str> {
        amounts.statements[position].arrays.iter().map(|array| array.name.as_str()).collect()
    };
    assert_eq!(names(0), ["x"]);
    assert_eq!(names(1), ["x", "a"]);
    let text = amounts.to_string();
    assert!(text.contains("S1: a: 1/2*n^2 + 1/2*n = 210 elements"), "{text}");
    // Without sizes the tiles are not known.
    let amounts = RegionAmounts::of(&regions[0].scop, &Sizes::default(), &Machine::generic());
    assert!(amounts.with_tiles(&regions[0].scop, &tree(8)).tiles.is_empty());
}
