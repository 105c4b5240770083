/** An order of one warehouse operator. */
export interface OrderRef {
  readonly tenant: string;
  readonly orderId: string;
}

/** The workflow id, partition key and dispatch key of an order: `order:{tenant}:{orderId}`. */
export function orderKey({ tenant, orderId }: OrderRef): string {
  return `order:${tenant}:${orderId}`;
}

/** The inverse of {@link orderKey}; undefined for a key that is not an order's. */
export function parseOrderKey(key: string): OrderRef | undefined {
  const [, tenant, orderId] = /^order:([^:]+):([^:]+)$/.exec(key) ?? [];
  return tenant && orderId ? { tenant, orderId } : undefined;
}

/** The id of an announcement, the same through retries and runs: `order:9104:31004581/3/packed`. */
export function announcementId(
  order: OrderRef,
  change: { readonly revision: number; readonly milestone: string },
): string {
  return `${orderKey(order)}/${change.revision}/${change.milestone}`;
}
