//! The choice of tile sizes by name.
use crate::settings::options::CompileOptions;
use crate::settings::words::word;
use loopwright_transform::tile::sica::{Blocks, Levels, Share, Sica};
use loopwright_transform::{TileSizes, Tiling};

/// The largest tile size that is accepted: iterators of tile loops stay far from overflow.
const LARGEST_TILE: i64 = 1 << 24;

/// The largest number of tiles in a tile of tiles.
const LARGEST_FACTOR: i64 = 1 << 12;

/// The options, each with a value.
pub(crate) const OPTIONS: [&str; 6] =
    ["tile-sizes", "tile-factors", "tile-model", "sica-levels", "sica-share", "sica-blocks"];

const MODELS: [(&str, TileSizes); 3] = [
    ("default", TileSizes::Default),
    ("fixed", TileSizes::Fixed),
    ("footprint", TileSizes::Footprint),
];
const LEVELS: [(&str, Levels); 2] = [("1", Levels::One), ("2", Levels::Two)];
const BLOCKS: [(&str, Blocks); 3] =
    [("own", Blocks::Own), ("min", Blocks::Least), ("max", Blocks::Greatest)];

/// Sets one of the options. Those of SICA choose SICA, too.
pub(crate) fn set(options: &mut CompileOptions, name: &str, value: &str) -> Result<(), String> {
    let sica = match &options.tile_sizes {
        TileSizes::Sica(sica) => sica.clone(),
        _ => Sica::default(),
    };
    options.tile_sizes = match name {
        "tile-sizes" => tile_sizes(value)?,
        "tile-factors" => {
            options.tile_factors = numbers(name, value, LARGEST_FACTOR)?;
            return Ok(());
        }
        "tile-model" => {
            let by_sica = [("sica", TileSizes::Sica(sica))];
            word(name, value, &[&MODELS[..], &by_sica].concat())?
        }
        "sica-levels" => TileSizes::Sica(Sica { levels: word(name, value, &LEVELS)?, ..sica }),
        "sica-blocks" => TileSizes::Sica(Sica { blocks: word(name, value, &BLOCKS)?, ..sica }),
        _ => {
            let share = Share::parse(value).ok_or_else(|| {
                format!(
                    "--{name} takes a positive decimal number with at most six digits before and \
                     after the point, not `{value}`"
                )
            })?;
            TileSizes::Sica(Sica { share, ..sica })
        }
    };
    Ok(())
}

/// The choice of tile sizes as names and values that [`set`] takes back.
pub(crate) fn settings(options: &CompileOptions) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    let mut say = |name: &str, value: &str| settings.push((name.to_string(), value.to_string()));
    match &options.tile_sizes {
        TileSizes::Sica(sica) => {
            say("tile-model", "sica");
            say("sica-levels", if sica.levels == Levels::One { "1" } else { "2" });
            say("sica-share", &sica.share.to_string());
            let blocks = BLOCKS.iter().find(|(_, blocks)| *blocks == sica.blocks);
            say("sica-blocks", blocks.map_or("own", |(name, _)| name));
        }
        sizes => match MODELS[1..].iter().find(|(_, model)| model == sizes) {
            Some((name, _)) => say("tile-model", name),
            None => say("tile-sizes", &sizes_text(sizes)),
        },
    }
    if !options.tile_factors.is_empty() {
        say("tile-factors", &joined(&options.tile_factors));
    }
    settings
}

/// The word for the shape of tiles that the other options lead to.
const ANY_SHAPE: &str = "default";

/// A shape of tiles from its name; none for `default`.
pub(crate) fn tiling(name: &str) -> Result<Option<Tiling>, String> {
    let mut shapes = vec![(ANY_SHAPE, None)];
    shapes.extend(Tiling::ALL.map(|tiling| (tiling.name(), Some(tiling))));
    word("tiling", name, &shapes)
}

/// Tile sizes from their text: numbers with commas, `none`, or `default`.
pub(crate) fn tile_sizes(text: &str) -> Result<TileSizes, String> {
    match text.trim() {
        "none" => Ok(TileSizes::None),
        "default" => Ok(TileSizes::Default),
        sizes => numbers("tile-sizes", sizes, LARGEST_TILE).map(TileSizes::Given),
    }
}

/// The text of tile sizes that [`tile_sizes`] takes back; `default` for those of other models.
pub(crate) fn sizes_text(sizes: &TileSizes) -> String {
    match sizes {
        TileSizes::None => "none".to_string(),
        TileSizes::Given(sizes) => joined(sizes),
        _ => "default".to_string(),
    }
}

fn joined(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

fn numbers(option: &str, text: &str, most: i64) -> Result<Vec<i64>, String> {
    let number = |part: &str| match part.trim().parse::<i64>() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("--{option} takes whole numbers from 1 to {most}, not `{part}`")),
    };
    text.split(',').map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_again() {
        for words in [
            &[("tile-sizes", "4,5")][..],
            &[("tile-sizes", "none"), ("tile-factors", "8,2")],
            &[("tile-model", "footprint")],
            &[("tile-model", "fixed")],
            &[("sica-share", "1.25"), ("sica-levels", "1")],
            &[("sica-blocks", "min"), ("sica-share", "0.000001")],
            &[("sica-blocks", "max"), ("sica-share", "999999")],
        ] {
            let (mut options, mut again) = (CompileOptions::new(), CompileOptions::new());
            words.iter().for_each(|(name, value)| set(&mut options, name, value).unwrap());
            let settings = settings(&options);
            settings.iter().for_each(|(name, value)| set(&mut again, name, value).unwrap());
            assert_eq!(again.tile_sizes, options.tile_sizes, "{settings:?}");
            assert_eq!(again.tile_factors, options.tile_factors, "{settings:?}");
        }
        for (name, value) in [("sica-share", "0"), ("sica-levels", "3"), ("tile-factors", "4097")] {
            assert!(set(&mut CompileOptions::new(), name, value).is_err(), "{name} {value}");
        }
    }
}
