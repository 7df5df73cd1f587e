import { Chip } from '../../components/chip.tsx';
import { JsonFigure } from '../../components/code.tsx';
import { SaleSteps } from '../../components/sale/sale-steps.tsx';
import { SellerText } from '../../components/text.tsx';
import { price } from '../../format/figures.ts';
import { type SaleStage, type SaleStep, stepsOfSale } from '../../order/sale-steps.ts';
import { RAILS } from '../books/classes.ts';
import type { Books } from './figures.ts';

type Sale = Books['ledger'][number];

/** How a sale goes, told by the last one that was recorded, and the signed record of it. */
export function SaleBand({ books, apiBaseUrl }: { books: Books | null; apiBaseUrl: string }) {
  // A free one is never in escrow, and shows less of how it goes.
  const sale = books?.ledger.find(({ amountCents }) => amountCents > 0) ?? books?.ledger[0];
  return (
    <section class="sheet stack" aria-labelledby="sale">
      <h2 id="sale">How a sale goes</h2>
      {sale && <WhichSale sale={sale} />}
      <SaleSteps steps={explainedSteps(sale)} />
      {sale && (
        <details id="record" data-api={apiBaseUrl} data-sale={sale.id}>
          <summary>Open the signed record of this sale</summary>
          <div class="stack">
            <p class="note" id="record-verdict" role="status">
              The marketplace signed the answer that has this record. Your browser checks it when scripts run;
              you can also paste the answer on <a href="/verify">the page that checks receipts</a>.
            </p>
            <JsonFigure label="Record" value={sale} />
          </div>
        </details>
      )}
    </section>
  );
}

function WhichSale({ sale }: { sale: Sale }) {
  const rail = RAILS.find(([name]) => name === sale.rail)?.[1] ?? sale.rail;
  return (
    <p>
      {sale.amountCents > 0 ? 'The last priced sale' : 'The last recorded sale'}:{' '}
      <strong>{price(sale.amountCents)}</strong> for something in {sale.verticalName}, from{' '}
      <SellerText text={sale.seller} /> to <SellerText text={sale.buyer} />. <Chip>{rail}</Chip>
    </p>
  );
}

const NOTES: Readonly<Record<SaleStage, string>> = {
  reserved: 'The price is set aside. Nothing is charged.',
  asked: 'The marketplace asks the seller. If that fails, you pay nothing.',
  delivered: 'You have the answer and a signed receipt, and are charged now.',
  escrow: 'The money waits while you can open a dispute.',
  paidOut: 'The seller is paid.',
};

/** The steps of a recorded sale; without one, what each of them means. */
function explainedSteps(sale: Sale | undefined): SaleStep[] {
  if (sale === undefined) {
    return stepsOfSale({ status: 'released', amountCents: 1 }).map(({ stage, label }) => ({
      label,
      at: null,
      standing: 'to come',
      note: NOTES[stage],
    }));
  }
  const { status, amountCents, createdAt } = sale;
  return stepsOfSale({ status, amountCents, deliveredAt: createdAt }).map((step) =>
    step.standing === 'failed' ? step : { ...step, note: noteOf(step.stage, amountCents) },
  );
}

const noteOf = (stage: SaleStage, amountCents: number): string =>
  amountCents > 0
    ? NOTES[stage]
    : stage === 'asked'
      ? 'The marketplace asks the seller.'
      : 'You have the answer and a signed receipt.';
