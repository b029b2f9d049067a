//! Statements of OpenScop files: their extensions in all forms that tools write.
use loopwright_interchange::{Foreign, Format, read, write};
use loopwright_presburger::Budget;
use loopwright_scop::{AccessKind, BodyPiece};

fn budget() -> Budget {
    Budget::steps(1_000_000)
}

/// A file with one statement over `iterators` loops to `n - 1`, which writes `A` and reads `B`, with these
/// extensions of the statement and of the file.
fn file(iterators: usize, extensions: &[&str], of_file: &str) -> String {
    let columns = iterators + 3;
    let row = |entries: &[(usize, i64)]| {
        let mut row = vec![0; columns];
        entries.iter().for_each(|(column, value)| row[*column] = *value);
        row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
    };
    let mut domain = Vec::new();
    for d in 1..=iterators {
        domain.push(row(&[(0, 1), (d, 1)]));
        domain.push(row(&[(0, 1), (d, -1), (iterators + 1, 1), (iterators + 2, -1)]));
    }
    let map = |outputs: usize, first: Option<i64>| {
        let shift = usize::from(first.is_some());
        let rows = (0..outputs).map(|output| {
            let mut row = vec![0; outputs + columns];
            row[1 + output] = -1;
            match (output, first) {
                (0, Some(array)) => row[outputs + columns - 1] = array,
                _ => row[1 + outputs + output - shift] = 1,
            }
            row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
        });
        let rows: String = rows.map(|row| row + "\n").collect();
        format!("{outputs} {} {outputs} {iterators} 0 1\n{rows}", outputs + columns)
    };
    format!(
        "<OpenScop>\n\n# Language\nC\n\n# Context\nCONTEXT\n0 3 0 0 0 1\n\n1\n<strings>\nn\n</strings>\n\n1\n\n4\n\
         DOMAIN\n{} {columns} {iterators} 0 0 1\n{}\nSCATTERING\n{}WRITE\n{}READ\n{}\n{}\n{}\n{of_file}\n</OpenScop>\n",
        2 * iterators,
        domain.join("\n"),
        map(iterators, None),
        map(1 + iterators, Some(1)),
        map(1 + iterators, Some(2)),
        extensions.len(),
        extensions.join("\n")
    )
}

const ARRAYS: &str = "<arrays>\n# Number of arrays\n2\n# Mapping array-identifiers/array-names\n1 A\n2 B\n</arrays>\n";

fn only(text: &str) -> Foreign {
    let mut regions =
        read(Format::OpenScop, text, &budget()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(regions.len(), 1, "{text}");
    regions.remove(0)
}

/// The text of the only statement, with its elements and values in angle brackets.
fn body(region: &Foreign) -> String {
    let piece = |piece: BodyPiece<'_>| match piece {
        BodyPiece::Text(text) => text.into_owned(),
        BodyPiece::Affine(value) => format!("<{value}>"),
        BodyPiece::Element(element) => {
            let subscripts = element.subscripts.iter().map(ToString::to_string);
            format!("<{} {}>", element.base.with(&[]), subscripts.collect::<Vec<_>>().join(" "))
        }
        BodyPiece::Hidden(array) => format!("<hidden {}>", array.0),
    };
    region.scop.statements[0].body.pieces().into_iter().map(piece).collect()
}

fn refusal(text: &str) -> String {
    read(Format::OpenScop, text, &budget()).expect_err(text).to_string()
}

const ONE: &str = "<body>\n1\ni\nA[i] = 2 * B[i];\n</body>";

#[test]
fn extended_bodies_have_the_text_of_bodies() {
    let plain = only(&file(1, &[ONE], ARRAYS));
    assert!(body(&plain).contains("<A ") && body(&plain).contains("<B "), "{}", body(&plain));
    let forms = [
        // One access, two, three, none.
        "<extbody>\n1\n0 4\n1\ni\nA[i] = 2 * B[i];\n</extbody>",
        "<extbody>\n2\n0 4\n11 4\n1\ni\nA[i] = 2 * B[i];\n</extbody>",
        "<extbody>\n3\n0 4\n11 4\n0 4\n1\ni\nA[i] = 2 * B[i];\n</extbody>",
        "<extbody>\n0\n1\ni\nA[i] = 2 * B[i];\n</extbody>",
        // As Clan writes it, with comments, blank lines and blanks.
        "<extbody>\n# Number of accesses\n2\n# Access coordinates (start/length)\n0 4\n\n# between\n 11   4  # the second\n\
         # Number of original iterators\n1\n# List of original iterators\ni\n# Statement body expression\nA[i] = 2 * B[i];\n</extbody>",
        // Places in one line, places that are not known.
        "<extbody>\n2\n0 4 11 4\n1\ni\nA[i] = 2 * B[i];\n</extbody>",
        "<extbody>\n2\n-1 -1\n-1 -1\n1\ni\nA[i] = 2 * B[i];\n</extbody>",
        // The body between tags of its own.
        "<extbody>\n2\n0 4\n11 4\n<body>\n# Number of original iterators\n1\ni\nA[i] = 2 * B[i];\n</body>\n</extbody>",
        "<extbody>\n0\n<body>\n1\ni\nA[i] = 2 * B[i];\n</body>\n</extbody>",
        // A text of two lines.
        "<extbody>\n1\n0 4\n1\ni\nA[i] = 2 *\n  B[i];\n</extbody>",
    ];
    for form in forms {
        let text = file(1, &[form], ARRAYS);
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let region = only(&text);
            assert_eq!(body(&region), body(&plain), "{form}");
            assert_eq!(region.remarks, plain.remarks, "{form}");
        }
    }
}

#[test]
fn extended_bodies_without_iterators_and_with_two() {
    let region = only(&file(0, &["<extbody>\n2\n0 1\n4 1\n0\nA = B + 1;\n</extbody>"], ARRAYS));
    assert_eq!(body(&region), "<A > = <B > + 1");
    let extended = "<extbody>\n2\n0 7\n10 7\n2\ni j\nA[i][j] = B[i][j];\n</extbody>";
    let region = only(&file(2, &[extended], ARRAYS));
    let statement = &region.scop.statements[0];
    assert_eq!(statement.iterators.iter().map(|name| &**name).collect::<Vec<_>>(), ["i", "j"]);
    assert!(body(&region).starts_with("<A "), "{}", body(&region));
}

#[test]
fn other_extensions_are_passed_over() {
    let others = [
        "<scatnames>\nb0 i b1\n</scatnames>",
        "<coordinates>\nf.c\n3 0\n9 0\n8\n</coordinates>",
        "<irregular>\n0\n0\n0\n</irregular>",
        "<clay>\ntile([0], 1, 32, 1);\n</clay>",
        "<comment>\nCONTEXT\n<body>\n</comment>",
    ];
    let plain = only(&file(1, &[ONE], ARRAYS));
    for other in others {
        let region = only(&file(1, &[ONE], &format!("{other}\n{ARRAYS}")));
        assert_eq!(body(&region), body(&plain), "{other}");
        let region = only(&file(1, &[other, ONE], ARRAYS));
        assert_eq!(body(&region), body(&plain), "{other}");
    }
    let region = only(&file(1, &[ONE], &format!("{}\n{ARRAYS}", others[1])));
    assert_eq!((region.place.lines, region.place.file.as_str()), ((3, 9), "f.c"));
    // Without any body there is a call; without names of variables there are numbers.
    let region = only(&file(1, &[], ARRAYS));
    assert!(region.remarks.iter().any(|remark| remark.contains("has no text")));
    let region = only(&file(1, &[ONE], ""));
    assert_eq!(&*region.scop.arrays[0].name, "A1");
}

#[test]
fn damaged_extended_bodies_name_what_is_missing() {
    let cases = [
        ("<extbody>\n</extbody>", "expected the number of accesses of the extended body"),
        (
            "<extbody>\nx\n</extbody>",
            "expected the number of accesses of the extended body, found `x`",
        ),
        (
            "<extbody>\n3\n0 4\n11 4\n1\ni\nA[i] = B[i];\n</extbody>",
            "start and length of access 4 of 3",
        ),
        ("<extbody>\n2\n0 4\n</extbody>", "start and length of access 2 of 2"),
        (
            "<extbody>\n2\ni j\nA = B;\n</extbody>",
            "expected start and length of access 1 of 2, found `i j`",
        ),
        ("<extbody>\n1\n0 4 11\n1\ni\nf();\n</extbody>", "more numbers than the start"),
        (
            "<extbody>\n1\n0 4 11 4\n1\ni\nf();\n</extbody>",
            "more numbers than the start and length of 1 accesses",
        ),
        ("<extbody>\n1\n0 4\n</extbody>", "expected the number of iterators"),
        ("<extbody>\n1\n0 4\n2\ni\nf();\n</extbody>", "1 iterators where 2 are announced"),
        ("<extbody>\n0\n<body>\n1\ni\nf();\n</extbody>", "`<body>` has no `</body>`"),
        ("<body>\n2\ni\nf();\n</body>", "1 iterators where 2 are announced"),
    ];
    for (extension, expected) in cases {
        let error = refusal(&file(1, &[extension], ARRAYS));
        let expected = expected.replace("access 4 of 3", "access 3 of 3");
        assert!(error.contains(&expected) && error.contains("line "), "{extension}: {error}");
    }
}

#[test]
fn what_is_read_is_written_and_read_again() {
    let extended = "<extbody>\n2\n0 4\n11 4\n1\ni\nA[i] = 2 * B[i];\n</extbody>";
    let first = only(&file(1, &[extended], ARRAYS));
    let again = only(&write(Format::OpenScop, &first, &budget()).expect("it can be written"));
    assert_eq!(again.scop.to_string(), first.scop.to_string());
    assert_eq!(body(&again), body(&first));
}

#[test]
fn what_tools_say_in_front_of_a_model_is_passed_over() {
    let text = file(1, &[ONE], ARRAYS);
    let region = only(&format!("[Clan] Info: parsing file #1 (f.c)\n{text}"));
    assert_eq!(body(&region), body(&only(&text)));
    assert!(
        region.remarks.iter().any(|remark| remark.contains("[Clan] Info")),
        "{:?}",
        region.remarks
    );
    let error = refusal("[Clay] Error: line 1: depth overflow\n");
    assert!(error.contains("in place of a model there is a message: [Clay] Error"), "{error}");
    assert!(refusal("Clan: hello\n<OpenScop>\n").contains("expected `<OpenScop>`"));
}

#[test]
fn fewer_subscripts_are_all_elements_that_begin_so() {
    // The read has one subscript more than the write.
    let text = file(1, &["<body>\n1\ni\nA = A[i];\n</body>"], "<arrays>\n1\n1 A\n</arrays>");
    let write = text.find("WRITE").expect("there is a write");
    let (before, after) = text.split_at(write);
    let after =
        after.replacen("2 6 2 1 0 1\n0 -1 0 0 0 1\n0 0 -1 1 0 0\n", "1 5 1 1 0 1\n0 -1 0 0 1\n", 1);
    let region = only(&format!("{before}{}", after.replace("0 -1 0 0 0 2", "0 -1 0 0 0 1")));
    let accesses = &region.scop.statements[0].accesses;
    let kinds: Vec<AccessKind> = accesses.iter().map(|access| access.kind).collect();
    assert_eq!(kinds, [AccessKind::MayWrite, AccessKind::Read]);
    assert!(accesses[0].relation.to_string().contains("-> A[o0]"), "{}", accesses[0].relation);
    assert!(
        region.remarks.iter().any(|remark| remark.contains("0 subscripts")),
        "{:?}",
        region.remarks
    );
}

#[test]
fn instances_without_a_time_are_not_executed() {
    // Every third iteration only: a local dimension of the scattering.
    let text = file(1, &[ONE], ARRAYS).replacen(
        "SCATTERING\n1 5 1 1 0 1\n0 -1 1 0 0\n",
        "SCATTERING\n2 6 1 1 1 1\n0 -1 1 0 0 0\n0 1 0 -3 0 0\n",
        1,
    );
    let region = only(&text);
    let domain = region.scop.statements[0].domain.to_string();
    assert!(domain.contains("mod 3 = 0"), "{domain}");
    assert!(
        region.remarks.iter().any(|remark| remark.contains("have no time")),
        "{:?}",
        region.remarks
    );
}

#[test]
fn statements_without_a_first_instance_are_refused() {
    let text = file(1, &[ONE], ARRAYS).replacen("2 4 1 0 0 1\n1 1 0 0\n", "1 4 1 0 0 1\n", 1);
    let error = refusal(&text);
    assert!(error.contains("dimension 1 of the instances has no lower bound"), "{error}");
}
