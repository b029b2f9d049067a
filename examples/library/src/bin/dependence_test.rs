//! Do two accesses meet? The dependence test of a loop, exactly, for all sizes at once.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!   A[2 * i + 4] = f(A[3 * i]);
//! ```
use loopwright_presburger::{Budget, Map, Result, Set};

fn main() -> Result<()> {
    // Which instance writes, and which reads, which element.
    let write = Map::parse("[n] -> { S[i] -> A[2i + 4] : 0 <= i < n }")?;
    let read = Map::parse("[n] -> { S[i] -> A[3i] : 0 <= i < n }")?;
    let before = Map::parse("{ S[i] -> S[j] : i < j }")?;
    let budget = Budget::steps(1_000_000);

    // Pairs of instances that meet in an element: first those where the write comes first.
    let meeting = write.apply_range(&read.reverse())?;
    let flow = meeting.intersect(&before)?;
    let anti = meeting.reverse().intersect(&before)?;
    println!("reads what was written: {flow}");
    println!("overwrites what was read: {anti}");

    let expected = Map::parse("[n] -> { S[i] -> S[j] : 2i + 4 = 3j and 0 <= i < j < n }")?;
    assert!(flow.is_equal(&expected, &budget)?);
    // Writes catch up with reads at i = 4: from there on the element is read first.
    assert!(flow.is_equal(&Map::parse("[n] -> { S[1] -> S[2] : n >= 3 }")?, &budget)?);
    assert!(!anti.is_empty(&budget)?);

    // So the loop is parallel if nothing meets, which is for which sizes?
    let serial = flow.union(&anti)?.params();
    let parallel = Set::parse("[n] -> { : }")?.subtract(&serial, &budget)?;
    println!("parallel for {parallel}");
    assert!(parallel.is_equal(&Set::parse("[n] -> { : n <= 2 }")?, &budget)?);

    // Even elements are written, odd ones are read: they never meet.
    let odd = Map::parse("{ S[i] -> A[2i + 1] }")?;
    assert!(write.apply_range(&odd.reverse())?.is_empty(&budget)?);
    Ok(())
}

#[test]
fn the_answers_are_right() {
    main().unwrap();
}
