import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { formatLogEntry, type LogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { logEntryOf } from '@agent-marketplace/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createNoteSigner, createStubLog, fillers, type StubLog } from '../../../sdk/src/testing/stub-log.ts';
import { createCliHome } from '../testing/run-cli.ts';

const LOG_BY = '2026-06-02T12:00:00.000Z';
const DUE_SECONDS = Date.parse(LOG_BY) / 1000;
const party = await createSigningParty();
const witness = await createNoteSigner('club.example/w1', 4);
const purchaseWith = async (more: object) => {
  const contentDigest = `sha256:${'0'.repeat(64)}`;
  const statement = { type: 'purchase_receipt', purchaseId: 'p-1', contentDigest, ...more };
  const receipt = await signStatement(party.signer, statement, '2026-06-01T12:00:00.000Z');
  return { id: 'p-1', contentDigest, content: null, receipt };
};
const purchase = await purchaseWith({ logBy: LOG_BY });

let log: StubLog;
let home: Awaited<ReturnType<typeof createCliHome>>;
const at = (name: string) => join(home.folder, name);
beforeEach(async () => {
  log = await createStubLog();
  home = await createCliHome({ AGENT_MARKET_URL: 'https://market.example/api' });
  vi.stubGlobal('fetch', (input: string) => log.fetch(input));
  await writeFile(at('keys.json'), JSON.stringify(signingKeyDocument(party)));
  const policy = `log ${log.vkey}\nwitness w ${formatNoteKey(witness.key)}\nquorum w\n`;
  await writeFile(at('policy.txt'), policy);
});
afterEach(() => home.remove());

async function verify(document: object, ...more: string[]) {
  await writeFile(at('purchase.json'), JSON.stringify(document));
  const options = ['--keys', at('keys.json'), '--policy', at('policy.txt'), '--json'];
  const kept = ['--evidence', at('omitted.json')];
  return home.run(['verify', at('purchase.json'), ...options, ...kept, ...more]);
}

async function publishWith(signed: unknown, seconds = DUE_SECONDS + 1) {
  const entry = signed === null ? [] : [formatLogEntry((await logEntryOf(signed)) as LogEntry)];
  log.entries.push(...fillers(5), ...entry);
  await log.publish({ cosigners: [witness], seconds });
}

it('shows where a receipt stands in the log, from the log or from a file', async () => {
  await publishWith(purchase.receipt);
  const expected = { what: 'log', valid: true, index: 5, cosigned: [{ name: 'w' }] };
  const fromLog = await verify(purchase);
  expect(fromLog.json).toMatchObject({ valid: true, files: [{ checks: [{ what: 'purchase' }, expected] }] });
  await writeFile(at('proof.txt'), await log.inclusion(5));
  vi.stubGlobal('fetch', () => expect.unreachable('a proof needs no network'));
  expect((await verify(purchase, '--proof', at('proof.txt'))).json).toMatchObject({ valid: true });
  await writeFile(at('proof.txt'), await log.inclusion(4));
  const wrong = await verify(purchase, '--proof', at('proof.txt'));
  expect([wrong.exitCode, wrong.json.error.code]).toEqual([14, 'not_included']);
});

it.each([
  ['omitted', { logBy: LOG_BY }, DUE_SECONDS + 1, 'this is proven'],
  ['pending', { logBy: LOG_BY }, DUE_SECONDS, 'look again after that'],
  ['no_promise', {}, DUE_SECONDS + 1, 'does not say by when'],
])('says of a receipt that is not in the log: %s', async (code, more, seconds, detail) => {
  await publishWith(null, seconds);
  const { exitCode, json, stdout } = await verify(await purchaseWith(more));
  expect([exitCode, json.error.code]).toEqual([14, code]);
  expect(stdout).toContain(detail);
});

it('keeps what shows an omission, which convinces others without network, and only where it does', async () => {
  await publishWith(null);
  const kept = at('omitted.json');
  const { json } = await verify(purchase);
  expect(json.error).toMatchObject({ code: 'omitted', evidence: kept });
  vi.stubGlobal('fetch', () => expect.unreachable('evidence needs no network'));
  const options = ['--keys', at('keys.json'), '--policy', at('policy.txt'), '--json'];
  const judge = () => home.run(['verify', 'evidence', kept, ...options]);
  const proven = expect.stringContaining(`promised to be in the log by ${LOG_BY}`);
  expect((await judge()).json).toMatchObject({ valid: true, files: [{ isProven: true, detail: proven }] });

  const evidence = JSON.parse(await readFile(kept, 'utf8'));
  const other = await purchaseWith({});
  const early = await log.publish({ cosigners: [witness], seconds: DUE_SECONDS });
  log.entries.push(formatLogEntry((await logEntryOf(purchase.receipt)) as LogEntry));
  const checkpoint = await log.publish({ cosigners: [witness], seconds: DUE_SECONDS + 1 });
  const entries = log.entries.map((entry) => new TextDecoder().decode(entry));
  for (const [changes, detail] of [
    [{ entries: evidence.entries.slice(1) }, 'not all leaves'],
    [{ omitted: [other.receipt] }, 'not promised'],
    [{ omitted: [purchase.receipt, other.receipt] }, 'not promised'],
    [{ omitted: [] }, 'Nothing is said to be omitted'],
    [{ checkpoint: early }, 'cosigned it after'],
    [{ checkpoint, entries }, 'is entry 5'],
  ] as const) {
    await writeFile(kept, JSON.stringify({ ...evidence, ...changes }));
    const { exitCode, json: judged } = await judge();
    expect([exitCode, judged.error.files[0].detail]).toEqual([14, expect.stringContaining(detail)]);
  }
});

it('a log that another took the place of omits nothing, whenever it was cosigned', async () => {
  await publishWith(null);
  const second = await createNoteSigner('market.example/api/log/2', 1);
  const policy = await readFile(at('policy.txt'), 'utf8');
  await writeFile(at('policy.txt'), `log ${formatNoteKey(second.key)}\n${policy}`);
  const { exitCode, json } = await verify(purchase);
  expect([exitCode, json.error.code]).toEqual([14, 'superseded']);
});

it('names the log that took the place of the one in which it is not found', async () => {
  await publishWith(null, DUE_SECONDS);
  const second = await createNoteSigner('market.example/api/log/2', 1);
  expect((await verify(purchase)).stdout).not.toContain('log/2');
  await log.end(formatNoteKey(second.key));
  const { exitCode, json } = await verify(purchase);
  expect([exitCode, json.error.code]).toEqual([14, 'pending']);
  expect(json.error.files[0].checks[1].detail).toContain(`log ${formatNoteKey(second.key)}`);
});

it('looks for a second answer of the purchase as well', async () => {
  await publishWith(purchase.receipt);
  const statement = { type: 'purchase_redelivery', purchaseId: 'p-1', logBy: LOG_BY };
  const redelivery = await signStatement(party.signer, statement, '2026-06-01T12:00:00.000Z');
  const { exitCode, json } = await verify({ ...purchase, redelivery });
  const ofLog = json.error.files[0].checks.filter(({ what }: { what: string }) => what === 'log');
  expect([exitCode, ofLog]).toEqual([
    14,
    [
      expect.objectContaining({ valid: true, index: 5 }),
      expect.objectContaining({ valid: false, reason: 'omitted' }),
    ],
  ]);
});

it('checks each entry of a history', async () => {
  const entries = await Promise.all(
    [1, 2].map(async (version) => {
      const { digest, keyId } = await signStatement(party.signer, { type: 'x', version }, LOG_BY);
      return { version, digest, keyId, changedAt: LOG_BY };
    }),
  );
  const [first] = entries;
  await publishWith({ ...first, type: 'listing_history_entry', signedAt: LOG_BY });
  const { json } = await verify({ listingId: 'l-1', entries });
  const [{ checks }] = json.error.files;
  const ofLog = (checks as { what: string }[]).filter(({ what }) => what === 'log');
  expect(ofLog).toMatchObject([{ valid: true }, { valid: false, reason: 'no_promise' }]);
});

it('says what goes with what, and that the log does not answer', async () => {
  await publishWith(purchase.receipt);
  const alone = await home.run([
    'verify',
    at('keys.json'),
    '--keys',
    at('keys.json'),
    '--proof',
    at('keys.json'),
  ]);
  expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining('--policy')]);
  vi.stubGlobal('fetch', async () => new Response('', { status: 500 }));
  expect((await verify(purchase)).exitCode).toBe(13);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no answer')));
  expect((await verify(purchase)).exitCode).toBe(4);
});

it('checks each rating of a page, and reads the log once where there are many', async () => {
  const ratings = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const statement = {
        type: 'rating_attestation',
        listingId: 'l-1',
        rating: 5,
        commentDigest: null,
        index,
      };
      return { rating: 5, attestation: await signStatement(party.signer, statement, LOG_BY) };
    }),
  );
  for (const { attestation } of ratings.slice(1))
    log.entries.push(formatLogEntry((await logEntryOf(attestation)) as LogEntry));
  await publishWith(null);
  const paths: string[] = [];
  vi.stubGlobal('fetch', (input: string) => {
    paths.push(input.replace(/.*\/log\//, ''));
    return log.fetch(input);
  });
  const { json, exitCode } = await verify({ listingId: 'l-1', ratings });
  expect([exitCode, json.error.code]).toEqual([14, 'no_promise']);
  const ofLog = json.error.files[0].checks.filter(({ what }: { what: string }) => what === 'log');
  expect(ofLog).toHaveLength(30);
  expect(ofLog.filter(({ valid }: { valid: boolean }) => !valid)).toMatchObject([{ path: 'ratings[0]' }]);
  expect(ofLog[1]).toMatchObject({ index: 0, cosigned: [{ name: 'w' }] });
  expect(paths).toEqual(['checkpoint', 'tile/entries/000.p/34', 'successor']);
});
