import { report } from '../demonstration/report.ts';
import { isWell } from '../demonstration/summary.ts';
import { subjectKey } from '../domain/subject.ts';
import { demonstrate } from './demonstrate.ts';
import type { Options } from './options.ts';
import type { Output } from './output.ts';
import type { Places } from './places.ts';
import type { Service } from './service.ts';

/** Runs the demonstration on the simulated warehouse and shows it as it goes. Resolves with whether all is well. */
export async function showDemonstration({
  options,
  places,
  service,
  signal,
  output,
}: {
  readonly options: Options;
  readonly places: Places;
  readonly service: Service;
  readonly signal: AbortSignal;
  readonly output: Output;
}): Promise<boolean> {
  const { simulator, receiver } = places;
  if (!simulator) return true;
  output.progress.show('waiting for the workers');
  await service.work.started;
  const { orders } = options;
  const summary = await demonstrate({ orders, simulator, receiver, service, progress: output.progress.show, signal });

  const mine = new Set(simulator.truth().map(subjectKey));
  const lines = (await service.store.summary.subjects()).filter((subject) => mine.has(subjectKey(subject)));
  output.say(`\n${report(lines, summary)}`);
  if (options.json) output.print(JSON.stringify(summary));
  return isWell(summary);
}
