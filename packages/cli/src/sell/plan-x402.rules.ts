import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { cleanLine, cleanText } from './clean-text.rules.ts';
import { planHttp } from './plan-http.rules.ts';
import { type Planned, planFault } from './sale-plan.rules.ts';
import { toListingSchema } from './schemas/listing-schema.rules.ts';

/** What an x402 resource says of itself when it asks for payment, whichever version of x402 it speaks. */
interface ResourceTerms {
  readonly description: string;
  /** What it asks for, in cents, rounded up; null in another currency than USDC. */
  readonly priceCents: number | null;
  readonly method: 'get' | 'post';
  readonly exampleQuery: JsonObject;
  /** Null where it does not say. */
  readonly inputSchema: JsonObject | null;
  readonly exampleAnswer: Json | undefined;
}

export interface X402Choice {
  /** What lies behind the paywall, if it is another address. */
  readonly upstream: string | null;
  readonly example: JsonObject | null;
}

/**
 * How a resource that asks for x402 payments is sold here: by the words, price and examples of its payment demand. Buyers
 * pay the marketplace, so the gateway asks the resource behind its paywall.
 */
export function planX402(url: string, demand: Json, { upstream, example }: X402Choice): Planned {
  const terms = readTerms(demand);
  if (terms === null) return planFault('What asks for payment there is not x402: it has no list `accepts`.');
  const { method, exampleQuery, inputSchema, priceCents, description } = terms;
  const planned = planHttp(upstream ?? url, { method, example: { ...exampleQuery, ...example } });
  if (planned.kind === 'fault') return planned;
  const { plan } = planned;
  const { pathname, host } = new URL(url);
  return {
    kind: 'plan',
    plan: {
      ...plan,
      title:
        cleanLine(description, 200).length >= 3
          ? cleanLine(description.split(/[.\n]/)[0] ?? '', 200) || plan.title
          : plan.title,
      description:
        cleanText(description, 8000) || `What ${host}${pathname} answers, asked at the moment of purchase.`,
      contextTags: ['x402'],
      inputSchema:
        inputSchema === null ? plan.inputSchema : toListingSchema(inputSchema, inputSchema, 'input'),
      documentedAnswer: terms.exampleAnswer,
      priceCents,
      notes: [
        'Buyers pay the marketplace. The gateway asks your server past its paywall: by a secret of yours (--secret), or at another address (--upstream).',
      ],
    },
  };
}

const USDC_UNITS_A_CENT = 10_000;

function readTerms(demand: Json): ResourceTerms | null {
  if (!isJsonObject(demand) || !Array.isArray(demand.accepts)) return null;
  const accepted = demand.accepts.filter(isJsonObject);
  const [first] = accepted;
  if (first === undefined) return null;
  const resource = isJsonObject(demand.resource) ? demand.resource : first;
  const amounts = accepted
    .filter(isUsdc)
    .map(({ amount, maxAmountRequired }) => Number(amount ?? maxAmountRequired));
  const amount = amounts.find((one) => Number.isSafeInteger(one) && one >= 0);
  const { input, output, inputSchema } = discoveryOf(demand, first);
  const method = String(input.method ?? 'GET').toLowerCase() === 'post' ? 'post' : 'get';
  const sent = input.queryParams ?? input.bodyFields ?? input.body;
  const fields = isJsonObject(sent) ? sent : {};
  const isDescribed =
    inputSchema === null && Object.values(fields).some((one) => isJsonObject(one) && one.type !== undefined);
  return {
    description: typeof resource.description === 'string' ? resource.description : '',
    priceCents: amount === undefined ? null : Math.ceil(amount / USDC_UNITS_A_CENT),
    method,
    exampleQuery: isDescribed ? {} : fields,
    inputSchema: isDescribed ? schemaOfFields(fields) : inputSchema,
    exampleAnswer: output,
  };
}

/** By the extension `bazaar` of version 2, or `outputSchema` of version 1. */
function discoveryOf(
  demand: JsonObject,
  first: JsonObject,
): { input: JsonObject; output: Json | undefined; inputSchema: JsonObject | null } {
  const bazaar = isJsonObject(demand.extensions) ? demand.extensions.bazaar : undefined;
  if (isJsonObject(bazaar) && isJsonObject(bazaar.info)) {
    const { input, output } = bazaar.info;
    const queryParams = memberAt(bazaar.schema, ['properties', 'input', 'properties', 'queryParams']);
    const body = memberAt(bazaar.schema, ['properties', 'input', 'properties', 'body']);
    const schema = queryParams ?? body;
    return {
      input: isJsonObject(input) ? input : {},
      output: isJsonObject(output) ? output.example : undefined,
      inputSchema: isJsonObject(schema) ? schema : null,
    };
  }
  const described = isJsonObject(first.outputSchema) ? first.outputSchema : {};
  return {
    input: isJsonObject(described.input) ? described.input : {},
    output: undefined,
    inputSchema: null,
  };
}

function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((node, name) => (isJsonObject(node) ? node[name] : undefined), value);
}

/** Version 1 gives each field as `{type, description, required}`. */
function schemaOfFields(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
  const required = entries.filter(([, field]) => field.required === true).map(([name]) => name);
  const properties = entries.map(([name, { required: _, ...field }]) => [name, field]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const isUsdc = ({ extra, asset }: JsonObject): boolean => {
  const name = isJsonObject(extra) ? String(extra.name ?? '') : '';
  return (
    /^usd ?c(oin)?$/i.test(name) ||
    /^0x(833589fcd6edb6e08f4c7c32d4f71b54bda02913|036cbd53842c5426634e7929541ec2318f3dcf7e)$/i.test(
      String(asset),
    )
  );
};
