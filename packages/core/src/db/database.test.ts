import { databaseSuite } from '../testing/database.suite.ts';
import { testBindings } from '../testing/workers-bindings.ts';

databaseSuite('the database of the tests', testBindings.DB);
