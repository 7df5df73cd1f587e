import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { ExitName } from '../frame/exit-codes.data.ts';
import { callOnce } from '../gateway/ask-upstream.ts';
import { repeatsCredential } from '../gateway/find-echo.rules.ts';
import type { Upstream } from '../gateway/gateway-config.ts';
import { type DeliveryOutcome, judgeData } from '../gateway/upstream-answer.rules.ts';
import type { Secrets } from '../gateway/upstream-request.rules.ts';
import { describeDropped } from './describe-dropped.rules.ts';
import type { SalePlan } from './sale-plan.rules.ts';
import { fitSchema } from './schemas/fit-schema.rules.ts';
import { inferSchema } from './schemas/infer-schema.rules.ts';
import { toListingSchema } from './schemas/listing-schema.rules.ts';

/** What one call of the upstream showed. */
export interface TriedExample {
  /** It reads answers as they turned out to be. */
  readonly upstream: Upstream;
  readonly data: JsonObject;
  readonly outputSchema: JsonObject;
  readonly notes: readonly string[];
}

export interface Trial {
  readonly plan: SalePlan;
  readonly upstream: Upstream;
  readonly query: JsonObject;
  readonly timeoutMs: number;
}

/**
 * Asks the upstream once, as for a buyer.
 *
 * @throws CliFailure if nothing came that could be sold.
 */
export async function tryExample(
  { plan, upstream, query, timeoutMs }: Trial,
  secrets: Secrets,
): Promise<TriedExample> {
  const readAs = await callOnce(upstream, query, { secrets, fetch: globalThis.fetch, timeoutMs });
  const outcomes = waysToRead(plan).map((answer) => ({ answer, outcome: readAs(answer) }));
  const good = outcomes.find(({ outcome }) => outcome.kind === 'data') ?? outcomes[0];
  const outcome = judgeData(good?.outcome ?? readAs(upstream.answer), null, (data) =>
    repeatsCredential(data, upstream.credentials, secrets),
  );
  if (good === undefined || outcome.kind !== 'data') throw failureOf(outcome, upstream);
  const { data } = outcome;
  const isAsPlanned = good.answer === upstream.answer;
  const known = isAsPlanned ? plan.outputSchema : null;
  const inferred = inferSchema(data);
  const { schema, dropped } = known ?? toListingSchema(inferred, inferred, 'output');
  const fitted = fitSchema(schema, data);
  return {
    upstream: { ...upstream, answer: good.answer } as Upstream,
    data,
    outputSchema: fitted.schema,
    notes: [
      ...describeDropped('outputSchema', known === null ? [] : dropped),
      ...(known === null ? ['outputSchema: it says the names and types of the example answer.'] : []),
      ...(fitted.relaxed.length === 0
        ? []
        : [
            `outputSchema: it says nothing of ${fitted.relaxed.slice(0, 5).join(', ') || 'the top'}, since the example answer does not fit what the document says there.`,
          ]),
      ...(isAsPlanned ? [] : [WAYS[good.answer] ?? ''].filter(Boolean)),
    ],
  };
}

const WAYS: Readonly<Record<string, string>> = {
  items: 'It answers a list, which is sold as the member `items`.',
  text: 'It answers a text, which is sold as the member `text`.',
};

/** The planned way first; a text only where nothing says that there is more in it. */
function waysToRead({ upstream, outputSchema }: SalePlan): readonly Upstream['answer'][] {
  const others: readonly Upstream['answer'][] =
    upstream.kind === 'http' ? ['object', 'items'] : ['structured', 'json', 'items'];
  if (upstream.kind === 'mcp') return outputSchema === null ? [...others, 'text'] : [upstream.answer];
  return [...new Set([upstream.answer, ...others, ...(outputSchema === null ? (['text'] as const) : [])])];
}

function failureOf(outcome: DeliveryOutcome, { credentials }: Upstream): CliFailure {
  const note = outcome.kind === 'data' ? '' : outcome.note;
  const status = outcome.kind === 'refusal' ? outcome.status : 404;
  const hints: Readonly<Record<number, string>> = {
    403:
      credentials.length === 0
        ? "If it wants a secret, put it into a variable and name it: --secret 'header:X-Key=VARIABLE'."
        : `Look at ${credentials.map(({ env }) => env).join(', ')}.`,
    404: "Try another example: --example '{…}'",
    422: "Try another example: --example '{…}'",
  };
  return new CliFailure(
    EXITS[status] ?? 'unreachable',
    `The example was asked for, and there is nothing to sell: ${note}`,
    { hint: hints[status] ?? null },
  );
}

const EXITS: Readonly<Record<number, ExitName>> = {
  403: 'key',
  404: 'usage',
  422: 'usage',
  429: 'try_later',
};
