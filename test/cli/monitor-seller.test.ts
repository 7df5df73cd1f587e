import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { createMemoryLog } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { sequenceStatements } from '@agent-marketplace/core/transparency/index.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { afterAll, expect, it, vi } from 'vitest';
import { createCliHome } from '../../packages/cli/src/testing/run-cli.ts';
import { startInProcessMarketplace } from './in-process-marketplace.ts';
import { serveMemoryLog } from './serve-memory-log.ts';

const place = await startInProcessMarketplace();
const { sales } = place;
const home = await createCliHome();
afterAll(async () => {
  await home.remove();
  await place.close();
});

it('a monitor shows every entry of one seller that is public, and of no other', async () => {
  const log = await createMemoryLog(createDatabase(testBindings.DB));
  const policy = join(home.folder, 'policy.txt');
  await writeFile(policy, `log ${formatNoteKey(log.ports.signers[0].key)}\nquorum none\n`);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) =>
    String(input).includes('/api/log/') ? serveMemoryLog(log, String(input)) : fetch(input, init),
  );

  const [own, other] = [await sales.listing(), await sales.listing()];
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 40_000);
  for (const { id } of [own, other]) {
    const { body } = await sales.buy(id, buyer);
    await sales.request('POST', `/marketplace/listings/${id}/rate`, buyer.apiKey, {
      purchaseId: body.id,
      rating: 4,
    });
  }
  await sales.request('PATCH', `/marketplace/listings/${own.id}`, own.seller.apiKey, {
    title: 'Ports of Brittany',
  });
  await sequenceStatements(log.ports);

  const { exitCode, stdout, stderr } = await home.run([
    'monitor',
    ...['--policy', policy, '--folder', join(home.folder, 'monitor'), '--url', place.baseUrl],
    ...['--seller', own.seller.id, '--json'],
  ]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('only grew')]);
  const shown = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { about: string; type: string });
  expect(shown.map(({ about, type }) => [about, type])).toEqual([
    [`version 1 of listing ${own.id}`, 'listing_history_entry'],
    [`a rating of listing ${own.id}`, 'rating_attestation'],
    [`version 2 of listing ${own.id}`, 'listing_history_entry'],
  ]);
});
