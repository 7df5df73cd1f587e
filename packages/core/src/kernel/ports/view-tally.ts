/** Counts views off the request's path; they reach the database in batches, a little later. */
export interface ViewTally {
  add(listingId: string): void;
}
