// The loader in Node, on both runtimes. BUNDLES is a folder with an exported bot for each game.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";

import * as ortNode from "onnxruntime-node";
import * as ortWeb from "onnxruntime-web";

import { Bot, BotError, ViewError, cardText, loadBot } from "../tinhorn.mjs";
import { latency, playGolden } from "./golden.mjs";

const BUNDLES = process.env.BUNDLES;
const GAMES = readdirSync(BUNDLES);
const RUNTIMES = { "onnxruntime-node": ortNode, "onnxruntime-web": ortWeb };
ortWeb.env.wasm.numThreads = 1;

const reader = (game, changes = {}) => (name) => {
  if (changes[name] instanceof Error) throw changes[name];
  return changes[name] ?? readFile(join(BUNDLES, game, name));
};
const json = (game, name) => JSON.parse(readFileSync(join(BUNDLES, game, name), "utf-8"));
const encoded = (value) => new TextEncoder().encode(JSON.stringify(value));

for (const game of GAMES) {
  for (const [runtime, ort] of Object.entries(RUNTIMES)) {
    test(`${game} plays its golden rows on ${runtime}`, async (t) => {
      const bot = await loadBot(ort, reader(game), { session: { intraOpNumThreads: 1 } });
      const golden = json(game, "golden.json");
      const found = await playGolden(bot, golden);
      t.diagnostic(`${JSON.stringify(found)}, ${await latency(bot, golden)}`);
      assert.ok(found.rows >= 200);
      assert.ok(found.probability <= 1e-5);
      assert.ok(found.value <= 1e-5);
      assert.deepEqual([found.turned, found.illegal], [0, 0]);
      await bot.release();
    });
  }
}

// What follows needs no other runtime than one that records what it was asked.
class Tensor {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
}
const session = {
  run: async (feeds) => {
    session.feeds = feeds;
    const legal = feeds.legal.data;
    return {
      probabilities: { data: Float32Array.from(legal) },
      value: { data: Float32Array.of(0.5) },
      greedy: { data: Int32Array.of(legal.indexOf(1)) },
      sampled: { data: Int32Array.of(legal.lastIndexOf(1)) },
    };
  },
};
const FIELDS = [
  { name: "players", shape: [], low: 2, high: 6, none: null, cards: false, input: true, meaning: "Players." },
  { name: "hand", shape: [2], low: 0, high: 52, none: "not dealt", cards: true, input: true, meaning: "Cards." },
  { name: "best", shape: [5], low: 0, high: 51, none: "none", cards: true, order: "grouped", input: false, meaning: "Best." },
  { name: "held", shape: [4], low: 0, high: 52, none: "none", cards: true, order: "rising", input: false, meaning: "Held." },
  { name: "shown", shape: [2, 2], low: 0, high: 9, none: null, cards: false, input: false, meaning: "Shown." },
];
const MOVES = [{ type: "call" }, { type: "exchange", places: [0, 3] }, { type: "fold" }];
const standIn = () => new Bot({ Tensor }, { fields: FIELDS, actions: { count: 3, table: MOVES, places_of: "best" } }, session, false);
const TABLE = { players: 3, hand: ["Td", null] };

test("a table becomes int32 tensors by name", async () => {
  assert.deepEqual(await standIn().choose(TABLE, [0, 2], 0.25), {
    action: 2,
    move: { type: "fold" },
    probabilities: [1, 0, 1],
    value: 0.5,
  });
  const { players, hand, legal, uniform, ...rest } = session.feeds;
  assert.deepEqual(players, new Tensor("int32", Int32Array.of(3), [1]));
  assert.deepEqual(hand, new Tensor("int32", Int32Array.of(33, -1), [1, 2]));
  assert.deepEqual(legal, new Tensor("uint8", Uint8Array.of(1, 0, 1), [1, 3]));
  assert.deepEqual(uniform, new Tensor("float32", Float32Array.of(0.25), [1]));
  assert.deepEqual(rest, {});
  await standIn().choose({ players: 2, hand: [52, "As"], shown: [[0, 1], [2, 3]] }, [true, false, false]);
  assert.deepEqual(session.feeds.hand.data, Int32Array.of(52, 51));
  assert.deepEqual(session.feeds.legal.data, Uint8Array.of(1, 0, 0));
  await standIn().choose({ players: 2, hand: Int8Array.of(0, 1) }, Uint8Array.of(0, 1, 1));
  assert.deepEqual(session.feeds.legal.data, Uint8Array.of(0, 1, 1));
  assert.deepEqual([0, 51, 52].map(cardText), ["2c", "As", "Jo"]);
});

test("a greedy bot plays the likeliest action", async () => {
  const bot = standIn();
  bot.greedy = true;
  assert.equal((await bot.choose(TABLE, [1, 2])).action, 1);
});

const WRONG = {
  "a field is missing": [{ players: 3 }, [0], /"hand" is missing: Cards/],
  "a field is unknown": [{ ...TABLE, joker: 1 }, [0], /unknown field "joker"; the fields are: players, hand, best, held, shown/],
  "a number is too great": [{ ...TABLE, players: 7 }, [0], /"players" takes 2 to 6, not 7/],
  "a number is too small": [{ ...TABLE, hand: [-2, 0] }, [0], /"hand" takes -1 to 52, not -2/],
  "a number is not whole": [{ ...TABLE, players: 2.5 }, [0], /"players" takes whole numbers, not 2.5/],
  "null where there is always a number": [{ ...TABLE, players: null }, [0], /"players" takes whole numbers, not null/],
  "no such card": [{ ...TABLE, hand: ["10d", "As"] }, [0], /"hand" takes cards like "Td" or null, not "10d"/],
  "too few cards": [{ ...TABLE, hand: ["As"] }, [0], /"hand" takes an array of shape \[2\]/],
  "a field that the policy does not take is wrong": [{ ...TABLE, shown: [1, 2] }, [0], /"shown".* shape \[2, 2\]/],
  "a hand that begins with a single card": [
    { ...TABLE, best: ["Ah", "9c", "9d", "2c", null] },
    [0],
    /^ViewError: field "best" takes its cards in this order: \["9d","9c","Ah","2c",null\] \(most frequent rank first/,
  ],
  "suits the other way round": [{ ...TABLE, best: ["9c", "9d", "Ah", "Kh", "2c"] }, [0], /order: \["9d","9c","Ah"/],
  "cards by code, out of order": [{ ...TABLE, best: [0, 51, 47, 43, 39] }, [0], /order: \["As","Ks","Qs","Js","2c"\]/],
  "a joker that is not the last": [{ ...TABLE, held: ["Jo", "2c", "2d", null] }, [0], /order: \["2c","2d","Jo",null\]/],
  "a list where one number stands": [{ ...TABLE, players: [3] }, [0], /"players" takes whole numbers, not \[3\]/],
  "one number where a list stands": [{ ...TABLE, hand: 3 }, [0], /"hand" takes an array of shape \[2\], not 3/],
  "no table": [null, [0], /a table is an object/],
  "no legal action": [TABLE, [], /legal names no action/],
  "no legal action in the mask": [TABLE, [false, false, false], /legal names no action/],
  "an id that is none": [TABLE, [3], /legal takes ids of 0 to 2/],
  "a mask of integers": [TABLE, [1, 0, 1], /each once, or 3 booleans/],
  "a mask of another game": [TABLE, Uint8Array.of(1, 1), /each once, or 3 booleans/],
  "legal is no list": [TABLE, "all", /legal takes ids/],
};
for (const [what, [table, legal, message]] of Object.entries(WRONG)) {
  test(`refused: ${what}`, () => assert.rejects(standIn().choose(table, legal, 0.5), (error) => message.test(String(error))));
}
test("places are answered with the cards that lie there", async () => {
  const best = ["9d", "9c", "Ah", "2c", null];
  const { move } = await standIn().choose({ ...TABLE, best }, [1]);
  assert.deepEqual(move, { type: "exchange", places: [0, 3], cards: ["9d", "2c"] });
  assert.deepEqual(MOVES[1], { type: "exchange", places: [0, 3] });
  const old = new Bot({ Tensor }, { fields: FIELDS, actions: { count: 3, table: MOVES } }, session, false);
  assert.deepEqual((await old.choose(TABLE, [1])).move, MOVES[1]);
});

test("cards can be brought into the order of a field", () => {
  const bot = standIn();
  assert.deepEqual(bot.sorted("best", ["2c", "Ah", "9c", "9d", "As"]), ["As", "Ah", "9d", "9c", "2c"]);
  assert.deepEqual(bot.sorted("best", [null, "2c", null, 51, "2d"]), ["2d", "2c", "As", null, null]);
  assert.deepEqual(bot.sorted("held", ["Jo", "As", null, "2d"]), ["2d", "As", "Jo", null]);
  assert.deepEqual(bot.sorted("hand", ["As", "2c"]), ["As", "2c"]);
  assert.throws(() => bot.sorted("fist", []), { name: "ViewError", message: /unknown field "fist"/ });
});

test("errors about tables are ViewErrors", async () => {
  await assert.rejects(standIn().choose({}, [0]), (error) => error instanceof ViewError && error.name === "ViewError");
  for (const uniform of [-0.1, 1.1, NaN, "0.5"]) {
    await assert.rejects(standIn().choose(TABLE, [0], uniform), /uniform takes a number of 0 to 1/);
  }
});

test("a bundle that will not do is refused", async () => {
  const game = GAMES[0];
  const manifest = json(game, "manifest.json");
  const policy = readFileSync(join(BUNDLES, game, "policy.onnx"));
  const flipped = Uint8Array.from(policy, (byte, place) => (place === 5000 ? byte ^ 1 : byte));
  const broken = [
    [{ "policy.onnx": flipped }, /policy.onnx is damaged/],
    [{ "policy.onnx": policy.subarray(0, 1000) }, /policy.onnx is damaged/],
    [{ "manifest.json": encoded(manifest).subarray(0, 300) }, /manifest.json is damaged/],
    [{ "manifest.json": encoded({ ...manifest, files: {} }) }, /manifest.json is damaged/],
    [{ "manifest.json": encoded({ ...manifest, fields: {} }) }, /manifest.json is damaged/],
    [{ "manifest.json": encoded({ ...manifest, actions: {} }) }, /manifest.json is damaged/],
    [{ "manifest.json": encoded({ ...manifest, game: undefined }) }, /manifest.json is damaged/],
    [{ "manifest.json": encoded(null) }, /no exported bot: its format is undefined/],
    [{ "manifest.json": encoded({ ...manifest, fields: [{ name: "hand", order: "odd" }] }) }, /"hand" has the order "odd"/],
    [{ "manifest.json": new Error("ENOENT") }, /manifest.json cannot be read \(ENOENT\): copy the whole folder/],
    [{ "manifest.json": encoded({ ...manifest, format: "zip" }) }, /no exported bot/],
    [{ "manifest.json": encoded({ ...manifest, format_version: 2 }) }, /format version 2.*export the bot again/],
    [{ "policy.onnx": new Error("HTTP 404") }, /policy.onnx cannot be read \(HTTP 404\)/],
  ];
  for (const [changes, message] of broken) {
    await assert.rejects(loadBot(ortWeb, reader(game, changes)), (error) => {
      assert.ok(error instanceof BotError);
      assert.equal(error.name, "BotError");
      assert.match(error.message, message);
      return true;
    });
  }
  const other = { game: "other_v0" };
  await assert.rejects(loadBot(ortWeb, reader(game), other), { name: "BotError", message: /plays .*, not other_v0/ });
  const closed = { InferenceSession: { create: () => Promise.reject(new Error("no memory")) } };
  const unopened = { name: "BotError", message: "onnxruntime cannot open policy.onnx: no memory" };
  await assert.rejects(loadBot(closed, reader(game)), unopened);
  for (const source of [undefined, null, 5, {}]) {
    await assert.rejects(loadBot(ortWeb, source), { name: "BotError", message: /source is the URL of its folder/ });
  }
  await assert.rejects(loadBot(ortWeb, "no/base"), { name: "BotError", message: /"no\/base" is no URL: outside a web page give a function .*"no\/base\/"/ });
  const nowhere = { name: "BotError", message: /manifest.json cannot be read/ };
  await assert.rejects(loadBot(ortWeb, new URL("file:///nowhere/")), nowhere);
});

test("many decisions may be asked at once", async () => {
  for (const ort of Object.values(RUNTIMES)) {
    const bot = await loadBot(ort, reader(GAMES[0]));
    const { rows } = json(GAMES[0], "golden.json");
    const answers = await Promise.all(rows.map((row) => bot.choose(row.table, row.legal, row.uniform)));
    assert.deepEqual(answers.map(({ action }) => action), rows.map(({ sampled }) => sampled));
  }
});
