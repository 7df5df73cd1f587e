import { recordAgentEvent } from '../../agents/index.ts';
import type { Settings } from '../../kernel/operation/operation.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { queueAccountMail } from '../../mail/index.ts';
import { sweepSearchOutbox } from '../refresh-search-documents.ts';
import { alertMailText } from './alert-mail.rules.ts';
import {
  type Alert,
  deleteEndedAlerts,
  isMatchedAlready,
  listUnchecked,
  markChecked,
  markMatched,
  readActivations,
} from './alerts.store.ts';
import { findMatches } from './find-matches.ts';

type AlertPorts = Pick<Ports, 'market' | 'search' | 'clock' | 'ids' | 'log'>;
type Terms = Pick<Settings, 'siteUrl' | 'sendsMail'>;

/** How many alerts one run looks at. The next one, a minute later, continues. */
const PER_RUN = 500;
const SHOWN_MS = 30 * DAY_MS;
const FORGET_AT_ONCE = 1000;

/** Tells agents of what is for sale now that their searches find, each alert once. */
export async function matchAlerts(ports: AlertPorts, terms: Terms): Promise<void> {
  const { market, clock } = ports;
  const now = isoTime(clock.now());
  await market.commit([deleteEndedAlerts(now, FORGET_AT_ONCE)]);
  const activations = await readActivations(market);
  const alerts = await listUnchecked(market, { activations, now, limit: PER_RUN });
  if (alerts.length === 0) return;
  // What was counted is found from here on: its document is written.
  await sweepSearchOutbox(ports);
  const found = await Promise.all(alerts.map((alert) => findMatches(ports, alert)));
  for (const [index, alert] of alerts.entries()) {
    const listingIds = found[index] ?? [];
    if (listingIds.length > 0) await tell(ports, terms, alert, listingIds);
  }
  const ids = alerts.map(({ id }) => id);
  await market.commit([markChecked(ids, activations)]);
}

async function tell(
  { market, ids, clock }: AlertPorts,
  { siteUrl, sendsMail }: Terms,
  { id: alertId, agentId, byMail, q }: Alert,
  listingIds: readonly string[],
): Promise<void> {
  const now = clock.now();
  const at = isoTime(now);
  const text = alertMailText(q, listingIds, siteUrl);
  const mail = { purpose: 'alert_notice', reference: alertId, subject: 'There is one now', text } as const;
  const statements = [
    ...markMatched(alertId, listingIds, at, isoTime(now + SHOWN_MS)),
    ...recordAgentEvent(agentId, 'alert.matched', { alertId, listingIds: [...listingIds] }, ids.uuid(), at),
    ...(byMail && sendsMail ? [queueAccountMail(agentId, mail, at)] : []),
  ];
  await market.commit(statements).catch((error: unknown) => {
    if (!isMatchedAlready(error)) throw error;
  });
}
