import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type {
  GasCost,
  GasState,
  OutgoingTransfer,
  SettlementPayer,
  SignedTransfer,
  TransferAuthorization,
} from '../../kernel/ports/chain.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';
import type { RelayerObject } from './relayer.do.ts';
import type { PayAnswer, RelayAnswer, RelayQuote } from './relayer-answers.ts';

/** The platform's own account on the chain. Null: it could not be reached, and may or may not have acted. */
export interface Relayer {
  quote(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayQuote | null>;
  relay(transfer: SignedTransfer, payer: SettlementPayer): Promise<RelayAnswer | null>;
  pay(transfer: OutgoingTransfer): Promise<PayAnswer | null>;
  gas(): Promise<GasState | null>;
  gasCosts(afterId: number): Promise<GasCost[] | null>;
  /** The transaction that makes the transfer, mined or still waiting. */
  transactionOf(authorization: TransferAuthorization): Promise<{ transaction: Hex; sentAt: number } | null>;
}

/** One object for each chain: it alone assigns the nonces of the platform's account. */
export function createRelayer(
  namespace: DurableObjectNamespace<RelayerObject>,
  { chainId }: Pick<ChainToken, 'chainId'>,
): Relayer {
  const name = `eip155:${chainId}`;

  async function ask<Answer>(call: (object: DurableObjectStub<RelayerObject>) => Promise<Answer>) {
    try {
      return disposeRpcResult(await call(namespace.getByName(name)));
    } catch {
      return null;
    }
  }
  return {
    quote: (transfer, payer) => ask<RelayQuote>((object) => object.quote(transfer, payer)),
    relay: (transfer, payer) => ask<RelayAnswer>((object) => object.relay(transfer, payer)),
    pay: (transfer) => ask((object) => object.pay(transfer) as Promise<PayAnswer | null>),
    gasCosts: (afterId) => ask((object) => object.gasCosts(afterId) as Promise<GasCost[] | null>),
    gas: () => ask((object) => object.gas() as Promise<GasState | null>),
    transactionOf: (authorization) => ask((object) => object.transactionOf(authorization)),
  };
}
