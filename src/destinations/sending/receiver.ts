import type { OutgoingAnnouncement, Receipt } from '../../domain/outgoing.ts';
import type { Permitted } from '../../domain/permission.ts';
import type { DestinationFilter } from '../../domain/routing.ts';

export interface Destination {
  /** Fails as a `DocklineError` with an `ERR_DESTINATION_` code. */
  send(announcement: Permitted<OutgoingAnnouncement>, signal: AbortSignal): Promise<Receipt>;
}

export interface Receiver extends Destination {
  readonly name: string;
  readonly filter: DestinationFilter;
}
