//! Drives a crowd of 1,024 mixed vehicles among 2,000 loose boxes for a minute, at random, with one
//! thread and with two, while vehicles come and go and are recorded; prints a Markdown table.

use std::time::Instant;

use anyhow::ensure;
use snippets::console::progress;
use snippets::crowd::{CrowdOutcome, CrowdSetting, drive};

const SETTING: CrowdSetting = CrowdSetting { vehicles: 1_024, boxes: 2_000, steps: 3_600, seed: 1 };

fn main() -> anyhow::Result<()> {
    println!(
        "| threads | samples told | received | dropped | vehicles replaced | fallen | final state | \
         time (s) |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---|---:|");
    let mut outcomes = Vec::new();
    for threads in [1, 2] {
        let bar = progress(SETTING.steps, false);
        let start = Instant::now();
        let outcome = drive(&SETTING, threads, || bar.inc(1))?;
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
