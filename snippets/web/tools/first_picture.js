// How long the page takes until its first picture, each time in a fresh browser: `npm run first-picture -- [LOADS] [QUERY]`,
// such as `npm run first-picture -- 5 "?world=crowd"`.
import { happened, open, serve } from "./browser.js";

const [loads = "5", query = ""] = process.argv.slice(2);
const MARK = "playground: ";

/** When each of the page's steps is done, from the address on (s). */
async function steps(address) {
  const browser = await open();
  try {
    await browser.page.goto(address);
    await happened(browser.page, "first picture");
    if (browser.complaints.length) throw new Error(browser.complaints.join("\n"));
    const entries = await browser.page.evaluate(() => performance.getEntries().map(({ name, startTime }) => [name, startTime / 1000]));
    return entries.filter(([name]) => name === "first-contentful-paint" || name.startsWith(MARK));
  } finally {
    await browser.close();
  }
}

const server = await serve();
const times = new Map();
for (let count = 0; count < Number(loads); count++) {
  for (const [name, time] of await steps(server.address + query)) {
    times.set(name, [...(times.get(name) ?? []), time].sort((a, b) => a - b));
  }
}
await server.close();
for (const [name, all] of times) {
  const median = all[Math.floor(all.length / 2)];
  console.log(`${name.replace(MARK, "")}: ${median.toFixed(2)} s in the median, ${all[0].toFixed(2)} to ${all.at(-1).toFixed(2)} s`);
}
