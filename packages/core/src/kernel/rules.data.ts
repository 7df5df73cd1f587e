/** What is not allowed here: an operator blocks and suspends under one of these only, and names it. */
export const RULES = {
  unlawful_goods: 'What may not be sold or had where its seller or its buyer is, forged documents included.',
  weapons_and_drugs:
    'Weapons, explosives, drugs and medicines that are only for those who are permitted to have them.',
  sexual_exploitation:
    'Anything that sexualises children, or that shows a person sexually without their consent.',
  personal_data:
    'Data about people who did not agree to it, and health data of a single person outside its own flow.',
  secrets:
    'Stolen credentials, keys and secrets, card numbers of others, and what is made to break into systems.',
  no_right_to_sell:
    'What its seller does not own or may not sell: stolen, leaked, protected for somebody else, or data bought from others.',
  deception: 'A listing, a name or a message that misleads about what is sold or who sells it.',
  manipulation: 'Ratings, reports, purchases or keys that are made to look like those of others; spam.',
  payment_fraud:
    'Payments that are not the payer’s own to make, and dealings made to move money rather than goods.',
  legal_order: 'A court or an authority ordered it.',
} as const satisfies Readonly<Record<string, string>>;

export type Rule = keyof typeof RULES;
