import { flagIn, numberIn, rounded } from '../query.ts';
import { cents, day, decimal, flag, list, object, oneOf, text, whole } from '../schema.ts';
import { atLeast, atMost, contains, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

// Jobs and compute.

const jobs = referenceTable({
  id: '0da32efd-088e-4dd3-90b0-63c8c33f8561',
  vertical: 'jobs-general',
  title: 'Vacancies by field, place and pay',
  description:
    'Vacancies with employer, place, hours, pay range and last day to apply. Employers are invented; do not apply. A ' +
    'real listing always states pay, who employs, and how applicants’ data is used.',
  example: { field: 'care', minHoursPerWeek: 30 },
  columns: {
    jobId: text('Vacancy.'),
    title: text('Title.'),
    field: oneOf('Field.', 'care', 'crafts', 'office', 'transport'),
    employer: text('Employer.'),
    place: text('Place.'),
    hoursPerWeek: whole('Hours a week.', { minimum: 1, maximum: 60 }),
    minMonthlyCents: cents('Lowest pay a month, before tax'),
    maxMonthlyCents: cents('Highest pay a month, before tax'),
    applyBy: day('Last day to apply.'),
  },
  rows: [
    [
      'j-1',
      'Nurse, night shift',
      'care',
      'Brook Clinic (sample)',
      'Hillside',
      32,
      330_000,
      390_000,
      '2026-12-15',
    ],
    ['j-2', 'Carer, mornings', 'care', 'Elm House (sample)', 'Old Town', 20, 170_000, 195_000, '2026-11-30'],
    ['j-3', 'Joiner', 'crafts', 'Plane & Vice (sample)', 'Harbour', 38, 290_000, 340_000, '2027-01-31'],
    ['j-4', 'Bookkeeper', 'office', 'Quay & Crane (sample)', 'Harbour', 30, 280_000, 330_000, '2026-12-31'],
    [
      'j-5',
      'Tram driver',
      'transport',
      'Town Trams (sample)',
      'Old Town',
      39,
      300_000,
      345_000,
      '2027-02-15',
    ],
  ],
  filters: {
    jobId: key('jobId'),
    field: equals('field'),
    place: equals('place'),
    titleContains: contains('title'),
    minHoursPerWeek: atLeast('hoursPerWeek'),
    maxHoursPerWeek: atMost('hoursPerWeek'),
    minPayCents: atLeast('maxMonthlyCents'),
    openOn: atLeast('applyBy'),
  },
});

const tech = referenceTable({
  id: 'a83497e7-036d-4ca6-b599-98de264eac25',
  vertical: 'tech-jobs',
  title: 'Engineering posts by skill, level and remote work',
  description:
    'Posts with skills, level, remote work, yearly pay and the stages of the hiring process. Employers are invented; do ' +
    'not apply. A real listing states pay, time zone and who may be employed.',
  example: { skill: 'typescript', remote: 'full' },
  columns: {
    postId: text('Post.'),
    title: text('Title.'),
    employer: text('Employer.'),
    skills: list(text('Skill.'), 'Skills asked for.'),
    level: oneOf('Level.', 'junior', 'middle', 'senior'),
    remote: oneOf('Remote work.', 'none', 'partly', 'full'),
    minYearlyCents: cents('Lowest pay a year, before tax'),
    maxYearlyCents: cents('Highest pay a year, before tax'),
    stages: list(text('Stage.'), 'Stages of hiring.'),
  },
  rows: [
    [
      't-1',
      'Edge platform engineer',
      'Tidy Compiler (sample)',
      ['typescript', 'sqlite'],
      'senior',
      'full',
      8_500_000,
      10_500_000,
      ['call', 'work sample', 'team'],
    ],
    [
      't-2',
      'Data engineer',
      'Lantern Forms (sample)',
      ['python', 'sql'],
      'middle',
      'partly',
      6_200_000,
      7_400_000,
      ['call', 'team'],
    ],
    [
      't-3',
      'Frontend engineer',
      'Lantern Forms (sample)',
      ['typescript', 'css'],
      'junior',
      'partly',
      4_600_000,
      5_400_000,
      ['call', 'work sample'],
    ],
    [
      't-4',
      'Firmware engineer',
      'Cogline (sample)',
      ['rust', 'c'],
      'senior',
      'none',
      7_800_000,
      9_000_000,
      ['call', 'visit'],
    ],
  ],
  filters: {
    postId: key('postId'),
    skill: equals('skills'),
    level: equals('level'),
    remote: equals('remote'),
    minPayCents: atLeast('maxYearlyCents'),
    titleContains: contains('title'),
  },
});

const gigs = referenceTable({
  id: 'b96898ac-3a39-4e78-8235-7b8cb9845106',
  vertical: 'freelance-gigs',
  title: 'Short assignments by skill, length and day rate',
  description:
    'Assignments with deliverable, expected days, day rate and start. Clients are invented. A real listing says how ' +
    'work is accepted, when it is paid, and who owns it afterwards.',
  example: { skill: 'illustration', maxDays: 5 },
  columns: {
    gigId: text('Assignment.'),
    deliverable: text('What is to be delivered.'),
    skill: oneOf('Skill.', 'illustration', 'translation', 'programming', 'photography'),
    days: whole('Expected days.', { minimum: 1 }),
    dayRateCents: cents('Pay for a day'),
    starts: day('Start.'),
    remote: flag('Can be done from anywhere.'),
  },
  rows: [
    ['f-1', 'Twelve drawings of garden birds', 'illustration', 5, 38_000, '2026-11-16', true],
    ['f-2', 'Cover of a cookery book', 'illustration', 2, 42_000, '2026-12-01', true],
    ['f-3', 'Manual of a loom, German to English', 'translation', 4, 33_000, '2026-11-20', true],
    ['f-4', 'Import of an address list', 'programming', 3, 56_000, '2026-11-10', true],
    ['f-5', 'Pictures of a tram depot', 'photography', 1, 61_000, '2026-11-28', false],
  ],
  filters: {
    gigId: key('gigId'),
    skill: equals('skill'),
    maxDays: atMost('days'),
    minDayRateCents: atLeast('dayRateCents'),
    startsBy: atMost('starts'),
    remote: equals('remote'),
  },
});

const compute = referenceAnswer({
  id: 'bda185c7-cb87-4d9b-abbe-b75d93f67019',
  vertical: 'compute-general',
  title: 'Quote for a batch job by processors, memory and hours',
  description:
    'Price of a batch job: processors, memory, scratch disk and hours, and whether it may be interrupted. The rates ' +
    'are examples and nothing is reserved. A real listing gives region, limits and what happens on failure.',
  example: { vcpus: 16, memoryGb: 64, hours: 3, interruptible: true },
  input: {
    vcpus: whole('Virtual processors.', { minimum: 1, maximum: 256 }),
    memoryGb: whole('Memory, in GB.', { minimum: 1, maximum: 2048 }),
    diskGb: whole('Scratch disk, in GB; 0 by default.', { minimum: 0, maximum: 20_000 }),
    hours: decimal('Hours.', { exclusiveMinimum: 0, maximum: 720 }),
    interruptible: flag('May be stopped at two minutes’ notice, at 40 per cent of the price.'),
  },
  required: ['vcpus', 'memoryGb', 'hours'],
  output: {
    lines: list(
      object({ item: text('Item.'), cents: decimal('Amount, in cents.') }),
      'How the price is made up.',
    ),
    priceCents: cents('Price, rounded up'),
    billedMinutes: whole('Minutes billed.', { minimum: 1 }),
  },
  answer(query) {
    const minutes = Math.ceil(numberIn(query, 'hours', 1) * 60);
    const share = (flagIn(query, 'interruptible') ? 0.4 : 1) * (minutes / 60);
    const lines = [
      { item: 'processors', cents: rounded(numberIn(query, 'vcpus', 1) * 3.2 * share, 4) },
      { item: 'memory', cents: rounded(numberIn(query, 'memoryGb', 1) * 0.4 * share, 4) },
      { item: 'disk', cents: rounded((numberIn(query, 'diskGb', 0) * 0.012 * minutes) / 60, 4) },
    ];
    const sum = rounded(
      lines.reduce((total, line) => total + line.cents, 0),
      4,
    );
    return { lines, priceCents: Math.ceil(sum), billedMinutes: minutes };
  },
});

const ACCELERATORS: Readonly<Record<string, { memoryGb: number; centsPerHour: number; most: number }>> = {
  'sample-24': { memoryGb: 24, centsPerHour: 60, most: 8 },
  'sample-48': { memoryGb: 48, centsPerHour: 130, most: 8 },
  'sample-80': { memoryGb: 80, centsPerHour: 260, most: 4 },
};

const gpu = referenceAnswer({
  id: 'e58fb5db-40aa-4fef-adb0-e392a8695b46',
  vertical: 'gpu-compute',
  title: 'GPU quote by memory needed, count and hours',
  description:
    'Give the memory that one accelerator must have, how many, and for how many hours, and get the cheapest class that ' +
    'fits, with its price. Classes and rates are examples and nothing is reserved. Asking for more than there is is ' +
    'answered as unavailable. A real listing names the accelerator, its interconnect and the region.',
  example: { memoryGb: 40, count: 2, hours: 10 },
  input: {
    memoryGb: whole('Memory of one accelerator at least, in GB.', { minimum: 1, maximum: 1000 }),
    count: whole('Accelerators.', { minimum: 1, maximum: 64 }),
    hours: decimal('Hours.', { exclusiveMinimum: 0, maximum: 720 }),
  },
  required: ['memoryGb', 'count', 'hours'],
  output: {
    acceleratorClass: text('Class.'),
    memoryGb: whole('Memory of one, in GB.'),
    centsPerHour: cents('Price of one for an hour'),
    priceCents: cents('Price in all'),
  },
  answer(query) {
    const [memory, count] = [numberIn(query, 'memoryGb', 1), numberIn(query, 'count', 1)];
    const [fit] = Object.entries(ACCELERATORS)
      .filter(([, { memoryGb, most }]) => memoryGb >= memory && most >= count)
      .sort(([, a], [, b]) => a.centsPerHour - b.centsPerHour);
    if (fit === undefined) return null;
    const [name, { memoryGb, centsPerHour }] = fit;
    return {
      acceleratorClass: name,
      memoryGb,
      centsPerHour,
      priceCents: Math.ceil(rounded(centsPerHour * count * numberIn(query, 'hours', 1), 6)),
    };
  },
});

/** Name, context in tokens, cents per million tokens in and out. */
const MODELS: readonly (readonly [string, number, number, number])[] = [
  ['sample-small', 16_000, 12, 48],
  ['sample-medium', 64_000, 60, 240],
  ['sample-long', 256_000, 150, 600],
];

const inference = referenceAnswer({
  id: '962fb9f6-d60a-47da-a3e4-df426e8867c4',
  vertical: 'model-inference',
  title: 'Cost of model calls by tokens in and out',
  description:
    'Give tokens in and out for one call and the number of calls, and get the cost with each model whose context is ' +
    'long enough, cheapest first. Models and rates are invented. A real listing names the model, its version, its ' +
    'licence, and whether requests are kept.',
  example: { tokensIn: 20_000, tokensOut: 1000, calls: 500 },
  input: {
    tokensIn: whole('Tokens of the request.', { minimum: 1, maximum: 10_000_000 }),
    tokensOut: whole('Tokens of the answer.', { minimum: 0, maximum: 1_000_000 }),
    calls: whole('Calls, 1 by default.', { minimum: 1, maximum: 10_000_000 }),
  },
  required: ['tokensIn', 'tokensOut'],
  output: {
    offers: list(
      object({
        model: text('Model.'),
        contextTokens: whole('Longest context, in tokens.'),
        costCents: decimal('Cost of all calls, in cents.'),
      }),
      'Cheapest first.',
    ),
  },
  answer(query) {
    const [tokensIn, tokensOut] = [numberIn(query, 'tokensIn', 1), numberIn(query, 'tokensOut', 0)];
    const offers = MODELS.filter(([, context]) => context >= tokensIn + tokensOut).map(
      ([model, contextTokens, centsIn, centsOut]) => ({
        model,
        contextTokens,
        costCents: rounded(
          ((tokensIn * centsIn + tokensOut * centsOut) * numberIn(query, 'calls', 1)) / 1e6,
          4,
        ),
      }),
    );
    return offers.length === 0 ? null : { offers: offers.sort((a, b) => a.costCents - b.costCents) };
  },
});

export const WORK_REFERENCES = [jobs, tech, gigs, compute, gpu, inference];
