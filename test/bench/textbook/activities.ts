import { Agent } from 'undici';

/** The two activities of the textbook. */
export type TextbookActivities = ReturnType<typeof createTextbookActivities>;

/** One GET, and one POST of what it brought. */
export function createTextbookActivities({
  warehouseUrl,
  destinationUrl,
}: {
  readonly warehouseUrl: string;
  readonly destinationUrl: string;
}) {
  const agent = new Agent();
  return {
    async getOrder(orderId: string): Promise<unknown> {
      const path = `/orders/${orderId}?detail=orderItems,savedElements`;
      const { statusCode, body } = await agent.request({
        origin: warehouseUrl,
        path,
        method: 'GET',
        headers: { authorization: 'Bearer token' },
      });
      if (statusCode !== 200) throw new Error(`GET answered ${statusCode}`);
      return body.json();
    },
    async announce(announcement: {
      readonly orderId: string;
      readonly milestone: string;
      readonly order: unknown;
    }): Promise<void> {
      const { origin, pathname: path } = new URL(destinationUrl);
      const headers = { 'content-type': 'application/json' };
      const { statusCode, body } = await agent.request({
        origin,
        path,
        method: 'POST',
        headers,
        body: JSON.stringify(announcement),
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`POST answered ${statusCode}`);
    },
  };
}
