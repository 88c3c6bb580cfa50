/// One switch of the theory.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name, as in `--no-NAME` and `--NAME`.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Whether it is on unless said otherwise.
    pub default: bool,
    /// Reads the switch.
    pub get: fn(&Options) -> bool,
    /// Sets the switch.
    pub set: fn(&mut Options, bool),
}

macro_rules! options {
    ($($(#[doc = $doc:literal])+ $field:ident = $default:literal, $name:literal;)+) => {
        /// Which techniques are used. Each can be switched off alone; answers never depend on them.
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

            /// Every switch: the one table from which flags, help, knockouts and docs are made.
            pub const TABLE: &'static [OptionInfo] = &[$(OptionInfo {
                name: $name,
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
    dead = true, "dead";
    /// Settle stones that would be dead if uncoloured, so that more positions coincide
    dead_stones = true, "dead-stones";
    /// Fill regions that a clique cuts off from a side (Theorem 5)
    dead_cutset = false, "dead-cutset";
    /// Fill captured pairs (Corollary 1)
    captured = true, "captured";
    /// Fill four cells of two pairs that are captured only together (Corollary 1)
    captured_fours = false, "captured-fours";
    /// Fill both cells of a mutual fill-in (Theorem 9)
    mutual_fillin = true, "mutual-fillin";
    /// Fill carriers that decompose the board
    decomposition = true, "decomposition";
    /// Prune killers of a cell they would kill by an own stone (Theorem 6)
    victim = true, "victim";
    /// Prune killers of a cell an opponent stone there would kill (Theorem 7)
    vulnerable = true, "vulnerable";
    /// Prune capturers of a set (Theorem 8)
    capturer = true, "capturer";
    /// Prune creators of a mutual fill-in (Theorem 10)
    mutual_creator = false, "mutual-creator";
    /// Prune keys of the mover's own pre-join pairings
    own_keys = true, "own-keys";
    /// Look for pairings with H-search
    hsearch = true, "hsearch";
    /// H-search: let an endpoint use the set it captures
    augmented = true, "augmented";
    /// H-search: let connections overlap where their pairs agree
    compatible = true, "compatible";
    /// H-search: combine connections over the board's own sides
    side_and = false, "side-and";
    /// Look for pairings with the exact search
    exact_pairing = true, "exact-pairing";
    /// A state that looks the same to both players is won by Notlast
    colour_symmetry = true, "colour-symmetry";
    /// Notlast wins when the mirror images of all her stones are Last's
    dominated_symmetry = true, "dominated-symmetry";
}

impl Options {
    /// Everything on.
    pub fn all() -> Options {
        let mut options = Options::NONE;
        for info in Options::TABLE {
            (info.set)(&mut options, true);
        }
        options
    }
}
