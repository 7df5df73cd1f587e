import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCliHome } from '../../packages/cli/src/testing/run-cli.ts';
import { startServer } from '../../packages/cli/src/testing/start-server.ts';
import { startInProcessMarketplace } from './in-process-marketplace.ts';

const place = await startInProcessMarketplace();
const home = await createCliHome();
afterAll(async () => {
  await home.remove();
  await place.close();
});

let listingId: string;
const fileOf = (name: string) => join(home.folder, name);

beforeAll(async () => {
  await home.run(['register', '--name', 'Seller', '--url', place.baseUrl]);
});

describe('a seller', () => {
  it('lists from a file and options, once it says that it may', async () => {
    const fields = {
      title: 'Tides',
      description: 'High water, computed.',
      priceCents: 5,
      preview: { days: 1 },
    };
    await writeFile(fileOf('listing.json'), JSON.stringify(fields));
    const args = ['listings', 'create', '--file', `@${fileOf('listing.json')}`, '--price-cents', '0'];
    expect((await home.run(args)).exitCode).toBe(2);
    const { exitCode, json } = await home.run([...args, '--consent', '--tag', 'tide,sea', '--json']);
    expect(exitCode).toBe(0);
    expect(json.listing).toMatchObject({
      title: 'Tides',
      priceCents: 0,
      status: 'pending',
      contextTags: ['tide', 'sea'],
    });
    listingId = json.listing.id;
    const wrong = await home.run([...args, '--consent', '--title', 'T', '--json']);
    expect([wrong.exitCode, wrong.json.error.problem.errors[0].path]).toEqual([8, 'title']);
    const live = await home.run(['listings', 'endpoint', 'https://seller.example.com/deliver', '--json']);
    expect(live.json).toMatchObject({ activatedListings: [listingId] });
  });

  it('changes it, and everyone can check the history', async () => {
    const edit = (...fields: string[]) => home.run(['listings', 'edit', listingId, ...fields]);
    expect((await edit('--reason', 'none')).exitCode).toBe(2);
    expect((await edit('--title', 'Tides of Brest', '--reason', 'Which tides')).stdout).toContain(
      'Version 2',
    );
    expect((await home.run(['listings', 'deactivate', listingId])).stdout).toContain('inactive');
    expect((await home.run(['listings', 'activate', listingId])).stdout).toContain('Version 4, active');
    const { stdout } = await home.run(['listings', 'history', listingId]);
    expect(stdout).toContain('"Which tides"');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('The chain of 4 is valid.');
    expect((await home.run(['listings'])).stdout).toMatch(/Tides of Brest +free +active/);
  });

  it('sees what it sold, and what happened', async () => {
    await home.run(['register', '--name', 'Buyer', '--profile', 'buyer', '--url', place.baseUrl]);
    const bought = await home.run(['buy', listingId, '--profile', 'buyer', '--json']);
    expect([bought.exitCode, bought.json.status]).toEqual([0, 'released']);
    await writeFile(fileOf('purchase.json'), bought.stdout);
    const stranger = ['buy', listingId, '--profile', 'none', '--url', place.baseUrl, '--json'];
    expect((await home.run(stranger)).json).toMatchObject({ status: 'released', contentStatus: 'delivered' });
    const { json } = await home.run(['events', '--json']);
    expect(json.events).toMatchObject([{ type: 'listing.activated', sequence: 1 }]);
    expect((await home.run(['orders'])).exitCode).toBe(0);
    const controller = new AbortController();
    let requests = 0;
    place.state.beforeRequest = (_, path) => {
      if (path.startsWith('/agents/me/events')) requests += 1;
      // The second one waits for an event that does not come.
      if (requests === 2) controller.abort();
    };
    const followed = await home.run(['events', '--follow', '--json'], { interrupt: controller.signal });
    place.state.beforeRequest = () => {};
    const lines = followed.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.events);
    expect(followed.exitCode).toBe(130);
  });
});

const CALLBACK = 'https://seller.example.com/deliver';

it('a gateway says at its start which live listings it does not deliver, and serves whatever it finds', async () => {
  const { json: profile } = await home.run(['listings', '--json']);
  expect(profile.endpoint.callbackUrl).toBe(CALLBACK);
  const { agent_id: sellerId } = (
    await place.sales.rows<{ agent_id: string }>(
      'SELECT seller_id AS agent_id FROM listings WHERE id = ?',
      listingId,
    )
  )[0] as { agent_id: string };
  const config = { marketplace: place.baseUrl, callbackUrl: CALLBACK, sellerId, listings: {} };
  const start = async (listings: object, env: Record<string, string> = {}) => {
    await writeFile(fileOf('served.json'), JSON.stringify({ ...config, listings }));
    const args = ['gateway', '--config', fileOf('served.json'), '--port', '0'];
    const { stderr } = await home.run(args, { env, interruptAfter: /live|could not/ });
    expect(stderr).toContain('The gateway listens');
    return stderr;
  };
  const upstream = { kind: 'http', method: 'get', url: 'https://api.example/' };
  expect(await start({ [listingId]: { upstream } })).toContain('It delivers all that you have live.');
  expect(await start({})).toContain(
    `"Tides of Brest" is live, and this gateway does not deliver it. List it here again, or take it off sale: agent-market listings deactivate ${listingId}\n`,
  );
  const withoutKey = { AGENT_MARKET_URL: place.baseUrl, AGENT_MARKET_KEY: `mkt_live_${'0'.repeat(43)}` };
  expect(await start({}, withoutKey)).toContain('could not be checked');
});

describe('an API that exists, sold by a key that was registered to buy', () => {
  const requests: string[] = [];

  it('becomes a seller before the API is asked, and lists the same thing once', async () => {
    const api = await startServer((_, response) => {
      requests.push('the API');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"aqi":42}');
    });
    // The gateway at that address, which says that it serves what its file has.
    const { fetch } = globalThis;
    const gateway = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (!String(input).startsWith(CALLBACK)) return fetch(input, init);
      const listing = new URL(String(input)).searchParams.get('listing') ?? '';
      const { sellerId, listings } = JSON.parse(await readFile(fileOf('late.json'), 'utf8'));
      return Response.json({ isServed: Object.hasOwn(listings, listing), listingId: listing, sellerId });
    });
    place.state.beforeRequest = (method, path) => requests.push(`${method} ${path}`);
    const profile = ['--profile', 'late', '--url', place.baseUrl];
    await home.run(['register', '--name', 'Late', ...profile]);
    expect((await home.run(['orders', ...profile])).stderr).toContain('It sells nothing yet');
    const sell = (...more: string[]) =>
      home.run([
        ...['sell', 'http', `${api.url}/air`, '--price', '1', '--callback', CALLBACK],
        ...['--config', fileOf('late.json'), '--yes', ...profile, ...more],
      ]);
    const sold = await sell();
    expect([sold.exitCode, sold.stdout], sold.stderr).toEqual([0, expect.stringContaining('pending')]);
    expect(sold.stdout).not.toContain('claimUrl');
    expect(requests.indexOf('POST /sell/register')).toBeGreaterThan(0);
    expect(requests.indexOf('POST /sell/register')).toBeLessThan(requests.indexOf('the API'));

    const [listed] = Object.keys(JSON.parse(await readFile(fileOf('late.json'), 'utf8')).listings);
    requests.length = 0;
    const repeated = await sell('--json');
    expect([repeated.exitCode, repeated.json.error.listingId]).toEqual([2, listed]);
    expect(requests).not.toContain('the API');
    expect((await sell('--duplicate')).exitCode).toBe(0);
    place.state.beforeRequest = () => {};
    gateway.mockRestore();
    await api.close();
  });

  it('sets its endpoint, and is not told of fields that it is not shown', async () => {
    const profile = ['--profile', 'later', '--url', place.baseUrl];
    await home.run(['register', '--name', 'Later', ...profile]);
    expect((await home.run(['listings', 'endpoint', CALLBACK, ...profile])).exitCode).toBe(0);
    const { stdout } = await home.run([
      ...['listings', 'create', '--title', 'Tides', '--description', 'High water, computed.'],
      ...['--price-cents', '5', '--preview', '{"days":1}', '--consent', ...profile],
    ]);
    expect(stdout).toMatch(/pending.* A person does this at http\S+\/claim\/\S+\n$/);
    expect(stdout).not.toContain('claimUrl');
    const theirs = await home.run(['listings', 'edit', listingId, '--title', 'Mine now', ...profile]);
    expect(theirs.exitCode).toBe(7);
  });
});

describe('verify', () => {
  /** Without network: the marketplace is nowhere. */
  const offline = { AGENT_MARKET_URL: 'http://127.0.0.1:1/api' };

  it('checks files and stdin offline, and names what is not valid', async () => {
    await writeFile(fileOf('keys.json'), (await home.run(['signing-keys', '--json'])).stdout);
    await writeFile(
      fileOf('history.json'),
      (await home.run(['listings', 'history', listingId, '--json'])).stdout,
    );
    const verify = (files: string[], stdin?: string) =>
      home.run(['verify', ...files, '--keys', fileOf('keys.json'), '--json'], {
        env: offline,
        ...(stdin === undefined ? {} : { stdin }),
      });
    const good = await verify([fileOf('purchase.json'), fileOf('history.json')]);
    expect(good.exitCode).toBe(0);
    const checked = (good.json.files as { checks: { what: string; valid: boolean }[] }[]).map(({ checks }) =>
      checks.map(({ what, valid }) => [what, valid]),
    );
    expect(checked).toEqual([
      [
        ['response', true],
        ['purchase', true],
      ],
      [['listing history', true]],
    ]);
    const text = await readFile(fileOf('purchase.json'), 'utf8');
    const purchase = JSON.parse(text);
    const receipt = await verify([], JSON.stringify(purchase.receipt));
    expect(receipt.json.files).toMatchObject([
      { file: 'stdin', checks: [{ what: 'statement', valid: true }] },
    ]);
    const forged = await verify(['-'], JSON.stringify({ ...purchase, amountCents: 1 }));
    expect([forged.exitCode, forged.json.error.files[0].checks]).toMatchObject([
      14,
      [
        { what: 'response', valid: false, reason: 'digest_mismatch' },
        { what: 'purchase', valid: false, reason: 'wrong_purchase' },
      ],
    ]);
    for (const nothing of ['{}', '[1]', 'x', '{"a":']) expect((await verify([], nothing)).exitCode).toBe(2);
    expect((await verify([fileOf('none.json')])).exitCode).toBe(2);
  });
});
