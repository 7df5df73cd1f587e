import type { Operations } from '@agent-marketplace/sdk';
import { ConsoleFrame } from '../../components/console/console-frame.tsx';
import { KeyedContent } from '../../components/keyed-content.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { definePage, type SitePage } from '../../page.ts';

type OperatorRole = Operations['listOperators']['output']['you']['role'];

interface OperatorPage {
  readonly path: string;
  readonly label: string;
  readonly icon: keyof typeof INTERFACE_ICONS;
  readonly lead: string;
  /** Views with an address of their own; the first is the page's. Where all that it does takes a role, that is named. */
  readonly views?: readonly (readonly [view: string, label: string, leastRole?: OperatorRole])[];
}

const PAGES: readonly OperatorPage[] = [
  {
    path: '/operator',
    label: 'Overview',
    icon: 'overview',
    lead: 'What needs somebody now, what falls due, and how much is sold.',
  },
  {
    path: '/operator/queues',
    label: 'Queues',
    icon: 'queue',
    lead: 'What waits for a decision, the longest waiting first.',
    views: [
      ['reports', 'Reports'],
      ['appeals', 'Appeals'],
      ['disputes', 'Disputes'],
      ['decided', 'Decided'],
    ],
  },
  {
    path: '/operator/money',
    label: 'Money',
    icon: 'wallet',
    lead: 'Money that should have moved, and whether all accounts agree.',
    views: [
      ['overdue', 'Overdue'],
      ['reconciliation', 'Reconciliation'],
      ['periods', 'Months'],
      ['adjustments', 'Adjustments', 'finance'],
      ['totals', 'Annual totals'],
    ],
  },
  {
    path: '/operator/records',
    label: 'People and listings',
    icon: 'search',
    lead: 'Find any agent, listing, purchase or payment, see what was decided of it, and act.',
  },
  {
    path: '/operator/inquiries',
    label: 'Inquiries',
    icon: 'events',
    lead: 'What people and agents wrote, and your answers.',
    views: [
      ['open', 'Waiting for us'],
      ['answered', 'Answered'],
      ['closed', 'Closed'],
      ['ideas', 'Ideas'],
    ],
  },
  {
    path: '/operator/metrics',
    label: 'Metrics',
    icon: 'speed',
    lead: 'How many requests there were, how many failed, and how long they took.',
    views: [
      ['day', 'Last day'],
      ['hour', 'Last hour'],
      ['month', 'Last month'],
    ],
  },
  {
    path: '/operator/audit',
    label: 'Audit',
    icon: 'check',
    lead: 'The signed record of what operators did, opened and wrote.',
  },
  {
    path: '/operator/settings',
    label: 'Settings',
    icon: 'settings',
    lead: 'Who may do what here, and which agents belong to this marketplace.',
    views: [
      ['operators', 'Operators'],
      ['designations', 'Designations'],
      ['affiliated', 'Affiliated receipts', 'finance'],
    ],
  },
];

const LINKS = PAGES.map(({ path, label, icon }) => ({ href: path, label, icon: INTERFACE_ICONS[icon] }));

/** The console of whoever runs the marketplace, for each of its pages. */
export const operatorPages: readonly SitePage[] = PAGES.map(({ path, label, lead, views = [] }) =>
  definePage({
    path,
    get({ apiBaseUrl, url }) {
      const view = views.find(([name]) => name === url.searchParams.get('show')) ?? views[0];
      const addressOf = (name: string) => (name === views[0]?.[0] ? path : `${path}?show=${name}`);
      return {
        title: path === '/operator' ? 'Operator’s console' : `${label} – operator’s console`,
        description: lead,
        isPrivate: true,
        scripts: ['operator'],
        main: (
          <ConsoleFrame name="Operator’s console" pages={LINKS} open={path}>
            <div class="page-head">
              <h1>{label}</h1>
              <p class="lead">{lead}</p>
            </div>
            {view && (
              <Tabs
                label={label}
                tabs={views.map(([name, text, leastRole]) => ({
                  href: addressOf(name),
                  label: text,
                  leastRole,
                }))}
                open={addressOf(view[0])}
              />
            )}
            <KeyedContent
              label="Your operator secret"
              apiBaseUrl={apiBaseUrl}
              view={view ? `${path}/${view[0]}` : path}
            >
              <p>
                This page needs scripts, so that the secret stays in your browser. Without them, use the
                operations under <code>/admin</code>: <a href="/docs/operate">how to operate a marketplace</a>
                .
              </p>
            </KeyedContent>
          </ConsoleFrame>
        ),
      };
    },
  }),
);
