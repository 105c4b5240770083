import { z } from 'zod';

/** Of the warehouse's stock summary. */
export const levelNames = ['totalReceived', 'allocated', 'available', 'onHold', 'onHand'] as const;

/** Members are absent, and never `undefined`. */
export type Exact<T> = T extends object ? { readonly [K in keyof T]: Exact<Exclude<T[K], undefined>> } : T;

const amount = z.number().optional();

export const stockLevels = z.strictObject({
  totalReceived: amount,
  allocated: amount,
  available: amount,
  onHold: amount,
  onHand: amount,
} satisfies { readonly [N in (typeof levelNames)[number]]: z.ZodType });

export type StockLevels = Exact<z.output<typeof stockLevels>>;

const flag = z.boolean().optional();

const text = z.string().optional();

/** Facts that decide a subject's lifecycle. Announcements publish all, and the administrative API shows them. */
export const snapshot = z.strictObject({
  status: z
    .enum(['open', 'closed', 'canceled', 'gone'])
    .optional()
    .describe('`gone` once the warehouse no longer has it.'),
  completed: flag.describe('Adjustments and assemblies are completed instead of closed.'),
  fullyAllocated: flag,
  pickDone: flag,
  packStarted: flag,
  packDone: flag,
  lineCount: z.int().nonnegative().optional().describe('Number of lines of an order; absent if they were not fetched.'),
  deactivated: flag.describe('The item is out of use.'),
  levels: stockLevels.optional(),
  onHold: flag.describe('The received item is on hold.'),
  referenceNumber: text.describe("The customer's own number for the subject; the SKU of an item or of stock."),
  customerId: text,
  customerName: text,
  facilityId: text,
  facilityName: text,
  pickJobId: text.describe("Pick job that an order's links name."),
});

export type Snapshot = Exact<z.output<typeof snapshot>>;

export const listedFacts = snapshot.pick({ customerName: true, levels: true });

export const withoutNames = ({ referenceNumber, customerName, facilityName, ...others }: Snapshot): Snapshot => others;

export function sameLevels(a: StockLevels | undefined, b: StockLevels | undefined): boolean {
  return levelNames.every((name) => a?.[name] === b?.[name]);
}
