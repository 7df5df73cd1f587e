import { boundUploads } from '@agent-marketplace/core/adapters/system/bound-uploads.ts';
import { Slots } from '@agent-marketplace/core/adapters/system/slots.ts';
import { prefixesAt } from '@agent-marketplace/core/inquiries/attachments/sweep-attachments.ts';
import { createBodyReceiver, sweepAttachments } from '@agent-marketplace/core/inquiries/index.ts';
import { DAY_MS, MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import { base64, file, inquiriesOf, textOf } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Anybody may send 26 MB without a key. The Worker that handles money neither holds nor parses them, nobody reads them before
// they are counted, few are read at once, and what is stored of them belongs to the message they came with, or is removed.

const MEGABYTE = 1024 * 1024;
/** Five of them are more than the api reads itself. */
const EACH = 200_000;

let market = createTestMarketplace();
let inquiries = inquiriesOf(market);
beforeEach(() => {
  market = createTestMarketplace();
  inquiries = inquiriesOf(market);
});
afterEach(() => vi.restoreAllMocks());

/** More than the api reads itself, in base64. */
const LARGE = 800 * 1024;
const large = (...files: object[]) => ({ attachments: [file(textOf(LARGE, 'x')), ...files] });
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

describe('what the api holds of a large body', () => {
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
    const attachments = [...'abcde'].map((character) => file(textOf(EACH, character)));
    expect((await inquiries.submit({ attachments })).status).toBe(201);
    expect([sizes, mostAtOnce]).toEqual([Array(5).fill(EACH), 1]);
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

  it('counts with its bytes before it is read, whatever becomes of it and whatever key it names', async () => {
    // Of 10,000 bytes each: for two bodies.
    const day = { network: 200, key: 200, keysOfNetwork: 200 };
    const limited = createTestMarketplace({
      variables: { DAILY_LIMITS: JSON.stringify({ attachment: day }) },
    });
    const send = async (contentOf: string, headers: object = {}) => {
      const text = JSON.stringify({
        subject: 'A',
        message: 'B',
        attachments: [file(textOf(LARGE, contentOf))],
      });
      const { status } = await limited.request('POST', '/inquiries', {
        body: text.slice(0, -1),
        headers: { ...JSON_HEADERS, ...ELSEWHERE, ...headers },
      });
      return [status, limited.attachments.objects.size];
    };
    expect(await send('a')).toEqual([400, 1]);
    expect(await send('b', { 'x-api-key': 'made up' })).toEqual([400, 2]);
    expect(await send('c', { 'x-api-key': 'another one' })).toEqual([429, 2]);
    const { status, body } = await inquiriesOf(limited).submit(large(), ELSEWHERE);
    expect([status, body.code]).toEqual([429, 'daily_limit_reached']);
    const neighbour = { 'cf-connecting-ip': '198.51.100.78' };
    expect((await inquiriesOf(limited).submit(large(), neighbour)).status).toBe(201);
  });

  it('is counted once', async () => {
    const network = '198.51.100.79';
    expect((await inquiries.submit(large(), { 'cf-connecting-ip': network })).status).toBe(201);
    const { results } = await testBindings.DB.prepare(
      "SELECT bytes FROM daily_quotas WHERE quota = 'attachment' AND holder = ?",
    )
      .bind(`network ${network}`)
      .all<{ bytes: number }>();
    expect(results[0]?.bytes).toBeGreaterThan(LARGE);
    expect(results[0]?.bytes).toBeLessThan(1.1 * LARGE);
  });

  it('is not read beside as many as the memory holds, and not for longer than its time', async () => {
    const bounded = createTestMarketplace({
      overrides: {
        attachments: market.attachments,
        uploads: boundUploads(createBodyReceiver(market.attachments, 500), 60_000, new Slots(1, 1)),
      },
    });
    const silent = new ReadableStream({ type: 'bytes' });
    const slow = bounded.request('POST', '/inquiries', { stream: silent, headers: JSON_HEADERS });
    await vi.waitFor(() => expect(silent.locked).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const beside = await bounded.request('POST', '/inquiries', { body: large(), headers: ELSEWHERE });
    expect([beside.status, beside.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await slow).status).toBe(503);
    const stream = new Blob(['{"subject":"A","message":"B"}']).stream();
    const after = await bounded.request('POST', '/inquiries', { stream, headers: JSON_HEADERS });
    expect(after.status).toBe(201);
  });

  it('that ends in the middle is no JSON', async () => {
    const text = JSON.stringify(large());
    for (const end of [text.length - 1, 1_060_000]) {
      const body = text.slice(0, end);
      const response = await market.request('POST', '/inquiries', { body, headers: JSON_HEADERS });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'malformed_json' });
    }
  });

  it('may have the same file twice, and no sixth', async () => {
    const [one] = large().attachments;
    const twice = await inquiries.submit({ attachments: [one, one] });
    expect([twice.status, twice.body.attachments.length, stored().length]).toEqual([201, 2, 1]);
    const six = await inquiries.submit(large(...[...'abcde'].map((text) => file(text))));
    expect([six.status, six.body.errors[0].path, stored().length]).toEqual([400, 'attachments', 5]);
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
    for (const attachments of [[named], [file(textOf(LARGE)), named]]) {
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
    expect(stored()).toEqual([await sha256Hex(textOf(LARGE, 'x'))]);
  });
});

describe('files whose request is refused', () => {
  const bad = file('', { contentBase64: '*' });

  /** The minutes of so many days in which the jobs look at these files. */
  async function sweep(days: number, sha256s: readonly string[]): Promise<void> {
    const midnight = market.clock.now() - (market.clock.now() % DAY_MS);
    for (let day = 1; day <= days; day++) {
      for (let minute = 0; minute < 1440; minute++) {
        const at = midnight + day * DAY_MS + minute * MINUTE_MS;
        if (!sha256s.some((sha256) => prefixesAt(at).includes(sha256.slice(0, 3)))) continue;
        market.clock.advance(at - market.clock.now());
        await sweepAttachments(market.newPorts());
      }
    }
  }

  it('are looked for in every part of the store each day', () => {
    const prefixes = Array.from({ length: 1440 }, (_, minute) => prefixesAt(minute * MINUTE_MS)).flat();
    expect([prefixes.length, new Set(prefixes).size]).toEqual([4096, 4096]);
  });

  it('are removed within three days, but for those that a message has', async () => {
    const kept = await sha256Hex('kept');
    await inquiries.open({ attachments: [file('kept')] });
    const attachments = [file('kept'), file(textOf(LARGE, 'y')), bad];
    expect((await inquiries.submit({ attachments })).status).toBe(400);
    expect(stored()).toHaveLength(2);
    await sweep(3, stored());
    expect(stored()).toEqual([kept]);
    const { results } = await testBindings.DB.prepare('SELECT * FROM attachment_uploads').all();
    expect(results).toEqual([]);
  });

  it('stay where another message got the same ones before they were removed', async () => {
    expect((await inquiries.submit(large(bad))).status).toBe(400);
    const [sha256 = ''] = stored();
    await sweep(1, [sha256]);
    expect((await inquiries.submit(large())).status).toBe(201);
    await sweep(3, [sha256]);
    expect(stored()).toEqual([sha256]);
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
    const repeated = await inquiries.submit(large());
    expect(repeated.status).toBe(201);
    market.clock.advance(2 * DAY_MS);
    await sweepAttachments(market.newPorts());
    const response = await market.request('GET', repeated.body.attachments[0].url);
    expect(base64(new Uint8Array(await response.arrayBuffer()))).toBe(base64(textOf(LARGE, 'x')));
  });
});

describe('a large body that is refused is told the truth', () => {
  const post = (body: { stream: ReadableStream<Uint8Array> } | { body: string }) =>
    market.request('POST', '/inquiries', { ...body, headers: { ...JSON_HEADERS, ...ELSEWHERE } });
  const answerOf = async (response: Response) => (await response.json()) as { code: string; detail: string };

  it('more text than a body may have beside its files: the limit of the text', async () => {
    const response = await post({
      body: JSON.stringify({ subject: 's', message: 'm'.repeat(1.2 * MEGABYTE) }),
    });
    const { code, detail } = await answerOf(response);
    expect([response.status, code, detail]).toEqual([
      413,
      'body_too_large',
      `Send at most ${MEGABYTE} bytes beside the files.`,
    ]);
  });

  it.each([100, 2 * MEGABYTE])(
    'cut off after %i bytes: 400, and not that nothing can be stored',
    async (bytes) => {
      const parts = [`{"subject":"s","attachments":[{"contentBase64":"${'AAAA'.repeat(bytes / 4)}`];
      const stream = new ReadableStream({
        type: 'bytes',
        pull(controller) {
          const part = parts.pop();
          if (part === undefined) controller.error(new Error('The client went away.'));
          else controller.enqueue(utf8(part));
        },
      });
      const response = await post({ stream });
      expect([response.status, (await answerOf(response)).code]).toEqual([400, 'malformed_json']);
      expect(stored()).toEqual([]);
    },
  );
});
