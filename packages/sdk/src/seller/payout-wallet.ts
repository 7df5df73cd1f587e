import type { MarketplaceClient } from '../client/client.ts';
import type { Operations } from '../generated/api.ts';

/** An account that signs texts (EIP-191), such as those of viem, also of smart wallets. */
export interface MessageSigner {
  readonly address: `0x${string}`;
  signMessage(args: { message: string }): Promise<`0x${string}`>;
}

/**
 * Binds this account as your payout wallet: your share of sales is paid to it in USDC. It proves by a
 * signature that it is yours. Priced listings that waited for payouts go live. Your first destination is paid at once; one
 * that replaces another from `effectiveAt` on, and can be cancelled until then (`cancelPayoutChange`).
 *
 * Throws `MarketplaceError`: `payout_wallet_not_usable`, `payout_wallet_not_signed`,
 * `payout_change_pending`, `payout_changes_frozen`, and
 * `usdc_payouts_not_available` where the marketplace pays on no chain. (Clause: Payout wallet.)
 */
export async function bindPayoutWallet(
  seller: MarketplaceClient,
  account: MessageSigner,
): Promise<Operations['bindPayoutWallet']['output']> {
  const { nonce, message } = await seller.challengePayoutWallet({ address: account.address });
  const signature = await account.signMessage({ message });
  return seller.bindPayoutWallet({ nonce, signature });
}
