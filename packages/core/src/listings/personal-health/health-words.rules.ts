import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { FOREIGN_LETTERS, foldMarks, replaceLetters } from '../../kernel/fold-letters.ts';
import { HEALTH, PERSON, RECORDS } from './health-words.data.ts';

/** What a seller says of a listing, as far as it can tell that a single person's health is for sale. */
export interface ListingWords {
  readonly title: string;
  readonly description: string;
  readonly preview: Json;
  readonly subcategory?: string | null | undefined;
  readonly contextTags?: Json | undefined;
  readonly inputSchema?: Json | undefined;
  readonly outputSchema?: Json | undefined;
  readonly exampleQuery?: Json | undefined;
  /** Of a change: its history shows it. */
  readonly reason?: string | null | undefined;
}

/**
 * The words by which a listing says that it sells the health data of a single person, in any vertical; none, if it does
 * not. They are looked for one after the other in plain text, so that the cost is in proportion to the text.
 */
export function personalHealthWords(listing: ListingWords): string[] {
  const { title, description, preview, subcategory = null, contextTags = null } = listing;
  const { inputSchema = null, outputSchema = null, exampleQuery = null, reason = null } = listing;
  const text = wordsOf([
    ...[title, description, subcategory, contextTags, preview],
    ...[inputSchema, outputSchema, exampleQuery, reason],
  ]);
  const words = new Set(text.split(' '));
  const found = (phrases: readonly string[]) =>
    phrases.filter((phrase) => hasFirstWord(words, phrase) && hasPhrase(text, phrase));
  const records = found(RECORDS);
  const health = found(HEALTH);
  const person = health.length > 0 ? found(PERSON) : [];
  return person.length > 0 ? [...records, ...health, ...person] : records;
}

/** Whether a declaration speaks of what another, which was rejected, spoke of: of health or records, not only of a person. */
export function hasCommonHealthWord(words: readonly string[], rejected: readonly string[]): boolean {
  return words.some((word) => rejected.includes(word) && !PERSON.includes(word));
}

/**
 * The words of a value and of all that it contains, folded: as they are, with those of `camelCase` apart, and with digits
 * that stand for letters replaced. In words of an alphabet of its own, letters that look Latin are replaced as well: that
 * makes no word of the lists.
 */
function wordsOf(value: Json): string {
  const text = foldMarks(JSON.stringify(value).replaceAll(/\\[nrtbf]/g, ' '));
  const apart = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const folded = replaceLetters(`${text}\n${apart}`.toLowerCase(), FOREIGN_LETTERS);
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  const readings = words.some(isDisguised)
    ? DIGITS.map((table) => words.map((word) => (isDisguised(word) ? replaceLetters(word, table) : word)))
    : [];
  return ` ${[words, ...readings].map((reading) => reading.join(' ')).join(' | ')} `;
}

/** Whether digits may stand for letters in it. */
const isDisguised = (word: string) => /\p{L}/u.test(word) && /[013457]/.test(word);

const LIKE_LETTERS = { '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't' };
/** A one looks like two letters. */
const DIGITS = [
  { ...LIKE_LETTERS, '1': 'i' },
  { ...LIKE_LETTERS, '1': 'l' },
];

/** Saves looking through the whole text for almost every phrase. */
function hasFirstWord(words: ReadonlySet<string>, phrase: string): boolean {
  const [first = ''] = phrase.split(' ', 1);
  return words.has(first) || words.has(`${first}s`);
}

/** The phrase as whole words, in the singular or the plural. */
function hasPhrase(text: string, phrase: string): boolean {
  return text.includes(` ${phrase} `) || text.includes(` ${phrase}s `);
}
