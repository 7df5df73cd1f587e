import type { PayingAccount, TransferToSign } from '@agent-marketplace/sdk';
import { oneLine } from '../../../format/text.ts';

/** EIP-1193: what wallets put into pages. */
interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

export interface BrowserWallet {
  /** Stays the same while the page is open. */
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
}

/** Why a wallet signed nothing. */
export class WalletRefusal extends Error {
  readonly reason:
    | 'no_wallet'
    | 'no_wallet_chosen'
    | 'wallet_refused'
    | 'wallet_busy'
    | 'wallet_silent'
    | 'wrong_chain'
    | 'chain_unknown'
    | 'insufficient_funds'
    | 'no_account';

  constructor(reason: WalletRefusal['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Wallets answer at once; those that are loaded later are found at the next try. */
const ANNOUNCE_MS = 50;
const MAX_NAME_LENGTH = 40;

/** The wallets of this browser: those that announce themselves (EIP-6963), else the one at `window.ethereum`. */
export async function findWallets(): Promise<readonly BrowserWallet[]> {
  const found = new Map<string, BrowserWallet>();
  const hear = (event: Event) => {
    const { info, provider } = (event as CustomEvent).detail ?? {};
    if (typeof provider?.request !== 'function') return;
    const id = String(info?.uuid);
    found.set(id, { id, name: nameOf(info?.name), provider });
  };
  window.addEventListener('eip6963:announceProvider', hear);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  await new Promise((resolve) => setTimeout(resolve, ANNOUNCE_MS));
  window.removeEventListener('eip6963:announceProvider', hear);
  const { ethereum } = window as { ethereum?: Provider };
  if (found.size === 0 && typeof ethereum?.request === 'function')
    return [{ id: 'only', name: nameOf(undefined), provider: ethereum }];
  return [...found.values()];
}

const nameOf = (name: unknown) =>
  (typeof name === 'string' && oneLine(name, MAX_NAME_LENGTH)) || 'your wallet';

interface Progress {
  onSwitch(): void;
  onSign(): void;
}

/** The address of the account that the wallet offers. */
export async function addressIn({
  provider,
}: Pick<BrowserWallet, 'provider'>): Promise<PayingAccount['address']> {
  const accounts = await ask(provider, 'eth_requestAccounts');
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new WalletRefusal('no_account');
  return address as PayingAccount['address'];
}

/** Signs a text (EIP-191) on whatever network the wallet is. It goes as hex, since some wallets take a text for hex. */
export async function signText({ provider }: BrowserWallet, address: string, text: string): Promise<string> {
  const hex = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
  return String(await ask(provider, 'personal_sign', [`0x${hex.join('')}`, address]));
}

/** The account that the wallet offers, as one that signs payments: on the network of the payment, and if it has the amount. */
export async function accountIn({ provider }: BrowserWallet, progress: Progress): Promise<PayingAccount> {
  const address = await addressIn({ provider });
  return {
    address,
    async signTypedData(transfer) {
      await requireChain(provider, transfer.domain.chainId, progress);
      await requireBalance(provider, transfer);
      progress.onSign();
      const signature = await ask(provider, 'eth_signTypedData_v4', [address, typedDataOf(transfer)]);
      return String(signature) as `0x${string}`;
    },
  };
}

/** Codes of EIP-1193 and of wallets' JSON-RPC. */
const REFUSED = 4001;
const UNKNOWN_CHAIN = 4902;
const REQUEST_PENDING = -32_002;

/** Some wallets never say that their window was closed. What they sign after this is thrown away. */
const PATIENCE_MS = 180_000;

async function ask(provider: Provider, method: string, params: readonly unknown[] = []): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletRefusal('wallet_silent')), PATIENCE_MS);
  });
  try {
    return await Promise.race([provider.request({ method, params }), silence]);
  } catch (error) {
    const { code } = (error ?? {}) as { code?: unknown };
    if (code === REFUSED) throw new WalletRefusal('wallet_refused', error);
    if (code === REQUEST_PENDING) throw new WalletRefusal('wallet_busy', error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function requireChain(provider: Provider, chainId: number, { onSwitch }: Progress): Promise<void> {
  const isThere = async () => Number(await ask(provider, 'eth_chainId')) === chainId;
  if (await isThere()) return;
  onSwitch();
  try {
    await ask(provider, 'wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }]);
  } catch (error) {
    if (error instanceof WalletRefusal && error.reason === 'wallet_silent') throw error;
    const { code } = (error ?? {}) as { code?: unknown };
    throw new WalletRefusal(code === UNKNOWN_CHAIN ? 'chain_unknown' : 'wrong_chain', error);
  }
  if (!(await isThere())) throw new WalletRefusal('wrong_chain');
}

/** `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';

/** Nobody is asked to sign what cannot be paid. A wallet that cannot tell is asked to sign: the marketplace checks as well. */
async function requireBalance(provider: Provider, { domain, message }: TransferToSign): Promise<void> {
  const data = `${BALANCE_OF}${message.from.slice(2).toLowerCase().padStart(64, '0')}`;
  const call = { to: domain.verifyingContract, data };
  const balance = await ask(provider, 'eth_call', [call, 'latest']).catch(() => null);
  if (typeof balance !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(balance)) return;
  if (BigInt(balance) < message.value) throw new WalletRefusal('insufficient_funds');
}

const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** As `eth_signTypedData_v4` takes it: JSON, with whole numbers as texts. */
function typedDataOf({ domain, types, primaryType, message }: TransferToSign): string {
  return JSON.stringify(
    { domain, types: { EIP712Domain: DOMAIN_TYPE, ...types }, primaryType, message },
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
}
