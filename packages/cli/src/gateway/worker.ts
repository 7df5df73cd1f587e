import { createGateway } from './gateway.ts';
import { gatewayConfig } from './gateway-config.ts';

/** The gateway as a Worker: its configuration is deployed with it, and its secrets are the Worker's. */
export function createGatewayWorker(file: unknown) {
  const config = gatewayConfig.parse(file);
  /** One for all requests: it remembers messages that came before. */
  let gateway: ReturnType<typeof createGateway> | null = null;
  return {
    fetch(request: Request, secrets: Record<string, string>): Promise<Response> {
      const log = (line: string) => console.log(line);
      // In workerd `fetch` must be called as a function of the runtime, not of an object.
      gateway ??= createGateway({
        config: () => config,
        secrets,
        log,
        fetch: (input, init) => fetch(input, init),
      });
      return gateway(request);
    },
  };
}
