import * as z from 'zod';
import type { HealthDeclaration } from './health-declarations.store.ts';

export const declarationStatus = z.enum(['open', 'accepted', 'rejected']);

/** A declaration for the operator, with its listing as it is now. */
export const declarationView = z
  .object({
    declaredAt: z.iso.datetime(),
    id: z.uuid(),
    listingId: z.uuid(),
    listingStatus: z.enum(['pending', 'active', 'inactive']),
    reason: z.string().nullable(),
    reviewedAt: z.iso.datetime().nullable(),
    sellerLabel: z.string(),
    status: declarationStatus,
    title: z.string(),
    version: z.int().describe('Of the listing’s history entry that shows it.'),
    words: z
      .array(z.string())
      .describe(
        'What reads like a person’s health data in it. Empty: nothing did, or they were not kept then.',
      ),
  })
  .meta({ id: 'HealthDeclaration' });

export function viewDeclaration({ createdAt, ...declaration }: HealthDeclaration) {
  const { id, listingId, listingStatus, reason, reviewedAt, sellerLabel } = declaration;
  const { status, title, version, words } = declaration;
  return {
    declaredAt: createdAt,
    id,
    listingId,
    listingStatus,
    reason,
    reviewedAt,
    sellerLabel,
    status,
    title,
    version,
    words: [...words],
  };
}
