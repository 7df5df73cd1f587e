/** What a hash is made for. Each has a key of its own: a hash of one use says nothing of another. */
export type HashPurpose =
  | 'seller_label'
  | 'buyer_label'
  | 'registered_from'
  | 'reporter'
  | 'claim_link'
  | 'email_link'
  | 'recovery_link'
  | 'email_mark'
  | 'mail_requester'
  | 'purchase_page'
  | 'payout_change'
  | 'x402_network'
  | 'x402_resume'
  | 'x402_challenge'
  | 'mpp_challenge'
  | 'payer_challenge'
  | 'account_erasure'
  | 'appeal'
  | 'report_status'
  | 'approval'
  | 'approval_mail'
  | 'passkey_mail'
  | 'passkey_enrolment';

/**
 * Hashes under the deployment's own secret, for labels that cannot be reversed by guessing and links that cannot be
 * forged.
 */
export interface KeyedHash {
  /** HMAC-SHA-256 as lower-case hex. */
  hex(purpose: HashPurpose, text: string): Promise<string>;
  /** A token for a link or a header, cut from the hash: whoever holds it was given it. */
  token(purpose: HashPurpose, text: string): Promise<string>;
  /** Whether the token was made of this text, under the secret of now or the one before it. */
  isToken(purpose: HashPurpose, text: string, token: string): Promise<boolean>;
}
