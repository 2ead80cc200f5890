// The page is in `page`; what is built is static files, for any server and any folder.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Programs for the graphics card in the code of three.js: strings in a line of their own. */
const PROGRAM = /^(\s*(?:var|const) \w+ = )"(.*\\n.*)";$/gm;
/** What needs no space beside it; signs do, after other signs. */
const APART = /\s*([=*/(){},;<>?:])\s*/g;

/** Programs for the graphics card without indents and spaces that only people need: fewer bytes. */
const compactPrograms = {
  name: "compact-programs",
  apply: "build",
  transform(code, id) {
    if (!id.includes("/three/build/")) return null;
    const line = (text) => (text.startsWith("#") ? text : text.replace(APART, "$1"));
    const compact = (program) => program.replaceAll("\\t", " ").split("\\n").map((text) => line(text.trim())).filter(Boolean).join("\\n");
    return { code: code.replace(PROGRAM, (_, name, program) => `${name}"${compact(program)}";`), map: null };
  },
};

export default defineConfig({
  root: fileURLToPath(new URL("page", import.meta.url)),
  base: "./",
  clearScreen: false,
  plugins: [compactPrograms],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
  server: { port: 5173 },
  preview: { port: 4173 },
});
