//! A transformation of one's own, plugged into the compiler: innermost loops run their even iterations first,
//! then the odd ones (useful where neighbours would use the same bank of memory).
//!
//! Nothing here argues that this is right. The compiler proves it, or leaves the transformation out and says
//! why.
use loopwright::presburger::{Budget, Int, Result};
use loopwright::schedule::{Band, Node, ScheduleTree};
use loopwright::transform::{Subject, Transformation};
use loopwright::{CompileOptions, Failure, Plugin, compile_text};

/// Each innermost loop over `x` becomes two: over `x mod n`, and over `x`.
#[derive(Debug)]
struct Interleave(i64);

impl Interleave {
    fn of_node(&self, node: Node) -> Result<Node> {
        match node {
            Node::Band(band, child) if child.is_leaf() => {
                let (outer, inner) = band.split(band.n_members() - 1);
                let member = inner.schedule.members()[0].clone();
                let remainder = Band::from_member(member.modulo(&Int::from(self.0)));
                let inner = Node::band(remainder, Node::band(inner, *child));
                Ok(if outer.n_members() == 0 { inner } else { Node::band(outer, inner) })
            }
            other => Ok(other),
        }
    }
}

impl Transformation for Interleave {
    fn name(&self) -> &str {
        "interleave"
    }

    fn apply(&self, subject: Subject<'_>, _: &Budget) -> Result<ScheduleTree> {
        let root = subject.tree.root.clone().map_bottom_up(&mut |node| self.of_node(node))?;
        Ok(ScheduleTree { domain: subject.tree.domain.clone(), root })
    }
}

fn program(body: &str) -> String {
    format!(
        "void f(int n, double a[restrict n])\n{{\n#pragma scop\n  \
         for (int i = 2; i < n; i++)\n    {body}\n#pragma endscop\n}}\n"
    )
}

fn main() -> std::result::Result<(), Failure> {
    let mut options = CompileOptions::new();
    options.always_rewrite = true;
    options.transformations = vec![Plugin::new(Interleave(2))];

    // Each iteration needs the one two before: all even ones may come first.
    let compiled = compile_text("f.c", &program("a[i] += a[i - 2];"), &options)?;
    println!("{}\n{}", compiled.code, compiled.report);
    let region = &compiled.report.regions[0];
    assert!(region.tried.contains(&"interleave: proved, taken".to_string()), "{region}");
    assert!(compiled.code.contains("c1 += 2"), "{}", compiled.code);
    assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{region}");

    // Each iteration needs the one before: the new order is refuted, and not used.
    let compiled = compile_text("f.c", &program("a[i] += a[i - 1];"), &options)?;
    println!("{}\n{}", compiled.code, compiled.report);
    let notes = &compiled.report.regions[0].notes;
    assert!(notes.iter().any(|note| note.starts_with("interleave is not used")), "{notes:?}");
    assert!(!compiled.code.contains("+= 2)"), "{}", compiled.code);
    Ok(())
}

#[test]
fn only_what_is_right_is_used() {
    main().unwrap();
}
