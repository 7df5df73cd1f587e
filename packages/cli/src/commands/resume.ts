import type { AddCommand } from '../frame/command.ts';
import { resumeUsdc } from '../purchase/pay-in-usdc.ts';
import { reportPurchase } from '../purchase/report-purchase.ts';

export const addResume: AddCommand = (program, act) => {
  program
    .command('resume')
    .description('Send a payment in USDC again whose outcome is unknown. It is charged once.')
    .argument('<file>', 'As buy named it.')
    .option('--output <file>', 'write the whole answer to a file, for verify')
    .action(
      act(async (shell, file, { output }) => {
        const { purchase } = await shell.progress('Sending the payment again.', resumeUsdc(shell, file));
        await reportPurchase(shell, shell.client, purchase, { output });
      }),
    );
};
