import { Chip } from '../../components/chip.tsx';
import { Code, JsonFigure } from '../../components/code.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon, IconTile } from '../../components/icon.tsx';
import { Facts, Ledger } from '../../components/ledger.tsx';
import { CategoryTiles } from '../../components/listings/category-tiles.tsx';
import { Note } from '../../components/note.tsx';
import { Pager } from '../../components/pager.tsx';
import { Progress } from '../../components/progress.tsx';
import { Rows } from '../../components/row.tsx';
import { SaleSteps } from '../../components/sale/sale-steps.tsx';
import { StateBadge } from '../../components/sale/state-badge.tsx';
import { Stars } from '../../components/stars.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Instant } from '../../components/time.tsx';
import { CATEGORY_ICONS } from '../../icons/category-icons.data.ts';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { listingIcon } from '../../icons/listing-icon.ts';
import { VERTICAL_ICONS } from '../../icons/vertical-icons.data.ts';
import { type SaleFacts, stepsOfSale } from '../../order/sale-steps.ts';

const COLOURS = [
  'paper',
  'sheet',
  'ink',
  'soft',
  'rule',
  'rule-strong',
  'accent',
  'on-accent',
  'wash',
  'waiting',
  'waiting-wash',
  'done',
  'done-wash',
  'attention',
  'attention-wash',
  'failed',
  'failed-wash',
] as const;
const TYPE = ['text-2xl', 'text-xl', 'text-l', 'text-m', 'text-s', 'text-xs'] as const;
const SPACES = ['gap-2xs', 'gap-xs', 'gap-s', 'gap-m', 'gap-l', 'gap-xl'] as const;

export function TokenSection() {
  return (
    <section class="stack">
      <h2>Colours, type and spaces</h2>
      <ul class="swatches">
        {COLOURS.map((name) => (
          <li>
            <svg class="swatch" aria-hidden="true" focusable="false">
              <rect class={name} width="100%" height="100%" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <ul class="type-steps">
        {TYPE.map((name) => (
          <li class={name}>{name}: 26 tides, $1,234.50</li>
        ))}
      </ul>
      <ul class="space-steps">
        {SPACES.map((name) => (
          <li>
            <span class={name} aria-hidden="true" /> {name}
          </li>
        ))}
      </ul>
      <p class="for-sale">Serif: the title of something for sale, and nothing else</p>
      <p>Text of 16 pixels, in lines of at most 44 rem.</p>
      <p class="soft">Soft text of 16 pixels.</p>
      <p class="fine">Fine text of 12 pixels.</p>
      <p>
        A link <a href="/styleguide">to this page</a>, <code>code</code>, and an amount of{' '}
        <strong>$1,234.50</strong>
      </p>
    </section>
  );
}

const CATEGORIES = [
  { listingCount: 31, name: 'Data', slug: 'data' },
  { listingCount: 4, name: 'Services', slug: 'services' },
  { listingCount: 0, name: 'Jobs', slug: 'jobs' },
];

/** What lists, listings and records are made of. */
export function MoreSection() {
  return (
    <section class="stack">
      <h2>Categories, ratings, figures and code</h2>
      <CategoryTiles categories={CATEGORIES} />
      <p>
        <Stars value={4.8} count={12} /> · <Stars value={0} count={0} />
      </p>
      <Pager
        page={{ total: 240, offset: 20, limit: 20 }}
        hrefAt={(offset) => `/styleguide?offset=${offset}`}
      />
      <Ledger
        rows={[
          { label: 'Sales', value: '$156.00' },
          { label: 'Fees', value: '−$5.45' },
          { label: 'In escrow', value: '$150.55', isTotal: true },
        ]}
      />
      <Facts
        rows={[
          ['Delivered', <Instant iso="2026-03-12T09:30:00.000Z" />],
          ['Paid by', 'card, on the checkout page'],
        ]}
      />
      <Code label="curl" text={'curl https://api.example.com/deliver \\\n  -d \'{"harbour":"Brest"}\''} />
      <JsonFigure label="Answer" value={{ harbour: 'Brest', tides: [{ high: '10:31', low: '04:12' }] }} />
      <details>
        <summary>What is folded until it is wanted</summary>
        <p>And then stands here.</p>
      </details>
    </section>
  );
}

export function IconSection() {
  return (
    <section class="stack">
      <h2>Icons</h2>
      {[CATEGORY_ICONS, VERTICAL_ICONS, INTERFACE_ICONS].map((icons) => (
        <ul class="chips">
          {Object.entries(icons).map(([name, icon]) => (
            <li class="chip">
              <Icon icon={icon} /> {name}
            </li>
          ))}
        </ul>
      ))}
    </section>
  );
}

export function RowSection() {
  const row = {
    href: '/styleguide',
    title: 'Tide tables by harbour',
    isForSale: true,
    line: 'High and low water of the day at the harbour that you name.',
    facts: ['Harbour master', '★ 4.8 (12)', '99% delivered', '0.4 s typical', '31 sales'],
    icon: <IconTile icon={listingIcon('weather-environment', 'data')} />,
    price: '$26.00',
  };
  return (
    <section class="stack">
      <h2>Rows, tabs and empty lists</h2>
      <Tabs
        label="Views"
        open="/styleguide"
        tabs={[
          { href: '/styleguide', label: 'All' },
          { href: '/styleguide#open', label: 'Open' },
          { href: '/styleguide#done', label: 'Done' },
        ]}
      />
      <Rows
        rows={[
          row,
          {
            ...row,
            title: 'A title that goes on and on '.repeat(8),
            line: row.line.repeat(4),
            price: 'Free',
          },
          {
            href: '/styleguide',
            title: 'Purchase of 12 March',
            icon: <IconTile icon={INTERFACE_ICONS.receipt} />,
            price: '$1,204.00',
            end: <StateBadge kind="waiting">In escrow</StateBadge>,
          },
        ]}
      />
      <EmptyState icon={INTERFACE_ICONS.queue} title="No orders yet">
        <p>Orders appear here when somebody buys a listing of yours.</p>
        <a class="button" href="/docs/sell">
          Add a listing
        </a>
      </EmptyState>
    </section>
  );
}

const SALE: SaleFacts = {
  status: 'held',
  amountCents: 2600,
  rail: 'wallet',
  createdAt: '2026-03-12T09:30:00.000Z',
};

const SALES: readonly Partial<SaleFacts>[] = [
  { status: 'asking' },
  { deliveredAt: '2026-03-12T09:30:02.000Z', holdUntil: '2026-03-15T09:30:02.000Z' },
  { status: 'released', deliveredAt: '2026-03-12T09:30:02.000Z', holdUntil: '2026-03-15T09:30:02.000Z' },
  { status: 'refunded', deliveredAt: '2026-03-12T09:30:02.000Z' },
  { status: 'failed' },
  { status: 'released', amountCents: 0, deliveredAt: '2026-03-12T09:30:02.000Z' },
];

export function StateSection() {
  return (
    <section class="stack">
      <h2>States</h2>
      <p class="chips">
        <StateBadge kind="waiting">In escrow</StateBadge>
        <StateBadge kind="done">Paid out</StateBadge>
        <StateBadge kind="attention">Answer the dispute</StateBadge>
        <StateBadge kind="failed">Not delivered</StateBadge>
        <Chip>Standard</Chip>
        <Chip isOn>Verified</Chip>
      </p>
      {SALES.map((facts) => (
        <SaleSteps steps={stepsOfSale({ ...SALE, ...facts })} />
      ))}
      <Note>Something to know.</Note>
      <Note kind="waiting">Asking the seller, up to 30 seconds.</Note>
      <Note kind="done">The seller answered, and the receipt holds.</Note>
      <Note kind="attention">A dispute waits for your answer until 19 March.</Note>
      <Note kind="failed">The seller did not answer. Nothing was charged.</Note>
      <Progress label="Asking the seller, up to 30 seconds" />
      <Progress label="3 of 8 files are checked" done={3 / 8} />
    </section>
  );
}
