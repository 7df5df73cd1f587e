import type { Operations } from '@agent-marketplace/sdk';
import { count, money } from '../../format/figures.ts';
import { csvFiles } from '../parts/csv-files.ts';
import { element, emptyText, offerCsv, section, table } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import type { OperatorSession } from './operator-session.ts';

type SellerYear = Operations['listAnnualTotals']['output']['sellers'][number];

/** What is reported of sellers to tax offices, and the file of it. */
export function operatorAnnualTotals({ api }: OperatorSession): readonly HTMLElement[] {
  const thisYear = new Date().getUTCFullYear();
  const result = element('div', { class: 'stack' });
  const year = {
    name: 'year',
    label: 'Year',
    type: 'number',
    attributes: { min: '2020', max: '2999', required: '', value: String(thisYear) },
  };
  const form = actionForm('Show the annual totals', [year], async (values) => {
    const shown = Number(values.year);
    const sellers: SellerYear[] = [];
    let after: string | null = null;
    do {
      const page: Operations['listAnnualTotals']['output'] = await api.listAnnualTotals({
        year: shown,
        limit: 100,
        ...(after === null ? {} : { after }),
      });
      sellers.push(...page.sellers);
      after = page.nextAfter;
    } while (after !== null);
    const files = await csvFiles(
      (page) => api.exportAnnualTotals({ ...page, year: shown }),
      (row) => row.split(',')[1] ?? '',
    );
    result.replaceChildren(
      ...(sellers.length === 0
        ? [emptyText()]
        : [
            tableOf(sellers),
            ...files.map((file, at) => offerCsv(file, `annual-totals-${shown}-${at + 1}.csv`)),
          ]),
    );
    return `${count(sellers.length)} sellers.`;
  });
  return [section('Annual totals', form, result)];
}

function tableOf(sellers: readonly SellerYear[]): HTMLElement {
  return table(
    'Annual totals',
    ['Seller', 'Country', 'Tax number', '#Sales', '#Refunds', '#Fees', '#Payouts'],
    sellers.map(({ sellerLabel, country, taxCountry, taxNumber, totals }) => [
      element('code', {}, sellerLabel),
      country ?? taxCountry ?? '–',
      taxNumber === null ? '–' : `${taxCountry} ${taxNumber}`,
      money(totals.grossSalesCents),
      money(totals.refundCents),
      money(totals.feeCents),
      money(totals.payoutCents),
    ]),
  );
}
