import { expect, it } from 'vitest';
import { HAS_PROCESSES } from '../runtime-process.ts';
import { QUICK, soak } from '../soak/soak.ts';

// Elsewhere there is no /proc to tell which process is the runtime.
it.skipIf(!HAS_PROCESSES)(
  'some seconds of everything at once, with a kill and a restart, leave books that agree to the cent',
  { timeout: 600_000 },
  async () => {
    const { wrong, differences, kills, restarts, captured, samples } = await soak(QUICK);
    expect([wrong, differences]).toEqual([[], []]);
    expect([kills, restarts]).toEqual([1, 1]);
    expect(captured).toBeGreaterThan(0);
    expect(samples.some(({ heaps }) => heaps.some(({ worker }) => worker.endsWith('marketplace-api')))).toBe(
      true,
    );
  },
);
