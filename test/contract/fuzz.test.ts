import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { hasBody, pathFields } from './requests.ts';
import { expectUnchanged, snapshot } from './snapshot.ts';
import { goodRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// Whatever arrives: an answer that is declared, signed and not of our own breaking, and no change by what
// was refused. The same values every time.

const SEED = 20_260_101;
const RUNS = 40;

const NASTY_TEXTS = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  "'; DROP TABLE agents; --",
  '" OR 1=1',
  '%',
  '../../etc/passwd',
  '名'.repeat(100),
  'x'.repeat(20_000),
  '1e999',
  '[object Object]',
  '{{7*7}}',
  '<script>alert(1)</script>',
];
const nastyText = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const nastyValue = fc.oneof(
  nastyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 53, 1e300, true, false, null, [], {}),
  fc.dictionary(nastyText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 }),
  fc.array(nastyText, { maxLength: 30 }),
);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe('nothing that is sent breaks', () => {
  it.each(apiOperations.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const fields = Object.keys(operation.input.shape);
      const inPath = new Set(pathFields(operation));
      const changes = fc.sample(
        fc.record(
          Object.fromEntries(
            fields.map((field) => [field, hasBody(operation) && !inPath.has(field) ? nastyValue : nastyText]),
          ),
          // A few fields at a time: if all were wrong, the first would hide the rest.
          { requiredKeys: [] },
        ),
        { seed: SEED, numRuns: RUNS },
      );
      const good = await goodRequest(world, operation);
      await world.market.background.settled();
      let before = await snapshot();
      for (const change of changes) {
        const input = { ...good.input, ...change };
        // Some texts cannot travel in a URL at all.
        const isSendable = (field: string) => String(input[field]).isWellFormed() && input[field] !== '';
        if (![...inPath].every(isSendable)) continue;
        const { status } = await tryOperation(world, operation, { ...good, input });
        await world.market.background.settled();
        if (status >= 400) await expectUnchanged(before, { message: JSON.stringify(change) });
        else before = await snapshot();
      }
    },
  );
});
