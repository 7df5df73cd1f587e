import * as z from 'zod';
import { INTENT_CLASSES, SIDES } from './vocabulary.rules.ts';

export const intentClass = z.enum(INTENT_CLASSES).meta({ id: 'IntentClass' });
export const side = z.enum(SIDES);

/** Any slug: only the catalogue knows which verticals exist. */
export const verticalSlug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A slug.')
  .max(64);

/** Characters that every language writes the same way in JSON: the text is part of what is signed. */
export const requestId = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'Between 1 and 255 printable ASCII characters.')
  .max(255);

export const berthKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, '64 hexadecimal digits.')
  .describe('Ed25519 public key: its 32 bytes as hex.');

const classification = z.enum(['FOUNDING', 'SPARSE', 'STANDARD']);

/** Clause: Ingress records, occupancy reading. */
export const depthReadingSchema = z
  .object({
    catalog_cardinality_is_not_depth: z.literal(true),
    class: z.string().nullable().describe('null: all of them.'),
    classification,
    counted: z.enum([...SIDES, 'both']).describe('Whose sessions are counted.'),
    founding_open: z.boolean().describe('Nobody is live: whoever comes next is a founder.'),
    freshness_max_age_s: z.int(),
    live_counterparties: z.int().min(0).describe('Distinct berth keys with a live session.'),
    side: side.exactOptional().describe('Only where one side was counted.'),
    vertical: z.string().nullable(),
  })
  .meta({ id: 'DepthReading' });

const seal = {
  alg: z.literal('ed25519'),
  digest: z.string().describe('SHA-256 of the receipt without digest, signature and provenance (RFC 8785).'),
  issuedAt: z.iso.datetime(),
  keyId: z.string().describe('One of GET /ingress/keys.'),
  signature: z.string().describe('Over `<keyId>.<issuedAt>.<digest>`; base64url, unpadded.'),
};

export const admitReceipt = z
  .object({
    ...seal,
    berthKey: z.string(),
    depth: depthReadingSchema.describe('Of the other side at admission, without the berth itself.'),
    expiresAt: z.iso.datetime().describe('Unless a heartbeat comes before.'),
    intentClass,
    requestId: z.string(),
    scheduleDigest: z.string().describe('Of GET /ingress/schedule: what the classification goes by.'),
    sessionId: z.string(),
    side,
    type: z.literal('ADMIT'),
    vertical: z.string().optional(),
  })
  .meta({ id: 'AdmitReceipt' });

export const refuseReceipt = z
  .object({
    ...seal,
    berthKey: z.string().nullable(),
    code: z.string(),
    detail: z.string(),
    intentClass: z.string().nullable(),
    reasons: z
      .array(z.object({ message: z.string(), path: z.string() }))
      .optional()
      .describe('With MALFORMED: each member that is wrong.'),
    remedy: z.string(),
    requestId: z.string().nullable().describe('null, like the others, where it could not be read.'),
    retryAfterSeconds: z.int().optional(),
    retryable: z.boolean(),
    side: side.nullable(),
    type: z.literal('REFUSE'),
  })
  .meta({ id: 'RefuseReceipt' });
