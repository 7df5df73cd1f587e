import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSigner } from '../../adapters/keys/keyring.ts';
import { compactJws, signJws } from '../../kernel/crypto/jws.ts';
import { STANDARD_DOCUMENTS } from '../../kernel/documents/standard-documents.ts';
import type { Runtime } from '../../kernel/operation/run-operation.ts';
import { apiOperations } from '../../operations/api.ts';
import { FakeClock } from '../../testing/doubles/fake-clock.ts';
import { checkSignature, readSigned } from '../../testing/marketplace/read-signed.ts';
import { TEST_SIGNING_KEY } from '../../testing/marketplace/test-bindings.ts';
import { allErrors } from '../openapi/errors.ts';
import { createAnswerCache } from './answer-cache.ts';
import { createApiApp } from './app.ts';
import { documentsOf } from './documents.ts';
import type { ListKeys } from './key-documents.ts';
import { problemBody } from './problem.ts';

const clock = new FakeClock();
const signer = createSigner(TEST_SIGNING_KEY);
const RETIRED = { keyId: 'ed25519-0000000000000000', raw: new Uint8Array(32).fill(7) };
let reads = 0;
let listKeys: ListKeys = async () => {
  reads += 1;
  return [RETIRED];
};
const app = createApiApp(
  apiOperations,
  '/api',
  createAnswerCache(() => clock.now()),
  [documentsOf(apiOperations, (market) => listKeys(market))],
);
// Documents need no more of a runtime than this.
const settings = { siteUrl: null };
const runtime = { ports: { clock, signer }, settings, problem: problemBody } as unknown as Runtime;

async function request(path: string, init: RequestInit = {}, host = 'market.example'): Promise<Response> {
  return requestAt(`/api${path}`, init, host);
}

async function requestAt(path: string, init: RequestInit = {}, host = 'market.example'): Promise<Response> {
  const origin = { requestId: 'request-1', baseUrl: `https://${host}/api`, credential: null };
  return app.fetch(new Request(`https://${host}${path}`, init), { scope: { runtime, origin } });
}

const PATHS = [
  ...['', '/', '/openapi.json', '/docs.css', '/problems', '/problems/rate_limited'].map(
    (path) => `/api${path}`,
  ),
  ...Object.values(STANDARD_DOCUMENTS),
];

it.each(PATHS)('GET %s can be asked again cheaply, from any origin', async (path) => {
  const first = await requestAt(path);
  expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  const etag = first.headers.get('etag') ?? '';
  const again = await requestAt(path, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  const changed = await requestAt(path, { headers: { 'if-none-match': 'W/"0"' } });
  expect(changed.status).toBe(200);
});

it.each(PATHS)('%s answers HEAD and preflights, and refuses the rest', async (path) => {
  const head = await requestAt(path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await requestAt(path, { method: 'OPTIONS' })).status).toBe(204);
  const post = await requestAt(path, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect(((await post.json()) as JsonObject).code).toBe('method_not_allowed');
});

it.each(['', '/openapi.json'])('GET %s is signed', async (path) => {
  const response = await request(path);
  expect(response.headers.get('content-type')).toBe('application/json');
  const { body } = await readSigned(response);
  expect(Object.keys(body).length).toBeGreaterThan(3);
});

describe('a document of another standard', () => {
  it.each(['/openapi.json', '/openapi-operator.json'])('%s is OpenAPI by two readings', async (path) => {
    const document = (await (await requestAt(path)).json()) as JsonObject;
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    await SwaggerParser.validate(structuredClone(document) as never);
    expect(Object.keys(document.paths as object).length).toBeGreaterThan(20);
  });

  it.each(Object.values(STANDARD_DOCUMENTS))('%s is whole, and signed in a header', async (path) => {
    const response = await requestAt(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { provenance, ...below } = (await (await request(path)).json()) as JsonObject;
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(below);

    const signed = JSON.parse(response.headers.get('x-mkt-provenance') ?? '');
    expect(Object.keys(signed)).toEqual(Object.keys(provenance as object));
    expect(signed.receipt.digest).toBe(`sha256:${await sha256Hex(bytes)}`);
    await checkSignature(signed.receipt);
  });

  it('has no operation twice, and none of operators among those of everybody', async () => {
    const [everybody, operators] = await Promise.all(
      ['/openapi.json', '/openapi-operator.json'].map(async (path) =>
        operationIds((await (await requestAt(path)).json()) as JsonObject),
      ),
    );
    const names = (isOperator: boolean) =>
      apiOperations.filter(({ auth }) => (auth === 'operator') === isOperator).map(({ name }) => name);
    expect(everybody?.sort()).toEqual(names(false).sort());
    expect(operators?.sort()).toEqual(names(true).sort());
  });
});

function operationIds({ paths }: JsonObject): string[] {
  const methods = Object.values(paths as Record<string, Record<string, { operationId: string }>>);
  return methods.flatMap((byMethod) => Object.values(byMethod).map(({ operationId }) => operationId));
}

it.each(['/problems', '/problems/rate_limited', '/problems/nope'])(
  '%s is a page that runs nothing',
  async (path) => {
    const response = await request(path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
  },
);

it('has a page for every error, and 404 for others', async () => {
  for (const { code } of allErrors(apiOperations)) {
    expect((await request(`/problems/${code}`)).status).toBe(200);
  }
  for (const code of ['nope', '%3Cscript%3E', '%E0%A4%A', '__proto__', 'constructor']) {
    const response = await request(`/problems/${code}`);
    expect([code, response.status]).toEqual([code, 404]);
    expect(await response.text()).not.toContain('<script');
  }
});

it('names the base URL it was reached by', async () => {
  for (const host of ['a.example', 'b.example', 'c.example', 'd.example', 'e.example', 'a.example']) {
    const document = (await (await request('/openapi.json', {}, host)).json()) as JsonObject;
    expect(document.servers).toEqual([{ url: `https://${host}/api` }]);
    const docs = await request('/docs', {}, host);
    expect([docs.status, docs.headers.get('location')]).toEqual([308, `https://${host}/docs/api`]);
  }
});

describe('the keys, as other standards have them', () => {
  const ACTIVE = `did:web:market.example#`;
  const documentOf = async (path: string, host?: string): Promise<JsonObject> =>
    (await (await requestAt(path, {}, host)).json()) as JsonObject;

  it('are a DID document, in which a retired key verifies and asserts nothing', async () => {
    const { keyId } = await signer.activeKey();
    const document = await documentOf('/.well-known/did.json');
    expect(document.id).toBe('did:web:market.example');
    expect(document.assertionMethod).toEqual([ACTIVE + keyId]);
    const methods = document.verificationMethod as { id: string; controller: string }[];
    expect(methods.map(({ id }) => id)).toEqual([ACTIVE + keyId, ACTIVE + RETIRED.keyId]);
    expect(new Set(methods.map(({ controller }) => controller))).toEqual(new Set([document.id]));
  });

  it('name a port as the method `web` has it', async () => {
    const { id } = await documentOf('/.well-known/did.json', 'localhost:8787');
    expect(id).toBe('did:web:localhost%3A8787');
  });

  it('verify what was signed, by another library', async () => {
    const set = createLocalJWKSet((await documentOf('/.well-known/jwks.json')) as unknown as JSONWebKeySet);
    const jws = compactJws(await signJws(signer, (kid) => ({ kid }), { b: 'é', a: 1 }));
    const { payload, protectedHeader } = await compactVerify(jws, set);
    expect(new TextDecoder().decode(payload)).toBe('{"a":1,"b":"é"}');
    expect(protectedHeader.alg).toBe('EdDSA');
    const [header = '', , signature = ''] = jws.split('.');
    const other = `${header}.${Buffer.from('{"a":2}').toString('base64url')}.${signature}`;
    await expect(compactVerify(other, set)).rejects.toThrow();
  });

  it('verify the agent card, by the library of its standard, and no other card', async () => {
    const card = await documentOf('/.well-known/agent-card.json');
    const asked: (string | undefined)[] = [];
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      asked.push(jku);
      const set = (await documentOf('/.well-known/jwks.json')) as unknown as JSONWebKeySet;
      return set.keys.find((key) => key.kid === kid) as JWK;
    });
    // As it is fetched: the library loses the schemes of a card that it has parsed before.
    await verify(card as never);
    expect(asked).toEqual(['https://market.example/.well-known/jwks.json']);
    const { provenance: _, ...below } = (await (
      await request('/.well-known/agent-card.json')
    ).json()) as JsonObject;
    expect(below).toEqual(card);
    const fetchImpl = (url: string | URL | Request) => requestAt(new URL(String(url)).pathname);
    const resolver = new DefaultAgentCardResolver({ fetchImpl });
    expect(AgentCard.toJSON(await resolver.resolve('https://market.example'))).toEqual(card);
    await expect(verify({ ...card, description: 'Another one.' } as never)).rejects.toThrow();
  });

  it('are read once a minute, and without the database as they were', async () => {
    const path = '/.well-known/jwks.json';
    clock.advance(60_000);
    reads = 0;
    const before = await documentOf(path);
    await documentOf(path);
    expect(reads).toBe(1);
    clock.advance(60_000);
    const working = listKeys;
    listKeys = async () => {
      throw new Error('The database is down.');
    };
    expect(await documentOf(path)).toEqual(before);
    listKeys = working;
    clock.advance(60_000);
    await documentOf(path);
    expect(reads).toBe(2);
  });
});
