import { addBuy } from './commands/buy.ts';
import { addDoor } from './commands/door.ts';
import { addEvents } from './commands/events.ts';
import { addInit } from './commands/init.ts';
import { addKeys } from './commands/keys.ts';
import { addListings } from './commands/listings.ts';
import { addOrders } from './commands/orders.ts';
import { addProfiles } from './commands/profiles.ts';
import { addPurchases } from './commands/purchases.ts';
import { addRate } from './commands/rate.ts';
import { addRegister } from './commands/register.ts';
import { addResume } from './commands/resume.ts';
import { addSearch } from './commands/search.ts';
import { addShow } from './commands/show.ts';
import { addTab } from './commands/tab.ts';
import { addVerify } from './commands/verify.ts';
import { addWallet } from './commands/wallet.ts';
import type { AddCommand } from './frame/command.ts';
import { addGateway } from './gateway/add-gateway.ts';
import { addMonitor } from './monitor/add-monitor.ts';
import { addSell } from './sell/add-sell.ts';
import { addWitness } from './witness/add-witness.ts';

/** Every command, in the order of the help. */
export const commands: readonly AddCommand[] = [
  addRegister,
  addProfiles,
  addSearch,
  addShow,
  addBuy,
  addResume,
  addTab,
  addPurchases,
  addRate,
  addWallet,
  addKeys,
  addVerify,
  addMonitor,
  addWitness,
  addSell,
  addGateway,
  addListings,
  addOrders,
  addEvents,
  addDoor,
  addInit,
];
