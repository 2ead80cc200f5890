// Builds the playground as WebAssembly and puts it where the page imports it from.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TARGET = "wasm32-unknown-unknown";
// Four wheels go through the lanes of a processor in the browser, too (SIMD), with the same bits: smaller and faster.
const FLAGS = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
const env = { ...process.env, [FLAGS]: `${process.env[FLAGS] ?? ""} -C target-feature=+simd128` };
// Features of WebAssembly that the compiler uses, and passes that make its code smaller and keep
// every bit. All passes of the optimizer would take minutes, and inline so much that the page grows.
// Functions stay in their order: neighbors are alike, so the compressed page is smaller.
const FEATURES = ["simd", "bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "multivalue",
  "reference-types"].map((feature) => `--enable-${feature}`);
const PASSES = ["duplicate-function-elimination", "dce", "remove-unused-names", "remove-unused-brs",
  "optimize-instructions", "precompute", "simplify-locals", "vacuum", "coalesce-locals", "simplify-locals", "vacuum",
  "reorder-locals", "merge-blocks", "remove-unused-brs", "merge-similar-functions", "duplicate-function-elimination",
  "code-folding", "vacuum", "code-pushing", "rse", "optimize-instructions", "merge-locals", "simplify-locals",
  "vacuum", "remove-unused-brs", "merge-blocks", "dae-optimizing", "vacuum", "reorder-locals", "strip-producers",
  "strip-target-features"].map((pass) => `--${pass}`);
const optimizer = fileURLToPath(new URL("../node_modules/.bin/wasm-opt", import.meta.url));
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
const built = `${folder}/${TARGET}/web/playground_web.wasm`;
run(process.execPath, optimizer, ...FEATURES, ...PASSES, built, "-o", `${generated}/playground.wasm`);
