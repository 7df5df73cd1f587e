import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { operatorAdjustment } from './operator/adjustment.ts';
import { operatorAnnualTotals } from './operator/annual-totals.ts';
import { operatorAudit } from './operator/audit.ts';
import { operatorCases } from './operator/cases.ts';
import { operatorDesignations } from './operator/designations.ts';
import { operatorDisputes } from './operator/disputes.ts';
import { operatorIdeas, operatorInquiries } from './operator/inquiries.ts';
import { operatorMetrics } from './operator/metrics.ts';
import { mayDo, type OperatorSession, type Role } from './operator/operator-session.ts';
import { operatorList, ownSecret } from './operator/operators.ts';
import { operatorOverdue } from './operator/overdue.ts';
import { operatorOverview } from './operator/overview.ts';
import { operatorPeriods } from './operator/periods.ts';
import { operatorReceipts } from './operator/receipts.ts';
import { operatorReconciliation } from './operator/reconciliation.ts';
import { operatorRecords } from './operator/records.ts';
import { element, untrustedText } from './parts/dom.ts';
import { asOperator, OPERATOR_KEY, openSession } from './parts/session.ts';

type Draw = (session: OperatorSession) => Promise<readonly Node[]> | readonly Node[];

/** What each page draws, or each of its views. */
const VIEWS: Readonly<Record<string, Draw>> = {
  '/operator': operatorOverview,
  '/operator/queues/reports': (session) => operatorCases(session, 'open'),
  '/operator/queues/appeals': (session) => operatorCases(session, 'appealed'),
  '/operator/queues/decided': (session) => operatorCases(session, 'decided'),
  '/operator/queues/disputes': operatorDisputes,
  '/operator/money/overdue': operatorOverdue,
  '/operator/money/reconciliation': operatorReconciliation,
  '/operator/money/periods': operatorPeriods,
  '/operator/money/adjustments': operatorAdjustment,
  '/operator/money/totals': operatorAnnualTotals,
  '/operator/records': operatorRecords,
  '/operator/inquiries/open': (session) => operatorInquiries(session, 'open'),
  '/operator/inquiries/answered': (session) => operatorInquiries(session, 'awaiting_inquirer'),
  '/operator/inquiries/closed': (session) => operatorInquiries(session, 'closed'),
  '/operator/inquiries/ideas': operatorIdeas,
  '/operator/metrics/hour': (session) => operatorMetrics(session, 'hour'),
  '/operator/metrics/day': (session) => operatorMetrics(session, 'day'),
  '/operator/metrics/month': (session) => operatorMetrics(session, 'month'),
  '/operator/audit': operatorAudit,
  '/operator/settings/operators': (session) => [ownSecret(session), operatorList(session)],
  '/operator/settings/designations': operatorDesignations,
  '/operator/settings/affiliated': operatorReceipts,
};

/** Where what waits is looked at: the links of the pages, and those of their views. */
const PLACES: readonly (readonly [href: string, waiting: (of: Waiting) => number])[] = [
  ['/operator/queues', ({ reports, appeals, disputes }) => reports + appeals + disputes],
  ['/operator/queues?show=appeals', ({ appeals }) => appeals],
  ['/operator/queues?show=disputes', ({ disputes }) => disputes],
  ['/operator/money', ({ overdue }) => overdue],
  ['/operator/inquiries', ({ inquiries }) => inquiries],
];

type Waiting = Operations['getQueueCounts']['output']['waiting'];

let you: OperatorSession['you'] | null = null;

openSession(
  OPERATOR_KEY,
  asOperator(BRAND.header.admin),
  async (session) => {
    const view = document.querySelector<HTMLElement>('#keyed-content')?.dataset.view ?? '';
    const [{ waiting }, everybody] = await Promise.all([
      session.api.getQueueCounts(),
      session.api.listOperators({}),
    ]);
    you = everybody.you;
    const operator = { ...session, you, everybody };
    const parts = await (VIEWS[view] ?? operatorOverview)(operator);
    hideOthersViews(operator);
    showWaiting(waiting);
    return parts;
  },
  // Nothing of the secret: a screen is seen by others, and operators have names.
  () =>
    you === null
      ? []
      : [
          element('strong', {}, untrustedText(you.name)),
          `, ${you.role}`,
          element('span', { class: 'wide-only' }, ', in this tab only'),
        ],
);

/** Views that do nothing for this operator's role; the one that is open says which role it takes. */
function hideOthersViews(session: OperatorSession): void {
  for (const link of document.querySelectorAll<HTMLElement>('.tabs [data-least-role]'))
    link.hidden =
      !mayDo(session, link.dataset.leastRole as Role) && link.getAttribute('aria-current') === null;
}

function showWaiting(waiting: Waiting): void {
  for (const [href, countOf] of PLACES) {
    const link = document.querySelector(`.console-nav a[href="${href}"], .tabs a[href="${href}"]`);
    link?.querySelector('.chip')?.remove();
    const waits = countOf(waiting);
    if (waits === 0) continue;
    const hidden = element('span', { class: 'visually-hidden' }, ' waiting');
    link?.append(element('span', { class: 'chip' }, String(waits), hidden));
  }
}
