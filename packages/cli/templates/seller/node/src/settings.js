// @ts-check

/** What .env and the environment say. */
export function readSettings() {
  try {
    process.loadEnvFile('.env');
  } catch {
    // What is not in the file may be in the environment.
  }
  const { MARKETPLACE = '', CALLBACK_URL = '', SELLER_ID, PORT = '9000' } = process.env;
  if (MARKETPLACE === '' || CALLBACK_URL === '')
    throw new Error('MARKETPLACE and CALLBACK_URL are not set: see .env.');
  const seller = SELLER_ID === undefined ? {} : { sellerId: SELLER_ID };
  return { marketplace: MARKETPLACE, callbackUrl: CALLBACK_URL, port: Number(PORT), ...seller };
}
