import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { signPost } from '@agent-marketplace/protocol/sign-post.ts';
import { createSigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, expect, it } from 'vitest';
import { createStubDoor } from '../../../sdk/src/testing/stub-door.ts';
import { EXIT_CODES } from '../frame/exit-codes.data.ts';
import { createCliHome } from '../testing/run-cli.ts';

// Offline: no address is known where anything could be fetched.

const party = await createSigningParty();
const door = await createStubDoor();
const home = await createCliHome({ AGENT_MARKET_URL: 'http://127.0.0.1:1/api' });
afterAll(() => home.remove());
const at = (name: string) => join(home.folder, name);
await writeFile(at('keys.json'), JSON.stringify(signingKeyDocument(party)));
await writeFile(at('door.json'), JSON.stringify({ keys: door.keys, schedule: door.schedule }));

const verify = async (text: string, ...args: string[]) => {
  await writeFile(at('file'), text);
  return home.run(['verify', at('file'), '--keys', at('keys.json'), ...args, '--json']);
};

it('believes a receipt of the door, with the keys of the door, and no other one', async () => {
  const receipt = await door.admit({ berthKey: 'ab', requestId: 'r1', side: 'buy' });
  const good = await verify(JSON.stringify(receipt), '--door', at('door.json'));
  expect(good.json).toMatchObject({
    valid: true,
    files: [{ checks: [{ what: 'door receipt', valid: true, signedAt: receipt.issuedAt }] }],
  });
  const changed = await verify(JSON.stringify({ ...receipt, side: 'sell' }), '--door', at('door.json'));
  expect([changed.exitCode, changed.json.error.code]).toEqual([EXIT_CODES.invalid.code, 'digest_mismatch']);
  const withoutDoor = await verify(JSON.stringify(receipt));
  expect([withoutDoor.exitCode, withoutDoor.json.error.message]).toEqual([
    EXIT_CODES.usage.code,
    'A receipt of the door is checked offline with --door <file>.',
  ]);
  // The door signs none of what it stands in.
  const around = await verify(
    JSON.stringify({ ...receipt, provenance: { ledger: [{ amountCents: 1 }] } }),
    '--door',
    at('door.json'),
  );
  expect([good.json.files[0].isSignedWhole, around.json.files[0].isSignedWhole]).toEqual([true, false]);
  const ofMarketplace = await verify(JSON.stringify(receipt), '--door', at('keys.json'));
  expect(ofMarketplace.exitCode).toBe(EXIT_CODES.usage.code);
});

it('says of a purchase whether its content is what the receipt binds, or that there is none', async () => {
  const content = { rows: [1] };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const contentDigest = `sha256:${digest}`;
  const statement = { type: 'purchase_receipt', purchaseId: 'p-1', contentDigest };
  const receipt = await signStatement(party.signer, statement, '2026-06-01T12:00:00.000Z');
  const verifyPurchase = async (purchase: object) => {
    await writeFile(at('purchase'), JSON.stringify({ id: 'p-1', contentDigest, receipt, ...purchase }));
    return home.run(['verify', at('purchase'), '--keys', at('keys.json')]);
  };
  expect((await verifyPurchase({ content })).stdout).toContain(
    'receipt is valid, and the content is what it binds, signed',
  );
  expect((await verifyPurchase({ content: null })).stdout).toContain(
    'receipt is valid, with no content to compare, signed',
  );
  expect((await verifyPurchase({ content: {} })).exitCode).toBe(EXIT_CODES.invalid.code);
});

it('believes a message to the URL that it was signed for, however old, and to the byte', async () => {
  const callbackUrl = 'https://seller.example/deliver';
  const body = '{"type":"verification_challenge","nonce":"ü"}';
  const timestamp = '2026-06-01T12:00:00.000Z';
  const signed = await signPost(party.signer, { callbackUrl, timestamp, body });
  const head = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
  const http = ['POST /deliver HTTP/1.1', 'Host: seller.example', ...head, '', body].join('\r\n');
  const good = await verify(http, '--callback-url', callbackUrl);
  expect(good.json, good.stdout).toMatchObject({
    valid: true,
    files: [{ checks: [{ what: 'message', valid: true, signedAt: timestamp }] }],
  });
  expect((await verify(http.replaceAll('\r', ''), '--callback-url', callbackUrl)).exitCode).toBe(0);
  for (const [text, url, reason] of [
    [`${http}\n`, callbackUrl, 'body_mismatch'],
    [http, `${callbackUrl}/`, 'bad_signature'],
    [http.replace(/X-MKT-Timestamp.*\r\n/i, ''), callbackUrl, 'not_signed'],
  ] as const) {
    const { exitCode, json } = await verify(text, '--callback-url', url);
    expect([exitCode, json.error.code]).toEqual([EXIT_CODES.invalid.code, reason]);
  }
  expect((await verify(body, '--callback-url', callbackUrl)).exitCode).toBe(EXIT_CODES.usage.code);
  expect(await readFile(at('file'), 'utf8')).toBe(body);
});

it('believes keys whose own signature holds, says of those without one that nobody signed them, and no others', async () => {
  const answer = await party.answer(signingKeyDocument(party));
  const statement = await signStatement(party.signer, { type: 'anything' }, '2026-06-01T12:00:00.000Z');
  await writeFile(at('statement'), JSON.stringify(statement));
  const verifyWith = async (keys: string) => {
    await writeFile(at('own-keys.json'), keys);
    return home.run(['verify', at('statement'), '--keys', at('own-keys.json'), '--json']);
  };
  const good = await verifyWith(answer);
  expect([good.exitCode, good.stderr]).toEqual([0, '']);
  const unsigned = await home.run(['verify', at('statement'), '--keys', at('keys.json'), '--json']);
  expect([unsigned.exitCode, unsigned.stderr]).toEqual([0, expect.stringContaining('Nobody signed')]);
  const changed = await verifyWith(answer.replace('"status":"active"', '"status":"retired"'));
  expect([changed.exitCode, changed.json.error.code]).toEqual([EXIT_CODES.invalid.code, 'keys_changed']);
});

it('believes a file of keys that was signed anew with a key in it, and says whom that leaves it to', async () => {
  const stranger = await createSigningParty();
  const statement = await signStatement(stranger.signer, { type: 'anything' }, '2026-06-01T12:00:00.000Z');
  await writeFile(at('statement'), JSON.stringify(statement));
  await writeFile(at('own-keys.json'), await stranger.answer(signingKeyDocument(party, stranger)));
  const args = ['verify', at('statement'), '--keys', at('own-keys.json')];
  expect((await home.run([...args, '--json'])).json.files[0].checks[0].keyId).toBe(stranger.publicKey.keyId);
  const help = await home.run(['verify', '--help']);
  expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain('whoever may write to it decides what is valid');
});
