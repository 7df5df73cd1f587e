import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { McpBinding } from '../../kernel/tools/mcp-binding.ts';
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

/**
 * What differs from what the protocol says of a tool without hints: that it changes something, destroys something, does
 * so again when it is called again, and deals with strangers, as every tool here does. What is only read has one hint.
 */
interface ToolAnnotations {
  readonly readOnlyHint?: true;
  readonly destructiveHint?: false;
  readonly idempotentHint?: true;
}

export function describeTool(operation: ToolOperation, connectionHasKey: boolean): ToolDescription {
  const { tool, title, description, hints } = operation.mcp;
  return {
    name: tool,
    title,
    description,
    inputSchema: toolInputSchema(operation, connectionHasKey),
    outputSchema: toolOutputSchema(operation),
    annotations: annotationsOf(hints),
  };
}

function annotationsOf({ readOnly, destructive, idempotent }: McpBinding['hints']): ToolAnnotations {
  if (readOnly) return { readOnlyHint: true };
  return {
    ...(destructive ? {} : { destructiveHint: false as const }),
    ...(idempotent ? { idempotentHint: true as const } : {}),
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
