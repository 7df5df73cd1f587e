import { API_KEY_MAX_LENGTH, takesApiKey } from '@agent-marketplace/core/kernel/operation/find-caller.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { unlimitedParts } from '@agent-marketplace/core/testing/doubles/unlimited-parts.ts';
import {
  changedInput,
  type InputPart,
  inputParts,
  partsOf,
  pathInError,
} from '@agent-marketplace/core/testing/fixtures/input-parts.ts';
import { exampleFor, inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { wireFields } from '@agent-marketplace/core/transport/openapi/fields.ts';
import {
  inputSchema,
  type JsonSchema,
  type SchemaComponents,
} from '@agent-marketplace/core/transport/openapi/json-schema.ts';
import { requestBodyOf } from '@agent-marketplace/core/transport/openapi/request.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { UNLIMITED } from './fields.data.ts';
import { hasBody, wireName } from './requests.ts';
import { expectNothingWritten, sharedRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// Whatever can be long, many or large has an end that the schema tells, and one more is refused: a text without an
// end is an attack on whoever stores or shows it.

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe('what changes something, or moves money, counts as more than a read', () => {
  it.each(
    [...apiOperations, ...documentedOperations]
      .filter(({ movesMoney, replay }) => replay !== undefined || movesMoney === true)
      .map(({ name, rate }) => [name, rate] as const),
  )('%s', (_name, rate) => {
    expect(rate).not.toBe('read');
  });
});

describe('every text, list, map and number has an end', () => {
  it.each(documentedOperations.map((operation) => [operation.name, operation] as const))(
    '%s',
    (name, operation) => {
      const named = Object.keys(UNLIMITED).filter((path) => path.startsWith(`${name}.`));
      const found = unlimitedParts(inputParts(operation)).map((path) => `${name}.${path}`);
      expect(found.sort(), 'UNLIMITED of test/contract/fields.data.ts').toEqual(named.sort());

      // With what the transports add: the API key.
      const components: SchemaComponents = {};
      const fields = wireFields(operation, inputSchema(operation, components));
      const body = requestBodyOf(operation, fields) as RequestBody | null;
      // Tools list few of the limits, as each costs a model attention (docs/adr/0021-tool-answers.md).
      const schema = body?.content['application/json'].schema;
      const inDocuments = schema ? unlimitedParts(partsOf(schema, components)) : [];
      expect(inDocuments.filter((path) => !named.includes(`${name}.${path}`))).toEqual([]);
    },
  );

  interface RequestBody {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  }

  it('or is named with the reason', () => {
    const known = documentedOperations.map(({ name }) => name);
    expect(Object.keys(UNLIMITED).filter((path) => !known.includes(path.split('.')[0] ?? ''))).toEqual([]);
  });
});

/** Values of the part just past its ends. */
function pastTheEnd({ enum: values, const: one, ...schema }: JsonSchema, item: unknown): unknown[] {
  if (values !== undefined || one !== undefined) return [];
  const { maxLength, maxItems, maxProperties, minimum, maximum, propertyNames } = schema;
  const many = (length: number) => Array.from({ length }, (_, index) => [`name_${index}`, item] as const);
  return [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [many(maxItems + 1).map(() => item)]),
    ...(maxProperties === undefined ? [] : [Object.fromEntries(many(maxProperties + 1))]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(propertyNames?.maxLength === undefined ? [] : [{ ['x'.repeat(propertyNames.maxLength + 1)]: item }]),
  ];
}

describe('and one more is refused by its path, and changes nothing', () => {
  const cases = apiOperations.flatMap((operation) =>
    inputParts(operation)
      .map((part) => [part, pastTheEnd(endsOf(operation, part), itemOf(operation, part))] as const)
      .filter(([, values]) => values.length > 0)
      .map(
        ([part, values]) => [`${operation.name}.${part.path.join('.')}`, operation, part, values] as const,
      ),
  );

  /** Whoever asks for a larger page than the largest gets the largest. */
  function endsOf({ filterFields = [], http }: AnyOperation, { path, schema }: InputPart): JsonSchema {
    // Nothing matches a longer one.
    if (filterFields.includes(path.join('.'))) return {};
    const { maximum: _, ...rest } = schema;
    return http.method === 'get' && path.join('.') === 'limit' ? rest : schema;
  }

  /** What a list or a map may hold. */
  function itemOf(operation: AnyOperation, { schema: { items, additionalProperties } }: InputPart): unknown {
    const { components } = inputFields(operation);
    const [schema] = [items, additionalProperties].filter((part) => typeof part === 'object');
    return schema === undefined ? null : exampleFor(schema, components);
  }

  it('in many', () => expect(cases.length).toBeGreaterThan(100));

  it.each(cases)('%s', async (_, operation, { path }, values) => {
    const wire = wireName(operation, path[0] ?? '');
    // Large bodies are counted before they are read.
    const besides = path.at(-1) === 'contentBase64' && operation.auth !== 'operator' ? ['daily_quotas'] : [];
    const good = await sharedRequest(world, operation);
    await expectNothingWritten(
      world,
      async () => {
        for (const value of values) {
          const input = changedInput(operation, good.input, path, () => value);
          const tried = await tryOperation(world, operation, { ...good, input });
          const answer = tried.text.slice(0, 1000);
          expect([tried.status, tried.code, tried.named], answer).toEqual([400, 'validation_failed', [wire]]);
          const refused = (tried.body.errors as { path: string }[]).map((error) => error.path);
          const at = pathInError(path, wire);
          expect(
            refused.some((one) => one === at || one.startsWith(`${at}.`)),
            answer,
          ).toBe(true);
        }
      },
      besides,
    );
  });

  const withKey = apiOperations.filter((operation) => takesApiKey(operation) && hasBody(operation));
  it.each(withKey.map((operation) => [operation.name, operation] as const))(
    '%s: an API key, which then is none',
    async (_, operation) => {
      const { apiKey = '', ...good } = await sharedRequest(world, operation);
      expect(apiKey.length).toBeLessThanOrEqual(API_KEY_MAX_LENGTH);
      await expectNothingWritten(world, async () => {
        const extra = { api_key: apiKey.padEnd(API_KEY_MAX_LENGTH + 1, 'x') };
        const { status, code } = await tryOperation(world, operation, { ...good, extra });
        expect([status, code]).toEqual([401, 'invalid_api_key']);
      });
    },
  );
});
