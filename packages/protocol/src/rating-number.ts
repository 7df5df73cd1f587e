/**
 * What is signed of the number of a rating, and logged: that the listing had so many ratings. It says nothing else, so that
 * whoever knows the digest of the first entry of the listing's history finds each number in the log, and nobody else does.
 */
export const ratingNumber = (listing: string, number: number) => ({
  listing,
  number,
  type: 'rating_number' as const,
});
