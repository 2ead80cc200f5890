//! The accuracy page is that of this code, and all of its checks pass.

use anyhow::Result;
use snippets::accuracy::{Chapter, Check, chapters, page};

#[test]
fn the_committed_page_is_not_stale_and_all_checks_pass() -> Result<()> {
    let chapters = chapters(|| ())?;
    let failed = chapters.iter().flat_map(Chapter::checks).filter(|check| !check.passes());
    let failed: Vec<String> = failed.map(Check::to_string).collect();
    assert!(failed.is_empty(), "{} checks do not pass:\n{}", failed.len(), failed.join("\n"));
    page::check(&page::files(&chapters)?, &page::committed())
}
