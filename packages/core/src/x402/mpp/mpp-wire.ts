export const MPP_METHOD = 'evm';
export const MPP_INTENT = 'charge';
/** A transfer that the payer signed: EIP-3009. */
export const MPP_PAYLOAD = 'authorization';

/** A challenge of the scheme `Payment`, method `evm`, intent `charge`, as it travels. */
export interface MppChallenge {
  readonly id: string;
  /** The host that is paid. */
  readonly realm: string;
  /** Base64url of what is asked for. */
  readonly request: string;
  readonly expires: string;
  /** Of the body that it is for, as RFC 9530 writes it; none for a request without a body. */
  readonly digest?: string | undefined;
  /** Base64url of what the challenge is good for: the listing, the query, and 128 random bits. */
  readonly opaque: string;
}

/** What a payer sends back: the challenge as it has it, and whose account pays, where it says so. */
export interface MppCredential {
  readonly challenge: MppChallenge;
  readonly source: string | null;
}
