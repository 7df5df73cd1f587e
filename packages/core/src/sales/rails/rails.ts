import type { Sale } from '../sale.ts';
import { ALL_RAILS } from './all-rails.ts';
import { freeRail } from './free/free-rail.ts';
import type { Rail } from './rail.ts';

const BY_NAME = new Map(ALL_RAILS.map((rail) => [rail.name, rail]));

export const RAIL_NAMES: readonly string[] = ALL_RAILS.map(({ name }) => name);

export function railNamed(name: string): Rail {
  const rail = BY_NAME.get(name);
  if (!rail) throw new Error(`There is no rail ${name}.`);
  return rail;
}

/** The rail that moves the money of a sale. What is free moves none, whichever rail it was asked for on. */
export function railOf({ rail, amountCents }: Pick<Sale, 'rail' | 'amountCents'>): Rail {
  return amountCents === 0 ? freeRail : railNamed(rail);
}
