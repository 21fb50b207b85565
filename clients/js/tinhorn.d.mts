// Types of tinhorn.mjs; what its functions do is said there.

/** A field of the table, as `manifest.json` describes it. */
export interface Field {
  name: string;
  shape: number[];
  low: number;
  high: number;
  none: string | null;
  cards: boolean;
  /** The order in which the cards must be written; absent or null: any. */
  order?: "grouped" | "rising" | null;
  /** How the field becomes features, in words. */
  features: string;
  /** Whether the policy takes it. */
  input: boolean;
  meaning: string;
}

/** What an id means: `{ type: "exchange", places: [0, 2] }`; places count from 0. */
export interface Meaning {
  type: string;
  places?: number[];
  cards?: string[];
  [key: string]: unknown;
}

export interface Manifest {
  format: "tinhorn-bot";
  format_version: number;
  tinhorn: string;
  game: { name: string; version: number; title: string; summary: string; players: [number, number] };
  fields: Field[];
  actions: {
    count: number;
    blocks: { name: string; start: number; size: number; meaning: string }[];
    table: Meaning[];
    /** The field whose places, from 0, the `places` of moves count. */
    places_of?: string | null;
  };
  plays?: "sampled" | "greedy";
  files: Record<string, string>;
  [key: string]: unknown;
}

export interface Move {
  /** The id of the action to play; never an illegal one. */
  action: number;
  /** What the id means, from `manifest.actions.table`; with `places`, the `cards` that lie there. */
  move: Meaning;
  /** One for each id; 0 for illegal ones. */
  probabilities: number[];
  /** What the seat expects to win, in the units of the training. */
  value: number;
}

/** A card as text or code, or null for none. */
export type Card = string | number | null;
export type Value = Card | boolean | ArrayLike<Value>;
export type Table = Record<string, Value>;
export type Read = (name: string) => Promise<ArrayBuffer | Uint8Array> | ArrayBuffer | Uint8Array;

/** A bot cannot be loaded. */
export class BotError extends Error {
  name: "BotError";
}
/** A table, the legal actions or the uniform number do not fit. */
export class ViewError extends Error {
  name: "ViewError";
}

export class Bot {
  constructor(ort: unknown, manifest: Manifest, session: unknown, greedy: boolean);
  readonly manifest: Manifest;
  readonly fields: Map<string, Field>;
  greedy: boolean;
  choose(table: Table, legal: number[] | boolean[] | Uint8Array, uniform?: number): Promise<Move>;
  /** Cards in the order in which a field takes them. */
  sorted(name: string, cards: ArrayLike<Card>): (string | null)[];
  moveOf(action: number, table: Table): Meaning;
  encode(table: Table): Record<string, unknown>;
  release(): Promise<void>;
}

export function loadBot(
  ort: unknown,
  source: string | URL | Read,
  options?: { greedy?: boolean | null; game?: string | null; session?: object },
): Promise<Bot>;

export function cardText(code: number): string;
