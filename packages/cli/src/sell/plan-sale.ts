import { CliFailure } from '../frame/cli-failure.ts';
import type { Terminal } from '../frame/terminal.ts';
import type { Credential } from '../gateway/gateway-config.ts';
import { credentialFault, type Secrets } from '../gateway/upstream-request.rules.ts';
import { planHttp } from './plan-http.rules.ts';
import { planMcp } from './plan-mcp.rules.ts';
import { planX402 } from './plan-x402.rules.ts';
import { resolveCredentials, shownVariable } from './resolve-credentials.rules.ts';
import type { PlanFault, Planned, SalePlan } from './sale-plan.rules.ts';
import type { SaleSource, SellOptions } from './sell-options.ts';
import { upstreamUrlFault } from './upstream-url.rules.ts';

/** Reads what is to be sold, and which secrets it takes. @throws CliFailure where it cannot be sold. */
export async function planSale(
  { kind, source }: SaleSource,
  options: SellOptions,
  { secrets, terminal }: { readonly secrets: Secrets; readonly terminal: Pick<Terminal, 'stdin'> },
): Promise<{ plan: SalePlan; credentials: readonly Credential[] }> {
  const { server, upstream } = options;
  for (const url of [kind === 'openapi' ? undefined : source, server, upstream]) {
    const fault = url === undefined ? null : upstreamUrlFault(url);
    if (fault !== null) throw new CliFailure('usage', fault.message, { hint: fault.hint });
  }
  if (kind === 'mcp') {
    // Even to list its tools, a server may want them.
    const credentials = requireCredentials(resolveCredentials([], options.secret), secrets);
    const { readTools } = await import('./read-tools.ts');
    const { serverName, tools } = await readTools(source, credentials, secrets);
    const plan = planOf(planMcp({ url: source, serverName, tools }, options.tool ?? null));
    return { plan: withExample(plan, options), credentials };
  }
  const read = planOf(await readPlan(kind, source, options, terminal));
  // An example of a bare URL goes with what the URL itself says.
  const plan = kind === 'openapi' ? withExample(read, options) : read;
  return {
    plan,
    credentials: requireCredentials(resolveCredentials(plan.credentialNeeds, options.secret), secrets),
  };
}

const withExample = (plan: SalePlan, { example }: SellOptions): SalePlan => ({
  ...plan,
  exampleQuery: example ?? plan.exampleQuery,
});

async function readPlan(
  kind: 'openapi' | 'x402' | 'http',
  source: string,
  options: SellOptions,
  terminal: Pick<Terminal, 'stdin'>,
): Promise<Planned> {
  const { operation = null, server = null, upstream = null, example = null } = options;
  switch (kind) {
    case 'openapi': {
      const { readDocument } = await import('./openapi/read-document.ts');
      const { planOpenApi } = await import('./openapi/plan-openapi.rules.ts');
      const { document, documentUrl } = await readDocument(source, terminal);
      return planOpenApi(document, { operation, server, documentUrl });
    }
    case 'x402': {
      const { readDemand } = await import('./read-demand.ts');
      return planX402(source, await readDemand(source), { upstream, example });
    }
    case 'http':
      return planHttp(source, { method: options.post ? 'post' : 'get', example });
  }
}

function planOf(planned: Planned): SalePlan {
  if (planned.kind === 'plan') return planned.plan;
  throw new CliFailure('usage', planned.message, { hint: planned.hint });
}

function requireCredentials(
  resolved: readonly Credential[] | PlanFault,
  secrets: Secrets,
): readonly Credential[] {
  if (!isCredentials(resolved)) throw new CliFailure('usage', resolved.message, { hint: resolved.hint });
  const missing = resolved.filter(({ env }) => !secrets[env]).map(({ env }) => env);
  const message =
    missing.length === 0
      ? resolved.map((one) => credentialFault(one, secrets)).find((fault) => fault !== null)
      : `Not set: ${missing.map(shownVariable).join(', ')}.`;
  if (message === undefined) return resolved;
  throw new CliFailure('config', message, {
    hint: 'Set it in the environment, or in a file of mode 0600 that you name with --env-file.',
  });
}

const isCredentials = (resolved: readonly Credential[] | PlanFault): resolved is readonly Credential[] =>
  Array.isArray(resolved);
