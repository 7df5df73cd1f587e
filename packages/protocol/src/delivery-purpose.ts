/** Which purchase a delivery_request is for. The contract fixes its body, so this is said beside it. */
export interface DeliveryPurpose {
  readonly sellerId: string;
  readonly purchaseId: string;
  /** 0 until the purchase was delivered; then 1 for the first time that its seller is asked again, 2, and so on. */
  readonly redelivery: number;
}

/**
 * What the second signature of a delivery_request is over. It binds the purpose to this very message: headers of another
 * purchase do not verify.
 */
export function deliverySignatureInput(
  post: { readonly callbackUrl: string; readonly timestamp: string; readonly bodySha256: string },
  { sellerId, purchaseId, redelivery }: DeliveryPurpose,
): string {
  const { callbackUrl, timestamp, bodySha256 } = post;
  return ['MKT-DELIVERY', callbackUrl, timestamp, bodySha256, sellerId, purchaseId, redelivery].join('\n');
}
