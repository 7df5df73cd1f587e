import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { csvOf } from '../kernel/csv.ts';
import { dollarsOf } from '../kernel/dollars.ts';
import type { Statement } from './read-statement.ts';

const COLUMNS = [
  'number',
  'at',
  'kind',
  'purchase_id',
  'listing_title',
  'gross_cents',
  'fee_cents',
  'amount_cents',
  'balance_cents',
  'currency',
];

/** One line for each line of the statement. The columns stay in this order; further ones would follow them. */
export function statementCsv({ lines }: Pick<Statement, 'lines'>): string {
  return csvOf(
    COLUMNS,
    lines.map((line) => [
      line.number,
      line.at,
      line.kind,
      line.purchaseId,
      line.listingTitle,
      line.grossCents,
      line.feeCents,
      line.amountCents,
      line.balanceCents,
      'USD',
    ]),
  );
}

/** A page of its own that prints, with nothing loaded from anywhere. */
export function statementHtml(statement: Statement): string {
  const { month, seller, isFinal, totals, lines, feeInvoice } = statement;
  const { sellerLabel, country, taxCountry, taxNumber } = seller;
  const tax = [
    country === null ? '' : `Country: ${country}. `,
    taxNumber === null ? '' : `Tax number: ${taxCountry ?? ''} ${taxNumber}. `,
  ].join('');
  const summary: [string, number][] = [
    ['Escrow at the beginning', statement.openingBalanceCents],
    [`Sales (${totals.sales})`, totals.grossSalesCents],
    [`Refunds (${totals.refunds})`, 0 - totals.refundCents],
    ['Platform fees', 0 - totals.feeCents],
    ['Adjustments', totals.adjustmentCents],
    ['Payouts', 0 - totals.payoutCents],
    ...(totals.payoutGasCents > 0
      ? [['Of the payouts, gas that you bore', totals.payoutGasCents] as [string, number]]
      : []),
    ['Escrow at the end', statement.closingBalanceCents],
  ];
  const invoice = feeInvoice
    ? `<p>Fee invoice ${textOf(feeInvoice.number)}: ${BRAND.operator} charged USD ${dollars(feeInvoice.feeCents)} for its services in ${month}.</p>`
    : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Statement ${month}, ${textOf(sellerLabel)}</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #111; background: #fff; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid #ccc; text-align: left; vertical-align: top; }
td.cents, th.cents { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
</style>
</head>
<body>
<h1>Statement for ${month}</h1>
<p>${textOf(sellerLabel)}, ${BRAND.platform}. ${textOf(tax)}Amounts in US dollars; times in UTC.${isFinal ? '' : ' This month is not over: figures may change.'}</p>
<table>
<caption>Summary</caption>
${summary.map(([name, cents]) => `<tr><th scope="row">${name}</th><td class="cents">${dollars(cents)}</td></tr>`).join('\n')}
</table>
${invoice}
<table>
<caption>Lines</caption>
<thead><tr><th>Number</th><th>Time</th><th>Kind</th><th>Listing</th><th>Purchase</th><th class="cents">Gross</th><th class="cents">Fee</th><th class="cents">Net</th><th class="cents">Escrow</th></tr></thead>
<tbody>
${lines
  .map(
    (line) =>
      `<tr><td>${line.number}</td><td>${line.at}</td><td>${line.kind}</td><td>${textOf(line.listingTitle ?? '')}</td><td>${textOf(line.purchaseId)}</td>${[line.grossCents, line.feeCents, line.amountCents, line.balanceCents].map((cents) => `<td class="cents">${dollars(cents)}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody>
</table>
</body>
</html>
`;
}

/** Titles are sellers' text. */
function textOf(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** With commas between thousands, for people. */
function dollars(cents: number): string {
  return dollarsOf(cents).replace(/\B(?=(\d{3})+\.)/g, ',');
}
