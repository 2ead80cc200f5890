//! Drives a crowd of 1,024 mixed vehicles at random among 2,000 loose boxes for a minute, or as
//! long as asked, with one thread and with two. Meanwhile vehicles come and go and are recorded.
//! Prints a Markdown table.

use std::time::Instant;

use anyhow::ensure;
use clap::Parser;
use snippets::console::progress;
use snippets::crowd::{CrowdOutcome, CrowdSetting, drive};

const VEHICLES: usize = 1_024;
const BOXES: usize = 2_000;

/// Drives a crowd of 1,024 mixed vehicles among 2,000 loose boxes with one thread and with two, and
/// fails if they end in other bits.
#[derive(Parser)]
struct Options {
    /// Simulated time (s).
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..))]
    seconds: u16,
}

fn main() -> anyhow::Result<()> {
    let Options { seconds } = Options::parse();
    let setting = CrowdSetting {
        vehicles: VEHICLES,
        boxes: BOXES,
        steps: 60 * usize::from(seconds),
        seed: 1,
    };
    println!(
        "| threads | samples told | received | dropped | vehicles replaced | fallen | final state | \
         time (s) |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---|---:|");
    let mut outcomes = Vec::new();
    for threads in [1, 2] {
        let bar = progress(setting.steps, false);
        let start = Instant::now();
        let outcome = drive(&setting, threads, || bar.inc(1))?;
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        let CrowdOutcome { fingerprint, told, received, dropped, left, fallen } = outcome;
        let state = fingerprint.0;
        println!(
            "| {threads} | {told} | {received} | {dropped} | {left} | {fallen} | {state:016x} | \
             {seconds:.0} |"
        );
        ensure!(
            received + dropped == told,
            "{received} received and {dropped} dropped, {told} told"
        );
        outcomes.push(fingerprint);
    }
    ensure!(outcomes[0] == outcomes[1], "one and two threads end in other bits");
    Ok(())
}
