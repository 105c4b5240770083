import { Client, Connection } from '@temporalio/client';
import fastify, { type FastifyInstance } from 'fastify';
import { steps } from '../workload.ts';

/** What of a message the textbook looks at. */
interface Message {
  readonly eventType: string;
  readonly data: string;
}

const milestoneOf = new Map<string, string>(steps.map(({ name, milestone }) => [name, milestone]));

/** The webhook as the samples write it: the handler awaits one `signalWithStart` for each message. It verifies nothing. */
export async function createTextbookApp({
  address,
  taskQueue,
}: {
  readonly address: string;
  readonly taskQueue: string;
}): Promise<FastifyInstance> {
  const client = new Client({ connection: await Connection.connect({ address }) });
  const app = fastify();
  app.post<{ Body: Message }>('/webhooks/warehouse', async ({ body }) => {
    const { OrderId } = JSON.parse(body.data) as { readonly OrderId: string };
    await client.workflow.signalWithStart('textbookOrder', {
      ...{ taskQueue, workflowId: `order-${OrderId}`, args: [OrderId] },
      ...{ signal: 'event', signalArgs: [{ milestone: milestoneOf.get(body.eventType) }] },
    });
    return { status: 'taken' };
  });
  app.addHook('onClose', () => client.connection.close());
  return app;
}
