//! What a record says of its game: the players, the result, the event.

use xiangqi::notation::GameTree;

/// Names and values of a record's headers, the result among them.
pub type Tags = Vec<(String, String)>;

/// The tags of a record.
pub fn tags(tree: &GameTree) -> Tags {
    let mut tags = tree.headers.clone();
    tags.push(("Result".to_owned(), tree.result.pgn().to_owned()));
    tags
}

/// A tag's value, if it says something.
pub fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let at = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
    at.map(|(_, value)| value.trim()).filter(|value| !matches!(*value, "" | "?" | "*"))
}

/// Players, result and event, Chinese and English in one line each.
pub fn headings(tags: &[(String, String)]) -> Vec<String> {
    let words = |names: &[(&str, &str)]| -> Vec<String> {
        let said = |&(name, zh): &(&str, &str)| Some(format!("{zh} {name}: {}", tag(tags, name)?));
        names.iter().filter_map(said).collect()
    };
    let mut players = words(&[("Red", "红方"), ("Black", "黑方"), ("Result", "赛果")]);
    // A record for people of chess calls Red White.
    if tag(tags, "Red").is_none()
        && let Some(name) = tag(tags, "White")
    {
        players.insert(0, format!("红方 Red: {name}"));
    }
    let event = words(&[("Event", "赛事"), ("Round", "轮次"), ("Date", "日期"), ("Site", "地点")]);
    [players, event].iter().filter(|line| !line.is_empty()).map(|line| line.join("   ")).collect()
}
