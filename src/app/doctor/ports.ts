import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { describeHolder, isDocklineAt } from '../../http/port-holder.ts';
import { type Finding, failed, ok, type Reporter } from './check.ts';

/** Port that Dockline listens on, with the variable that sets it. */
interface Port {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** Checks that each port is free, or that a running Dockline has it. */
export async function checkPorts({ check }: Reporter, config: Config): Promise<void> {
  const isRunning = isDocklineHere(config);
  await Promise.all(
    portsOf(config).map(({ variable, host, port }) =>
      check(variable, `${host}:${port}`, async () => {
        if (port === 0) return ok('any free port is taken');
        const code = await tryListening(host, port);
        if (code === undefined) return ok('is free');
        if (code !== 'EADDRINUSE') return explain(code, variable);
        if (await isRunning) return ok('taken: Dockline is running');
        const holder = await describeHolder(host, port);
        return failed(`${holder} has it`, `Stop that program, or set ${variable} to another port.`);
      }),
    ),
  );
}

/** Returns the ports of this installation: those of embedded services only if they are used. */
function portsOf(config: Config): readonly Port[] {
  const { WEBHOOK_HOST, ADMIN_HOST, CODEC_HOST, METRICS_HOST, TEMPORAL_ADDRESS, tenants, alerts } = config;
  const isSimulated = tenants.length === 0;
  const hasReceiver = isSimulated || tenants.some(({ destinations }) => destinations.length === 0);
  const embeddedIf = (isUsed: boolean) => (isUsed ? '127.0.0.1' : undefined);
  const ports = [
    ['WEBHOOK_PORT', WEBHOOK_HOST],
    ['ADMIN_PORT', ADMIN_HOST],
    ['CODEC_PORT', CODEC_HOST],
    ['METRICS_PORT', METRICS_HOST],
    ['TEMPORAL_METRICS_PORT', METRICS_HOST],
    ['TEMPORAL_PORT', embeddedIf(!TEMPORAL_ADDRESS)],
    ['TEMPORAL_UI_PORT', embeddedIf(!TEMPORAL_ADDRESS)],
    ['WAREHOUSE_PORT', embeddedIf(isSimulated)],
    ['ANNOUNCE_PORT', embeddedIf(hasReceiver)],
    ['MAILBOX_PORT', embeddedIf(isSimulated && !alerts)],
  ] as const;
  return ports.flatMap(([variable, host]) => {
    const port = config[variable];
    return host === undefined || port === undefined ? [] : [{ variable, host, port }];
  });
}

/** Listens for a moment; returns the system's code if that is refused. */
async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

function explain(code: string, variable: string): Finding {
  if (code === 'EACCES') return failed('requires privileges', `Set ${variable} to a port above 1023.`);
  return failed(
    `cannot be listened on: ${code}`,
    `Compare the host beside ${variable} with the addresses of this machine.`,
  );
}

/** Reports whether a Dockline answers on the webhook's port or, whatever its roles, on that of the metrics. */
async function isDocklineHere({ WEBHOOK_HOST, WEBHOOK_PORT, METRICS_HOST, METRICS_PORT }: Config): Promise<boolean> {
  const found = await Promise.all([
    isDocklineAt(WEBHOOK_HOST, WEBHOOK_PORT),
    METRICS_PORT !== undefined && isDocklineAt(METRICS_HOST, METRICS_PORT),
  ]);
  return found.includes(true);
}
