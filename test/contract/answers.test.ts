import { choicesOf } from '@agent-marketplace/core/kernel/operation/choices.ts';
import { isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { PUBLISHED_BY_ID } from './fields.data.ts';
import { send } from './requests.ts';
import { expectUnchanged, snapshot, storedText } from './snapshot.ts';
import { goodRequest, sharedRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const all = apiOperations.map((operation) => [operation.name, operation] as const);
const json = all.filter(([, { file }]) => file === undefined);
const reads = json.filter(([, { http }]) => http.method === 'get');
const safeReads = reads.filter(([, { movesMoney }]) => movesMoney !== true);
const buyingReads = reads.filter(([, { movesMoney }]) => movesMoney === true);
const withChoices = safeReads.filter(([, operation]) => choicesOf(operation).size > 0);
const files = all.filter(([, { file }]) => file !== undefined);
/** Why a good request may be refused, for whoever added the operation. */
const MISSING_EXAMPLE = '— if the input must name something that exists, add it to test/contract/examples.ts';
const replayed = all.filter(([, { replay }]) => replay !== undefined);

describe('the list of operations', () => {
  it('has no name, no route and no tool twice', () => {
    const unique = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);
    unique(apiOperations.map(({ name }) => name));
    unique(apiOperations.map(({ http }) => `${http.method} ${http.path.replaceAll(/\{\w+\}/g, '{}')}`));
    unique(apiOperations.flatMap(({ mcp }) => mcp?.tool ?? []));
  });

  it('declares each error code once, and no operation declares a common one', () => {
    for (const { name, errors } of apiOperations) {
      expect(new Set(errors.map(({ code }) => code)).size, name).toBe(errors.length);
    }
  });
});

describe('a good request', () => {
  clause('service.provenance', 'receipt.everywhere', 'conventions.all-paths');
  it.each(json)('%s: is answered as declared, with nothing undeclared', async (_, operation) => {
    const tried = await tryOperation(world, operation, await goodRequest(world, operation));
    expect(tried.status, `${tried.text} ${MISSING_EXAMPLE}`).toBe(operation.http.status);
    expect(tried.headers.get('content-type')).toBe('application/json');
    const parsed = operation.output.safeParse(tried.body);
    expect(parsed.error?.issues).toBeUndefined();
    // What a schema does not know it leaves out.
    expect(parsed.data).toEqual(tried.body);
  });

  it.each(reads)('%s: reading changes nothing', async (_, operation) => {
    const good = await goodRequest(world, operation);
    await world.market.background.settled();
    const before = await snapshot();
    await tryOperation(world, operation, good);
    // What an operator read of a person is on record.
    await expectUnchanged(before, { besides: writtenByAudit(operation) });
  });

  it.each(all.filter(([, { http, replay }]) => http.method !== 'get' && replay === undefined))(
    '%s: changes nothing, or it would say how a repeated Idempotency-Key is answered',
    async (_, operation) => {
      const good = await goodRequest(world, operation);
      await world.market.background.settled();
      const before = await snapshot();
      await tryOperation(world, operation, good);
      await expectUnchanged(before);
    },
  );
});

describe('readers', () => {
  it.each(reads)('%s: an unchanged answer is 304', async (_, operation) => {
    const good = await sharedRequest(world, operation);
    const first = await send(world.market, operation, good);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    await readSigned(first);
    const again = await send(world.market, operation, {
      ...good,
      headers: { ...good.headers, 'if-none-match': etag },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(safeReads)('%s: HEAD has the same headers and no body', async (_, operation) => {
    const good = await sharedRequest(world, operation);
    const got = await send(world.market, operation, good);
    const head = await send(world.market, operation, { ...good, method: 'head' });
    expect([head.status, await head.text()]).toEqual([got.status, '']);
    expect(head.headers.get('etag')).toBe(got.headers.get('etag'));
  });

  it.each(buyingReads)('%s: HEAD is refused, since it would buy', async (_, operation) => {
    const good = await sharedRequest(world, operation);
    const head = await send(world.market, operation, { ...good, method: 'head' });
    expect([head.status, head.headers.get('allow'), await head.text()]).toEqual([405, 'GET, OPTIONS', '']);
  });

  it.each(withChoices)('%s: an empty choice is as if it were left out', async (_, operation) => {
    const good = await sharedRequest(world, operation);
    for (const field of choicesOf(operation)) {
      if (operation.input.shape[field]?.safeParse(undefined).success !== true) continue;
      const { [field]: _chosen, ...rest } = good.input;
      const [left, empty] = [rest, { ...rest, [field]: '' }].map((input) => ({ ...good, input }));
      const bodies = [left, empty].map(
        async (sent) => (await tryOperation(world, operation, sent ?? good)).body,
      );
      const [expected, got] = await Promise.all(bodies);
      expect([field, got]).toEqual([field, expected]);
    }
  });

  it.each(all)('%s: what depends on the caller is not for shared caches', async (_, operation) => {
    const requestFor = operation.http.method === 'get' ? sharedRequest : goodRequest;
    const response = await send(world.market, operation, await requestFor(world, operation));
    const control = response.headers.get('cache-control') ?? '';
    if (!isPublicRead(operation) || !operation.cache) {
      expect(control).toMatch(/private|no-store/);
    }
  });

  it.each(all.filter(([, { auth }]) => auth === 'optional'))(
    '%s: with a key it is for its caller only',
    async (_, operation) => {
      const good = await sharedRequest(world, operation);
      const response = await send(world.market, operation, { ...good, apiKey: world.buyer.apiKey });
      expect(response.headers.get('cache-control')).toMatch(/private|no-store/);
    },
  );

  it.each(all)('%s: is for shared caches only if who holds an address may not matter', (_, operation) => {
    if (!operation.cache) return;
    expect(isPublicRead(operation)).toBe(true);
    // Whatever has an id or a secret in its path may be reached by whoever was told it, and by nobody else.
    if (operation.http.path.includes('{'))
      expect(PUBLISHED_BY_ID, 'of test/contract/fields.data.ts').toContain(operation.http.path);
  });
});

describe('a file', () => {
  it.each(files)('%s: is bytes of a declared type that their tag and header tell', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const got = await send(world.market, operation, good);
    expect(got.status).toBe(operation.http.status);
    const bytes = new Uint8Array(await got.arrayBuffer());
    const sha256 = await sha256Hex(bytes);
    const [mediaType] = (got.headers.get('content-type') ?? '').split(';');
    expect(operation.file?.mediaTypes).toContain(mediaType);
    expect(got.headers.get('etag')).toBe(`"${sha256}"`);
    expect(got.headers.get('x-content-sha256')).toBe(sha256);
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect(got.headers.get('content-length')).toBe(String(bytes.length));

    const headers = { ...good.headers, 'if-none-match': `"${sha256}"` };
    const again = await send(world.market, operation, { ...good, headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(`"${sha256}"`);

    const head = await send(world.market, operation, { ...good, method: 'head' });
    expect([head.status, await head.text()]).toEqual([got.status, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'content-disposition']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name));
    }
  });

  it.each(files)('%s: reading changes nothing', async (_, operation) => {
    const good = await goodRequest(world, operation);
    await world.market.background.settled();
    const before = await snapshot();
    await send(world.market, operation, good);
    await expectUnchanged(before, { besides: writtenByAudit(operation) });
  });
});

describe('the same Idempotency-Key again', () => {
  it.each(replayed)('%s: no second effect, and no secret kept', async (name, operation) => {
    const good = await goodRequest(world, operation);
    const sent = { ...good, headers: { ...good.headers, 'idempotency-key': `contract-${name}` } };
    const first = await tryOperation(world, operation, sent);
    expect(first.status, first.text).toBe(operation.http.status);
    await world.market.background.settled();
    const before = await snapshot();
    expect(await storedText()).not.toContain('mkt_live_');

    const again = await tryOperation(world, operation, sent);
    await world.market.background.settled();
    await expectUnchanged(before);
    if (again.code !== null) {
      expect([again.status, again.code], again.text).toEqual([409, 'idempotency_not_replayable']);
      expect(JSON.stringify(first.body), 'only an answer with a secret may be kept back').toMatch(
        /mkt_(?:live|op)_/,
      );
    } else {
      expect(again.status).toBe(first.status);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    }
  });
});

/** What is read of people is in the audit chain. */
function writtenByAudit({ audit }: { audit?: unknown }): string[] {
  return audit ? ['operator_actions', 'audit_texts', 'log_outbox'] : [];
}
