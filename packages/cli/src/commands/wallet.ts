import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import { sendMoneyRequest } from '../frame/send-money-request.ts';
import type { Shell } from '../frame/shell.ts';
import { amount } from '../output/money.ts';
import { table } from '../output/table.ts';

type Balance = Awaited<ReturnType<MarketplaceClient['getWalletBalance']>>;
type Transactions = Awaited<ReturnType<MarketplaceClient['listWalletTransactions']>>['transactions'];

const POLL_MS = 3000;

export const addWallet: AddCommand = (program, act) => {
  const wallet = program
    .command('wallet')
    .description('Prepaid credits: balance, top-ups, transactions, the saved card.');

  wallet
    .command('balance', { isDefault: true })
    .description('What is in the wallet, and what happened there last.')
    .action(
      act(async (shell) => {
        const balance = await shell.me.getWalletBalance();
        shell.print(balance, await describe(balance));
      }),
    );

  wallet
    .command('fund')
    .description('Top up the wallet: prints the page on which a person pays.')
    .requiredOption('--amount-cents <cents>', '1000 to 50000', wholeNumber)
    .option('--wait', 'wait until it is paid')
    .action(
      act(async (shell, { amountCents, wait }) => {
        const lost = {
          outcome: `a page to pay ${amount(amountCents)} may be open, and nothing is charged before it is paid.`,
          look: 'agent-market wallet',
        };
        const topUp = await sendMoneyRequest(shell, lost, (me) => me.fundWallet({ amountCents }));
        if (!wait) {
          shell.print(topUp, `To pay ${amount(amountCents)}, open: ${topUp.checkoutUrl}`);
          return;
        }
        shell.note(`To pay ${amount(amountCents)}, open: ${topUp.checkoutUrl}`);
        const balance = await shell.progress(
          'Waiting for the payment.',
          sendMoneyRequest(shell, { ...lost, outcome: 'the page may be paid.' }, (me) =>
            untilPaid(shell, me, topUp),
          ),
        );
        shell.print(balance, await describe(balance));
      }),
    );

  wallet
    .command('transactions')
    .description('Every transaction, newest first, with the balance after it.')
    .option('--limit <rows>', 'rows of the page', wholeNumber)
    .option('--offset <rows>', 'rows to skip', wholeNumber)
    .action(
      act(async (shell, options) => {
        const page = await shell.me.listWalletTransactions(options);
        shell.print(page, await tableOf(page.transactions));
      }),
    );

  wallet
    .command('card')
    .description('Save a card: prints the page on which a person enters it.')
    .action(
      act(async (shell) => {
        const setup = await shell.me.setupPaymentMethod();
        shell.print(setup, `To save a card, open: ${setup.setupUrl}`);
      }),
    );

  wallet
    .command('recharge')
    .description('Charge the saved card when the wallet runs low, or no longer.')
    .option('--off', 'charge it no longer')
    .option('--below-cents <cents>', 'when the balance falls below this', wholeNumber)
    .option('--amount-cents <cents>', 'what is charged each time', wholeNumber)
    .option('--monthly-cap-cents <cents>', 'the most in a calendar month', wholeNumber)
    .action(
      act(async (shell, { off, belowCents, amountCents, monthlyCapCents }) => {
        const settings = {
          enabled: off !== true,
          thresholdCents: belowCents,
          rechargeAmountCents: amountCents,
          monthlyCapCents,
        };
        const lost = { outcome: 'the saved card may be charged.', look: 'agent-market wallet' };
        const changed = await sendMoneyRequest(shell, lost, (me) => me.configureAutoRecharge(settings));
        shell.print(
          changed,
          off ? 'The card is charged no longer.' : 'The card is charged when the wallet runs low.',
        );
      }),
    );
};

async function untilPaid(
  shell: Shell,
  me: MarketplaceClient,
  { topUpId }: { readonly topUpId: string },
): Promise<Balance> {
  for (;;) {
    const balance = await me.getWalletBalance();
    if (!balance.openTopUps.some((open) => open.topUpId === topUpId)) {
      if (balance.recentActivity.some((entry) => entry.topUpId === topUpId)) return balance;
      const { transactions } = await me.listWalletTransactions();
      if (transactions.some((entry) => entry.topUpId === topUpId)) return balance;
      throw new CliFailure('not_bought', 'The page was closed without a payment. Nothing was charged.', {
        facts: { charged: false, topUpId },
      });
    }
    await shell.terminal.sleep(POLL_MS, shell.terminal.interrupt);
  }
}

async function describe(balance: Balance): Promise<string> {
  const { balanceCents, refundCreditCents, reservedCents, availableToFundCents, savedCard, autoRecharge } =
    balance;
  return [
    `Balance ${amount(balanceCents)}${refundCreditCents > 0 ? ` and ${amount(refundCreditCents)} of refunds` : ''}; ${amount(reservedCents)} reserved`,
    `A top-up may add ${amount(availableToFundCents)}`,
    savedCard === null ? 'No card is saved' : `Card: ${savedCard.brand} …${savedCard.last4}`,
    autoRecharge.enabled
      ? `Recharges ${amount(autoRecharge.rechargeAmountCents)} below ${amount(autoRecharge.thresholdCents)}`
      : 'Does not recharge by itself',
    ...balance.openTopUps.map(
      ({ amountCents, checkoutUrl }) =>
        `Open top-up of ${amount(amountCents)}: ${checkoutUrl ?? 'the saved card is charged'}`,
    ),
    ...(balance.recentActivity.length === 0 ? [] : ['', await tableOf(balance.recentActivity)]),
  ].join('\n');
}

async function tableOf(transactions: Transactions): Promise<string> {
  if (transactions.length === 0) return 'There is none.';
  const columns = [
    { heading: 'AT' },
    { heading: 'WHAT' },
    { heading: 'AMOUNT', align: 'right' },
    { heading: 'BALANCE', align: 'right' },
    { heading: 'LISTING', width: 40 },
  ] as const;
  return table(
    columns,
    transactions.map(({ createdAt, kind, amountCents, balanceCents, listingTitle }) => [
      createdAt,
      kind.replaceAll('_', ' '),
      amount(amountCents),
      amount(balanceCents),
      listingTitle ?? '',
    ]),
  );
}
