import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import { readPayment } from '../purchase/kept-payment.ts';
import { resumeUsdc } from '../purchase/pay-in-usdc.ts';
import { reportPurchase } from '../purchase/report-purchase.ts';
import { reportTab } from '../purchase/report-tab.ts';
import { resumeTabPayment } from '../purchase/tab-payment.ts';

export const addResume: AddCommand = (program, act) => {
  program
    .command('resume')
    .description('Send a payment in USDC again whose outcome is unknown. It is charged once.')
    .argument('<file>', 'as buy or tab open of this program named it')
    .option('--no-key', 'leave the API key out, as one that was revoked: the payment itself is enough')
    .option('--output <file>', 'write the whole answer to a file, for verify')
    .action(
      act(async (shell, file, { output, key }) => {
        const kept = await readPayment(file);
        if (kept === null)
          throw new CliFailure('usage', `${file} is no payment that this program kept.`, {
            hint: 'A payment of the SDK is sent again by its resumePayment, that of a tab by its resumeTab.',
          });
        const stored = { ...kept, isKeyless: !key };
        const sending = 'Sending the payment again.';
        if (stored.opensTab) {
          reportTab(shell, await shell.progress(sending, resumeTabPayment(shell, file, stored)));
          return;
        }
        const { purchase } = await shell.progress(sending, resumeUsdc(shell, file, stored));
        await reportPurchase(shell, shell.client, purchase, { output });
      }),
    );
};
