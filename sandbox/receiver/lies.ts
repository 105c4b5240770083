import type { Socket } from 'node:net';
import { createOccasions } from '../simulator/occasions.ts';
import { createStream } from '../simulator/random.ts';

/** Ways in which a receiver is harder to deal with than it says. */
export interface ReceiverLies {
  /** Closes each connection after its answer, without saying so. */
  readonly closes: boolean;
  /** Answers 413 to an announcement of more bytes. */
  readonly limitBytes: number;
  /** Share of announcements that are answered with 503 and `Retry-After: 0`, or a date in the past, in turn. */
  readonly retryAfterZero: number;
}

/** Answer to an announcement. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body; absent for none. */
  readonly text?: string;
}

/** Creates a liar that tells the truth until it is told otherwise. */
export function createReceiverLiar(initial: Partial<ReceiverLies> = {}) {
  const occasions = createOccasions(createStream(1, 'receiver'));
  let lies: ReceiverLies = { closes: false, limitBytes: Number.POSITIVE_INFINITY, retryAfterZero: 0, ...initial };
  let told = 0;
  return {
    set(changes: Partial<ReceiverLies>) {
      lies = { ...lies, ...changes };
    },
    /** Refuses an announcement of this size, or not. */
    refuse(bytes: number): Answer | undefined {
      if (bytes > lies.limitBytes) return { status: 413, headers: {} };
      if (!occasions.next({ retryAfterZero: lies.retryAfterZero })) return undefined;
      told += 1;
      return { status: 503, headers: { 'retry-after': told % 2 ? '0' : 'Thu, 01 Jan 2015 00:00:00 GMT' } };
    },
    /** Ends the connection of an answer that has been written. */
    answered(socket: Socket) {
      if (lies.closes) socket.destroy();
    },
  };
}
