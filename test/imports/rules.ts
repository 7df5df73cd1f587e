import type { DependencyType, IForbiddenRuleType } from 'dependency-cruiser';

/** Slices from left to right, as docs/architecture.md orders them: none imports one of a later row. */
const SLICE_ROWS = [
  [
    'provenance',
    'fees',
    'schemas',
    'agents',
    'mail',
    'operators',
    'budgets',
    'catalogue',
    'subsidies',
    'transparency',
  ],
  ['approvals', 'cases', 'delivery', 'ingress', 'inquiries', 'ledger', 'search'],
  ['wallet', 'payouts', 'quality'],
  ['listings'],
  ['health'],
  ['sales'],
  ['disputes'],
  ['offers', 'purchases'],
  ['ratings', 'x402', 'demand'],
  [
    'selling',
    'statements',
    'stats',
    'platform',
    'about',
    'admin',
    'backups',
    'moderation',
    'privacy',
    'account',
  ],
];

const CORE = '^packages/core/src/';
const SLICE = `${CORE}(${SLICE_ROWS.flat().join('|')})/`;
/** What both sides of the wire share. */
const PROTOCOL = '^packages/protocol/src/';
const OURS = '^(packages|workers|test)/';
/** Tests may import anything, and nothing but tests imports them. */
const TESTS = ['\\.test\\.ts$', '^packages/[^/]+/src/testing/', '^test/', '^vitest\\.config\\.ts$'];

type Paths = string | string[];

interface From {
  readonly path?: Paths;
  readonly pathNot?: Paths;
}

interface To extends From {
  readonly circular?: boolean;
  readonly couldNotResolve?: boolean;
  readonly reachable?: boolean;
  readonly dependencyTypesNot?: DependencyType[];
}

const forbidden = (name: string, from: From, to: To): IForbiddenRuleType =>
  ({ name, severity: 'error', from, to }) as IForbiddenRuleType;

/** Every folder of core but these is a slice, and has a place in the order. */
const ROOMS = [
  'kernel',
  'db',
  'adapters',
  'transport',
  'operations',
  'compose',
  'testing',
  ...SLICE_ROWS.flat(),
];

export const rules: IForbiddenRuleType[] = [
  forbidden('no-cycles', {}, { circular: true }),
  // What does not resolve is seen by no other rule.
  forbidden('resolvable', {}, { couldNotResolve: true, pathNot: '^cloudflare:' }),
  forbidden('known-room', { path: `${CORE}[^/]+/`, pathNot: `${CORE}(${ROOMS.join('|')})/` }, {}),

  forbidden('protocol-alone', { path: PROTOCOL, pathNot: TESTS }, { pathNot: PROTOCOL }),
  forbidden(
    'kernel-alone',
    { path: `${CORE}kernel/`, pathNot: TESTS },
    { path: OURS, pathNot: [PROTOCOL, `${CORE}kernel/`] },
  ),
  forbidden(
    'db-on-kernel',
    { path: `${CORE}db/`, pathNot: TESTS },
    { path: OURS, pathNot: [PROTOCOL, `${CORE}(kernel|db)/`] },
  ),
  forbidden(
    'adapters-on-kernel',
    { path: `${CORE}adapters/`, pathNot: TESTS },
    { path: OURS, pathNot: [PROTOCOL, `${CORE}(kernel|adapters)/`] },
  ),
  forbidden(
    'transport-on-kernel',
    { path: `${CORE}transport/`, pathNot: TESTS },
    { path: OURS, pathNot: [PROTOCOL, `${CORE}(kernel|transport)/`] },
  ),
  forbidden(
    'operations-on-slices',
    { path: `${CORE}operations/`, pathNot: TESTS },
    { path: OURS, pathNot: [PROTOCOL, `${CORE}kernel/`, `${CORE}operations/`, `${SLICE}index\\.ts$`] },
  ),

  forbidden(
    'slices-on-kernel-and-db',
    { path: SLICE, pathNot: TESTS },
    { path: OURS, pathNot: [PROTOCOL, `${CORE}(kernel|db)/`, SLICE] },
  ),
  forbidden(
    'front-doors',
    { path: SLICE, pathNot: [...TESTS, '\\.rules\\.ts$'] },
    { path: SLICE, pathNot: [`${CORE}$1/`, `${CORE}[^/]+/index\\.ts$`] },
  ),
  ...SLICE_ROWS.flatMap((row, index) => {
    const laterSlices = SLICE_ROWS.slice(index + 1).flat();
    if (laterSlices.length === 0) return [];
    const from = { path: `${CORE}(${row.join('|')})/`, pathNot: TESTS };
    return [forbidden('leftwards', from, { path: `${CORE}(${laterSlices.join('|')})/` })];
  }),
  forbidden(
    'sql-in-stores',
    { path: SLICE, pathNot: [...TESTS, '\\.store\\.ts$'] },
    // The type of a row gives no power over it.
    { path: [`${CORE}db/`, 'node_modules/drizzle-orm/'], dependencyTypesNot: ['type-only'] },
  ),
  forbidden(
    'drizzle-in-db-and-stores',
    { pathNot: [...TESTS, `${CORE}db/`, '\\.store\\.ts$'] },
    {
      path: 'node_modules/drizzle-orm/',
    },
  ),
  forbidden(
    'rules-are-pure',
    { path: '\\.rules\\.ts$' },
    {
      pathNot: ['\\.rules\\.ts$', '\\.data\\.ts$', PROTOCOL, `${CORE}kernel/`],
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbidden(
    'no-vendors-in-slices',
    { path: SLICE, pathNot: TESTS },
    {
      path: ['node_modules/(hono|stripe|viem)/', '^cloudflare:', '^node:'],
    },
  ),

  forbidden(
    'workers-compose',
    { path: CORE, pathNot: [...TESTS, `${CORE}compose/`] },
    { path: `${CORE}compose/` },
  ),

  forbidden('nobody-imports-tests', { pathNot: TESTS }, { path: TESTS }),
  forbidden(
    'nobody-imports-workers',
    { path: OURS, pathNot: [...TESTS, '^workers/'] },
    { path: '^workers/' },
  ),
  forbidden('workers-apart', { path: '^workers/([^/]+)/' }, { path: '^workers/', pathNot: '^workers/$1/' }),
  forbidden(
    'nobody-imports-devkit',
    { pathNot: [...TESTS, '^packages/devkit/'] },
    {
      path: '^packages/devkit/',
    },
  ),
  // An agent installs the SDK: nothing of the server must come along, not even into its tests.
  forbidden(
    'sdk-on-protocol',
    { path: '^packages/sdk/' },
    { path: OURS, pathNot: ['^packages/(sdk|protocol)/', '^test/conformance/clause\\.ts$'] },
  ),
  forbidden(
    'sdk-installs-noble-alone',
    { path: '^packages/sdk/', pathNot: TESTS },
    { path: 'node_modules/', pathNot: 'node_modules/@noble/' },
  ),

  // What anybody can do with the SDK is all that the program does.
  forbidden(
    'cli-on-sdk',
    { path: '^packages/cli/', pathNot: TESTS },
    { path: OURS, pathNot: '^packages/(cli|sdk|protocol)/' },
  ),

  // Pages have no data access of their own: they ask the API, through the SDK, as everyone else does.
  forbidden(
    'site-asks-the-api',
    { path: ['^packages/site/', '^workers/site/'], pathNot: TESTS },
    {
      path: OURS,
      pathNot: [
        '^(packages|workers)/site/',
        '^packages/(sdk|protocol)/',
        `${CORE}kernel/`,
        `${CORE}fees/fee-schedule\\.rules\\.ts$`,
        // Fixed words of what is held and for how long: the page of privacy is drawn from them.
        `${CORE}privacy/held/(held-data|held-table|[a-z]+\\.data)\\.ts$`,
      ],
    },
  ),
  forbidden(
    'site-without-server-libraries',
    { path: '^packages/site/', pathNot: TESTS },
    { path: 'node_modules/(zod|drizzle-orm|stripe|viem|ipaddr\\.js)/', reachable: true },
  ),
  forbidden(
    'site-builds-apart',
    { path: '^packages/site/', pathNot: [...TESTS, '^packages/site/src/build/'] },
    { path: ['^packages/site/src/build/', 'node_modules/esbuild/', '^node:', '^(fs|path)$'] },
  ),
  // A script is loaded by people on phones: what pages are made of on the server stays there.
  forbidden(
    'browser-scripts-are-small',
    { path: '^packages/site/src/browser/' },
    { path: ['node_modules/hono/', '^packages/site/src/(pages|components|layout)/'], reachable: true },
  ),
];
