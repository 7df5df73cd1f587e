import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { startStubMarketplace } from '../../sdk/src/testing/stub-marketplace.ts';
import { EXIT_CODES } from './frame/exit-codes.data.ts';
import { createCliHome } from './testing/run-cli.ts';

const party = await createSigningParty();
const stub = await startStubMarketplace(party);
const web = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hello</title>');
});
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
const home = await createCliHome({ AGENT_MARKET_URL: stub.baseUrl });
afterAll(async () => {
  await home.remove();
  web.close();
  await stub.close();
});

const problem = (status: number, code: string, more = {}) => ({
  status,
  body: { code, title: 'It is not so.', detail: 'See.', requestId: 'r-1', retryable: false, status, ...more },
});

describe('what goes wrong, in one sentence and an exit code', () => {
  it.each([
    [['sho', 'x'], "unknown command 'sho'"],
    [['show'], "missing required argument 'listing-id'"],
    [['show', 'x', '--pretty'], "unknown option '--pretty'"],
    [['show', 'x', 'y'], 'too many arguments'],
    [[], 'Name a command.'],
    [['show', 'x', '--url', 'market'], '"market" is not a URL'],
    [['show', 'x', '--url', 'http://market.example/api'], 'is not https'],
  ])('%j is used wrongly', async (args, message) => {
    const { exitCode, stdout, stderr } = await home.run(args);
    expect([exitCode, stdout]).toEqual([EXIT_CODES.usage.code, '']);
    expect(stderr).toContain(`agent-market: ${message}`.replace('agent-market: is', 'is'));
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    [404, 'listing_not_found', {}, 'not_found'],
    [401, 'api_key_revoked', {}, 'key'],
    [401, 'api_key_expired', {}, 'key'],
    [403, 'scope_missing', {}, 'key'],
    [403, 'not_purchase_owner', {}, 'not_found'],
    [403, 'not_listing_owner', {}, 'not_found'],
    [403, 'not_offer_party', {}, 'not_found'],
    [
      400,
      'validation_failed',
      { charged: false, errors: [{ path: 'query', message: 'is no object' }] },
      'refused',
    ],
    [409, 'price_above_max', { charged: false }, 'price'],
    [403, 'budget_exceeded', { charged: false }, 'not_bought'],
    [402, 'wallet_insufficient', { charged: false }, 'not_bought'],
    [502, 'delivery_failed', { charged: false }, 'not_bought'],
    [400, 'query_not_accepted', { charged: false }, 'refused'],
    [400, 'query_required', { charged: false }, 'refused'],
    [422, 'idempotency_key_reused', { charged: false }, 'refused'],
    [422, 'attestation_required', { charged: false }, 'refused'],
    [
      400,
      'validation_failed',
      { charged: false, errors: [{ path: 'id', message: 'Invalid UUID' }] },
      'not_found',
    ],
    [503, 'settlement_pending', {}, 'unresolved'],
    [409, 'idempotency_in_flight', { charged: false }, 'unresolved'],
    [500, 'internal_error', { charged: true }, 'unresolved'],
    [403, 'approval_required', { charged: false }, 'approval'],
  ] as const)('HTTP %i %s', async (status, code, more, exit) => {
    stub.answers({ ...problem(status, code, more), headers: { 'retry-after': '0' } });
    const text = await home.run(['show', 'x']);
    expect(text.exitCode).toBe(EXIT_CODES[exit].code);
    expect(text.stderr).toMatch(/^agent-market: It is not so\. (See\.|Correct these fields:)\n/);
    if (exit === 'unresolved') expect(text.stderr).not.toContain('Nothing was charged');
    const { json, exitCode, stderr } = await home.run(['show', 'x', '--json']);
    expect([exitCode, stderr]).toEqual([text.exitCode, '']);
    expect(json.error).toMatchObject({ code, exitCode, requestId: 'r-1', problem: { code, status } });
  });

  it('is told with the commands that there are, and the fields that are wrong', async () => {
    const stderrOf = async (detail: string, more = {}) => {
      stub.answers(problem(400, 'validation_failed', { detail, ...more }));
      return (await home.run(['show', 'x'])).stderr;
    };
    expect(await stderrOf('Have a person open the URL from POST /wallet/payment-method once.')).toContain(
      'open the URL from `agent-market wallet card` once.',
    );
    expect(
      await stderrOf('Find others with GET /marketplace/listings. See GET /marketplace/listings/{id}.'),
    ).toContain('Find others with `agent-market search`. See `agent-market show`.');
    expect(await stderrOf('See GET /stats, or POST /wallet/funding.')).toContain(
      'GET /stats, or POST /wallet/funding.',
    );
    const errors = [{ path: 'title', message: 'Too long. See POST /wallet/fund.' }];
    expect(
      await stderrOf('Correct the fields named in `errors` and send the request again.', { errors }),
    ).toBe(
      'agent-market: It is not so. Correct these fields:\ntitle: Too long. See `agent-market wallet fund`.\nRequest: r-1\n',
    );
  });

  it.each([
    [
      'no network',
      () => stub.answers(null),
      {},
      'unreachable',
      /^agent-market: The marketplace could not be reached\.\nCheck the address and your connection/,
    ],
    [
      'a wrong base URL',
      () => {},
      { AGENT_MARKET_URL: () => `http://127.0.0.1:${(web.address() as AddressInfo).port}` },
      'unreachable',
      /^agent-market: What answers there is not a marketplace\.\nCheck the address: it is the API root and ends in \/api/,
    ],
    [
      'an expired key',
      () => stub.answers(problem(401, 'api_key_expired')),
      {},
      'key',
      /^agent-market: It is not so\. See\.\nRequest: r-1\n$/,
    ],
    [
      'an answer that somebody else signed',
      async () => stub.answers({ body: { listing: {} }, signedBy: await createSigningParty() }),
      {},
      'untrusted',
      /^agent-market: The answer is not signed by the marketplace/,
    ],
  ] as const)('%s', async (_, prepare, env, exit, sentence) => {
    await prepare();
    const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value()]));
    const { exitCode, stdout, stderr } = await home.run(['show', 'x'], { env: variables });
    expect([exitCode, stdout, stderr]).toEqual([EXIT_CODES[exit].code, '', expect.stringMatching(sentence)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('with --json, one document is on stdout', () => {
  it.each([
    [['--json', '--help'], { help: expect.stringContaining('Usage: agent-market') }],
    [['help', '--json'], { help: expect.stringContaining('Usage: agent-market') }],
    [['--json', '--version'], { version: expect.stringMatching(/^\d+\.\d+\.\d+/) }],
    [['wallet', 'fund', '--help', '--json'], { help: expect.stringContaining('--amount-cents') }],
  ])('%j', async (args, document) => {
    const { exitCode, json, stderr } = await home.run(args);
    expect([exitCode, json, stderr]).toEqual([EXIT_CODES.ok.code, document, '']);
  });
});

it.each(['bad\nkey', 'cl\u00e9', 'mkt_live_\u043a', 'two words'])(
  'a key that is none, %j, is not sent',
  async (key) => {
    stub.answers({ body: {} });
    const { exitCode, stderr } = await home.run(['wallet'], { env: { AGENT_MARKET_KEY: key } });
    expect([exitCode, stub.calls.length]).toEqual([EXIT_CODES.key.code, 0]);
    expect(stderr).toMatch(/^agent-market: The API key has a character that no key has/);
    expect(stderr).not.toContain(key);
  },
);

describe('what strangers wrote', () => {
  it('cannot steer the terminal, and is the same in JSON', async () => {
    const title = 'Tides\u001b]0;owned\u0007\u202e\u009b2J\nof Brest';
    const listing = { id: 'l', title, priceCents: 90, ratingCount: 0, sellerName: 'A\u001b[2K' };
    stub.answers({ body: { listings: [listing], total: 1, offset: 0 } });
    const text = await home.run(['search', 'tides']);
    const json = await home.run(['search', 'tides', '--json']);
    for (const { stdout } of [text, json]) expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    expect(text.stdout).toContain('$0.90');
    expect(json.json.listings).toEqual([listing]);
    expect(stub.calls[0]?.path).toBe('/api/marketplace/listings?q=tides&sort=relevance');
  });
});

describe('the config file', () => {
  const env = { AGENT_MARKET_URL: '' };
  const write = (text: string) => writeFile(home.configPath, text, { mode: 0o600 });

  it('is missing, broken, or not what it should be', async () => {
    expect((await home.run(['show', 'x'], { env })).stderr).toContain('No marketplace is set');
    for (const text of ['{', '[]', '{"profiles":{"default":{}}}', '{"profiles":{"a":{"url":1}}}']) {
      await write(text);
      const { exitCode, stderr } = await home.run(['show', 'x'], { env });
      expect([exitCode, stderr.includes(home.configPath)], text).toEqual([EXIT_CODES.config.code, true]);
    }
  });

  it('brings address and key, which no other address is sent', async () => {
    await write(JSON.stringify({ profiles: { default: { url: stub.baseUrl, apiKey: 'mkt_live_mine' } } }));
    stub.answers(problem(404, 'listing_not_found'));
    await home.run(['show', 'x'], { env });
    await home.run(['show', 'x'], { env: { ...env, AGENT_MARKET_KEY: 'mkt_live_env' } });
    await home.run(['show', 'x', '--url', stub.baseUrl.replace('127.0.0.1', 'localhost')], { env });
    await home.run(['show', 'x', '--profile', 'other'], { env: { AGENT_MARKET_URL: stub.baseUrl } });
    expect(stub.calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer mkt_live_mine',
      'Bearer mkt_live_env',
      undefined,
      undefined,
    ]);
  });

  it('keeps the key of a registration, for its owner alone, and never a second one in its place', async () => {
    await rm(home.configPath, { force: true });
    const registered = { apiKey: 'mkt_live_new', id: 'a', name: 'n', connect: { handle: 'agent-1' } };
    stub.answers({ status: 201, body: registered });
    const args = ['register', '--name', 'n', '--url', stub.baseUrl];
    const first = await home.run([...args, '--json'], { env });
    expect(first.json).toMatchObject({ id: 'a', profile: 'default' });
    expect(first.stdout + first.stderr).not.toContain('mkt_live_');
    expect(((await stat(home.configPath)).mode & 0o777).toString(8)).toBe('600');
    expect((await home.run(args, { env })).exitCode).toBe(EXIT_CODES.config.code);
    expect(stub.calls).toHaveLength(1);
    await home.run([...args, '--profile', 'other'], { env });
    const printed = await home.run([...args, '--print-key'], { env });
    expect(printed.stdout).toBe('mkt_live_new\n');
    const { json } = await home.run(['profiles', '--json'], { env });
    expect(json.profiles.map((one: { name: string }) => one.name)).toEqual(['default', 'other']);
    // The folder cannot be written: nobody is registered.
    const blocked = { AGENT_MARKET_CONFIG: `${home.configPath}/below/config.json` };
    stub.answers({ status: 201, body: registered });
    expect((await home.run(args, { env: blocked })).exitCode).toBe(EXIT_CODES.config.code);
    expect(stub.calls).toHaveLength(0);
  });

  it('takes a key from stdin', async () => {
    const args = ['profiles', 'add', 'third', '--key-stdin', '--url', stub.baseUrl];
    await home.run(args, { env, stdin: 'mkt_live_third\n' });
    const wrong = await home.run(['profiles', 'payer-key', 'third', '--key-stdin'], { env, stdin: '0x12' });
    expect(wrong.exitCode).toBe(EXIT_CODES.usage.code);
    expect(await readFile(home.configPath, 'utf8')).toContain('"mkt_live_third"');
    await home.run(['profiles', 'use', 'third'], { env });
    stub.answers(problem(404, 'listing_not_found'));
    await home.run(['show', 'x'], { env });
    expect(stub.calls[0]?.headers.authorization).toBe('Bearer mkt_live_third');
    await home.run(['profiles', 'remove', 'third'], { env });
    expect((await home.run(['profiles', 'use', 'constructor'], { env })).exitCode).toBe(
      EXIT_CODES.config.code,
    );
    expect((await home.run(['profiles', 'use', 'third'], { env })).exitCode).toBe(EXIT_CODES.config.code);
  });

  it('that others can read is warned of', async () => {
    const { stderr } = await home.run(['show', 'x'], { env });
    expect(stderr).not.toContain('chmod');
    await chmod(home.configPath, 0o644);
    expect((await home.run(['show', 'x'], { env })).stderr).toContain(`chmod 600 '${home.configPath}'`);
  });
});
