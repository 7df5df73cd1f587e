import { expect, it } from 'vitest';
import { TEST_OTHER_SIGNING_KEY, TEST_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { type LogBindings, logIsolateOf } from './log-isolate.ts';

const keysWith = async (variables: Partial<LogBindings>) => {
  const { logs } = await logIsolateOf({
    DB: testBindings.DB,
    PUBLIC_BASE_URL: 'https://market.test/api/',
    LOG_SIGNING_KEY: TEST_SIGNING_KEY,
    ...variables,
  } as LogBindings);
  return [...logs.values()].at(-1)?.keys ?? [];
};

it('signs with its key, and while another takes its place with both, once each', async () => {
  const [key, ...none] = await keysWith({});
  expect([key?.name, none]).toEqual(['market.test/api/log', []]);
  const both = await keysWith({ LOG_SIGNING_KEY_NEXT: TEST_OTHER_SIGNING_KEY });
  expect(both.map(({ id, name }) => [name, id === key?.id])).toEqual([
    ['market.test/api/log', true],
    ['market.test/api/log', false],
  ]);
  const atTheEnd = await keysWith({
    LOG_SIGNING_KEY: TEST_OTHER_SIGNING_KEY,
    LOG_SIGNING_KEY_NEXT: TEST_OTHER_SIGNING_KEY,
  });
  expect(atTheEnd.map(({ id }) => id)).toEqual([both[1]?.id]);
});

it('does not start with a key that is none', async () => {
  await expect(keysWith({ LOG_SIGNING_KEY: '' })).rejects.toThrow('LOG_SIGNING_KEY is not set');
  await expect(keysWith({ LOG_SIGNING_KEY_NEXT: '{}' })).rejects.toThrow('not an Ed25519 JWK');
});
