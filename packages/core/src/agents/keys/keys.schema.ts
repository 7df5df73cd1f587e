import * as z from 'zod';
import { id } from '../../kernel/id.ts';
import { KEY_SCOPES } from '../../kernel/operation/key-scopes.ts';
import { lineOf } from '../../kernel/text-schema.ts';

export const keyId = id;
export const keyLabel = lineOf(64).describe('For you: what the key is for. Nobody else sees it.');
export const keyScopes = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .max(4)
  .describe(
    '`read`, `buy`, `sell`, `manage` (money, payouts, keys), or `all`, which alone changes the e-mail address.',
  );

const time = z.iso.datetime();

/** A key without its text, which is shown once and stored nowhere. */
export const keyView = z
  .object({
    createdAt: time,
    expiresAt: time.nullable().describe('It ends then; null: when it is revoked.'),
    id: keyId,
    label: z.string(),
    lastUsedAt: time.nullable().describe('To the hour.'),
    parentKeyId: keyId
      .nullable()
      .describe('The key that it was made with, and ends with. Null: of the registration, or of a recovery.'),
    policyId: z.uuid().nullable().describe('The spend policy that bounds it; null: none does.'),
    replacesKeyId: keyId.nullable().describe('The key whose place it took.'),
    revokedAt: time.nullable(),
    scopes: z.array(z.enum(KEY_SCOPES)),
    state: z.enum(['live', 'expired', 'revoked']),
  })
  .meta({ id: 'ApiKey' });

/** A key that was just made. */
export const newKeyView = z
  .object({
    apiKey: z.string().describe('Shown once. Pattern ^mkt_live_'),
    key: keyView,
  })
  .meta({ id: 'NewApiKey' });
