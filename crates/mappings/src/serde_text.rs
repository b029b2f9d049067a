//! Scripts in data of other formats: their text.
use crate::script::Script;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

impl Serialize for Script {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Script {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Script::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serde_of_scripts_goes_by_text() {
        let script = Script::parse("interchange S 1 2 # outer\nreverse S 1").expect("a script");
        let json = serde_json::to_string(&script).expect("JSON");
        assert_eq!(json, r#""interchange S 1 2; reverse S 1""#);
        assert_eq!(serde_json::from_str::<Script>(&json).expect("the same"), script);
        assert!(serde_json::from_str::<Script>(r#""turn S 1""#).is_err());
    }
}
