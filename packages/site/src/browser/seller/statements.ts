import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import { errorText } from '../../order/error-text.ts';
import { yearFile } from '../parts/console/year-file.ts';
import { element, emptyPlace, ledger, offerFile, section, table, timeOf, titleOf } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import type { Session } from '../parts/session.ts';

type Statement = Operations['getStatement']['output'];
type Line = Statement['lines'][number];

const KINDS: Readonly<Record<Line['kind'], string>> = {
  sale: 'Sale',
  refund: 'Refund',
  chargeback: 'Taken back by a bank',
  payout: 'Payout',
  reversal: 'Payout taken back',
  adjustment: 'Adjustment',
};

/** The statement of a month: the last one first, others on choice. */
export async function statements(session: Session): Promise<HTMLElement[]> {
  const { statements: months } = await session.api.listStatements();
  const [last] = months;
  if (last === undefined)
    return [
      emptyPlace(
        'No statement yet',
        'There is one for each month, from the month of your first paid sale on.',
      ),
    ];
  const place = element('div', { class: 'sections', 'aria-live': 'polite' });
  const select = element(
    'select',
    { id: 'month', class: 'short' },
    ...months.map(({ month, isFinal }) =>
      element('option', { value: month }, isFinal ? month : `${month}, not final yet`),
    ),
  ) as HTMLSelectElement;
  const show = async () => {
    const { value: month } = select;
    try {
      const parts = await statementOf(session, month);
      // Another month may have been chosen meanwhile.
      if (select.value === month) place.replaceChildren(...parts);
    } catch (error) {
      place.replaceChildren(element('p', { class: 'note stop', role: 'alert' }, errorText(error)));
    }
  };
  select.addEventListener('change', show);
  await show();
  const year = yearFile({
    name: 'statement',
    nothing: 'You sold nothing',
    read: ({ year, after = '0' }) => session.api.getAnnualStatementFile({ year, after: Number(after) }),
    afterOf: (number) => number.replace(/\D/g, ''),
  });
  return [
    element('div', { class: 'field' }, element('label', { for: 'month' }, 'Month'), select),
    place,
    year,
  ];
}

async function statementOf(session: Session, month: string): Promise<HTMLElement[]> {
  const statement = await session.api.getStatement({ month, limit: 100 });
  const { totals, openingBalanceCents, closingBalanceCents, feeInvoice, lines, total } = statement;
  const rows: (readonly [string, string])[] = [
    ['In escrow at the beginning', money(openingBalanceCents)],
    [`Sales (${totals.sales})`, money(totals.grossSalesCents)],
    [`Refunds (${totals.refunds})`, less(totals.refundCents)],
    ['Fees', less(totals.feeCents)],
    ['Paid out', less(totals.payoutCents)],
    ...(totals.payoutGasCents === 0 ? [] : [['Gas of payouts', less(totals.payoutGasCents)] as const]),
    ...(totals.adjustmentCents === 0 ? [] : [['Adjustments', money(totals.adjustmentCents)] as const]),
    ['In escrow at the end', money(closingBalanceCents)],
  ];
  return [
    section(
      `Statement of ${month}`,
      ledger(rows, true),
      feeInvoice !== null &&
        element(
          'p',
          { class: 'fine' },
          `Invoice for fees: ${feeInvoice.number}, ${money(feeInvoice.feeCents)}.`,
        ),
      element(
        'div',
        { class: 'actions' },
        fileButton(session, month, 'csv', 'Get it as a table (CSV)'),
        fileButton(session, month, 'html', 'Get it to print (HTML)'),
      ),
    ),
    section(
      'Lines',
      table('Lines', ['Number', 'When', 'What', 'Listing', '#Amount', '#In escrow'], lines.map(row)),
      total > lines.length &&
        element(
          'p',
          { class: 'fine' },
          `The first ${lines.length} of ${total} lines. All of them are in the file.`,
        ),
    ),
  ];
}

/** A sum that goes off; nothing is not less than nothing. */
const less = (cents: number) => money(cents === 0 ? 0 : -cents);

const row = ({ number, at, kind, listingTitle, amountCents, balanceCents }: Line) => [
  element('code', {}, number),
  timeOf(at),
  KINDS[kind],
  titleOf(listingTitle),
  money(amountCents),
  money(balanceCents),
];

/** The file needs the key, so a plain link could not load it. */
function fileButton({ api }: Session, month: string, format: 'csv' | 'html', label: string): HTMLElement {
  return actionForm(label, [], async () => {
    const { bytes, contentType, filename } = await api.getStatementFile({ month, format });
    return offerFile(new TextDecoder().decode(bytes), filename ?? `statement-${month}.${format}`, {
      type: contentType,
    });
  });
}
