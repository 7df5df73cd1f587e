const MAX_WORDS = 16;

/**
 * An FTS5 expression for what a person or agent typed: every word must occur, the last one as a prefix.
 * Each word is quoted, so that no text is taken for query syntax. Null if there is no word in it.
 */
export function matchExpression(text: string): string | null {
  const words = text
    .normalize('NFKC')
    .match(/[\p{L}\p{N}\p{M}]+/gu)
    ?.slice(0, MAX_WORDS);
  if (!words) return null;
  return `${words.map((word) => `"${word}"`).join(' ')}*`;
}

export type Sort = 'recent' | 'popular' | 'price_asc' | 'price_desc' | 'quality' | 'trust';

/** What of the catalogue is asked for (clause: GET /marketplace/listings). */
export interface BrowseFilter {
  readonly match: string | null;
  readonly category?: string | undefined;
  readonly vertical?: string | undefined;
  readonly exceptVertical?: string | undefined;
  /** Only together with a vertical. */
  readonly subcategory?: string | undefined;
  readonly type?: string | undefined;
  readonly minRating?: number | undefined;
  readonly samples: 'exclude' | 'include' | 'only';
  readonly price: 'all' | 'paid' | 'free';
}
