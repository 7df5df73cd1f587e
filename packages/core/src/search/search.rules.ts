const MAX_WORDS = 16;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** English words that say nothing of what is looked for. The wider search passes them over. */
const COMMON_WORDS = new Set(
  (
    'a about all also am an and any are as at be by can could did do does for from had has have how i if in into is it ' +
    'its just like many may me more most much my near need no not of on one or our out please shall should so some ' +
    'someone something such than that the their them there these they this those to up us was we were what when where ' +
    'which who whose why will with would you your want find get give show tell looking list'
  ).split(' '),
);

export interface SearchWord {
  readonly word: string;
  /** Lower case and without accents, as the index compares words. */
  readonly plain: string;
  /** The same with two letters that stand side by side in each other's place. */
  readonly swapped: readonly string[];
  readonly isCommon: boolean;
  /** It may be cut short. */
  readonly isLast: boolean;
}

/** The words of a search text, those of the query syntax included: they are quoted where they are searched. */
export function wordsOf(text: string): SearchWord[] {
  const words = text.normalize('NFKC').match(WORD)?.slice(0, MAX_WORDS) ?? [];
  return words.map((word, at) => ({
    word,
    plain: plain(word),
    swapped: swapsOf(plain(word)),
    isCommon: COMMON_WORDS.has(word.toLowerCase()),
    isLast: at === words.length - 1,
  }));
}

/**
 * The FTS5 expression for rows whose title or description holds every word, the last one as a prefix. Each word is
 * quoted, so that no text is read as query syntax. Null if there is no word in the text.
 */
export function matchExpression(text: string): string | null {
  const words = wordsOf(text);
  if (words.length === 0) return null;
  return `{title description} : (${words.map(({ word }) => `"${word}"`).join(' AND ')}*)`;
}

/** The commonest slip of all leaves a word few three-letter pieces in common with what was meant. */
function swapsOf(word: string): string[] {
  if (word.length < MIN_SPELLING || word.length > MAX_SPELLING) return [];
  const letters = [...word];
  return letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at], ...letters.slice(at + 2)].join(''));
}

/** The text with its misspelt words replaced. */
export function correctText(text: string, corrections: Readonly<Record<string, string>>): string {
  return text
    .normalize('NFKC')
    .replaceAll(WORD, (word) => (Object.hasOwn(corrections, word) ? (corrections[word] ?? word) : word));
}

export const MIN_SPELLING = 4;
export const MAX_SPELLING = 24;
/** The start of a description says what is sold; more would fill the list of words with rare ones. */
const DESCRIPTION_CHARACTERS = 500;

/** The words that a misspelt one may stand for, lower case and without accents, in order. */
export function spellingsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap(
    (text) => plain(text.slice(0, DESCRIPTION_CHARACTERS)).match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  const isSpelling = (word: string) =>
    /^\p{L}+$/u.test(word) && word.length >= MIN_SPELLING && word.length <= MAX_SPELLING;
  return [...new Set(words.filter(isSpelling))].sort();
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export type Sort = 'recent' | 'popular' | 'price_asc' | 'price_desc' | 'quality' | 'trust' | 'relevance';

/** Which listings to show (clause: GET /marketplace/listings). */
export interface BrowseFilter {
  /** The text that is searched for; null: none. */
  readonly words: string | null;
  readonly category?: string | undefined;
  readonly vertical?: string | undefined;
  readonly exceptVertical?: string | undefined;
  /** Only together with a vertical. */
  readonly subcategory?: string | undefined;
  readonly type?: string | undefined;
  readonly minRating?: number | undefined;
  /** Of the measured deliveries: listings that are not measured are left out. */
  readonly minSuccess?: number | undefined;
  readonly maxLatencyMs?: number | undefined;
  readonly samples: 'exclude' | 'include' | 'only';
  /** Listings whose sellers' endpoints answer no probe. */
  readonly unreachable: 'exclude' | 'include' | 'only';
  readonly price: 'all' | 'paid' | 'free';
}
