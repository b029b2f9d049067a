//! Rules on combinations of options that have no effect.
use super::*;

/// The options of a line in which values stand behind `=` or as the next word.
fn given(line: &str) -> Vec<Given> {
    let mut words = line.split_whitespace().peekable();
    let mut given = Vec::new();
    while let Some(word) = words.next() {
        let name = word.trim_start_matches('-').to_string();
        let value = words.next_if(|next| !next.starts_with('-')).map(str::to_string);
        given.push(Given { name, value });
    }
    given
}

/// What is said about command lines: `refused`, `remarked` or nothing, and a part of it.
#[test]
fn each_pair_has_its_verdict() {
    for (line, verdict, part) in [
        (
            "compile --scheduler none --tile-sizes 5",
            "refused",
            "--tile-sizes 5 has no effect beside --scheduler none",
        ),
        ("compile --tile-sizes 5 --scheduler none", "refused", "--tile-sizes 5"),
        ("tune --scheduler none --fuse max", "refused", "--fuse max"),
        (
            "report --scheduler none --schedule-max-coefficient 4",
            "refused",
            "--schedule-max-coefficient 4",
        ),
        ("compile --scheduler none --no-schedule-split-scaled", "refused", "split-scaled"),
        ("compile --scheduler none --no-tile", "remarked", "--no-tile has no effect"),
        ("compile --scheduler none --no-panels", "remarked", "--no-panels"),
        ("compile --scheduler none --machine m.txt", "remarked", "--machine"),
        ("compile --scheduler none --strategy hull", "", ""),
        ("compile --scheduler pluto --tile-sizes 5", "", ""),
        (
            "compile --transform x --tile-sizes 5",
            "refused",
            "--tile-sizes 5 has no effect beside --transform",
        ),
        ("compile --transform x --schedule f", "refused", "one order"),
        ("compile --transform x --scheduler pluto", "refused", "one order"),
        ("compile --schedule f --target c", "", ""),
        ("compile --no-tile --tile-sizes 5", "refused", "nothing is tiled"),
        ("compile --no-tile --tile-factors 5", "refused", "nothing is tiled"),
        ("compile --tile-sizes none --tile-factors 5", "refused", "nothing is tiled"),
        ("compile --tile-sizes 4 --tile-factors 5", "", ""),
        ("compile --tile-sizes 4 --tile-model sica", "refused", "the sizes are given"),
        ("compile --tile-model fixed --sica-share 1", "refused", "another model"),
        ("compile --tile-model sica --sica-share 1", "", ""),
        ("compile --target c --no-point-to-point", "remarked", "no threads"),
        ("compile --target openmp --no-point-to-point", "", ""),
        ("compile --no-register-tiles --no-expansion", "remarked", "--no-expansion"),
        ("compile --unchanged --always-rewrite", "refused", "either"),
        ("compile --adaptive always --unchanged", "refused", "no new text to time"),
        ("report --adaptive always", "remarked", "nothing runs"),
        ("compile --profile-gen --profile-use x", "refused", "the program as it was"),
        ("cc --profile-file x", "refused", "goes with --profile-gen"),
        ("cc --profile-use x --profile-share 3", "", ""),
        ("compile --unchanged --fuse max", "refused", "stay as they were"),
        ("compile --emit scop --no-verify", "remarked", "--no-verify"),
        ("compile --emit deps --tile-sizes 5", "remarked", "before there is a schedule"),
        ("compile --emit schedule --strategy hull", "remarked", "before there are loops"),
        ("compile --emit ast --strategy hull", "", ""),
        ("compile --into f.c", "refused", "--into goes with --from"),
        ("compile --from pet --into f.c", "", ""),
        ("compile --from pet -D N=3", "refused", "not C"),
        ("compile --from pet --autodetect", "refused", "not C"),
        ("compile --write-choices f --transform x", "refused", "--write-choices"),
        ("compile --no-reschedule --fuse max", "refused", "no schedule is looked for"),
        ("compile --no-reschedule --scheduler pluto", "refused", "order is kept"),
        ("compile --no-reschedule --tile-sizes 5", "", ""),
        (
            "compile --fuse max --fuse min",
            "refused",
            "--fuse max and --fuse min contradict each other",
        ),
        ("compile --fuse max --fuse max", "remarked", "twice"),
        ("compile --panels --no-panels", "refused", "contradict"),
        ("compile -o a --output b", "refused", "contradict"),
        ("compile -D N=1 -D N=2", "refused", "-D N=1 and -D N=2 contradict each other"),
        ("compile -D N=1 -D N=1", "", ""),
        ("compile -D N=1 -D M=1", "", ""),
        ("compile -I a -I b", "", ""),
        ("compile -D N=1 -U N", "refused", "-D N=1 and -U N contradict each other"),
        ("compile -U N -U N", "", ""),
        ("compile --isystem a --isystem b --include c --include d", "", ""),
        ("compile --std c99 --std c11", "refused", "contradict"),
        ("compile --from pet --std c99", "refused", "not C"),
        ("compile -q --quiet", "refused", "contradict"),
        ("compile -q -v", "refused", "nothing is printed"),
        ("compile --message-format json --color always", "refused", "messages are data"),
        ("report --message-format sarif -v", "refused", "messages are data"),
        ("tune --with a.c --with b.c --link -lx", "", ""),
        ("tune --cache d --no-cache", "refused", "contradict"),
        ("schedule --schedule f --schedule-fuse max", "refused", "the given one"),
        ("schedule --schedule f --ignore-options", "refused", "the given one"),
        (
            "schedule --schedule-algorithm feautrier --schedule-fallback validity",
            "refused",
            "carries",
        ),
        ("schedule --schedule-fuse max", "", ""),
        ("codegen --no-macros --format json", "refused", "text in C"),
        ("codegen --format tree --iterator-type int", "refused", "text in C"),
        ("codegen --no-macros --format c", "", ""),
        ("codegen --sequential-levels 2 --no-verify", "remarked", "no check"),
        ("calc --format isl --format C", "refused", "contradict"),
        ("calc -e 1; -e 2;", "", ""),
        ("machine --machine a --machine b", "", ""),
        ("machine --generic --generic", "remarked", "twice"),
    ] {
        let (command, options) = line.split_once(' ').unwrap();
        let (refused, remarks) = judged(command, &given(options));
        let found = match (&refused, &remarks[..]) {
            (Some(message), _) => ("refused", message.clone()),
            (None, []) => ("", String::new()),
            (None, remarks) => ("remarked", remarks.join("; ")),
        };
        assert_eq!(found.0, verdict, "{line}: {found:?}");
        assert!(found.1.contains(part), "{line}: {found:?}");
    }
}

#[test]
fn rules_name_options_that_there_are() {
    let known = |command: &str, name: &str| {
        let table = crate::command::tables::command(command).expect("it is a command");
        match (name.strip_suffix('*'), name.chars().count()) {
            (Some(start), _) => {
                table.all_rows().iter().any(|row| row.names().any(|n| n.starts_with(start)))
            }
            (None, 1) => table.has_letter(name.chars().next().unwrap_or_default()),
            (None, _) => table.has_name(name),
        }
    };
    for rule in RULES {
        let beside: Vec<&str> = match rule.beside {
            Any(names) | Without(names) => names.to_vec(),
            Value(name, _) => vec![name],
        };
        for name in rule.options.iter().chain(&beside) {
            assert!(rule.commands.iter().any(|command| known(command, name)), "{name}");
        }
    }
}

#[test]
fn choices_of_a_file_come_first() {
    let choices = Choices::parse("region 2\n  fuse = max\n  panels = yes\n").unwrap();
    let remarks = overruled(&given("--fuse min --no-panels --target c"), &choices, 2);
    let remarks: Vec<String> = remarks.into_iter().map(|remark| remark.message).collect();
    assert_eq!(
        remarks,
        [
            "--fuse min has no effect on region 2: the choices say fuse = max",
            "--no-panels has no effect on region 2: the choices say panels = yes"
        ]
    );
    assert!(overruled(&given("--fuse max"), &choices, 2).is_empty());
}
