/** A field of the table, as `manifest.json` describes it. */
export interface Field {
  name: string;
  shape: number[];
  low: number;
  high: number;
  none: string | null;
  cards: boolean;
  input: boolean;
  meaning: string;
}

export interface Manifest {
  game: { name: string; version: number; title: string; summary: string; players: [number, number] };
  fields: Field[];
  actions: {
    count: number;
    blocks: { name: string; start: number; size: number; meaning: string }[];
    table: Record<string, unknown>[];
  };
  [key: string]: unknown;
}

export interface Move {
  /** The id of the action to play; never an illegal one. */
  action: number;
  /** What the id means, from `manifest.actions.table`. */
  move: Record<string, unknown>;
  /** One for each id; 0 for illegal ones. */
  probabilities: number[];
  /** What the seat expects to win, in the units of the training. */
  value: number;
}

export type Table = Record<string, unknown>;
export type Read = (name: string) => Promise<ArrayBuffer | Uint8Array> | ArrayBuffer | Uint8Array;

export class BotError extends Error {}
export class ViewError extends Error {}

export class Bot {
  readonly manifest: Manifest;
  greedy: boolean;
  choose(table: Table, legal: number[] | boolean[] | Uint8Array, uniform?: number): Promise<Move>;
  encode(table: Table): Record<string, unknown>;
  release(): Promise<void>;
}

export function loadBot(
  ort: unknown,
  source: string | Read,
  options?: { greedy?: boolean; game?: string | null; session?: object },
): Promise<Bot>;

export function cardText(code: number): string;
