//! `review --html`.
use super::Reviewed;
/// The page.
pub fn page(_reviewed: &Reviewed) -> String {
    String::new()
}
