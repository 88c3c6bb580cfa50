//! The switches of the theory, in one table. Flags, help, knockouts, sweeps and the version of the fill-in rules follow
//! from it. `CONTRIBUTING.md` ("Adding a rule") says what else a new rule needs.

/// What a technique does with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// It fills in cells. Filled positions, and stores of them, depend on these.
    FillIn,
    /// It strikes moves that we need not try.
    Moves,
    /// It decides positions without search.
    Verdict,
    /// It keeps why positions are decided, and decides others by that.
    Reason,
}

/// One switch of the theory.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name, as in `--no-NAME` and `--NAME`.
    pub name: &'static str,
    /// What the technique does.
    pub kind: OptionKind,
    /// One line of help.
    pub help: &'static str,
    /// Whether it is on by default.
    pub default: bool,
    /// Reads the switch.
    pub get: fn(&Options) -> bool,
    /// Sets the switch.
    pub set: fn(&mut Options, bool),
}

macro_rules! options {
    ($($(#[doc = $doc:literal])+ $field:ident = $default:literal, $name:literal, $kind:ident;)+) => {
        /// Which techniques to use. Each can be switched off on its own; answers never depend on them.
        ///
        /// ```
        /// use rex_theory::{OptionKind, Options};
        ///
        /// let mut options = Options { captured: false, ..Options::default() };
        /// for rule in Options::of_kind(OptionKind::Verdict) {
        ///     (rule.set)(&mut options, false);
        /// }
        /// assert!(options.dead && !options.captured && !options.hsearch);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Options { $($(#[doc = $doc])+ pub $field: bool,)+ }

        impl Default for Options {
            fn default() -> Options {
                Options { $($field: $default,)+ }
            }
        }

        impl Options {
            /// Nothing but the rules of the game.
            pub const NONE: Options = Options { $($field: false,)+ };

            /// Every switch: the one table behind flags, help, knockouts and docs.
            pub const TABLE: &'static [OptionInfo] = &[$(OptionInfo {
                name: $name,
                kind: OptionKind::$kind,
                help: concat!($($doc),+),
                default: $default,
                get: |options| options.$field,
                set: |options, on| options.$field = on,
            },)+];
        }
    };
}

options! {
    /// Fill cells whose neighbourhood in a reduced graph is a clique (Theorem 5)
    dead = true, "dead", FillIn;
    /// Settle stones that would be dead if uncoloured, so that more positions count as the same
    dead_stones = true, "dead-stones", FillIn;
    /// Fill regions that a clique cuts off from a side (Theorem 5)
    dead_cutset = false, "dead-cutset", FillIn;
    /// Fill captured pairs (Corollary 1)
    captured = true, "captured", FillIn;
    /// Fill two pairs that are captured only together (Corollary 1)
    captured_fours = false, "captured-fours", FillIn;
    /// Fill both cells of a mutual fill-in (Theorem 9)
    mutual_fillin = true, "mutual-fillin", FillIn;
    /// Fill regions that a pairing splits into dead pockets
    decomposition = true, "decomposition", FillIn;
    /// Prune moves that kill another cell: that cell is at least as good (Theorem 6)
    victim = true, "victim", Moves;
    /// Prune moves where an opponent stone would kill another cell (Theorem 7)
    vulnerable = true, "vulnerable", Moves;
    /// Prune moves that capture a set: its cells are at least as good (Theorem 8)
    capturer = true, "capturer", Moves;
    /// Prune moves that create a mutual fill-in (Theorem 10)
    mutual_creator = false, "mutual-creator", Moves;
    /// Prune keys of the mover's own pre-join pairings
    own_keys = true, "own-keys", Moves;
    /// Look for pairings with H-search
    hsearch = true, "hsearch", Verdict;
    /// H-search: let an endpoint use the set it captures
    augmented = true, "augmented", Verdict;
    /// H-search: let connections overlap where their pairs agree
    compatible = true, "compatible", Verdict;
    /// H-search: combine connections that meet at a side
    side_and = false, "side-and", Verdict;
    /// Look for pairings with the exact search
    exact_pairing = true, "exact-pairing", Verdict;
    /// Boards that are not square: pair cells with their mirror images
    mirror_pairing = true, "mirror-pairing", Verdict;
    /// Notlast wins a state that looks the same to both players
    colour_symmetry = true, "colour-symmetry", Verdict;
    /// Notlast wins if the mirror image of each of her stones is a stone of Last's
    dominated_symmetry = true, "dominated-symmetry", Verdict;
    /// Remember pairings with the stones they need: where those stand, the pairing decides again
    pairing_reasons = true, "pairing-reasons", Reason;
    /// Remember solved positions: they decide all that are at least as good for the winner, cell by cell
    position_reasons = true, "position-reasons", Reason;
    /// Remember less of a solved position, if one look ahead shows that less is enough
    general_reasons = true, "general-reasons", Reason;
}

impl Options {
    /// The switch with this name.
    pub fn named(name: &str) -> Option<&'static OptionInfo> {
        Options::TABLE.iter().find(|info| info.name == name)
    }

    /// The switches of one kind.
    pub fn of_kind(kind: OptionKind) -> impl Iterator<Item = &'static OptionInfo> {
        Options::TABLE.iter().filter(move |info| info.kind == kind)
    }

    /// Nothing but this switch.
    pub fn only(info: &OptionInfo) -> Options {
        let mut options = Options::NONE;
        (info.set)(&mut options, true);
        options
    }

    /// Everything on.
    pub fn all() -> Options {
        let mut options = Options::NONE;
        for info in Options::TABLE {
            (info.set)(&mut options, true);
        }
        options
    }
}
