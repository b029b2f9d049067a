//! What other compilers reach on the same collection of kernels, for comparison.
//!
//! Measured in November 2026 on two cores (Zen 5, AVX-512) with gcc 12.2 and clang 19: PolyBench/C
//! 4.2.1 at size LARGE, `-O3 -march=native`, medians of three runs. Ratios are comparable, seconds are
//! not: they belong to that machine.
use crate::contestant::{Compiler, Contestant};

/// The compilers, in the order of the columns of [`SECONDS`] after the first, which is `gcc -O3`.
pub(crate) const NAMES: [&str; 5] =
    ["clang -O3", "Polly, 1 thread", "Polly, 2 threads", "PPCG, 1 thread", "Pluto, 2 threads"];

/// Seconds of each kernel: `gcc -O3`, then [`NAMES`]; 0 where the compiler refuses the kernel.
/// PPCG's and Pluto's results are compiled with gcc.
#[rustfmt::skip]
const SECONDS: [(&str, [f64; 6]); 30] = [
    ("2mm", [0.9604, 1.6416, 0.5086, 0.2714, 0.6927, 0.4453]),
    ("3mm", [1.5633, 2.5782, 0.7778, 0.4322, 1.0615, 0.7056]),
    ("adi", [7.7660, 6.0913, 4.6731, 2.3022, 9.6444, 0.0]),
    ("atax", [0.0033, 0.0045, 0.0087, 0.0106, 0.0065, 0.0072]),
    ("bicg", [0.0128, 0.0124, 0.0084, 0.0117, 0.0139, 0.0034]),
    ("cholesky", [0.7139, 1.2611, 1.2530, 1.2482, 0.2565, 0.3315]),
    ("correlation", [1.3859, 1.0864, 1.6691, 1.2635, 0.3494, 0.2514]),
    ("covariance", [1.3895, 1.0671, 0.2965, 0.2313, 0.3555, 0.2517]),
    ("deriche", [0.1735, 0.1792, 0.1684, 0.1639, 0.1470, 0.1814]),
    ("doitgen", [0.2359, 0.4175, 0.0298, 0.0977, 0.2239, 0.1323]),
    ("durbin", [0.0013, 0.0022, 0.0022, 0.0022, 0.0013, 0.0012]),
    ("fdtd-2d", [0.7120, 0.7022, 0.5563, 0.5608, 1.1492, 0.5410]),
    ("floyd-warshall", [14.0575, 9.9487, 9.7310, 8.9187, 5.7861, 14.7942]),
    ("gemm", [0.1651, 0.1108, 0.4068, 0.2067, 0.6298, 0.3384]),
    ("gemver", [0.0075, 0.0096, 0.0094, 0.0079, 0.0118, 0.0087]),
    ("gesummv", [0.0053, 0.0053, 0.0027, 0.0037, 0.0054, 0.0016]),
    ("gramschmidt", [1.4815, 1.6172, 1.6763, 0.8957, 1.4653, 0.4304]),
    ("heat-3d", [1.1637, 1.0838, 1.7701, 1.0516, 2.6211, 1.1294]),
    ("jacobi-1d", [0.0002, 0.0002, 0.0013, 0.0013, 0.0013, 0.0010]),
    ("jacobi-2d", [0.9767, 0.9848, 1.3131, 1.3031, 2.3106, 0.5491]),
    ("lu", [1.6285, 2.5966, 1.7237, 0.3728, 0.2359, 0.7094]),
    ("ludcmp", [1.6508, 2.5786, 2.6743, 2.1554, 1.4466, 1.5538]),
    ("mvt", [0.0071, 0.0103, 0.0087, 0.0079, 0.0119, 0.0088]),
    ("nussinov", [1.6863, 1.4332, 1.5473, 1.5391, 1.5056, 0.0]),
    ("seidel-2d", [12.9819, 12.8519, 12.6312, 12.3610, 11.3987, 5.0539]),
    ("symm", [0.7196, 0.6889, 0.7260, 0.6355, 0.6806, 0.6583]),
    ("syr2k", [0.7670, 0.7163, 0.3837, 0.3020, 0.4927, 0.3850]),
    ("syrk", [0.3200, 0.2478, 0.1778, 0.1390, 0.3106, 0.2611]),
    ("trisolv", [0.0023, 0.0026, 0.0026, 0.0026, 0.0022, 0.0018]),
    ("trmm", [0.5595, 0.5533, 0.3451, 0.1983, 0.2796, 0.1301]),
];

/// All kernels of the collection, in order.
pub(crate) fn kernels() -> impl Iterator<Item = &'static str> {
    SECONDS.iter().map(|(name, _)| *name)
}

/// The contestants that [`NAMES`] stand for where they cannot be run.
pub(crate) const SAME_AS: [Option<Contestant>; NAMES.len()] = [
    Some(Contestant::Plain(Compiler::Clang)),
    Some(Contestant::Polly(1)),
    Some(Contestant::Polly(2)),
    None,
    Some(Contestant::Pluto(Compiler::Gcc, 2)),
];

/// The speed-up over `gcc -O3` of the compiler at a position in [`NAMES`].
pub(crate) fn speed_up(kernel: &str, compiler: usize) -> Option<f64> {
    let (_, [gcc, peers @ ..]) = SECONDS.iter().find(|(name, _)| *name == kernel)?;
    let seconds = *peers.get(compiler)?;
    (seconds > 0.0).then(|| gcc / seconds)
}
