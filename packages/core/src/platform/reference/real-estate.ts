import { cents, day, decimal, flag, oneOf, text, whole } from '../schema.ts';
import { atLeast, atMost, equals, key } from '../table.ts';
import { referenceTable } from './reference.ts';

const general = referenceTable({
  id: '2dc10090-e91d-4623-b0af-e4a4f5c67b22',
  vertical: 'real-estate-general',
  title: 'Price index of homes by district and quarter',
  description:
    'An index (2020 average = 100) with the number of sales behind it, by district and quarter. Districts and numbers ' +
    'are invented. A real listing names its method, and marks quarters with few sales.',
  example: { district: 'Harbour', fromQuarter: '2026-Q1' },
  columns: {
    district: text('District.'),
    quarter: text('Quarter.', { pattern: '^\\d{4}-Q[1-4]$' }),
    index: decimal('Index, 2020 = 100.'),
    sales: whole('Sales behind the value.', { minimum: 0 }),
    reliable: flag('False with fewer than 30 sales.'),
  },
  rows: [
    ['Harbour', '2025-Q4', 131.2, 64, true],
    ['Harbour', '2026-Q1', 132.8, 58, true],
    ['Harbour', '2026-Q2', 133.1, 71, true],
    ['Hillside', '2025-Q4', 118.4, 33, true],
    ['Hillside', '2026-Q1', 117.9, 24, false],
    ['Hillside', '2026-Q2', 119.6, 41, true],
    ['Old Town', '2026-Q1', 144, 17, false],
    ['Old Town', '2026-Q2', 146.5, 32, true],
  ],
  filters: {
    district: equals('district'),
    fromQuarter: atLeast('quarter'),
    toQuarter: atMost('quarter'),
    reliable: equals('reliable'),
  },
});

const homes = referenceTable({
  id: '43bf9739-0900-4c72-a153-94a902edbc19',
  vertical: 'homes-for-sale',
  title: 'Homes for sale by district, size and price',
  description:
    'Houses and flats with district, rooms, living area, year of building, energy class and asking price. All are ' +
    'invented. A real listing names who may sell, what is known of defects, and when the home can be seen.',
  example: { district: 'Hillside', minRooms: 4 },
  columns: {
    homeId: text('Home.'),
    kind: oneOf('Kind.', 'house', 'flat'),
    district: text('District.'),
    rooms: decimal('Rooms, halves counted.', { minimum: 0.5 }),
    areaM2: decimal('Living area, in square metres.', { exclusiveMinimum: 0 }),
    built: whole('Year of building.'),
    energyClass: oneOf('Energy class.', 'A', 'B', 'C', 'D', 'E', 'F', 'G'),
    priceCents: cents('Asking price'),
  },
  rows: [
    ['h-1', 'house', 'Hillside', 5, 128, 1974, 'D', 41_500_000],
    ['h-2', 'house', 'Hillside', 4, 104.5, 2011, 'B', 46_900_000],
    ['h-3', 'flat', 'Hillside', 2.5, 58, 1996, 'C', 19_800_000],
    ['h-4', 'flat', 'Harbour', 3, 81, 2019, 'A', 36_200_000],
    ['h-5', 'flat', 'Old Town', 1.5, 39, 1905, 'F', 17_400_000],
  ],
  filters: {
    homeId: key('homeId'),
    kind: equals('kind'),
    district: equals('district'),
    minRooms: atLeast('rooms'),
    minAreaM2: atLeast('areaM2'),
    maxPriceCents: atMost('priceCents'),
  },
});

const rentals = referenceTable({
  id: '35d4d203-a5e0-4e9f-a4a9-5a2dc0831732',
  vertical: 'rentals',
  title: 'Homes and rooms to rent by rent and date',
  description:
    'Rooms and flats with rent, extra costs, deposit, first free day, shortest stay and whether they are furnished. ' +
    'All are invented. A real listing never asks for money before a viewing.',
  example: { maxRentCents: 90_000, freeBy: '2027-01-01' },
  columns: {
    rentalId: text('Rental.'),
    kind: oneOf('Kind.', 'room', 'flat', 'house'),
    district: text('District.'),
    areaM2: decimal('Area, in square metres.', { exclusiveMinimum: 0 }),
    rentCents: cents('Rent a month, without extra costs'),
    extraCents: cents('Extra costs a month'),
    depositCents: cents('Deposit'),
    freeFrom: day('First free day.'),
    minMonths: whole('Shortest stay, in months.', { minimum: 1 }),
    furnished: flag('Furnished.'),
  },
  rows: [
    ['r-1', 'room', 'Old Town', 14, 48_000, 6_500, 96_000, '2026-12-01', 3, true],
    ['r-2', 'room', 'Harbour', 18, 55_000, 7_000, 110_000, '2027-02-01', 6, false],
    ['r-3', 'flat', 'Harbour', 52, 89_000, 14_000, 178_000, '2027-01-01', 12, false],
    ['r-4', 'flat', 'Hillside', 64, 97_500, 16_000, 195_000, '2026-12-15', 12, false],
    ['r-5', 'house', 'Hillside', 118, 168_000, 24_000, 336_000, '2027-03-01', 24, false],
  ],
  filters: {
    rentalId: key('rentalId'),
    kind: equals('kind'),
    district: equals('district'),
    minAreaM2: atLeast('areaM2'),
    maxRentCents: atMost('rentCents'),
    freeBy: atMost('freeFrom'),
    furnished: equals('furnished'),
  },
});

const commercial = referenceTable({
  id: 'ba30f50e-3c83-4f27-aec2-6b4c270a3cab',
  vertical: 'commercial-property',
  title: 'Offices, shops and halls to let',
  description:
    'Premises with use, area, ceiling height, loading, rent and shortest lease. All are invented. A real listing says ' +
    'what the zoning permits and who pays for repairs.',
  example: { use: 'warehouse', minAreaM2: 500 },
  columns: {
    premisesId: text('Premises.'),
    use: oneOf('Use.', 'office', 'retail', 'warehouse', 'workshop'),
    district: text('District.'),
    areaM2: whole('Area, in square metres.', { minimum: 1 }),
    ceilingM: decimal('Clear height, in m.', { exclusiveMinimum: 0 }),
    loadingDocks: whole('Loading docks.', { minimum: 0 }),
    rentCentsPerM2: cents('Rent a month for a square metre'),
    minLeaseYears: whole('Shortest lease, in years.', { minimum: 1 }),
  },
  rows: [
    ['c-1', 'office', 'Old Town', 140, 2.8, 0, 1850, 3],
    ['c-2', 'office', 'Harbour', 620, 3, 0, 2100, 5],
    ['c-3', 'retail', 'Old Town', 85, 3.4, 0, 3900, 5],
    ['c-4', 'warehouse', 'Harbour', 2400, 9.5, 4, 620, 3],
    ['c-5', 'warehouse', 'Hillside', 480, 5, 1, 540, 1],
    ['c-6', 'workshop', 'Hillside', 210, 4.2, 1, 710, 2],
  ],
  filters: {
    premisesId: key('premisesId'),
    use: equals('use'),
    district: equals('district'),
    minAreaM2: atLeast('areaM2'),
    minLoadingDocks: atLeast('loadingDocks'),
    maxRentCentsPerM2: atMost('rentCentsPerM2'),
  },
});

export const REAL_ESTATE_REFERENCES = [general, homes, rentals, commercial];
