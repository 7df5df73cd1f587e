import { METERED_UNITS, type MeteredUnit } from '@agent-marketplace/protocol/metered-units.ts';

const MOST_CENTS = 1_000_000_000;
const MICROS_PER_CENT = 10_000;
const MOST_MICROS = MOST_CENTS * MICROS_PER_CENT;
const LEAST_MICROS = 100;
const HIGHEST = 'The highest price is $10,000,000.00.';

interface Meter {
  readonly unit: MeteredUnit;
  readonly unitPriceMicros: number;
  readonly maxUnits: number;
}

/** A price as the API takes it: whole cents, and what is more exact where there is such a thing. */
export interface PriceTerms {
  readonly priceCents: number;
  readonly priceMicros?: number | null | undefined;
  readonly meter?: Meter | null | undefined;
}

export type ReadPrice = { readonly micros: number } | { readonly fault: string };

/** A price as people type it, in dollars, as micro-units: `26`, `26.5`, `$1,204.00`, `0.0005`. */
export function readPrice(typed: string): ReadPrice {
  const text = typed.trim();
  if (text === '') return { fault: 'Write a price in dollars, such as 26.00. Write 0 to give it away.' };
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) {
    const shown = text.length > 20 ? 'This' : text;
    return { fault: `${shown} is not a price. Write dollars and cents with a point: 26.00.` };
  }
  const [, dollars = '', fraction = ''] = match;
  const micros = Number(dollars.replaceAll(',', '')) * 1_000_000 + Number(fraction.padEnd(6, '0'));
  if (micros > MOST_MICROS) return { fault: HIGHEST };
  if (micros > 0 && micros < LEAST_MICROS) return { fault: 'The lowest price is $0.0001.' };
  return { micros };
}

type TextAt = (name: string) => string;

/** The price of the form of a listing: of one answer, or of a unit of those that an answer takes. */
export function readPriceTerms(textAt: TextAt, faults: Map<string, string>): PriceTerms {
  const price = readPrice(textAt('price'));
  if ('fault' in price) faults.set('price', price.fault);
  const micros = 'micros' in price ? price.micros : 0;
  const chosen = textAt('unit');
  if (!isUnit(chosen)) return termsOf(micros);
  const text = textAt('maxUnits').trim();
  const maxUnits = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (maxUnits < 1 || maxUnits > 1_000_000_000)
    faults.set('maxUnits', 'Write the most units that one answer may take: a whole number from 1.');
  else if (micros * maxUnits > MOST_MICROS) faults.set('maxUnits', HIGHEST);
  if (micros === 0 && !faults.has('price'))
    faults.set('price', 'A unit costs at least $0.0001. To give answers away, price one answer.');
  return {
    priceCents: Math.ceil((micros * maxUnits) / MICROS_PER_CENT),
    meter: { unit: chosen, unitPriceMicros: micros, maxUnits },
  };
}

function termsOf(micros: number): PriceTerms {
  const priceCents = Math.ceil(micros / MICROS_PER_CENT);
  return { priceCents, ...(priceCents * MICROS_PER_CENT !== micros && { priceMicros: micros }) };
}

const isUnit = (text: string): text is MeteredUnit => Object.hasOwn(METERED_UNITS, text);

/** What to send for a price that differs from the stored one: its most exact part alone, which sets the others. */
export function pricePatch(terms: PriceTerms, stored: PriceTerms): Partial<PriceTerms> {
  if (keyOf(terms) === keyOf(stored)) return {};
  const { priceCents, priceMicros, meter } = terms;
  if (meter) return { meter };
  return priceMicros ? { priceMicros } : { priceCents };
}

const keyOf = ({ priceCents, priceMicros, meter }: PriceTerms): string =>
  meter
    ? `${meter.unit} ${meter.unitPriceMicros} ${meter.maxUnits}`
    : String(priceMicros ?? priceCents * MICROS_PER_CENT);

/** A price as the form has it. */
export function typedPriceTerms({ priceCents, priceMicros, meter }: PriceTerms) {
  const micros = meter?.unitPriceMicros ?? priceMicros ?? priceCents * MICROS_PER_CENT;
  return {
    price: typedPrice(micros),
    unit: meter?.unit ?? '',
    maxUnits: meter ? String(meter.maxUnits) : '',
  };
}

/** Micro-units as they are typed: `26.00`, `0.0005`. */
export function typedPrice(micros: number): string {
  const dollars = (micros / 1_000_000).toFixed(6);
  return dollars.replace(/0{1,4}$/, '');
}
