//! What is told about a compilation.
pub(crate) mod amounts;
pub(crate) mod cause_classes;
pub(crate) mod dataflow;
pub(crate) mod each_region;
pub(crate) mod explain;
pub(crate) mod explained_dependences;
pub(crate) mod explained_schedule;
pub(crate) mod json;
pub(crate) mod loop_time;
pub(crate) mod merged_survey;
pub(crate) mod page;
pub(crate) mod scalability;
pub(crate) mod storage;
pub(crate) mod survey;
pub(crate) mod survey_reading;
pub(crate) mod survey_text;
pub(crate) mod time_data;
