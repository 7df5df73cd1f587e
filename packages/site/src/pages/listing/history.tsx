import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { SellerText } from '../../components/text.tsx';
import { Instant } from '../../components/time.tsx';
import { countNoun, price, shortDigest } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { PriceHistory } from './price-history.tsx';

type HistoryView = Operations['getListingHistory']['output'];
type HistoryEntry = HistoryView['entries'][number];

const MAX_SHOWN_LENGTH = 200;

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Labels of some fields; other fields show their API name. */
const FIELDS: Readonly<Record<string, string>> = {
  fingerprint: 'Fingerprint of the declaration',
  priceCents: 'Price',
  priceMicros: 'Price to the micro-unit',
  meter: 'Price by units, in micro-units',
};

const CHANGES: Readonly<Record<HistoryEntry['changeType'], string>> = {
  created: 'Listed',
  updated: 'Changed',
  price_changed: 'Price changed',
  deactivated: 'Deactivated',
  reactivated: 'Reactivated',
  blocked: 'Blocked by the operator',
  unblocked: 'Block lifted by the operator',
};

interface HistoryProps {
  readonly history: HistoryView;
  readonly version: number;
  readonly apiBaseUrl: string;
  /** Until when the prices are drawn. */
  readonly now: string;
}

/** Every change, signed and chained. The script `history` verifies the chain in the browser. */
export function History({ history, version, apiBaseUrl, now }: HistoryProps) {
  const { entries, listingId, chainValid } = history;
  const newestFirst = entries.toSorted((a, b) => b.version - a.version);
  return (
    <section class="stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      <PriceHistory history={history} now={now} />
      <p
        id="chain"
        class={chainValid ? 'note' : 'note stop'}
        role="status"
        data-listing={listingId}
        data-version={version}
        data-api={apiBaseUrl}
      >
        {chainValid
          ? `The marketplace checked the chain of ${countNoun(entries.length, 'entry', 'entries')}: it is unbroken.`
          : 'The marketplace checked the chain: it is broken.'}
      </p>
      <ol class="entries chain">
        {newestFirst.map((entry) => (
          <Entry entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { version, changeType, changedAt, reason, changes, digest, previousDigest, texts } = entry;
  const written = { ...changes, ...texts?.changes };
  return (
    <li class="entry dated">
      <div class="entry-what">
        <h3>
          {CHANGES[changeType]} <span class="soft">version {version}</span>
        </h3>
        {reason !== null && (
          <p>
            <SellerText text={reason} />
          </p>
        )}
        {Object.entries(written).map(([field, { from, to }]) => (
          <p class="fine">
            {FIELDS[field] ?? field}:{' '}
            {from !== null && (
              <>
                <SellerText text={shown(field, from)} /> →{' '}
              </>
            )}
            <SellerText text={shown(field, to)} />
          </p>
        ))}
        <p class="fine mono">
          {shortDigest(digest)}
          {previousDigest !== null && ` follows ${shortDigest(previousDigest)}`}
        </p>
      </div>
      <p class="fine">
        <Instant iso={changedAt} />
      </p>
    </li>
  );
}

function shown(field: string, value: unknown): string {
  if (field === 'priceCents' && typeof value === 'number') return price(value);
  if (field === 'priceMicros' && typeof value === 'number') return microsText(value);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return DIGEST.test(text) ? shortDigest(text) : oneLine(text, MAX_SHOWN_LENGTH);
}
