import { numberIn, textIn } from '../query.ts';
import { cents, day, list, object, oneOf, orNull, text, whole } from '../schema.ts';
import { atLeast, contains, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

// Documents and intellectual property.

const document = referenceTable({
  id: '013770b2-9fbc-45c9-b1e7-4903aa3e51a7',
  vertical: 'documents-general',
  title: 'A short guide to cleaning a kettle, by section',
  description:
    'A document sold by the section: ask for one, or search in the text, and get title and text. The ' +
    'advice is sound; only the document is made up. A real listing names author, date, edition and licence.',
  example: { section: 'descaling' },
  columns: {
    section: text('Name of the section.'),
    order: whole('Place in the document.', { minimum: 1 }),
    title: text('Title.'),
    body: text('Text.'),
  },
  rows: [
    [
      'when',
      1,
      'When to clean',
      'Clean a kettle when flakes of scale float in the water or boiling takes longer.',
    ],
    [
      'descaling',
      2,
      'Removing scale',
      'Fill it half with equal parts of water and white vinegar, let it stand for an hour, boil, pour out, rinse twice.',
    ],
    [
      'outside',
      3,
      'The outside',
      'Unplug it and let it cool. Wipe with a damp cloth; never put it under water.',
    ],
    [
      'prevention',
      4,
      'Keeping it clean',
      'Empty the kettle after use. Soft or filtered water leaves less scale.',
    ],
  ],
  filters: { section: key('section'), contains: contains('body') },
});

const research = referenceTable({
  id: '0398cf17-fe17-4e27-8adf-54f801a9d8a1',
  vertical: 'research-briefs',
  title: 'Briefs with finding, evidence and limits',
  description:
    'Three short briefs in the form that the research shelf asks for: a question, the finding, what supports it, how ' +
    'strong the support is, what would change the finding, and what it does not cover. Studies and numbers are ' +
    'invented; do not cite them.',
  example: { topic: 'bicycle counters' },
  columns: {
    topic: text('Topic.'),
    question: text('The question.'),
    finding: text('The finding, in one or two sentences.'),
    evidence: list(
      object({ what: text('What was looked at.'), observations: whole('Observations.', { minimum: 1 }) }),
      'What supports it.',
    ),
    strength: oneOf('How strong the support is.', 'weak', 'moderate', 'strong'),
    wouldChange: text('What would change the finding.'),
    limits: list(text('Limit.'), 'What it does not cover.'),
    asOf: day('Day of the last search for evidence.'),
  },
  rows: [
    [
      'bicycle counters',
      'Do counters at bridges miss groups of riders?',
      'Yes: in this sample, groups of three and more were undercounted by about a tenth.',
      [
        { what: 'video compared with counter, two bridges', observations: 1840 },
        { what: 'maker’s test bench', observations: 300 },
      ],
      'moderate',
      'A repetition on wider paths that finds less than two per cent.',
      ['two sites only', 'no rain days'],
      '2026-07-31',
    ],
    [
      'shop opening hours',
      'How soon do published opening hours of village shops go out of date?',
      'Half of the listings checked in this sample were wrong somewhere after 14 months.',
      [{ what: 'telephone check of published hours', observations: 212 }],
      'weak',
      'A second region with another result.',
      ['one region', 'shops that answered the telephone only'],
      '2026-05-15',
    ],
    [
      'kettle energy',
      'Does scale make kettles use more energy?',
      'In this sample thick scale cost about four per cent; thin scale made no measurable difference.',
      [{ what: 'bench test of nine kettles, before and after descaling', observations: 90 }],
      'moderate',
      'A test at other water hardness.',
      ['electric kettles only', 'one hardness of water'],
      '2026-09-10',
    ],
  ],
  filters: {
    topic: key('topic'),
    questionContains: contains('question'),
    strength: equals('strength'),
    since: atLeast('asOf'),
  },
});

const BOUND = { mutual: 'Each party', 'one-way': 'The recipient' } as const;

const contract = referenceAnswer({
  id: '9cbcce22-7033-479d-97b5-dbe068c02982',
  vertical: 'contract-templates',
  title: 'A confidentiality clause, filled in',
  description:
    'Fills a short confidentiality clause with two parties, purpose and term, mutual or one-way. It is an example and ' +
    'not legal advice. A real listing names the law it was written for, who reviewed it, and when.',
  example: {
    form: 'mutual',
    firstParty: 'Alder Works',
    secondParty: 'Birch Supply',
    purpose: 'a trial delivery',
    months: 24,
  },
  input: {
    form: oneOf('Who is bound.', 'mutual', 'one-way'),
    firstParty: text('First party; with one-way, the one who discloses.', { minLength: 1, maxLength: 100 }),
    secondParty: text('Second party; with one-way, the recipient.', { minLength: 1, maxLength: 100 }),
    purpose: text('Purpose.', { minLength: 1, maxLength: 200 }),
    months: whole('Term, in months.', { minimum: 1, maximum: 120 }),
  },
  required: ['form', 'firstParty', 'secondParty', 'purpose', 'months'],
  output: {
    title: text('Title of the clause.'),
    paragraphs: list(text('Paragraph.'), 'The clause.'),
    fields: list(text('Field.'), 'Fields that were filled in.'),
  },
  answer(query) {
    const form = textIn(query, 'form', '') === 'mutual' ? 'mutual' : 'one-way';
    const [first, second] = [textIn(query, 'firstParty', ''), textIn(query, 'secondParty', '')];
    const bound = BOUND[form];
    const between =
      form === 'mutual'
        ? `${first} and ${second} may disclose confidential information to each other`
        : `${first} may disclose confidential information to ${second} (the recipient)`;
    return {
      title: 'Confidentiality',
      paragraphs: [
        `1. ${between} for ${textIn(query, 'purpose', '')} (the purpose).`,
        `2. ${bound} uses it for the purpose only, guards it as carefully as its own, and shows it only to people who ` +
          'need it for the purpose and are bound likewise.',
        '3. Information that is public, was known before, or is found independently is not confidential.',
        `4. This clause binds for ${numberIn(query, 'months', 1)} months from the first disclosure.`,
      ],
      fields: ['form', 'firstParty', 'secondParty', 'purpose', 'months'],
    };
  },
});

const ip = referenceTable({
  id: '1e0b90c7-8720-4f90-b332-2f68e7dbe1be',
  vertical: 'ip-general',
  title: 'Trade marks and designs for sale or licence',
  description:
    'Rights with kind, classes of goods, territory, expiry and what is offered. All are invented. A real listing gives ' +
    'the register number, so that the buyer can look the right up, and any licences already granted.',
  example: { kind: 'trade mark', territory: 'Eastland' },
  columns: {
    rightId: text('Right.'),
    title: text('Name or subject.'),
    kind: oneOf('Kind.', 'trade mark', 'design', 'plant variety'),
    classes: list(text('Class.'), 'Classes of goods or services.'),
    territory: text('Territory.'),
    expires: day('Expiry, if not renewed.'),
    offered: oneOf('What is offered.', 'assignment', 'exclusive licence', 'licence'),
    priceCents: cents('Price'),
  },
  rows: [
    [
      'ip-1',
      'MOSSLIGHT (sample)',
      'trade mark',
      ['11', '35'],
      'Eastland',
      '2031-04-30',
      'assignment',
      420_000,
    ],
    ['ip-2', 'TARNBELL (sample)', 'trade mark', ['9'], 'Westland', '2029-08-12', 'licence', 60_000],
    [
      'ip-3',
      'Folding lamp shade (sample)',
      'design',
      ['26-05'],
      'Eastland',
      '2034-01-20',
      'exclusive licence',
      210_000,
    ],
    ['ip-4', 'Early pea, white (sample)', 'plant variety', [], 'Eastland', '2044-06-01', 'licence', 95_000],
  ],
  filters: {
    rightId: key('rightId'),
    kind: equals('kind'),
    class: equals('classes'),
    territory: equals('territory'),
    offered: equals('offered'),
    titleContains: contains('title'),
  },
});

const patents = referenceTable({
  id: 'dc2766b3-e662-4066-8853-8731c78328c4',
  vertical: 'patents',
  title: 'Patents by class, status and term',
  description:
    'Patents and applications with class, status, filing day, end of term and terms of licence. Numbers and ' +
    'inventions are invented. A real listing gives office, publication number and the fees due next.',
  example: { classContains: 'F24', status: 'granted' },
  columns: {
    patentId: text('Number in this sample.'),
    title: text('Title.'),
    classCode: text('Classification symbol.'),
    status: oneOf('Status.', 'pending', 'granted', 'lapsed'),
    filed: day('Filing day.'),
    termEnds: orNull(day('End of term, if granted.')),
    licence: oneOf('Terms.', 'sale', 'exclusive', 'non-exclusive'),
    askingCents: cents('Price asked'),
  },
  rows: [
    [
      'SP-1001',
      'Kettle with self-closing spout',
      'A47J 27/21',
      'granted',
      '2018-02-09',
      '2038-02-09',
      'sale',
      3_500_000,
    ],
    [
      'SP-1002',
      'Heat store in cellar walls',
      'F24D 11/00',
      'granted',
      '2020-06-30',
      '2040-06-30',
      'non-exclusive',
      900_000,
    ],
    ['SP-1003', 'Quiet fan blade', 'F24F 7/06', 'pending', '2024-10-14', null, 'exclusive', 2_200_000],
    [
      'SP-1004',
      'Bicycle counter with two loops',
      'G07C 9/00',
      'lapsed',
      '2009-03-03',
      null,
      'non-exclusive',
      0,
    ],
  ],
  filters: {
    patentId: key('patentId'),
    classContains: contains('classCode'),
    status: equals('status'),
    filedSince: atLeast('filed'),
    titleContains: contains('title'),
  },
});

const USE_CENTS: Readonly<Record<string, number>> = { web: 4000, print: 6500, broadcast: 24_000 };
const REACH: Readonly<Record<string, number>> = { local: 1, national: 2.5, worldwide: 6 };

const licensing = referenceAnswer({
  id: 'cfdb9147-b231-461d-a35f-369c9834dcae',
  vertical: 'content-licensing',
  title: 'Licence fee of a picture by use, reach and time',
  description:
    'The fee for using one picture: give use, reach, months and whether nobody else may use it meanwhile. The rates ' +
    'are examples. A real listing identifies the work, its author, and the consent of people shown in it.',
  example: { use: 'web', reach: 'national', months: 12 },
  input: {
    use: oneOf('Use.', ...Object.keys(USE_CENTS)),
    reach: oneOf('Reach.', ...Object.keys(REACH)),
    months: whole('Months.', { minimum: 1, maximum: 120 }),
    exclusive: { type: 'boolean', description: 'Nobody else may use it meanwhile; three times the fee.' },
  },
  required: ['use', 'reach', 'months'],
  output: {
    feeCents: cents('Fee'),
    terms: list(text('Term.'), 'What the fee covers.'),
  },
  answer(query) {
    const [use, reach] = [textIn(query, 'use', ''), textIn(query, 'reach', '')];
    const [base, factor] = [USE_CENTS[use], REACH[reach]];
    if (base === undefined || factor === undefined) return null;
    const months = numberIn(query, 'months', 1);
    const exclusive = query.exclusive === true;
    // Longer terms cost less a month: the fee grows with the square root of the years begun.
    const fee = base * factor * Math.sqrt(Math.ceil(months / 12)) * (exclusive ? 3 : 1);
    return {
      feeCents: Math.round(fee),
      terms: [
        `${use} use, ${reach}, for ${months} months`,
        exclusive ? 'exclusive for the term' : 'not exclusive',
        'author named beside the picture',
        'no use that suggests endorsement',
      ],
    };
  },
});

export const WRITING_REFERENCES = [document, research, contract, ip, patents, licensing];
