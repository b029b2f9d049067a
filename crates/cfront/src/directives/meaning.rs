//! What directives and clauses may mean to a region, and rows that say it of one of them.

/// What a directive means to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// It brings its own threads to the loop behind it, or says that iterations do not depend on each other:
    /// in sequence the loop means the same, as far as its clauses allow that.
    Loop,
    /// It shares the loop behind it among the threads that are there already: the same, where only one thread
    /// runs the function.
    TeamLoop,
    /// It means nothing where only one thread runs the function.
    OneThread,
    /// It asks for a form of the loop behind it, or promises something about it.
    Hint,
    /// It changes no value.
    Harmless,
    /// It changes what the text behind it means, or how that is compiled, and stays where it is.
    Setting,
    /// The function behind it is compiled for vectors or a device as well, where no threads may start.
    Compiled,
    /// The variables that it names exist once for each thread.
    Names,
    /// This program reads it.
    Own,
    /// It changes what runs, or where.
    Obstacle,
}

/// What a directive is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Nothing but its own place.
    Alone,
    /// The statement or loop behind it.
    Statement,
    /// The declaration or function behind it.
    Declaration,
    /// All text behind it, up to the end of its block or its counterpart.
    Behind,
}

/// Where a directive stands, seen from a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// Inside of the region.
    Inside,
    /// Directly in front of it.
    Front,
    /// In front of a statement that the region stands in.
    Around,
    /// In a function that the region calls.
    Callee,
    /// In front of the function that the region stands in.
    Function,
}

/// What follows for a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The region means what its text says without the directive.
    Accepted,
    /// It does where its clauses say nothing else.
    ByClauses,
    /// It does where only one thread runs the function, and the clauses say nothing else.
    InOneThread,
    /// The region is refused.
    Refused,
}

/// What is known of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name, without the word in front that all of its family have.
    pub name: &'static str,
    /// What it means.
    pub meaning: Meaning,
    /// What it is about.
    pub reach: Reach,
    /// Why, as a part of a sentence about it.
    pub why: &'static str,
}

/// What a clause means on a directive whose loop is read in sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseMeaning {
    /// It changes no value.
    Harmless,
    /// Its argument is computed, and nothing more.
    Expression,
    /// It says how many loops the directive is about.
    Depth,
    /// Its variables exist once for each thread or iteration, and have no value before and after.
    Private,
    /// They begin with the value from before, and have no value after.
    FirstPrivate,
    /// They have the value of the last iteration after the loop.
    LastPrivate,
    /// What the threads have found is put together by an operator.
    Reduction,
    /// Its variables grow by a step.
    Linear,
    /// It changes what runs, or where.
    Obstacle,
}

/// What is known of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseRow {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: ClauseMeaning,
    /// Why, as a part of a sentence about it.
    pub why: &'static str,
}

/// A row of the table.
pub(super) const fn row(
    name: &'static str,
    meaning: Meaning,
    reach: Reach,
    why: &'static str,
) -> Row {
    Row { name, meaning, reach, why }
}

/// A row of the table of clauses.
pub(super) const fn clause(
    name: &'static str,
    meaning: ClauseMeaning,
    why: &'static str,
) -> ClauseRow {
    ClauseRow { name, meaning, why }
}

impl Meaning {
    /// What follows for a region from a directive at a place.
    pub fn answer(self, reach: Reach, position: Position) -> Answer {
        use Position::{Around, Callee, Front, Function, Inside};
        let stays = reach == Reach::Alone && matches!(position, Front | Around);
        match (self, position) {
            (Meaning::Harmless | Meaning::Own | Meaning::Names, _) => Answer::Accepted,
            (Meaning::Hint, Front | Function) => Answer::Refused,
            (Meaning::Hint, _) => Answer::Accepted,
            (Meaning::Compiled, Function | Inside) => Answer::Refused,
            (Meaning::Compiled, _) => Answer::Accepted,
            (Meaning::Setting, Front | Around | Function) => Answer::Accepted,
            (Meaning::Loop, Inside | Callee) => Answer::ByClauses,
            (Meaning::TeamLoop | Meaning::OneThread, Inside) => Answer::InOneThread,
            _ if stays => Answer::Accepted,
            _ => Answer::Refused,
        }
    }

    /// Its name in the documentation.
    pub fn title(self) -> &'static str {
        match self {
            Meaning::Loop => "modelled",
            Meaning::TeamLoop | Meaning::OneThread => "modelled in one thread",
            Meaning::Hint => "hint",
            Meaning::Harmless => "harmless",
            Meaning::Setting => "setting",
            Meaning::Compiled => "function",
            Meaning::Names => "variables",
            Meaning::Own => "read",
            Meaning::Obstacle => "obstacle",
        }
    }
}

impl ClauseMeaning {
    /// Its name in the documentation.
    pub fn title(self) -> &'static str {
        match self {
            ClauseMeaning::Harmless => "harmless",
            ClauseMeaning::Expression => "harmless without effects",
            ClauseMeaning::Obstacle => "obstacle",
            _ => "modelled",
        }
    }
}
