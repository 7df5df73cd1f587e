import { expect, it } from 'vitest';
import type { DepthReading } from '../../kernel/ports/ingress.ts';
import { createRemoteDepth, type DepthService } from './remote-depth.ts';

const QUERY = { intentClass: 'COMMERCE', side: null, vertical: null } as const;
const READING = { class: 'COMMERCE', live_counterparties: 2 } as DepthReading;
const clock = { sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };
const never = new Promise<never>(() => {});

it.each<[string, DepthService | undefined, DepthReading | null]>([
  ['answers', { depth: async () => READING }, READING],
  ['cannot tell', { depth: async () => null }, null],
  ['is not bound', undefined, null],
  ['fails', { depth: () => Promise.reject(new Error('down')) }, null],
  [
    'breaks before it answers',
    {
      depth: () => {
        throw new Error('no such method');
      },
    },
    null,
  ],
  ['is slow', { depth: () => never }, null],
])('a door that %s', async (_, service, expected) => {
  expect(await createRemoteDepth(service, clock, 20).read(QUERY)).toEqual(expected);
});
