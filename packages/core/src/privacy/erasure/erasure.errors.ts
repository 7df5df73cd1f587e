import { defineErrors } from '../../kernel/errors.ts';

export const erasureErrors = defineErrors({
  erasure_blocked: {
    kind: 'conflict',
    title: 'Something of the account has to end before it can be erased.',
    remedy:
      'End what `errors` names, by kind and id. Of a balance: spend it, ask the operator to pay it back, or send ' +
      '`giveUpBalance`.',
  },
  erasure_list_unavailable: {
    kind: 'unavailable',
    title: 'The list of erasures could not be read.',
    remedy: 'Try again, or send `digests` as they were kept elsewhere.',
    retryable: true,
  },
  erasure_due: {
    kind: 'conflict',
    title: 'The account is to be erased already.',
    remedy: 'Read when with GET /agents/me/erasure, or cancel it with POST /account-erasures/cancel.',
  },
  erasure_not_due: {
    kind: 'conflict',
    title: 'No erasure of the account is due.',
    remedy: 'Nothing: it was cancelled, or it was carried out.',
  },
  erasure_link_invalid: {
    kind: 'forbidden',
    title: 'The link is not the one of an erasure that is due.',
    remedy: 'Open the newest link that was sent, or cancel with a key of the account.',
  },
});
