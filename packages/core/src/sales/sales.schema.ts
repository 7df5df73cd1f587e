import * as z from 'zod';
import { id } from '../kernel/id.ts';
import { jsonObjectUpTo } from '../kernel/json/json-schema.ts';
import { SALE_NOTICE_CODES } from './escrow/sale-notice.rules.ts';
import { RAIL_NAMES } from './rails/rails.ts';

export const purchaseId = id.describe('Of the purchase.');

export const saleStatus = z
  .enum(['pending_payment', 'authorized', 'held', 'releasing', 'released', 'refunded', 'expired', 'failed'])
  .meta({ id: 'SaleStatus' });

export const pageToken = z
  .string()
  .max(200)
  .optional()
  .describe("Of the purchase's page, in place of a key: it opens this one purchase.");

/** Kept with the purchase, so that the content can be fetched again with the same question. */
export const query = jsonObjectUpTo(64 * 1024)
  .optional()
  .describe("What you ask the seller, as the listing's inputSchema says; at most 64 KiB.");

export const rail = z.enum(RAIL_NAMES).meta({ id: 'Rail' });

export const saleNoticeView = z
  .object({ code: z.enum(SALE_NOTICE_CODES), text: z.string() })
  .meta({ id: 'SaleNotice' });
