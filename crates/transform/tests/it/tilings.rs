//! Tiles bounded by slanted lines, by brute force: every instance of small iteration spaces is put into its
//! tile, and every dependence is looked at. Stencils are random; sizes are the smallest legal ones, and
//! smaller.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_testkit::cases::seed;
use loopwright_transform::Tiling;
use loopwright_transform::band::chosen_tiling::with_points;
use loopwright_transform::cache_oblivious::{ZoidProgram, Zoids, zoids};
use loopwright_transform::tile::cone::{Cone, cone};
use loopwright_transform::tile::hexagon::hexagons;
use loopwright_transform::tile::molecular::molecular;
use loopwright_transform::tile::tiling::{Refusal, Request, TiledBand, tiled_band};
use loopwright_transform::tile::tiling_cost::Workload;
use loopwright_transform::tile::trapezoid::trapezoids;
use loopwright_verify::{Proof, RecursiveProgram, check_schedule, check_zoids};
use std::collections::BTreeMap;

/// A stencil of one statement `S[t, x0, x1, ...]` with these distances, in a band whose data members are
/// skewed by these factors.
struct Stencil {
    distances: Vec<Vec<i64>>,
    skews: Vec<i64>,
}

impl Stencil {
    fn dimensions(&self) -> usize {
        self.skews.len()
    }

    fn tuple(&self) -> String {
        (0..self.dimensions()).fold("S[t".to_string(), |text, k| format!("{text}, x{k}")) + "]"
    }

    fn band(&self) -> Band {
        let tuple = self.tuple();
        let mut members = vec![format!("{{ {tuple} -> [(t)] }}")];
        for (k, skew) in self.skews.iter().enumerate() {
            members.push(format!("{{ {tuple} -> [({skew}t + x{k})] }}"));
        }
        let schedule = MultiUnionPwAff::parse(&format!("[{}]", members.join(", "))).unwrap();
        Band::new(schedule).with_permutable(true)
    }

    fn dependences(&self) -> UnionMap {
        let tuple = self.tuple();
        let all = self.distances.iter().map(|distance| {
            let moved = distance[1..].iter().enumerate().map(|(k, d)| format!(", x{k} + {d}"));
            format!("{tuple} -> S[t + {}{}]", distance[0], moved.collect::<String>())
        });
        let all: Vec<String> = all.collect();
        UnionMap::parse(&format!("{{ {} }}", all.join("; "))).unwrap()
    }

    fn tiled(&self, tiling: Tiling, sizes: &[i64]) -> Result<TiledBand, Refusal> {
        let workload = &Workload::nominal(1 + self.dimensions());
        let innermost = self.dimensions();
        let request = Request {
            tiling,
            sizes,
            innermost,
            point_to_point: tiling == Tiling::Molecular,
            workload,
        };
        let tree =
            ScheduleTree::from_domain(UnionSet::parse(&format!("{{ {} }}", self.tuple())).unwrap());
        let (reaching, budget) = (Reaching::root(&tree), Budget::unlimited());
        tiled_band(request, &self.band(), &reaching, &self.dependences(), &budget).unwrap()
    }

    /// The coordinates of the tiles of the instances of a box, by the loops of a tree.
    fn coordinates(&self, loops: &Node, extents: &[i64]) -> BTreeMap<Vec<i64>, Vec<i64>> {
        let mut text = format!("{{ {} : 0 <= t < {}", self.tuple(), extents[0]);
        for (k, extent) in extents[1..].iter().enumerate() {
            text += &format!(" and 0 <= x{k} < {extent}");
        }
        let domain = UnionSet::parse(&(text + " }")).unwrap();
        let tree = ScheduleTree::new(domain.clone(), loops.clone());
        let (budget, mut found) = (Budget::unlimited(), BTreeMap::new());
        let tiles = tree.flatten().unwrap().intersect_domain(&domain).unwrap();
        for map in tiles.maps() {
            for point in map.wrap().points(1_000_000, &budget).unwrap() {
                let point: Vec<i64> = point.iter().map(|x| x.to_i64().unwrap()).collect();
                let (instance, tile) = point.split_at(extents.len());
                let before = found.insert(instance.to_vec(), tile.to_vec());
                assert!(before.is_none(), "{instance:?} is in two tiles");
            }
        }
        assert_eq!(found.len() as i64, extents.iter().product::<i64>(), "all are in tiles");
        found
    }

    /// A dependence that tiles do not respect: of coordinates, the first `n_serial` say the wave; tiles of a
    /// wave do not need each other, and the last `n_inside` coordinates are parts of a tile that run one
    /// after the other.
    fn violation(
        &self,
        coordinates: &BTreeMap<Vec<i64>, Vec<i64>>,
        n_serial: usize,
        n_inside: usize,
    ) -> Option<(Vec<i64>, Vec<i64>)> {
        for (from, tile) in coordinates {
            for distance in &self.distances {
                let to: Vec<i64> = from.iter().zip(distance).map(|(x, d)| x + d).collect();
                let Some(next) = coordinates.get(&to) else { continue };
                let n_tile = tile.len() - n_inside;
                let is_respected = tile[..n_serial] < next[..n_serial]
                    || tile[..n_tile] == next[..n_tile] && tile[n_tile..] <= next[n_tile..];
                if !is_respected {
                    return Some((from.clone(), to));
                }
            }
        }
        None
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as i64
    }
}

/// Distances with the slopes `l..=u` along each dimension in one step, some others inside of the cone that
/// they span.
fn random_stencil(random: &mut Random, dimensions: usize) -> (Stencil, Vec<(i64, i64)>) {
    let slopes: Vec<(i64, i64)> = (0..dimensions)
        .map(|_| {
            let least = random.below(4) - 2;
            (least, least + random.below(4))
        })
        .collect();
    let mut distances = Vec::new();
    for k in 0..dimensions {
        for extreme in [slopes[k].0, slopes[k].1] {
            let mut distance = vec![1];
            for (j, (least, greatest)) in slopes.iter().enumerate() {
                distance.push(match j == k {
                    true => extreme,
                    false => least + random.below(greatest - least + 1),
                });
            }
            distances.push(distance);
        }
    }
    let steps = 1 + random.below(3);
    let mut further = vec![steps];
    further.extend(slopes.iter().map(|(l, u)| l * steps + random.below((u - l) * steps + 1)));
    distances.push(further);
    let skews = slopes.iter().map(|(least, _)| (-least).max(0)).collect();
    (Stencil { distances, skews }, slopes)
}

/// Sizes of tiles for which those along the data are the smallest legal ones, and what they are by the
/// formulas.
fn smallest(tiling: Tiling, steps: i64, slopes: &[(i64, i64)]) -> Vec<i64> {
    let spread = |(least, greatest): &(i64, i64)| greatest - least;
    let mut sizes = vec![steps];
    match tiling {
        Tiling::Hexagonal => {
            sizes.push((spread(&slopes[0]) * ((steps + 1) / 2)).max(1));
            sizes.extend(slopes[1..].iter().map(|_| 3));
        }
        _ => sizes.extend(slopes.iter().map(|slope| (spread(slope) * (steps - 1)).max(1))),
    }
    sizes
}

#[test]
fn random_stencils_have_legal_tiles_from_the_smallest_size_on() {
    let mut random = Random(seed(1));
    for case in 0..24 {
        let dimensions = if case % 3 == 2 { 2 } else { 1 };
        let (stencil, slopes) = random_stencil(&mut random, dimensions);
        let steps = 1 + random.below(5);
        let extents = if dimensions == 1 { vec![13, 37] } else { vec![6, 13, 11] };
        for (tiling, n_serial, n_inside) in [
            (Tiling::Trapezoid, 2, 0),
            // Compute and receive slices follow each other in a tile.
            (Tiling::Molecular, 2, usize::from(dimensions == 1)),
            (Tiling::Hexagonal, 1, dimensions + 1),
        ] {
            let sizes = smallest(tiling, steps, &slopes);
            for more in [0, 3] {
                let mut sizes = sizes.clone();
                sizes[1] += more;
                let tiled = stencil.tiled(tiling, &sizes).unwrap();
                let coordinates = stencil.coordinates(&tiled.loops, &extents);
                let violation = stencil.violation(&coordinates, n_serial, n_inside);
                assert_eq!(violation, None, "{tiling:?} {sizes:?} {slopes:?}\n{:?}", tiled.loops);
            }
            let mut narrow = sizes.clone();
            narrow[1] -= 1;
            if narrow[1] >= 1 {
                let refused = stencil.tiled(tiling, &narrow).unwrap_err();
                let Refusal::TooNarrow(refused) = refused else { panic!("{refused}") };
                assert_eq!((refused.member, refused.least), (1, sizes[1]), "{tiling:?} {slopes:?}");
            }
        }
    }
}

fn jacobi() -> Stencil {
    Stencil { distances: vec![vec![1, -1], vec![1, 0], vec![1, 1]], skews: vec![1] }
}

#[test]
fn trapezoids_are_those_of_the_literature() {
    // Phase 1 iff s <= x < sigma - s, as in F. Wonnacott and Strout's figure, in blocks of 8 and bands of 4.
    let tiled = jacobi().tiled(Tiling::Trapezoid, &[4, 8]).unwrap();
    for (point, tile) in jacobi().coordinates(&tiled.loops, &[12, 40]) {
        let (s, x) = (point[0] % 4, point[1] % 8);
        let is_block = s <= x && x < 8 - s;
        assert_eq!(tile[..2], [point[0] / 4, i64::from(!is_block)], "{point:?}");
        let own =
            if is_block || x >= 8 - s { point[1] / 8 + i64::from(!is_block) } else { point[1] / 8 };
        assert_eq!(tile[2], 8 * own, "{point:?}");
    }
    // Published numbers of waves: 2 T / tau, whatever the data.
    for n in [48, 96, 192] {
        let all = jacobi().coordinates(&tiled.loops, &[32, n]);
        let mut waves: Vec<_> = all.values().map(|tile| tile[..2].to_vec()).collect();
        waves.sort();
        waves.dedup();
        assert_eq!(waves.len(), 16);
    }
}

/// The slices of a tile are the closures of the dependences, by brute force: what needs the tile before is
/// received, what the tile behind needs is sent. A tile waits once, for the sent values of the tile before.
#[test]
fn slices_of_molecular_tiles_are_closures_of_the_dependences() {
    let mut random = Random(seed(7));
    for _ in 0..12 {
        let (stencil, slopes) = random_stencil(&mut random, 1);
        let steps = 1 + random.below(5);
        let mut sizes = smallest(Tiling::Molecular, steps, &slopes);
        sizes[1] += random.below(4);
        let tiled = stencil.tiled(Tiling::Molecular, &sizes).unwrap();
        let all = stencil.coordinates(&tiled.loops, &[2 * steps, 61]);
        // The band and the tile of an instance, which two slices of a tile share.
        let tile = |point: &Vec<i64>| (all[point][0], all[point][2]);
        let moved = |point: &[i64], distance: &[i64], sign: i64| -> Vec<i64> {
            point.iter().zip(distance).map(|(x, d)| x + sign * d).collect()
        };
        let (mut received, mut sent) = (BTreeMap::new(), BTreeMap::new());
        for point in all.keys() {
            let needs = stencil.distances.iter().map(|distance| moved(point, distance, -1));
            let needs_other = needs.filter(|from| all.contains_key(from)).any(|from| {
                let is_of_band = tile(&from).0 == tile(point).0;
                is_of_band && (tile(&from) != tile(point) || received[&from])
            });
            received.insert(point.clone(), needs_other);
        }
        for point in all.keys().rev() {
            let needed = stencil.distances.iter().map(|distance| moved(point, distance, 1));
            let is_needed = needed
                .filter(|to| all.contains_key(to))
                .any(|to| tile(&to).0 == tile(point).0 && (tile(&to) != tile(point) || sent[&to]));
            sent.insert(point.clone(), is_needed);
        }
        for (point, coordinates) in &all {
            let (is_sent, is_received) = (coordinates[1] == 0, coordinates[3] == 1);
            assert!(!sent[point] || is_sent, "{point:?} is needed: {sizes:?} {slopes:?}");
            assert!(!received[point] || is_received, "{point:?} needs: {sizes:?} {slopes:?}");
        }
        // Away from the ends of the data, and where the distances are all of the cone, the slices are no
        // larger.
        if stencil.distances.len() > 3 && slopes[0].1 - slopes[0].0 <= 1 {
            let inner = all.keys().filter(|point| (20..40).contains(&point[1]) && point[0] < steps);
            for point in inner.filter(|_| stencil.distances.iter().all(|d| d[0] == 1)) {
                assert_eq!(sent[point], all[point][1] == 0, "{point:?} {sizes:?} {slopes:?}");
            }
        }
    }
}

#[test]
fn molecular_tiles_are_those_of_the_literature() {
    // sigma >= 2 r (tau - 1): published for r = 1 and 2.
    for (radius, tau, least) in [(1, 3, 4), (1, 4, 6), (1, 5, 8), (2, 3, 8), (2, 4, 12), (2, 5, 16)]
    {
        let distances = (-radius..=radius).map(|x| vec![1, x]).collect();
        let stencil = Stencil { distances, skews: vec![radius] };
        assert!(stencil.tiled(Tiling::Molecular, &[tau, least]).is_ok());
        let refused = stencil.tiled(Tiling::Molecular, &[tau, least - 1]).unwrap_err();
        let Refusal::TooNarrow(refused) = refused else { panic!("{refused}") };
        assert_eq!(refused.least, least);
    }
    let tiled = jacobi().tiled(Tiling::Molecular, &[4, 8]).unwrap();
    for (point, tile) in jacobi().coordinates(&tiled.loops, &[12, 40]) {
        let (s, y) = (point[0] % 4, (point[1] + point[0] % 4) % 8);
        let is_sent = y >= 8 - 2 * (3 - s);
        assert_eq!(tile[..3], [point[0] / 4, i64::from(!is_sent), point[1] + s - y], "{point:?}");
        assert!(is_sent || tile[3] == i64::from(y < 2 * s), "{point:?}");
    }
}

#[test]
fn hexagons_have_one_shape_and_a_row_each_half_of_their_time() {
    let tiled = jacobi().tiled(Tiling::Hexagonal, &[6, 10]).unwrap();
    let all = jacobi().coordinates(&tiled.loops, &[30, 120]);
    let mut tiles: BTreeMap<&[i64], Vec<Vec<i64>>> = BTreeMap::new();
    for (point, tile) in &all {
        tiles.entry(&tile[..2]).or_default().push(point.clone());
    }
    // Steps of 4, 6, 8 and 10, 8, 6 instances: those that are whole have 42, in six time steps.
    let whole = tiles.values().filter(|points| points.len() == 42);
    let whole: Vec<_> = whole.map(|points| (points[0][0], points[41][0])).collect();
    assert!(whole.len() > 40, "{}", whole.len());
    assert!(whole.iter().all(|(first, last)| last - first == 5));
    assert!(tiles.values().all(|points| points.len() <= 42));
    let rows: std::collections::BTreeSet<i64> = tiles.keys().map(|tile| tile[0]).collect();
    assert_eq!(rows.len(), 11, "one more than two per six steps");
}

#[test]
fn in_place_updates_are_refused_and_run_as_a_pipeline() {
    let seidel = Stencil { distances: vec![vec![0, 1], vec![1, -1], vec![1, 0]], skews: vec![1] };
    let shapes =
        [Tiling::Tube, Tiling::Diamond, Tiling::Trapezoid, Tiling::Molecular, Tiling::Hexagonal];
    for tiling in shapes {
        let refused = seidel.tiled(tiling, &[4, 40]).unwrap_err();
        assert!(
            refused.to_string().starts_with("dataflow-limited: dependences S -> S"),
            "{refused}"
        );
    }
    let tiled = seidel.tiled(Tiling::Pipelined, &[2, 4]).unwrap();
    let coordinates = seidel.coordinates(&tiled.loops, &[9, 21]);
    assert_eq!(seidel.violation(&coordinates, 1, 0), None);
}

#[test]
fn hyperplanes_have_legal_tiles() {
    let star = vec![vec![1, 0, 0], vec![1, 1, 0], vec![1, -1, 0], vec![1, 0, 1], vec![1, 0, -1]];
    let star = Stencil { distances: star, skews: vec![1, 1] };
    for (tiling, n_tiled) in [(Tiling::Tube, 2), (Tiling::Diamond, 3), (Tiling::Pipelined, 3)] {
        let tiled = star.tiled(tiling, &[4]).unwrap();
        assert_eq!(tiled.sizes, vec![4; n_tiled]);
        let all = star.coordinates(&tiled.loops, &[8, 16, 16]);
        // In a wave of pipelined tiles those along the third member follow each other.
        let n_inside = usize::from(tiling == Tiling::Pipelined);
        assert_eq!(star.violation(&all, 1, n_inside), None, "{tiling:?}");
    }
}

/// Diamonds that are wider along some members: rows of them start at one time, and their number does not
/// depend on the data.
#[test]
fn diamonds_have_widths_of_their_own() {
    let star = vec![vec![1, 0, 0], vec![1, 1, 0], vec![1, -1, 0], vec![1, 0, 1], vec![1, 0, -1]];
    let mut corners = Vec::new();
    for x in -1..=1 {
        corners.extend((-1..=1).map(|y| vec![1, x, y]));
    }
    for distances in [star, corners] {
        let stencil = Stencil { distances, skews: vec![1, 1] };
        for (given, sizes) in [
            ([1, 4, 8], [8, 4, 8]),
            ([5, 12, 4], [12, 12, 4]),
            ([1, 3, 8], [8, 4, 8]),
            ([1, 6, 6], [6, 6, 6]),
        ] {
            let tiled = stencil.tiled(Tiling::Diamond, &given).unwrap();
            assert_eq!(tiled.sizes, sizes);
            let n_waves = |n: i64| {
                let all = stencil.coordinates(&tiled.loops, &[8, n, n]);
                assert_eq!(stencil.violation(&all, 1, 0), None, "{given:?}");
                let waves: std::collections::BTreeSet<i64> = all.values().map(|t| t[0]).collect();
                waves.len()
            };
            assert_eq!(n_waves(16), n_waves(24), "{given:?}");
        }
    }
}

/// A stencil of two neighbours in two planes in turn, and the band of its time and its skewed points.
fn skewed_stencil() -> (Scop, Dependences, UnionSet, Band) {
    let text = "void f(int T, int n, double A[2][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) \
        for (int i = 1; i < n - 1; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];\n#pragma endscop\n}\n";
    let scop = SourceFile::from_text("f.c", text).extract().unwrap().remove(0).scop;
    let dependences = Dependences::of_scop(&scop, &Budget::unlimited()).unwrap();
    let domain = UnionSet::from_set(scop.statements[0].domain.clone());
    let tuple = format!("{}[t, i]", scop.statements[0].name);
    let members = format!("[{{ {tuple} -> [(t)] }}, {{ {tuple} -> [(t + i)] }}]");
    let band = Band::new(MultiUnionPwAff::parse(&members).unwrap()).with_permutable(true);
    (scop, dependences, domain, band)
}

#[test]
fn tiles_for_other_dependences_are_refuted() {
    let (scop, dependences, domain, band) = skewed_stencil();
    let budget = Budget::unlimited();
    let reaching = Reaching::root(&ScheduleTree::from_domain(domain.clone()));
    let all = dependences.memory_map().unwrap();
    let found = cone(&band, 1, &reaching, &all, &budget).unwrap().unwrap();
    let is_proved = |cone: &Cone| {
        let shapes = [
            trapezoids(cone, &[4, 9]).unwrap(),
            molecular(cone, &[4, 9], true).unwrap(),
            hexagons(&band, cone, &[4, 9]).unwrap(),
        ];
        for loops in shapes {
            let points = Node::band(band.clone(), Node::Leaf);
            let root = with_points(loops.unwrap(), &points).unwrap();
            let tree = ScheduleTree::new(domain.clone(), root);
            if !check_schedule(&scop, &dependences, &tree, &budget).unwrap().is_proved() {
                return false;
            }
        }
        true
    };
    assert!(is_proved(&found));
    for (least, greatest) in [(-1, 0), (0, 1)] {
        let mut wrong = found.clone();
        (wrong.axes[0].least, wrong.axes[0].greatest) = (least, greatest);
        assert!(!is_proved(&wrong), "{wrong:?}");
    }
}

/// The cheapest legal shape is taken, by the costs of all of them.
#[test]
fn auto_is_the_cheapest_legal_shape() {
    let seidel = Stencil { distances: vec![vec![0, 1], vec![1, -1], vec![1, 0]], skews: vec![1] };
    let star = vec![vec![1, 0, 0], vec![1, 1, 0], vec![1, -1, 0], vec![1, 0, 1], vec![1, 0, -1]];
    let star = Stencil { distances: star, skews: vec![1, 1] };
    for (stencil, sizes) in
        [(&jacobi(), &[][..]), (&star, &[][..]), (&star, &[4, 5]), (&seidel, &[])]
    {
        let found = stencil.tiled(Tiling::Auto, sizes).unwrap();
        let legal = Tiling::ONCE.iter().filter_map(|tiling| stencil.tiled(*tiling, sizes).ok());
        let least = legal.map(|tiled| tiled.cost.millicycles).min().unwrap();
        assert_eq!(found.cost.millicycles, least, "{found:?}");
    }
    assert_eq!(seidel.tiled(Tiling::Auto, &[]).unwrap().tiling, Tiling::Pipelined);
    assert!(star.tiled(Tiling::Trapezoid, &[4, 5]).is_err(), "too narrow");
}

#[test]
fn far_dependences_are_named() {
    // Each instance needs all of the step before.
    let band = jacobi().band();
    let tree = ScheduleTree::from_domain(UnionSet::parse("{ S[t, x0] }").unwrap());
    let all = UnionMap::parse("{ S[t, x0] -> S[t + 1, y] : y >= x0 - 1 }").unwrap();
    let request = Request {
        tiling: Tiling::Trapezoid,
        sizes: &[4, 64],
        innermost: 1,
        point_to_point: false,
        workload: &Workload::nominal(2),
    };
    let (reaching, budget) = (Reaching::root(&tree), Budget::unlimited());
    let refused = tiled_band(request, &band, &reaching, &all, &budget).unwrap().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "dependences move arbitrarily far along member 1 in a time step"
    );
}

/// A recursion for one program is none for others: with flatter dependences, fewer instances, or other loops
/// of a moment it is refuted.
#[test]
fn recursions_of_other_programs_are_refuted() {
    let (scop, dependences, domain, band) = skewed_stencil();
    let budget = Budget::unlimited();
    let tree = ScheduleTree::new(domain.clone(), Node::band(band, Node::Leaf));
    let taken = std::collections::BTreeSet::from(["moment".to_string()]);
    let found = zoids(&tree, &scop, &dependences, &[4, 8], &taken, &budget).unwrap();
    let Zoids::Found(found) = found else { panic!("{found:?}") };
    assert_eq!(&*found.moment, "moment_1", "the program's names are left to it");
    let slopes = (found.recursion.axes[0].least, found.recursion.axes[0].greatest);
    assert_eq!(slopes, (-1, 1));
    let proof = |program: &ZoidProgram| {
        let ZoidProgram { points, recursion, extremes, tree: step, moment, bounds, .. } = program;
        let (scop, dependences, first) = (&scop, &dependences, extremes);
        let program =
            RecursiveProgram { scop, dependences, points, recursion, first, step, moment, bounds };
        check_zoids(program, &budget).unwrap()
    };
    assert!(proof(&found).is_proved(), "{:?}", proof(&found));
    let refuted = |reason: &str, change: &dyn Fn(&mut ZoidProgram)| {
        let mut wrong = (*found).clone();
        change(&mut wrong);
        let Proof::Refuted(violations) = proof(&wrong) else { panic!("{reason}: it is proved") };
        assert!(violations.iter().all(|v| v.to_string().contains(reason)), "{violations:?}");
    };
    refuted("is not between the slopes of the cuts", &|program| {
        program.recursion.axes[0].greatest = 0;
    });
    refuted("an instance is not in the first zoid", &|program| {
        program.extremes[1].1 = program.extremes[1].0.clone();
    });
    refuted("an instance is not in the first zoid", &|program| {
        program.extremes.truncate(1);
    });
    refuted("the loops of a moment are not about the instances of its points", &|program| {
        program.tree.domain = domain.clone();
    });
    refuted("the loops of a moment are not about the instances of its points", &|program| {
        let (low, high) = program.bounds[0].clone();
        program.bounds[0] = (high, low);
    });
}
