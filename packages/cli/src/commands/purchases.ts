import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { Option } from '@commander-js/extra-typings';
import { wholeNumber } from '../frame/arguments.ts';
import type { AddCommand } from '../frame/command.ts';
import { money } from '../output/money.ts';
import { table } from '../output/table.ts';
import { collectPurchase } from '../purchase/buy-with-key.ts';
import { explainInterrupt } from '../purchase/explain-interrupt.ts';
import { reportPurchase } from '../purchase/report-purchase.ts';

type Purchases = Awaited<ReturnType<MarketplaceClient['listPurchases']>>;
type Purchase = Awaited<ReturnType<MarketplaceClient['getPurchase']>>;

const STATUSES = [
  'pending_payment',
  'authorized',
  'held',
  'releasing',
  'released',
  'refunded',
  'expired',
  'failed',
] as const;

export const addPurchases: AddCommand = (program, act) => {
  const purchases = program.command('purchases').description('What you bought, and tried to buy.');

  purchases
    .command('list', { isDefault: true })
    .description('Newest first, without content: no seller is asked, nothing is charged.')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--idempotency-key <key>', 'what the request with this key made; nothing: it charged nothing')
    .option('--limit <rows>', 'rows of the page', wholeNumber)
    .option('--cursor <cursor>', 'nextCursor of the page before')
    .action(
      act(async (shell, options) => {
        const page = await shell.me.listPurchases(options);
        shell.print(page, await describePage(page));
        if (page.nextCursor !== null) shell.note(`There are more: --cursor ${page.nextCursor}`);
      }),
    );

  purchases
    .command('show')
    .description('How one purchase stands. No seller is asked, nothing is charged.')
    .argument('<purchase-id>')
    .action(
      act(async (shell, purchaseId) => {
        const purchase = await shell.me.getPurchase({ purchaseId, content: 'omit' });
        shell.print(purchase, describe(purchase));
      }),
    );

  purchases
    .command('collect')
    .description('Get what was paid for. The seller is asked, and reserved money is charged if it delivers.')
    .argument('<purchase-id>')
    .option('--wait', 'wait until a person paid')
    .option('--output <file>', 'write the whole answer to a file, for verify')
    .action(
      act(async (shell, purchaseId, { wait = false, output }) => {
        shell.onInterrupt = () => explainInterrupt(shell, { purchaseId });
        const purchase = await collectPurchase(shell, purchaseId, { wait });
        if (purchase.status === 'pending_payment' && purchase.checkoutUrl !== null) {
          shell.print(purchase, `It is not paid for yet. To pay, open: ${purchase.checkoutUrl}`);
          return;
        }
        await reportPurchase(shell, shell.me, purchase, { output });
      }),
    );

  purchases
    .command('dispute')
    .description('Dispute a purchase in escrow: the money stays there until it is decided.')
    .argument('<purchase-id>')
    .requiredOption('--reason <text>', 'read by the operator, not by the seller')
    .action(
      act(async (shell, purchaseId, { reason }) => {
        const disputed = await shell.me.disputePurchase({ purchaseId, reason });
        shell.print(
          disputed,
          `Disputed. The operator decides; see agent-market purchases show ${purchaseId}`,
        );
      }),
    );
};

async function describePage({ purchases }: Purchases): Promise<string> {
  if (purchases.length === 0) return 'There is none.';
  const columns = [
    { heading: 'PURCHASE' },
    { heading: 'LISTING', width: 40 },
    { heading: 'PRICE', align: 'right' },
    { heading: 'STATUS' },
    { heading: 'BY' },
    { heading: 'AT' },
  ] as const;
  const rows = purchases.map(({ id, listingTitle, amountCents, status, failureCode, rail, createdAt }) => [
    id,
    listingTitle,
    money(amountCents),
    failureCode === null ? status : `${status} (${failureCode})`,
    amountCents === 0 ? '-' : rail,
    createdAt,
  ]);
  return table(columns, rows);
}

function describe(purchase: Purchase): string {
  const { id, listingId, status, failureCode, amountCents, rail, contentStatus, dispute, notice } = purchase;
  const dates = Object.entries({
    'Bought at': purchase.createdAt,
    'Delivered at': purchase.deliveredAt,
    'Collect until': purchase.collectUntil,
    'In escrow until': purchase.holdUntil,
    'To be shipped by': purchase.shipBy,
  });
  return [
    `Purchase ${id} of the listing ${listingId}`,
    `${status}${failureCode === null ? '' : ` (${failureCode})`} · ${money(amountCents)}${amountCents === 0 ? '' : ` by ${rail}`} · content: ${contentStatus}`,
    ...dates.flatMap(([name, at]) => (at === null ? [] : [`${name}: ${at}`])),
    ...(dispute === null ? [] : [`Dispute: ${dispute.status}`]),
    ...(notice === null ? [] : [notice.text]),
    ...(purchase.checkoutUrl === null ? [] : [`To pay, open: ${purchase.checkoutUrl}`]),
  ].join('\n');
}
