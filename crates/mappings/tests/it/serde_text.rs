//! Scripts in other formats are their text.
use loopwright_mappings::Script;

#[test]
fn serde_of_scripts_goes_by_text() {
    let script = Script::parse("interchange S 1 2 # outer\nreverse S 1").expect("a script");
    let json = serde_json::to_string(&script).expect("JSON");
    assert_eq!(json, r#""interchange S 1 2; reverse S 1""#);
    assert_eq!(serde_json::from_str::<Script>(&json).expect("the same"), script);
    assert!(serde_json::from_str::<Script>(r#""turn S 1""#).is_err());
}
