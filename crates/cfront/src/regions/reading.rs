//! All regions of a file.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::regions::detection::Detection;
use crate::regions::region::{RefusedRegion, Region};
use crate::regions::source::SourceFile;

impl SourceFile {
    /// Parses the file and extracts all its regions: those between pragmas and, with
    /// [`Options::autodetect`](crate::Options::autodetect), the largest ones elsewhere.
    ///
    /// # Errors
    /// One or more diagnostics if a region between pragmas is refused or there is none. Statements
    /// without pragmas that cannot be part of a region are left alone.
    pub fn extract(&self) -> Result<Vec<Region>, Vec<Diagnostic>> {
        let (regions, refused): (Vec<_>, Vec<_>) =
            self.extract_each()?.into_iter().partition(Result::is_ok);
        match refused.is_empty() {
            true => Ok(regions.into_iter().flatten().collect()),
            false => Err(refused
                .into_iter()
                .filter_map(Result::err)
                .flat_map(|r| r.diagnostics)
                .collect()),
        }
    }

    /// The same regions one by one, in the order of the file: a refused one is no obstacle to the others.
    ///
    /// ```
    /// let text = "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n#pragma endscop\n\
    ///             #pragma scop\n  a[unknown] = 2;\n#pragma endscop\n}\n";
    /// let regions = loopwright_cfront::SourceFile::from_text("f.c", text).extract_each().unwrap();
    /// assert_eq!(regions[0].as_ref().unwrap().first_line, 2);
    /// assert_eq!(regions[1].as_ref().unwrap_err().first_line, 6);
    /// ```
    ///
    /// # Errors
    /// Diagnostics if the file cannot be parsed, if pragmas do not match, or if there is no region.
    pub fn extract_each(&self) -> Result<Vec<Result<Region, RefusedRegion>>, Vec<Diagnostic>> {
        if self.options.autodetect {
            return self.detect()?.into_each();
        }
        let mut found =
            crate::regions::extraction::extract(self).map_err(|found| self.as_written(found))?;
        for refused in found.iter_mut().filter_map(|region| region.as_mut().err()) {
            refused.diagnostics = self.as_written(std::mem::take(&mut refused.diagnostics));
        }
        Ok(found)
    }

    /// Finds the regions of the file, with and without pragmas, and what became of every loop.
    ///
    /// # Errors
    /// Diagnostics if the file cannot be parsed, if pragmas do not match or if a region between
    /// pragmas is refused.
    pub fn detect(&self) -> Result<Detection, Vec<Diagnostic>> {
        match crate::regions::with_bodies::detect(self) {
            Ok(detection) => Ok(self.detection_as_written(detection)),
            Err(found) => Err(self.as_written(found)),
        }
    }
}
