export const PARTIES = [
  [
    'internal',
    'Internal',
    'buyer or seller is a test or staff account of the operator, or both accounts are its own',
  ],
  ['house_buyer', 'House buyer', 'the buyer is the operator’s own'],
  [
    'house_seller',
    'House seller',
    'the seller is the operator’s own, as for everything that the platform publishes',
  ],
  ['affiliated', 'Affiliated', 'buyer or seller is known to be related to the operator'],
  ['self_sale', 'Self-sale', 'buyer and seller are two accounts of one owner'],
  ['unclassified', 'Unclassified', 'bought without an account, or not classified yet'],
  [
    'arms_length',
    'Arm’s length',
    'two accounts with no known relation, each of whom dealt with others as well',
  ],
] as const;

export const RAILS = [
  ['checkout', 'Checkout'],
  ['card', 'Saved card'],
  ['wallet', 'Wallet'],
  ['x402', 'USDC (x402)'],
] as const;

export const STATES = { held: 'In escrow', releasing: 'Being paid out', released: 'Released' } as const;
