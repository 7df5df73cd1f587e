import { expect, it } from 'vitest';
import { smoke } from './smoke.ts';

it('says that nothing answers at an address, and why', async () => {
  const report = smoke({
    baseUrl: 'http://127.0.0.1:9/api',
    adminSecret: 'unused',
    requests: 1,
    concurrency: 1,
    say: () => {},
    fetch: () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') })),
  });
  await expect(report).rejects.toThrow(
    'Nothing answers at http://127.0.0.1:9/api: connect ECONNREFUSED 127.0.0.1:9',
  );
});
