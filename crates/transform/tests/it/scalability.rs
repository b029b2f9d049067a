//! Tile graphs, waves and what limits them, against explicit graphs made by loops over points and longest
//! paths by brute force, and against published counts.
use loopwright_presburger::{Budget, UnionMap};
use loopwright_testkit::cases::seed;
use loopwright_transform::scalability::growth::{Scaling, is_bounded};
use loopwright_transform::scalability::shapes::{Neighbours, Shape, Stencil};
use loopwright_transform::scalability::tile_graph::TileGraph;
use loopwright_transform::scalability::wave_function::WaveFunction;
use std::collections::{BTreeMap, BTreeSet};

const LIMIT: usize = 1_000_000;

const JACOBI: Stencil = Stencil { dimensions: 1, radius: 1, neighbours: Neighbours::Box };
const STAR: Stencil = Stencil { dimensions: 2, radius: 1, neighbours: Neighbours::Star };
const BOX: Stencil = Stencil { dimensions: 2, radius: 1, neighbours: Neighbours::Box };

fn texts(extents: &[i64]) -> Vec<String> {
    extents.iter().map(i64::to_string).collect()
}

fn graph(stencil: Stencil, shape: Shape, sizes: (i64, i64), steps: i64, data: &[i64]) -> TileGraph {
    let (steps, data) = (steps.to_string(), texts(data));
    let flow = stencil.flow("", &steps, &data).unwrap();
    let tiles = stencil.tiles(shape, sizes, "", &steps, &data).unwrap().unwrap();
    TileGraph::new(&flow, &tiles, LIMIT, &Budget::unlimited()).unwrap()
}

/// Points of a box.
fn points(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |points, &extent| {
        points
            .into_iter()
            .flat_map(|p: Vec<i64>| (0..extent).map(move |x| [&p[..], &[x]].concat()))
            .collect()
    })
}

/// The distances of the flow of a stencil.
fn distances(stencil: Stencil) -> Vec<Vec<i64>> {
    let r = stencil.radius;
    let all = points(&vec![2 * r + 1; stencil.dimensions]);
    let centred = all.into_iter().map(|p| p.iter().map(|x| x - r).collect::<Vec<_>>());
    let is_near = |p: &Vec<i64>| match stencil.neighbours {
        Neighbours::Box => true,
        _ => p.iter().filter(|x| **x != 0).count() <= 1,
    };
    centred
        .filter(is_near)
        .map(|p| {
            let ahead = p.iter().any(|x| *x > 0);
            match stencil.neighbours {
                Neighbours::InPlace if ahead => [&[0][..], &p].concat(),
                _ => [&[1][..], &p].concat(),
            }
        })
        .collect()
}

/// The numbers of tiles of the waves and the work span; none if there is a circle. Waves are found by
/// relaxation until nothing changes, as nobody would do it.
fn brute_force(
    stencil: Stencil,
    tile: &dyn Fn(&[i64]) -> Vec<i64>,
    steps: i64,
    data: &[i64],
) -> Option<(Vec<u64>, u64)> {
    let mut weight: BTreeMap<Vec<i64>, u64> = BTreeMap::new();
    let mut edges: BTreeSet<(Vec<i64>, Vec<i64>)> = BTreeSet::new();
    let extents = [&[steps], data].concat();
    for point in points(&extents) {
        *weight.entry(tile(&point)).or_default() += 1;
        for distance in distances(stencil) {
            let next: Vec<i64> = point.iter().zip(&distance).map(|(a, b)| a + b).collect();
            let inside = next.iter().zip(&extents).all(|(x, extent)| (0..*extent).contains(x));
            if inside && tile(&point) != tile(&next) {
                edges.insert((tile(&point), tile(&next)));
            }
        }
    }
    let mut wave: BTreeMap<&Vec<i64>, (u64, u64)> =
        weight.iter().map(|(tile, weight)| (tile, (0, *weight))).collect();
    for _ in 0..=weight.len() {
        let before = wave.clone();
        for (from, to) in &edges {
            let (length, work) = wave[from];
            let entry = wave.get_mut(to).unwrap();
            *entry = (entry.0.max(length + 1), entry.1.max(work + weight[to]));
        }
        if wave == before {
            let mut widths = vec![0; wave.values().map(|w| w.0 as usize + 1).max().unwrap_or(0)];
            wave.values().for_each(|w| widths[w.0 as usize] += 1);
            return Some((widths, wave.values().map(|w| w.1).max().unwrap_or(0)));
        }
    }
    None
}

fn pipelined(r: i64, tau: i64, sigma: i64) -> impl Fn(&[i64]) -> Vec<i64> {
    move |p| {
        let data = p[1..].iter().map(|x| (x + r * p[0]).div_euclid(sigma));
        [p[0].div_euclid(tau)].into_iter().chain(data).collect()
    }
}

#[test]
fn graphs_agree_with_brute_force() {
    type Tile = Box<dyn Fn(&[i64]) -> Vec<i64>>;
    let hyperplanes = |rows: &'static [&'static [i64]], size: i64| -> Tile {
        Box::new(move |p| {
            let value = |row: &&[i64]| row.iter().zip(p).map(|(a, x)| a * x).sum::<i64>();
            rows.iter().map(|row| value(row).div_euclid(size)).collect()
        })
    };
    let in_place = Stencil { neighbours: Neighbours::InPlace, ..JACOBI };
    let wide = Stencil { radius: 2, ..JACOBI };
    let cases: Vec<(Stencil, Shape, Tile, i64, Vec<i64>)> = vec![
        (JACOBI, Shape::Pipelined, Box::new(pipelined(1, 4, 4)), 9, vec![21]),
        (JACOBI, Shape::Points, Box::new(|p| p.to_vec()), 6, vec![7]),
        (wide, Shape::Pipelined, Box::new(pipelined(2, 4, 4)), 9, vec![21]),
        (in_place, Shape::Pipelined, Box::new(pipelined(1, 4, 4)), 9, vec![13]),
        (in_place, Shape::Points, Box::new(|p| p.to_vec()), 5, vec![9]),
        (JACOBI, Shape::DiamondTubes, hyperplanes(&[&[1, 1], &[1, -1]], 4), 9, vec![17]),
        (in_place, Shape::DiamondTubes, hyperplanes(&[&[1, 1], &[1, -1]], 4), 9, vec![17]),
        (STAR, Shape::Pipelined, Box::new(pipelined(1, 4, 4)), 5, vec![9, 6]),
        (STAR, Shape::DiamondTubes, hyperplanes(&[&[1, 1, 0], &[1, -1, 0]], 4), 5, vec![9, 6]),
        (
            STAR,
            Shape::Diamonds,
            hyperplanes(&[&[1, 1, 0], &[1, 0, 1], &[1, -1, -1]], 4),
            5,
            vec![9, 6],
        ),
        (
            BOX,
            Shape::Diamonds,
            hyperplanes(&[&[1, 1, 0], &[1, 0, 1], &[2, -1, -1]], 4),
            5,
            vec![9, 6],
        ),
    ];
    for (stencil, shape, tile, steps, data) in cases {
        let graph = graph(stencil, shape, (4, 4), steps, &data);
        let expected = brute_force(stencil, &*tile, steps, &data);
        let found = graph.waves().map(|waves| (waves.widths.0.clone(), waves.work_span));
        assert_eq!(found, expected, "{stencil:?} {shape:?}");
        assert!((graph.redundancy() - 1.0).abs() < 1e-9);
        assert_eq!(expected.is_none(), stencil == in_place && shape == Shape::DiamondTubes);
        let Some(waves) = graph.waves() else { continue };
        let work: u64 = graph.weights.iter().sum();
        assert_eq!(graph.list_makespan(1), Some(work));
        assert_eq!(graph.list_makespan(1000), Some(waves.work_span));
        for processors in 2..5 {
            let makespan = graph.list_makespan(processors).unwrap();
            assert!(makespan >= waves.work_span.max(work.div_ceil(processors)));
            assert!(makespan <= waves.work_span + work / processors, "Graham's bound");
        }
    }
}

/// The example of figure 4: five steps, tiles of 2 by 4.
#[test]
fn the_pipelined_example_has_five_waves() {
    let counts = |n| {
        let graph = graph(JACOBI, Shape::Pipelined, (2, 4), 5, &[n]);
        (graph.n_tiles(), graph.waves().unwrap().widths.n_waves())
    };
    assert_eq!([counts(8), counts(10)], [(8, 5), (10, 6)]);
}

/// Figure 5 and what becomes of it with twice the data, or with one row or column of tiles more.
#[test]
fn doubled_data_need_more_waves() {
    let widths = |n, t| graph(JACOBI, Shape::Pipelined, (4, 8), t, &[n]).waves().unwrap().widths;
    let figure = widths(8 * 12, 8 * 4);
    assert_eq!(figure.0, [1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 8, 7, 6, 6, 5, 4, 4, 3, 2, 2, 1]);
    assert_eq!(figure.n_tiles(), 104);
    let doubled = widths(16 * 12, 8 * 4);
    assert_eq!((doubled.n_waves(), doubled.n_tiles(), doubled.greatest()), (35, 200, 8));
    assert_eq!(widths(8 * 12 + 8, 8 * 4).n_waves(), 24);
    assert_eq!(widths(8 * 12, 9 * 4).n_waves(), 25);
}

/// The waves of tilings in one dimension, for data that double: only pipelined ones grow.
#[test]
fn waves_in_one_dimension_are_those_published() {
    let waves = |shape, sizes| {
        [48, 96, 192, 384].map(|n| {
            let graph = graph(JACOBI, shape, sizes, 32, &[n]);
            graph.waves().unwrap().widths.n_waves()
        })
    };
    assert_eq!(waves(Shape::Pipelined, (4, 8)), [17, 23, 35, 59]);
    assert_eq!(waves(Shape::Trapezoids, (4, 8)), [16; 4]);
    assert_eq!(waves(Shape::DiamondTubes, (4, 8)), [9; 4]);
    assert_eq!(waves(Shape::Overlapped, (4, 8)), [8; 4]);
    assert_eq!(waves(Shape::Molecular, (4, 8)), [24; 4], "three parts for each of eight bands");
}

/// Longest paths and work spans in two dimensions.
#[test]
fn spans_in_two_dimensions_are_those_published() {
    let spans = |stencil, shape| {
        [[16, 16], [32, 16], [16, 32], [32, 32]].map(|data| {
            let waves = graph(stencil, shape, (4, 4), 8, &data).waves().unwrap();
            (waves.widths.n_waves(), waves.work_span)
        })
    };
    for stencil in [STAR, BOX] {
        let pipelined = [(12, 620), (16, 876), (16, 876), (20, 1132)];
        assert_eq!(spans(stencil, Shape::Pipelined), pipelined);
        let tubes = [(5, 512), (5, 512), (5, 1024), (5, 1024)];
        assert_eq!(spans(stencil, Shape::DiamondTubes), tubes);
        let mixed = [(10, 254), (10, 254), (14, 382), (14, 382)];
        assert_eq!(spans(stencil, Shape::DiamondAndPipelined), mixed);
    }
    assert_eq!(spans(STAR, Shape::Diamonds), [(8, 128); 4]);
    assert_eq!(spans(BOX, Shape::Diamonds), [(10, 128); 4]);
}

#[test]
fn hyperplanes_of_the_star_are_not_legal_for_the_box() {
    let tiles = STAR.tiles(Shape::Diamonds, (4, 4), "", "8", &texts(&[16, 16])).unwrap().unwrap();
    let flow = BOX.flow("", "8", &texts(&[16, 16])).unwrap();
    let graph = TileGraph::new(&flow, &tiles, LIMIT, &Budget::unlimited()).unwrap();
    assert!(graph.waves().is_none());
}

/// `sigma >= 2 r (tau - 1)`: below, trapezoids wait for each other in a circle, and molecular tiles for more
/// than one neighbour.
#[test]
fn trapezoids_and_molecular_tiles_have_least_widths() {
    for (r, tau) in [(1, 4), (2, 3)] {
        let stencil = Stencil { radius: r, ..JACOBI };
        let least = 2 * r * (tau - 1);
        for sigma in [least - 1, least, least + 1] {
            let steps = 3 * tau;
            let molecular = |n| {
                let graph = graph(stencil, Shape::Molecular, (tau, sigma), steps, &[n]);
                graph.waves().map(|waves| waves.widths.n_waves())
            };
            let grows = molecular(20 * sigma) != molecular(10 * sigma);
            assert_eq!(grows, sigma < least, "r {r} tau {tau} sigma {sigma}");
            let split = graph(stencil, Shape::Trapezoids, (tau, sigma), steps, &[10 * sigma]);
            if sigma >= least {
                assert_eq!(split.waves().unwrap().widths.n_waves() as i64, 2 * 3);
                assert!((split.redundancy() - 1.0).abs() < 1e-9);
            }
        }
    }
}

/// In two dimensions there are three phases a band.
#[test]
fn trapezoids_of_two_dimensions_have_three_phases() {
    for data in [[24, 24], [48, 24]] {
        let graph = graph(STAR, Shape::Trapezoids, (3, 8), 6, &data);
        assert!((graph.redundancy() - 1.0).abs() < 1e-9);
        assert_eq!(graph.n_instances as i64, 6 * data[0] * data[1]);
        assert_eq!(graph.waves().unwrap().widths.n_waves(), 6);
    }
}

/// Blocks inside of the data compute as much twice as the formula says.
#[test]
fn overlapped_tiles_are_as_redundant_as_published() {
    for (tau, sigma, expected) in [(2i64, 8i64, [1.125, 1.2812]), (4, 16, [1.1875, 1.4297])] {
        for (dimensions, expected) in [(1, expected[0]), (2, expected[1])] {
            let stencil = Stencil { dimensions, ..JACOBI };
            let graph =
                graph(stencil, Shape::Overlapped, (tau, sigma), tau, &vec![3 * sigma; dimensions]);
            // The block in the middle is complete.
            let most = *graph.weights.iter().max().unwrap() as f64;
            let own = (tau * sigma.pow(dimensions as u32)) as f64;
            assert!((most / own - expected).abs() < 1e-4, "{tau} {sigma}: {}", most / own);
            assert!(graph.redundancy() > 1.0);
            assert_eq!(graph.waves().unwrap().widths.n_waves(), 1);
        }
    }
}

/// In place, the dataflow itself is the limit; pipelined tiling costs nothing and others are not legal.
#[test]
fn updates_in_place_are_limited_by_their_dataflow() {
    let stencil = Stencil { neighbours: Neighbours::InPlace, ..JACOBI };
    let spans = |stencil, shape| {
        [16, 32, 64, 128].map(|n| {
            graph(stencil, shape, (4, 4), 16, &[n]).waves().map_or(0, |waves| waves.work_span)
        })
    };
    let points = spans(stencil, Shape::Points);
    assert_eq!(points, [46, 62, 94, 158], "n + 2 (t - 1)");
    assert_eq!(Scaling::of(&points, &spans(stencil, Shape::Pipelined)), Scaling::DataflowLimited);
    assert_eq!(spans(stencil, Shape::DiamondTubes), [0; 4], "not legal");
    let points = spans(JACOBI, Shape::Points);
    assert!(is_bounded(&points));
    assert_eq!(Scaling::of(&points, &spans(JACOBI, Shape::Pipelined)), Scaling::TilingLimited);
    assert_eq!(Scaling::of(&points, &spans(JACOBI, Shape::DiamondTubes)), Scaling::Scales);
}

/// Waves with parameters agree with graphs for values of these.
#[test]
fn wave_functions_agree_with_graphs() {
    let budget = &Budget::unlimited();
    let parameters = "[n, m] -> ";
    let cases = [
        (JACOBI, Shape::Pipelined, "{ [a, b] -> [a + b] }", true),
        (JACOBI, Shape::DiamondTubes, "{ [a, b] -> [a + b] }", false),
        (STAR, Shape::DiamondTubes, "{ [a, b] -> [a + b] }", false),
    ];
    for (stencil, shape, wave, grows) in cases {
        let extents = vec!["8n".to_string(); stencil.dimensions];
        let flow = stencil.flow(parameters, "4m", &extents).unwrap();
        let tiles = stencil.tiles(shape, (4, 8), parameters, "4m", &extents).unwrap().unwrap();
        let wave = UnionMap::parse(wave).unwrap();
        let waves = WaveFunction::new(&flow, &tiles, &wave, budget).unwrap().unwrap();
        assert_eq!(waves.depends_on("n"), grows, "{shape:?}: {}", waves.n_waves);
        for (n, m) in [(1, 1), (2, 3), (5, 2)] {
            let data = vec![8 * n; stencil.dimensions];
            let graph = graph(stencil, shape, (4, 8), 4 * m, &data);
            let widths = waves.widths_at(&[("n", n), ("m", m)], 1000, budget).unwrap();
            let expected = graph.waves().unwrap().widths;
            assert_eq!(widths.n_tiles(), expected.n_tiles(), "{shape:?} {n} {m}");
            if waves.is_attained {
                assert_eq!(widths, expected, "{shape:?} {n} {m}");
            } else {
                assert!(widths.n_waves() >= expected.n_waves(), "{shape:?} {n} {m}");
            }
        }
    }
}

#[test]
fn a_function_that_is_no_order_has_no_waves() {
    let budget = &Budget::unlimited();
    let extents = ["n".to_string()];
    let flow = JACOBI.flow("[n] -> ", "9", &extents).unwrap();
    let tiles = JACOBI.tiles(Shape::Pipelined, (4, 8), "[n] -> ", "9", &extents).unwrap().unwrap();
    let wave = UnionMap::parse("{ [a, b] -> [a] }").unwrap();
    assert!(WaveFunction::new(&flow, &tiles, &wave, budget).unwrap().is_none());
}

/// Random distances and random affine tiles.
#[test]
fn random_tilings_agree_with_brute_force() {
    let mut state = seed(4711);
    let mut random = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as i64
    };
    let (mut legal, mut circular) = (0, 0);
    for _ in 0..150 {
        let (steps, n, size) = (3 + random(4), 3 + random(8), 2 + random(3));
        let away: Vec<(i64, i64)> =
            (0..1 + random(3)).map(|_| (1 + random(2), random(5) - 2)).collect();
        let rows: Vec<(i64, i64)> =
            (0..1 + random(2)).map(|_| (random(3), random(5) - 2)).collect();
        let inside = |t: i64, i: i64| (0..steps).contains(&t) && (0..n).contains(&i);
        let tile = |t: i64, i: i64| -> Vec<i64> {
            rows.iter().map(|(a, b)| (a * t + b * i).div_euclid(size)).collect()
        };
        let domain = format!("0 <= t < {steps} and 0 <= i < {n}");
        let members: Vec<String> =
            rows.iter().map(|(a, b)| format!("floor(({a}t + {b}i)/{size})")).collect();
        let tiles = format!("{{ S[t, i] -> [{}] : {domain} }}", members.join(", "));
        let flow = away.iter().map(|(a, b)| {
            format!(
                "S[t, i] -> S[t + {a}, i + {b}] : {domain} and t + {a} < {steps} and 0 <= i + {b} < {n}"
            )
        });
        let flow = format!("{{ {} }}", flow.collect::<Vec<_>>().join("; "));
        let (tiles, flow) = (UnionMap::parse(&tiles).unwrap(), UnionMap::parse(&flow).unwrap());
        let graph = TileGraph::new(&flow, &tiles, LIMIT, &Budget::unlimited()).unwrap();
        // Longest paths by relaxation over all dependences of all points, as often as there are points.
        let mut wave: BTreeMap<Vec<i64>, u64> = BTreeMap::new();
        let all: Vec<(i64, i64)> = (0..steps).flat_map(|t| (0..n).map(move |i| (t, i))).collect();
        all.iter().for_each(|&(t, i)| _ = wave.insert(tile(t, i), 0));
        let mut is_stable = false;
        for _ in 0..=all.len() {
            is_stable = true;
            for &(t, i) in &all {
                for (a, b) in &away {
                    let (from, to) = (tile(t, i), tile(t + a, i + b));
                    if inside(t + a, i + b) && from != to && wave[&to] <= wave[&from] {
                        let next = wave[&from] + 1;
                        wave.insert(to, next);
                        is_stable = false;
                    }
                }
            }
            if is_stable {
                break;
            }
        }
        assert_eq!(graph.n_tiles(), wave.len(), "{tiles}");
        assert_eq!(graph.waves().is_some(), is_stable, "{tiles} {flow}");
        let Some(waves) = graph.waves() else {
            circular += 1;
            continue;
        };
        legal += 1;
        let last = wave.values().max().unwrap();
        assert_eq!(waves.widths.n_waves() as u64, last + 1, "{tiles} {flow}");
        for (position, (_, coordinates)) in graph.tiles.iter().enumerate() {
            assert_eq!(waves.of_tile[position] as u64, wave[coordinates], "{tiles} {flow}");
        }
    }
    assert!(legal > 20 && circular > 20, "{legal} {circular}");
}

#[test]
fn limits_and_free_parameters_are_errors() {
    let tiles = UnionMap::parse("{ S[i] -> [i] : 0 <= i < 100 }").unwrap();
    let none = UnionMap::empty();
    assert!(TileGraph::new(&none, &tiles, 99, &Budget::unlimited()).is_err());
    assert!(TileGraph::new(&none, &tiles, 100, &Budget::unlimited()).is_ok());
    assert!(TileGraph::new(&none, &tiles, 100, &Budget::steps(3)).is_err());
    let free = UnionMap::parse("[n] -> { S[i] -> [i] : 0 <= i < n <= 3 }").unwrap();
    assert!(TileGraph::new(&none, &free, 100, &Budget::unlimited()).is_err());
    let empty = TileGraph::new(&none, &none, 1, &Budget::unlimited()).unwrap();
    assert_eq!(empty.waves().unwrap().widths.n_waves(), 0);
    assert_eq!(empty.list_makespan(0), Some(0));
}
