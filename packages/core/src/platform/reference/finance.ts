import { numberIn, rounded, textIn } from '../query.ts';
import { cents, day, decimal, list, object, oneOf, text, whole } from '../schema.ts';
import { atLeast, equals, key } from '../table.ts';
import { referenceAnswer, referenceTable } from './reference.ts';

// Investments and capital. Calculators only calculate; none of this is advice or an offer.

const NO_OFFER = 'Not an offer and not advice.';

const investments = referenceAnswer({
  id: 'b89ee316-a9cd-44f3-9494-6c48484b8fb6',
  vertical: 'investments-general',
  title: 'Value of a yearly saving plan under a stated return',
  description:
    'Works out, year by year, what a starting sum with yearly additions comes to at a constant return, after a yearly ' +
    `fee. A real listing names the instrument, its risks and who may buy it. ${NO_OFFER}`,
  example: { startCents: 100_000, yearlyCents: 120_000, returnPercent: 4, feePercent: 0.5, years: 3 },
  input: {
    startCents: cents('Starting sum'),
    yearlyCents: cents('Added at the end of each year'),
    returnPercent: decimal('Return a year, in per cent.', { minimum: -50, maximum: 50 }),
    feePercent: decimal('Fee a year, in per cent of the value; 0 by default.', { minimum: 0, maximum: 10 }),
    years: whole('Years.', { minimum: 1, maximum: 60 }),
  },
  required: ['startCents', 'yearlyCents', 'returnPercent', 'years'],
  output: {
    paidInCents: cents('Sum of all payments'),
    finalCents: cents('Value at the end'),
    years: list(
      object({ year: whole('Year.', { minimum: 1 }), valueCents: cents('Value at its end') }),
      'Year by year.',
    ),
  },
  answer(query) {
    const yearly = numberIn(query, 'yearlyCents', 0);
    const growth =
      (1 + numberIn(query, 'returnPercent', 0) / 100) * (1 - numberIn(query, 'feePercent', 0) / 100);
    const start = numberIn(query, 'startCents', 0);
    const years: { year: number; valueCents: number }[] = [];
    let value = start;
    for (let year = 1; year <= numberIn(query, 'years', 1); year += 1) {
      value = Math.floor(value * growth) + yearly;
      years.push({ year, valueCents: value });
    }
    return { paidInCents: start + yearly * years.length, finalCents: value, years };
  },
});

const equity = referenceAnswer({
  id: '831d0d6d-b178-42b5-ad53-3efc9703de41',
  vertical: 'startup-equity',
  title: 'Ownership after a funding round',
  description:
    'Shares and percentages after a round: give the valuation before the money, the sum raised, the shares outstanding ' +
    'and an option pool, and get the price of a share, new shares and everybody’s part. The pool is created before ' +
    `the money, as investors usually ask. A real listing names the company, the class of shares and transfer limits. ${NO_OFFER}`,
  example: { preMoneyCents: 400_000_000, raisedCents: 100_000_000, sharesBefore: 1_000_000, poolPercent: 10 },
  input: {
    preMoneyCents: whole('Valuation before the money, in cents.', { minimum: 1 }),
    raisedCents: whole('Sum raised, in cents.', { minimum: 1 }),
    sharesBefore: whole('Shares outstanding before.', { minimum: 1, maximum: 1_000_000_000 }),
    poolPercent: decimal('Option pool after the round, in per cent; 0 by default.', {
      minimum: 0,
      maximum: 30,
    }),
  },
  required: ['preMoneyCents', 'raisedCents', 'sharesBefore'],
  output: {
    postMoneyCents: cents('Valuation after the money'),
    pricePerShareCents: decimal('Price of a share, in cents.'),
    newShares: whole('Shares for the new investors.', { minimum: 0 }),
    poolShares: whole('Shares in the pool.', { minimum: 0 }),
    ownership: object({
      holdersBeforePercent: decimal('Holders from before.'),
      investorsPercent: decimal('New investors.'),
      poolPercent: decimal('Option pool.'),
    }),
  },
  answer(query) {
    const before = numberIn(query, 'sharesBefore', 1);
    const postMoney = numberIn(query, 'preMoneyCents', 1) + numberIn(query, 'raisedCents', 1);
    const investors = numberIn(query, 'raisedCents', 1) / postMoney;
    const pool = numberIn(query, 'poolPercent', 0) / 100;
    // What is left for the holders from before must be something, or there is no such round.
    const rest = 1 - investors - pool;
    if (rest <= 0) return null;
    const total = before / rest;
    return {
      postMoneyCents: postMoney,
      pricePerShareCents: rounded(postMoney / total, 6),
      newShares: Math.round(total * investors),
      poolShares: Math.round(total * pool),
      ownership: {
        holdersBeforePercent: rounded(rest * 100, 4),
        investorsPercent: rounded(investors * 100, 4),
        poolPercent: rounded(pool * 100, 4),
      },
    };
  },
});

const receivables = referenceAnswer({
  id: 'e5a9d987-14cd-4188-8e16-450077d22bc4',
  vertical: 'loans-receivables',
  title: 'Price of an invoice before it falls due',
  description:
    'What an invoice is worth today: face amount, days until due, yearly rate and a reserve kept back until it is ' +
    'paid. Days are counted on a year of 360. A real listing names the debtor’s class, the papers that prove the ' +
    `claim, and who bears the loss if it is not paid. ${NO_OFFER}`,
  example: { faceCents: 1_000_000, daysUntilDue: 45, ratePercent: 9, reservePercent: 10 },
  input: {
    faceCents: whole('Amount of the invoice, in cents.', { minimum: 1 }),
    daysUntilDue: whole('Days until it is due.', { minimum: 1, maximum: 365 }),
    ratePercent: decimal('Rate a year, in per cent.', { minimum: 0, maximum: 60 }),
    reservePercent: decimal('Part kept back until it is paid; 0 by default.', { minimum: 0, maximum: 50 }),
  },
  required: ['faceCents', 'daysUntilDue', 'ratePercent'],
  output: {
    discountCents: cents('Cost of being paid early'),
    reserveCents: cents('Kept back until the debtor has paid'),
    paidNowCents: cents('Paid at once'),
    paidLaterCents: cents('Paid when the debtor has paid'),
  },
  answer(query) {
    const face = numberIn(query, 'faceCents', 1);
    const rate = numberIn(query, 'ratePercent', 0) / 100;
    const discount = Math.min(face, Math.round((face * rate * numberIn(query, 'daysUntilDue', 1)) / 360));
    const reserve = Math.min(
      face - discount,
      Math.floor((face * numberIn(query, 'reservePercent', 0)) / 100),
    );
    return {
      discountCents: discount,
      reserveCents: reserve,
      paidNowCents: face - discount - reserve,
      paidLaterCents: reserve,
    };
  },
});

const capital = referenceAnswer({
  id: '516b1411-039f-4fd6-9227-7cf12d6716d1',
  vertical: 'capital-general',
  title: 'Repayment schedule of a business loan',
  description:
    'The monthly schedule of a loan with equal payments: interest, repayment and balance of every month, to the cent. ' +
    'The last payment takes up what rounding leaves. A real listing says who lends, to whom, against which security, ' +
    `and all costs. ${NO_OFFER}`,
  example: { principalCents: 1_200_000, ratePercent: 7.5, months: 12 },
  input: {
    principalCents: whole('Sum lent, in cents.', { minimum: 1000, maximum: 1_000_000_000 }),
    ratePercent: decimal('Nominal rate a year, in per cent.', { minimum: 0, maximum: 60 }),
    months: whole('Months.', { minimum: 1, maximum: 120 }),
  },
  required: ['principalCents', 'ratePercent', 'months'],
  output: {
    paymentCents: cents('Payment of every month but the last'),
    totalInterestCents: cents('Interest in all'),
    schedule: list(
      object({
        month: whole('Month.', { minimum: 1 }),
        interestCents: cents('Interest'),
        repaymentCents: cents('Repayment'),
        balanceCents: cents('Balance afterwards'),
      }),
      'Month by month.',
    ),
  },
  answer(query) {
    const principal = numberIn(query, 'principalCents', 1000);
    const months = numberIn(query, 'months', 1);
    const rate = numberIn(query, 'ratePercent', 0) / 1200;
    const payment = Math.ceil(
      rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months),
    );
    const schedule: { month: number; interestCents: number; repaymentCents: number; balanceCents: number }[] =
      [];
    let balance = principal;
    for (let month = 1; month <= months; month += 1) {
      const interest = Math.round(balance * rate);
      const repayment = month === months ? balance : Math.min(balance, payment - interest);
      balance -= repayment;
      schedule.push({ month, interestCents: interest, repaymentCents: repayment, balanceCents: balance });
    }
    return {
      paymentCents: payment,
      totalInterestCents: schedule.reduce((sum, row) => sum + row.interestCents, 0),
      schedule,
    };
  },
});

const grants = referenceTable({
  id: 'f145e692-340c-4fce-a5df-69fc4fb3a99b',
  vertical: 'grants',
  title: 'Grant calls by field, applicant and deadline',
  description:
    'Open calls with field, who may apply, highest sum, share of the costs covered, and deadline. Calls and funders ' +
    'are invented. A real listing links the official text of the call, which alone counts.',
  example: { field: 'energy', applicant: 'small company' },
  columns: {
    callId: text('Call.'),
    title: text('Title.'),
    field: oneOf('Field.', 'energy', 'health', 'culture', 'software'),
    applicants: list(text('Kind of applicant.'), 'Who may apply.'),
    maxCents: cents('Highest sum'),
    coveredPercent: whole('Share of the costs covered, in per cent.', { minimum: 1, maximum: 100 }),
    deadline: day('Last day to apply.'),
  },
  rows: [
    [
      'g-1',
      'Heat from Waste Water (sample)',
      'energy',
      ['small company', 'town'],
      25_000_000,
      60,
      '2027-01-31',
    ],
    ['g-2', 'Quiet Turbines (sample)', 'energy', ['university'], 80_000_000, 100, '2027-03-15'],
    ['g-3', 'Clinics on Wheels (sample)', 'health', ['charity', 'town'], 12_000_000, 80, '2026-12-15'],
    ['g-4', 'Small Stages (sample)', 'culture', ['individual', 'charity'], 800_000, 90, '2026-12-01'],
    ['g-5', 'Open Tools (sample)', 'software', ['individual', 'small company'], 5_000_000, 100, '2027-02-28'],
  ],
  filters: {
    callId: key('callId'),
    field: equals('field'),
    applicant: equals('applicants'),
    minMaxCents: atLeast('maxCents'),
    openOn: atLeast('deadline'),
  },
});

const STAGES = ['pre-seed', 'seed', 'series a', 'series b'] as const;

const FUNDS: readonly (readonly [string, readonly string[], readonly string[], number, number])[] = [
  ['Lowland Fund (sample)', ['pre-seed', 'seed'], ['software', 'energy'], 10_000_000, 50_000_000],
  ['Second Bell (sample)', ['seed', 'series a'], ['health', 'software'], 50_000_000, 300_000_000],
  ['Cape Row (sample)', ['series a', 'series b'], ['energy', 'machinery'], 300_000_000, 2_000_000_000],
];

const venture = referenceAnswer({
  id: 'd705c1a7-2f02-41c0-84f4-9e8d949acb67',
  vertical: 'venture-funding',
  title: 'Which investors fit a round',
  description:
    'Give stage, field and sum wanted, and get the funds that fit, with the reason. The three funds are invented. A ' +
    `real listing states the investor’s thesis, usual terms and how to apply. ${NO_OFFER}`,
  example: { stage: 'seed', field: 'software', wantedCents: 50_000_000 },
  input: {
    stage: oneOf('Stage of the company.', ...STAGES),
    field: oneOf('Field.', 'software', 'energy', 'health', 'machinery'),
    wantedCents: whole('Sum wanted, in cents.', { minimum: 1 }),
  },
  required: ['stage', 'field', 'wantedCents'],
  output: {
    total: whole('Funds that fit.', { minimum: 0 }),
    funds: list(
      object({
        name: text('Name.'),
        minCents: cents('Smallest cheque'),
        maxCents: cents('Largest cheque'),
        chequesNeeded: whole('Cheques of the largest size that the sum takes.', { minimum: 1 }),
      }),
      'Funds that fit stage and field, and whose smallest cheque is not above the sum.',
    ),
  },
  answer(query) {
    const wantedCents = numberIn(query, 'wantedCents', 1);
    const funds = FUNDS.filter(
      ([, stages, fields, least]) =>
        stages.includes(textIn(query, 'stage', '')) &&
        fields.includes(textIn(query, 'field', '')) &&
        least <= wantedCents,
    ).map(([name, , , minCents, maxCents]) => ({
      name,
      minCents,
      maxCents,
      chequesNeeded: Math.ceil(wantedCents / maxCents),
    }));
    return { total: funds.length, funds };
  },
});

export const FINANCE_REFERENCES = [investments, equity, receivables, capital, grants, venture];
