//! The pages of `docs/rules`, which the command carries.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/rules");

/// The page of a lint, in Markdown: the text of `docs/rules/<id>.md`; `None` for an id without a page.
pub fn rule_page(id: &str) -> Option<&'static str> {
    PAGES.get_file(format!("{id}.md"))?.contents_utf8()
}
