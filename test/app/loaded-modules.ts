import { registerHooks } from 'node:module';

/** Starts the webhook and the administrative API, with a Temporal server that is away, and prints the modules of OpenTelemetry that this has loaded. */
const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    // prom-client loads the API, whose functions do nothing by themselves.
    if (/node_modules\/@opentelemetry\/(?!api\/)/.test(resolved.url)) loaded.push(resolved.url);
    return resolved;
  },
});

const { startRoles } = await import('../../src/app/service.ts');
const { loadConfig } = await import('../../src/config/config.ts');
const { pino } = await import('pino');

const config = loadConfig({ ...process.env, WEBHOOK_PORT: '0', ADMIN_PORT: '0', TEMPORAL_ADDRESS: '127.0.0.1:1' });
const running = await startRoles({
  config,
  dependencies: { temporal: { address: '127.0.0.1:1' }, tenants: [], alerts: undefined },
  logger: pino({ level: 'silent' }),
  roles: ['webhook', 'admin'],
  onFailure: () => undefined,
});
await running.close();
console.log(JSON.stringify(loaded));
