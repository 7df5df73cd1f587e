/** What the program ends with: a closed list that scripts may rely on. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'It was done. Also: the reader of a pipe, such as `head`, had enough.' },
  fault: { code: 1, meaning: 'A fault of this program, or a Node that is too old.' },
  usage: {
    code: 2,
    meaning:
      'The command, an option or an argument is wrong or missing. Nothing was sent that changes anything.',
  },
  config: {
    code: 3,
    meaning:
      'The config file cannot be read or written, or lacks what the command needs: an address, a profile.',
  },
  unreachable: {
    code: 4,
    meaning:
      'No answer, or what answers is no marketplace. No request was sent that may move money: after one, it is 12.',
  },
  untrusted: {
    code: 5,
    meaning:
      'The answer is not signed by the marketplace, or was changed on its way. Nothing of it is shown.',
  },
  key: { code: 6, meaning: 'The API key is missing, wrong, expired or revoked, or may not do this.' },
  not_found: { code: 7, meaning: 'What you named does not exist, or is not yours.' },
  refused: {
    code: 8,
    meaning: 'The marketplace refuses the request as it is: a field, or the state of what it is about.',
  },
  price: { code: 9, meaning: 'It costs more than you allow, or than was shown. Nothing was charged.' },
  not_bought: {
    code: 10,
    meaning:
      'Not bought, and nothing was charged: no funds, a budget, sold out, or the seller did not deliver.',
  },
  approval: { code: 11, meaning: 'A person must approve the purchase first. Nothing was charged.' },
  unresolved: {
    code: 12,
    meaning:
      'Money may have moved, and there is no content, or the answer was lost: look it up before you buy or pay anew.',
  },
  try_later: {
    code: 13,
    meaning:
      'Not now: a limit of requests, or a part of the marketplace is down. The same command may succeed later.',
  },
  invalid: { code: 14, meaning: 'What was to be verified is not valid, or cannot be judged.' },
  interrupted: { code: 130, meaning: 'You stopped it with Ctrl-C.' },
} as const;

export type ExitName = keyof typeof EXIT_CODES;
