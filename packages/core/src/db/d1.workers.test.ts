import { expect, it } from 'vitest';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { databaseSuite } from '../testing/suites/database.suite.ts';

databaseSuite('D1', testBindings.DB);

it('is D1, which counts the rows it reads', async () => {
  const { meta } = await testBindings.DB.prepare('SELECT name FROM sqlite_schema').all();
  expect(meta.rows_read).toBeGreaterThan(0);
});
