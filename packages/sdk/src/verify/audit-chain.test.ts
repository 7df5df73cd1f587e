import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  createSigningParty,
  type SigningParty,
  signingKeyDocument,
} from '@agent-marketplace/protocol/testing/signing-party.ts';
import { expect, test } from 'vitest';
import { keySetOf } from '../keys.ts';
import { verifyAuditChain } from './audit-chain.ts';

const [current, former, stranger] = await Promise.all([
  createSigningParty(),
  createSigningParty(),
  createSigningParty(),
]);
const keys = keySetOf(signingKeyDocument(current, former));

type Action = JsonObject & { readonly digest: string; readonly statement: JsonObject };

/** Written out from the published rule, not by the server's code. */
async function chain(...signers: readonly SigningParty[]): Promise<Action[]> {
  const actions: Action[] = [];
  for (const [index, { signer }] of signers.entries()) {
    const [salt, at] = [`${index}`.repeat(32), `2026-06-0${index + 1}T12:00:00.000Z`];
    const texts = { reason: 'Fraud.', before: null, after: { status: 'blocked' } };
    const statement = {
      afterDigest: await canonicalDigest({ after: texts.after, salt }),
      at,
      beforeDigest: null,
      operation: 'blockListing',
      operator: 'ada',
      previousDigest: actions.at(-1)?.digest ?? null,
      reasonDigest: await canonicalDigest({ reason: texts.reason, salt }),
      requestDigest: `sha256:${'0'.repeat(64)}`,
      role: 'support',
      sequence: index + 1,
      subject: { id: 'l-1', type: 'listing' },
      type: 'operator_action',
    };
    const sealed = await signer.signDigest(await canonicalDigest(statement), at);
    actions.push({
      ...{ ...texts, ...sealed, salt, statement },
      ...{ alg: 'ed25519', isErased: false, operatorName: 'Ada', signedAt: at, verify: 'verifyReceipt' },
    });
  }
  return actions;
}

const erase = (action: Action): Action => ({
  ...action,
  reason: null,
  before: null,
  after: null,
  salt: null,
});
const change = (at: number, members: JsonObject) => (actions: Action[]) =>
  actions.map((action, index) => (index === at ? { ...action, ...members } : action));

test('a chain across a rotation, in either order, with texts that were erased, and on from where one was before', async () => {
  const actions = await chain(former, former, current);
  const [first, second, third] = actions as [Action, Action, Action];
  const head = { sequence: 3, digest: third.digest };
  const good = { valid: true, head, at: '2026-06-03T12:00:00.000Z', erased: [] };
  expect(await verifyAuditChain(actions, keys)).toEqual(good);
  expect(await verifyAuditChain(actions.toReversed(), keys)).toEqual(good);
  expect(await verifyAuditChain([first, erase(second), third], keys)).toEqual({ ...good, erased: [2] });
  const after = { sequence: 2, digest: second.digest };
  expect(await verifyAuditChain([third], keys, after)).toEqual(good);
  expect(await verifyAuditChain([third], keys, { ...after, digest: first.digest })).toMatchObject({
    valid: false,
    reason: 'broken_chain',
  });
});

test.each<[string, number | null, string, (actions: Action[]) => unknown[]]>([
  ['no entries', null, 'broken_chain', () => []],
  ['the first one left out', 1, 'broken_chain', (actions) => actions.slice(1)],
  ['one in the middle left out', 2, 'broken_chain', (actions) => actions.toSpliced(1, 1)],
  ['one twice', 2, 'broken_chain', (actions) => actions.toSpliced(1, 0, ...actions.slice(0, 1))],
  ['another reason', 2, 'digest_mismatch', change(1, { reason: 'None.' })],
  ['another outcome', 2, 'digest_mismatch', change(1, { after: { status: 'active' } })],
  ['a reason without its salt', 2, 'digest_mismatch', change(1, { salt: null })],
  ['a reason left out', 2, 'digest_mismatch', change(1, { reason: null })],
  ['another time', 3, 'bad_signature', change(2, { signedAt: '2026-06-09T12:00:00.000Z' })],
  ['a forged signature', 2, 'bad_signature', change(1, { signature: 'A'.repeat(86) })],
  ['no statement', null, 'malformed', (actions) => [null, ...actions]],
])('%s', async (_, sequence, reason, tamper) => {
  const actions = tamper(await chain(current, current, current));
  expect(await verifyAuditChain(actions, keys)).toMatchObject({ valid: false, sequence, reason });
});

test('a key of nobody', async () => {
  expect(await verifyAuditChain(await chain(stranger), keys)).toMatchObject({
    valid: false,
    sequence: 1,
    reason: 'unknown_key',
  });
});
