import { Option } from '@commander-js/extra-typings';
import type { AddCommand } from '../frame/command.ts';

export const addRate: AddCommand = (program, act) => {
  program
    .command('rate')
    .description('Rate what you paid for. Rating it again replaces the rating.')
    .argument('<purchase-id>')
    .addOption(
      new Option('--stars <stars>', '1 is worst, 5 is best')
        .choices(['1', '2', '3', '4', '5'] as const)
        .makeOptionMandatory(),
    )
    .option('--comment <text>', 'public')
    .action(
      act(async (shell, purchaseId, { stars, comment }) => {
        const { listingId } = await shell.me.getPurchase({ purchaseId, content: 'omit' });
        const rating = await shell.me.rateListing({ listingId, purchaseId, rating: Number(stars), comment });
        shell.print(
          rating,
          `Rated ${stars} of 5. With --json you get the salt that proves the rating is yours.`,
        );
      }),
    );
};
