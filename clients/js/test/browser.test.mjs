// The loader in a browser: headless Chromium, onnxruntime-web, everything served from this machine.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = { bots: process.env.BUNDLES, ort: join(HERE, "node_modules/onnxruntime-web/dist"), test: join(HERE, "test") };
const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }; // a finer clock
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let server, browser, page, profile;
const requests = [];
const errors = [];

before(async () => {
  server = createServer(async (request, response) => {
    const [, folder, ...rest] = new URL(request.url, "http://localhost").pathname.split("/");
    const path = folder in FOLDERS ? join(FOLDERS[folder], ...rest) : join(HERE, folder);
    try {
      const content = await readFile(path);
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", ...ISOLATED });
      response.end(content);
    } catch {
      response.writeHead(404, ISOLATED).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  profile = mkdtempSync(join(tmpdir(), "tinhorn-browser-"));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
  page = await browser.newPage();
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`http://localhost:${server.address().port}/test/page.html`);
  await page.waitForFunction(() => window.play);
});

after(async () => {
  await browser?.close();
  server?.close();
  if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

for (const game of readdirSync(process.env.BUNDLES)) {
  test(`${game} plays its golden rows in the browser`, async (t) => {
    const found = await page.evaluate((name) => window.play(name), game);
    t.diagnostic(JSON.stringify(found));
    assert.ok(found.rows >= 200);
    assert.ok(found.probability <= 1e-5);
    assert.ok(found.value <= 1e-5);
    assert.deepEqual([found.turned, found.illegal], [0, 0]);
  });
}

test("a missing bundle is said in one line", async () => {
  assert.match(await page.evaluate(() => window.missing()), /^BotError: manifest.json cannot be read \(HTTP 404\)/);
});

test("the page asks no other machine for anything, and fails nowhere", () => {
  assert.ok(requests.length > 4);
  assert.deepEqual(requests.filter((url) => !/^(http:\/\/localhost:\d+\/|blob:|data:)/.test(url)), []);
  assert.deepEqual(errors, []);
});
