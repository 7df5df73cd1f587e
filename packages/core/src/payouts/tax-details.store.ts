import { eq } from 'drizzle-orm';
import { build, excluded } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { sellerTaxDetails } from '../db/tables/payouts.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

export interface TaxDetails {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly taxNumber: string;
}

type Row = TaxDetails & { readonly sellerId: string; readonly updatedAt: IsoTime };

const insertion = (p: Params<Row>) =>
  build.insert(sellerTaxDetails).values({
    sellerId: p.sellerId,
    country: p.country,
    taxNumber: p.taxNumber,
    updatedAt: p.updatedAt,
  });

const save = write((p: Params<Row>) =>
  insertion(p).onConflictDoUpdate({
    target: sellerTaxDetails.sellerId,
    set: excluded(sellerTaxDetails, 'country', 'taxNumber', 'updatedAt'),
  }),
);

const add = write((p: Params<Row>) => insertion(p).onConflictDoNothing());

const erase = write((p: Params<{ sellerId: string }>) =>
  build.delete(sellerTaxDetails).where(eq(sellerTaxDetails.sellerId, p.sellerId)),
);

/** Replaces what was there; null erases it. */
export const setTaxDetails = (sellerId: string, details: TaxDetails | null, updatedAt: IsoTime): Statement =>
  details === null ? erase({ sellerId }) : save({ ...details, sellerId, updatedAt });

/** Many may hold a claim link: it adds what is missing, and changes nothing. */
export const addTaxDetails = (sellerId: string, details: TaxDetails, updatedAt: IsoTime): Statement =>
  add({ ...details, sellerId, updatedAt });
