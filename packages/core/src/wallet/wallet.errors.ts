import { defineErrors } from '../kernel/errors.ts';

export const walletErrors = defineErrors({
  payments_not_configured: {
    kind: 'unavailable',
    title: 'This deployment has no card processor.',
    remedy: 'Wallets cannot be filled here; free listings can be bought.',
  },
  wallet_cap_exceeded: {
    kind: 'conflict',
    title: 'The wallet would exceed its cap.',
    remedy:
      'Balance, refund credit, purchases that are not delivered yet and recharges under way count against the cap ' +
      '(GET /wallet/balance). Open pages of yours that nobody paid give way by themselves.',
  },
  no_saved_card: {
    kind: 'conflict',
    title: 'No card is saved with this agent.',
    remedy: 'Have a person open the URL from POST /wallet/payment-method once, then try again.',
  },
});
