/**
 * Hashes under the deployment's own secret: labels that cannot be traced back by guessing, links that
 * cannot be made up. `purpose` keeps one use from being passed off as another.
 */
export interface KeyedHash {
  /** HMAC-SHA-256 as lower-case hex. */
  hex(
    purpose: 'seller_label' | 'buyer_label' | 'claim_link' | 'purchase_page',
    text: string,
  ): Promise<string>;
}
