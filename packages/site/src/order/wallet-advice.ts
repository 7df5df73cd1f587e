/** Why a wallet of the browser signed nothing, and what to do. */
export const WALLET_ADVICE = {
  insufficient_funds: {
    what: 'Your account has too little USDC on Base.',
    next: 'Add USDC to it, or pay in another way.',
  },
  no_wallet: {
    what: 'There is no wallet in this browser.',
    next: 'Install one or open this page in its own browser, or pay in another way.',
  },
  no_wallet_chosen: {
    what: 'This browser has several wallets, and none of them is chosen.',
    next: 'Nothing was signed. Reload the page, choose USDC and a wallet, then try again.',
  },
  no_account: {
    what: 'Your wallet offered no account.',
    next: 'Unlock it and choose an account for this page, then try again.',
  },
  wallet_refused: {
    what: 'You refused it in your wallet.',
    next: 'Nothing was signed. Try again if you want to buy after all.',
  },
  wallet_busy: {
    what: 'Your wallet waits for an answer to an earlier request.',
    next: 'Open the wallet and answer it, then try again.',
  },
  wallet_silent: {
    what: 'Your wallet did not answer.',
    next: 'Nothing was sent, and what you still sign there is thrown away. Open the wallet, refuse what waits there, then try again.',
  },
  wallet_failed: {
    what: 'Your wallet did not sign.',
    next: 'Open it to see why, then try again, or pay in another way.',
  },
  wrong_chain: {
    what: 'Your wallet is on another network.',
    next: 'Nothing was signed. Switch the wallet to Base, then try again.',
  },
  chain_unknown: {
    what: 'Your wallet does not know the network Base.',
    next: 'Nothing was signed. Add Base in the wallet, then try again.',
  },
} as const;
