import { CURRENCY_ROWS } from '../../platform/curated/currencies.data.ts';

/** What a card processor converts dollars into for an account of this country: its own money. */
export function accountCurrency(country: string): string {
  const own = CURRENCY_ROWS.find(
    ([, , , , kind, countries]) => kind === 'currency' && countries.split(' ').includes(country),
  );
  if (own === undefined) throw new Error(`${country} has no currency.`);
  return own[0].toLowerCase();
}

/** Cents of a dollar in the currency of an account, where a dollar buys so much of it. What is taken out is rounded up. */
export function convertCents(cents: number, perDollar: number, direction: 'in' | 'out'): number {
  const exact = (cents * Math.round(perDollar * 10_000)) / 10_000;
  return direction === 'in' ? Math.floor(exact) : Math.ceil(exact);
}

/** What a dollar buys of any other currency, until somebody changes it. */
export const PER_DOLLAR = 0.9;
