import { day, decimal, oneOf, text, whole } from '../schema.ts';
import { atLeast, atMost, contains, equals, key } from '../table.ts';
import { referenceTable } from './reference.ts';

const training = referenceTable({
  id: 'f0c625ee-12fc-4106-830c-3e4d0ad11fc1',
  vertical: 'ai-training-data',
  title: 'Customer messages labelled by intent',
  description:
    'Short messages with one label each, in two languages and two splits. All were written for this sample; none ' +
    'comes from a customer. A real listing states who labelled, by which guideline, how often two labellers agreed, ' +
    'and under which licence the text may be used.',
  example: { language: 'en', split: 'train', limit: 3 },
  columns: {
    id: text('Identifier, stable between versions.'),
    text: text('The message.'),
    language: oneOf('Language.', 'en', 'de'),
    label: oneOf('Intent.', 'order_status', 'return', 'complaint', 'praise'),
    split: oneOf('Part of the data set.', 'train', 'test'),
    agreement: decimal('Share of labellers who chose the label.', { minimum: 0, maximum: 1 }),
  },
  rows: [
    ['m-001', 'Where is the parcel I ordered on Monday?', 'en', 'order_status', 'train', 1],
    ['m-002', 'I would like to send the blue one back.', 'en', 'return', 'train', 1],
    ['m-003', 'The lid arrived cracked. Again.', 'en', 'complaint', 'train', 0.67],
    ['m-004', 'Best teapot I have ever owned.', 'en', 'praise', 'test', 1],
    ['m-005', 'Wann kommt meine Bestellung an?', 'de', 'order_status', 'train', 1],
    ['m-006', 'Ich möchte den Artikel zurückgeben.', 'de', 'return', 'train', 1],
    ['m-007', 'Leider fehlt eine Schraube im Paket.', 'de', 'complaint', 'test', 1],
    ['m-008', 'Has my order left the warehouse?', 'en', 'order_status', 'test', 1],
  ],
  filters: {
    language: equals('language'),
    label: equals('label'),
    split: equals('split'),
    minAgreement: atLeast('agreement'),
  },
});

const company = referenceTable({
  id: 'a93888fc-65a1-4b61-bdb4-adb3660b44af',
  vertical: 'company-data',
  title: 'Company profiles by sector and size',
  description:
    'Sector, size, founding year and region of invented companies. Names end in "(sample)" and match no real ' +
    'company. A real listing gives the register or report behind each field and the date it was read, and holds ' +
    'no private data of individuals.',
  example: { sector: 'logistics', minEmployees: 50 },
  columns: {
    companyId: text('Identifier in this data set.'),
    name: text('Name.'),
    sector: oneOf('Sector.', 'logistics', 'software', 'food', 'machinery'),
    region: text('Region.'),
    founded: whole('Year of founding.'),
    employees: whole('Employees, full-time equivalents.', { minimum: 0 }),
    asOf: day('Day the facts were read.'),
  },
  rows: [
    ['c-101', 'Northgate Haulage (sample)', 'logistics', 'North', 1988, 240, '2026-06-30'],
    ['c-102', 'Quay & Crane (sample)', 'logistics', 'Coast', 2004, 61, '2026-06-30'],
    ['c-103', 'Parcelbird (sample)', 'logistics', 'Centre', 2019, 18, '2026-06-30'],
    ['c-104', 'Tidy Compiler (sample)', 'software', 'Centre', 2015, 44, '2026-06-30'],
    ['c-105', 'Lantern Forms (sample)', 'software', 'South', 2021, 9, '2026-06-30'],
    ['c-106', 'Upper Mill Bakery (sample)', 'food', 'North', 1952, 130, '2026-06-30'],
    ['c-107', 'Cogline (sample)', 'machinery', 'South', 1971, 310, '2026-06-30'],
  ],
  filters: {
    companyId: key('companyId'),
    sector: equals('sector'),
    region: equals('region'),
    nameContains: contains('name'),
    minEmployees: atLeast('employees'),
    maxEmployees: atMost('employees'),
    foundedSince: atLeast('founded'),
  },
});

const reference = referenceTable({
  id: '00794952-9b2e-4d65-8ad0-a339b06552ef',
  vertical: 'reference-data',
  title: 'Parcel size classes as a code list',
  description:
    'A code list as it should be delivered: stable codes, one meaning each, limits with units, and the dates between ' +
    'which a code is valid. The classes are invented.',
  example: { code: 'M' },
  columns: {
    code: text('Code.'),
    name: text('Meaning.'),
    maxLengthMm: whole('Longest side at most, in mm.', { minimum: 1 }),
    maxWeightG: whole('Weight at most, in g.', { minimum: 1 }),
    validFrom: day('First day of validity.'),
    validTo: { anyOf: [day('Last day of validity.'), { type: 'null' }] },
  },
  rows: [
    ['XS', 'Padded letter', 350, 1000, '2024-01-01', null],
    ['S', 'Small parcel', 450, 2000, '2024-01-01', null],
    ['M', 'Medium parcel', 600, 5000, '2024-01-01', null],
    ['L', 'Large parcel', 1200, 20000, '2024-01-01', null],
    ['R', 'Roll', 1500, 5000, '2020-01-01', '2023-12-31'],
  ],
  filters: {
    code: key('code'),
    minMaxLengthMm: atLeast('maxLengthMm'),
    minMaxWeightG: atLeast('maxWeightG'),
  },
});

const health = referenceTable({
  id: '0026ba48-d22e-4867-80fa-1bf9b946dce3',
  vertical: 'personal-health',
  title: 'Two weeks of wearable data, one row a day (synthetic, of nobody)',
  description:
    'Steps, resting heart rate, sleep and active minutes, as an activity tracker exports them. The numbers are ' +
    'synthetic: they were made up and belong to no person, living or dead. Real listings of this vertical come only ' +
    'from the person whose data it is, through the health-data flow with its consent record, and their buyers ' +
    'attest to the use they will make of it.',
  example: { from: '2026-05-04', to: '2026-05-06' },
  columns: {
    day: day('Local day.'),
    steps: whole('Steps.', { minimum: 0 }),
    restingHeartRateBpm: whole('Resting heart rate, in beats per minute.', { minimum: 0 }),
    sleepMinutes: whole('Minutes asleep in the night before.', { minimum: 0 }),
    activeMinutes: whole('Minutes of at least moderate activity.', { minimum: 0 }),
  },
  rows: [
    ['2026-05-01', 8420, 58, 431, 42],
    ['2026-05-02', 12950, 57, 468, 95],
    ['2026-05-03', 4310, 59, 502, 12],
    ['2026-05-04', 9015, 58, 417, 51],
    ['2026-05-05', 7740, 60, 389, 33],
    ['2026-05-06', 10120, 59, 442, 60],
    ['2026-05-07', 6905, 58, 455, 28],
    ['2026-05-08', 8890, 57, 438, 47],
    ['2026-05-09', 14230, 57, 479, 110],
    ['2026-05-10', 5020, 58, 511, 15],
    ['2026-05-11', 9333, 58, 426, 49],
    ['2026-05-12', 8101, 59, 402, 38],
    ['2026-05-13', 9777, 58, 447, 55],
    ['2026-05-14', 7264, 58, 433, 31],
  ],
  filters: { from: atLeast('day'), to: atMost('day'), minSteps: atLeast('steps') },
});

export const SPECIALISED_DATA_REFERENCES = [training, company, reference, health];
