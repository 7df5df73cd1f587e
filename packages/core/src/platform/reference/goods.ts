import { cents, day, flag, list, oneOf, text, whole } from '../schema.ts';
import { atLeast, atMost, contains, equals, key } from '../table.ts';
import { referenceTable } from './reference.ts';

// Products, and what fits no category.

const products = referenceTable({
  id: '48a20a93-393f-44cd-9d01-99b783ca022d',
  vertical: 'products-general',
  title: 'Household goods with stock, weight and delivery',
  description:
    'Articles with condition, stock, weight, days until delivery and price. The shop is invented and sends nothing. A ' +
    'real listing of physical goods says where it ships, who pays returns, and what "used" means.',
  example: { titleContains: 'mug', maxPriceCents: 2000 },
  columns: {
    sku: text('Article number.'),
    title: text('Title.'),
    condition: oneOf('Condition.', 'new', 'used', 'refurbished'),
    stock: whole('Pieces in stock.', { minimum: 0 }),
    weightG: whole('Weight, in g.', { minimum: 0 }),
    deliveryDays: whole('Days until delivery.', { minimum: 0 }),
    priceCents: cents('Price'),
  },
  rows: [
    ['H-100', 'Stoneware mug, grey', 'new', 48, 340, 3, 1400],
    ['H-101', 'Stoneware mug, blue', 'new', 0, 340, 14, 1400],
    ['H-140', 'Enamel mug, set of four', 'new', 12, 760, 3, 2900],
    ['H-210', 'Oak stool', 'used', 2, 4200, 6, 5900],
    ['H-305', 'Linen curtain, 140 x 240 cm', 'new', 7, 980, 4, 6800],
  ],
  filters: {
    sku: key('sku'),
    titleContains: contains('title'),
    condition: equals('condition'),
    minStock: atLeast('stock'),
    maxPriceCents: atMost('priceCents'),
    maxDeliveryDays: atMost('deliveryDays'),
  },
});

const electronics = referenceTable({
  id: 'bfb9b860-71c6-4f56-9065-5d3ab01bc726',
  vertical: 'electronics',
  title: 'Used laptops with their tested condition',
  description:
    'Laptops with processor class, memory, disk, battery health as measured, known faults and price. Makes are ' +
    'invented. A real listing states how the device was tested and erased, and the warranty.',
  example: { minMemoryGb: 16, minBatteryPercent: 80 },
  columns: {
    deviceId: text('Device.'),
    title: text('Make and model.'),
    memoryGb: whole('Memory, in GB.', { minimum: 1 }),
    diskGb: whole('Disk, in GB.', { minimum: 1 }),
    batteryPercent: whole('Battery capacity left, in per cent of new.', { minimum: 0, maximum: 100 }),
    faults: list(text('Fault.'), 'Known faults.'),
    warrantyDays: whole('Warranty, in days.', { minimum: 0 }),
    priceCents: cents('Price'),
  },
  rows: [
    ['L-01', 'Foxglove 13 (sample)', 16, 512, 91, [], 180, 48_000],
    ['L-02', 'Foxglove 13 (sample)', 8, 256, 84, ['scratched lid'], 180, 29_900],
    ['L-03', 'Barrow Pro 15 (sample)', 32, 1000, 72, [], 90, 71_000],
    ['L-04', 'Barrow Pro 15 (sample)', 16, 1000, 88, ['one dead pixel'], 90, 58_500],
  ],
  filters: {
    deviceId: key('deviceId'),
    minMemoryGb: atLeast('memoryGb'),
    minDiskGb: atLeast('diskGb'),
    minBatteryPercent: atLeast('batteryPercent'),
    maxPriceCents: atMost('priceCents'),
  },
});

const vehicles = referenceTable({
  id: 'a894b266-b925-43a5-9208-f1bf892cca20',
  vertical: 'vehicles',
  title: 'Used vehicles by kind, drive and mileage',
  description:
    'Cars, vans and electric bicycles with first registration, mileage, drive, owners and price. Makes are invented ' +
    'and identification numbers left out. A real listing adds inspection date, accident history and papers.',
  example: { kind: 'car', drive: 'electric', maxMileageKm: 60_000 },
  columns: {
    vehicleId: text('Vehicle.'),
    title: text('Make and model.'),
    kind: oneOf('Kind.', 'car', 'van', 'e-bike'),
    drive: oneOf('Drive.', 'petrol', 'diesel', 'electric'),
    firstRegistered: day('First registration.'),
    mileageKm: whole('Mileage, in km.', { minimum: 0 }),
    owners: whole('Owners so far.', { minimum: 0 }),
    priceCents: cents('Price'),
  },
  rows: [
    ['V-1', 'Heron 40 (sample)', 'car', 'electric', '2022-03-14', 41_200, 1, 1_890_000],
    ['V-2', 'Heron 60 (sample)', 'car', 'electric', '2020-09-01', 88_700, 2, 1_420_000],
    ['V-3', 'Plover (sample)', 'car', 'petrol', '2016-05-20', 131_000, 3, 540_000],
    ['V-4', 'Carrier L (sample)', 'van', 'diesel', '2019-11-11', 154_300, 1, 1_150_000],
    ['V-5', 'Wren Touring (sample)', 'e-bike', 'electric', '2024-04-02', 2_100, 1, 165_000],
  ],
  filters: {
    vehicleId: key('vehicleId'),
    kind: equals('kind'),
    drive: equals('drive'),
    registeredSince: atLeast('firstRegistered'),
    maxMileageKm: atMost('mileageKm'),
    maxPriceCents: atMost('priceCents'),
  },
});

const other = referenceTable({
  id: 'be0e38e4-1c4a-4317-b2d7-701c27f71ff1',
  vertical: 'other-general',
  title: 'Things to swap, and what is wanted for them',
  description:
    'Offers without money: what is given, what is wanted, where, and until when. All are invented. A real listing ' +
    'under this vertical says plainly what changes hands, since no other vertical’s customs apply.',
  example: { wantedContains: 'plant' },
  columns: {
    swapId: text('Offer.'),
    given: text('What is given.'),
    wanted: text('What is wanted for it.'),
    place: text('Where.'),
    until: day('Last day of the offer.'),
  },
  rows: [
    ['s-1', 'Accordion, playable', 'Bicycle or loom', 'Old Town', '2026-12-31'],
    ['s-2', 'Forty jars', 'Tomato plants', 'Hillside', '2027-04-30'],
    ['s-3', 'Lessons in knot tying', 'House plants', 'Harbour', '2027-01-31'],
    ['s-4', 'Box of marbles', 'Box of buttons', 'Harbour', '2026-11-30'],
  ],
  filters: {
    swapId: key('swapId'),
    givenContains: contains('given'),
    wantedContains: contains('wanted'),
    place: equals('place'),
    openOn: atLeast('until'),
  },
});

const requests = referenceTable({
  id: '0ac385c7-c7e0-4228-8b52-c57619eaf2ec',
  vertical: 'wanted-requests',
  title: 'Requests with budget and acceptance terms',
  description:
    'What buyers look for: what, in which category, budget, deadline, and what the delivery must satisfy. All are ' +
    'invented. A good request is one that a seller can tell beforehand whether it will be accepted.',
  example: { category: 'data', minBudgetCents: 20_000 },
  columns: {
    requestId: text('Request.'),
    wanted: text('What is wanted.'),
    category: oneOf('Macro-category.', 'data', 'services', 'documents', 'products'),
    budgetCents: cents('Budget'),
    deadline: day('Deadline.'),
    acceptance: list(text('Condition.'), 'What the delivery must satisfy.'),
    open: flag('Still open.'),
  },
  rows: [
    [
      'w-1',
      'Opening hours of 200 village shops, as a table',
      'data',
      30_000,
      '2027-01-15',
      ['checked after 2026-11-01', 'source for every row'],
      true,
    ],
    ['w-2', 'River levels of the last ten years, daily', 'data', 15_000, '2026-12-20', ['gaps marked'], true],
    ['w-3', 'Proofreading of a 90-page manual', 'services', 40_000, '2026-12-10', ['marked-up file'], true],
    ['w-4', 'Comparison of five heat pumps', 'documents', 25_000, '2026-11-30', ['test method named'], false],
  ],
  filters: {
    requestId: key('requestId'),
    category: equals('category'),
    wantedContains: contains('wanted'),
    minBudgetCents: atLeast('budgetCents'),
    open: equals('open'),
  },
});

export const GOODS_REFERENCES = [products, electronics, vehicles, other, requests];
