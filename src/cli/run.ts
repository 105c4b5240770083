import { once } from 'node:events';
import { type Embedded, sandbox } from '../../sandbox/entry.ts';
import { checkToken } from '../app/doctor/warehouse.ts';
import { isWhole, type Running, startRoles } from '../app/service.ts';
import { type Role, roles, type ServiceOptions, temporalMetrics } from '../app/service-options.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Config } from '../config/config.ts';
import { plainAddress } from '../destinations/settings.ts';
import { inUse, isDocklineAt } from '../http/listen.ts';
import { logWorkers, openLogger } from '../observability/logger.ts';
import { UsageError } from './command.ts';
import { type Output, untilStopped } from './output.ts';

/** Tells of a wrong secret before the first event needs it. */
async function checkTokens(config: Config, logger: ServiceOptions['logger']): Promise<void> {
  const checks = await Promise.all(config.tenants.map((tenant) => checkToken(tenant, config)));
  for (const check of checks.filter(({ verdict }) => verdict === 'failed'))
    logger.warn(check, 'a check found a problem');
}

export interface StartOptions {
  readonly orders: number;
  readonly scenario?: string;
  readonly untilDone?: boolean;
  readonly report?: boolean;
  readonly json?: boolean;
  readonly role: readonly Role[];
}

/** Runs until stopped or, with `--until-done`, until the demonstration ends. Resolves with the exit code. */
export async function run(config: Config, options: StartOptions, stop: AbortSignal, given: Output): Promise<number> {
  const output = untilStopped(stop, given);
  await using opened = new AsyncDisposableStack();
  const failure = Promise.withResolvers<never>();
  // A part may fail before it is awaited below.
  failure.promise.catch(() => undefined);
  const stopped = once(stop, 'abort');
  if (config.tenants.length > 0 && options.untilDone) {
    throw new UsageError('--until-done requires the simulated warehouse; a real warehouse is never done');
  }
  if (!roles.every((role) => options.role.includes(role))) refuseEmbedded(config);
  refuseForgetting(config);
  if (options.role.includes('webhook')) await refuseSecond(config);
  const logger = openLogger(config);
  for (const notice of config.notices) {
    // The log of a demonstration is silent.
    if (config.simulated) output.say(notice);
    else logger.warn(notice);
  }
  const { openDependencies } = await sandbox.dependencies();
  const dependencies = await openDependencies(config, output.say, opened);
  if (options.role.includes('worker')) opened.adopt(logWorkers(logger, temporalMetrics(config)), (it) => it.close());
  const running = await startRoles({ config, dependencies, logger, onFailure: failure.reject, roles: options.role });
  opened.defer(() => running.close());
  if (running.worker) void checkTokens(config, logger);
  output.say(addresses(running, dependencies, config));
  if (!isWhole(running)) {
    output.say(`Running as ${options.role.join(', ')}. Press Ctrl-C to stop.`);
    await Promise.race([stopped, failure.promise]);
    return 0;
  }

  const { simulator, receiver, mailbox } = dependencies;
  const demonstration = simulator
    ? sandbox
        .demonstration()
        .then((it) => it.runDemonstration({ options, simulator, receiver, service: running, signal: stop, output }))
    : Promise.resolve(true);
  const isWell = await Promise.race([demonstration, stopped, failure.promise]);
  if (options.untilDone) return isWell === true ? 0 : 1;
  output.say('\nDockline is running. Press Ctrl-C to stop it.');
  if (mailbox) output.say(`Alerts arrive at ${mailbox.url}`);
  if (config.BOARD === 'yes') output.say(`\nopen ${running.admin.url}/board`);
  await Promise.race([stopped, failure.promise]);
  return 0;
}

/** Embedded services belong to the process that starts them: processes cannot share them. */
function refuseEmbedded({ DATABASE_URL, TEMPORAL_ADDRESS, tenants }: Config): void {
  const missing = [
    ...(DATABASE_URL ? [] : ['DATABASE_URL (SQLite serves one process only)']),
    ...(TEMPORAL_ADDRESS ? [] : ['TEMPORAL_ADDRESS']),
    ...(tenants.length > 0 ? [] : ['WAREHOUSE_BASE_URL or warehouses in CONFIG_FILE']),
    ...(tenants.every(({ destinations }) => destinations.length > 0) ? [] : ['ANNOUNCE_URL']),
  ];
  if (missing.length > 0) throw new Error(`--role requires ${missing.join(', ')}`);
}

/** The embedded receiver acknowledges and forgets, which a real warehouse needs consent for. */
function refuseForgetting({ tenants, ANNOUNCE_TO_SANDBOX }: Config): void {
  if (ANNOUNCE_TO_SANDBOX === 'yes') return;
  const forgotten = tenants.filter(
    ({ destinations, baseUrl }) => destinations.length === 0 && !isLoopback(new URL(baseUrl).hostname),
  );
  if (forgotten.length === 0) return;
  const whose = forgotten.map(({ id }) => id).join(', ');
  throw new Error(
    `the announcements of ${whose} would go to the embedded receiver, which acknowledges and forgets them: set ANNOUNCE_URL, announce in the file of settings, or ANNOUNCE_TO_SANDBOX=yes if that is meant`,
  );
}

/** Before embedded services start: their conflicts of ports would say less. */
async function refuseSecond({ WEBHOOK_HOST: host, WEBHOOK_PORT: port }: Config): Promise<void> {
  if (port !== 0 && (await isDocklineAt(host, port))) throw await inUse({ variable: 'WEBHOOK_PORT', host, port });
}

function addresses(
  { webhook, admin, codec, metrics }: Running,
  { temporal, simulator, receiver, mailbox, tenants }: Embedded,
  { BOARD }: Config,
): string {
  const board = admin && BOARD === 'yes' ? `${admin.url}/board` : undefined;
  const rows: readonly (readonly [name: string, address: string | undefined])[] = [
    ['board', board],
    ['stuck orders', board && `${board}/subjects?attention=any`],
    ['admin', admin?.url],
    ['Temporal UI', temporal.uiUrl ?? `of your Temporal server, ${temporal.address}`],
    ['codec', codec?.url],
    ['metrics', metrics && `${metrics.url}/metrics`],
    ['mailbox', mailbox && `${mailbox.url} (receives the alerts)`],
    ...tenants.flatMap(({ id, baseUrl, destinations, endpoint }) => [
      ['tenant', tenants.length > 1 ? id : undefined] as const,
      ['webhook', webhook?.urlOf({ endpoint })] as const,
      ['warehouse', `${plainAddress(baseUrl)}${simulator ? ' (simulated)' : ''}`] as const,
      ...destinations.map(
        ({ name, url }) =>
          [
            destinations.length > 1 ? `receiver ${name}` : 'receiver',
            `${plainAddress(url)}${url === receiver?.url ? ' (embedded)' : ''}`,
          ] as const,
      ),
    ]),
  ];
  return rows.flatMap(([name, address]) => (address === undefined ? [] : `${name.padEnd(14)} ${address}`)).join('\n');
}
