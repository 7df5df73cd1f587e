/** For each rule, small trees that break it: a rule that finds nothing in its own is no rule. */
export interface Violation {
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
}

const core = (path: string) => `packages/core/src/${path}`;

function one(rule: string, path: string, text: string): Violation {
  return { rule, files: { [path]: text } };
}

const TABLES = {
  [core('db/tables/listings.ts')]: "export const listings = sqliteTable('listings', {});",
  [core('listings/listings.store.ts')]:
    "import { listings } from '../../packages/core/src/db/tables/listings.ts';\nexport const add = (row) => insertInto(listings, row);",
};

function secondWriter(text: string): Violation {
  const store = `import { listings } from '../../packages/core/src/db/tables/listings.ts';\nexport const f = () => ${text};`;
  return { rule: 'table-writers', files: { ...TABLES, [core('health/consents.store.ts')]: store } };
}

const names = (text: string) => one('banned-names', 'packages/sdk/src/a.ts', text);
const rails = (text: string) => one('rails-apart', core('purchases/buy.ts'), text);

export const violations: readonly Violation[] = [
  names('const told = 1;'),
  names('const [asked] = [1];'),
  names('const { count: wanted } = { count: 1 };'),
  names('export function push(): void {}'),
  names('export const f = (given: number) => given;'),
  names('export function f({ count: late }: { count: number }): number { return late; }'),
  names('export interface A { readonly released: boolean }'),
  names('export type F = (heard: boolean) => void;'),
  names('export class A { #made = 1; }'),
  names('export class A { keep(): void {} }'),
  names('export const a = { later: () => 1 };'),
  names('export const a = { again() {} };'),

  one('database-errors', core('wallet/wallet.store.ts'), 'if (error instanceof DatabaseError) throw error;'),
  {
    rule: 'folder-size',
    files: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [core(`wallet/part-${n}.ts`), ''])),
  },

  one('main-export', core('fees/get-fees.ts'), 'export function listFees(): void {}'),
  one('main-export', 'packages/site/src/pages/seller.tsx', 'export const walletPage = <p />;'),
  one('main-export', 'workers/ingress/src/sessions.do.ts', 'export class AdmissionsObject {}'),
  one('main-export', core('fees/fees.ts'), 'const x = 1;\nexport type A = 1;\nexport { x };'),

  one(
    'operation-file',
    core('fees/get-fees.ts'),
    "export const getFees = defineOperation({ name: 'getFeeSchedule' });",
  ),
  one('operation-file', core('fees/get-fees.ts'), 'export const getFees = defineOperation({ name: NAME });'),

  rails("if (purchase.rail === 'card') charge();"),
  rails("if ('x402' !== rail) charge();"),
  rails('switch (sale.rail) { default: charge(); }'),

  one('secret-comparisons', core('agents/find.ts'), 'if (row.apiKey === apiKey) accept();'),
  one('secret-comparisons', core('mail/open.ts'), 'const isRight = token !== expected;'),
  one('secret-comparisons', 'workers/api/src/admin.ts', 'if (given == env.adminSecret) accept();'),

  one('statements-in-text', core('fees/fees.store.ts'), 'const all = query(() => sql`SELECT id FROM fees`);'),
  one(
    'statements-in-text',
    core('fees/fees.store.ts'),
    'const all = sql<Row>`\n  WITH one AS (SELECT 1) SELECT 1`;',
  ),
  // On the list, and with none any more.
  one('statements-in-text', core('search/facets.store.ts'), 'export const a = 1;'),

  secondWriter('insertInto(listings, row)'),
  secondWriter('database.delete(listings).where(old)'),
  secondWriter('database.update(listings).set({})'),
  secondWriter(`sql\`UPDATE \${listings} SET title = 1\``),
  secondWriter(`sql\`INSERT OR IGNORE INTO \${listings} (id) VALUES (1)\``),
  secondWriter(`sql\`DELETE FROM listings\``),
];
