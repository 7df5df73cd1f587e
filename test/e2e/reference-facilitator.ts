import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalChain } from '@agent-marketplace/devkit/chain/local-chain.ts';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

/** The third of anvil's own accounts: it has gas, and is not the marketplace's. */
const KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const NETWORKS = { 1: 'base', 2: 'eip155:8453' } as const;

export interface ReferenceFacilitator {
  readonly url: string;
  /** What it was asked, in order: `/verify 2`. */
  readonly calls: string[];
  /** Of its account. */
  readonly address: string;
  /** The chain starts with the marketplace, which wants to know the URL before. */
  use(chain: LocalChain): void;
  close(): Promise<void>;
}

type FacilitatorRequest = { x402Version: 1 | 2; paymentPayload: never; paymentRequirements: never };

/** A facilitator of the reference implementation's own parts, over HTTP. */
export async function startReferenceFacilitator(): Promise<ReferenceFacilitator> {
  const account = privateKeyToAccount(KEY);
  let schemes: { 1: ExactEvmSchemeV1; 2: ExactEvmScheme } | null = null;
  const calls: string[] = [];

  async function answer(path: string, body: string): Promise<unknown> {
    if (path === '/supported') {
      const kinds = ([1, 2] as const).map((x402Version) => ({
        x402Version,
        scheme: 'exact',
        network: NETWORKS[x402Version],
      }));
      return { kinds, extensions: [], signers: { 'eip155:*': [account.address] } };
    }
    const { x402Version, paymentPayload, paymentRequirements } = JSON.parse(body) as FacilitatorRequest;
    calls.push(`${path} ${x402Version}`);
    const scheme = schemes?.[x402Version];
    if (path === '/verify') return scheme?.verify(paymentPayload, paymentRequirements);
    if (path === '/settle') return scheme?.settle(paymentPayload, paymentRequirements);
    return undefined;
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const said = await answer(request.url ?? '', Buffer.concat(chunks).toString());
    response.writeHead(said === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(said ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    address: account.address,
    use(chain) {
      const client = createWalletClient({
        account,
        chain: base,
        transport: http(chain.url),
        pollingInterval: 50,
      }).extend(publicActions);
      const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never);
      schemes = { 1: new ExactEvmSchemeV1(signer), 2: new ExactEvmScheme(signer) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
