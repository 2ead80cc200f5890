// Builds the playground as WebAssembly and puts it where the page imports it from.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TARGET = "wasm32-unknown-unknown";
// Four wheels go through the lanes of a processor in the browser, too (SIMD), with the same bits: smaller and faster.
const FLAGS = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
const env = { ...process.env, [FLAGS]: `${process.env[FLAGS] ?? ""} -C target-feature=+simd128` };
const workspace = fileURLToPath(new URL("../../..", import.meta.url));
const generated = fileURLToPath(new URL("../page/generated/", import.meta.url));

function run(command, ...options) {
  execFileSync(command, options, { cwd: workspace, env, stdio: "inherit" });
}

function installedTargets() {
  try {
    return execFileSync("rustup", ["target", "list", "--installed"], { encoding: "utf8" });
  } catch {
    return null; // Rust without rustup: the target is there, or cargo tells.
  }
}

const targets = installedTargets();
if (targets !== null && !targets.split("\n").includes(TARGET)) {
  console.log(`Installing the target ${TARGET}.`);
  run("rustup", "target", "add", TARGET);
}
console.log("Building the simulation: some minutes the first time.");
run("cargo", "build", "--locked", "-p", "web", "--profile", "web", "--target", TARGET,
  "--features", "enhanced-determinism");
mkdirSync(generated, { recursive: true });
const folder = process.env.CARGO_TARGET_DIR ?? `${workspace}/target`;
copyFileSync(`${folder}/${TARGET}/web/playground_web.wasm`, `${generated}/playground.wasm`);
