/** The result of a tool: the signed body, and a text that tells a reader what is in it. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
  // The library's type of results allows further members.
  readonly [member: string]: unknown;
}
