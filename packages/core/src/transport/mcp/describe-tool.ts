import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { isTool, type ToolOperation } from './names.ts';
import { type ToolSchema, toolInputSchema, toolOutputSchema } from './tool-schema.ts';

/** A tool as `tools/list` tells it. */
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
      // What others list and deliver shows through every answer.
      openWorldHint: true,
    },
  };
}

export interface Toolbox {
  find(tool: string): ToolOperation | null;
  /** Made when it is first asked for: schemas take longer than most calls. */
  list(connectionHasKey: boolean): readonly ToolDescription[];
}

export function createToolbox(operations: readonly AnyOperation[]): Toolbox {
  const tools = operations.filter(isTool);
  const byName = new Map(tools.map((operation) => [operation.mcp.tool, operation]));
  const lists = new Map<boolean, readonly ToolDescription[]>();
  return {
    find: (tool) => byName.get(tool) ?? null,
    list(connectionHasKey) {
      const known = lists.get(connectionHasKey);
      if (known) return known;
      const made = tools.map((operation) => describeTool(operation, connectionHasKey));
      lists.set(connectionHasKey, made);
      return made;
    },
  };
}
