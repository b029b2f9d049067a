//! Files of choices: all that was decided about the regions of a file, to be read, edited and used
//! again (docs/tuning.md describes the format).
use crate::diagnostics::failure::Failure;
use crate::settings::options::CompileOptions;
use loopwright_transform::TileSizes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What the options of a compilation say about the second file of devices, and no region by itself.
const OF_FILES: [&str; 4] = ["embed-kernels", "overlap-copies", "pinned-memory", "unified-memory"];

/// Whether a choice is one for the whole file.
fn is_of_file(name: &str) -> bool {
    OF_FILES.contains(&name.strip_prefix("no-").unwrap_or(name))
}

/// The choices for one region, by name; what is not named is as the options of the compilation say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionChoices {
    settings: Vec<(String, String)>,
    about: String,
}

impl RegionChoices {
    /// Adds a choice, or replaces the one of that name.
    ///
    /// # Errors
    /// In words, if there is no such choice, if it is one for the whole file, or if the value is none for it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if is_of_file(name) {
            let what = "regions of a file share the second file";
            return Err(format!("`{name}` is no choice for one region, since {what}"));
        }
        CompileOptions::new().set_to(name, value)?;
        let pair = (name.to_string(), value.to_string());
        match self.settings.iter_mut().find(|(known, _)| *known == name) {
            Some(place) => *place = pair,
            None => self.settings.push(pair),
        }
        Ok(())
    }

    /// The value of a choice.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The choices in order, by name and value.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The same choices without those for single bands.
    pub(crate) fn without_bands(&self) -> Self {
        let mut choices = self.clone();
        choices.settings.retain(|(name, _)| !name.starts_with("band "));
        choices
    }

    /// The same choices with other tile sizes for all bands; none if these are no sizes.
    pub(crate) fn with_sizes(&self, sizes: &str) -> Option<Self> {
        let mut choices = self.without_bands();
        choices.set("tile-sizes", sizes).ok()?;
        Some(choices)
    }

    /// The same choices with a remark, which is written as a comment.
    pub fn about(mut self, remark: &str) -> Self {
        self.about = remark.split_whitespace().collect::<Vec<_>>().join(" ");
        self
    }

    /// A region that stays as it was.
    pub fn unchanged() -> Self {
        RegionChoices { settings: vec![("unchanged".into(), "yes".into())], ..Self::default() }
    }

    /// The choices of a compilation with `settled` options that made these bands.
    pub(crate) fn made(
        settled: &CompileOptions,
        bands: &loopwright_transform::Report,
    ) -> RegionChoices {
        let sizes = bands.bands.iter().map(|band| match band.tile_sizes.as_slice() {
            [] => TileSizes::None,
            sizes => TileSizes::Given(sizes.to_vec()),
        });
        let is_open = |position: &usize| {
            let band = &bands.bands[*position];
            !band.tile_sizes.is_empty() || band.permutable && band.coincident.len() > 1
        };
        let band_tiles = sizes.enumerate().filter(|(position, _)| is_open(position)).collect();
        let settled = CompileOptions { band_tiles, ..settled.clone() };
        let mut settings = settled.settings();
        settings.retain(|(name, _)| !is_of_file(name));
        RegionChoices { settings, about: String::new() }
    }

    fn apply(&self, options: &mut CompileOptions) {
        for (name, value) in self.settings() {
            // Only settings that can be set are added.
            let _ = options.set_to(name, value);
        }
    }
}

/// The choices for the regions of a file, by position (from 0; files count from 1).
///
/// ```
/// use loopwright::Choices;
/// let text = "region 2 # the product\n  fuse = max\n  band 0 tile-sizes = 32,256,32\n";
/// let choices = Choices::parse(text)?;
/// assert_eq!(choices.region(1).and_then(|region| region.get("fuse")), Some("max"));
/// assert_eq!(Choices::parse(&choices.to_string())?, choices);
/// assert_eq!(Choices::parse("region 1\n  colour = red\n").unwrap_err().line, 2);
/// # Ok::<(), loopwright::ChoicesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Shared by all copies of the options.
    regions: Arc<BTreeMap<usize, RegionChoices>>,
}

/// What is wrong with a file of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoicesError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ChoicesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ChoicesError {}

impl Choices {
    /// Reads a file's text.
    ///
    /// # Errors
    /// A line that is neither `region N` nor `NAME = VALUE` inside a region, an unknown name, a value
    /// that is none for it, a region or name that comes twice.
    pub fn parse(text: &str) -> Result<Self, ChoicesError> {
        let mut choices = Choices::default();
        let mut current: Option<usize> = None;
        for (index, line) in text.lines().enumerate() {
            let (content, about) = line.split_once('#').unwrap_or((line, ""));
            let error = |message: String| ChoicesError { line: index + 1, message };
            match (content.trim(), current) {
                ("", _) => {}
                (content, region) => match (region_number(content), region) {
                    (Some(number), _) => {
                        let position = number.map_err(error)?;
                        let region = RegionChoices::default().about(about);
                        if choices.regions_mut().insert(position, region).is_some() {
                            return Err(error(format!("region {} comes twice", position + 1)));
                        }
                        current = Some(position);
                    }
                    (None, Some(position)) => {
                        choices.read_setting(position, content).map_err(error)?;
                    }
                    (None, None) => return Err(error("expected `region N`".to_string())),
                },
            }
        }
        Ok(choices)
    }

    fn regions_mut(&mut self) -> &mut BTreeMap<usize, RegionChoices> {
        Arc::make_mut(&mut self.regions)
    }

    fn read_setting(&mut self, position: usize, content: &str) -> Result<(), String> {
        let (name, value) =
            content.split_once('=').ok_or_else(|| "expected `NAME = VALUE`".to_string())?;
        let (name, value) = (name.trim(), value.trim());
        let region = self.regions_mut().entry(position).or_default();
        match region.get(name) {
            Some(_) => Err(format!("`{name}` comes twice")),
            None => region.set(name, value),
        }
    }

    /// The choices for the region at a position, if there are any.
    pub fn region(&self, position: usize) -> Option<&RegionChoices> {
        self.regions.get(&position)
    }

    /// The number of regions up to the last one with choices.
    pub(crate) fn n_regions(&self) -> usize {
        self.regions.keys().next_back().map_or(0, |last| last + 1)
    }

    /// Sets the choices for the region at a position.
    pub fn set_region(&mut self, position: usize, choices: RegionChoices) {
        self.regions_mut().insert(position, choices);
    }

    /// The options for the region at a position.
    pub(crate) fn of_region<'o>(
        &self,
        position: usize,
        options: &'o CompileOptions,
    ) -> Cow<'o, CompileOptions> {
        match self.region(position) {
            None => Cow::Borrowed(options),
            Some(region) => {
                let mut own = options.clone();
                region.apply(&mut own);
                Cow::Owned(own)
            }
        }
    }

    /// Refuses choices for regions that a file with `n_regions` does not have.
    pub(crate) fn check_regions(&self, n_regions: usize) -> Result<(), Failure> {
        match self.regions.keys().next_back() {
            Some(&last) if last >= n_regions => Err(Failure::refused(format!(
                "the choices name region {}, but there are {n_regions}",
                last + 1
            ))),
            _ => Ok(()),
        }
    }
}

/// The position of the region that a line begins, if it begins one.
fn region_number(content: &str) -> Option<Result<usize, String>> {
    let number = content.strip_prefix("region")?;
    if !number.starts_with(char::is_whitespace) || number.contains('=') {
        return None;
    }
    let number = number.trim();
    Some(match number.parse::<usize>() {
        Ok(position) if position > 0 => Ok(position - 1),
        _ => Err(format!("`{number}` is no number of a region (they count from 1)")),
    })
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Choices of a compilation, for `loopwright compile --choices FILE`.")?;
        for (position, region) in &*self.regions {
            write!(f, "region {}", position + 1)?;
            match region.about.as_str() {
                "" => writeln!(f)?,
                about => writeln!(f, " # {about}")?,
            }
            for (name, value) in region.settings() {
                writeln!(f, "  {name} = {value}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        for (text, line, part) in [
            ("fuse = max\n", 1, "expected `region N`"),
            ("region 0\n", 1, "count from 1"),
            ("region x\n", 1, "`x`"),
            ("region 99999999999999999999999\n", 1, "number"),
            ("region 1\n\n# x\nregion 1\n", 4, "twice"),
            ("region 1\n  fuse\n", 2, "NAME = VALUE"),
            ("region 1\n  fuse = red\n", 2, "smart"),
            ("region 1\n  fuse = max\n  fuse = min\n", 3, "twice"),
            ("region 1\n  band x tile-sizes = 3\n", 2, "band"),
            ("region 1\n  band 1 tile-sizes = 0\n", 2, "whole numbers"),
            ("region 1\n  band 1 colour = 0\n", 2, "band"),
            ("region 1\n  unified-memory = yes\n", 2, "share the second file"),
        ] {
            let error = Choices::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn texts_are_read_back() {
        let mut region = RegionChoices::default().about("f,\n lines 3-4");
        for (name, value) in [
            ("target", "c"),
            ("strategy", "separation copy-cost=3"),
            ("band 0 tile-sizes", "none"),
            ("band 12 tile-sizes", "8,16"),
            ("schedule-max-coefficient", "-1"),
        ] {
            region.set(name, value).unwrap();
        }
        let mut choices = Choices::default();
        choices.set_region(0, region);
        choices.set_region(7, RegionChoices::unchanged());
        assert_eq!(Choices::parse(&choices.to_string()), Ok(choices));
        assert_eq!(Choices::parse(""), Ok(Choices::default()));
    }
}
