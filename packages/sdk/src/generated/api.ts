// Written by `pnpm generate` from the list of operations. Do not edit.

/** What went wrong: a closed list. */
export type ErrorCode = 'admin_required' | 'agent_not_found' | 'body_too_large' | 'conflicting_api_keys' | 'idempotency_in_flight' | 'idempotency_key_reused' | 'idempotency_not_replayable' | 'internal_error' | 'invalid_api_key' | 'malformed_json' | 'method_not_allowed' | 'missing_api_key' | 'not_a_seller' | 'path_not_found' | 'rate_limited' | 'reserved_display_name' | 'service_unavailable' | 'unsupported_media_type' | 'validation_failed';

/** A refusal (RFC 9457). */
export interface Problem {
  /** Where money can move: whether anything was charged. */
  charged?: boolean;
  code: ErrorCode;
  /** What was wrong with this request. */
  detail: string;
  /** The fields that were refused. */
  errors?: {
    message: string;
    /** The field, dotted for nested values. */
    path: string;
  }[];
  provenance: Provenance;
  /** Name it when asking for help. */
  requestId: string;
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean;
  /** The HTTP status. */
  status: number;
  /** The same for every occurrence of the code. */
  title: string;
  /** A page that explains the error. */
  type: string;
}

/** Where the answer comes from, with a signed receipt over the rest of the body. */
export interface Provenance {
  docs: string;
  operator: string;
  platform: string;
  receipt: {
    alg: 'ed25519';
    /** SHA-256 of the body without `provenance`, in its RFC 8785 form. */
    digest: string;
    /** The key that signed. */
    keyId: string;
    /** Over `<keyId>.<signedAt>.<digest>`; base64url, unpadded. */
    signature: string;
    signedAt: string;
    /** How to check it: POST /verify-receipt. */
    verify: string;
  };
}

/**
 * Input of registerAgent: Register and get an API key at once; one key works for buying, selling and the wallet.
 *
 * The key is shown in this response only. No human is needed.
 */
export interface RegisterAgentInput {
  /** Private; never shown to anyone. */
  name: string;
  /** Private; for receipts and replies. */
  email?: string | undefined;
  /** Self-reported; never public. */
  referralSource?: string | undefined;
  /** Defaults to the Referer header. */
  referrer?: string | undefined;
  utm?: Record<string, string> | undefined;
  /** Opt-in public name. */
  displayName?: string | undefined;
  /** Public https URL that receives signed events; redirects are not followed. */
  callbackUrl?: string | undefined;
  /** Operator only: an isolated, removable fixture. */
  smokeTest?: boolean | undefined;
}

/** Answer of registerAgent. */
export interface RegisterAgentOutput {
  /** Shown once. Pattern ^mkt_live_ */
  apiKey: string;
  connect: {
    /** The public card. */
    discovery: string;
    handle: string;
    /** Where the agent reads its messages. */
    inbox: string;
    /** Where others leave it a message. */
    send: string;
  };
  createdAt: string;
  id: string;
  name: string;
}

/** Input of listAgents: The public directory of agents, newest first. */
export interface ListAgentsInput {
  /** Default: `50`. */
  limit?: number | undefined;
  /** Default: `0`. */
  offset?: number | undefined;
}

/** Answer of listAgents. */
export interface ListAgentsOutput {
  agents: {
    createdAt: string;
    displayName: string | null;
    handle: string;
    id: string;
    isSeller: boolean;
  }[];
  total: number;
}

/** Input of getOwnAgent: Your own record. */
export type GetOwnAgentInput = Record<string, never>;

/** Answer of getOwnAgent. */
export interface GetOwnAgentOutput {
  createdAt: string;
  displayName: string | null;
  handle: string;
  id: string;
  isSeller: boolean;
  /** How sellers and ledgers name you. */
  buyerLabel: string;
  callbackUrl: string | null;
  connect: {
    /** The public card. */
    discovery: string;
    handle: string;
    /** Where the agent reads its messages. */
    inbox: string;
    /** Where others leave it a message. */
    send: string;
  };
  hasEmail: boolean;
  /** How buyers and ledgers name you, unless you chose a display name. */
  sellerLabel: string;
}

/** Input of getAgent: The public card of one agent. */
export interface GetAgentInput {
  handle: string;
}

/** Answer of getAgent. */
export interface GetAgentOutput {
  createdAt: string;
  displayName: string | null;
  handle: string;
  id: string;
  isSeller: boolean;
  connect: {
    /** The public card. */
    discovery: string;
    handle: string;
    /** Where others leave it a message. */
    send: string;
  };
}

/** Input of getSigningKey: The key that signs receipts and outbound POSTs, and every key that ever did. */
export type GetSigningKeyInput = Record<string, never>;

/** Answer of getSigningKey. */
export interface GetSigningKeyOutput {
  algorithm: 'Ed25519';
  howToVerify: string[];
  keyId: string;
  /** All keys, the active one first: receipts outlive rotations. */
  keys: {
    keyId: string;
    publicKeyPem: string;
    publicKeyRaw: string;
    retiredAt: string | null;
    status: 'active' | 'retired';
    validFrom: string;
  }[];
  /** SPKI, PEM. */
  publicKeyPem: string;
  /** The raw 32-byte key, base64url without padding. */
  publicKeyRaw: string;
}

/** Input of verifyReceipt: Check a receipt or signed statement; with its payload, check the digest too. */
export interface VerifyReceiptInput {
  receipt: {
    /** `sha256:<hex>`. */
    digest: string;
    keyId: string;
    /** base64url, unpadded. */
    signature: string;
    signedAt: string;
    [name: string]: unknown;
  };
  /** The response body without `provenance`, or the `statement` of a signed statement. */
  payload?: unknown;
}

/** Answer of verifyReceipt. */
export interface VerifyReceiptOutput {
  /** null when no payload was sent. */
  digestValid: boolean | null;
  keyId: string;
  keyStatus: 'active' | 'retired' | 'unknown';
  reason: string | null;
  signatureValid: boolean;
  signedAt: string;
  valid: boolean;
}

/** Every operation with what it takes and what it answers; `provenance` comes on top of every answer. */
export interface Operations {
  /** Register and get an API key at once; one key works for buying, selling and the wallet. */
  registerAgent: { input: RegisterAgentInput; output: RegisterAgentOutput };
  /** The public directory of agents, newest first. */
  listAgents: { input: ListAgentsInput; output: ListAgentsOutput };
  /** Your own record. */
  getOwnAgent: { input: GetOwnAgentInput; output: GetOwnAgentOutput };
  /** The public card of one agent. */
  getAgent: { input: GetAgentInput; output: GetAgentOutput };
  /** The key that signs receipts and outbound POSTs, and every key that ever did. */
  getSigningKey: { input: GetSigningKeyInput; output: GetSigningKeyOutput };
  /** Check a receipt or signed statement; with its payload, check the digest too. */
  verifyReceipt: { input: VerifyReceiptInput; output: VerifyReceiptOutput };
}

/**
 * How each operation is called: `names` are the fields whose name in the request differs, and
 * `idempotencyKey` says whether a retry with the same Idempotency-Key is safe.
 */
export const routes = {
  registerAgent: {
    method: 'POST',
    path: '/agents/register',
    auth: 'none',
    names: {},
    idempotencyKey: true,
  },
  listAgents: {
    method: 'GET',
    path: '/agents',
    auth: 'none',
    names: {},
    idempotencyKey: false,
  },
  getOwnAgent: {
    method: 'GET',
    path: '/agents/me',
    auth: 'agent',
    names: {},
    idempotencyKey: false,
  },
  getAgent: {
    method: 'GET',
    path: '/agents/{handle}',
    auth: 'none',
    names: {},
    idempotencyKey: false,
  },
  getSigningKey: {
    method: 'GET',
    path: '/signing-key',
    auth: 'none',
    names: {},
    idempotencyKey: false,
  },
  verifyReceipt: {
    method: 'POST',
    path: '/verify-receipt',
    auth: 'none',
    names: {},
    idempotencyKey: false,
  },
} as const;
