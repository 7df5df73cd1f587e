import type { ChainControl } from '@agent-marketplace/devkit/chain/control.ts';
import type { Browser } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** A page with a browser wallet (EIP-1193) that has a real key: what it is asked, and how it answers. */
export async function pageWithWallet(browser: Browser, chain: ChainControl) {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = {
    chainId: 1,
    refuses: [] as string[],
    /** It never answers these, as where its window was closed. */
    silentAt: [] as string[],
    isGone: false,
    knowsBase: true,
    asked: [] as string[],
  };
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.exposeFunction('askWallet', async (method: string, params: readonly unknown[]) => {
    wallet.asked.push(method);
    // Of EIP-1193: disconnected from all chains.
    if (wallet.isGone) return { error: 4900 };
    if (wallet.refuses.includes(method)) return { error: 4001 };
    if (wallet.silentAt.includes(method)) return new Promise(() => {});
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [account.address] };
      case 'eth_chainId':
        return { result: `0x${wallet.chainId.toString(16)}` };
      case 'wallet_switchEthereumChain':
        if (!wallet.knowsBase) return { error: 4902 };
        wallet.chainId = Number((params[0] as { chainId: string }).chainId);
        return { result: null };
      case 'eth_call':
        return { result: (await chain.rpc([[method, params]]))[0] };
      case 'eth_signTypedData_v4': {
        const { domain, types, primaryType, message } = JSON.parse(String(params[1]));
        // A wallet signs for the network that it is on, and no other.
        if (domain.chainId !== wallet.chainId) return { error: -32603 };
        const { EIP712Domain: _domain, ...own } = types;
        return { result: await account.signTypedData({ domain, types: own, primaryType, message }) };
      }
      case 'personal_sign':
        return { result: await account.signMessage({ message: { raw: params[0] as `0x${string}` } }) };
      default:
        return { error: 4200 };
    }
  });
  await page.addInitScript(`
    window.ethereum = {
      async request({ method, params = [] }) {
        const { result, error } = await window.askWallet(method, params);
        if (error !== undefined) throw Object.assign(new Error('refused'), { code: error });
        return result;
      },
    };
  `);
  return { page, context, wallet, account };
}
