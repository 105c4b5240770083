// Takes Dockline's announcements in a function behind a gateway, such as AWS Lambda: its environment has ANNOUNCE_SECRET and DATABASE_URL.
import { type Announcement, createConsumer } from '@dockline/consumer';
import { Pool, type PoolClient } from 'pg';
import { createPostgresStore, table } from './postgres-store.ts';

/** Request as the gateway hands it over. */
interface Event {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Text, or base64. */
  readonly body?: string | null;
}

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
// A connection that ends while nothing uses it is replaced.
pool.on('error', () => undefined);
const isReady = pool.query(`${table}; create table if not exists shipped (order_id text primary key)`);

const consumer = createConsumer({
  secrets: (process.env.ANNOUNCE_SECRET ?? '').split(' '),
  // Instances come and go, so the positions are in a database.
  store: createPostgresStore(pool),
  async handle(announcement: Announcement, client: PoolClient) {
    if (announcement.type !== 'dockline.order.confirmed') return;
    await client.query('insert into shipped values ($1) on conflict do nothing', [announcement.data.id]);
  },
});

export async function handler({ headers, body }: Event): Promise<{ readonly statusCode: number }> {
  await isReady;
  const { status } = await consumer.receive(headers, body);
  return { statusCode: status };
}
