import type { Dependencies } from '../../app/dependencies.ts';
import type { Service } from '../../app/service.ts';
import type { Output } from '../../cli/output.ts';
import type { Options } from '../../cli/start-options.ts';
import { subjectKey } from '../../domain/catalogue/subject.ts';
import { demonstrate } from './demonstrate.ts';
import { report } from './report.ts';
import { isWell } from './summary.ts';

/** Runs the demonstration on the simulated warehouse and shows it as it goes. Resolves with whether all is well. */
export async function showDemonstration({
  options,
  dependencies,
  service,
  signal,
  output,
}: {
  readonly options: Options;
  readonly dependencies: Dependencies;
  readonly service: Service;
  readonly signal: AbortSignal;
  readonly output: Output;
}): Promise<boolean> {
  const { simulator, receiver } = dependencies;
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
