import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { recoverAddress } from 'viem';
import { parseErc6492Signature } from 'viem/utils';

interface SmartWallet {
  readonly owner: Hex;
  readonly factory: { readonly address: Hex; readonly isAllowed: boolean };
  isDeployed: boolean;
}

/** Whose signature it is: an ordinary account's, or that of a smart wallet with one owner. */
export class FakeWallets {
  readonly #wallets = new Map<string, SmartWallet>();

  add(address: Hex, wallet: SmartWallet): void {
    this.#wallets.set(address.toLowerCase(), wallet);
  }

  async hasSigned(account: Hex, hash: Hex, signature: Hex): Promise<boolean> {
    const wallet = this.#wallets.get(account.toLowerCase());
    if (!wallet) return (await signerOf(hash, signature)) === account.toLowerCase();
    const wrapped = isWrapped(signature) ? parseErc6492Signature(signature) : { signature };
    if (!wallet.isDeployed) {
      const factory = 'address' in wrapped ? wrapped.address?.toLowerCase() : undefined;
      if (factory !== wallet.factory.address.toLowerCase() || !wallet.factory.isAllowed) return false;
    }
    return (await signerOf(hash, wrapped.signature)) === wallet.owner.toLowerCase();
  }

  hasCode(address: Hex): boolean {
    return this.#wallets.get(address.toLowerCase())?.isDeployed === true;
  }

  deploy(address: Hex): void {
    const wallet = this.#wallets.get(address.toLowerCase());
    if (wallet) wallet.isDeployed = true;
  }
}

const isWrapped = (signature: Hex) => signature.endsWith('6492'.repeat(16));

async function signerOf(hash: Hex, signature: Hex): Promise<string | null> {
  if (signature.length !== 132) return null;
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase();
  } catch {
    return null;
  }
}
