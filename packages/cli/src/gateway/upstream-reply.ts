/** What came of one call of the upstream. */
export type UpstreamReply =
  | {
      readonly kind: 'replied';
      readonly status: number;
      readonly contentType: string | null;
      readonly retryAfter: string | null;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'redirected_elsewhere' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** The result of an MCP tool, in the parts that matter here. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: readonly { readonly type: string; readonly text?: string | undefined }[] | undefined;
}

/** What came of one call of an MCP server. */
export type ToolReply =
  | { readonly kind: 'answered'; readonly result: ToolResult }
  /** An error of the protocol, such as arguments that the tool does not take. */
  | { readonly kind: 'protocol_error'; readonly code: number }
  | Exclude<UpstreamReply, { kind: 'replied' }>
  /** What answers is not an MCP server, or refuses the connection. */
  | { readonly kind: 'http_status'; readonly status: number; readonly retryAfter: string | null };
