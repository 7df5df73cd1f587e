const MOST_CENTS = 1_000_000_000;

export type ReadPrice = { readonly cents: number } | { readonly fault: string };

/** A price as people type it, in dollars, as cents: `26`, `26.5`, `26.00`, `$1,204.00`. */
export function readPrice(typed: string): ReadPrice {
  const text = typed.trim();
  if (text === '') return { fault: 'Write a price in dollars, such as 26.00. Write 0 to give it away.' };
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) {
    const shown = text.length > 20 ? 'This' : text;
    return { fault: `${shown} is not a price. Write dollars and cents with a point: 26.00.` };
  }
  const [, dollars = '', cents = ''] = match;
  const total = Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
  return total > MOST_CENTS ? { fault: 'The highest price is $10,000,000.00.' } : { cents: total };
}

/** Cents as they are typed: `26.00`. */
export const typedPrice = (cents: number): string => (cents / 100).toFixed(2);
