import { numberIn, rounded } from '../query.ts';
import { cents, day, decimal, flag, list, object, oneOf, text, whole } from '../schema.ts';
import { atLeast, atMost, contains, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

const general = referenceTable({
  id: '58564b94-4864-48e4-a4bf-9d2538a93919',
  vertical: 'data-general',
  title: 'Hourly bicycle counts at three counters',
  description:
    'Bicycles passing three counters of an invented town, by hour. Ask for one counter, a span of days, or hours ' +
    'with at least so many bicycles.',
  example: { counter: 'river-bridge', minBicycles: 100 },
  columns: {
    counter: oneOf('Counter.', 'river-bridge', 'station-road', 'school-lane'),
    day: day('Local day.'),
    hour: whole('Local hour, 0-23.', { minimum: 0, maximum: 23 }),
    bicycles: whole('Bicycles counted in the hour.', { minimum: 0 }),
    complete: flag('False if the counter was down for part of the hour.'),
  },
  rows: [
    ['river-bridge', '2026-09-07', 7, 148, true],
    ['river-bridge', '2026-09-07', 8, 231, true],
    ['river-bridge', '2026-09-07', 12, 64, true],
    ['river-bridge', '2026-09-08', 8, 219, true],
    ['station-road', '2026-09-07', 7, 97, true],
    ['station-road', '2026-09-07', 8, 160, true],
    ['station-road', '2026-09-08', 8, 71, false],
    ['school-lane', '2026-09-07', 8, 88, true],
    ['school-lane', '2026-09-08', 8, 93, true],
  ],
  filters: {
    counter: equals('counter'),
    from: atLeast('day'),
    to: atMost('day'),
    minBicycles: atLeast('bicycles'),
    complete: equals('complete'),
  },
});

const web = referenceTable({
  id: 'c599b8aa-3dd2-444a-aa94-a1efeb9890f4',
  vertical: 'web-data',
  title: 'Product pages of two web shops, as rows',
  description:
    'Fields extracted from product pages: address, title, price, stock, and when the page was seen. The shops are ' +
    'under example domains and do not exist. A real listing says here which sites it covers, how often they are ' +
    'visited, and that their terms allow it.',
  example: { site: 'kettles.example', inStock: true },
  columns: {
    site: text('Site.'),
    path: text('Path of the page.'),
    title: text('Product title.'),
    priceCents: cents('Price shown'),
    inStock: flag('Shown as available.'),
    seenAt: text('When the page was fetched, ISO-8601 UTC.'),
  },
  rows: [
    ['kettles.example', '/p/stovetop-1l', 'Stovetop kettle, 1 litre', 3490, true, '2026-10-02T06:10:00.000Z'],
    [
      'kettles.example',
      '/p/stovetop-2l',
      'Stovetop kettle, 2 litres',
      4290,
      false,
      '2026-10-02T06:10:04.000Z',
    ],
    ['kettles.example', '/p/gooseneck', 'Gooseneck kettle', 5990, true, '2026-10-02T06:10:09.000Z'],
    ['lamps.example', '/item/17', 'Desk lamp, brass', 7900, true, '2026-10-02T07:00:00.000Z'],
    ['lamps.example', '/item/22', 'Clip lamp, black', 2450, true, '2026-10-02T07:00:03.000Z'],
    ['lamps.example', '/item/31', 'Floor lamp, oak', 12900, false, '2026-10-02T07:00:07.000Z'],
  ],
  filters: {
    site: equals('site'),
    titleContains: contains('title'),
    maxPriceCents: atMost('priceCents'),
    inStock: equals('inStock'),
    seenSince: atLeast('seenAt'),
  },
});

const market = referenceTable({
  id: 'cf4aa094-9c61-48ec-bc5e-3b67dded985f',
  vertical: 'market-data',
  title: 'Daily open, high, low and close of two instruments',
  description:
    'Daily bars with volume for two invented instruments, QXA and QXB. Ask by symbol and span of days. An unknown ' +
    'symbol is answered as unavailable, so that nobody pays for nothing.',
  example: { symbol: 'QXA', from: '2026-09-02' },
  columns: {
    symbol: text('Symbol.'),
    day: day('Trading day.'),
    open: decimal('First price.'),
    high: decimal('Highest price.'),
    low: decimal('Lowest price.'),
    close: decimal('Last price.'),
    volume: whole('Units traded.', { minimum: 0 }),
  },
  rows: [
    ['QXA', '2026-09-01', 41.2, 41.9, 40.8, 41.5, 120400],
    ['QXA', '2026-09-02', 41.5, 42.3, 41.4, 42.1, 98100],
    ['QXA', '2026-09-03', 42, 42.2, 41.1, 41.3, 134900],
    ['QXA', '2026-09-04', 41.3, 41.8, 41, 41.7, 87600],
    ['QXB', '2026-09-01', 8.05, 8.2, 7.98, 8.11, 560200],
    ['QXB', '2026-09-02', 8.11, 8.15, 7.9, 7.94, 611800],
    ['QXB', '2026-09-03', 7.95, 8.02, 7.85, 8, 498300],
    ['QXB', '2026-09-04', 8, 8.31, 8, 8.29, 702500],
  ],
  filters: { symbol: key('symbol'), from: atLeast('day'), to: atMost('day') },
});

const weather = referenceTable({
  id: '7faed012-29ca-4b41-b638-6083aab6eb7d',
  vertical: 'weather-environment',
  title: 'Daily weather at three stations',
  description:
    'Temperature, rain, wind and fine particles at three invented stations, one row a day. A real listing names its ' +
    'instruments, their accuracy, and how gaps are marked.',
  example: { station: 'HILLTOP', minRainMm: 1 },
  columns: {
    station: text('Station code.'),
    day: day('UTC day.'),
    minTemperatureC: decimal('Lowest air temperature at 2 m, in degrees Celsius.'),
    maxTemperatureC: decimal('Highest air temperature at 2 m, in degrees Celsius.'),
    rainMm: decimal('Rain, in mm.', { minimum: 0 }),
    maxWindMPerS: decimal('Strongest 10-minute wind, in m/s.', { minimum: 0 }),
    pm25UgPerM3: decimal('Fine particles, daily mean, in micrograms per cubic metre.', { minimum: 0 }),
  },
  rows: [
    ['HILLTOP', '2026-08-10', 11.2, 21.7, 0, 9.1, 5.2],
    ['HILLTOP', '2026-08-11', 12.4, 18.3, 7.6, 14.8, 3.1],
    ['HILLTOP', '2026-08-12', 10.9, 17.5, 1.2, 11.3, 3.9],
    ['HARBOUR', '2026-08-10', 14.8, 22.1, 0, 7.4, 8.8],
    ['HARBOUR', '2026-08-11', 14.1, 19, 4.3, 12.9, 6],
    ['MARSH', '2026-08-10', 9.7, 23.4, 0, 4.2, 6.4],
    ['MARSH', '2026-08-11', 11.8, 18.8, 9.9, 8, 4.7],
  ],
  filters: {
    station: key('station'),
    from: atLeast('day'),
    to: atMost('day'),
    minRainMm: atLeast('rainMm'),
    maxPm25UgPerM3: atMost('pm25UgPerM3'),
  },
});

const EARTH_RADIUS_KM = 6371;

/** Great-circle distance on a sphere of the Earth's mean radius (haversine formula). */
function distanceKm(fromLat: number, fromLon: number, toLat: number, toLon: number): number {
  const rad = Math.PI / 180;
  const half = (degrees: number) => Math.sin((degrees * rad) / 2) ** 2;
  const chord =
    half(toLat - fromLat) + Math.cos(fromLat * rad) * Math.cos(toLat * rad) * half(toLon - fromLon);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Around 0° N 30° W, in open ocean, so that nobody takes them for real places. */
const PLACES: readonly (readonly [string, string, number, number])[] = [
  ['Sample Pier', 'harbour', 0.01, -30.02],
  ['Sample Market', 'shop', 0.03, -30.01],
  ['Sample Library', 'library', 0.05, -29.97],
  ['Sample Clinic', 'clinic', -0.04, -30.05],
  ['Sample Charging Point', 'charging', 0.12, -30.1],
  ['Sample Lighthouse', 'landmark', 0.4, -29.6],
];

const geospatial = referenceAnswer({
  id: '95f4abd5-6b14-4a43-ad1d-b396b2882d30',
  vertical: 'geospatial',
  title: 'Places within a distance of a point',
  description:
    'Give a point and a radius and get the places inside it, nearest first, with distances along the great circle. ' +
    'The six places lie in open ocean around 0° N 30° W and do not exist.',
  example: { latitude: 0, longitude: -30, radiusKm: 10 },
  input: {
    latitude: decimal('Degrees north.', { minimum: -90, maximum: 90 }),
    longitude: decimal('Degrees east.', { minimum: -180, maximum: 180 }),
    radiusKm: decimal('Radius, in km.', { exclusiveMinimum: 0, maximum: 500 }),
  },
  required: ['latitude', 'longitude', 'radiusKm'],
  output: {
    total: whole('Places found.', { minimum: 0 }),
    places: list(
      object({
        name: text('Name.'),
        kind: text('Kind.'),
        latitude: decimal('Degrees north.'),
        longitude: decimal('Degrees east.'),
        distanceKm: decimal('Distance from the point, in km.'),
      }),
      'Nearest first.',
    ),
  },
  answer(query) {
    const [latitude, longitude] = [numberIn(query, 'latitude', 0), numberIn(query, 'longitude', 0)];
    const places = PLACES.map(([name, kind, lat, lon]) => ({
      name,
      kind,
      latitude: lat,
      longitude: lon,
      distanceKm: rounded(distanceKm(latitude, longitude, lat, lon), 3),
    }))
      .filter((place) => place.distanceKm <= numberIn(query, 'radiusKm', 0))
      .sort((a, b) => a.distanceKm - b.distanceKm);
    return { total: places.length, places };
  },
});

export const DATA_REFERENCES = [general, web, market, weather, geospatial];
