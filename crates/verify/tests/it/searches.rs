//! Marks of loops that end early, whose ends threads look for.
use crate::parallel_loops::assert_tree;

/// Checks `mark` above a single statement, in front of one that uses what it leaves.
#[track_caller]
fn assert_marked(lines: &str, mark: &str, proved: bool) {
    let part = |n: usize, child: &str| format!("{{ filter: \"[n] -> {{ S{n}[] }}\"{child} }}");
    let marked = format!(", child: {{ mark: \"{mark}\" }}");
    let rest = format!("{{ sequence: [ {}, {} ] }}", part(0, &marked), part(1, ""));
    assert_tree(&format!("{lines}\nown[98] = t + k;"), &rest, proved);
}

#[test]
fn searches() {
    for right in [
        "for (int i = 0; i < n; i++) if (a[i] > x) { k = i; break; }",
        "for (int i = 1; i <= n - 1; ++i) { double s = a[i - 1]; if (s > x && b[i] < s) { t = s; break; } }",
        "for (int i = 0; i < n; i++) { if (a[i] > x) break; b[i] = a[i]; if (i > 3) b[i] += 2; }",
        "for (int i = 0; i < n; i++) { if (a[i] > x) break; if (b[i] > x) { k = i; break; } }",
        "for (int i = n - 1; i >= 0; i--) if (a[i] > x) { k = i; break; }",
        "for (k = 0; k < 90; k++) if (own[k] != own[k + 1]) break;",
        "for (k = 0; k < 99 && own[k] == x; k++);",
        "for (int i = 0; i < 99 && !k; i++) if (own[i] > x) k = 1;",
        "for (int i = 0; i < 99; i++) if (own[i] > x) { own[i] = 0; own[2] = own[0]; break; }",
        "for (int i = 0; i < n; i += 2) if (a[i] > x) { k = i; break; }",
        "while (k < 99 && own[k] != x) k++;",
        "while (k < 99) { if (own[k] > x) break; k += 3; }",
        "for (; k < 99 && own[k] < x; k = k + 1);",
    ] {
        assert_marked(right, "search", true);
        assert_marked(right, "search(assumed)", true);
    }
}

#[test]
fn loops_that_are_left_by_what_they_do() {
    for wrong in [
        // Iterations change what decides where it is left.
        "for (int i = 0; i < n; i++) { if (a[i] > x) break; a[i] = x; }",
        "for (int i = 0; i < n - 1; i++) { if (a[i] > x) break; a[i + 1] = x; }",
        "for (int i = 0; i < n; i++) { if (a[i] > t) break; t = a[i]; }",
        "for (int i = 0; i < n; i++) { t = a[i]; if (t > x) break; }",
        "for (int i = 0; i < n; i++) { if (a[i] > x) break; b[i] = x; if (b[i] > x) { k = i; break; } }",
        // The condition means nothing for other values, or has an effect.
        "for (int i = 0; i < n; i++) if (3 / k > 1 && a[i] > x) break;",
        "for (int i = 0; i < 99; i++) if (own[k++] > x) break;",
        "for (int i = 0; i < 99; i++) if (own[(int) own[i]] > x) break;",
        // Iterations do their work with each other's elements.
        "for (int i = 1; i < n; i++) { if (a[i] > x) break; b[i] = b[i - 1]; }",
        "for (int i = 1; i < n; i++) { if (a[i] > x) break; b[0] = a[i]; }",
        "for (int i = 1; i < n; i++) { if (a[i] > x) break; b[i / 2] = a[i]; }",
        "for (int i = 0; i < n; i++) { if (a[i] > x) break; b[i] = b[n - 1 - i]; }",
        // The iterator does more than counting.
        "for (k = 0; k < 99; k++) { if (own[k] > x) break; if (own[0] > x) k = k + 2; }",
        "for (k = 0; k < 99; k++) if (own[k] > x) { k = 0; break; }",
        "for (int i = 0; i < n; i -= 2) if (a[i] > x) { k = i; break; }",
        "for (int i = 0; i < n; i += 0) if (a[i] > x) { k = i; break; }",
        "for (int i = 0; i < n; i = 2 * i) if (a[i] > x) { k = i; break; }",
        "for (int i = 0; i < n && !k; i++) if (a[i] > x) k = 0;",
        "for (int i = 0; i < n && !k; i++) if (a[i] > x) { k = 1; k = 0; }",
        "for (int i = 0; i < n && !k; i++) { if (a[i] > x) k = 1; t = 1; }",
        "while (k < 99 && own[k] != x) { k++; t = 3; }",
        "while (k < 99 && own[k] != x) { own[k] = 3; k++; }",
        "while (k < 99 && own[k] != x) { k++; k++; }",
        "while (own[k] != x) k++;",
    ] {
        assert_marked(wrong, "search", false);
        assert_marked(wrong, "search(assumed)", false);
    }
}

/// What is read behind the exit may be no element.
#[test]
fn loops_that_look_too_far() {
    for far in [
        "for (int i = 0; i < n; i++) if (a[i + 1] > x) { k = i; break; }",
        "for (int i = 0; i < n; i++) if (a[i - 1] > x) { k = i; break; }",
        "for (int i = 0; i <= n; i++) if (a[i] > x) { k = i; break; }",
        "for (int i = 0; i < 2 * n; i++) if (a[i] > x) { k = i; break; }",
        "for (int i = 0; i < n; i++) { double s = own[i]; if (s > x) { k = i; break; } }",
        "while (k < 100 && own[k] != x) k++;",
        "while (k < 99 && own[k + 1] != x) k++;",
        "while (k < 99 && own[98 - k] != x) k++;",
        "while (k < 99 && (x > 3 || own[k] != x)) k++;",
    ] {
        assert_marked(far, "search", false);
        assert_marked(far, "search(assumed)", true);
    }
    assert_marked("for (int i = 0; i < 99; i++) if (own[i] > x) { k = i; break; }", "search", true);
}

/// The mark is about statements that end early, outside of threads.
#[test]
fn marks_elsewhere() {
    assert_marked("t = 3;", "search", false);
    assert_marked("for (int i = 0; i < n && k < 3; i++) k = k + 1;", "search", false);
    let inside = "for (int i = 0; i < n; i++) { t = i; \
                  for (int j = 0; j < 99; j++) if (own[j] > x) { t = j; break; } a[i] = t; }";
    let part = |n: usize, child: &str| format!("{{ filter: \"[n] -> {{ S{n}[i] }}\"{child} }}");
    let times = "schedule: \"[n] -> [{ S0[i] -> [i]; S1[i] -> [i]; S2[i] -> [i] }]\"";
    let parts = [part(0, ""), part(1, ", child: { mark: \"search\" }"), part(2, "")].join(", ");
    let band = format!("{{ {times}, child: {{ sequence: [ {parts} ] }} }}");
    assert_tree(inside, &band, true);
    for mark in ["parallel private(t)", "vector private(t)"] {
        assert_tree(inside, &format!("{{ mark: \"{mark}\", child: {band} }}"), false);
        let unmarked = band.replace("mark: \"search\"", "mark: \"other\"");
        assert_tree(inside, &format!("{{ mark: \"{mark}\", child: {unmarked} }}"), true);
    }
    assert_tree(inside, &format!("{{ mark: \"search\", child: {band} }}"), false);
}
