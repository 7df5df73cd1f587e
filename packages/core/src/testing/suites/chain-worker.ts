import { createChain } from '../../adapters/chain/create-chain.ts';
import type { RelayerObject } from '../../adapters/chain/relayer.do.ts';
import { consoleLog } from '../../adapters/system/system.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { type ChainVariables, readChainConfiguration } from '../../compose/chain-configuration.ts';
import { packValues, unpackValues } from '../fixtures/pack-values.ts';

/** @public Found by its name: the Worker is bundled by path. */
export { RelayerObject } from '../../adapters/chain/relayer.do.ts';

interface Bindings extends ChainVariables {
  readonly RELAYER: DurableObjectNamespace<RelayerObject>;
}

/**
 * Lets a test call a chain that lives in workerd: `{method, args}` in, what it answers out.
 *
 * @public
 */
export default {
  async fetch(request, bindings) {
    const options = readChainConfiguration(bindings);
    if (!options) return new Response('There is no chain.', { status: 500 });
    const parts = { clock: systemClock, log: consoleLog, payWaitMs: 400 };
    const chain = createChain(options, bindings, parts);
    const { method, args } = unpackValues(await request.text()) as {
      method: keyof typeof chain;
      args: never[];
    };
    const call = chain[method] as unknown as (...args: never[]) => Promise<unknown>;
    return new Response(packValues(await call(...args)));
  },
} satisfies ExportedHandler<Bindings>;
