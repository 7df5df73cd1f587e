import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

export interface SaleSource {
  readonly kind: 'openapi' | 'mcp' | 'x402' | 'http';
  /** A file or a URL. */
  readonly source: string;
}

export interface SellOptions {
  readonly priceCents?: number | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly vertical?: string | undefined;
  readonly example?: JsonObject | undefined;
  readonly secret: readonly string[];
  readonly envFile?: string | undefined;
  readonly sample: boolean;
  readonly callback?: string | undefined;
  readonly config: string;
  readonly name?: string | undefined;
  readonly serve?: true | undefined;
  readonly port?: number | undefined;
  readonly host: string;
  readonly duplicate?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  /** Of OpenAPI. */
  readonly operation?: string | undefined;
  readonly server?: string | undefined;
  /** Of MCP. */
  readonly tool?: string | undefined;
  /** Of x402. */
  readonly upstream?: string | undefined;
  /** Of HTTP. */
  readonly post?: true | undefined;
}
