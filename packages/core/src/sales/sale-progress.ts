import type { Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Listing } from '../listings/index.ts';
import type { Shown } from './delivery/fetch-content.ts';
import type { PaymentPage, Standing } from './rails/rail.ts';
import type { Sale } from './sale.ts';

/** Who wants a sale brought on. */
export type Prompt =
  /** The request that made it: its buyer waits. */
  | {
      readonly by: 'request';
      readonly listing: Listing;
      readonly page: PaymentPage;
      /** Records the outcome for a repeated request, too. */
      commit(statements: readonly Statement[]): Promise<unknown>;
    }
  /** The request that made it, for a buyer who collects later. */
  | { readonly by: 'reservation' }
  /** Its buyer, who asks for the content. */
  | { readonly by: 'buyer' }
  /** Somebody outside reports of its payment; `standing` is what that object says. */
  | { readonly by: 'report'; readonly standing: Standing }
  /** The operator decided where its money goes. */
  | { readonly by: 'decision' }
  /** The jobs, when it is due. */
  | { readonly by: 'job' };

export type SaleProgress =
  /** Delivered and captured in this call, or by another request meanwhile. */
  | { readonly kind: 'sold'; readonly sale: Sale; readonly content: Shown }
  /** A person has to pay first. */
  | { readonly kind: 'awaiting_payment'; readonly sale: Sale; readonly checkoutUrl: string | null }
  /** The money is there, for a buyer who collects later. */
  | { readonly kind: 'reserved'; readonly collectUntil: IsoTime }
  /** As far as it goes for now; the row says where it stands. */
  | { readonly kind: 'advanced' };

export type RequestPrompt = Extract<Prompt, { by: 'request' }>;
export type ReservationPrompt = Extract<Prompt, { by: 'reservation' }>;

export const ADVANCED: SaleProgress = { kind: 'advanced' };
