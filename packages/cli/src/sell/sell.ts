import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import { explainFailure } from '../frame/explain-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { startGateway, untilInterrupted } from '../gateway/add-gateway.ts';
import { readGatewayConfig, readSecrets } from '../gateway/config-file.ts';
import { repeatsCredential } from '../gateway/find-echo.rules.ts';
import type { GatewayListing, Upstream } from '../gateway/gateway-config.ts';
import { pendingNotice } from '../output/pending-notice.ts';
import { plainLine } from '../output/plain-text.ts';
import { describeDropped } from './describe-dropped.rules.ts';
import { draftListing } from './draft-listing.rules.ts';
import { type ListedSale, listForSale, readSeller } from './list-for-sale.ts';
import { planSale } from './plan-sale.ts';
import { proposeVertical } from './propose-vertical.rules.ts';
import type { SalePlan } from './sale-plan.rules.ts';
import type { SaleSource, SellOptions } from './sell-options.ts';
import { requireConsent, showListing } from './show-listing.ts';
import { tryExample } from './try-example.ts';

/** The marketplace waits for 30 s in all. */
const TIMEOUT_MS = 25_000;

/** Reads what there is, asks it once, shows the listing, and lists it when the seller agrees. */
export async function sell(shell: Shell, source: SaleSource, options: SellOptions): Promise<void> {
  const secrets = await readSecrets(options.envFile, shell.terminal.env);
  const { plan, credentials } = await planSale(source, options, { secrets, terminal: shell.terminal });
  const priceCents = options.priceCents ?? plan.priceCents;
  if (priceCents === null)
    throw new CliFailure('usage', 'Say what an answer costs: --price 0.05, or --price free.');
  const query = exampleOf(plan);
  if (!options.dryRun) {
    if (!options.duplicate) await requireUnlisted(shell, plan, options.config);
    // Before the API is asked: a key that may not sell would fail at the last step.
    if (shell.settings.apiKey !== null) await readSeller(shell);
  }
  const trial = {
    plan,
    upstream: { ...plan.upstream, credentials: [...credentials] } as Upstream,
    query,
    timeoutMs: TIMEOUT_MS,
  };
  const {
    upstream,
    data,
    outputSchema,
    notes: found,
  } = await shell.progress('Asking for the example', tryExample(trial, secrets));
  const { title, description, sample: showsSample } = options;
  const words = { title: title ?? plan.title, description: description ?? plan.description };
  requireWords(words);
  const vertical = await verticalFor(shell, words, options);
  const draft = draftListing(
    plan,
    { query, data, outputSchema },
    { title, description, vertical, priceCents, showsSample },
  );
  const notes = [...plan.notes, ...describeDropped('inputSchema', plan.inputSchema.dropped), ...found];
  if (repeatsCredential({ draft, upstream, notes }, credentials, secrets))
    throw new CliFailure(
      'usage',
      'The listing would show your credentials to everybody. Nothing is listed.',
      {
        hint: 'One stands in the title, the description, the example or a schema: say others, such as --title and --example.',
      },
    );
  if (options.dryRun) {
    shell.print({ listing: draft, upstream, notes }, showListing(draft, notes, shell));
    return;
  }
  await requireConsent(shell, draft, notes, options.yes === true);
  const { inputSchema } = draft;
  const gatewayListing: GatewayListing = {
    title: draft.title,
    upstream,
    inputSchema,
    outputSchema,
    timeoutMs: TIMEOUT_MS,
  };
  const { config, host, port, envFile } = options;
  const serve = options.serve ? () => startGateway(shell, { config, host, port, envFile }) : null;
  const { sale, running } = await listForSale(shell, { draft, gatewayListing }, options, serve);
  shell.print({ ...sale, title: draft.title, priceCents, notes }, describeSale(sale, draft.title));
  if (running === null) return;
  await untilInterrupted(shell);
  await running.close();
}

/** @throws CliFailure if the gateway sells the same at this marketplace. */
async function requireUnlisted(shell: Shell, plan: SalePlan, configPath: string): Promise<void> {
  const config = await readGatewayConfig(configPath);
  if (config === null || config.marketplace !== shell.url) return;
  const same = Object.entries(config.listings).find(([, { upstream }]) => isSame(upstream, plan.upstream));
  if (same === undefined) return;
  const [listingId, { title }] = same;
  throw new CliFailure('usage', `It is listed already, as "${plainLine(title)}": ${listingId}`, {
    hint: `Change it: agent-market listings edit ${listingId}\nTo list it a second time, add --duplicate.`,
    facts: { listingId },
  });
}

/** How its answers are read is seen only when it is asked. */
function isSame(listed: Upstream, { url, kind, ...planned }: Upstream): boolean {
  const route = (upstream: object) => {
    const { method, tool } = upstream as { readonly method?: string; readonly tool?: string };
    return method ?? tool;
  };
  return listed.kind === kind && listed.url === url && route(listed) === route(planned);
}

/** @throws CliFailure where there is none, or the marketplace would refuse it. */
function exampleOf({ exampleQuery, inputSchema: { schema } }: SalePlan): JsonObject {
  if (exampleQuery === null) throw withoutExample(schema);
  const [fault] = evaluateSchema(schema, exampleQuery) ?? [];
  if (fault === undefined) return exampleQuery;
  const place = fault.path.length === 0 ? '' : ` at ${fault.path.join('.')}`;
  throw new CliFailure('usage', `The example does not fit what the API takes${place}: ${fault.message}`, {
    hint: "Say another: --example '{…}'",
  });
}

function withoutExample(schema: JsonObject): CliFailure {
  const required = Array.isArray(schema.required) ? schema.required.join(', ') : '';
  const names = isJsonObject(schema.properties) ? Object.keys(schema.properties).slice(0, 20).join(', ') : '';
  return new CliFailure(
    'usage',
    `Nothing shows what a query looks like. Say one: --example '{…}'${required === '' ? '' : ` with ${required}`}.`,
    {
      hint: `It may have: ${names}.`,
    },
  );
}

/** What the seller says, if there is such a one; else a proposal: what is left out is filed by the marketplace itself. */
async function verticalFor(
  shell: Shell,
  words: { readonly title: string; readonly description: string },
  { vertical }: Pick<SellOptions, 'vertical'>,
): Promise<string | undefined> {
  const listed = await shell.client.listVerticals({}).catch((error: unknown) => {
    if (vertical === undefined || explainFailure(error)?.exit !== 'unreachable') throw error;
    return null;
  });
  if (listed === null) {
    shell.note('Whether there is such a vertical could not be found out: the marketplace does not answer.');
    return vertical;
  }
  const { verticals } = listed;
  if (vertical === undefined) return proposeVertical(words, verticals) ?? undefined;
  if (verticals.some(({ slug }) => slug === vertical)) return vertical;
  throw new CliFailure('usage', `There is no vertical "${vertical.slice(0, 100)}".`, {
    hint: `There are: ${verticals.map(({ slug }) => slug).join(', ')}.`,
  });
}

/** @throws CliFailure where the marketplace would refuse them. */
function requireWords({
  title,
  description,
}: {
  readonly title: string;
  readonly description: string;
}): void {
  if (title.trim() === '') throw new CliFailure('usage', 'The title is empty.');
  if (description.trim() === '') throw new CliFailure('usage', 'The description is empty.');
}

function describeSale(
  { listingId, status, notice, claimUrl, onboardingUrl, configPath, callbackUrl }: ListedSale,
  title: string,
): string {
  return [
    status === 'active'
      ? `"${title}" is for sale.`
      : `"${title}" is listed and ${status}. ${pendingNotice({ notice, claimUrl })}`.trim(),
    `Listing: ${listingId}`,
    `Gateway: ${callbackUrl}, configured in ${configPath}`,
    ...(onboardingUrl === null ? [] : [`Connect payouts: ${onboardingUrl}`]),
    `See it: agent-market show ${listingId}`,
  ].join('\n');
}
