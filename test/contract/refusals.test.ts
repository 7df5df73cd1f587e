import { choicesOf } from '@agent-marketplace/core/kernel/operation/choices.ts';
import { takesApiKey } from '@agent-marketplace/core/kernel/operation/find-caller.ts';
import { type AnyOperation, isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { coerceText, fieldKinds } from '@agent-marketplace/core/transport/wire-names.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { hasBody, pathFields, pathOf, type Sent, wireName } from './requests.ts';
import { expectNothingWritten, sharedRequest, type Tried, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// What every operation refuses, and how: derived from the list, so that a new operation is covered by
// being in it. What is too long, and what is nested, have files of their own.

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const byName = (operations: readonly AnyOperation[]) =>
  operations.map((operation) => [operation.name, operation] as const);
const all = byName(apiOperations);
const withBody = byName(apiOperations.filter(hasBody));
const withKey = byName(apiOperations.filter(({ auth }) => auth === 'agent' || auth === 'seller'));
const withPath = byName(apiOperations.filter((operation) => pathFields(operation).length > 0));

/** Sends variations of one good request; all must be refused, and none may change anything. */
async function refusals(
  operation: AnyOperation,
  vary: (good: Sent) => Sent[],
  check: (tried: Tried, sent: Sent) => void,
): Promise<void> {
  const good = await sharedRequest(world, operation);
  await expectNothingWritten(world, async () => {
    for (const sent of vary(good)) check(await tryOperation(world, operation, sent), sent);
  });
}

const isValidationOf = (wire: string) => (tried: Tried) =>
  expect([tried.status, tried.code, tried.named], tried.text).toEqual([400, 'validation_failed', [wire]]);

describe('a field that is not known is refused by name', () => {
  clause('receipt.everywhere', 'conventions.unknown');
  it.each(all.filter(([, operation]) => !isPublicRead(operation)))('%s', (_, operation) =>
    refusals(operation, (good) => [{ ...good, extra: { not_a_field: 'x' } }], isValidationOf('not_a_field')),
  );

  it.each(all.filter(([, operation]) => isPublicRead(operation) && !operation.file))(
    '%s: unless anybody may read it, who is told instead',
    async (_, operation) => {
      const good = await sharedRequest(world, operation);
      const { status, body, text } = await tryOperation(world, operation, {
        ...good,
        extra: { not_a_field: 'x' },
      });
      expect([status, typeof body.notice], text).toEqual([operation.http.status, 'string']);
    },
  );
});

const BODY_CANDIDATES = [null, 7.5, -1, '', 'x', true, [], [{}], {}, { a: 1 }];
const TEXT_CANDIDATES = ['', 'x', '-1', '7.5', 'true', '1e3', '0x10', 'null'];

/** Values that the field does not take, as they arrive from the wire. */
function misfits(operation: AnyOperation, field: string): unknown[] {
  const schema = operation.input.shape[field] as { safeParse(value: unknown): { success: boolean } };
  const isText = !hasBody(operation) || pathFields(operation).includes(field);
  // Null is the same as leaving an optional field out.
  const isOptional = schema.safeParse(undefined).success;
  const inBody = BODY_CANDIDATES.filter((value) => value !== null || !isOptional);
  const { advisoryFields = [], filterFields = [] } = operation;
  if ([...advisoryFields, ...filterFields].includes(field)) return [];
  if (!isText) return inBody.filter((value) => !schema.safeParse(value).success);
  const kind = fieldKinds(operation).get(field) ?? 'other';
  // An empty part of a path is another path, and an empty choice is none.
  const isLeftOut = pathFields(operation).includes(field) || choicesOf(operation).has(field);
  const texts = TEXT_CANDIDATES.filter((text) => text !== '' || !isLeftOut);
  return texts.filter((text) => !schema.safeParse(coerceText(text, kind)).success);
}

describe('a value that does not fit is refused by the name of its field', () => {
  clause('errors.validation');
  it.each(all)('%s', async (_, operation) => {
    for (const field of Object.keys(operation.input.shape)) {
      await refusals(
        operation,
        (good) =>
          misfits(operation, field).map((value) => ({ ...good, input: { ...good.input, [field]: value } })),
        (tried) => {
          isValidationOf(wireName(operation, field))(tried);
          const paths = (tried.body.errors as { path: string }[]).map(({ path }) => path);
          expect(new Set(paths).size, tried.text).toBe(paths.length);
        },
      );
    }
  });
});

describe('a required field that is missing is named', () => {
  clause('conventions.unknown');
  it.each(all)('%s', async (_, operation) => {
    const inPath = pathFields(operation);
    for (const field of inputFields(operation).required.filter((name) => !inPath.includes(name))) {
      await refusals(
        operation,
        ({ input, ...good }) => {
          const { [field]: _missing, ...rest } = input;
          return [{ ...good, input: rest }];
        },
        isValidationOf(wireName(operation, field)),
      );
    }
  });
});

describe('without a key that is good', () => {
  const codes = (expected: string) => (tried: Tried) => {
    expect([tried.status, tried.code]).toEqual([401, expected]);
    expect(tried.headers.get('www-authenticate')).toMatch(/^Bearer/);
  };
  const unknown = `mkt_live_${'x'.repeat(43)}`;

  it.each(withKey)('%s: none', (_, operation) =>
    refusals(operation, ({ apiKey: _key, ...good }) => [good], codes('missing_api_key')),
  );

  const keyed = apiOperations.filter((operation) => takesApiKey(operation) && !isPublicRead(operation));
  clause('authentication.2-api-key');
  it.each(byName(keyed))('%s: unknown', (_, operation) =>
    refusals(
      operation,
      ({ apiKey: _key, ...good }) => [
        { ...good, apiKey: unknown },
        { ...good, headers: { 'x-api-key': unknown } },
        ...(hasNoBody(operation) ? [] : [{ ...good, extra: { api_key: unknown } }]),
      ],
      codes('invalid_api_key'),
    ),
  );

  /** Its fields are in its address, which browsers and proxies keep. */
  const hasNoBody = ({ http }: AnyOperation) => http.method === 'delete';
  it.each(byName(keyed.filter(hasNoBody)))('%s: in its address', (_, operation) =>
    refusals(
      operation,
      ({ apiKey: good, ...rest }) => [{ ...rest, extra: { api_key: good } }],
      (tried) => expect([tried.status, tried.code]).toEqual([400, 'validation_failed']),
    ),
  );

  clause('authentication.3-not-a-seller');
  it.each(byName(apiOperations.filter(({ auth }) => auth === 'seller')))(
    '%s: of who does not sell',
    (_, operation) =>
      refusals(operation, (good) => [{ ...good, apiKey: world.buyer.apiKey }], codes('not_a_seller')),
  );

  it.each(all)('%s: two different ones', (_, operation) =>
    refusals(
      operation,
      (good) => [
        {
          ...good,
          apiKey: world.buyer.apiKey,
          headers: { ...good.headers, 'x-api-key': world.seller.apiKey },
        },
      ],
      (tried) => expect([tried.status, tried.code]).toEqual([400, 'conflicting_api_keys']),
    ),
  );
});

describe('what the path names and does not exist is 404', () => {
  it.each(withPath)('%s', (_, operation) =>
    refusals(
      operation,
      (good) =>
        pathFields(operation).map((field) => ({
          ...good,
          input: { ...good.input, [field]: '00000000-0000-4000-8000-00000000abcd' },
        })),
      (tried) => expect(tried.status, tried.text).toBe(404),
    ),
  );
});

describe('a body that is not declared as JSON is 415', () => {
  clause('conventions.json');
  it.each(withBody)('%s', (_, operation) =>
    refusals(
      operation,
      (good) => [{ ...good, extra: { a: 1 }, headers: { ...good.headers, 'content-type': 'text/plain' } }],
      (tried) => expect([tried.status, tried.code]).toEqual([415, 'unsupported_media_type']),
    ),
  );
});

describe('JSON that is declared in another encoding than UTF-8 is 415', () => {
  it.each(withBody)('%s', (_, operation) =>
    refusals(
      operation,
      (good) =>
        ['latin1', '"utf-16"'].map((charset) => ({
          ...good,
          extra: { a: 1 },
          headers: { ...good.headers, 'content-type': `application/json; charset=${charset}` },
        })),
      (tried) => expect([tried.status, tried.code]).toEqual([415, 'unsupported_media_type']),
    ),
  );
});

describe('escapes in the query that are no UTF-8 are refused by the name of their parameter', () => {
  it.each(all)('%s', async (_, operation) => {
    const good = await sharedRequest(world, operation);
    const { input, apiKey, headers = {} } = good;
    const options = {
      headers,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(hasBody(operation) ? { body: {} } : {}),
    };
    await expectNothingWritten(world, async () => {
      for (const text of ['%FF', '%', '%ED%A0%80']) {
        const url = `${pathOf(operation, input)}?q=${text}`;
        const response = await world.market.request(operation.http.method.toUpperCase(), url, options);
        const { body, text: answer } = await readSigned(response);
        expect([response.status, body.code], answer).toEqual([400, 'validation_failed']);
        expect(body.errors).toEqual([{ message: 'Its %-escapes are not valid UTF-8.', path: 'q' }]);
      }
    });
  });
});

describe('a method that the path does not have is 405', () => {
  it.each(all)('%s', async (_, operation) => {
    const { path } = operation.http;
    const taken = apiOperations.filter(({ http }) => http.path === path).map(({ http }) => http.method);
    const method = (['delete', 'patch', 'post', 'get'] as const).find((one) => !taken.includes(one));
    await refusals(
      operation,
      (good) => [
        { ...good, input: hasBody(operation) ? good.input : { ...good.input }, method: method ?? 'put' },
      ],
      (tried) => {
        expect([tried.status, tried.code], tried.text).toEqual([405, 'method_not_allowed']);
        const allow = tried.headers.get('allow')?.split(', ') ?? [];
        for (const one of taken) expect(allow).toContain(one.toUpperCase());
      },
    );
  });
});
