import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { findObjectFault, findSchemaFault } from '@agent-marketplace/protocol/schemas/schema-fault.rules.ts';
import { findWorkFault } from '@agent-marketplace/protocol/schemas/schema-work.rules.ts';
import { afterAll, expect, it } from 'vitest';
import { createCliHome } from '../../testing/run-cli.ts';
import { startServer } from '../../testing/start-server.ts';
import { exampleOf } from '../schemas/example-value.rules.ts';
import { planOpenApi } from './plan-openapi.rules.ts';
import { readDocument } from './read-document.ts';

// Documents of well-known APIs, each answered from its own examples.

const DOCUMENTS = join(import.meta.dirname, '../../testing/documents');
const files = readdirSync(DOCUMENTS).filter((name) => name.endsWith('.json'));
const home = await createCliHome({
  AGENT_MARKET_URL: 'http://localhost:1/api',
  SECRET: 's3cret:of-the-seller',
});

let answer: Json = {};
const requests: { url: string; headers: Record<string, unknown>; text: string }[] = [];
const upstream = await startServer((request, response) => {
  requests.push({ url: `${request.method} ${request.url}`, headers: request.headers, text: request.text });
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
afterAll(async () => {
  await home.remove();
  await upstream.close();
});

/** What its own document refers to lies in other operations. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'digitalocean-registry.json': 'registry_get_subscription',
};
const operationOf = (file: string) => {
  const operation = OPERATIONS[basename(file)];
  return operation === undefined ? [] : ['--operation', operation];
};

const sell = (file: string, ...args: string[]) =>
  home.run([
    ...[
      'sell',
      'openapi',
      file,
      '--server',
      upstream.url,
      '--price',
      '0.05',
      '--vertical',
      'general',
      '--dry-run',
      '--json',
    ],
    ...operationOf(file),
    ...args,
  ]);

/** What its seller says of each on the command line, and the request that follows. */
const CHOICES: Readonly<Record<string, { secret?: string; example?: JsonObject; request: string }>> = {
  'github-user.json': { example: { username: 'octocat' }, request: 'GET /users/octocat' },
  'box-comment.json': { secret: 'SECRET', request: 'GET /comments/12345?fields=id%2Ctype%2Cname' },
  'digitalocean-registry.json': { secret: 'SECRET', request: 'GET /v2/registry/subscription' },
  'nasa-apod.json': { secret: 'SECRET', request: 'GET /apod?api_key=s3cret%3Aof-the-seller' },
  'twilio-account.json': {
    secret: 'SECRET',
    example: { Sid: `AC${'0'.repeat(32)}` },
    request: `GET /2010-04-01/Accounts/AC${'0'.repeat(32)}.json`,
  },
  'wikimedia-top.json': {
    example: {
      project: 'en.wikipedia.org',
      access: 'all-access',
      year: '2026',
      month: '01',
      day: 'all-days',
    },
    request: 'GET /metrics/pageviews/top/en.wikipedia.org/all-access/2026/01/all-days',
  },
  'stripe-list-item.json': {
    secret: 'basicAuth=SECRET',
    example: { value: 'a b', value_list: 'rsl_1' },
    request: 'POST /v1/radar/value_list_items',
  },
  'kubernetes-objects.json': {
    example: { group: 'g.example', version: 'v1', namespace: 'n', plural: 'things', name: 'a/b' },
    request: 'GET /apis/g.example/v1/namespaces/n/things/a%2Fb',
  },
};

it.each(files)('%s becomes a listing that the marketplace takes', async (name) => {
  const { document } = await readDocument(join(DOCUMENTS, name), { stdin: process.stdin });
  const planned = planOpenApi(document, {
    operation: OPERATIONS[name] ?? null,
    server: upstream.url,
    documentUrl: null,
  });
  if (planned.kind === 'fault') throw new Error(planned.message);
  const { documentedAnswer, outputSchema, upstream: plannedUpstream } = planned.plan;
  const schemaExample = exampleOf(outputSchema?.schema);
  answer = documentedAnswer ??
    (plannedUpstream.answer === 'items' && isJsonObject(schemaExample)
      ? (schemaExample.items as Json)
      : schemaExample) ?? { some: 'thing' };
  const { secret, example, request } = CHOICES[name] ?? { request: '' };
  requests.length = 0;
  const ran = await sell(
    join(DOCUMENTS, name),
    ...(secret === undefined ? [] : ['--secret', secret]),
    ...(example === undefined ? [] : ['--example', JSON.stringify(example)]),
  );
  expect([ran.exitCode, ran.exitCode === 0 ? '' : ran.stdout]).toEqual([0, '']);
  const { listing } = ran.json;
  expect(requests.map(({ url }) => url)).toEqual([request]);
  expect(ran.stdout).not.toContain('s3cret');
  for (const schema of [listing.inputSchema, listing.outputSchema]) {
    expect(findSchemaFault(schema) ?? findObjectFault(schema, 'It') ?? findWorkFault(schema)).toBeNull();
    expect(JSON.stringify(schema).length).toBeLessThanOrEqual(16 * 1024);
  }
  const sold = Array.isArray(answer) ? { items: answer } : answer;
  expect(evaluateSchema(listing.outputSchema, sold)).toEqual([]);
  expect(evaluateSchema(listing.inputSchema, listing.exampleQuery)).toEqual([]);
  expect(listing.title.length).toBeGreaterThan(5);
  expect(listing.preview.sample).toBeDefined();
});

it('sends credentials as each document says', async () => {
  answer = { a: 1 };
  requests.length = 0;
  await sell(
    join(DOCUMENTS, 'stripe-list-item.json'),
    '--secret',
    'basicAuth=SECRET',
    '--example',
    '{"value":"a b","value_list":"rsl_1"}',
  );
  expect(requests[0]).toMatchObject({
    text: 'value=a+b&value_list=rsl_1',
    headers: { authorization: `Basic ${btoa('s3cret:of-the-seller')}` },
  });
  await sell(join(DOCUMENTS, 'digitalocean-registry.json'), '--secret', 'SECRET');
  expect(requests[1]?.headers.authorization).toBe('Bearer s3cret:of-the-seller');
});

it.each<[string, string | null, string[], number, string]>([
  ['a file that is not there', null, [], 2, 'cannot be read (ENOENT)'],
  ['a page', '<!DOCTYPE html><p>Docs', [], 2, 'is a page, and not an OpenAPI document'],
  ['no document', '{"a":1}', [], 2, 'says neither `openapi` nor `swagger`'],
  ['broken JSON', '{"openapi":', [], 2, 'is neither JSON nor YAML'],
  ['broken YAML', 'openapi: [3', [], 2, 'is neither JSON nor YAML'],
  ['another version', 'swagger: "1.2"\n', [], 2, 'is of version 1.2'],
  ['no paths', 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\n', [], 2, 'has no operations'],
  [
    'webhooks alone',
    'openapi: 3.1.0\ninfo: {title: A, version: "1"}\nwebhooks: {changed: {post: {}}}\n',
    [],
    2,
    'has webhooks only: calls that its API makes',
  ],
  [
    'an unknown operation',
    'openapi: 3.1.0\npaths: {/a: {get: {operationId: getA}}}',
    ['--operation', 'getB'],
    2,
    'has no operation "getB"',
  ],
  [
    'two operations without a choice',
    'openapi: 3.1.0\npaths: {/a: {get: {}, post: {}}}',
    [],
    2,
    'has 2 operations',
  ],
  [
    'a file upload',
    'openapi: 3.1.0\npaths: {/a: {post: {requestBody: {required: true, content: {multipart/form-data: {}}}}}}',
    [],
    2,
    'only JSON and forms',
  ],
  [
    'a reference to another document',
    'openapi: 3.1.0\npaths: {/a: {get: {parameters: [{$ref: "b.yaml#/p"}]}}}',
    [],
    2,
    'b.yaml#/p',
  ],
  [
    'a reference to another document in what a component refers to',
    `openapi: 3.1.0
paths: {/a: {get: {responses: {200: {description: a, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}
components: {schemas: {A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}}}, B: {$ref: other.json#/B}}}`,
    [],
    2,
    'other.json#/B',
  ],
  [
    'a secret in an option',
    'openapi: 3.1.0\npaths: {/a: {get: {}}}',
    ['--secret', 'sk-live-1234'],
    2,
    'not the secret itself',
  ],
  [
    'a secret that is not set',
    'openapi: 3.1.0\npaths: {/a: {get: {}}}',
    ['--secret', 'bearer=NOT_SET'],
    3,
    'Not set: NOT_SET',
  ],
  ['no example', 'openapi: 3.1.0\npaths: {"/a/{id}": {get: {}}}', [], 2, "Say one: --example '{…}' with id"],
])('%s is one sentence', async (_, text, args, exitCode, sentence) => {
  const file = join(home.folder, 'document.yaml');
  if (text !== null) writeFileSync(file, text);
  const ran = await home.run([
    'sell',
    'openapi',
    text === null ? join(home.folder, 'none.yaml') : file,
    '--server',
    upstream.url,
    '--price',
    'free',
    '--dry-run',
    ...args,
  ]);
  expect([ran.exitCode, ran.stderr]).toEqual([exitCode, expect.stringContaining(sentence)]);
  expect(ran.stderr).not.toMatch(/\n\s+at /);
});

it('reads YAML without operation ids, cycles and Swagger 2 by the route', async () => {
  const file = join(home.folder, 'tree.yaml');
  writeFileSync(
    file,
    `swagger: '2.0'
info: {title: Trees, version: '1'}
host: trees.example
paths:
  /trees/{id}:
    get:
      parameters: [{name: id, in: path, required: true, type: integer, minimum: 5}]
      responses: {200: {description: ok, schema: {$ref: '#/definitions/Tree'}}}
    delete: {responses: {204: {description: gone}}}
definitions:
  Tree: {type: object, properties: {name: {type: string}, children: {type: array, items: {$ref: '#/definitions/Tree'}}}}
`,
  );
  answer = { name: 'oak', children: [{ name: 'branch', children: [] }] };
  const ran = await sell(file, '--operation', 'GET /trees/{id}');
  expect(ran.json).toMatchObject({
    listing: {
      exampleQuery: { id: 5 },
      outputSchema: { properties: { children: { items: { type: 'object' } } } },
    },
    notes: [expect.stringContaining('recursion is left out at children[]')],
  });
  expect(requests.at(-1)?.url).toBe('GET /trees/5');
});

it('names each header that stays the connection’s own, and sells a body beside a parameter of the same name', async () => {
  const file = join(home.folder, 'headers.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
paths:
  /notes:
    post:
      parameters:
        - {name: Host, in: header, required: true, schema: {type: string}}
        - {name: Accept, in: header, schema: {type: string}}
        - {name: note, in: query, schema: {type: string}}
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, properties: {note: {type: string}}, additionalProperties: false}}}
`,
  );
  answer = { id: 1 };
  const ran = await sell(file, '--example', '{"note":"a","body":{"note":"b"}}');
  expect(ran.json.notes).toContain("The header `Host` is left out: it is the connection's own.");
  expect(ran.stdout).not.toContain('`Accept`');
  expect(ran.json.listing.inputSchema).toMatchObject({
    required: ['body'],
    properties: { note: { type: 'string' }, body: { properties: { note: { type: 'string' } } } },
  });
  expect(requests.at(-1)).toMatchObject({ url: 'POST /notes?note=a', text: '{"note":"b"}' });
});
