import { expect, it } from 'vitest';
import { databaseSuite } from '../testing/database.suite.ts';
import { testBindings } from '../testing/workers-bindings.ts';

databaseSuite('the database of the tests', testBindings.DB);

it('a test file begins with the schema and no rows', async () => {
  expect(await testBindings.DB.prepare('SELECT COUNT(*) AS agents FROM agents').first()).toEqual({
    agents: 0,
  });
});
