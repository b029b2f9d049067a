//! A region as other tools know it.
use loopwright_cfront::Region;
use loopwright_interchange::{Foreign, Place};
use loopwright_scop::Scop;

/// A region for other tools.
pub(crate) fn to_foreign(region: &Region, scop: Scop, file: &str) -> Foreign {
    Foreign {
        scop,
        name: region.function.clone(),
        place: Place {
            file: file.to_string(),
            lines: (region.first_line, region.last_line),
            bytes: (region.bytes.start, region.bytes.end),
            indentation: region.indentation.clone(),
        },
        remarks: Vec::new(),
    }
}
