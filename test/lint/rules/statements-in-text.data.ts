/** Files of packages/core/src with SQL that drizzle's builder cannot say, and what that is. */
export const STATEMENTS_IN_TEXT: Readonly<Record<string, string>> = {
  'budgets/spends.store.ts': 'WITH of VALUES: the windows of a moment are rows that no table has',
  'db/insert-from.ts': 'is a builder: a SELECT of values without a table',
  'db/insert-into.ts': 'is a builder: the text of one INSERT for each set of columns',
  'ledger/ledger.store.ts': 'UNION ALL of json_each and of rows that no table has',
  'ledger/outside/compared-objects.store.ts': 'UNION ALL of a table and of a SELECT from another one’s cases',
  'ledger/outside/upcoming.store.ts': 'UNION ALL within a sum by rail and part',
  'ledger/periods.store.ts': 'WITH, UNION ALL of json_each of its rows',
  'ledger/reconciliation.store.ts': 'UNION ALL of json_each of computed legs; NOT INDEXED',
  'privacy/held/held-rows.store.ts': 'tables and columns that are chosen by name as it runs',
  'privacy/records/end-records.store.ts': 'tables and columns that are chosen by name as it runs',
  'privacy/retention/expiries.store.ts': 'tables and columns that are chosen by name as it runs',
  'search/conditions.store.ts': 'rowid',
  'search/facets.store.ts': 'INDEXED BY',
  'search/words.store.ts': 'MATCH of FTS5, its rank and rowid; MATERIALIZED',
  'wallet/wallet-statement.store.ts': 'WITH, UNION ALL of two accounts in the order of their entries',
};
