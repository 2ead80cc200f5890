// A headless browser on the built page, with the system's Chromium and software graphics.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { preview } from "vite";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function browserPath() {
  const path = process.env.CHROMIUM ?? BROWSERS.find(existsSync);
  if (!path) throw new Error(`none of ${BROWSERS.join(", ")} is there: install chromium, or name it in CHROMIUM`);
  return path;
}

/** Serves the built page; its address and how to end it. */
export async function serve() {
  const configFile = fileURLToPath(new URL("../vite.config.js", import.meta.url));
  const server = await preview({ configFile, preview: { port: 0, host: "127.0.0.1" }, logLevel: "warn" });
  const { port } = server.httpServer.address();
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Graphics by the processor. */
const SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Opens a browser; a page in it and how to end it. */
export async function open({ width = 960, height = 600, graphics = SOFTWARE, ...options } = {}) {
  const profile = mkdtempSync(`${tmpdir()}/playground-`);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    args: ["--no-sandbox", "--mute-audio", ...graphics],
    viewport: { width, height },
    ...options,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, context, complaints, close };
}

/** The page's own state. */
export function state(page) {
  return page.evaluate(() => window.playground?.state ?? { ready: false });
}

/** Waits until the page has drawn. */
export async function ready(page) {
  await page.waitForFunction(() => window.playground?.state.ready, null, { timeout: 60_000 });
}

/** Waits until one of the page's steps is done, such as its first picture. */
export async function happened(page, step) {
  const isThere = (name) => window.playground?.state.events.some(({ event }) => event === name);
  await page.waitForFunction(isThere, step, { timeout: 120_000, polling: 50 });
}
