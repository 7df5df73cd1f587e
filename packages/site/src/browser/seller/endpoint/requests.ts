import type { Operations } from '@agent-marketplace/sdk';
import { countNoun, seconds } from '../../../format/figures.ts';
import type { StateKind } from '../../../format/state-kind.ts';
import { stateBadge } from '../../parts/console/templates.ts';
import { element, section, table, timeOf, titleOf } from '../../parts/dom.ts';
import type { Dashboard } from '../dashboard.ts';

type Request = Operations['listEndpointRequests']['output']['requests'][number];

/** The last requests of buyers, newest first. */
export function requests(last: readonly Request[], { listings }: Dashboard): HTMLElement {
  const titles = new Map(listings.map(({ id, title }) => [id, title]));
  const rows = last.map((one) => {
    const [kind, word] = stateOf(one.verdict);
    return [
      timeOf(one.at),
      titleOf(titles.get(one.listingId) ?? null),
      one.redelivery === 0 ? 'A purchase' : `Asked again (${one.redelivery})`,
      element('span', {}, stateBadge(kind, word), ...(kind === 'done' ? [] : [' ', one.detail])),
      one.latencyMs === null ? '–' : seconds(one.latencyMs),
    ];
  });
  const heads = ['When', 'Listing', 'For', 'What came of it', '#Took'];
  return section(
    'Last requests',
    element('p', {}, sentenceOf(last)),
    rows.length > 0 && table('Last requests', heads, rows),
  );
}

function sentenceOf(last: readonly Request[]): string {
  if (last.length === 0)
    return 'Nobody has bought yet. The last 20 requests stand here, each with what came of it and how long it took.';
  const delivered = last.filter(({ verdict }) => verdict === 'delivered').length;
  const slowest = Math.max(...last.map(({ latencyMs }) => latencyMs ?? 0));
  return `${delivered} of the last ${countNoun(last.length, 'request')} delivered; the slowest took ${seconds(slowest)}. What was asked and answered is not kept.`;
}

/** Whose move it is: yours, nobody's, or the marketplace's. */
function stateOf(verdict: Request['verdict']): readonly [StateKind, string] {
  switch (verdict) {
    case 'delivered':
      return ['done', 'Delivered'];
    case 'unavailable':
    case 'query_refused':
    case 'gone':
      return ['attention', 'Declined'];
    case 'mailbox_busy':
    case 'mailbox_unavailable':
    case 'relay_busy':
      return ['waiting', 'Not your fault'];
    default:
      return ['failed', 'Failed'];
  }
}
