//! Transfers that miss something are refuted.
use crate::support::planted::scop_of;
use loopwright_dataflow::Dependences;
use loopwright_device::{DeviceArray, Transfers};
use loopwright_presburger::Budget;
use loopwright_verify::{Proof, check_transfers};

const SMOOTH: &str = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int i = 1; i < n - 1; i++)\n    b[i] = a[i - 1] + a[i + 1];\n#pragma endscop\n}\n";
const FEW: &str = "void f(int n, double a[n][n], double b[n][n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j <= i; j++)\n      b[i][j] = a[i][j];\n#pragma endscop\n}\n";

fn check(text: &str, change: impl Fn(&mut Transfers)) -> Proof {
    let scop = scop_of(text);
    let budget = Budget::steps(10_000_000);
    let dependences = Dependences::of_scop(&scop, &budget).unwrap();
    let mut planned =
        Transfers::of_region(&scop, &dependences, &|_| false, &budget).unwrap().unwrap();
    change(&mut planned);
    check_transfers(&scop, &dependences, &planned, &budget).unwrap()
}

fn refuted(proof: &Proof, reason: &str) {
    match proof {
        Proof::Refuted(violations) => {
            let said: Vec<&String> =
                violations.iter().map(|violation| &violation.message).collect();
            assert!(said.iter().any(|message| message.contains(reason)), "{said:?}");
        }
        other => panic!("{other:?} instead of: {reason}"),
    }
}

fn written(transfers: &mut Transfers) -> &mut DeviceArray {
    transfers.arrays.iter_mut().find(|array| array.is_written).unwrap()
}

fn read(transfers: &mut Transfers) -> &mut DeviceArray {
    transfers.arrays.iter_mut().find(|array| !array.is_written).unwrap()
}

#[test]
fn planned_transfers_are_proved() {
    assert_eq!(check(SMOOTH, |_| {}), Proof::Proved);
    assert_eq!(check(FEW, |_| {}), Proof::Proved);
}

/// What is overwritten as a whole is not copied in; a box of which only a triangle is written is.
#[test]
fn results_are_copied_in_only_where_they_have_to() {
    check(SMOOTH, |transfers| assert!(written(transfers).copy_in.is_none()));
    check(FEW, |transfers| assert!(written(transfers).copy_in.is_some()));
}

#[test]
fn missing_copies_are_refuted() {
    let proof = check(SMOOTH, |transfers| read(transfers).copy_in = None);
    refuted(&proof, "`a` is read before it is written and not copied to the device");
    let proof = check(SMOOTH, |transfers| written(transfers).copy_out = None);
    refuted(&proof, "`b` has a result that is not copied back");
    let proof = check(FEW, |transfers| written(transfers).copy_in = None);
    refuted(&proof, "`b` is copied back where nothing was written");
}

/// A copy of one element less, and one of one element more.
#[test]
fn boxes_that_are_off_by_one_are_refuted() {
    let proof = check(SMOOTH, |transfers| {
        let array = written(transfers);
        let (out, all) = (array.copy_out.clone().unwrap(), array.accessed.clone());
        array.copy_out = Some(loopwright_device::Elements { most: all.least, ..out });
    });
    refuted(&proof, "`b` has a result that is not copied back");
    let proof = check(SMOOTH, |transfers| {
        let all = read(transfers).accessed.clone();
        written(transfers).copy_out = Some(all);
    });
    refuted(&proof, "`b` is copied back where nothing was written");
    let proof = check(SMOOTH, |transfers| {
        let own = written(transfers).accessed.clone();
        read(transfers).accessed = own;
    });
    refuted(&proof, "`a` has no memory on the device where it is accessed");
}

#[test]
fn arrays_without_memory_are_refuted() {
    let proof = check(SMOOTH, |transfers| transfers.arrays.retain(|array| array.is_written));
    refuted(&proof, "`a` has no memory on the device");
}
