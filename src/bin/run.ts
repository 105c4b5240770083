import { once } from 'node:events';
import type { Config } from '../config.ts';
import { openLogger } from './logger.ts';
import type { Options } from './options.ts';
import type { Output } from './output.ts';
import { openPlaces, type Places } from './places.ts';
import { type Service, startService } from './service.ts';
import { showDemonstration } from './show-demonstration.ts';

/** Runs Dockline until it is told to stop or, with `--until-done`, until its demonstration is. Resolves with the exit code. */
export async function run(config: Config, options: Options, stop: AbortSignal, output: Output): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const failure = Promise.withResolvers<never>();
  const stopped = once(stop, 'abort');
  if (config.operators.length > 0 && options.untilDone) {
    throw new Error('--until-done is for the simulated warehouse: a real one is never done');
  }
  const places = await openPlaces(config, output.say, opened);
  const logger = openLogger(config);
  const service = await startService({ config, places, logger, onFailure: failure.reject });
  opened.defer(() => service.close());

  const where = addresses(places, service, config.TEMPORAL_NAMESPACE);
  output.say(where);
  const demonstration = showDemonstration({ options, places, service, signal: stop, output });
  const isWell = await Promise.race([demonstration, stopped, failure.promise]);
  if (options.untilDone) return isWell === true ? 0 : 1;
  // The demonstration has scrolled them away.
  if (places.simulator) output.say(`\n${where}`);
  if (!stop.aborted) output.say('\nEverything stays up. Ctrl-C stops it.');
  await Promise.race([stopped, failure.promise]);
  return 0;
}

function addresses(
  { temporal, simulator, receiver, operators }: Places,
  { intake }: Service,
  namespace: string,
): string {
  const { uiUrl } = temporal;
  return [
    `Temporal UI    ${uiUrl ?? `of your Temporal server, ${temporal.address}`}`,
    ...(uiUrl ? [`stuck orders   ${uiUrl}/namespaces/${namespace}/workflows?query=Attention+is+not+null`] : []),
    ...operators.flatMap(({ tenant, access, destination, ...operator }) => [
      ...(operators.length > 1 ? [`tenant         ${tenant}`] : []),
      `webhook        ${intake.urlOf(operator)}`,
      `warehouse      ${access.baseUrl}${simulator ? ' (simulated)' : ''}`,
      `announcements  ${destination.url}${destination.url === receiver?.url ? ' (embedded receiver)' : ''}`,
    ]),
  ].join('\n');
}
