import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import { csvFiles } from '../parts/csv-files.ts';
import { element, emptyText, ledger, offerCsv, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { forRole, type OperatorSession } from './operator-session.ts';
import { type Done, rowDialog } from './row-dialog.ts';
import { stateBadge } from './state-badge.ts';

type Period = Operations['listLedgerPeriods']['output']['periods'][number];

/** The months of the ledger: which are closed, with what, and the postings of each as files. */
export async function operatorPeriods(session: OperatorSession): Promise<readonly HTMLElement[]> {
  const { periods } = await session.api.listLedgerPeriods({ limit: 100 });
  const rows = periods.map((one) => [
    one.month,
    one.closedAt === null ? stateBadge('waiting', 'to be closed') : stateBadge('done', 'closed'),
    one.closedAt === null ? '–' : timeOf(one.closedAt),
    one.closingNote === null ? '–' : untrustedText(one.closingNote),
    rowDialog(session, {
      text: one.closedAt === null ? 'Close' : 'Look',
      what: `The month ${one.month}`,
      draw: (done) => periodDialog(session, one, done),
    }),
  ]);
  return [
    section(
      'Months of the ledger',
      element(
        'p',
        {},
        'A month can be closed once it is over. Its balances are recorded then, and it stays as it is.',
      ),
      rows.length === 0 ? emptyText() : table('Months', ['Month', 'State', 'Closed', 'Note', 'Action'], rows),
    ),
  ];
}

function periodDialog(
  session: OperatorSession,
  { month, balances, closedAt }: Period,
  done: Done,
): HTMLElement[] {
  const files = element('div', { class: 'actions' });
  const csv = actionForm('Make the file of its postings', [], async () => {
    files.replaceChildren(...(await postingsOf(session, month)));
    return files.childElementCount === 0 ? 'Nothing was posted in this month.' : null;
  });
  const note: Field = {
    name: 'note',
    label: 'Note: why differences may stand, where there are any',
    type: 'textarea',
    attributes: { maxlength: '1000', rows: '3' },
  };
  return [
    ...(balances === null
      ? []
      : [
          ledger(
            Object.entries(balances).map(([account, cents]) => [account.replaceAll('_', ' '), money(cents)]),
          ),
        ]),
    csv,
    files,
    ...(closedAt !== null
      ? []
      : [
          forRole(session, 'finance', () =>
            actionForm(`Close ${month} for good`, [note], async ({ note: text = '' }) => {
              await session.api.closeLedgerPeriod({ month, ...(text === '' ? {} : { note: text }) });
              return done(`${month} is closed.`);
            }),
          ),
        ]),
  ];
}

/** The postings of a month, of which the first cell of a row says where the next file begins. */
async function postingsOf({ api }: OperatorSession, month: string): Promise<HTMLElement[]> {
  const files = await csvFiles(
    ({ after }) => api.exportPostings({ month, ...(after === undefined ? {} : { after: Number(after) }) }),
    (row) => row.slice(0, row.indexOf(',')),
  );
  return files.map((text, at) => offerCsv(text, `postings-${month}-${at + 1}.csv`));
}
