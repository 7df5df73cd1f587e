import { flagIn, numberIn, rounded, textIn } from '../query.ts';
import { cents, decimal, flag, list, object, oneOf, text, whole } from '../schema.ts';
import { atMost, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

const HOURLY_CENTS = 4500;
const MINIMUM_HOURS = 1;

const general = referenceAnswer({
  id: '19184faf-d1ba-4a6d-80dc-d80a8d62767a',
  vertical: 'services-general',
  title: 'Bookkeeping help by the hour, with a fixed quote',
  description:
    'A quote for bookkeeping help: give the number of vouchers and whether it is urgent, and get hours, price and ' +
    'days. The rates are examples and nobody stands behind them. A real listing says what is included, by when it ' +
    'is done, and what happens if it is not.',
  example: { vouchers: 120, urgent: false },
  input: {
    vouchers: whole('Vouchers to enter.', { minimum: 1, maximum: 10_000 }),
    urgent: flag('Finish in half the time, at one and a half times the price.'),
  },
  required: ['vouchers'],
  output: {
    hours: decimal('Working hours, in quarters.'),
    priceCents: cents('Total price'),
    workingDays: whole('Working days until done.', { minimum: 1 }),
    includes: list(text('Item.'), 'What is included.'),
  },
  answer(query) {
    const urgent = flagIn(query, 'urgent');
    const hours = Math.max(MINIMUM_HOURS, Math.ceil((numberIn(query, 'vouchers', 1) / 30) * 4) / 4);
    return {
      hours,
      priceCents: Math.round(hours * HOURLY_CENTS * (urgent ? 1.5 : 1)),
      workingDays: Math.max(1, Math.ceil(hours / (urgent ? 6 : 3))),
      includes: ['entry of all vouchers', 'list of open questions', 'one round of corrections'],
    };
  },
});

const CENTS_PER_LINE: Readonly<Record<string, number>> = { typescript: 4, python: 4, rust: 6, solidity: 15 };

const software = referenceAnswer({
  id: '9e4aaa6d-f9f3-4d2b-9806-1cb70059f829',
  vertical: 'software-development',
  title: 'Code review of a change, quoted by its size',
  description:
    'A quote for reviewing a change: give language, changed lines and depth, and get price, hours until delivery, and ' +
    'what the report will hold. The rates are examples. A real listing also says who sees the code and when it is deleted.',
  example: { language: 'typescript', changedLines: 400, depth: 'security' },
  input: {
    language: oneOf('Language of the change.', ...Object.keys(CENTS_PER_LINE)),
    changedLines: whole('Lines added or changed.', { minimum: 1, maximum: 20_000 }),
    depth: oneOf('How deep.', 'standard', 'security'),
  },
  required: ['language', 'changedLines'],
  output: {
    priceCents: cents('Price'),
    deliveryHours: whole('Hours until the report.', { minimum: 1 }),
    reportSections: list(text('Section.'), 'What the report holds.'),
  },
  answer(query) {
    const rate = CENTS_PER_LINE[textIn(query, 'language', '')];
    if (rate === undefined) return null;
    const security = textIn(query, 'depth', 'standard') === 'security';
    const lines = numberIn(query, 'changedLines', 1);
    const sections = ['summary', 'defects by severity', 'tests that are missing', 'suggested changes'];
    return {
      priceCents: Math.max(1500, lines * rate * (security ? 2 : 1)),
      deliveryHours: 4 + Math.ceil(lines / (security ? 150 : 300)),
      reportSections: security ? [...sections, 'threats considered', 'dependencies'] : sections,
    };
  },
});

const PAIRS: Readonly<Record<string, number>> = {
  'en-de': 9,
  'de-en': 9,
  'en-fr': 9,
  'en-ja': 14,
  'ja-en': 13,
};

const translation = referenceAnswer({
  id: '4a168db8-d040-4fff-a7da-8f85a9c8f88d',
  vertical: 'translation-language',
  title: 'Translation quote by language pair and words',
  description:
    'Price and delivery time of a translation, by language pair, number of words and subject. The rates are examples. ' +
    'A pair that is not offered is answered as unavailable. A real listing says whether a second person proofreads.',
  example: { pair: 'en-de', words: 1800, subject: 'legal' },
  input: {
    pair: text('Language pair, such as en-de.', { pattern: '^[a-z]{2}-[a-z]{2}$' }),
    words: whole('Words of the source text.', { minimum: 1, maximum: 200_000 }),
    subject: oneOf('Subject.', 'general', 'technical', 'legal'),
  },
  required: ['pair', 'words'],
  output: {
    pair: text('Language pair.'),
    centsPerWord: decimal('Price per word, in cents.'),
    priceCents: cents('Total price'),
    workingDays: whole('Working days until delivery.', { minimum: 1 }),
  },
  answer(query) {
    const pair = textIn(query, 'pair', '');
    const base = PAIRS[pair];
    if (base === undefined) return null;
    const words = numberIn(query, 'words', 1);
    const factor = { general: 1, technical: 1.25, legal: 1.5 }[textIn(query, 'subject', 'general')] ?? 1;
    const centsPerWord = rounded(base * factor, 2);
    return {
      pair,
      centsPerWord,
      priceCents: Math.max(2500, Math.round(words * centsPerWord)),
      workingDays: Math.max(1, Math.ceil(words / 2000)),
    };
  },
});

const creative = referenceTable({
  id: 'c0f4fb6d-6c7e-4fff-b051-d413e6386dbe',
  vertical: 'creative-design',
  title: 'Design packages with what is delivered',
  description:
    'Packages for logos, illustrations and layouts, with number of drafts, rounds of changes, file formats, days and ' +
    'price. The studio is invented. A real listing adds a portfolio and says which rights pass to the buyer.',
  example: { kind: 'logo', maxPriceCents: 60000 },
  columns: {
    packageId: text('Package.'),
    kind: oneOf('Kind of work.', 'logo', 'illustration', 'layout'),
    drafts: whole('First drafts.', { minimum: 1 }),
    revisions: whole('Rounds of changes.', { minimum: 0 }),
    formats: list(text('Format.'), 'File formats delivered.'),
    days: whole('Days until the final files.', { minimum: 1 }),
    priceCents: cents('Price'),
    rights: oneOf('Rights that pass to the buyer.', 'all rights', 'unlimited licence', 'single use'),
  },
  rows: [
    ['logo-basic', 'logo', 2, 1, ['svg', 'png'], 5, 25000, 'unlimited licence'],
    ['logo-full', 'logo', 4, 3, ['svg', 'png', 'pdf'], 12, 78000, 'all rights'],
    ['spot', 'illustration', 1, 1, ['png'], 3, 9000, 'single use'],
    ['cover', 'illustration', 2, 2, ['png', 'tiff'], 9, 42000, 'unlimited licence'],
    ['leaflet', 'layout', 1, 2, ['pdf'], 6, 31000, 'all rights'],
  ],
  filters: {
    packageId: key('packageId'),
    kind: equals('kind'),
    format: equals('formats'),
    maxPriceCents: atMost('priceCents'),
    maxDays: atMost('days'),
  },
});

const STOP_WORDS = new Set(
  'a an and are as at be by for from in is it of on or that the this to was with'.split(' '),
);

const agent = referenceAnswer({
  id: 'd88ad41f-dea6-4fe9-b98e-401ad9f6660b',
  vertical: 'agent-tasks',
  title: 'Text statistics: words, sentences, reading time, frequent words',
  description:
    'A task done on the text that you send: counts words, sentences and paragraphs, estimates the reading time at 230 ' +
    'words a minute, and lists the most frequent words, without common English ones. The text is not kept.',
  example: { text: 'The kettle is on. A kettle boils when the stove is hot, and this stove is hot.', top: 3 },
  input: {
    text: text('The text.', { minLength: 1, maxLength: 20_000 }),
    top: whole('How many frequent words to list, 5 by default.', { minimum: 1, maximum: 50 }),
  },
  required: ['text'],
  output: {
    words: whole('Words.', { minimum: 0 }),
    sentences: whole('Sentences.', { minimum: 0 }),
    paragraphs: whole('Paragraphs.', { minimum: 0 }),
    readingSeconds: whole('Reading time, in seconds.', { minimum: 0 }),
    frequentWords: list(
      object({ word: text('Word, in lower case.'), count: whole('Occurrences.', { minimum: 1 }) }),
      'Most frequent first, then by alphabet.',
    ),
  },
  answer(query) {
    const content = textIn(query, 'text', '');
    const words = content.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
    const counts = new Map<string, number>();
    for (const word of words) if (!STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const frequent = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return {
      words: words.length,
      sentences: content.split(/[.!?…](?=\s|$)/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length,
      paragraphs: content.split(/\n\s*\n/u).filter((part) => part.trim() !== '').length,
      readingSeconds: Math.round((words.length / 230) * 60),
      frequentWords: frequent.slice(0, numberIn(query, 'top', 5)).map(([word, count]) => ({ word, count })),
    };
  },
});

const local = referenceTable({
  id: 'e6e69acd-95f6-4da5-b791-8de9fe4914c8',
  vertical: 'local-services',
  title: 'Trades with free appointments, by district',
  description:
    'Who does what in which district, call-out price, hourly rate and next free day. Trades and districts are ' +
    'invented. A real listing names the area served, insurance and licences, and how an appointment is confirmed.',
  example: { trade: 'plumbing', district: 'Old Town' },
  columns: {
    providerId: text('Provider.'),
    trade: oneOf('Trade.', 'plumbing', 'electrical', 'cleaning', 'gardening'),
    districts: list(text('District.'), 'Districts served.'),
    callOutCents: cents('Price of coming out'),
    hourlyCents: cents('Price of an hour'),
    nextFreeDay: text('Next free day.', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    insured: flag('Carries liability insurance.'),
  },
  rows: [
    ['p-11', 'plumbing', ['Old Town', 'Harbour'], 4500, 7200, '2026-11-04', true],
    ['p-12', 'plumbing', ['Hillside'], 3900, 6800, '2026-11-03', true],
    ['p-21', 'electrical', ['Old Town', 'Hillside'], 5000, 8100, '2026-11-09', true],
    ['p-31', 'cleaning', ['Old Town', 'Harbour', 'Hillside'], 0, 3200, '2026-11-02', false],
    ['p-41', 'gardening', ['Hillside'], 1500, 4100, '2026-11-06', true],
  ],
  filters: {
    providerId: key('providerId'),
    trade: equals('trade'),
    district: equals('districts'),
    maxHourlyCents: atMost('hourlyCents'),
    freeBy: atMost('nextFreeDay'),
    insured: equals('insured'),
  },
});

export const SERVICE_REFERENCES = [general, software, translation, creative, agent, local];
