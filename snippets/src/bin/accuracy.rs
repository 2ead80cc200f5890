//! Compares the model with theory, other solutions and records, and writes the accuracy page.
//!
//! Writes Markdown with pictures as SVG; ends with an error if a check does not pass.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;
use snippets::accuracy::{self, page};
use snippets::console::{progress, run, say};

/// Compares the model with theory, other solutions and records, and writes the accuracy page.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Folder for accuracy.md and its pictures [default: docs]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Write nothing: tell whether the page in the folder is stale
    #[arg(long)]
    check: bool,

    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run(|| make(&arguments))
}

fn make(arguments: &Arguments) -> Result<()> {
    let bar = progress(accuracy::COUNT, arguments.quiet);
    let chapters = accuracy::chapters(|| bar.inc(1))?;
    bar.finish_and_clear();
    let files = page::files(&chapters)?;
    let folder = arguments.out.clone().unwrap_or_else(page::committed);
    if arguments.check {
        page::check(&files, &folder)?;
    } else {
        page::write(&files, &folder)?;
    }
    let checks = || chapters.iter().flat_map(accuracy::Chapter::checks);
    let failed: Vec<String> =
        checks().filter(|check| !check.passes()).map(ToString::to_string).collect();
    if !failed.is_empty() {
        bail!("{} checks do not pass:\n  {}", failed.len(), failed.join("\n  "));
    }
    if !arguments.quiet {
        let count = checks().count();
        say(format_args!("{count} checks, all pass: {}", folder.join(page::PAGE).display()))?;
    }
    Ok(())
}
