// Written by `npm run vectors`.

/** Facts that decide a lifecycle, as last retrieved. */
export interface Snapshot {
  /** `gone` once the warehouse no longer has it. */
  readonly status?: 'open' | 'closed' | 'canceled' | 'gone' | undefined;
  /** Adjustments and assemblies are completed instead of closed. */
  readonly completed?: boolean | undefined;
  readonly fullyAllocated?: boolean | undefined;
  readonly pickDone?: boolean | undefined;
  readonly packStarted?: boolean | undefined;
  readonly packDone?: boolean | undefined;
  /** Number of lines of an order; absent if they were not fetched. */
  readonly lineCount?: number | undefined;
  /** The item is out of use. */
  readonly deactivated?: boolean | undefined;
  readonly levels?:
    | {
        readonly totalReceived?: number | undefined;
        readonly allocated?: number | undefined;
        readonly available?: number | undefined;
        readonly onHold?: number | undefined;
        readonly onHand?: number | undefined;
      }
    | undefined;
  /** The received item is on hold. */
  readonly onHold?: boolean | undefined;
  /** The customer's own number for the subject; the SKU of an item or of stock. */
  readonly referenceNumber?: string | undefined;
  readonly customerId?: string | undefined;
  readonly customerName?: string | undefined;
  readonly facilityId?: string | undefined;
  readonly facilityName?: string | undefined;
  /** Pick job that an order's links name. */
  readonly pickJobId?: string | undefined;
}

/** Stock of one item, in units. */
export interface StockLevels {
  readonly totalReceived?: number | undefined;
  readonly allocated?: number | undefined;
  readonly available?: number | undefined;
  readonly onHold?: number | undefined;
  readonly onHand?: number | undefined;
}
