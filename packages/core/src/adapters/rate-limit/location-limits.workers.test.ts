import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DEFAULT_RATES } from '../../compose/configuration.ts';
import { FakeClock } from '../../testing/doubles/fake-clock.ts';
import { consoleLog } from '../system/system.ts';
import { createLocationLimits, type LocationBindings } from './location-limits.ts';
import { createWindowRateLimiter } from './window-rate-limiter.ts';

it('isolates share what one address may register, by the binding that is deployed', async () => {
  const isolates = [1, 2, 3].map(() =>
    createWindowRateLimiter(
      DEFAULT_RATES,
      new FakeClock(),
      createLocationLimits(env as LocationBindings, consoleLog),
    ),
  );
  let allowed = 0;
  for (let n = 0; n < DEFAULT_RATES.register.limit; n += 1) {
    for (const one of isolates) if ((await one.take('register', '192.0.2.77')).allowed) allowed += 1;
  }
  // Each alone lets as many through, three times as many together. A minute of the clock may end meanwhile, once.
  expect(allowed).toBeGreaterThanOrEqual(DEFAULT_RATES.register.limit);
  expect(allowed).toBeLessThanOrEqual(2 * DEFAULT_RATES.register.limit);
});
