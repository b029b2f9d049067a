//! The choices that are tried instead of the model's, in a fixed order.
use crate::pipeline::outcome::RegionReport;
use crate::settings::choices::RegionChoices;
use loopwright_transform::Tiling;

/// The greatest tile size that is tried.
const LARGEST_SIZE: i64 = 4096;

/// A change of the choices for a region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The change in words.
    pub(super) label: String,
    /// All choices.
    pub(super) choices: RegionChoices,
}

/// Choices of the whole region that change which loops there are: each alone is a candidate.
const STRUCTURES: [(&str, &str); 23] = [
    ("unchanged", "yes"),
    ("target", "c"),
    ("fuse", "min"),
    ("fuse", "max"),
    ("fuse", "smart"),
    ("fuse", "typed"),
    ("input-reuse", "yes"),
    ("schedule-outer-coincidence", "yes"),
    ("schedule-outer-coincidence", "no"),
    ("scheduler", "feautrier"),
    ("scheduler", "none"),
    ("schedule-split-index-sets", "yes"),
    ("group-chains", "no"),
    ("tile-sizes", "32"),
    ("tile-model", "fixed"),
    ("tile-model", "footprint"),
    ("tile-model", "sica"),
    ("tile-factors", "8"),
    ("concurrent-start", "full"),
    ("concurrent-start", "none"),
    ("point-to-point", "no"),
    ("register-tiles", "no"),
    ("panels", "no"),
];

/// Choices that leave the bands as they are.
const FINISHES: [(&str, &str); 4] =
    [("target", "c"), ("target", "openmp"), ("strategy", "components"), ("strategy", "separation")];

/// Sizes of kernels: blocks of several shapes, and blocks whose threads have several iterations each.
const KERNEL_SIZES: [&str; 12] = [
    "block[64]",
    "block[128]",
    "block[256]",
    "block[8, 8]",
    "block[16, 16]",
    "block[4, 32]",
    "block[8, 32]",
    "block[32, 32]",
    "block[2, 128]",
    "tile[32, 32]; kernel[i] -> block[8, 32]",
    "tile[16, 64]; kernel[i] -> block[8, 16]",
    "tile[512]; kernel[i] -> block[128]",
];

/// Other choices for kernels, and the processor in their place.
const ON_DEVICES: [(&str, &str); 4] =
    [("shared-memory", "no"), ("device-registers", "no"), ("target", "openmp"), ("target", "c")];

/// Candidates for a region with kernels: their sizes, and what they keep where.
pub(super) fn kernels(given: &RegionChoices) -> Vec<Candidate> {
    let sized = KERNEL_SIZES
        .into_iter()
        .filter_map(|sizes| changed(given, "sizes", &format!("{{ kernel[i] -> {sizes} }}")));
    let others = ON_DEVICES.into_iter().filter_map(|(name, value)| changed(given, name, value));
    others.chain(sized).collect()
}

/// Candidates with other loops than `made`, the choices of a compilation: one change each, and sizes
/// of tiles as the model chooses them for these loops.
pub(super) fn structures(made: &RegionChoices) -> Vec<Candidate> {
    let without_sizes = made.without_bands();
    let others = STRUCTURES.into_iter().filter(|(name, value)| made.get(name) != Some(*value));
    others.filter_map(|(name, value)| changed(&without_sizes, name, value)).collect()
}

/// Candidates with tiles of each shape but one that is chosen already, with sizes of the tool's choice.
pub(super) fn shapes(given: &RegionChoices) -> Vec<(Tiling, Candidate)> {
    let mut without_sizes = given.without_bands();
    // `default` is a value of this choice.
    let _ = without_sizes.set("tile-sizes", "default");
    let shapes = Tiling::ALL.into_iter().filter(|shape| *shape != Tiling::Auto);
    let others = shapes.filter(|shape| given.get("tiling") != Some(shape.name()));
    let candidate = |shape: Tiling| Some((shape, changed(&without_sizes, "tiling", shape.name())?));
    others.filter_map(candidate).collect()
}

/// Candidates with the loops of `made` but other code for them.
pub(super) fn finishes(made: &RegionChoices) -> Vec<Candidate> {
    let others = FINISHES.into_iter().filter(|(name, value)| made.get(name) != Some(*value));
    others.filter_map(|(name, value)| changed(made, name, value)).collect()
}

fn changed(choices: &RegionChoices, name: &str, value: &str) -> Option<Candidate> {
    let mut choices = choices.clone();
    choices.set(name, value).ok()?;
    Some(Candidate { label: format!("{name} = {value}"), choices })
}

/// A band whose tile sizes can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenBand {
    name: String,
    n_members: usize,
    /// Empty if it is not tiled.
    sizes: Vec<i64>,
    innermost: usize,
}

impl OpenBand {
    /// What sizes of tiles that are the same for all bands of a file are chosen as.
    pub(super) fn of_all_bands(sizes: &[i64]) -> Self {
        OpenBand {
            name: "tile-sizes".to_string(),
            n_members: sizes.len(),
            sizes: sizes.to_vec(),
            innermost: sizes.len().saturating_sub(1),
        }
    }
}

/// The bands of a region whose tile sizes can be chosen, with the present ones.
pub(super) fn open_bands(report: &RegionReport) -> Vec<OpenBand> {
    let bands = report.bands.bands.iter().enumerate();
    let open = bands.filter(|(_, band)| band.permutable && band.coincident.len() > 1);
    open.map(|(position, band)| OpenBand {
        name: format!("band {position} tile-sizes"),
        n_members: band.coincident.len(),
        sizes: band.tile_sizes.clone(),
        innermost: band.order.last().copied().unwrap_or(0),
    })
    .collect()
}

/// Sizes for a band that have nothing to do with the present ones.
pub(super) fn presets(made: &RegionChoices, band: &OpenBand) -> Vec<Candidate> {
    let uniform = |size: i64| vec![size; band.n_members];
    let long = |size: i64, innermost: i64| {
        let mut sizes = uniform(size);
        if let Some(place) = sizes.get_mut(band.innermost) {
            *place = innermost;
        }
        sizes
    };
    let mut wanted =
        vec![uniform(16), uniform(32), uniform(64), long(8, 512), long(32, 256), long(64, 1024)];
    wanted.retain(|sizes| *sizes != band.sizes);
    let none = (!band.sizes.is_empty()).then(|| changed(made, &band.name, "none"));
    let sized = wanted.iter().map(|sizes| changed(made, &band.name, &text(sizes)));
    none.into_iter().chain(sized).flatten().collect()
}

/// Sizes for a band with one member's size halved or doubled.
pub(super) fn neighbours(made: &RegionChoices, band: &OpenBand) -> Vec<Candidate> {
    let members = 0..band.sizes.len();
    let both = members.flat_map(|member| [(member, halved as Change), (member, doubled as Change)]);
    both.filter_map(|(member, change)| with_member(made, band, member, change)).collect()
}

/// Another size, if it is one that is tried.
type Change = fn(i64) -> Option<i64>;

/// Half a size.
pub(super) fn halved(size: i64) -> Option<i64> {
    Some(size / 2).filter(|half| *half >= 1)
}

/// Twice a size.
pub(super) fn doubled(size: i64) -> Option<i64> {
    size.checked_mul(2).filter(|twice| *twice <= LARGEST_SIZE)
}

/// Sizes for a band with another size of one member.
pub(super) fn with_member(
    made: &RegionChoices,
    band: &OpenBand,
    member: usize,
    change: Change,
) -> Option<Candidate> {
    let mut sizes = band.sizes.clone();
    let place = sizes.get_mut(member)?;
    *place = change(*place)?;
    changed(made, &band.name, &text(&sizes))
}

fn text(sizes: &[i64]) -> String {
    sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_transform::BandReport;

    fn made(settings: &[(&str, &str)]) -> RegionChoices {
        let mut choices = RegionChoices::default();
        settings.iter().for_each(|(name, value)| choices.set(name, value).unwrap());
        choices
    }

    #[test]
    fn all_candidates_are_choices() {
        for (name, value) in STRUCTURES.into_iter().chain(FINISHES).chain(ON_DEVICES) {
            assert_eq!(RegionChoices::default().set(name, value), Ok(()), "{name} = {value}");
        }
        let all = kernels(&RegionChoices::default());
        assert_eq!(all.len(), KERNEL_SIZES.len() + ON_DEVICES.len());
    }

    #[test]
    fn structures_drop_sizes_of_bands_and_keep_the_rest() {
        let made = made(&[("target", "openmp"), ("fuse", "smart"), ("band 0 tile-sizes", "8,8")]);
        let all = structures(&made);
        assert!(all.iter().all(|candidate| candidate.choices.get("band 0 tile-sizes").is_none()));
        assert!(all.iter().all(|candidate| candidate.label != "fuse = smart"));
        let sequential = all.iter().find(|candidate| candidate.label == "target = c").unwrap();
        assert_eq!(sequential.choices.get("fuse"), Some("smart"));
        assert_eq!(finishes(&made).len(), 3);
    }

    #[test]
    fn shapes_are_all_but_the_present_one() {
        let made = made(&[("tiling", "tube"), ("tile-sizes", "64"), ("band 0 tile-sizes", "8,8")]);
        let all = shapes(&made);
        assert!(all.iter().all(|(_, c)| c.choices.get("band 0 tile-sizes").is_none()));
        assert!(all.iter().all(|(_, c)| c.choices.get("tile-sizes") == Some("default")));
        let labels: Vec<&str> = all.iter().map(|(_, candidate)| &*candidate.label).collect();
        let names = Tiling::ALL.map(Tiling::name);
        let others = names.into_iter().filter(|name| !["tube", "auto"].contains(name));
        assert_eq!(labels, others.map(|name| format!("tiling = {name}")).collect::<Vec<_>>());
    }

    #[test]
    fn sizes_of_a_band() {
        let band = BandReport {
            permutable: true,
            coincident: vec![true, false],
            order: vec![1, 0],
            tile_sizes: vec![32, 1],
            ..BandReport::default()
        };
        let open = OpenBand {
            name: "band 3 tile-sizes".into(),
            n_members: band.coincident.len(),
            sizes: band.tile_sizes,
            innermost: 0,
        };
        let made = made(&[("band 3 tile-sizes", "32,1")]);
        let labels = |all: Vec<Candidate>| -> Vec<String> {
            all.into_iter().map(|candidate| candidate.label).collect()
        };
        let expected = ["16,1", "64,1", "32,2"].map(|sizes| format!("band 3 tile-sizes = {sizes}"));
        assert_eq!(labels(neighbours(&made, &open)), expected);
        let presets = labels(presets(&made, &open));
        assert_eq!(presets[0], "band 3 tile-sizes = none");
        assert!(presets.contains(&"band 3 tile-sizes = 256,32".to_string()), "{presets:?}");
    }
}
