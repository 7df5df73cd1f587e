import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { formatLogEntry, parseLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { describe, expect, it } from 'vitest';
import { keySetOf } from '../keys.ts';
import { createNoteSigner, createStubLog, fillers } from '../testing/stub-log.ts';
import {
  createLogReader,
  type LogEntry,
  LogUnavailableError,
  logEntryOf,
  parseLogPolicy,
  verifyConsistent,
  verifyLogged,
  verifyOmitted,
} from './index.ts';

const LOG_BY = '2026-06-02T12:00:00.000Z';
const DUE_SECONDS = Date.parse(LOG_BY) / 1000;
const party = await createSigningParty();
const keys = keySetOf(signingKeyDocument(party));
const witnesses = await Promise.all(
  ['a', 'b', 'c'].map((name) => createNoteSigner(`club.example/${name}`, 4)),
);

const receiptOf = (purchaseId: string, more: object = { logBy: LOG_BY }) =>
  signStatement(party.signer, { type: 'purchase_receipt', purchaseId, ...more }, '2026-06-01T12:00:00.000Z');
const receipt = await receiptOf('p-1');
const leafOf = async (signed: unknown) => formatLogEntry((await logEntryOf(signed)) as LogEntry);

/** A log with the receipt at 300 of 1000 leaves, cosigned by two of three witnesses; two are asked for. */
async function createLogged() {
  const log = await createStubLog();
  log.entries.push(...fillers(300), await leafOf(receipt), ...fillers(699, 300));
  const lines = witnesses.map(({ key }, at) => `witness w${at} ${formatNoteKey(key)}`);
  const policyText = [`log ${log.vkey}`, ...lines, 'group two 2 w0 w1 w2', 'quorum two', ''].join('\n');
  const policy = await parseLogPolicy(policyText);
  const cosigners = witnesses.slice(0, 2);
  await log.publish({ cosigners, seconds: DUE_SECONDS + 1 });
  const reader = createLogReader({ url: 'https://market.example/api/log', fetch: log.fetch });
  return { log, policy, policyText, cosigners, reader };
}

describe('a statement in the log', () => {
  it('is shown by its proof, with who cosigned the checkpoint and when', async () => {
    const { policy, reader } = await createLogged();
    const proof = (await reader.proof(receipt.digest)) ?? '';
    expect(await verifyLogged(receipt, proof, policy)).toMatchObject({
      valid: true,
      index: 300,
      entry: { type: 'purchase_receipt', digest: receipt.digest, keyId: party.publicKey.keyId },
      checkpoint: {
        origin: 'market.example/api/log',
        size: 1000,
        cosigned: [
          { name: 'w0', at: '2026-06-02T12:00:01.000Z' },
          { name: 'w1', at: '2026-06-02T12:00:01.000Z' },
        ],
      },
    });
    expect(parseLogEntry(await leafOf(receipt))).toEqual(await logEntryOf(receipt));
    const { statement: _, ...alone } = receipt;
    expect(await verifyLogged({ ...alone, type: 'purchase_receipt' }, proof, policy)).toMatchObject({
      valid: true,
    });
  });

  it('is not shown by the proof of another, nor by one that a letter of differs', async () => {
    const { log, policy, reader } = await createLogged();
    const proof = (await reader.proof(receipt.digest)) ?? '';
    const reasonOf = async (signed: unknown, text = proof) => {
      const verified = await verifyLogged(signed, text, policy);
      return verified.valid ? null : verified.reason;
    };
    expect(await reasonOf(await receiptOf('p-2'))).toBe('not_included');
    expect(await reasonOf({ ...receipt, signedAt: '2026-06-01T12:00:00.001Z' })).toBe('not_included');
    expect(await reasonOf({ ...receipt, statement: { ...receipt.statement, purchaseId: 'p-2' } })).toBe(
      'digest_mismatch',
    );
    expect(await reasonOf(receipt, proof.replace('index 300', 'index 301'))).toBe('not_included');
    expect(await reasonOf(receipt, await log.inclusion(299))).toBe('not_included');
    expect(await reasonOf(receipt, proof.replace('@v1', '@v2'))).toBe('malformed');
    expect(await reasonOf({ ...receipt, keyId: 1 })).toBe('malformed');
    expect(await reasonOf('receipt')).toBe('malformed');
    expect(await reader.proof(`sha256:${'0'.repeat(64)}`)).toBeNull();
  });

  it('is believed as the policy says, whatever the log answers', async () => {
    const { log, policy, policyText, cosigners } = await createLogged();
    const proofWith = async (count: number) => {
      await log.publish({ cosigners: cosigners.slice(0, count) });
      return log.inclusion(300);
    };
    const proof = await proofWith(1);
    expect(await verifyLogged(receipt, proof, policy)).toMatchObject({ valid: false, reason: 'quorum' });
    const withoutWitness = await parseLogPolicy(policyText.replace('quorum two', 'quorum none'));
    expect(await verifyLogged(receipt, proof, withoutWitness)).toMatchObject({ valid: true });
    const otherLog = await createStubLog();
    const otherPolicy = await parseLogPolicy(policyText.replace(log.vkey, otherLog.vkey));
    expect(await verifyLogged(receipt, proof, otherPolicy)).toMatchObject({ reason: 'log_signature' });
    const stranger = await createStubLog('other.example/log');
    const strangers = await parseLogPolicy(policyText.replace(log.vkey, stranger.vkey));
    expect(await verifyLogged(receipt, proof, strangers)).toMatchObject({ reason: 'unknown_log' });
  });
});

describe('two checkpoints', () => {
  it('are consistent where the log only grew', async () => {
    const { log, policy, cosigners, reader } = await createLogged();
    const older = await log.publish({ size: 301, cosigners });
    const newer = await log.publish({ cosigners });
    const proof = await reader.consistencyProof(301, 1000);
    expect(proof).toEqual(await log.consistency(301));
    expect(await verifyConsistent(older, newer, proof, policy)).toMatchObject({
      valid: true,
      older: { size: 301 },
      newer: { size: 1000 },
    });
    expect(await verifyConsistent(newer, older, proof, policy)).toMatchObject({ reason: 'inconsistent' });
    log.entries[7] = fillers(1, 5000)[0] as Uint8Array;
    const forked = await log.publish({ cosigners });
    expect(await verifyConsistent(older, forked, await log.consistency(301), policy)).toMatchObject({
      valid: false,
      reason: 'inconsistent',
    });
    expect(await verifyConsistent(newer, forked, [], policy)).toMatchObject({ reason: 'inconsistent' });
  });
});

describe('a receipt that was left out', () => {
  /** The same log without the receipt, and a checkpoint of it that was cosigned at a time. */
  async function withoutReceipt(seconds: number) {
    const logged = await createLogged();
    logged.log.entries.splice(300, 1);
    const checkpoint = await logged.log.publish({ cosigners: logged.cosigners, seconds });
    return { ...logged, checkpoint };
  }

  it('is shown by a checkpoint cosigned after logBy, and all of its leaves', async () => {
    const { checkpoint, reader, policy } = await withoutReceipt(DUE_SECONDS + 1);
    const entries = reader.entries(0, 999);
    expect(await verifyOmitted(receipt, keys, { checkpoint, entries, policy })).toMatchObject({
      valid: true,
      logBy: LOG_BY,
      checkpoint: { size: 999 },
    });
  });

  it('is not shown before that, by some leaves, or where it stands in the log', async () => {
    const { checkpoint, log, policy } = await withoutReceipt(DUE_SECONDS);
    const { entries } = log;
    const reasonOf = async (signed: unknown, evidence: object = {}) => {
      const verified = await verifyOmitted(signed, keys, { checkpoint, entries, policy, ...evidence });
      return verified.valid ? null : verified.reason;
    };
    // At the very second of logBy the log may still grow.
    expect(await reasonOf(receipt)).toBe('not_due');
    const late = await withoutReceipt(DUE_SECONDS + 1);
    const ofLate = { checkpoint: late.checkpoint, entries: late.log.entries, policy: late.policy };
    expect(await reasonOf(receipt, ofLate)).toBeNull();
    expect(await reasonOf(receipt, { ...ofLate, entries: late.log.entries.slice(0, -1) })).toBe('incomplete');
    expect(await reasonOf(receipt, { ...ofLate, entries: late.log.entries.toReversed() })).toBe('incomplete');
    expect(await reasonOf(await receiptOf('p-1', {}), ofLate)).toBe('no_promise');
    expect(await reasonOf({ ...receipt, statement: {} }, ofLate)).toBe('digest_mismatch');
    expect(await reasonOf(receipt, { ...ofLate, policy })).toBe('log_signature');
    const logged = await createLogged();
    expect(
      await reasonOf(receipt, {
        checkpoint: logged.log.published,
        entries: logged.log.entries,
        policy: logged.policy,
      }),
    ).toBe('is_logged');
  });
});

it.each([
  'tab_query_receipt',
  'purchase_redelivery',
  'settlement',
  'settlement_change',
  'demand_classification',
])('a %s that was left out is shown as a receipt is', async (type) => {
  const { log, policy, cosigners } = await createLogged();
  const statement = { type, logBy: LOG_BY, salt: '00' };
  const signed = await signStatement(party.signer, statement, '2026-06-01T12:00:00.000Z');
  const checkpoint = await log.publish({ cosigners, seconds: DUE_SECONDS + 1 });
  const omitted = await verifyOmitted(signed, keys, { checkpoint, entries: log.entries, policy });
  expect(omitted).toMatchObject({ valid: true, logBy: LOG_BY });
  // What the marketplace signs of other kinds is no promise, whatever members it has.
  const other = await signStatement(party.signer, { ...statement, type: 'answer' }, LOG_BY);
  expect(await verifyOmitted(other, keys, { checkpoint, entries: log.entries, policy })).toMatchObject({
    valid: false,
    reason: 'wrong_type',
  });
});

it('no omission is shown by a checkpoint that no witness cosigned, whoever believes it', async () => {
  const { log } = await createLogged();
  log.entries.splice(300, 1);
  const believer = await parseLogPolicy(`log ${log.vkey}\nquorum none\n`);
  // Of before the receipt, for all that anybody can tell.
  const checkpoint = await log.publish();
  const verified = await verifyOmitted(receipt, keys, { checkpoint, entries: log.entries, policy: believer });
  expect(verified).toMatchObject({ valid: false, reason: 'not_due' });
});

describe('the reader of a log', () => {
  const all = async (entries: AsyncIterable<Uint8Array>) => {
    const found: Uint8Array[] = [];
    for await (const entry of entries) found.push(entry);
    return found;
  };

  it('reads every leaf from anywhere, through full and partial tiles', async () => {
    const { log, reader } = await createLogged();
    for (const start of [0, 255, 256, 300, 999, 1000]) {
      const found = await all(reader.entries(start, 1000));
      expect(found).toEqual(log.entries.slice(start));
    }
    expect(await reader.inclusionProof(300, 1000)).toHaveLength(10);
  });

  it('takes the full tile where the partial one is gone', async () => {
    const { log } = await createLogged();
    const fetch: typeof globalThis.fetch = async (input) =>
      String(input).endsWith('.p/10') ? new Response('', { status: 404 }) : log.fetch(input);
    const reader = createLogReader({ url: 'https://market.example/api/log/', fetch });
    expect(await all(reader.entries(0, 266))).toEqual(log.entries.slice(0, 266));
    expect(await reader.consistencyProof(256, 266)).toEqual(await log.consistency(256, 266));
  });

  it.each([
    ['an error', new Response('', { status: 500 }), 500],
    ['something else', new Response('hello'), 200],
  ])('says so where the log answers with %s', async (_, response, status) => {
    const reader = createLogReader({
      url: 'https://market.example/api/log',
      fetch: async () => response.clone(),
    });
    for (const call of [reader.checkpoint(), reader.entries(0, 3).next()]) {
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(LogUnavailableError);
      expect(error).toMatchObject({ status });
    }
  });
});
