/** Every use of the operator's brand on the wire. To rename the service, edit this file. */
export const BRAND = {
  platform: 'Agent Marketplace',
  operator: 'Agent Marketplace',
  /** The operator's name in one word, as protocols require it. */
  slug: 'agent-marketplace',
  apiVersion: '1.0.0',
  apiKeyPrefix: 'mkt_live_',
  operatorSecretPrefix: 'mkt_op_',
  payReceiptSegment: 'mktpay',
  header: {
    keyId: 'X-MKT-Key-Id',
    signature: 'X-MKT-Signature',
    signatureAlg: 'X-MKT-Signature-Alg',
    timestamp: 'X-MKT-Timestamp',
    bodySha256: 'X-MKT-Body-Sha256',
    signatureInput: 'X-MKT-Signature-Input',
    sellerId: 'X-MKT-Seller-Id',
    purchaseId: 'X-MKT-Purchase-Id',
    redelivery: 'X-MKT-Redelivery',
    deliverySignature: 'X-MKT-Delivery-Signature',
    class: 'X-MKT-Class',
    rail: 'X-MKT-Rail',
    admin: 'X-MKT-Admin',
    resume: 'X-MKT-Resume',
    maxPriceCents: 'X-MKT-Max-Price-Cents',
    provenance: 'X-MKT-Provenance',
  },
} as const;

/** The path under which everything is served. */
export const API_ROOT = '/api';
