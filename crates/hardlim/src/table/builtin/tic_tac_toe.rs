//! Every board a game of tic-tac-toe can end with, and whether x won.

use std::collections::BTreeSet;

use super::{Table, labels, numbers};
use crate::table::TableError;

const SQUARES: [&str; 9] = [
    "top-left",
    "top-middle",
    "top-right",
    "middle-left",
    "middle-middle",
    "middle-right",
    "bottom-left",
    "bottom-middle",
    "bottom-right",
];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const X: i8 = -1;
const BLANK: i8 = 0;

type Board = [i8; 9];

/// One row for each board, sorted by squares: x is −1, blank is 0, o is 1.
pub(super) fn table() -> Result<Table, TableError> {
    let (mut seen, mut ends) = (BTreeSet::new(), BTreeSet::new());
    play([BLANK; 9], X, &mut seen, &mut ends);
    let square =
        |k: usize| numbers(SQUARES[k], ends.iter().map(|board| f64::from(board[k])).collect());
    let mut columns: Vec<_> = (0..9).map(square).collect();
    let label = |board| if won(board, X) { "positive" } else { "negative" };
    columns.push(labels("x wins", ends.iter().map(label)));
    Table::new("tic-tac-toe", columns)
}

/// Collects the final boards of all games that continue from this one.
fn play(board: Board, player: i8, seen: &mut BTreeSet<Board>, ends: &mut BTreeSet<Board>) {
    if !seen.insert(board) {
        return;
    }
    if won(&board, -player) || !board.contains(&BLANK) {
        ends.insert(board);
        return;
    }
    for k in (0..9).filter(|&k| board[k] == BLANK) {
        let mut next = board;
        next[k] = player;
        play(next, -player, seen, ends);
    }
}

fn won(board: &Board, player: i8) -> bool {
    LINES.iter().any(|line| line.iter().all(|&k| board[k] == player))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Coding, CodingOptions};

    const O: i8 = -X;

    #[test]
    fn x_wins_626_of_958_boards() {
        let table = table().unwrap();
        let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
        let data = coding.dataset(&table).unwrap();
        assert_eq!((data.samples(), data.distinct(), data.dimension()), (958, 958, 9));
        let wins = coding.targets(&table).unwrap().iter().filter(|&&y| y == 1.0).count();
        assert_eq!(wins, 626);
    }

    #[test]
    fn x_has_as_many_squares_as_o_or_one_more() {
        let (mut seen, mut ends) = (BTreeSet::new(), BTreeSet::new());
        play([BLANK; 9], X, &mut seen, &mut ends);
        assert_eq!(seen.len(), 5478);
        let count = |board: &Board, who| board.iter().filter(|&&square| square == who).count();
        assert!(ends.iter().all(|board| (0..=1).contains(&(count(board, X) - count(board, O)))));
        let drawn = ends.iter().filter(|board| !won(board, X) && !won(board, O)).count();
        assert_eq!(drawn, 16);
    }
}
