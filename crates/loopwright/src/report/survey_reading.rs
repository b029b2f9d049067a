//! A survey from its JSON.
use crate::report::cause_classes::CauseClass;
use crate::report::survey::{FileSurvey, NestSurvey, Survey, Verdict};
use loopwright_cfront::{Code, Diagnostic, Place};
use serde_json::Value;
use std::path::{Path, PathBuf};

impl Survey {
    /// The survey that [`Survey::to_json`] has written; none if it is another object. What text it stood in
    /// is not known any more.
    ///
    /// ```
    /// use loopwright::{FileSurvey, NestSurvey, Survey, Verdict};
    /// let nest = NestSurvey {
    ///     function: "f".to_string(),
    ///     lines: (2, 3),
    ///     depth: 0,
    ///     verdict: Verdict::Parallel,
    ///     refusals: Vec::new(),
    ///     decisions: vec!["it is parallel".to_string()],
    ///     proved: true,
    ///     n_versions: 0,
    ///     checks: Default::default(),
    /// };
    /// let file = FileSurvey { path: "f.c".into(), nests: vec![nest], amounts: Vec::new(), failures: Vec::new(), failure: None, notes: Vec::new() };
    /// let survey = Survey { files: vec![file], ..Survey::default() };
    /// assert_eq!(Survey::from_json(&survey.to_json()).unwrap().to_string(), survey.to_string());
    /// ```
    pub fn from_json(value: &Value) -> Option<Survey> {
        let files = value["files"].as_array()?.iter().map(file).collect::<Option<_>>()?;
        Some(Survey { files, ..Survey::default() })
    }
}

fn file(value: &Value) -> Option<FileSurvey> {
    let path = PathBuf::from(value["file"].as_str()?);
    let failures = refusals(&value["failures"], &path)?;
    let nests = value["nests"].as_array()?.iter().map(|nest_json| nest(nest_json, &path));
    let notes = value["notes"].as_array().into_iter().flatten();
    let notes = notes.filter_map(|note| note.as_str().map(String::from));
    Some(FileSurvey {
        nests: nests.collect::<Option<_>>()?,
        amounts: Vec::new(),
        failures,
        failure: value["failure"].as_str().map(String::from),
        notes: notes.collect(),
        path,
    })
}

fn nest(value: &Value, path: &Path) -> Option<NestSurvey> {
    let line = |position: usize| u32::try_from(value["lines"][position].as_u64()?).ok();
    let verdict = value["verdict"].as_str()?;
    let decisions =
        value["decisions"].as_array()?.iter().map(|text| text.as_str().map(String::from));
    let class = |name: &Value| CauseClass::ALL.into_iter().find(|class| name == class.as_str());
    Some(NestSurvey {
        function: value["function"].as_str()?.to_string(),
        lines: (line(0)?, line(1)?),
        depth: usize::try_from(value["depth"].as_u64()?).ok()?,
        verdict: Verdict::ALL.into_iter().find(|known| known.as_str() == verdict)?,
        refusals: refusals(&value["refusals"], path)?,
        decisions: decisions.collect::<Option<_>>()?,
        n_versions: usize::try_from(value["versions"].as_u64()?).ok()?,
        checks: value["checks"].as_array()?.iter().map(class).collect::<Option<_>>()?,
        proved: value["proved"].as_bool()?,
    })
}

fn refusals(value: &Value, path: &Path) -> Option<Vec<Diagnostic>> {
    value.as_array()?.iter().map(|refusal_json| refusal(refusal_json, path)).collect()
}

fn refusal(value: &Value, path: &Path) -> Option<Diagnostic> {
    let code = value["code"].as_str()?;
    let code = Code::ALL.iter().find(|known| known.as_str() == code)?;
    let number = |name: &str| u32::try_from(value[name].as_u64()?).ok();
    let mut refusal = Diagnostic::new(*code, value["message"].as_str()?);
    refusal.place = number("line").zip(number("column")).map(|(line, column)| Place {
        file: path.to_path_buf(),
        line,
        column,
    });
    refusal.reason = value["reason"].as_str().map(String::from);
    refusal.hint = value["hint"].as_str().map(String::from);
    Some(refusal)
}
