import { Option } from '@commander-js/extra-typings';
import { wholeNumber } from '../frame/arguments.ts';
import type { AddCommand } from '../frame/command.ts';
import { amount } from '../output/money.ts';
import { table } from '../output/table.ts';

export const addOrders: AddCommand = (program, act) => {
  const orders = program.command('orders').description('What you sold.');

  orders
    .command('list', { isDefault: true })
    .description('Your sales, newest first.')
    .addOption(
      new Option('--status <status>').choices(['held', 'releasing', 'released', 'refunded'] as const),
    )
    .addOption(
      new Option('--only <kind>', 'what a buyer or a bank disputes, or did').choices(['disputed'] as const),
    )
    .option('--limit <rows>', 'rows of the page', wholeNumber)
    .option('--cursor <cursor>', 'nextCursor of the page before')
    .action(
      act(async (shell, options) => {
        const page = await shell.me.listSales(options);
        const rows = page.sales.map(
          ({
            purchaseId,
            title,
            amountCents,
            platformFeeCents,
            status,
            awaitsShipment,
            shipBy,
            holdUntil,
          }) => [
            purchaseId,
            title,
            amount(amountCents - platformFeeCents),
            status,
            awaitsShipment ? `ship by ${shipBy}` : status === 'held' ? `paid after ${holdUntil}` : '',
          ],
        );
        const columns = [
          { heading: 'ORDER' },
          { heading: 'LISTING', width: 40 },
          { heading: 'YOURS', align: 'right' },
          { heading: 'STATUS' },
          { heading: '' },
        ] as const;
        shell.print(page, rows.length === 0 ? 'There is none.' : await table(columns, rows));
        if (page.nextCursor !== null) shell.note(`There are more: --cursor ${page.nextCursor}`);
      }),
    );

  orders
    .command('ship')
    .description('Record the shipment of a physical order; its time in escrow begins.')
    .argument('<purchase-id>')
    .requiredOption('--carrier <name>')
    .requiredOption('--tracking-number <number>')
    .action(
      act(async (shell, purchaseId, { carrier, trackingNumber }) => {
        const shipped = await shell.me.shipOrder({ purchaseId, carrier, trackingNumber });
        shell.print(shipped, `Recorded: ${carrier} ${trackingNumber}.`);
      }),
    );
};
