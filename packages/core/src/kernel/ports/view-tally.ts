/** Counts views in memory and writes them in batches after the response. */
export interface ViewTally {
  add(listingId: string): void;
}
