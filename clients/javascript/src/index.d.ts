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
