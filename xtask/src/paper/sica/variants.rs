//! The versions of a program that are compared.
use super::programs::Program;
use loopwright::{CompileOptions, compile_file};
use loopwright_backend::Target;
use loopwright_transform::TileSizes;
use loopwright_transform::tile::sica::{Blocks, Levels, Share, Sica};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program is transformed; none for the source.
pub(super) struct Variant {
    pub(super) name: String,
    tiles: Option<(TileSizes, Vec<i64>)>,
}

/// The versions in the order of the columns: the source, tiles of 32, the vector loop alone in tiles of
/// fixed sizes, SICA, and ours.
pub(super) fn variants() -> Vec<Variant> {
    let variant = |name: &str, sizes, factors| Variant {
        name: name.to_string(),
        tiles: Some((sizes, factors)),
    };
    let one = Sica { levels: Levels::One, ..Sica::default() };
    let same = |size| TileSizes::Sica(Sica { blocks: Blocks::Same(size), ..one.clone() });
    vec![
        Variant { name: "source".to_string(), tiles: None },
        variant("32", TileSizes::Given(vec![32]), Vec::new()),
        variant("32 x 8", TileSizes::Given(vec![32]), vec![8]),
        variant("q = 4", same(4), Vec::new()),
        variant("q = 64", same(64), Vec::new()),
        variant("q = 256", same(256), Vec::new()),
        variant("SICA, 1 level", TileSizes::Sica(one.clone()), Vec::new()),
        variant("SICA, 2 levels", TileSizes::Sica(Sica::default()), Vec::new()),
        variant("ours", TileSizes::Default, Vec::new()),
    ]
}

/// SICA with two levels and this share of the first level cache.
pub(super) fn with_share(share: &str) -> Result<Variant, String> {
    let parsed = Share::parse(share).ok_or_else(|| format!("{share} is no share"))?;
    let sica = Sica { share: parsed, ..Sica::default() };
    Ok(Variant { name: format!("share {share}"), tiles: Some((TileSizes::Sica(sica), Vec::new())) })
}

/// A version that can be run.
pub(super) struct Built {
    executable: PathBuf,
}

impl Variant {
    /// Where this version of a program lies.
    fn path(&self, program: &Program, folder: &Path, extension: &str) -> PathBuf {
        let name: String = self.name.chars().filter(char::is_ascii_alphanumeric).collect();
        folder.join(format!("{}-{name}{extension}", program.name))
    }

    fn options(&self) -> Option<CompileOptions> {
        let (tile_sizes, tile_factors) = self.tiles.clone()?;
        let target = Target::C;
        // What the paper does not have belongs to ours alone.
        let is_ours = tile_sizes == TileSizes::Default;
        let (register_tiles, panels) = (is_ours, is_ours);
        let options = CompileOptions::new();
        Some(CompileOptions { target, tile_sizes, tile_factors, register_tiles, panels, ..options })
    }

    /// Compiles the program, unless that has been done, and its C text.
    pub(super) fn build(&self, program: &Program, folder: &Path) -> Result<Built, String> {
        let executable = self.path(program, folder, "");
        if executable.exists() {
            return Ok(Built { executable });
        }
        let (source, main) =
            (self.path(program, folder, ".c"), self.path(program, folder, ".main.c"));
        let write = |path: &Path, text: &str| std::fs::write(path, text).map_err(|e| e.to_string());
        write(&main, &program.main())?;
        write(&source, &program.kernel()?)?;
        if let Some(options) = self.options() {
            let compiled = compile_file(&source, &options).map_err(|e| e.to_string())?;
            write(&source, &compiled.code)?;
        }
        let output = Command::new("gcc")
            .args(["-O3", "-march=native", "-ffp-contract=off", "-w", "-o"])
            .args([&executable, &source, &main])
            .arg("-lm")
            .output()
            .map_err(|e| format!("cannot run gcc: {e}"))?;
        match output.status.success() {
            true => Ok(Built { executable }),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// The tile sizes of each tiled band.
    pub(super) fn tile_sizes(&self, program: &Program, folder: &Path) -> Result<String, String> {
        let Some(options) = self.options() else { return Ok("–".to_string()) };
        let source = self.path(program, folder, ".source.c");
        std::fs::write(&source, program.kernel()?).map_err(|e| e.to_string())?;
        let compiled = compile_file(&source, &options).map_err(|e| e.to_string())?;
        let bands = compiled.report.regions.iter().flat_map(|region| &region.bands.bands);
        let tiled = bands.filter(|band| !band.tile_sizes.is_empty());
        let text: Vec<String> = tiled
            .map(|band| format!("{} {:?}", band.statements.join(" "), band.tile_sizes))
            .collect();
        Ok(if text.is_empty() { "none".to_string() } else { text.join(", ") })
    }
}

impl Built {
    /// The least seconds of `runs` runs (of one, if that takes longer than two seconds) and the
    /// checksum of the result.
    pub(super) fn run(&self, sizes: &[u32], runs: usize) -> Result<(f64, String), String> {
        let mut least = f64::INFINITY;
        let mut checksum = String::new();
        for _ in 0..runs.max(1) {
            let output = Command::new(&self.executable)
                .args(sizes.iter().map(u32::to_string))
                .output()
                .map_err(|e| e.to_string())?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let (seconds, sum) = text.trim().split_once(' ').ok_or("it prints no time")?;
            let seconds: f64 = seconds.parse().map_err(|_| "it prints no time")?;
            least = least.min(seconds);
            checksum = sum.to_string();
            if seconds > 2.0 {
                break;
            }
        }
        Ok((least, checksum))
    }
}
