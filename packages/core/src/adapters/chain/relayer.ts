import type {
  ChainToken,
  Hex,
  OutgoingTransfer,
  SignedTransfer,
  TransferAuthorization,
} from '../../kernel/ports/chain.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';
import type { RelayerObject } from './relayer.do.ts';
import type { PayAnswer, RelayAnswer } from './relayer-answers.ts';

/** The platform's own account on the chain; null when it cannot be reached, and nobody knows what it did. */
export interface Relayer {
  relay(transfer: SignedTransfer): Promise<RelayAnswer | null>;
  pay(transfer: OutgoingTransfer): Promise<PayAnswer | null>;
  /** The transaction by which it tries to make the transfer, or made it. */
  transactionOf(authorization: TransferAuthorization): Promise<{ transaction: Hex; sentAt: number } | null>;
}

/** On each chain there is one account, so there is one object: it gives each transaction its number. */
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
    relay: (transfer) => ask<RelayAnswer>((object) => object.relay(transfer)),
    pay: (transfer) => ask((object) => object.pay(transfer) as Promise<PayAnswer | null>),
    transactionOf: (authorization) => ask((object) => object.transactionOf(authorization)),
  };
}
