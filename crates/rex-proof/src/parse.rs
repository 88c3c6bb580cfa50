//! Reads a claim. If it is wrong, the error says why.

use rex_game::{Board, Cell, CellSet, Player, Position, State, Symmetry};

use crate::claim::{Claim, ClaimId, DominatedBy, Refutation, Rule, Step, symmetry_word};

type Parsed<T> = Result<T, String>;

/// Reads `ID ROWS SIDE WINNER RULE …`.
pub(crate) fn claim(board: Board, line: &str) -> Parsed<Claim> {
    let mut words = line.split(' ');
    let mut next = |what: &str| words.next().ok_or_else(|| format!("{what} is missing"));
    let id = number(next("the number of the claim")?)?;
    let position = rows(board, next("the position")?)?;
    let to_move = player(next("the side to move")?)?;
    let winner = player(next("the winner")?)?;
    let word = next("the rule")?;
    let rule = rule(board, word, &words.collect::<Vec<_>>())?;
    Ok(Claim { id, state: State { position, to_move }, winner, rule })
}

/// Reads a number without sign, leading zeros or spaces.
pub(crate) fn number(word: &str) -> Parsed<ClaimId> {
    let plain = word.bytes().all(|b| b.is_ascii_digit()) && !word.starts_with('0');
    word.parse().ok().filter(|_| plain).ok_or_else(|| format!("'{word}' is not a claim number"))
}

fn rule(board: Board, word: &str, arguments: &[&str]) -> Parsed<Rule> {
    Ok(match (word, arguments) {
        ("joined", []) => Rule::Joined,
        ("move", [to, id]) => Rule::Move(cell(board, to)?, number(id)?),
        ("all", answers) => Rule::All(answers.iter().map(|word| answer(board, word)).collect::<Parsed<_>>()?),
        ("pairs", [list]) => Rule::Pairs(pairs(board, list)?, None),
        ("pairs", [list, "key", key]) => Rule::Pairs(pairs(board, list)?, Some(cell(board, key)?)),
        ("mirror", [name]) => Rule::Mirror(symmetry(board, name)?),
        ("image", [name, id]) => Rule::Image(symmetry(board, name)?, number(id)?),
        ("fill", [steps @ .., id]) => {
            Rule::Fill(steps.iter().map(|word| step(board, word)).collect::<Parsed<_>>()?, number(id)?)
        }
        ("worse", [id]) => Rule::Worse(number(id)?),
        _ if Rule::WORDS.contains(&word) => return Err(format!("wrong arguments for '{word}'")),
        _ => return Err(format!("'{word}' is not a rule")),
    })
}

/// `a1=joins`, `a1=17`, `a1<b2:6`, `a1<b2:8:b2-b3`.
fn answer(board: Board, word: &str) -> Parsed<(Cell, Refutation)> {
    if let Some((to, answer)) = word.split_once('=') {
        let answer = if answer == "joins" { Refutation::Joins } else { Refutation::Claim(number(answer)?) };
        return Ok((cell(board, to)?, answer));
    }
    let bad = || format!("'{word}' is not an answer to a move");
    let (to, rest) = word.split_once('<').ok_or_else(bad)?;
    let (better, reason) = rest.split_once(':').ok_or_else(bad)?;
    let reason = match reason.split_once(':') {
        None if reason == "6" => DominatedBy::Victim,
        None if reason == "7" => DominatedBy::Vulnerable,
        Some(("8", list)) => DominatedBy::Captured(pairs(board, list)?),
        _ => return Err(bad()),
    };
    Ok((cell(board, to)?, Refutation::Dominated(cell(board, better)?, reason)))
}

/// `dead:a1,b2`, `captured:b:a1-b1`, `mutual:a1-b1,c1-b1`.
fn step(board: Board, word: &str) -> Parsed<Step> {
    let bad = || format!("'{word}' is not a fill-in step");
    let (name, rest) = word.split_once(':').ok_or_else(bad)?;
    match name {
        "dead" => {
            let cells: CellSet = rest.split(',').map(|name| cell(board, name)).collect::<Parsed<_>>()?;
            let twice = cells.len() < rest.split(',').count();
            if twice { Err(bad()) } else { Ok(Step::Dead(cells)) }
        }
        "captured" => {
            let (who, list) = rest.split_once(':').ok_or_else(bad)?;
            Ok(Step::Captured(player(who)?, pairs(board, list)?))
        }
        "mutual" => match pairs(board, rest)?[..] {
            [black, white] => Ok(Step::Mutual(black, white)),
            _ => Err(bad()),
        },
        _ => Err(bad()),
    }
}

fn pairs(board: Board, list: &str) -> Parsed<Vec<(Cell, Cell)>> {
    if list == "-" {
        return Ok(Vec::new());
    }
    let pair = |word: &str| {
        let (one, other) = word.split_once('-').ok_or_else(|| format!("'{word}' is not a pair of cells"))?;
        Ok((cell(board, one)?, cell(board, other)?))
    };
    list.split(',').map(pair).collect()
}

fn cell(board: Board, name: &str) -> Parsed<Cell> {
    // The name must be exact: the board would also accept capital letters.
    let cell = board.cell_named(name).filter(|&cell| board.name(cell) == name);
    cell.ok_or_else(|| format!("'{name}' is not a cell of the {board} board"))
}

fn player(letter: &str) -> Parsed<Player> {
    match letter {
        "b" => Ok(Player::Black),
        "w" => Ok(Player::White),
        _ => Err(format!("'{letter}' is not a player; expected 'b' or 'w'")),
    }
}

fn symmetry(board: Board, word: &str) -> Parsed<Symmetry> {
    let known = Symmetry::of(board).iter().copied().find(|&symmetry| symmetry_word(symmetry) == word);
    known.ok_or_else(|| format!("'{word}' is not a symmetry of the {board} board"))
}

/// Reads `1b1w/3w/w2b/2b1`, which must have the size of the board.
fn rows(board: Board, text: &str) -> Parsed<Position> {
    // The notation would also accept capital letters and white space.
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"bw/".contains(&byte));
    let position = text.parse().ok().filter(|position: &Position| plain && position.board() == board);
    position.ok_or_else(|| format!("'{text}' is not a position on the {board} board"))
}
