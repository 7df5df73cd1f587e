import { countNoun } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { element, emptyPlace, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import type { Session } from '../parts/session.ts';

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  'listing.activated': 'Went on sale',
  'sale.held': 'Sold; the money is in escrow',
  'sale.released': 'Paid out',
  'sale.refunded': 'Refunded to the buyer',
  'sale.disputed': 'Disputed by the buyer',
  'sale.dispute_statement': 'Something was said in a dispute: see Disputes',
  'sale.dispute_decided': 'A dispute was decided',
  'sale.chargeback': 'The payment is disputed at a bank',
  'payout.failed': 'A payout failed and will be retried',
  'endpoint.changed': 'Your delivery endpoint was set or replaced',
  'endpoint.displaced': 'Another seller proved that your endpoint is its own; register another',
  'endpoint.host_shared': 'Another seller delivers from your host, on another path',
  'endpoint.unreachable': 'Your delivery endpoint does not answer: browsing leaves your listings out',
  'endpoint.reachable': 'Your delivery endpoint answers again: your listings are back in browsing',
  'payout.change_requested': 'Somebody asked to change where you are paid: see Payouts',
  'payout.change_cancelled': 'A change of where you are paid was cancelled',
  'payout.changed': 'You are paid elsewhere from now on',
  'payout.account_restricted':
    'Your account at the card processor can take no money: your sales wait, and listings with a price are off the market',
  'payout.account_restored': 'Your account can be paid again',
  'listing.blocked': 'Taken off the market by the operator, as the history of the listing says',
  'listing.unblocked': 'The operator lets you put the listing back on the market',
  'rating.received': 'New rating from a buyer',
};

/** What happened to a seller, newest first. */
export async function events({ api }: Session): Promise<HTMLElement[]> {
  const { listings: own, notifications: entries } = await api.getSellerDashboard();
  if (entries.length === 0)
    return [emptyPlace('Nothing has happened yet', 'Sales, payouts, disputes and ratings appear here.')];
  const rows = entries.map(({ createdAt, type, data }) => {
    const { listingId, listingIds } = data as { listingId?: string; listingIds?: string[] };
    const ids = listingIds ?? [listingId];
    const listing = own.find(({ id }) => ids.includes(id));
    const others = ids.length > 1 && ` and ${countNoun(ids.length - 1, 'other')}`;
    return [
      timeOf(createdAt),
      NOTIFICATIONS[type] ?? element('code', {}, type),
      listing ? element('span', {}, untrustedText(oneLine(listing.title, 80)), others) : '–',
    ];
  });
  return [section('The last 50', table('Events', ['When', 'What', 'Listing'], rows))];
}
