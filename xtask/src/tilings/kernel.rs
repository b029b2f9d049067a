//! The stencils of the table.
use super::program::Sizes;
use crate::repository;
use std::path::PathBuf;

/// A stencil, with sizes whose data are beyond caches.
pub(super) struct Kernel {
    pub(super) name: &'static str,
    /// Time steps, the extent of the first dimension of the data, and that of others.
    pub(super) sizes: [i64; 3],
    /// Arrays that a time step reads or writes, each as often as it has to be in memory at least: reads, and
    /// reads and writes of what is written.
    pub(super) passes: f64,
    /// The dimensions of the data.
    pub(super) dimensions: i32,
}

/// All of them.
pub(super) const KERNELS: [Kernel; 8] = [
    Kernel { name: "jacobi-1d", sizes: [60, 8_000_000, 0], passes: 6.0, dimensions: 1 },
    Kernel { name: "jacobi-2d", sizes: [40, 3000, 3000], passes: 6.0, dimensions: 2 },
    Kernel { name: "heat-2d", sizes: [80, 3000, 3000], passes: 3.0, dimensions: 2 },
    Kernel { name: "heat-3d", sizes: [30, 200, 200], passes: 6.0, dimensions: 3 },
    Kernel { name: "fdtd-2d", sizes: [80, 2000, 2000], passes: 8.0, dimensions: 2 },
    Kernel { name: "wave-3d-1", sizes: [60, 200, 200], passes: 3.0, dimensions: 3 },
    Kernel { name: "wave-3d-2", sizes: [50, 200, 200], passes: 3.0, dimensions: 3 },
    Kernel { name: "wave-3d-4", sizes: [40, 200, 200], passes: 3.0, dimensions: 3 },
];

impl Kernel {
    /// The folder with the texts of all, and what they include.
    pub(super) fn folder() -> PathBuf {
        repository::root().join("xtask/src/tilings/kernels")
    }

    pub(super) fn source(&self) -> PathBuf {
        Self::folder().join(format!("{}.c", self.name))
    }

    /// The loops in diamonds as Pluto makes them, where it is known how that text looks.
    pub(super) fn pluto(&self) -> PathBuf {
        Self::folder().join(format!("pluto/{}.h", self.name))
    }

    /// Definitions for the sizes of Pluto's tiles: diamonds, dimensions inside of them, rows.
    pub(super) fn pluto_sizes(&self, sizes: Sizes) -> [String; 3] {
        let [tile, inner, row] = match (sizes, self.dimensions) {
            (Sizes::Default, _) => [32; 3],
            (Sizes::OfTubes, 1) => [512; 3],
            (Sizes::OfTubes, 2) => [64, 256, 256],
            (Sizes::OfTubes, _) => [16, 16, 256],
        };
        [format!("TILE={tile}"), format!("INNER_TILE={inner}"), format!("ROW_TILE={row}")]
    }

    /// Definitions for arrays with room for twice the first dimension.
    pub(super) fn defines(&self) -> Vec<String> {
        let [_, n, m] = self.sizes;
        vec![format!("N={}", 2 * n), format!("M={}", m.max(1))]
    }

    /// Billions of bytes that go through memory if each time step reads and writes all of its data there.
    pub(super) fn gigabytes(&self) -> f64 {
        let [steps, n, m] = self.sizes.map(|size| size as f64);
        steps * self.passes * 8.0 * n * m.max(1.0).powi(self.dimensions - 1) * 1e-9
    }
}
