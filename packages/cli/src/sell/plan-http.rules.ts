import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Planned } from './sale-plan.rules.ts';
import { planFault } from './sale-plan.rules.ts';
import { inferSchema } from './schemas/infer-schema.rules.ts';
import { secretMemberFault } from './upstream-url.rules.ts';

export interface HttpChoice {
  readonly method: 'get' | 'post';
  /** What is sent as an example: members of the path, the query and, of POST, the body. */
  readonly example: JsonObject | null;
}

/**
 * How a bare URL is sold: its query string is an example of what buyers send, and `{name}` in its path is a part that
 * they choose. Of POST, the members of the example that are not in the path make the body.
 */
export function planHttp(text: string, { method, example }: HttpChoice): Planned {
  // `{` in a path would be encoded.
  const template = text.split(/[?#]/)[0] ?? '';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return planFault(
      `"${text.slice(0, 200)}" is not a URL such as https://api.example/v1/cities/{id}?unit=c.`,
    );
  const { searchParams, host, username, password } = new URL(text);
  if (username !== '' || password !== '')
    return planFault(
      'The URL has a user name or a password in it.',
      "Put it into a variable: --secret 'basic=VARIABLE'.",
    );
  const places = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const fromUrl = new Map<string, Json>();
  for (const [name, value] of searchParams) fromUrl.set(name, typedValue(value));
  const members: JsonObject = { ...Object.fromEntries(fromUrl), ...example };
  const isInUrl = (name: string) => places.includes(name) || fromUrl.has(name);
  const bodyMembers = method === 'get' ? [] : Object.keys(members).filter((name) => !isInUrl(name));
  const sentInUrl = Object.keys(members).filter(
    (name) => !places.includes(name) && !bodyMembers.includes(name),
  );
  const fault = secretMemberFault(sentInUrl);
  if (fault !== null) return fault;
  const missing = places.find((name) => !Object.hasOwn(members, name));
  const { properties = {} } = inferSchema(members);
  const required = [...new Set([...places, ...fromUrl.keys(), ...bodyMembers])];
  const path = template.replace(/^https?:\/\/[^/]*/i, '');
  return {
    kind: 'plan',
    plan: {
      title: `${method.toUpperCase()} ${path === '' ? '/' : path} of ${host}`.slice(0, 200),
      description: `What ${host} answers at ${path === '' ? '/' : path}, asked at the moment of purchase.`,
      contextTags: [],
      upstream: {
        kind: 'http',
        method,
        url: template,
        parameters: [...new Set([...places, ...sentInUrl])].map((name) => ({
          member: name,
          name,
          in: places.includes(name) ? 'path' : 'query',
          style: places.includes(name) ? 'simple' : 'form',
          explode: !places.includes(name),
        })),
        fixed: [],
        credentials: [],
        body: bodyMembers.length === 0 ? null : { encoding: 'json', members: bodyMembers, member: null },
        answer: 'object',
      },
      credentialNeeds: [],
      inputSchema: {
        schema: {
          type: 'object',
          properties: withPlaces(properties as JsonObject, places),
          ...(required.length > 0 && { required }),
          additionalProperties: false,
        },
        dropped: [],
      },
      outputSchema: null,
      exampleQuery: missing === undefined ? members : null,
      documentedAnswer: undefined,
      priceCents: null,
      notes: [
        'The types of the query are guessed from the example: --title and --description say what a URL cannot.',
      ],
    },
  };
}

/** A part of the path of which there is no example yet is a text. */
const withPlaces = (properties: JsonObject, places: readonly string[]): JsonObject => ({
  ...Object.fromEntries(places.map((name) => [name, { type: 'string' }])),
  ...properties,
});

/** Numbers and yes or no are sold as such: a buyer would write `52.5`, not `"52.5"`. */
function typedValue(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(text) ? Number(text) : text;
}
