//! Lines of messages as they stand in the user's file, where macros have made others of them.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::regions::detection::{Detection, Outcome};
use crate::regions::source::SourceFile;

impl SourceFile {
    /// The same messages with lines of the file itself.
    pub(crate) fn as_written(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.iter_mut().for_each(|diagnostic| self.show_own_line(diagnostic));
        found
    }

    /// The same regions and loops with lines of the file itself in the refusals.
    pub(crate) fn detection_as_written(&self, mut detection: Detection) -> Detection {
        let refused = detection.refused.iter_mut().flat_map(|region| &mut region.diagnostics);
        refused.for_each(|diagnostic| self.show_own_line(diagnostic));
        for nest in &mut detection.nests {
            if let Outcome::Refused(found) = &mut nest.outcome {
                found.iter_mut().for_each(|diagnostic| self.show_own_line(diagnostic));
            }
        }
        detection
    }

    /// Shows the line of the file in place of what macros have made of it. Where the text in question
    /// stands in it once, that is underlined, otherwise all of the line.
    fn show_own_line(&self, diagnostic: &mut Diagnostic) {
        let (Some(place), Some(shown)) = (&mut diagnostic.place, &mut diagnostic.source_line)
        else {
            return;
        };
        let Some(line) = (place.line as usize).checked_sub(1).filter(|_| place.file == self.path())
        else {
            return;
        };
        let own = self.original().get(self.layout().bytes(line..line + 1)).unwrap_or("").trim_end();
        if own.is_empty() || own == shown.trim_end() {
            return;
        }
        let before = (place.column as usize).saturating_sub(1);
        let text: String = shown.chars().skip(before).take(diagnostic.length as usize).collect();
        let text = text.trim_end();
        let start = match own.matches(text).count() {
            1 if !text.is_empty() => own.find(text).unwrap_or(0),
            _ => {
                diagnostic.length = own.trim_start().chars().count() as u32;
                own.len() - own.trim_start().len()
            }
        };
        place.column = own[..start].chars().count() as u32 + 1;
        *shown = own.to_string();
    }
}
