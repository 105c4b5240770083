/** Amounts of the warehouse's stock summary, by name. */
export const levelNames = ['totalReceived', 'allocated', 'available', 'onHold', 'onHand'] as const;

/** Stock of an item with one qualifier in one facility, in units. */
export type StockLevels = { readonly [N in (typeof levelNames)[number]]?: number };

/**
 * Facts of a subject that decide its lifecycle, as one GET, or the resource in a message, showed them. Facts that a kind does not
 * have are absent. Announcements publish those that `src/announcements/announcement-data.ts` names.
 */
export interface Snapshot {
  /** `gone` once the warehouse no longer has it. */
  readonly status?: 'open' | 'closed' | 'canceled' | 'gone';
  /** Adjustments and assemblies are completed instead of closed. */
  readonly completed?: boolean;
  readonly fullyAllocated?: boolean;
  readonly pickDone?: boolean;
  readonly packStarted?: boolean;
  readonly packDone?: boolean;
  /** Number of lines of an order; absent if they were not fetched. */
  readonly lineCount?: number;
  /** The item is out of use. */
  readonly deactivated?: boolean;
  readonly levels?: StockLevels;
  /** The received item is on hold. */
  readonly onHold?: boolean;
  /** The customer's own number for the subject; the SKU of an item or of stock. */
  readonly referenceNumber?: string;
  readonly customerId?: string;
  readonly customerName?: string;
  readonly facilityId?: string;
  readonly facilityName?: string;
  /** Pick job that an order's links name. */
  readonly pickJobId?: string;
}

/** Reports whether two snapshots show the same amounts. */
export function sameLevels(a: StockLevels | undefined, b: StockLevels | undefined): boolean {
  return levelNames.every((name) => a?.[name] === b?.[name]);
}
