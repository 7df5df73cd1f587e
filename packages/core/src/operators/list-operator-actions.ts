import { VERIFY_OPERATION } from '@agent-marketplace/protocol/crypto/verify-operation.ts';
import * as z from 'zod';
import type { ChainLink } from '../kernel/crypto/check-chain.ts';
import { isOfStatement } from '../kernel/operation/audit-trail.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { DEPLOYMENT_OPERATOR } from '../kernel/operation/operators/operator.ts';
import { isValidChain, listPublishedKeys, signedStatementOf } from '../provenance/index.ts';
import { type RecordedAction, readOperatorActions } from './operator-actions.store.ts';
import { operatorRole } from './operators.schema.ts';

/** Every entry's signature is checked for the answer. */
const PAGE = 100;
const LAST = 1_000_000_000;

const salted = (member: string) =>
  z.string().nullable().describe(`sha256:<hex> over the RFC 8785 form of \`{${member}, salt}\`; null: none.`);

const actionStatement = z.object({
  afterDigest: salted('after').optional(),
  at: z.iso.datetime(),
  beforeDigest: salted('before').optional(),
  operation: z.string(),
  operator: z.string().describe(`The operator's id; \`${DEPLOYMENT_OPERATOR.id}\`: the deployment's secret.`),
  previousDigest: z.string().nullable().describe('The digest of the entry before; null in the first.'),
  reasonDigest: salted('reason'),
  requestDigest: z.string().describe('Of the operation, its input and `salt`.'),
  role: operatorRole.optional().describe('At that time; not in the first entries.'),
  sequence: z.int(),
  subject: z.object({ id: z.string().nullable(), type: z.string() }),
  type: z.literal('operator_action'),
});

const anyObject = z.record(z.string(), z.unknown()).nullable();

const actionView = signedStatementOf(actionStatement).extend({
  after: anyObject.describe('What became of the subject, or was decided; null: a read, or it was erased.'),
  before: anyObject.describe('What operators may change of the subject, as it was.'),
  isErased: z
    .boolean()
    .describe('Texts and salt were deleted: nobody can say any more what the digests are of.'),
  operatorName: z.string(),
  reason: z.string().nullable(),
  salt: z.string().nullable(),
});

/** For the operator: what operators did, when and why. */
export const listOperatorActions = defineOperation({
  name: 'listOperatorActions',
  summary: 'What operators did, newest first: signed and chained.',
  description:
    'For the operator. Each entry was recorded in the transaction of the change itself, and verifies with POST ' +
    '/verify-receipt. Of what was only read there are entries where it is what a person wrote, or who a person is. ' +
    '`before` pages: the entries before that sequence.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    before: z.int().min(1).max(LAST).default(LAST),
    from: z.iso.datetime().max(40).optional().describe('At that time or later.'),
    limit: z.int().min(1).max(PAGE).default(50),
    operator: z.string().max(64).optional().describe('By id.'),
    subjectId: z.string().max(500).optional(),
    subjectType: z.string().max(64).optional().describe('Such as `purchase`, `agent`, `operator`.'),
    until: z.iso.datetime().max(40).optional().describe('Before that time.'),
  }),
  output: z.object({
    actions: z.array(actionView),
    chainValid: z
      .boolean()
      .describe(
        'Every entry here is signed, and every text is the one that was signed. Without a filter, also that none is ' +
          'missing between them, or after the one before them.',
      ),
    nextBefore: z.int().nullable().describe('What to send as `before` for the next; null: there are none.'),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/audit', status: 200 },
  rate: 'read',
  async handle({ ports: { market, signer } }, { before, limit, ...filter }) {
    const [rows, published] = await Promise.all([
      readOperatorActions(market, { ...filter, before, limit: limit + 1 }),
      listPublishedKeys(market),
    ]);
    const page = rows.slice(0, limit);
    const older = rows.at(limit);
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const isValid = (links: readonly ChainLink[], after: ChainHead | null) =>
      isValidChain(signer, published, links, after);
    const checks = [
      ...page.map(areTextsSigned),
      ...(isFiltered
        ? page.map((row) => isValid([linkOf(row)], headBefore(row)))
        : [isValid(page.toReversed().map(linkOf), older ? linkOf(older) : null)]),
    ];
    return {
      actions: page.map(viewAction),
      chainValid: !(await Promise.all(checks)).includes(false),
      nextBefore: older ? (page.at(-1)?.sequence ?? null) : null,
    };
  },
});

type ChainHead = Pick<ChainLink, 'position' | 'digest'>;

/** What the statement says that it follows. */
function headBefore({ statement: { sequence, previousDigest } }: RecordedAction): ChainHead | null {
  return previousDigest === null ? null : { position: sequence - 1, digest: previousDigest };
}

async function areTextsSigned({ statement, salt, texts }: RecordedAction): Promise<boolean> {
  return salt === null || texts === null || isOfStatement(statement, { salt, texts });
}

/** The place in the chain is read from what was signed. */
function linkOf({ digest, keyId, signature, statement, ...row }: RecordedAction): ChainLink {
  const { sequence, previousDigest, at } = statement;
  const isInPlace = sequence === row.sequence && previousDigest === row.previousDigest;
  return {
    position: isInPlace ? sequence : Number.NaN,
    previousDigest,
    digest,
    keyId,
    signature,
    signedAt: at,
    statement,
  };
}

function viewAction({ digest, keyId, salt, signature, statement, texts, operatorName }: RecordedAction) {
  const signedAt = statement.at;
  return {
    after: texts?.after ?? null,
    alg: 'ed25519' as const,
    before: texts?.before ?? null,
    digest,
    isErased: texts === null,
    keyId,
    operatorName: operatorName ?? DEPLOYMENT_OPERATOR.name,
    reason: texts?.reason ?? null,
    salt,
    signature,
    signedAt,
    statement,
    verify: VERIFY_OPERATION,
  };
}
