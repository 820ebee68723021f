export interface Parameters {
  readonly name: string;
  readonly bits: number;
  readonly hashes: number;
  readonly cohorts: number;
  readonly values: readonly string[];
  readonly f: readonly [number, number];
  readonly p: readonly [number, number];
  readonly q: readonly [number, number];
  readonly digest: Uint8Array;
  readonly digestHex: string;
}
export function readParameters(text: string): Parameters;
export function bloomBits(parameters: Parameters, value: string, cohort: number): number[];
export class RapporClient {
  constructor(parameters: Parameters, secret: Uint8Array);
  readonly parameters: Parameters;
  readonly cohort: number;
  permanent(value: string): boolean[];
  report(value: string): boolean[];
  batch(values: string[], id?: string): string;
}
export function newSecret(): Uint8Array;
export function newId(): string;
export function pack(report: boolean[]): Uint8Array;

export interface Question {
  readonly name: string;
  readonly mechanism: string;
  readonly times: readonly number[];
  readonly bits: number;
  readonly said: Readonly<Record<string, unknown>>;
}
export interface Survey {
  readonly digest: string;
  readonly epsilon: number;
  readonly days: readonly number[];
  readonly groups: readonly string[];
  readonly asks: number;
  readonly questions: readonly Question[];
}
export interface Memory {
  readonly digest: string;
  readonly began: number;
  readonly group: number;
  readonly asked: readonly number[];
  readonly kept: Readonly<Record<string, { traits: number[]; answers: Record<string, number[]> }>>;
  readonly sent: readonly { time: number; body: string }[];
}
export type Answer = number | readonly number[];
export class Chance {
  constructor(words?: { next(): number });
}
export function readSurvey(told: unknown): Survey;
export function enrolled(survey: Survey, today: number, chance?: Chance): Memory;
export function due(survey: Survey, memory: Memory, today: number): number | null;
export function questionsAt(survey: Survey, memory: Memory, time: number): number[];
export function filled(
  survey: Survey,
  memory: Memory,
  time: number,
  answers: Readonly<Record<number, Answer>>,
  options?: { chance?: Chance; id?: string },
): { reports: Record<number, (number | bigint)[]>; body: string; memory: Memory };

export interface Collection {
  readonly digest: string;
  readonly protocol: string;
  readonly epsilon: number;
  readonly questions: readonly { readonly column: string; readonly values: readonly string[] }[];
}
export function readCollection(told: unknown): Collection;
export function answered(
  collection: Collection,
  codes: readonly number[],
  options?: { chance?: Chance; id?: string },
): { reports: ((number | bigint)[] | null)[]; body: string };
export function collectionWire(collection: Collection, reports: readonly ((number | bigint)[] | null)[]): Uint8Array;
