/** Collects ids in memory and writes what they count in batches, after the response. */
export interface IdTally {
  add(id: string): void;
}
