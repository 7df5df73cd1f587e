import { day, money } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { section, table, untrustedText } from '../parts/dom.ts';
import type { Dashboard } from './dashboard.ts';

/** When what is in escrow is released, the next first. */
export function due({ sales }: Dashboard): HTMLElement | false {
  const rows = sales
    .flatMap(({ status, holdUntil, dispute, title, amountCents, platformFeeCents }) =>
      status === 'held' && holdUntil !== null && dispute?.status !== 'open'
        ? [{ holdUntil, title, cents: amountCents - platformFeeCents }]
        : [],
    )
    .sort((a, b) => (a.holdUntil < b.holdUntil ? -1 : 1))
    .slice(0, 5)
    .map(({ holdUntil, title, cents }) => [day(holdUntil), untrustedText(oneLine(title, 80)), money(cents)]);
  return (
    rows.length > 0 && section('Due next', table('Due next', ['Released on', 'For', '#Your share'], rows))
  );
}
