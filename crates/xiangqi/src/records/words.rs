//! What stands around moves in texts: numbers before them, marks behind them, results.

/// Whether a word is the result of a game.
pub fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// A word behind its move number: `1.`, `1...`, and glued to a Chinese move the bare number.
pub fn without_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = behind.len() < word.len()
        && behind.starts_with(|c: char| c == '.' || c == '、' || !c.is_ascii());
    if is_number { behind.trim_start_matches(['.', '、', '…']) } else { word }
}

/// Whether nothing is left of a word without its number.
pub fn is_bare_number(word: &str) -> bool {
    without_number(word).trim_matches(['.', '…']).is_empty()
}

/// A move, and the number (NAG) of the marks that follow it.
pub fn split_marks(word: &str) -> (&str, Option<u8>) {
    let bare = word.trim_end_matches(['!', '?']);
    let nag = match &word[bare.len()..] {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    (bare, nag)
}
