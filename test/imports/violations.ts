/** For each rule, a small tree that breaks it: a rule that finds nothing in its own is no rule. */
export interface Violation {
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
}

const core = (path: string) => `packages/core/src/${path}`;

function imports(rule: string, from: string, to: string, specifier: string): Violation {
  const target = to.startsWith('node_modules/') ? 'module.exports = {};' : 'export const x = 1;';
  return {
    rule,
    files: { [from]: `import { x } from '${specifier}';\nexport const y = x;\n`, [to]: target },
  };
}

export const violations: readonly Violation[] = [
  {
    rule: 'no-cycles',
    files: {
      [core('kernel/a.ts')]: "import type { B } from './b.ts';\nexport type A = B | 1;\n",
      [core('kernel/b.ts')]: "import type { A } from './a.ts';\nexport type B = A | 2;\n",
    },
  },
  imports('resolvable', core('kernel/a.ts'), core('kernel/b.ts'), './gone.ts'),
  imports('known-room', core('attic/a.ts'), core('kernel/b.ts'), '../kernel/b.ts'),
  imports('protocol-alone', 'packages/protocol/src/a.ts', core('kernel/b.ts'), '../../core/src/kernel/b.ts'),
  imports('protocol-alone', 'packages/protocol/src/a.ts', 'node_modules/zod/index.js', 'zod'),
  imports('kernel-alone', core('kernel/a.ts'), core('db/b.ts'), '../db/b.ts'),
  imports('db-on-kernel', core('db/a.ts'), core('agents/index.ts'), '../agents/index.ts'),
  imports('adapters-on-kernel', core('adapters/fetch/a.ts'), core('db/b.ts'), '../../db/b.ts'),
  imports(
    'transport-on-kernel',
    core('transport/http/a.ts'),
    core('agents/index.ts'),
    '../../agents/index.ts',
  ),
  imports('operations-on-slices', core('operations/a.ts'), core('agents/get.ts'), '../agents/get.ts'),
  imports('slices-on-kernel-and-db', core('agents/a.ts'), core('transport/b.ts'), '../transport/b.ts'),
  imports(
    'slices-on-kernel-and-db',
    core('agents/a.ts'),
    core('compose/runtime.ts'),
    '../compose/runtime.ts',
  ),
  imports('front-doors', core('listings/a.ts'), core('agents/agents.store.ts'), '../agents/agents.store.ts'),
  imports('leftwards', core('agents/a.ts'), core('listings/index.ts'), '../listings/index.ts'),
  imports('leftwards', core('purchases/a.store.ts'), core('about/index.ts'), '../about/index.ts'),
  imports('sql-in-stores', core('agents/a.ts'), core('db/b.ts'), '../db/b.ts'),
  imports('sql-in-stores', core('agents/a.ts'), 'node_modules/drizzle-orm/index.js', 'drizzle-orm'),
  imports(
    'drizzle-in-db-and-stores',
    core('adapters/fetch/a.ts'),
    'node_modules/drizzle-orm/index.js',
    'drizzle-orm',
  ),
  imports('rules-are-pure', core('agents/a.rules.ts'), core('agents/b.ts'), './b.ts'),
  imports('rules-are-pure', core('agents/a.rules.ts'), 'node_modules/zod/index.js', 'zod'),
  imports('no-vendors-in-slices', core('agents/a.ts'), 'node_modules/hono/index.js', 'hono'),
  imports('workers-compose', core('operations/a.ts'), core('compose/runtime.ts'), '../compose/runtime.ts'),
  imports('nobody-imports-tests', core('kernel/a.ts'), core('testing/b.ts'), '../testing/b.ts'),
  imports(
    'nobody-imports-workers',
    core('compose/runtime.ts'),
    'workers/api/src/b.ts',
    '../../../../workers/api/src/b.ts',
  ),
  imports('workers-apart', 'workers/api/src/a.ts', 'workers/jobs/src/b.ts', '../../jobs/src/b.ts'),
  imports(
    'nobody-imports-devkit',
    'workers/api/src/a.ts',
    'packages/devkit/src/b.ts',
    '../../../packages/devkit/src/b.ts',
  ),
  imports('sdk-on-protocol', 'packages/sdk/src/a.test.ts', core('kernel/b.ts'), '../../core/src/kernel/b.ts'),
  imports('cli-on-sdk', 'packages/cli/src/a.ts', core('kernel/b.ts'), '../../core/src/kernel/b.ts'),
  imports('sdk-installs-noble-alone', 'packages/sdk/src/a.ts', 'node_modules/zod/index.js', 'zod'),
  imports(
    'site-asks-the-api',
    'packages/site/src/a.tsx',
    core('listings/index.ts'),
    '../../core/src/listings/index.ts',
  ),
  imports('site-asks-the-api', 'packages/site/src/a.ts', core('db/b.ts'), '../../core/src/db/b.ts'),
  imports(
    'site-asks-the-api',
    'packages/site/src/a.ts',
    core('privacy/held/b.store.ts'),
    '../../core/src/privacy/held/b.store.ts',
  ),
  imports(
    'site-asks-the-api',
    'workers/site/src/a.ts',
    core('compose/runtime.ts'),
    '../../../packages/core/src/compose/runtime.ts',
  ),
  {
    rule: 'site-without-server-libraries',
    files: {
      'packages/site/src/a.ts': "import { x } from '../../core/src/kernel/b.ts';\nexport const y = x;\n",
      [core('kernel/b.ts')]: "export { x } from 'zod';\n",
      'node_modules/zod/index.js': 'module.exports = {};',
    },
  },
  imports('site-builds-apart', 'packages/site/src/a.ts', 'packages/site/src/build/b.ts', './build/b.ts'),
  imports('site-builds-apart', 'packages/site/src/a.ts', 'node_modules/esbuild/index.js', 'esbuild'),
  {
    rule: 'browser-scripts-are-small',
    files: {
      'packages/site/src/browser/a.ts': "import { x } from '../b.ts';\nexport const y = x;\n",
      'packages/site/src/b.ts': "export { x } from 'hono';\n",
      'node_modules/hono/index.js': 'module.exports = {};',
    },
  },
];
