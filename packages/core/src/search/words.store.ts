import { type SQL, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import type { Params } from '../db/query.ts';
import { documents, spellings, spellingTrigrams } from '../db/tables/search.ts';
import { conditions, isBroad, ORDER, type SearchValues, UNREACHABLE } from './conditions.store.ts';
import { type BrowseFilter, MAX_SPELLING, MIN_SPELLING, type Sort } from './search.rules.ts';

const index = sql`documents_words`;
const rowid = sql`${documents}.rowid`;
const MATCHES = sql`${index} CROSS JOIN ${documents} ON ${rowid} = ${index}.rowid`;

/** The wider search looks for so many words at most. */
const MAX_WIDE_WORDS = 6;
/** Two words are near each other if no more words stand between them. */
const NEAR_WORDS = 8;
/** Counting stops here: beyond, the exact number of matches does not matter for how they are read. */
const MANY = 5000;
/** Of the three-letter pieces of both words, the part that they share at least. */
const MIN_SIMILARITY = 0.4;
/** Shorter words have too many that differ by a letter. */
const MIN_CORRECTED = 5;
/** In a word of so many letters there may be more than one slip. */
const LONG = 9;
/** As JSON: the places of letters in the longest word. */
const POSITIONS = JSON.stringify(Array.from({ length: MAX_SPELLING }, (_, n) => n + 1));

/** Of the best rows so many are put in turns, each with at most `MAX_OF_SELLER` rows of a seller. */
const WINDOW = 100;
const MAX_OF_SELLER = 3;

const quoted = (word: SQL) => sql`'"' || ${word} || '"'`;
const isMatch = (expression: SQL) => sql`${index} MATCH ${expression}`;
const hasMatch = (expression: SQL) => sql`EXISTS (SELECT 1 FROM ${index} WHERE ${isMatch(expression)})`;
const countUpTo = (expression: SQL) =>
  sql`(SELECT COUNT(*) FROM (SELECT 1 FROM ${index} WHERE ${isMatch(expression)} LIMIT ${MANY}))`;

/** The pieces of a word, a space before and after it included. */
const trigramsOf = (word: SQL) =>
  sql`SELECT substr(' ' || ${word} || ' ', position.value, 3)
    FROM json_each(${POSITIONS}) AS position
    WHERE position.value <= length(${word})`;

/** How many letters two words have in common from their first on, or from their last. */
const commonLetters = (one: SQL, other: SQL, end: 'first' | 'last') => {
  const start = end === 'first' ? sql`1` : sql`-position.value`;
  return sql`(SELECT COUNT(*) FROM json_each(${POSITIONS}) AS position
    WHERE position.value <= MIN(length(${one}), length(${other}))
      AND substr(${one}, ${start}, position.value) = substr(${other}, ${start}, position.value))`;
};

/**
 * The known word that shares most pieces with this one, if it may be what was meant: with the same first letter, and one
 * letter more, less or other; of long words up to three in a row. A word that differs more is another word, and not a slip.
 */
const nearestTo = (word: SQL) => sql`(SELECT near.word FROM (
    SELECT ${spellingTrigrams.word} AS word, COUNT(*) * 2.0 / (length(${spellingTrigrams.word}) + length(${word})) AS similarity
    FROM ${spellingTrigrams} WHERE ${spellingTrigrams.trigram} IN (${trigramsOf(word)}) GROUP BY 1
  ) AS near WHERE length(${word}) >= ${MIN_CORRECTED} AND near.similarity >= ${MIN_SIMILARITY}
    AND substr(near.word, 1, 1) = substr(${word}, 1, 1)
    AND ${commonLetters(sql`near.word`, word, 'first')} + ${commonLetters(sql`near.word`, word, 'last')}
      >= MAX(length(near.word), length(${word})) - iif(length(${word}) >= ${LONG}, 3, 1)
  ORDER BY near.similarity DESC, near.word LIMIT 1)`;

/**
 * What is looked for. Rows whose title or description holds every word, if there are any. If there are none, words that
 * no document has are replaced by the nearest known ones. If there still are none, any of at most six words, the rarest,
 * in any column. What is not needed is not run: SQLite runs a subquery when its value is first used.
 */
export function planOf(p: Params<SearchValues>, filter: BrowseFilter): SQL {
  const where = conditions(p, filter);
  const isFound = (expression: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${MATCHES} WHERE ${isMatch(expression)} AND ${where})`;
  const typedWord = quoted(sql`(value ->> 'word')`);
  return sql`WITH typed AS MATERIALIZED (SELECT ${isFound(sql`${p.match}`)} AS is_found),
known AS MATERIALIZED (
  SELECT key AS position, value ->> 'word' AS word, value ->> 'plain' AS plain, value -> 'swapped' AS swapped, value ->> 'isCommon' AS is_common, CASE
      WHEN NOT (SELECT is_found FROM typed) AND ${hasMatch(typedWord)} THEN ${typedWord}
      WHEN (SELECT is_found FROM typed) OR value ->> 'isLast' AND ${hasMatch(sql`${typedWord} || '*'`)}
        THEN ${typedWord} || iif(value ->> 'isLast', '*', '')
    END AS term
  FROM json_each(${p.words})
),
spelled AS MATERIALIZED (
  SELECT position, word, is_common, term, CASE
      WHEN term IS NULL AND length(plain) BETWEEN ${MIN_SPELLING} AND ${MAX_SPELLING} AND plain NOT GLOB '*[0-9]*'
      THEN COALESCE(
        (SELECT spellings.word FROM ${spellings} WHERE spellings.word IN (SELECT value FROM json_each(known.swapped)) ORDER BY 1 LIMIT 1),
        ${nearestTo(sql`known.plain`)})
    END AS nearest
  FROM known
),
terms AS MATERIALIZED (SELECT position, is_common, COALESCE(term, ${quoted(sql`nearest`)}) AS term FROM spelled),
every_word AS MATERIALIZED (
  SELECT ${p.match} AS expression WHERE (SELECT is_found FROM typed)
  UNION ALL SELECT expression FROM (
    SELECT '{title description} : (' || group_concat(term, ' AND ') || ')' AS expression, COUNT(*) AS words, COUNT(term) AS known
    FROM terms WHERE EXISTS (SELECT 1 FROM spelled WHERE nearest IS NOT NULL)
  ) AS corrected WHERE words > 0 AND words = known AND ${isFound(sql`corrected.expression`)}
),
picked AS MATERIALIZED (
  SELECT term, row_number() OVER (ORDER BY position) AS place FROM (
    SELECT term, MIN(position) AS position FROM terms
    WHERE term IS NOT NULL AND is_common = (SELECT MIN(is_common) FROM terms)
    GROUP BY term
    ORDER BY CASE WHEN (SELECT COUNT(*) FROM terms) > ${MAX_WIDE_WORDS} THEN ${countUpTo(sql`terms.term`)} END
    LIMIT ${MAX_WIDE_WORDS}
  )
),
wide AS MATERIALIZED (SELECT group_concat(term, ' OR ') AS expression FROM picked),
chosen AS MATERIALIZED (
  SELECT COALESCE((SELECT expression FROM every_word), (SELECT expression FROM wide), '""') AS expression,
    EXISTS (SELECT 1 FROM every_word) AS has_every_word
),
in_title AS MATERIALIZED (
  SELECT COALESCE((SELECT replace(expression, '{title description}', '{title}') FROM every_word), '""') AS expression
),
ranked AS MATERIALIZED (
  SELECT COALESCE((SELECT '(' || expression || ') AND ' FROM every_word), '') || COALESCE('(' || (SELECT expression FROM wide)
    || COALESCE(' OR ' || (
      SELECT group_concat('NEAR(' || one.term || ' ' || other.term || ', ${sql.raw(String(NEAR_WORDS))})', ' OR ')
      FROM picked AS one JOIN picked AS other ON other.place IN (one.place + 1, one.place + 2)
    ), '') || ')', '""') AS expression
)`;
}

/**
 * One page of documents for a text, their exact number, and how they were found, in one statement. Rows with every word
 * come in the order that was chosen, others by relevance. The first row has no summary: it tells the total.
 */
export function searchQuery(p: Params<SearchValues>, filter: BrowseFilter, sort: Sort) {
  return build
    .select({
      summary: sql<string | null>`summary`,
      total: sql<number>`total`,
      hasEveryWord: sql<number>`has_every_word`,
      corrections: sql<string>`corrections`,
    })
    .from(sql`(
${planOf(p, filter)}
SELECT NULL AS summary, (${totalQuery(p, filter)}) AS total, has_every_word,
  (SELECT json_group_object(word, nearest) FROM spelled WHERE nearest IS NOT NULL) AS corrections FROM chosen
UNION ALL SELECT summary, NULL, NULL, NULL FROM (${pageQuery(p, filter, sort)}))`);
}

const CHOSEN = isMatch(sql`(SELECT expression FROM chosen)`);
/** The same rows. Words that stand near each other, as in the question, count twice. */
const RANKED = isMatch(sql`(SELECT expression FROM ranked)`);
/** Rows whose title alone has every word. */
const ENTITLED = sql`${index}.rowid IN (SELECT rowid FROM ${index} WHERE ${isMatch(sql`(SELECT expression FROM in_title)`)})`;
/**
 * The best is the least. A title with every word comes before any repetition in a description: there the description
 * adds nothing, or whoever says a word a thousand times would be first for it.
 */
const RELEVANCE = sql`iif(${ENTITLED}, -1000 + bm25(${index}, 8.0, 0.0, 4.0, 2.0), rank)`;

/** Words alone are counted in their index, without reading documents but those few that are left out. */
function totalQuery(p: Params<SearchValues>, filter: BrowseFilter): SQL {
  return isBroad(filter)
    ? sql`SELECT COUNT(*) FROM ${index} WHERE ${CHOSEN} AND ${isNotLeftOut(p, filter)}`
    : sql`SELECT COUNT(*) FROM ${matchesOf(p, filter)}`;
}

/** All documents that match, and the conditions on them. */
export function matchesOf(p: Params<SearchValues>, filter: BrowseFilter): SQL {
  return sql`${MATCHES} WHERE ${CHOSEN} AND ${conditions(p, filter)}`;
}

function isNotLeftOut(p: Params<SearchValues>, { samples, exceptVertical }: BrowseFilter): SQL {
  const leftOut: SQL[] = [UNREACHABLE];
  if (exceptVertical !== undefined)
    leftOut.push(sql`SELECT rowid FROM ${documents} WHERE ${documents.verticalSlug} = ${p.exceptVertical}`);
  if (samples === 'exclude')
    leftOut.push(sql`SELECT rowid FROM ${documents} WHERE ${documents.isSample} = 1`);
  return sql`+rowid NOT IN (${sql.join(leftOut, sql` UNION ALL `)})`;
}

/**
 * By relevance, the sellers of the best hundred rows take turns of three rows, so that nobody fills a page by giving many
 * listings the same words. Rows with every word in another order are read in one of two ways. With many matches, their rowids make a set, and the index of the
 * sort order is walked until the page is full. With few, they are fetched and sorted. A walk passes about
 * `page * documents / matches` entries, and fetching a match takes as long as 25 of them: there the costs are equal.
 */
function pageQuery(p: Params<SearchValues>, filter: BrowseFilter, sort: Sort): SQL {
  const where = conditions(p, filter);
  const best = isBroad(filter)
    ? sql`SELECT rowid AS id, ${RELEVANCE} AS relevance FROM ${index} WHERE ${RANKED} AND ${isNotLeftOut(p, filter)}`
    : sql`SELECT ${rowid} AS id, ${RELEVANCE} AS relevance FROM ${MATCHES} WHERE ${RANKED} AND ${where}`;
  // A page beyond the window is read by itself: what is in the window is not moved out of it.
  const isInWindow = sql`${p.offset} < ${WINDOW}`;
  const byRelevance = (isRead: SQL) => sql`SELECT summary FROM (
    SELECT summary, place, iif(place <= ${WINDOW}, (row_number() OVER (PARTITION BY summary ->> '$.sellerId' ORDER BY place) - 1)
      / ${MAX_OF_SELLER}, ${WINDOW}) AS turn
    FROM (
      SELECT id, row_number() OVER (ORDER BY relevance, id DESC) + iif(${isInWindow}, 0, ${WINDOW}) AS place FROM (
        ${best} ORDER BY relevance, id DESC
        LIMIT iif(${isRead}, iif(${isInWindow}, MAX(${WINDOW}, ${p.offset} + ${p.limit}), ${p.limit}), 0)
        OFFSET iif(${isInWindow}, 0, ${p.offset})
      )
    ) AS best CROSS JOIN ${documents} ON ${rowid} = best.id
  ) ORDER BY turn, place LIMIT ${p.limit} OFFSET iif(${isInWindow}, ${p.offset}, 0)`;
  if (sort === 'relevance') return byRelevance(sql`1`);
  const orderBy = sql.join([...ORDER[sort]], sql`, `);
  const limitIf = (way: 'walk' | 'fetch' | 'rank') =>
    sql`(SELECT CASE WHEN way = ${way} THEN ${p.limit} ELSE 0 END FROM ways)`;
  // A UNION ALL of pages, each with an order of its own, which the builder cannot write.
  return sql`WITH ways AS MATERIALIZED (
    SELECT CASE WHEN NOT has_every_word THEN 'rank'
      WHEN found * found * 25 > (${p.limit} + ${p.offset}) * (SELECT MAX(rowid) FROM ${documents}) THEN 'walk'
      ELSE 'fetch' END AS way
    FROM (SELECT has_every_word, CASE WHEN has_every_word THEN ${countUpTo(sql`chosen.expression`)} END AS found FROM chosen)
  )
  SELECT summary FROM (SELECT summary FROM ${documents}
    WHERE +${rowid} IN (SELECT rowid FROM ${index} WHERE ${CHOSEN}) AND ${where} ORDER BY ${orderBy}
    LIMIT ${limitIf('walk')} OFFSET ${p.offset})
  UNION ALL SELECT summary FROM (SELECT summary FROM ${MATCHES} WHERE ${CHOSEN} AND ${where} ORDER BY ${orderBy}
    LIMIT ${limitIf('fetch')} OFFSET ${p.offset})
  UNION ALL SELECT summary FROM (${byRelevance(sql`(SELECT way = 'rank' FROM ways)`)})`;
}
