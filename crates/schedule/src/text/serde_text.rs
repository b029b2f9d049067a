//! Trees in data of other formats: their text in isl's YAML.
use crate::tree::node::ScheduleTree;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

impl Serialize for ScheduleTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ScheduleTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        ScheduleTree::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serde_of_trees_goes_by_text() {
        let text = "domain: \"{ S[i] : 0 <= i <= 8 }\"\nchild:\n  mark: \"parallel\"\n";
        let tree = ScheduleTree::parse(text).expect("a tree");
        let json = serde_json::to_string(&tree).expect("JSON");
        let read: ScheduleTree = serde_json::from_str(&json).expect("the same tree");
        assert_eq!(read.to_string(), tree.to_string());
        assert!(serde_json::from_str::<ScheduleTree>("\"domain:\"").is_err());
    }
}
