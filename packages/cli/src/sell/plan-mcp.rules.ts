import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { evaluateSchema } from '@agent-marketplace/protocol/schemas/evaluate-schema.rules.ts';
import { cleanLine, cleanText } from './clean-text.rules.ts';
import { type Planned, planFault } from './sale-plan.rules.ts';
import { exampleOf } from './schemas/example-value.rules.ts';
import { toListingSchema } from './schemas/listing-schema.rules.ts';

/** A tool as `tools/list` has it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly title?: string | undefined }
    | undefined;
}

/** How one tool of an MCP server is sold. */
export function planMcp(
  {
    url,
    serverName,
    tools,
  }: { readonly url: string; readonly serverName: string; readonly tools: readonly McpTool[] },
  name: string | null,
): Planned {
  const names = tools
    .slice(0, 20)
    .map((tool) => cleanLine(tool.name, 60))
    .join(', ');
  const tool =
    name === null ? (tools.length === 1 ? tools[0] : undefined) : tools.find((one) => one.name === name);
  if (tool === undefined) {
    const message =
      name === null ? 'Name the tool with --tool.' : `The MCP server has no tool "${cleanLine(name, 60)}".`;
    return planFault(message, tools.length === 0 ? 'It has none at all.' : `It has: ${names}.`);
  }
  const inputSchema = toListingSchema(documentOf(tool.inputSchema), documentOf(tool.inputSchema), 'input');
  const isStructured = isJsonObject(tool.outputSchema);
  const example = exampleOf(inputSchema.schema);
  const fits = isJsonObject(example) && evaluateSchema(inputSchema.schema, example)?.length === 0;
  const label = tool.title ?? tool.annotations?.title ?? tool.name;
  const title = cleanLine(serverName === '' ? label : `${label} (${serverName})`, 200);
  return {
    kind: 'plan',
    plan: {
      title: title.length < 3 ? `${title} tool` : title,
      description: cleanText(tool.description ?? label, 8000) || label,
      contextTags: ['mcp'],
      upstream: {
        kind: 'mcp',
        url,
        tool: tool.name,
        credentials: [],
        answer: isStructured ? 'structured' : 'text',
      },
      credentialNeeds: [],
      inputSchema,
      outputSchema: isStructured
        ? toListingSchema(documentOf(tool.outputSchema), documentOf(tool.outputSchema), 'output')
        : null,
      exampleQuery: fits ? example : null,
      documentedAnswer: undefined,
      priceCents: null,
      notes:
        tool.annotations?.readOnlyHint === false
          ? ['The tool says that it changes something: each sale does.']
          : [],
    },
  };
}

const documentOf = (schema: unknown): JsonObject => (isJsonObject(schema) ? schema : { type: 'object' });
