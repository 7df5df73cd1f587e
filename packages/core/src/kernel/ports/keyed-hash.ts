/**
 * Hashes under the deployment's own secret, for labels that cannot be reversed by guessing and links that cannot be
 * forged. `purpose` separates the uses: a hash of one is not valid for another.
 */
export interface KeyedHash {
  /** HMAC-SHA-256 as lower-case hex. */
  hex(
    purpose:
      | 'seller_label'
      | 'buyer_label'
      | 'registered_from'
      | 'claim_link'
      | 'purchase_page'
      | 'x402_network'
      | 'x402_resume'
      | 'x402_challenge',
    text: string,
  ): Promise<string>;
}
