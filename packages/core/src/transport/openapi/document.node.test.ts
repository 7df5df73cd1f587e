import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { apiOperations } from '../../operations/api.ts';
import { sampleOperations } from '../../testing/fixtures/sample-operations.ts';
import { openApiDocument } from './document.ts';
import { allErrors, errorsOf } from './errors.ts';
import { securityOf } from './request.ts';

const BASE = { baseUrl: 'https://marketplace.example/api' };

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its consumers do, untyped.
type Untyped = any;

const documentOf = (operations: readonly AnyOperation[]): Untyped => openApiDocument(operations, BASE);
const samples = documentOf(sampleOperations);
const changeSample = samples.paths['/samples/{id}'].patch;
const findSamples = samples.paths['/samples'].get;

describe.each([
  ['the marketplace', apiOperations],
  ['operations with every trait', sampleOperations],
])('the document of %s', (_, operations) => {
  const document = documentOf(operations);

  it('fits the official schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  it('refers only to what it holds', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, ref]) => ref ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const [root, ...path] = reference.split('/');
      expect(root).toBe('#');
      expect(
        path.reduce((part, name) => part?.[name], document),
        reference,
      ).toBeDefined();
    }
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'has %s',
    (name, operation) => {
      const { path, method, status } = operation.http;
      const entry = document.paths[path][method];
      expect([entry.operationId, entry.tags, entry.summary]).toEqual([
        name,
        [operation.area],
        operation.summary,
      ]);
      const inPath = entry.parameters?.filter((parameter: Untyped) => parameter.in === 'path') ?? [];
      const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(inPath.map((parameter: Untyped) => parameter.name).sort()).toEqual(templated.sort());
      expect(inPath.every((parameter: Untyped) => parameter.required)).toBe(true);
      const answer = entry.responses[status];
      if (operation.file) expect(Object.keys(answer.content)).toEqual(operation.file.mediaTypes);
      else expect(JSON.stringify(answer)).toMatch(/#\/components\/schemas\/(Provenance|Signed)"/);

      const responses = Object.values(entry.responses).map((response: Untyped) =>
        response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response,
      );
      const codes = responses.flatMap(
        (response) =>
          response.content?.['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [],
      );
      expect(codes.sort()).toEqual(
        errorsOf(operation)
          .map(({ code }) => code)
          .sort(),
      );
    },
  );

  it('writes what several operations answer once, under a name', () => {
    const places = new Map<string, string[]>();
    const walk = (part: Untyped, place: string) => {
      if (typeof part !== 'object' || part === null) return;
      const { description: _, ...shape } = part;
      const text = JSON.stringify(shape);
      if (shape.type === 'object' && Object.keys(shape.properties ?? {}).length > 3)
        places.set(text, [...(places.get(text) ?? []), place]);
      for (const [name, member] of Object.entries(part)) walk(member, `${place}.${name}`);
    };
    for (const { http, name } of operations)
      walk(document.paths[http.path][http.method].responses[http.status].content, name);
    const copies = [...places.values()].filter((found) => found.length > 1).map(String);
    expect(copies, 'give the zod schema a name: .meta({ id })').toEqual([]);
  });

  it('is the same every time', () => {
    expect(JSON.stringify(documentOf(operations))).toBe(JSON.stringify(document));
  });

  it('lists every error code', () => {
    expect(document.components.schemas.ErrorCode.enum).toEqual(allErrors(operations).map(({ code }) => code));
  });
});

describe('a request', () => {
  it('has its fields where the transport reads them, by their wire names', () => {
    expect(changeSample.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      expect.objectContaining({ name: 'X-Class', in: 'header', required: false }),
      { $ref: '#/components/parameters/IdempotencyKey' },
    ]);
    const { schema } = changeSample.requestBody.content['application/json'];
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['price_cents', 'requestClass', 'tags', 'note', 'api_key']),
    );
    // What a header may carry cannot be demanded of the body.
    expect(schema.required).toEqual(['price_cents']);
    expect(schema.additionalProperties).toBe(false);

    expect(findSamples.requestBody).toBeUndefined();
    expect(findSamples.parameters).toEqual([
      {
        name: 'min_rating',
        in: 'query',
        required: true,
        schema: { type: 'integer', minimum: 1, maximum: 5 },
      },
      { name: 'q', in: 'query', required: false, schema: { type: 'string', default: 'a', maxLength: 20 } },
      { $ref: '#/components/parameters/IfNoneMatch' },
    ]);
  });

  it('names the ways of sending a key', () => {
    expect(changeSample.security).toEqual([{ bearer: ['sell'] }, { apiKeyHeader: ['sell'] }]);
    expect(findSamples.security).toEqual([
      { bearer: ['read'] },
      { apiKeyHeader: ['read'] },
      { apiKeyQuery: ['read'] },
      {},
    ]);
    const { paths } = documentOf(apiOperations);
    expect(paths['/signing-key'].get.security).toEqual([]);
    // No scope is enough for it, so it takes a key with all.
    expect(paths['/agents/me/export'].get.security[0]).toEqual({ bearer: ['all'] });
    const carriers = apiOperations
      .filter(({ auth }) => auth === 'agent')
      .map((one) => [one.name, securityOf(one)]);
    expect(carriers.filter(([, security]) => security?.length === 0)).toEqual([]);
  });
});

describe('named schemas', () => {
  const { schemas } = documentOf(apiOperations).components;

  it('are what the contract calls them', () => {
    for (const name of ['Listing', 'Purchase', 'Problem', 'Offer', 'Agent', 'Vertical', 'SaleStatus'])
      expect(schemas, name).toHaveProperty(name);
    const { paths } = documentOf(apiOperations);
    const { schema } = paths['/marketplace/listings'].get.responses[200].content['application/json'];
    expect(schema.properties.listings.items).toEqual({ $ref: '#/components/schemas/Listing' });
  });

  it('are refused where one name would stand for two', () => {
    const [first, second] = [z.object({ a: z.string() }), z.object({ b: z.string() })].map((schema) =>
      schema.meta({ id: 'SampleTwice' }),
    );
    const [one] = sampleOperations;
    const wrap = (schema: unknown, path: string) =>
      ({
        ...one,
        http: { ...one?.http, path },
        output: z.object({ schema: schema as z.ZodType }),
      }) as AnyOperation;
    expect(() => documentOf([wrap(first, '/a'), wrap(second, '/b')])).toThrow('SampleTwice');
  });
});

describe('a response', () => {
  it('has provenance, also where the answer is one of several', () => {
    const { schema } = findSamples.responses[200].content['application/json'];
    expect(schema.allOf[0].oneOf).toHaveLength(2);
    expect(schema.allOf[1].$ref).toBe('#/components/schemas/Signed');
    expect(samples.components.schemas.Signed.required).toEqual(['provenance']);
  });

  it('keeps what refers to itself under a name', () => {
    const { schema } = changeSample.responses[200].content['application/json'];
    const name = schema.properties.folder.$ref.split('/').at(-1);
    const { folders } = samples.components.schemas[name].properties;
    expect(folders.items.$ref).toBe(`#/components/schemas/${name}`);
  });

  it('tells of replays only where an answer is kept', () => {
    expect(changeSample.responses[200].headers).toHaveProperty('Idempotency-Replayed');
    expect(samples.paths['/samples/{id}'].delete.responses[202].headers).not.toHaveProperty(
      'Idempotency-Replayed',
    );
  });
});
