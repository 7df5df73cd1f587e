import { defineConfig, type UserConfig } from 'tsdown';

const common: UserConfig = {
  dts: true,
  target: 'es2023',
  deps: { alwaysBundle: [/^@agent-marketplace\//] },
};

export default defineConfig([
  {
    ...common,
    entry: {
      demand: 'src/demand/index.ts',
      document: 'src/document/index.ts',
      index: 'src/index.ts',
      ratings: 'src/ratings/index.ts',
      seller: 'src/seller/index.ts',
      'seller-test-buyer': 'src/seller/test-buyer/index.ts',
      verify: 'src/verify/index.ts',
      x402: 'src/x402/index.ts',
    },
    tsconfig: '../tsconfig.sdk.json',
    platform: 'neutral',
  },
  // Apart, so that nothing else can use what only Node has.
  {
    ...common,
    entry: { 'seller-node': 'src/seller/node/index.ts' },
    tsconfig: '../tsconfig.sdk-node.json',
    platform: 'node',
    fixedExtension: false,
    clean: false,
  },
]);
