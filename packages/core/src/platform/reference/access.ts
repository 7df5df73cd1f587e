import { flagIn, numberIn } from '../query.ts';
import { cents, day, flag, list, object, oneOf, text, whole } from '../schema.ts';
import { atLeast, atMost, contains, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

const general = referenceTable({
  id: '8b519702-0174-4bf0-aa10-f2c95d3a0e6f',
  vertical: 'access-general',
  title: 'Free hours in a workshop, by machine',
  description:
    'Free time slots of the machines of an invented community workshop, with price and whether an introduction is ' +
    'needed. Nothing is reserved. A real listing says how a slot is held and until when it can be given back.',
  example: { machine: 'laser cutter', from: '2026-11-10' },
  columns: {
    slotId: text('Slot.'),
    machine: oneOf('Machine.', 'laser cutter', 'lathe', 'loom'),
    day: day('Local day.'),
    startHour: whole('Local hour of the start.', { minimum: 0, maximum: 23 }),
    hours: whole('Hours.', { minimum: 1 }),
    introductionNeeded: flag('Only for people who had the introduction.'),
    priceCents: cents('Price'),
  },
  rows: [
    ['s-501', 'laser cutter', '2026-11-09', 18, 2, true, 2400],
    ['s-502', 'laser cutter', '2026-11-11', 10, 3, true, 3000],
    ['s-503', 'lathe', '2026-11-10', 17, 2, true, 1800],
    ['s-504', 'loom', '2026-11-10', 9, 4, false, 1600],
    ['s-505', 'loom', '2026-11-12', 14, 4, false, 1600],
  ],
  filters: {
    slotId: key('slotId'),
    machine: equals('machine'),
    from: atLeast('day'),
    to: atMost('day'),
    minHours: atLeast('hours'),
    introductionNeeded: equals('introductionNeeded'),
  },
});

interface Plan {
  readonly plan: string;
  readonly monthlyCents: number;
  readonly included: number;
  readonly centsPerThousandMore: number;
  readonly ratePerSecond: number;
}

const PLANS: readonly Plan[] = [
  { plan: 'free', monthlyCents: 0, included: 10_000, centsPerThousandMore: 50, ratePerSecond: 2 },
  { plan: 'team', monthlyCents: 2900, included: 250_000, centsPerThousandMore: 12, ratePerSecond: 20 },
  { plan: 'large', monthlyCents: 19_900, included: 5_000_000, centsPerThousandMore: 4, ratePerSecond: 200 },
];

const api = referenceAnswer({
  id: '1bc678a2-0e6b-426f-91ce-5d2c7ee7129a',
  vertical: 'api-access',
  title: 'The cheapest plan for your number of requests',
  description:
    'Give requests a month and the highest rate, and get what every plan that allows the rate would cost, cheapest ' +
    'first. The plans are invented. A real listing links the interface’s documentation and says how keys are issued ' +
    'and whether the seller runs it or may resell it.',
  example: { requestsPerMonth: 400_000, requestsPerSecond: 10 },
  input: {
    requestsPerMonth: whole('Requests a month.', { minimum: 0, maximum: 1_000_000_000 }),
    requestsPerSecond: whole('Highest rate, in requests a second; 1 by default.', { minimum: 1 }),
    flatOnly: flag('Only plans that cover all requests without extra charge.'),
  },
  required: ['requestsPerMonth'],
  output: {
    plans: list(
      object({
        plan: text('Plan.'),
        ratePerSecond: whole('Requests a second.'),
        includedRequests: whole('Requests included.'),
        extraCents: cents('Charge for further requests'),
        totalCents: cents('Cost of a month'),
      }),
      'Cheapest first.',
    ),
  },
  answer(query) {
    const requests = numberIn(query, 'requestsPerMonth', 0);
    const plans = PLANS.filter((plan) => plan.ratePerSecond >= numberIn(query, 'requestsPerSecond', 1))
      .map(({ plan, monthlyCents, included, centsPerThousandMore, ratePerSecond }) => {
        const extra = Math.ceil(Math.max(0, requests - included) / 1000) * centsPerThousandMore;
        return {
          plan,
          ratePerSecond,
          includedRequests: included,
          extraCents: extra,
          totalCents: monthlyCents + extra,
        };
      })
      .filter((plan) => !flagIn(query, 'flatOnly') || plan.extraCents === 0)
      .sort((a, b) => a.totalCents - b.totalCents);
    return plans.length === 0 ? null : { plans };
  },
});

const tickets = referenceTable({
  id: '6cb18fb5-72a2-45a2-bf4b-850d5eca968b',
  vertical: 'event-tickets',
  title: 'Tickets by event, day and category',
  description:
    'Tickets with event, place, day, category, seats together, and price. Events are invented and admit nobody. A real ' +
    'listing says who issued the ticket, whether it may be passed on, and how it reaches the buyer.',
  example: { eventContains: 'choir', minSeatsTogether: 2 },
  columns: {
    offerId: text('Offer.'),
    event: text('Event.'),
    kind: oneOf('Kind.', 'concert', 'sport', 'conference', 'theatre'),
    place: text('Place.'),
    day: day('Day.'),
    category: text('Category of seat.'),
    seatsTogether: whole('Seats next to each other.', { minimum: 1 }),
    transferable: flag('May be passed on.'),
    priceCents: cents('Price of one'),
  },
  rows: [
    [
      'e-1',
      'Harbour Choir, winter concert (sample)',
      'concert',
      'Old Town',
      '2026-12-12',
      'A',
      2,
      true,
      3200,
    ],
    [
      'e-2',
      'Harbour Choir, winter concert (sample)',
      'concert',
      'Old Town',
      '2026-12-12',
      'C',
      5,
      true,
      1400,
    ],
    ['e-3', 'Town derby (sample)', 'sport', 'Hillside', '2026-11-22', 'standing', 4, false, 1800],
    [
      'e-4',
      'Edge Computing Day (sample)',
      'conference',
      'Harbour',
      '2027-02-03',
      'full pass',
      1,
      true,
      19_000,
    ],
    ['e-5', 'The Kettle, a comedy (sample)', 'theatre', 'Old Town', '2027-01-16', 'B', 3, true, 2600],
  ],
  filters: {
    offerId: key('offerId'),
    eventContains: contains('event'),
    kind: equals('kind'),
    from: atLeast('day'),
    to: atMost('day'),
    minSeatsTogether: atLeast('seatsTogether'),
    maxPriceCents: atMost('priceCents'),
    transferable: equals('transferable'),
  },
});

export const ACCESS_REFERENCES = [general, api, tickets];
