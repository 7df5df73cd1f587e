import { commonErrors } from '@agent-marketplace/core/kernel/errors.ts';
import type { AnyOperation, Auth } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { derivedInput } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { readSigned, type SignedBody } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { expect } from 'vitest';
import { examples } from './examples.ts';
import { type Sent, send } from './requests.ts';
import { expectUnchanged, snapshot } from './snapshot.ts';
import type { Agent, World } from './world.ts';

const CALLER_OF = {
  none: null,
  optional: null,
  agent: 'buyer',
  seller: 'seller',
  operator: 'operator',
} as const satisfies Record<Auth, unknown>;

/** A request that the operation accepts. */
export async function goodRequest(world: World, operation: AnyOperation): Promise<Sent> {
  const example = await examples[operation.name]?.(world);
  const caller = example?.as ?? CALLER_OF[operation.auth as Auth];
  const agent =
    caller === 'buyer' ? world.buyer : caller === 'seller' ? world.seller : isAgent(caller) ? caller : null;
  return {
    input: { ...derivedInput(operation), ...example?.input },
    ...(agent ? { apiKey: agent.apiKey } : {}),
    ...(caller === 'operator' ? { headers: { [BRAND.header.admin]: TEST_ADMIN_SECRET } } : {}),
  };
}

const shared = new WeakMap<World, Map<AnyOperation, Promise<Sent>>>();

/**
 * One good request for all tests of a file that change nothing with it: because they read, or because all that they send is
 * refused. To make what an example names takes longer than most refusals.
 */
export function sharedRequest(world: World, operation: AnyOperation): Promise<Sent> {
  const requests = shared.get(world) ?? new Map<AnyOperation, Promise<Sent>>();
  shared.set(world, requests);
  const known = requests.get(operation) ?? goodRequest(world, operation);
  requests.set(operation, known);
  return known;
}

function isAgent(caller: unknown): caller is Agent {
  return typeof caller === 'object' && caller !== null;
}

export interface Tried extends SignedBody {
  readonly status: number;
  readonly headers: Headers;
  readonly code: string | null;
  /** First parts of the paths that `errors` names, each once. */
  readonly named: readonly string[];
}

/** A file is vouched for by its digest alone. */
const UNSIGNED: Omit<SignedBody, 'text'> = {
  body: {},
  provenance: {},
  receipt: { alg: '', digest: '', keyId: '', signature: '', signedAt: '', verify: '' },
};

/** Sends, and checks what holds for every answer: its provenance, and that an error is a declared one. */
export async function tryOperation(world: World, operation: AnyOperation, sent: Sent): Promise<Tried> {
  const response = await send(world.market, operation, sent);
  const signed =
    operation.file && response.ok ? { ...UNSIGNED, text: await response.text() } : await readSigned(response);
  const { status, headers } = response;
  const code = status >= 400 ? String(signed.body.code) : null;
  if (code !== null) {
    const declared = [...operation.errors, ...Object.values(commonErrors)].map((error) => error.code);
    expect(declared, signed.text).toContain(code);
    expect(code, signed.text).not.toBe('internal_error');
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(signed.body.status).toBe(status);
  }
  const errors = (signed.body.errors ?? []) as { path: string }[];
  const named = [...new Set(errors.map(({ path }) => path.split('.')[0] ?? ''))];
  return { ...signed, status, headers, code, named };
}

/** Runs what ought to be refused, and expects both databases to be as they were, but for the tables named. */
export async function expectNothingWritten(
  world: World,
  refused: () => Promise<void>,
  besides: readonly string[] = [],
): Promise<void> {
  await world.market.background.settled();
  const before = await snapshot();
  await refused();
  await world.market.background.settled();
  await expectUnchanged(before, { besides });
}
