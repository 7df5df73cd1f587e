import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { oncePerBaseUrl } from '../http/once-per-base-url.ts';
import { renderDescriptions, type TextRenderer } from './name-tools.ts';
import { isTool, type ToolOperation } from './names.ts';
import { type ToolSchema, toolInputSchema, toolOutputSchema } from './tool-schema.ts';

/** A tool in the answer to `tools/list`. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly outputSchema: ToolSchema;
  readonly annotations: ToolAnnotations;
}

interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export function describeTool(operation: ToolOperation, connectionHasKey: boolean): ToolDescription {
  const { tool, title, description, hints } = operation.mcp;
  return {
    name: tool,
    title,
    description,
    inputSchema: toolInputSchema(operation, connectionHasKey),
    outputSchema: toolOutputSchema(operation),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      // Every answer may contain text of sellers.
      openWorldHint: true,
    },
  };
}

export interface Toolbox {
  find(tool: string): ToolOperation | null;
  /** Built once per base URL: building the schemas takes longer than most calls. */
  list(connectionHasKey: boolean, baseUrl: string): Promise<readonly ToolDescription[]>;
}

export function createToolbox(operations: readonly AnyOperation[], nameTools: TextRenderer): Toolbox {
  const tools = operations.filter(isTool);
  const byName = new Map(tools.map((operation) => [operation.mcp.tool, operation]));
  const listFor = (connectionHasKey: boolean) =>
    oncePerBaseUrl(async (baseUrl) =>
      renderDescriptions(
        tools.map((operation) => describeTool(operation, connectionHasKey)),
        (text) => nameTools(text, baseUrl),
      ),
    );
  const [listWithKey, listWithoutKey] = [listFor(true), listFor(false)];
  return {
    find: (tool) => byName.get(tool) ?? null,
    list: (connectionHasKey, baseUrl) => (connectionHasKey ? listWithKey : listWithoutKey)(baseUrl),
  };
}
