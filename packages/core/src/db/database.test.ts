import { expect, it } from 'vitest';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { databaseSuite } from '../testing/suites/database.suite.ts';

databaseSuite('the database of the tests', testBindings.DB);

it('a test file begins with the schema and no rows', async () => {
  expect(await testBindings.DB.prepare('SELECT COUNT(*) AS agents FROM agents').first()).toEqual({
    agents: 0,
  });
});
