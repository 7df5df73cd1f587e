import { createGateway } from './gateway.ts';
import { gatewayConfig } from './gateway-config.ts';
import { durableAnswers, PurchaseAnswer } from './purchase-answer.ts';
import type { Secrets } from './upstream-request.rules.ts';

export { PurchaseAnswer };

/** What `wrangler.toml` binds, beside the secrets. */
interface Bindings {
  readonly ANSWERS?: DurableObjectNamespace<PurchaseAnswer>;
}

/** The gateway as a Worker: its configuration is deployed with it, and its secrets are the Worker's. */
export function createGatewayWorker(file: unknown) {
  const config = gatewayConfig.parse(file);
  /** One for all requests: it remembers messages that came before. */
  let gateway: ReturnType<typeof createGateway> | null = null;
  return {
    fetch(request: Request, { ANSWERS, ...secrets }: Bindings): Promise<Response> {
      gateway ??= gatewayOver(ANSWERS, secrets as Secrets);
      return gateway(request);
    },
  };

  function gatewayOver(objects: Bindings['ANSWERS'], secrets: Secrets) {
    const log = (line: string) => console.log(line);
    if (objects === undefined)
      log(
        'wrangler.toml binds no ANSWERS: answers are kept in memory only. Export with --force to have them stored.',
      );
    return createGateway({
      config: () => config,
      secrets,
      log,
      ...(objects !== undefined && { answers: durableAnswers(objects) }),
      // In workerd `fetch` must be called as a function of the runtime, not of an object.
      fetch: (input, init) => fetch(input, init),
    });
  }
}
