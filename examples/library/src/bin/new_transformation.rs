//! A transformation of one's own between the scheduler and the generator: the innermost loop runs its even iterations first, then its
//! odd ones (useful where neighbours would use the same bank of memory).
//!
//! The proof decides whether it is right. It knows nothing of this transformation.
use loopwright_dataflow::Dependences;
use loopwright_library_examples::{budget, proved_text, region_of};
use loopwright_presburger::{Error, Int, Result};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_verify::check_schedule;

/// The tree in which each innermost loop over `x` is two loops: over `x mod n`, and over `x`.
fn interleaved(tree: ScheduleTree, n: i64) -> Result<ScheduleTree> {
    let mut change = |node: Node| -> Result<Node> {
        match node {
            Node::Band(band, child) if child.is_leaf() => {
                let (outer, inner) = band.split(band.n_members() - 1);
                let member = inner.schedule.members()[0].clone();
                let remainder = Band::from_member(member.modulo(&Int::from(n)));
                let inner = Node::band(remainder, Node::band(inner, *child));
                Ok(if outer.n_members() == 0 { inner } else { Node::band(outer, inner) })
            }
            other => Ok(other),
        }
    };
    let root = tree.root.map_bottom_up::<Error>(&mut change)?;
    Ok(ScheduleTree { root, ..tree })
}

fn program(body: &str) -> String {
    format!(
        "void f(int n, double a[restrict n], double b[restrict n])\n{{\n#pragma scop\n  \
         for (int i = 2; i < n; i++)\n    {body}\n#pragma endscop\n}}\n"
    )
}

fn main() -> Result<()> {
    // Each iteration needs the one two before: all even ones may come first.
    let text = program("a[i] += a[i - 2];");
    let region = region_of(&text);
    let dependences = Dependences::of_scop(&region.scop, &budget())?;
    let tree = interleaved(region.scop.schedule.clone(), 2)?;
    let result = proved_text(&text, &region, &dependences, &tree)?;
    println!("{result}");
    assert!(result.contains("c1 += 2"), "{result}");

    // Each iteration needs the one before: the proof refutes the new order.
    let text = program("a[i] += a[i - 1];");
    let region = region_of(&text);
    let dependences = Dependences::of_scop(&region.scop, &budget())?;
    let tree = interleaved(region.scop.schedule.clone(), 2)?;
    let proof = check_schedule(&region.scop, &dependences, &tree, &budget())?;
    println!("{proof:?}");
    assert!(!proof.is_proved());
    Ok(())
}

#[test]
fn only_what_is_right_is_printed() {
    main().unwrap();
}
