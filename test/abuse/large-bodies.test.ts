import { sweepAttachments } from '@agent-marketplace/core/inquiries/index.ts';
import { sha256Hex } from '@agent-marketplace/core/kernel/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/core/kernel/crypto/encoding.ts';
import { DAY_MS, MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import { base64, file, inquiriesOf, textOf } from '@agent-marketplace/core/testing/new-inquiry.ts';
import { testBindings } from '@agent-marketplace/core/testing/workers-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/workers-harness.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Anybody may send 26 MB without a key. The Worker that handles money neither holds nor parses them, nobody reads them before
// they are counted, and what is stored of them belongs to the message they came with, or is removed.

const MEGABYTE = 1024 * 1024;
const LARGEST = 4 * MEGABYTE;

let market = createTestMarketplace();
let inquiries = inquiriesOf(market);
beforeEach(() => {
  market = createTestMarketplace();
  inquiries = inquiriesOf(market);
});
afterEach(() => vi.restoreAllMocks());

/** More than the api reads itself. */
const large = (...files: object[]) => ({ attachments: [file(textOf(2 * MEGABYTE, 'x')), ...files] });
const stored = () => [...market.attachments.objects.keys()];

/** A body without end, and how often more of it was asked for. */
function endlessBody() {
  const body = { pulls: 0 };
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      body.pulls++;
      controller.enqueue(utf8(body.pulls === 1 ? '{"attachments":[{"contentBase64":"' : 'AAAA'.repeat(4096)));
    },
  });
  return { body, stream };
}
/** A network that sent nothing yet. */
const ELSEWHERE = { 'cf-connecting-ip': '198.51.100.77' };
const JSON_HEADERS = { 'content-type': 'application/json' };

describe('what the api holds of 26 MB', () => {
  it('is less than any other body: the files are stored one after the other', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const put = market.attachments.put.bind(market.attachments);
    const sizes: number[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    market.attachments.put = async (sha256, bytes) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      sizes.push(bytes.length);
      const outcome = await put(sha256, bytes);
      atOnce--;
      return outcome;
    };
    const attachments = [...'abcde'].map((character) => file(textOf(LARGEST, character)));
    expect((await inquiries.submit({ attachments })).status).toBe(201);
    expect([sizes, mostAtOnce]).toEqual([Array(5).fill(LARGEST), 1]);
    expect(Math.max(...parse.mock.calls.map(([text]) => String(text).length))).toBeLessThan(10_000);
  });

  it('is refused where files are not what is large', async () => {
    const { status, body } = await inquiries.submit({ ...large(), name: 'n'.repeat(MEGABYTE) });
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });
});

describe('a large body', () => {
  it('is not read where its network has sent too many', async () => {
    const limited = createTestMarketplace({
      variables: { RATE_LIMITS: JSON.stringify({ inquiry: { limit: 2, windowSeconds: 60 } }) },
    });
    for (const status of [201, 201, 429]) {
      expect((await inquiriesOf(limited).submit(large())).status).toBe(status);
    }
    const { body, stream } = endlessBody();
    const response = await limited.request('POST', '/inquiries', { stream, headers: JSON_HEADERS });
    expect(response.status).toBe(429);
    // A stream asks for its first part by itself.
    expect(body.pulls).toBeLessThanOrEqual(1);
  });

  it('is not read where the day’s bytes are used up', async () => {
    // Of 10,000 bytes each.
    const day = { network: 300, key: 300, keysOfNetwork: 300 };
    const whole = { attachments: [file(textOf(2_000_000))] };
    const limited = createTestMarketplace({
      variables: { DAILY_LIMITS: JSON.stringify({ attachment: day }) },
    });
    expect((await inquiriesOf(limited).submit(whole, ELSEWHERE)).status).toBe(201);
    limited.attachments.objects.clear();
    await testBindings.DB.prepare("UPDATE daily_quotas SET bytes = 3000000 WHERE quota = 'attachment'").run();
    const { status, body } = await inquiriesOf(limited).submit(whole, ELSEWHERE);
    expect([status, body.code]).toEqual([429, 'daily_limit_reached']);
    expect(limited.attachments.objects.size).toBe(0);
  });

  it('without a length is read no further than the largest', async () => {
    const { body, stream } = endlessBody();
    const response = await market.request('POST', '/inquiries', { stream, headers: JSON_HEADERS });
    expect(response.status).toBe(413);
    expect(body.pulls * 16_384).toBeLessThan(33 * MEGABYTE);
  });

  it('cannot name a file of somebody else', async () => {
    const secret = await sha256Hex('a file of somebody else');
    await inquiries.open({ attachments: [file('a file of somebody else')] });
    const named = file('', { contentBase64: `sha256:${secret}` });
    for (const attachments of [[named], [file(textOf(2 * MEGABYTE)), named]]) {
      const { status, body } = await inquiries.submit({ attachments });
      const path = `attachments.${attachments.length - 1}.contentBase64`;
      expect([status, body.errors]).toEqual([400, [{ message: 'Not base64 (RFC 4648).', path }]]);
    }
  });

  it('under an Idempotency-Key that was used for other files is refused', async () => {
    const headers = { 'idempotency-key': 'one key for both' };
    expect((await inquiries.submit(large(file('a')), headers)).status).toBe(201);
    expect((await inquiries.submit(large(file('b')), headers)).status).toBe(422);
  });

  it('of which one file is refused stores none after it', async () => {
    const bad = file('', { contentBase64: '*' });
    const { status } = await inquiries.submit(large(bad, file('after')));
    expect(status).toBe(400);
    expect(stored()).toEqual([await sha256Hex(textOf(2 * MEGABYTE, 'x'))]);
  });
});

describe('files whose request is refused', () => {
  /** Every minute of so many days. */
  async function sweep(days: number): Promise<void> {
    for (let minute = 0; minute < days * 1440; minute++) {
      market.clock.advance(MINUTE_MS);
      await sweepAttachments(market.newPorts());
    }
  }

  it('are removed within three days, but for those that a message has', async () => {
    const kept = await sha256Hex('kept');
    await inquiries.open({ attachments: [file('kept')] });
    const bad = file('', { contentBase64: '*' });
    const attachments = [file('kept'), file(textOf(2 * MEGABYTE, 'y')), bad];
    expect((await inquiries.submit({ attachments })).status).toBe(400);
    expect(stored()).toHaveLength(2);
    await sweep(3);
    expect(stored()).toEqual([kept]);
    const { results } = await testBindings.DB.prepare('SELECT * FROM attachment_uploads').all();
    expect(results).toEqual([]);
  });

  it('and removed while the same ones are received: the request is to be repeated, and shows no file that is lost', async () => {
    const put = market.attachments.put.bind(market.attachments);
    market.attachments.put = async (sha256, bytes) => {
      await put(sha256, bytes);
      // The jobs, between the storing and the noting.
      market.attachments.objects.delete(sha256);
      return 'done';
    };
    const { status, body } = await inquiries.submit(large());
    expect([status, body.code, body.retryable]).toEqual([503, 'service_unavailable', true]);
    market.attachments.put = put;
    const again = await inquiries.submit(large());
    expect(again.status).toBe(201);
    market.clock.advance(2 * DAY_MS);
    await sweepAttachments(market.newPorts());
    const response = await market.request('GET', again.body.attachments[0].url);
    expect(base64(new Uint8Array(await response.arrayBuffer()))).toBe(base64(textOf(2 * MEGABYTE, 'x')));
  });
});
