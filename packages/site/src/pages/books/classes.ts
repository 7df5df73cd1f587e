export const PARTIES = [
  [
    'internal',
    'Internal',
    'Buyer or seller is a test or staff account of the operator, or both accounts are its own',
  ],
  ['house_buyer', 'House buyer', 'The buyer is the operator’s own'],
  [
    'house_seller',
    'House seller',
    'The seller is the operator’s own, as for everything that the platform publishes',
  ],
  ['affiliated', 'Affiliated', 'Buyer or seller is known to be related to the operator'],
  ['self_sale', 'Self-sale', 'Buyer and seller are two accounts of one owner'],
  ['unclassified', 'Unclassified', 'Bought without an account, or not classified yet'],
  [
    'arms_length',
    'Arm’s length',
    'Two accounts with no known relation, each of whom dealt with others as well',
  ],
] as const;

export const RAILS = [
  ['checkout', 'Card'],
  ['card', 'Saved card'],
  ['wallet', 'Wallet'],
  ['x402', 'USDC (x402)'],
] as const;

export const STATES = { held: 'In escrow', releasing: 'Being paid out', released: 'Released' } as const;
