//! Expressions at the places of user nodes, and their C text.
use loopwright_astgen::{AstExpr, AstNode, Options, Place, generate_from_map};
use loopwright_presburger::{Budget, PwAff, Set, UnionMap};
use std::sync::Arc;

/// The places of all user nodes, in order.
fn places(node: &AstNode, found: &mut Vec<Arc<Place>>) {
    match node {
        AstNode::For(each) => places(&each.body, found),
        AstNode::If { then, otherwise, .. } => {
            places(then, found);
            otherwise.iter().for_each(|node| places(node, found));
        }
        AstNode::Block(children) => children.iter().for_each(|node| places(node, found)),
        AstNode::Mark { child, .. } => places(child, found),
        AstNode::User { place, .. } => found.push(place.clone()),
    }
}

/// The text of `form` at the first user node of the code for a schedule.
#[track_caller]
fn text_at(schedule: &str, context: &str, form: &str) -> String {
    let schedule = UnionMap::parse(schedule).expect("a schedule");
    let context = Set::parse(context).expect("a context");
    let none = UnionMap::empty();
    let budget = Budget::unlimited();
    let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget);
    let mut found = Vec::new();
    places(&ast.expect("code"), &mut found);
    let form = PwAff::parse(form).expect("a form");
    found[0].expression(&form).expect("an expression").to_string()
}

#[test]
fn affine_forms_are_substituted() {
    let schedule = "[n] -> { S[i] -> [i - 2] : 2 <= i < n }";
    assert_eq!(text_at(schedule, "{ : }", "{ S[i] -> [(i - 1)] }"), "c0 + 1");
    assert_eq!(text_at(schedule, "{ : }", "[n] -> { S[i] -> [(n - i)] }"), "n - c0 - 2");
    assert_eq!(text_at(schedule, "{ : }", "{ S[i] -> [(5 - 2i)] }"), "1 - 2 * c0");
}

#[test]
fn divisions_use_what_is_known() {
    let schedule = "[n] -> { S[i] -> [i] : 0 <= i < n }";
    assert_eq!(text_at(schedule, "{ : }", "{ S[i] -> [(floor(i/4))] }"), "c0 / 4");
    assert_eq!(text_at(schedule, "{ : }", "{ S[i] -> [(i mod 4)] }"), "c0 % 4");
    assert_eq!(text_at(schedule, "{ : }", "{ S[i] -> [(floor((i - 9)/4))] }"), "(c0 + 3) / 4 - 3");
    assert_eq!(text_at(schedule, "{ : }", "{ S[i] -> [((i - 9) mod 4)] }"), "(c0 + 3) % 4");
    let below = "[n] -> { S[i] -> [i] : n <= i < 0 }";
    assert_eq!(text_at(below, "{ : }", "{ S[i] -> [(floor(i/4))] }"), "-((3 - c0) / 4)");
}

#[test]
fn unreachable_pieces_vanish() {
    let schedule = "[n] -> { S[i] -> [i] : 1 <= i < n }";
    let form = "[n] -> { S[i] -> [(n - 1)] : i <= 0; S[i] -> [(i - 1)] : i > 0 }";
    assert_eq!(text_at(schedule, "{ : }", form), "c0 - 1");
    let all = "[n] -> { S[i] -> [i] : 0 <= i < n }";
    let text = text_at(all, "{ : }", form);
    assert!(text == "(c0 <= 0 ? n - 1 : c0 - 1)" || text == "(c0 == 0 ? n - 1 : c0 - 1)", "{text}");
}

#[test]
fn parentheses_only_where_c_needs_them() {
    let id = |name: &str| AstExpr::Id(name.into());
    let sum = AstExpr::Add(id("a").into(), id("b").into());
    let product = AstExpr::Mul(AstExpr::int(2).into(), sum.clone().into());
    assert_eq!(product.to_string(), "2 * (a + b)");
    let difference = AstExpr::Sub(id("x").into(), sum.clone().into());
    assert_eq!(difference.to_string(), "x - (a + b)");
    let quotient = AstExpr::DivNonneg(product.into(), AstExpr::int(3).into());
    assert_eq!(quotient.to_string(), "2 * (a + b) / 3");
    assert_eq!(AstExpr::Neg(sum.into()).to_string(), "-(a + b)");
    let both = AstExpr::And(vec![
        AstExpr::Lt(id("a").into(), id("b").into()),
        AstExpr::Or(vec![AstExpr::Eq(id("a").into(), AstExpr::int(0).into()), id("c")]),
    ]);
    assert_eq!(both.to_string(), "a < b && (a == 0 || c)");
    let least = AstExpr::min(vec![id("a"), id("b"), id("c")]);
    assert_eq!(least.to_string(), "min(min(a, b), c)");
}
