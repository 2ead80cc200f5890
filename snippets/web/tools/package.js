// Makes the npm package ready: the page's WebAssembly, and types from the comments of `index.js`.
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

copyFileSync(here("../page/generated/playground.wasm"), here("../package/vehicles.wasm"));
execFileSync(process.execPath, [here("../node_modules/typescript/bin/tsc"), "--project", here("../package/tsconfig.json")], { stdio: "inherit" });
