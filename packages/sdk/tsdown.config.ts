import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    seller: 'src/seller/index.ts',
    verify: 'src/verify/index.ts',
    x402: 'src/x402/index.ts',
  },
  tsconfig: '../tsconfig.sdk.json',
  dts: true,
  platform: 'neutral',
  target: 'es2023',
  deps: { alwaysBundle: [/^@agent-marketplace\//] },
});
