import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createTextbookActivities } from '../textbook/activities.ts';
import { createTextbookApp } from '../textbook/app.ts';
import { setting, stopped } from './settings.ts';

/** The textbook integration in one process: its webhook and its worker. */
Runtime.install({ logger: new DefaultLogger('ERROR') });
const address = setting('TEMPORAL_ADDRESS');
const taskQueue = 'textbook';
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  ...{ connection, taskQueue, namespace: 'default' },
  workflowsPath: fileURLToPath(new URL('../textbook/workflow.ts', import.meta.url)),
  activities: createTextbookActivities({
    warehouseUrl: setting('WAREHOUSE_BASE_URL'),
    destinationUrl: setting('ANNOUNCE_URL'),
  }),
});
const app = await createTextbookApp({ address, taskQueue });
app.get('/health/ready', async () => ({ status: 'ready' }));
const running = worker.run();
await app.listen({ host: '127.0.0.1', port: Number(setting('WEBHOOK_PORT')) });
await stopped();
await app.close();
worker.shutdown();
await running;
await connection.close();
