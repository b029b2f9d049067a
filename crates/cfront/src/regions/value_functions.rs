//! Functions of the file that compute a value from their arguments and do nothing else, with their texts.
use crate::facts::effects::{Effects, ModRef};
use crate::facts::file_index::FileIndex;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::text;
use crate::syntax::tree::Node;
use std::collections::BTreeMap;

/// The texts of those that some statements call, and of those that these call: type, declarator and body.
pub(crate) fn value_functions<'t>(
    source: &str,
    index: &FileIndex<'t>,
    statements: &[Node<'t>],
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open: Vec<Node<'t>> = statements.to_vec();
    while let Some(node) = open.pop() {
        for call in node.of_kind(Kind::CallExpression) {
            let Some(name) = call.field(Field::Function).map(|callee| text(source, callee)) else {
                continue;
            };
            if found.contains_key(name) || !index.function_names.contains_key(name) {
                continue;
            }
            let functions = index.definitions(source, node);
            if !is_value(&functions.effects(source, name)) {
                continue;
            }
            let Some(definition) = functions.definition(name) else { continue };
            let parts = [Field::Type, Field::Declarator, Field::Body].map(|f| definition.field(f));
            if let [Some(returned), Some(declarator), Some(body)] = parts {
                let all = [returned, declarator, body].map(|part| text(source, part));
                found.insert(name.to_string(), all.join(" "));
                open.push(body);
            }
        }
    }
    found
}

/// Whether a function does nothing but return.
fn is_value(effects: &Effects) -> bool {
    let is_nothing = |of: &ModRef| !of.reads && !of.writes;
    effects.parameters.iter().chain([&effects.rest, &effects.everything]).all(is_nothing)
        && effects.globals.values().all(is_nothing)
        && !effects.is_ordered
        && effects.no_return.is_none()
}
