//! Random multifor statements: generated loops against the interpreter.
use crate::support::{Random, executed, expected};
use loopwright_cfront::{
    MultiforExpression, MultiforItem, MultiforLoop, MultiforRelation, MultiforStatement,
    MultiforSyntax,
};
use loopwright_multifor::{CodeOptions, Multifor, Order, Scheme, generated};
use loopwright_presburger::Budget;
use loopwright_testkit::cases::seeds;

fn expression(text: &str) -> MultiforExpression {
    MultiforExpression::parse(text).unwrap()
}

fn random_loop(random: &mut Random, name: String, outer: &[String]) -> MultiforLoop {
    let some = |random: &mut Random| {
        let mut parts = vec![random.below(6).to_string()];
        if random.below(2) == 0 {
            parts.push(random.one_of(&[
                "n".to_string(),
                "n/2".into(),
                "n - 2".into(),
                "2*n".into(),
            ]));
        }
        if let Some(index) = outer.last().filter(|_| random.below(3) == 0) {
            parts.push(random.one_of(&[index.clone(), format!("-{index}"), format!("{index}/2")]));
        }
        expression(&parts.join(" + "))
    };
    let (low, high) = (some(random), some(random));
    let step = random.one_of(&[1, 1, 1, 2, 3, -1, -2]);
    let is_up = step > 0;
    let relation = match (is_up, random.below(2)) {
        (true, 0) => MultiforRelation::Less,
        (true, _) => MultiforRelation::LessEqual,
        (false, 0) => MultiforRelation::Greater,
        (false, _) => MultiforRelation::GreaterEqual,
    };
    MultiforLoop {
        start: 0,
        index: name,
        index_type: "int".to_string(),
        first: if is_up { low.clone() } else { high.clone() },
        relation,
        bound: if is_up { high } else { low },
        step,
        grain: random.one_of(&[1, 1, 1, 2, 2, 3, 4]),
        offset: random.one_of(&[0, 0, 0, 1, 2, 3, 7]),
    }
}

fn statement(nest: usize) -> MultiforItem {
    MultiforItem::Statement(MultiforStatement { start: 0, line: 1, nest, body: Vec::new() })
}

fn random_level(
    random: &mut Random,
    depth: usize,
    n_loops: usize,
    outer: &[Vec<String>],
) -> MultiforSyntax {
    let mut names = outer.to_vec();
    let mut loops = Vec::new();
    for k in 0..n_loops {
        let name = format!("{}{k}", ["i", "j", "k"][outer[k].len()]);
        loops.push(random_loop(random, name.clone(), &outer[k]));
        names[k].push(name);
    }
    let mut items = Vec::new();
    let some = |random: &mut Random, items: &mut Vec<MultiforItem>, least: i64| {
        for _ in 0..least + random.below(2) {
            items.push(statement(random.below(n_loops as i64) as usize));
        }
    };
    if depth == 1 {
        (0..n_loops).for_each(|nest| items.push(statement(nest)));
        some(random, &mut items, 0);
    } else {
        some(random, &mut items, 0);
        items.push(MultiforItem::Inner(random_level(random, depth - 1, n_loops, &names)));
        some(random, &mut items, 0);
    }
    MultiforSyntax { start: 0, line: 1, loops, items }
}

/// A statement of three nests of which one ends early and two have grains with a common divisor, so that
/// these are compressed on their own.
fn random_grains(random: &mut Random, depth: usize) -> MultiforSyntax {
    let grains = random.one_of(&[[1, 2, 2], [1, 4, 6], [2, 4, 4], [3, 2, 4], [6, 4, 2]]);
    let mut syntax = random_level(random, depth, 3, &vec![Vec::new(); 3]);
    let mut level = &mut syntax;
    loop {
        for (each, grain) in level.loops.iter_mut().zip(grains) {
            (each.grain, each.offset) = (grain, random.below(5));
        }
        level.loops[0].bound = level.loops[0].first.clone();
        let values = level.loops[0].step.signum() * (3 + random.below(4));
        level.loops[0].bound = expression(&format!("{} + {values}", level.loops[0].first));
        let inner = level.items.iter_mut().find_map(|item| match item {
            MultiforItem::Inner(inner) => Some(inner),
            MultiforItem::Statement(_) => None,
        });
        match inner {
            Some(inner) => level = inner,
            None => return syntax,
        }
    }
}

#[test]
fn random_pieces_of_different_grains() {
    let (mut n_checked, mut n_blocks) = (0, 0);
    for seed in seeds(1000, 60) {
        let mut random = Random(seed);
        random.below(2);
        let depth = 1 + random.below(2) as usize;
        let syntax = random_grains(&mut random, depth);
        let budget = Budget::steps(60_000_000);
        let Ok(multifor) = Multifor::new(&syntax, &budget) else { continue };
        let options = CodeOptions::sequential(Scheme::Separated);
        let Ok(code) = generated(&multifor, &options, &budget) else { continue };
        n_checked += 1;
        n_blocks += usize::from(code.tree.to_string().contains("floor"));
        for n in [0, 3, 8, 15] {
            let values = [("n", n)];
            assert_eq!(
                executed(&code, &values),
                expected(&syntax, &values),
                "seed {seed}, n = {n}: {syntax:?}\n{}",
                code.text
            );
        }
    }
    assert!(n_checked > 30 && n_blocks > 15, "{n_checked}, {n_blocks}");
}

fn check(seeds: std::ops::Range<u64>) {
    let mut n_checked = 0;
    for seed in seeds.clone() {
        let mut random = Random(seed);
        random.below(2);
        let depth = 1 + random.below(2) as usize;
        let n_loops = 1 + random.below(3) as usize;
        let syntax = random_level(&mut random, depth, n_loops, &vec![Vec::new(); n_loops]);
        let scheme = random.one_of(&[Scheme::Guards, Scheme::Separated]);
        let budget = Budget::steps(60_000_000);
        let Ok(multifor) = Multifor::new(&syntax, &budget) else { continue };
        let options = CodeOptions::sequential(scheme);
        let Ok(code) = generated(&multifor, &options, &budget) else { continue };
        n_checked += 1;
        for n in [-1, 0, 3, 4, 7] {
            let values = [("n", n)];
            assert_eq!(
                executed(&code, &values),
                expected(&syntax, &values),
                "seed {seed}, {scheme:?}, n = {n}: {syntax:?}\n{:?}",
                code.ast
            );
        }
        // One nest after the other: the same instances of each nest in the same order.
        let alone = CodeOptions { order: Order::LockStep(0), ..options };
        let Ok(code) = generated(&multifor, &alone, &budget) else { continue };
        let nest_of = |name: &String| {
            multifor.bodies.iter().find(|body| *body.name == **name).map(|body| body.nest)
        };
        let mut by_nest = expected(&syntax, &[("n", 5)]);
        by_nest.sort_by_key(|(name, _)| nest_of(name));
        let found = executed(&code, &[("n", 5)]);
        assert_eq!(found, by_nest, "seed {seed}");
    }
    let n_seeds = seeds.end - seeds.start;
    assert!(n_checked * 2 > n_seeds, "{n_checked} of {n_seeds}");
}

#[test]
fn random_statements() {
    check(seeds(0, 60));
}
