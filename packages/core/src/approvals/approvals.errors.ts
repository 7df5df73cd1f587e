import { defineErrors } from '../kernel/errors.ts';

/** Why what a key would buy waits for a person, or is not bought. */
export const approvalRefusals = defineErrors({
  approval_required: {
    kind: 'forbidden',
    title: 'A person must approve this purchase first.',
    remedy:
      'Give `approvalUrl` to the person behind the agent. Once it is approved, send the same request again within an hour, ' +
      'with the same Idempotency-Key if it had one.',
  },
  approval_declined: {
    kind: 'forbidden',
    title: 'A person declined this purchase.',
    remedy: 'Do not ask again for the same; the person has decided. It can be asked for anew in an hour.',
  },
  too_many_approvals: {
    kind: 'rate_limited',
    title: 'Too many purchases of this agent wait for approval.',
    remedy:
      'Wait until a person has decided some of them, each at its `approvalUrl`, or until they expire: after an hour. A person ' +
      'who wants to decide less raises `approvalAboveCents` of the key on the page /keys.',
    retryable: true,
  },
  approval_not_open: {
    kind: 'conflict',
    title: 'This was decided already, or its time is over.',
    remedy: 'Have the agent ask again: its purchase gets another address.',
  },
});

export const approvalErrors = {
  ...approvalRefusals,
  ...defineErrors({
    approval_not_found: {
      kind: 'not_found',
      title: 'Nothing waits for approval under this address.',
      remedy: 'Use the `approvalUrl` of the refused purchase as it is.',
    },
    not_the_owner: {
      kind: 'forbidden',
      title: 'This does not prove that the owner of the agent decides.',
      remedy:
        'Use a passkey that was enrolled for this agent, or the link that was mailed to its verified address. An API key ' +
        'approves nothing.',
    },
  }),
};
