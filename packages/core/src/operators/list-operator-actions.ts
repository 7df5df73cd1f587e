import { z } from 'zod';
import type { ChainLink } from '../kernel/crypto/check-chain.ts';
import { VERIFY_OPERATION } from '../kernel/crypto/verify-operation.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isValidChain, listPublishedKeys, signedStatementOf } from '../provenance/index.ts';
import { type RecordedAction, readOperatorActions } from './operator-actions.store.ts';
import { operatorRole } from './operators.schema.ts';

/** Every entry's signature is checked for the answer. */
const PAGE = 100;
const LAST = 1_000_000_000;

const actionStatement = z.object({
  at: z.iso.datetime(),
  operation: z.string(),
  operator: z.string(),
  previousDigest: z.string().nullable().describe('The digest of the entry before; null in the first.'),
  reasonDigest: z.string().nullable().describe('sha256:<hex> over the RFC 8785 form of `{reason, salt}`.'),
  requestDigest: z.string().describe('Of the operation, its input and `salt`.'),
  role: operatorRole.optional().describe('At that time; not in the first entries.'),
  sequence: z.int(),
  subject: z.object({ id: z.string().nullable(), type: z.string() }),
  type: z.literal('operator_action'),
});

const actionView = signedStatementOf(actionStatement).extend({
  reason: z.string().nullable().describe('null: none was told, or it was erased.'),
  salt: z.string().nullable(),
});

/** For the operator: what operators changed, when and why. */
export const listOperatorActions = defineOperation({
  name: 'listOperatorActions',
  summary: 'What operators changed, newest first: signed and chained.',
  description:
    'For the operator. Each entry was recorded in the transaction of the change itself, and verifies with POST ' +
    '/verify-receipt. `before` pages: the entries before that sequence.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    before: z.int().min(1).max(LAST).default(LAST),
    limit: z.int().min(1).max(PAGE).default(50),
  }),
  output: z.object({
    actions: z.array(actionView),
    chainValid: z.boolean().describe('Of these entries and the one before them.'),
    nextBefore: z.int().nullable().describe('What to send as `before` for the next; null: there are none.'),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/audit', status: 200 },
  rate: 'read',
  async handle({ ports: { market, signer } }, { before, limit }) {
    const [rows, published] = await Promise.all([
      readOperatorActions(market, { before, limit: limit + 1 }),
      listPublishedKeys(market),
    ]);
    const page = rows.slice(0, limit);
    const older = rows.at(limit);
    const chainValid = await isValidChain(
      signer,
      published,
      page.toReversed().map(linkOf),
      older ? linkOf(older) : null,
    );
    return {
      actions: page.map(viewAction),
      chainValid,
      nextBefore: older ? (page.at(-1)?.sequence ?? null) : null,
    };
  },
});

function linkOf({
  sequence,
  previousDigest,
  digest,
  keyId,
  signature,
  statement,
}: RecordedAction): ChainLink {
  return { position: sequence, previousDigest, digest, keyId, signature, signedAt: statement.at, statement };
}

function viewAction({ digest, keyId, reason, salt, signature, statement }: RecordedAction) {
  const signedAt = statement.at;
  return {
    alg: 'ed25519' as const,
    digest,
    keyId,
    reason,
    salt,
    signature,
    signedAt,
    statement,
    verify: VERIFY_OPERATION,
  };
}
