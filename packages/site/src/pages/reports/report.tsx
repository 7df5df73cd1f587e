import { MarketplaceError } from '@agent-marketplace/sdk';
import { codeOf, LINK_CODE_SCRIPT, LinkCode } from '../../components/link-code.tsx';
import { notice } from '../../components/notice.tsx';
import { definePage, type PageAnswer, type PageView, type Visit } from '../../page.ts';

type Status = Awaited<ReturnType<Visit['api']['getReportStatus']>>;

/** Where the link of a report without a key leads. */
export const reportPage = definePage({
  path: '/reports/{id}',
  get: ({ url }) => statusForm(url),
  async post(visit): Promise<PageAnswer> {
    const { api, params } = visit;
    try {
      const token = codeOf(visit);
      return shownStatus(await api.getReportStatus({ subjectId: params.id ?? '', token }), visit);
    } catch (error) {
      if (error instanceof MarketplaceError && [400, 404].includes(error.status)) return closedLink();
      throw error;
    }
  },
});

function statusForm({ pathname }: URL): PageView {
  return {
    title: 'Your report',
    description: 'What became of what you reported.',
    isPrivate: true,
    scripts: [LINK_CODE_SCRIPT],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>What became of your report</h1>
          <p class="lead">An operator decides. Nothing happens by itself, however many report.</p>
        </div>
        <form class="stack half" method="post" action={pathname}>
          <LinkCode />
          <div class="actions">
            <button type="submit">See how it stands</button>
          </div>
        </form>
        <p class="fine">Anyone who has this link can see it: keep it private.</p>
      </div>
    ),
  };
}

const DECISIONS = {
  dismiss: 'The operator found nothing against the rules.',
  block: 'It was taken off the market.',
  limit: 'Whose it is may buy nothing for now.',
  suspend: 'Whose it is was suspended.',
} as const satisfies Record<NonNullable<Status['action']>, string>;

function shownStatus({ action, rule, decidedAt, outcome, state }: Status, { policies }: Visit): PageView {
  const isDecided = action !== null && decidedAt !== null;
  const lead = isDecided ? DECISIONS[action] : 'It waits for an operator.';
  return notice({
    title: 'How your report stands',
    description: 'Whether it is decided, and what was.',
    heading: isDecided ? 'Your report was decided' : 'Your report waits',
    lead: outcome === 'overturned' ? `${lead} After an appeal, that was taken back.` : lead,
    next: (
      <p>
        {isDecided &&
          `Decided on ${decidedAt.slice(0, 10)}${rule === null ? '' : `, by the rule “${rule}”`}. `}
        {state === 'appealed' && 'There is an appeal against it. '}
        What is against the rules is on the page of{' '}
        <a href={policies.prohibited ?? '/policies/prohibited'}>prohibited goods</a>.
      </p>
    ),
  });
}

function closedLink(): PageView {
  return notice({
    title: 'This link opens no report',
    description: 'The link of a report ends with it.',
    status: 404,
    lead: 'It is cut off, or the report is over: it is deleted a year after it was made, once it is decided.',
  });
}
