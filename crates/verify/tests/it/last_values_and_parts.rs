//! Marks of loops that leave last values, keep the best of what they have seen, or put things behind each
//! other.
use crate::parallel_loops::assert_tree;

/// Checks `mark` above the loop of S0, or of S0 and S1 in turn, in front of a statement that uses `t`.
#[track_caller]
fn assert_loop(lines: &str, mark: &str, n_inside: usize, proved: bool) {
    let (times, filter) = match n_inside {
        1 => ("S0[i] -> [i]", "S0[i]"),
        _ => ("S0[i] -> [i]; S1[i] -> [i]", "S0[i]; S1[i]"),
    };
    let order = match n_inside {
        1 => String::new(),
        _ => {
            let part = |n| format!("{{ filter: \"[n] -> {{ S{n}[i] }}\" }}");
            format!(", child: {{ sequence: [ {}, {} ] }}", part(0), part(1))
        }
    };
    let marked =
        format!("{{ mark: \"{mark}\", child: {{ schedule: \"[n] -> [{{ {times} }}]\"{order} }} }}");
    let rest = format!(
        "{{ sequence: [ {{ filter: \"[n] -> {{ {filter} }}\", child: {marked} }}, \
         {{ filter: \"[n] -> {{ S{n_inside}[] }}\" }} ] }}"
    );
    assert_tree(&format!("{lines}\nc[0][0] = t + k;"), &rest, proved);
}

#[test]
fn last_values() {
    let flag = "for (int i = 0; i < n; i++) if (a[i] > 0) t = b[i];";
    assert_loop(flag, "parallel", 1, false);
    assert_loop(flag, "parallel private(t)", 1, false);
    assert_loop(flag, "parallel reduction(conditional: t)", 1, true);
    assert_loop(flag, "vector reduction(conditional: t)", 1, false);
    let sure = "for (int i = 0; i < n; i++) t = a[i];";
    assert_loop(sure, "parallel reduction(conditional: t)", 1, true);
    let used = "for (int i = 0; i < n; i++) { t = a[i]; b[i] = t; }";
    assert_loop(used, "parallel reduction(conditional: t)", 2, true);
    assert_loop(used, "parallel reduction(conditional: b)", 2, false);
    // Iterations use what those before have left, or what is there before the loop.
    for carried in [
        "for (int i = 0; i < n; i++) { b[i] = t; t = a[i]; }",
        "for (int i = 0; i < n; i++) { if (a[i] > 0) t = a[i]; b[i] = t; }",
    ] {
        assert_loop(carried, "parallel reduction(conditional: t)", 2, false);
    }
}

#[test]
fn best_values() {
    let greatest = "for (int i = 0; i < n; i++) if (a[i] > t) t = a[i];";
    assert_loop(greatest, "parallel reduction(>: t)", 1, true);
    assert_loop(greatest, "vector reduction(>: t)", 1, false);
    assert_loop(greatest, "parallel private(t) reduction(>: t)", 1, false);
    assert_loop(greatest, "parallel reduction(conditional: t)", 1, false);
    for other in [">=", "<", "<=", "place"] {
        assert_loop(greatest, &format!("parallel reduction({other}: t)"), 1, false);
    }
    let mirrored = "for (int i = 0; i < n; i++) if (k > 0 && t > a[i] * b[i]) t = a[i] * b[i];";
    assert_loop(mirrored, "parallel reduction(<: t)", 1, true);
    // A part that finds nothing would undo what the parts before it have found.
    let last_of_equal = "for (int i = 0; i < n; i++) if (a[i] >= t) { t = a[i]; k = i; }";
    assert_loop(last_of_equal, "parallel reduction(>=: t, k)", 1, false);
    let place = "for (int i = 0; i < n; i++) if (a[i] > t) { t = a[i]; k = i; }";
    assert_loop(place, "parallel reduction(>: t, k)", 1, true);
    assert_loop(place, "parallel reduction(>: k, t)", 1, false);
    assert_loop(place, "parallel reduction(>: t)", 1, false);
    // What is compared is not what is kept, is converted, or depends on what is kept.
    for wrong in [
        "if (a[i] > t) t = b[i];",
        "if (a[i] > t) { k = t; t = a[i]; }",
        "if (a[i] + k > t) { t = a[i] + k; k = i; }",
        "if (a[i] > t) t = a[i]; else t = 0;",
        "if (a[i] > t || b[i] > t) t = a[i];",
        "if (a[i] > k) k = a[i];",
    ] {
        let lines = format!("for (int i = 0; i < n; i++) {wrong}");
        assert_loop(&lines, "parallel reduction(>: t)", 1, false);
        assert_loop(&lines, "parallel reduction(>: t, k)", 1, false);
        assert_loop(&lines, "parallel reduction(>: k)", 1, false);
    }
}

#[test]
fn places() {
    let mark = "parallel reduction(place: k)";
    for right in [
        "if (a[i] > 0) own[k++] = a[i];",
        "if (a[i] > 0) { own[k] = a[i]; k = k + 1; }",
        "if (a[i] > 0) if (i > 3) { own[k] = i; k += 1; }",
    ] {
        let lines = format!("for (int i = 0; i < n; i++) {right}");
        assert_loop(&lines, mark, 1, true);
        assert_loop(&lines, "parallel", 1, false);
        assert_loop(&lines, "vector reduction(place: k)", 1, false);
        assert_loop(&lines, "parallel reduction(place: t)", 1, false);
        assert_loop(&lines, "parallel private(k) reduction(place: k)", 1, false);
    }
    for wrong in [
        // What is tested or stored changes.
        "if (own[i] > 0) own[k++] = a[i];",
        "if (a[i] > k) own[k++] = a[i];",
        // Places are left out, or written several times.
        "if (a[i] > 0) { own[k] = a[i]; k += 2; }",
        "if (a[i] > 0) own[++k] = a[i];",
        "if (a[i] > 0) { k++; own[k] = a[i]; }",
        "if (a[i] > 0) own[k] = a[i];",
        "if (a[i] > 0) own[k++] = a[i]; else own[k] = 0;",
    ] {
        assert_loop(&format!("for (int i = 0; i < n; i++) {wrong}"), mark, 1, false);
    }
}
