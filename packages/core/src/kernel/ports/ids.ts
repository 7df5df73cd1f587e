export interface Ids {
  /** A v4 UUID. */
  uuid(): string;
  randomBytes(length: number): Uint8Array;
}
