//! Every reader of text that users give, and what may be expected of it for any text at all.
use loopwright_cfront::{Region, SourceFile};
use loopwright_interchange::{Foreign, Format, Place, read, write};
use loopwright_presburger::{Budget, Map, Set, UnionMap, UnionSet};
use loopwright_schedule::ScheduleTree;

/// Steps for reading and writing a model.
const STEPS: u64 = 200_000;

/// A kind of text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    C,
    DetectedC,
    OpenScop,
    Jscop,
    Pet,
    Notation,
    Schedule,
}

impl Reader {
    /// The letters that stand for the readers in front of a text.
    pub(crate) const LETTERS: [(u8, Reader); 7] = [
        (b'C', Reader::C),
        (b'D', Reader::DetectedC),
        (b'O', Reader::OpenScop),
        (b'J', Reader::Jscop),
        (b'P', Reader::Pet),
        (b'N', Reader::Notation),
        (b'S', Reader::Schedule),
    ];

    /// Reads a text, and uses what is understood: models are printed, and written in all formats.
    ///
    /// # Panics
    /// If a region has no place in its text, and whenever what reads panics.
    pub(crate) fn run(self, text: &str) {
        match self {
            Reader::C => regions(text, SourceFile::from_text("fuzz.c", text).extract().ok()),
            Reader::DetectedC => {
                let file =
                    SourceFile::from_text("fuzz.c", text).autodetecting().assuming_no_alias();
                regions(text, file.detect().ok().map(|detection| detection.regions));
            }
            Reader::OpenScop => foreign(Format::OpenScop, text),
            Reader::Jscop => foreign(Format::Jscop, text),
            Reader::Pet => foreign(Format::Pet, text),
            Reader::Notation => notation(text),
            Reader::Schedule => {
                if let Ok(tree) = ScheduleTree::parse(text) {
                    let printed = tree.to_string();
                    ScheduleTree::parse(&printed).expect("a printed tree is read again");
                }
            }
        }
    }
}

fn regions(text: &str, regions: Option<Vec<Region>>) {
    for region in regions.unwrap_or_default() {
        assert!(text.get(region.bytes.clone()).is_some(), "a region has its place in the text");
        let name = region.function.clone();
        let scop = region.scop;
        written(&Foreign { scop, name, place: Place::default(), remarks: Vec::new() });
    }
}

fn foreign(format: Format, text: &str) {
    for region in read(format, text, &Budget::steps(STEPS)).unwrap_or_default() {
        written(&region);
    }
}

/// Writes a model in all formats, and reads it again.
fn written(region: &Foreign) {
    let _ = region.scop.to_string();
    for (_, format) in Format::WORDS {
        if let Ok(text) = write(format, region, &Budget::steps(STEPS)) {
            let _ = read(format, &text, &Budget::steps(STEPS));
        }
    }
}

fn notation(text: &str) {
    if let Ok(set) = Set::parse(text) {
        let _ = Set::parse(&set.to_string()).expect("a printed set is read again");
    }
    if let Ok(map) = Map::parse(text) {
        let _ = Map::parse(&map.to_string()).expect("a printed relation is read again");
    }
    let _ = UnionSet::parse(text).map(|union| union.to_string());
    let _ = UnionMap::parse(text).map(|union| union.to_string());
}
