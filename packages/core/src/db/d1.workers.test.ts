import { expect, it } from 'vitest';
import { databaseSuite } from '../testing/database.suite.ts';
import { testBindings } from '../testing/workers-bindings.ts';

databaseSuite('D1', testBindings.DB);

it('is D1, which counts the rows it reads', async () => {
  const { meta } = await testBindings.DB.prepare('SELECT name FROM sqlite_schema').all();
  expect(meta.rows_read).toBeGreaterThan(0);
});
