// @ts-check
import { createApp } from './app.js';

export default createApp(({ MARKETPLACE, CALLBACK_URL, SELLER_ID }) => ({
  marketplace: MARKETPLACE,
  callbackUrl: CALLBACK_URL,
  ...(SELLER_ID === undefined ? {} : { sellerId: SELLER_ID }),
}));
