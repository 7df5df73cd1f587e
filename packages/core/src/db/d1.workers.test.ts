import { databaseSuite } from '../testing/database.suite.ts';
import { testBindings } from '../testing/workers-bindings.ts';

databaseSuite('D1', testBindings.DB);
