// Plays bots exported by tinhorn, in browsers and in Node, through onnxruntime-web or onnxruntime-node.

const FORMAT = "tinhorn-bot";
const FORMAT_VERSION = 1;
const CARDS = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit)).concat("Jo");
const CODES = new Map(CARDS.map((text, code) => [text, code]));

// The orders in which a hand may have to be written, by the name in a field of the manifest: words and sort keys.
const ORDERS = {
  grouped: {
    words: "most frequent rank first, then from the highest rank, suits s h d c",
    keys: (code, codes) => [-codes.filter((other) => other >> 2 === code >> 2).length, -code],
  },
  rising: { words: "from the lowest rank, suits c d h s, jokers last", keys: (code) => [code] },
};

/** A bot cannot be loaded: a file is missing, damaged or of another format. The message names the cure. */
export class BotError extends Error {
  name = "BotError";
}

/** A table, the legal actions or the uniform number do not fit. The message names the field and what it takes. */
export class ViewError extends Error {
  name = "ViewError";
}

/**
 * Load a bot.
 *
 * @param ort the module onnxruntime-web or onnxruntime-node.
 * @param source where the bundle is: the URL of its folder, or a function that gives a file's bytes by its name, as
 *     `(name) => readFile(join(folder, name))` in Node.
 * @param options `greedy`: play the likeliest action (true) or a sample (false); left out, what it was exported for.
 *     `game`: refuse a bot for another game, such as "five_card_draw_v0". `session`: options of
 *     `ort.InferenceSession.create`.
 * @throws BotError
 */
export async function loadBot(ort, source, { greedy = null, game = null, session = {} } = {}) {
  const read = typeof source === "function" ? source : (name) => download(String(source), name);
  if (!["function", "string"].includes(typeof source) && !(source instanceof URL)) {
    throw new BotError(`a bot's source is the URL of its folder, or a function that reads a file, not ${show(source)}`);
  }
  const manifest = parseManifest(await bytesOf(read, "manifest.json"), game);
  const policy = await bytesOf(read, "policy.onnx");
  await checkHash(policy, manifest.files["policy.onnx"], "policy.onnx");
  const opened = await openSession(ort, policy, session);
  return new Bot(ort, manifest, opened, greedy ?? manifest.plays === "greedy");
}

/** A loaded bot. `manifest` is the bundle's; `greedy` may be switched at any time. */
export class Bot {
  constructor(ort, manifest, session, greedy) {
    Object.assign(this, { ort, manifest, session, greedy });
    this.fields = new Map(manifest.fields.map((field) => [field.name, field]));
  }

  /**
   * One move at one table.
   *
   * @param table what the seat to act sees, by name: whole numbers, cards as "Td" or codes, null for none. A field with
   *     an `order` takes its cards in that order only, see `sorted`.
   * @param legal the ids of the legal actions, or a mask: an array of booleans, or a Uint8Array.
   * @param uniform a number of 0 to 1 that picks the action; the same number picks the same.
   * @returns `action`, its id; `move`, what that means, with the `cards` that lie at its `places` (from 0);
   *     `probabilities`, one for each id; `value`.
   * @throws ViewError
   */
  async choose(table, legal, uniform = Math.random()) {
    if (!(typeof uniform === "number" && uniform >= 0 && uniform <= 1)) {
      throw new ViewError(`uniform takes a number of 0 to 1, not ${show(uniform)}`);
    }
    const { count } = this.manifest.actions;
    const feeds = this.encode(table);
    feeds.legal = new this.ort.Tensor("uint8", maskOf(legal, count), [1, count]);
    feeds.uniform = new this.ort.Tensor("float32", Float32Array.of(uniform), [1]);
    const { probabilities, value, greedy, sampled } = await this.session.run(feeds);
    const action = (this.greedy ? greedy : sampled).data[0];
    const move = this.moveOf(action, table);
    return { action, move, probabilities: Array.from(probabilities.data), value: value.data[0] };
  }

  /** What an id means at a table: for places in a hand also the cards that lie there. */
  moveOf(action, table) {
    const { table: moves, places_of: name } = this.manifest.actions;
    const move = { ...moves[action] };
    if (name && move.places && table[name] !== undefined) {
      const codes = codesOf(this.fields.get(name), table[name], 0);
      move.cards = move.places.map((place) => cardText(codes[place]));
    }
    return move;
  }

  /** The cards of a field, texts or codes, in the order in which the field takes them; null comes last. */
  sorted(name, cards) {
    const field = this.fields.get(name);
    if (!field) throw unknownField(name, this.fields);
    const codes = codesOf(field, cards, 0);
    return (field.order ? inOrder(codes, field.order) : codes).map((code) => (code < field.low ? null : cardText(code)));
  }

  /** The inputs of the policy, int32 tensors by name, of a table. Fields that the policy does not take may be missing. */
  encode(table) {
    if (typeof table !== "object" || table === null) throw new ViewError(`a table is an object, not ${show(table)}`);
    for (const name of Object.keys(table)) {
      if (!this.fields.has(name)) throw unknownField(name, this.fields);
    }
    const feeds = {};
    for (const field of this.fields.values()) {
      const given = table[field.name] !== undefined;
      if (!given && field.input) throw new ViewError(`field "${field.name}" is missing: ${field.meaning}`);
      const codes = given ? Int32Array.from(codesOf(field, table[field.name], 0)) : null;
      if (given && field.order) checkOrder(field, Array.from(codes));
      if (field.input) feeds[field.name] = new this.ort.Tensor("int32", codes, [1, ...field.shape]);
    }
    return feeds;
  }

  /** Free the memory of the session. */
  async release() {
    await this.session.release();
  }
}

/** The text of a card code, "Td" or "Jo". */
export function cardText(code) {
  return CARDS[code];
}

function unknownField(name, fields) {
  return new ViewError(`unknown field "${name}"; the fields are: ${[...fields.keys()].join(", ")}`);
}

function inOrder(codes, order) {
  const keyed = codes.map((code) => ({ code, keys: [Number(code < 0), ...ORDERS[order].keys(code, codes)] }));
  const compare = (a, b) => a.keys.map((key, place) => key - b.keys[place]).find((difference) => difference !== 0) ?? 0;
  return keyed.sort(compare).map(({ code }) => code);
}

function checkOrder(field, codes) {
  const right = inOrder(codes, field.order);
  if (right.every((code, place) => code === codes[place])) return;
  const texts = right.map((code) => (code < field.low ? null : cardText(code)));
  throw new ViewError(`field "${field.name}" takes its cards in this order: ${show(texts)} (${ORDERS[field.order].words})`);
}

function codesOf(field, value, depth) {
  if (depth === field.shape.length) return [codeOf(field, value)];
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) throw wrongShape(field, value);
  if (value.length !== field.shape[depth]) throw wrongShape(field, value);
  return Array.from(value).flatMap((part) => codesOf(field, part, depth + 1));
}

function codeOf(field, value) {
  const lowest = field.none ? field.low - 1 : field.low;
  let code = value;
  if (value === null && field.none) code = field.low - 1;
  else if (typeof value === "boolean") code = Number(value);
  else if (field.cards && typeof value === "string") code = CODES.get(value);
  if (!Number.isInteger(code)) {
    const kind = field.cards ? 'cards like "Td"' : "whole numbers";
    throw new ViewError(`field "${field.name}" takes ${kind}${field.none ? " or null" : ""}, not ${show(value)}`);
  }
  if (code < lowest || code > field.high) {
    throw new ViewError(`field "${field.name}" takes ${lowest} to ${field.high}, not ${show(value)}`);
  }
  return code;
}

function wrongShape(field, value) {
  return new ViewError(`field "${field.name}" takes an array of shape [${field.shape.join(", ")}], not ${show(value)}`);
}

function maskOf(legal, count) {
  const mask = new Uint8Array(count);
  const list = Array.isArray(legal) || ArrayBuffer.isView(legal) ? Array.from(legal) : [NaN];
  const isMask = legal instanceof Uint8Array || (list.length > 0 && list.every((entry) => typeof entry === "boolean"));
  if (isMask && list.length === count) {
    list.forEach((entry, id) => (mask[id] = entry ? 1 : 0));
  } else {
    const ids = isMask ? [NaN] : list;
    if (!ids.every((id) => Number.isInteger(id) && id >= 0 && id < count) || new Set(ids).size < ids.length) {
      throw new ViewError(`legal takes ids of 0 to ${count - 1}, each once, or ${count} booleans, not ${show(legal)}`);
    }
    for (const id of ids) mask[id] = 1;
  }
  if (!mask.includes(1)) throw new ViewError("legal names no action: a bot is asked only when its seat is to act");
  return mask;
}

function show(value) {
  return JSON.stringify(value) ?? String(value);
}

async function openSession(ort, policy, session) {
  try {
    return await ort.InferenceSession.create(policy, session);
  } catch (error) {
    throw new BotError(`onnxruntime cannot open policy.onnx: ${error?.message ?? error}`);
  }
}

async function download(folder, name) {
  const page = globalThis.location?.href;
  if (!page && !URL.canParse(folder)) {
    const example = `(name) => readFile(${show(`${folder.replace(/\/$/, "")}/`)} + name)`;
    throw new BotError(`${show(folder)} is no URL: outside a web page give a function that reads a file, ${example}`);
  }
  const base = new URL(folder.endsWith("/") ? folder : `${folder}/`, page);
  const answer = await fetch(new URL(name, base));
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.arrayBuffer();
}

async function bytesOf(read, name) {
  try {
    return new Uint8Array(await read(name));
  } catch (error) {
    if (error instanceof BotError) throw error;
    throw new BotError(`${name} cannot be read (${error?.message ?? error}): copy the whole folder that tinhorn export wrote`);
  }
}

function parseManifest(bytes, game) {
  let manifest;
  try {
    manifest = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw damaged("manifest.json");
  }
  if (manifest?.format !== FORMAT) throw new BotError(`this is no exported bot: its format is ${show(manifest?.format)}`);
  if (manifest.format_version !== FORMAT_VERSION) {
    throw new BotError(
      `format version ${show(manifest.format_version)}, this loader reads ${FORMAT_VERSION}: take the loader of ` +
        `tinhorn ${manifest.tinhorn}, or export the bot again`,
    );
  }
  const lists = [manifest.fields, manifest.actions?.table];
  if (!manifest.files?.["policy.onnx"] || !lists.every(Array.isArray) || !manifest.game) {
    throw damaged("manifest.json");
  }
  const unknown = manifest.fields.find(({ order }) => order && !ORDERS[order]);
  if (unknown) {
    throw new BotError(`field "${unknown.name}" has the order ${show(unknown.order)}, unknown here: take the newer loader`);
  }
  const id = `${manifest.game.name}_v${manifest.game.version}`;
  if (game !== null && game !== id) throw new BotError(`this bot plays ${id}, not ${game}: export one for ${game}`);
  return manifest;
}

async function checkHash(bytes, expected, name) {
  if (!globalThis.crypto?.subtle) return; // browsers offer it on https and localhost only
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") !== expected) throw damaged(name);
}

function damaged(name) {
  return new BotError(`${name} is damaged: copy the whole folder again, or export the bot again`);
}
