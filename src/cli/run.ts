import { once } from 'node:events';
import { type Dependencies, openDependencies } from '../app/dependencies.ts';
import { type Role, roles } from '../app/roles.ts';
import { isWhole, type Running, type Service, startRoles } from '../app/service.ts';
import type { Config } from '../config/config.ts';
import { logWorkers, openLogger } from '../observability/pino-logger.ts';
import type { showDemonstration } from '../sandbox/demonstration/show-demonstration.ts';
import type { Output } from './output.ts';
import type { Options } from './start-options.ts';

/** Runs Dockline until it is told to stop or, with `--until-done`, until its demonstration is. Resolves with the exit code. */
export async function run(config: Config, options: Options, stop: AbortSignal, output: Output): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const failure = Promise.withResolvers<never>();
  const stopped = once(stop, 'abort');
  if (config.tenants.length > 0 && options.untilDone) {
    throw new Error('--until-done is for the simulated warehouse: a real one is never done');
  }
  if (options.roles.length < roles.length) refuseEmbedded(config);
  const dependencies = await openDependencies(config, output.say, opened);
  const logger = openLogger(config);
  if (options.roles.includes('worker')) logWorkers(logger);
  const running = await startRoles({ config, dependencies, logger, onFailure: failure.reject, roles: options.roles });
  opened.defer(() => running.close());
  if (!isWhole(running)) {
    output.say(describe(running, options.roles));
    await Promise.race([stopped, failure.promise]);
    return 0;
  }

  const where = addresses(dependencies, running, config.TEMPORAL_NAMESPACE);
  output.say(where);
  const demonstration = dependencies.simulator
    ? demonstrate({ options, dependencies, service: running, signal: stop, output })
    : Promise.resolve(true);
  const isWell = await Promise.race([demonstration, stopped, failure.promise]);
  if (options.untilDone) return isWell === true ? 0 : 1;
  // The demonstration has scrolled them away.
  if (dependencies.simulator) output.say(`\n${where}`);
  if (!stop.aborted) output.say('\nEverything stays up. Ctrl-C stops it.');
  await Promise.race([stopped, failure.promise]);
  return 0;
}

async function demonstrate(...args: Parameters<typeof showDemonstration>): Promise<boolean> {
  const demonstration = await import('../sandbox/demonstration/show-demonstration.ts');
  return await demonstration.showDemonstration(...args);
}

/** What is brought along belongs to the one process that brings it. */
function refuseEmbedded({ DATABASE_URL, TEMPORAL_ADDRESS, tenants }: Config): void {
  const missing = [
    ...(DATABASE_URL ? [] : ['DATABASE_URL (SQLite is for one process)']),
    ...(TEMPORAL_ADDRESS ? [] : ['TEMPORAL_ADDRESS']),
    ...(tenants.length > 0 ? [] : ['WAREHOUSE_BASE_URL or WAREHOUSES_FILE']),
    ...(tenants.every(({ destination }) => destination) ? [] : ['ANNOUNCE_URL']),
  ];
  if (missing.length > 0) throw new Error(`--role needs ${missing.join(', ')}`);
}

function describe({ intake, admin, codec }: Running, does: readonly Role[]): string {
  const urls: { readonly [R in Role]?: string | undefined } = { webhook: intake?.url, admin: admin?.url };
  const lines = does.map((role) => (urls[role] ? `${role.padEnd(14)} ${urls[role]}` : role));
  return [...lines, ...(codec ? [`codec          ${codec.url}`] : []), 'Ctrl-C stops it.'].join('\n');
}

function addresses(
  { temporal, simulator, receiver, tenants }: Dependencies,
  { intake, admin, codec }: Service,
  namespace: string,
): string {
  const { uiUrl } = temporal;
  return [
    `Temporal UI    ${uiUrl ?? `of your Temporal server, ${temporal.address}`}`,
    ...(uiUrl ? [`stuck orders   ${uiUrl}/namespaces/${namespace}/workflows?query=Attention+is+not+null`] : []),
    `admin          ${admin.url}`,
    ...(codec ? [`codec          ${codec.url}`] : []),
    ...tenants.flatMap(({ id, access, destination, endpoint }) => [
      ...(tenants.length > 1 ? [`tenant         ${id}`] : []),
      `webhook        ${intake.urlOf({ endpoint })}`,
      `warehouse      ${withoutSecrets(access.baseUrl)}${simulator ? ' (simulated)' : ''}`,
      `announcements  ${withoutSecrets(destination.url)}${destination.url === receiver?.url ? ' (embedded receiver)' : ''}`,
    ]),
  ].join('\n');
}

/** Names, passwords and query strings are nobody's business. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/$/, '');
}
