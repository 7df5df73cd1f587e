/** What a seller project can be made of: folders of `templates/seller`, the later ones over those before. */
interface Template {
  readonly parts: readonly string[];
  /** Files of a part that this one does not need. */
  readonly without: readonly string[];
  readonly commands: readonly string[];
}

const NPM = ['npm install', 'npm test', 'npm run register', 'npm start', 'npm run list', 'npm run buy'];
const PYTHON = ['test', 'register', 'serve', 'list', 'buy'].map((command) => `python3 seller.py ${command}`);

export const SELLER_TEMPLATES = {
  express: { parts: ['node', 'express'], without: [], commands: NPM },
  fastify: { parts: ['node', 'fastify'], without: [], commands: NPM },
  // Its settings are the Worker's environment.
  worker: { parts: ['node', 'worker'], without: ['src/settings.js'], commands: NPM },
  python: { parts: ['python'], without: [], commands: PYTHON },
} as const satisfies Record<string, Template>;

export type SellerTemplate = keyof typeof SELLER_TEMPLATES;
