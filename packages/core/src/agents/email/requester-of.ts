import type { OperationContext } from '../../kernel/operation/operation.ts';
import { wideNetworkOf } from '../../kernel/operation/rate-key.ts';

/** The network that asks for a mail, as a keyed hash. Whoever has a /48 has 65,536 networks to ask from: they are one. */
export const requesterOf = ({
  ports,
  network,
}: Pick<OperationContext, 'ports' | 'network'>): Promise<string> =>
  ports.keyedHash.hex('mail_requester', wideNetworkOf(network) ?? network);
